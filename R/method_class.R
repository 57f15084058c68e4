# by_class(): landmarks within each class of a response.

#' Landmarks within each class
#'
#' `by_class()` learns landmarks within each class of a response, by a method that itself uses no response.
#' So every class has landmarks of its own. Use it where features serve a classifier and [by_response()] is
#' not wanted: the landmarks represent the rows of their classes.
#'
#' The method learns from the rows of one class at a time, with the bandwidth of all rows. The landmarks of
#' all classes are then put in greedy order, as those of [by_gp()] are.
#'
#' @param method How landmarks are found within a class, as in [landmarks()]. The default is `"gp"`.
#' @param y The classes: a factor, strings, or 0/1 or logical values, one for each row. `NULL`, the default,
#'   where they come from elsewhere: from the left-hand side of a formula, from [cv_landmarks()], or from
#'   [by_response()] where this method is its `start`.
#' @param sizes How many landmarks each class gets, at least one. `"rows"`, the default: in proportion to its
#'   rows (their weights, where there are some). `"left"`: each next landmark goes to the class of which most
#'   is left, the sum over its rows of what its landmarks do not explain of the kernel (see
#'   [reconstruction_error()]). For this, about twice as many landmarks are learned first.
#' @return A method object for `landmarks(method = )`, a list of class `by_class`.
#' @seealso [by_response()], which moves landmarks toward what predicts best.
#' @examples
#' set.seed(1)
#' fit <- landmarks(Species ~ ., data = iris, n = 6, method = by_class())
#' table(iris$Species[fit$nearest])
#' @export
by_class <- function(method = "gp", y = NULL, sizes = "rows") {
  if (is.factor(method)) {
    abort_input(c(
      "{.arg method} must be a method that finds landmarks within a class.",
      x = "It is {describe(method)}.",
      i = "Write {.code by_class(y = y)} for the classes."
    ), arg = "method", kind = "method")
  }
  method <- find_method(method)
  if (method_can(method, "uses_response")) {
    abort_input(c(
      "{.arg method} must be a method that uses no response.",
      x = "It is {.fn {class(method)[1]}}.",
      i = paste0(
        "To move landmarks of {.fn by_class} toward a response, ",
        "write {.code by_response(start = by_class())}."
      )
    ), arg = "method", kind = "method")
  }
  new_method("by_class",
    list(method = method, y = y, sizes = check_choice(sizes, c("rows", "left"), "sizes")),
    uses_response = TRUE
  )
}

#' @export
format.by_class <- function(x, ...) {
  paste0(format(x$method), ", within each class")
}

#' @export
select_landmarks.by_class <- function(method, source, n, kernel, held, call) {
  response <- response_for(method, source$dim[1], call)
  if (!response$type %in% c("classes", "binary")) {
    abort_input(c(
      "{.fn by_class} must have a response of classes.",
      x = "It is of {response_words[[response$type]]}."
    ), arg = "y", kind = "response", call = call)
  }
  class <- response_classes(response)
  weights <- weights_at(source, seq_along(class))
  rows <- unname(split(which(weights > 0), class[weights > 0]))
  if (n < length(rows)) {
    abort_input(c(
      "{.arg n} must be at least the number of classes, {length(rows)}.",
      x = "It is {n}."
    ), arg = "n", kind = "rank", call = call)
  }
  parts <- lapply(rows, function(of) rows_of(source, of))
  most <- lengths(rows)
  sizes <- switch(method$sizes,
    rows = share_by_weight(n, vapply(rows, function(of) sum(weights[of]), 0), most),
    left = share_by_left(n, parts, most, method$method, kernel, call)
  )
  found <- list()
  chosen <- source_no_points(source)
  for (k in seq_along(parts)) {
    # A row that two classes have in common becomes a landmark once.
    of <- rows_apart(source, rows[[k]], chosen)
    if (length(of) == 0) next
    part <- if (length(of) == length(rows[[k]])) parts[[k]] else rows_of(source, of)
    size <- min(sizes[k], length(of))
    one <- select_landmarks(method$method, part, size, kernel, source_no_points(source), call)
    one <- check_found(one, part, 0L, call)
    one$rows <- of[one$rows]
    chosen <- rbind(chosen, one$landmarks)
    found <- c(found, list(one))
  }
  each <- function(name) unlist(lapply(found, `[[`, name))
  # Landmarks that moved may meet those of another class. Rows take the place of what is missing.
  apart <- if (method_can(method$method, "knows_kernel")) {
    kernel_pivots(chosen, source, kernel, compute_with(call)) > 0
  } else {
    !duplicated(signif(chosen, 12))
  }
  found <- selection(chosen[apart, , drop = FALSE],
    iterations = each("iterations")[apart], moved = each("moved")[apart], exact = all(each("exact")),
    rows = each("rows")[apart]
  )
  replace(found, "fill_up", TRUE)
}

# How many of `n` landmarks each class gets: at least 1, and at most its element of `most`. They are given out
# one after another, each to the class whose need(sizes) is largest, where `sizes` are those so far.
share_out <- function(n, most, need) {
  size <- rep(1L, length(most))
  for (i in seq_len(n - length(size))) {
    now <- need(size)
    now[size >= most] <- -Inf
    at <- which.max(now)
    size[at] <- size[at] + 1L
  }
  size
}

# Sizes in proportion to `weight`: the next landmark goes to the class that is farthest behind its share.
share_by_weight <- function(n, weight, most) {
  share_out(n, most, function(size) n * weight / sum(weight) - size)
}

# Sizes by which the landmarks leave about as much of the kernel in each class: the next one goes to the class
# in which most is left. What is left is measured with landmarks that `method` finds for each class alone.
share_by_left <- function(n, parts, most, method, kernel, call) {
  tried <- pmin(most, 2 * ceiling(n / length(parts)) + 1)
  how <- compute_with(call)
  left <- Map(function(part, count) {
    points <- suppressWarnings(learn(method, part, as.integer(count), kernel, call = call))$landmarks
    left_by_first(points, part, kernel, how)
  }, parts, tried)
  # For more landmarks than were tried in a class, what the last one left is used.
  share_out(n, most, function(size) mapply(function(of, k) of[min(k, length(of))], left, size))
}
