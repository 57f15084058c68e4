#include "extension.h"

#include <math.h>
#include <string.h>

#define POLL 8192 /* rows between two looks at the user's interrupt, and */
#define HOMES 64  /* landmarks, whose rows are done */
#define TILE 32  /* rows whose distances to all landmarks a thread makes at a time */
#define LANES 8  /* distances of which first only the least is looked at */
#define SLACK 1e-8 /* as in R/graph.R: distances this close tie */

/* What a thread has for itself. */
typedef struct {
  double *distances; /* TILE x length */
  double *scratch;   /* of features() */
  double *least;     /* of each LANES distances */
  double *some;      /* distances that may count, or weights */
  double *ordered;   /* the same, while the k-th is looked for */
  int *who;
  double *at;        /* one row */
  double *table;     /* inverse factors of the covariances around one home */
  double *partial;
} workspace;

static size_t table_size(const extension *e, size_t columns, size_t length) {
  if (e->spread == SPREAD_NONE) return 0;
  return (e->spread == SPREAD_FULL ? columns * (columns + 1) / 2 : columns) * length;
}

static void workspace_layout(const extension *e, workspace *w, arena *memory, const observations *x) {
  const executor alone = {1, e->exec->kernels, NULL};
  const size_t length = padded(e->n);
  w->distances = arena_take(memory, TILE * length);
  w->scratch = arena_take(memory, features_scratch(&alone, x));
  w->least = arena_take(memory, length / LANES + 1);
  w->some = arena_take(memory, length);
  w->ordered = arena_take(memory, length);
  w->who = (int *)arena_take(memory, length);
  w->at = arena_take(memory, x->columns * padded(1));
  w->table = arena_take(memory, table_size(e, x->columns, length));
  w->partial = arena_take(memory, length + x->columns * (x->columns + 1));
}

static workspace workspace_of(const extension *e, const observations *x, int thread) {
  workspace w;
  arena memory = {e->own + (size_t)thread * e->own_size, 0};
  workspace_layout(e, &w, &memory, x);
  return w;
}

void extension_layout(extension *e, arena *memory, const executor *exec, const observations *x) {
  e->exec = exec;
  double *landmarks = arena_take(memory, points_size(e->n, x->columns));
  e->y = arena_take(memory, e->n * e->dims);
  e->shift = e->spread == SPREAD_NONE ? NULL : arena_take(memory, e->n * e->n);
  e->home = (int *)arena_take(memory, e->block);
  e->order = (int *)arena_take(memory, e->block);
  e->from = (int *)arena_take(memory, e->n + 1);
  workspace w;
  arena own = {NULL, 0};
  workspace_layout(e, &w, &own, x);
  e->own_size = own.used;
  e->own = arena_take(memory, (size_t)exec->threads * own.used);
  if (memory->base) e->landmarks = points_on(landmarks, e->n, x->columns);
}

/* ---- one row, its distances to all landmarks known ---------------------------- */

/* The k-th smallest of n numbers, from 1; they change places. */
static double kth_smallest(double *a, size_t n, size_t k) {
  size_t low = 0, high = n - 1;
  while (low < high) {
    const double pivot = a[low + (high - low) / 2];
    size_t i = low, j = high;
    for (;;) {
      while (a[i] < pivot) i++;
      while (pivot < a[j]) j--;
      if (i >= j) break;
      const double held = a[i];
      a[i++] = a[j];
      a[j--] = held;
    }
    if (k - 1 <= j) {
      high = j;
    } else {
      low = j + 1;
    }
  }
  return a[k - 1];
}

static double loosened(double d) { return d + SLACK * fabs(d); }

/* The least of each LANES distances, and which landmark is nearest. */
static size_t least_of_lanes(const double *d, size_t n, double *least) {
  size_t best = 0;
  for (size_t b = 0; b * LANES < n; b++) {
    const double *lane = d + b * LANES;
    const size_t width = n - b * LANES < LANES ? n - b * LANES : LANES;
    double m = lane[0];
    for (size_t i = 1; i < width; i++) m = lane[i] < m ? lane[i] : m;
    least[b] = m;
    if (m < least[best]) best = b;
  }
  size_t j = best * LANES;
  while (d[j] > least[best]) j++;
  return j;
}

