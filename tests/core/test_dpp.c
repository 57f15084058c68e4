/* Draws in proportion, and odds that fall: against loops over everything. */
#include <string.h>

#include "check.h"
#include "core/choose/dpp.h"
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

/* ---- a process over parts ---- */

#define PARTS 7
#define BLOCK 8

typedef struct {
  observations x;
  search near;
  dpp_odds odds;
} part;

typedef struct {
  size_t parts, each;
  part of[PARTS];
  dpp_rule rule;
  points at;
  dpp_near near; /* of all parts */
  int row[BLOCK], taken[BLOCK];
  double drawn[BLOCK];
  size_t found;
} process;

/* Rows [first, first + count) as data of their own. */
static observations some_rows(const observations *x, size_t first, size_t count) {
  observations y = *x;
  y.rows = count;
  if (x->weight) y.weight = x->weight + first;
  if (x->norm) y.norm = x->norm + first;
  if (x->kind == ROWS_SPARSE) y.start = x->start + first;
  if (x->kind == ROWS_DENSE) y.real = x->real + first * padded(x->columns);
  double *real = x->kind == COLUMNS_DOUBLE ? doubles(count * x->columns + 1) : NULL;
  int *whole = x->kind == COLUMNS_INTEGER ? integers(count * x->columns + 1) : NULL;
  for (size_t j = 0; j < x->columns; j++) {
    if (real) memcpy(real + j * count, x->real + j * x->rows + first, count * sizeof *real);
    if (whole) memcpy(whole + j * count, x->whole + j * x->rows + first, count * sizeof *whole);
  }
  if (real) y.real = real;
  if (whole) y.whole = whole;
  return y;
}

/* Parts of unlike sizes; of 7 the second is empty. The first row has the number 1. */
static void begin(process *p, const executor *exec, const data *d, search_kind by, size_t parts,
                  size_t each, dpp_update update) {
  const size_t rows = d->x.rows;
  p->parts = parts;
  p->each = each;
  p->rule = (dpp_rule){update, 0.0};
  p->at = points_on(doubles(points_size(BLOCK, d->x.columns)), BLOCK, d->x.columns);
  for (size_t k = 0; k < parts; k++) {
    part *own = p->of + k;
    const size_t first = k == 0 ? 0 : k == 2 && parts == PARTS ? rows / parts : k * rows / parts;
    const size_t end = k == 1 && parts == PARTS ? rows / parts : (k + 1) * rows / parts;
    own->x = some_rows(&d->x, first, end - first);
    arena measure = {0};
    dpp_odds_layout(&own->odds, &measure, own->x.rows);
    arena memory = arena_of(measure);
    dpp_odds_layout(&own->odds, &memory, own->x.rows);
    CHECK(memory.used == measure.used, "odds use what they measured");
    dpp_odds_start(&own->odds, (int)first + 1, own->x.rows, own->x.weight);
    /* The same odds from their memory, as where they are kept between two calls. */
    dpp_odds again;
    dpp_odds_again(&again, memory.base);
    own->odds = again;
    arena needed = {0};
    search_layout(&own->near, &needed, exec, &own->x, by, BLOCK);
    arena room = arena_of(needed);
    search_layout(&own->near, &room, exec, &own->x, by, BLOCK);
    if (own->x.rows) search_build(&own->near);
  }
}

static dpp_near lists_of(size_t each, size_t count) {
  const dpp_near near = {each, count, doubles(each * count + 1), integers(each * count + 1)};
  return near;
}

