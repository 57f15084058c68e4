/* The entry point that moves landmarks toward what predicts a response. */
#include <string.h>

#include "core/data/gathered.h"
#include "core/response/forward.h"
#include "core/response/projection.h"
#include "glue.h"

/* What was observed of some rows, numbers of R by columns, by rows. */
static void take_rows(const double *from, size_t rows, const int *row, matrix to) {
  for (size_t k = 0; k < to.columns; k++) {
    for (size_t i = 0; i < to.rows; i++) to.x[i * to.stride + k] = from[k * rows + (size_t)row[i]];
  }
}

static void matrix_in(SEXP from, matrix to, const char *name) {
  matrix_of(from, to.rows, to.columns, name);
  glue_matrix_in(from, to.x, to.stride);
}

static SEXP matrix_out(matrix from) {
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)from.rows, (int)from.columns));
  glue_matrix_out(from.x, from.stride, out);
  UNPROTECT(1);
  return out;
}

/* What steps change, for the next call: parts of `state`. Their moments are in the kernel's
 * coordinates; `weights` has the intercepts in its last row. */
enum {
  LANDMARKS,
  BANDWIDTH,
  LOSS,
  WEIGHTS,
  FIRST,
  SECOND,
  WEIGHT_FIRST,
  WEIGHT_SECOND,
  MOMENT,
  STEPS,
  FACTOR,
  MADE,      /* made_from and stale */
  DESCENT,   /* of projection.h: the gradient and the pairs; NULL before the first call */
  RELEVANCE, /* where the metric moves */
  RELEVANCE_FIRST,
  RELEVANCE_SECOND,
  PARTS
};

/* The matrices among them, by their place. */
static matrix part_of(const response *r, int part) {
  const size_t n = r->shape.n, d = r->now.columns, length = r->now.ld, wide = r->weights.stride;
  switch (part) {
  case WEIGHTS:
    return r->weights;
  case FIRST:
    return matrix_on(r->landmark.first, d, n, length);
  case SECOND:
    return matrix_on(r->landmark.second, 1, n, length);
  case WEIGHT_FIRST:
    return matrix_on(r->weight.first, r->m + 1, r->shape.outputs, wide);
  case WEIGHT_SECOND:
    return matrix_on(r->weight.second, r->m + 1, r->shape.outputs, wide);
  case FACTOR:
    return r->factor;
  case RELEVANCE:
    return matrix_on(r->metric.by, 1, d, d);
  default:
    return matrix_on(r->metric.first, 1, d, d);
  }
}

static const char *state_names[] = {
    "landmarks",       "bandwidth",       "loss",  "weights", "first", "second",  "weight_first",
    "weight_second",   "moment",          "steps", "factor",  "made",  "descent", "relevance",
    "relevance_first", "relevance_second"};

static void state_in(SEXP state, response *r) {
  for (int part = WEIGHTS; part <= WEIGHT_SECOND; part++) {
    matrix_in(setting(state, state_names[part]), part_of(r, part), state_names[part]);
  }
  memcpy(r->moment, numbers_of(setting(state, "moment"), 2, "moment"), sizeof r->moment);
  r->steps = setting_number(state, "steps");
  matrix_in(setting(state, "factor"), r->factor, "factor");
  const double *made = numbers_of(setting(state, "made"), 2, "made");
  r->made_from = made[0];
  r->stale = made[1];
  if (!r->shape.moves_metric) return;
  for (int part = RELEVANCE; part <= RELEVANCE_FIRST; part++) {
    matrix_in(setting(state, state_names[part]), part_of(r, part), state_names[part]);
  }
  r->metric.second = setting_number(state, state_names[RELEVANCE_SECOND]);
  metric_enter(&r->metric, &r->now);
}

/* The gradient of a projection and its pairs, the oldest first, are columns of a matrix. */
static void projection_in(SEXP state, projection *p) {
  SEXP from = setting(state, state_names[DESCENT]);
  if (from == R_NilValue) return;
  const size_t size = p->pairs.size, columns = (size_t)Rf_ncols(from);
  const double *x = matrix_of(from, size, columns, state_names[DESCENT]);
  if (columns > 1 + 2 * MOST_PAIRS) Rf_error("too many pairs");
  p->value = setting_number(state, state_names[LOSS]);
  memcpy(p->slope, x, size * sizeof *x);
  for (size_t k = 0; 2 * k + 2 < columns; k++) {
    memcpy(p->pairs.step[k], x + (2 * k + 1) * size, size * sizeof *x);
    memcpy(p->pairs.change[k], x + (2 * k + 2) * size, size * sizeof *x);
    pairs_keep(&p->pairs);
  }
}

