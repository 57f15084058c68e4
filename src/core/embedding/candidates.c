#include "candidates.h"

#include <math.h>
#include <string.h>

#include "core/base/selection.h"

#define RATIO 1.3 /* of one step of u to the one before */
#define FIRST 0.3 /* the first, over the distance of the nearest landmark */

#define MANY 16 /* columns from which on q is made by products */
#define ROWS 64 /* of a product */

static size_t forms(const candidate_setup *all) {
  const size_t columns = all->landmarks.columns;
  if (all->spread == SPREAD_NONE) return 0;
  return all->spread == SPREAD_DIAGONAL ? columns : columns * (columns + 1) / 2;
}

static int forms_by_products(const candidate_setup *all) {
  return all->spread == SPREAD_DIAGONAL && all->landmarks.columns >= MANY;
}

size_t candidates_rows(const candidate_setup *all) { return forms_by_products(all) ? ROWS : 1; }

void candidates_layout(candidates *v, arena *memory, const candidate_setup *all) {
  const size_t ld = padded(all->n), columns = all->landmarks.columns;
  v->order = (int *)arena_take(memory, (ld + 1) / 2);
  v->step = (int *)arena_take(memory, (ld + 1) / 2);
  v->root = arena_take(memory, ld);
  v->shift = arena_take(memory, ld);
  v->moved = arena_take(memory, ld);
  v->t = arena_take(memory, columns * ld);
  v->form = arena_take(memory, forms(all) * ld);
  v->scratch = arena_take(memory, ld + columns * (forms_by_products(all) ? ROWS : columns + 1));
}

/* The inverse of the lower Cholesky factor of the mean of two covariances, over sqrt(8), so
 * that the squares of what it makes of x - t sum up to q. By rows of a triangle. */
static void inverse_factor(size_t columns, const double *a, const double *b, double *l,
                           double *inverse) {
  for (size_t i = 0; i < columns; i++) {
    double *row = l + i * (i + 1) / 2;
    for (size_t j = 0; j <= i; j++) {
      const double *other = l + j * (j + 1) / 2;
      double sum = 0.5 * (a[i * columns + j] + b[i * columns + j]);
      for (size_t k = 0; k < j; k++) sum -= row[k] * other[k];
      row[j] = i == j ? sqrt(sum) : sum / other[j];
    }
    for (size_t j = 0; j <= i; j++) {
      double sum = j == i ? 0.35355339059327379 : 0.0;
      for (size_t k = j; k < i; k++) sum -= row[k] * inverse[k * (k + 1) / 2 + j];
      inverse[i * (i + 1) / 2 + j] = sum / row[i];
    }
  }
}

/* Landmark j at place i of the order. */
static void place(candidates *v, const candidate_setup *all, size_t i, size_t j) {
  const points *t = &all->landmarks;
  const size_t columns = t->columns, ld = t->ld, count = forms(all);
  for (size_t a = 0; a < columns; a++) v->t[a * ld + i] = t->x[a * ld + j];
  v->order[i] = (int)j;
  v->moved[i] = v->shift[j];
  if (all->spread == SPREAD_DIAGONAL) {
    for (size_t a = 0; a < columns; a++) {
      const double *variance = all->covariance + a * all->n;
      v->form[a * ld + i] = 0.25 / (variance[v->home] + variance[j]);
    }
  } else if (all->spread == SPREAD_FULL) {
    const size_t size = columns * columns;
    double *l = v->scratch, *inverse = l + count;
    inverse_factor(columns, all->covariance + v->home * size, all->covariance + j * size, l,
                   inverse);
    for (size_t c = 0; c < count; c++) v->form[c * ld + i] = inverse[c];
  }
}

/* The first `count` landmarks of the order, for products. Seen from the home, where z and t are 0,
 *
 *   q = sum s (z - t)^2 = sum s z^2 + sum (-2 s t) z + sum s t^2.
 *
 * Where q is far smaller than the last term, it would have a large rounding error and is computed
 * again by differences. That happens for a row that is much nearer to another landmark than to its
 * home, relative to the variances. */
static void expand(candidates *v, const candidate_setup *all, size_t count) {
  const points *t = &all->landmarks;
  const int *restrict order = v->order;
  double *restrict moved = v->moved;
  for (size_t i = 0; i < count; i++) moved[i] = v->shift[order[i]];
  for (size_t a = 0; a < t->columns; a++) {
    const double *restrict x = t->x + a * t->ld, *restrict variance = all->covariance + a * all->n;
    double *restrict linear = v->t + a * t->ld, *restrict s = v->form + a * t->ld;
    const double z = x[v->home], own = variance[v->home];
    for (size_t i = 0; i < count; i++) {
      const double off = x[order[i]] - z;
      s[i] = 0.25 / (own + variance[order[i]]);
      linear[i] = -2.0 * s[i] * off;
      moved[i] += s[i] * off * off;
    }
  }
}

