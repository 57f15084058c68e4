/* Entry points of the steps by which diverse rows are drawn: of a block of candidates, and of
 * what each part of the data keeps, which is changed in place (R/by_dpp.R puts them together).
 * Points come here in kernel coordinates, d x count: one behind the other. */
#include <stdint.h>
#include <string.h>

#include "core/landmarks/dpp.h"
#include "glue.h"

/* Candidates at a time, where each has `each` neighbors. */
SEXP lm_dpp_block(SEXP each) {
  return Rf_ScalarInteger((int)dpp_block((size_t)Rf_asInteger(each)));
}

/* ---- what a part keeps ------------------------------------------------------ */

/* Memory that outlives the call: a vector, and where its first cache line begins. R moves
 * no vector. */
static SEXP kept_vector(size_t used) {
  return Rf_allocVector(REALSXP, (R_xlen_t)(used + VECTOR_DOUBLES));
}

static double *kept(SEXP vector) {
  const uintptr_t line = VECTOR_DOUBLES * sizeof(double);
  return (double *)(((uintptr_t)REAL(vector) + line - 1) / line * line);
}

static dpp_odds odds_of(SEXP vector) {
  dpp_odds o;
  dpp_odds_again(&o, kept(vector));
  return o;
}

/* The sum of the odds and its exponent, and the number of the first row. */
static SEXP sum_of(const dpp_odds *o) {
  SEXP out = Rf_allocVector(REALSXP, 3);
  REAL(out)[0] = dpp_odds_total(o);
  REAL(out)[1] = dpp_odds_exponent(o);
  REAL(out)[2] = o->first;
  return out;
}

SEXP lm_dpp_left(SEXP odds) {
  const dpp_odds o = odds_of(odds);
  return sum_of(&o);
}

/* The odds of a part's rows, `first` the number of the first of them; how many are `able` to be
 * drawn; and a tree to search for about so many `points` altogether, NULL for none. `tree`: whether
 * there is one, NA for whichever is quicker. */
SEXP lm_dpp_begin(SEXP part, SEXP first, SEXP points, SEXP tree, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(part);
  const size_t able = search_rows(&x);
  const char *names[] = {"odds", "able", "search"};
  SEXP out = PROTECT(glue_list(3, names));
  dpp_odds o;
  arena measure = {NULL, 0};
  dpp_odds_layout(&o, &measure, x.rows);
  SET_VECTOR_ELT(out, 0, kept_vector(measure.used));
  arena memory = {kept(VECTOR_ELT(out, 0)), 0};
  dpp_odds_layout(&o, &memory, x.rows);
  dpp_odds_start(&o, Rf_asInteger(first), x.rows, x.weight);
  SET_VECTOR_ELT(out, 1, Rf_ScalarInteger((int)able));
  const int asked = Rf_asLogical(tree);
  const int is_tree =
      asked == NA_LOGICAL ? search_choice(&x, (size_t)Rf_asReal(points)) == SEARCH_TREE : asked;
  if (is_tree && able > 0) {
    search s;
    arena size = {NULL, 0};
    search_layout_of(&s, &size, &exec, &x, SEARCH_TREE, DPP_CANDIDATES, able);
    SET_VECTOR_ELT(out, 2, kept_vector(size.used));
    arena room = {kept(VECTOR_ELT(out, 2)), 0};
    search_layout_of(&s, &room, &exec, &x, SEARCH_TREE, DPP_CANDIDATES, able);
    search_build(&s);
  }
  UNPROTECT(1);
  return out;
}

/* Rows at which the running sum of a part's odds passes those `wanted`: their numbers, odds, and
 * where they are. */
