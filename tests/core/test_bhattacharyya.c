/* Local covariances, distances of Gaussians and the components of a graph, against the
 * definitions in long double. */
#include <string.h>

#include "check.h"
#include "core/data/covariance.h"
#include "core/embedding/bhattacharyya.h"
#include "core/embedding/components.h"
#include "fixture.h"

/* Of rows drawn with some of them twice, in every layout. */
static void check_covariance(const executor *exec, layout kind, size_t m, size_t d, int full) {
  const size_t n = 37, size = full ? d * d : d;
  const data x = data_make(kind, 2 * m + 3, d, 0);
  const size_t scratch = (size_t)exec->threads * local_covariance_scratch(&x.x, full);
  int *rows = integers(n * m);
  for (size_t i = 0; i < n * m; i++) rows[i] = i / m == 1 ? 2 : (int)below(x.x.rows);
  double *out = doubles(n * size), *again = doubles(n * size), *one = doubles(size), worst = 0.0;
  local_covariances(exec, &x.x, rows, m, n, full, doubles(scratch), out);
  for (size_t i = 0; i < n; i++) {
    long double *mean = bytes(d * sizeof *mean);
    for (size_t a = 0; a < d; a++) {
      mean[a] = 0.0L;
      for (size_t r = 0; r < m; r++)
        mean[a] += x.z[(size_t)rows[i * m + r] * d + a] / (long double)m;
    }
    for (size_t e = 0; e < size; e++) {
      const size_t a = full ? e / d : e, b = full ? e % d : e;
      long double sum = 0.0L;
      for (size_t r = 0; r < m; r++) {
        const double *z = x.z + (size_t)rows[i * m + r] * d;
        sum += (z[a] - mean[a]) * (z[b] - mean[b]) / (long double)(m - 1);
      }
      compare_relative(&worst, out[i * size + e], (double)sum);
    }
  }
  CHECK(worst < 1e-14, "covariance of %zu %s, %zu columns, full %d: error %g", m, layout_name[kind],
        d, full, worst);
  int nothing = 1;
  for (size_t e = 0; e < size; e++) nothing &= out[size + e] == 0.0;
  CHECK(nothing, "one row %zu times, %s, full %d, has covariance 0", m, layout_name[kind], full);
  local_covariance(exec, &x.x, rows + 2 * m, m, full, doubles(scratch), one);
  CHECK(SAME_BITS(one, out + 2 * size, size), "one covariance is that of many");
  const executor other = other_threads(exec);
  local_covariances(&other, &x.x, rows, m, n, full,
                    doubles((size_t)other.threads * local_covariance_scratch(&x.x, full)), again);
  CHECK(SAME_BITS(again, out, n * size), "covariances do not depend on threads");
  release();
}

static bhattacharyya work_on(const executor *exec, size_t n, size_t d, int full) {
  bhattacharyya b;
  LAY_OUT_CHECKED(memory, bhattacharyya_layout(&b, &memory, exec, n, d, full));
  return b;
}

/* Landmarks 0 and 1 coincide and have the same covariance. */
static void fill(bhattacharyya *b) {
  const size_t d = b->columns, ld = padded(d), g_length = padded(d);
  for (size_t i = 0; i < b->n; i++) {
    for (size_t a = 0; a < ld; a++)
      b->t[i * ld + a] = a >= d ? 0.0 : i == 1 ? b->t[a] : 2.0 * symmetric();
    const double *g = b->full ? positive_matrix(d, d + 2, 0.05) : NULL;
    for (size_t e = 0; b->full && e < d * d; e++)
      b->covariance[i * d * d + e] = i == 1 ? b->covariance[e] : g[e / d * g_length + e % d];
    for (size_t a = 0; !b->full && a < ld; a++)
      b->covariance[i * ld + a] = a >= d ? 0.0 : i == 1 ? b->covariance[a] : exp(4.0 * symmetric());
  }
}

static long double *covariance_of(const bhattacharyya *b, size_t i) {
  const size_t d = b->columns;
  long double *c = bytes(d * d * sizeof *c);
  for (size_t e = 0; e < d * d; e++) {
    if (b->full)
      c[e] = b->covariance[i * d * d + e];
    else
      c[e] = e / d == e % d ? b->covariance[i * padded(d) + e / d] : 0.0L;
  }
  return c;
}

static double plain_bhattacharyya(const bhattacharyya *b, size_t i, size_t j) {
  const size_t d = b->columns, ld = padded(d);
  const long double *ci = covariance_of(b, i), *cj = covariance_of(b, j);
  long double *c = bytes(d * d * sizeof *c), apart = 0.0L;
  for (size_t e = 0; e < d * d; e++) c[e] = (ci[e] + cj[e]) / 2.0L;
  const long double *inverse = plain_inverse(d, c);
  for (size_t e = 0; e < d * d; e++) {
    const long double *a = inverse + e;
    apart += *a * ((long double)b->t[i * ld + e / d] - b->t[j * ld + e / d]) *
             ((long double)b->t[i * ld + e % d] - b->t[j * ld + e % d]);
  }
  const long double logs = (plain_log_det(d, ci) + plain_log_det(d, cj)) / 2.0L;
  return (double)(apart / 8.0L + (plain_log_det(d, c) - logs) / 2.0L);
}

