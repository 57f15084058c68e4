# by_response(): supervised landmarks. method_response_learn.R tunes and learns them.

#' Supervised landmarks: a radial basis function network
#'
#' `by_response()` learns landmarks, column relevances, bandwidth and regression weights together so that
#' the kernel features predict a response: classes, several binary labels, counts, or numeric variables. The
#' fit is a model: `predict(fit, newdata)` returns predictions, with prediction intervals on request (see
#' [predict.landmarks()] and `vignette("predict")`). Supervised landmarks are placed to predict well, and may
#' be far from the data; use another method to describe the data.
#'
#' @section Model:
#' With features \eqn{\phi_i = (K(x_i, t_1), \ldots, K(x_i, t_n))}{phi_i = (K(x_i, t_1) .. K(x_i, t_n))} and
#' standardized columns \eqn{z_i}, whatever `scale` is, the linear predictors of row i, one for each class,
#' label or numeric response, are
#' \deqn{f_i = b + A'z_i + W'\phi_i.}{f_i = b + A'z_i + W'phi_i.}
#' \eqn{A'z_i} is the linear term. The kernel uses relevances \eqn{r_j} (automatic relevance determination):
#' \eqn{K(x, t) = \kappa(\sum_j r_j^2 (x_j - t_j)^2 / \eta)}{K(x, t) = kappa(sum_j r_j^2 (x_j - t_j)^2 /
#' eta)}, where \eqn{\kappa}{kappa} is the kernel as a function of the scaled squared distance (see
#' [landmarks-kernel]). The columns of the linear term are multiplied by the relevances too. The parameters
#' minimize
#' \deqn{\sum_i v_i \ell(y_i, f_i) / \sum_i v_i + \frac{\lambda}{2} (\|W\|^2 + \|A\|^2),}{
#' sum_i v_i loss(y_i, f_i) / sum_i v_i + (lambda / 2) (||W||^2 + ||A||^2),}
#' with case weights \eqn{v_i} and \eqn{\lambda}{lambda} equal to `penalty` divided by the number of rows.
#' The loss depends on `family`:
#'
#' * `"multinomial"`: softmax regression of three or more classes,
#'   \eqn{\ell = \log \sum_k \exp(f_{ik}) - f_{i y_i}}{log sum_k exp(f_ik) - f_i,y_i}.
#' * `"binomial"`: logistic regression of two classes, or of each label,
#'   \eqn{\ell = \log(1 + \exp(f_i)) - y_i f_i}{log(1 + exp(f_i)) - y_i f_i}.
#' * `"gaussian"`: least squares, \eqn{\ell = (y_i - f_i)^2 / 2}{(y_i - f_i)^2 / 2}, with `y` divided by its
#'   standard deviation.
#' * `"huber"`: squared loss for errors up to half a robust standard deviation of `y`, absolute loss beyond.
#' * `"poisson"`: counts with a log link, \eqn{\ell = \exp(f_i) - y_i f_i}{exp(f_i) - y_i f_i}, with `y`
#'   divided by its mean. \pkg{glmnet} does not divide `y`; its loss is larger by the factor mean(y), up
#'   to a constant, so the equivalent penalty of glmnet is `lambda * mean(y)`.
#'
#' @section Algorithm:
#' The landmarks found by `start` are moved to lower the objective. The rows of X and T are the data and the
#' landmarks, with columns multiplied by the relevances. Let \eqn{R} be the
#' matrix of derivatives of the losses with respect to the linear predictors, \eqn{\Psi}{Psi} the matrix of
#' \eqn{-\kappa'}{-kappa'} for each row and landmark, and \eqn{H = (R W') \circ \Psi}{H = (R W') o Psi} their
#' elementwise product. The gradient with respect to the landmarks is
#' \eqn{(2/\eta) (H'X - \mathrm{diag}(1'H) T)}{(2 / eta) (H'X - diag(1'H) T)}. The derivative with respect to
#' \eqn{\log r_j}{log r_j} is
#' \eqn{-(2/\eta) \sum_{il} H_{il} (X_{ij} - T_{lj})^2}{-(2 / eta) sum_il H_il (X_ij - T_lj)^2}
#' plus that of the linear term. If `bandwidth` is not given in [landmarks()], it is learned as well.
#'
#' *Least squares* (`family = "gaussian"`), with up to 10,000 rows, up to a million coordinates of landmarks
#' and no constraint on the `space`: variable projection (Golub and Pereyra, 1973). The regression weights
#' that are best for the landmarks, relevances and bandwidth are those of a ridge regression, so that the
#' objective is a function of these alone. It is minimized by L-BFGS (Liu and Nocedal, 1989) on all rows. No
#' landmark moves by more than \eqn{0.1 \sqrt\eta}{0.1 sqrt(eta)} in an iteration, and no logarithm by more
#' than 0.1, so that early stopping has models to choose from. Cross-validation takes at least a fifth of the
#' iterations.
#'
#' *Otherwise*, or if `batch_size` is given: Adam (Kingma and Ba, 2015) on random batches of rows, with a
#' learning rate that falls to 0.
#' Its second moment is averaged over the coordinates of each landmark, so that without relevances a
#' rotation of the data rotates the landmarks; all relevances have one second moment. The regression
#' weights are updated in coordinates in which the features are uncorrelated (whitened). After each step
#' landmarks are projected onto the `space`. The learning rate of the relevances is 0.3 times that of the
#' landmarks.
#'
#' With more than 20 columns, relevances that move a third as fast are also tried in cross-validation.
#'
#' @section Tuning:
#' With up to 10,000 rows, cross-validation chooses the penalty, the number of steps (early stopping),
#' whether there is a linear term, and whether there are relevances. Each fold has a tenth of the rows
#' (`held_out`). With fewer than 20 rows, each row is a fold. The number of folds is at most ten for data of
#' 20 to 99 rows, at most five for up to 5,000 rows, and one for more, so that some rows may be in no fold.
#' With fewer than 400 rows, each fit leaves out several folds. Each left-out fold is predicted with the
#' configuration and the number of steps that are best on the other folds that the same fit left out. A
#' configuration that is clearly worse than the best so far is dropped after its first folds. The model is
#' then refitted to all rows. With more than 10,000 rows it is fitted once, with early stopping on one fold.
#' In [cv_landmarks()] a single fold is used for tuning, with at most a third of the training rows.
#'
#' For classes and labels, probabilities are calibrated: the differences between the linear predictors
#' and those of the null model are multiplied by a factor between 0.02 and 2.7 that minimizes the out-of-fold
#' log loss. The intercepts are
#' refitted after this, in cross-validation and in the final model.
#'
#' @section Held-out performance:
#' `print()` and the component `response$held_out` report out-of-fold accuracy or error next to that of the
#' null model, which predicts the largest class or the mean (the median for `"huber"`). Each fold is predicted
#' with the configuration, the number of steps and the calibration that are best on the other folds; a single
#' fold is split into halves, which take the place of two folds. Two effects bias these estimates slightly.
#' They are pessimistic in that the models have fewer rows than the final one, and optimistic in that all
#' folds are used to drop configurations early, and to choose among several values of `scale` or `kernel` in
#' [landmarks()]. A warning is given if the model is no better than the null model; for classes and labels
#' they are compared by the log loss. [fitted()][landmarks-methods] gives the out-of-fold predictions and
#' `residuals()`, for a regression, their residuals; both are NA for rows that were in no fold.
#'
#' @section Order:
#' Landmarks are ordered by forward selection in least-squares regressions of the response on the features and
#' the linear term. Each step adds the landmark that gives the smallest sum of squared errors on the first
#' fold, in a regression fitted to the other rows (without folds, on all rows). A subset such as `fit[1:5]`
#' has no regression; `refine_landmarks(fit[1:5], x, y = y)` trains one.
#'
#' @param y The response, one value for each row of the data: a factor or strings for classes, 0/1 or logical
#'   values for two classes, a numeric vector for a regression, a 0/1 matrix with a column for each label
#'   (multilabel classification), or a numeric matrix for several responses (`cbind(a, b) ~ .` in a formula).
#'   If NULL, the default, it is the left-hand side of a formula, or the `y` of [cv_landmarks()]. A warning is
#'   given if it equals a column of the data.
#' @param family The loss: `"multinomial"`, `"binomial"`, `"gaussian"`, `"huber"` or `"poisson"`. NULL, the
#'   default, depends on `y`: multinomial for three or more classes, binomial for two classes and for labels,
#'   gaussian for a numeric response. Set `"poisson"` for counts and `"huber"` for a response with outliers.
#'   With these two and `"gaussian"`, a response of 0 and 1 is numeric instead of two classes.
#' @param start The method that finds the initial landmarks, as in [landmarks()]. Default `"gp"`, [by_gp()].
#'   [by_class()] uses the response.
#' @param iterations The largest number of steps. NULL, the default, is 150 iterations of L-BFGS or 2000 steps
#'   of Adam (see Algorithm).
#' @param batch_size Rows in a batch of Adam, which is then used for least squares too. NULL, the default, is
#'   500, or all rows if there are fewer.
#' @param held_out The proportion of rows in a fold, from 0 to 0.5. Default 0.1; a fold has 5 to 5,000 rows
#'   if the data have 20 rows or more (see Tuning). With 0, or fewer than 4 rows, there are no folds: all
#'   steps are taken, and the penalty is 0.001 (1 with L-BFGS) unless `penalty` is given.
#' @param penalty The ridge penalty, at least 0. It is divided by the number of rows. If NULL, the default, it
#'   is chosen by cross-validation from 0.001, 0.03 and 1, with L-BFGS from 0.03, 0.3 and 3; with more than
#'   10,000 rows it is 0.001.
#' @param relevance Whether to learn a relevance for each column, by which it is multiplied (see Model). If
#'   NULL, the default, cross-validation decides; with more than 10,000 rows they are learned. Relevances are
#'   not available for sparse data, or if `space` is a sphere or a function.
#' @param trend Whether there is a linear term. If NULL, the default, there is none for sparse data, with more
#'   than 100 columns, or with fewer than two rows for each column. Otherwise cross-validation decides; with
#'   more than 10,000 rows there is a linear term.
#' @param groups A value for each row, such as its subject or site. Folds consist of whole groups, so that
#'   tuning, held-out performance and intervals refer to rows of new groups. NULL, the default: rows are
#'   independent. In [cv_landmarks()] use its argument `groups` instead.
#' @return A method object for `landmarks(method = )`, a list of class `by_response`. The fit has two further
#'   components, `relevance` and `response`. `relevance` has the relevance of each column, if relevances were
#'   learned. The component `factor`, by which the columns are multiplied, is the product of scaling and
#'   relevance. `response` is a list of
#'   * `family` and `penalty`; `levels`, the classes that occur, and `all_levels`, all levels of the factor;
#'   * `coefficients`: a matrix with n + 1 rows, the intercepts first, and a column for each class, label or
#'     numeric response; `trend`: the coefficients of the linear term, or NULL. They multiply
#'     `(x - center) * factor`, so that they are A of Model in other units;
#'   * `iterations`: the number of steps, chosen by early stopping; `of`: the maximum number of steps;
#'   * `interval`: quantities for prediction intervals of a numeric response;
#'   * `held_out`: results on the held-out rows, or NULL if there were no folds: a list of `rows` and `groups`
#'     (how many were held out); `loss` and `usual_loss`, the mean loss of the model and of the null model;
#'     `measure` and `baseline`, a second measure (below) of the model and of the null model; and `index`,
#'     `observed` and `fitted`, with a value for each held-out row. The measure is the accuracy for classes,
#'     the mean area under the ROC curve for labels, the mean squared error for a numeric response, the mean
#'     absolute error for `"huber"`, and the mean deviance for `"poisson"`. [add_landmarks()] and
#'     [refine_landmarks()] drop the component `held_out`.
#'
#'   A response of a wrong kind or length is an error of class `landmarker_error_response`. The order of the
#'   levels of an ordered factor has no effect on the fit; predicted classes are an ordered factor too.
#' @references G. H. Golub and V. Pereyra (1973). The differentiation of pseudo-inverses and nonlinear least
#'   squares problems whose variables separate. *SIAM Journal on Numerical Analysis* 10, 413-432.
#'
#'   D. P. Kingma and J. Ba (2015). Adam: a method for stochastic optimization. *International
#'   Conference on Learning Representations*. \url{https://arxiv.org/abs/1412.6980}.
#'
#'   D. C. Liu and J. Nocedal (1989). On the limited memory BFGS method for large scale optimization.
#'   *Mathematical Programming* 45, 503-528.
#' @seealso [predict.landmarks()]; [refine_landmarks()] with `y`, which makes any fit supervised.
#' @examples
#' set.seed(1)
#' fit <- landmarks(Species ~ ., data = iris, n = 5, method = by_response())
#' fit
#' table(predict(fit, iris), iris$Species)
#' tidy(fit, "columns")
#'
#' # Regression, with intervals
#' q <- quakes[seq(1, 1000, by = 3), ]
#' fit <- landmarks(depth ~ lat + long, q, 10, by_response(iterations = 100), scale = TRUE)
#' head(predict(fit, q, interval = "prediction", level = 0.9))
#' plot(q$depth, fitted(fit))
#' @export
by_response <- function(y = NULL, family = NULL, start = "gp", iterations = NULL, batch_size = NULL,
                        held_out = 0.1, penalty = NULL, relevance = NULL, trend = NULL, groups = NULL) {
  if (!is.null(family)) check_choice(family, rownames(response_families), "family")
  check_groups(groups, NULL, rlang::current_env())
  if (!is.null(penalty)) penalty <- check_number(penalty, "penalty", 0, closed = TRUE)
  if (!is.null(iterations)) iterations <- check_count(iterations, "iterations")
  if (!is.null(batch_size)) batch_size <- check_count(batch_size, "batch_size")
  if (!is.null(relevance)) check_flag(relevance, "relevance")
  if (!is.null(trend)) check_flag(trend, "trend")
  new_landmark_method("by_response", list(
    y = y, family = family, start = match_method(start, arg = "start"),
    iterations = iterations, batch_size = batch_size,
    held_out = check_number(held_out, "held_out", 0, 0.5, closed = TRUE),
    penalty = penalty, relevance = relevance, trend = trend, groups = groups
  ), uses_response = TRUE)
}

