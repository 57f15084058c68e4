/* The dense linear algebra of the kernel matrix against plain loops. */
#include <string.h>

#include "check.h"
#include "core/algebra/linear.h"
#include "fixture.h"

/* By rows of `length`, random in [0, columns), NaN behind. */
static double *random_matrix(size_t rows, size_t columns, size_t ld) {
  double *a = doubles(rows * ld);
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < columns; j++) a[i * ld + j] = symmetric();
  }
  return a;
}

static double *copy(const double *a, size_t count) {
  double *b = doubles(count);
  memcpy(b, a, count * sizeof *b);
  return b;
}

static void check_gram(const executor *exec) {
  static const size_t sizes[] = {1, 5, 16, 17, 40, 65}, all_rows[] = {1, 7, 130, 300};
  const executor other = other_threads(exec);
  for (size_t s = 0; s < 6; s++) {
    for (size_t r = 0; r < 4; r++) {
      const size_t n = sizes[s], rows = all_rows[r], ld = padded(n), wide = ld + 8;
      const double *phi = random_matrix(rows, n, ld);
      double *psi = doubles(rows * ld);
      for (size_t i = 0; i < rows; i++) {
        const double w = 2.0 * uniform();
        for (size_t l = 0; l < ld; l++) psi[i * ld + l] = w * phi[i * ld + l];
      }
      const size_t size = (n - 1) * wide + n;
      double *g = doubles(size), *again = doubles(size), worst = 0.0;
      int same = 1, canary = 1;
      const matrix left = matrix_on(phi, rows, n, ld), right = matrix_on(psi, rows, n, ld);
      for (int accumulate = 0; accumulate < 2; accumulate++) {
        syrk(exec, left, right, accumulate, matrix_on(g, n, n, wide));
        syrk(&other, left, right, accumulate, matrix_on(again, n, n, wide));
        for (size_t i = 0; i < n; i++) {
          for (size_t j = 0; j < n; j++) {
            long double want = 0.0;
            for (size_t k = 0; k < rows; k++) {
              want += (long double)phi[k * ld + i] * psi[k * ld + j];
            }
            compare(&worst, g[i * wide + j], (1.0 + accumulate) * (double)want, (double)rows);
            same &= g[i * wide + j] == again[i * wide + j] && g[i * wide + j] == g[j * wide + i];
          }
          for (size_t j = n; j < wide && i + 1 < n; j++) canary &= isnan(g[i * wide + j]);
        }
      }
      CHECK(worst < 1e-14, "gram of %zu rows, %zu columns: error %g", rows, n, worst);
      CHECK(same, "gram of %zu rows, %zu columns is symmetric, whatever the threads", rows, n);
      CHECK(canary, "gram of %zu columns writes only its own columns", n);
      release();
    }
  }
}

static void check_multiply(const executor *exec) {
  static const size_t shapes[][3] = {{1, 1, 1}, {5, 3, 9}, {64, 17, 8}, {65, 25, 40}, {200, 9, 70}};
  const executor other = other_threads(exec);
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    const size_t rows = shapes[s][0], m = shapes[s][1], depth = shapes[s][2];
    const size_t ld = padded(m), deep = padded(depth), turned = padded(rows);
    const double *a = random_matrix(rows, depth, deep), *b = random_matrix(depth, m, ld);
    double *at = doubles(depth * turned);
    for (size_t i = 0; i < rows; i++) {
      for (size_t k = 0; k < depth; k++) at[k * turned + i] = a[i * deep + k];
    }
    double *c = random_matrix(rows, m, ld), *d = copy(c, rows * ld), *e = copy(c, rows * ld);
    const double *before = copy(c, rows * ld);
    const matrix ma = matrix_on(a, rows, depth, deep), mt = matrix_on(at, depth, rows, turned);
    const matrix mb = matrix_on(b, depth, m, ld);
    for (int accumulate = 1; accumulate >= 0; accumulate--) {
      double worst = 0.0;
      int same = 1;
      gemm_nn(exec, ma, mb, accumulate, matrix_on(c, rows, m, ld));
      gemm_nn(&other, ma, mb, accumulate, matrix_on(e, rows, m, ld));
      same &= SAME_BITS(c, e, rows * ld);
      memcpy(e, d, rows * ld * sizeof *e);
      gemm_tn(exec, mt, mb, accumulate, matrix_on(d, rows, m, ld));
      gemm_tn(&other, mt, mb, accumulate, matrix_on(e, rows, m, ld));
      same &= SAME_BITS(d, e, rows * ld);
      for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < ld; j++) {
          const size_t here = i * ld + j;
          if (j >= m) {
            same &= isnan(c[here]) && isnan(d[here]);
            continue;
          }
          long double want = accumulate ? before[here] : 0.0;
          for (size_t k = 0; k < depth; k++) want += (long double)a[i * deep + k] * b[k * ld + j];
          compare_relative(&worst, c[here], (double)want);
          compare_relative(&worst, d[here], (double)want);
        }
      }
      CHECK(worst < 1e-13, "A B and A' B, %zu x %zu x %zu, accumulate %d: error %g", rows, depth, m,
            accumulate, worst);
      CHECK(same, "A B and A' B, %zu x %zu x %zu: the same with %d threads, nothing beyond", rows,
            depth, m, other.threads);
    }
    release();
  }
}

