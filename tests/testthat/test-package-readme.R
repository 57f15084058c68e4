# README.md and the files of benchmarks are in the sources only.
skip_slow_file()

in_sources <- function(...) {
  path <- test_path("..", "..", ...)
  skip_if_not(file.exists(path), "README.md is in the sources only")
  path
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
  ends <- which(readme == "```")
  blocks <- lapply(which(readme == "```r"), function(i) readme[seq(i + 1, ends[ends > i][1] - 1)])
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
  expect_lt(length(readme), 100)
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

test_that("README has markers that bench/readme.R fills, and benchmarks are in the table of parts", {
  readme <- readLines(in_sources("README.md"))
  for (mark in c("^<!-- bench", "^<!-- /bench -->", "^<!-- compare", "^<!-- /compare -->")) {
    expect_length(grep(mark, readme), 1)
  }
  index <- readLines(in_sources("bench", "RESULTS.md"))
  for (file in list.files(in_sources("bench", "results"))) {
    expect_length(grep(paste0("results/", file), index, fixed = TRUE), 1)
  }
})
