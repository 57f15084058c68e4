# Names of columns in formulas, in every locale.
#
# R keeps the names in code in the encoding of the session. Where that lacks a letter, as in the locale C, R
# writes `f<U+00E4>` for the name of an a with two dots, and such a name no longer equals that of the column.
# So the terms of a fit have this form in every locale, and so have the columns while a formula is evaluated.
# All other names, such as those in messages, have the letters themselves, in UTF-8.

# Strings with each letter outside ASCII as <U+XXXX>, and back.
plain_names <- function(x) {
  some <- which(is_foreign(x))
  x[some] <- vapply(x[some], function(s) {
    code <- utf8ToInt(enc2utf8(s))
    letters <- sprintf(ifelse(code > 0xffff, "<U+%08X>", "<U+%04X>"), code)
    letters[code < 128] <- vapply(code[code < 128], intToUtf8, "")
    paste(letters, collapse = "")
  }, "")
  x
}

shown_names <- function(x) {
  x[is_foreign(x)] <- enc2utf8(x[is_foreign(x)])
  some <- grep("<U+", x, fixed = TRUE)
  for (i in some) {
    found <- gregexpr("<U\\+[0-9A-F]{4,8}>", x[i])
    regmatches(x[i], found) <- list(vapply(regmatches(x[i], found)[[1]], function(letter) {
      out <- intToUtf8(strtoi(gsub("[^0-9A-F]", "", sub("U", "", letter)), 16L))
      # No letter has this number.
      if (is.na(out)) letter else out
    }, ""))
  }
  x
}

# Whether strings have letters outside ASCII.
is_foreign <- function(x) {
  known <- !is.na(x) & Encoding(x) != "bytes"
  known[known] <- Encoding(enc2utf8(x[known])) != "unknown"
  known
}

# Code whose names of variables, not of functions, are changed by `change`, such as the functions above.
in_code <- function(code, change) {
  if (is.name(code)) {
    name <- as.character(code)
    if (!nzchar(name) || identical(change(name), name)) return(code)
    # R warns where the locale lacks a letter.
    return(suppressWarnings(as.name(change(name))))
  }
  if (!is.call(code)) return(code)
  # An argument that is left out, as in x[, 1], is "".
  for (i in which(nzchar(as.character(code)))) {
    if (is.call(code[[i]]) || i > 1 && is.name(code[[i]])) code[[i]] <- in_code(code[[i]], change)
  }
  code
}

# The terms of the same formula in plain names, with what poly() or scale() have learned from the data.
plain_terms <- function(terms) {
  if (!any(is_foreign(all.names(terms)))) return(terms)
  out <- stats::terms(in_code(stats::formula(terms), plain_names))
  attr(out, ".Environment") <- attr(terms, ".Environment")
  attr(out, "predvars") <- in_code(attr(terms, "predvars"), plain_names)
  classes <- attr(terms, "dataClasses")
  if (!is.null(classes)) attr(out, "dataClasses") <- stats::setNames(classes, plain_names(names(classes)))
  out
}

# The names of the variables of terms, as a model frame has them; with the columns of `data`, as these are
# called there.
variables_of <- function(terms, data = NULL) {
  names_in(data, vapply(as.list(attr(terms, "variables"))[-1], deparse1, ""))
}

# Plain names as the columns of `data` have them, and with their letters where there is no such column.
names_in <- function(data, plain) {
  if (is.null(data)) return(shown_names(plain))
  at <- match(plain, plain_names(names(data)))
  ifelse(is.na(at), shown_names(plain), names(data)[at])
}

# Names of columns without backticks: model.matrix() writes names that are not syntactic between them, with a
# backslash before special characters.
without_backticks <- function(names) {
  quoted <- gregexpr("`(?:[^`\\\\]|\\\\.)*`", names, perl = TRUE)
  regmatches(names, quoted) <- lapply(regmatches(names, quoted), function(name) {
    gsub("\\\\(.)", "\\1", substr(name, 2, nchar(name) - 1))
  })
  names
}
