/* Exact determinantal draws: every probability against determinants of subsets. */
#include <string.h>

#include "check.h"
#include "core/select/exact_dpp.h"
#include "fixture.h"

#define BANDWIDTH 1.3
#define FEW 5 /* rows, all subsets of which are looked at */
#define DRAWS 20000

static size_t polls;
static void poll(void) { polls++; }

static exact_dpp process(const executor *exec, const observations *x, size_t fixed) {
  exact_dpp d;
  LAY_OUT_CHECKED(memory,
                  exact_dpp_layout(&d, &memory, exec, x, gaussian_kernel(BANDWIDTH), fixed));
  return d;
}

static void own_weights(data *d) {
  double *weight = doubles(d->x.rows);
  for (size_t i = 0; i < d->x.rows; i++) weight[i] = 0.2 + 2.0 * uniform();
  d->x.weight = weight;
}

/* Row `to` becomes row `from`, of dense rows. */
static void repeat_row(data *d, size_t from, size_t to) {
  const size_t ld = padded(d->x.columns);
  double *real = doubles(d->x.rows * ld);
  memcpy(real, d->x.real, d->x.rows * ld * sizeof *real);
  memcpy(real + to * ld, real + from * ld, ld * sizeof *real);
  memcpy(d->z + to * d->x.columns, d->z + from * d->x.columns, d->x.columns * sizeof *d->z);
  d->x.real = real;
}

/* ---- the kernel, as it is written ---- */

static long double distance(size_t columns, const double *a, const double *b) {
  long double sum = 0.0;
  for (size_t j = 0; j < columns; j++)
    sum += ((long double)a[j] - b[j]) * ((long double)a[j] - b[j]);
  return sum;
}

static double *plain_kernel(const data *d, const points *fixed) {
  const size_t rows = d->x.rows, columns = d->x.columns, n = fixed ? fixed->count : 0;
  double *at = doubles(n * columns + 1), *out = doubles(rows * rows);
  for (size_t h = 0; h < n; h++) {
    for (size_t j = 0; j < columns; j++) at[h * columns + j] = *coordinate(fixed, h, j);
  }
  long double own[64];
  for (size_t g = 0; g < n; g++) {
    for (size_t h = 0; h < n; h++) {
      own[g * n + h] = expl(-distance(columns, at + g * columns, at + h * columns) / BANDWIDTH);
    }
  }
  const long double *inverse = n ? plain_inverse(n, own) : NULL;
  for (size_t i = 0; i < rows; i++) {
    for (size_t k = 0; k < rows; k++) {
      const double *zi = d->z + i * columns, *zk = d->z + k * columns;
      long double sum = expl(-distance(columns, zi, zk) / BANDWIDTH);
      for (size_t g = 0; g < n; g++) {
        for (size_t h = 0; h < n; h++) {
          sum -= expl(-distance(columns, zi, at + g * columns) / BANDWIDTH) * inverse[g * n + h] *
                 expl(-distance(columns, zk, at + h * columns) / BANDWIDTH);
        }
      }
      out[i * rows + k] = (double)(sum * sqrtl((long double)weight_of(d, i) * weight_of(d, k)));
    }
  }
  return out;
}

static void check_kernel(const executor *exec, layout kind, size_t rows, int weighted,
                         size_t fixed) {
  const executor polled = {exec->threads, exec->variant, poll, NULL}, other = other_threads(exec);
  data x = data_make(kind, rows, 3, 0);
  if (weighted) own_weights(&x);
  exact_dpp d = process(&polled, &x.x, fixed), e = process(&other, &x.x, fixed);
  if (fixed) {
    seed(5);
    points_fill(&d.fixed);
    seed(5);
    points_fill(&e.fixed);
    points_norms(&d.fixed);
    points_norms(&e.fixed);
  }
  polls = 0;
  exact_dpp_euclidean(&d);
  exact_dpp_euclidean(&e);
  CHECK(polls >= rows / 256, "blocks of the kernel are polled for");
  const double *want = plain_kernel(&x, fixed ? &d.fixed : NULL);
  double worst = 0.0;
  int same = 1;
  for (size_t j = 0; j < rows; j++) {
    for (size_t i = j; i < rows; i++) {
      compare(&worst, d.kernel[j * rows + i], want[j * rows + i], 1.0);
      same &= d.kernel[j * rows + i] == e.kernel[j * rows + i];
    }
  }
  CHECK(worst < 1e-12, "%zu %s, weighted %d, fixed %zu: the kernel is off by %g", rows,
        layout_name[kind], weighted, fixed, worst);
  CHECK(same, "%d threads make the same kernel", other.threads);
  release();
}

