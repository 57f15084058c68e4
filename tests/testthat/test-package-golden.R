# Structure may change; these numbers may not, unless that is the purpose.

test_that("every selector, kind of data, space and use gives the bits that it gave", {
  skip_on_cran()
  file <- test_path("golden.csv")
  want <- utils::read.csv(
    file, comment.char = "#", colClasses = c("character", "character", "integer", "double")
  )
  cases <- golden_cases()
  # The paths along a graph are those of igraph. Without it all other cases are compared.
  with_igraph <- requireNamespace("igraph", quietly = TRUE)
  # Comparisons of classes and tags are slow, and made of what the other cases are.
  for (some in c(if (!with_igraph) "geodesic", if (!full_run()) "^evaluate (classes|one_vs_rest|tags)")) {
    cases <- cases[!grepl(some, names(cases))]
    want <- want[!grepl(some, want$case), ]
  }
  found <- golden_table(cases)
  expect_identical(found$case, want$case)
  expect_identical(found$numbers, want$numbers)
  if (identical(readLines(file, 1), paste("#", golden_machine()))) {
    expect_identical(found$case[found$hash != want$hash], character())
  } else {
    # On another kind of machine rounding differs, and a step of a climb may take another turn.
    expect_gt(mean(abs(as.double(found$mean) - want$mean) <= 1e-5 * abs(want$mean)), 0.8)
  }
  skip_if_not(with_igraph, "igraph is not installed, and the cases of geodesic distances were left out")
})
