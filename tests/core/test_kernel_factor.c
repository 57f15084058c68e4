/* Triangular solves against substitution, and the order of landmarks and its gains against
 * factorizations in long double, of kernels down to the rounding of their values. */
#include "core/data/kernel_factor.h"

#include "check.h"
#include "core/base/tolerance.h"
#include "core/data/row_pass.h"
#include "fixture.h"

/* ---- solves ---- */

/* A well conditioned R, whose lower half is NaN, and must not be read. */
static triangular triangle(size_t n) {
  triangular t;
  LAY_OUT_CHECKED(memory, triangular_layout(&t, &memory, n));
  for (size_t i = 0; i < n; i++) {
    for (size_t j = i; j < t.ld; j++) {
      t.upper[i * t.ld + j] = j >= n   ? 0.0
                              : j == i ? 1.0 + uniform()
                                       : symmetric() / sqrt((double)n);
    }
  }
  triangular_prepare(&t);
  return t;
}

static void check_solves(const executor *exec, size_t n, size_t rows, size_t from) {
  const triangular t = triangle(n);
  const size_t size = rows * t.ld, count = solve_rows_sums(rows);
  double *x = doubles(size), *again = doubles(size), *sums = doubles(count), worst = 0.0,
         back = 0.0;
  long double *want = bytes(n * sizeof *want), total = 0.0, sum = 0.0;
  for (size_t i = 0; i < size; i++) x[i] = symmetric();
  double *start = doubles(size);
  memcpy(start, x, size * sizeof *x);
  memcpy(again, x, size * sizeof *x);
  solve_rows(exec, &t, matrix_on(x, rows, n, t.ld), sums);
  const executor other = other_threads(exec);
  solve_rows(&other, &t, matrix_on(again, rows, n, t.ld), NULL);
  int same = 1;
  for (size_t i = 0; i < rows; i++) {
    same &= SAME_BITS(x + i * t.ld, again + i * t.ld, n);
    for (size_t k = 0; k < n; k++) {
      want[k] = start[i * t.ld + k];
      for (size_t j = 0; j < k; j++) want[k] -= want[j] * t.upper[j * t.ld + k];
      want[k] /= t.upper[k * t.ld + k];
      total += want[k] * want[k];
      compare_relative(&worst, x[i * t.ld + k], (double)want[k]);
    }
  }
  for (size_t k = 0; k < count; k++) sum += sums[k];
  solve_rows_back(exec, &t, from, matrix_on(again, rows, n, t.ld));
  for (size_t i = 0; i < rows; i++) {
    for (size_t k = n; k-- > from;) {
      want[k] = x[i * t.ld + k];
      for (size_t j = k + 1; j < n; j++) want[k] -= want[j] * t.upper[k * t.ld + j];
      want[k] /= t.upper[k * t.ld + k];
      compare_relative(&back, again[i * t.ld + k], (double)want[k]);
    }
  }
  CHECK(same, "the same bits by any number of threads, n = %zu", n);
  CHECK(worst < 1e-13, "X R^-1 of %zu x %zu: error %g", rows, n, worst);
  CHECK(fabsl(sum - total) < 1e-13L * total, "its sum of squares, %zu x %zu", rows, n);
  CHECK(back < 1e-12, "X R^-T of %zu x %zu, from %zu: error %g", rows, n, from, back);
  release();
}

/* ---- order and gains ---- */

#define MOST 40

/* The kernel of the landmarks and of the rows with them, and Phi. */
typedef struct {
  size_t rows, n;
  const double *weight;
  long double *w, *k, *phi; /* n x n, rows x n, rows x n */
} exact;

static long double weight_at(const exact *e, size_t i) { return e->weight ? e->weight[i] : 1.0L; }

static exact exact_kernel(const data *d, const points *t, double bandwidth) {
  const size_t rows = d->x.rows, n = t->count, columns = d->x.columns;
  const size_t size = n * sizeof(long double);
  const exact e = {rows, n, d->x.weight, bytes(n * size), bytes(rows * size), bytes(rows * size)};
  for (size_t l = 0; l < n; l++) {
    for (size_t i = 0; i < rows + n; i++) {
      long double squared = 0.0;
      for (size_t j = 0; j < columns; j++) {
        const long double at = i < rows ? d->z[i * columns + j] : *coordinate(t, i - rows, j),
                          by = at - *coordinate(t, l, j);
        squared += by * by;
      }
      const long double value = expl(-squared / bandwidth);
      if (i >= rows) {
        e.w[(i - rows) * n + l] = value;
        continue;
      }
      e.k[i * n + l] = value;
      e.phi[i * n + l] = value * sqrtl(weight_at(&e, i));
    }
  }
  return e;
}

