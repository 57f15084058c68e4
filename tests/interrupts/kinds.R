# Kinds of work that a user may interrupt. Each is a function that prepares and returns a function that works,
# for one to four seconds on a quiet machine. What is prepared takes far less: each of 50 moments prepares
# again. `tiny` makes the same work that is done at once: what it returns before an interrupt it must return
# after one.

roll <- function(n) {
  set.seed(1)
  sim_swiss_roll(n)
}

wide <- function(n, d) {
  set.seed(1)
  matrix(stats::rnorm(n * d), n)
}

counts <- function(n, d) {
  set.seed(1)
  Matrix::rsparsematrix(n, d, 0.02, rand.x = function(k) 1 + stats::rpois(k, 2))
}

# A fit by a method.
fitting <- function(method, n = 300, rows = 30000, data = roll) {
  function(tiny) {
    x <- data(if (tiny) 200 else rows)
    function() coef(landmarks(x, if (tiny) 8 else n, method))
  }
}

in_two <- function(x) {
  half <- nrow(x) %/% 2
  chunked(0:1, function(k) x[seq_len(half) + half * k, ])
}

# Work on a fit that is at hand, done so many `times`. The fit's bandwidth is given: the search for one would
# take most of the time.
using <- function(work, n = 300, rows = 20000, method = by_random(), times = 1) {
  function(tiny) {
    x <- roll(if (tiny) 200 else rows)
    fit <- landmarks(x, if (tiny) 30 else n, method, bandwidth = 2)
    function() {
      for (i in seq_len(if (tiny) 1 else times)) out <- work(fit, x, tiny)
      out
    }
  }
}

of_cv <- function(y, ..., n = c(50, 400)) {
  function(tiny) {
    x <- wide(if (tiny) 120 else 4000, 10)
    response <- y(x)
    function() {
      cv <- cv_landmarks(x, response,
        n = if (tiny) 5 else n, methods = list(random = by_random()), folds = 2, seeds = 1, ...
      )
      tidy(cv)[, "n"]
    }
  }
}

kinds <- list(
  gp = fitting(by_gp()),
  volume = fitting(by_gp(criterion = "volume")),
  sequential = fitting(by_gp("sequential"), 80),
  sgd = fitting(by_gp("sgd", iterations = 30), 60),
  batches = fitting(by_gp(batch_size = 2000), 200, 60000),
  start = fitting(by_gp(max_iterations = 0), 600, 4000, function(n) wide(n, 10)),
  start_volume = fitting(
    by_gp(criterion = "volume", max_iterations = 0), 600, 4000, function(n) wide(n, 10)
  ),
  wide = fitting(by_gp(), 150, 2000, function(n) wide(n, if (n > 1000) 2000 else 5)),
  sparse = fitting(by_gp(), 200, 20000, function(n) counts(n, if (n > 1000) 3000 else 50)),
  chunks = fitting(by_gp(), 300, 30000, function(n) in_two(roll(n))),
  chunks_features = using(function(fit, x, tiny) dim(predict(fit, in_two(x))), 300, 100000, times = 4),
  active = fitting(by_active(), 200, 100000),
  kmeans = fitting(by_kmeans(max_iterations = 200), 300, 30000),
  minibatch = fitting(by_kmeans(batch_size = 5000), 300, 100000),
  dpp = fitting(by_dpp(), 500, 50000),
  dpp_exact = fitting(by_dpp_exact(sigma = 0.3), 100, 1100),
  response = function(tiny) {
    x <- roll(if (tiny) 200 else 6000)
    y <- x[, 1] > 0
    function() coef(landmarks(x, if (tiny) 5 else 60, by_response(factor(y))))
  },
  order = function(tiny) {
    x <- wide(if (tiny) 100 else 3000, 10)
    function() coef(as_landmarks(x[seq_len(if (tiny) 10 else 1200), ], x))
  },
  add = using(function(fit, x, tiny) coef(add_landmarks(fit, x, if (tiny) 5 else 150)), 50, method = by_gp()),
  refine = using(function(fit, x, tiny) coef(refine_landmarks(fit, x, if (tiny) 2 else 100)), 200),
  features = using(function(fit, x, tiny) dim(predict(fit, x, "features")), 300, 100000, times = 4),
  variance = using(function(fit, x, tiny) sum(predict(fit, x, "variance", x = x)), 150, 20000),
  reconstruction = using(function(fit, x, tiny) reconstruction_error(fit, x), 600, 40000, times = 4),
  sketch = using(function(fit, x, tiny) sum(sketch_rows(fit, x)), 300, 200000, times = 20),
  graph = using(function(fit, x, tiny) {
    sum(landmark_graph(fit, x, 8, "bhattacharyya", covariance = "full")$weights)
  }, 600, 20000, times = 20),
  eigenmap = using(function(fit, x, tiny) coef(embed_landmarks(fit, dims = 3)), 1000, 1200, times = 10),
  extend = using(function(fit, x, tiny) {
    map <- embed_landmarks(fit, dims = 2)
    predict(map, x)
  }, 300, 100000, times = 20),
  cv_classes = of_cv(function(x) factor(1 + (x[, 1] > 0) + (x[, 2] > 0))),
  cv_softmax = of_cv(function(x) factor(1 + (x[, 1] > 0) + (x[, 2] > 0)), classes = "softmax"),
  cv_numbers = of_cv(function(x) x[, 1]^2),
  # The daemons must be at work again afterwards.
  cv_daemons = function(tiny) {
    if (!mirai::daemons_set()) mirai::daemons(2)
    work <- of_cv(function(x) x[, 1]^2)(tiny)
    function() {
      out <- work()
      if (tiny) stopifnot(identical(mirai::mirai(11:12)[], 11:12))
      out
    }
  },
  chunks_daemons = function(tiny) {
    if (!mirai::daemons_set()) mirai::daemons(2)
    read <- function(k) {
      set.seed(k)
      landmarker::sim_swiss_roll(if (tiny) 100 else 40000)
    }
    fit <- landmarks(roll(300), if (tiny) 8 else 300, by_random(), bandwidth = 2)
    function() {
      out <- reconstruction_error(fit, chunked(if (tiny) 1:2 else 1:20, read))
      if (tiny) stopifnot(identical(mirai::mirai(11:12)[], 11:12))
      out
    }
  },
  codebook = function(tiny) {
    x <- wide(if (tiny) 200 else 50000, 13)
    function() coef(codebook(x, if (tiny) 5 else 300))
  },
  bandwidth = function(tiny) {
    x <- wide(if (tiny) 200 else 3000, 10)
    function() landmarks(x, if (tiny) 5 else 600, by_random(), bandwidth = "variance")$bandwidth
  }
)
