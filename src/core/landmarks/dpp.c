#include "dpp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HALF_PI 1.5707963267948966
#define LISTS ((size_t)1 << 26) /* doubles of all candidates' neighbours: 512 MB */
#define LEAST 1e-290            /* of a factor, and of a sum of odds: */
#define SMALL 1e-100

void dpp_layout(dpp *p, arena *memory, const executor *exec, const observations *x, size_t m,
                search_kind kind) {
  p->x = x;
  p->m = m;
  p->block = LISTS / search_list(m + 1);
  if (p->block > DPP_CANDIDATES) p->block = DPP_CANDIDATES;
  if (p->block < 4) p->block = 4;
  search_layout(&p->near, memory, exec, x, kind, p->block);
  sum_tree_layout(&p->odds, memory, x->rows);
  p->lists = arena_take(memory, p->block * search_list(m + 1));
  p->drawn = arena_take(memory, DPP_CANDIDATES);
  p->row = (int *)arena_take(memory, DPP_CANDIDATES);
  p->touched = (int *)arena_take(memory, (m + 2) / 2);
  double *at = arena_take(memory, points_size(DPP_CANDIDATES, x->columns));
  if (memory->base) p->at = points_on(at, DPP_CANDIDATES, x->columns);
}

void dpp_start(dpp *p) {
  search_build(&p->near);
  for (size_t k = 0; k < p->block; k++) p->drawn[k] = 0.0;
  for (size_t i = 0; i < p->x->rows; i++) p->odds.value[i] = p->x->weight ? p->x->weight[i] : 1.0;
  sum_tree_build(&p->odds);
}

double dpp_left(const dpp *p) { return sum_tree_total(&p->odds); }

void dpp_search(dpp *p) { search_nearest(&p->near, &p->at, p->m + 1, p->lists); }

void dpp_propose(dpp *p, size_t count, const double *uniform) {
  p->at.count = count;
  for (size_t k = 0; k < count; k++) {
    const size_t row = sum_tree_find(&p->odds, uniform[k]);
    p->row[k] = (int)row;
    p->drawn[k] = p->odds.value[row];
    points_row(p->x, row, &p->at, k);
  }
  points_norms(&p->at);
  dpp_search(p);
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double dpp_scale(const dpp *p) {
  double farthest[DPP_CANDIDATES];
  const size_t count = p->at.count;
  for (size_t k = 0; k < count; k++) {
    const neighbor *list = search_of(p->lists, p->m + 1, k);
    farthest[k] = 0.0;
    for (size_t i = 0; i <= p->m; i++) farthest[k] = fmax(farthest[k], list[i].squared);
  }
  qsort(farthest, count, sizeof *farthest, ascending);
  /* Where most neighbourhoods are of rows that repeat each other, the largest. */
  const double squared = farthest[count / 2] > 0.0 ? farthest[count / 2] : farthest[count - 1];
  if (!(squared > 0.0)) return 1.0;
  return 2.0 * sqrt(squared);
}

/* 0 only where the rows are the same: it must not be so by underflow. */
static double weakening(const dpp *p, double squared) {
  if (squared == 0.0) return 0.0;
  const double u = sqrt(squared) / p->sigma;
  double f = 1.0;
  if (p->update == DPP_WELSCH) {
    f = -expm1(-0.5 * u * u);
  } else if (u < HALF_PI) {
    f = sin(u) * sin(u);
  }
  return f > LEAST ? f : LEAST;
}

/* By a power of two, exactly; the odds that candidates were drawn by go with them. */
static void enlarge(dpp *p) {
  int exponent;
  frexp(dpp_left(p), &exponent);
  for (size_t i = 0; i < p->x->rows; i++) p->odds.value[i] = ldexp(p->odds.value[i], -exponent);
  for (size_t k = 0; k < p->block; k++) p->drawn[k] = ldexp(p->drawn[k], -exponent);
  sum_tree_build(&p->odds);
}

void dpp_neighbors(const dpp *p, size_t k, int *row) {
  const neighbor *list = search_of(p->lists, p->m + 1, k);
  for (size_t i = 0; i <= p->m; i++) row[i] = list[i].row;
}

void dpp_repel(dpp *p, size_t k) {
  const neighbor *list = search_of(p->lists, p->m + 1, k);
  for (size_t i = 0; i <= p->m; i++) {
    p->odds.value[list[i].row] *= weakening(p, list[i].squared);
    p->touched[i] = list[i].row;
  }
  sum_tree_update(&p->odds, p->touched, p->m + 1);
  if (dpp_left(p) > 0.0 && dpp_left(p) < SMALL) enlarge(p);
}

int dpp_take(dpp *p, size_t k, double uniform) {
  const int row = p->row[k];
  if (!(uniform * p->drawn[k] < p->odds.value[row])) return 0;
  dpp_repel(p, k);
  /* Its own distance may have rounded to more than 0. */
  p->odds.value[row] = 0.0;
  p->touched[0] = row;
  sum_tree_update(&p->odds, p->touched, 1);
  return 1;
}
