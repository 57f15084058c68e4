# Figure 7a of Wachinger and Golland (2015) on MNIST: how well a digit's nearest neighbor names it
# where all digits are embedded in 100 dimensions through a few landmarks. Which graph is decided on
# the training digits alone. The images are gray, and again black and white as the paper has them. Two hours
# and a half; what is done is kept in build/evidence/, so that it goes on where it was stopped.
source(file.path("evidence", "tools.R"))

folder <- bench_data("mnist")
if (is.null(folder)) quit(status = 0)
read <- function(part, what, idx) {
  values <- read_idx(file.path(folder, sprintf("%s-%s-idx%d-ubyte.gz", part, what, idx)))
  attr(values, "dim_item") <- NULL
  values
}
# Pixels from 0 to 1: nearest digits are 4 to 6 apart, the scale on which sigma = 5 means something.
digits <- list(
  train = list(x = read("train", "images", 3) / 255, y = as.integer(read("train", "labels", 1))),
  test = list(x = read("t10k", "images", 3) / 255, y = as.integer(read("t10k", "labels", 1)))
)
rows_of <- function(part, i) list(x = part$x[i, ], y = part$y[i])
binary <- lapply(digits, function(part) list(x = (part$x >= 0.5) + 0, y = part$y))
numbers <- c(150, 250, 500, 1000)
repetitions <- 20
# The methods of the paper have both kinds of images, and at two numbers of landmarks all repetitions. What is
# beside them has a few.
of_paper <- c("uniform", "k-means++ seeding", "DPP", "DPP, Bhattacharyya")
of_all <- c(150, 500)
few_repetitions <- 3

kept <- keep_parts("embedding_digits")
slug <- function(...) gsub("[^a-z0-9.]+", "_", tolower(paste(..., sep = "_")))

# ---- the nearest neighbor ----------------------------------------------------------

# For each row of `new` the nearest row of `old`, by the products of the package's core.
nearest_row <- function(new, old) {
  how <- landmarker:::compute_with()
  .Call(landmarker:::C_nearest_landmark, landmarker:::as_source(new), old, how)$landmark
}
accuracy <- function(new, old, y_new, y_old) mean(y_old[nearest_row(new, old)] == y_new)

# ---- landmarks and embeddings -------------------------------------------------------

dpp <- function(covariance = "none") by_dpp(neighbors = 5000, sigma = 5, covariance = covariance)
methods <- list(
  "uniform" = by_random(), "k-means++ seeding" = by_kmeans(max_iterations = 0), "k-means" = by_kmeans(),
  "DPP" = dpp(), "DPP, Bhattacharyya" = dpp("diagonal"),
  "DPP, Bhattacharyya, default ridge" = dpp("diagonal"),
  "gp" = by_gp(criterion = "volume"), "active" = by_active()
)

# gp moves its landmarks, in pixels that are not negative; all the others are rows or means of rows.
learn <- function(x, n, name, seed) {
  set.seed(seed)
  space <- if (name == "gp") "nonnegative" else "euclidean"
  landmarks(x, n, methods[[name]], bandwidth = "variance", space = space)
}

# At the most `dims` coordinates, fewer where not so many are smooth. `graph`: arguments of embed_landmarks().
embed <- function(fit, dims, graph) {
  dims <- min(dims, nrow(fit$landmarks) - 1)
  if (identical(graph$neighbors, Inf)) graph$neighbors <- nrow(fit$landmarks) - 1
  graph$neighbors <- min(graph$neighbors, nrow(fit$landmarks) - 1)
  repeat {
    e <- tryCatch(
      do.call(embed_landmarks, c(list(fit, dims = dims), graph)),
      landmarker_error_rank = function(e) NULL
    )
    if (!is.null(e) || dims == 1) return(e)
    dims <- dims - 1
  }
}

# One row: how a graph does, learned from `old` and asked of `new`.
measure <- function(fit, graph, old, new, dims = 100) {
  pieces <- FALSE
  e <- withCallingHandlers(embed(fit, dims, graph), landmarker_warning_graph = function(w) {
    pieces <<- TRUE
    invokeRestart("muffleWarning")
  })
  if (is.null(e)) return(NULL)
  data.frame(
    accuracy = accuracy(predict(e, new$x), predict(e, old$x), new$y, old$y), sigma = e$graph$sigma,
    dims = ncol(e$coordinates), last_value = e$values[ncol(e$coordinates)], connected = !pieces
  )
}

# ---- which graph: 500 landmarks of 50,000 training digits, asked of the other 10,000 --

