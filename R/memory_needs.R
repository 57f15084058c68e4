# How much memory work needs, estimated before it begins. The estimates are of the peak beyond what there was
# before, and within a factor of two of what tools/memory.R measures. Work of less than 100 MB is never
# refused.

check_work <- function(numbers, what, remedy, arg, call, .envir = parent.frame()) {
  bytes <- 8 * numbers
  if (!is.na(bytes) && bytes > 1e8) check_memory(bytes, what, remedy, arg, call, .envir)
}

# ---- a fit: n landmarks by a method, beside `held` ones -------------------------------------------------

check_fit_memory <- function(method, source, n, held, call) {
  check_work(fit_needs(method, source, n, held, call),
    "A fit of {n + held} landmarks in {source$dim[2]} dimensions needs",
    c("Use fewer landmarks.", memory_remedy(method)), "n", call
  )
}

# The numbers (of 8 bytes) of a fit: the selection, then the order; and the nearest rows.
fit_needs <- function(method, source, n, held, call = NULL) {
  chosen <- selection_memory(method, source, n, held)
  if (!is_number(chosen) || chosen < 0) {
    abort_input(c(
      "The {.fn selection_memory} method of a selector must return a number of bytes.",
      x = "It returned {describe(chosen)}."
    ), arg = "method", kind = "selection", call = call)
  }
  rows <- as.double(source$dim[1])
  order <- order_needs(as.double(n) + held, rows, as.double(source$dim[2]), stored_columns(source))
  max(chosen / 8, order) + 2 * rows
}

# order_and_measure(): G and the landmarks' kernel with their copies and factors, and the rows of
# explained_share(). Then find_gaps() has copies of the landmarks.
order_needs <- function(all, rows, columns, each) {
  8 * all^2 + 10 * all * columns + min(rows, explained_rows(all)) * each
}

# Steps on all rows: a range of rows at a time.
check_refine_memory <- function(source, n, call) {
  columns <- as.double(source$dim[2])
  numbers <- max(8 * n^2 + 14 * n * columns, order_needs(n, source$dim[1], columns, stored_columns(source)))
  check_work(numbers, "Steps of {n} landmarks in {source$dim[2]} dimensions need",
    "Refine a fit of fewer landmarks, for example {.code fit[1:{n %/% 2}]}.", "fit", call
  )
}

check_points_memory <- function(source, n, call) {
  numbers <- order_needs(n, source$dim[1], as.double(source$dim[2]), stored_columns(source))
  check_work(numbers, "A fit of {n} points needs", "Give fewer points.", "points", call)
}

# ---- uses of a fit --------------------------------------------------------------------------------------

# The distances, and others beside them for their neighbors.
check_graph_memory <- function(n, call) {
  check_work(1.75 * as.double(n)^2, "The distances of {n} landmarks need",
    "Make the graph of fewer landmarks, for example of {.code fit[1:{n %/% 2}]}.", "fit", call
  )
}

# Whether the edges between all landmarks fit into memory, of which a warning makes its remedy.
are_edges_allowed <- function(n, call) {
  check <- function() check_work(5.75 * as.double(n)^2, "The edges of {n} landmarks need", "", "fit", call)
  tryCatch({
    check()
    TRUE
  }, landmarker_error_memory = function(e) FALSE)
}

# LAPACK on a dense matrix.
check_dense_memory <- function(n, dims, call) {
  check_work(as.double(n) * (n + 2 * dims), "The eigenvectors of {n} landmarks need",
    "Embed fewer landmarks, or fewer {.arg dims} with package {.pkg RSpectra}.", "dims", call
  )
}

# The search for a bandwidth at which n landmarks can be told apart.
check_bandwidth_memory <- function(source, n, call) {
  rows <- min(source_rows(source), max(1000, 2 * n))
  check_work(5 * as.double(rows)^2, "The search for the bandwidth of {n} landmarks needs",
    "Give {.arg bandwidth} as a number, or use fewer landmarks.", "bandwidth", call
  )
}

