/* What Nystrom leaves of the kernel's trace. */
#include <string.h>

#include "check.h"
#include "core/use/reconstruction.h"
#include "fixture.h"

#define MOST 12

static reconstruction laid_out(const executor *exec, const data *d, double bandwidth, size_t n) {
  reconstruction r;
  LAY_OUT_CHECKED(memory, reconstruction_layout(&r, &memory, exec, &d->x, bandwidth, n));
  return r;
}

/* sum_i v_i (1 - c_i' W^-1 c_i) of the landmarks before `n`, `twin` left out. */
static long double plain_error(const data *d, const points *t, size_t n, size_t twin,
                               double bandwidth) {
  long double w[MOST * MOST], c[MOST], sum = 0.0;
  size_t who[MOST], count = 0;
  for (size_t k = 0; k < n; k++) {
    if (k != twin) who[count++] = k;
  }
  for (size_t k = 0; k < count; k++) {
    for (size_t l = 0; l < count; l++) {
      long double distance = 0.0;
      for (size_t j = 0; j < t->columns; j++) {
        const long double apart =
            (long double)t->x[j * t->length + who[k]] - t->x[j * t->length + who[l]];
        distance += apart * apart;
      }
      w[k * count + l] = expl(-distance / bandwidth);
    }
  }
  const long double *inverse = plain_inverse(count, w);
  for (size_t i = 0; i < d->x.rows; i++) {
    long double left = 1.0;
    for (size_t k = 0; k < count; k++) {
      long double distance = 0.0;
      for (size_t j = 0; j < t->columns; j++) {
        const long double apart =
            (long double)d->z[i * t->columns + j] - t->x[j * t->length + who[k]];
        distance += apart * apart;
      }
      c[k] = expl(-distance / bandwidth);
    }
    for (size_t k = 0; k < count; k++) {
      for (size_t l = 0; l < count; l++) left -= c[k] * inverse[k * count + l] * c[l];
    }
    sum += weight_of(d, i) * left;
  }
  return sum;
}

static void check_errors(const executor *exec, layout kind, int weighted, size_t rows,
                         size_t columns, size_t n) {
  const double bandwidth = 0.3 * (double)columns;
  const data d = data_make(kind, rows, columns, weighted);
  const executor other = other_threads(exec);
  reconstruction r = laid_out(exec, &d, bandwidth, n);
  reconstruction again = laid_out(&other, &d, bandwidth, n);
  points_fill(&r.landmarks);
  /* The last but one landmark stands where the first does. */
  const size_t twin = n > 3 ? n - 2 : n;
  for (size_t j = 0; j < columns && twin < n; j++)
    *coordinate(&r.landmarks, twin, j) = *coordinate(&r.landmarks, 0, j);
  points_norms(&r.landmarks);
  points_copy(&r.landmarks, 0, &again.landmarks);
  double *error = doubles(n), *same = doubles(n), worst = 0.0;
  reconstruction_errors(&r, error);
  reconstruction_errors(&again, same);
  CHECK(SAME_BITS(error, same, n), "%d threads leave the same bits", other.threads);
  for (size_t k = 0; k < n; k++) {
    const long double want = plain_error(&d, &r.landmarks, k + 1, twin, bandwidth);
    compare(&worst, error[k], (double)want, (double)rows);
  }
  CHECK(worst < 1e-9, "what %zu landmarks leave of %zu %s (weighted %d), %zu columns: error %g", n,
        rows, layout_name[kind], weighted, columns, worst);
  if (twin < n)
    CHECK(error[twin] == error[twin - 1], "a landmark that stands where another does adds nothing");
  release();
}

/* Rows as landmarks, all of them, many of them all but equal: W is singular to rounding. */
static void check_singular(const executor *exec, size_t rows, double bandwidth) {
  const data d = data_make(ROWS_DENSE, rows, 2, 0);
  reconstruction r = laid_out(exec, &d, bandwidth, rows);
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < 2; j++) *coordinate(&r.landmarks, i, j) = d.z[i * 2 + j];
  }
  points_norms(&r.landmarks);
  double *error = doubles(rows);
  reconstruction_errors(&r, error);
  int falls = error[0] <= (double)rows;
  for (size_t k = 1; k < rows; k++) falls &= error[k] <= error[k - 1];
  CHECK(falls, "more landmarks leave no more (bandwidth %g)", bandwidth);
  CHECK(error[rows - 1] >= 0.0 && error[rows - 1] < 1e-9 * (double)rows,
        "all rows as landmarks leave nothing (bandwidth %g): %g", bandwidth, error[rows - 1]);
  release();
}

void test_reconstruction(const executor *exec) {
  for (int weighted = 0; weighted < 2; weighted++) {
    for (int kind = 0; kind < LAYOUTS; kind++) {
      check_errors(exec, (layout)kind, weighted, 60, 3, 7);
      check_errors(exec, (layout)kind, weighted, 401, 1, 2);
    }
  }
  /* More rows than a range has, and than a block. */
  check_errors(exec, COLUMNS_DOUBLE, 0, 12500, 2, 5);
  check_errors(exec, ROWS_SPARSE, 1, 12500, 3, 3);
  check_errors(exec, COLUMNS_INTEGER, 1, 192, 4, MOST);
  check_errors(exec, ROWS_DENSE, 0, 1, 1, 1);
  for (double bandwidth = 1e-6; bandwidth < 1e7; bandwidth *= 10.0)
    check_singular(exec, 80, bandwidth);
}