/* q of row l, seen from its home, and landmark order[i], by differences. */
static double form_of(const candidates *v, const candidate_setup *all, const points *at, size_t l,
                      size_t i) {
  const points *t = &all->landmarks;
  double sum = 0.0;
  for (size_t a = 0; a < t->columns; a++) {
    const double *x = t->x + a * t->ld;
    const double off = at->x[a * at->ld + l] - (x[v->order[i]] - x[v->home]);
    sum += v->form[a * t->ld + i] * off * off;
  }
  return sum;
}

/* d += the parts of q that depend on the rows, which are changed. */
static void multiply_forms(const candidates *v, const candidate_setup *all, points *at,
                           size_t count, double *d) {
  const points *t = &all->landmarks;
  double *restrict squares = v->scratch;
  for (size_t a = 0; a < t->columns; a++) {
    double *z = at->x + a * at->ld;
    for (size_t l = 0; l < at->count; l++) z[l] -= t->x[a * t->ld + v->home];
  }
  block_product p = {.rows = at->count,
                     .columns = count,
                     .depth = t->columns,
                     .a = at->x,
                     .a_row = 1,
                     .a_col = at->ld,
                     .b = v->t,
                     .b_row = t->ld,
                     .c = d,
                     .c_row = t->ld,
                     .accumulate = 1};
  all->variant->multiply(&p);
  for (size_t a = 0; a < t->columns; a++) {
    const double *z = at->x + a * at->ld;
    for (size_t l = 0; l < at->count; l++) squares[a * ROWS + l] = z[l] * z[l];
  }
  p.a = squares;
  p.a_col = ROWS;
  p.b = v->form;
  all->variant->multiply(&p);
  for (size_t l = 0; l < at->count; l++) {
    for (size_t i = 0; i < count; i++) {
      const double shift = v->shift[v->order[i]], last = v->moved[i] - shift;
      double *q = d + l * t->ld + i;
      if (*q - shift < CANCELLED * last) *q = shift + form_of(v, all, at, l, i);
    }
  }
}

/* d[i] += q of the first `count` places at a row. */
static void add_forms(const candidates *v, const candidate_setup *all, const double *at,
                      size_t apart, size_t count, double *restrict d) {
  const size_t columns = all->landmarks.columns, ld = all->landmarks.ld;
  for (size_t b = 0; b < columns; b++) {
    const double *restrict t = v->t + b * ld, *restrict s = v->form + b * ld;
    const double z = at[b * apart];
    if (all->spread == SPREAD_NONE) {
#pragma omp simd
      for (size_t i = 0; i < count; i++) d[i] += (z - t[i]) * (z - t[i]);
    } else if (all->spread == SPREAD_DIAGONAL) {
#pragma omp simd
      for (size_t i = 0; i < count; i++) d[i] += s[i] * ((z - t[i]) * (z - t[i]));
    } else {
      double *restrict sum = v->scratch;
      for (size_t i = 0; i < count; i++) sum[i] = 0.0;
      for (size_t a = 0; a <= b; a++) {
        const double *restrict ta = v->t + a * ld;
        const double *restrict sa = v->form + (b * (b + 1) / 2 + a) * ld;
        const double za = at[a * apart];
#pragma omp simd
        for (size_t i = 0; i < count; i++) sum[i] += sa[i] * (za - ta[i]);
      }
#pragma omp simd
      for (size_t i = 0; i < count; i++) d[i] += sum[i] * sum[i];
    }
  }
}

void candidates_begin(candidates *v, const candidate_setup *all, size_t home) {
  v->home = home;
  v->shift[home] = 0.0;
  place(v, all, 0, home);
}

double candidates_off(const candidates *v, const candidate_setup *all, const points *at, size_t l) {
  double q = 0.0;
  add_forms(v, all, at->x + l, at->ld, 1, &q);
  return sqrt(q);
}

/* q_j(home) of all landmarks, and what is added to it. */
static void measure_home(candidates *v, const candidate_setup *all) {
  const points *t = &all->landmarks;
  const size_t columns = t->columns, ld = t->ld, home = v->home;
  memset(v->root, 0, ld * sizeof *v->root);
  for (size_t a = 0; a < columns; a++) {
    const double *restrict x = t->x + a * ld;
    const double z = x[home];
    if (all->spread == SPREAD_NONE) {
#pragma omp simd
      for (size_t j = 0; j < all->n; j++) v->root[j] += (z - x[j]) * (z - x[j]);
    } else if (all->spread == SPREAD_DIAGONAL) {
      const double *restrict variance = all->covariance + a * all->n;
      const double own = variance[home];
#pragma omp simd
      for (size_t j = 0; j < all->n; j++) {
        v->root[j] += (z - x[j]) * (z - x[j]) * 0.25 / (own + variance[j]);
      }
    }
  }
  for (size_t j = 0; all->spread == SPREAD_FULL && j < all->n; j++) {
    const size_t size = columns * columns;
    double *l = v->scratch, *inverse = l + forms(all);
    inverse_factor(columns, all->covariance + home * size, all->covariance + j * size, l, inverse);
    for (size_t b = 0; b < columns; b++) {
      double sum = 0.0;
      for (size_t a = 0; a <= b; a++) {
        sum += inverse[b * (b + 1) / 2 + a] * (t->x[a * ld + home] - t->x[a * ld + j]);
      }
      v->root[j] += sum * sum;
    }
  }
  for (size_t j = 0; j < all->n; j++) {
    v->shift[j] = all->between ? all->between[home * all->n + j] : 0.0;
    v->root[j] = sqrt(v->root[j]);
  }
}