/* |w|^2 of column l of `a` (rows x n) once those before it are taken out, twice for its digits; the
 * column becomes what is left, divided by its length. */
static long double taken_out(size_t rows, size_t n, size_t l, const size_t *before, size_t count,
                             long double *a) {
  for (int twice = 0; twice < 2; twice++) {
    for (size_t k = 0; k < count; k++) {
      long double along = 0.0;
      for (size_t i = 0; i < rows; i++) along += a[i * n + l] * a[i * n + before[k]];
      for (size_t i = 0; i < rows; i++) a[i * n + l] -= along * a[i * n + before[k]];
    }
  }
  long double left = 0.0;
  for (size_t i = 0; i < rows; i++) left += a[i * n + l] * a[i * n + l];
  for (size_t i = 0; i < rows; i++) a[i * n + l] /= left > 0 ? sqrtl(left) : 1;
  return left;
}

/* What landmark p adds to the trace of the rows that is explained, w and k being without those
 * taken before. */
static long double gain_of(const exact *e, size_t p) {
  long double sum = 0.0;
  for (size_t i = 0; i < e->rows; i++) {
    sum += weight_at(e, i) * e->k[i * e->n + p] * e->k[i * e->n + p];
  }
  return sum / e->w[p * e->n + p];
}

/* w and k lose what landmark p explains. */
static void take_out(const exact *e, size_t p) {
  const size_t n = e->n;
  const long double pivot = e->w[p * n + p];
  for (size_t i = 0; i < e->rows; i++) {
    const long double by = e->k[i * n + p] / pivot;
    for (size_t l = 0; l < n; l++) e->k[i * n + l] -= l == p ? 0 : by * e->w[p * n + l];
    e->k[i * n + p] = 0.0;
  }
  for (size_t i = 0; i < n; i++) {
    const long double by = e->w[i * n + p] / pivot;
    for (size_t l = 0; l < n && i != p; l++) e->w[i * n + l] -= by * e->w[p * n + l];
  }
  for (size_t l = 0; l < n; l++) e->w[p * n + l] = e->w[l * n + p] = 0.0;
}

