#' @export
by_dpp <- function(neighbors = NULL, update = "welsch", sigma = NULL, covariance = "none", search = "auto") {
  new_method("by_dpp", list(
    neighbors = if (!is.null(neighbors)) check_count(neighbors, "neighbors"),
    update = check_choice(update, c("welsch", "sin2"), "update"),
    sigma = if (!is.null(sigma)) check_number(sigma, "sigma", 0),
    covariance = check_choice(covariance, c("none", "diagonal", "full"), "covariance"),
    search = check_choice(search, c("auto", "tree", "all"), "search")
  ))
}

#' @export
format.by_dpp <- function(x, ...) "diverse rows, by an approximate determinantal process"

select_landmarks.by_dpp <- function(method, source, n, kernel, held, call) {
  rows <- source_rows(source)
  m <- method$neighbors %||% min(max(ceiling(3 * rows / n), 1), rows - 1)
  tree <- switch(method$search, auto = NA, tree = TRUE, all = FALSE)
  found <- .Call(C_dpp, source, held, n, as.integer(m), match(method$update, c("welsch", "sin2")) - 1L,
    method$sigma, tree, compute_with(call))
  selection(rows_as_points(source, found$rows), ordered = TRUE, rows = found$rows, keep = TRUE)
}
