#include "dpp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HALF_PI 1.5707963267948966

void dpp_layout(dpp *p, arena *memory, const executor *exec, const observations *x, size_t m,
                search_kind kind) {
  p->x = x;
  p->m = m;
  search_layout(&p->near, memory, exec, x, kind, DPP_CANDIDATES);
  sum_tree_layout(&p->odds, memory, x->rows);
  p->lists = arena_take(memory, DPP_CANDIDATES * search_list(m + 1));
  p->drawn = arena_take(memory, DPP_CANDIDATES);
  p->row = (int *)arena_take(memory, DPP_CANDIDATES);
  p->touched = (int *)arena_take(memory, (m + 2) / 2);
  double *at = arena_take(memory, points_size(DPP_CANDIDATES, x->columns));
  if (memory->base) p->at = points_on(at, DPP_CANDIDATES, x->columns);
}

void dpp_start(dpp *p) {
  search_build(&p->near);
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

static double weakening(const dpp *p, double squared) {
  if (p->update == DPP_WELSCH) return -expm1(-squared / (2.0 * p->sigma * p->sigma));
  const double angle = sqrt(squared) / p->sigma;
  if (!(angle < HALF_PI)) return 1.0;
  const double s = sin(angle);
  return s * s;
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
