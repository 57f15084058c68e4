#include "softmax.h"

#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"
#include "core/base/weight.h"
#include "newton.h"

#define TILE 256       /* rows at a time: they stay in the second cache */
#define CHUNKS 16      /* at most; sums do not depend on the number of threads */
#define HALVINGS 40    /* of a step that does not lower the objective */
#define ITERATIONS 500 /* at most, of the conjugate gradients in one Newton step */

void softmax_layout(softmax *s, arena *memory, const executor *exec, size_t rows, size_t terms,
                    size_t classes) {
  const size_t tiles = (rows + TILE - 1) / TILE;
  s->exec = exec;
  s->rows = rows;
  s->terms = terms;
  s->classes = classes;
  s->ld = padded(terms);
  s->wide = padded(classes);
  s->chunks = tiles < CHUNKS ? tiles : CHUNKS;
  s->lanes = (size_t)exec->threads;
  s->iterations = -1;
  s->weights = NULL;
  const size_t size = terms * s->wide, square = classes * terms * s->ld;
  s->x = arena_take(memory, rows * s->ld);
  s->chance = arena_take(memory, rows * s->wide);
  s->objective = arena_take(memory, s->chunks);
  s->partial = arena_take(memory, s->chunks * size);
  s->tile = arena_take(memory, s->chunks * TILE * s->wide);
  s->block = arena_take(memory, square);
  s->factor = arena_take(memory, square);
  s->scratch = arena_take(memory, s->lanes * (TILE * s->ld + terms * VECTOR_DOUBLES));
  s->gradient = arena_take(memory, size);
  s->step = arena_take(memory, size);
  s->residual = arena_take(memory, size);
  s->direction = arena_take(memory, size);
  s->curved = arena_take(memory, size);
  s->solved = arena_take(memory, size);
  s->tried = arena_take(memory, size);
}

/* ---- vectors of terms x wide, the padding 0 ------------------------------- */

static double dot(const softmax *s, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t i = 0; i < s->terms * s->wide; i++) sum += a[i] * b[i];
  return sum;
}

static void copy(const softmax *s, const double *from, double *to) {
  memcpy(to, from, s->terms * s->wide * sizeof *to);
}

/* y = from + factor * x; y may be either. */
static void add(const softmax *s, const double *from, double factor, const double *x, double *y) {
  for (size_t i = 0; i < s->terms * s->wide; i++) y[i] = from[i] + factor * x[i];
}

/* Each row without its mean over the classes. */
static void center(const softmax *s, double *v) {
  for (size_t t = 0; t < s->terms; t++) {
    double *row = v + t * s->wide, mean = 0.0;
    for (size_t k = 0; k < s->classes; k++) mean += row[k];
    mean /= (double)s->classes;
    for (size_t k = 0; k < s->classes; k++) row[k] -= mean;
  }
}

/* ---- passes over the rows -------------------------------------------------- */

/* One row's scores become probabilities; returns log sum exp(f). */
static double to_chances(const softmax *s, double *f, double *apart) {
  double top = f[0], sum = 0.0;
  for (size_t k = 1; k < s->classes; k++) top = f[k] > top ? f[k] : top;
  for (size_t k = 0; k < s->classes; k++) apart[k] = f[k] - top;
  s->exec->variant->exp_nonpositive(apart, s->classes);
  for (size_t k = 0; k < s->classes; k++) sum += apart[k];
  for (size_t k = 0; k < s->classes; k++) f[k] = apart[k] / sum;
  return top + log(sum);
}

/* Rows [first, first + rows): probabilities to s->chance, their weighted distance
 * from the truth to `error`; returns the loss. */
static double judge(const softmax *s, const int *y, size_t first, size_t rows, double *error) {
  double sum = 0.0, *chance = s->chance + first * s->wide;
  for (size_t i = 0; i < rows; i++) {
    double *f = chance + i * s->wide, *e = error + i * s->wide;
    const size_t own = (size_t)y[first + i];
    const double score = f[own], weight = weight_of(s->weights, first + i);
    sum += weight * (to_chances(s, f, e) - score);
    memcpy(e, f, s->wide * sizeof *e);
    e[own] -= 1.0;
    for (size_t k = 0; k < s->classes; k++) e[k] *= weight;
  }
  return sum;
}