static void check_distances(const executor *exec, size_t n, size_t d, int full) {
  const executor other = other_threads(exec);
  bhattacharyya b = work_on(exec, n, d, full), same = work_on(&other, n, d, full);
  double *out = doubles(n * n), *again = doubles(n * n), worst = 0.0;
  fill(&b);
  memcpy(same.t, b.t, n * padded(d) * sizeof *b.t);
  memcpy(same.covariance, b.covariance, n * (full ? d * d : padded(d)) * sizeof *b.t);
  CHECK(bhattacharyya_distances(&b, out) == n, "%zu covariances are sound", n);
  int right = n < 2 || out[1] == 0.0;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < i; j++) {
      compare_relative(&worst, out[i * n + j], plain_bhattacharyya(&b, i, j));
      right &= out[i * n + j] == out[j * n + i] && out[i * n + j] >= 0.0;
    }
    right &= out[i * n + i] == 0.0;
  }
  CHECK(right, "distances are symmetric, and 0 of the same (%zu, full %d)", n, full);
  CHECK(worst < 1e-10, "Bhattacharyya of %zu, %zu columns, full %d: error %g", n, d, full, worst);
  bhattacharyya_distances(&same, again);
  CHECK(SAME_BITS(again, out, n * n), "distances do not depend on threads");
  release();
}

/* Variances that are orders apart: the product of ratios overflows, its log must not. */
static void check_extremes(const executor *exec) {
  const size_t d = 16;
  bhattacharyya b = work_on(exec, 2, d, 0);
  memset(b.t, 0, 2 * padded(d) * sizeof *b.t);
  for (size_t a = 0; a < d; a++) {
    b.covariance[a] = 1e-60;
    b.covariance[padded(d) + a] = 1e60;
  }
  double out[4];
  bhattacharyya_distances(&b, out);
  /* (1/4) 16 log(c'/(4 c)) */
  const double want = 4.0 * (120.0 * log(10.0) - log(4.0));
  CHECK(fabs(out[1] / want - 1.0) < 1e-14, "variances far apart: %g, not %g", out[1], want);
  release();
}

static void check_singular(const executor *exec, int full) {
  const size_t n = 5, d = 4;
  bhattacharyya b = work_on(exec, n, d, full);
  fill(&b);
  double *c = b.covariance + (full ? 3 * d * d : 3 * padded(d));
  if (full) { /* of rank 3 */
    const double *g = positive_matrix(d, d - 1, 0.0);
    for (size_t e = 0; e < d * d; e++) c[e] = g[e / d * padded(d) + e % d];
  } else {
    c[2] = 0.0;
  }
  double out[25];
  CHECK(bhattacharyya_distances(&b, out) == 3, "the singular one is found, full %d", full);
  release();
}

/* Against labels that spread until none changes. */
static void check_components(size_t n, size_t edges) {
  int *from = integers(edges), *to = integers(edges), *component = integers(n),
      *label = integers(n);
  for (size_t e = 0; e < edges; e++) {
    from[e] = (int)below(n);
    to[e] = (int)below(n);
  }
  const int count = components(n, edges, from, to, component);
  for (size_t v = 0; v < n; v++) label[v] = (int)v;
  for (int changed = 1; changed;) {
    changed = 0;
    for (size_t e = 0; e < edges; e++) {
      int *a = label + from[e], *b = label + to[e];
      changed |= *a != *b;
      if (*a < *b)
        *b = *a;
      else
        *a = *b;
    }
  }
  int right = 1, found = 0;
  for (size_t v = 0; v < n; v++) {
    if (label[v] == (int)v)
      right &= component[v] == found++;
    else
      right &= component[v] == component[label[v]];
  }
  CHECK(right && count == found, "%zu vertices and edges %zu: %d components of %d", n, edges, count,
        found);
  release();
}

void test_bhattacharyya(const executor *exec) {
  for (int full = 0; full < 2; full++) {
    for (int kind = 0; kind < LAYOUTS; kind++) {
      check_covariance(exec, (layout)kind, 2, 1, full);
      check_covariance(exec, (layout)kind, 9, 5, full);
      check_covariance(exec, (layout)kind, 64, 3, full);
      check_covariance(exec, (layout)kind, 150, 21, full);
    }
    check_distances(exec, 1, 1, full);
    check_distances(exec, 40, 1, full);
    check_distances(exec, 35, 3, full);
    check_distances(exec, 20, 17, full);
    check_distances(exec, 5, 40, full);
    check_singular(exec, full);
  }
  check_extremes(exec);
  for (size_t edges = 0; edges < 40; edges += 3) check_components(25, edges);
  check_components(1, 0);
}
