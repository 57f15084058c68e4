# Valid calls of every exported function and S3 method: uses() gives list(name = list(of, fun, arguments,
# keep, check)). `of`: the functions that the call covers. `keep`: the first argument is not replaced,
# because its class chooses the method. `check(value, arguments)`: whether a value has the right shape.

# The data and the objects of this package that the calls are made of.
fuzz_objects <- function() {
  x <- sim_spiral(60)
  y <- factor(rep(c("p", "q"), 30))
  frame <- data.frame(a = x[, 1], b = x[, 2], f = factor(rep(c("u", "v", "w"), 20)), y = x[, 1] + 1)
  counts <- methods::as(newsgroups[1:80, 1:20], "CsparseMatrix")
  counts <- counts[Matrix::rowSums(counts) > 0, ]
  quiet <- suppressWarnings
  made <- list(
    fit = quiet(landmarks(x, 8)), of_frame = quiet(landmarks(~ a + f, frame, 5, scale = TRUE)),
    of_counts = quiet(landmarks(counts, 5, by_random())),
    dpp = quiet(landmarks(sim_swiss_roll(200), 30, by_dpp())),
    response = quiet(landmarks(x, 5, by_response(y))), chunks = fuzz_chunks(x)
  )
  made$embedding <- quiet(embed_landmarks(made$dpp, dims = 2))
  made$graph <- quiet(landmark_graph(made$dpp, neighbors = 5))
  made$flat <- quiet(landmarks(x[, 1:2], 4))
  made$cv <- quiet(cv_landmarks(x, y, n = 2:4, methods = list(random = by_random()), folds = 2, seeds = 1))
  made$book <- quiet(codebook(x, 4))
  made$own <- method_with_data(by_random(), x)
  truth <- cbind(r = as.numeric(y == "p"), s = as.numeric(x[, 1] > 0))
  prob <- cbind(r = seq(0, 1, length.out = 60), s = seq(1, 0, length.out = 60))
  made$scores <- tagging_scores(prob, truth, top = 1)
  list(x = x, y = y, frame = frame, counts = counts, made = made, prob = prob, truth = truth)
}

fuzz_chunks <- function(x, ...) {
  chunked(list(1:30, integer(), 31:60), function(rows) x[rows, , drop = FALSE], ...)
}

a_use <- function(of, ..., fun = get(of[1], asNamespace("landmarker")), keep = FALSE, check = NULL,
  formals_of = fun) {
  list(of = of, fun = fun, arguments = list(...), keep = keep, check = check,
    known = names(formals(formals_of)),
    own = !isNamespace(environment(fun)) && is.null(formals(fun)[["..."]]) && !"..." %in% names(formals(fun))
  )
}

# A method of a generic of another package: the generic is called, with the arguments of the method.
a_method <- function(generic, class, ..., check = NULL) {
  of <- paste0(generic, ".", class)
  table <- asNamespace("landmarker")$.__S3MethodsTable__.
  method <- get0(of, asNamespace("landmarker")) %||% table[[of]]
  packages <- c(autoplot = "ggplot2", prep = "recipes", bake = "recipes", tunable = "generics",
    required_pkgs = "generics")
  from <- if (generic %in% names(packages)) packages[[generic]] else "landmarker"
  a_use(of, ..., fun = get(generic, asNamespace(from)), keep = TRUE, check = check, formals_of = method)
}

# plot() of an object, with the arguments of autoplot().
a_plot <- function(class, ...) {
  method <- asNamespace("landmarker")[[paste0("autoplot.", class)]]
  a_use(paste0("plot.", class), ..., fun = plot, keep = TRUE, formals_of = method)
}

# A matrix or a vector with a value for each row of the second argument.
a_row_each <- function(value, arguments) {
  # By its name, or by its place.
  new <- if ("newdata" %in% names(arguments)) arguments$newdata else arguments[[2]]
  !is.matrix(new) || nrow(new) != 60 || NROW(value) == 60 || length(arguments) > 4
}

