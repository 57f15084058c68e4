#include "dpp.h"

#include "core/base/weight.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HALF_PI 1.5707963267948966
#define LISTS ((size_t)1 << 26) /* doubles of all candidates' neighbors: 512 MB */
#define LEAST 1e-290            /* of a factor, and of a sum of odds: */
#define SMALL 1e-100
#define MARKS 512

size_t dpp_block(size_t each) {
  const size_t block = LISTS / search_list(each);
  if (block < 4) return 4;
  return block < DPP_CANDIDATES ? block : DPP_CANDIDATES;
}

void dpp_layout(dpp *d, arena *memory, const executor *exec, const observations *x,
                search_kind kind, size_t each) {
  d->exec = exec;
  d->x = x;
  d->each = each;
  d->block = dpp_block(each);
  search_layout(&d->search, memory, exec, x, kind, DPP_CANDIDATES);
  sum_tree_layout(&d->odds, memory, x->rows);
  double *at = arena_take(memory, points_size(DPP_CANDIDATES, x->columns));
  if (memory->base) d->at = points_on(at, DPP_CANDIDATES, x->columns);
  d->squared = arena_take(memory, each * d->block);
  d->near = (int *)arena_take(memory, arena_doubles(each * d->block * sizeof(int)));
  d->lists = arena_take(memory, d->block * search_list(each));
  d->apart = arena_take(memory, NEAREST_RANGE * padded(DPP_CANDIDATES));
  d->scratch = arena_take(memory, features_scratch(exec, x));
  d->touched = (int *)arena_take(memory, arena_doubles(each * sizeof(int)));
}

void dpp_start(dpp *d) {
  for (size_t i = 0; i < d->x->rows; i++) d->odds.value[i] = weight_of(d->x->weight, i);
  sum_tree_build(&d->odds);
  search_build(&d->search);
}

/* ---- candidates and their neighbors ---- */

/* So many candidates, which are to be filled in. */
static void begin_block(dpp *d, size_t count) {
  d->at = points_on(d->at.x, DPP_CANDIDATES, d->x->columns);
  d->at.count = count;
}

static void look_around(dpp *d) {
  search_nearest(&d->search, &d->at, d->each, d->lists);
  for (size_t k = 0; k < d->at.count; k++) {
    const neighbor *list = search_of(d->lists, d->each, k);
    const double rounding = points_rounding(d->x, &d->at, k);
    d->full[k] = 1;
    for (size_t i = 0; i < d->each; i++) {
      const int is_equal = !(list[i].squared > rounding);
      d->squared[k * d->each + i] = is_equal ? 0.0 : list[i].squared;
      d->near[k * d->each + i] = list[i].row;
      d->full[k] &= (unsigned char)is_equal;
    }
  }
  poll_user(d->exec);
}

void dpp_propose(dpp *d, const double *uniform, size_t count) {
  const double total = sum_tree_total(&d->odds);
  begin_block(d, count);
  for (size_t k = 0; k < count; k++) {
    const size_t row = sum_tree_at(&d->odds, uniform[k] * total);
    d->row[k] = (int)row;
    d->drawn[k] = d->odds.value[row];
    points_row(d->x, row, &d->at, k);
  }
  points_norms(&d->at);
  look_around(d);
}