/* A bound that at least neighbors + 1 landmarks keep: those around `home` tell. */
static double bound_by_home(const extension *e, const double *d, size_t home, double *scratch) {
  const size_t from = (size_t)e->start[home], count = (size_t)e->start[home + 1] - from;
  if (count < e->neighbors) return INFINITY;
  for (size_t i = 0; i < count; i++) scratch[i] = d[e->joined[from + i]];
  scratch[count] = d[home];
  return kth_smallest(scratch, count + 1, e->neighbors + 1);
}

/* y of a row from its distances `d`; `least` of them is known where `given`. */
static void extend_row(const extension *e, const workspace *w, const double *d, size_t home,
                       double farthest, double *out, size_t apart) {
  const double bound = bound_by_home(e, d, home, w->ordered);
  const double limit = loosened(bound > farthest ? bound : farthest);
  size_t some = 0, near = 0;
  for (size_t b = 0; b * LANES < e->n; b++) {
    if (w->least[b] > limit) continue;
    const size_t end = b * LANES + LANES < e->n ? b * LANES + LANES : e->n;
    for (size_t j = b * LANES; j < end; j++) {
      if (d[j] > limit) continue;
      w->who[some] = (int)j;
      w->some[some++] = d[j];
      if (d[j] <= bound) w->ordered[near++] = d[j];
    }
  }
  const double kth = loosened(kth_smallest(w->ordered, near, e->neighbors + 1));
  double nearest = INFINITY;
  size_t count = 0;
  for (size_t i = 0; i < some; i++) {
    if (!(w->some[i] <= kth) && !(w->some[i] <= loosened(e->reach[w->who[i]]))) continue;
    if (w->some[i] < nearest) nearest = w->some[i];
    w->who[count] = w->who[i];
    w->some[count++] = w->some[i];
  }
  /* Only ratios of weights count: the largest is made 1, so that none is ever 0 / 0. */
  for (size_t i = 0; i < count; i++) w->some[i] = -e->rate * (w->some[i] - nearest);
  e->exec->kernels->exp_nonpositive(w->some, count);
  double sum = 0.0;
  for (size_t k = 0; k < e->dims; k++) w->ordered[k] = 0.0;
  for (size_t i = 0; i < count; i++) {
    const double weight = w->some[i], *y = e->y + (size_t)w->who[i] * e->dims;
    sum += weight;
    for (size_t k = 0; k < e->dims; k++) w->ordered[k] += weight * y[k];
  }
  for (size_t k = 0; k < e->dims; k++) out[k * apart] = w->ordered[k] / sum;
}

static double farthest_reach(const extension *e) {
  double farthest = 0.0;
  for (size_t j = 0; j < e->n; j++) farthest = fmax(farthest, e->reach[j]);
  return farthest;
}

/* ---- Euclidean --------------------------------------------------------------- */

/* For each row of the block from `done` on its nearest landmark, or its coordinates where
 * there is no spread. */
static void by_distance(extension *e, const observations *x, size_t first, size_t done, size_t count,
                        double *out, size_t out_rows) {
  const double farthest = farthest_reach(e);
  const ptrdiff_t tiles = (ptrdiff_t)((count + TILE - 1) / TILE);
  const int threads = threads_for(e->exec, (double)count * (double)e->n * (double)x->columns);
  (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4) if (threads > 1)
#endif
  for (ptrdiff_t tile = 0; tile < tiles; tile++) {
    const executor alone = {1, e->exec->kernels, NULL};
    const workspace w = workspace_of(e, x, THREAD_INDEX());
    const size_t start = (size_t)tile * TILE, rows = count - start < TILE ? count - start : TILE;
    const size_t from = done + start;
    features(&alone, x, first + from, rows, &e->landmarks, SQUARED_DISTANCES, 0.0, w.scratch,
             w.distances);
    for (size_t i = 0; i < rows; i++) {
      const double *d = w.distances + i * e->landmarks.length;
      const size_t home = least_of_lanes(d, e->n, w.least);
      if (e->spread == SPREAD_NONE) {
        extend_row(e, &w, d, home, farthest, out + first + from + i, out_rows);
      } else {
        e->home[from + i] = (int)home;
      }
    }
  }
}

