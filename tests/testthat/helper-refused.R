# An error that a user can cause: its class, and by a snapshot what it says, which
# is the argument, the rule and what was given.
expect_refused <- function(code, kind = "input") {
  code <- rlang::enexpr(code)
  env <- parent.frame()
  error <- expect_error(eval(code, env), class = paste0("landmarker_error_", kind))
  expect_s3_class(error, "landmarker_error_input")
  rlang::inject(expect_snapshot(error = TRUE, !!code), env)
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
