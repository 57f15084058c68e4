/* The extension of an eigenmap to other points, by loops over its equation. */
#include <string.h>

#include "check.h"
#include "core/embedding/extension.h"
#include "fixture.h"
#include "graph.h"

/* Landmarks with covariances, their graph by the definition, and what it is extended with. */
typedef struct {
  size_t n, dims, columns, neighbors;
  spread_kind spread;
  double rate, plane;
  points t;
  double *covariance, *reach, *mass, *y, *lambda;
  graph g;
} model;

static long double *covariance_of(const model *m, size_t i) {
  const size_t d = m->columns;
  long double *c = bytes(d * d * sizeof *c);
  for (size_t e = 0; e < d * d; e++) {
    const int on = e / d == e % d;
    c[e] = m->spread == SPREAD_FULL ? m->covariance[i * d * d + e]
           : on                     ? m->covariance[e / d * m->n + i]
                                    : 0.0;
  }
  return c;
}

/* Of Gaussians with the covariances of landmarks i and j: what stands before (x - t) and
 * after it, and what is added. */
typedef struct {
  long double *inverse, shift;
} pair;

static pair pair_of(const model *m, size_t i, size_t j) {
  const size_t d = m->columns;
  const long double *a = covariance_of(m, i), *b = covariance_of(m, j);
  long double *c = bytes(d * d * sizeof *c);
  for (size_t e = 0; e < d * d; e++) c[e] = (a[e] + b[e]) / 2.0L;
  const pair p = {plain_inverse(d, c),
                  0.5L * plain_log_det(d, c) - 0.25L * (plain_log_det(d, a) + plain_log_det(d, b))};
  return p;
}

static long double apart(const pair *p, size_t d, const double *x, const points *t, size_t j) {
  long double sum = 0.0L;
  for (size_t a = 0; a < d; a++) {
    for (size_t b = 0; b < d; b++) {
      sum += p->inverse[a * d + b] * ((long double)x[a] - *coordinate(t, j, a)) *
             ((long double)x[b] - *coordinate(t, j, b));
    }
  }
  return sum / 8.0L + p->shift;
}

static pair *pairs_of(const model *m) {
  pair *all = bytes(m->n * m->n * sizeof *all);
  for (size_t i = 0; i < m->n && m->spread != SPREAD_NONE; i++) {
    for (size_t j = 0; j < m->n; j++) all[i * m->n + j] = pair_of(m, i, j);
  }
  return all;
}

/* D(x, j) for all landmarks j. */
static void plain_apart(const model *m, const pair *pairs, const double *x, long double *out) {
  size_t home = 0;
  for (size_t j = 0; j < m->n; j++) {
    out[j] = 0.0L;
    for (size_t a = 0; a < m->columns; a++) {
      const long double off = (long double)x[a] - *coordinate(&m->t, j, a);
      out[j] += off * off;
    }
    if (out[j] < out[home]) home = j;
  }
  for (size_t j = 0; j < m->n && m->spread != SPREAD_NONE; j++) {
    out[j] = apart(pairs + home * m->n + j, m->columns, x, &m->t, j);
  }
}

/* The k-th smallest, from 1. */
static long double kth(const long double *d, size_t n, size_t k) {
  for (size_t j = 0; j < n; j++) {
    size_t below_it = 0, at_most = 0;
    for (size_t l = 0; l < n; l++) {
      below_it += d[l] < d[j];
      at_most += d[l] <= d[j];
    }
    if (below_it < k && k <= at_most) return d[j];
  }
  return NAN;
}

static int within(long double d, long double limit) { return d <= limit * (1.0L + 1e-8L); }

