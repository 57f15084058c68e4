# by_response(): landmarks that move so that their features predict a response. method_response_learn.R moves
# them.

#' Landmarks that predict a response
#'
#' `by_response()` learns landmarks that predict a response `y`: classes, numbers, counts, or tags. The fit
#' is a model: it keeps its regression, so that `predict(fit, newdata)` gives the response, with intervals on
#' request (see [predict.landmarks()] and `vignette("predict")`).
#'
#' To see the structure of the data, use another method. These landmarks lie where they predict best,
#' which may be far from all rows. `print()` says how many are on the data. There is no warning where few are.
#'
#' @section Model:
#' The features of row \eqn{x_i}, \eqn{\phi_i = (K(x_i, t_1), \ldots, K(x_i, t_n))}{phi_i = (K(x_i, t_1) ..
#' K(x_i, t_n))}, predict its scores, one for each class, number or tag:
#' \deqn{f_i = b + A'z_i + W'\phi_i.}{f_i = b + A'z_i + W'phi_i.}
#' Here \eqn{A'z_i} is the trend, a line in the columns of the data in standard deviations. Distances are
#' those of the columns times their relevances \eqn{r_j}: \eqn{K(x, t) = \exp(-\sum_j r_j^2 (x_j - t_j)^2 /
#' \eta)}{K(x, t) = exp(-sum_j r_j^2 (x_j - t_j)^2 / eta)}, and so are the columns of the trend.
#' Landmarks \eqn{T}, relevances, slopes \eqn{A}, weights \eqn{W} and intercepts \eqn{b} are learned together.
#' They minimize
#' \deqn{\sum_i v_i \ell(y_i, f_i) / \sum_i v_i + \frac{\lambda}{2} (\|W\|^2 + \|A\|^2),}{
#' sum_i v_i loss(y_i, f_i) / sum_i v_i + (lambda / 2) (||W||^2 + ||A||^2),}
#' where \eqn{v_i} are the observation weights and \eqn{\lambda}{lambda} is `penalty` divided by the number of
#' rows. This is a radial basis function network. The loss depends on `family`:
#'
#' * `"multinomial"`: softmax regression of three or more classes,
#'   \eqn{\ell = \log \sum_k \exp(f_{ik}) - f_{i y_i}}{log sum_k exp(f_ik) - f_i,y_i}.
#' * `"binomial"`: logistic regression of two classes, or of each tag,
#'   \eqn{\ell = \log(1 + \exp(f_i)) - y_i f_i}{log(1 + exp(f_i)) - y_i f_i}.
#' * `"gaussian"`: least squares, \eqn{\ell = (y_i - f_i)^2 / 2}{(y_i - f_i)^2 / 2}, of a response that was
#'   divided by its standard deviation.
#' * `"huber"`: the same for small errors. An error above half a robust standard deviation of the response
#'   counts by its size, not by its square, so that outliers of the response have little influence.
#' * `"poisson"`: regression of counts with a logarithmic link, \eqn{\ell = \exp(f_i) - y_i f_i}{exp(f_i) -
#'   y_i f_i}, of a response that was divided by its mean. On the scale of the counts, as \pkg{glmnet} has it,
#'   the loss is the mean times as large, and so is the equivalent `penalty`.
#'
#' With \eqn{R} the derivatives of the losses by the scores, and \eqn{H = (R W') \circ \Phi}{H = (R W') o
#' Phi}, the gradient by the landmarks is
#' \eqn{(2/\eta) (H'X - \mathrm{diag}(1'H) T)}{(2 / eta) (H'X - diag(1'H) T)}, where rows and landmarks are
#' multiplied by the relevances. The gradient by \eqn{\log r_j}{log r_j} is
#' \eqn{-(2/\eta) \sum_{il} H_{il} r_j^2 (x_{ij} - t_{lj})^2}{-(2 / eta) sum_il H_il r_j^2 (x_ij - t_lj)^2},
#' to which the gradient of the trend by \eqn{r_j} is added.
#'
#' @section Algorithm:
#' The landmarks of `start` are moved by Adam (Kingma and Ba, 2015) on random batches of rows, with a rate
#' that falls to 0. Each landmark has one second moment, of the length of its gradient, so that a rotation of
#' the data rotates the landmarks. The relevances have one second moment together, so that columns that matter
#' little hardly move. Weights move in coordinates in which the features are uncorrelated. After
#' each step landmarks are projected on the `space`. If `bandwidth` is missing in [landmarks()], it is learned
#' too, by the gradient of the same loss. A bandwidth that you give is kept.
#'
#' With up to 10,000 rows, some rows are held out in turn: parts of a tenth (`held_out`) are drawn, and for
#' each part the model is learned from other rows. There are up to ten parts with fewer than 100 rows, up to
#' five with more, and one with more than 5,000; with fewer than 20 rows each row is a part. Each time one
#' part is left out; of 20 to 99 rows up to two fifths are, and of 100 to 399 up to three tenths. The
#' held-out rows choose the penalty, the number of steps, whether there is a trend, and whether there are
#' relevances. Then the model is learned from all rows with these. With more than 10,000 rows it is learned
#' once, without one part, which chooses the number of steps. For classes and tags the differences
#' of the scores from those of the shares of the classes are multiplied by the number that makes the held-out
#' loss smallest (one of 21 from 0.02 to 2.7), because long learning makes probabilities too extreme.
#' Intercepts are replaced by the best ones for up to 2,000 of the rows learned from, in the fit and wherever
#' held-out rows are looked at: learning often ends while steps are long, and then they are off.
#'
#' @section Held-out rows: `print()` and the part `response$held_out` tell the accuracy or the error of
#' held-out rows. Rows do not choose what they measure: a part is predicted with the penalty, the number of
#' steps and the scale of scores that are best for other parts (a single part is cut into halves, which choose
#' for each other). With 20 to 399 rows, the models that make this choice have not learned from the part
#' either. The figures are a little pessimistic: they are of models that are learned from fewer rows. Beside
#' it stands the baseline, a prediction that is the same for all rows: the largest class, or the mean (the
#' median for `"huber"`). There is a warning where the model is no better, for classes and tags by its log
#' loss: a rare class may be predicted well without being the likeliest anywhere.
#' [fitted()][landmarks-methods] gives the held-out predictions, and `residuals()` the errors of numbers; both
#' are NA for rows that were never held out.
#'
#' Landmarks come in the order in which they predict best. The first is the one that, by itself, leaves the
#' smallest sum of squared errors on the held-out rows (the first part of them); the second leaves the
#' smallest together with the first, and so on. Here the regressions are least-squares regressions of the
#' response (of 0/1 columns for classes) on the final features, and on the columns where there is a trend,
#' from rows that are not held out.
#'
#' @param y The response, one value for each row of the data: a factor or strings for classes, 0/1 or logical
#'   values for two classes, numbers (also a time series, labelled numbers or numbers with units), a 0/1
#'   matrix with a column for each tag, or a matrix of several numbers (`cbind(a, b) ~ .` in a formula).
#'   NULL, the default, where it comes from the left-hand side of a formula, or from [cv_landmarks()], which
#'   gives each fold the response of its training rows. A warning is given where it is a column of the data
#'   as well.
#' @param family The loss, `"multinomial"`, `"binomial"`, `"gaussian"`, `"huber"` or `"poisson"`. NULL, the
#'   default, chooses by `y`: multinomial for three or more classes, binomial for two classes and for tags,
#'   gaussian for numbers. Set `"poisson"` for counts and `"huber"` for numbers with outliers. With these
#'   three, values of 0 and 1 are numbers.
#' @param start The method whose landmarks are moved, as in [landmarks()]. Default `"gp"`, [by_gp()].
#'   [by_class()] gets the response too.
#' @param iterations The number of steps, each on one batch. Default 2000.
#' @param batch_size The number of rows of a batch. Default 500, or all rows where there are fewer.
#' @param held_out The share of the rows that is left out of the steps, from 0 to 0.5. Default 0.1; at most
#'   5,000 and at least 5 rows are left out at a time. With 0, and with fewer than 4 rows, none are, and all
#'   steps are taken.
#' @param penalty The penalty on the weights, at least 0. It is divided by the number of rows. NULL, the
#'   default, is 0.001 for more than 10,000 rows. For fewer rows it is 0.001, 0.03 or 1, whichever has the
#'   smallest loss on held-out rows.
#' @param relevance Whether columns get relevances. NULL, the default: with up to 10,000 rows where held-out
#'   rows are predicted better with them, and with more rows always. TRUE and FALSE decide it. The rate of
#'   their steps is 0.3 times that of the landmarks (with more than 20 columns also 0.1 times, whichever
#'   predicts held-out rows better). Sparse data, spheres and spaces of your own have none: points of a sphere
#'   would leave it.
#' @param trend Whether there is a trend. NULL, the default: for tables, which are dense data of at most 100
#'   columns and at least two rows for each column; with up to 10,000 rows only where held-out rows are
#'   predicted better with it. TRUE and FALSE decide it. Sparse data have none.
#' @param groups A value for each row of the data: the subject, patient or place that it belongs to. Rows of a
#'   group are then held out together, so that the penalty, the number of steps, held-out figures and
#'   intervals are for rows of new groups. Groups count as rows do otherwise: with fewer than 20 each is held
#'   out in turn. NULL, the default: rows are independent. In [cv_landmarks()] leave it out, and give its
#'   `groups`.
#' @return A method object for `landmarks(method = )`, a list of class `by_response`. The fit has another
#'   part `response`, a list of `family`, `levels`, `penalty`, `coefficients` (a matrix with the
#'   intercepts in the first row, then a row for each landmark, and a column for each class or tag, in the
#'   units of `y`), `trend` (slopes by the columns `(x - center) * factor`, or NULL), `iterations` (the
#'   steps that were kept), `of` (how many there were to be), `interval` (what intervals need, of numbers)
#'   and `held_out`: the number of `rows` that were left out (and of their `groups`, if there are any),
#'   their mean `loss` (of tags the sum over the tags), the `usual_loss` of a prediction that is the same
#'   for all rows, their `measure` (accuracy, mean squared error, or for tags the area under the ROC
#'   curve, its mean over tags and then over the parts that were held out, because scores of different
#'   models are not comparable; mean absolute error by `"huber"`, mean deviance by `"poisson"`), its
#'   `baseline`, and for each of them the number (`index`), what was `observed`, and what was `fitted`
#'   without it. It is NULL where no rows were left out, and where [add_landmarks()] or
#'   [refine_landmarks()] continue a fit that has seen the response. A response of a wrong kind or length
#'   is an error of class `landmarker_error_response`. Relevances are the part `relevance` of the fit, and
#'   contained in its `factor`. The order of an ordered factor is not used; its predicted classes are
#'   ordered. A level of a factor without rows keeps its place in predicted classes and has probability 0
#'   (`all_levels` names all).
#' @references D. P. Kingma and J. Ba (2015). Adam: a method for stochastic optimization. *International
#'   Conference on Learning Representations*. \url{https://arxiv.org/abs/1412.6980}.
#' @seealso [predict.landmarks()]; [refine_landmarks()] with `y`, which moves the landmarks of any fit.
#' @examples
#' set.seed(1)
#' fit <- landmarks(Species ~ ., data = iris, n = 5, method = by_response())
#' fit
#' table(predict(fit, iris), iris$Species)
#' tidy(fit, "columns")
#'
#' # Numbers, with intervals
#' q <- quakes[seq(1, 1000, by = 3), ]
#' fit <- landmarks(depth ~ lat + long, q, 10, by_response(iterations = 100), scale = TRUE)
#' head(predict(fit, q, interval = "prediction", level = 0.9))
#' plot(q$depth, fitted(fit))
#' @export
by_response <- function(y = NULL, family = NULL, start = "gp", iterations = 2000, batch_size = 500,
                        held_out = 0.1, penalty = NULL, relevance = NULL, trend = NULL, groups = NULL) {
  family <- if (!is.null(family)) check_choice(family, names(response_families), "family")
  held_out <- check_number(held_out, "held_out", 0, 0.5, closed = TRUE)
  check_groups(groups, NULL, rlang::current_env())
  new_method(
    "by_response",
    list(
      y = y, family = family, start = match_method(start, arg = "start"),
      iterations = check_count(iterations, "iterations"),
      batch_size = check_count(batch_size, "batch_size"), held_out = held_out,
      penalty = if (!is.null(penalty)) check_number(penalty, "penalty", 0, closed = TRUE),
      relevance = if (!is.null(relevance)) check_flag(relevance, "relevance"),
      trend = if (!is.null(trend)) check_flag(trend, "trend"), groups = groups
    ),
    uses_response = TRUE
  )
}

