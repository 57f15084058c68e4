/* posix_memalign() is not of C11. */
#define _POSIX_C_SOURCE 200112L
#include "fixture.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state;

void seed(unsigned long long from) { state = from; }

/* Knuth's MMIX generator; the low bits of such a one are poor. */
static unsigned long long draw(void) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return state >> 33;
}

double uniform(void) { return ((double)draw() + 0.5) / 2147483648.0; }
double symmetric(void) { return 2.0 * uniform() - 1.0; }
size_t below(size_t n) { return (size_t)(draw() % n); }

static void **buffers;
static size_t buffers_used, buffers_room;

/* Memory on a cache line of its own, or NULL. Not aligned_alloc(): that wants sizes in whole lines.
 */
#ifdef _WIN32
#include <malloc.h>
static void *line_memory(size_t count) { return _aligned_malloc(count, 64); }
static void line_free(void *here) { _aligned_free(here); }
#else
static void *line_memory(size_t count) {
  void *here = NULL;
  return posix_memalign(&here, 64, count) ? NULL : here;
}
static void line_free(void *here) { free(here); }
#endif

void *bytes(size_t count) {
  if (buffers_used == buffers_room) {
    buffers_room = 2 * buffers_room + 64;
    buffers = realloc(buffers, buffers_room * sizeof *buffers);
  }
  void *here = buffers ? line_memory(count) : NULL;
  if (!here) {
    fputs("There is not enough memory for the tests.\n", stderr);
    exit(2);
  }
  buffers[buffers_used++] = here;
  return here;
}

double *doubles(size_t count) {
  double *here = bytes(count * sizeof *here);
  for (size_t i = 0; i < count; i++) here[i] = NAN;
  return here;
}

int *integers(size_t count) {
  int *here = bytes(count * sizeof *here);
  for (size_t i = 0; i < count; i++) here[i] = INT_MIN;
  return here;
}

void release(void) {
  for (size_t i = 0; i < buffers_used; i++) line_free(buffers[i]);
  free(buffers);
  buffers = NULL;
  buffers_used = buffers_room = 0;
}

arena arena_of(arena measure) {
  const arena memory = {doubles(measure.used), 0};
  return memory;
}

const char *const layout_name[LAYOUTS + 1] = {"columns of doubles", "columns of integers",
                                              "dense rows", "sparse rows", "single rows"};

static void columns_make(data *d) {
  const size_t n = d->x.rows, p = d->x.columns;
  double *real = NULL, *center = doubles(p), *factor = doubles(p);
  int *whole = NULL;
  if (d->x.kind == COLUMNS_DOUBLE)
    real = doubles(n * p);
  else
    whole = integers(n * p);
  for (size_t j = 0; j < p; j++) {
    center[j] = 3.0 * symmetric();
    factor[j] = 0.1 + 0.2 * uniform();
    for (size_t i = 0; i < n; i++) {
      double value;
      if (real)
        value = real[j * n + i] = center[j] + 5.0 * symmetric();
      else
        value = whole[j * n + i] = (int)below(12) - 5;
      d->z[i * p + j] = (value - center[j]) * factor[j];
    }
  }
  d->x.real = real;
  d->x.whole = whole;
  d->x.center = center;
  d->x.scale = factor;
}

static void dense_make(data *d) {
  const size_t n = d->x.rows, p = d->x.columns, ld = padded(p);
  double *real = doubles(n * ld);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < ld; j++) real[i * ld + j] = j < p ? symmetric() : 0.0;
    for (size_t j = 0; j < p; j++) d->z[i * p + j] = real[i * ld + j];
  }
  d->x.real = real;
}

static void single_make(data *d) {
  const size_t n = d->x.rows, p = d->x.columns, ld = padded_single(p);
  float *single = bytes(n * ld * sizeof *single);
  double *norm = doubles(n);
  for (size_t i = 0; i < n; i++) {
    norm[i] = 0.0;
    for (size_t j = 0; j < ld; j++) {
      const float value = j < p ? (float)symmetric() : 0.0F;
      single[i * ld + j] = value;
      norm[i] += (double)value * value;
      if (j < p) d->z[i * p + j] = value;
    }
  }
  d->x.single = single;
  d->x.norm = norm;
}