/* The largest error of R'R = G, each of the size of G's entries. */
static double factor_error(size_t n, const double *r, const double *g) {
  const size_t ld = padded(n);
  double worst = 0.0;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = i; j < n; j++) {
      long double sum = 0.0;
      for (size_t k = 0; k <= i; k++) sum += (long double)r[k * ld + i] * r[k * ld + j];
      compare(&worst, (double)sum, g[i * ld + j], sqrt(g[i * ld + i] * g[j * ld + j]));
    }
  }
  return worst;
}

/* The upper half of columns [from, n); NaN elsewhere. */
static void copy_upper(size_t n, size_t from, const double *g, double *r) {
  const size_t ld = padded(n);
  for (size_t j = from; j < n; j++) {
    for (size_t i = 0; i < n; i++) r[i * ld + j] = i <= j ? g[i * ld + j] : NAN;
  }
}

static void check_cholesky(const executor *exec) {
  static const size_t sizes[] = {1, 2, 5, 31, 32, 33, 40, 64, 65, 100};
  static const size_t starts[] = {0, 1, 7, 31, 32, 33, 63, 64};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const size_t n = sizes[s], ld = padded(n);
    const double *g = positive_matrix(n, n, 0.5);
    double *r = doubles(n * ld), worst = 0.0;
    copy_upper(n, 0, g, r);
    CHECK(cholesky(exec, n, ld, 0, 1e-13, 0, r) == n, "G of %zu is positive definite", n);
    worst = factor_error(n, r, g);
    CHECK(worst < 1e-14, "R'R = G of %zu: error %g", n, worst);
    long double log_det = 0.0;
    for (size_t k = 0; k < n; k++) log_det += 2.0L * logl((long double)r[k * ld + k]);
    worst = 0.0;
    compare_relative(&worst, cholesky_log_det(n, ld, r), (double)log_det);
    CHECK(worst < 1e-13, "log det of %zu: error %g", n, worst);

    for (size_t f = 0; f <= sizeof starts / sizeof *starts; f++) {
      const size_t from = f < sizeof starts / sizeof *starts ? starts[f] : n;
      if (from > n) continue;
      double *rest = doubles(n * ld);
      copy_upper(n, 0, r, rest);
      copy_upper(n, from, g, rest);
      CHECK(cholesky(exec, n, ld, from, 1e-13, 0, rest) == n, "G of %zu is, from %zu on", n, from);
      worst = factor_error(n, rest, g);
      CHECK(worst < 1e-14, "R'R = G of %zu, from %zu on: error %g", n, from, worst);
    }
    release();
  }
  /* log det by hand. */
  double *two = doubles(16), worst = 0.0;
  two[0] = 4.0;
  two[1] = 2.0;
  two[9] = 10.0;
  cholesky(exec, 2, 8, 0, 1e-13, 0, two);
  compare_relative(&worst, cholesky_log_det(2, 8, two), log(36.0));
  CHECK(worst < 1e-15, "log det of (4 2; 2 10) is log 36: error %g", worst);
  release();
}

/* What is small is not dependent: the floor is relative to each diagonal entry. */
static void check_units(const executor *exec) {
  const size_t n = 40, ld = padded(n);
  double *g = positive_matrix(n, n, 0.5), *r = doubles(n * ld);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      g[i * ld + j] *= (i % 2 ? 1e-10 : 1e5) * (j % 2 ? 1e-10 : 1e5);
    }
  }
  copy_upper(n, 0, g, r);
  CHECK(cholesky(exec, n, ld, 0, 1e-13, 0, r) == n, "columns of any unit are independent");
  const double worst = factor_error(n, r, g);
  CHECK(worst < 1e-14, "R'R = G of columns in several units: error %g", worst);
  release();
}

