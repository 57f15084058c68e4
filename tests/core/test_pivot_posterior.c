/* The pivoted start, the variance that is left, and the nearest observations. */
#include <limits.h>
#include <string.h>

#include "check.h"
#include "core/data/posterior.h"
#include "core/select/pivot.h"
#include "fixture.h"

/* Columns of D^1/2 Phi, one after another, in long double. */
static long double *plain_features(const data *d, const points *t, double bandwidth) {
  const size_t n = d->x.rows;
  long double *phi = bytes(n * t->count * sizeof *phi);
  for (size_t l = 0; l < t->count; l++) {
    for (size_t i = 0; i < n; i++) {
      phi[l * n + i] = sqrtl((long double)weight_of(d, i)) *
                       expl(-(long double)plain_distance(d, i, t, l) / bandwidth);
    }
  }
  return phi;
}

static long double product(const long double *a, const long double *b, size_t n) {
  long double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* b -= the part that the direction of a explains; returns the square of that. */
static long double explain(const long double *a, long double *b, size_t n) {
  const long double size = product(a, a, n), along = product(a, b, n);
  for (size_t i = 0; i < n; i++) b[i] -= along / size * a[i];
  return along * along / size;
}

typedef struct {
  data d;
  pivot_search p;
  size_t *order;
  int *chosen;
  size_t found;
} start;

static start search(const executor *exec, data d, size_t fixed, size_t wanted, double bandwidth,
                    const points *landmarks) {
  start s = {.d = d};
  static const space anywhere = {SPACE_EUCLIDEAN, NULL, NULL, NULL, NULL};
  LAY_OUT_CHECKED(memory, pivot_layout(&s.p, &memory, exec, &d.x, gaussian_kernel(bandwidth),
                                       &anywhere, fixed, wanted, 0));
  if (fixed) points_copy(landmarks, 0, &s.p.given);
  s.order = bytes((fixed + wanted) * sizeof *s.order);
  s.chosen = integers(wanted);
  pivot_prepare(&s.p);
  s.found = pivot_rows(&s.p, 0, 1e-10, s.order, s.chosen);
  return s;
}

static void check_pivot(const executor *exec, layout kind, int weighted, size_t fixed, size_t rows,
                        size_t wanted) {
  const double bandwidth = 0.8;
  const points landmarks = points_make(fixed, 3);
  const data d = data_make(kind, rows, 3, weighted);
  const start s = search(exec, d, fixed, wanted, bandwidth, &landmarks);
  const executor other = other_threads(exec);
  const start again = search(&other, d, fixed, wanted, bandwidth, &landmarks);
  CHECK(s.found == again.found && SAME_BITS(s.chosen, again.chosen, s.found),
        "%d threads choose the same rows", other.threads);

  /* Candidates are the fixed landmarks, then all the rows. */
  const size_t all = fixed + rows;
  points t = points_on(doubles(points_size(all, 3)), all, 3);
  for (size_t l = 0; l < all; l++) {
    for (size_t j = 0; j < 3; j++) {
      *coordinate(&t, l, j) = l < fixed ? *coordinate(&landmarks, l, j) : d.z[(l - fixed) * 3 + j];
    }
  }
  points_norms(&t);
  long double *left = plain_features(&d, &t, bandwidth);
  int greedy = 1;
  double worst = 0.0;
  for (size_t k = 0; k < fixed + s.found; k++) {
    size_t taken = k;
    if (k >= fixed) {
      taken = fixed + (size_t)s.chosen[k - fixed];
      const long double mine = product(left + taken * rows, left + taken * rows, rows);
      for (size_t i = fixed; i < all; i++) {
        greedy &= product(left + i * rows, left + i * rows, rows) <= mine * (1 + 1e-8L) + 1e-12L;
      }
      compare_relative(&worst, s.p.pivot[k], (double)mine);
    }
    long double *direction = bytes(rows * sizeof *direction);
    memcpy(direction, left + taken * rows, rows * sizeof *direction);
    for (size_t i = 0; i < all; i++) explain(direction, left + i * rows, rows);
  }
  CHECK(greedy, "each row of %zu %s (weighted %d, %zu fixed) is the best that is left", rows,
        layout_name[kind], weighted, fixed);
  CHECK(worst < 1e-11, "its pivot is what was left of it: error %g", worst);
  CHECK(s.found == (wanted < rows ? wanted : rows), "%zu of %zu rows are found, not %zu", wanted,
        rows, s.found);
  release();
}

/* The kernel of candidates that the space has moved, over several blocks of them. */
static void check_moved_candidates(const executor *exec, size_t fixed, size_t rows) {
  const double bandwidth = 0.8;
  const data d = data_make(ROWS_DENSE, rows, 3, 0);
  const space sphere = {SPACE_SPHERE, d.x.center, d.x.scale, NULL, NULL};
  const size_t all = fixed + rows;
  pivot_search p;
  LAY_OUT_CHECKED(memory, pivot_layout(&p, &memory, exec, &d.x, gaussian_kernel(bandwidth), &sphere,
                                       fixed, 1, 1));
  points_fill(&p.given);
  pivot_prepare(&p);
  points t = points_make(all, 3);
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < 3; j++) *coordinate(&t, fixed + i, j) = d.z[i * 3 + j];
  }
  space_project(&sphere, &t, 0, doubles(3));
  for (size_t l = 0; l < fixed; l++) {
    for (size_t j = 0; j < 3; j++) *coordinate(&t, l, j) = *coordinate(&p.given, l, j);
  }
  double worst = 0.0;
  for (size_t i = 0; i < all; i++) {
    for (size_t l = 0; l < all; l++) {
      double squared = 0.0;
      for (size_t j = 0; j < 3; j++) {
        const double apart = *coordinate(&t, i, j) - *coordinate(&t, l, j);
        squared += apart * apart;
      }
      compare(&worst, p.kernel[i * padded(all) + l], exp(-squared / bandwidth), 1.0);
    }
  }
  CHECK(p.block.count < rows && worst < 1e-13, "the kernel of %zu moved rows, %zu fixed: error %g",
        rows, fixed, worst);
  release();
}