/* Changes of the rows' scores, `v`, become the weighted changes of their probabilities. */
static void score_to_chance(const softmax *s, size_t first, size_t rows, double *v) {
  for (size_t i = 0; i < rows; i++) {
    const double *p = s->chance + (first + i) * s->wide;
    double *a = v + i * s->wide, mean = 0.0;
    for (size_t k = 0; k < s->classes; k++) mean += p[k] * a[k];
    const double weight = weight_of(s->weights, first + i);
    for (size_t k = 0; k < s->classes; k++) a[k] = weight * p[k] * (a[k] - mean);
  }
}

/* One chunk of X'(..) X v: with `y` the gradient at v, whose probabilities are
 * left in s->chance, without it the Hessian times v. */
static void pass_chunk(const softmax *s, const int *y, const double *v, size_t c) {
  const size_t from = s->rows * c / s->chunks, end = s->rows * (c + 1) / s->chunks;
  double *sum = s->partial + c * s->terms * s->wide, *tile = s->tile + c * TILE * s->wide;
  memset(sum, 0, s->terms * s->wide * sizeof *sum);
  memset(tile, 0, TILE * s->wide * sizeof *tile);
  s->objective[c] = 0.0;
  for (size_t first = from; first < end; first += TILE) {
    const size_t rows = end - first < TILE ? end - first : TILE;
    const double *x = s->x + first * s->ld;
    const block_product fit = {.rows = rows,
                               .columns = s->classes,
                               .depth = s->terms,
                               .a = x,
                               .a_row = s->ld,
                               .a_col = 1,
                               .b = v,
                               .b_row = s->wide,
                               .c = y ? s->chance + first * s->wide : tile,
                               .c_row = s->wide,
                               .accumulate = 0};
    s->exec->variant->multiply(&fit);
    if (y)
      s->objective[c] += judge(s, y, first, rows, tile);
    else
      score_to_chance(s, first, rows, tile);
    const block_product slope = {.rows = s->terms,
                                 .columns = s->classes,
                                 .depth = rows,
                                 .a = x,
                                 .a_row = 1,
                                 .a_col = s->ld,
                                 .b = tile,
                                 .b_row = s->wide,
                                 .c = sum,
                                 .c_row = s->wide,
                                 .accumulate = 1};
    s->exec->variant->multiply(&slope);
  }
}

/* The whole pass with the penalty's part; returns the objective where there is a `y`. */
static double pass(const softmax *s, const int *y, double lambda, const double *v, double *out) {
  const double work = 4.0 * (double)s->rows * (double)s->terms * (double)s->classes;
  const int threads = threads_for(s->exec, work);
  poll_user(s->exec);
  PARALLEL_FOR(threads, schedule(dynamic))
  for (ptrdiff_t c = 0; c < (ptrdiff_t)s->chunks; c++) pass_chunk(s, y, v, (size_t)c);
  double sum = 0.0;
  const size_t size = s->terms * s->wide, last = size - s->wide;
  for (size_t i = 0; i < size; i++) out[i] = (i < last ? lambda : y ? 0.0 : LEAST_CURVATURE) * v[i];
  for (size_t c = 0; c < s->chunks; c++) {
    sum += s->objective[c];
    add(s, out, 1.0, s->partial + c * size, out);
  }
  for (size_t i = 0; i < last; i++) sum += 0.5 * lambda * v[i] * v[i];
  return sum;
}

/* ---- the preconditioner ---------------------------------------------------- */

