# by_class(): landmarks within each class of a response.

#' Landmarks within each class
#'
#' `by_class()` applies an unsupervised method to each class of a response. The number of landmarks of a class
#' is at least one, and proportional to its number of rows, or to its total case weight. Use it for features
#' of a classifier, so that rare classes are represented. [by_response()] optimizes landmarks for prediction
#' instead.
#'
#' All classes share the bandwidth of the whole data. The landmarks of all classes together are sorted
#' greedily, as those of [by_gp()].
#'
#' @param method How landmarks are found within a class, as in [landmarks()]. Default `"gp"`.
#' @param y The classes of the rows: a factor, strings, 0/1 or logical values. Default `NULL`: the left-hand
#'   side of the formula, or the response of [cv_landmarks()], or of [by_response()] if this method is its
#'   `start`.
#' @return A method object for `landmarks(method = )`, a list of class `by_class`.
#' @seealso [by_response()]
#' @examples
#' set.seed(1)
#' fit <- landmarks(Species ~ ., data = iris, n = 6, method = by_class())
#' table(iris$Species[fit$nearest])
#' @export
by_class <- function(method = "gp", y = NULL) {
  method <- match_method(method)
  check_that(!method_can(method, "uses_response"), class(method)[1], "method", "an unsupervised method",
    "method", remedy = "{.code by_response(start = by_class())} moves landmarks of {.fn by_class}."
  )
  new_landmark_method("by_class", list(method = method, y = y), uses_response = TRUE)
}

#' @export
format.by_class <- function(x, ...) paste0(format(x$method), ", within each class")

#' @export
select_landmarks.by_class <- function(method, source, n, kernel, fixed, call) {
  response <- response_for(method, source$dim[1], call)
  if (!response$type %in% c("classes", "binary")) {
    abort_input(c(
      "The response of {.fn by_class} must be categorical.",
      x = "It is {response_words[[response$type]]}."
    ), arg = "y", kind = "response", call = call)
  }
  class <- response_classes(response)
  weights <- weights_at(source, seq_along(class))
  rows <- unname(split(which(weights > 0), class[weights > 0]))
  check_that(n >= length(rows), n, "n", "at least {length(rows)}, the number of classes", "rank", call)
  sizes <- share_by_weight(n, vapply(rows, function(of) sum(weights[of]), 0), lengths(rows))
  found <- list()
  chosen <- none <- source_no_points(source)
  for (k in seq_along(rows)) {
    # Equal rows of two classes become one landmark.
    of <- rows_apart(source, rows[[k]], chosen)
    if (length(of) == 0) next
    part <- rows_of(source, of)
    one <- select_landmarks(method$method, part, min(sizes[k], length(of)), kernel, none, call)
    one <- check_found(one, part, 0L, call)
    one$rows <- of[one$rows]
    chosen <- rbind(chosen, one$landmarks)
    found <- c(found, list(one))
  }
  each <- function(name) unlist(lapply(found, `[[`, name))
  # Landmarks that moved may meet those of another class: one is dropped, and fit_selector() adds a row.
  apart <- if (method_can(method$method, "knows_kernel")) {
    kernel_pivots(chosen, source, kernel, compute_with(call)) > 0
  } else {
    !duplicated(signif(chosen, 12))
  }
  landmark_selection(chosen[apart, , drop = FALSE], each("iterations")[apart], each("moved")[apart],
    exact = all(each("exact")), rows = each("rows")[apart]
  )
}

# How many of `n` landmarks each class gets, in proportion to `weight`: at least 1, and at most its element of
# `most`. The next landmark goes to the class that is farthest behind its share.
share_by_weight <- function(n, weight, most) {
  size <- rep(1L, length(most))
  for (i in seq_len(n - length(size))) {
    behind <- n * weight / sum(weight) - size
    behind[size >= most] <- -Inf
    at <- which.max(behind)
    size[at] <- size[at] + 1L
  }
  size
}
