/* Entry points that choose rows of a part by the variance left at them. */
#include "core/landmarks/active.h"
#include "glue.h"

/* A search of one call on what the part keeps. */
static active_search search_on(const executor *exec, const observations *x, SEXP bandwidth,
                               size_t most, SEXP left, SEXP factor) {
  active_search a;
  arena measure = {NULL, 0};
  active_layout(&a, &measure, exec, x, Rf_asReal(bandwidth), most);
  arena memory = glue_memory(&measure);
  active_layout(&a, &memory, exec, x, Rf_asReal(bandwidth), most);
  a.left = REAL(left);
  a.factor = REAL(factor);
  return a;
}

static active_rest rest_of(SEXP left, SEXP weights) {
  const active_rest r = {(size_t)Rf_xlength(left), REAL(left),
                         weights == R_NilValue ? NULL : REAL(weights)};
  return r;
}

/* What a part keeps while `wanted` rows are chosen given some landmarks: `left` and
 * `factor`, both changed in place by lm_active_take(); and the weight of its rows. */
SEXP lm_active_begin(SEXP source, SEXP landmarks, SEXP wanted, SEXP bandwidth, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const size_t held = (size_t)Rf_nrows(landmarks), most = held + (size_t)Rf_asInteger(wanted);
  const char *names[] = {"left", "factor", "weight"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP left = Rf_allocVector(REALSXP, (R_xlen_t)x.rows);
  SET_VECTOR_ELT(out, 0, left);
  SEXP factor = Rf_allocVector(REALSXP, (R_xlen_t)(x.rows * most));
  SET_VECTOR_ELT(out, 1, factor);
  const active_rest r = {x.rows, REAL(left), x.weight};
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal(active_weight(&r)));
  active_search a = search_on(&exec, &x, bandwidth, most, left, factor);
  const arena own = {NULL, points_size(held, x.columns)}, square = {NULL, held * padded(held)};
  points given = points_on(glue_memory(&own).base, held, x.columns);
  glue_points_in(landmarks, 0, held, &x, &given);
  active_start(&a, &given, glue_memory(&square).base);
  UNPROTECT(1);
  return out;
}

/* The trace that is left of a part, and the largest that is left of a row. */
SEXP lm_active_left(SEXP left, SEXP weights) {
  const active_rest r = rest_of(left, weights);
  SEXP out = PROTECT(Rf_allocVector(REALSXP, 2));
  REAL(out)[0] = active_trace(&r);
  REAL(out)[1] = active_largest(&r);
  UNPROTECT(1);
  return out;
}

/* How many rows of a part tie with the largest, and their weight. */
SEXP lm_active_ties(SEXP left, SEXP weights, SEXP largest) {
  const active_rest r = rest_of(left, weights);
  SEXP out = PROTECT(Rf_allocVector(REALSXP, 2));
  REAL(out)[0] = (double)active_ties(&r, Rf_asReal(largest), REAL(out) + 1);
  UNPROTECT(1);
  return out;
}

/* A row of a part: among those that tie with the largest that up to which weights sum to
 * `wanted`; where `largest` is NULL that up to which weights times what is left do. */
SEXP lm_active_choose(SEXP left, SEXP weights, SEXP largest, SEXP wanted) {
  const active_rest r = rest_of(left, weights);
  const size_t row = largest == R_NilValue ? active_draw(&r, Rf_asReal(wanted))
                                           : active_tie(&r, Rf_asReal(largest), Rf_asReal(wanted));
  return Rf_ScalarInteger((int)row + 1);
}

/* A row's row of the factor of a part, which has so many columns now. */
SEXP lm_active_row(SEXP left, SEXP factor, SEXP row, SEXP columns) {
  const size_t rows = (size_t)Rf_xlength(left), done = (size_t)Rf_asInteger(columns);
  SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)done));
  active_row(REAL(factor), rows, done, (size_t)Rf_asInteger(row) - 1, REAL(out));
  UNPROTECT(1);
  return out;
}

/* A part takes a pivot: a source of one row, its row of the factor, and what was left of
 * it. `own`: its number in the part, or 0 where it is a row of another. */
SEXP lm_active_take(SEXP source, SEXP left, SEXP factor, SEXP pivot, SEXP row, SEXP rest, SEXP own,
                    SEXP bandwidth, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source), from = glue_source(pivot);
  const size_t done = (size_t)Rf_xlength(row), at = (size_t)Rf_asInteger(own);
  active_search a = search_on(&exec, &x, bandwidth, done, left, factor);
  a.done = done;
  active_take(&a, &from, 0, REAL(row), Rf_asReal(rest));
  if (at > 0) a.left[at - 1] = 0.0;
  return R_NilValue;
}
