/* Annealed determinantal draws: every pair and triple of a few rows against its determinant. */
#include <string.h>

#include "check.h"
#include "core/select/annealed_dpp.h"
#include "fixture.h"

#define BANDWIDTH 1.3
#define FEW 6
#define DRAWS 10000
#define STEPS 100 /* of each chain */

static size_t uniforms_drawn;
static void draw_uniforms(double *out, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = uniform();
  uniforms_drawn += count;
}

/* L as it is written. */
static double wide_entry(const data *d, double bandwidth, size_t i, size_t j) {
  double sum = 0.0;
  for (size_t k = 0; k < d->x.columns; k++) {
    const double apart = d->z[i * d->x.columns + k] - d->z[j * d->x.columns + k];
    sum += apart * apart;
  }
  return exp(-sum / bandwidth) * sqrt(weight_of(d, i) * weight_of(d, j));
}
static double plain_entry(const data *d, size_t i, size_t j) {
  return wide_entry(d, BANDWIDTH, i, j);
}

/* The determinant of two or three rows, 0 unless their numbers rise. */
static double plain_det(const data *d, size_t i, size_t j, size_t k, size_t size) {
  const double a = plain_entry(d, i, i), b = plain_entry(d, j, j), ab = plain_entry(d, i, j);
  if (i >= j) return 0.0;
  if (size == 2) return a * b - ab * ab;
  const double c = plain_entry(d, k, k), ac = plain_entry(d, i, k), bc = plain_entry(d, j, k);
  return j < k ? a * b * c + 2.0 * ab * ac * bc - a * bc * bc - b * ac * ac - c * ab * ab : 0.0;
}

static size_t least_of(const int *row, size_t size) {
  size_t at = 0;
  for (size_t k = 1; k < size; k++) at = row[k] < row[at] ? k : at;
  return at;
}

/* Sets as often as their determinants to the power say, within five standard deviations. */
static void check_sets(const executor *exec, double power, size_t size, int repeated) {
  const executor drawing = {exec->threads, exec->variant, NULL, draw_uniforms};
  data x = data_make(ROWS_DENSE, FEW, 2, 0);
  double *weight = doubles(FEW);
  for (size_t i = 0; i < FEW; i++) weight[i] = 0.2 + 2.0 * uniform();
  x.x.weight = weight;
  if (repeated) {
    double *real = doubles(FEW * padded(2));
    memcpy(real, x.x.real, FEW * padded(2) * sizeof *real);
    memcpy(real + 3 * padded(2), real + padded(2), 2 * sizeof *real);
    memcpy(x.z + 3 * 2, x.z + 2, 2 * sizeof *x.z);
    x.x.real = real;
  }
  exact_dpp d;
  annealed_dpp a;
  LAY_OUT_CHECKED(memory,
                  exact_dpp_layout(&d, &memory, &drawing, &x.x, gaussian_kernel(BANDWIDTH), 0));
  LAY_OUT_CHECKED(more, annealed_dpp_layout(&a, &more, FEW, size));
  size_t count[FEW][FEW][FEW] = {{{0}}}, flaws = 0, accepted = 0;
  for (int t = 0; t < DRAWS; t++) {
    flaws += exact_dpp_draw(&d, NULL, size) != NULL;
    uniforms_drawn = 0;
    annealed_dpp_run(&a, &d, 0, power, STEPS);
    flaws += uniforms_drawn != 3 * STEPS;
    accepted += a.accepted;
    int in[3] = {0, 0, 0}, row[3];
    memcpy(row, d.row, size * sizeof *row);
    for (size_t k = 0; k < size; k++) {
      const size_t at = least_of(row, size);
      in[k] = row[at];
      row[at] = FEW;
    }
    count[in[0]][in[1]][in[2]]++;
  }
  CHECK(flaws == 0, "%zu of %d annealed draws failed", flaws, DRAWS);
  CHECK(accepted > 0 && accepted < (size_t)DRAWS * STEPS, "%zu swaps were accepted", accepted);
  double all = 0.0;
  const size_t last = size == 2 ? 1 : FEW;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < FEW; i++) {
      for (size_t j = 0; j < FEW; j++) {
        for (size_t k = 0; k < last; k++) {
          const double det = plain_det(&x, i, j, k, size), odds = det > 1e-14 ? pow(det, power) : 0;
          if (pass == 0) all += odds;
          if (pass == 0) continue;
          const double p = odds / all, off = fabs((double)count[i][j][k] - p * DRAWS);
          CHECK(off <= 5.0 * sqrt(p * (1.0 - p) * DRAWS) + 1e-6,
                "power %g, rows %zu, %zu, %zu came %zu times, not %g", power, i, j, k,
                count[i][j][k], p * DRAWS);
        }
      }
    }
  }
  release();
}

/* A long chain: its factor is still that of the rows it holds, which are different ones. With a
 * wide kernel rows nearly depend on each other, and a power near 0 has nearly every step accepted.
 */
