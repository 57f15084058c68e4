# Topics of 20 Newsgroups: 12 landmarks, what words they have, and which groups the posts
# nearest to them come from. Writes inst/evidence/topics.rds for vignettes/topics.Rmd.
source(file.path("evidence", "tools.R"))

x <- hellinger(newsgroups)
group <- sub("/.*", "", rownames(x))
seeds <- 1:5
n <- 12
# For narrow bandwidths in many dimensions large last batches do better; all get the same.
method <- by_gp(batch_size = c(2000, 10000), batches = c(10, 15), steps = c(2, 1))

fit <- function(seed, bandwidth = "variance", n = 12) {
  set.seed(seed)
  landmarks(x, n, method, bandwidth = bandwidth, space = "nonnegative_sphere")
}

# For each landmark the commonest group of the 100 posts nearest to it, and its share.
main_groups <- function(fit) {
  near <- nearest_observations(fit, x, k = 100)
  counts <- table(near$landmark, group[near$observation])
  data.frame(group = colnames(counts)[max.col(counts, "first")], share = apply(counts, 1, max) / 100)
}

# What the fits of one kind have in common: medians over seeds, and the range of the share.
describe_fits <- function(fits, ...) {
  main <- lapply(fits, main_groups)
  share <- vapply(main, function(m) mean(m$share), 0)
  data.frame(...,
    bandwidth = stats::median(vapply(fits, function(f) f$bandwidth, 0)),
    explained = stats::median(vapply(fits, function(f) f$explained[nrow(f$landmarks)], 0)),
    log_det = stats::median(vapply(fits, function(f) f$log_det, 0)),
    share = stats::median(share), lowest = min(share), highest = max(share),
    groups = stats::median(vapply(main, function(m) length(unique(m$group)), 0)),
    alike = mean(utils::combn(length(fits), 2, function(pair) alike(fits[[pair[1]]], fits[[pair[2]]])))
  )
}

# Of two fits: the mean cosine of each landmark with the nearest of the other, both ways.
alike <- function(a, b) {
  cosine <- tcrossprod(coef(a), coef(b))
  mean(c(apply(cosine, 1, max), apply(cosine, 2, max)))
}

# ---- bandwidths ------------------------------------------------------------------

rules <- list("variance", 0.75, 0.5, 0.3)
by_bandwidth <- lapply(rules, function(bandwidth) lapply(seeds, fit, bandwidth = bandwidth))
bandwidths <- do.call(rbind, Map(describe_fits, by_bandwidth, rule = vapply(rules, format, "")))
print(bandwidths, digits = 3)

# ---- the topics ------------------------------------------------------------------

first <- by_bandwidth[[1]][[1]]
words <- function(fit, k = 8) {
  top <- top_features(fit, k, by = "value")
  as.vector(tapply(top$feature, top$landmark, paste, collapse = " "))
}
describe_points <- function(fit) {
  cbind(data.frame(point = seq_len(n), words = words(fit)), main_groups(fit), distance = fit$nearest_distance)
}
topics <- describe_points(first)
print(topics)
narrow <- describe_points(by_bandwidth[[4]][[1]])
print(narrow)

near <- nearest_observations(first, x, k = 3)
near$post <- rownames(x)[near$observation]
nearest <- near[c("landmark", "rank", "post", "distance")]
print(nearest)

# ---- other ways to choose 12 points --------------------------------------------------

# As many random posts, and the centres of k-means on all posts, put on the sphere; the same kernel.
eta <- first$bandwidth
random <- lapply(seeds, function(seed) {
  set.seed(seed)
  landmarks(x, n, "random", bandwidth = eta, space = "nonnegative_sphere")
})
centres <- lapply(seeds, function(seed) {
  set.seed(seed)
  points <- coef(codebook(x, n, iterations = 30))
  as_landmarks(points / sqrt(rowSums(points^2)), x, bandwidth = eta, space = "nonnegative_sphere")
})
ways <- rbind(
  describe_fits(by_bandwidth[[1]], way = "landmarks"),
  describe_fits(centres, way = "k-means"), describe_fits(random, way = "random posts")
)
print(ways, digits = 3)
means <- describe_points(centres[[1]])
print(means)

# 100 posts that have nothing in common: what the share is by chance.
set.seed(1)
chance <- mean(replicate(1000, max(table(group[sample(length(group), 100)])))) / 100

# ---- more landmarks ----------------------------------------------------------------

more <- do.call(rbind, lapply(c(12, 25, 50), function(n) {
  describe_fits(if (n == 12) by_bandwidth[[1]] else lapply(seeds, fit, n = n), landmarks = n)
}))
print(more, digits = 3)

save_evidence("topics", list(
  topics = topics, narrow = narrow, nearest = nearest, bandwidths = bandwidths, ways = ways,
  means = means, more = more, chance = chance,
  made = provenance("newsgroups, 18,832 posts x 1,545 words", seeds)
))
