# Rscript tools/evidence.R check: whether the figures in README, NEWS, help and vignettes are those of the
# result files, which results were made by other code than that which is here, and whether scripts name
# functions that R/ no longer has. What is older is named and fails nothing. Needs no package.
source(file.path("tools", "stamp.R"))

# ---- stamps --------------------------------------------------------------------------

# For each result its stamp: a data frame of kind, name, commit and code, NA where it has none.
stamps <- function() {
  bench <- list.files(file.path("bench", "results"), "\\.md$", full.names = TRUE)
  of_bench <- lapply(bench, function(file) {
    line <- grep("at commit [^,]+, code [0-9a-f]+", readLines(file, encoding = "UTF-8"), value = TRUE)
    line <- if (length(line)) line[length(line)] else NA
    data.frame(
      kind = "bench", name = sub("\\.md$", "", basename(file)),
      commit = sub(".*at commit ([^,]+), code.*", "\\1", line),
      code = sub(".*, code ([0-9a-f]+).*", "\\1", line)
    )
  })
  evidence <- list.files(file.path("inst", "evidence"), "\\.rds$", full.names = TRUE)
  of_evidence <- lapply(evidence, function(file) {
    made <- readRDS(file)$made
    data.frame(
      kind = "evidence", name = sub("\\.rds$", "", basename(file)),
      commit = if (is.null(made$commit)) NA else made$commit, code = if (is.null(made$code)) NA else made$code
    )
  })
  do.call(rbind, c(of_bench, of_evidence))
}

tell_stamps <- function() {
  s <- stamps()
  now <- mapply(code_sum, s$kind, s$name, MoreArgs = list(package = read_package(), core = read_core()))
  without <- is.na(s$code)
  older <- !without & s$code != now
  file <- paste0(s$kind, "/", s$name)
  if (any(without)) cat("without a stamp:", file[without], fill = 110)
  if (any(older)) {
    cat("older than the code:", paste0(file, " (commit ", s$commit, ")")[older], fill = 110)
  }
  cat(sum(!without & !older), "of", nrow(s), "results are of the code that is here.\n")
}

# ---- figures in texts ----------------------------------------------------------------

# The numbers of a cell of the table of a part: the row that starts with these cells, the column with this
# name or number.
numbers <- function(part, row, column) {
  lines <- readLines(file.path("bench", "results", paste0(part, ".md")), encoding = "UTF-8")
  rows <- grep("^\\|", lines, value = TRUE)
  cells <- lapply(strsplit(rows, "|", fixed = TRUE), function(v) trimws(v[-1]))
  at <- which(vapply(cells, function(v) all(startsWith(v[seq_along(row)], row)), NA))
  if (length(at) == 0) stop("bench/results/", part, ".md has no row ", paste(row, collapse = ", "))
  if (is.character(column)) {
    heads <- grep("^\\|-", rows) - 1
    column <- match(column, cells[[max(heads[heads < at[1]])]])
    if (is.na(column)) stop("bench/results/", part, ".md lacks the column of ", paste(row, collapse = ", "))
  }
  pattern <- "-?[0-9][0-9,]*([.][0-9]+)?(e[+-]?[0-9]+)?"
  text <- cells[[at[1]]][column]
  as.numeric(gsub(",", "", regmatches(text, gregexpr(pattern, text))[[1]]))
}

# The first: of "1.96 (1.86 to 2.05) s" the median.
cell <- function(part, row, column) numbers(part, row, column)[1]
cells_of <- function(part, row, columns) vapply(columns, function(column) cell(part, row, column), 0)

# Whether a number as it stands in a text is `value`, rounded to its digits: decimals, or those before zeros.
is_shown <- function(text, value) {
  text <- gsub(",", "", text)
  decimals <- if (grepl(".", text, fixed = TRUE)) nchar(sub("^[^.]*\\.", "", text)) else 0
  number <- as.numeric(text)
  whole <- nchar(sub("0+$", "", sub("\\..*$", "", text)))
  # A half may be rounded up or down.
  near <- abs(number - value) <= 0.5 * 10^-decimals * (1 + 1e-9)
  near || (decimals == 0 && isTRUE(all.equal(number, signif(value, max(1, whole)))))
}

words <- c(
  one = 1, two = 2, three = 3, four = 4, five = 5, nine = 9, ten = 10, twenty = 20, forty = 40, fifty = 50
)

# A sentence or row of a file, {} where numbers stand, and what they must be. Lines of help are joined.
claim <- function(file, text, ...) {
  lines <- sub("^#' ?", "", readLines(file, encoding = "UTF-8"))
  whole <- gsub("[[:space:]]+", " ", paste(lines, collapse = " "))
  pattern <- gsub("([][(){}.|*+^$\\\\])", "\\\\\\1", gsub("{}", "\001", text, fixed = TRUE))
  pattern <- gsub("\001", "([0-9.,]*[0-9]|[a-z]+)", pattern, fixed = TRUE)
  found <- regmatches(whole, regexec(pattern, whole))[[1]][-1]
  values <- c(...)
  if (length(found) != length(values)) {
    cat(file, ": there is no such text with ", length(values), " numbers: ", text, "\n", sep = "")
    return(FALSE)
  }
  found <- ifelse(found %in% names(words), words[found], found)
  wrong <- !mapply(is_shown, found, values)
  if (any(wrong)) {
    cat(file, ": ", text, "\n  has ", paste(found[wrong], collapse = ", "), " in the place of ",
      paste(signif(values[wrong], 4), collapse = ", "), "\n", sep = "")
  }
  !any(wrong)
}