/* Landmarks that are fixed as candidates. */
static void hold(dpp *d, const points *fixed, size_t first, size_t count) {
  begin_block(d, count);
  points_copy(fixed, first, &d->at);
  for (size_t k = 0; k < count; k++) d->row[k] = -1;
  look_around(d);
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double dpp_scale(const dpp *d) {
  double farthest[DPP_CANDIDATES];
  const size_t count = d->at.count;
  for (size_t k = 0; k < count; k++) {
    const double *squared = d->squared + k * d->each;
    farthest[k] = 0.0;
    for (size_t i = 0; i < d->each; i++) farthest[k] = fmax(farthest[k], squared[i]);
  }
  qsort(farthest, count, sizeof *farthest, ascending);
  /* The largest where the median is 0: most neighbors are then copies of a row. */
  const double squared = farthest[count / 2] > 0.0 ? farthest[count / 2] : farthest[count - 1];
  if (!(squared > 0.0)) return 1.0;
  return 2.0 * sqrt(squared);
}

/* ---- which are taken ---- */

/* 0 only where the rows are the same: it must not be so by underflow. */
static double weakening(const dpp_rule *rule, double squared) {
  if (squared == 0.0) return 0.0;
  const double u = sqrt(squared) / rule->sigma;
  double f = 1.0;
  if (rule->update == DPP_WELSCH) {
    f = -expm1(-0.5 * u * u);
  } else if (u < HALF_PI) {
    f = sin(u) * sin(u);
  }
  return f > LEAST ? f : LEAST;
}

/* Whether two candidates are equal, but for rounding. */
static int are_equal(const dpp *d, size_t k, size_t other) {
  double sum = 0.0;
  for (size_t j = 0; j < d->at.columns; j++) {
    const double *x = d->at.x + j * d->at.ld, apart = x[k] - x[other];
    sum += apart * apart;
  }
  return sum <= points_rounding(d->x, &d->at, k);
}

/* The odds of candidates that come after k, which is taken. `marked` is not 0 for the rows of all
 * candidates, and for few others. */
static void weaken_later(const dpp *d, size_t k, const unsigned char *marked, double *now) {
  for (size_t i = k * d->each; i < (k + 1) * d->each; i++) {
    const int row = d->near[i];
    if (!marked[row % MARKS]) continue;
    for (size_t later = k + 1; later < d->at.count; later++) {
      if (d->row[later] == row) now[later] *= weakening(&d->rule, d->squared[i]);
    }
  }
  for (size_t later = k + 1; later < d->at.count; later++) {
    /* Its own distance may have rounded to more than 0. */
    if (d->row[later] == d->row[k] || (d->full[k] && are_equal(d, k, later))) now[later] = 0.0;
  }
}

size_t dpp_accept(const dpp *d, const double *uniform, size_t most, int *taken) {
  double now[DPP_CANDIDATES];
  unsigned char marked[MARKS] = {0};
  for (size_t k = 0; k < d->at.count; k++) {
    now[k] = d->drawn[k];
    marked[d->row[k] % MARKS] = 1;
  }
  size_t found = 0;
  for (size_t k = 0; k < d->at.count && found < most; k++) {
    if (!(uniform[k] * d->drawn[k] < now[k])) continue;
    weaken_later(d, k, marked, now);
    taken[found++] = (int)k;
  }
  return found;
}

/* ---- what that does to the odds ---- */

/* Odds that have all become tiny are made larger by a power of two: they end by 0 and not by
 * underflow. */
static void keep_large(sum_tree *odds) {
  const double total = sum_tree_total(odds);
  if (!(total > 0.0 && total < SMALL)) return;
  int exponent;
  frexp(total, &exponent);
  for (size_t i = 0; i < odds->n; i++) odds->value[i] = ldexp(odds->value[i], -exponent);
  sum_tree_build(odds);
}

/* The odds around candidate k. */
static void fall(dpp *d, size_t k) {
  for (size_t i = 0; i < d->each; i++) {
    const int row = d->near[k * d->each + i];
    d->odds.value[row] *= weakening(&d->rule, d->squared[k * d->each + i]);
    d->touched[i] = row;
  }
  sum_tree_update(&d->odds, d->touched, d->each);
  keep_large(&d->odds);
  if (d->row[k] < 0) return;
  /* Its own distance may have rounded to more than 0. */
  d->odds.value[d->row[k]] = 0.0;
  d->touched[0] = d->row[k];
  sum_tree_update(&d->odds, d->touched, 1);
}

/* The odds of all rows that equal candidates whose lists are full, by one pass. These become the
 * first candidates. */
static void clear_equal(dpp *d, const int *taken, size_t count) {
  points *t = &d->at;
  double rounding[DPP_CANDIDATES];
  size_t full = 0;
  for (size_t k = 0; k < count; k++) {
    if (!d->full[taken[k]]) continue;
    rounding[full] = points_rounding(d->x, t, (size_t)taken[k]);
    for (size_t j = 0; j < t->columns; j++) {
      t->x[j * t->ld + full] = t->x[j * t->ld + (size_t)taken[k]];
    }
    full++;
  }
  if (full == 0) return;
  t->count = full;
  points_norms(t);
  for (size_t first = 0; first < d->x->rows; first += NEAREST_RANGE) {
    const size_t left = d->x->rows - first, rows = left < NEAREST_RANGE ? left : NEAREST_RANGE;
    features(d->exec, d->x, first, rows, t, NULL, d->scratch, d->apart, NULL);
    for (size_t i = 0; i < rows; i++) {
      for (size_t l = 0; l < full; l++) {
        if (d->apart[i * t->ld + l] <= rounding[l]) d->odds.value[first + i] = 0.0;
      }
    }
    if (first % (64 * NEAREST_RANGE) == 0) poll_user(d->exec);
  }
  sum_tree_build(&d->odds);
  keep_large(&d->odds);
}

void dpp_settle(dpp *d, const int *taken, size_t count) {
  for (size_t k = 0; k < count; k++) fall(d, (size_t)taken[k]);
  clear_equal(d, taken, count);
}

/* ---- the draws ---- */

static int is_any_left(const dpp *d) {
  const double total = sum_tree_total(&d->odds);
  return total > 0.0 && total <= DBL_MAX;
}

/* Copies the lists of candidates that are taken; returns where the next go. */
static int *copy_lists(const dpp *d, const int *taken, size_t count, int *to) {
  for (size_t k = 0; to && k < count; k++, to += d->each) {
    memcpy(to, d->near + (size_t)taken[k] * d->each, d->each * sizeof *to);
  }
  return to;
}

size_t dpp_draw(dpp *d, const points *fixed, size_t wanted, const dpp_output *out) {
  double uniform[2 * DPP_CANDIDATES];
  int taken[DPP_CANDIDATES], *near = out->near;
  if (fixed->count > 0 && !(d->rule.sigma > 0.0) && is_any_left(d)) {
    d->exec->uniform(uniform, d->block);
    dpp_propose(d, uniform, d->block);
    d->rule.sigma = dpp_scale(d);
  }
  for (size_t k = 0; k < DPP_CANDIDATES; k++) taken[k] = (int)k;
  for (size_t first = 0; first < fixed->count; first += d->block) {
    const size_t left = fixed->count - first, count = left < d->block ? left : d->block;
    hold(d, fixed, first, count);
    near = copy_lists(d, taken, count, near);
    dpp_settle(d, taken, count);
  }
  size_t found = 0, count = d->block;
  while (found < wanted && is_any_left(d)) {
    d->exec->uniform(uniform, 2 * count);
    dpp_propose(d, uniform, count);
    if (!(d->rule.sigma > 0.0)) d->rule.sigma = dpp_scale(d);
    const size_t some = dpp_accept(d, uniform + count, wanted - found, taken);
    for (size_t k = 0; k < some; k++) out->row[found + k] = d->row[taken[k]];
    near = copy_lists(d, taken, some, near);
    dpp_settle(d, taken, some);
    found += some;
    if (out->progress) out->progress(out->context, some);
    /* The next block is larger where all candidates were taken, smaller where most were not. */
    if (some == count && 2 * count <= d->block) {
      count *= 2;
    } else if (2 * some < count && count > 1) {
      count /= 2;
    }
  }
  return found;
}
