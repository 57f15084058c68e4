/* Entry points of the steps by which diverse rows are drawn: of a block of candidates, and of
 * what each part of the data keeps, which is changed in place (R/method_dpp.R puts them together).
 * Candidates come here as a source, whose rows they are: so sparse rows, which a source keeps as
 * scaled already, have the very coordinates of the rows that they repeat. */
#include <stdint.h>

#include "core/choose/dpp.h"
#include "glue.h"

/* Candidates at a time, where each has `each` neighbors. */
SEXP lm_dpp_block(SEXP settings) {
  return Rf_ScalarInteger((int)dpp_block(setting_count(settings, "each")));
}

/* ---- what a part keeps ------------------------------------------------------ */

/* Memory that outlives the call is a vector of R. Its first number says where the memory begins: at
 * a cache line, but of a copy of the vector anywhere. */
static double *new_kept(SEXP vector) {
  const uintptr_t line = VECTOR_DOUBLES * sizeof(double), start = (uintptr_t)REAL(vector);
  const uintptr_t offset = (line - start % line) / sizeof(double);
  REAL(vector)[0] = (double)offset;
  return REAL(vector) + offset;
}

static double *kept(SEXP vector) {
  const double offset = REAL(vector)[0];
  if (!(offset >= 1 && offset <= VECTOR_DOUBLES)) Rf_error("a part must be as it was kept");
  return REAL(vector) + (size_t)offset;
}

/* The length of the vector that keeps the odds of so many rows. */
static size_t odds_length(size_t rows) {
  dpp_odds o;
  arena measure = {NULL, 0};
  dpp_odds_layout(&o, &measure, rows);
  return measure.used + VECTOR_DOUBLES;
}

static dpp_odds odds_of(SEXP vector) {
  numbers_of(vector, ANY_LENGTH, "odds");
  if ((size_t)Rf_xlength(vector) < odds_length(0)) Rf_error("`odds` must be whole");
  dpp_odds o;
  dpp_odds_again(&o, kept(vector));
  numbers_of(vector, odds_length(o.sums.n), "odds");
  arena_open(kept(vector), odds_length(o.sums.n) - VECTOR_DOUBLES);
  return o;
}

/* The sum of the odds, and its exponent. */
static SEXP sum_of(const dpp_odds *o) {
  SEXP out = Rf_allocVector(REALSXP, 2);
  REAL(out)[0] = dpp_odds_total(o);
  REAL(out)[1] = dpp_odds_exponent(o);
  return out;
}

SEXP lm_dpp_left(SEXP odds) {
  const dpp_odds o = odds_of(odds);
  return sum_of(&o);
}

/* Those of search_kind, or whichever is quicker. */
static const char *const searches[] = {"tree", "all", "auto"};

/* The length of the vector that keeps a tree of so many rows. */
static size_t tree_length(const observations *x, size_t able) {
  search s;
  arena measure = {NULL, 0};
  search_layout_of(&s, &measure, NULL, x, SEARCH_TREE, DPP_CANDIDATES, able);
  return measure.used + VECTOR_DOUBLES;
}

/* The odds of a part's rows, `first` the number of the first of them; how many are `able` to be
 * drawn; how neighbors are found, `search` "tree" or "all"; and the `tree`, of length 0 where
 * there is none. With `search` "auto" it is what is quicker for so many `points` altogether. */