uses <- function(o) {
  x <- o$x
  y <- o$y
  made <- o$made
  fit <- made$fit
  idx <- tempfile(fileext = "-ubyte")
  writeBin(as.raw(c(0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3)), idx)
  csv <- tempfile(fileext = ".csv")
  utils::write.csv(o$frame, csv, row.names = FALSE)
  random <- list(random = by_random())
  roll <- sim_swiss_roll(50)
  a <- list(
    landmarks = a_use(c("landmarks", "landmarks.default"), x,
      n = 5, method = "gp", bandwidth = 1, weights = rep(1:2, 30), scale = FALSE, space = "euclidean",
      threads = 1,
      verbose = FALSE, formals_of = landmarker:::landmarks.default
    ),
    landmarks_frame = a_use("landmarks.default", o$frame, n = 4, method = by_active(), scale = TRUE,
      fun = landmarks,
      formals_of = landmarker:::landmarks.default
    ),
    landmarks_formula = a_use("landmarks.formula", ~ a + f, data = o$frame, n = 4, scale = TRUE,
      na.action = stats::na.omit,
      fun = landmarks, formals_of = landmarker:::landmarks.formula
    ),
    landmarks_sparse = a_use("landmarks", o$counts, n = 4, method = by_kmeans(), space = "nonnegative"),
    landmarks_chunks = a_use("landmarks", made$chunks, n = 3, method = by_kmeans(), weights = NULL),
    landmarks_columns = a_use("landmarks.formula", y ~ a + f, data = fuzz_chunks(o$frame), n = 3,
      method = by_response(iterations = 5), fun = landmarks,
      formals_of = landmarker:::landmarks.formula
    ),
    settings = a_use("landmarks", fun = function(threads, memory, verbose, progress, variant) {
      # R copies an option, and a long sequence has no room.
      keep <- function(...) tryCatch(options(...), error = function(e) stop("theirs"))
      old <- keep(landmarker.threads = threads, landmarker.memory = memory, landmarker.verbose = verbose,
        landmarker.progress = progress, landmarker.variant = variant
      )
      on.exit(options(old))
      landmarks(x, 3)
    }, 1, 1e9, TRUE, NULL, "plain"),
    by_gp = a_use("by_gp", solver = "joint", criterion = "trace", max_iterations = 10, tolerance = 0.01),
    by_active = a_use("by_active", subset = 50, pivot = "largest"),
    by_dpp = a_use("by_dpp", neighbors = 5, update = "sin2", covariance = "full"),
    by_dpp_exact = a_use("by_dpp_exact", sigma = 1, power = 2, steps = 30),
    by_kmeans = a_use("by_kmeans", max_iterations = 5, batch_size = 20),
    by_random = a_use("by_random"), by_response = a_use("by_response", y, iterations = 20),
    by_class = a_use("by_class", y = y), run_exact = a_use("landmarks", x, 5, by_dpp_exact()),
    select_gp = a_use("select_landmarks.by_gp", x, 4, by_gp(), fun = landmarks),
    select_active = a_use("select_landmarks.by_active",
      x, 4, by_active(), fun = landmarks
    ),
    select_dpp = a_use("select_landmarks.by_dpp", x, 4, by_dpp(), fun = landmarks),
    select_dpp_exact = a_use("select_landmarks.by_dpp_exact", x, 4, by_dpp_exact(), fun = landmarks),
    select_kmeans = a_use("select_landmarks.by_kmeans",
      x, 4, by_kmeans(), fun = landmarks
    ),
    select_random = a_use("select_landmarks.by_random", x, 4, by_random(), fun = landmarks),
    run_response = a_use("select_landmarks.by_response",
      x, 4, by_response(y), fun = landmarks
    ),
    run_class = a_use("select_landmarks.by_class",
      x, 4, by_class(y = y), fun = landmarks
    ),
    run_gp = a_use("by_gp", fun = function(...) landmarks(x, 4, by_gp(...)), solver = "sgd", batch_size = 20,
      iterations = 5, step_size = function(s) 1 / s, formals_of = by_gp
    ),
    run_kmeans = a_use("by_kmeans", fun = function(...) landmarks(x, 4, by_kmeans(...)), start = "++",
      batch_size = 20,
      max_iterations = 3, formals_of = by_kmeans
    ),
    run_dpp = a_use("by_dpp", fun = function(...) landmarks(x, 4, by_dpp(...)), neighbors = 5,
      covariance = "full",
      formals_of = by_dpp
    ),
    run_active = a_use("by_active", fun = function(...) landmarks(x, 4, by_active(...)), subset = 30,
      formals_of = by_active),
    fit_response = a_use("by_response", fun = function(...) landmarks(x, 4, by_response(...)), y,
      iterations = 20,
      held_out = 0.2, penalty = 0.01, batch_size = 20, formals_of = by_response
    ),
    add_landmarks = a_use("add_landmarks", fit, x, n = 2),
    refine_landmarks = a_use("refine_landmarks", fit, x, max_iterations = 3),
    as_landmarks = a_use(c("as_landmarks", "select_landmarks.as_landmarks"), x[1:5, ], x, bandwidth = 1),
    predict = a_method("predict", "landmarks", fit, x, type = "features", check = a_row_each),
    predict_nystrom = a_method("predict", "landmarks", fit, x, "nystrom", check = a_row_each),
    predict_nearest = a_method("predict", "landmarks", fit, x, "nearest", check = a_row_each),
    predict_variance = a_method("predict", "landmarks", fit, x, "variance", x = x),
    predict_frame = a_method("predict", "landmarks", made$of_frame, o$frame, na.action = stats::na.exclude),
    predict_response = a_method("predict", "landmarks", made$response, x, "class"),
    predict_mean = a_method("predict", "landmarks", fit, x, values = seq_len(nrow(coef(fit))), check = a_row_each),
    predict_chunks = a_method("predict", "landmarks", fit, made$chunks, "variance", x = made$chunks),
    nearest_chunks = a_use("nearest_observations", fit, made$chunks, k = 2),
    error_chunks = a_use("reconstruction_error", fit, made$chunks, n = c(2, 5)),
    nearest_observations = a_use("nearest_observations", fit, x, k = 2),
    reconstruction_error = a_use("reconstruction_error", fit, x, n = c(2, 5), bounds = TRUE),
    sketch_rows = a_use("sketch_rows", fit, x, size = 5),
    top_features = a_use("top_features", made$of_counts, 3),
    embed_landmarks = a_use(c("embed_landmarks", "embed_landmarks.landmarks", "embed_landmarks.default"),
      made$dpp,
      dims = 2, neighbors = 5, alpha = 1, formals_of = landmarker:::embed_landmarks.landmarks
    ),
    embed_graph = a_use("embed_landmarks.landmark_graph", made$graph, dims = 2, layout = "eigenmap",
      fun = embed_landmarks,
      formals_of = landmarker:::embed_landmarks.landmark_graph
    ),
    predict_embedding = a_method("predict", "landmark_embedding", made$embedding, roll),
    landmark_graph = a_use("landmark_graph", made$dpp, neighbors = 5),
    graph_radius = a_use("landmark_graph", made$dpp, radius = 20),
    graph_covariance = a_use("landmark_graph", fit, x, neighbors = 3, distance = "bhattacharyya",
      covariance = "full"),
    cv_landmarks = a_use(c("cv_landmarks", "cv_landmarks.default"), x, y, n = 3, methods = random, folds = 2,
      seeds = 1,
      formals_of = landmarker:::cv_landmarks.default
    ),
    cv_number = a_use("cv_landmarks", x, x[, 1], n = 3, methods = random, folds = 2, weights = rep(1:2, 30)),
    cv_formula = a_use("cv_landmarks.formula", y ~ a + f, data = o$frame, n = 3, methods = random, folds = 2,
      seeds = 1,
      weights = rep(1:2, 30), fun = cv_landmarks, formals_of = landmarker:::cv_landmarks.default
    ),
    raw_features = a_use("raw_features", x),
    nmf_features = a_use("nmf_features", o$counts, 3, iterations = 5),
    predict_raw = a_method("predict", "raw_features", raw_features(x), x),
    predict_nmf = a_method("predict", "nmf_features", nmf_features(o$counts, 3, iterations = 5), o$counts),
    predict_cv = a_method("predict", "cv_landmarks", made$cv, x),
    codebook = a_use("codebook", x, 4, scale = TRUE),
    predict_book = a_method("predict", "codebook", made$book, x, group = rep(1:6, 10)),
    hellinger = a_use("hellinger", o$counts, empty = "keep"),
    tagging_scores = a_use("tagging_scores", o$prob, o$truth, top = 1),
    method_with_data = a_use("method_with_data", by_random(), x),
    plot_images = a_use("plot_images", digits$images[1:4, ], dim = c(28, 28), labels = TRUE),
    sim_circles = a_use("sim_circles", n = 10, circles = 2, noise = 0.1),
    sim_spiral = a_use("sim_spiral", n = 10, turns = 2, noise = 0.1),
    sim_swiss_roll = a_use("sim_swiss_roll", n = 10, height = 3, noise = 0.1),
    sim_fish_bowl = a_use("sim_fish_bowl", n = 10, rim = 0.5, noise = 0.1),
    sim_turntable = a_use("sim_turntable", n = 5, size = 4), sim_torus = a_use("sim_torus", n = 10),
    sim_klein_bottle = a_use("sim_klein_bottle", n = 10, noise = 0.1), read_idx = a_use("read_idx", idx),
    chunked = a_use("chunked", list(1:30, 31:60), function(rows) x[rows, ], levels = list(f = "u"),
      rows = c(30, 30), sample = 40),
    chunks_fit = a_use("chunked",
      fun = function(x, read, rows, sample) landmarks(chunked(x, read, NULL, rows, sample), 3),
      list(1:30, 31:60), function(rows) x[rows, ], c(30, 30), 40
    ),
    chunks_read = a_use("chunked", fun = function(part) landmarks(chunked(1:2, function(i) part), 3),
      x[1:30, ]),
    chunks_levels = a_use("chunked",
      fun = function(levels) landmarks(fuzz_chunks(o$frame, levels = levels), 3), list(f = c("u", "v", "w"))
    ),
    chunks_print = a_method("print", "chunked", made$chunks),
    map_chunks = a_use("map_chunks", made$chunks, function(rows, k) colSums(rows), reduce = `+`),
    as_chunks = a_use(c("as_chunks", "as_chunks.default", "as_chunks.chunked"), made$chunks),
    as_chunks_csv = a_use("as_chunks.character", csv, bytes = 2000, levels = list(f = c("u", "v", "w")),
      sample = 50, fun = as_chunks, formals_of = landmarker:::as_chunks.character
    ),
    csv_fit = a_use("as_chunks.character",
      fun = function(bytes, levels, sample) {
        landmarks(as_chunks(csv, bytes = bytes, levels = levels, sample = sample), 3)
      }, 1000, list(f = c("u", "v", "w")), 50
    ),
    csv_text = a_use("as_chunks.character", fun = function(text) {
      file <- tempfile(fileext = ".csv")
      # What cannot be written is no file.
      tryCatch(writeLines(text, file), error = function(e) stop("theirs"))
      landmarks(as_chunks(file, bytes = 1000), 1)
    }, c("a,b", paste(1:60, 60:1, sep = ","))),
    new_landmark_method = a_use("new_landmark_method", "mine", list(a = 1), prefixes = TRUE),
    own_method = a_use(c("select_landmarks", "select_landmarks.default", "landmark_selection", "rows_as_points"),
      fun = function(...) landmarks(x, 3, fuzz_method(...)), x[1:3, ], iterations = 1:3,
      formals_of = landmark_selection
    ),
    landmark_selection = a_use("landmark_selection", x[1:3, ], iterations = 1:3),
    rows_as_points = a_use("rows_as_points", landmarker:::as_source(x), 1:3),
    rows_used = a_use("rows_as_points", fun = function(rows) landmarks(x, 3, fuzz_rows(rows)), 1:3),
    # Without parsnip the first is refused whatever it is given.
    landmark_net = a_use(c("landmark_net", "update.landmark_net"), "regression"),
    fit_landmark_net = a_use("fit_landmark_net", x, y, n = 3, iterations = 5),
    theme_landmarks = a_use("theme_landmarks", 11), num_landmarks = a_use("num_landmarks"),
    landmark_method = a_use("landmark_method"), landmark_bandwidth = a_use("landmark_bandwidth"),
    tidy = a_use("tidy", made$fit, keep = TRUE), glance = a_use("glance", made$fit, keep = TRUE),
    augment = a_use("augment", made$fit, x, keep = TRUE),
    subset = a_method("[", "landmarks", fit, 1:3), update = a_method("update", "landmarks",
      eval(quote(landmarks(objects$x, 3)), globalenv()), n = 2
    ),
    tidy_fit = a_method("tidy", "landmarks", made$response, type = "coefficients"),
    augment_fit = a_method("augment", "landmarks", made$of_frame, data = o$frame),
    augment_embedding = a_method("augment", "landmark_embedding", made$embedding, newdata = roll),
    augment_cv = a_method("augment", "cv_landmarks", made$cv, newdata = x),
    augment_book = a_method("augment", "codebook", made$book, newdata = x),
    plot_fit = a_plot("landmarks", fit, x, color = y),
    plot_variance = a_plot("landmarks", fit, type = "variance"),
    plot_surface = a_plot("landmarks", made$flat, type = "surface", values = 1:4),
    plot_words = a_plot("landmarks", made$of_counts, type = "words", k = 2, by = "value",
      which = 1:2),
    plot_map = a_plot("landmarks", fit, x, type = "map", perplexity = 5),
    plot_pixels = a_plot("landmarks", fit, type = "images", dim = c(1, 2)),
    plot_embedding = a_plot("landmark_embedding", made$embedding, roll, edges = TRUE,
      points = made$embedding$coordinates[1:3, ]),
    plot_graph = a_plot("landmark_graph", made$graph, roll, labels = TRUE),
    plot_cv = a_plot("cv_landmarks", made$cv, measure = "accuracy", part = "held_out"),
    plot_book = a_plot("codebook", made$book, x, color = y, labels = FALSE)
  )
  c(a, plain_uses(o), other_packages(o))
}