static void projection_out(const projection *p, SEXP out) {
  const size_t size = p->pairs.size, count = p->pairs.count;
  SEXP to = Rf_allocMatrix(REALSXP, (int)size, (int)(1 + 2 * count));
  SET_VECTOR_ELT(out, DESCENT, to);
  double *x = REAL(to);
  memcpy(x, p->slope, size * sizeof *x);
  for (size_t k = 0; k < count; k++) {
    const size_t at = pairs_place(&p->pairs, k);
    memcpy(x + (2 * k + 1) * size, p->pairs.step[at], size * sizeof *x);
    memcpy(x + (2 * k + 2) * size, p->pairs.change[at], size * sizeof *x);
  }
}

static SEXP state_out(response *r, SEXP landmarks, const observations *x) {
  const int moves = r->shape.moves_metric;
  SEXP out = PROTECT(glue_list(moves ? PARTS : RELEVANCE, state_names));
  if (moves) metric_leave(&r->metric, &r->now);
  SEXP result = Rf_duplicate(landmarks);
  SET_VECTOR_ELT(out, LANDMARKS, result);
  const size_t n = r->shape.n;
  glue_points_out(&r->now, x, r->space->kind, 0, REAL(result), n);
  /* Those that are fixed, to the last bit. */
  for (size_t j = 0; j < x->columns; j++) {
    memcpy(REAL(result) + j * n, REAL_RO(landmarks) + j * n, r->shape.fixed * sizeof(double));
  }
  SET_VECTOR_ELT(out, BANDWIDTH, Rf_ScalarReal(r->bandwidth));
  for (int part = WEIGHTS; part <= WEIGHT_SECOND; part++) {
    SET_VECTOR_ELT(out, part, matrix_out(part_of(r, part)));
  }
  SEXP moment = Rf_allocVector(REALSXP, 2);
  SET_VECTOR_ELT(out, MOMENT, moment);
  memcpy(REAL(moment), r->moment, sizeof r->moment);
  SET_VECTOR_ELT(out, STEPS, Rf_ScalarReal(r->steps));
  SET_VECTOR_ELT(out, FACTOR, matrix_out(r->factor));
  SEXP made = Rf_allocVector(REALSXP, 2);
  SET_VECTOR_ELT(out, MADE, made);
  REAL(made)[0] = r->made_from;
  REAL(made)[1] = r->stale;
  if (moves) {
    SET_VECTOR_ELT(out, RELEVANCE, matrix_out(part_of(r, RELEVANCE)));
    SET_VECTOR_ELT(out, RELEVANCE_FIRST, matrix_out(part_of(r, RELEVANCE_FIRST)));
    SET_VECTOR_ELT(out, RELEVANCE_SECOND, Rf_ScalarReal(r->metric.second));
  }
  UNPROTECT(1);
  return out;
}

/* Steps of the landmarks but the first `fixed`, and of their weights, on `rows` of a source, in
 * that order, in batches of `batch` rows, `passes` times. `y`: what was observed of the source's
 * rows. `state`: weights and moments, as they are returned. `rates`: one for each step. `unit`: of
 * a trend, or NULL; `relevance`: the rate of the metric, or 0. With `projects`, a pass is an
 * iteration of projection.h on all rows, and rates have no effect. */
