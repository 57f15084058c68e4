/* The nearest rows by either search against a sorted list; and the list itself. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/base/selection.h"
#include "core/data/search.h"
#include "fixture.h"

/* Distances that are often the same: the list is that of a stable sort. */
static void check_list(size_t rows, size_t m, size_t block, size_t values) {
  double *distances = doubles(rows);
  for (size_t i = 0; i < rows; i++) distances[i] = (double)below(values);
  neighbor *list = bytes(nearest_room(m) * sizeof *list);
  nearest_list l = nearest_begin(list, m);
  for (size_t first = 0; first < rows; first += block) {
    const size_t count = rows - first < block ? rows - first : block;
    nearest_offer(&l, first, count, NULL, distances + first, 1, NULL);
  }
  nearest_settle(&l);
  const size_t most = m < rows ? m : rows;
  CHECK(l.used == most, "%zu of the %zu nearest of %zu", l.used, m, rows);
  nearest_sort(list, l.used);
  int right = 1;
  for (size_t k = 0; k < l.used; k++) {
    /* As many rows as stand before it are nearer, or as near and lower. */
    const size_t row = (size_t)list[k].row;
    size_t before = 0;
    for (size_t i = 0; i < rows; i++) {
      before += distances[i] < distances[row] || (distances[i] == distances[row] && i < row);
    }
    right &= before == k && list[k].squared == distances[row];
  }
  CHECK(right, "the %zu nearest of %zu rows, %zu at a time, of %zu values", m, rows, block, values);
  release();
}

/* As many numbers as should be are below the k-th smallest, which is one of them, as all others
 * still are. */
static void check_kth(size_t n, size_t values) {
  double *a = doubles(n), *changed = doubles(n);
  for (size_t k = 1; k <= n; k++) {
    double sum = 0.0, left = 0.0;
    size_t below_it = 0, at_most = 0;
    for (size_t i = 0; i < n; i++) sum += changed[i] = a[i] = (double)below(values);
    const double found = kth_smallest(changed, n, k);
    for (size_t i = 0; i < n; i++) {
      left += changed[i];
      below_it += a[i] < found;
      at_most += a[i] <= found;
    }
    CHECK(below_it < k && k <= at_most && left == sum,
          "the %zu-th smallest of %zu numbers, %zu values", k, n, values);
  }
  release();
}

/* m nearest of each point: as near as a full sort says, each row once, none of weight 0. */
static void check_search(const executor *exec, layout kind, search_kind by, int weighted,
                         size_t rows, size_t columns, size_t count, size_t m) {
  data d = data_make(kind, rows, columns, weighted);
  points t = points_make(count, columns);
  search s;
  LAY_OUT_CHECKED(memory, search_layout(&s, &memory, exec, &d.x, by, count));
  size_t able = 0;
  for (size_t i = 0; i < rows; i++) able += weight_of(&d, i) > 0.0;
  CHECK(s.count == able, "%zu rows can be neighbors, not %zu", able, s.count);
  if (m > able) m = able;
  search_build(&s);
  double *lists = doubles(count * search_list(m)), worst = 0.0;
  search_nearest(&s, &t, m, lists);
  int sound = 1;
  unsigned char *seen = bytes(rows);
  double *all = doubles(rows);
  for (size_t k = 0; k < count; k++) {
    neighbor *list = search_of(lists, m, k);
    nearest_sort(list, m);
    memset(seen, 0, rows);
    for (size_t i = 0; i < m; i++) {
      const size_t row = (size_t)list[i].row;
      sound &= row < rows && !seen[row] && weight_of(&d, row) > 0.0;
      seen[row] = 1;
      compare(&worst, list[i].squared, plain_distance(&d, row, &t, k), 1.0);
    }
    /* No row outside the list is nearer than the last on it. */
    for (size_t i = 0; i < rows; i++) {
      all[i] = plain_distance(&d, i, &t, k);
      if (!seen[i] && weight_of(&d, i) > 0.0) sound &= all[i] >= list[m - 1].squared - 1e-12;
    }
  }
  CHECK(sound, "the %zu nearest of %zu x %zu (%s, search %d, weighted %d)", m, rows, columns,
        layout_name[kind], (int)by, weighted);
  CHECK(worst < 1e-12, "their distances are off by %g", worst);
  /* The same bits with another number of threads. */
  const executor other = other_threads(exec);
  LAY_OUT_CHECKED(others, search_layout(&s, &others, &other, &d.x, by, count));
  search_build(&s);
  double *again = doubles(count * search_list(m));
  search_nearest(&s, &t, m, again);
  int same = 1;
  for (size_t k = 0; k < count; k++) {
    nearest_sort(search_of(again, m, k), m);
    for (size_t i = 0; i < m; i++) {
      same &= search_of(again, m, k)[i].row == search_of(lists, m, k)[i].row;
      same &= search_of(again, m, k)[i].squared == search_of(lists, m, k)[i].squared;
    }
  }
  CHECK(same, "threads change nothing");
  release();
}

