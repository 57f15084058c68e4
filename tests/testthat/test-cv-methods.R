# Which methods learn once for several numbers of landmarks.

skip_slow_file()

test_that("a method whose prefixes are its shorter fits learns once, others once for each n", {
  ways <- list(by_active(), by_random(), by_kmeans(max_iterations = 0), by_gp("sequential"), raw_features)
  for (method in ways) {
    expect_true(cv_prefixes(method))
  }
  for (method in list(by_gp(), by_kmeans(), by_gp(criterion = "trace"), function(x, n) NULL)) expect_false(
    cv_prefixes(method)
  )
  tasks <- cv_tasks(c(a = TRUE, g = FALSE), c(5L, 10L), 2, 1)
  expect_identical(lapply(tasks, `[[`, "n"), rep(list(c(5L, 10L), 5L, 10L), 2))
  # And the prefix is the shorter fit: the same rows chosen first.
  both <- few(methods = list(a = by_active()), n = c(5, 10))
  short <- few(methods = list(a = function(x, n) {
    set_seed((base_of(1) + 7919 * fold_of(x) + 104729 * 10) %% .Machine$integer.max)
    landmarks(x, n, by_active())
  }), n = 5, refit = FALSE)
  expect_equal(both$summary$accuracy[1], short$summary$accuracy)
})