old <- rows_of(digits$train, 1:50000)
new <- rows_of(digits$train, 50001:60000)
study_fit <- function(name) kept(slug("fit", name), learn(old$x, 500, name, 1))
try_graph <- function(name, graph, covariance = "none") {
  file <- slug("study", name, covariance, paste(names(graph), graph, sep = "-", collapse = "_"))
  kept(file, {
    if (covariance == "300 rows") graph$x <- old$x
    found <- measure(study_fit(name), graph, old, new)
    given <- function(what, default) if (is.null(graph[[what]])) default else graph[[what]]
    if (!is.null(found)) {
      row <- cbind(data.frame(
        method = name, covariance = covariance, neighbors = given("neighbors", 10),
        weights = given("edge_weights", "heat"), rule = if (is.null(graph$sigma)) "default" else "given",
        ridge = given("ridge", NA)
      ), found)
      print(row[c("method", "covariance", "neighbors", "weights", "sigma", "ridge", "accuracy")])
      row
    }
  })
}
grid <- list()
for (neighbors in c(10, 25, 50, 100, 200, Inf)) {
  grid <- c(grid, list(list(neighbors = neighbors)))
  for (sigma in c(5, 7.5, 10)) grid <- c(grid, list(list(neighbors = neighbors, sigma = sigma)))
  # All joined to all alike would have no coordinates.
  if (neighbors < Inf) grid <- c(grid, list(list(neighbors = neighbors, edge_weights = "binary")))
}
# For DPP those that were not far behind.
near <- Filter(
  function(graph) is.null(graph$edge_weights) && (is.null(graph$sigma) || graph$sigma == 5), grid
)
study <- c(lapply(grid, try_graph, name = "uniform"), lapply(near, try_graph, name = "DPP"))

# Two graphs, each the same for all methods: what the study says is best, and a sparse one, where it
# matters more which landmarks there are.
graphs <- list(chosen = list(neighbors = Inf), sparse = list(neighbors = 10))
# Bhattacharyya distances have a ridge as well: the best of the study, below, and the default.
ridges <- c("DPP, Bhattacharyya" = 1, "DPP, Bhattacharyya, default ridge" = 0.001)

with_covariance <- function(neighbors, ridge) {
  list(neighbors = neighbors, distance = "bhattacharyya", ridge = ridge)
}

# ---- 60,000 training digits, 10,000 test digits ---------------------------------------

# Both graphs for one fit.
try_landmarks <- function(name, n, seed, images) {
  data <- if (images == "gray") digits else binary
  kept(slug("run", images, name, n, seed), {
    fit <- learn(data$train$x, n, name, seed)
    rows <- lapply(names(graphs), function(graph) {
      arguments <- graphs[[graph]]
      if (name %in% names(ridges)) arguments <- with_covariance(arguments$neighbors, ridges[[name]])
      cbind(
        data.frame(
          images = images, graph = graph, method = name, n = n, repetition = seed,
          landmarks = nrow(fit$landmarks)
        ),
        measure(fit, arguments, data$train, data$test)
      )
    })
    rows <- do.call(rbind, rows)
    print(rows[setdiff(names(rows), c("landmarks", "sigma", "last_value"))])
    rows
  })
}

# What stats::kmeans() takes, once, beside by_kmeans(), and that both find the same centers from the same
# start.
check_kmeans <- function(n = 150) {
  kept("kmeans", {
    quick_seconds <- elapsed(quick <- learn(digits$train$x, n, "k-means", 1))
    start <- unname(coef(learn(digits$train$x, n, "k-means++ seeding", 1)))
    seconds <- elapsed(slow <- suppressWarnings(
      stats::kmeans(digits$train$x, start, iter.max = 10, algorithm = "Lloyd")
    )$centers)
    apart <- max(abs(slow - coef(quick)[nearest_row(slow, coef(quick)), ]))
    list(n = n, seconds = seconds, quick_seconds = quick_seconds, apart = apart)
  })
}

references <- function(data, images) {
  kept(slug("reference", images), {
    pixels <- accuracy(data$test$x, data$train$x, data$test$y, data$train$y)
    # As many linear dimensions, for comparison.
    center <- colMeans(data$train$x)
    axes <- eigen(stats::cov(data$train$x), symmetric = TRUE)$vectors[, 1:100]
    project <- function(x) (x - rep(center, each = nrow(x))) %*% axes
    components <- accuracy(project(data$test$x), project(data$train$x), data$test$y, data$train$y)
    c("1-NN, pixels" = pixels, "1-NN, 100 principal components" = components)
  })
}

# The same neighbors as by a package that is made for it.
check_nearest <- function() {
  kept("check", {
    fit <- study_fit("uniform")
    e <- embed(fit, 100, graphs$chosen)
    at_old <- predict(e, old$x[1:5000, ])
    at_new <- predict(e, new$x[1:1000, ])
    ours <- old$y[nearest_row(at_new, at_old)]
    mean(ours == as.integer(as.character(class::knn1(at_old, at_new, factor(old$y[1:5000])))))
  })
}

