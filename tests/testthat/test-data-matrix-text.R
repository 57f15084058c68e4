# Document-term matrices of other packages are sparse matrices.

set.seed(1)
dense <- matrix(rpois(30 * 12, 0.6), 30, 12, dimnames = list(paste0("d", 1:30), letters[1:12]))
dense[cbind(1:30, rep(1:12, length.out = 30))] <- 2
sparse <- Matrix::Matrix(dense, sparse = TRUE)
at <- which(dense != 0, arr.ind = TRUE)
# As package slam makes it. It need not be loaded.
triplets <- structure(
  list(
    i = at[, 1], j = at[, 2], v = dense[at], nrow = 30L, ncol = 12L,
    dimnames = list(Docs = rownames(dense), Terms = colnames(dense))
  ),
  class = c("DocumentTermMatrix", "simple_triplet_matrix"), weighting = c("term frequency", "tf")
)

expect_same_use <- function(given, sparse) {
  fit <- withr::with_seed(2, landmarks(given, 4))
  expect_true(fit$sparse)
  embedding <- embed_landmarks(fit, dims = 1, neighbors = 2)
  uses <- list(
    hellinger, function(x) coef(withr::with_seed(2, landmarks(x, 4))), function(x) predict(fit, x),
    function(x) nearest_observations(fit, x, 3), function(x) sketch_rows(fit, x, 8),
    function(x) coef(add_landmarks(fit, x, 2)), function(x) augment(fit, x),
    function(x) predict(embedding, x),
    function(x) cv_landmarks(x, rep(1:2, 15), n = 3, methods = "random", folds = 2, seeds = 1)$summary$mse
  )
  for (use in uses) expect_identical(use(given), use(sparse))
}

test_that("the matrices of slam and tm are those of Matrix", {
  expect_same_use(triplets, sparse)
  plain <- replace(unclass(triplets), "dimnames", list(NULL))
  expect_same_use(structure(plain, class = "simple_triplet_matrix"), unname(sparse))
  skip_if_not_installed("slam")
  expect_same_use(slam::as.simple_triplet_matrix(dense), sparse)
})

test_that("a class that contains dgCMatrix, as the dfm of quanteda, is one", {
  methods::setClass("child", contains = "dgCMatrix", slots = c(docvars = "data.frame"), where = environment())
  # As quanteda names its dimensions.
  named <- sparse
  names(dimnames(named)) <- c("docs", "features")
  child <- methods::new("child", named, docvars = data.frame(id = 1:30))
  expect_same_use(child, sparse)
  expect_identical(as.vector(class(hellinger(child))), "dgCMatrix")
  skip_if_not_installed("quanteda")
  expect_same_use(getExportedValue("quanteda", "as.dfm")(sparse), sparse)
})

test_that("terms as rows and broken matrices are refused", {
  with_values <- function(part, values) `[[<-`(triplets, part, value = values)
  terms <- structure(triplets, class = c("TermDocumentMatrix", "simple_triplet_matrix"))
  expect_refused(
    landmarks(terms, 2), landmarks(with_values("v", as.character(triplets$v)), 2),
    landmarks(with_values("v", triplets$v[1:5]), 2)
  )
  far <- with_values("i", replace(triplets$i, 1, 31L))
  expect_error(landmarks(far, 2), "valid object", class = "landmarker_error_data")
  gap <- with_values("v", replace(triplets$v, 3, NA))
  expect_error(landmarks(gap, 2), "missing", class = "landmarker_error_missing")
  expect_identical(as.integer(na.action(landmarks(gap, 2, na.action = na.omit))), unname(at[3, 1]))
  empty <- structure(list(), class = "simple_triplet_matrix")
  expect_error(landmarks(empty, 2), class = "landmarker_error_data")
})
