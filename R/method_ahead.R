# Which rows a fit will ask for, so that the pass for the moments of data in files can keep them. This is a
# hint: rows that are not kept are read when they are wanted. It draws what the method will draw, and leaves
# R's random stream as it was.

draws_ahead <- function(method, data, n) UseMethod("draws_ahead")

#' @export
draws_ahead.default <- function(method, data, n) NULL
