# Data frames and formulas: a numeric matrix, and a blueprint that reproduces its columns from new data.

# list(x, blueprint, omitted): the matrix, the blueprint, and the rows that `na.action` has left out, or NULL.
# `response`: whether the formula may have a left-hand side, which gives no column. `also`: a function of the
# number of rows that returns the numbers of further rows to leave out. `rows`: how many rows all data have.
frame_blueprint <- function(formula, data, call = rlang::caller_env(), arg = rlang::caller_arg(data),
                            response = FALSE, na.action = "na.fail", rows = nrow(data),
                            also = function(rows) integer()) {
  check_frame(data, arg, call)
  if (length(formula) == 3 && !response) {
    # Without its left-hand side, `.` would include the response.
    abort_formula("have no left-hand side: this method uses no response", formula, call, c(
      if ("." %in% all.vars(formula[[3]])) {
        "To use the other columns, write {.code ~ . - {deparse1(formula[[2]])}}."
      } else {
        "Leave out the left-hand side."
      },
      "To predict it, use {.code method = by_response()}."
    ))
  }
  design <- formula_design(formula, data, arg, call, rows)
  action <- check_na_action(na.action, call)
  values <- design_values(design, data, arg, call)
  # poly(), scale() and the like evaluate the same function for new data.
  if (!is.null(design$code)) design$code <- unname(Map(stats::makepredictcall, values, design$code))
  omitted <- omitted_of(values, action, arg, call, row.names(data), also(nrow(data)))
  values <- lapply(values, without_rows, omitted)
  blueprint <- learned_blueprint(design, values, arg, call)
  left <- nrow(data) - length(omitted)
  check_columns_memory(blueprint, left, arg, call)
  x <- values_matrix(values, blueprint, arg, call)
  tell_columns(values, blueprint, left, call)
  list(x = x, blueprint = blueprint, omitted = omitted)
}

check_frame <- function(data, arg, call) {
  check_given(data, arg, call)
  check_that(is.data.frame(data), data, arg, "a data frame", "data", call,
    remedy = if (is_chunked(data)) {
      "Give data in chunks to {.fn landmarks}, or some of the rows in memory."
    } else if (is.matrix(data)) {
      "{.code as.data.frame({arg})} converts a matrix."
    }
  )
  check_some_rows(data, arg, call)
  check_columns(data, arg, call)
  check_names_differ(names(data), arg, call)
}

abort_formula <- function(rule, formula, call, remedy = NULL) {
  if (length(remedy)) names(remedy) <- rep("i", length(remedy))
  abort_input(c(paste0("The formula must ", rule, "."), x = "It is {.code {deparse1(formula)}}.", remedy),
    arg = "x", kind = "data", call = call
  )
}

# ---- the variables of a formula ----------------------------------------------------------------
# Code is stored as language, never as text.

# The design of a formula, a list of
#   variables  names of the columns of the data that it uses
#   labels     names of the variables that it makes of them, such as `log(a)`
#   response   the left-hand side, or NULL
# and, unless the right-hand side is a dot, by which all other columns are variables,
#   code       the code of each variable
#   constants  values of names in the code that are not columns
#   factors    those of stats::terms(), with a row for each variable
#   formula    the formula without its dot, as a call
formula_design <- function(formula, data, arg, call, rows) {
  response <- if (length(formula) == 3) formula[[2]]
  design <- if (identical(formula[[length(formula)]], quote(.))) {
    # stats::terms() takes a time that is quadratic in the number of columns.
    names <- setdiff(names(data), all.vars(response))
    list(variables = names, labels = names)
  } else {
    terms_design(formula, data, arg, call, rows)
  }
  if (length(design$labels) == 0) abort_formula("have at least one variable", formula, call)
  design$response <- response
  design
}

is_call_to <- function(code, name) is.call(code) && identical(code[[1]], as.name(name))