static void check_pivot_rank(const executor *exec) {
  const size_t distinct = 6;
  data d = data_make(ROWS_DENSE, 3 * distinct, 3, 0);
  const size_t ld = padded(d.x.columns);
  for (size_t i = distinct; i < d.x.rows; i++) {
    memcpy((double *)d.x.real + i * ld, d.x.real + i % distinct * ld, ld * sizeof(double));
  }
  const start s = search(exec, d, 0, 2 * distinct, 0.8, NULL);
  int different = 1;
  for (size_t k = 0; k < s.found; k++) {
    for (size_t i = 0; i < k; i++) {
      different &= s.chosen[i] % (int)distinct != s.chosen[k] % (int)distinct;
    }
  }
  CHECK(s.found == distinct, "%zu different rows give %zu, not %zu", distinct, distinct, s.found);
  CHECK(different, "no row is taken twice");
  release();
}

static void check_posterior(const executor *exec, layout kind, int weighted, size_t rows, size_t n,
                            size_t count) {
  const double bandwidth = 0.9;
  const size_t columns = 2;
  const data d = data_make(kind, rows, columns, weighted);
  posterior p;
  LAY_OUT_CHECKED(memory,
                  posterior_layout(&p, &memory, exec, &d.x, gaussian_kernel(bandwidth), n, count));
  points_fill(&p.landmarks);
  /* The last but one landmark stands where the first does. */
  const size_t twin = n > 3 ? n - 2 : n;
  for (size_t j = 0; j < columns && twin < n; j++) {
    *coordinate(&p.landmarks, twin, j) = *coordinate(&p.landmarks, 0, j);
  }
  points_norms(&p.landmarks);

  long double *q = plain_features(&d, &p.landmarks, bandwidth);
  for (size_t k = 1; k < n; k++) {
    for (size_t i = 0; i < k; i++) {
      if (i != twin) explain(q + i * rows, q + k * rows, rows);
    }
  }
  points_fill(&p.at);
  /* At a landmark no variance is left. */
  for (size_t j = 0; j < columns; j++) {
    *coordinate(&p.at, count - 1, j) = *coordinate(&p.landmarks, n - 1, j);
  }
  points_norms(&p.at);
  double *explained = doubles(n * count), worst = 0.0;
  posterior_sums(&p);
  posterior_variance(exec, n, count, rows, p.g, p.cross, p.prior, explained);
  long double *psi = plain_features(&d, &p.at, bandwidth);
  int nothing = 1;
  for (size_t z = 0; z < count; z++) {
    long double *left = psi + z * rows;
    const long double all = product(left, left, rows);
    compare(&worst, p.prior[z], (double)(all / rows), 1.0);
    for (size_t k = 0; k < n; k++) {
      if (k == twin) {
        nothing &= explained[k * count + z] == 0.0;
      } else {
        const long double taken = explain(q + k * rows, left, rows);
        compare(&worst, explained[k * count + z], (double)(taken / rows), 1.0);
      }
    }
  }
  CHECK(worst < 1e-9, "variance of %zu %s (weighted %d), %zu landmarks: error %g", rows,
        layout_name[kind], weighted, n, worst);
  CHECK(nothing, "a landmark that stands where another does takes nothing");
  double v = p.prior[count - 1];
  for (size_t k = 0; k < n; k++) v -= explained[k * count + count - 1];
  CHECK(fabs(v) < 1e-9, "no variance is left at a landmark: %g", v);
  release();
}

