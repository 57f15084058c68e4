# Topics of 20 Newsgroups (Table 1 of Liang and Paisley): 12 landmarks by Algorithm 1 of the paper and
# by this package's solvers, their words beside those that the paper prints, and which newsgroups the
# posts nearest to them come from. A quarter of an hour, most of it Algorithm 1; finished fits are kept
# in build/evidence/ (delete them to start anew).
# Writes inst/evidence/topics.rds for vignettes/articles/topics.Rmd.
source(file.path("evidence", "tools.R"))

kept <- keep_parts("topics")

newsgroups <- all_newsgroups()
x <- hellinger(newsgroups)
group <- sub("/.*", "", rownames(x))
seeds <- 1:5
n <- 12

# For narrow bandwidths in many dimensions large last batches do better; all get the same.
joint <- function(criterion) {
  by_gp(criterion = criterion, batch_size = c(2000, 10000), batches = c(10, 15), iterations = c(2, 1))
}
methods <- list(
  "Algorithm 1, unit gradient" = by_gp("sgd", criterion = "volume", gradient = "unit"),
  "Algorithm 1, raw gradient" = by_gp("sgd", criterion = "volume", gradient = "raw"),
  "sequential" = by_gp("sequential", criterion = "volume"),
  "joint, volume" = joint("volume"),
  "joint, trace" = joint("trace"),
  "random posts" = by_random()
)
fit <- function(method, seed, bandwidth = "variance", n = 12) {
  set.seed(seed)
  landmarks(x, n, method, bandwidth = bandwidth, space = "nonnegative_sphere")
}
fits_of <- function(name) {
  lapply(seeds, function(seed) {
    kept(gsub("[^a-z0-9]+", "-", tolower(paste(name, seed))), fit(methods[[name]], seed))
  })
}
fits <- lapply(stats::setNames(nm = names(methods)), fits_of)
eta <- fits[["joint, trace"]][[1]]$bandwidth

# The centers of k-means on all posts, put on the sphere; the same kernel.
fits[["k-means"]] <- lapply(seeds, function(seed) {
  kept(paste0("kmeans-", seed), {
    set.seed(seed)
    points <- coef(codebook(x, n, max_iterations = 30))
    as_landmarks(points / sqrt(rowSums(points^2)), x, bandwidth = eta, space = "nonnegative_sphere")
  })
})

# ---- the newsgroups of the posts nearest to a landmark ------------------------------------------

# For each landmark the commonest group of the 100 posts nearest to it, and its share.
main_groups <- function(fit) {
  near <- nearest_observations(fit, x, k = 100)
  counts <- table(near$landmark, group[near$observation])
  data.frame(group = colnames(counts)[max.col(counts, "first")], share = apply(counts, 1, max) / 100)
}
# Of two fits: the mean cosine of each landmark with the nearest of the other, both ways.
alike <- function(a, b) {
  cosine <- tcrossprod(coef(a), coef(b))
  mean(c(apply(cosine, 1, max), apply(cosine, 2, max)))
}

# ---- the paper's twelve topics ------------------------------------------------------------------

paper <- c(
  "good make ve work back", "windows dos card mb system", "team game year games season",
  "turkish turks armenia soviet today", "encryption key technology government chip",
  "god jesus bible christ christians", "ftp file pub mail program", "car good cars price buy",
  "israel israeli jews arab state", "nasa gov space long orbit", "scsi drive ide mb hard",
  "gun guns weapons crime control"
)
paper_words <- lapply(strsplit(paper, " "), intersect, colnames(newsgroups))

# The k words with the largest coordinates of each landmark, the largest first.
largest <- function(fit, k) {
  points <- coef(fit)
  lapply(seq_len(nrow(points)), function(l) colnames(x)[utils::head(order(-points[l, ]), k)])
}
words <- function(fit, k = 8) vapply(largest(fit, k), paste, "", collapse = " ")