SEXP lm_dpp_begin(SEXP part, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(part);
  const size_t able = search_rows(&x), first = setting_count(settings, "first");
  int kind = setting_choice(settings, "search", searches, 3);
  if (kind == 2) kind = (int)search_choice(&x, setting_count(settings, "points"));
  if (able == 0) kind = SEARCH_ALL;
  if (kind == SEARCH_TREE && x.kind == ROWS_SPARSE) Rf_error("there is no tree of sparse rows");
  const char *names[] = {"odds", "able", "search", "tree"};
  SEXP out = PROTECT(glue_list(4, names));
  dpp_odds o;
  SET_VECTOR_ELT(out, 0, Rf_allocVector(REALSXP, (R_xlen_t)odds_length(x.rows)));
  arena memory = {new_kept(VECTOR_ELT(out, 0)), 0};
  dpp_odds_layout(&o, &memory, x.rows);
  dpp_odds_start(&o, (int)first, x.rows, x.weight);
  arena_open(memory.base, memory.used);
  SET_VECTOR_ELT(out, 1, Rf_ScalarInteger((int)able));
  SET_VECTOR_ELT(out, 2, Rf_mkString(searches[kind]));
  const size_t length = kind == SEARCH_TREE ? tree_length(&x, able) : 0;
  SET_VECTOR_ELT(out, 3, Rf_allocVector(REALSXP, (R_xlen_t)length));
  if (kind == SEARCH_TREE) {
    search s;
    arena room = {new_kept(VECTOR_ELT(out, 3)), 0};
    search_layout_of(&s, &room, &exec, &x, SEARCH_TREE, DPP_CANDIDATES, able);
    search_build(&s);
    arena_open(room.base, room.used);
  }
  UNPROTECT(1);
  return out;
}

/* Rows at which the running sum of a part's odds passes those `wanted`: their numbers, and their
 * odds. */