# The design of any other formula. `rows`: how many rows all data have, of which `data` may
# be the first chunk.
terms_design <- function(formula, data, arg, call, rows) {
  # The labels of terms are deparsed.
  rlang::local_options(scipen = 0)
  # A warning of a variable that is excluded but absent comes before the error below.
  terms <- suppressWarnings(
    try_or_abort(stats::terms(formula, data = data), "The formula must be valid.", "x", "data", call)
  )
  code <- as.list(attr(terms, "variables"))[-1]
  if (!is.null(attr(terms, "offset")) || any(vapply(code, is_call_to, NA, "|"))) {
    abort_formula("not contain {.fn offset} or {.code |}", formula, call,
      if (is.null(attr(terms, "offset"))) "To use the logical operator, write {.code I(a | b)}."
    )
  }
  factors <- attr(terms, "factors")
  if (length(factors) == 0) return(NULL)
  own <- length(formula) == 3 & factors[1, ] > 0 & colSums(factors > 0) == 1
  if (any(own)) {
    warn_user(c(
      "The response {.code {deparse1(formula[[2]])}} is also on the right-hand side of the formula.",
      i = "It is removed from the predictors."
    ), kind = "response", call = call)
  }
  factors <- factors[, !own, drop = FALSE]
  used <- rowSums(factors) > 0
  code <- code[used]
  names <- all.vars(as.call(c(quote(list), code)))
  right <- formula[[length(formula)]]
  outside <- setdiff(all.vars(right), c(".", names(data)))
  constants <- constants_in(outside, environment(formula), rows)
  # Those of excluded terms too: a misspelled `. - y` would keep y. A name may also be that of a function, or
  # of its own argument in `function(v) v^2`.
  if (!"function" %in% all.names(right)) {
    needed <- setdiff(outside, names(constants))
    is_function <- vapply(needed, exists, NA, globalenv(), mode = "function")
    check_has_columns(needed[!is_function], names(data), arg, call, "variable of the formula as a column")
  }
  if ("." %in% all.names(right)) formula[[length(formula)]] <- sum_of_terms(terms)
  label <- function(v) if (is.name(v)) as.character(v) else deparse1(v, backtick = FALSE)
  list(
    variables = intersect(names(data), names), labels = vapply(code, label, ""), code = code,
    constants = constants[names(constants) %in% names], factors = unname(factors[used, , drop = FALSE]),
    formula = as.call(as.list(formula))
  )
}

# The short constants among objects that code names, such as k of poly(a, k), which are kept with the fit. An
# object with a value for each row is data, and must be a column.
constants_in <- function(names, env, rows = Inf) {
  values <- lapply(stats::setNames(nm = names), function(name) {
    try_default(get0(name, env %||% globalenv()), NULL)
  })
  is_short <- function(v) is.atomic(v) && length(v) %in% 1:10 && utils::object.size(v) < 5000
  Filter(function(v) is_short(v) && (length(v) == 1 || length(v) != rows), values)
}

# Options that change what R's functions return, such as factor(100000), at their values in a new session.
plain_options <- list(
  scipen = 0, OutDec = ".", na.action = "na.omit",
  contrasts = c(unordered = "contr.treatment", ordered = "contr.poly")
)

# The value of code in which names are those of `columns`, a list, or else of objects in `env`.
eval_columns <- function(code, columns, env) {
  rlang::local_options(!!!plain_options)
  eval(code, columns, env %||% globalenv())
}

# The variables of a design, or of the blueprint that it is part of, a list.
design_values <- function(design, data, arg, call) {
  columns <- unclass(data)[match(design$variables, names(data))]
  if (is.null(design$code)) return(columns)
  n <- nrow(data)
  if (n == 0) return(stats::setNames(rep(list(logical()), length(design$labels)), design$labels))
  # In the workspace: predict() will find no other objects.
  code <- as.call(c(quote(list), design$code))
  values <- on_failure(eval_columns(code, c(columns, design$constants), globalenv()), function(e) {
    for (name in names(columns)) check_complete(columns[[name]], name, arg, call)
    abort_input(c(
      "The formula cannot be evaluated for {.arg {arg}}.", x = "R reports: {conditionMessage(e)}.",
      i = if (grepl("could not find function", conditionMessage(e), fixed = TRUE)) {
        "It can only call functions of packages and of the global environment."
      }
    ), arg = arg, kind = "data", call = call)
  })
  bad <- which(vapply(values, NROW, 0L) != n)
  if (length(bad)) {
    abort_input(c(
      "The formula must give one value for each of the {n} row{?s} of {.arg {arg}}.",
      x = "{.code {design$labels[bad[1]]}} gives {NROW(values[[bad[1]]])}."
    ), arg = "x", kind = "data", call = call)
  }
  stats::setNames(values, design$labels)
}

