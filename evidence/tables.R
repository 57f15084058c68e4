# Predictions on tables by landmarks, beside forests, boosted trees, support vectors, Gaussian processes
# and linear models: accuracy or R2, log loss, calibration, intervals, seconds and bytes. Tables of installed
# packages; five splits into 70 % to learn from and 30 % to test. Each model computes with one thread. About
# an hour; what is done is kept in build/evidence/.
#
# Writes inst/evidence/tables.rds for vignettes/articles/prediction-evidence.Rmd.
source(file.path("evidence", "tools.R"))
kept <- keep_parts("tables")
options(landmarker.threads = 1, landmarker.progress = FALSE)
seeds <- 1:5

# ---- tables: list(x, y) --------------------------------------------------------------

of_package <- function(package, name) {
  found <- new.env()
  utils::data(list = name, package = package, envir = found)
  as.data.frame(found[[name]])
}
split_off <- function(d, response, without = NULL) {
  d <- stats::na.omit(d)
  list(x = d[setdiff(names(d), c(response, without))], y = d[[response]])
}
with_noise <- function(d, columns, seed) {
  set.seed(seed)
  noise <- as.data.frame(matrix(stats::rnorm(nrow(d$x) * columns), nrow(d$x)))
  list(x = cbind(d$x, stats::setNames(noise, paste0("noise", seq_len(columns)))), y = d$y)
}
friedman <- function(rows, seed) {
  set.seed(seed)
  f <- mlbench::mlbench.friedman1(rows)
  list(x = as.data.frame(f$x), y = f$y)
}
tables <- list(
  Boston = function() split_off(MASS::Boston, "medv"),
  concrete = function() split_off(of_package("modeldata", "concrete"), "compressive_strength"),
  ozone = function() {
    d <- of_package("mlbench", "Ozone")
    d[] <- lapply(d, as.numeric)
    split_off(d, "V4", c("V1", "V2", "V3"))
  },
  ames = function() {
    d <- of_package("modeldata", "ames")
    d$Sale_Price <- log10(d$Sale_Price)
    split_off(d[vapply(d, is.numeric, NA)], "Sale_Price")
  },
  "ames, factors" = function() {
    d <- of_package("modeldata", "ames")
    d$Sale_Price <- log10(d$Sale_Price)
    few <- vapply(d, function(v) is.numeric(v) || nlevels(factor(v)) <= 6, NA)
    split_off(droplevels(d[few]), "Sale_Price")
  },
  swiss = function() split_off(datasets::swiss, "Fertility"),
  mtcars = function() split_off(datasets::mtcars, "mpg"),
  friedman1 = function() friedman(1430, 2),
  "friedman1 + 100" = function() with_noise(friedman(1430, 2), 100, 3),
  iris = function() split_off(datasets::iris, "Species"),
  "iris + 500" = function() with_noise(split_off(datasets::iris, "Species"), 500, 1),
  pima = function() split_off(of_package("mlbench", "PimaIndiansDiabetes2"), "diabetes"),
  vehicle = function() split_off(of_package("mlbench", "Vehicle"), "Class"),
  sonar = function() split_off(of_package("mlbench", "Sonar"), "Class"),
  glass = function() split_off(of_package("mlbench", "Glass"), "Type"),
  spam = function() split_off(of_package("kernlab", "spam"), "type"),
  satellite = function() split_off(of_package("mlbench", "Satellite"), "classes"),
  cells = function() split_off(of_package("modeldata", "cells"), "class", "case"),
  attrition = function() {
    d <- of_package("modeldata", "attrition")
    d[] <- lapply(d, function(v) if (is.ordered(v)) as.numeric(v) else v)
    split_off(d, "Attrition")
  }
)

# ---- models: function(x, y, new) list(p, lower, upper, model) ------------------------
# `p`: numbers, or a matrix of probabilities with a column for each class; `lower` and `upper`: intervals at
# 90 %, where the model has them. They are given data frames; `numbers_of()` makes 0/1 columns of factors, and
# leaves out what is constant in the rows to learn from.