static void sparse_make(data *d) {
  const size_t n = d->x.rows, p = d->x.columns;
  const size_t empty = n > 2 ? n / 2 : n;
  int entries = 0, *start = integers(n + 1);
  for (size_t i = 0; i < n; i++) {
    start[i] = entries;
    for (size_t j = 0; j < p; j++) {
      const int there = i != empty && (p < 3 || uniform() < 0.4);
      d->z[i * p + j] = there ? 1.5 * symmetric() : 0.0;
      entries += there;
    }
  }
  start[n] = entries;
  int *column = integers((size_t)entries);
  double *value = doubles((size_t)entries);
  for (size_t i = 0, e = 0; i < n; i++) {
    for (size_t j = 0; j < p; j++) {
      if (d->z[i * p + j] == 0.0) continue;
      column[e] = (int)j;
      value[e++] = d->z[i * p + j];
    }
  }
  d->x.start = start;
  d->x.column = column;
  d->x.value = value;
}

data data_make(layout kind, size_t rows, size_t columns, int weighted) {
  data d = {.x = {.kind = kind, .rows = rows, .columns = columns}, .z = doubles(rows * columns)};
  if (kind == ROWS_DENSE)
    dense_make(&d);
  else if (kind == ROWS_SPARSE)
    sparse_make(&d);
  else if (kind == ROWS_SINGLE)
    single_make(&d);
  else
    columns_make(&d);
  if (weighted) {
    double *weight = doubles(rows), sum = 0.0;
    for (size_t i = 0; i < rows; i++) {
      weight[i] = rows > 3 && i == rows / 3 ? 0.0 : 0.2 + 1.6 * uniform();
      sum += weight[i];
    }
    for (size_t i = 0; i < rows; i++) weight[i] *= (double)rows / sum;
    d.x.weight = weight;
  }
  return d;
}

data data_part(const data *d, size_t first, size_t count) {
  int *row = integers(count);
  for (size_t i = 0; i < count; i++) row[i] = (int)(first + i);
  return data_rows(d, row, count);
}

/* Sparse rows of `d`. */
static void sparse_rows(const data *d, const int *row, size_t count, observations *x) {
  int *start = integers(count + 1), at = 0;
  for (size_t i = 0; i < count; i++) at += d->x.start[row[i] + 1] - d->x.start[row[i]];
  int *column = integers((size_t)at);
  double *value = doubles((size_t)at);
  start[0] = at = 0;
  for (size_t i = 0; i < count; i++) {
    for (int e = d->x.start[row[i]]; e < d->x.start[row[i] + 1]; e++, at++) {
      column[at] = d->x.column[e];
      value[at] = d->x.value[e];
    }
    start[i + 1] = at;
  }
  x->start = start;
  x->column = column;
  x->value = value;
}

data data_rows(const data *d, const int *row, size_t count) {
  const size_t p = d->x.columns, rows = d->x.rows, ld = padded(p);
  data part = {d->x, doubles(count * p)};
  part.x.rows = count;
  double *weight = d->x.weight ? doubles(count) : NULL, *norm = d->x.norm ? doubles(count) : NULL;
  const layout kind = d->x.kind;
  double *real = kind == COLUMNS_DOUBLE ? doubles(count * p) : NULL;
  if (kind == ROWS_DENSE) real = doubles(count * ld);
  const size_t wide = padded_single(p);
  float *single = kind == ROWS_SINGLE ? bytes(count * wide * sizeof *single) : NULL;
  int *whole = kind == COLUMNS_INTEGER ? integers(count * p) : NULL;
  for (size_t i = 0; i < count; i++) {
    const size_t from = (size_t)row[i];
    memcpy(part.z + i * p, d->z + from * p, p * sizeof(double));
    if (weight) weight[i] = d->x.weight[from];
    if (norm) norm[i] = d->x.norm[from];
    if (kind == ROWS_DENSE) memcpy(real + i * ld, d->x.real + from * ld, ld * sizeof *real);
    if (single) memcpy(single + i * wide, d->x.single + from * wide, wide * sizeof *single);
    for (size_t j = 0; j < p; j++) {
      if (kind == COLUMNS_DOUBLE) real[j * count + i] = d->x.real[j * rows + from];
      if (whole) whole[j * count + i] = d->x.whole[j * rows + from];
    }
  }
  part.x.real = real;
  part.x.single = single;
  part.x.whole = whole;
  part.x.weight = weight;
  part.x.norm = norm;
  if (kind == ROWS_SPARSE) sparse_rows(d, row, count, &part.x);
  return part;
}

double weight_of(const data *d, size_t i) { return d->x.weight ? d->x.weight[i] : 1.0; }

points points_make(size_t count, size_t columns) {
  points t = points_on(doubles(points_size(count, columns)), count, columns);
  points_fill(&t);
  return t;
}

