/* The entry point that moves landmarks toward what predicts a response. */
#include <string.h>

#include "core/landmarks/forward.h"
#include "core/landmarks/response.h"
#include "glue.h"

/* Numbers of R by columns to a matrix by rows, those with the numbers `row` of `rows`, and back. */
static void take_rows(const double *from, size_t rows, const int *row, matrix to) {
  for (size_t k = 0; k < to.columns; k++) {
    for (size_t i = 0; i < to.rows; i++) {
      to.x[i * to.stride + k] = from[k * rows + (row ? (size_t)row[i] : i)];
    }
  }
}

static SEXP give_matrix(matrix from) {
  SEXP out = Rf_allocMatrix(REALSXP, (int)from.rows, (int)from.columns);
  for (size_t i = 0; i < from.rows; i++) {
    for (size_t k = 0; k < from.columns; k++) {
      REAL(out)[k * from.rows + i] = from.x[i * from.stride + k];
    }
  }
  return out;
}

static SEXP give_numbers(const double *from, size_t count) {
  SEXP out = Rf_allocVector(REALSXP, (R_xlen_t)count);
  memcpy(REAL(out), from, count * sizeof *from);
  return out;
}

/* Some rows of a source, gathered, with norms and weights. */
typedef struct {
  observations rows;
  double *real, *norm, *weight;
  int *order, *start, *column;
  size_t entries;
} gathered;

static void gathered_layout(gathered *g, arena *memory, const observations *x, const int *row,
                            size_t count) {
  const int sparse = x->kind == ROWS_SPARSE;
  g->entries = sparse ? observations_entries(x, row, count) : count * padded(x->columns);
  g->real = arena_take(memory, g->entries);
  g->norm = arena_take(memory, count);
  g->weight = x->weight ? arena_take(memory, count) : NULL;
  g->order = (int *)arena_take(memory, sparse ? 0 : count + 1);
  g->start = (int *)arena_take(memory, sparse ? count / 2 + 1 : 0);
  g->column = (int *)arena_take(memory, sparse ? (g->entries + 1) / 2 : 0);
}

static void gather_rows(gathered *g, const executor *exec, const observations *x, const int *row,
                        size_t count) {
  observations *to = &g->rows;
  *to = *x;
  to->rows = count;
  for (size_t i = 0; g->weight && i < count; i++) g->weight[i] = x->weight[row[i]];
  to->weight = g->weight;
  if (x->kind == ROWS_SPARSE) {
    observations_gather_sparse(x, row, count, g->start, g->column, g->real);
    to->start = g->start;
    to->column = g->column;
    to->value = g->real;
    observations_norms(exec, to, g->norm);
  } else {
    to->kind = ROWS_DENSE;
    to->real = g->real;
    observations_gather_any(exec, x, row, count, g->order, g->real, g->norm);
  }
  to->norm = g->norm;
}

/* Steps of the landmarks but the first `held`, and of their weights, on `rows` of a source, in that
 * order, in batches of `batch` rows, `passes` times. `y`: what was observed of the source's rows.
 * `state`: weights and moments, as they are returned. `rates`: one for each step. */
