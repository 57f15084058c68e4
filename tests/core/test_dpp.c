/* Draws in proportion, and odds that fall: against loops over everything. */
#include <string.h>

#include "check.h"
#include "core/select/dpp.h"
#include "fixture.h"

/* The number at which the running sum passes u of the total. */
static size_t at_share(const sum_tree *t, double u) {
  return sum_tree_at(t, u * sum_tree_total(t));
}

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
      const size_t at = at_share(&t, u);
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
  CHECK(at_share(&t, 0.0) == n - 1 && at_share(&t, 0.999) == n - 1, "the only one of %zu", n);
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
    right &= t.value[at_share(&t, 1.0 - 0x1p-53)] > 0.0;
    right &= t.value[at_share(&t, uniform())] > 0.0;
    release();
  }
  CHECK(right, "rows without odds are never drawn, whatever rounding leaves over");
}

static double plain_factor(dpp_update update, double sigma, double squared) {
  if (update == DPP_WELSCH) return 1.0 - exp(-squared / (2.0 * sigma * sigma));
  const double angle = fmin(sqrt(squared) / sigma, acos(-1.0) / 2.0);
  return sin(angle) * sin(angle);
}

/* ---- the steps ---- */

#define BLOCK 8

static dpp process(const executor *exec, const data *d, search_kind by, size_t each,
                   dpp_rule rule) {
  dpp p;
  LAY_OUT_CHECKED(memory, dpp_layout(&p, &memory, exec, &d->x, by, each));
  p.rule = rule;
  dpp_start(&p);
  return p;
}

/* Twice the fifth smallest of the eight farthest neighbors. */
static void check_scale(const dpp *p) {
  size_t below_it = 0, at_most = 0;
  const double reach = p->rule.sigma / 2.0;
  for (size_t k = 0; k < BLOCK; k++) {
    double farthest = 0.0;
    for (size_t i = 0; i < p->each; i++) farthest = fmax(farthest, p->squared[k * p->each + i]);
    below_it += sqrt(farthest) < reach * (1.0 - 1e-12);
    at_most += sqrt(farthest) <= reach * (1.0 + 1e-12);
  }
  CHECK(below_it <= 4 && at_most >= 5, "the scale goes by the median reach");
}

/* The odds after each row that is taken, by a loop over all rows. */
static void check_odds(const executor *exec, layout kind, search_kind by, int weighted,
                       dpp_update update, size_t rows, size_t columns, size_t m) {
  seed(rows + 10 * m + (size_t)update);
  data d = data_make(kind, rows, columns, weighted);
  dpp p = process(exec, &d, by, m + 1, (dpp_rule){update, 0.0});
  double *odds = doubles(rows), *distance = doubles(rows), u[BLOCK], v[BLOCK], worst = 0.0;
  for (size_t i = 0; i < rows; i++) odds[i] = weight_of(&d, i);
  points t = points_on(doubles(points_size(1, columns)), 1, columns);
  int fair = 1, sound = 1, taken[BLOCK];
  unsigned char *listed = bytes(rows);
  for (int block = 0; block < 4; block++) {
    for (size_t k = 0; k < BLOCK; k++) u[k] = uniform();
    for (size_t k = 0; k < BLOCK; k++) v[k] = uniform();
    dpp_propose(&p, u, BLOCK);
    /* What a candidate was drawn by is known before any is taken. */
    for (size_t k = 0; k < BLOCK; k++) fair &= fabs(p.drawn[k] - odds[p.row[k]]) < 1e-9;
    if (block == 0) {
      p.rule.sigma = dpp_scale(&p);
      check_scale(&p);
    }
    const size_t found = dpp_accept(&p, v, BLOCK, taken);
    dpp_settle(&p, taken, found);
    for (size_t k = 0, next = 0; k < BLOCK; k++) {
      const size_t row = (size_t)p.row[k];
      const int is_taken = next < found && taken[next] == (int)k;
      /* Rows of weight 0 are never proposed. */
      sound &= p.drawn[k] > 0.0;
      fair &=
          is_taken == (v[k] * p.drawn[k] < odds[row]) || fabs(v[k] * p.drawn[k] - odds[row]) < 1e-9;
      if (!is_taken) continue;
      next++;
      points_row(&d.x, row, &t, 0);
      points_norms(&t);
      for (size_t i = 0; i < rows; i++) distance[i] = plain_distance(&d, i, &t, 0);
      /* Those that tie with the last may change places by rounding: any of them will do. */
      const int *near = p.near + k * p.each;
      memset(listed, 0, rows);
      double last = 0.0;
      for (size_t i = 0; i <= m; i++) {
        const size_t at = (size_t)near[i];
        sound &= !listed[at] && weight_of(&d, at) > 0.0;
        listed[at] = 1;
        last = fmax(last, distance[at]);
      }
      for (size_t i = 0; i < rows; i++) {
        if (listed[i]) odds[i] *= plain_factor(update, p.rule.sigma, distance[i]);
        sound &= listed[i] || !(weight_of(&d, i) > 0.0) || distance[i] >= last - 1e-12;
        /* More rows may be equal to it than it has neighbors. */
        if (last == 0.0 && distance[i] == 0.0) odds[i] = 0.0;
      }
      odds[row] = 0.0;
    }
    for (size_t i = 0; i < rows; i++) compare(&worst, p.odds.value[i], odds[i], 1.0);
    for (size_t k = 0; k < found; k++) sound &= p.odds.value[p.row[taken[k]]] == 0.0;
  }
  CHECK(worst < 1e-12, "odds of %zu x %zu (%s, search %d, update %d) are off by %g", rows, columns,
        layout_name[kind], (int)by, (int)update, worst);
  CHECK(fair, "candidates are taken by odds now over odds then");
  CHECK(sound, "what is taken has no odds left, and they fall around the nearest (%s, search %d)",
        layout_name[kind], (int)by);
  double left = 0.0, sum = 0.0;
  for (size_t i = 0; i < rows; i++) sum += odds[i];
  compare_relative(&left, sum_tree_total(&p.odds), sum);
  CHECK(left < 1e-10, "the sum of the odds is off by %g", left);
  release();
}

