# Landmarks of faces (Figures 2 and 3 of Liang and Paisley): AT&T's, 40 people, and Yale's, 15.
# inst/evidence/faces.rds has only what is derived: averages of faces at a quarter of their pixels,
# places on a map, numbers. The faces themselves are not ours to give away, nor are landmarks that are
# nearly one of them: pictures with real faces go to build/evidence, for whoever has the data.
source(file.path("evidence", "tools.R"))

side <- 64
seeds <- 1:5
shares <- c(1, 1 / 2, 1 / 4, 1 / 10)

read_faces <- function(name) {
  images <- bench_data(name, paste0(name, "-images-idx3-ubyte.gz"))
  labels <- bench_data(name, paste0(name, "-labels-idx1-ubyte.gz"))
  if (is.null(images) || is.null(labels)) return(NULL)
  x <- read_idx(images) / 255
  attr(x, "dim_item") <- NULL
  list(x = x, person = as.integer(read_idx(labels)))
}

# How sharp images are: the mean squared step from a pixel to the next, across and down.
sharpness <- function(images) {
  mean(apply(images, 1, function(v) {
    m <- matrix(v, side)
    mean(c(diff(m)^2, diff(t(m))^2))
  }))
}

# Small pictures, 0 to 255, each pixel the mean of four.
shrink <- function(images) {
  small <- t(apply(images, 1, function(v) {
    fours <- array(v, c(2, side / 2, 2, side / 2))
    as.vector(apply(fours, c(2, 4), mean))
  }))
  small <- pmin(round(255 * small), 255)
  storage.mode(small) <- "integer"
  small
}

learn <- function(faces, n, method, share, seed) {
  set.seed(seed)
  bandwidth <- share * sum(apply(faces$x, 2, stats::var))
  if (method == "kmeans") {
    centres <- stats::kmeans(faces$x, n, iter.max = 50)$centers
    return(as_landmarks(centres, faces$x, bandwidth = bandwidth, space = "nonnegative"))
  }
  how <- switch(method, joint = by_gp(), sequential = by_gp(solver = "sequential"), random = by_random())
  landmarks(faces$x, n, how, bandwidth = bandwidth, space = "nonnegative")
}

# A landmark is an average of the data with weights that sum to 1 (at the fixed point, H of the joint
# solver): how much of that is negative, in the median.
negative_weight <- function(fit, faces) {
  features <- predict(fit, faces$x)
  weights <- features * (features %*% solve(crossprod(features)))
  stats::median(colSums(pmax(-weights, 0)))
}

# One row of a table: whose faces are nearest, how near, how sharp.
measure <- function(faces, n, method, share, seed) {
  fit <- learn(faces, n, method, share, seed)
  near <- nearest_observations(fit, faces$x, 1)
  data.frame(
    method = method, share = share, seed = seed, landmarks = nrow(fit$landmarks), log_det = fit$log_det,
    persons = length(unique(faces$person[near$observation])), distance = stats::median(near$distance),
    sharpness = sharpness(coef(fit)) / sharpness(faces$x),
    negative = if (method == "joint") negative_weight(fit, faces) else NA,
    seconds = if (method == "kmeans") NA else fit$seconds
  )
}

# Where faces and landmarks are on the map, and how far it can be believed: what share of the faces, and
# of the landmarks, has a face of the right person next to it there.
draw_map <- function(fit, faces, near, seed) {
  set.seed(seed)
  map <- landmarker:::in_plane(fit, faces$x, "map")
  between <- as.matrix(stats::dist(rbind(map$data, map$landmarks)))
  diag(between) <- Inf
  n <- nrow(faces$x)
  beside <- faces$person[apply(between[, seq_len(n)], 1, which.min)]
  first <- near[near$rank == 1, ]
  list(
    data = round(map$data, 2), landmarks = round(map$landmarks, 2),
    faces_right = mean(beside[seq_len(n)] == faces$person),
    landmarks_right = mean(beside[n + first$landmark] == first$person)
  )
}

# Landmarks, at the left, and the four faces nearest to each.
draw_nearest <- function(name, fit, faces, near, shown = 10) {
  folder <- file.path("build", "evidence")
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  rows <- lapply(seq_len(shown), function(l) {
    rbind(coef(fit)[l, ], faces$x[near$observation[near$landmark == l & near$rank <= 4], ])
  })
  file <- file.path(folder, paste0("faces-", name, ".png"))
  grDevices::png(file, 1100, 600)
  on.exit(grDevices::dev.off())
  plot_images(do.call(rbind, rows), c(side, side), columns = 10, col = grDevices::grey(0:255 / 255),
    range = c(0, 1), main = sprintf("%s: each landmark, and right of it the four nearest faces", name)
  )
  cat(file, "\n")
}

study <- function(name, n) {
  faces <- read_faces(name)
  if (is.null(faces)) return(NULL)
  methods <- do.call(rbind, lapply(c("joint", "sequential", "kmeans", "random"), function(method) {
    do.call(rbind, lapply(seeds, function(seed) measure(faces, n, method, 1, seed)))
  }))
  bandwidths <- do.call(rbind, lapply(shares, function(share) {
    do.call(rbind, lapply(seeds, function(seed) measure(faces, n, "joint", share, seed)))
  }))
  for (share in shares) {
    fit <- learn(faces, n, "joint", share, seeds[1])
    draw_nearest(sprintf("%s-bandwidth-%g", name, share), fit, faces, nearest_observations(fit, faces$x, 4))
  }
  fit <- learn(faces, n, "joint", 1, seeds[1])
  near <- nearest_observations(fit, faces$x, 4)
  near$person <- faces$person[near$observation]
  # How far a face is from the nearest other one: what a distance means.
  apart <- nearest_observations(as_landmarks(faces$x, faces$x), faces$x, 2)
  maps <- lapply(seeds, function(seed) draw_map(fit, faces, near, seed))
  apart <- stats::median(apart$distance[apart$rank == 2])
  drawn <- which(near$distance[near$rank == 1] > apart / 3)
  list(
    images = shrink(coef(fit)[drawn, ]), drawn = drawn, dim = c(side, side) / 2, range = range(coef(fit)),
    person = faces$person, bandwidth = fit$bandwidth, explained = fit$explained, near = near, apart = apart,
    methods = methods, bandwidths = bandwidths,
    map = maps[[1]][c("data", "landmarks")],
    map_right = data.frame(
      seed = seeds, faces = vapply(maps, function(map) map$faces_right, 0),
      landmarks = vapply(maps, function(map) map$landmarks_right, 0)
    )
  )
}

att <- study("orl_64x64", 40)
yale <- study("yale_64x64", 30)
if (!is.null(att) && !is.null(yale)) {
  data <- "AT&T (ORL) and Yale faces, 64 x 64 pixels, divided by 255"
  save_evidence("faces", list(att = att, yale = yale, made = provenance(data, seeds)))
  for (set in list(att, yale)) {
    print(stats::aggregate(cbind(log_det, persons, distance, sharpness) ~ method, set$methods, mean))
    print(stats::aggregate(cbind(persons, distance, sharpness, negative) ~ share, set$bandwidths, mean))
    print(summary(set$near$distance[set$near$rank == 1]))
    cat("a face from the nearest other one:", set$apart, "\nlandmarks drawn:", length(set$drawn), "\n")
    print(set$map_right)
  }
}
