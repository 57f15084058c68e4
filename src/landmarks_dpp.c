/* The entry point that draws diverse rows. */
#include "core/select/dpp.h"
#include "glue.h"

static void report(void *context, size_t rows) { glue_report(*(SEXP *)context, (double)rows); }

static dpp_rule rule_of(SEXP settings) {
  const char *updates[] = {"welsch", "sin2"};
  dpp_rule rule = {(dpp_update)setting_choice(settings, "update", updates, 2), 0.0};
  if (setting(settings, "sigma") == R_NilValue) return rule;
  rule.sigma = setting_number(settings, "sigma");
  if (!(rule.sigma > 0.0)) Rf_error("`sigma` must be above 0");
  return rule;
}

/* How neighbors are found; by "auto" as it is quicker for so many points in all. */
static search_kind kind_of(SEXP settings, const observations *x, size_t points) {
  const char *kinds[] = {"tree", "all", "auto"};
  const int kind = setting_choice(settings, "search", kinds, 3);
  if (kind == 2) return search_choice(x, points);
  if (kind == SEARCH_TREE && x->kind == ROWS_SPARSE) Rf_error("there is no tree of sparse rows");
  return (search_kind)kind;
}

/* The first `count` lists, as a matrix of numbers from 1. */
static SEXP lists_of(SEXP near, size_t each, size_t count) {
  for (size_t i = 0; i < each * count; i++) INTEGER(near)[i]++;
  SEXP out = PROTECT(Rf_xlengthgets(near, (R_xlen_t)(each * count)));
  SEXP dim = PROTECT(Rf_allocVector(INTSXP, 2));
  INTEGER(dim)[0] = (int)each;
  INTEGER(dim)[1] = (int)count;
  Rf_setAttrib(out, R_DimSymbol, dim);
  UNPROTECT(2);
  return out;
}

/* Up to `wanted` rows, drawn one after another, given landmarks that are fixed: list(rows, sigma,
 * near). Without `sigma` it comes from the first candidates. With `lists`, `near` has a column for
 * each landmark, fixed or drawn: its nearest rows, `neighbors` and one. `progress` is a function
 * that is called with how many rows were drawn, or NULL. */
SEXP lmk_dpp(SEXP source, SEXP fixed, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const dpp_rule rule = rule_of(settings);
  const size_t able = search_rows(&x), each = setting_count(settings, "neighbors") + 1;
  if (each > able) Rf_error("`neighbors` must be below the number of rows of weight above 0");
  const size_t asked = setting_count(settings, "wanted"), wanted = asked < able ? asked : able;
  matrix_of(fixed, ANY_LENGTH, x.columns, "fixed");
  const size_t given = (size_t)Rf_nrows(fixed);
  const search_kind kind = kind_of(settings, &x, given + asked);
  SEXP row = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)wanted)), near = R_NilValue;
  if (setting_flag(settings, "lists")) {
    near = Rf_allocVector(INTSXP, (R_xlen_t)(each * (given + wanted)));
  }
  PROTECT(near);
  points t = points_on(glue_doubles(points_size(given, x.columns)), given, x.columns);
  glue_points_in(fixed, 0, given, &x, &t);
  dpp d;
  arena measure = {NULL, 0}, memory;
  dpp_layout(&d, &measure, &exec, &x, kind, each);
  SEXP lent = PROTECT(glue_lend(&measure, &memory));
  dpp_layout(&d, &memory, &exec, &x, kind, each);
  d.rule = rule;
  dpp_start(&d);
  SEXP progress = setting(settings, "progress");
  const dpp_output to = {.row = INTEGER(row),
                         .near = near == R_NilValue ? NULL : INTEGER(near),
                         .progress = Rf_isFunction(progress) ? report : NULL,
                         .context = &progress};
  const size_t found = dpp_draw(&d, &t, wanted, &to);
  glue_return(lent);
  for (size_t k = 0; k < found; k++) INTEGER(row)[k]++;
  const char *names[] = {"rows", "sigma", "near"};
  SEXP out = PROTECT(glue_list(3, names));
  SET_VECTOR_ELT(out, 0, Rf_xlengthgets(row, (R_xlen_t)found));
  SET_VECTOR_ELT(out, 1, Rf_ScalarReal(d.rule.sigma));
  if (near != R_NilValue) SET_VECTOR_ELT(out, 2, lists_of(near, each, given + found));
  UNPROTECT(4);
  return out;
}