/* ---- probabilities ---- */

/* det of the rows and columns in `set` of a small matrix. */
static long double minor(size_t n, const double *a, unsigned set) {
  long double m[FEW * FEW], det = 1.0;
  size_t in[FEW], k = 0;
  for (size_t i = 0; i < n; i++) {
    if (set >> i & 1) in[k++] = i;
  }
  for (size_t i = 0; i < k; i++) {
    for (size_t j = 0; j < k; j++) m[i * k + j] = a[in[i] * n + in[j]];
  }
  for (size_t p = 0; p < k; p++) {
    det *= m[p * k + p];
    for (size_t i = p + 1; i < k && m[p * k + p] != 0.0; i++) {
      const long double f = m[i * k + p] / m[p * k + p];
      for (size_t j = p; j < k; j++) m[i * k + j] -= f * m[p * k + j];
    }
  }
  return det;
}

static int members(unsigned set) {
  int count = 0;
  for (; set; set &= set - 1) count++;
  return count;
}

/* Draws, counted by the set they gave; `size` 0 for a random one. */
static void count_sets(const exact_dpp *d, size_t size, size_t *count) {
  double u[FEW];
  size_t pair[FEW];
  int row[FEW], different = 1;
  memset(count, 0, sizeof *count << FEW);
  for (int t = 0; t < DRAWS; t++) {
    for (size_t m = 0; m < d->rank; m++) u[m] = uniform();
    size_t found = size;
    if (size) {
      exact_dpp_pairs_of(d, size, u, pair);
    } else {
      found = exact_dpp_pairs(d, u, pair);
    }
    for (size_t k = 0; k < found; k++) u[k] = uniform();
    exact_dpp_rows(d, found, pair, u, row);
    unsigned set = 0;
    for (size_t k = 0; k < found; k++) set |= 1u << row[k];
    different &= (size_t)members(set) == found;
    count[set]++;
  }
  CHECK(different, "no row is drawn twice");
}

/* Each set comes as often as its determinant says, within five standard deviations. */
static void check_counts(const double *kernel, size_t size, const size_t *count, const char *what) {
  long double all = 0.0;
  for (unsigned set = 0; set < 1u << FEW; set++) {
    if (!size || (size_t)members(set) == size) all += minor(FEW, kernel, set);
  }
  for (unsigned set = 0; set < 1u << FEW; set++) {
    const int out = size && (size_t)members(set) != size;
    const double p = out ? 0.0 : fmax(0.0, (double)(minor(FEW, kernel, set) / all));
    const double off = fabs((double)count[set] - p * DRAWS);
    CHECK(off <= 5.0 * sqrt(p * (1.0 - p) * DRAWS) + 1e-6,
          "%s, size %zu: set %u came %zu times of %d, not %g", what, size, set, count[set], DRAWS,
          p * DRAWS);
  }
}

static void check_probabilities(const executor *exec, int weighted, size_t fixed, int repeated) {
  data x = data_make(ROWS_DENSE, FEW, 2, 0);
  if (repeated) repeat_row(&x, 1, 3);
  if (weighted) own_weights(&x);
  exact_dpp d = process(exec, &x.x, fixed);
  if (fixed) {
    points_fill(&d.fixed);
    points_norms(&d.fixed);
  }
  const double *kernel = plain_kernel(&x, fixed ? &d.fixed : NULL);
  exact_dpp_euclidean(&d);
  const char *flaw = exact_dpp_decompose(&d);
  CHECK(!flaw, "a small kernel: %s", flaw ? flaw : "");
  CHECK(d.rank == FEW - (size_t)repeated, "rank %zu of %d rows, %d repeated", d.rank, FEW,
        repeated);
  size_t count[1u << FEW];
  for (size_t size = 0; size <= d.rank; size++) {
    count_sets(&d, size, count);
    check_counts(kernel, size, count, repeated ? "a row repeated" : "rows");
    unsigned both = 1u << 1 | 1u << 3;
    for (unsigned set = 0; repeated && set < 1u << FEW; set++) {
      CHECK((set & both) != both || count[set] == 0, "rows that are the same are never both drawn");
    }
  }
  release();
}

