#include "dpp.h"

#include "core/base/weight.h"

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

/* ---- neighbors of candidates ---- */

void dpp_nearest(const search *s, const points *at, int first, double *lists, dpp_near *near) {
  near->count = at->count;
  if (near->each == 0) return;
  search_nearest(s, at, near->each, lists);
  for (size_t k = 0; k < near->count; k++) {
    const neighbor *list = search_of(lists, near->each, k);
    const double rounding = points_rounding(s->x, at, k);
    for (size_t i = 0; i < near->each; i++) {
      const double squared = list[i].squared;
      near->squared[k * near->each + i] = squared > rounding ? squared : 0.0;
      near->row[k * near->each + i] = first + list[i].row;
    }
  }
}

static void offer(nearest_list *list, const dpp_near *near, size_t k) {
  for (size_t first = 0; first < near->each; first += NEAREST_RANGE) {
    const size_t left = near->each - first, at = k * near->each + first;
    nearest_offer(list, 0, left < NEAREST_RANGE ? left : NEAREST_RANGE, near->row + at,
                  near->squared + at, 1, NULL);
  }
}

void dpp_nearest_join(const dpp_near *a, const dpp_near *b, neighbor *list, dpp_near *out) {
  out->count = a->count;
  for (size_t k = 0; k < out->count && out->each > 0; k++) {
    nearest_list nearest = nearest_begin(list, out->each);
    offer(&nearest, a, k);
    offer(&nearest, b, k);
    nearest_settle(&nearest);
    for (size_t i = 0; i < out->each; i++) {
      out->squared[k * out->each + i] = list[i].squared;
      out->row[k * out->each + i] = list[i].row;
    }
  }
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double dpp_scale(const dpp_near *near) {
  double farthest[DPP_CANDIDATES];
  const size_t count = near->count;
  for (size_t k = 0; k < count; k++) {
    const double *squared = near->squared + k * near->each;
    farthest[k] = 0.0;
    for (size_t i = 0; i < near->each; i++) farthest[k] = fmax(farthest[k], squared[i]);
  }
  qsort(farthest, count, sizeof *farthest, ascending);
  /* The largest where the median is 0: most neighbors are then copies of a row. */
  const double squared = farthest[count / 2] > 0.0 ? farthest[count / 2] : farthest[count - 1];
  if (!(squared > 0.0)) return 1.0;
  return 2.0 * sqrt(squared);
}

/* The odds of candidates that come after k, which is taken. `marked` is not 0 for the rows of all
 * candidates, and for few others. */
static void weaken_later(const dpp_rule *rule, const dpp_near *near, const int *candidate, size_t k,
                         const unsigned char *marked, double *now) {
  for (size_t i = k * near->each; i < (k + 1) * near->each; i++) {
    const int row = near->row[i];
    if (!marked[row % MARKS]) continue;
    for (size_t later = k + 1; later < near->count; later++) {
      if (candidate[later] == row) now[later] *= weakening(rule, near->squared[i]);
    }
  }
  /* Its own distance may have rounded to more than 0. */
  for (size_t later = k + 1; later < near->count; later++) {
    if (candidate[later] == candidate[k]) now[later] = 0.0;
  }
}

size_t dpp_accept(const dpp_rule *rule, const dpp_near *near, const int *candidate,
                  const double *drawn, const double *uniform, size_t most, int *taken) {
  double now[DPP_CANDIDATES];
  unsigned char marked[MARKS] = {0};
  for (size_t k = 0; k < near->count; k++) {
    now[k] = drawn[k];
    marked[candidate[k] % MARKS] = 1;
  }
  size_t found = 0;
  for (size_t k = 0; k < near->count && found < most; k++) {
    if (!(uniform[k] * drawn[k] < now[k])) continue;
    weaken_later(rule, near, candidate, k, marked, now);
    taken[found++] = (int)k;
  }
  return found;
}

/* ---- odds of a part's rows ---- */

enum { EXPONENT, ROWS, FIRST, HEAD };

void dpp_odds_layout(dpp_odds *o, arena *memory, size_t rows) {
  o->head = arena_take(memory, HEAD);
  sum_tree_layout(&o->sums, memory, rows);
}

void dpp_odds_start(dpp_odds *o, int first, size_t rows, const double *weight) {
  o->first = first;
  o->head[EXPONENT] = 0.0;
  o->head[ROWS] = (double)rows;
  o->head[FIRST] = first;
  for (size_t i = 0; i < rows; i++) o->sums.value[i] = weight_of(weight, i);
  sum_tree_build(&o->sums);
}

void dpp_odds_again(dpp_odds *o, double *base) {
  arena memory = {base, 0};
  dpp_odds_layout(o, &memory, (size_t)base[ROWS]);
  o->first = (int)base[FIRST];
}

double dpp_odds_total(const dpp_odds *o) { return o->sums.n ? sum_tree_total(&o->sums) : 0.0; }

int dpp_odds_exponent(const dpp_odds *o) { return (int)o->head[EXPONENT]; }

size_t dpp_odds_find(const dpp_odds *o, double wanted) { return sum_tree_at(&o->sums, wanted); }

static void enlarge(dpp_odds *o) {
  int exponent;
  frexp(dpp_odds_total(o), &exponent);
  for (size_t i = 0; i < o->sums.n; i++) o->sums.value[i] = ldexp(o->sums.value[i], -exponent);
  o->head[EXPONENT] += exponent;
  sum_tree_build(&o->sums);
}

void dpp_odds_fall(dpp_odds *o, const dpp_rule *rule, const dpp_near *near, size_t k, int own,
                   int *touched) {
  size_t count = 0;
  for (size_t i = k * near->each; i < (k + 1) * near->each; i++) {
    const int at = near->row[i] - o->first;
    if (at < 0 || (size_t)at >= o->sums.n) continue;
    o->sums.value[at] *= weakening(rule, near->squared[i]);
    touched[count++] = at;
  }
  sum_tree_update(&o->sums, touched, count);
  const double total = dpp_odds_total(o);
  if (total > 0.0 && total < SMALL) enlarge(o);
  if (own < o->first || (size_t)(own - o->first) >= o->sums.n) return;
  const int at = own - o->first;
  /* Its own distance may have rounded to more than 0. */
  o->sums.value[at] = 0.0;
  touched[0] = at;
  sum_tree_update(&o->sums, touched, 1);
}
