#include "annealed_dpp.h"

#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"

#define AT_ONCE 256 /* steps whose uniforms are drawn at a time */

void annealed_dpp_layout(annealed_dpp *a, arena *memory, size_t rows, size_t size) {
  a->size = size;
  a->inverse = arena_take(memory, size * padded(size));
  a->factor = arena_take(memory, size * padded(size));
  a->cross = arena_take(memory, padded(size));
  a->gain = arena_take(memory, padded(size));
  a->uniform = arena_take(memory, 3 * AT_ONCE);
  a->order = (size_t *)arena_take(memory, rows);
}

/* L_ij, of which the lower half is stored. Its diagonal is raised by what counts as dependence, so
 * that the matrix of every set has an inverse. */
static double entry(const exact_dpp *d, size_t i, size_t j) {
  const size_t rows = d->x->rows;
  if (i == j) return d->kernel[i * rows + i] * (1.0 + DEPENDENT_KERNEL);
  return i > j ? d->kernel[j * rows + i] : d->kernel[i * rows + j];
}

/* The part of L that belongs to its eigenvalues above 0. */
static void positive_part(exact_dpp *d) {
  const size_t rows = d->x->rows;
  double done = 0.0;
  for (size_t j = 0; j < rows; j++) {
    double *restrict k = d->kernel + j * rows;
    memset(k + j, 0, (rows - j) * sizeof *k);
    for (size_t m = d->first; m < rows; m++) {
      const double *restrict v = d->vector + m * rows;
      const double share = exp(d->log_value[m]) * v[j];
#pragma omp simd
      for (size_t i = j; i < rows; i++) k[i] += share * v[i];
    }
    poll_by_work(d->exec, 2.0 * (double)(d->rank * (rows - j)), &done);
  }
}

/* M from the rows of S, anew: each swap adds a rounding error. */
static void invert(annealed_dpp *a, const exact_dpp *d) {
  const size_t n = a->size, length = padded(n);
  memset(a->inverse, 0, n * length * sizeof *a->inverse);
  memset(a->factor, 0, n * length * sizeof *a->factor);
  for (size_t k = 0; k < n; k++) {
    a->inverse[k * length + k] = 1.0;
    for (size_t l = k; l < n; l++) a->factor[k * length + l] = entry(d, a->order[k], a->order[l]);
  }
  cholesky(d->exec, n, length, 0, DEPENDENT_RIDGED, 1, a->factor);
  cholesky_solve(d->exec, matrix_on(a->factor, n, n, length), 1, 0,
                 matrix_on(a->inverse, n, n, length));
}

static double dot(size_t n, const double *restrict a, const double *restrict b) {
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (size_t k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

/* L_jj - l' b and b for row j. */
static double left_of(annealed_dpp *a, const exact_dpp *d, size_t j) {
  const size_t n = a->size, length = padded(n);
  for (size_t k = 0; k < n; k++) a->cross[k] = entry(d, a->order[k], j);
  for (size_t k = 0; k < n; k++) a->gain[k] = dot(n, a->inverse + k * length, a->cross);
  return entry(d, j, j) - dot(n, a->cross, a->gain);
}

/* M once another row has come to place p, whose part that the others leave is `left`:
 * M - h h' / M_pp + g g' / left, with h = M's column p, g = b - h b_p / M_pp and g_p = -1. */
static void put_in_place(annealed_dpp *a, size_t p, double left) {
  const size_t n = a->size, length = padded(n);
  double *h = a->cross, *g = a->gain;
  memcpy(h, a->inverse + p * length, n * sizeof *h);
  const double own = h[p], share = g[p] / own;
  for (size_t k = 0; k < n; k++) g[k] -= share * h[k];
  g[p] = -1.0;
  for (size_t k = 0; k < n; k++) {
    double *restrict row = a->inverse + k * length;
    const double of_h = h[k] / own, of_g = g[k] / left;
#pragma omp simd
    for (size_t l = 0; l < n; l++) row[l] += of_g * g[l] - of_h * h[l];
  }
}

/* The rows of S first in `order`, then all others. */
static void order_rows(annealed_dpp *a, const exact_dpp *d) {
  for (size_t i = 0; i < d->x->rows; i++) a->order[i] = i;
  /* Row k of S changes places with what is at k; a row of S that stood there was put elsewhere. */
  for (size_t k = 0; k < a->size; k++) {
    const size_t wanted = (size_t)d->row[k];
    size_t at = wanted;
    while (a->order[at] != wanted) at = a->order[at];
    a->order[at] = a->order[k];
    a->order[k] = wanted;
  }
}

static size_t place(double u, size_t count) {
  const size_t at = (size_t)(u * (double)count);
  return at < count ? at : count - 1;
}

void annealed_dpp_run(annealed_dpp *a, exact_dpp *d, int given, double power, size_t steps) {
  const size_t n = a->size, others = d->x->rows - n;
  const size_t anew = n > 100 ? n : 100; /* swaps until M is computed anew */
  a->steps = others > 0 ? steps : 0;
  a->accepted = 0;
  if (given) {
    positive_part(d);
  } else {
    exact_dpp_euclidean(d);
  }
  order_rows(a, d);
  invert(a, d);
  double done = 0.0;
  for (size_t t = 0; t < a->steps; t++) {
    const double *u = a->uniform + 3 * (t % AT_ONCE);
    if (t % AT_ONCE == 0) {
      const size_t left = a->steps - t;
      d->exec->uniform(a->uniform, 3 * (left < AT_ONCE ? left : AT_ONCE));
    }
    const size_t p = place(u[0], n), other = n + place(u[1], others), j = a->order[other];
    poll_by_work(d->exec, 2.0 * (double)(n * n), &done);
    const double rest = left_of(a, d, j), own = a->inverse[p * padded(n) + p];
    const double ratio = own * rest + a->gain[p] * a->gain[p];
    /* What the other rows of S leave of row j. Without more than was added to the diagonal it
     * depends on them. */
    const double left = ratio / own;
    if (!(left > 4.0 * DEPENDENT_KERNEL * entry(d, j, j))) continue;
    if (ratio < 1.0 && log(u[2]) >= power * log(ratio)) continue;
    a->order[other] = a->order[p];
    a->order[p] = j;
    put_in_place(a, p, left);
    if (++a->accepted % anew == 0) invert(a, d);
  }
  for (size_t k = 0; k < n; k++) d->row[k] = (int)a->order[k];
}