/* Class k's diagonal block at the probabilities that are there. */
static void make_block(const softmax *s, const executor *exec, size_t k, double *weighted) {
  double done = 0.0;
  double *block = s->block + k * s->terms * s->ld;
  for (size_t first = 0; first < s->rows; first += TILE) {
    const size_t rows = s->rows - first < TILE ? s->rows - first : TILE;
    const double *x = s->x + first * s->ld;
    for (size_t i = 0; i < rows; i++) {
      const double p = s->chance[(first + i) * s->wide + k];
      const double v = weight_of(s->weights, first + i) * p * (1.0 - p);
      const double *restrict from = x + i * s->ld;
      double *restrict to = weighted + i * s->ld;
#pragma omp simd
      for (size_t t = 0; t < s->ld; t++) to[t] = v * from[t];
    }
    poll_by_work(exec, (double)rows * (double)s->terms * (double)s->terms, &done);
    syrk(exec, matrix_on(x, rows, s->terms, s->ld), matrix_on(weighted, rows, s->terms, s->ld),
         first > 0, matrix_on(block, s->terms, s->terms, s->ld));
  }
}

static void factor_block(const softmax *s, const executor *exec, size_t k, double lambda) {
  double *factor = s->factor + k * s->terms * s->ld;
  memcpy(factor, s->block + k * s->terms * s->ld, s->terms * s->ld * sizeof *factor);
  for (size_t t = 0; t + 1 < s->terms; t++) factor[t * s->ld + t] += lambda;
  factor[(s->terms - 1) * s->ld + s->terms - 1] += LEAST_CURVATURE;
  cholesky(exec, s->terms, s->ld, 0, DEPENDENT_HESSIAN, 1, factor);
}

#define LONG_BLOCK (5.0 * POLL_OPERATIONS) /* of one class: its threads share its parts */

/* All classes' factors; where `anew`, of blocks at the probabilities that are there. */
static void prepare(const softmax *s, double lambda, int anew) {
  const double work = (double)s->rows * (double)s->terms * (double)s->terms * (double)s->classes;
  const int threads = threads_for(s->exec, work);
  const executor alone = one_thread(s->exec);
  const size_t apart = TILE * s->ld + s->terms * VECTOR_DOUBLES;
  if (work > LONG_BLOCK * (double)s->classes) {
    for (size_t k = 0; k < s->classes; k++) {
      if (anew) make_block(s, s->exec, k, s->scratch);
      factor_block(s, s->exec, k, lambda);
    }
    return;
  }
  poll_user(s->exec);
  PARALLEL_FOR(threads, schedule(dynamic))
  for (ptrdiff_t k = 0; k < (ptrdiff_t)s->classes; k++) {
    if (anew) make_block(s, &alone, (size_t)k, s->scratch + (size_t)THREAD_INDEX() * apart);
    factor_block(s, &alone, (size_t)k, lambda);
  }
}

/* to = M^-1 from, M the diagonal blocks, seen where coefficients sum to zero. */
static void precondition(const softmax *s, const double *from, double *to) {
  const double work = 4.0 * (double)s->terms * (double)s->terms * (double)s->classes;
  const int threads = threads_for(s->exec, work);
  const executor alone = one_thread(s->exec);
  const size_t apart = TILE * s->ld + s->terms * VECTOR_DOUBLES;
  memset(to, 0, s->terms * s->wide * sizeof *to);
  PARALLEL_FOR(threads, schedule(static))
  for (ptrdiff_t k = 0; k < (ptrdiff_t)s->classes; k++) {
    double *column = s->scratch + (size_t)THREAD_INDEX() * apart + TILE * s->ld;
    memset(column, 0, s->terms * VECTOR_DOUBLES * sizeof *column);
    for (size_t t = 0; t < s->terms; t++) {
      column[t * VECTOR_DOUBLES] = from[t * s->wide + (size_t)k];
    }
    const double *factor = s->factor + (size_t)k * s->terms * s->ld;
    potrs(&alone, matrix_on(factor, s->terms, s->terms, s->ld), 1, 0,
          matrix_on(column, s->terms, 1, VECTOR_DOUBLES));
    for (size_t t = 0; t < s->terms; t++) to[t * s->wide + (size_t)k] = column[t * VECTOR_DOUBLES];
  }
  center(s, to);
}

