#include "extension.h"

#include <math.h>
#include <string.h>

#include "core/base/selection.h"

#define POLL 8192 /* rows between two checks for the user's interrupt, and */
#define HOMES 64  /* landmarks, whose rows are done */
#define TILE 64   /* rows whose distances to all landmarks a thread makes at a time */
#define LANES 8   /* distances whose minimum is compared first */

/* The memory of one thread. */
typedef struct {
  double *distances; /* TILE x length, or as many rows as candidates.h does at a time */
  double *scratch;   /* of features() */
  double *least;     /* of each LANES distances */
  double *some;      /* distances that may count, then weights */
  double *ordered;   /* the same, while the k-th is looked for; then sums */
  int *who;
  double *at;     /* as many rows, packed as points, and */
  size_t *within; /* how many landmarks come into question for each */
  candidates around;
} workspace;

static void workspace_layout(const extension *e, workspace *w, arena *memory,
                             const observations *x) {
  const executor alone = one_thread(e->exec);
  const size_t ld = padded(e->around.n), rows = candidates_rows(&e->around);
  w->distances = arena_take(memory, (rows > TILE ? rows : TILE) * ld);
  w->scratch = arena_take(memory, features_scratch(&alone, x));
  w->least = arena_take(memory, ld / LANES + 1);
  w->some = arena_take(memory, ld);
  w->ordered = arena_take(memory, ld);
  w->who = (int *)arena_take(memory, ld);
  w->at = arena_take(memory, x->columns * rows);
  w->within = (size_t *)arena_take(memory, rows);
  candidates_layout(&w->around, memory, &e->around);
}

static workspace workspace_of(const extension *e, const observations *x) {
  workspace w;
  arena memory = {e->own + (size_t)THREAD_INDEX() * e->own_size, 0};
  workspace_layout(e, &w, &memory, x);
  return w;
}

/* Whether all distances are computed by products, without candidates: in many dimensions that is
 * faster. */
static int uses_all_distances(const extension *e) {
  return !e->in_tree && e->around.spread == SPREAD_NONE;
}

void extension_layout(extension *e, arena *memory, const executor *exec, const observations *x) {
  const size_t n = e->around.n, columns = x->columns;
  e->exec = exec;
  e->around.variant = exec->variant;
  double *landmarks = arena_take(memory, points_size(n, columns));
  e->y = arena_take(memory, n * e->dims);
  e->around.between = NULL;
  if (e->around.spread != SPREAD_NONE) {
    e->around.between = arena_take(memory, n * n);
    bhattacharyya_layout(&e->pairs, memory, exec, n, columns, e->around.spread == SPREAD_FULL);
  }
  e->home = (int *)arena_take(memory, e->block);
  e->order = (int *)arena_take(memory, e->block);
  e->from = (int *)arena_take(memory, n + 1);
  e->off = arena_take(memory, e->block);
  e->in_tree = search_choice(x, n) == SEARCH_TREE;
  if (e->in_tree) point_tree_layout(&e->homes, memory, exec, n, columns);
  if (memory->base) e->around.landmarks = points_on(landmarks, n, columns);
  workspace w;
  arena own = {NULL, 0};
  e->around.landmarks.columns = columns;
  workspace_layout(e, &w, &own, x);
  e->own_size = own.used;
  e->own = arena_take(memory, (size_t)exec->threads * own.used);
}

size_t extension_start(extension *e) {
  const points *t = &e->around.landmarks;
  if (e->in_tree) point_tree_build(&e->homes, t);
  if (e->around.spread == SPREAD_NONE) return t->count;
  const size_t columns = t->columns, ld = padded(columns), n = t->count;
  memset(e->pairs.t, 0, n * ld * sizeof *e->pairs.t);
  /* All points in one place: their distances are then the terms of the covariances. */
  for (size_t i = 0; i < n; i++) {
    if (e->around.spread == SPREAD_DIAGONAL) {
      double *to = e->pairs.covariance + i * ld;
      memset(to, 0, ld * sizeof *to);
      for (size_t j = 0; j < columns; j++) to[j] = e->around.covariance[j * n + i];
    }
  }
  if (e->around.spread == SPREAD_FULL) {
    memcpy(e->pairs.covariance, e->around.covariance, n * columns * columns * sizeof(double));
  }
  return bhattacharyya_distances(&e->pairs, e->around.between);
}

