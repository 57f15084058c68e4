#include "neighborhood.h"

#include <math.h>

#include "core/base/selection.h"

void euclidean_layout(euclidean *e, arena *memory, const executor *exec, size_t n, size_t columns) {
  e->exec = exec;
  e->n = n;
  e->columns = columns;
  double *t = arena_take(memory, points_size(n, columns));
  if (memory->base) e->t = points_on(t, n, columns);
  e->rows = arena_take(memory, n * padded(columns));
  e->square = arena_take(memory, n * padded(n));
}

void euclidean_distances(const euclidean *e, double *out) {
  const size_t n = e->n;
  points_to_rows(&e->t, e->rows, padded(e->columns));
  const observations x = observations_dense(e->rows, n, e->columns);
  features(e->exec, &x, 0, n, &e->t, NULL, NULL, e->square, NULL);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < i; j++) {
      out[i * n + j] = out[j * n + i] = e->square[i * e->t.ld + j];
    }
    out[i * n + i] = 0.0;
  }
}

static void offer(nearest_list *near, size_t first, size_t end, const double *distances) {
  for (; first < end; first += NEAREST_RANGE) {
    const size_t count = end - first < NEAREST_RANGE ? end - first : NEAREST_RANGE;
    nearest_offer(near, first, count, NULL, distances + first, 1, NULL);
  }
}

/* The k nearest others of vertex i, nearest first. */
static void nearest_of(size_t n, const double *distances, size_t i, size_t k, neighbor *list) {
  nearest_list near = nearest_begin(list, k);
  offer(&near, 0, i, distances + i * n);
  offer(&near, i + 1, n, distances + i * n);
  nearest_settle(&near);
  nearest_sort(list, k);
}

#define VERTICES_A_POLL 256

static void poll_after(const executor *exec, size_t i) {
  if (i % VERTICES_A_POLL == VERTICES_A_POLL - 1) poll_user(exec);
}

size_t neighborhood_size(const executor *exec, size_t n, const double *distances, size_t k,
                         neighbor *scratch) {
  size_t size = k;
  for (size_t i = 0; i < n; i++) {
    nearest_of(n, distances, i, k, scratch);
    /* In the digits that lists are sorted by: what is counted stands at their beginning. */
    const double last = nearest_digits(loosened(scratch[k - 1].squared));
    size_t count = 0;
    for (size_t j = 0; j < n; j++) {
      if (j != i && nearest_digits(distances[i * n + j]) <= last) count++;
    }
    if (count > size) size = count;
    poll_after(exec, i);
  }
  return size;
}

void neighborhood_lists(const executor *exec, size_t n, const double *distances, size_t size,
                        neighbor *scratch, int *who, double *far) {
  for (size_t i = 0; i < n; i++) {
    nearest_of(n, distances, i, size, scratch);
    for (size_t k = 0; k < size; k++) {
      who[i * size + k] = scratch[k].row;
      far[i * size + k] = scratch[k].squared;
    }
    poll_after(exec, i);
  }
}

static double largest_below(const double *v, size_t count) {
  double largest = v[0];
  for (size_t i = 1; i < count; i++) largest = v[i] > largest ? v[i] : largest;
  return largest;
}

double neighborhood_typical_sigma(const neighbor_lists *lists, size_t k, double *scratch) {
  const size_t n = lists->n, half = n / 2;
  for (size_t i = 0; i < n; i++) scratch[i] = sqrt(lists->far[i * lists->size + k - 1]);
  const double upper = kth_smallest(scratch, n, half + 1);
  if (n % 2 == 1) return upper / 2.0;
  /* All that are smaller stand before it now. */
  return (largest_below(scratch, half) + upper) / 2.0 / 2.0;
}

double neighborhood_least_sigma(const neighbor_lists *lists) {
  double farthest = 0.0;
  for (size_t i = 0; i < lists->n; i++) farthest = fmax(farthest, lists->far[i * lists->size]);
  return sqrt(farthest) / 2.0;
}

size_t neighborhood_edges(const neighbor_lists *lists, size_t k, edge_weights kind, double sigma,
                          int *low, int *high, double *weight) {
  const size_t n = lists->n, size = lists->size;
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    const double last = loosened(lists->far[i * size + k - 1]);
    for (size_t place = 0; place < size; place++) {
      const double far = lists->far[i * size + place];
      if (!(far <= last)) continue;
      const size_t j = (size_t)lists->who[i * size + place];
      /* One that came before has this edge in its own list. */
      if (j < i && far <= loosened(lists->far[j * size + k - 1])) continue;
      /* First over sigma: the square of a small one is 0. */
      const double apart = sqrt(far) / sigma;
      const double w = kind == EDGES_HEAT ? exp(-(apart * apart) / 2.0) : 1.0;
      if (!(w > 0.0)) continue;
      if (low) {
        low[count] = (int)(i < j ? i : j);
        high[count] = (int)(i < j ? j : i);
        weight[count] = w;
      }
      count++;
    }
  }
  return count;
}
