# Hostile arguments for every exported function and method: a valid call with one or two arguments replaced,
# added or left out. Each call must give a valid value without NaN or raise an error of class
# `landmarker_error`. A child process that ends is a crash; another error is a bare one; a call that
# computes for more than 20 seconds, or takes more than 100, is slow.
#
#   Rscript tests/fuzz/functions.R [CALLS [SEED [NAME ...]]]     from the top of the repository
#   Rscript tests/fuzz/functions.R show NAME K [SEED]
#
# CALLS for each valid call, default 100, with a SEED, and the NAMEs of valid calls, default all. The second way
# makes one call, and shows what it is given and what it ends in. FUZZ_SHOW=1 in the environment shows faults as
# they are found, and FUZZ_JOBS is the number of processes.

library(landmarker)

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
for (file in c("tools.R", "values.R", "uses.R", "uses_more.R")) source(file.path(here, file))
setwd(tempdir())
asked <- commandArgs(TRUE)
show <- length(asked) > 0 && asked[1] == "show"
seed <- as.numeric(c(if (show) asked[4] else asked[2], 1)[1])
if (is.na(seed)) seed <- 1

set.seed(1)
options(landmarker.threads = 1, landmarker.verbose = FALSE)
objects <- fuzz_objects()
values <- hostile_values(objects$x, objects$frame, objects$counts, objects$y, objects$made)
all_uses <- uses(objects)

# Names that `...` may get: graphical parameters, and names of no argument.
further <- list(
  plot = c("col", "cex", "pch", "xlim", "ylim", "asp", "log", "lwd", "las", "bty", "axes", "ann", "sub",
    "type", "bg"),
  other = c("zzz", "{x}", "", "digits")
)

# list(arguments, words): what was changed.
mutate <- function(use, name) {
  arguments <- use$arguments
  words <- character()
  for (turn in seq_len(sample.int(2, 1))) {
    first <- if (use$keep) 2 else 1
    # A function of the fuzz's own has these arguments only.
    kind <- sample(c("replace", "add", "drop", "further"), 1,
      prob = if (use$own) c(1, 0, 0, 0) else c(70, 20, 4, 6))
    value <- sample(names(values), 1)
    if (kind %in% c("replace", "drop") && length(arguments) < first) kind <- "further"
    # dim(x) and such take nothing else.
    if (use$own && kind == "further") next
    if (kind == "add") {
      free <- setdiff(use$known[-seq_len(length(use$arguments) > 0)], c("...", names(arguments)))
      at <- if (length(free)) free[sample.int(length(free), 1)] else "zzz"
      arguments[at] <- values[value]
    } else if (kind == "further") {
      at <- sample(further[[if (startsWith(name, "plot") && stats::runif(1) < 0.8) "plot" else "other"]], 1)
      arguments <- c(arguments, stats::setNames(values[value], at))
    } else {
      at <- first - 1 + sample.int(length(arguments) - first + 1, 1)
      if (kind == "drop") {
        arguments <- arguments[-at]
        value <- "nothing"
      } else {
        arguments[at] <- values[value]
      }
    }
    words <- c(words, paste0(kind, " ", at, " = ", value))
  }
  list(arguments = arguments, words = paste(words, collapse = ", "))
}

one_call <- function(name, k, log) {
  use <- use_of(name)
  set.seed(seed_of(name, k))
  # The first call is the valid one.
  given <- if (k == 0) list(arguments = use$arguments, words = "unchanged") else mutate(use, name)
  log(given$words)
  end <- attempt(use$fun, given$arguments, use$check)
  # What a valid call refuses is a fault as well, except where a package is missing. A fit has neither fitted
  # values nor residuals, and a graph has no rows.
  may <- name %in% c("fitted_of_landmarks", "residuals_of_landmarks", "augment_graph") || end[2] %in% "landmarker_error_package"
  if (k == 0 && end[1] == "refused" && !may) {
    end <- c("bare", "a valid call is refused", end[3])
  }
  if (end[1] %in% faults) c(end, given$words) else end
}

# Each call has a seed of its own, whatever ran before.
seed_of <- function(name, k) {
  letters <- utf8ToInt(name)
  (seed * 1e6 + sum(letters * seq_along(letters)) %% 1e4 * 100 + k * 7919) %% 2^31
}

# The call of a target that is made in its process.
kept <- new.env()
use_of <- function(name) {
  use <- all_uses[[name]]
  if (is.null(use$later)) return(use)
  if (is.null(kept$use)) kept$use <- use$later()
  kept$use
}

if (show) {
  grDevices::pdf(NULL)
  use <- use_of(asked[2])
  set.seed(seed_of(asked[2], as.numeric(asked[3])))
  given <- mutate(use, asked[2])
  cat(given$words, "\n")
  tryCatch(do.call(use$fun, given$arguments, quote = TRUE), error = function(e) {
    print(class(e))
    print(conditionMessage(e))
  })
  quit()
}

missed <- not_covered(all_uses)
if (length(missed)) cat("not covered:", missed, "\n")
names <- if (length(asked) > 2) asked[-(1:2)] else names(all_uses)
calls <- if (length(asked)) as.numeric(asked[1]) else 100
# Calls with other packages take long.
slow <- vapply(all_uses[names], function(use) !is.null(use$later), NA)
bad <- report(run_targets(names, ifelse(slow, ceiling(calls / 4), calls), one_call))
quit(status = length(missed) + bad > 0)
