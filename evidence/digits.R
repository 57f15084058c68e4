# Figure 5 of Liang and Paisley (2015) on MNIST: landmarks learned from 50,000 digits, lambda chosen on
# 10,000 others, accuracy on the 10,000 test digits. Every method has the same seeds and the same test
# digits, so that methods are compared digit by digit. An hour and a half; what is done is kept in
# build/evidence/, so that it goes on where it was stopped.
source(file.path("evidence", "tools.R"))

folder <- bench_data("mnist")
if (is.null(folder)) quit(status = 0)
read <- function(part, what, idx) {
  read_idx(file.path(folder, sprintf("%s-%s-idx%d-ubyte.gz", part, what, idx)))
}
x <- rbind(read("train", "images", 3), read("t10k", "images", 3)) / 255
y <- c(read("train", "labels", 1), read("t10k", "labels", 1))
y <- outer(y, 0:9, "==") + 0
rows <- list(train = 1:50000, validation = 50001:60000, test = 60001:70000)
x <- lapply(rows, function(of) x[of, , drop = FALSE])
y <- lapply(rows, function(of) y[of, , drop = FALSE])
n <- seq(50, 100, by = 10)
# Of the softmax, which takes longest and is not the paper's.
softmax_n <- c(50, 100)
seeds <- 1:5
# Of the slow Algorithm 1.
slow_seeds <- 1:3
# The paper's penalties.
lambda <- 10^(-3:3)
# As ridge_path() calls them: one class against the rest, as in the paper, and one softmax of all classes.
models <- c(one_vs_rest = "tags", softmax = "classes")

kept <- keep_parts("digits")

# k-means on a part of the rows, for those to whom all are too many.
kmeans_of_some <- function(size) {
  function(x, n) {
    centers <- landmarks(x[sample(nrow(x), size), ], n, by_kmeans(), space = "nonnegative")
    as_landmarks(coef(centers), x, space = "nonnegative")
  }
}
methods <- list(
  "gp, trace" = by_gp(criterion = "trace"), "gp, volume" = by_gp(criterion = "volume"),
  "gp, sequential" = by_gp("sequential", criterion = "volume"),
  "active, 5,000 rows" = by_active(5000), "random rows" = by_random(),
  "k-means" = by_kmeans(), "k-means, 5,000 rows" = kmeans_of_some(5000)
)

learn <- function(method, n, seed) {
  set.seed(seed)
  if (is.function(method)) method(x$train, n) else landmarks(x$train, n, method, space = "nonnegative")
}

# From the first n landmarks of a fit: for each model its accuracies at the lambda that is best on the
# validation digits, and for each test digit whether it is right.
score <- function(fit, n, seed, lambda) {
  w <- lapply(x, function(x) predict(fit, x, "features"))
  wanted <- if (n %in% softmax_n) models else models["one_vs_rest"]
  rows <- lapply(names(wanted), function(classes) {
    path <- landmarker:::ridge_path(w$train, n, y$train, lambda, models[[classes]])
    at <- function(part) {
      lapply(seq_along(lambda), function(l) {
        p <- landmarker:::ridge_response(w[[part]][, seq_len(n)], path$coefficients[, , l], path$link)
        list(
          right = max.col(p, "first") == max.col(y[[part]]),
          measures = if (all(path$converged[, l])) {
            landmarker:::measure_response(p, y[[part]], "classes", NULL)
          } else {
            c(accuracy = NA, deviance = NA)
          }
        )
      })
    }
    units <- vapply(at("validation"), `[[`, c(accuracy = 0, deviance = 0), "measures")
    units <- data.frame(lambda = lambda, t(units))
    best <- match(landmarker:::best_lambda(units, "accuracy"), lambda)
    test <- at("test")[[best]]
    cell <- data.frame(n = n, seed = seed, classes = classes, lambda = lambda[best], t(test$measures))
    cell$right <- list(test$right)
    cell
  })
  do.call(rbind, rows)
}

# One method and one seed, all numbers. Where the shorter fits are the first landmarks of the longest, it
# serves all.
run <- function(method, n, seed, lambda) {
  prefixes <- !is.function(method) && landmarker:::method_can(method, "prefixes")
  fit <- if (prefixes) learn(method, max(n), seed)
  do.call(rbind, lapply(n, function(n) score(if (prefixes) fit else learn(method, n, seed), n, seed, lambda)))
}

# Pieces of work that know nothing of each other: each is kept as it is done.
work <- list()
add_work <- function(name, method, seed, code) {
  work[[length(work) + 1]] <<- list(name = name, method = method, seed = seed, code = code)
}
part_name <- function(...) gsub("[^a-z0-9]+", "-", tolower(paste(...)))