#' @export
format.by_response <- function(x, ...) paste0("supervised, initialized by ", format(x$start))

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
  found <- "It comes from both {.fn {class(method)[1]}} and {from}."
  check_response(is.null(method$y), y, "given once", call, found)
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
  response <- method$y
  check_response(!is.null(response), response, "given: {.fn {class(method)[1]}} needs a response", call, NULL,
    "Write {.code method = {class(method)[1]}(y = y)}, or a formula with the response on its left-hand side."
  )
  if (!inherits(response, "checked_response")) {
    several <- inherits(method, "by_response")
    # The response and its copies, a column for each class, and scores of held-out rows at each evaluation.
    if (several && (is.factor(response) || (is.character(response) && is.null(dim(response))))) {
      classes <- length(unique(response))
      check_memory(as.double(classes) * (6 * rows + 120 * min(rows, 1000)),
        "A response of {classes} classes in {rows} rows needs", class_remedy, "y", call
      )
    }
    response <- as_response(response, rows, call, several, wants_numbers(method))
    if (is.null(method$family)) tell_regression(response, call)
  }
  response$groups <- check_groups(method$groups, rows, call) %||% response$groups
  # The families that suit this type of response, the default first.
  fits <- switch(response$type,
    classes = "multinomial", binary = , tags = "binomial", c("gaussian", "huber", "poisson")
  )
  response$family <- method$family %||% fits[1]
  rule <- "{quoted_or(fits)} for {response_words[[response$type]]}"
  check_response(response$family %in% fits, response$family, rule, call, arg = "family")
  counts <- response$family != "poisson" || all(response$y >= 0)
  rule <- "have counts of at least 0 for {.code family = \"poisson\"}"
  check_response(counts, response$y, rule, call, "The smallest value is {min(response$y)}.")
  classes <- ncol(response$y)
  if (response$type == "classes" && 2 * classes > rows) {
    rule <- "The response has {classes} classes in {rows} rows, fewer than two rows per class on average."
    warn_user(c(rule, i = class_remedy), kind = "response", call = call)
  }
  response
}

# as.numeric() of a factor would be the numbers of its levels.
class_remedy <- paste(
  "Numbers stored as strings or as a factor are classes.",
  "Convert them with {.code as.numeric(as.character(y))}."
)

# Whether 0 and 1 are numbers, not classes or tags: for the families of numbers.
wants_numbers <- function(method) rlang::is_string(method$family, c("gaussian", "huber", "poisson"))

# The group of each row as a number, or NULL. `rows`: how many rows there are, NULL if not known yet.
check_groups <- function(groups, rows, call) {
  if (is.null(groups)) return(NULL)
  groups <- plain_vector(groups)
  fits <- is.atomic(groups) && is.null(dim(groups)) && length(groups) == (rows %||% length(groups))
  rule <- if (is.null(rows)) "each row" else "each of the {rows} row{?s}"
  check_that(fits, groups, "groups", paste("a vector with one value for", rule), "group", call)
  bad <- which(is_missing(groups))[1]
  found <- "{.code groups[{bad}]} is NA."
  check_that(is.na(bad), groups, "groups", "not have missing values", "group", call, found = found)
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
