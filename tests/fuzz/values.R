# Hostile values: list(name = value). A name says in a report what a call was given.

# Vectors of classes whose methods lie or stop.
length.long_liar <- function(x) 2^30
length.short_liar <- function(x) 0L
dim.shape_liar <- function(x) c(60L, 2L)
`[.stopping` <- function(x, ...) stop("theirs")
as.double.stopping <- function(x, ...) stop("theirs")
as.double.short_numbers <- function(x, ...) unclass(x)[1]
as.character.stopping <- function(x, ...) stop("theirs")
format.stopping <- function(x, ...) stop("theirs")
is.na.na_liar <- function(x) TRUE
names.name_liar <- function(x) 1:3
methods::setClass("odd", representation(a = "numeric"))
methods::setClass("odd_number", contains = "numeric")

hostile_values <- function(x, frame, counts, y, made) {
  n <- nrow(x)
  of_class <- function(value, ...) structure(value, class = c(...))
  slots <- function(object, ...) {
    new <- list(...)
    for (slot in names(new)) attr(object, slot) <- new[[slot]]
    object
  }
  huge_name <- strrep("n", 1e5)
  foreign <- "caf\xe9 {x}"
  plain <- list(
    null = NULL, na = NA, na_integer = NA_integer_, na_real = NA_real_, nan = NaN, inf = Inf,
    minus_inf = -Inf,
    true = TRUE, false = FALSE, zero = 0, minus = -1, half = 0.5, one = 1L, two = 2, three = 3:1, max = 1e308,
    min = 1e-308, denormal = 4.9e-324, int_max = .Machine$integer.max, int_more = 2^31, uint_more = 2^32,
    more = 1e10, much_more = 2^53, list_empty = list(), list_one = list(1), list_named = list(a = 1, 2),
    list_nested = list(list(list())), numeric_none = numeric(), integer_none = integer(),
    logical_none = logical(),
    complex = 1i, raw = as.raw(1), pair_list = pairlist(a = 1), thousand = 1:1000
  )
  texts <- list(
    a = "a", empty = "", na_text = NA_character_, gp = "gp", braces = "{x}", code = "{stop('ran')}",
    open = "{",
    cli = "{.arg x}", foreign = foreign, long = huge_name,
    character_none = character(), words = c("a", "b"), folder = tempdir(), null_file = "/dev/null",
    no_folder = "/nonexistent/folder/file"
  )
  code <- list(
    symbol = quote(x), call = quote(x + y), formula = y ~ x, formula_one = ~a, formula_odd = y ~ `{x}` + b,
    sum = sum,
    stops = function(...) stop("theirs"), returns_null = function(...) NULL, returns_nan = function(...) NaN,
    returns_text = function(...) "a", environment = new.env(), expression = expression(x),
    no_arguments = function() 1
  )
  rows <- list(
    m00 = matrix(0, 0, 0), m02 = matrix(0, 0, 2), m20 = matrix(0, 2, 0), m11 = matrix(0, 1, 1),
    text_matrix = matrix("a", 2, 2), list_matrix = matrix(list(1, 2), 2, 2), equal = matrix(1, n, 2),
    m1e308 = matrix(1e308, n, 2), x1e300 = x * 1e300, x1e_300 = x * 1e-300, x1e_160 = x * 1e-160,
    shifted = x + 1e15, one_row = x[1, , drop = FALSE], one_column = x[, 1, drop = FALSE], column = x[, 1],
    with_na = replace(x, 5, NA), with_inf = replace(x, 5, Inf), with_nan = replace(x, 5, NaN),
    integers = round(x * 10),
    flags = x > 0, three_columns = cbind(x, 1), transposed = t(x), half_rows = x[seq_len(n / 2), ],
    named = `colnames<-`(x, c("a", "{b}")), foreign_names = `colnames<-`(x, c(foreign, huge_name)),
    same_names = `colnames<-`(x, c("a", "a")), na_names = `colnames<-`(x, c(NA, "")),
    array3 = array(0, c(2, 2, 2)),
    array1 = array(1, n), complex_matrix = x + 1i, raw_matrix = matrix(as.raw(1), n, 2),
    classed_matrix = of_class(x, "mine"),
    table = table(y, y), time_series = stats::ts(x)
  )
  tables <- list(
    frame_of_x = as.data.frame(x), frame = frame, frame_rows = frame[0, ], frame_columns = frame[, 0],
    frame_none = data.frame(), iris = iris, na_columns = stats::setNames(frame, c(NA, "", "a", "a")),
    lists = data.frame(a = 1:n, b = I(as.list(seq_len(n)))),
    times = data.frame(a = rep(Sys.time(), n), b = 1), dates = data.frame(a = rep(Sys.Date(), n), b = x[, 1]),
    matrices = data.frame(a = 1:n, b = I(x)), frame_na = data.frame(a = NA, b = rep(NA_character_, n)),
    frame_huge = data.frame(a = 1e308 * x[, 1], f = y),
    strings = data.frame(a = as.character(seq_len(n)), b = foreign),
    tibble = of_class(frame, "tbl_df", "tbl", "data.frame")
  )
  sparse <- list(
    counts = counts, counts_rows = counts[0, ], counts_turned = Matrix::t(counts),
    counts_triplets = methods::as(counts, "TsparseMatrix"), counts_flags = counts > 0,
    counts_na = slots(counts, x = replace(counts@x, 1, NA)), dense_matrix = methods::as(x, "unpackedMatrix"),
    diagonal = Matrix::Diagonal(n), index_high = slots(counts, i = replace(counts@i, 3, 2147483647L)),
    index_low = slots(counts, i = replace(counts@i, 3, -5L)), index_order = slots(counts, i = rev(counts@i)),
    pointers = slots(counts, p = replace(counts@p, 2, 1000000L)),
    pointers_short = slots(counts, p = counts@p[1:3]),
    values_short = slots(counts, x = counts@x[1:3]), values_text = slots(counts, x = "a"),
    dim_high = slots(counts, Dim = c(1000000L, 1000000L)), dim_long = slots(counts, Dim = 1:3),
    dim_minus = slots(counts, Dim = c(-1L, 20L)), dimnames = slots(counts, Dimnames = list(NULL, "a")),
    sparse_vector = methods::as(counts[, 1], "sparseVector"),
    slam = of_class(list(i = 1:2, j = 1:5, v = 1, nrow = -1, ncol = "a"), "simple_triplet_matrix"),
    slam_bare = of_class(list(), "simple_triplet_matrix"), odd = methods::new("odd", a = 1),
    odd_number = methods::new("odd_number", x[, 1])
  )
  vectors <- list(
    y = y, y_text = as.character(y), ones = rep(1, n), zeros = rep(0, n), na_rows = rep(NA_real_, n),
    huge_rows = rep(1e308, n), tiny_rows = rep(4.9e-324, n), rows = seq_len(n), minus_rows = -seq_len(n),
    all_na_factor = factor(rep(NA, n)), factor_na = factor(c("a", NA)), factor_none = factor(character()),
    one_level = factor(rep("a", n)), date = Sys.Date(), time = Sys.time(),
    lt = as.POSIXlt(Sys.time()), lt_rows = as.POSIXlt(rep(Sys.time(), n)),
    difference = as.difftime(1, units = "secs"),
    version = numeric_version("1.0"), sequence = 1:2^31, longer = seq_len(2^33), sequence_half = 1:(2^31 - 1),
    long_liar = of_class(1, "long_liar"), short_liar = of_class(x[, 1], "short_liar"),
    shape_liar = of_class(1, "shape_liar"), stopping = of_class(x[, 1], "stopping"),
    stopping_one = of_class(1, "stopping"),
    short_numbers = of_class(x[, 1], "short_numbers"), short_rows = of_class(x, "short_numbers"),
    na_liar = of_class(2, "na_liar"), name_liar = of_class(list(1), "name_liar")
  )
  bare <- c(
    "landmarks", "landmark_embedding", "landmark_graph", "cv_landmarks", "codebook", "tagging_scores",
    "chunked", "method_with_data", "landmark_method", "cluster"
  )
  classes <- stats::setNames(lapply(bare, function(class) of_class(list(), class)), paste0("bare_", bare))
  classes$bare_number <- of_class(1, "landmarks")
  classes$bare_method <- of_class(list(a = 1), "by_gp", "landmark_method")
  classes$by_gp <- by_gp()
  classes$by_random <- by_random()
  c(plain, texts, code, rows, tables, sparse, vectors, classes, made)
}