/* Candidates by their uniforms, and their neighbors. */
static void propose(process *p, const double *u) {
  double all = 0.0;
  for (size_t k = 0; k < p->parts; k++) {
    CHECK(dpp_odds_exponent(&p->of[k].odds) == 0, "odds that are not small are as they are");
    all += dpp_odds_total(&p->of[k].odds);
  }
  for (size_t c = 0; c < BLOCK; c++) {
    double wanted = u[c] * all;
    size_t k = 0;
    while (k + 1 < p->parts && wanted >= dpp_odds_total(&p->of[k].odds)) {
      wanted -= dpp_odds_total(&p->of[k++].odds);
    }
    const size_t row = dpp_odds_find(&p->of[k].odds, wanted);
    p->row[c] = p->of[k].odds.first + (int)row;
    p->drawn[c] = p->of[k].odds.sums.value[row];
    points_row(&p->of[k].x, row, &p->at, c);
  }
  points_norms(&p->at);
  for (size_t k = 0; k < p->parts; k++) {
    const part *own = p->of + k;
    dpp_near near = lists_of(own->near.count < p->each ? own->near.count : p->each, BLOCK);
    dpp_nearest(&own->near, &p->at, own->odds.first, doubles(BLOCK * search_list(near.each)),
                &near);
    if (k > 0) {
      const size_t both = p->near.each + near.each;
      dpp_near joint = lists_of(both < p->each ? both : p->each, BLOCK);
      neighbor *list = bytes(nearest_room(joint.each) * sizeof *list);
      dpp_nearest_join(&p->near, &near, list, &joint);
      near = joint;
    }
    p->near = near;
  }
}

static void settle(process *p, const double *v, size_t most) {
  p->found = dpp_accept(&p->rule, &p->near, p->row, p->drawn, v, most, p->taken);
  int *touched = integers(p->each);
  for (size_t k = 0; k < p->parts; k++) {
    for (size_t t = 0; t < p->found; t++) {
      const size_t c = (size_t)p->taken[t];
      dpp_odds_fall(&p->of[k].odds, &p->rule, &p->near, c, p->row[c], touched);
    }
  }
}

static double odds_of(const process *p, size_t i) {
  for (size_t k = 0;; k++) {
    const size_t first = (size_t)p->of[k].odds.first - 1;
    if (i < first + p->of[k].x.rows) return p->of[k].odds.sums.value[i - first];
  }
}

/* Twice the fifth smallest of the eight farthest neighbors. */
static void check_scale(const process *p) {
  size_t below_it = 0, at_most = 0;
  const double reach = p->rule.sigma / 2.0;
  for (size_t k = 0; k < BLOCK; k++) {
    double farthest = 0.0;
    for (size_t i = 0; i < p->each; i++) {
      farthest = fmax(farthest, p->near.squared[k * p->each + i]);
    }
    below_it += sqrt(farthest) < reach * (1.0 - 1e-12);
    at_most += sqrt(farthest) <= reach * (1.0 + 1e-12);
  }
  CHECK(below_it <= 4 && at_most >= 5, "the scale goes by the median reach");
}

/* The odds after each row that is taken, by a loop over all rows. The rows taken come to
 * `rows_out`; returns how many. */