check_error_memory <- function(n, columns, call) {
  check_work(n * (as.double(n) + 3 * columns), "The kernel of {n} landmarks needs",
    "Give {.arg n} with smaller numbers of landmarks.", "fit", call
  )
}

# The columns of the kernel at the rows that are chosen beside those nearest to landmarks.
check_sketch_memory <- function(source, size, n, call) {
  rows <- as.double(source$dim[1])
  if (!runs_here(source) || size <= n) return(invisible())
  check_work(rows * (size + 4), "A sketch of {size} from {source$dim[1]} rows needs",
    "Use a smaller {.arg size}, or at most {n}, the number of landmarks.", "size", call
  )
}

# Values at new rows: joined from parts they are there twice.
check_values_memory <- function(new, columns, call) {
  rows <- new$dim[1]
  check <- if (in_memory(new)) {
    check_work(as.double(rows) * columns, "The values of {rows} rows need",
      "Predict some of the rows at a time, or give a {.arg sink}, a function(values, rows).", "newdata", call
    )
  } else {
    check_memory(16 * as.double(rows) * columns, "The values of {rows} rows need",
      "Write them block by block, for example with {.code sink = \"values.h5\"}.", "newdata", call
    )
  }
  invisible(check)
}

# variance_left(): the matrices of a block of points, and the sums of the blocks that are added up together,
# beside those of the blocks before.
check_variance_memory <- function(rows, columns, n, call) {
  block <- min(rows, lengths(point_blocks(min(rows, 1024), columns))[1])
  sums <- as.double(n) * (n + block) + block * columns
  at_once <- min(ceiling(rows / block) * sums, max(sums, 2.5e8 / 8))
  check_work(3 * as.double(n)^2 + 2 * as.double(block) * n + 2 * at_once + 4 * as.double(rows),
    "The variances that {n} landmarks leave need",
    "Use fewer landmarks, for example {.code fit[1:{n %/% 2}]}.", "object", call
  )
}

# The `k` rows nearest to each of `n` points, with `values` numbers for each.
check_neighbors_memory <- function(n, k, values, arg, call) {
  check_work(values * as.double(n) * k, "The {k} rows nearest to each of {n} points need",
    "Use a smaller {.arg {arg}}.", arg, call
  )
}

# The rows of a matrix beside what is computed for each, as a data frame.
check_table_memory <- function(data, columns, arg, call) {
  if (!is.matrix(data)) return(invisible())
  check_work(as.double(nrow(data)) * (ncol(data) + columns), "A data frame of {nrow(data)} rows needs",
    "Augment some of the rows at a time.", arg, call
  )
}

# ---- plots ----------------------------------------------------------------------------------------------

# Copies of `rows` of the data, to find their principal axes or the neighbors of a map, for which they are
# made dense.
check_plot_memory <- function(data, rows, map, call) {
  sparse <- methods::is(data, "sparseMatrix")
  each <- if (sparse && !map) 1.5 * Matrix::nnzero(data) / max(1, nrow(data)) else ncol(data)
  check_work(as.double(rows) * (3 * each + 20), "A picture of {rows} rows needs",
    "Draw fewer rows, with a smaller {.arg max_points}.", "max_points", call
  )
}

# The coordinates of rows that are drawn in an embedding, and the cells that they lie in.
check_points_plot_memory <- function(rows, dims, call) {
  check_work(as.double(rows) * (dims + 5), "A picture of {rows} rows needs",
    "Give fewer rows as {.arg data}.", "data", call
  )
}

# ---- other functions ------------------------------------------------------------------------------------

# Centers are dense, also those of sparse rows.
check_codebook_memory <- function(source, size, call) {
  columns <- source$dim[2]
  check_work(10 * as.double(size) * columns + 5 * source$dim[1],
    "{size} codeword{?s} in {columns} dimension{?s} need",
    "Codewords are dense. Use a smaller {.arg size}, or keep fewer columns.", "size", call
  )
}

check_counts_memory <- function(counts, call) {
  if (!is.matrix(counts)) return(invisible())
  check_work(1.5 * as.double(nrow(counts)) * ncol(counts), "The result of {.fn hellinger} needs",
    "Give the counts as a sparse matrix, {.code Matrix::Matrix(counts, sparse = TRUE)}, or in parts.",
    "counts", call
  )
}