numbers_of <- function(x, new) {
  both <- stats::model.matrix(~ . - 1, rbind(x, new))
  train <- seq_len(nrow(x))
  varies <- apply(both[train, , drop = FALSE], 2, function(v) any(v != v[1]))
  list(x = both[train, varies, drop = FALSE], new = both[-train, varies, drop = FALSE])
}
landmark_model <- function(n, scale) {
  function(x, y, new) {
    n <- min(n, nrow(x) %/% 2)
    fit <- suppressWarnings(landmarks(x, n, by_response(y), scale = scale))
    told <- fit$response$held_out$loss
    if (is.factor(y)) return(list(p = suppressWarnings(predict(fit, new, "prob")), model = fit, told = told))
    p <- suppressWarnings(predict(fit, new, interval = "prediction", level = 0.9))
    list(p = p[, 1], lower = p[, 2], upper = p[, 3], model = fit, told = told)
  }
}
models <- list(
  "landmarks, 25" = landmark_model(25, TRUE), "landmarks, 50" = landmark_model(50, TRUE),
  "landmarks, 100" = landmark_model(100, TRUE), "landmarks, 50, ranks" = landmark_model(50, "ranks"),
  forest = function(x, y, new) {
    fit <- ranger::ranger(x = x, y = y, num.threads = 1, probability = is.factor(y), quantreg = !is.factor(y))
    if (is.factor(y)) return(list(p = stats::predict(fit, new, num.threads = 1)$predictions, model = fit))
    q <- stats::predict(fit, new, type = "quantiles", quantiles = c(0.05, 0.95), num.threads = 1)$predictions
    p <- stats::predict(fit, new, num.threads = 1)$predictions
    list(p = p, lower = q[, 1], upper = q[, 2], model = fit)
  },
  boosted = function(x, y, new) {
    kind <- if (!is.factor(y)) "gaussian" else if (nlevels(y) == 2) "bernoulli" else "multinomial"
    d <- cbind(x, .y = if (kind == "bernoulli") as.integer(y) - 1L else y)
    least <- if (nrow(x) < 30) 2 else if (nrow(x) < 100) 3 else 10
    utils::capture.output(fit <- suppressWarnings(gbm::gbm(.y ~ ., kind, d,
      n.trees = 1500, shrinkage = 0.03, interaction.depth = 4, n.minobsinnode = least, cv.folds = 3,
      n.cores = 1, verbose = FALSE
    )))
    trees <- suppressWarnings(gbm::gbm.perf(fit, plot.it = FALSE, method = "cv"))
    p <- suppressWarnings(stats::predict(fit, new, trees, type = "response"))
    if (kind == "bernoulli") p <- cbind(1 - p, p)
    if (kind == "multinomial") p <- matrix(p, nrow(new))
    list(p = p, model = fit)
  },
  svm = function(x, y, new) {
    d <- numbers_of(x, new)
    try_cost <- function(cost) {
      set.seed(1)
      kernlab::cross(kernlab::ksvm(d$x, y, C = cost, cross = 3))
    }
    costs <- c(1, 10, 100)
    cost <- costs[which.min(vapply(costs, try_cost, 0))]
    fit <- kernlab::ksvm(d$x, y, C = cost, prob.model = is.factor(y))
    p <- kernlab::predict(fit, d$new, type = if (is.factor(y)) "probabilities" else "response")
    list(p = if (is.factor(y)) p else as.vector(p), model = fit)
  },
  "Gaussian process" = function(x, y, new) {
    if (is.factor(y) && nrow(x) > 1000) return(NULL)
    d <- numbers_of(x, new)
    if (is.factor(y)) {
      utils::capture.output(fit <- kernlab::gausspr(d$x, y))
      return(list(p = kernlab::predict(fit, d$new, type = "probabilities"), model = fit))
    }
    # The variance of the noise is chosen by three folds.
    try_noise <- function(v) {
      set.seed(1)
      utils::capture.output(fit <- kernlab::gausspr(d$x, y, var = v, cross = 3))
      kernlab::cross(fit)
    }
    noise <- c(0.01, 0.1, 0.5)
    best <- noise[which.min(vapply(noise, try_noise, 0))]
    utils::capture.output(fit <- kernlab::gausspr(d$x, y, var = best))
    list(p = as.vector(kernlab::predict(fit, d$new)), model = fit)
  },
  "elastic net" = function(x, y, new) {
    d <- numbers_of(x, new)
    kind <- if (!is.factor(y)) "gaussian" else if (nlevels(y) == 2) "binomial" else "multinomial"
    fit <- suppressWarnings(glmnet::cv.glmnet(d$x, y, family = kind, alpha = 0.5, nfolds = 5))
    p <- stats::predict(fit, d$new, s = "lambda.min", type = "response")
    p <- switch(kind, binomial = cbind(1 - p[, 1], p[, 1]), multinomial = p[, , 1], gaussian = p[, 1])
    list(p = p, model = fit)
  },
  linear = function(x, y, new) {
    if (is.factor(y)) {
      d <- cbind(x, .y = y)
      fit <- nnet::multinom(.y ~ ., d, trace = FALSE, MaxNWts = 1e5, maxit = 200)
      p <- stats::predict(fit, new, type = "probs")
      return(list(p = if (is.matrix(p)) p else cbind(1 - p, p), model = fit))
    }
    d <- lapply(numbers_of(x, new), as.data.frame)
    fit <- stats::lm(.y ~ ., cbind(d$x, .y = y))
    p <- suppressWarnings(stats::predict(fit, d$new, interval = "prediction", level = 0.9))
    list(p = p[, 1], lower = p[, 2], upper = p[, 3], model = fit)
  }
)

