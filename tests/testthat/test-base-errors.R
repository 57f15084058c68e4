# The conditions of the package, and the page about them.
test_that("every kind of condition is in the table of ?landmarker-conditions", {
  kinds_of <- function(raiser) {
    found <- character()
    look <- function(e) {
      if (is.call(e)) {
        if (identical(e[[1]], as.name(raiser)) && !is.null(e$kind)) {
          kind <- if (is.call(e$kind)) as.list(e$kind) else list(e$kind)
          kind <- Filter(function(k) is.character(k) && grepl("^[a-z_]+$", k), kind)
          found <<- c(found, unlist(kind))
        }
        for (part in as.list(e)) if (!missing(part)) look(part)
      }
    }
    space <- asNamespace("landmarker")
    for (name in ls(space)) if (is.function(get(name, space))) look(body(get(name, space)))
    unique(found)
  }
  page <- tools::Rd_db("landmarker")[["landmarker-conditions.Rd"]]
  sections <- Filter(function(part) attr(part, "Rd_tag") == "\\section", page)
  titles <- vapply(sections, function(part) paste(unlist(part[[1]]), collapse = ""), "")
  raisers <- c(abort_input = "Errors", warn_user = "Warnings", inform_user = "Messages")
  for (raiser in names(raisers)) {
    table <- paste(unlist(sections[[match(raisers[[raiser]], titles)]][[2]]), collapse = "")
    kinds <- kinds_of(raiser)
    expect_gt(length(kinds), 4)
    is_there <- vapply(kinds, function(kind) grepl(sprintf("\\b%s\\b", kind), table), NA)
    expect_identical(kinds[!is_there], character())
  }
})

# ---- limits of time ------------------------------------------------------------------------------
# One that falls into the user's own code ends the call as itself: no function of the package tells it as a
# failure of that code, or goes on without its result.

test_that("a limit of time within the user's method, reader or formula ends the call", {
  # The user's code: it waits until the limit, which is set here, so that it falls nowhere else.
  wait <- function(...) {
    setTimeLimit(elapsed = 0.02, transient = TRUE)
    until <- proc.time()[["elapsed"]] + 20
    while (proc.time()[["elapsed"]] < until) NULL
    stop("nothing has ended the wait")
  }
  x <- odd_matrix(60, 3)
  y <- factor(rep(c("a", "b"), 30))
  frame <- data.frame(a = 1:9 + 0, b = sin(1:9))
  slow <- function(x, n) structure(list(), class = "slow_features")
  registerS3method("predict", "slow_features", wait, envir = asNamespace("stats"))
  works <- list(
    function() cv_landmarks(x, y, list(mine = wait), n = 2:3),
    function() cv_landmarks(x, y, list(mine = slow), n = 2:3), function() landmarks(chunked(1:2, wait), 3),
    function() cv_landmarks(wait(a) ~ b, data = frame, n = 3),
    function() cv_landmarks(a ~ b, data = frame, n = 3, weights = wait())
  )
  for (work in works) {
    said <- tryCatch(work(), error = conditionMessage, finally = setTimeLimit())
    expect_match(said, "^reached elapsed time limit")
  }
})