/* No more are taken than are wanted, and none twice where a row is proposed twice. */
static void check_accept(void) {
  double squared[] = {0.0, 4.0, 0.0, 1.0, 0.0, 4.0};
  int near[] = {1, 513, 513, 7, 1, 513};
  const double sigma = 1.5, always[] = {0.0, 0.0, 0.0};
  const dpp p = {.rule = {DPP_WELSCH, sigma},
                 .each = 2,
                 .at = {.count = 3},
                 .row = {1, 513, 1},
                 .drawn = {0.5, 1.0, 0.5},
                 .squared = squared,
                 .near = near};
  int taken[3];
  CHECK(dpp_accept(&p, always, 3, taken) == 2, "a row comes once");
  CHECK(taken[0] == 0 && taken[1] == 1, "candidates are taken in their order");
  CHECK(dpp_accept(&p, always, 1, taken) == 1, "one is enough");
  const double factor = plain_factor(DPP_WELSCH, sigma, 4.0);
  for (int side = 0; side < 2; side++) {
    const double u[] = {0.3, factor * (side ? 1.0 + 1e-9 : 1.0 - 1e-9), 0.5};
    CHECK(dpp_accept(&p, u, 3, taken) == (side ? 1 : 2), "odds now over odds then, on either side");
  }
}

/* Odds that fall by 1e-16 again and again, where all rows are near each other. */
static void check_tiny(const executor *exec) {
  data d = data_make(ROWS_DENSE, 40, 2, 0);
  dpp p = process(exec, &d, SEARCH_ALL, 40, (dpp_rule){DPP_WELSCH, 1e8});
  const int only = 0;
  double log_odds[40] = {0.0}, worst = 0.0;
  for (int time = 0; time < 39; time++) {
    /* The only candidate is the next row: at first all rows from `time` on have odds. */
    double before = 0.0, total = sum_tree_total(&p.odds);
    for (int i = 0; i < time; i++) before += p.odds.value[i];
    const double u = (before + 0.5 * p.odds.value[time]) / total;
    dpp_propose(&p, &u, 1);
    CHECK(p.row[0] == time, "row %d is the next, and not %d", time, p.row[0]);
    for (size_t i = 0; i < 40; i++) {
      const double squared = plain_distance(&d, i, &p.at, 0);
      log_odds[i] += squared > 0.0 ? log(-expm1(-squared / 2e16)) : -INFINITY;
    }
    dpp_settle(&p, &only, 1);
    CHECK(sum_tree_total(&p.odds) > 1e-101, "rows that are left have odds that are not tiny");
    /* All but for a common factor, that of the last row. */
    const double by = log(p.odds.value[39]) - log_odds[39];
    for (int i = time + 1; i < 40; i++)
      compare(&worst, log(p.odds.value[i]) - by, log_odds[i], 1.0);
  }
  CHECK(worst < 1e-6, "logs of odds that become tiny are off by %g", worst);
  const double u = 0.5;
  dpp_propose(&p, &u, 1);
  dpp_settle(&p, &only, 1);
  CHECK(sum_tree_total(&p.odds) == 0.0, "no row is left");
  release();
}