/* ---- Newton ---------------------------------------------------------------- */

/* s->step, about H^-1 gradient: until what is left of the gradient's square in the
 * preconditioner's norm, `square` at first with s->solved = M^-1 gradient, is
 * `share` of it. */
static void conjugate_gradients(softmax *s, double lambda, double square, double share) {
  const double enough = share * square;
  copy(s, s->gradient, s->residual);
  copy(s, s->solved, s->direction);
  memset(s->step, 0, s->terms * s->wide * sizeof *s->step);
  for (int i = 0; i < ITERATIONS && square > enough; i++) {
    pass(s, NULL, lambda, s->direction, s->curved);
    const double curvature = dot(s, s->direction, s->curved);
    if (!(curvature > 0.0)) break;
    add(s, s->step, square / curvature, s->direction, s->step);
    add(s, s->residual, -square / curvature, s->curved, s->residual);
    precondition(s, s->residual, s->solved);
    const double next = dot(s, s->residual, s->solved);
    add(s, s->solved, next / square, s->direction, s->direction);
    square = next;
    s->iterations++;
  }
}

/* The gradient's norm where there are only the best intercepts: the logarithms of
 * the classes' shares. */
static double norm_at_zero(softmax *s, const int *y) {
  double *last = s->tried + (s->terms - 1) * s->wide;
  memset(s->tried, 0, s->terms * s->wide * sizeof *s->tried);
  for (size_t i = 0; i < s->rows; i++) last[y[i]] += weight_of(s->weights, i);
  for (size_t k = 0; k < s->classes; k++) last[k] = log(last[k] / (double)s->rows);
  pass(s, y, 0.0, s->tried, s->gradient);
  return sqrt(dot(s, s->gradient, s->gradient));
}

/* Goes from `w` along the step, and half as far again until the objective falls. Returns the
 * objective, or infinity where it never falls. Leaves gradient and probabilities. */
static double advance(softmax *s, const int *y, double lambda, double objective, double *w) {
  double share = 1.0;
  for (int half = 0; half <= HALVINGS; half++, share *= 0.5) {
    add(s, w, -share, s->step, s->tried);
    center(s, s->tried);
    const double value = pass(s, y, lambda, s->tried, s->gradient);
    /* Near the end the objective moves by less than its rounding error. */
    if (value <= objective + NO_DESCENT * fabs(objective)) {
      copy(s, s->tried, w);
      return value;
    }
  }
  return INFINITY;
}

double softmax_solve(softmax *s, const int *y, double lambda, double *w, double *unit, int *taken) {
  if (unit[0] < 0.0) unit[0] = norm_at_zero(s, y);
  double objective = pass(s, y, lambda, w, s->gradient), left = INFINITY;
  int prepared = 0;
  for (*taken = 0;; ++*taken) {
    /* Blocks cost about terms / 4 iterations: after as many it is time for new ones. */
    const int anew = s->iterations < 0 || 4.0 * s->iterations > (double)s->terms;
    if (anew) s->iterations = 0;
    if (anew || !prepared) prepare(s, lambda, anew);
    prepared = 1;
    precondition(s, s->gradient, s->solved);
    const double square = dot(s, s->gradient, s->solved);
    const double decrement = sqrt(square > 0.0 ? square : 0.0);
    if (unit[1] < 0.0) unit[1] = decrement;
    left = newton_left(s->rows, sqrt(dot(s, s->gradient, s->gradient)), decrement, unit);
    if (left <= s->tolerance || *taken >= s->steps) break;
    /* Far from the answer a rough step will do; at last no more than the tolerance. */
    const double rough = left < 0.01 ? left : 0.01;
    const double enough = 0.1 * s->tolerance * s->tolerance / (left * left);
    conjugate_gradients(s, lambda, square, rough > enough ? rough : enough);
    objective = advance(s, y, lambda, objective, w);
    if (!isfinite(objective)) break;
  }
  return left;
}
