# 20 Newsgroups: sparse against dense, and the topics.
source("bench/tools.R")
library(landmarker)
suppressMessages(library(Matrix))

x <- newsgroups_rows()
if (is.null(x)) quit(status = 0)
heading(sprintf("Text: 20 Newsgroups, %s posts x 1,545 words, 12 landmarks", format(nrow(x), big.mark = ",")))
dense <- as.matrix(x)

fit <- function(data) {
  set.seed(1)
  landmarks(data, 12, space = "nonnegative_sphere")
}
s <- fit(x)
d <- fit(dense)
t <- in_turn(sparse = function() fit(x), dense = function() fit(dense), runs = 5)
report("sparse fit, seconds", spread(t[, "sparse"]))
report("dense / sparse, seconds", spread(t[, "dense"] / t[, "sparse"]), "at least 3")
report("largest difference of the landmarks", signif(max(abs(coef(s) - coef(d))), 2), "1e-8")
report("log det", round(s$log_det, 2))
top <- top_features(s, 8, by = "value")
for (l in 1:12) {
  report(sprintf("topic %d", l), paste(top$feature[top$landmark == l], collapse = " "))
}