static void check_long(const executor *exec, double bandwidth, double power, size_t least) {
  const size_t rows = 80, size = 13;
  const executor drawing = {exec->threads, exec->variant, NULL, draw_uniforms};
  data x = data_make(ROWS_DENSE, rows, 3, 0);
  exact_dpp d;
  annealed_dpp a;
  LAY_OUT_CHECKED(memory,
                  exact_dpp_layout(&d, &memory, &drawing, &x.x, gaussian_kernel(bandwidth), 0));
  LAY_OUT_CHECKED(more, annealed_dpp_layout(&a, &more, rows, size));
  exact_dpp_draw(&d, NULL, size);
  annealed_dpp_run(&a, &d, 0, power, 5000);
  CHECK(a.accepted > least, "%zu swaps of 5,000 were accepted", a.accepted);
  long double own[13 * 13];
  int *seen = integers(rows), different = 1;
  memset(seen, 0, rows * sizeof *seen);
  for (size_t k = 0; k < size; k++) different &= !seen[d.row[k]]++;
  CHECK(different, "the rows of a set are different");
  for (size_t k = 0; k < size; k++) {
    for (size_t l = 0; l < size; l++) {
      own[k * size + l] = wide_entry(&x, bandwidth, (size_t)d.row[k], (size_t)d.row[l]);
    }
  }
  double worst = 0.0;
  for (size_t k = 0; k < size; k++) {
    for (size_t l = k; l < size; l++) {
      long double sum = 0.0;
      for (size_t i = 0; i <= k; i++) {
        sum += (long double)a.factor[i * padded(size) + k] * a.factor[i * padded(size) + l];
      }
      compare(&worst, (double)sum, (double)own[k * size + l], 1.0);
    }
  }
  CHECK(worst < 1e-11, "the factor of a long chain is off by %g", worst);
  release();
}

/* No row is left to come. */
static void check_all(const executor *exec) {
  const executor drawing = {exec->threads, exec->variant, NULL, draw_uniforms};
  data x = data_make(ROWS_DENSE, 4, 2, 0);
  exact_dpp d;
  annealed_dpp a;
  LAY_OUT_CHECKED(memory,
                  exact_dpp_layout(&d, &memory, &drawing, &x.x, gaussian_kernel(BANDWIDTH), 0));
  LAY_OUT_CHECKED(more, annealed_dpp_layout(&a, &more, 4, 4));
  exact_dpp_draw(&d, NULL, 4);
  uniforms_drawn = 0;
  annealed_dpp_run(&a, &d, 0, 2.0, 50);
  CHECK(a.steps == 0 && uniforms_drawn == 0, "a set of all rows stays");
  release();
}

/* Four points in a circle, of which the Gaussian of distances along it has a negative eigenvalue
 * (test_exact_dpp.c) of the vector (1, -1, 1, -1) / 2: what is drawn has that taken out. */
static void check_circle(const executor *exec) {
  const executor drawing = {exec->threads, exec->variant, NULL, draw_uniforms};
  const double near = 0.9, apart = sqrt(-BANDWIDTH * log(near)),
               negative = 1 - 2 * near + pow(near, 4);
  double ld[16], own[16];
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      const int steps = (i - j) % 2 ? 1 : i == j ? 0 : 2;
      ld[i * 4 + j] = apart * steps;
      own[i * 4 + j] = pow(near, steps * steps) - negative * (steps == 1 ? -0.25 : 0.25);
    }
  }
  data x = data_make(ROWS_DENSE, 4, 1, 0);
  exact_dpp d;
  annealed_dpp a;
  LAY_OUT_CHECKED(memory,
                  exact_dpp_layout(&d, &memory, &drawing, &x.x, gaussian_kernel(BANDWIDTH), 0));
  LAY_OUT_CHECKED(more, annealed_dpp_layout(&a, &more, 4, 2));
  const int draws = 4000;
  double beside = 0.0;
  for (int t = 0; t < draws; t++) {
    exact_dpp_draw(&d, ld, 2);
    annealed_dpp_run(&a, &d, 1, 3.0, 40);
    beside += (d.row[0] - d.row[1]) % 2 != 0;
  }
  /* Four pairs of neighbors and two of points opposite. */
  const double side = 4 * pow(own[0] * own[0] - own[1] * own[1], 3);
  const double across = 2 * pow(own[0] * own[0] - own[2] * own[2], 3), p = side / (side + across);
  CHECK(fabs(beside - p * draws) < 5.0 * sqrt(p * (1.0 - p) * draws),
        "%g of %d pairs of a circle are neighbors, not %g", beside, draws, p * draws);
  release();
}

void test_annealed_dpp(const executor *exec) {
  check_sets(exec, 2.0, 2, 0);
  check_sets(exec, 0.3, 3, 0);
  check_sets(exec, 5.0, 3, 0);
  check_sets(exec, 0.3, 2, 1);
  check_long(exec, BANDWIDTH, 0.5, 500);
  check_long(exec, 300.0, 1e-10, 4900);
  check_all(exec);
  check_circle(exec);
}
