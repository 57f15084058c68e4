#' Neighborhood graph of landmarks
#'
#' Landmarks are the vertices; two are joined where one is among the nearest
#' neighbors of the other. [embed_landmarks()] embeds the graph, and graph packages find geodesic
#' distances, communities and spanning trees in it.
#'
#' Landmarks are the vertices. Landmarks \eqn{i} and \eqn{j} are joined if \eqn{j} is among the `neighbors`
#' nearest of \eqn{i}, or \eqn{i} is among those of \eqn{j}. If several landmarks are as far as the last of
#' these, all of them are joined. Nearness is measured by \eqn{D_{ij}}{D_ij}. For `distance = "euclidean"` it
#' is
#' \deqn{D_{ij} = \|t_i - t_j\|^2}{D_ij = ||t_i - t_j||^2}
#' of the landmarks' coordinates \eqn{t_i} and \eqn{t_j}, after the fit's `scale`. For `"bhattacharyya"` it
#' is (Wachinger and Golland, 2015, eq. 7)
#' \deqn{D_{ij} = \frac18 (t_i - t_j)^\top C^{-1} (t_i - t_j) +
#'   \frac12 \ln \frac{|C|}{\sqrt{|C_i| |C_j|}}, \quad C = \frac{C_i + C_j}{2}}{
#'   D_ij = (1/8) (t_i - t_j)' C^-1 (t_i - t_j) + (1/2) ln( |C| / sqrt(|C_i| |C_j|) ), C = (C_i + C_j) / 2}
#' with the local covariances \eqn{C_i}, which describe how the data lie around each landmark. With them,
#' landmarks on two neighboring sheets of a folded surface are far from each other. An example is a Swiss
#' roll of N = 4,000 points with 150 random rows as landmarks and 8 neighbors each. One edge in eight leads
#' from sheet to sheet by Euclidean distance, one in fifty by `covariance = "diagonal"`, none by `"full"`.
#' For \eqn{C_i = C_j = s^2 I} the distance is \eqn{\|t_i - t_j\|^2 / (8 s^2)}{||t_i - t_j||^2 / (8 s^2)}.
#'
#' Local covariances are those that the fit brings (`fit$covariance`), where it has
#' them and `x` is not given; then `covariance` and `covariance_rows` have no effect. Else
#' they are those of the rows of `x` nearest to each landmark (of rows that tie those that come
#' first), as [cov()] gives them, every row counting alike. All of them get a ridge,
#' \eqn{C_i + \mathrm{ridge} \cdot \bar v I}{C_i + ridge * v I}, \eqn{\bar v}{v} the
#' mean of the variances over all landmarks and columns: neighborhoods on a plane, of
#' few rows or with a constant column would have no inverse.
#'
#' Time is proportional to n^2 d for n landmarks in d dimensions, for full covariances to n^2 d^3 / 6. Memory
#' is proportional to n^2, for full covariances also to n d^2. 2,500 landmarks take seconds.
#'
#' @param fit An object of class `landmarks`, of at least two landmarks.
#' @param x Data with the columns that the fit was learned from, or NULL, the default. For
#'   `distance = "bhattacharyya"` the rows around each landmark make its covariance; then `x` must be given,
#'   unless the fit brings covariances (by `by_dpp(covariance = )`). For any distance, edges are compared
#'   with the rows of `x` to find shortcuts.
#' @param neighbors How many neighbors each landmark is joined to at the least, a whole number below that of
#'   landmarks. NULL, the default, is the natural logarithm of the number of landmarks, rounded, and at
#'   least 3: 5 for 200 landmarks, 8 for 2,000. A number in proportion to the logarithm connects a random
#'   sample of a manifold, and more neighbors reach farther. Where so many make shortcuts (see the section
#'   on them), fewer are taken, if 3 or more make none and leave the graph in no more connected components.
#' @param distance `"euclidean"` or `"bhattacharyya"`. By default the latter for a fit that brings
#'   covariances, which are there for it, else the former. Where sheets of the data come as close as
#'   landmarks are to each other, Euclidean neighbors are on both, and the graph has shortcuts.
#' @param edge_weights `"heat"`, the default: an edge weighs
#'   \eqn{\exp(-D_{ij} / (2 \sigma^2))}{exp(-D_ij / (2 sigma^2))}; or `"binary"`: 1.
#' @param sigma For `"heat"`: a number above 0, in units of \eqn{\sqrt{D}}{sqrt(D)}. NULL, the default, is
#'   half of the larger of two: the median over landmarks of \eqn{\sqrt{D}}{sqrt(D)} to the `neighbors`-th
#'   nearest, so that a typical farthest neighbor weighs \eqn{e^{-2}}{e^-2}, 0.14; and the largest
#'   \eqn{\sqrt{D}}{sqrt(D)} to the nearest, so that each landmark has a neighbor that weighs that much.
#'   Where landmarks are dense in one place and far apart in another no one sigma suits both: try
#'   `edge_weights = "binary"`, or `"bhattacharyya"`. (Where one landmark makes it more than five times the
#'   first of the two there is a warning.)
#' @param covariance Covariances made of `x`: `"diagonal"`, the default, has the
#'   variances alone and suits many columns; `"full"` knows the directions that the
#'   data lie along, and is for few (some tens at most).
#' @param ridge What is added to the diagonal of local covariances, as a multiple of the mean of all their
#'   variances: a number of at least 0. The default, 0.001, is 3% of the
#'   average standard deviation: below what noise and curvature leave across a
#'   neighborhood, and enough to keep the digits of an inverse.
#' @param covariance_rows How many rows make a covariance, from 2 to the N rows of `x`.
#'   NULL, the default, is 3 N / n, but at least 10, for full covariances at least
#'   d + 1, and at the most N: each row belongs to the neighborhoods of about three
#'   landmarks.
#' @return An object of class `landmark_graph`, a plain list that `saveRDS()` keeps whole.
#'   [embed_landmarks()] and `print()` know it. Its parts:
#'   * `weights`: the edges, a sparse symmetric matrix of package Matrix (class `dsCMatrix`), n x n, of
#'     weights in (0, 1], with rows and columns `L1`, `L2`, ... and a diagonal of 0.
#'     `igraph::graph_from_adjacency_matrix(graph$weights, mode = "undirected", weighted = TRUE)` makes an
#'     igraph of it. A large weight means that two landmarks are near each other.
#'   * `components`: the number of the connected component that each landmark belongs to, from 1.
#'   * `shortcuts`: the edges that are shortcuts, an integer matrix with columns `low` and `high`, the
#'     numbers of the two landmarks.
#'   * `distance`, `edge_weights`, `sigma` (NA for binary weights) and `neighbors`: what the graph was made
#'     by.
#'   * `reach`: \eqn{D} from each landmark to the last of its `neighbors` nearest.
#'   * `covariance`: NULL for Euclidean distances, or the local covariances with their ridge. Unlike those
#'     of a fit they are in units of the kernel: of data that `scale` has divided.
#'   * `fit`: the fit that was given.
#' @section Shortcuts:
#' An edge from one sheet of a folded manifold to another is a shortcut, and with some of them no embedding
#' unrolls the sheets. An edge is a shortcut where two things hold. It leads across a gap in the data: the
#' third nearest row of its middle is farther away than rows are from each other (the `spacing` of the fit),
#' and than a quarter of the edge's length. And the way round, by edges that are no shortcuts, is at least 5
#' times as long as the edge. An edge that is the only way between two parts of the graph is no shortcut.
#'
#' A fit knows the gaps between each landmark and its `3 log(n)` nearest. Give `x` to have all edges
#' compared with the data, also those to landmarks farther away, which are otherwise left aside. Each row of
#' `x` counts, and of more than 5,000 rows a sample. A gap narrower than rows are from each other cannot be
#' told. On Swiss rolls of 1,000 to 20,000 points with 50 to 400 landmarks and little noise there was a
#' warning for 100 of 107 embeddings whose first coordinate did not follow the roll. With noise of a twelfth
#' and an eighth of what the sheets are apart (its standard deviation) there was one for 47 of 59 and for 43
#' of 80.
#'
#' @section Errors and warnings:
#' * `landmarker_error_input`: an argument breaks its rule, `neighbors` of more than
#'   there are other landmarks, say.
#' * `landmarker_error_graph`: there is one landmark only; two coincide, and would be
#'   the same vertex; or one has no neighbor, all its weights being 0 by underflow.
#' * `landmarker_error_covariance`: all local covariances are 0; one has no inverse
#'   with `ridge = 0`; or those of the fit are no covariances.
#' * `landmarker_error_data`: `x` is needed and not given, or has a single row.
#' * `landmarker_warning_shortcuts`: some edges are shortcuts. It says how many, and how many neighbors
#'   make none.
#' * `landmarker_warning_graph`: the graph has several connected components. It says how large they
#'   are, and the smallest `neighbors` that connects them.
#' @references C. Wachinger and P. Golland (2015). Diverse landmark sampling from
#'   determinantal point processes for scalable manifold learning. arXiv:1503.03506.
#' @examples
#' set.seed(1)
#' x <- sim_fish_bowl(1000)
#' fit <- landmarks(x, 60, bandwidth = 0.5)
#' graph <- landmark_graph(fit, neighbors = 5)
#' graph
#' head(Matrix::summary(graph$weights))
#' # How many neighbors landmarks have.
#' summary(Matrix::rowSums(graph$weights > 0))
#' # The graph is embedded as often as you like.
#' coef(embed_landmarks(graph, dims = 2))[1:3, ]
#' coef(embed_landmarks(graph, dims = 2, alpha = 1))[1:3, ]
#' # By how the data lie around each landmark.
#' landmark_graph(fit, x, 5, "bhattacharyya", covariance = "full")
#' @export
landmark_graph <- function(fit, x = NULL, neighbors = NULL,
                           distance = if (is.null(fit$covariance)) "euclidean" else "bhattacharyya",
                           edge_weights = "heat", sigma = NULL, covariance = "diagonal", ridge = 0.001,
                           covariance_rows = NULL) {
  check_fit(fit)
  call <- rlang::current_env()
  n <- check_vertices(fit, call)
  if (!is.null(neighbors)) neighbors <- check_count(neighbors, "neighbors", max = n - 1L)
  distance <- check_choice(distance, c("euclidean", "bhattacharyya"), "distance")
  edge_weights <- check_choice(edge_weights, c("heat", "binary"), "edge_weights")
  check_heat(sigma, edge_weights, call)
  # Checked also where they have no effect: a slip there is still a slip.
  covariance <- check_choice(covariance, c("diagonal", "full"), "covariance")
  ridge <- check_number(ridge, "ridge", 0, closed = TRUE)

  source <- if (!is.null(x)) new_source(fit_data(fit, x, "x", call), fit$center, fit$factor, "x", call)
  how <- compute_with(call)
  spread <- if (distance == "bhattacharyya") {
    add_ridge(graph_covariance(fit, source, covariance, covariance_rows, call), ridge, call)
  }
  squared <- landmark_distances(fit$landmarks, fit$center, fit$factor, spread, call)
  near <- nearest_landmarks(squared, neighbors %||% most_neighbors(n), how, with_ties = TRUE)
  check_distances(near, distance, call)
  edges_of <- once_each(function(k) find_edges(near, k, edge_weights, sigma, how))
  is_shortcut <- shortcut_finder(fit, source, call)
  shortcuts_of <- once_each(function(k) is_shortcut(edges_of(k)$low, edges_of(k)$high))
  neighbors <- neighbors %||% default_neighbors(n, edges_of, shortcuts_of, how)
  edges <- edges_of(neighbors)
  check_isolated(edges, n, call)
  if (edge_weights == "heat" && is.null(sigma)) warn_far(near, neighbors, edges$sigma, how, call)
  components <- components_of(edges, n, how)
  if (max(components) > 1) {
    all <- nearest_landmarks(squared, n - 1L, how)
    by_all <- function(k) find_edges(all, k, edge_weights, sigma, how)
    warn_components(components, neighbors, by_all, how, call)
  }
  warn_shortcuts(n, neighbors, edges_of, shortcuts_of, how, call)
  names <- landmark_names(fit)
  crossing <- shortcuts_of(neighbors)
  structure(
    list(
      weights = Matrix::sparseMatrix(edges$low, edges$high,
        x = edges$weight, dims = c(n, n), dimnames = list(names, names), symmetric = TRUE
      ),
      components = components, shortcuts = cbind(low = edges$low[crossing], high = edges$high[crossing]),
      distance = distance, edge_weights = edge_weights, sigma = edges$sigma, neighbors = neighbors,
      reach = near$distance[neighbors, ], covariance = spread, fit = fit
    ),
    class = "landmark_graph"
  )
}

