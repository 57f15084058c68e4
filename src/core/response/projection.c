#include "projection.h"

#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/base/eight.h"
#include "core/base/tolerance.h"
#include "core/base/weight.h"

#define FARTHEST 0.1 /* that a landmark or another element of u moves in an iteration */
#define HALVINGS 12  /* of a step */
#define DESCENT 1e-4 /* the least decrease, as a share of that to first order */

void projection_layout(projection *p, arena *memory, response *r) {
  const size_t columns = r->rows.columns,
               size = (columns * padded(r->shape.n) + columns + EIGHT) / EIGHT * EIGHT;
  p->r = r;
  p->value = INFINITY;
  p->at = arena_take(memory, size);
  p->slope = arena_take(memory, size);
  p->next = arena_take(memory, size);
  p->next_slope = arena_take(memory, size);
  p->step = arena_take(memory, size);
  pairs_layout(&p->pairs, memory, MOST_PAIRS, size);
}

/* The unit of landmarks: the root of the bandwidth at the start, the middle of its range. */
static double unit_of(const response *r) { return sqrt(sqrt(r->narrowest) * sqrt(r->widest)); }

/* Where the relevances stand in a vector of u, and behind them log eta. */
static double *relevances_of(const response *r, double *u) {
  return u + r->now.columns * r->now.ld;
}

/* u of the state. */
static void read_state(const projection *p, double *u) {
  const response *r = p->r;
  const size_t d = r->now.columns, ld = r->now.ld;
  const double unit = unit_of(r);
  double *relevance = relevances_of(r, u);
  memset(u, 0, p->pairs.size * sizeof *u);
  for (size_t j = 0; j < d; j++) {
    const double by = r->shape.moves_metric ? r->metric.by[j] : 1.0;
    for (size_t l = 0; l < r->shape.n; l++) u[j * ld + l] = r->now.x[j * ld + l] / (by * unit);
    if (r->shape.moves_metric) relevance[j] = log(by) / r->metric.rate;
  }
  relevance[d] = log(r->bandwidth);
}

/* The state of u, but for its weights. */
static void write_state(const projection *p, double *u) {
  response *r = p->r;
  const size_t d = r->now.columns, ld = r->now.ld;
  const double unit = unit_of(r), *relevance = relevances_of(r, u);
  for (size_t j = 0; j < d; j++) {
    const double by = r->shape.moves_metric ? exp(r->metric.rate * relevance[j]) : 1.0;
    if (r->shape.moves_metric) r->metric.by[j] = by;
    for (size_t l = 0; l < r->shape.n; l++) r->now.x[j * ld + l] = u[j * ld + l] * (by * unit);
  }
  points_norms(&r->now);
  if (!r->moves_bandwidth) return;
  r->bandwidth = fmin(fmax(exp(relevance[d]), r->narrowest), r->widest);
}

/* The weights that are best for the landmarks, in r->weights. Leaves features of all rows. */
static void solve_weights(response *r, double total) {
  const executor *exec = &r->pace.exec;
  const size_t m = r->m, outputs = r->shape.outputs, wide = r->weights.stride,
               ld = r->factor.stride, rows = r->rows.rows;
  const matrix all = response_predictors(r, &r->rows),
               y = matrix_block(r->scores, 0, 0, rows, outputs);
  for (size_t i = 0; i < rows; i++) {
    const double root = sqrt(weight_of(r->rows.weight, i));
    for (size_t k = 0; k < wide; k++) {
      y.x[i * wide + k] = k < outputs ? root * r->y.x[i * wide + k] : 0.0;
    }
  }
  syrk(exec, all, all, 0, r->factor);
  gemm_tn(exec, all, y, 0, r->weights);
  for (size_t k = 0; k <= m; k++) {
    for (size_t l = 0; l <= m; l++) r->factor.x[k * ld + l] /= total;
    if (k < m) r->factor.x[k * ld + k] += r->penalty;
    for (size_t o = 0; o < outputs; o++) r->weights.x[k * wide + o] /= total;
  }
  cholesky(exec, m + 1, ld, 0, DEPENDENT_PREDICTORS, 1, r->factor.x);
  potrs(exec, r->factor, 1, 0, r->weights);
}

