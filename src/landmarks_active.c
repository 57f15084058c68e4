/* Entry points that choose rows of a part by the variance left at them. */
#include "core/choose/active.h"
#include "glue.h"

/* A search of one call on what the part keeps, which has room for `most` pivots. */
static active_search search_on(const executor *exec, const observations *x, SEXP kernel,
                               size_t most, SEXP left, SEXP factor) {
  active_search a;
  LAY_OUT(memory, glue_memory, active_layout(&a, &memory, exec, x, glue_bandwidth(kernel), most));
  a.left = numbers_to_change(left, x->rows, "left");
  a.factor = numbers_to_change(factor, ANY_LENGTH, "factor");
  if ((size_t)Rf_xlength(factor) < x->rows * most) Rf_error("`factor` has no column left");
  return a;
}

static active_rest rest_of(SEXP left, SEXP weights) {
  const size_t rows = (size_t)Rf_xlength(left);
  const active_rest r = {rows, numbers_of(left, rows, "left"),
                         numbers_or_null(weights, rows, "weights")};
  return r;
}

/* What a part keeps while `wanted` rows are chosen given landmarks that are held: `left` and
 * `factor`, both changed in place by lm_active_take(); and the weight of its rows. */
SEXP lm_active_begin(SEXP source, SEXP held, SEXP kernel, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const size_t given = (size_t)Rf_nrows(held), most = given + setting_count(settings, "wanted");
  const char *names[] = {"left", "factor", "weight"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP left = Rf_allocVector(REALSXP, (R_xlen_t)x.rows);
  SET_VECTOR_ELT(out, 0, left);
  SEXP factor = Rf_allocVector(REALSXP, (R_xlen_t)(x.rows * most));
  SET_VECTOR_ELT(out, 1, factor);
  const active_rest r = {x.rows, REAL(left), x.weight};
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal(active_weight(&r)));
  active_search a = search_on(&exec, &x, kernel, most, left, factor);
  points t = points_on(glue_doubles(points_size(given, x.columns)), given, x.columns);
  glue_points_in(held, 0, given, &x, &t);
  active_start(&a, &t, glue_doubles(given * padded(given)));
  UNPROTECT(1);
  return out;
}

/* What is left of a part: its trace, the largest of a row, how many rows tie with that, and
 * the weight of those. */
SEXP lm_active_left(SEXP left, SEXP weights) {
  const active_rest r = rest_of(left, weights);
  const active_summary s = active_summarize(&r);
  SEXP out = Rf_allocVector(REALSXP, 4);
  REAL(out)[0] = s.trace;
  REAL(out)[1] = s.largest;
  REAL(out)[2] = (double)s.ties;
  REAL(out)[3] = s.mass;
  return out;
}

/* How many rows of a part tie with `largest`, which may be another part's, and their weight. */
SEXP lm_active_ties(SEXP left, SEXP weights, SEXP settings) {
  const active_rest r = rest_of(left, weights);
  double mass;
  const size_t ties = active_ties(&r, setting_number(settings, "largest"), &mass);
  SEXP out = Rf_allocVector(REALSXP, 2);
  REAL(out)[0] = (double)ties;
  REAL(out)[1] = mass;
  return out;
}

/* A row of a part, and all that other parts need to take it: list(row, rest, factor), its
 * number (from 1), what is left of it, and its row of the factor, `done` columns. With
 * `among` "ties" it is that of those that tie with `largest` up to which weights sum to
 * `wanted`; with "all" that up to which weights times what is left do. */
SEXP lm_active_choose(SEXP left, SEXP factor, SEXP weights, SEXP settings) {
  const char *ways[] = {"ties", "all"};
  const active_rest r = rest_of(left, weights);
  const double wanted = setting_number(settings, "wanted");
  const size_t row = setting_choice(settings, "among", ways, 2) == 0
                         ? active_tie(&r, setting_number(settings, "largest"), wanted)
                         : active_draw(&r, wanted);
  const size_t done = setting_count(settings, "done");
  const double *columns = numbers_of(factor, ANY_LENGTH, "factor");
  if ((size_t)Rf_xlength(factor) < r.rows * done) Rf_error("`factor` has fewer columns");
  const char *names[] = {"row", "rest", "factor"};
  SEXP out = PROTECT(glue_list(3, names));
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger((int)row + 1));
  SET_VECTOR_ELT(out, 1, Rf_ScalarReal(r.left[row]));
  SET_VECTOR_ELT(out, 2, Rf_allocVector(REALSXP, (R_xlen_t)done));
  active_row(columns, r.rows, done, row, REAL(VECTOR_ELT(out, 2)));
  UNPROTECT(1);
  return out;
}

/* A part takes a pivot: list(at, rest, factor), a source of one row, what was left of it, and
 * its row of the factor. `own`: its number in the part, or 0 where it is a row of another.
 * Returns what is left then, as lm_active_left(). */
SEXP lm_active_take(SEXP source, SEXP left, SEXP factor, SEXP pivot, SEXP kernel, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source), from = glue_source(setting(pivot, "at"));
  SEXP row = setting(pivot, "factor");
  const size_t done = (size_t)Rf_xlength(row), own = setting_count(settings, "own");
  active_search a = search_on(&exec, &x, kernel, done + 1, left, factor);
  a.done = done;
  active_take(&a, &from, 0, numbers_of(row, done, "factor"), setting_number(pivot, "rest"));
  if (own > x.rows) Rf_error("`own` must be a row of the part");
  if (own > 0) a.left[own - 1] = 0.0;
  SEXP weights = setting(source, "weights");
  return lm_active_left(left, weights);
}