# The left-hand side of a formula, a response.
formula_response <- function(formula, data, call) {
  env <- environment(formula) %||% globalenv()
  absent <- Filter(function(name) !exists(name, env), setdiff(all.vars(formula[[2]]), names(data)))
  check_has_columns(absent, names(data), "data", call, "variable of the formula as a column")
  try_or_abort(eval_columns(formula[[2]], as.list(data), environment(formula)),
    "The response of the formula cannot be computed from {.arg data}.", "x", "response", call
  )
}

# ---- formulas of blueprints ------------------------------------------------------------------

blueprint_formula <- function(blueprint) {
  code <- blueprint$formula %||% as.call(c(
    quote(`~`), blueprint$response,
    Reduce(function(a, b) call("+", a, b), lapply(blueprint$variables, as.name))
  ))
  structure(code, class = "formula", .Environment = globalenv())
}

# The formula of a blueprint, changed as by update.formula(), which would lose the parentheses of
# `(a > 0) + b`.
updated_formula <- function(blueprint, formula) {
  response <- blueprint$response
  if (length(formula) == 3) response <- do.call(substitute, list(formula[[2]], list(. = response)))
  old <- blueprint_formula(blueprint)
  right <- do.call(substitute, list(formula[[length(formula)]], list(. = call("(", old[[length(old)]]))))
  terms <- stats::terms(structure(call("~", right), class = "formula", .Environment = globalenv()))
  blueprint_formula(list(formula = as.call(c(quote(`~`), response, sum_of_terms(terms)))))
}

# The terms of a formula added up, as code.
sum_of_terms <- function(terms) {
  code <- lapply(as.list(attr(terms, "variables"))[-1], function(code) {
    is_operator <- is.call(code) && is.name(code[[1]]) && !grepl("^[[:alpha:].]", as.character(code[[1]]))
    if (is_operator) call("(", code) else code
  })
  factors <- attr(terms, "factors")
  products <- lapply(seq_len(NCOL(factors)), function(term) {
    Reduce(function(a, b) call(":", a, b), code[factors[, term] > 0])
  })
  sum <- Reduce(function(a, b) call("+", a, b), products) %||% 1
  if (attr(terms, "intercept") == 0) call("-", sum, 1) else sum
}

# ---- from variables to columns -----------------------------------------------------------------

# The blueprint: the design of the formula, and what it has learned from the variables: their
# `types` and `widths`, that is, numbers of columns; the `levels` of factors, by name; and the names of all
# `columns`. Every level of a factor has a column: with a base level left out, distances would
# depend on which level that is.
learned_blueprint <- function(design, values, arg, call) {
  labels <- design$labels
  types <- unlist(Map(learned_type, values, labels, MoreArgs = list(arg, call)), use.names = FALSE)
  levels <- lapply(values[types == "factor"], function(v) {
    if (is.factor(v)) return(enc2utf8(levels(v)[!is.na(levels(v))]))
    # In the same order in every locale.
    sort(unique(plain_values(v, "factor")), method = "radix")
  })
  suffixes <- lapply(values, function(v) if (NCOL(v) > 1) colnames(v) %||% seq_len(ncol(v)) else "")
  suffixes[types == "factor"] <- levels
  suffixes[types == "logical"] <- "TRUE"
  blueprint <- c(design, list(types = types, widths = unname(lengths(suffixes)), levels = levels))
  names <- each_term(blueprint, function(of, full) {
    Reduce(function(a, b) outer(a, b, paste, sep = ":"), Map(function(i, full) {
      paste0(labels[i], if (full && types[i] == "logical") c("FALSE", "TRUE") else suffixes[[i]])
    }, of, full))
  })
  # Variables keep their names: "ab" may be a level of `a`, and a variable.
  plain <- types %in% c("numeric", "days") & blueprint$widths == 1
  is_plain <- unlist(each_term(blueprint, function(of, full) all(plain[of])))
  first <- order(!rep(is_plain, lengths(names)))
  names <- unlist(names)
  names[first] <- make.unique(names[first])
  blueprint$columns <- names
  blueprint
}

