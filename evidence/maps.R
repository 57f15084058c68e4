# Maps in two dimensions through landmarks, beside uwot::umap(), Rtsne::Rtsne(), Isomap and principal
# components: how well distances on the flat roll are kept, and whether digits have digits of their own class
# beside them. Three quarters of an hour; what is done is kept in build/evidence/.
#
# Writes inst/evidence/maps.rds for vignettes/articles/where.Rmd.
source(file.path("evidence", "tools.R"))
kept <- keep_parts("maps")
options(landmarker.progress = FALSE, landmarker.verbose = FALSE)
seeds <- 1:3
points <- 10000
landmarks_of_maps <- 200

embedding <- function(x, ...) suppressWarnings(embed_landmarks(landmarks(x, landmarks_of_maps), ...))

# Classical scaling of the lengths of paths in the graph of nearest neighbors (Tenenbaum and others, 2000).
isomap <- function(x, neighbors = 10) {
  near <- FNN::get.knn(x, neighbors, if (ncol(x) > 10) "brute" else "kd_tree")
  edges <- cbind(rep(seq_len(nrow(x)), neighbors), as.vector(near$nn.index))
  graph <- igraph::graph_from_edgelist(edges, directed = FALSE)
  d <- igraph::distances(graph, weights = as.vector(near$nn.dist))^2
  # Pieces that no path joins are put as far apart as the farthest points.
  d[!is.finite(d)] <- max(d[is.finite(d)])
  product <- function(v, args) {
    w <- v - mean(v)
    w <- as.vector(d %*% w)
    -0.5 * (w - mean(w))
  }
  e <- RSpectra::eigs_sym(product, 2, n = nrow(d), opts = list(maxitr = 1000))
  e$vectors * rep(sqrt(pmax(e$values, 0)), each = nrow(d))
}

methods <- list(
  "embed_landmarks()" = function(x) suppressWarnings(predict(embedding(x), x)),
  # Coordinates have one variance. Here a slow one, with a small value, is long.
  "embed_landmarks(), by 1 / sqrt(values)" = function(x) {
    e <- embedding(x)
    suppressWarnings(predict(e, x)) / rep(sqrt(e$values), each = nrow(x))
  },
  "embed_landmarks(layout = \"umap\")" = function(x) {
    suppressWarnings(predict(embedding(x, layout = "umap"), x))
  },
  "uwot::umap()" = function(x) uwot::umap(x, n_threads = 2),
  "Rtsne::Rtsne()" = function(x) Rtsne::Rtsne(x, num_threads = 2, check_duplicates = FALSE)$Y,
  "Isomap" = isomap,
  "principal components" = function(x) {
    # The quick one needs more columns than it is asked for.
    if (ncol(x) > 10) irlba::prcomp_irlba(x, n = 2)$x else stats::prcomp(x, rank. = 2)$x
  }
)

# Rank correlation of distances in the map with those of `position`, among some of the points.
distances_kept <- function(y, position) {
  some <- round(seq(1, nrow(y), length.out = 1000))
  stats::cor(stats::dist(y[some, ]), stats::dist(position[some, ]), method = "spearman")
}
# The share of points whose nearest other point in the map has their class.
beside_own <- function(y, class) mean(class::knn.cv(y, factor(class), 1) == class)

rolls <- function(noise) {
  function() {
    x <- sim_swiss_roll(points, noise = noise)
    position <- attr(x, "position")
    list(x = matrix(x, nrow(x)), score = function(y) distances_kept(y, position))
  }
}
sets <- list("Swiss roll" = rolls(0), "Swiss roll, noise 0.6" = rolls(0.6))
folder <- bench_data("mnist")
if (!is.null(folder)) {
  images <- read_idx(file.path(folder, "t10k-images-idx3-ubyte.gz")) / 255
  labels <- as.integer(read_idx(file.path(folder, "t10k-labels-idx1-ubyte.gz")))
  sets$MNIST <- function() {
    list(x = matrix(images, nrow(images)), score = function(y) beside_own(y, labels))
  }
}

units <- do.call(rbind, lapply(names(sets), function(set) {
  do.call(rbind, lapply(seeds, function(seed) {
    do.call(rbind, lapply(names(methods), function(method) {
      kept(gsub("[^a-z0-9]+", "-", tolower(paste(set, seed, method))), {
        set.seed(seed)
        d <- sets[[set]]()
        seconds <- elapsed(y <- methods[[method]](d$x))
        data.frame(set = set, seed = seed, method = method, score = d$score(y), seconds = seconds)
      })
    }))
  }))
}))
print(with(units, tapply(score, list(method, set), mean)), digits = 3)
print(with(units, tapply(seconds, list(method, set), mean)), digits = 3)
save_evidence("maps", list(
  units = units, points = points, landmarks = landmarks_of_maps,
  made = provenance("simulated Swiss rolls of 10,000 points; the 10,000 test digits of MNIST", seeds)
))
