# Variables of formulas. Code is stored as language, never as text.

# The design of a formula, a list of
#   variables  names of the columns of the data that it uses
#   labels     names of the variables that it makes of them, such as `log(a)`
#   response   the left-hand side, or NULL
# and, unless the right-hand side is a dot, by which all other columns are variables,
#   code       the code of each variable
#   constants  values of names in the code that are not columns
#   factors    those of stats::terms(), with a row for each variable
#   formula    the formula without its dot, as a call
formula_design <- function(formula, data, arg, call, rows = nrow(data)) {
  response <- if (length(formula) == 3) formula[[2]]
  design <- if (identical(formula[[length(formula)]], quote(.))) {
    # stats::terms() takes a time that is quadratic in the number of columns.
    names <- setdiff(names(data), all.vars(response))
    list(variables = names, labels = names)
  } else {
    terms_design(formula, data, arg, call, rows)
  }
  if (length(design$labels) == 0) {
    abort_input(c("The formula must have at least one variable.", x = "It is {.code {deparse1(formula)}}."),
      arg = "x", kind = "data", call = call
    )
  }
  design$response <- response
  design
}

is_call_to <- function(code, name) is.call(code) && identical(code[[1]], as.name(name))

# The design of any other formula. `rows`: how many rows all data have, of which `data` may
# be the first chunk.
terms_design <- function(formula, data, arg, call, rows) {
  # The labels of terms are deparsed.
  rlang::local_options(scipen = 0)
  terms <- on_failure(stats::terms(formula, data = data), function(e) {
    abort_input(c("The formula must be valid.", x = "R reports: {conditionMessage(e)}."),
      arg = "x", kind = "data", call = call
    )
  })
  code <- as.list(attr(terms, "variables"))[-1]
  if (!is.null(attr(terms, "offset")) || any(vapply(code, is_call_to, NA, "|"))) {
    abort_input(c(
      "The formula must not contain {.fn offset} or {.code |}.",
      x = "It is {.code {deparse1(formula)}}.",
      i = "Remove the variable, or make it a term; {.code I(a | b)} is a logical or."
    ), arg = "x", kind = "data", call = call)
  }
  factors <- attr(terms, "factors")
  if (length(factors) == 0) return(NULL)
  own <- length(formula) == 3 & factors[1, ] > 0 & colSums(factors > 0) == 1
  if (any(own)) {
    warn_user(c(
      "The response {.field {deparse1(formula[[2]])}} is also on the right-hand side of the formula.",
      i = "It is removed from the predictors."
    ), kind = "response", call = call)
  }
  factors <- factors[, !own, drop = FALSE]
  used <- rowSums(factors) > 0
  code <- code[used]
  names <- all.vars(as.call(c(quote(list), code)))
  constants <- constants_in(setdiff(names, names(data)), environment(formula), rows)
  # A name may also be that of a function, or of its own argument in `function(v) v^2`.
  symbols <- if (!"function" %in% unlist(lapply(code, all.names))) Filter(Negate(is_function_name), names)
  check_has_columns(
    setdiff(symbols, names(constants)), names(data), arg, call, "variable of the formula as a column"
  )
  labels <- gsub("`", "", rownames(factors)[used], fixed = TRUE)
  is_column <- vapply(code, is.name, NA)
  labels[is_column] <- vapply(code[is_column], as.character, "")
  right <- formula[[length(formula)]]
  if ("." %in% all.names(right)) right <- sum_of_terms(terms)
  list(
    variables = intersect(names(data), names), labels = labels, code = code, constants = constants,
    factors = unname(factors[used, , drop = FALSE]),
    formula = as.call(c(quote(`~`), if (length(formula) == 3) formula[[2]], right))
  )
}

is_function_name <- function(name) exists(name, globalenv(), mode = "function")

# The short constants among objects that code names, such as k of poly(a, k), which are kept with the fit. An
# object with a value for each row is data, and must be a column.
constants_in <- function(names, env, rows = Inf) {
  env <- env %||% globalenv()
  values <- lapply(stats::setNames(nm = names), function(name) try_default(get0(name, env), NULL))
  is_short <- function(v) is.atomic(v) && length(v) %in% 1:10 && utils::object.size(v) < 5000
  Filter(function(v) is_short(v) && (length(v) == 1 || length(v) != rows), values)
}

# ---- evaluation --------------------------------------------------------------------------

# Options that change what R's functions return, such as factor(100000), at their values in a new session.
plain_options <- list(
  scipen = 0, OutDec = ".", na.action = "na.omit",
  contrasts = c(unordered = "contr.treatment", ordered = "contr.poly")
)

# The value of code in which names are those of `columns`, a list, or else of objects in `env`.
eval_columns <- function(code, columns, env) {
  rlang::local_options(!!!plain_options)
  eval(code, columns[names(columns) %in% all.vars(code)], env %||% globalenv())
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
      "The formula cannot be evaluated for {.arg {arg}}.",
      x = "R reports: {conditionMessage(e)}.",
      i = if (grepl("could not find function", conditionMessage(e), fixed = TRUE)) {
        "{.fn predict} evaluates the formula too: define what it calls in the workspace, not in a function."
      }
    ), arg = arg, kind = "data", call = call)
  })
  bad <- which(vapply(values, NROW, 0L) != n)
  if (length(bad)) {
    abort_input(c(
      "The formula must give one value for each row of {.arg {arg}}, {n}.",
      x = "{.code {design$labels[bad[1]]}} gives {NROW(values[[bad[1]]])}."
    ), arg = "x", kind = "data", call = call)
  }
  stats::setNames(values, design$labels)
}

# The left-hand side of a formula, a response.
formula_response <- function(formula, data, call) {
  on_failure(eval_columns(formula[[2]], as.list(data), environment(formula)), function(e) {
    abort_input(c(
      "The formula must have a response that can be computed from {.arg data}.",
      x = "R reports: {conditionMessage(e)}."
    ), arg = "x", kind = "response", call = call)
  })
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