# f(of, full) for each term of a blueprint: the numbers of its variables, and whether logical ones have
# columns for both values. stats::terms() gives such a variable 2 in place of 1.
each_term <- function(blueprint, f) {
  factors <- blueprint$factors
  if (is.null(factors)) return(lapply(seq_along(blueprint$types), f, FALSE))
  lapply(seq_len(ncol(factors)), function(j) {
    of <- which(factors[, j] > 0)
    f(of, factors[of, j] == 2)
  })
}

# The columns that the terms make of the variables: those of model.matrix() with a column for each level.
values_matrix <- function(values, blueprint, arg, call) {
  levels <- vector("list", length(values))
  levels[blueprint$types == "factor"] <- blueprint$levels
  values <- Map(known_values, values, blueprint$types, blueprint$widths, levels, blueprint$labels,
    MoreArgs = list(arg = arg, call = call)
  )
  block <- function(i, full) {
    v <- values[[i]]
    if (blueprint$types[i] == "factor") {
      out <- matrix(0, length(v), length(levels[[i]]))
      out[cbind(seq_along(v), match(v, levels[[i]]))] <- 1
      out
    } else if (full && blueprint$types[i] == "logical") {
      cbind(1 - v, v)
    } else {
      v + 0
    }
  }
  columns <- each_term(blueprint, function(of, full) Reduce(column_products, Map(block, of, full)))
  matrix(unlist(columns, use.names = FALSE),
    ncol = length(blueprint$columns), dimnames = list(NULL, blueprint$columns)
  )
}

# The products of each column of `a` with each of `b`, those of the first column of `b` first.
column_products <- function(a, b) {
  a <- as.matrix(a)
  b <- as.matrix(b)
  a[, rep(seq_len(ncol(a)), ncol(b)), drop = FALSE] * b[, rep(seq_len(ncol(b)), each = ncol(a)), drop = FALSE]
}

# The variables of a blueprint in new data.
frame_values <- function(blueprint, data, arg, call) {
  check_columns(data, arg, call)
  check_has_columns(blueprint$variables, names(data), arg, call)
  check_columns_memory(blueprint, nrow(data), arg, call)
  design_values(blueprint, data, arg, call)
}

# The matrix of a blueprint's columns of new data.
frame_matrix <- function(blueprint, data, call, arg = "x") {
  values_matrix(frame_values(blueprint, data, arg, call), blueprint, arg, call)
}

# The columns of a data frame, of which there are copies.
check_columns_memory <- function(blueprint, rows, arg, call) {
  columns <- length(blueprint$columns)
  widest <- blueprint$labels[which.max(blueprint$widths)]
  check_memory(3 * as.double(rows) * columns, "The {columns} columns of {.arg {arg}} need",
    "Leave out columns such as {.var {widest}}, merge rare levels, or use fewer rows.", arg, call
  )
}

# A warning of a factor with more than a hundred levels or with another one in each of many rows, and a
# message of columns that may number the rows. `values`: the variables of a blueprint.
tell_columns <- function(values, blueprint, rows, call) {
  counts <- lengths(blueprint$levels)
  # The name of a column may need backticks in a formula. All else is code, such as `log(a)`.
  term <- function(v) if (v %in% blueprint$variables) deparse1(as.name(v), backtick = TRUE) else v
  for (name in names(which(counts > 100 | (counts == rows & rows >= 20)))) {
    warn_user(c(
      "Column {.var {name}} has {counts[[name]]} levels in {rows} rows: each becomes an indicator column.",
      i = "Leave it out, for example with the formula {.code ~ . - {term(name)}}, or merge its rare levels."
    ), kind = "levels", call = call)
  }
  for (i in which(blueprint$types == "numeric" & blueprint$widths == 1 & rows >= 20)) {
    v <- plain_values(values[[i]], "numeric")
    if (!isTRUE(all(v == trunc(v)) && all(diff(v) > 0))) next
    name <- blueprint$labels[i]
    inform_user(c(
      "Column {.var {name}} has integers that increase from row to row, like an identifier.",
      i = "If it is one, leave it out, for example with the formula {.code ~ . - {term(name)}}."
    ), kind = "identifier", once = name, call = call)
  }
}