# A selector of the user's own.
fuzz_method <- function(...) new_landmark_method("fuzz_own", list(given = list(...)))
fuzz_rows <- function(rows) new_landmark_method("fuzz_rows", list(rows = rows))
select_landmarks.fuzz_own <- function(method, source, n, kernel, held, call) {
  call_by_name(landmark_selection, method$given)
}
select_landmarks.fuzz_rows <- function(method, source, n, kernel, held,
  call) landmark_selection(rows_as_points(source, method$rows))
format.fuzz_own <- format.fuzz_rows <- function(x, ...) "mine"

# Methods whose arguments are an object and `...`, or few others.
plain_uses <- function(o) {
  objects <- list(
    landmarks = o$made$fit, landmark_embedding = o$made$embedding, landmark_graph = o$made$graph,
    cv_landmarks = o$made$cv, codebook = o$made$book, tagging_scores = o$made$scores,
    summary.landmarks = summary(o$made$fit), summary.cv_landmarks = summary(o$made$cv),
    summary.tagging_scores = summary(o$made$scores), landmark_method = by_gp(), method_with_data = o$made$own,
    as_landmarks = as_landmarks(o$x[1:3, ], o$x)$method, by_active = by_active(), by_class = by_class(),
    by_dpp = by_dpp(), by_dpp_exact = by_dpp_exact(), by_gp = by_gp(), by_kmeans = by_kmeans(),
    by_random = by_random(),
    by_response = by_response()
  )
  generics <- c(
    "as.data.frame", "as.matrix", "coef", "fitted", "format", "formula", "glance", "length", "nobs", "print",
    "residuals", "summary", "tidy", "autoplot"
  )
  out <- list()
  methods <- registered()
  for (class in names(objects)) for (generic in generics) {
    if (!paste0(generic, ".", class) %in% methods) next
    object <- if (generic == "formula") o$made$of_frame else objects[[class]]
    out[[paste0(generic, "_of_", class)]] <- a_method(generic, class, object)
  }
  out
}

# The S3 methods of NAMESPACE, without those of the package's own generics for data, which are not exported.
registered <- function() {
  of <- getNamespaceInfo("landmarker", "S3methods")
  inner <- setdiff(ls(asNamespace("landmarker")), getNamespaceExports("landmarker"))
  paste0(sub("^.*::", "", of[, 1]), ".", of[, 2])[!of[, 1] %in% inner]
}

not_covered <- function(all) {
  setdiff(c(getNamespaceExports("landmarker"), registered()), unlist(lapply(all, `[[`, "of")))
}
