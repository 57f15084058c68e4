# Methods that use a response: how it comes to them, and which rows go with it.

# A method with the response `y` that a formula or cv_landmarks() gives; `from` says which, in words.
with_response <- function(method, y, from, call) {
  if (!method_can(method, "uses_response")) return(method)
  if (!is.null(method$y)) {
    abort_input(c(
      "{.arg y} must be given once.",
      x = "It is an argument of {.fn {class(method)[1]}}, and it comes from {from} too.",
      i = "Write {.code {class(method)[1]}()} without {.arg y}."
    ), arg = "y", kind = "response", call = call)
  }
  method$y <- y
  method
}

# The same without its response, which has a value for each row: a fit does not keep its data.
without_response <- function(method) {
  if (method_can(method, "uses_response")) method["y"] <- list(NULL)
  method
}

# The checked response of a method: as_response(), with `given`, the user's own, and the `family`.
response_for <- function(method, rows, call) {
  if (is.null(method$y)) {
    abort_input(c(
      "{.fn {class(method)[1]}} must have a response.",
      x = "{.arg y} is missing.",
      i = paste0(
        "Write {.code {class(method)[1]}(y = y)}. In {.fn landmarks} a ",
        "formula may have it on its left-hand side."
      )
    ), arg = "y", kind = "response", call = call)
  }
  response <- if (inherits(method$y, "checked_response")) method$y else as_response(method$y, rows, call)
  response$given <- method$y
  usual <- c(classes = "multinomial", binary = "binomial", number = "gaussian", tags = "binomial")
  response$family <- method$family %||% usual[[response$type]]
  fits <- list(
    classes = "multinomial", binary = c("binomial", "multinomial", "gaussian"), number = "gaussian",
    tags = c("binomial", "gaussian")
  )[[response$type]]
  if (!response$family %in% fits) {
    shown <- paste0("\"", fits, "\"")
    abort_input(c(
      "{.arg family} must be {.or {shown}} for a response of {response_words[[response$type]]}.",
      x = "It is {.val {response$family}}."
    ), arg = "family", kind = "response", call = call)
  }
  if (response$type == "classes" && 2 * ncol(response$y) > rows) {
    warn_user(c(
      "{.arg y} has {ncol(response$y)} classes in {rows} rows, so most classes have a single row.",
      i = "Numbers that stand as strings or as a factor are classes. Make them numbers with {.fn as.numeric}."
    ), kind = "response", call = call)
  }
  # Two classes by softmax are two columns.
  if (response$type == "binary" && response$family == "multinomial") {
    response$y <- cbind(1 - response$y, response$y)
    response$type <- "classes"
  }
  response
}

# Rows of which a method has no response.
rows_without_response <- function(method, rows) {
  if (!method_can(method, "uses_response")) return(integer())
  union_sorted(missing_response(method$y, rows), rows_without_response(method$start, rows))
}

# What else has a value for each row goes along: list(method, weights). `rows`: how many there were.
go_along <- function(omitted, rows, method, weights, call) {
  if (length(omitted)) {
    check_weights(weights, rows, call)
    weights <- without_rows(weights, omitted)
    method <- response_without(method, omitted, rows)
  }
  list(method = method, weights = weights)
}

response_without <- function(method, omitted, rows) {
  if (!method_can(method, "uses_response")) return(method)
  if (NROW(method$y) == rows) method$y <- without_rows(method$y, omitted)
  if (!is.null(method$start)) method$start <- response_without(method$start, omitted, rows)
  method
}

# Matrices for landmarks(): list(x, method, weights, omitted).
leave_out <- function(x, method, weights, na.action, call) {
  check_given(x, "x", call)
  action <- check_na_action(na.action, call)
  if (action == "na.fail") return(list(x = x, method = method, weights = weights))
  x <- resident_rows(x, "x", call)
  rows <- nrow(x)
  omitted <- omitted_of(x, action, "x", call, also = rows_without_response(method, rows))
  c(list(x = without_rows(x, omitted), omitted = omitted), go_along(omitted, rows, method, weights, call))
}
