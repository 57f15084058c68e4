# Hostile arguments for the entry points of the C code: each call of an entry point that some ordinary uses make
# is repeated with one part of its arguments replaced. Every call must return or raise an R error: a child
# process that ends is a failure.
#
#   Rscript tests/fuzz/entries.R [CALLS [SEED]]       calls for each entry point, default 200, and a seed

library(landmarker)

asked <- as.numeric(commandArgs(TRUE))
calls <- if (length(asked)) asked[1] else 200
seed <- if (length(asked) > 1) asked[2] else 1

source("tests/fuzz/recorder.R")

# ---- hostile values --------------------------------------------------------------

hostile <- function(value) {
  own <- if (is.atomic(value) && length(value)) {
    list(
      value[0], c(value, value[1]), value[-1], rev(value), replace(value, 1, NA), unlist(list(value)),
      if (is.numeric(value)) {
        list(
          -value, value * 1e300, value * 0, value + 1, as.integer(pmin(abs(value) * 0 + 2147483647, 2147483647)),
          replace(as.double(value), 1, NaN), replace(as.double(value), 1, Inf), as.character(value),
          replace(value, length(value), -1L), replace(value, length(value), 2147483647L),
          `storage.mode<-`(value, if (is.double(value)) "integer" else "double"),
          if (is.matrix(value)) list(t(value), value[, 1], value[, 0, drop = FALSE], value[0, , drop = FALSE])
        )
      }
    )
  } else if (is.list(value)) {
    # Methods of classes would refuse what has lost its parts.
    value <- unclass(value)
    list(unname(value), value[-1], rev(value), unlist(value))
  }
  flat <- function(v) if (is.list(v) && !is.data.frame(v)) do.call(c, lapply(v, flat)) else list(v)
  c(flat(own), list(
    NULL, NA, NA_integer_, NA_real_, TRUE, FALSE, 0L, -1L, 2147483647L, 1e308, -1, 0.5, "a", character(),
    list(), quote(x), sum, new.env(), 1i, as.raw(1), matrix(0, 0, 0), matrix("a", 2, 2), Inf
  ))
}

# The places in nested lists, as vectors of indices. Entries whose address is kept are not opened.
places <- function(value, at = integer()) {
  here <- if (length(at)) list(at)
  if (!is.list(value) || length(value) == 0) return(here)
  c(here, do.call(c, lapply(seq_along(value), function(i) places(value[[i]], c(at, i)))))
}

replace_at <- function(value, at, with) {
  if (length(at) == 0) return(with)
  inner <- replace_at(value[[at[1]]], at[-1], with)
  value[at[1]] <- list(inner)
  value
}

# Also inside sparse matrices, whose slots the core reads.
corrupt <- function(value) {
  if (!methods::is(value, "dgCMatrix")) return(NULL)
  lapply(c("i", "p", "x", "Dim"), function(slot) {
    old <- attr(value, slot)
    choices <- Filter(function(new) typeof(new) == typeof(old), hostile(old))
    attr(value, slot) <- choices[[sample.int(length(choices), 1)]]
    value
  })
}

# ---- the calls -------------------------------------------------------------------

attack <- function(record, calls, seed, log) {
  set.seed(seed)
  at <- places(record$arguments)
  for (k in seq_len(calls)) {
    place <- at[[sample.int(length(at), 1)]]
    old <- record$arguments[[place]]
    choices <- c(hostile(old), corrupt(old))
    pick <- sample.int(length(choices), 1)
    arguments <- replace_at(record$arguments, place, choices[pick][[1]])
    # The log has the last call before a crash.
    writeLines(c(
      record$entry$name, paste("place", paste(place, collapse = " ")), paste("call", k),
      utils::head(utils::capture.output(utils::str(choices[pick][[1]])), 5)
    ), log)
    setTimeLimit(cpu = 20, elapsed = 100, transient = TRUE)
    tryCatch(do.call(base::.Call, c(list(record$entry), arguments), quote = TRUE), error = function(e) NULL)
    setTimeLimit()
  }
  "ended"
}

copy <- copy_package()
invisible(use_all(copy))
keys <- sort(ls(recorded))
entries <- unique(vapply(keys, function(key) recorded[[key]]$entry$name, ""))
cat(length(keys), "kinds of calls of", length(entries), "entry points recorded\n")
registered <- names(getDLLRegisteredRoutines("landmarker")$.Call)
cat("not called:", setdiff(registered, entries), "\n")
per <- ceiling(calls / table(vapply(keys, function(key) recorded[[key]]$entry$name, "")))
failed <- 0
# A child that crashes removes the session's temporary folder.
log <- tempfile("entries-", tmpdir = dirname(tempdir()))
for (key in keys) {
  record <- recorded[[key]]
  if (length(record$arguments) == 0) next
  job <- parallel::mcparallel(attack(record, per[[record$entry$name]], seed, log), silent = TRUE)
  result <- parallel::mccollect(job)[[1]]
  if (!identical(result, "ended")) {
    failed <- failed + 1
    cat("CRASH:", if (file.exists(log)) readLines(log), "", sep = "\n  ")
    if (inherits(result, "try-error")) cat(result)
  }
}
cat(sum(per[vapply(keys, function(key) recorded[[key]]$entry$name, "")]), "calls,", failed, "crashes\n")
quit(status = failed > 0)
