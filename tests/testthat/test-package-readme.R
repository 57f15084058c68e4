# README.md and the files of benchmarks are in the sources only.
skip_slow_file()

in_sources <- function(...) {
  path <- test_path("..", "..", ...)
  skip_if_not(file.exists(path), "README.md is in the sources only")
  path
}

# The blocks of R code of a file, each a list of commands with the lines that are said to be printed.
code_blocks <- function(lines) {
  from <- which(lines == "```r")
  ends <- which(lines == "```")
  lapply(from, function(i) lines[seq(i + 1, ends[ends > i][1] - 1)])
}

# What a block prints, as the block itself would have it: each command, then its lines after "#> ".
run_block <- function(block, env) {
  out <- character()
  commands <- parse(text = block, keep.source = TRUE)
  for (i in seq_along(commands)) {
    out <- c(out, as.character(attr(commands, "srcref")[[i]]))
    printed <- capture.output({
      value <- withVisible(eval(commands[[i]], env))
      if (value$visible) print(value$value)
    })
    out <- c(out, if (length(printed)) paste("#>", printed))
  }
  out
}

test_that("README's code runs and prints what README says", {
  skip_unless_full()
  readme <- readLines(in_sources("README.md"), encoding = "UTF-8")
  blocks <- code_blocks(readme)
  expect_gt(length(blocks), 0)
  withr::local_options(width = 80, landmarker.threads = 2, landmarker.progress = FALSE)
  withr::local_preserve_seed()
  env <- new.env(parent = globalenv())
  for (block in blocks) {
    block <- block[!startsWith(block, "# ")]
    on_device(expect_identical(run_block(block, env), block))
  }
})

test_that("README names functions, vignettes and files that exist", {
  path <- in_sources("README.md")
  readme <- readLines(path, encoding = "UTF-8")
  expect_lt(length(readme), 120)
  all_of <- function(pattern) unique(unlist(regmatches(readme, gregexpr(pattern, readme, perl = TRUE))))
  methods <- all_of("\\bby_[a-z_]+(?=\\()")
  expect_gt(length(methods), 4)
  expect_true(all(methods %in% getNamespaceExports("landmarker")))
  vignettes <- all_of("(?<=vignette\\(\")[a-z-]+")
  vignettes <- file.path(dirname(path), "vignettes", paste0(vignettes, ".Rmd"))
  expect_identical(vignettes[!file.exists(vignettes)], character())
  files <- all_of("(?<=\\]\\()[^):]+(?=\\))")
  expect_identical(files[!file.exists(file.path(dirname(path), files))], character())
})

test_that("README has two pairs of markers, which bench/readme.R fills", {
  readme <- readLines(in_sources("README.md"))
  for (name in c("bench", "compare")) {
    from <- grep(sprintf("^<!-- %s", name), readme)
    to <- grep(sprintf("^<!-- /%s -->", name), readme)
    expect_length(from, 1)
    expect_length(to, 1)
    expect_gt(to, from + 1)
  }
})

test_that("each file of benchmarks is short and is in the table of parts", {
  index <- readLines(in_sources("bench", "RESULTS.md"))
  files <- list.files(in_sources("bench", "results"), full.names = TRUE)
  expect_gt(length(files), 0)
  for (file in files) {
    expect_lt(length(readLines(file)), 400)
    expect_length(grep(paste0("results/", basename(file)), index, fixed = TRUE), 1)
  }
})
