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
