# What the package gave, to the last bit, when its structure was last changed: for every selector, kind of
# data and space, and for what is made of a fit. A change of structure keeps these. A change of numbers that
# is meant writes them anew: `Rscript tools/golden.R` (see CONTRIBUTING.md).

golden_data <- function() {
  set.seed(101)
  roll <- sim_swiss_roll(900)
  weights <- rep(c(0, 1, 1, 2.5, 1, 0.25), length.out = nrow(roll))
  counts <- matrix(stats::rpois(500 * 40, rep(c(0.1, 0.5, 2, 0.02), each = 500 * 10)), 500)
  counts <- counts[rowSums(counts) > 0, ]
  list(
    roll = roll, weights = weights, pixels = digits$images[1:500, ] / 255, labels = digits$labels[1:500],
    sparse = methods::as(counts, "CsparseMatrix"), shares = hellinger(methods::as(counts, "CsparseMatrix")),
    frame = data.frame(quakes[1:300, c("lat", "long", "mag")], deep = factor(quakes$depth[1:300] > 300))
  )
}

# Named functions without arguments; each starts from a seed of its own.
golden_cases <- function(d = golden_data()) {
  selectors <- list(
    trace = by_gp(), volume = by_gp(criterion = "volume"), random_start = by_gp(start = "random"),
    batches = by_gp(batch_size = c(100, 200), batches = c(4, 6)), sequential = by_gp("sequential"),
    sequential_trace = by_gp("sequential", criterion = "trace"),
    sgd = by_gp("sgd", batch_size = 50, iterations = 20),
    active = by_active(), active_subset = by_active(200), active_random = by_active(pivot = "random"),
    kmeans = by_kmeans(), seeding = by_kmeans(max_iterations = 0), uniform = by_kmeans("uniform"),
    random = by_random(),
    dpp = by_dpp(), dpp_tree = by_dpp(20, update = "sin2", search = "tree"),
    dpp_all = by_dpp(20, search = "all"),
    dpp_diagonal = by_dpp(covariance = "diagonal"), dpp_full = by_dpp(30, covariance = "full"),
    exact = by_dpp_exact(), exact_geodesic = by_dpp_exact(distance = "geodesic")
  )
  kinds <- list(
    dense = list(x = d$roll), weighted = list(x = d$roll, weights = d$weights),
    scaled = list(x = d$roll, scale = TRUE),
    sparse = list(x = d$sparse), sparse_scaled = list(x = d$sparse, scale = TRUE),
    frame = list(x = d$frame, scale = TRUE)
  )
  unweighted <- c("exact", "exact_geodesic")
  few_columns <- c("dpp_tree", "dpp_full", "exact_geodesic")
  cases <- list()
  for (s in names(selectors)) for (k in names(kinds)) {
    if (k == "weighted" && s %in% unweighted) next
    if (startsWith(k, "sparse") && s %in% few_columns) next
    cases[[paste("select", s, k)]] <- local({
      arguments <- c(kinds[[k]], list(n = 12, method = selectors[[s]]))
      function() do.call(landmarks, arguments)
    })
  }
  half <- function(z) pmin(z, 0.5)
  spaces <- list(
    nonnegative = "nonnegative", sphere = "sphere", nonnegative_sphere = "nonnegative_sphere", own = half
  )
  for (s in c("trace", "volume", "sequential", "sgd", "active", "kmeans")) for (space in names(spaces)) {
    cases[[paste("space", s, space)]] <- local({
      x <- if (grepl("sphere", space)) d$shares else d$pixels
      arguments <- list(x = x, n = 8, method = selectors[[s]], space = spaces[[space]])
      function() do.call(landmarks, arguments)
    })
  }
  fits <- list(
    dense = landmarks_of(d$roll, 60),
    weighted = landmarks_of(d$roll, 30, by_kmeans(), weights = d$weights, scale = TRUE),
    sparse = landmarks_of(d$shares, 20, space = "nonnegative_sphere"),
    diagonal = landmarks_of(d$roll, 60, by_dpp(covariance = "diagonal")),
    full = landmarks_of(d$roll, 60, by_dpp(covariance = "full"))
  )
  data <- list(dense = d$roll, weighted = d$roll, sparse = d$shares, diagonal = d$roll, full = d$roll)
  weights_of <- function(name) if (name == "weighted") d$weights
  for (name in c("dense", "weighted", "sparse")) {
    cases <- c(cases, local({
      fit <- fits[[name]]
      x <- data[[name]]
      w <- weights_of(name)
      of <- list(
        features = function() predict(fit, x, "features"), nearest = function() predict(fit, x, "nearest"),
        variance = function() predict(fit, x[1:50, ], "variance", x = x, weights = w),
        reconstruction = function() reconstruction_error(fit, x, n = c(3, 10), weights = w),
        observations = function() nearest_observations(fit, x, 3), top = function() top_features(fit, 2),
        added = function() add_landmarks(fit, x, 5, weights = w),
        refined = function() refine_landmarks(fit, x, 3, weights = w, criterion = "trace"),
        refined_volume = function() refine_landmarks(fit, x, 3, weights = w, criterion = "volume"),
        points = function() {
          as_landmarks(unname(coef(fit)), x, fit$bandwidth,
            space = fit$space, weights = w, scale = fit$scaled
          )
        }
      )
      stats::setNames(of, paste("use", names(of), name))
    }))
  }
  embeddings <- list(
    plain = list("dense", neighbors = 4), alpha = list("dense", alpha = 1, neighbors = 8),
    many = list("dense", dims = 8, neighbors = 4),
    binary = list("dense", edge_weights = "binary", neighbors = 4),
    diagonal = list("diagonal", neighbors = 4), full = list("full", neighbors = 4),
    rows = list("dense", x = d$roll, distance = "bhattacharyya", covariance = "full", neighbors = 4),
    weighted = list("weighted", neighbors = 4), sparse = list("sparse", dims = 3, neighbors = 3),
    through = list("dense"), through_alpha = list("dense", alpha = 1, dims = 5),
    through_weighted = list("weighted"), through_sparse = list("sparse", dims = 3)
  )
  for (e in names(embeddings)) {
    cases[[paste("embed", e)]] <- local({
      name <- embeddings[[e]][[1]]
      arguments <- c(list(fits[[name]]), embeddings[[e]][-1])
      function() {
        embedding <- quietly(do.call(embed_landmarks, arguments))
        list(
          embedding$coordinates, embedding$values, embedding$graph$weights@x,
          predict(embedding, data[[name]][1:200, ])
        )
      }
    })
  }
  # Lambda by the measure, as in Liang and Paisley.
  cv <- function(...) {
    function() {
      found <- quietly(cv_landmarks(..., folds = 3, seeds = 1:2))
      list(found$units[!startsWith(names(found$units), "seconds")], found$coefficients)
    }
  }
  tags <- outer(as.integer(d$labels), 0:4, "==") + outer(as.integer(d$labels), 5:9, "==")
  few <- list(gp = by_gp(), random = by_random())
  c(cases, list(
    "evaluate classes" = cv(
      d$pixels, d$labels, c(5, 10), c(few, list(raw = raw_features)), space = "nonnegative",
      lambda_measure = "accuracy"
    ),
    "evaluate one_vs_rest" = cv(d$pixels, d$labels, 8, few, classes = "one_vs_rest", nested = TRUE,
      lambda_measure = "accuracy"
    ),
    "evaluate numbers" = cv(d$frame[-3], d$frame$mag, c(5, 10), list(kmeans = by_kmeans(), act = by_active()),
      bandwidth = c("variance", "2 * variance"), scale = TRUE),
    "evaluate tags" = cv(d$shares, tags[seq_len(nrow(d$shares)), ], 6, few, lambda_per_tag = TRUE,
      lambda_measure = "auc"
    ),
    "codebook" = function() {
      book <- codebook(d$roll, 15, scale = TRUE)
      list(coef(book), predict(book, d$roll, rep(1:30, each = 30)))
    }
  ))
}

