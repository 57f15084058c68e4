# Pictures of a comparison.

skip_slow_file()

of <- of_flowers
cvs <- flower_comparisons()

test_that("plot() draws all measures, some, or one", {
  for (cv in cvs) {
    expect_drawn(plot(cv))
    expect_drawn(plot(cv, measure = cv$measure))
    expect_drawn(plot(cv, measure = rev(measure_names[[cv$type]])[1:2]))
  }
  expect_drawn(plot(cvs$classes, part = "held_out"))
  expect_drawn(plot(of(iris$Species, n = 4, methods = by_kmeans())))
  expect_drawn(plot(of(iris$Species, n = 4, methods = raw_features)))
})

test_that("a picture has the panels, rows and ring of the comparison", {
  for (cv in cvs) {
    picture <- ggplot2::autoplot(cv)
    built <- ggplot2::ggplot_build(picture)
    expect_identical(nrow(built$layout$layout), length(measure_names[[cv$type]]))
    part <- if (cv$n_test) "test" else "held_out"
    drawn <- cv_marks(cv, cv$measure, part)
    means <- cv$summary[[paste0(if (cv$n_test) "test_", cv$measure)]]
    expect_identical(drawn$rows$y, means)
    expect_identical(drawn$ring$y, cv$best[[paste0(if (cv$n_test) "test_", cv$measure)]])
    all <- cv_marks(cv, measure_names[[cv$type]], part)
    flat <- all$rows$flat
    layers <- vapply(built$data, nrow, 0L)
    expect_identical(layers[c(2, 3, 5, 6)], c(sum(flat), sum(!flat), sum(!flat), nrow(all$ring)))
  }
  expect_s3_class(ggplot2::autoplot(cvs$number, measure = "mse"), "ggplot")
  expect_silent(on_device(print(ggplot2::autoplot(of(iris$Species, n = 4, methods = by_kmeans())))))
  expect_refused(ggplot2::autoplot(cvs$number, measure = "auc"), ggplot2::autoplot(cvs$number, size = 3))
})