SEXP lmk_respond(SEXP source, SEXP landmarks, SEXP y, SEXP kernel, SEXP state, SEXP settings) {
  const char *losses[] = {"squares", "huber", "poisson", "logistic", "softmax"};
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  SEXP rows = setting(settings, "rows"), rates = setting(settings, "rates");
  const size_t count = (size_t)Rf_xlength(rows), batch = setting_count(settings, "batch"),
               passes = setting_count(settings, "passes");
  const int *row = places_of(rows, ANY_LENGTH, x.rows, "rows");
  matrix_of(landmarks, ANY_LENGTH, x.columns, "landmarks");
  SEXP unit = setting(settings, "unit");
  const double relevance = setting_number(settings, "relevance");
  const size_t n = (size_t)Rf_nrows(landmarks), outputs = (size_t)Rf_ncols(y);
  const double *observed = matrix_of(y, x.rows, outputs, "y");
  if (n < 1 || outputs < 1 || batch < 1 || count < 1) Rf_error("nothing to learn");
  if (x.kind == ROWS_SPARSE && (relevance > 0.0 || unit != R_NilValue)) Rf_error("sparse rows");
  const int projects = setting_flag(settings, "projects");
  if (projects && batch < count) Rf_error("a projection takes all rows");
  const size_t steps = (count + batch - 1) / batch;
  const double *rate = numbers_of(rates, steps * passes, "rates");
  glue_projection onto;
  const space s = glue_space(kernel, &x, &onto);
  observations kind = x;
  kind.kind = x.kind == ROWS_SPARSE ? ROWS_SPARSE : ROWS_DENSE;
  response r;
  projection p;
  gathered g;
  const size_t entries = observations_entries(&x, row, count);
  const size_t wide = padded(outputs);
  const response_shape shape = {.fixed = fixed_of(settings, n),
                                .n = n,
                                .outputs = outputs,
                                .most = batch,
                                .trend = unit != R_NilValue,
                                .profile = glue_kernel(kernel).profile,
                                .projects = projects,
                                .moves_metric = relevance > 0.0};
  arena measure = {NULL, 0}, memory;
  gathered_layout(&g, &measure, &x, count, entries, 0);
  arena_take(&measure, count * wide);
  response_layout(&r, &measure, &exec, &kind, shape);
  if (projects) projection_layout(&p, &measure, &r);
  SEXP lent = PROTECT(glue_lend(&measure, &memory));
  gathered_layout(&g, &memory, &x, count, entries, 0);
  double *truth = arena_take(&memory, count * wide);
  response_layout(&r, &memory, &exec, &kind, shape);
  if (projects) projection_layout(&p, &memory, &r);
  gathered_take(&g, &exec, &x, row, count);
  r.rows = g.rows;
  r.y = matrix_on(truth, count, outputs, wide);
  take_rows(observed, x.rows, row, r.y);
  r.loss.kind = (loss_kind)setting_choice(settings, "loss", losses, 5);
  r.loss.width = setting_number(settings, "width");
  r.unit = shape.trend ? numbers_of(unit, x.columns, "unit") : NULL;
  r.metric.rate = relevance;
  r.space = &s;
  r.penalty = setting_number(settings, "penalty");
  r.moves_bandwidth = setting_flag(settings, "moves_bandwidth");
  r.bandwidth = glue_kernel(kernel).bandwidth;
  r.narrowest = setting_number(settings, "narrowest");
  r.widest = setting_number(settings, "widest");
  glue_points_in(landmarks, 0, n, &x, &r.now);
  state_in(state, &r);
  const double pull = setting_number(settings, "pull");
  double loss = 0.0;
  if (projects) {
    projection_in(state, &p);
    projection_run(&p, passes);
  }
  for (size_t k = 0; !projects && k < passes; k++) {
    loss = response_pass(&r, batch, rate + k * steps, pull);
  }
  SEXP out = PROTECT(state_out(&r, landmarks, &x));
  SET_VECTOR_ELT(out, LOSS, Rf_ScalarReal(projects ? p.value : loss));
  if (projects) projection_out(&p, out);
  glue_return(lent);
  UNPROTECT(2);
  return out;
}

static matrix product_in(SEXP from, size_t rows, size_t columns, const char *name) {
  const matrix to = matrix_on(glue_doubles(rows * columns), rows, columns, columns);
  matrix_in(from, to, name);
  return to;
}

/* The order of features by forward selection, from 1; see forward.h. */
SEXP lmk_forward_order(SEXP gram, SEXP cross, SEXP test_gram, SEXP test_cross, SEXP settings) {
  const size_t n = (size_t)Rf_nrows(gram), outputs = (size_t)Rf_ncols(cross);
  products_with_response train = {product_in(gram, n, n, "gram"),
                                  product_in(cross, n, outputs, "cross")},
                         test = {product_in(test_gram, n, n, "test_gram"),
                                 product_in(test_cross, n, outputs, "test_cross")};
  size_t *order = (size_t *)R_alloc(n, sizeof(size_t));
  forward_order(&train, &test, fixed_of(settings, n), order, glue_doubles(3 * n + outputs));
  SEXP out = Rf_allocVector(INTSXP, (R_xlen_t)n);
  for (size_t l = 0; l < n; l++) INTEGER(out)[l] = (int)order[l] + 1;
  return out;
}