static void check_order_of(const executor *exec, int weighted, size_t columns, size_t n,
                           double bandwidth, size_t fixed, int by_volume, int pairs) {
  const size_t rows = 90;
  const data d = data_make(ROWS_DENSE, rows, columns, weighted);
  kernel_factor f;
  LAY_OUT_CHECKED(one, kernel_factor_layout(&f, &one, n, columns));
  points_fill(&f.t);
  /* On a line landmarks that chance puts next to each other would leave nothing to compare. */
  for (size_t l = 0; l < n && columns == 1; l++) {
    *coordinate(&f.t, l, 0) = (2.0 * (double)l + 0.5 * symmetric()) / (double)n - 1.0;
  }
  /* Pairs that are close, as two landmarks on the same spot are. */
  for (size_t l = n / 2; l < n && pairs; l++) {
    for (size_t j = 0; j < columns; j++) {
      *coordinate(&f.t, l, j) = *coordinate(&f.t, l - n / 2, j) + 1e-4 * symmetric();
    }
  }
  points_norms(&f.t);
  const radial_kernel k = gaussian_kernel(bandwidth);
  kernel_factor_make(exec, &k, fixed, DEPENDENT_KERNEL, &f);
  const size_t rank = f.rank;
  row_pass s;
  triangular root;
  landmark_order o;
  double *on, *b, *parts;
  LAY_OUT_CHECKED(
      two, row_pass_layout(&s, &two, exec, &d.x, gaussian_kernel(bandwidth), 0, n, 0),
      triangular_layout(&root, &two, rank), on = arena_take(&two, points_size(n, columns)),
      b = arena_take(&two, row_pass_h_size(&s)), parts = arena_take(&two, row_pass_parts(&s)),
      landmark_order_layout(&o, &two, exec, &f));
  points t = points_on(on, n, columns);
  kernel_factor_sorted(&f, &t, &root);
  int *row = integers(n);
  nearness near = {row, doubles(n), doubles(s.range), 0.0, 0.0};
  const double trace = row_pass_nystrom(&s, NULL, &t, 0, &root, b, parts, o.c, &near);
  const size_t found = landmark_order_make(exec, &f, fixed, by_volume, &o);
  CHECK(found >= rank && found <= n, "%zu of %zu landmarks, of rank %zu", found, n, rank);

  const exact e = exact_kernel(&d, &f.t, bandwidth);
  double worst = 0.0, pivots = 0.0, greedy = 0.0, sum = 0.0, least = INFINITY;
  long double rounding = 0.0, last = 0.0;
  int is_taken[MOST] = {0}, in_place = 1, falling = 1;
  for (size_t m = 0; m < rank; m++) {
    const size_t p = o.order[m];
    const long double left = e.w[p * n + p], gain = gain_of(&e, p);
    long double best = gain;
    if (m < fixed) in_place &= p == m;
    for (size_t l = fixed; l < n && !by_volume && m >= fixed; l++) {
      if (is_taken[l] || e.w[l * n + l] < 1e-11L) continue;
      best = fmaxl(best, gain_of(&e, l));
    }
    take_out(&e, p);
    /* The kernel's values have errors of some 1e-16. A small pivot divides them, and what its
     * landmark seems to explain the others do not. */
    rounding += gain * (1e-12L + (long double)n * 2e-16L / left);
    compare(&worst, o.trace.gain[m], (double)gain, (double)rounding);
    compare(&greedy, o.trace.gain[m], (double)best, (double)rounding);
    const long double variance = taken_out(rows, n, p, o.order, m, e.phi);
    compare(&pivots, o.volume.gain[m], (double)variance, (double)variance);
    least = fmin(least, (double)variance / (double)rows);
    sum += o.trace.gain[m];
    if (by_volume && m > fixed) falling &= variance <= last * (1 + 1e-6L);
    last = variance;
    is_taken[p] = 1;
  }
  CHECK(fabs(sum - trace) < rounding, "the gains of %zu sum to %g, and not to the trace, %g", n,
        sum, trace);
  CHECK(in_place, "the %zu fixed landmarks are in their places", fixed);
  CHECK(falling, "variances of %zu, %zu fixed, fall in the order by the volume", n, fixed);
  CHECK(greedy < 1, "the order of %zu, %zu fixed, is greedy: %g times the rounding", n, fixed,
        greedy);
  CHECK(worst < 1, "gains of %zu, %zu fixed, bandwidth %g: %g times the rounding", n, fixed,
        bandwidth, worst);
  CHECK(pivots < (least < 1e-18 ? 1e-5 : 1e-6),
        "variances of %zu down to %g, bandwidth %g: relative error %g", n, least, bandwidth,
        pivots);
  release();
}

void test_kernel_factor(const executor *exec) {
  static const size_t sizes[] = {1, 7, 8, 9, 17, 64, 65, 130}, rows[] = {1, 63, 64, 65, 150};
  seed(23);
  for (size_t s = 0; s < 8; s++) {
    for (size_t r = 0; r < 5; r++) {
      const size_t n = sizes[s];
      check_solves(exec, n, rows[r], 0);
      check_solves(exec, n, rows[r], n / 2);
      check_solves(exec, n, rows[r], n - 1);
    }
  }
  for (int weighted = 0; weighted < 2; weighted++) {
    for (int by_volume = 0; by_volume < 2; by_volume++) {
      check_order_of(exec, weighted, 1, 1, 1.0, 0, by_volume, 0);
      for (size_t fixed = 0; fixed < 4; fixed += 3) {
        check_order_of(exec, weighted, 1, 8, 0.5, fixed, by_volume, 0);
        check_order_of(exec, weighted, 1, 8, 4.0, fixed, by_volume, 0);
        check_order_of(exec, weighted, 2, 12, 20.0, fixed, by_volume, 0);
        check_order_of(exec, weighted, 3, 40, 2.0, fixed, by_volume, 0);
        check_order_of(exec, weighted, 3, 40, 30.0, fixed, by_volume, 0);
        check_order_of(exec, weighted, 3, 40, 2.0, fixed, by_volume, 1);
      }
    }
  }
}
