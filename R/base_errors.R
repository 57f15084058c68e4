# Conditions. Every error that a user can cause has the class
# `landmarker_error_<kind>` below `landmarker_error`, names the argument, the
# rule and what was given, and is raised before any work is done.

# `message` is a cli message vector (glue in `.envir`), `kind` the part of the
# class name after `landmarker_error_`. Every kind is also an input error,
# because the caller can correct it.
# `parent`: the error of a user's own code that led to this one. `...`: further parts of the condition.
abort_input <- function(message, arg = NULL, kind = "input", call = rlang::caller_env(),
                        .envir = parent.frame(), parent = NULL, ...) {
  local_plain_counts()
  cli::cli_abort(
    message,
    class = unique(c(paste0("landmarker_error_", kind), "landmarker_error_input", "landmarker_error")),
    arg = arg, call = call, .envir = .envir, parent = parent, ...
  )
}

# Until the calling function ends, numbers are written without exponents. R writes 100000 as 1e+05, and
# 43000001 as 4.3e+07 where it rounds, which is of no use as the number of a row.
local_plain_counts <- function(frame = parent.frame()) {
  rlang::local_options(scipen = max(4, getOption("scipen")), .frame = frame)
}

# Evaluates `code`. Errors of this package without a call, as work on parts of the data raises them, get the
# call of the user's function. With `replace` all of its errors do: those of an exported function that was
# called by the package itself would name that one.
with_call <- function(code, call, replace = FALSE) {
  tryCatch(code, landmarker_error = function(e) {
    if (replace || is.null(e$call)) e["call"] <- list(rlang::error_call(call))
    rlang::cnd_signal(e)
  })
}

# What `code` gives, or what `handler` makes of its error. A limit of time is no failure: it ends the call.
on_failure <- function(code, handler) {
  tryCatch(code, error = function(e) if (is_time_limit(e)) stop(e) else handler(e))
}

or_else <- function(code, otherwise) on_failure(code, function(e) otherwise)

# R's error for setTimeLimit(), which has no class and is in the user's language.
is_time_limit <- function(e) {
  known <- gettext(c("reached elapsed time limit", "reached CPU time limit"), domain = "R")
  grepl("time limit", conditionMessage(e), fixed = TRUE) || conditionMessage(e) %in% known
}

warn_user <- function(message, kind, call = rlang::caller_env(), .envir = parent.frame()) {
  local_plain_counts()
  cli::cli_warn(message,
    class = c(paste0("landmarker_warning_", kind), "landmarker_warning"),
    call = call, .envir = .envir
  )
}

# A message of class `landmarker_message_<kind>`. It is shown once in a session for each value of `once`, any
# R object. A message that `verbose = FALSE` hides has not been shown, and comes with a later call.
tell_user <- function(message, kind, once, call = rlang::caller_env(), .envir = parent.frame()) {
  if (isFALSE(getOption("landmarker.verbose"))) return(invisible())
  local_plain_counts()
  cli::cli_inform(message,
    class = c(paste0("landmarker_message_", kind), "landmarker_message"), call = call, .envir = .envir,
    .frequency = "once", .frequency_id = paste0("landmarker_", kind, "_", rlang::hash(once))
  )
}

# Versions of suggested packages that DESCRIPTION asks for.
least_versions <- c(ggplot2 = "3.4.0", recipes = "1.0.4", Rtsne = "0.15")

# An error for a package of Suggests that is missing or too old: what needs it and how to install it.
need_package <- function(package, what, call = rlang::caller_env(), least = least_versions[package]) {
  missing <- !requireNamespace(package, quietly = TRUE)
  if (missing || (!is.na(least) && package_version(getNamespaceVersion(package)) < least)) {
    bioconductor <- c("DelayedArray", "HDF5Array", "SingleCellExperiment", "SummarizedExperiment")
    from <- if (package %in% bioconductor) "BiocManager::install" else "install.packages"
    abort_input(c(
      if (missing) {
        "{what} needs the package {.pkg {package}}, which is not installed."
      } else {
        paste(
          "{what} needs version {least} of the package {.pkg {package}},",
          "which is {getNamespaceVersion(package)} here."
        )
      },
      i = "Install it with {.code {from}(\"{package}\")}."
    ), kind = "package", call = call)
  }
  invisible(TRUE)
}

`%||%` <- rlang::`%||%`
