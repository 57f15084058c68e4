#include "annealed_dpp.h"

#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"
#include "core/base/weight.h"

#define AT_ONCE 256 /* steps whose uniforms are drawn at a time */

/* Shares of a row's weight, its own variance before anything is fixed: by how much the diagonal is
 * raised, so that the matrix of every set has an inverse; and how much a fixed landmark, or one
 * row, must leave of another that is not the same but for rounding. */
#define RAISED 1e-12
#define LEAST_LEFT (4.0 * RAISED)

#define SWAPS 100 /* until R is computed anew */
#define UNKNOWN (-1.0)

void annealed_dpp_layout(annealed_dpp *a, arena *memory, size_t rows, size_t size) {
  a->size = size;
  a->factor = arena_take(memory, size * padded(size));
  a->own = arena_take(memory, padded(size));
  a->column = arena_take(memory, padded(size));
  a->solved = arena_take(memory, padded(size));
  a->uniform = arena_take(memory, 3 * AT_ONCE);
  a->order = (size_t *)arena_take(memory, rows);
}

/* L_ij, of which the lower half is stored, its diagonal raised. */
static double entry(const exact_dpp *d, size_t i, size_t j) {
  const size_t rows = d->x->rows;
  if (i == j) return d->kernel[i * rows + i] + RAISED * weight_of(d->x->weight, i);
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

/* R from the rows of S, anew: each swap adds a rounding error. */
static void factor_anew(annealed_dpp *a, const exact_dpp *d) {
  const size_t n = a->size, ld = padded(n);
  for (size_t k = 0; k < n; k++) {
    a->own[k] = UNKNOWN;
    for (size_t l = k; l < n; l++) a->factor[k * ld + l] = entry(d, a->order[k], a->order[l]);
  }
  cholesky(d->exec, n, ld, 0, DEPENDENT_RIDGED, 1, a->factor);
}

/* v := R'^-1 v for the first `n` rows of R, of v that is 0 before `zero`. */
static void solve_forward(const annealed_dpp *a, size_t n, size_t zero, double *restrict v) {
  const size_t ld = padded(a->size);
  for (size_t k = zero; k < n; k++) {
    const double *restrict row = a->factor + k * ld;
    const double share = v[k] /= row[k];
#pragma omp simd
    for (size_t l = k + 1; l < n; l++) v[l] -= share * row[l];
  }
}

/* Element p of R^-1 v, in whose place v is changed from p on. */
static double solve_back_to(const annealed_dpp *a, size_t p, double *restrict v) {
  const size_t n = a->size, ld = padded(n);
  for (size_t k = n; k-- > p;) {
    const double *restrict row = a->factor + k * ld;
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t l = k + 1; l < n; l++) sum += row[l] * v[l];
    v[k] = (v[k] - sum) / row[k];
  }
  return v[p];
}

static double squares(size_t n, const double *restrict v) {
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (size_t k = 0; k < n; k++) sum += v[k] * v[k];
  return sum;
}

/* M_pp = |R'^-1 e_p|^2, computed once for each set. */
static double own_inverse(annealed_dpp *a, size_t p) {
  if (a->own[p] == UNKNOWN) {
    memset(a->solved, 0, a->size * sizeof *a->solved);
    a->solved[p] = 1.0;
    solve_forward(a, a->size, p, a->solved);
    a->own[p] = squares(a->size, a->solved);
  }
  return a->own[p];
}

/* det(L_S') / det(L_S) where row j comes to S in the place of that at p. `column` becomes l. */
static double determinant_ratio(annealed_dpp *a, const exact_dpp *d, size_t p, size_t j) {
  const size_t n = a->size;
  const double own = own_inverse(a, p);
  for (size_t k = 0; k < n; k++) a->column[k] = entry(d, a->order[k], j);
  memcpy(a->solved, a->column, n * sizeof *a->solved);
  solve_forward(a, n, 0, a->solved);
  const double rest = entry(d, j, j) - squares(n, a->solved);
  const double share = solve_back_to(a, p, a->solved);
  return own * (rest > 0.0 ? rest : 0.0) + share * share;
}

