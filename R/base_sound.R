# Data whose parts do not fit each other, as a file that was cut or code that sets attributes makes them. R's
# own functions stop at these, or read beyond their ends.

check_sound <- function(x, arg, call) {
  flaw <- sound_flaw(x)
  if (is.null(flaw)) return(invisible())
  if (is.character(x)) {
    abort_input(c(
      "{.arg {arg}} must have strings of a known encoding.", x = "{flaw}"
    ), arg = arg, kind = "data", call = call)
  }
  maker <- names(sound_makers)[vapply(names(sound_makers), function(class) inherits(x, class), NA)][1]
  abort_input(c(
    "{.arg {arg}} must be a valid {sub('[._]', ' ', maker)}.", x = "{flaw}",
    i = "Make it again with {.fn {sound_makers[[maker]]}}."
  ), arg = arg, kind = if (is.data.frame(x)) "columns" else "data", call = call)
}

sound_makers <- c(factor = "factor", data.frame = "data.frame")

# The first flaw, in words, or NULL. Other objects have none here.
sound_flaw <- function(x) {
  if (is.data.frame(x)) return(frame_flaw(x))
  if (inherits(x, "factor")) return(factor_flaw(x))
  if (is.character(x)) string_flaw(x)
}

# Strings must be of a known encoding: R can neither sort others nor show them.
string_flaw <- function(x) {
  strings <- unique(as.vector(x))
  bad <- strings[!is.na(strings) & (!validEnc(strings) | Encoding(strings) == "bytes")]
  if (length(bad) == 0) return(NULL)
  Encoding(bad) <- "unknown"
  shown <- encodeString(iconv(bad[1], sub = "byte"))
  paste0("A string is in no known encoding: ", shown, ". Convert it by `iconv()`.")
}

factor_flaw <- function(x) {
  levels <- attr(x, "levels")
  if (!is.character(levels)) return("Its levels are not strings.")
  flaw <- string_flaw(levels)
  if (!is.null(flaw)) return(flaw)
  codes <- unclass(x)
  if (!is.integer(codes)) return("Its codes are not whole numbers.")
  reach <- if (length(codes) && !all(is.na(codes))) range(codes, na.rm = TRUE)
  if (!is.null(reach) && (reach[1] < 1 || reach[2] > length(levels))) {
    return(paste0("It has codes from ", reach[1], " to ", reach[2], " and ", length(levels), " levels."))
  }
  NULL
}

frame_flaw <- function(x) {
  if (!is.list(x)) return("It is no list of columns.")
  columns <- unclass(x)
  names <- attr(x, "names")
  if (length(columns) && (!is.character(names) || anyNA(names) || !all(nzchar(names)))) {
    return("A column has no name.")
  }
  rows <- .row_names_info(x, 2L)
  for (i in seq_along(columns)) {
    column <- columns[[i]]
    flaw <- if (is.factor(column)) {
      factor_flaw(column)
    } else if (is.character(column)) {
      string_flaw(column)
    }
    # Of columns of other classes only the length is checked.
    length <- if (is.null(dim(column))) length(column) else dim(column)[1]
    if (!identical(as.double(length), as.double(rows))) {
      flaw <- paste0("It has ", length, " values, and the data frame has ", rows, " rows.")
    }
    if (!is.null(flaw)) return(paste0("Column ", i, " is wrong: ", flaw))
  }
  NULL
}
