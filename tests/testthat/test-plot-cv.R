# Pictures of a comparison.

skip_slow_file()

test_that("plot() draws all measures or some, with the panels, rows and ring of the comparison", {
  for (cv in flower_comparisons()) {
    if (full_run() || cv$n_test) expect_drawn(plot(cv, measure = rev(measure_names[[cv$type]])[1:2]))
    built <- ggplot2::ggplot_build(ggplot2::autoplot(cv))
    expect_identical(nrow(built$layout$layout), length(measure_names[[cv$type]]))
    part <- if (cv$n_test) "test" else "held_out"
    name <- paste0(if (cv$n_test) "test_", cv$measure)
    drawn <- cv_marks(cv, cv$measure, part)
    expect_identical(drawn$rows$y, cv$summary[[name]])
    error <- cv$summary[[paste0(name, "_se")]]
    expect_equal(drawn$rows$high - drawn$rows$y, ifelse(is.na(error), 0, error))
    expect_identical(drawn$ring$y, cv$best[[name]])
    all <- cv_marks(cv, measure_names[[cv$type]], part)
    flat <- all$rows$flat
    layers <- vapply(built$data, nrow, 0L)
    expect_identical(layers[c(2, 3, 5, 6)], c(sum(flat), sum(!flat), sum(!flat), nrow(all$ring)))
  }
  # One number of landmarks, and none.
  for (methods in list(by_kmeans(), raw_features)) {
    one <- of_flowers(iris$Species, n = 4, methods = methods, test = seq(1, 150, 10))
    expect_drawn(plot(one, part = "held_out"))
  }
  expect_refused(ggplot2::autoplot(one, measure = "rmse"), ggplot2::autoplot(one, size = 3))
})
