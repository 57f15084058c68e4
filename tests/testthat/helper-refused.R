# An error that a user can cause: its class, and by a snapshot what it says, which
# is the argument, the rule and what was given.
expect_refused <- function(code, kind = "input") {
  code <- rlang::enexpr(code)
  env <- parent.frame()
  error <- expect_error(eval(code, env), class = paste0("landmarker_error_", kind))
  expect_s3_class(error, "landmarker_error_input")
  rlang::inject(expect_snapshot(error = TRUE, !!code), env)
}
