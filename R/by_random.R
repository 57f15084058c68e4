#' Random rows as landmarks
#'
#' The baseline that every method has to beat: rows drawn without replacement,
#' each with the same probability (rows of weight 0 are not drawn).
#'
#' @return A method object for `landmarks(method = )`, a list of class `by_random`.
#' @examples
#' set.seed(1)
#' landmarks(sim_circles(300), 10, by_random())
#' @export
by_random <- function() new_method("by_random", list())

#' @export
format.by_random <- function(x, ...) "random rows"

select_landmarks.by_random <- function(method, source, n, kernel, held, call) {
  rows <- draw_rows(source, source$dim[1])
  rows <- rows[sample.int(length(rows), n)]
  selection(project_points(rows_as_points(source, rows), kernel$space, call), ordered = TRUE)
}
