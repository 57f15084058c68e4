#include "ridge.h"

#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"
#include "core/base/weight.h"
#include "newton.h"

#define TILE 512      /* rows at a time: with their weighted copy in the second cache */
#define HALVINGS 40   /* of a step that does not lower the objective */
#define GOOD_STEP 0.2 /* the gradient's norm falls to this part: the factor will do once more */

/* One thread's scratch. */
typedef struct {
  double *curvature;           /* rows: the loss's second derivative */
  double *fitted;              /* TILE x 8: products come in whole vectors */
  double *weighted;            /* TILE x length */
  double *hessian;             /* terms x length */
  double *w, *step, *gradient; /* terms x 8, the first column in use */
} lane;

static size_t lane_layout(lane *l, double *base, const ridge *r) {
  arena memory = {base, 0};
  l->curvature = arena_take(&memory, r->rows);
  l->fitted = arena_take(&memory, TILE * VECTOR_DOUBLES);
  l->weighted = arena_take(&memory, TILE * r->ld);
  l->hessian = arena_take(&memory, r->terms * r->ld);
  l->w = arena_take(&memory, r->terms * VECTOR_DOUBLES);
  l->step = arena_take(&memory, r->terms * VECTOR_DOUBLES);
  l->gradient = arena_take(&memory, r->terms * VECTOR_DOUBLES);
  return memory.used;
}

#define LONG_STEP (5.0 * POLL_OPERATIONS) /* of Newton's method, for one model */

void ridge_layout(ridge *r, arena *memory, const executor *exec, loss_kind loss, size_t rows,
                  size_t terms, size_t models) {
  r->exec = exec;
  r->loss = loss;
  r->rows = rows;
  r->terms = terms;
  r->ld = padded(terms);
  /* Models side by side are polled for between them, a long one within. */
  const int is_long = (double)rows * (double)terms * (double)terms > LONG_STEP;
  r->lanes = is_long || models < (size_t)exec->threads ? 1 : (size_t)exec->threads;
  r->x = arena_take(memory, rows * r->ld);
  r->weights = NULL;
  lane l;
  r->apart = lane_layout(&l, NULL, r);
  r->scratch = arena_take(memory, r->lanes * r->apart);
}

/* The objective at l->w; leaves its gradient and the curvatures. */
static double look(const ridge *r, const executor *exec, const double *y, double lambda, lane *l) {
  double sum = 0.0;
  memset(l->gradient, 0, r->terms * VECTOR_DOUBLES * sizeof *l->gradient);
  memset(l->fitted, 0, TILE * VECTOR_DOUBLES * sizeof *l->fitted);
  for (size_t first = 0; first < r->rows; first += TILE) {
    const size_t rows = r->rows - first < TILE ? r->rows - first : TILE;
    const double *x = r->x + first * r->ld;
    const block_product fit = {.rows = rows,
                               .columns = 1,
                               .depth = r->terms,
                               .a = x,
                               .a_row = r->ld,
                               .a_col = 1,
                               .b = l->w,
                               .b_row = VECTOR_DOUBLES,
                               .c = l->fitted,
                               .c_row = VECTOR_DOUBLES,
                               .accumulate = 0};
    exec->variant->multiply(&fit);
    const double *v = r->weights ? r->weights + first : NULL;
    double *curvature = l->curvature + first;
    sum += loss_curvatures(r->loss, exec, v, rows, y + first, l->fitted, curvature, l->weighted);
    const block_product slope = {.rows = r->terms,
                                 .columns = 1,
                                 .depth = rows,
                                 .a = x,
                                 .a_row = 1,
                                 .a_col = r->ld,
                                 .b = l->fitted,
                                 .b_row = VECTOR_DOUBLES,
                                 .c = l->gradient,
                                 .c_row = VECTOR_DOUBLES,
                                 .accumulate = 1};
    exec->variant->multiply(&slope);
  }
  for (size_t k = 0; k + 1 < r->terms; k++) {
    const double w = l->w[k * VECTOR_DOUBLES];
    sum += 0.5 * lambda * w * w;
    l->gradient[k * VECTOR_DOUBLES] += lambda * w;
  }
  return sum;
}

/* The Hessian's Cholesky factor. */
static void bend(const ridge *r, const executor *exec, double lambda, lane *l) {
  double done = 0.0;
  for (size_t first = 0; first < r->rows; first += TILE) {
    const size_t rows = r->rows - first < TILE ? r->rows - first : TILE;
    const double *x = r->x + first * r->ld;
    for (size_t i = 0; i < rows; i++) {
      const double v = l->curvature[first + i];
      const double *restrict from = x + i * r->ld;
      double *restrict to = l->weighted + i * r->ld;
#pragma omp simd
      for (size_t k = 0; k < r->ld; k++) to[k] = v * from[k];
    }
    poll_by_work(exec, (double)rows * (double)r->terms * (double)r->terms, &done);
    syrk(exec, matrix_on(x, rows, r->terms, r->ld), matrix_on(l->weighted, rows, r->terms, r->ld),
         first > 0, matrix_on(l->hessian, r->terms, r->terms, r->ld));
  }
  for (size_t k = 0; k + 1 < r->terms; k++) l->hessian[k * r->ld + k] += lambda;
  /* Where every fitted value is at its end the intercept has no curvature left. */
  double *last = l->hessian + (r->terms - 1) * r->ld + r->terms - 1;
  if (!(*last > LEAST_CURVATURE)) *last = LEAST_CURVATURE;
  cholesky(exec, r->terms, r->ld, 0, DEPENDENT_HESSIAN, 1, l->hessian);
}

