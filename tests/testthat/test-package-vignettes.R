# The sources of the vignettes, and the functions that check their pages (tools/vignettes.R).

top <- normalizePath(file.path(testthat::test_path(), "..", ".."), mustWork = FALSE)
script <- file.path(top, "tools", "vignettes.R")
tools <- new.env()
if (file.exists(script)) sys.source(script, tools)

test_that("every picture of the vignettes has a caption and an alt text, and lines are short", {
  skip_if_not(file.exists(script), "outside the repository")
  expect_identical(tools$check_sources(file.path(top, "vignettes")), character())
})

test_that("a chunk that draws without a caption is found, also a wide line and a missing vignette", {
  skip_if_not(file.exists(script), "outside the repository")
  folder <- withr::local_tempdir()
  writeLines(c(
    "---", "    mathjax: null", "    pandoc_args: --mathml", "---",
    "```{r a, fig.alt = \"x\"}", "plot(1)", "```",
    "```{r b}", paste0("x <- \"", strrep("a", 90), "\""), "```", "See `vignette(\"nowhere\")`.",
    "```{r c, eval = FALSE}", "plot(1)", "```", "```{r d}", "# plot(1)", "f <- function() plot(1)", "```"
  ), file.path(folder, "page.Rmd"))
  found <- tools$check_sources(folder)
  expect_length(found, 3)
  expect_match(found[1], "page.Rmd:5: this chunk draws, and has no fig.cap")
  expect_match(found[2], "page.Rmd:9: this line of code")
  expect_match(found[3], "page.Rmd:11: there is no vignette nowhere")
})

test_that("a page is checked for alt texts, wide lines, broken links, formulas and warnings", {
  skip_if_not(file.exists(script), "outside the repository")
  good <- paste0(
    "<a href=\"#a\">a</a><h2 id=\"a\"></h2><img src=\"data:x\" alt=\"text\" />",
    "<pre><code>", strrep("x", 95), "\n", strrep("&lt;", 95), "</code></pre><math></math>"
  )
  expect_identical(tools$check_page(good, "p"), character())
  bad <- c(
    "pictures without an alt" = "<img src=\"data:x\" alt=\"\" />",
    "pictures without an alt" = "<img src=\"data:x\" />",
    "a line of 96" = paste0("<pre>", strrep("x", 96), "</pre>"),
    "which is not there" = "<a href=\"#b\">b</a>",
    "a link to the file" = "<a href=\"other.html\">b</a>",
    "a script of MathJax" = "<script src=\"https://x/MathJax.js\"></script>",
    "did not parse" = "<span class=\"math inline\">\\(x\\)</span>",
    "1 warnings" = "<pre>#&gt; Warning: x</pre>"
  )
  for (k in seq_along(bad)) expect_match(tools$check_page(bad[k], "p"), names(bad)[k])
  expect_identical(tools$check_page(bad[8], "p", warns = 1), character())
})