# What kind of rows are drawn, first and last: how far a landmark's nearest other row is, and how many
# are ones, the densest digit. With 5,000 neighbors a thousand draws lower a row's odds dozens of times.
describe_draws <- function(n = 1000) {
  kept("draws", {
    rows <- lapply(c("uniform", "DPP"), function(name) {
      fit <- learn(digits$train$x, n, name, 1)
      near <- nearest_observations(fit, digits$train$x, 2)
      fifth <- ceiling(5 * seq_len(n) / n)
      data.frame(
        method = name, fifth = 1:5,
        apart = as.vector(tapply(near$distance[near$rank == 2], fifth, stats::median)),
        ones = as.vector(tapply(digits$train$y[fit$rows] == 1, fifth, mean)),
        repeated = sum(duplicated(fit$rows))
      )
    })
    do.call(rbind, rows)
  })
}

# Means over repetitions, and how far each method is from DPP where both had the same seed.
summarise <- function(scores) {
  rows <- lapply(split(scores, list(scores$n, scores$method), drop = TRUE), function(s) {
    dpp <- scores[scores$method == "DPP" & scores$n == s$n[1], ]
    by_seed <- s$accuracy - dpp$accuracy[match(s$repetition, dpp$repetition)]
    error <- function(v) if (sum(!is.na(v)) > 1) stats::sd(v, na.rm = TRUE) / sqrt(sum(!is.na(v))) else NA
    data.frame(
      method = s$method[1], n = s$n[1], repetitions = nrow(s), accuracy = mean(s$accuracy),
      error = error(s$accuracy), less_dpp = mean(by_seed, na.rm = TRUE), error_less_dpp = error(by_seed)
    )
  })
  found <- do.call(rbind, c(rows, make.row.names = FALSE))
  found$clear <- abs(found$less_dpp) > 2 * found$error_less_dpp
  found[order(found$n, match(found$method, names(methods))), ]
}

# What there is so far, so that a run that is stopped leaves something of use.
save_all <- function(runs, done = FALSE) {
  runs <- do.call(rbind, runs)
  runs <- runs[order(runs$n, match(runs$method, names(methods)), runs$repetition), ]
  rownames(runs) <- NULL
  plain <- runs$method != "DPP, Bhattacharyya, default ridge"
  of <- function(graph, images = "gray") {
    runs[plain & runs$graph == graph & runs$images == images, !names(runs) %in% c("graph", "images")]
  }
  save_evidence("embedding_digits", list(
    made = provenance(
      "MNIST: 60,000 training and 10,000 test digits of 28 x 28 pixels, divided by 255", seq_len(repetitions)
    ),
    scores = of("chosen"), sparse = of("sparse"),
    summary = summarise(of("chosen")), summary_sparse = summarise(of("sparse")),
    binary = of("chosen", "binary"), binary_sparse = of("sparse", "binary"),
    default_ridge = runs[!plain, ], study = do.call(rbind, study),
    reference = references(digits, "gray"), reference_binary = references(binary, "binary"),
    settings = list(
      graph = "all landmarks joined to all, heat weights, sigma by the default rule: best of the study",
      sparse = "10 neighbors each, heat weights, sigma by the default rule",
      dims = "100, or one less than there are landmarks, or as many as are smooth",
      dpp = "by_dpp(neighbors = 5000, sigma = 5)",
      bhattacharyya = "diagonal covariances of the same 5,000 rows, ridge 1 (default_ridge: 0.001)",
      gp = "by_gp(criterion = \"volume\"), bandwidth \"variance\", space \"nonnegative\"",
      active = "by_active(), all rows, bandwidth \"variance\"",
      binary = "pixels of at least half the largest value are 1, the others 0",
      kmeans = "10 iterations, which find the centers of stats::kmeans() (see checks)",
      study = "500 landmarks, seed 1: learned from 50,000 training digits, asked of the other 10,000"
    ),
    draws = if (done) describe_draws(),
    checks = list(agrees_with_knn1 = check_nearest(), kmeans = if (done) check_kmeans())
  ))
  invisible(runs)
}

# The paper has covariances of the 5,000 rows that the draws go by; the default are 3 N / n rows.
for (ridge in c(0.001, 1)) for (neighbors in c(10, Inf)) {
  study <- c(study, list(try_graph("DPP, Bhattacharyya", with_covariance(neighbors, ridge), "5000 rows")))
}
study <- c(study, list(try_graph("DPP", with_covariance(10, 0.001), "300 rows")))

# One repetition, the longest first.
one_repetition <- function(seed) {
  jobs <- expand.grid(
    name = names(methods), images = c("gray", "binary"), n = rev(numbers), stringsAsFactors = FALSE
  )
  own <- jobs$name %in% of_paper
  jobs <- jobs[(own | jobs$images == "gray") & (seed <= few_repetitions | own & jobs$n %in% of_all), ]
  in_processes(split(jobs, seq_len(nrow(jobs))), function(job) {
    try_landmarks(job$name, job$n, seed, job$images)
  })
}
runs <- list()
for (seed in seq_len(repetitions)) {
  runs <- c(runs, one_repetition(seed))
  save_all(runs)
}
save_all(runs, done = TRUE)
