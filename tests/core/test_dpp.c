/* Draws in proportion, and odds that fall: against loops over everything. */
#include <string.h>

#include "check.h"
#include "core/landmarks/dpp.h"
#include "fixture.h"

static void check_sums(size_t n, size_t changes) {
  sum_tree t;
  arena measure = {0};
  sum_tree_layout(&t, &measure, n);
  arena memory = arena_of(measure);
  sum_tree_layout(&t, &memory, n);
  CHECK(memory.used == measure.used, "a tree uses what it measured");
  for (size_t i = 0; i < n; i++) t.value[i] = below(3) ? uniform() : 0.0;
  t.value[n / 2] = 1.0;
  sum_tree_build(&t);
  int *index = integers(changes);
  int right = 1;
  double worst = 0.0;
  for (int round = 0; round < 4; round++) {
    long double all = 0.0;
    for (size_t i = 0; i < n; i++) all += t.value[i];
    compare_relative(&worst, sum_tree_total(&t), (double)all);
    for (int draw = 0; draw < 50; draw++) {
      const double u = draw == 0 ? 0.0 : draw == 1 ? 1.0 - 1e-16 : uniform();
      const size_t at = sum_tree_find(&t, u);
      long double before = 0.0;
      for (size_t i = 0; i < at; i++) before += t.value[i];
      right &= at < n && t.value[at] > 0.0;
      /* The running sum passes u there, but for rounding. */
      right &= before <= u * all + 1e-10L * all && before + t.value[at] >= u * all - 1e-10L * all;
    }
    for (size_t k = 0; k < changes; k++) {
      index[k] = (int)below(n);
      t.value[index[k]] *= uniform();
    }
    sum_tree_update(&t, index, changes);
  }
  CHECK(worst < 1e-13, "the sum of %zu numbers is off by %g", n, worst);
  CHECK(right, "draws from %zu numbers", n);
  /* Made anew, the sums are the same bits: nothing piles up. */
  const double total = sum_tree_total(&t);
  sum_tree_build(&t);
  CHECK(sum_tree_total(&t) == total, "sums of %zu numbers after changes", n);
  /* All but one 0: it is drawn whatever u. */
  memset(t.value, 0, n * sizeof *t.value);
  t.value[n - 1] = 1e-300;
  sum_tree_build(&t);
  CHECK(sum_tree_find(&t, 0.0) == n - 1 && sum_tree_find(&t, 0.999) == n - 1, "the only one of %zu",
        n);
  release();
}

/* Where rounding leaves something over at the end, nothing of weight 0 is drawn for it. */
static void check_ends(void) {
  int right = 1;
  for (int round = 0; round < 3000; round++) {
    sum_tree t;
    arena measure = {0};
    sum_tree_layout(&t, &measure, 300);
    arena memory = arena_of(measure);
    sum_tree_layout(&t, &memory, 300);
    for (size_t i = 0; i < 300; i++) t.value[i] = i % 16 < 9 ? exp(30.0 * symmetric()) : 0.0;
    sum_tree_build(&t);
    right &= t.value[sum_tree_find(&t, 1.0 - 0x1p-53)] > 0.0;
    right &= t.value[sum_tree_find(&t, uniform())] > 0.0;
    release();
  }
  CHECK(right, "rows without odds are never drawn, whatever rounding leaves over");
}

static double plain_factor(dpp_update update, double sigma, double squared) {
  if (update == DPP_WELSCH) return 1.0 - exp(-squared / (2.0 * sigma * sigma));
  const double angle = fmin(sqrt(squared) / sigma, acos(-1.0) / 2.0);
  return sin(angle) * sin(angle);
}