SEXP lm_dpp_find(SEXP part, SEXP odds, SEXP wanted) {
  const observations x = glue_source(part);
  const dpp_odds o = odds_of(odds);
  const size_t count = (size_t)Rf_xlength(wanted);
  const arena measure = {NULL, points_size(1, x.columns)};
  points at = points_on(glue_memory(&measure).base, 1, x.columns);
  const char *names[] = {"row", "odds", "at"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP row = Rf_allocVector(INTSXP, (R_xlen_t)count);
  SET_VECTOR_ELT(out, 0, row);
  SEXP drawn = Rf_allocVector(REALSXP, (R_xlen_t)count);
  SET_VECTOR_ELT(out, 1, drawn);
  SEXP where = Rf_allocMatrix(REALSXP, (int)x.columns, (int)count);
  SET_VECTOR_ELT(out, 2, where);
  for (size_t k = 0; k < count; k++) {
    const size_t found = dpp_odds_find(&o, REAL(wanted)[k]);
    INTEGER(row)[k] = o.first + (int)found;
    REAL(drawn)[k] = o.sums.value[found];
    points_row(&x, found, &at, 0);
    for (size_t j = 0; j < x.columns; j++) REAL(where)[k * x.columns + j] = at.x[j * at.length];
  }
  UNPROTECT(1);
  return out;
}

/* ---- neighbors of a block of candidates -------------------------------------- */

/* A list of matrices, squared distances and rows, with a column for each candidate. */
static SEXP near_list(dpp_near *near, size_t each, size_t count) {
  const char *names[] = {"squared", "row"};
  SEXP out = PROTECT(glue_list(2, names));
  SET_VECTOR_ELT(out, 0, Rf_allocMatrix(REALSXP, (int)each, (int)count));
  SET_VECTOR_ELT(out, 1, Rf_allocMatrix(INTSXP, (int)each, (int)count));
  *near = (dpp_near){each, count, REAL(VECTOR_ELT(out, 0)), INTEGER(VECTOR_ELT(out, 1))};
  UNPROTECT(1);
  return out;
}

static dpp_near near_of(SEXP list) {
  SEXP squared = VECTOR_ELT(list, 0);
  const dpp_near near = {(size_t)Rf_nrows(squared), (size_t)Rf_ncols(squared), REAL(squared),
                         INTEGER(VECTOR_ELT(list, 1))};
  return near;
}

/* The rows of a part nearest to the points `at`: `each` of them, or all that are able. */
SEXP lm_dpp_near(SEXP part, SEXP first, SEXP tree, SEXP able, SEXP at, SEXP each, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(part);
  const size_t count = (size_t)Rf_ncols(at), rows = (size_t)Rf_asInteger(able);
  const size_t asked = (size_t)Rf_asInteger(each), most = asked < rows ? asked : rows;
  const search_kind kind = tree == R_NilValue ? SEARCH_ALL : SEARCH_TREE;
  search s;
  arena measure = {NULL, 0};
  search_layout_of(&s, &measure, &exec, &x, kind, DPP_CANDIDATES, rows);
  arena memory = {kind == SEARCH_TREE ? kept(tree) : glue_memory(&measure).base, 0};
  search_layout_of(&s, &memory, &exec, &x, kind, DPP_CANDIDATES, rows);
  const arena own = {NULL, points_size(DPP_CANDIDATES, x.columns)};
  points t = points_on(glue_memory(&own).base, DPP_CANDIDATES, x.columns);
  t.count = count;
  for (size_t k = 0; k < count; k++) {
    for (size_t j = 0; j < x.columns; j++) {
      t.x[j * t.length + k] = REAL(at)[k * x.columns + j];
    }
  }
  points_norms(&t);
  const arena lists = {NULL, count * search_list(most)};
  dpp_near near;
  SEXP out = PROTECT(near_list(&near, most, count));
  dpp_nearest(&s, &t, Rf_asInteger(first), glue_memory(&lists).base, &near);
  UNPROTECT(1);
  return out;
}

/* Of two parts the `each` nearest rows. */
SEXP lm_dpp_join(SEXP a, SEXP b, SEXP each) {
  const dpp_near one = near_of(a), other = near_of(b);
  const size_t asked = (size_t)Rf_asInteger(each), all = one.each + other.each;
  dpp_near near;
  SEXP out = PROTECT(near_list(&near, asked < all ? asked : all, one.count));
  neighbor *list = (neighbor *)R_alloc(nearest_room(near.each), sizeof *list);
  dpp_nearest_join(&one, &other, list, &near);
  UNPROTECT(1);
  return out;
}

SEXP lm_dpp_scale(SEXP near) {
  const dpp_near all = near_of(near);
  return Rf_ScalarReal(dpp_scale(&all));
}

/* ---- which are taken, and what that does ---------------------------------------- */

static dpp_rule rule_of(SEXP update, SEXP sigma) {
  const dpp_rule rule = {Rf_asInteger(update) == 0 ? DPP_WELSCH : DPP_SIN2, Rf_asReal(sigma)};
  return rule;
}

/* The places, from 1, of the candidates that are taken. */
SEXP lm_dpp_accept(SEXP near, SEXP rows, SEXP drawn, SEXP uniform, SEXP wanted, SEXP update,
                   SEXP sigma) {
  const dpp_near all = near_of(near);
  const dpp_rule rule = rule_of(update, sigma);
  int taken[DPP_CANDIDATES];
  const size_t found = dpp_accept(&rule, &all, INTEGER(rows), REAL(drawn), REAL(uniform),
                                  (size_t)Rf_asInteger(wanted), taken);
  SEXP out = Rf_allocVector(INTSXP, (R_xlen_t)found);
  for (size_t k = 0; k < found; k++) INTEGER(out)[k] = taken[k] + 1;
  return out;
}

/* The odds of a part fall around candidates by their `places`; `rows` are their own, NA for points
 * that are no rows. Returns what is left, as lm_dpp_left(). */
SEXP lm_dpp_fall(SEXP odds, SEXP near, SEXP places, SEXP rows, SEXP update, SEXP sigma) {
  dpp_odds o = odds_of(odds);
  const dpp_near all = near_of(near);
  const dpp_rule rule = rule_of(update, sigma);
  int *touched = (int *)R_alloc(all.each, sizeof *touched);
  for (R_xlen_t k = 0; k < Rf_xlength(places); k++) {
    dpp_odds_fall(&o, &rule, &all, (size_t)INTEGER(places)[k] - 1, INTEGER(rows)[k], touched);
  }
  return sum_of(&o);
}