static void check_dependent(const executor *exec) {
  static const size_t pairs[][2] = {{0, 1}, {2, 31}, {3, 32}, {33, 34}, {0, 69}, {5, 40}};
  const size_t n = 70, ld = padded(n), m = 3;
  for (size_t s = 0; s < sizeof pairs / sizeof *pairs; s++) {
    const size_t late = pairs[s][1];
    double *g = positive_matrix(n, n, 1.0), *r = doubles(n * ld);
    duplicate(n, pairs[s][0], late, g);
    for (size_t from = 0; from <= late; from += 17) {
      copy_upper(n, 0, g, r);
      /* The columns before `from` alone, of a matrix that they are all of. */
      double *before = doubles(from * padded(from));
      for (size_t i = 0; i < from; i++)
        memcpy(before + i * padded(from), g + i * ld, from * sizeof *g);
      cholesky(exec, from, padded(from), 0, 1e-12, 0, before);
      for (size_t i = 0; i < from; i++)
        memcpy(r + i * ld, before + i * padded(from), from * sizeof *r);
      const size_t found = cholesky(exec, n, ld, from, 1e-12, 0, r);
      CHECK(found == late, "from %zu on, column %zu is found dependent, not %zu", from, late,
            found);
    }

    /* Skipped: its part of a solution is 0, the others are as without it. */
    copy_upper(n, 0, g, r);
    CHECK(cholesky(exec, n, ld, 0, 1e-12, 1, r) == n, "a dependent column is skipped");
    double *x = doubles(n * padded(m)), worst = 0.0;
    for (size_t i = 0; i < n; i++) {
      for (size_t c = 0; c < m; c++) x[i * padded(m) + c] = symmetric();
    }
    const double *b = copy(x, n * padded(m));
    potrs(exec, matrix_on(r, n, n, ld), 1, 0, matrix_on(x, n, m, padded(m)));
    for (size_t c = 0; c < m; c++) {
      compare(&worst, x[late * padded(m) + c], 0.0, 1e-300);
      for (size_t i = 0; i < n; i++) {
        long double sum = 0.0;
        for (size_t k = 0; k < n; k++) sum += (long double)g[i * ld + k] * x[k * padded(m) + c];
        if (i != late) compare(&worst, (double)sum, b[i * padded(m) + c], 1.0);
      }
    }
    CHECK(worst < 1e-11, "column %zu takes nothing of a solution: error %g", late, worst);
    release();
  }
  double *bad = doubles(8);
  bad[0] = 0.0;
  CHECK(cholesky(exec, 1, 8, 0, 1e-13, 0, bad) == 0, "a zero is not positive");
  bad[0] = -1.0;
  CHECK(cholesky(exec, 1, 8, 0, 1e-13, 0, bad) == 0, "a negative number is not positive");
  bad[0] = NAN;
  CHECK(cholesky(exec, 1, 8, 0, 1e-13, 0, bad) == 0, "NaN is not positive");
  release();
}

static void check_solve(const executor *exec) {
  static const size_t sizes[] = {1, 6, 32, 33, 65, 90}, all_m[] = {1, 8, 23, 24, 25, 49};
  static const size_t zeros[] = {0, 5, 31, 32, 33, 64, 89};
  const executor other = other_threads(exec);
  for (size_t s = 0; s < 6; s++) {
    const size_t n = sizes[s], ld = padded(n), m = all_m[s], wide = padded(m);
    const double *g = positive_matrix(n, n, 1.0);
    double *r = doubles(n * ld);
    copy_upper(n, 0, g, r);
    cholesky(exec, n, ld, 0, 1e-13, 0, r);
    const matrix factor = matrix_on(r, n, n, ld);
    for (size_t z = 0; z < sizeof zeros / sizeof *zeros && zeros[z] < n; z++) {
      const double *b = random_matrix(n, m, wide);
      for (size_t i = 0; i < zeros[z]; i++) memset((double *)b + i * wide, 0, m * sizeof *b);
      for (int both = 0; both < 2; both++) {
        double *x = copy(b, n * wide), *y = copy(b, n * wide), worst = 0.0;
        potrs(exec, factor, both, zeros[z], matrix_on(x, n, m, wide));
        potrs(&other, factor, both, zeros[z], matrix_on(y, n, m, wide));
        int same = 1;
        for (size_t i = 0; i < n; i++) {
          for (size_t c = 0; c < wide; c++) {
            const double got = x[i * wide + c];
            same &= c < m ? got == y[i * wide + c] : isnan(got);
            if (c >= m) continue;
            /* G x = b, or R' x = b. */
            long double sum = 0.0, size = 1.0;
            for (size_t k = 0; k < (both ? n : i + 1); k++) {
              const long double term =
                  (long double)(both ? g[i * ld + k] : r[k * ld + i]) * x[k * wide + c];
              sum += term;
              size += fabsl(term);
            }
            compare(&worst, (double)sum, b[i * wide + c], (double)size);
          }
        }
        CHECK(worst < 1e-13, "solved for %zu, %zu right-hand sides, %zu zeros, both %d: error %g",
              n, m, zeros[z], both, worst);
        CHECK(same, "solving for %zu x %zu: the same with %d threads, nothing beyond", n, m,
              other.threads);
      }
    }
    release();
  }
}

void test_linear(const executor *exec) {
  check_gram(exec);
  check_multiply(exec);
  check_cholesky(exec);
  check_units(exec);
  check_dependent(exec);
  check_solve(exec);
}