#' @export
print.landmark_graph <- function(x, ...) {
  check_graph(x, "x", rlang::current_env())
  cat("A graph of ", format(nrow(x$weights), big.mark = ","), " landmarks of ",
    format(x$fit$n_rows, big.mark = ","), " observations\n", sep = "")
  print_graph(x)
  invisible(x)
}

# The lines of a graph, also of one that is embedded.
print_graph <- function(graph) {
  print_line("graph", format(count_edges(graph), big.mark = ","), " edges, ", graph$neighbors,
    " neighbors each at the least, by ", graph$distance, " distance",
    if (!is.null(graph$covariance)) paste0(", ", covariance_kind(graph$covariance), " covariances")
  )
  heat <- graph$edge_weights == "heat"
  print_line("weights", graph$edge_weights, if (heat) paste0(", sigma ", format(signif(graph$sigma, 4))))
  sizes <- component_sizes(graph$components)
  if (length(sizes) > 1) {
    print_line("parts", length(sizes), " components, of ", shown_sizes(sizes), " landmarks")
  }
  if (nrow(graph$shortcuts)) print_line("shortcuts", nrow(graph$shortcuts), " of the edges")
}

print_line <- function(label, ...) cat("  ", formatC(label, width = -10), ..., "\n", sep = "")

count_edges <- function(graph) sum(Matrix::triu(graph$weights) > 0)

# `source`: the data, or NULL.
graph_covariance <- function(fit, source, kind, covariance_rows, call) {
  if (is.null(source) && !is.null(fit$covariance)) return(fit_covariance(fit, call))
  if (is.null(source)) {
    abort_input(c(
      "{.code distance = \"bhattacharyya\"} needs {.arg x}, or a fit by {.code by_dpp(covariance = )}.",
      i = "Give the data that the landmarks were learned from: the rows around each make its covariance."
    ), arg = "x", kind = "data", call = call)
  }
  local_covariances(fit, source, covariance_rows, kind, call)
}