# Sparse rows made dense, which takes a copy.
check_dense_rows_memory <- function(x, arg, call) {
  if (!methods::is(x, "sparseMatrix")) return(invisible())
  check_work(2 * as.double(nrow(x)) * ncol(x), "{nrow(x)} rows of {ncol(x)} columns, made dense, need",
    "Give fewer rows or columns at a time.", arg, call
  )
}

check_histogram_memory <- function(rows, columns, call) {
  check_work(4 * as.double(rows) * columns, "Histograms of {rows} groups by {columns} codewords need",
    "Predict some of the groups at a time.", "group", call
  )
}

# The most that a method needs, on each of `workers` processes of this machine. `outputs`: the columns of the
# response.
check_cv_memory <- function(source, methods, n, outputs, workers, call) {
  most <- max(n)
  numbers <- vapply(methods, function(method) cv_needs(method, source, most, outputs), 0)
  check_work(workers * max(numbers), "A comparison with up to {most} landmarks needs",
    if (workers > 1) "Use fewer landmarks, rows or workers." else "Use fewer landmarks or rows.", "n", call
  )
}

# A fit on the rows of a split, copies of these rows, features for all of them, and predictions.
cv_needs <- function(method, source, most, outputs) {
  rows <- as.double(source$dim[1])
  own <- if (inherits(method, "method_with_data")) method$x
  columns <- if (is.null(own)) source$dim[2] else ncol(own)
  sparse <- if (is.null(own)) source$sparse else methods::is(own, "sparseMatrix")
  each <- if (is.null(own)) {
    stored_columns(source)
  } else {
    if (sparse) 1.5 * Matrix::nnzero(own) / rows else columns
  }
  method <- bare_method(method)
  is_fit <- inherits(method, "landmark_method")
  width <- as.double(if (identical(method, raw_features)) columns else most)
  # Functions make sparse rows dense. Slopes of more features than rows are found in the span of the rows.
  dense <- if (is_fit || !sparse) 0 else 2 * columns
  span <- if (width > rows) 4 * rows else 0
  fit <- if (is_fit) fit_needs(method, source, most, 0) else 0
  fit + rows * (3 * each + 4 * width + dense + span + 6 * outputs)
}

# The columns of a data frame, of which model.matrix() makes several copies, and the contrasts of each factor.
# `new`: whether a fit has settled the columns.
check_columns_memory <- function(frame, terms, levels, rows, arg, call, new = FALSE) {
  width <- vapply(names(frame), function(name) {
    as.double(if (name %in% names(levels)) length(levels[[name]]) else NCOL(frame[[name]]))
  }, 0)
  among <- attr(terms, "factors") > 0
  of_term <- apply(among, 2, function(with) prod(width[rownames(among)[with]]))
  columns <- sum(of_term)
  widest <- names(which.max(width))
  term <- colnames(among)[which.max(of_term)]
  check_work(3 * as.double(rows) * columns + 3 * sum(width[names(levels)]^2),
    "The {columns} columns of {.arg {arg}} need",
    if (new) {
      "Give some of the rows at a time."
    } else if (length(levels) && max(width) > 1) {
      c(
        "Column {.field {widest}} has {width[[widest]]} levels, and each becomes a column of 0 and 1.",
        "Leave it out, for example with the formula {.code ~ . - {widest}}, or merge its rare levels."
      )
    } else {
      "Use fewer variables: {.field {term}} has the most columns."
    }, arg, call
  )
}

# ---- files ----------------------------------------------------------------------------------------------

# The bytes of the file and their copy, then the values and theirs. `share`: of the values that are announced,
# the most that the file can hold.
check_idx_memory <- function(head, share, name, call) {
  values <- share * prod(head$dim)
  each <- if (head$what %in% c("float", "double")) 8 else 4
  check_work((values * max(2 * head$size + each, 2 * each)) / 8,
    "The {head$shown} values that the header of {.val {name}} announces need",
    "If this is more than the file should have, its header is wrong: get the file again.", "file", call
  )
}