/* A bound of the (neighbors + 1)-th smallest distance at u, from the landmarks joined to home. */
static double bound_at(const candidates *v, const candidate_setup *all, double su, double *some) {
  const size_t from = (size_t)all->start[v->home], count = (size_t)all->start[v->home + 1] - from;
  if (count < all->neighbors) return INFINITY;
  some[0] = su * su;
  for (size_t i = 0; i < count; i++) {
    const size_t j = (size_t)all->joined[from + i];
    const double far = v->root[j] + su;
    some[i + 1] = v->shift[j] + far * far;
  }
  return kth_smallest(some, count + 1, all->neighbors + 1);
}

/* Steps of u, as multiples of the distance of the landmark nearest to home. They do not depend on
 * the rows, and neither does any result. The last step is infinite. */
static void set_steps(candidates *v, const candidate_setup *all) {
  double least = INFINITY;
  for (size_t j = 0; j < all->n; j++) {
    if (v->root[j] > 0.0 && v->root[j] < least) least = v->root[j];
  }
  v->u[0] = FIRST * least;
  for (int k = 1; k < CANDIDATE_STEPS; k++) v->u[k] = RATIO * v->u[k - 1];
  v->u[CANDIDATE_STEPS - 1] = INFINITY;
}

static int step_of(const candidates *v, double u) {
  int k = 0;
  while (v->u[k] < u) k++;
  return k;
}

/* The step at which each landmark becomes a candidate. */
static void find_steps(candidates *v, const candidate_setup *all) {
  const double stretch = all->spread == SPREAD_NONE ? 1.0 : 1.4142135623730951;
  double su[CANDIDATE_STEPS], bound[CANDIDATE_STEPS];
  for (int k = 0; k < CANDIDATE_STEPS - 1; k++) {
    /* A margin for rounding. */
    su[k] = stretch * v->u[k] * (1.0 + 1e-9);
    bound[k] = loosened(loosened(bound_at(v, all, su[k], v->scratch)));
  }
  for (size_t j = 0; j < all->n; j++) {
    const double knn_radius = loosened(loosened(all->knn_radius[j]));
    int k = 0;
    for (; k < CANDIDATE_STEPS - 1; k++) {
      const double near = v->root[j] > su[k] ? v->root[j] - su[k] : 0.0;
      const double least = v->shift[j] + near * near;
      if (least <= knn_radius || least <= bound[k]) break;
    }
    v->step[j] = j == v->home ? 0 : k;
  }
}

void candidates_reach(candidates *v, const candidate_setup *all, double farthest) {
  measure_home(v, all);
  set_steps(v, all);
  find_steps(v, all);
  size_t at[CANDIDATE_STEPS] = {0}, sum = 0;
  for (size_t j = 0; j < all->n; j++) at[v->step[j]]++;
  for (int k = 0; k < CANDIDATE_STEPS; k++) {
    const size_t count = at[k];
    at[k] = sum;
    sum += count;
    v->within[k] = sum;
  }
  v->order[at[0]++] = (int)v->home;
  for (size_t j = 0; j < all->n; j++) {
    if (j != v->home) v->order[at[v->step[j]]++] = (int)j;
  }
  const size_t count = v->within[step_of(v, farthest)];
  if (forms_by_products(all)) {
    expand(v, all, count);
  } else {
    for (size_t i = 0; i < count; i++) place(v, all, i, (size_t)v->order[i]);
  }
}

void candidates_distances(const candidates *v, const candidate_setup *all, points *at,
                          const double *u, double *d, size_t *within) {
  const size_t ld = all->landmarks.ld;
  size_t most = 0;
  for (size_t l = 0; l < at->count; l++) {
    within[l] = v->within[step_of(v, u[l])];
    if (within[l] > most) most = within[l];
  }
  for (size_t l = 0; l < at->count; l++) {
    memcpy(d + l * ld, v->moved, most * sizeof *d);
    if (!forms_by_products(all)) add_forms(v, all, at->x + l, at->ld, within[l], d + l * ld);
  }
  if (forms_by_products(all)) multiply_forms(v, all, at, most, d);
}
