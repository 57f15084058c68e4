# Conditions. Every error that a user can cause has the class
# `landmarker_error_<kind>` below `landmarker_error`, names the argument, the
# rule and what was given, and is raised before any work is done.

#' Errors, warnings and messages
#'
#' Conditions have classes, so that programs can handle them. Errors are raised before long computations if
#' possible. Their messages give the argument, its permitted values, the actual value, and a remedy.
#'
#' An error has the classes `landmarker_error_<kind>`, `landmarker_error_input` and `landmarker_error`, a
#' warning `landmarker_warning_<kind>` and `landmarker_warning`, and a message `landmarker_message_<kind>`
#' and `landmarker_message`. An error has components `arg`, the name of the argument or NULL, and `parent`,
#' the error that caused it, if any.
#'
#' Errors of functions that you supply, such as `space`, are passed on unchanged; those of the reader of
#' [chunked()] are the `parent` of an error of kind `chunks`.
#'
#' @section Errors:
#' | kind | cause |
#' |---|---|
#' | `input` | an invalid argument; all errors have this class too |
#' | `assay` | an experiment lacks the assay or reduced dimension |
#' | `bandwidth` | it is not positive, or its rule gives 0 (most rows are equal) |
#' | `chunks` | a chunk is unreadable or has unexpected rows or columns; or all rows must be in memory |
#' | `codebook` | an object is not a valid codebook |
#' | `columns` | missing or additional columns |
#' | `convergence` | no regression of [cv_landmarks()] converged |
#' | `covariance` | local covariances are 0 or singular |
#' | `daemon` | a daemon of package mirai stopped, or cannot load this package |
#' | `data` | data are missing, empty, or of an unsupported type |
#' | `dots` | an argument is unknown, or must be named |
#' | `empty` | rows without counts, in [hellinger()] |
#' | `fit` | an object is not a valid fit, or lacks the requested component |
#' | `graph` | a single landmark, duplicated landmarks, or a modified graph |
#' | `group` | groups of [codebook()] do not match the frames |
#' | `idx` | a file that [read_idx()] cannot read |
#' | `index` | `i` of `fit[i]` is out of range, repeated or empty |
#' | `levels` | new data have new factor levels |
#' | `memory` | more memory is needed than allowed: [landmarker-options] |
#' | `method` | an unknown method, or one that fails in [cv_landmarks()] |
#' | `missing` | a missing or infinite value; its row and column are named |
#' | `na_action` | `na.action` is not supported |
#' | `negative` | a negative count, in [hellinger()] |
#' | `option` | an invalid option: [landmarker-options] |
#' | `package` | a required package is not installed, or too old |
#' | `rank` | `n` or `dims` exceeds what the data or the kernel allow |
#' | `response` | the response is missing, of a wrong type, or constant |
#' | `rows` | invalid folds, test rows or `subset`, or no training rows |
#' | `scale` | `scale = "ranks"` needs dense data in memory |
#' | `select` | an invalid selector of a recipe |
#' | `selection` | a method of your own returns no valid selection: [new_landmark_method()] |
#' | `space` | the data or a function do not match the `space` |
#' | `stratify` | a class has too few rows for the folds |
#' | `weights` | weights are negative, missing, all 0, or of the wrong length |
#'
#' @section Warnings:
#' | kind | cause |
#' |---|---|
#' | `components` | the graph is disconnected; also of kind `graph` |
#' | `constant` | columns that were constant in the training data vary in new data |
#' | `convergence` | regressions that did not converge are dropped |
#' | `empty` | an empty draw of [by_dpp_exact()] was repeated |
#' | `far` | new rows are far from all landmarks: [predict.landmarks()] |
#' | `fit` | a warning of a fit within [cv_landmarks()] |
#' | `graph` | the graph is (nearly) disconnected or has a distant landmark, or a layout is unreliable |
#' | `interval` | infinite intervals: [predict.landmarks()] |
#' | `levels` | a factor has more than 100 levels, or as many as rows; or new data have new levels |
#' | `method` | a method failed in some fits of [cv_landmarks()] |
#' | `novelty` | a coordinate is a function of those before it: [embed_landmarks()] |
#' | `off_data` | few landmarks are on the data: [print.landmarks] |
#' | `rank` | fewer than `n` landmarks were found: [landmarks-kernel] |
#' | `response` | the response is a column of the data, or has too many classes |
#' | `shortcuts` | short-circuit edges of the graph: [graph-shortcuts] |
#' | `space` | most rows are far from the `space`: [landmarks-kernel] |
#' | `weights` | the fit has weights, and none are given |
#'
#' @section Messages:
#' They are shown once per session for each cause, except for `response`. The option `landmarker.verbose`
#' hides them (see [landmarker-options]).
#'
#' | kind | cause |
#' |---|---|
#' | `assay` | the first assay of an experiment is used |
#' | `eigenmap` | eigenvectors of the graph of many landmarks take long to compute |
#' | `identifier` | a column may be a row identifier: [landmarks-data] |
#' | `response` | `fit[i]` drops the response of the fit |
#' | `time` | a call will take long, see [landmarker-options] |
#' | `units` | columns have very different scales: [landmarks-data] |
#' @examples
#' x <- as.matrix(iris[1:4])
#' x[7, 2] <- NA
#' # Drop rows with missing values only if there are any.
#' fit <- tryCatch(
#'   landmarks(x, 5),
#'   landmarker_error_missing = function(e) landmarks(x, 5, na.action = na.omit)
#' )
#' fit$n_rows
#'
#' # Any error of this package
#' e <- tryCatch(landmarks(iris[1:4], 1000), landmarker_error = function(e) e)
#' class(e)[1:3]
#' e$arg
#'
#' # Muffle one kind of warning.
#' fit <- withCallingHandlers(
#'   landmarks(x[rep(1:3, 9), ], 5, bandwidth = 1),
#'   landmarker_warning_rank = function(w) invokeRestart("muffleWarning")
#' )
#' length(fit)
#' @name landmarker-conditions
NULL