/* The header's equation; m->y is over 1 - lambda. */
static void plain_extension(const model *m, const pair *pairs, const double *x, double *out) {
  long double *d = bytes(m->n * sizeof *d), least = INFINITY, sum = 0.0L;
  plain_apart(m, pairs, x, d);
  const long double last = kth(d, m->n, m->neighbors + 1);
  for (size_t j = 0; j < m->n; j++) least = d[j] < least ? d[j] : least;
  for (size_t k = 0; k < m->dims; k++) out[k] = 0.0;
  for (size_t j = 0; j < m->n; j++) {
    if (!within(d[j], last) && !within(d[j], m->reach[j])) continue;
    const long double weight = m->mass[j] * expl(-m->rate * (d[j] - least));
    sum += weight;
    for (size_t k = 0; k < m->dims; k++) out[k] += (double)(weight * m->y[j * m->dims + k]);
  }
  for (size_t k = 0; k < m->dims; k++) out[k] /= (double)sum;
}

/* In a plane: around the landmark that has most weight near it. */
static void plain_place(const model *m, const pair *pairs, const double *x, double *out) {
  const size_t n = m->n;
  long double *d = bytes(n * sizeof *d), *w = bytes(n * sizeof *w), least = INFINITY, most = -1.0L;
  plain_apart(m, pairs, x, d);
  const long double last = kth(d, n, m->neighbors + 1);
  for (size_t j = 0; j < n; j++) least = d[j] < least ? d[j] : least;
  for (size_t j = 0; j < n; j++) {
    w[j] =
        !within(d[j], last) ? 0.0L : expl(-3.0L * (d[j] - least) / (last - least)) * least / d[j];
    /* The nearest. At a landmark: its distance is 0 but for rounding. */
    if (d[j] == least) w[j] = 1.0L;
  }
  for (size_t c = 0; c < n; c++) {
    long double score = 0.0L, sum = 0.0L, place[2] = {0.0L, 0.0L};
    for (size_t j = 0; j < n; j++) {
      const double *a = m->y + 2 * c, *b = m->y + 2 * j;
      const long double far = (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
      const long double weight = w[j] * expl(-far / (2.0L * m->plane * m->plane));
      score += weight;
      sum += weight;
      for (size_t k = 0; k < 2; k++) place[k] += weight * b[k];
    }
    if (w[c] == 0.0L || score <= most) continue;
    most = score;
    for (size_t k = 0; k < 2; k++) out[k] = (double)(place[k] / sum);
  }
}

/* The first n rows that differ: of sparse ones several are empty. */
static size_t *rows_apart(const data *d, size_t n) {
  const size_t columns = d->x.columns;
  size_t *row = bytes(n * sizeof *row), found = 0;
  for (size_t i = 0; found < n; i++) {
    size_t l = 0;
    while (l < found && memcmp(d->z + i * columns, d->z + row[l] * columns, columns * sizeof *d->z))
      l++;
    if (l == found) row[found++] = i;
  }
  return row;
}

static model model_make(const data *d, const size_t *row, size_t n, size_t dims, size_t neighbors,
                        spread_kind spread, double rate) {
  const size_t columns = d->x.columns, size = spread == SPREAD_FULL ? columns * columns : columns;
  model m = {.n = n,
             .dims = dims,
             .columns = columns,
             .neighbors = neighbors,
             .spread = spread,
             .rate = rate};
  m.t = points_on(doubles(points_size(n, columns)), n, columns);
  for (size_t l = 0; l < n; l++) {
    for (size_t j = 0; j < columns; j++) *coordinate(&m.t, l, j) = d->z[row[l] * columns + j];
  }
  points_norms(&m.t);
  if (spread != SPREAD_NONE) m.covariance = doubles(n * size);
  for (size_t l = 0; l < n && spread != SPREAD_NONE; l++) {
    const double *g = positive_matrix(columns, columns + 2, 0.1);
    for (size_t e = 0; e < size; e++) {
      if (spread == SPREAD_FULL) {
        m.covariance[l * size + e] = g[e / columns * padded(columns) + e % columns];
      } else {
        m.covariance[e * n + l] = exp(2.0 * symmetric());
      }
    }
  }
  const pair *pairs = pairs_of(&m);
  long double *apart_from = bytes(n * n * sizeof *apart_from);
  m.reach = doubles(n);
  for (size_t l = 0; l < n; l++) {
    plain_apart(&m, pairs, d->z + row[l] * columns, apart_from + l * n);
    m.reach[l] = (double)kth(apart_from + l * n, n, neighbors + 1);
  }
  m.g = graph_make(n);
  m.g.alpha = n % 2 ? 0.7 : 0.0; /* Both come up. */
  for (size_t l = 0; l < n; l++) {
    for (size_t j = 0; j < n; j++) {
      const long double far = apart_from[l * n + j];
      if (j != l && (within(far, m.reach[l]) || within(far, m.reach[j]))) {
        m.g.full[l * n + j] = (double)expl(-rate * far);
      }
    }
  }
  graph_compress(&m.g);
  m.mass = doubles(n);
  for (size_t l = 0; l < n; l++) m.mass[l] = graph_mass(&m.g, l);
  m.lambda = doubles(dims);
  double *y = doubles(n * dims);
  const char *flaw = graph_embed(&m.g, dims, m.lambda, y);
  CHECK(!flaw, "an eigenmap: %s", flaw ? flaw : "");
  m.y = doubles(n * dims);
  for (size_t l = 0; l < n; l++) {
    for (size_t k = 0; k < dims; k++) m.y[l * dims + k] = y[k * n + l] / (1.0 - m.lambda[k]);
  }
  return m;
}

static void extend(const executor *exec, const observations *x, const model *m, size_t block,
                   size_t first, size_t count, double *out) {
  const candidate_setup around = {.n = m->n,
                                  .neighbors = m->neighbors,
                                  .reach = m->reach,
                                  .start = m->g.start,
                                  .joined = m->g.joined,
                                  .spread = m->spread,
                                  .covariance = m->covariance};
  extension e = {.around = around,
                 .dims = m->dims,
                 .rate = m->rate,
                 .plane = m->plane,
                 .mass = m->mass,
                 .block = block};
  LAY_OUT_CHECKED(memory, extension_layout(&e, &memory, exec, x));
  for (size_t l = 0; l < m->n; l++) {
    for (size_t j = 0; j < m->columns; j++)
      *coordinate(&e.around.landmarks, l, j) = *coordinate(&m->t, l, j);
  }
  points_norms(&e.around.landmarks);
  memcpy(e.y, m->y, m->n * m->dims * sizeof *e.y);
  CHECK(extension_start(&e) == m->n, "all covariances are positive definite");
  for (size_t done = 0; done < count; done += block) {
    const size_t some = count - done < block ? count - done : block;
    extension_rows(&e, x, first + done, some, out, x->rows);
  }
}

static const char *const spread_name[] = {"no covariances", "diagonal ones", "full ones"};

static void check_extension(const executor *exec, layout kind, size_t rows, size_t columns,
                            size_t n, size_t dims, size_t neighbors, spread_kind spread,
                            double rate) {
  data d = data_make(kind, rows, columns, 0);
  /* Where kinds allow, rows far away: a part of them, and more and more. */
  double *real = (double *)d.x.real;
  for (size_t i = n; kind == COLUMNS_DOUBLE && i < rows; i += 3) {
    for (size_t j = 0; j < columns; j++) {
      real[j * rows + i] *= pow(10.0, (double)(i % 4));
      d.z[i * columns + j] = (real[j * rows + i] - d.x.center[j]) * d.x.factor[j];
    }
  }
  const size_t *row = rows_apart(&d, n);
  const model m = model_make(&d, row, n, dims, neighbors, spread, rate);
  const pair *pairs = pairs_of(&m);
  double *out = doubles(rows * dims), *want = doubles(dims), worst = 0.0, own = 0.0;
  extend(exec, &d.x, &m, rows, 0, rows, out);
  for (size_t i = 0; i < rows; i++) {
    plain_extension(&m, pairs, d.z + i * columns, want);
    for (size_t k = 0; k < dims; k++) compare_relative(&worst, out[k * rows + i], want[k]);
  }
  /* At a landmark: its own coordinates. */
  for (size_t l = 0; l < n; l++) {
    for (size_t k = 0; k < dims; k++) {
      compare_relative(&own, out[k * rows + row[l]], m.y[l * dims + k] * (1.0 - m.lambda[k]));
    }
  }
  CHECK(worst < 1e-8, "%zu %s by %zu landmarks in %zu dimensions, %s, rate %g: off by %g", rows,
        layout_name[kind], n, columns, spread_name[spread], rate, worst);
  CHECK(own < 1e-8, "%zu landmarks (%s), %s, rate %g: off their own coordinates by %g", n,
        layout_name[kind], spread_name[spread], rate, own);
  /* The same bits with other threads, and by blocks of other sizes. */
  const executor other = other_threads(exec);
  double *again = doubles(rows * dims);
  extend(&other, &d.x, &m, rows + 3, 0, rows, again);
  CHECK(memcmp(again, out, rows * dims * sizeof *out) == 0, "threads change nothing (%s, %s)",
        layout_name[kind], spread_name[spread]);
  memset(again, 0, rows * dims * sizeof *again);
  extend(exec, &d.x, &m, 17, 0, rows, again);
  CHECK(memcmp(again, out, rows * dims * sizeof *out) == 0, "blocks change nothing (%s, %s)",
        layout_name[kind], spread_name[spread]);
  /* The graph only says where to look first: one that has lost its edges does as well. */
  model bare = m;
  bare.g.start = integers(n + 1);
  memset(bare.g.start, 0, (n + 1) * sizeof(int));
  extend(exec, &d.x, &bare, rows, 0, rows, again);
  double lost = 0.0;
  for (size_t i = 0; i < rows * dims; i++) compare_relative(&lost, again[i], out[i]);
  CHECK(lost < 1e-12, "without edges (%s, %s) it is off by %g", layout_name[kind],
        spread_name[spread], lost);
  /* A range of rows: those, and no others. */
  const size_t first = rows / 3, count = rows / 2;
  for (size_t i = 0; i < rows * dims; i++) again[i] = NAN;
  extend(exec, &d.x, &m, rows, first, count, again);
  int right = 1;
  for (size_t k = 0; k < dims; k++) {
    for (size_t i = 0; i < rows; i++) {
      const double got = again[k * rows + i];
      right &= i >= first && i < first + count ? got == out[k * rows + i] : isnan(got);
    }
  }
  CHECK(right, "rows %zu to %zu of %zu alone", first, first + count, rows);
  release();
}

/* Landmarks arranged in a plane, in three clusters: rows in one of them, and landmarks where they
 * are. */
static void check_place(const executor *exec, layout kind, size_t columns, size_t n,
                        size_t neighbors, spread_kind spread) {
  const size_t rows = 90;
  data d = data_make(kind, rows, columns, 0);
  const size_t *row = rows_apart(&d, n);
  model m = model_make(&d, row, n, 2, neighbors, spread, 0.3);
  m.plane = 0.8;
  for (size_t l = 0; l < n; l++) {
    m.y[2 * l] = 10.0 * (double)(l % 3) + symmetric();
    m.y[2 * l + 1] = symmetric();
  }
  const pair *pairs = pairs_of(&m);
  double *out = doubles(rows * 2), want[2], worst = 0.0, own = 0.0;
  extend(exec, &d.x, &m, rows, 0, rows, out);
  for (size_t i = 0; i < rows; i++) {
    plain_place(&m, pairs, d.z + i * columns, want);
    for (size_t k = 0; k < 2; k++) compare_relative(&worst, out[k * rows + i], want[k]);
  }
  for (size_t l = 0; l < n; l++) {
    for (size_t k = 0; k < 2; k++) compare_relative(&own, out[k * rows + row[l]], m.y[2 * l + k]);
  }
  CHECK(worst < 1e-6, "places by %zu landmarks (%s, %s) are off by %g", n, layout_name[kind],
        spread_name[spread], worst);
  CHECK(own < 1e-6, "places of %zu landmarks (%s, %s) are off by %g", n, layout_name[kind],
        spread_name[spread], own);
  release();
}

/* Ties: landmarks and rows on a grid of whole numbers. */
static void check_grid(const executor *exec, size_t side, size_t neighbors, double rate) {
  const size_t n = side * side, rows = n + 30, columns = 2;
  double center[2] = {0.0, 0.0}, factor[2] = {1.0, 1.0};
  double *real = doubles(rows * columns);
  data d = {.x = {.kind = COLUMNS_DOUBLE,
                  .rows = rows,
                  .columns = columns,
                  .real = real,
                  .center = center,
                  .factor = factor},
            .z = doubles(rows * columns)};
  for (size_t i = 0; i < rows; i++) {
    const double a = i < n ? (double)(i % side) : (double)below(2 * side) / 2.0;
    const double b = i < n ? (double)(i / side) : (double)below(2 * side) / 2.0;
    d.z[i * 2] = real[i] = a;
    d.z[i * 2 + 1] = real[rows + i] = b;
  }
  const size_t *row = rows_apart(&d, n);
  const model m = model_make(&d, row, n, 2, neighbors, SPREAD_NONE, rate);
  double *out = doubles(rows * 2), want[2], worst = 0.0;
  extend(exec, &d.x, &m, rows, 0, rows, out);
  for (size_t i = 0; i < rows; i++) {
    plain_extension(&m, NULL, d.z + i * 2, want);
    for (size_t k = 0; k < 2; k++) {
      compare_relative(&worst, out[k * rows + i], want[k]);
      if (i < n) compare_relative(&worst, out[k * rows + i], m.y[i * 2 + k] * (1.0 - m.lambda[k]));
    }
  }
  CHECK(worst < 1e-8, "a grid of %zu with %zu neighbours: off by %g", n, neighbors, worst);
  release();
}

void test_extension(const executor *exec) {
  for (int kind = 0; kind < LAYOUTS; kind++) {
    for (int spread = SPREAD_NONE; spread <= SPREAD_FULL; spread++) {
      const spread_kind s = (spread_kind)spread;
      check_extension(exec, (layout)kind, 103, 4, 13, 2, 3, s, 0.0);
      check_extension(exec, (layout)kind, 103, 4, 13, 2, 3, s, 0.7);
      check_extension(exec, (layout)kind, 150, 5, 70, 3, 9, s, 0.4);
      /* Too many dimensions for a tree. */
      check_extension(exec, (layout)kind, 120, 14, 50, 2, 6, s, 0.2);
      /* Enough for products, also with more rows of a home than are done at a time. */
      check_extension(exec, (layout)kind, 120, 21, 50, 2, 6, s, 0.1);
      check_extension(exec, (layout)kind, 260, 17, 3, 1, 1, s, 0.1);
    }
  }
  for (int spread = SPREAD_NONE; spread <= SPREAD_FULL; spread++) {
    const spread_kind s = (spread_kind)spread;
    check_extension(exec, COLUMNS_DOUBLE, 60, 1, 8, 2, 1, s, 0.3);
    check_extension(exec, COLUMNS_DOUBLE, 60, 3, 9, 8, 8, s, 0.3);
    check_extension(exec, ROWS_DENSE, 40, 2, 2, 1, 1, s, 2.0);
    /* All weights of a row are 0 by themselves. */
    check_extension(exec, COLUMNS_DOUBLE, 80, 3, 20, 2, 4, s, 40.0);
    /* And so are edges of the graph, which it then lacks. */
    check_extension(exec, COLUMNS_DOUBLE, 80, 3, 20, 2, 4, s, 4000.0);
    check_extension(exec, ROWS_DENSE, 8300, 2, 9, 2, 3, s, 1.0);
  }
  for (int kind = 0; kind < LAYOUTS; kind++) {
    check_place(exec, (layout)kind, 3, 20, 4, SPREAD_NONE);
    check_place(exec, (layout)kind, 20, 30, 6, SPREAD_NONE);
    check_place(exec, (layout)kind, 3, 20, 4, SPREAD_DIAGONAL);
  }
  check_grid(exec, 5, 4, 0.0);
  check_grid(exec, 6, 3, 0.5);
  check_grid(exec, 4, 15, 0.1);
}
