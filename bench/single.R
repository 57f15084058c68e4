# Random batches in single precision beside double: seconds and quality of the same fits.
source("bench/tools.R")
library(landmarker)

rounds <- getFromNamespace("can_be_single", "landmarker")
set_precision <- function(single) {
  assignInNamespace("can_be_single", if (single) rounds else function(...) FALSE, "landmarker")
}

x <- mnist(60000)
set.seed(9)
roll <- sim_swiss_roll(30000, noise = 0.3)
size <- function(x) sum(apply(x, 2, stats::var))
far <- roll
far[1:20, ] <- 1e4 * far[1:20, ]
cases <- list(
  "MNIST, 60,000" = list(x, 100, "variance"),
  "MNIST, 20,000, 10 times as wide" = if (!is.null(x)) list(x[1:20000, ], 100, 10 * size(x[1:20000, ])),
  "MNIST, 20,000, a 20th as wide" = if (!is.null(x)) list(x[1:20000, ], 100, size(x[1:20000, ]) / 20),
  "roll" = list(roll, 50, "variance"), "roll, 300 landmarks" = list(roll, 300, "variance"),
  "roll, 20 times as wide" = list(roll, 50, 20 * size(roll)),
  "roll, a 10,000th as wide" = list(roll, 100, size(roll) / 1e4),
  "roll, a million from 0" = list(roll + 1e6, 50, "variance"),
  "roll, twenty rows far away" = list(far, 50, size(far) / 5)
)
fit_of <- function(case, criterion, seed) {
  set.seed(seed)
  suppressWarnings(suppressMessages(
    landmarks(case[[1]], case[[2]], by_gp(criterion = criterion), bandwidth = case[[3]])
  ))
}
table_heading(
  "Single precision over double: five seeds",
  c("data", "criterion", "seconds, ratio", "log det, double", "its change", "explained, double", "its change")
)
for (name in names(cases)) for (criterion in c("trace", "volume")) {
  case <- cases[[name]]
  if (is.null(case[[1]])) next
  one <- vapply(1:5, function(seed) {
    both <- vapply(c(FALSE, TRUE), function(single) {
      set_precision(single)
      seconds <- elapsed(fit <- fit_of(case, criterion, seed))
      c(seconds, fit$log_det, fit$explained[length(fit)])
    }, numeric(3))
    c(both[1, 2] / both[1, 1], both[2, 1], diff(both[2, ]), both[3, 1], diff(both[3, ]))
  }, numeric(5))
  table_row(
    name, criterion, spread(one[1, ], 2), sprintf("%.2f (sd %.2f)", mean(one[2, ]), stats::sd(one[2, ])),
    signif(mean(one[3, ]), 2), sprintf("%.5f", mean(one[4, ])), signif(mean(one[5, ]), 2)
  )
}
set_precision(TRUE)
