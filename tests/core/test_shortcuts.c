/* Shortcuts of graphs, by a search that tries every way, and of a strip that is folded. */
#include <stdlib.h>

#include "check.h"
#include "core/embedding/shortcuts.h"
#include "fixture.h"

typedef struct {
  int a, b;
  double length;
  int suspect;
} edge;

static int by_length(const void *a, const void *b) {
  const double x = ((const edge *)a)->length, y = ((const edge *)b)->length;
  return (x > y) - (x < y);
}

static void find(size_t n, size_t count, const edge *e, double round, int *found) {
  int *from = integers(count), *to = integers(count), *suspect = integers(count);
  double *length = doubles(count);
  for (size_t i = 0; i < count; i++) {
    from[i] = e[i].a;
    to[i] = e[i].b;
    length[i] = e[i].length;
    suspect[i] = e[i].suspect;
  }
  shortcuts s = {.n = n,
                 .edges = count,
                 .from = from,
                 .to = to,
                 .length = length,
                 .suspect = suspect,
                 .round = round};
  LAY_OUT_CHECKED(memory, shortcuts_layout(&s, &memory));
  size_t sum = 0;
  const size_t found_count = shortcuts_find(&s, found);
  for (size_t i = 0; i < count; i++) sum += (size_t)found[i];
  CHECK(found_count == sum, "%zu shortcuts are %zu", sum, found_count);
}

/* The header's rule, with all distances by Floyd and Warshall anew for each edge. */
static void plain_find(size_t n, size_t count, const edge *e, double round, int *out) {
  double *far = doubles(n * n);
  for (size_t i = 0; i < count; i++) {
    for (size_t v = 0; v < n * n; v++) far[v] = v / n == v % n ? 0.0 : INFINITY;
    for (size_t j = 0; j < i; j++) {
      const size_t a = (size_t)e[j].a, b = (size_t)e[j].b;
      if (!out[j]) far[a * n + b] = far[b * n + a] = e[j].length;
    }
    for (size_t via = 0; via < n; via++) {
      for (size_t v = 0; v < n * n; v++)
        far[v] = fmin(far[v], far[v / n * n + via] + far[via * n + v % n]);
    }
    const double way = far[(size_t)e[i].a * n + (size_t)e[i].b];
    out[i] = e[i].suspect && way < INFINITY && !(way < round * e[i].length);
  }
}

/* In order of length, or as they come. */
static void check_random(size_t n, double share, double suspected, int sorted, double round) {
  edge *e = bytes(n * n * sizeof *e);
  double *x = doubles(2 * n);
  size_t count = 0, shortcuts_found = 0;
  for (size_t i = 0; i < 2 * n; i++) x[i] = uniform();
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < i; j++) {
      const double far = hypot(x[2 * i] - x[2 * j], x[2 * i + 1] - x[2 * j + 1]);
      if (far < 2.0 / sqrt((double)n) ? uniform() < share : uniform() < 0.03)
        e[count++] = (edge){(int)i, (int)j, far, uniform() < suspected};
    }
  }
  if (sorted) qsort(e, count, sizeof *e, by_length);
  int *found = integers(count), *want = integers(count), same = 1;
  find(n, count, e, round, found);
  plain_find(n, count, e, round, want);
  for (size_t i = 0; i < count; i++) {
    same &= found[i] == want[i];
    shortcuts_found += (size_t)want[i];
  }
  CHECK(same, "shortcuts among %zu vertices are those of a plain search (%g)", n, round);
  CHECK(shortcuts_found > 0 && shortcuts_found < count, "some of %zu edges are shortcuts: %zu",
        count, shortcuts_found);
  release();
}

/* Two sides of a strip, `gap` apart and joined at one end only, all pairs closer than `reach`. */
static void check_fold(size_t half, double gap, double reach, int some) {
  const size_t n = 2 * half;
  edge *e = bytes(n * n * sizeof *e);
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < i; j++) {
      const double u = (double)(i % half) - (double)(j % half);
      const int fold = j == half - 1 && i == n - 1;
      const double far = fold ? 1.0 : hypot(u, i / half == j / half ? 0.0 : gap);
      /* Near the fold the way round is short: there edges across are none. */
      const int open = i % half < half / 2 && j % half < half / 2;
      if (far < reach && (fold || open || i / half == j / half))
        e[count++] = (edge){(int)i, (int)j, far, far > 1.5};
    }
  }
  qsort(e, count, sizeof *e, by_length);
  int *found = integers(count), right = 1;
  find(n, count, e, 5.0, found);
  for (size_t i = 0; i < count; i++)
    right &= found[i] == (e[i].a / (int)half != e[i].b / (int)half && e[i].length > 1.0);
  CHECK(right, "a folded strip, %g apart, reached to %g: shortcuts are the edges across", gap,
        reach);
  int any = 0;
  for (size_t i = 0; i < count; i++) any |= found[i];
  CHECK(any == some, "a folded strip, %g apart, reached to %g: any shortcuts?", gap, reach);
  release();
}

/* Both ways round, by one vertex and by two, are exactly twice as long. */
static void check_limit(void) {
  const edge e[] = {{0, 1, 1.0, 0}, {1, 2, 1.0, 0}, {2, 3, 2.0, 0}, {0, 2, 1.0, 1}, {0, 3, 2.0, 1}};
  int *found = integers(5);
  find(4, 5, e, 2.0, found);
  CHECK(found[3] && found[4], "an edge is a shortcut where the way round is just as long");
  release();
}

void test_shortcuts(const executor *exec) {
  (void)exec;
  check_limit();
  check_random(30, 0.3, 1.0, 1, 2.0);
  check_random(60, 0.3, 0.7, 1, 2.0);
  check_random(60, 0.2, 0.7, 0, 2.5);
  check_random(60, 0.3, 0.5, 0, 1.2);
  check_fold(40, 3.5, 3.8, 1);
  check_fold(40, 3.5, 3.2, 0);
  check_fold(40, 4.0, 6.0, 1);
}