#' @export
format.by_response <- function(x, ...) {
  paste0("moved to predict a response, from ", format(x$start))
}

#' @export
select_landmarks.by_response <- function(method, source, n, kernel, fixed, call) {
  response <- response_for(method, source$dim[1], call)
  learn_response(method, response, source, method$start, n, kernel, fixed, call)
}

# ---- the response of a method ------------------------------------------------------------
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

# A method as a fit keeps it, without what are data: the response, the groups, and points to start from.
without_data <- function(method) {
  method[intersect(c("y", "groups"), names(method))] <- list(NULL)
  if (is.matrix(method$start)) method$start <- "pivot"
  own <- vapply(method, inherits, NA, "landmark_method")
  method[own] <- lapply(method[own], without_data)
  method
}

# The response of a method, checked: that of as_response() with its `family`.
response_for <- function(method, rows, call) {
  if (is.null(method$y)) {
    abort_input(c(
      "{.fn {class(method)[1]}} must have a response.",
      x = "{.arg y} is missing.",
      i = paste(
        "Write {.code {class(method)[1]}(y = y)}.",
        "In {.fn landmarks} a formula may have it on its left-hand side."
      )
    ), arg = "y", kind = "response", call = call)
  }
  response <- method$y
  if (!inherits(response, "checked_response")) {
    if (inherits(method, "by_response")) check_response_memory(response, rows, call)
    response <- as_response(response, rows, call,
      several = inherits(method, "by_response"), numbers = wants_numbers(method)
    )
    if (is.null(method$family)) tell_regression(response, call)
  }
  response$groups <- check_groups(method$groups, rows, call) %||% response$groups
  fits <- names(Filter(function(family) response$type %in% family$types, response_families))
  response$family <- method$family %||% fits[1]
  if (!response$family %in% fits) {
    abort_input(c(
      "{.arg family} must be {quoted_or(fits)} for a response of {response_words[[response$type]]}.",
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
  response
}

# An error where by_response() would need too much memory: for the response and its copies, a column for each
# class, and for the scores of held-out rows at each evaluation of each configuration.
check_response_memory <- function(y, rows, call) {
  classes <- is.factor(y) || (is.character(y) && is.null(dim(y)))
  columns <- if (is.factor(y)) nlevels(y) else if (classes) length(unique(y)) else NCOL(y)
  check_work(as.double(columns) * (6 * rows + 120 * min(rows, 1000)),
    paste("A response of {columns}", if (classes) "classes" else "columns", "in {rows} rows needs"),
    if (classes) {
      "Numbers that stand as strings or as a factor are classes. Make them numbers with {.fn as.numeric}."
    } else {
      "Use fewer columns."
    },
    "y", call
  )
}

# Whether 0 and 1 are numbers, not classes or tags: for the families of numbers.
wants_numbers <- function(method) is_word(method$family, c("gaussian", "huber", "poisson"))

# The group of each row as a number, or NULL. `rows`: how many rows there are, NULL if not known yet.
check_groups <- function(groups, rows, call) {
  if (is.null(groups)) return(NULL)
  if (!is.atomic(groups) || !is.null(dim(groups)) || length(groups) != (rows %||% length(groups))) {
    many <- if (!is.null(rows)) paste(",", rows)
    abort_input(c(
      "{.arg groups} must be a vector with a value for each row{many}.", x = "It is {describe(groups)}."
    ), arg = "groups", kind = "group", call = call)
  }
  bad <- which(is_missing(groups))
  if (length(bad)) {
    abort_input(c("{.arg groups} must not have missing values.", x = "{.code groups[{bad[1]}]} is NA."),
      arg = "groups", kind = "group", call = call
    )
  }
  match(groups, unique(groups))
}

# The method and the weights without the values of omitted rows, list(method, weights). `rows`: how many rows
# there were before.
go_along <- function(omitted, rows, method, weights, call) {
  if (length(omitted)) {
    check_weights(weights, rows, call)
    weights <- without_rows(weights, omitted)
    for (name in c("y", "groups")) {
      if (NROW(method[[name]]) == rows) method[[name]] <- without_rows(method[[name]], omitted)
    }
  }
  list(method = method, weights = weights)
}