/* ---- one row, once it is known which landmarks may count ------------------------ */

/* Where distances overflow to NaN: all landmarks count as equally near. */
static size_t none_of(const extension *e, const workspace *w) {
  for (size_t j = 0; j < e->around.n; j++) {
    w->who[j] = (int)j;
    w->some[j] = 0.0;
  }
  return e->around.n;
}

static double apart_in_plane(const extension *e, int i, int j) {
  const double *a = e->y + (size_t)i * e->dims, *b = e->y + (size_t)j * e->dims;
  double sum = 0.0;
  for (size_t k = 0; k < e->dims; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return exp(-0.5 * sum / (e->plane * e->plane));
}

/* y in a plane from the `count` nearest distances, the least and the largest of which are given. */
static void place(const extension *e, const workspace *w, size_t count, double nearest, double last,
                  double *out, size_t apart) {
  for (size_t i = 0; i < count; i++) {
    const double far = w->some[i];
    const double falls = last > nearest ? exp(-3.0 * (far - nearest) / (last - nearest)) : 1.0;
    w->some[i] = far > nearest ? falls * (nearest > 0.0 ? nearest / far : 0.0) : 1.0;
  }
  size_t center = 0;
  double most = -1.0;
  for (size_t c = 0; c < count; c++) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) sum += w->some[i] * apart_in_plane(e, w->who[c], w->who[i]);
    if (sum > most) {
      most = sum;
      center = c;
    }
  }
  double sum = 0.0;
  for (size_t k = 0; k < e->dims; k++) w->ordered[k] = 0.0;
  for (size_t i = 0; i < count; i++) {
    const double weight = w->some[i] * apart_in_plane(e, w->who[center], w->who[i]);
    const double *y = e->y + (size_t)w->who[i] * e->dims;
    sum += weight;
    for (size_t k = 0; k < e->dims; k++) w->ordered[k] += weight * y[k];
  }
  for (size_t k = 0; k < e->dims; k++) out[k * apart] = w->ordered[k] / sum;
}

/* y from the distances w->some[0 .. some) of landmarks w->who, among which are the
 * neighbors + 1 nearest and all that have the row within their knn_radius. */
static void weigh(const extension *e, const workspace *w, size_t some, double *out, size_t apart) {
  if (some <= e->around.neighbors) some = none_of(e, w);
  memcpy(w->ordered, w->some, some * sizeof *w->some);
  const double kth = loosened(kth_smallest(w->ordered, some, e->around.neighbors + 1));
  double nearest = INFINITY;
  size_t count = 0;
  for (size_t i = 0; i < some; i++) {
    const int reaches =
        !(e->plane > 0.0) && w->some[i] <= loosened(e->around.knn_radius[w->who[i]]);
    if (!(w->some[i] <= kth) && !reaches) continue;
    if (w->some[i] < nearest) nearest = w->some[i];
    w->who[count] = w->who[i];
    w->some[count++] = w->some[i];
  }
  /* Where squares overflow, as with a tiny covariance, only the first landmark is used. */
  if (!(nearest < INFINITY)) {
    count = 1;
    w->some[0] = nearest = 0.0;
  }
  if (e->plane > 0.0) {
    place(e, w, count, nearest, kth, out, apart);
    return;
  }
  /* Only ratios of weights matter: the largest is made 1, so that no ratio is 0 / 0. */
  for (size_t i = 0; i < count; i++) w->some[i] = -e->rate * (w->some[i] - nearest);
  e->exec->variant->exp_nonpositive(w->some, count);
  double sum = 0.0;
  for (size_t k = 0; k < e->dims; k++) w->ordered[k] = 0.0;
  for (size_t i = 0; i < count; i++) {
    const double weight = w->some[i] * e->mass[w->who[i]];
    const double *y = e->y + (size_t)w->who[i] * e->dims;
    sum += weight;
    for (size_t k = 0; k < e->dims; k++) w->ordered[k] += weight * y[k];
  }
  /* As printed, the weights themselves count, and not their ratios alone. */
  if (e->printed) sum = sqrt(sum) / exp(-0.5 * e->rate * nearest);
  for (size_t k = 0; k < e->dims; k++) out[k * apart] = w->ordered[k] / sum;
}