static size_t check_odds(const executor *exec, layout kind, search_kind by, int weighted,
                         dpp_update update, size_t rows, size_t columns, size_t m, size_t parts,
                         int *rows_out) {
  data d = data_make(kind, rows, columns, weighted);
  process p;
  begin(&p, exec, &d, by, parts, m + 1, update);
  double *odds = doubles(rows), *distance = doubles(rows), u[BLOCK], v[BLOCK], worst = 0.0;
  for (size_t i = 0; i < rows; i++) odds[i] = weight_of(&d, i);
  points t = points_on(doubles(points_size(1, columns)), 1, columns);
  int fair = 1, sound = 1;
  unsigned char *listed = bytes(rows);
  size_t taken = 0;
  for (int block = 0; block < 4; block++) {
    for (size_t k = 0; k < BLOCK; k++) u[k] = uniform();
    for (size_t k = 0; k < BLOCK; k++) v[k] = uniform();
    propose(&p, u);
    CHECK(p.near.each == m + 1, "there are as many neighbors as asked for, in %zu parts", parts);
    /* What a candidate was drawn by is known before any is taken. */
    for (size_t k = 0; k < BLOCK; k++) fair &= fabs(p.drawn[k] - odds[p.row[k] - 1]) < 1e-9;
    if (block == 0) {
      p.rule.sigma = dpp_scale(&p.near);
      check_scale(&p);
    }
    settle(&p, v, BLOCK);
    for (size_t k = 0, next = 0; k < BLOCK; k++) {
      const size_t row = (size_t)p.row[k] - 1;
      const int is_taken = next < p.found && p.taken[next] == (int)k;
      /* Rows of weight 0 are never proposed. */
      sound &= p.drawn[k] > 0.0;
      fair &=
          is_taken == (v[k] * p.drawn[k] < odds[row]) || fabs(v[k] * p.drawn[k] - odds[row]) < 1e-9;
      if (!is_taken) continue;
      next++;
      rows_out[taken++] = (int)row;
      points_row(&d.x, row, &t, 0);
      points_norms(&t);
      for (size_t i = 0; i < rows; i++) distance[i] = plain_distance(&d, i, &t, 0);
      /* Those that tie with the last may change places by rounding: any of them will do. */
      const int *near = p.near.row + k * p.each;
      memset(listed, 0, rows);
      double last = 0.0;
      for (size_t i = 0; i <= m; i++) {
        const size_t at = (size_t)near[i] - 1;
        sound &= !listed[at] && weight_of(&d, at) > 0.0;
        listed[at] = 1;
        last = fmax(last, distance[at]);
      }
      for (size_t i = 0; i < rows; i++) {
        if (listed[i]) odds[i] *= plain_factor(update, p.rule.sigma, distance[i]);
        sound &= listed[i] || !(weight_of(&d, i) > 0.0) || distance[i] >= last - 1e-12;
      }
      /* Not among its neighbors where more rows are equal to it than it has neighbors. */
      odds[row] = 0.0;
    }
    for (size_t i = 0; i < rows; i++) compare(&worst, odds_of(&p, i), odds[i], 1.0);
    for (size_t t2 = 0; t2 < p.found; t2++) {
      sound &= odds_of(&p, (size_t)p.row[p.taken[t2]] - 1) == 0.0;
    }
  }
  CHECK(worst < 1e-12, "odds of %zu x %zu (%s, search %d, update %d, %zu parts) are off by %g",
        rows, columns, layout_name[kind], (int)by, (int)update, parts, worst);
  CHECK(fair, "candidates are taken by odds now over odds then");
  CHECK(sound, "what is taken has no odds left, and they fall around the nearest (%s, search %d)",
        layout_name[kind], (int)by);
  double left = 0.0, sum = 0.0, total = 0.0;
  for (size_t i = 0; i < rows; i++) sum += odds[i];
  for (size_t k = 0; k < parts; k++) total += dpp_odds_total(&p.of[k].odds);
  compare_relative(&left, total, sum);
  CHECK(left < 1e-10, "the sum of the odds is off by %g", left);
  return taken;
}

/* The rows of a process do not depend on how its data are cut. */
static void check_parts(const executor *exec, layout kind, search_kind by, int weighted,
                        dpp_update update, size_t rows, size_t columns, size_t m) {
  const size_t cuts[] = {1, 2, 3, PARTS};
  int taken[4][4 * BLOCK];
  size_t found[4];
  for (size_t c = 0; c < 4; c++) {
    seed(rows + 10 * m + (size_t)update);
    found[c] = check_odds(exec, kind, by, weighted, update, rows, columns, m, cuts[c], taken[c]);
    CHECK(found[c] == found[0] && !memcmp(taken[c], taken[0], found[0] * sizeof **taken),
          "%zu parts of %s draw the same rows (search %d)", cuts[c], layout_name[kind], (int)by);
    release();
  }
}