/* Whether row j is one of the others of S again, or a fixed landmark. `column` is its l. */
static int is_repeated(const annealed_dpp *a, const exact_dpp *d, size_t p, size_t j) {
  const size_t rows = d->x->rows;
  const double own = d->kernel[j * rows + j], least = LEAST_LEFT * weight_of(d->x->weight, j);
  if (!(own > least)) return 1;
  for (size_t k = 0; k < a->size; k++) {
    const double other = d->kernel[a->order[k] * rows + a->order[k]], both = a->column[k];
    if (k != p && !(own * other - both * both > least * other)) return 1;
  }
  return 0;
}

/* R without its column p: those after it move up, and rotations of its rows make it triangular
 * again. */
static void take_out(annealed_dpp *a, size_t p) {
  const size_t n = a->size, ld = padded(n);
  for (size_t k = 0; k < n; k++) {
    double *row = a->factor + k * ld;
    const size_t first = k > p ? k : p + 1;
    if (first < n) memmove(row + first - 1, row + first, (n - first) * sizeof *row);
  }
  for (size_t k = p; k + 1 < n; k++) {
    double *restrict row = a->factor + k * ld, *restrict next = row + ld;
    const double size = hypot(row[k], next[k]), c = row[k] / size, s = next[k] / size;
    row[k] = size;
#pragma omp simd
    for (size_t l = k + 1; l < n - 1; l++) {
      const double above = row[l];
      row[l] = c * above + s * next[l];
      next[l] = c * next[l] - s * above;
    }
  }
}

/* Row j at the end of S, and the row that was at p among the others. */
static void put_in_place(annealed_dpp *a, const exact_dpp *d, size_t p, size_t other) {
  const size_t n = a->size, ld = padded(n), j = a->order[other];
  a->order[other] = a->order[p];
  memmove(a->order + p, a->order + p + 1, (n - 1 - p) * sizeof *a->order);
  a->order[n - 1] = j;
  take_out(a, p);
  for (size_t k = 0; k < n; k++) {
    a->own[k] = UNKNOWN;
    a->solved[k] = entry(d, a->order[k], j);
  }
  solve_forward(a, n - 1, 0, a->solved);
  for (size_t k = 0; k < n - 1; k++) a->factor[k * ld + n - 1] = a->solved[k];
  const double left = entry(d, j, j) - squares(n - 1, a->solved);
  const double least = RAISED * weight_of(d->x->weight, j);
  a->factor[(n - 1) * ld + n - 1] = sqrt(left > least ? left : least);
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
  a->steps = others > 0 ? steps : 0;
  a->accepted = 0;
  if (given) {
    positive_part(d);
  } else {
    exact_dpp_euclidean(d);
  }
  order_rows(a, d);
  factor_anew(a, d);
  double done = 0.0;
  for (size_t t = 0; t < a->steps; t++) {
    const double *u = a->uniform + 3 * (t % AT_ONCE);
    if (t % AT_ONCE == 0) {
      const size_t left = a->steps - t;
      d->exec->uniform(a->uniform, 3 * (left < AT_ONCE ? left : AT_ONCE));
    }
    const size_t p = place(u[0], n), other = n + place(u[1], others), j = a->order[other];
    poll_by_work(d->exec, 2.0 * (double)(n * n), &done);
    const double ratio = determinant_ratio(a, d, p, j);
    if (!(ratio > 0.0) || is_repeated(a, d, p, j)) continue;
    if (ratio < 1.0 && log(u[2]) >= power * log(ratio)) continue;
    put_in_place(a, d, p, other);
    if (++a->accepted % SWAPS == 0) factor_anew(a, d);
  }
  for (size_t k = 0; k < n; k++) d->row[k] = (int)a->order[k];
}