/* ---- by products ----------------------------------------------------------------- */

/* The least of each LANES distances, and which landmark is nearest, the first of those
 * that tie. */
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
  const double nearest = nearest_digits(least[best]);
  size_t b = 0;
  while (nearest_digits(least[b]) > nearest) b++;
  size_t j = b * LANES;
  while (nearest_digits(d[j]) > nearest) j++;
  return j;
}

/* A bound of the distances of neighbors + 1 landmarks, from those joined to `home`. */
static double bound_by_home(const extension *e, const double *d, size_t home, double *scratch) {
  const int *start = e->around.start, *joined = e->around.joined;
  const size_t from = (size_t)start[home], count = (size_t)start[home + 1] - from;
  if (count < e->around.neighbors) return INFINITY;
  for (size_t i = 0; i < count; i++) scratch[i] = d[joined[from + i]];
  scratch[count] = d[home];
  return kth_smallest(scratch, count + 1, e->around.neighbors + 1);
}

static void extend_by_all(const extension *e, const workspace *w, const double *d, size_t home,
                          double farthest, double *out, size_t apart) {
  const size_t n = e->around.n;
  const double bound = bound_by_home(e, d, home, w->ordered);
  const double limit = loosened(bound > farthest ? bound : farthest);
  size_t some = 0;
  for (size_t b = 0; b * LANES < n; b++) {
    if (w->least[b] > limit) continue;
    const size_t end = b * LANES + LANES < n ? b * LANES + LANES : n;
    for (size_t j = b * LANES; j < end; j++) {
      if (d[j] > limit) continue;
      w->who[some] = (int)j;
      w->some[some++] = d[j];
    }
  }
  weigh(e, w, some, out, apart);
}

/* Of rows [done, done + count) of the block the nearest landmarks, or the coordinates. */
static void distances_by_products(extension *e, const observations *x, size_t first, size_t done,
                                  size_t count, double *out, size_t out_rows) {
  double farthest = 0.0;
  for (size_t j = 0; j < e->around.n; j++) farthest = fmax(farthest, e->around.knn_radius[j]);
  const ptrdiff_t tiles = (ptrdiff_t)((count + TILE - 1) / TILE);
  const int threads =
      threads_for(e->exec, (double)count * (double)e->around.n * (double)x->columns);
  PARALLEL_FOR(threads, schedule(dynamic, 4))
  for (ptrdiff_t tile = 0; tile < tiles; tile++) {
    const executor alone = one_thread(e->exec);
    const workspace w = workspace_of(e, x);
    const size_t start = (size_t)tile * TILE, rows = count - start < TILE ? count - start : TILE;
    const size_t from = done + start;
    features(&alone, x, first + from, rows, &e->around.landmarks, NULL, w.scratch, w.distances,
             NULL);
    for (size_t i = 0; i < rows; i++) {
      const double *d = w.distances + i * e->around.landmarks.ld;
      const size_t home = least_of_lanes(d, e->around.n, w.least);
      e->home[from + i] = (int)home;
      if (uses_all_distances(e))
        extend_by_all(e, &w, d, home, farthest, out + first + from + i, out_rows);
    }
  }
}

/* ---- by candidates ------------------------------------------------------------------ */

