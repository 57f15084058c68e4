# Writes tests/testthat/fixtures/<version>/*.rds from the installed package: an object of every kind with its
# data and numbers, as plain vectors, that a later version must give again (test-package-saved.R). For
# a new version run it once, and keep the folders of earlier versions: they are what the test is about.
#
#   Rscript tools/fixtures.R

library(landmarker)
version <- as.character(packageVersion("landmarker"))
folder <- file.path("tests", "testthat", "fixtures", version)
dir.create(folder, recursive = TRUE, showWarnings = FALSE)
quietly <- function(code) suppressMessages(suppressWarnings(code))

set.seed(20)
x <- round(sim_spiral(40), 3)
colnames(x) <- c("u", "v")
labels <- factor(rep(c("one", "two"), 20))
frame <- data.frame(size = x[, 1], width = x[, 2], kind = factor(rep(c("a", "b"), c(25, 15))))
gaps <- replace(frame, cbind(c(3, 17), c(1, 2)), NA)
counts <- matrix(rpois(30 * 6, rep(c(0.3, 2, 5), 60)), 30, dimnames = list(NULL, letters[1:6]))
sparse <- methods::as(counts, "CsparseMatrix")
shares <- hellinger(sparse + 0.1)
roll <- round(sim_swiss_roll(60), 3)

# name = list(object, data)
made <- list(
  fit_gp = list(landmarks(x, 5), x),
  fit_sequential = list(landmarks(x, 4, by_gp("sequential")), x),
  fit_sgd = list(landmarks(x, 4, by_gp("sgd")), x),
  fit_active = list(landmarks(x, 5, by_active()), x),
  fit_dpp = list(landmarks(roll, 12, by_dpp(covariance = "full")), roll),
  fit_dpp_exact = list(landmarks(x, 5, by_dpp_exact()), x),
  fit_kmeans = list(landmarks(x, 5, by_kmeans(), weights = rep(1:2, 20)), x),
  fit_random = list(landmarks(x, 5, by_random()), x),
  fit_class = list(landmarks(x, 4, by_class(y = labels)), x),
  fit_response = list(
    landmarks(labels ~ size + width, cbind(frame, labels = labels), 4, by_response()), frame
  ),
  fit_number = list(landmarks(x, 4, by_response(x[, 1]^2)), x),
  fit_own = list(as_landmarks(x[c(1, 15, 30), ], x), x),
  fit_frame = list(landmarks(frame, 5, scale = TRUE), frame),
  fit_formula = list(landmarks(~ size * kind, frame, 4), frame),
  fit_missing = list(landmarks(gaps, 5, scale = TRUE, na.action = na.omit), gaps),
  fit_sparse = list(landmarks(sparse, 4), sparse),
  fit_sphere = list(landmarks(shares, 4, space = "nonnegative_sphere"), shares),
  fit_nonnegative = list(landmarks(counts, 4, space = "nonnegative"), counts),
  fit_added = list(add_landmarks(landmarks(x, 3), x, 2), x),
  fit_some = list(landmarks(x, 5)[c(5, 2)], x)
) |> quietly()
graph <- quietly(landmark_graph(made$fit_dpp[[1]], neighbors = 4))
random <- quietly(landmarks(roll, 20, by_random()))
made <- c(made, quietly(list(
  graph = list(graph, roll),
  graph_binary = list(landmark_graph(random, edge_weights = "binary", distance = "euclidean"), roll),
  embedding = list(embed_landmarks(graph), roll),
  embedding_plain = list(embed_landmarks(random, dims = 3, independent = FALSE, alpha = 1), roll),
  cv_classes = list(cv_landmarks(x, labels,
    n = c(3, 5), methods = list(random = by_random(), raw = raw_features), folds = 2, seeds = 1,
    lambda = c(0.01, 1)
  ), x),
  cv_formula = list(cv_landmarks(size ~ width + kind, frame,
    n = 4, methods = list(kmeans = by_kmeans()), folds = 2, seeds = 1, lambda = c(0.01, 1), scale = TRUE
  ), frame),
  codebook = list(codebook(x, 4, scale = TRUE), x),
  scores = list(
    tagging_scores(cbind(a = x[, 1] > 0, b = 0.5), cbind(a = x[, 2] > 0, b = labels == "one"), 1), NULL
  ),
  raw = list(raw_features(frame[1:2], scale = TRUE), frame)
)))

# The numbers that are read again.
source(file.path("tests", "testthat", "helper-saved.R"))
for (name in names(made)) {
  object <- made[[name]][[1]]
  data <- made[[name]][[2]]
  saved <- list(object = object, data = data, numbers = quietly(saved_numbers(object, data)))
  saveRDS(saved, file.path(folder, paste0(name, ".rds")), compress = "xz", version = 2)
}
sizes <- file.size(list.files(folder, full.names = TRUE))
cat(length(sizes), "files,", sum(sizes), "bytes, the largest", max(sizes), "\n")
