# The graph through the data beside graphs of nearest neighbors: how well the first coordinate follows a Swiss
# roll, by the number of landmarks, the noise and the graph; and how many of twenty turntables embed as a
# circle. A quarter of an hour; what is done is kept in build/evidence/.
#
# Writes inst/evidence/graphs.rds for vignettes/articles/embedding-evidence.Rmd.
source(file.path("evidence", "tools.R"))
kept <- keep_parts("graphs")
options(landmarker.progress = FALSE, landmarker.verbose = FALSE)
seeds <- 1:3
points <- 20000
sizes <- c(50, 100, 200, 500, 2500)
noises <- c(0, 0.3, 0.6)
selectors <- list("gp" = by_gp(), "k-means" = by_kmeans(), "DPP" = by_dpp())

# Arguments of embed_landmarks(), by name.
graphs <- c(
  list("data" = list(edges = "data"), "fewest" = list(edges = "nearest")),
  stats::setNames(lapply(c(25, 50, 100, 250, 500), function(k) list(neighbors = k)), c(25, 50, 100, 250, 500))
)
bhattacharyya <- list("Bhattacharyya, 25" = 25, "Bhattacharyya, 100" = 100)

follows <- function(embedding, x, position) {
  y <- predict(embedding, x)
  abs(c(
    length = stats::cor(y[, 1], position[, 1], method = "spearman"),
    height = stats::cor(y[, 2], position[, 2], method = "spearman")
  ))
}
score <- function(fit, arguments, x, position) {
  told <- FALSE
  found <- tryCatch(
    withCallingHandlers(
      follows(do.call(embed_landmarks, c(list(fit), arguments)), x, position),
      landmarker_warning = function(w) {
        told <<- told || !inherits(w, "landmarker_warning_novelty")
        rlang::cnd_muffle(w)
      }
    ),
    landmarker_error = function(e) c(length = NA, height = NA)
  )
  data.frame(t(found), told = told)
}

rolls <- do.call(rbind, lapply(seeds, function(seed) {
  do.call(rbind, lapply(noises, function(noise) {
    kept(paste0("roll-", seed, "-", 10 * noise), {
      set.seed(seed)
      x <- sim_swiss_roll(points, noise = noise)
      position <- attr(x, "position")
      some <- round(seq(1, points, length.out = 4000))
      do.call(rbind, lapply(sizes, function(n) {
        do.call(rbind, lapply(names(selectors), function(name) {
          # By the others, 2,500 landmarks take minutes, and any graph serves.
          if (n == 2500 && name != "DPP") return(NULL)
          set.seed(100 + seed)
          fit <- suppressWarnings(landmarks(x, n, selectors[[name]]))
          tried <- graphs
          if (name == "DPP") {
            tried <- c(tried, lapply(bhattacharyya, function(k) {
              list(x = x, neighbors = k, distance = "bhattacharyya", covariance = "full")
            }))
          }
          do.call(rbind, lapply(names(tried), function(graph) {
            if (isTRUE(tried[[graph]]$neighbors >= n)) return(NULL)
            cbind(
              data.frame(seed = seed, noise = noise, n = n, method = name, graph = graph),
              score(fit, tried[[graph]], x[some, ], position[some, ])
            )
          }))
        }))
      }))
    })
  }))
}))

# Whether the coordinates of pictures turn once around their middle, as their angles do: the means over each
# ten degrees, because noise moves pictures that are one degree apart.
is_circle <- function(y, angle) {
  y <- rowsum(y, floor(36 * angle / (2 * pi))) / 10
  at <- atan2(y[, 2] - mean(y[, 2]), y[, 1] - mean(y[, 1]))
  turn <- diff(c(at, at[1]))
  turn <- turn - 2 * pi * round(turn / (2 * pi))
  abs(abs(sum(turn)) - 2 * pi) < 1e-6 && mean(sign(turn) == sign(sum(turn))) > 0.9
}
turntables <- kept("turntables", {
  do.call(rbind, lapply(1:20, function(seed) {
    set.seed(seed)
    x <- sim_turntable(360, width = 0.05, noise = 0.05)
    do.call(rbind, lapply(names(selectors), function(name) {
      fit <- suppressWarnings(landmarks(x, 30, selectors[[name]]))
      do.call(rbind, lapply(c("data", "fewest"), function(graph) {
        y <- suppressWarnings(predict(do.call(embed_landmarks, c(list(fit), graphs[[graph]])), x))
        data.frame(method = name, graph = graph, circle = is_circle(y, attr(x, "position")[, 1]))
      }))
    }))
  }))
})

plain <- rolls[rolls$noise == 0, ]
print(stats::aggregate(cbind(length, height) ~ graph + n + method, plain, mean), digits = 2)
print(stats::aggregate(circle ~ method + graph, turntables, sum))
save_evidence("graphs", list(
  rolls = rolls, turntables = turntables, points = points,
  made = provenance("simulated Swiss rolls and turntables", seeds)
))