/* Rows that are all the same, and a grid: no end to ties. */
static void check_ties(const executor *exec) {
  double center[2] = {0.0, 0.0}, factor[2] = {1.0, 1.0};
  double *grid = doubles(2 * 900);
  for (size_t i = 0; i < 900; i++) {
    grid[i] = (double)(i % 30);
    grid[900 + i] = (double)(i / 30);
  }
  for (int same = 0; same < 2; same++) {
    if (same) memset(grid, 0, 2 * 900 * sizeof *grid);
    const observations x = {.kind = COLUMNS_DOUBLE,
                            .rows = 900,
                            .columns = 2,
                            .real = grid,
                            .center = center,
                            .scale = factor};
    points t = points_on(doubles(points_size(1, 2)), 1, 2);
    t.x[0] = t.x[t.ld] = same ? 0.0 : 15.0;
    points_norms(&t);
    int rows[2][13];
    for (int by = 0; by < 2; by++) {
      search s;
      LAY_OUT_CHECKED(memory, search_layout(&s, &memory, exec, &x, (search_kind)by, 1));
      search_build(&s);
      double *lists = doubles(search_list(13));
      search_nearest(&s, &t, 13, lists);
      nearest_sort(search_of(lists, 13, 0), 13);
      for (size_t i = 0; i < 13; i++) rows[by][i] = search_of(lists, 13, 0)[i].row;
    }
    CHECK(memcmp(rows[0], rows[1], sizeof rows[0]) == 0, "both searches break ties alike (same %d)",
          same);
    CHECK(!same || (rows[0][0] == 0 && rows[0][12] == 12),
          "of rows that are the same the first come first");
  }
  release();
}

void test_search(const executor *exec) {
  for (size_t n = 1; n < 60; n += 7) {
    check_kth(n, 3);
    check_kth(n, 1000);
  }
  check_list(50, 4, 7, 10);
  check_list(50, 1, 50, 5);
  check_list(6, 6, 2, 3);
  check_list(6, 9, 6, 3);
  check_list(9000, 20, 1000, 400);
  check_list(9000, 3000, 1024, 100000);
  check_list(5000, 100, 512, 1);
  check_list(1, 1, 1, 1);
  for (int weighted = 0; weighted < 2; weighted++) {
    for (int kind = 0; kind < LAYOUTS; kind++) {
      check_search(exec, (layout)kind, SEARCH_ALL, weighted, 300, 4, 5, 40);
      check_search(exec, (layout)kind, SEARCH_ALL, weighted, 2500, 3, 9, 3);
    }
    for (int kind = COLUMNS_DOUBLE; kind <= COLUMNS_INTEGER; kind++) {
      check_search(exec, (layout)kind, SEARCH_TREE, weighted, 63, 2, 3, 10);
      check_search(exec, (layout)kind, SEARCH_TREE, weighted, 64, 2, 3, 10);
      check_search(exec, (layout)kind, SEARCH_TREE, weighted, 65, 1, 3, 64);
      check_search(exec, (layout)kind, SEARCH_TREE, weighted, 4097, 3, 9, 700);
      check_search(exec, (layout)kind, SEARCH_TREE, weighted, 3000, 5, 4, 1);
      check_search(exec, (layout)kind, SEARCH_TREE, weighted, 700, 14, 4, 700);
      check_search(exec, (layout)kind, SEARCH_TREE, weighted, 2, 2, 2, 1);
    }
  }
  check_ties(exec);
}