# `message` is a cli message vector (glue in `.envir`), `kind` the part of the
# class name after `landmarker_error_`. Every kind is also an input error,
# because the caller can correct it. `parent`: the error of a user's own code that led to this one.
abort_input <- function(message, arg = NULL, kind = "input", call = rlang::caller_env(),
                        .envir = parent.frame(), parent = NULL) {
  local_plain_counts()
  classes <- unique(c(paste0("landmarker_error_", kind), "landmarker_error_input", "landmarker_error"))
  call <- shown_call(call)
  cli::cli_abort(message, class = classes, arg = arg, call = call, .envir = .envir, parent = parent)
}

# The call of the user's function, whose frame is `call`. A formula of hundreds of terms is too deep for
# rlang: then only the name of the function.
shown_call <- function(call) {
  if (!is.environment(call)) return(call)
  try_default(rlang::error_call(call), if (rlang::is_string(call$.Generic)) call(call$.Generic))
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
    if (replace || is.null(e$call)) e["call"] <- list(shown_call(call))
    rlang::cnd_signal(e)
  })
}

# What `code` gives, or what `handler` makes of its error. A limit of time is no failure: it ends the call.
on_failure <- function(code, handler) {
  tryCatch(code, error = function(e) if (grepl("time limit", conditionMessage(e))) stop(e) else handler(e))
}

try_default <- function(code, otherwise) on_failure(code, function(e) otherwise)

warn_user <- function(message, kind, call = rlang::caller_env(), .envir = parent.frame()) {
  local_plain_counts()
  classes <- c(paste0("landmarker_warning_", kind), "landmarker_warning")
  cli::cli_warn(message, class = classes, call = shown_call(call), .envir = .envir)
}

# A message of class `landmarker_message_<kind>`. It is shown once in a session for each value of `once`, any
# R object, or always if that is NULL. A message that `verbose = FALSE` hides has not been shown, and comes
# with a later call.
inform_user <- function(message, kind, once, call = rlang::caller_env(), .envir = parent.frame()) {
  if (isFALSE(getOption("landmarker.verbose"))) return(invisible())
  local_plain_counts()
  classes <- c(paste0("landmarker_message_", kind), "landmarker_message")
  cli::cli_inform(message,
    class = classes, call = shown_call(call), .envir = .envir,
    .frequency = if (is.null(once)) "always" else "once",
    .frequency_id = paste0("landmarker_", kind, "_", rlang::hash(once))
  )
}

# Versions of suggested packages that DESCRIPTION asks for.
least_versions <- c(mirai = "2.3.0", recipes = "1.0.4", Rtsne = "0.15")

# Whether a package can be loaded. requireNamespace() would take a time limit for a package that is not there.
has_package <- function(package) !is.null(try_default(loadNamespace(package), NULL))

# An error for a package of Suggests that is missing or too old: what needs it, a template of cli, and how to
# install it.
need_package <- function(package, what, call = rlang::caller_env(), least = least_versions[package]) {
  if (rlang::is_installed(package, version = if (!is.na(least)) least)) return(invisible())
  of_version <- if (!is.na(least)) paste(", version", least, "or later")
  bioconductor <- c("DelayedArray", "HDF5Array", "SingleCellExperiment", "SummarizedExperiment")
  install <- if (package %in% bioconductor) "BiocManager::install" else "install.packages"
  abort_input(c(
    paste(what, "needs the package {.val {package}}{of_version}."),
    i = "Install it with {.code {install}(\"{package}\")}."
  ), kind = "package", call = call)
}

`%||%` <- rlang::`%||%`
