# Landmarks of faces (Figures 2 and 3 of Liang and Paisley): AT&T's, 40 people, and Yale's, 15. They stand
# for the paper's sets, which could not be had: PIE in full (11,554 images) and the Yale set of 2,475 images.
# inst/evidence/faces.rds has only what is derived: averages of faces at a quarter of their pixels,
# places on a map, numbers. The faces themselves are not ours to give away, nor are landmarks that are
# nearly one of them: pictures with real faces go to build/evidence/, for whoever has the data.
# Ten minutes; finished parts are kept in build/evidence/ (delete them to start anew).
source(file.path("evidence", "tools.R"))

kept <- keep_parts("faces")

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

# The number of rows is below a batch's: nothing in the joint solver is random, and one seed is enough.
seeds_of <- function(method) if (grepl("^joint", method)) seeds[1] else seeds

learn <- function(faces, n, method, share, seed) {
  set.seed(seed)
  bandwidth <- share * sum(apply(faces$x, 2, stats::var))
  if (method == "k-means") {
    centers <- stats::kmeans(faces$x, n, iter.max = 50)$centers
    return(as_landmarks(centers, faces$x, bandwidth = bandwidth, space = "nonnegative"))
  }
  how <- switch(method,
    "joint, trace" = by_gp(criterion = "trace"), "joint, volume" = by_gp(criterion = "volume"),
    "one at a time" = by_gp("sequential", criterion = "volume"), "random rows" = by_random()
  )
  landmarks(faces$x, n, how, bandwidth = bandwidth, space = "nonnegative")
}

# A landmark of the volume is an average of the data with weights that sum to 1 (at the fixed point, H of
# the joint solver): how much of that is negative, in the median.
negative_weight <- function(fit, faces) {
  features <- predict(fit, faces$x, "features")
  weights <- features * (features %*% solve(crossprod(features)))
  stats::median(colSums(pmax(-weights, 0)))
}

# One row of a table: whose faces are nearest, how near, how sharp.
measure <- function(faces, n, method, share, seed) {
  fit <- learn(faces, n, method, share, seed)
  near <- nearest_observations(fit, faces$x, 1)
  data.frame(
    method = method, share = share, seed = seed, landmarks = nrow(fit$landmarks), log_det = fit$log_det,
    left = reconstruction_error(fit, faces$x) / nrow(faces$x),
    persons = length(unique(faces$person[near$observation])), distance = stats::median(near$distance),
    sharpness = sharpness(coef(fit)) / sharpness(faces$x),
    negative = if (method == "joint, volume") negative_weight(fit, faces) else NA
  )
}
measure_all <- function(faces, n, methods, shares) {
  do.call(rbind, lapply(shares, function(share) {
    do.call(rbind, lapply(methods, function(method) {
      do.call(rbind, lapply(seeds_of(method), function(seed) measure(faces, n, method, share, seed)))
    }))
  }))
}

# The faces nearest to each landmark, with the people on them.
find_nearest <- function(fit, faces, k = 5) {
  near <- nearest_observations(fit, faces$x, k)
  near$person <- faces$person[near$observation]
  near
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

# Landmarks, at the left, and the five faces nearest to each: into build/evidence/ only.
draw_nearest <- function(name, fit, faces, near) {
  rows <- lapply(seq_len(nrow(fit$landmarks)), function(l) {
    rbind(coef(fit)[l, ], faces$x[near$observation[near$landmark == l], ])
  })
  file <- file.path("build", "evidence", paste0("faces-", name, ".png"))
  grDevices::png(file, 1200, 100 * length(rows) / 2 + 40)
  on.exit(grDevices::dev.off())
  # Each landmark, and at its right the five nearest faces.
  print(plot_images(do.call(rbind, rows), c(side, side), columns = 12, col = grDevices::gray(0:255 / 255),
    range = c(0, 1)
  ))
  cat(file, "\n")
}

# What may be shown of a fit: small pictures of the landmarks that are not nearly a photograph.
show <- function(fit, faces, apart) {
  near <- find_nearest(fit, faces)
  drawn <- which(near$distance[near$rank == 1] > apart / 3)
  list(
    images = shrink(coef(fit)[drawn, , drop = FALSE]), drawn = drawn, range = range(coef(fit)), near = near,
    landmarks = nrow(fit$landmarks), explained = fit$explained
  )
}

study <- function(name, n) {
  faces <- read_faces(name)
  if (is.null(faces)) return(NULL)
  rivals <- c("joint, trace", "joint, volume", "one at a time", "k-means", "random rows")
  methods <- kept(paste0(name, "-methods"), measure_all(faces, n, rivals, 1))
  bandwidths <- kept(paste0(name, "-bandwidths"), measure_all(faces, n, rivals[1:2], shares))
  eight <- kept(paste0(name, "-eight"), learn(faces, 8, "one at a time", 1, seeds[1]))
  twenty <- kept(paste0(name, "-twenty"), learn(faces, 20, "joint, trace", 1, seeds[1]))
  # How far a face is from the nearest other one: what a distance means.
  apart <- nearest_observations(as_landmarks(faces$x, faces$x), faces$x, 2)
  apart <- stats::median(apart$distance[apart$rank == 2])
  near <- find_nearest(twenty, faces)
  draw_nearest(paste0(name, "-eight"), eight, faces, find_nearest(eight, faces))
  draw_nearest(paste0(name, "-twenty"), twenty, faces, near)
  maps <- lapply(seeds, function(seed) draw_map(twenty, faces, near, seed))
  list(
    eight = show(eight, faces, apart), twenty = show(twenty, faces, apart), dim = c(side, side) / 2,
    person = faces$person, bandwidth = twenty$bandwidth, apart = apart, landmarks = n,
    methods = methods, bandwidths = bandwidths, map = maps[[1]][c("data", "landmarks")],
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
    print(stats::aggregate(cbind(log_det, left, persons, distance, sharpness) ~ method, set$methods, mean))
    print(set$bandwidths[c("method", "share", "landmarks", "persons", "distance", "sharpness", "negative")])
    for (of in set[c("eight", "twenty")]) {
      cat("landmarks that may be drawn:", of$drawn, "\n")
      print(round(of$near$distance[of$near$rank == 1], 2))
    }
    cat("a face from the nearest other one:", set$apart, "\n")
    print(set$map_right)
  }
}