void points_fill(points *t) {
  for (size_t j = 0; j < t->columns; j++) {
    for (size_t l = 0; l < t->count; l++) *coordinate(t, l, j) = symmetric();
  }
  points_norms(t);
}

double *coordinate(const points *t, size_t l, size_t j) { return t->x + j * t->ld + l; }

int points_inside(const points *t, const space *where) {
  const int both = where->kind == SPACE_NONNEGATIVE_SPHERE;
  for (size_t l = 0; l < t->count; l++) {
    double square = 0.0;
    for (size_t j = 0; j < t->columns; j++) {
      double at = *coordinate(t, l, j);
      if (where->scale) at = at / where->scale[j] + where->center[j];
      square += at * at;
      if ((both || where->kind == SPACE_NONNEGATIVE) && at < -1e-12) return 0;
    }
    if ((both || where->kind == SPACE_SPHERE) && !(fabs(square - 1.0) < 1e-12)) return 0;
  }
  return 1;
}

void points_rounded(const executor *exec, points *t) {
  t->single = bytes(points_single_size(t->count, t->columns) * sizeof(double));
  points_round(exec, t);
}

double plain_distance(const data *d, size_t i, const points *t, size_t l) {
  long double sum = 0.0;
  for (size_t j = 0; j < t->columns; j++) {
    const long double apart = (long double)d->z[i * t->columns + j] - *coordinate(t, l, j);
    sum += apart * apart;
  }
  return (double)sum;
}

long double plain_profile(int which, long double u) {
  const long double a = sqrtl(u), b = sqrtl(3.0L * u), c = sqrtl(5.0L * u);
  switch (which) {
  case 0:
    return expl(-u);
  case 1:
    return expl(-a);
  case 2:
    return (1.0L + b) * expl(-b);
  case 3:
    return (1.0L + c + c * c / 3.0L) * expl(-c);
  default:
    return 1.0L / (1.0L + u);
  }
}

double plain_feature(const data *d, size_t i, const points *t, size_t l, double bandwidth) {
  return exp(-plain_distance(d, i, t, l) / bandwidth);
}

double *positive_matrix(size_t n, size_t rows, double ridge) {
  const size_t ld = padded(n);
  double *a = doubles(rows * n), *g = doubles(n * ld);
  for (size_t i = 0; i < rows * n; i++) a[i] = symmetric();
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      long double sum = i == j ? ridge : 0.0;
      for (size_t k = 0; k < rows; k++) sum += (long double)a[k * n + i] * a[k * n + j];
      g[i * ld + j] = (double)sum;
    }
  }
  return g;
}

void duplicate(size_t n, size_t early, size_t late, double *g) {
  const size_t ld = padded(n);
  for (size_t i = 0; i < n; i++) g[i * ld + late] = g[i * ld + early];
  for (size_t i = 0; i < n; i++) g[late * ld + i] = g[early * ld + i];
}

long double *plain_inverse(size_t n, const long double *a) {
  const size_t wide = 2 * n;
  long double *both = bytes(n * wide * sizeof *both), *out = bytes(n * n * sizeof *out);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < wide; j++)
      both[i * wide + j] = j < n ? a[i * n + j] : (long double)(j - n == i);
  }
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < n; i++) {
      if (fabsl(both[i * wide + k]) > fabsl(both[best * wide + k])) best = i;
    }
    const long double pivot = both[best * wide + k];
    for (size_t j = 0; j < wide; j++) {
      const long double swap = both[best * wide + j] / pivot;
      both[best * wide + j] = both[k * wide + j];
      both[k * wide + j] = swap;
    }
    for (size_t i = 0; i < n; i++) {
      const long double times = both[i * wide + k];
      for (size_t j = 0; i != k && j < wide; j++) both[i * wide + j] -= times * both[k * wide + j];
    }
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) out[i * n + j] = both[i * wide + n + j];
  }
  return out;
}

long double plain_log_det(size_t n, const long double *of) {
  long double *a = bytes(n * n * sizeof *a), sum = 0.0L;
  memcpy(a, of, n * n * sizeof *a);
  for (size_t k = 0; k < n; k++) {
    sum += logl(a[k * n + k]);
    for (size_t i = k + 1; i < n; i++) {
      for (size_t j = n; j-- > k;) a[i * n + j] -= a[i * n + k] / a[k * n + k] * a[k * n + j];
    }
  }
  return sum;
}

climb_result plain_climb(ascent *a, int steps, int halvings, double tolerance, double *moved) {
  climb plain = {0};
  return climb_run(&plain, a, steps, halvings, tolerance, moved);
}