SEXP lm_dpp_find(SEXP odds, SEXP settings) {
  const dpp_odds o = odds_of(odds);
  const double *wanted = numbers_of(setting(settings, "wanted"), ANY_LENGTH, "wanted");
  const size_t count = (size_t)Rf_xlength(setting(settings, "wanted"));
  if (o.sums.n == 0 && count > 0) Rf_error("a part without rows has no candidates");
  const char *names[] = {"row", "odds"};
  SEXP out = PROTECT(glue_list(2, names));
  SEXP row = Rf_allocVector(INTSXP, (R_xlen_t)count);
  SET_VECTOR_ELT(out, 0, row);
  SEXP drawn = Rf_allocVector(REALSXP, (R_xlen_t)count);
  SET_VECTOR_ELT(out, 1, drawn);
  for (size_t k = 0; k < count; k++) {
    const size_t found = dpp_odds_find(&o, wanted[k]);
    INTEGER(row)[k] = o.first + (int)found;
    REAL(drawn)[k] = o.sums.value[found];
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
  SEXP matrix = setting(list, "squared");
  const double *squared = matrix_of(matrix, ANY_LENGTH, ANY_LENGTH, "squared");
  const size_t each = (size_t)Rf_nrows(matrix), count = (size_t)Rf_ncols(matrix);
  const int *row = integers_of(setting(list, "row"), each * count, "row");
  /* Lists that are given are only read. */
  const dpp_near near = {each, count, (double *)squared, (int *)row};
  if (count > DPP_CANDIDATES) Rf_error("there are too many candidates");
  for (size_t i = 0; i < each * count; i++) {
    if (near.row[i] < 0) Rf_error("`row` must have no negative numbers");
  }
  return near;
}

/* The rows of a part nearest to the rows of the source `at`: `each` of them, or all that are
 * `able`. */
SEXP lm_dpp_near(SEXP part, SEXP tree, SEXP at, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(part), candidates = glue_source(at);
  if (candidates.columns != x.columns) Rf_error("candidates must have the columns of the part");
  if (candidates.rows > DPP_CANDIDATES) Rf_error("there are too many candidates");
  const size_t able = setting_count(settings, "able"), asked = setting_count(settings, "each"),
               most = asked < able ? asked : able;
  if (able > x.rows) Rf_error("`able` must not be above the rows of the part");
  const int first = (int)setting_count(settings, "first");
  const search_kind kind = (search_kind)setting_choice(settings, "search", searches, 2);
  if (kind == SEARCH_TREE && x.kind == ROWS_SPARSE) Rf_error("there is no tree of sparse rows");
  search s;
  if (kind == SEARCH_TREE) {
    numbers_of(tree, tree_length(&x, able), "tree");
    arena memory = {kept(tree), 0};
    search_layout_of(&s, &memory, &exec, &x, kind, DPP_CANDIDATES, able);
    arena_open(memory.base, memory.used);
  } else {
    LAY_OUT(memory, glue_memory,
            search_layout_of(&s, &memory, &exec, &x, kind, DPP_CANDIDATES, able));
  }
  points t =
      points_on(glue_doubles(points_size(DPP_CANDIDATES, x.columns)), DPP_CANDIDATES, x.columns);
  t.count = candidates.rows;
  points_from_rows(&candidates, 0, &t);
  double *lists = glue_doubles(t.count * search_list(most));
  dpp_near near;
  SEXP out = PROTECT(near_list(&near, most, t.count));
  dpp_nearest(&s, &t, first, lists, &near);
  UNPROTECT(1);
  return out;
}

/* Of two parts the `each` nearest rows. */
SEXP lm_dpp_join(SEXP a, SEXP b, SEXP settings) {
  const dpp_near one = near_of(a), other = near_of(b);
  if (one.count != other.count) Rf_error("both parts must have the same candidates");
  const size_t asked = setting_count(settings, "each"), all = one.each + other.each;
  dpp_near near;
  SEXP out = PROTECT(near_list(&near, asked < all ? asked : all, one.count));
  neighbor *list = (neighbor *)R_alloc(nearest_room(near.each), sizeof *list);
  dpp_nearest_join(&one, &other, list, &near);
  UNPROTECT(1);
  return out;
}

SEXP lm_dpp_scale(SEXP near) {
  const dpp_near all = near_of(near);
  if (all.count == 0) Rf_error("there are no candidates");
  return Rf_ScalarReal(dpp_scale(&all));
}

/* ---- which are taken, and what that does ---------------------------------------- */

static dpp_rule rule_of(SEXP settings) {
  const char *updates[] = {"welsch", "sin2"};
  const dpp_rule rule = {(dpp_update)setting_choice(settings, "update", updates, 2),
                         setting_number(settings, "sigma")};
  return rule;
}

/* The places, from 1, of the candidates that are taken, `wanted` at the most. Of each candidate:
 * its `row`, the `odds` by which it was drawn, and a `uniform` number. */
SEXP lm_dpp_accept(SEXP near, SEXP candidates, SEXP settings) {
  const dpp_near all = near_of(near);
  const dpp_rule rule = rule_of(settings);
  const int *rows = integers_of(setting(candidates, "row"), all.count, "row");
  for (size_t k = 0; k < all.count; k++) {
    if (rows[k] < 1) Rf_error("there is no row %d", rows[k]);
  }
  const double *odds = numbers_of(setting(candidates, "odds"), all.count, "odds");
  const double *uniform = numbers_of(setting(candidates, "uniform"), all.count, "uniform");
  int taken[DPP_CANDIDATES];
  const size_t found =
      dpp_accept(&rule, &all, rows, odds, uniform, setting_count(settings, "wanted"), taken);
  SEXP out = Rf_allocVector(INTSXP, (R_xlen_t)found);
  for (size_t k = 0; k < found; k++) INTEGER(out)[k] = taken[k] + 1;
  return out;
}

/* The odds of a part fall around candidates by their `places`; `rows` are their own, NA for points
 * that are no rows. Returns what is left, as lm_dpp_left(). */
SEXP lm_dpp_fall(SEXP odds, SEXP near, SEXP settings) {
  dpp_odds o = odds_of(odds);
  const dpp_near all = near_of(near);
  const dpp_rule rule = rule_of(settings);
  const int *places = integers_of(setting(settings, "places"), ANY_LENGTH, "places");
  const size_t count = (size_t)Rf_xlength(setting(settings, "places"));
  const int *rows = integers_of(setting(settings, "rows"), count, "rows");
  int *touched = (int *)R_alloc(all.each + 1, sizeof *touched);
  for (size_t k = 0; k < count; k++) {
    if (places[k] < 1 || (size_t)places[k] > all.count) Rf_error("there is no such candidate");
    dpp_odds_fall(&o, &rule, &all, (size_t)places[k] - 1, rows[k], touched);
  }
  return sum_of(&o);
}