/* Where the kernel of the landmarks is nearly singular, rounding explains no more than there is. */
static void check_near_singular(const executor *exec) {
  const size_t n = 30, count = 40;
  const data d = data_make(ROWS_DENSE, 200, 2, 0);
  posterior p;
  LAY_OUT_CHECKED(memory,
                  posterior_layout(&p, &memory, exec, &d.x, gaussian_kernel(30.0), n, count));
  points_fill(&p.landmarks);
  points_norms(&p.landmarks);
  points_fill(&p.at);
  points_norms(&p.at);
  double *explained = doubles(n * count), least = 1.0;
  posterior_sums(&p);
  posterior_variance(exec, n, count, d.x.rows, p.g, p.cross, p.prior, explained);
  for (size_t z = 0; z < count; z++) {
    double left = p.prior[z];
    for (size_t k = 0; k < n; k++) left -= explained[k * count + z];
    if (left < least) least = left;
  }
  CHECK(least > -1e-17, "no variance that is left is below 0: %g", least);
  release();
}

void test_pivot_posterior(const executor *exec) {
  check_near_singular(exec);
  for (int weighted = 0; weighted < 2; weighted++) {
    for (int kind = ROWS_DENSE; kind <= ROWS_SPARSE; kind++) {
      check_pivot(exec, (layout)kind, weighted, 0, 40, 12);
      check_pivot(exec, (layout)kind, weighted, 3, 40, 10);
      check_pivot(exec, (layout)kind, weighted, 2, 300, 4);
    }
    for (int kind = 0; kind < LAYOUTS; kind++) {
      check_posterior(exec, (layout)kind, weighted, 60, 7, 5);
      check_posterior(exec, (layout)kind, weighted, 60, 3, 11);
    }
    check_posterior(exec, ROWS_DENSE, weighted, 8229, 4, 2);
    check_posterior(exec, COLUMNS_INTEGER, weighted, 8229, 2, 9);
  }
  check_posterior(exec, ROWS_DENSE, 0, 1, 1, 1);
  check_pivot(exec, ROWS_DENSE, 0, 0, 5, 9);
  check_pivot(exec, ROWS_DENSE, 0, 0, 1, 1);
  check_pivot_rank(exec);
  check_moved_candidates(exec, 2, 300);
}