/* ---- the draws ---- */

static size_t drawn;
static void draw(double *out, size_t count) {
  for (size_t k = 0; k < count; k++) out[k] = uniform();
  drawn += count;
}
static void report(void *context, size_t rows) { *(size_t *)context += rows; }

/* 12 rows, each as many as 20 times, and lists that are shorter: each row is drawn once, but for
 * those that equal a landmark that is fixed. */
static void check_draw(const executor *exec, layout kind, search_kind by, int weighted) {
  enum { KINDS = 12, COLUMNS = 9, ROWS = 240, HELD = 70, EACH = 6 };
  const executor one = {exec->threads, exec->variant, NULL, draw};
  const executor other = other_threads(&one);
  int of[ROWS], row[2][ROWS], *near[2];
  for (int i = 0; i < ROWS; i++) of[i] = i * i % KINDS == 0 ? 0 : i % KINDS;
  const data few = data_make(kind, KINDS, COLUMNS, weighted), d = data_rows(&few, of, ROWS);
  for (size_t fixed = 0; fixed <= HELD; fixed += HELD) {
    points t = points_on(doubles(points_size(fixed, COLUMNS)), fixed, COLUMNS);
    for (size_t l = 0; l < fixed; l++) points_row(&d.x, 1 + 12 * (l % 2), &t, l);
    points_norms(&t);
    size_t found[2], reported = 0, left[KINDS] = {0};
    for (int k = 0; k < 2; k++) {
      dpp p = process(k ? &other : &one, &d, by, EACH, (dpp_rule){DPP_SIN2, 0.0});
      near[k] = integers(EACH * (fixed + ROWS));
      const dpp_output out = {row[k], near[k], report, &reported};
      seed(11 + fixed);
      drawn = 0;
      found[k] = dpp_draw(&p, &t, ROWS, &out);
      CHECK(drawn % 2 == 0 && drawn >= 2 * found[k] + (fixed ? p.block : 0),
            "two uniform numbers for each candidate");
      CHECK(sum_tree_total(&p.odds) == 0.0 && p.rule.sigma > 0.0, "nothing is left");
    }
    CHECK(reported == 2 * found[0], "all rows are reported");
    CHECK(found[0] == found[1] && SAME_BITS(row[0], row[1], found[0]) &&
              SAME_BITS(near[0], near[1], EACH * (fixed + found[0])),
          "%d threads draw the same rows (%s)", other.threads, layout_name[kind]);
    for (size_t k = 0; k < found[0]; k++) left[of[row[0][k]]]++;
    for (size_t k = 0; k < KINDS; k++) {
      size_t able = 0;
      for (size_t i = 0; i < ROWS; i++) able |= of[i] == (int)k && weight_of(&d, i) > 0.0;
      const size_t expected = able && !(fixed && k == 1);
      CHECK(left[k] == expected, "row %zu of 12 is drawn %zu times (%s, search %d, fixed %zu)", k,
            left[k], layout_name[kind], (int)by, fixed);
    }
    int own = 1;
    for (size_t k = 0; k < found[0]; k++) {
      int equal = 0;
      for (size_t i = 0; i < EACH; i++)
        equal |= of[near[0][(fixed + k) * EACH + i]] == of[row[0][k]];
      own &= equal;
    }
    CHECK(own, "a row's list is its own");
  }
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
  CHECK(dpp_block(2) == DPP_CANDIDATES && dpp_block(1 << 28) == 4, "a block is 4 to 64");
  CHECK(dpp_block(1 << 20) * search_list(1 << 20) <= (size_t)1 << 26, "lists stay within 512 MB");
  check_accept();
  check_tiny(exec);
  for (int weighted = 0; weighted < 2; weighted++) {
    for (int update = 0; update < 2; update++) {
      for (int kind = 0; kind < LAYOUTS; kind++) {
        check_odds(exec, (layout)kind, SEARCH_ALL, weighted, (dpp_update)update, 150, 3, 20);
      }
      check_odds(exec, COLUMNS_DOUBLE, SEARCH_TREE, weighted, (dpp_update)update, 200, 2, 50);
      check_odds(exec, COLUMNS_INTEGER, SEARCH_TREE, weighted, (dpp_update)update, 200, 3, 1);
    }
    for (int kind = 0; kind < LAYOUTS; kind++) {
      check_draw(exec, (layout)kind, SEARCH_ALL, weighted);
    }
    check_draw(exec, COLUMNS_DOUBLE, SEARCH_TREE, weighted);
  }
}