/* Four points in a circle, a the kernel of neighbors: eigenvalues 1 + 2 a + a^4,
 * twice 1 - a^4, and 1 - 2 a + a^4, which is negative for an a near 1. */
static void check_clipping(const executor *exec) {
  const double a = 0.9, apart = sqrt(-BANDWIDTH * log(a));
  double ld[16];
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) ld[i * 4 + j] = apart * ((i - j) % 2 ? 1.0 : i == j ? 0.0 : 2.0);
  }
  data x = data_make(ROWS_DENSE, 4, 1, 0);
  exact_dpp d = process(exec, &x.x, 0);
  exact_dpp_distances(&d, ld);
  exact_dpp_decompose(&d);
  const double b = a * a * a * a, want[] = {1.0 - b, 1.0 - b, 1.0 + 2.0 * a + b};
  CHECK(d.rank == 3 && d.first == 1 && d.log_value[0] == -INFINITY, "a negative eigenvalue is 0");
  double worst = 0.0;
  for (size_t k = 0; k < 3; k++) compare(&worst, exp(d.log_value[1 + k]), want[k], 1.0);
  CHECK(worst < 1e-14, "eigenvalues of a circle of four are off by %g", worst);
  /* Two components that no path joins, of two rows each: the rank is 2. */
  const double far[] = {0,        0, INFINITY, INFINITY, 0,        0, INFINITY, INFINITY, INFINITY,
                        INFINITY, 0, 0,        INFINITY, INFINITY, 0, 0};
  exact_dpp_distances(&d, far);
  exact_dpp_decompose(&d);
  CHECK(d.rank == 2, "rows that no path joins have no kernel between them: rank %zu", d.rank);
  for (int t = 0; t < 200; t++) {
    const double u[] = {uniform(), uniform()};
    size_t pair[2];
    int row[2];
    exact_dpp_pairs_of(&d, 2, u, pair);
    exact_dpp_rows(&d, 2, pair, u, row);
    CHECK(row[0] / 2 != row[1] / 2, "rows %d and %d are of one piece", row[0], row[1]);
  }
  release();
}

static size_t uniforms_drawn;
static void draw_uniforms(double *out, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = uniform();
  uniforms_drawn += count;
}

/* A whole draw: sets as often as their determinants say, of one size and of any but none. */
static void check_draws(const executor *exec, size_t size) {
  const executor drawing = {exec->threads, exec->variant, poll, draw_uniforms};
  data x = data_make(ROWS_DENSE, FEW, 2, 0);
  own_weights(&x);
  exact_dpp d = process(&drawing, &x.x, 0);
  double *kernel = plain_kernel(&x, NULL);
  size_t count[1u << FEW] = {0}, empty = 0, drawn = 0;
  int sound = 1;
  uniforms_drawn = 0;
  for (int t = 0; t < DRAWS; t++) {
    sound &= !exact_dpp_draw(&d, NULL, size) && d.size > 0 && (!size || d.size == size);
    unsigned set = 0;
    for (size_t k = 0; k < d.size; k++) set |= 1u << d.row[k];
    count[set]++;
    empty += d.empty;
    drawn += (d.empty + 1) * d.rank + d.size;
  }
  CHECK(sound, "a draw of size %zu has rows", size);
  CHECK(uniforms_drawn == drawn, "%zu uniforms for what takes %zu", uniforms_drawn, drawn);
  if (size) {
    check_counts(kernel, size, count, "a whole draw");
    CHECK(!exact_dpp_draw(&d, NULL, FEW + 1) && d.size == 0, "no more rows than the rank");
  } else {
    /* Of all draws, also the empty ones, as many came out empty as det(L + I) says. */
    count[0] = empty;
    long double all = 0.0;
    for (unsigned set = 0; set < 1u << FEW; set++) all += minor(FEW, kernel, set);
    const double draws = (double)(DRAWS + empty);
    for (unsigned set = 0; set < 1u << FEW; set++) {
      const double p = (double)(minor(FEW, kernel, set) / all);
      CHECK(fabs((double)count[set] - p * draws) <= 5.0 * sqrt(p * (1.0 - p) * draws) + 1e-6,
            "set %u came %zu times, not %g", set, count[set], p * draws);
    }
  }
  release();
}