static void homes_in_tree(extension *e, const observations *x, size_t first, size_t done,
                          size_t count) {
  const ptrdiff_t tiles = (ptrdiff_t)((count + TILE - 1) / TILE);
  const int threads = threads_for(e->exec, 100.0 * (double)count);
  PARALLEL_FOR(threads, schedule(dynamic, 16))
  for (ptrdiff_t tile = 0; tile < tiles; tile++) {
    const workspace w = workspace_of(e, x);
    points at = {.count = 1, .columns = x->columns, .ld = 1, .x = w.at};
    const size_t from = done + (size_t)tile * TILE;
    const size_t end = done + count < from + TILE ? done + count : from + TILE;
    for (size_t i = from; i < end; i++) {
      points_row(x, first + i, &at, 0);
      e->home[i] = search_first(&e->homes.among, w.at);
    }
  }
}

/* Rows in the order of their homes. */
static void sort_by_home(extension *e, size_t count) {
  memset(e->from, 0, (e->around.n + 1) * sizeof *e->from);
  for (size_t i = 0; i < count; i++) e->from[e->home[i] + 1]++;
  for (size_t k = 0; k < e->around.n; k++) e->from[k + 1] += e->from[k];
  for (size_t i = count; i-- > 0;) e->order[--e->from[e->home[i] + 1]] = (int)i;
}

/* Rows whose nearest landmark is `home`. */
static void extend_around(const extension *e, const observations *x, size_t home, size_t first,
                          size_t count, double *out, size_t out_rows) {
  /* After the sorting, the start of each home's rows is stored one place later. */
  const size_t from = (size_t)e->from[home + 1];
  const size_t end = home + 1 < e->around.n ? (size_t)e->from[home + 2] : count;
  if (from == end) return;
  workspace w = workspace_of(e, x);
  const size_t ld = e->around.landmarks.ld, group = candidates_rows(&e->around);
  points at = {.count = 1, .columns = x->columns, .ld = group, .x = w.at};
  double farthest = 0.0;
  candidates_begin(&w.around, &e->around, home);
  for (size_t i = from; i < end; i++) {
    points_row(x, first + (size_t)e->order[i], &at, 0);
    e->off[i] = candidates_off(&w.around, &e->around, &at, 0);
    if (e->off[i] > farthest) farthest = e->off[i];
  }
  candidates_reach(&w.around, &e->around, farthest);
  for (size_t i = from; i < end; i += at.count) {
    at.count = end - i < group ? end - i : group;
    for (size_t l = 0; l < at.count; l++) points_row(x, first + (size_t)e->order[i + l], &at, l);
    candidates_distances(&w.around, &e->around, &at, e->off + i, w.distances, w.within);
    for (size_t l = 0; l < at.count; l++) {
      memcpy(w.some, w.distances + l * ld, w.within[l] * sizeof *w.some);
      memcpy(w.who, w.around.order, w.within[l] * sizeof *w.who);
      weigh(e, &w, w.within[l], out + first + (size_t)e->order[i + l], out_rows);
    }
  }
}

void extension_rows(extension *e, const observations *x, size_t first, size_t count, double *out,
                    size_t out_rows) {
  for (size_t done = 0; done < count; done += POLL) {
    const size_t some = count - done < POLL ? count - done : POLL;
    if (e->in_tree) {
      homes_in_tree(e, x, first, done, some);
    } else {
      distances_by_products(e, x, first, done, some, out, out_rows);
    }
    poll_user(e->exec);
  }
  if (uses_all_distances(e)) return;
  sort_by_home(e, count);
  const int threads = threads_for(e->exec, (double)count * (double)e->around.n);
  for (size_t some = 0; some < e->around.n; some += HOMES) {
    const size_t last = some + HOMES < e->around.n ? some + HOMES : e->around.n;
    PARALLEL_FOR(threads, schedule(dynamic))
    for (ptrdiff_t home = (ptrdiff_t)some; home < (ptrdiff_t)last; home++) {
      extend_around(e, x, (size_t)home, first, count, out, out_rows);
    }
    poll_user(e->exec);
  }
}