SEXP lm_respond(SEXP source, SEXP landmarks, SEXP y, SEXP kernel, SEXP state, SEXP settings) {
  const char *losses[] = {"squares", "logistic", "softmax"};
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  SEXP rows = setting(settings, "rows"), rates = setting(settings, "rates");
  const size_t count = (size_t)Rf_xlength(rows), batch = setting_count(settings, "batch"),
               passes = setting_count(settings, "passes");
  const int *row = places_of(rows, ANY_LENGTH, x.rows, "rows");
  matrix_of(landmarks, ANY_LENGTH, x.columns, "landmarks");
  const size_t n = (size_t)Rf_nrows(landmarks), outputs = (size_t)Rf_ncols(y), d = x.columns;
  const double *observed = matrix_of(y, x.rows, outputs, "y");
  if (n < 1 || outputs < 1 || batch < 1 || count < 1) Rf_error("nothing to learn");
  const size_t steps = (count + batch - 1) / batch;
  const double *rate = numbers_of(rates, steps * passes, "rates");
  glue_projection projection;
  const space s = glue_space(kernel, &x, &projection);
  observations kind = x;
  kind.kind = x.kind == ROWS_SPARSE ? ROWS_SPARSE : ROWS_DENSE;
  response r;
  gathered g;
  const size_t held = held_of(settings, n), wide = padded(outputs);
  arena measure = {NULL, 0}, memory;
  gathered_layout(&g, &measure, &x, row, count);
  arena_take(&measure, count * wide);
  response_layout(&r, &measure, &exec, &kind, held, n, outputs, batch);
  SEXP lent = PROTECT(glue_lend(&measure, &memory));
  gathered_layout(&g, &memory, &x, row, count);
  double *truth = arena_take(&memory, count * wide);
  response_layout(&r, &memory, &exec, &kind, held, n, outputs, batch);
  gather_rows(&g, &exec, &x, row, count);
  r.rows = g.rows;
  r.y = matrix_on(truth, count, outputs, wide);
  take_rows(observed, x.rows, row, r.y);
  r.loss = (loss_kind)setting_choice(settings, "loss", losses, 3);
  r.space = &s;
  r.penalty = setting_number(settings, "penalty");
  r.moves_bandwidth = setting_flag(settings, "moves_bandwidth");
  r.bandwidth = glue_bandwidth(kernel);
  glue_points_in(landmarks, 0, n, &x, &r.now);
  const matrix first = matrix_on(r.landmark.first, d, n, r.now.length),
               weight_first = matrix_on(r.weight.first, n + 1, outputs, wide),
               weight_second = matrix_on(r.weight.second, n + 1, outputs, wide);
  memset(r.landmark.first, 0, d * r.now.length * sizeof(double));
  static int each = -1;
  if (each < 0) each = getenv("EACH") != NULL;
  const matrix second = each ? matrix_on(r.landmark.second, d, n, r.now.length)
                             : matrix_on(r.landmark.second, 1, n, r.now.length);
  take_rows(matrix_of(setting(state, "weights"), n + 1, outputs, "weights"), n + 1, NULL,
            r.weights);
  take_rows(matrix_of(setting(state, "first"), d, n, "first"), d, NULL, first);
  take_rows(matrix_of(setting(state, "second"), second.rows, n, "second"), second.rows, NULL,
            second);
  take_rows(matrix_of(setting(state, "weight_first"), n + 1, outputs, "weight_first"), n + 1, NULL,
            weight_first);
  take_rows(matrix_of(setting(state, "weight_second"), n + 1, outputs, "weight_second"), n + 1,
            NULL, weight_second);
  memcpy(r.moment, numbers_of(setting(state, "moment"), 2, "moment"), sizeof r.moment);
  r.steps = setting_number(state, "steps");
  const double pull = setting_number(settings, "pull");
  double loss = 0.0;
  for (size_t p = 0; p < passes; p++) loss = response_pass(&r, batch, rate + p * steps, pull);
  const char *names[] = {"landmarks", "bandwidth",    "loss",          "weights", "first",
                         "second",    "weight_first", "weight_second", "moment",  "steps"};
  SEXP out = PROTECT(glue_list(10, names));
  SEXP result = Rf_duplicate(landmarks);
  SET_VECTOR_ELT(out, 0, result);
  glue_points_out(&r.now, &x, s.kind, 0, REAL(result), n);
  for (size_t j = 0; j < d; j++) {
    for (size_t l = 0; l < held; l++) REAL(result)[j * n + l] = REAL(landmarks)[j * n + l];
  }
  SET_VECTOR_ELT(out, 1, Rf_ScalarReal(r.bandwidth));
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal(loss));
  SET_VECTOR_ELT(out, 3, give_matrix(r.weights));
  SET_VECTOR_ELT(out, 4, give_matrix(first));
  SET_VECTOR_ELT(out, 5, give_matrix(second));
  SET_VECTOR_ELT(out, 6, give_matrix(weight_first));
  SET_VECTOR_ELT(out, 7, give_matrix(weight_second));
  SET_VECTOR_ELT(out, 8, give_numbers(r.moment, 2));
  SET_VECTOR_ELT(out, 9, Rf_ScalarReal(r.steps));
  glue_return(lent);
  UNPROTECT(2);
  return out;
}

static matrix matrix_in(SEXP from, size_t rows, size_t columns, const char *name) {
  const matrix to = matrix_on(glue_doubles(rows * columns), rows, columns, columns);
  take_rows(matrix_of(from, rows, columns, name), rows, NULL, to);
  return to;
}

/* The order of features by forward selection, from 1; see forward.h. */
SEXP lm_forward_order(SEXP gram, SEXP cross, SEXP told_gram, SEXP told_cross, SEXP settings) {
  const size_t n = (size_t)Rf_nrows(gram), outputs = (size_t)Rf_ncols(cross);
  products_with_response learned = {matrix_in(gram, n, n, "gram"),
                                    matrix_in(cross, n, outputs, "cross")},
                         told = {matrix_in(told_gram, n, n, "told_gram"),
                                 matrix_in(told_cross, n, outputs, "told_cross")};
  size_t *order = (size_t *)R_alloc(n, sizeof(size_t));
  forward_order(&learned, &told, held_of(settings, n), order, glue_doubles(3 * n + outputs));
  SEXP out = Rf_allocVector(INTSXP, (R_xlen_t)n);
  for (size_t l = 0; l < n; l++) INTEGER(out)[l] = (int)order[l] + 1;
  return out;
}