/* ---- Bhattacharyya ------------------------------------------------------------ */

static size_t spread_size(const extension *e, size_t columns) {
  return e->spread == SPREAD_FULL ? columns * columns : columns;
}

/* Lower triangle of the Cholesky factor of (a + b) / 2, by rows, and log det. */
static double mean_factor(size_t columns, const double *a, const double *b, double *l) {
  double log_det = 0.0;
  for (size_t i = 0; i < columns; i++) {
    double *row = l + i * (i + 1) / 2;
    for (size_t j = 0; j <= i; j++) {
      const double *other = l + j * (j + 1) / 2;
      double sum = 0.5 * (a[i * columns + j] + b[i * columns + j]);
      for (size_t k = 0; k < j; k++) sum -= row[k] * other[k];
      row[j] = i == j ? sqrt(sum) : sum / other[j];
    }
    log_det += 2.0 * log(row[i]);
  }
  return log_det;
}

/* ln(|C| / sqrt(|A| |B|)) / 2 of two diagonals, C their mean. */
static double diagonal_shift(size_t columns, const double *a, const double *b) {
  double sum = 0.0, product = 1.0;
  for (size_t j = 0; j < columns; j++) {
    const double mean = 0.5 * (a[j] + b[j]);
    product *= (mean / a[j]) * (mean / b[j]);
    if (product > 1e200) {
      sum += log(product);
      product = 1.0;
    }
  }
  return 0.25 * (sum + log(product));
}

void extension_start(extension *e) {
  if (e->spread == SPREAD_NONE) return;
  const size_t columns = e->landmarks.columns, size = spread_size(e, columns);
  const int threads = threads_for(e->exec, (double)e->n * (double)e->n * (double)size);
  (void)threads;
  if (e->spread == SPREAD_FULL) {
    for (size_t k = 0; k < e->n; k++) {
      const double *c = e->covariance + k * size;
      e->shift[k * e->n + k] = mean_factor(columns, c, c, e->own);
    }
  }
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
#endif
  for (ptrdiff_t k = 1; k < (ptrdiff_t)e->n; k++) {
    double *scratch = e->own + (size_t)THREAD_INDEX() * e->own_size;
    const double *a = e->covariance + (size_t)k * size;
    for (size_t l = 0; l < (size_t)k; l++) {
      const double *b = e->covariance + l * size;
      double shift;
      if (e->spread == SPREAD_DIAGONAL) {
        shift = diagonal_shift(columns, a, b);
      } else {
        shift = 0.5 * mean_factor(columns, a, b, scratch) -
                0.25 * (e->shift[(size_t)k * e->n + (size_t)k] + e->shift[l * e->n + l]);
      }
      e->shift[(size_t)k * e->n + l] = e->shift[l * e->n + (size_t)k] = shift;
    }
  }
  for (size_t k = 0; k < e->n; k++) e->shift[k * e->n + k] = 0.0;
}

/* Around `home`: of each landmark the inverse of its mean covariance with home's, over 8,
 * or of that one's Cholesky factor, over sqrt(8); landmark by landmark in each row. */
static void home_table(const extension *e, const workspace *w, size_t home) {
  const size_t columns = e->landmarks.columns, length = e->landmarks.length;
  const size_t size = spread_size(e, columns);
  const double *own = e->covariance + home * size;
  double *l = w->partial + length, *inverse = l + columns * (columns + 1) / 2;
  for (size_t j = 0; j < e->n; j++) {
    const double *c = e->covariance + j * size;
    if (e->spread == SPREAD_DIAGONAL) {
      for (size_t a = 0; a < columns; a++) w->table[a * length + j] = 0.25 / (own[a] + c[a]);
      continue;
    }
    mean_factor(columns, own, c, l);
    for (size_t b = 0; b < columns; b++) {
      const double *row = l + b * (b + 1) / 2;
      for (size_t a = 0; a <= b; a++) {
        double sum = a == b ? 1.0 / sqrt(8.0) : 0.0;
        for (size_t k = a; k < b; k++) sum -= row[k] * inverse[k * (k + 1) / 2 + a];
        inverse[b * (b + 1) / 2 + a] = sum / row[b];
        w->table[(b * (b + 1) / 2 + a) * length + j] = sum / row[b];
      }
    }
  }
}

