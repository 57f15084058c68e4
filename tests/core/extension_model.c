#include "extension_model.h"

#include <string.h>

#include "check.h"

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

/* `logs`: half the sum of both log determinants. */
static pair pair_of(size_t d, const long double *a, const long double *b, long double logs) {
  long double *c = bytes(d * d * sizeof *c);
  for (size_t e = 0; e < d * d; e++) c[e] = (a[e] + b[e]) / 2.0L;
  const pair p = {plain_inverse(d, c), 0.5L * (plain_log_det(d, c) - logs)};
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

/* Those of (i, j) and (j, i) are one. */
static pair *pairs_of(const model *m) {
  const size_t n = m->n, d = m->columns;
  pair *all = bytes(n * n * sizeof *all);
  if (m->spread == SPREAD_NONE) return all;
  const long double **c = bytes(n * sizeof *c);
  long double *log_det = bytes(n * sizeof *log_det);
  for (size_t i = 0; i < n; i++) {
    c[i] = covariance_of(m, i);
    log_det[i] = plain_log_det(d, c[i]);
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = i; j < n; j++) {
      all[i * n + j] = pair_of(d, c[i], c[j], (log_det[i] + log_det[j]) / 2.0L);
      all[j * n + i] = all[i * n + j];
    }
  }
  return all;
}

/* Squared Euclidean distances to all landmarks, and the nearest. */
static size_t plain_squares(const model *m, const double *x, long double *out) {
  size_t home = 0;
  for (size_t j = 0; j < m->n; j++) {
    out[j] = 0.0L;
    for (size_t a = 0; a < m->columns; a++) {
      const long double off = (long double)x[a] - *coordinate(&m->t, j, a);
      out[j] += off * off;
    }
    if (out[j] < out[home]) home = j;
  }
  return home;
}

int plain_is_tied(const model *m, const double *x) {
  long double *d = bytes(m->n * sizeof *d);
  const size_t home = plain_squares(m, x, d);
  for (size_t j = 0; j < m->n && m->spread != SPREAD_NONE; j++) {
    if (j != home && d[j] <= d[home] * (1.0L + 1e-12L)) return 1;
  }
  return 0;
}

/* D(x, j) for all landmarks j. */
static void plain_apart(const model *m, const double *x, long double *out) {
  const size_t home = plain_squares(m, x, out);
  for (size_t j = 0; j < m->n && m->spread != SPREAD_NONE; j++) {
    out[j] = apart(m->pairs + home * m->n + j, m->columns, x, &m->t, j);
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

void plain_extension(const model *m, const double *x, double *out) {
  long double *d = bytes(m->n * sizeof *d), least = INFINITY, sum = 0.0L;
  plain_apart(m, x, d);
  const long double last = kth(d, m->n, m->neighbors + 1);
  for (size_t j = 0; j < m->n; j++) least = d[j] < least ? d[j] : least;
  for (size_t k = 0; k < m->dims; k++) out[k] = 0.0;
  for (size_t j = 0; j < m->n; j++) {
    if (!within(d[j], last) && !within(d[j], m->knn_radius[j])) continue;
    const long double from = m->printed ? 0.0L : least;
    const long double weight = m->mass[j] * expl(-m->rate * (d[j] - from));
    sum += weight;
    for (size_t k = 0; k < m->dims; k++) out[k] += (double)(weight * m->y[j * m->dims + k]);
  }
  for (size_t k = 0; k < m->dims; k++) out[k] /= (double)(m->printed ? sqrtl(sum) : sum);
}

void plain_place(const model *m, const double *x, double *out) {
  const size_t n = m->n;
  long double *d = bytes(n * sizeof *d), *w = bytes(n * sizeof *w), least = INFINITY, most = -1.0L;
  plain_apart(m, x, d);
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

size_t *rows_apart(const data *d, size_t n) {
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

model model_make(const data *d, const size_t *row, size_t n, size_t dims, size_t neighbors,
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
  m.pairs = pairs_of(&m);
  long double *apart_from = bytes(n * n * sizeof *apart_from);
  m.knn_radius = doubles(n);
  for (size_t l = 0; l < n; l++) {
    plain_apart(&m, d->z + row[l] * columns, apart_from + l * n);
    m.knn_radius[l] = (double)kth(apart_from + l * n, n, neighbors + 1);
  }
  m.g = graph_make(n);
  m.g.alpha = n % 2 ? 0.7 : 0.0; /* Both come up. */
  for (size_t l = 0; l < n; l++) {
    for (size_t j = 0; j < n; j++) {
      const long double far = apart_from[l * n + j];
      if (j != l && (within(far, m.knn_radius[l]) || within(far, m.knn_radius[j]))) {
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

void extend(const executor *exec, const observations *x, const model *m, size_t block, size_t first,
            size_t count, double *out) {
  const candidate_setup around = {.n = m->n,
                                  .neighbors = m->neighbors,
                                  .knn_radius = m->knn_radius,
                                  .start = m->g.start,
                                  .joined = m->g.joined,
                                  .spread = m->spread,
                                  .covariance = m->covariance};
  extension e = {.around = around,
                 .dims = m->dims,
                 .rate = m->rate,
                 .plane = m->plane,
                 .printed = m->printed,
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
