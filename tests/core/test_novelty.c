/* What some coordinates leave of others, against local regressions by elimination. */
#include <string.h>

#include "check.h"
#include "core/embedding/novelty.h"
#include "fixture.h"

static void find(const executor *exec, size_t n, size_t given, size_t near, const double *at,
                 const double *y, size_t m, double *share) {
  const executor alone = one_thread(exec);
  novelty v = {.exec = &alone, .n = n, .given = given, .near = near, .at = at};
  LAY_OUT_CHECKED(memory, novelty_layout(&v, &memory));
  double *left = doubles(n * m);
  novelty_shares(&v, y, m, share, left);
  /* What is left of a column that varies has its share of the variance. */
  for (size_t k = 0; k < m; k++) {
    double mean = 0.0, all = 0.0, rest = 0.0;
    for (size_t i = 0; i < n; i++) mean += y[k * n + i] / (double)n;
    for (size_t i = 0; i < n; i++) {
      all += (y[k * n + i] - mean) * (y[k * n + i] - mean);
      rest += left[k * n + i] * left[k * n + i];
    }
    if (share[k] > 0.0 && share[k] < 1.0) {
      CHECK(fabs(rest / all - share[k]) < 1e-9, "what is left has its share: %g", rest / all);
    }
  }
}

/* The prediction at point i by weighted least squares on the `near` nearest others. */
static double predicted(size_t n, size_t given, size_t near, const double *at, const double *y,
                        size_t i) {
  const size_t terms = given + 1;
  long double *far = bytes(n * sizeof *far), h = 0.0L;
  for (size_t j = 0; j < n; j++) {
    far[j] = 0.0L;
    for (size_t k = 0; k < given; k++)
      far[j] += powl((long double)at[k * n + j] - at[k * n + i], 2.0L);
    far[j] = sqrtl(far[j]);
  }
  for (size_t j = 0; j < n; j++) {
    size_t closer = 0;
    for (size_t l = 0; l < n; l++) closer += l != i && far[l] < far[j];
    if (j != i && closer < near && far[j] > h) h = far[j];
  }
  h *= 1.001L;
  long double *gram = bytes(terms * terms * sizeof *gram), *right = bytes(terms * sizeof *right);
  memset(gram, 0, terms * terms * sizeof *gram);
  memset(right, 0, terms * sizeof *right);
  for (size_t j = 0; j < n; j++) {
    if (j == i || far[j] >= h) continue;
    const long double weight = powl(1.0L - powl(far[j] / h, 3.0L), 3.0L);
    long double *row = bytes(terms * sizeof *row);
    row[0] = 1.0L;
    for (size_t k = 0; k < given; k++)
      row[k + 1] = ((long double)at[k * n + j] - at[k * n + i]) / h;
    for (size_t a = 0; a < terms; a++) {
      right[a] += weight * row[a] * y[j];
      for (size_t b = 0; b < terms; b++) gram[a * terms + b] += weight * row[a] * row[b];
    }
  }
  for (size_t a = 1; a < terms; a++) gram[a * terms + a] += 1e-6L * gram[0];
  const long double *inverse = plain_inverse(terms, gram);
  long double sum = 0.0L;
  for (size_t a = 0; a < terms; a++) sum += inverse[a] * right[a];
  return (double)sum;
}

static void check_random(const executor *exec, size_t n, size_t given, size_t near) {
  const size_t m = 3;
  double *at = doubles(n * given), *y = doubles(n * m), *share = doubles(m), worst = 0.0;
  for (size_t i = 0; i < n * given; i++) at[i] = symmetric();
  for (size_t i = 0; i < n; i++) {
    y[i] = symmetric();
    y[n + i] = at[i] * at[i] + 0.2 * symmetric();
    y[2 * n + i] = sin(3.0 * at[(given - 1) * n + i]) + 5.0;
  }
  find(exec, n, given, near, at, y, m, share);
  for (size_t k = 0; k < m; k++) {
    double left = 0.0, all = 0.0, mean = 0.0;
    for (size_t i = 0; i < n; i++) mean += y[k * n + i] / (double)n;
    for (size_t i = 0; i < n; i++) {
      left += pow(y[k * n + i] - predicted(n, given, near, at, y + k * n, i), 2.0);
      all += pow(y[k * n + i] - mean, 2.0);
    }
    compare(&worst, share[k], fmin(left / all, 1.0), 1.0);
  }
  CHECK(worst < 1e-8, "%zu coordinates of %zu points, %zu near: shares are off by %g", given, n,
        near, worst);
  release();
}

/* Linear functions are explained, others of the line nearly, what has no part in it not at all. */
static void check_known(const executor *exec) {
  const size_t n = 200;
  double *at = doubles(n), *y = doubles(5 * n), share[5];
  for (size_t i = 0; i < n; i++) {
    at[i] = symmetric();
    y[i] = 3.0 - 7.0 * at[i];
    y[n + i] = at[i] * at[i];
    y[2 * n + i] = i % 2 ? 1.0 : -1.0;
    y[3 * n + i] = 4.0;
    y[4 * n + i] = at[i] + (i % 2 ? 0.577 : -0.577);
  }
  find(exec, n, 1, 20, at, y, 5, share);
  CHECK(share[0] < 1e-9, "a linear function has %g", share[0]);
  CHECK(share[1] < 0.01, "a parabola has %g", share[1]);
  CHECK(share[2] > 0.9, "what is new has %g", share[2]);
  CHECK(share[3] == 0.0, "a constant has %g", share[3]);
  CHECK(fabs(share[4] - 0.5) < 0.1, "half of each has %g", share[4]);
  /* Points in two places only: the mean of the others there. */
  for (size_t i = 0; i < n; i++) at[i] = i % 2 ? 1.0 : 0.0;
  find(exec, n, 1, 20, at, y, 3, share);
  CHECK(share[2] < 1e-9, "what tells the places apart has %g", share[2]);
  CHECK(share[0] > 0.9, "what differs within them has %g", share[0]);
  release();
}

void test_novelty(const executor *exec) {
  check_random(exec, 40, 1, 9);
  check_random(exec, 60, 2, 20);
  check_random(exec, 50, 5, 49);
  check_known(exec);
}