# ---- measures ------------------------------------------------------------------------

calibration <- function(p, truth) {
  bin <- cut(as.vector(p), seq(0, 1, 0.1), include.lowest = TRUE)
  gap <- tapply(as.vector(truth - p), bin, sum)
  sum(abs(gap), na.rm = TRUE) / length(p)
}
measures <- function(found, y) {
  out <- c(value = NA, log_loss = NA, calibration = NA, coverage = NA, width = NA)
  if (is.factor(y)) {
    p <- pmax(found$p, 0)
    p <- p / rowSums(p)
    truth <- outer(as.integer(y), seq_len(nlevels(y)), "==") + 0
    out[["value"]] <- mean(max.col(p, "first") == as.integer(y))
    out[["log_loss"]] <- -mean(log(pmax(rowSums(p * truth), 1e-5)))
    out[["calibration"]] <- calibration(p, truth)
    return(out)
  }
  out[["value"]] <- 1 - mean((found$p - y)^2) / mean((y - mean(y))^2)
  if (!is.null(found$lower)) {
    out[["coverage"]] <- mean(y >= found$lower & y <= found$upper)
    out[["width"]] <- mean(found$upper - found$lower) / stats::sd(y)
  }
  out
}
bytes_of <- function(model) length(memCompress(serialize(model, NULL, version = 2), "gzip"))

one_unit <- function(table, seed, model) {
  d <- tables[[table]]()
  if (is.factor(d$y)) d$y <- droplevels(d$y)
  names(d$x) <- make.names(names(d$x), unique = TRUE)
  set.seed(seed)
  train <- sample(nrow(d$x), round(0.7 * nrow(d$x)))
  set.seed(100 + seed)
  x <- d$x[train, , drop = FALSE]
  new <- d$x[-train, , drop = FALSE]
  # Seconds of the processor: two units are computed at a time.
  took <- sum(system.time(
    found <- tryCatch(models[[model]](x, d$y[train], new), error = function(e) conditionMessage(e))
  )[1:2])
  row <- data.frame(table = table, seed = seed, model = model, rows = nrow(x), columns = ncol(x),
    classes = if (is.factor(d$y)) nlevels(d$y) else NA
  )
  if (is.null(found)) return(NULL)
  if (is.character(found)) {
    message(table, ", ", model, ": ", found)
    return(NULL)
  }
  told <- if (is.null(found$told)) NA else found$told
  cbind(row, t(measures(found, d$y[-train])), told = told, seconds = took, bytes = bytes_of(found$model))
}

units <- do.call(rbind, lapply(names(tables), function(table) {
  kept(gsub("[^a-z0-9]+", "-", tolower(table)), {
    cat(table, "\n")
    jobs <- expand.grid(seed = seeds, model = names(models), stringsAsFactors = FALSE)
    do.call(rbind, in_processes(
      split(jobs, seq_len(nrow(jobs))), function(job) one_unit(table, job$seed, job$model)
    ))
  })
}))

save_evidence("tables", list(
  units = units,
  versions = vapply(c("ranger", "gbm", "kernlab", "glmnet", "nnet"), function(p) {
    as.character(utils::packageVersion(p))
  }, ""),
  made = provenance("tables of packages datasets, MASS, mlbench, modeldata and kernlab", seeds)
))
