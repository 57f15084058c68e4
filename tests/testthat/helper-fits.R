# A fit from one seed, the columns that a formula makes of a data frame, and a matrix stored sparsely.
fit_to <- function(...) withr::with_seed(1, landmarks(...))
columns_of <- function(data, formula = ~.) frame_blueprint(formula, data)$x
as_sparse <- function(x) methods::as(x, "CsparseMatrix")
