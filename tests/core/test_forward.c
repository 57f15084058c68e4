/* The order of features by forward selection. */
#include <string.h>

#include "check.h"
#include "core/response/forward.h"
#include "fixture.h"

#define OUTPUTS 3

/* The sum of squares on told rows of a least-squares regression on some features. */
static long double plain_error(size_t n, const size_t *chosen, size_t count, const double *gram,
                               const double *cross, const double *told_gram,
                               const double *told_cross) {
  long double a[64], error = 0.0;
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < count; j++) a[i * count + j] = gram[chosen[i] * n + chosen[j]];
  }
  const long double *inverse = plain_inverse(count, a);
  for (size_t k = 0; k < OUTPUTS; k++) {
    long double b[8] = {0};
    for (size_t i = 0; i < count; i++) {
      for (size_t j = 0; j < count; j++) {
        b[i] += inverse[i * count + j] * cross[chosen[j] * OUTPUTS + k];
      }
    }
    for (size_t i = 0; i < count; i++) {
      error -= 2.0L * b[i] * told_cross[chosen[i] * OUTPUTS + k];
      for (size_t j = 0; j < count; j++)
        error += b[i] * b[j] * told_gram[chosen[i] * n + chosen[j]];
    }
  }
  return error;
}

static void check_order(size_t fixed, int repeated) {
  enum { N = 6, ROWS = 30 };
  double *products[4];
  for (int set = 0; set < 2; set++) {
    double f[ROWS][N], y[ROWS][OUTPUTS];
    for (size_t i = 0; i < ROWS; i++) {
      for (size_t l = 0; l < N; l++) f[i][l] = symmetric();
      if (repeated) f[i][N - 1] = 2.0 * f[i][2];
      for (size_t k = 0; k < OUTPUTS; k++) y[i][k] = f[i][1] + (double)k * f[i][3] + symmetric();
    }
    double *gram = products[2 * set] = doubles(N * N);
    double *cross = products[2 * set + 1] = doubles(N * OUTPUTS);
    memset(gram, 0, N * N * sizeof *gram);
    memset(cross, 0, N * OUTPUTS * sizeof *cross);
    for (size_t i = 0; i < ROWS; i++) {
      for (size_t l = 0; l < N; l++) {
        for (size_t m = 0; m < N; m++) gram[l * N + m] += f[i][l] * f[i][m];
        for (size_t k = 0; k < OUTPUTS; k++) cross[l * OUTPUTS + k] += f[i][l] * y[i][k];
      }
    }
  }
  double *copy[4];
  for (int p = 0; p < 4; p++) {
    const size_t size = p % 2 ? N * OUTPUTS : N * N;
    copy[p] = doubles(size);
    memcpy(copy[p], products[p], size * sizeof(double));
  }
  products_with_response learned = {matrix_on(copy[0], N, N, N),
                                    matrix_on(copy[1], N, OUTPUTS, OUTPUTS)},
                         told = {matrix_on(copy[2], N, N, N),
                                 matrix_on(copy[3], N, OUTPUTS, OUTPUTS)};
  size_t order[N], plain[N];
  forward_order(&learned, &told, fixed, order, doubles(3 * N + OUTPUTS));
  const size_t most = repeated ? N - 1 : N;
  int used[N] = {0}, same = 1;
  for (size_t place = 0; place < most; place++) {
    long double least = 0.0;
    size_t best = N;
    for (size_t l = 0; l < N; l++) {
      const int again = repeated && ((l == 2 && used[N - 1]) || (l == N - 1 && used[2]));
      if (used[l] || again || (place < fixed && l != place)) continue;
      plain[place] = l;
      const long double error =
          plain_error(N, plain, place + 1, products[0], products[1], products[2], products[3]);
      if (best == N || error < least * (1.0L - 1e-9L)) {
        least = error;
        best = l;
      }
    }
    plain[place] = best;
    used[best] = 1;
    same &= order[place] == best || (repeated && (best == 2 || best == N - 1));
  }
  CHECK(same, "each next feature is the one with which regressions have the least error");
  int seen[N] = {0}, all = 1;
  for (size_t l = 0; l < N; l++) seen[order[l]]++;
  for (size_t l = 0; l < N; l++) all &= seen[l] == 1;
  CHECK(all, "the order has every feature once");
  if (repeated) CHECK(order[N - 1] == 2 || order[N - 1] == N - 1, "what adds nothing comes last");
}

/* Features that are 0, or no numbers, keep their order. */
static void check_nothing(double value) {
  enum { N = 4 };
  double *x[4];
  for (int p = 0; p < 4; p++) {
    x[p] = doubles(N * N);
    for (size_t i = 0; i < N * N; i++) x[p][i] = value;
  }
  products_with_response learned = {matrix_on(x[0], N, N, N), matrix_on(x[1], N, 1, 1)},
                         told = {matrix_on(x[2], N, N, N), matrix_on(x[3], N, 1, 1)};
  size_t order[N];
  int same = 1;
  forward_order(&learned, &told, 0, order, doubles(3 * N + 1));
  for (size_t l = 0; l < N; l++) same &= order[l] == l;
  CHECK(same, "features of %g keep their order", value);
}

/* A sum of others, which leaves nothing of itself but rounding. */
static void check_sum_of_others(void) {
  enum { N = 6, ROWS = 30 };
  matrix products[4];
  for (int p = 0; p < 4; p++) {
    const size_t wide = p % 2 ? OUTPUTS : N;
    products[p] = matrix_on(doubles(N * wide), N, wide, wide);
    memset(products[p].x, 0, N * wide * sizeof(double));
  }
  for (int set = 0; set < 2; set++) {
    for (size_t i = 0; i < ROWS; i++) {
      double f[N];
      for (size_t l = 0; l < N; l++) f[l] = symmetric();
      f[2] = 0.3 * f[0] + 0.7 * f[1];
      for (size_t l = 0; l < N; l++) {
        for (size_t m = 0; m < N; m++) products[2 * set].x[l * N + m] += f[l] * f[m];
        for (size_t k = 0; k < OUTPUTS; k++) {
          products[2 * set + 1].x[l * OUTPUTS + k] += f[l] * (f[0] - f[1] + symmetric());
        }
      }
    }
  }
  products_with_response learned = {products[0], products[1]}, told = {products[2], products[3]};
  size_t order[N];
  forward_order(&learned, &told, 2, order, doubles(3 * N + OUTPUTS));
  CHECK(order[N - 1] == 2, "a sum of the features before it comes last, not %zu", order[N - 1]);
}

void test_forward(const executor *exec) {
  (void)exec;
  seed(16);
  for (size_t fixed = 0; fixed < 3; fixed++) check_order(fixed, 0);
  check_order(0, 1);
  for (int draw = 0; draw < 20; draw++) check_sum_of_others();
  check_nothing(0.0);
  check_nothing(NAN);
  release();
}