static double norm(const double *v, size_t terms) {
  double sum = 0.0;
  for (size_t k = 0; k < terms; k++) sum += v[k * VECTOR_DOUBLES] * v[k * VECTOR_DOUBLES];
  return sqrt(sum);
}

/* The gradient's norm at w = 0 and the intercept that is best there. */
static double norm_at_zero(const ridge *r, const executor *exec, const double *y, lane *l) {
  double mean = 0.0;
  for (size_t i = 0; i < r->rows; i++) mean += weight_of(r->weights, i) * y[i];
  mean /= (double)r->rows;
  memset(l->w, 0, r->terms * VECTOR_DOUBLES * sizeof *l->w);
  const double best = r->loss == LOSS_LOGISTIC ? log(mean / (1.0 - mean)) : mean;
  l->w[(r->terms - 1) * VECTOR_DOUBLES] = best;
  look(r, exec, y, 0.0, l);
  return norm(l->gradient, r->terms);
}

/* The Newton step from where we stand, and its decrement, sqrt(g' H^-1 g): what
 * the gradient is in a norm that knows of no units, so that no column of large
 * values hides the others. */
static double newton_step(const ridge *r, const executor *exec, lane *l) {
  memcpy(l->step, l->gradient, r->terms * VECTOR_DOUBLES * sizeof *l->step);
  potrs(exec, matrix_on(l->hessian, r->terms, r->terms, r->ld), 1, 0,
        matrix_on(l->step, r->terms, 1, VECTOR_DOUBLES));
  double sum = 0.0;
  for (size_t k = 0; k < r->terms * VECTOR_DOUBLES; k += VECTOR_DOUBLES) {
    sum += l->gradient[k] * l->step[k];
  }
  return sqrt(sum > 0.0 ? sum : 0.0);
}

/* One model; `w` its coefficients, contiguous. Returns what is left of the gradient. */
static double solve_one(const ridge *r, const executor *exec, const double *y, double lambda,
                        double *unit, double *w, lane *l, int *taken) {
  memset(l->w, 0, r->terms * VECTOR_DOUBLES * sizeof *l->w);
  for (size_t k = 0; k < r->terms; k++) l->w[k * VECTOR_DOUBLES] = w[k];
  double objective = look(r, exec, y, lambda, l), size = norm(l->gradient, r->terms);
  double left = INFINITY;
  int factored = 0, again = 0;
  *taken = 0;
  while (*taken <= r->steps) {
    /* The old factor serves to see that we are there, and once more after a good step. */
    if (factored) {
      left = newton_left(r->rows, size, newton_step(r, exec, l), unit);
      if (left <= r->tolerance || *taken == r->steps) break;
    }
    if (!again) {
      bend(r, exec, lambda, l);
      factored = 1;
      const double decrement = newton_step(r, exec, l);
      if (unit[1] < 0.0) unit[1] = decrement;
      left = newton_left(r->rows, size, decrement, unit);
      if (left <= r->tolerance || *taken == r->steps) break;
    }
    double share = 1.0, value = INFINITY;
    for (int half = 0; half <= HALVINGS; half++, share *= 0.5) {
      for (size_t k = 0; k < r->terms; k++) {
        l->w[k * VECTOR_DOUBLES] = w[k] - share * l->step[k * VECTOR_DOUBLES];
      }
      value = look(r, exec, y, lambda, l);
      /* Near the end the objective moves by less than its rounding error. */
      if (value <= objective + NO_DESCENT * fabs(objective)) break;
      value = INFINITY;
    }
    if (!isfinite(value)) break;
    const double before = size;
    size = norm(l->gradient, r->terms);
    objective = value;
    ++*taken;
    for (size_t k = 0; k < r->terms; k++) w[k] = l->w[k * VECTOR_DOUBLES];
    again = share == 1.0 && size < GOOD_STEP * before;
  }
  return left;
}

static void solve_model(const ridge *r, const executor *exec, const double *y, ptrdiff_t m,
                        size_t number, double lambda, double *w, double *unit, double *gradient,
                        int *taken) {
  lane l;
  lane_layout(&l, r->scratch + number * r->apart, r);
  const double *of = y + (size_t)m * r->rows;
  if (unit[2 * m] < 0.0) unit[2 * m] = norm_at_zero(r, exec, of, &l);
  double *own = w + (size_t)m * r->ld;
  gradient[m] = solve_one(r, exec, of, lambda, unit + 2 * m, own, &l, taken + m);
}

void ridge_solve(ridge *r, const double *y, size_t models, double lambda, double *w, double *unit,
                 double *gradient, int *taken) {
  const int threads = (int)r->lanes;
  const executor alone = one_thread(r->exec);
  const ptrdiff_t all = (ptrdiff_t)models;
  /* No poll within a parallel region, be it of one thread. */
  for (ptrdiff_t m = 0; threads == 1 && m < all; m++) {
    solve_model(r, r->exec, y, m, 0, lambda, w, unit, gradient, taken);
  }
  const double work = 8.0 * (double)r->rows * (double)r->terms * (double)r->terms * (double)models;
  stretch part = stretches(r->exec, threads, all, work);
  while (threads > 1 && next_stretch(r->exec, &part)) {
    PARALLEL_FOR(threads, schedule(dynamic))
    for (ptrdiff_t m = part.begin; m < part.end; m++) {
      solve_model(r, &alone, y, m, (size_t)THREAD_INDEX(), lambda, w, unit, gradient, taken);
    }
  }
}