/* d[j] = D(x, j) of the row at w->at. */
static void bhattacharyya_row(const extension *e, const workspace *w, size_t home, double *restrict d) {
  const size_t n = e->n, length = e->landmarks.length, columns = e->landmarks.columns;
  memcpy(d, e->shift + home * n, n * sizeof *d);
  for (size_t b = 0; b < columns; b++) {
    if (e->spread == SPREAD_DIAGONAL) {
      const double *restrict t = e->landmarks.x + b * length, *restrict s = w->table + b * length;
      const double at = w->at[b * padded(1)];
#pragma omp simd
      for (size_t j = 0; j < n; j++) d[j] += s[j] * ((at - t[j]) * (at - t[j]));
      continue;
    }
    double *restrict u = w->partial;
    for (size_t j = 0; j < n; j++) u[j] = 0.0;
    for (size_t a = 0; a <= b; a++) {
      const double *restrict t = e->landmarks.x + a * length;
      const double *restrict s = w->table + (b * (b + 1) / 2 + a) * length;
      const double at = w->at[a * padded(1)];
#pragma omp simd
      for (size_t j = 0; j < n; j++) u[j] += s[j] * (at - t[j]);
    }
#pragma omp simd
    for (size_t j = 0; j < n; j++) d[j] += u[j] * u[j];
  }
}

/* Rows in the order of their homes, so that a home's table serves many. */
static void sort_by_home(extension *e, size_t count) {
  memset(e->from, 0, (e->n + 1) * sizeof *e->from);
  for (size_t i = 0; i < count; i++) e->from[e->home[i] + 1]++;
  for (size_t k = 0; k < e->n; k++) e->from[k + 1] += e->from[k];
  for (size_t i = count; i-- > 0;) e->order[--e->from[e->home[i] + 1]] = (int)i;
}

/* Rows whose nearest landmark is `home`. */
static void around_home(const extension *e, const observations *x, size_t home, size_t first,
                        size_t count, double farthest, double *out, size_t out_rows) {
  const workspace w = workspace_of(e, x, THREAD_INDEX());
  points at = {1, x->columns, padded(1), w.at, NULL};
  /* The counting has moved where each home's rows begin one place on. */
  const size_t from = (size_t)e->from[home + 1];
  const size_t end = home + 1 < e->n ? (size_t)e->from[home + 2] : count;
  if (from < end) home_table(e, &w, home);
  for (size_t i = from; i < end; i++) {
    const size_t row = first + (size_t)e->order[i];
    points_row(x, row, &at, 0);
    bhattacharyya_row(e, &w, home, w.distances);
    least_of_lanes(w.distances, e->n, w.least);
    extend_row(e, &w, w.distances, home, farthest, out + row, out_rows);
  }
}

static void by_bhattacharyya(extension *e, const observations *x, size_t first, size_t count,
                             double *out, size_t out_rows) {
  const double farthest = farthest_reach(e);
  const int threads = threads_for(e->exec, (double)count * (double)e->n);
  (void)threads;
  sort_by_home(e, count);
  for (size_t some = 0; some < e->n; some += HOMES) {
    const size_t last = some + HOMES < e->n ? some + HOMES : e->n;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
#endif
    for (ptrdiff_t home = (ptrdiff_t)some; home < (ptrdiff_t)last; home++) {
      around_home(e, x, (size_t)home, first, count, farthest, out, out_rows);
    }
    if (e->exec->poll) e->exec->poll();
  }
}

void extension_rows(extension *e, const observations *x, size_t first, size_t count, double *out,
                    size_t out_rows) {
  for (size_t done = 0; done < count; done += POLL) {
    by_distance(e, x, first, done, count - done < POLL ? count - done : POLL, out, out_rows);
    if (e->exec->poll) e->exec->poll();
  }
  if (e->spread != SPREAD_NONE) by_bhattacharyya(e, x, first, count, out, out_rows);
}