/* More rows than a block, as many drawn as the rank allows; each a different one. */
static void check_many(const executor *exec) {
  const size_t rows = 300;
  data x = data_make(ROWS_DENSE, rows, 2, 0);
  own_weights(&x);
  const executor polled = {exec->threads, exec->variant, poll, NULL};
  exact_dpp d = process(&polled, &x.x, 0);
  d.radial.bandwidth = 0.01;
  exact_dpp_euclidean(&d);
  exact_dpp_decompose(&d);
  CHECK(d.rank > 200, "a narrow kernel has a rank of %zu of %zu", d.rank, rows);
  double *u = doubles(rows);
  size_t *pair = bytes(rows * sizeof *pair);
  int *row = integers(rows), *seen = integers(rows);
  const size_t sizes[] = {1, 7, d.rank - 1, d.rank};
  for (size_t s = 0; s < 4; s++) {
    for (size_t m = 0; m < rows; m++) u[m] = uniform();
    exact_dpp_pairs_of(&d, sizes[s], u, pair);
    for (size_t k = 0; k < sizes[s]; k++) {
      CHECK(pair[k] >= d.first && pair[k] < rows && (k == 0 || pair[k] > pair[k - 1]),
            "eigenpair %zu of %zu is %zu", k, sizes[s], pair[k]);
    }
    polls = 0;
    exact_dpp_rows(&d, sizes[s], pair, u, row);
    CHECK(polls >= sizes[s], "each row is polled for");
    memset(seen, 0, rows * sizeof *seen);
    int inside = 1;
    for (size_t k = 0; k < sizes[s]; k++) {
      inside &= row[k] >= 0 && (size_t)row[k] < rows && !seen[row[k]];
      if (inside) seen[row[k]] = 1;
    }
    CHECK(inside, "%zu rows drawn are %zu different rows", sizes[s], sizes[s]);
  }
  release();
}

/* ---- elementary symmetric polynomials ---- */

/* log e_l of the first m values by all sets of them. */
static double plain_symmetric(const double *log_value, size_t l, size_t m) {
  long double largest = -INFINITY, sum = 0.0;
  for (int pass = 0; pass < 2; pass++) {
    for (unsigned set = 0; set < 1u << m; set++) {
      if ((size_t)members(set) != l) continue;
      long double product = 0.0;
      for (size_t i = 0; i < m; i++) product += set >> i & 1 ? log_value[i] : 0.0L;
      if (pass == 0) largest = product > largest ? product : largest;
      if (pass == 1) sum += expl(product - largest);
    }
    if (largest == -INFINITY) return -INFINITY;
  }
  return (double)(largest + logl(sum));
}

static void check_symmetric(double spread, int zeros) {
  const size_t count = 9;
  double log_value[9], *table = doubles(count * count);
  for (size_t i = 0; i < count; i++) {
    log_value[i] = zeros && i % 4 == 1 ? -INFINITY : spread * log(10.0) * symmetric();
  }
  log_symmetric(count, log_value, count, table);
  double worst = 0.0;
  for (size_t l = 1; l <= count; l++) {
    for (size_t m = 1; m <= count; m++) {
      compare_relative(&worst, table[(l - 1) * count + m - 1], plain_symmetric(log_value, l, m));
    }
  }
  CHECK(worst < 1e-14, "log e_l of values of 1e%+g, zeros %d, is off by %g", spread, zeros, worst);
}

void test_exact_dpp(const executor *exec) {
  for (int zeros = 0; zeros < 2; zeros++) {
    check_symmetric(0.5, zeros);
    check_symmetric(200.0, zeros);
  }
  check_kernel(exec, ROWS_DENSE, 1, 0, 0);
  check_kernel(exec, ROWS_DENSE, 40, 1, 0);
  check_kernel(exec, ROWS_DENSE, 41, 1, 4);
  check_kernel(exec, ROWS_SPARSE, 40, 0, 3);
  check_kernel(exec, ROWS_SPARSE, 300, 1, 0);
  check_kernel(exec, ROWS_DENSE, 513, 0, 1);
  for (int weighted = 0; weighted < 2; weighted++) {
    check_probabilities(exec, weighted, 0, 0);
    check_probabilities(exec, weighted, 0, 1);
    check_probabilities(exec, weighted, 2, 0);
  }
  check_draws(exec, 0);
  check_draws(exec, 3);
  check_clipping(exec);
  check_many(exec);
}