landmarks_of <- function(...) {
  set.seed(5)
  quietly(landmarks(...))
}

# What is compared of a result: numbers, whatever they are kept in.
golden_numbers <- function(found) {
  if (inherits(found, "landmarks")) {
    found <- unclass(found)[c(
      "landmarks", "variance", "explained", "log_det", "nearest", "nearest_distance", "rows", "bandwidth",
      "covariance"
    )]
  }
  parts <- rapply(list(unclass(found)), function(v) {
    if (is.factor(v) || is.character(v)) v <- match(v, sort(unique(as.character(v))))
    as.double(v)
  }, how = "unlist")
  unname(parts)
}

# A row for each case: the hash of its numbers, how many they are, and their mean, which also other machines
# give.
golden_table <- function(cases = golden_cases()) {
  rows <- lapply(names(cases), function(name) {
    set.seed(7)
    found <- golden_numbers(quietly(cases[[name]]()))
    finite <- found[is.finite(found)]
    data.frame(
      case = name, hash = rlang::hash(found), numbers = length(found), mean = format(mean(finite), digits = 8)
    )
  })
  do.call(rbind, rows)
}

# Bits are the same where products, exp() and LAPACK are: on one kind of machine.
golden_machine <- function() {
  how <- utils::tail(.Call(C_variants), 1)
  paste(
    how, R.version$platform, paste(R.version$major, R.version$minor, sep = "."),
    basename(extSoftVersion()[["BLAS"]])
  )
}
