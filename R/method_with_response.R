# Methods that use a response: how they get it, and what happens to it where rows are left out.

# A method with the response `y` of a formula or of cv_landmarks(). `from` says in words where it comes from.
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

# A method as a fit keeps it, without what are data: the response, numbers for each row, and points to start
# from.
without_data <- function(method) {
  data <- c("y", "groups", if (inherits(method, "by_random")) "prob")
  method[intersect(data, names(method))] <- list(NULL)
  if (is.matrix(method$start)) method$start <- "pivot"
  own <- vapply(method, inherits, NA, "landmark_method")
  method[own] <- lapply(method[own], without_data)
  method
}

# The response of a method after a check: the list of as_response() with two more elements, `given`, what the
# user gave, and the `family`.
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
  response <- method$y
  if (!inherits(response, "checked_response")) {
    response <- as_response(response, rows, call,
      several = inherits(method, "by_response"), numbers = wants_numbers(method)
    )
    if (is.null(method$family)) tell_regression(response, call)
  }
  response$given <- method$y
  response$groups <- check_groups(method$groups, rows, call) %||% response$groups
  fits <- response_families[[response$type]]
  response$family <- method$family %||% fits[1]
  if (!response$family %in% fits) {
    shown <- paste0("\"", fits, "\"")
    abort_input(c(
      "{.arg family} must be {.or {shown}} for a response of {response_words[[response$type]]}.",
      x = "It is {.val {response$family}}."
    ), arg = "family", kind = "response", call = call)
  }
  if (response$family == "poisson" && any(response$y < 0)) {
    abort_input(c(
      "{.arg y} must have counts of at least 0 for {.code family = \"poisson\"}.",
      x = "The smallest value is {min(response$y)}."
    ), arg = "y", kind = "response", call = call)
  }
  if (response$type == "classes" && 2 * ncol(response$y) > rows) {
    warn_user(c(
      "{.arg y} has {ncol(response$y)} classes in {rows} rows, so most classes have a single row.",
      i = "Numbers that stand as strings or as a factor are classes. Make them numbers with {.fn as.numeric}."
    ), kind = "response", call = call)
  }
  # Softmax regression has a column for each class, also for two.
  if (response$type == "binary" && response$family == "multinomial") {
    response$y <- cbind(1 - response$y, response$y)
    response$type <- "classes"
  }
  response
}

# Whether a method takes any values of a response for numbers.
wants_numbers <- function(method) is_word(method$family, c("huber", "poisson"))

# Outcomes of 0 and 1 as numbers, which by_response() would take for two classes or tags: in a classification
# the outcome is a factor.
zero_one_numbers <- function(y, rows, call) {
  if (!(is.numeric(y) || is.data.frame(y)) || !all(as.matrix(y) %in% 0:1)) return(y)
  structure(as_response(y, rows, call, several = TRUE, numbers = TRUE), class = "checked_response")
}

# The group of each row as a number, or NULL. `rows`: how many rows there are, NULL if not known yet.
check_groups <- function(groups, rows, call) {
  if (is.null(groups)) return(NULL)
  if (!is.atomic(groups) || !is.null(dim(groups)) || length(groups) != (rows %||% length(groups))) {
    many <- if (!is.null(rows)) paste(",", rows)
    abort_input(c(
      "{.arg groups} must be a vector with a value for each row{many}.", x = "It is {describe(groups)}."
    ), arg = "groups", kind = "group", call = call)
  }
  # as.character(): NA may also be a level of a factor.
  bad <- which(is.na(as.character(groups)))
  if (length(bad)) {
    abort_input(c("{.arg groups} must not have missing values.", x = "{.code groups[{bad[1]}]} is NA."),
      arg = "groups", kind = "group", call = call
    )
  }
  match(groups, unique(groups))
}

# The numbers of the rows whose response is missing. The method to start from may have a response too.
rows_without_response <- function(method, rows) {
  if (!method_can(method, "uses_response")) return(integer())
  union_sorted(missing_response(method$y, rows), rows_without_response(method$start, rows))
}

# The method and the weights without the values of rows that are left out: list(method, weights). `omitted`:
# the numbers of these rows. `rows`: how many rows there were before.
go_along <- function(omitted, rows, method, weights, call) {
  if (length(omitted)) {
    check_weights(weights, rows, call)
    weights <- without_rows(weights, omitted)
    method <- response_without(method, omitted, rows)
  }
  list(method = method, weights = weights)
}

# A method whose response has no values of omitted rows.
response_without <- function(method, omitted, rows) {
  if (!method_can(method, "uses_response")) return(method)
  checked <- inherits(method$y, "checked_response")
  if (checked) method$y <- part_of_response(method$y, without_rows(seq_len(rows), omitted))
  for (name in c(if (!checked) "y", "groups")) {
    if (NROW(method[[name]]) == rows) method[[name]] <- without_rows(method[[name]], omitted)
  }
  if (!is.null(method$start)) method$start <- response_without(method$start, omitted, rows)
  method
}
