# Errors that a user can cause: a snapshot has a line for each, with its class, the function and the message.
expect_refused <- function(...) {
  env <- parent.frame()
  said <- vapply(unname(rlang::enexprs(...)), function(code) {
    error <- expect_error(eval(code, env), class = "landmarker_error_input")
    kind <- sub("landmarker_error_", "", class(error)[1])
    call <- conditionCall(error)
    message <- cli::ansi_strip(conditionMessage(error))
    paste0(kind, ": ", if (!is.null(call)) paste0(deparse(call[[1]]), "(): "), gsub("\n", " ", message))
  }, "")
  expect_snapshot(writeLines(said))
}

# What an error of this package says.
refusal <- function(code) cli::ansi_strip(conditionMessage(expect_error(code, class = "landmarker_error")))

# An object without a part of it, and with other parts.
without <- function(object, part) {
  object[part] <- NULL
  object
}
with_part <- function(object, ...) {
  parts <- list(...)
  object[names(parts)] <- parts
  object
}