/* L(u), and its gradient. The state becomes that of u. */
static double objective(const projection *p, double *u, double *slope) {
  response *r = p->r;
  const size_t d = r->now.columns, ld = r->now.ld, n = r->shape.n;
  const double total = weights_sum(r->rows.weight, r->rows.rows), unit = unit_of(r);
  double by_bandwidth = 0.0, size = 0.0;
  write_state(p, u);
  solve_weights(r, total);
  const double loss = response_gradient(r, &r->rows, r->y.x, total, &by_bandwidth);
  for (size_t l = 0; l < r->m; l++) {
    for (size_t k = 0; k < r->shape.outputs; k++) {
      const double w = r->weights.x[l * r->weights.stride + k];
      size += w * w;
    }
  }
  double *by_relevance = relevances_of(r, slope);
  memset(slope, 0, p->pairs.size * sizeof *slope);
  for (size_t j = 0; j < d; j++) {
    const double by = unit * (r->shape.moves_metric ? r->metric.by[j] : 1.0);
    for (size_t l = r->shape.fixed; l < n; l++) slope[j * ld + l] = by * r->sums.x[j * ld + l];
    if (r->shape.moves_metric) by_relevance[j] = r->metric.rate * r->metric.slope[j];
  }
  const int inside = r->narrowest < r->bandwidth && r->bandwidth < r->widest;
  if (r->moves_bandwidth && inside) by_relevance[d] = by_bandwidth;
  const double value = loss + 0.5 * r->penalty * size;
  return isfinite(value) ? value : INFINITY;
}

/* The step of L-BFGS from p->at, with no landmark farther than FARTHEST, nor another element. */
static void propose(const projection *p) {
  const curvature_pairs *pairs = &p->pairs;
  const size_t d = p->r->now.columns, ld = p->r->now.ld;
  double share[MOST_PAIRS], scale = 1.0, farthest = 0.0;
  for (size_t i = 0; i < pairs->size; i++) p->step[i] = -p->slope[i];
  pairs_begin(pairs, p->step, share);
  if (pairs->count) {
    const size_t at = pairs_place(pairs, pairs->count - 1);
    scale = pairs->inner[at] / pairs_inner(pairs->change[at], pairs->change[at], pairs->size);
  }
  for (size_t i = 0; i < pairs->size; i++) p->step[i] *= scale;
  pairs_finish(pairs, share, p->step);
  for (size_t l = 0; l < ld; l++) {
    double far = 0.0;
    for (size_t j = 0; j < d; j++) far += p->step[j * ld + l] * p->step[j * ld + l];
    farthest = fmax(farthest, sqrt(far));
  }
  for (size_t i = d * ld; i < pairs->size; i++) farthest = fmax(farthest, fabs(p->step[i]));
  const double by = farthest > FARTHEST ? FARTHEST / farthest : 1.0;
  for (size_t i = 0; i < pairs->size; i++) p->step[i] *= by;
}

/* Goes along the step, and half as far until L falls enough. Returns whether it does. */
static int advance(projection *p) {
  const size_t size = p->pairs.size;
  const double along = pairs_inner(p->slope, p->step, size);
  double share = 1.0;
  for (int half = 0; along < 0.0 && half < HALVINGS; half++, share *= 0.5) {
    for (size_t i = 0; i < size; i++) p->next[i] = p->at[i] + share * p->step[i];
    const double value = objective(p, p->next, p->next_slope);
    if (!(value <= p->value + DESCENT * share * along)) continue;
    const size_t at = pairs_place(&p->pairs, p->pairs.count);
    for (size_t i = 0; i < size; i++) {
      p->pairs.step[at][i] = p->next[i] - p->at[i];
      p->pairs.change[at][i] = p->next_slope[i] - p->slope[i];
    }
    pairs_keep(&p->pairs);
    memcpy(p->at, p->next, size * sizeof *p->at);
    memcpy(p->slope, p->next_slope, size * sizeof *p->slope);
    p->value = value;
    return 1;
  }
  return 0;
}

size_t projection_run(projection *p, size_t iterations) {
  response *r = p->r;
  size_t done = 0;
  int fell = 1;
  read_state(p, p->at);
  if (!isfinite(p->value)) p->value = objective(p, p->at, p->slope);
  while (done < iterations && isfinite(p->value)) {
    poll_user(&r->pace.exec);
    pace_turn(&r->pace, 1);
    propose(p);
    fell = advance(p);
    pace_note(&r->pace, 4.0 * (double)r->rows.rows * (double)(r->shape.n * r->now.columns));
    done += (size_t)fell;
    if (fell) continue;
    if (p->pairs.count == 0) break;
    p->pairs.count = 0; /* along the gradient once more */
  }
  if (!fell) objective(p, p->at, p->next_slope); /* the state is that of the last trial */
  r->steps += (double)done;
  return done;
}
