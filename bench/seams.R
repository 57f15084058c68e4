# Time and quality of the default fit on both sides of each switch of its schedule, by the number of rows and
# of landmarks. A jump from one line to the next would be a seam.
source("bench/tools.R")
library(landmarker)

x <- mnist(60000)
if (is.null(x)) quit(save = "no")
set.seed(5)
x <- x[sample(nrow(x)), ]
bandwidth <- 50
seeds <- 5

# A row for each seed: seconds, log det over that of independent features, the explained share.
fits <- function(rows, n, criterion) {
  some <- x[seq_len(rows), ]
  t(vapply(seq_len(seeds), function(seed) {
    set.seed(seed)
    seconds <- elapsed(
      fit <- suppressMessages(landmarks(some, n, by_gp(criterion = criterion), bandwidth = bandwidth))
    )
    c(seconds, fit$log_det - n * log(rows), fit$explained[n])
  }, numeric(3)))
}

by_rows <- data.frame(
  rows = c(700, 1000, 1001, 1100, 1300, 1600, 2000, 2001, 2500, 4000, 7000, 9999, 10001, 15000, 30000),
  n = 100
)
by_n <- data.frame(rows = 12000, n = c(25, 50, 70, 99, 100, 101, 140, 200, 300))
cases <- rbind(by_rows, by_n)
cases <- rbind(cbind(cases, criterion = "trace"), cbind(cases, criterion = "volume"))
found <- Map(fits, cases$rows, cases$n, cases$criterion)
table_heading(
  sprintf("Digits of MNIST: medians of seconds, means of quality with standard deviations (%d seeds)", seeds),
  c("criterion", "rows", "landmarks", "seconds", "log det - n log N", "explained")
)
for (i in seq_len(nrow(cases))) {
  v <- found[[i]]
  table_row(
    cases$criterion[i], format(cases$rows[i], big.mark = ","), cases$n[i], spread(v[, 1]),
    sprintf("%.2f (%.2f)", mean(v[, 2]), sd(v[, 2])), sprintf("%.5f (%.5f)", mean(v[, 3]), sd(v[, 3]))
  )
}