# The published algorithm is slow: three seeds. Its landmarks are found one after another, so that the first
# of a hundred are those of fewer.
gradients <- c("unit", "raw")
for (gradient in gradients) for (seed in slow_seeds) local({
  gradient <- gradient
  seed <- seed
  add_work(part_name("algorithm 1", gradient, seed), paste0("Algorithm 1, ", gradient), seed, function() {
    fit <- learn(by_gp("sgd", gradient = gradient), max(n), seed)
    do.call(rbind, lapply(n, function(n) score(fit, n, seed, lambda)))
  })
})

for (seed in seeds) for (name in names(methods)) local({
  name <- name
  seed <- seed
  add_work(part_name(name, seed), name, seed, function() run(methods[[name]], n, seed, lambda))
})

# The weakest penalty of the paper's range is chosen nearly everywhere: what weaker ones change.
weaker <- c("gp, trace", "k-means", "random rows")
for (seed in slow_seeds) for (name in weaker) local({
  name <- name
  seed <- seed
  add_work(part_name("weaker", name, seed), paste("weaker:", name), seed,
    function() run(methods[[name]], max(n), seed, 10^(-6:-2)))
})

done <- do.call(rbind, in_processes(work, function(job) {
  result <- kept(job$name, job$code())
  cat(format(Sys.time(), "%H:%M:%S"), job$name, "\n")
  cbind(method = job$method, result)
}))

# ---- differences, digit by digit -----------------------------------------------------------------

# Method `a` less method `b` at one n: mean over seeds and test digits, in shares of 1. Two standard
# errors: over seeds (other landmarks, the same digits), and over digits (other digits, the same landmarks).
# `both` is the root of the sum of their squares, which is on the safe side. `wins` and `losses`: test digits
# on which only a, and only b, is right, the mean over seeds. Only the seeds that both have are compared.
compare <- function(a, b) {
  seeds <- intersect(a$seed, b$seed)
  a <- a[match(seeds, a$seed), ]
  b <- b[match(seeds, b$seed), ]
  d <- simplify2array(a$right) - simplify2array(b$right)
  by_seed <- colMeans(d)
  se_seeds <- if (length(by_seed) > 1) stats::sd(by_seed) / sqrt(length(by_seed)) else NA
  se_digits <- stats::sd(rowMeans(d)) / sqrt(nrow(d))
  data.frame(
    difference = mean(d), se_seeds = se_seeds, se_digits = se_digits, both = sqrt(se_seeds^2 + se_digits^2),
    wins = mean(colSums(d > 0)), losses = mean(colSums(d < 0)), seeds = length(by_seed)
  )
}
cell <- function(method, n, classes) done[done$method == method & done$n == n & done$classes == classes, ]
# References that are named beforehand, not chosen by what came out: the package's default, and the
# landmarks one at a time, which are the paper's.
rivals <- unique(done$method[!grepl("^weaker", done$method)])
pairs <- expand.grid(rival = rivals, reference = c("gp, trace", "gp, sequential"), n = n,
  classes = names(models), stringsAsFactors = FALSE)
there <- mapply(function(r, n, classes) nrow(cell(r, n, classes)) > 0, pairs$rival, pairs$n, pairs$classes)
pairs <- pairs[there & pairs$rival != pairs$reference, ]
differences <- cbind(pairs, do.call(rbind, Map(
  function(r, a, n, classes) compare(cell(a, n, classes), cell(r, n, classes)),
  pairs$rival, pairs$reference, pairs$n, pairs$classes
)), row.names = NULL)

# The softmax less one class against the rest, on the same landmarks.
softmax <- unique(done[!grepl("^weaker", done$method) & done$classes == "softmax", c("method", "n")])
softmax <- cbind(softmax, do.call(rbind, Map(
  function(m, n) compare(cell(m, n, "softmax"), cell(m, n, "one_vs_rest")), softmax$method, softmax$n
)), row.names = NULL)

# Weaker penalties: less the paper's, and less k-means at the same.
largest <- max(n)
weak <- do.call(rbind, lapply(names(models), function(classes) {
  do.call(rbind, lapply(weaker, function(m) {
    of <- cell(paste("weaker:", m), largest, classes)
    data.frame(
      method = m, classes = classes, n = largest, accuracy = mean(of$accuracy),
      gain = compare(of, cell(m, largest, classes))[c("difference", "both")],
      above = compare(of, cell("weaker: k-means", largest, classes))[c("difference", "both")],
      lambda = paste(format(sort(unique(of$lambda)), scientific = TRUE), collapse = ", ")
    )
  }))
}))

print(differences, digits = 3)
print(softmax, digits = 3)
print(weak, digits = 3)
accuracy <- done[!grepl("^weaker", done$method), setdiff(names(done), "right")]
rownames(accuracy) <- NULL
save_evidence("digits", list(
  made = provenance(
    "MNIST: 50,000 training, 10,000 validation and 10,000 test digits of 28 x 28 pixels", seeds
  ),
  accuracy = accuracy, differences = differences, softmax = softmax, weaker = weak, rows = lengths(rows)
))