/* No more are taken than are wanted, and none twice where a row is proposed twice. */
static void check_accept(void) {
  double squared[] = {0.0, 4.0, 0.0, 1.0, 0.0, 4.0};
  int row[] = {1, 513, 513, 7, 1, 513};
  const dpp_near near = {2, 3, squared, row};
  const int candidate[] = {1, 513, 1};
  const double drawn[] = {0.5, 1.0, 0.5}, sigma = 1.5, always[] = {0.0, 0.0, 0.0};
  const dpp_rule rule = {DPP_WELSCH, sigma};
  int taken[3];
  CHECK(dpp_accept(&rule, &near, candidate, drawn, always, 3, taken) == 2, "a row comes once");
  CHECK(taken[0] == 0 && taken[1] == 1, "candidates are taken in their order");
  CHECK(dpp_accept(&rule, &near, candidate, drawn, always, 1, taken) == 1, "one is enough");
  const double factor = plain_factor(DPP_WELSCH, sigma, 4.0);
  for (int side = 0; side < 2; side++) {
    const double u[] = {0.3, factor * (side ? 1.0 + 1e-9 : 1.0 - 1e-9), 0.5};
    const size_t found = dpp_accept(&rule, &near, candidate, drawn, u, 3, taken);
    CHECK(found == (side ? 1 : 2), "odds now over odds then, on either side of it");
  }
}

/* Odds that fall by 1e-16 again and again, where all rows are near each other. */
static void check_tiny(const executor *exec) {
  data d = data_make(ROWS_DENSE, 40, 2, 0);
  process p;
  begin(&p, exec, &d, SEARCH_ALL, 1, 40, DPP_WELSCH);
  dpp_odds *o = &p.of[0].odds;
  p.rule.sigma = 1e8;
  double log_odds[40] = {0.0}, worst = 0.0;
  int *touched = integers(40);
  for (int time = 0; time < 30; time++) {
    for (size_t c = 0; c < BLOCK; c++) points_row(&d.x, (size_t)time, &p.at, c);
    points_norms(&p.at);
    dpp_near near = lists_of(40, BLOCK);
    dpp_nearest(&p.of[0].near, &p.at, 1, doubles(BLOCK * search_list(40)), &near);
    dpp_odds_fall(o, &p.rule, &near, 0, time + 1, touched);
    for (size_t i = 0; i < 40; i++) {
      const double squared = plain_distance(&d, i, &p.at, 0);
      log_odds[i] += squared > 0.0 ? log(-expm1(-squared / 2e16)) : -INFINITY;
      const double got = log(o->sums.value[i]) + dpp_odds_exponent(o) * log(2.0);
      if (i > (size_t)time) compare(&worst, got, log_odds[i], 1.0);
    }
  }
  CHECK(worst < 1e-6, "logs of odds that become tiny are off by %g", worst);
  CHECK(dpp_odds_exponent(o) < -1000, "they are kept large enough: 2^%d", dpp_odds_exponent(o));
  for (int time = 30; time < 40; time++) {
    for (size_t c = 0; c < BLOCK; c++) points_row(&d.x, (size_t)time, &p.at, c);
    points_norms(&p.at);
    dpp_near near = lists_of(40, BLOCK);
    dpp_nearest(&p.of[0].near, &p.at, 1, doubles(BLOCK * search_list(40)), &near);
    CHECK(dpp_odds_total(o) > 0.0, "rows that are left have odds");
    dpp_odds_fall(o, &p.rule, &near, 0, time + 1, touched);
  }
  CHECK(dpp_odds_total(o) == 0.0, "no row is left");
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
        check_parts(exec, (layout)kind, SEARCH_ALL, weighted, (dpp_update)update, 150, 3, 20);
      }
      check_parts(exec, COLUMNS_DOUBLE, SEARCH_TREE, weighted, (dpp_update)update, 200, 2, 50);
      check_parts(exec, COLUMNS_INTEGER, SEARCH_TREE, weighted, (dpp_update)update, 200, 3, 1);
    }
  }
}