# To each of the paper's topics the landmark that has most of its words among its ten largest, no
# landmark twice: the pairs with most words in common first.
match_paper <- function(fit) {
  ten <- largest(fit, 10)
  common <- t(vapply(paper_words, function(five) {
    vapply(ten, function(words) sum(five %in% words), 0L)
  }, integer(length(ten))))
  shared <- integer(length(paper))
  landmark <- rep(NA_integer_, length(paper))
  while (any(common > 0)) {
    best <- which(common == max(common), arr.ind = TRUE)[1, ]
    shared[best[1]] <- common[best[1], best[2]]
    landmark[best[1]] <- best[2]
    common[best[1], ] <- common[, best[2]] <- 0
  }
  data.frame(topic = seq_along(paper), landmark = landmark, shared = shared)
}
# A topic of the paper is found where its landmark shares three of the paper's five words.
found <- function(fit) sum(match_paper(fit)$shared >= 3)

# Of how many seeds each method finds each topic: topics x methods.
times <- vapply(fits, function(of_method) {
  rowSums(vapply(of_method, function(f) match_paper(f)$shared >= 3, logical(length(paper))))
}, numeric(length(paper)))
print(cbind(topic = paper, as.data.frame(times)))

beside <- lapply(fits, function(of_method) {
  first <- of_method[[1]]
  cbind(match_paper(first), words = words(first, 5)[match_paper(first)$landmark])
})
for (name in names(beside)) {
  cat("\n", name, "\n")
  print(cbind(paper = paper, beside[[name]][c("words", "shared")]))
}

# ---- methods, bandwidths, numbers of landmarks ----------------------------------------------------

# A row for each fit. Errors are over seeds, and computed in the vignette.
describe_fits <- function(fits, ...) {
  do.call(rbind, lapply(seq_along(fits), function(i) {
    f <- fits[[i]]
    main <- main_groups(f)
    data.frame(...,
      seed = seeds[i], bandwidth = f$bandwidth, log_det = f$log_det,
      left = reconstruction_error(f, x) / nrow(x), share = mean(main$share),
      groups = length(unique(main$group)), found = found(f),
      alike = mean(vapply(fits[-i], alike, 0, a = f))
    )
  }))
}
ways <- do.call(rbind, Map(describe_fits, fits, method = names(fits)))
print(stats::aggregate(cbind(log_det, left, share, groups, found, alike) ~ method, ways, mean), digits = 3)

rules <- list("variance", 0.75, 0.5, 0.3)
by_bandwidth <- lapply(rules, function(bandwidth) {
  if (identical(bandwidth, "variance")) return(fits[["joint, volume"]])
  lapply(seeds, fit, method = methods[["joint, volume"]], bandwidth = bandwidth)
})
bandwidths <- do.call(rbind, Map(describe_fits, by_bandwidth, rule = vapply(rules, format, "")))
print(stats::aggregate(cbind(left, share, groups, found, alike) ~ rule, bandwidths, mean), digits = 3)

more <- do.call(rbind, lapply(c(12, 25, 50), function(n) {
  several <- fits[["joint, volume"]]
  if (n > 12) several <- lapply(seeds, fit, method = methods[["joint, volume"]], n = n)
  describe_fits(several, landmarks = n)
}))
print(stats::aggregate(cbind(log_det, share, groups, found) ~ landmarks, more, mean), digits = 3)

# ---- single fits, of the first seed ---------------------------------------------------------------

describe_points <- function(fit) {
  points <- seq_len(nrow(fit$landmarks))
  cbind(data.frame(point = points, words = words(fit)), main_groups(fit), distance = fit$nearest_distance)
}
first <- fits[["joint, volume"]][[1]]
topics <- describe_points(first)
near <- nearest_observations(first, x, k = 3)
near$post <- rownames(x)[near$observation]

# 100 posts that have nothing in common: what the share is by chance.
set.seed(1)
chance <- mean(replicate(1000, max(table(group[sample(length(group), 100)])))) / 100

save_evidence("topics", list(
  paper = paper, paper_known = lengths(paper_words), beside = beside, times = times, ways = ways,
  bandwidths = bandwidths, more = more, topics = topics,
  nearest = near[c("landmark", "rank", "post", "distance")],
  narrow = describe_points(by_bandwidth[[4]][[1]]), means = describe_points(fits[["k-means"]][[1]]),
  chance = chance, made = provenance("newsgroups, 18,832 posts x 1,545 words", seeds)
))