# README.md has its figures from bench/readme.R: another run of it changes nothing.
readme_is_made <- function() {
  before <- readLines("README.md", encoding = "UTF-8")
  on.exit(writeLines(before, "README.md", useBytes = TRUE))
  source(file.path("bench", "readme.R"), local = new.env())
  same <- identical(readLines("README.md", encoding = "UTF-8"), before)
  if (!same) cat("README.md: its figures are not those of bench/results. Run Rscript bench/readme.R.\n")
  same
}

many <- function(n) {
  methods <- c("the default", "by_kmeans", "by_random")
  as.vector(vapply(methods, function(m) cells_of("many", c(n, m), c("seconds", "trace left")), c(0, 0)))
}

# By how many percent centers of k-means leave more than 5,000 landmarks by the default.
left_more <- function() {
  left <- many("5,000")[c(2, 4)]
  100 * (left[2] / left[1] - 1)
}

# The rows of the table of criteria in ?"gp-criteria": for each the set and n of evidence/criteria.R.
criteria_rows <- list(
  "iris, 25" = list("iris", 25), "Boston housing, 25" = list("Boston", 25),
  "earthquakes, 100" = list("quakes", 100), "Swiss roll, 10" = list("roll", 10),
  "Swiss roll, 25" = list("roll", 25), "18,000 digits of MNIST, 100" = list("MNIST", 100),
  "USPS, 100" = list("USPS", 100), "ORL faces, 25" = list("ORL", 25),
  "20 Newsgroups, 100" = list("newsgroups", 100)
)
are_criteria <- function() {
  cells <- readRDS(file.path("inst", "evidence", "criteria.rds"))$cells
  help <- file.path("R", "method_gp_climb.R")
  trace <- cells[cells$criterion == "trace", ]
  volume <- cells[cells$criterion == "volume", ]
  stopifnot(trace$set == volume$set, trace$n == volume$n)
  most <- all(trace$left < volume$left)
  if (!most) cat(help, ": the trace does not always explain more.\n", sep = "")
  better <- volume$clear %in% TRUE & volume$difference < 0 & volume$set %in% c("Boston", "quakes")
  gain <- -volume$difference / trace$error
  of_rows <- vapply(names(criteria_rows), function(name) {
    of <- criteria_rows[[name]]
    found <- cells[cells$set == of[[1]] & cells$n == of[[2]], ]
    at <- function(column, criteria) found[match(criteria, found$criterion), column]
    all <- intersect(c("trace", "volume", "k-means"), found$criterion)
    shown <- paste(c(rep("{}", length(all)), rep("-", 3 - length(all))), collapse = ", ")
    claim(
      help, sprintf("| %s | {}%%, {}%% | %s | %s |", name, shown, shown),
      100 * at("on", c("trace", "volume")), at("left", all), at("error", all)
    )
  }, NA)
  c(
    of_rows, most,
    claim(help, "On {} data sets with {}, {} and {} landmarks the trace always explained more",
      length(unique(cells$set)), sort(unique(cells$n))),
    claim(help, "earthquakes (by up to {} percent of the error)", 100 * max(gain[better]))
  )
}

# What intervals by 50 landmarks cover: smallest and largest mean over splits, tables, the worst split of one.
covered <- function() {
  units <- readRDS(file.path("inst", "evidence", "tables.rds"))$units
  own <- units[units$model == "landmarks, 50" & is.na(units$classes), ]
  means <- tapply(own$coverage, own$table, mean)
  c(min(means), max(means), length(means), min(own$coverage[own$table == "friedman1 + 100"]))
}

# Whether all that scripts take from inside the package is there. Else a script would fail after an hour.
# Routines in C are named C_ and the name that src/ has.
takes_what_is_there <- function() {
  files <- list.files(c("bench", "evidence", "tools", "vignettes"), "\\.R(md)?$",
    recursive = TRUE, full.names = TRUE)
  there <- c(names(read_package()), paste0("C_", unlist(lapply(read_core(), `[[`, "entries"))))
  missed <- unlist(lapply(files, function(file) {
    lines <- readLines(file, encoding = "UTF-8")
    taken <- unlist(regmatches(lines, gregexpr("(?<=landmarker:::)[A-Za-z_.0-9]+", lines, perl = TRUE)))
    missing <- setdiff(taken, there)
    if (length(missing)) paste0(file, ": landmarker:::", missing)
  }))
  if (length(missed)) cat("not in R/ or src/:", missed, fill = 110)
  length(missed) == 0
}

check <- function() {
  tell_stamps()
  there <- takes_what_is_there()
  gp <- file.path("R", "method_gp.R")
  eigenmap <- cell("climb", "eigenmap of 5,000 landmarks: seconds", 2)
  right <- c(
    readme_is_made(),
    vapply(c("300", "1,000", "2,000", "5,000"), function(n) {
      do.call(claim, c(list(gp, paste("|", n, "| {}, {} | {}, {} | {}, {} |")), many(n)))
    }, NA),
    claim(gp, "centers of k-means leave {} percent more in a third of the time", left_more()),
    claim(file.path("R", "embed_eigenmap.R"), "5,000 landmarks of a Swiss roll take {} seconds", eigenmap),
    claim("NEWS.md", "5,000 landmarks in {} seconds, which take LAPACK", eigenmap),
    claim(file.path("R", "use_predict.R"), paste(
      "intervals of 0.9 covered {} to {} on average on {} tables, and {} in the worst split of a table with",
      "100 useless columns"
    ), covered()),
    are_criteria()
  )
  cat(sum(right), "of", length(right), "texts have the figures of their results.\n")
  if (!there || !all(right)) quit(status = 1)
}

if (identical(commandArgs(TRUE), "check")) check() else cat("Rscript tools/evidence.R check\n")
