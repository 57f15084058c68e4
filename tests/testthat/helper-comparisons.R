# Comparisons that several files look at.
no_time <- function(d) d[!startsWith(names(d), "seconds")]

# 300 digits, and cv_landmarks() of them with `...` in place of the usual arguments.
few_digits <- function() list(x = digits$images[1:300, seq(1, 784, 3)] / 255, y = digits$labels[1:300])
few <- function(...) {
  methods <- list(gp = by_gp(), random = by_random())
  usual <- c(few_digits(), list(
    n = c(5, 10), methods = methods, lambda = c(0.01, 1), folds = 3, seeds = 1
  ))
  with_usual("cv_landmarks", usual, ...)
}

# The number that the seeds of a comparison's fits start from.
base_of <- function(seed) {
  set_seed(seed)
  sample.int(.Machine$integer.max, 1)
}

# cv_landmarks() of the flowers, and a comparison for each kind of response.
of_flowers <- function(y, ..., n = c(3, 6), methods = NULL) {
  three <- list(km = by_kmeans(), random = by_random(), raw = raw_features)
  cv_landmarks(
    iris[1:4], y, n = n, methods = methods %||% three, folds = 3, seeds = 1:2, lambda = c(0.01, 1), ...
  )
}
flower_comparisons <- function() {
  long <- iris$Petal.Length
  suppressMessages(list(
    classes = of_flowers(iris$Species, test = seq(1, 150, 10)), binary = of_flowers(iris$Species == "setosa"),
    number = of_flowers(long + sin(1:150), bandwidth = c("variance", "2 * variance")),
    tags = of_flowers(cbind(a = long > 5, b = long < 2, c = iris$Sepal.Length > 6))
  ))
}

# A comparison whose units a test has changed, with the table and the best row of these units.
summarised_again <- function(cv) {
  chosen_by <- list(best = cv$measure, lambda = cv$lambda_measure)
  again <- cv_summary(cv$units, chosen_by, names(cv$compared), cv$bandwidths, NULL)
  cv[names(again)] <- again
  cv
}

# f() with usual arguments, of which `...` replaces some.
with_usual <- function(f, usual, ...) {
  given <- list(...)
  usual[names(given)] <- given
  do.call(f, usual)
}