/* The odds after each row that is taken, by a loop over all rows. */
static void check_odds(const executor *exec, layout kind, search_kind by, int weighted,
                       dpp_update update, size_t rows, size_t columns, size_t m) {
  data d = data_make(kind, rows, columns, weighted);
  dpp p = {0};
  arena measure = {0};
  dpp_layout(&p, &measure, exec, &d.x, m, by);
  arena memory = arena_of(measure);
  dpp_layout(&p, &memory, exec, &d.x, m, by);
  CHECK(memory.used == measure.used, "a process uses what it measured");
  p.update = update;
  dpp_start(&p);
  double *odds = doubles(rows), *distance = doubles(rows), u[DPP_CANDIDATES], worst = 0.0;
  for (size_t i = 0; i < rows; i++) odds[i] = weight_of(&d, i);
  points t = points_on(doubles(points_size(1, columns)), 1, columns);
  int fair = 1, sound = 1, *near = integers(m + 1);
  unsigned char *listed = bytes(rows);
  for (int block = 0; block < 4; block++) {
    for (size_t k = 0; k < 8; k++) u[k] = uniform();
    dpp_propose(&p, 8, u);
    /* What a candidate was drawn by is known before any is taken. */
    for (size_t k = 0; k < 8; k++) fair &= fabs(p.drawn[k] - odds[p.row[k]]) < 1e-9;
    if (block == 0) {
      p.sigma = dpp_scale(&p);
      /* Twice the fifth smallest of the eight farthest neighbours. */
      size_t below_it = 0, at_most = 0;
      const double reach = p.sigma / 2.0;
      for (size_t k = 0; k < 8; k++) {
        double farthest = 0.0;
        for (size_t i = 0; i <= m; i++)
          farthest = fmax(farthest, search_of(p.lists, m + 1, k)[i].squared);
        below_it += sqrt(farthest) < reach * (1.0 - 1e-12);
        at_most += sqrt(farthest) <= reach * (1.0 + 1e-12);
      }
      CHECK(below_it <= 4 && at_most >= 5, "the scale goes by the median reach");
    }
    for (size_t k = 0; k < 8; k++) {
      const size_t row = (size_t)p.row[k];
      const double v = uniform();
      const int taken = dpp_take(&p, k, v);
      /* Rows of weight 0 are never proposed. */
      sound &= p.drawn[k] > 0.0;
      fair &= taken == (v * p.drawn[k] < odds[row]) || fabs(v * p.drawn[k] - odds[row]) < 1e-9;
      if (!taken) continue;
      points_row(&d.x, row, &t, 0);
      points_norms(&t);
      for (size_t i = 0; i < rows; i++) distance[i] = plain_distance(&d, i, &t, 0);
      /* Those that tie with the last may change places by rounding: any of them will do. */
      dpp_neighbors(&p, k, near);
      memset(listed, 0, rows);
      double last = 0.0;
      for (size_t i = 0; i <= m; i++) {
        sound &= !listed[near[i]] && weight_of(&d, (size_t)near[i]) > 0.0;
        listed[near[i]] = 1;
        last = fmax(last, distance[near[i]]);
      }
      for (size_t i = 0; i < rows; i++) {
        if (listed[i]) odds[i] *= plain_factor(update, p.sigma, distance[i]);
        sound &= listed[i] || !(weight_of(&d, i) > 0.0) || distance[i] >= last - 1e-12;
      }
      /* Not among its neighbours where more rows are equal to it than it has neighbours. */
      odds[row] = 0.0;
      for (size_t i = 0; i < rows; i++) compare(&worst, p.odds.value[i], odds[i], 1.0);
      sound &= p.odds.value[row] == 0.0;
    }
  }
  CHECK(worst < 1e-12, "odds of %zu x %zu (%s, search %d, update %d) are off by %g", rows, columns,
        layout_name[kind], (int)by, (int)update, worst);
  CHECK(fair, "candidates are taken by odds now over odds then");
  CHECK(sound, "what is taken has no odds left, and they fall around the nearest (%s, search %d)",
        layout_name[kind], (int)by);
  double left = 0.0, sum = 0.0;
  for (size_t i = 0; i < rows; i++) sum += odds[i];
  compare_relative(&left, dpp_left(&p), sum);
  CHECK(left < 1e-10, "the sum of the odds is off by %g", left);
  release();
}

void test_dpp(const executor *exec) {
  check_sums(1, 1);
  check_sums(15, 3);
  check_sums(16, 40);
  check_sums(17, 5);
  check_sums(257, 300);
  check_sums(5000, 700);
  check_ends();
  for (int weighted = 0; weighted < 2; weighted++) {
    for (int update = 0; update < 2; update++) {
      for (int kind = 0; kind < LAYOUTS; kind++) {
        check_odds(exec, (layout)kind, SEARCH_ALL, weighted, (dpp_update)update, 150, 3, 20);
      }
      check_odds(exec, COLUMNS_DOUBLE, SEARCH_TREE, weighted, (dpp_update)update, 200, 2, 50);
      check_odds(exec, COLUMNS_INTEGER, SEARCH_TREE, weighted, (dpp_update)update, 200, 3, 1);
    }
  }
}
