# Diverse rows and embedding: ten million points end to end, digits against k-means,
# and the extension against a bare matrix product.
#   Rscript bench/embedding.R roll | digits | extension | search
source("bench/tools.R")
library(landmarker)
which <- commandArgs(trailingOnly = TRUE)

# What the embedding has to find: distances on the flat rectangle. Coordinates of an eigenmap have the same
# spread each; divided by the roots of their values they have that of the rectangle's sides.
flat_score <- function(y, position, values, size = 2000) {
  s <- sample(nrow(y), size)
  y <- y[s, ] / rep(sqrt(values), each = size)
  stats::cor(as.vector(stats::dist(y)), as.vector(stats::dist(position[s, ])), method = "spearman")
}

if ("roll" %in% which) {
  heading("Ten million points on a Swiss roll, 2,500 diverse landmarks, two dimensions")
  set.seed(1)
  x <- sim_swiss_roll(1e7)
  position <- attr(x, "position")
  attr(x, "position") <- NULL
  small <- predict(
    embed_landmarks(landmarks(x[1:1000, ], 50, by_dpp(covariance = "diagonal")), dims = 2), x[1:9, ]
  )
  gc()
  started <- process_mb("VmRSS")
  for (distance in c("bhattacharyya", "euclidean")) {
    reset_peak()
    set.seed(2)
    sampling <- elapsed(fit <- landmarks(x, 2500, by_dpp(covariance = "diagonal")))
    graph <- elapsed(e <- embed_landmarks(fit, neighbors = 50, distance = distance))
    extension <- elapsed(y <- predict(e, x))
    report(
      sprintf(
        "seconds by the %s graph: sampling with covariances + graph and eigenmap + extension", distance
      ),
      sprintf("%.1f = %.1f + %.1f + %.1f", sampling + graph + extension, sampling, graph, extension),
      "at most 90"
    )
    report(
      "peak memory of the process, GB (the data and R before it: see next)",
      sprintf("%.2f", process_mb("VmHWM") / 1024), "at most 3"
    )
    report("memory of the process before, GB", sprintf("%.2f", started / 1024))
    report(
      "rank correlation with distances on the flat roll", sprintf("%.3f", flat_score(y, position, e$values))
    )
  }
}

if ("digits" %in% which) {
  x <- mnist(60000)
  if (!is.null(x)) {
    heading("MNIST, 60,000 x 784: 1,000 diverse rows")
    t <- in_turn(
      dpp = function() landmarks(x, 1000, by_dpp(neighbors = 5000, sigma = 5)),
      covariances = function() {
        landmarks(x, 1000, by_dpp(neighbors = 5000, sigma = 5, covariance = "diagonal"))
      }
    )
    source <- landmarker:::as_source(x)
    draws <- numeric(3)
    for (r in 1:3) {
      set.seed(r)
      options <- list(
        neighbors = 5000L, update = "welsch", sigma = 5, covariance = "none", search = "auto"
      )
      draws[r] <- elapsed(landmarker:::draw_dpp(
        source, landmarker:::source_no_points(source), 1000L, options, landmarker:::compute_with()
      ))
    }
    theirs <- elapsed(suppressWarnings(stats::kmeans(x, 1000, iter.max = 10, algorithm = "Lloyd")))
    report(
      "seconds of landmarks(by_dpp(5000, sigma = 5)); with variances",
      paste0(spread(t[, 1]), "; ", spread(t[, 2]))
    )
    report("seconds of the draws alone", spread(draws))
    report("seconds of stats::kmeans(x, 1000, iter.max = 10, algorithm = \"Lloyd\"), once", signif(theirs, 3))
    report(
      "stats::kmeans (1,000 centers, 10 Lloyd iterations) / landmarks(by_dpp()), seconds",
      spread(theirs / t[, 1]), "at least 5"
    )
  }
}

if ("extension" %in% which) {
  x <- mnist(60000)
  if (!is.null(x)) {
    heading("Extension, 60,000 x 784 by 1,000 landmarks")
    set.seed(1)
    fit <- landmarks(x, 1000, "random")
    few <- embed_landmarks(fit, dims = 2)
    many <- embed_landmarks(fit, dims = 100, neighbors = 50)
    local <- embed_landmarks(fit, x, dims = 2, distance = "bhattacharyya", ridge = 1)
    at <- coef(fit)
    t <- in_turn(
      two = function() predict(few, x, "features"), hundred = function() predict(many, x, "features"),
      local = function() predict(local, x, "features"), product = function() tcrossprod(x, at)
    )
    report(
      "seconds of predict() in 2 dimensions, 10 neighbors; 100 dimensions, 50 neighbors",
      paste0(spread(t[, 1]), "; ", spread(t[, 2]))
    )
    report(
      "seconds of predict() in 2 dimensions by Bhattacharyya distances, diagonal covariances", spread(t[, 3])
    )
    kept <- file.path("build", "openblas-product.rds")
    if (blas_name() == "OpenBLAS") saveRDS(t[, 4], kept)
    product <- if (file.exists(kept)) stats::median(readRDS(kept)) else NA
    report("rate of an embedding's predict() / that of OpenBLAS's tcrossprod(x, landmarks)", paste0(
      spread(product / t[, 1]), "; ", spread(product / t[, 2])), "at least 0.4")
  }
}

# Rows that fill all dimensions, and rows near a surface: a Swiss roll, turned and with noise.
search_rows <- function(n, d, filled) {
  noise <- matrix(stats::rnorm(n * d), n)
  if (filled) return(noise)
  directions <- qr.Q(qr(matrix(stats::rnorm(d * 3), d)))
  tcrossprod(sim_swiss_roll(n)[, 1:3], directions) + 0.05 * noise
}

if ("search" %in% which) {
  heading("Nearest rows: seconds by products / seconds by a tree (above 1 the tree is faster)")
  n <- 2e5
  for (d in c(3, 6, 9, 12, 16, 24)) {
    for (filled in c(TRUE, FALSE)) {
      set.seed(1)
      source <- landmarker:::as_source(search_rows(n, d, filled))
      for (k in c(200L, 1000L)) {
        draw <- function(search) {
          set.seed(2)
          options <- list(
            neighbors = as.integer(2 * n / k), update = "welsch", covariance = "none", search = search
          )
          landmarker:::draw_dpp(
            source, landmarker:::source_no_points(source), k, options, landmarker:::compute_with()
          )
        }
        t <- in_turn(tree = function() draw("tree"), all = function() draw("all"))
        report(sprintf(
          "%s rows %s, %d dimensions, %s landmarks, 2 N / n neighbors",
          format(n, big.mark = ",", scientific = FALSE),
          if (filled) "that fill the space" else "near a roll", d, format(k, big.mark = ",")
        ), spread(t[, 2] / t[, 1]))
      }
    }
  }
}
