#include "kernel_factor.h"

#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/algebra/pivoted_order.h"
#include "core/algebra/products.h"
#include "core/base/tolerance.h"

void kernel_factor_layout(kernel_factor *f, arena *memory, size_t n, size_t columns) {
  const size_t ld = padded(n);
  double *on = arena_take(memory, points_size(n, columns));
  f->order = (size_t *)arena_take(memory, n);
  f->basis = arena_take(memory, pivoted_order_scratch(ld, n));
  f->w = arena_take(memory, n * ld);
  f->pivot = arena_take(memory, n);
  f->taken = (size_t *)arena_take(memory, n);
  if (memory->base) f->t = points_on(on, n, columns);
}

void kernel_factor_make(const executor *exec, const radial_kernel *k, size_t fixed, double floor,
                        kernel_factor *f) {
  const size_t n = f->t.count, ld = padded(n);
  f->rank = 0;
  if (n == 0) return;
  points_kernel(exec, &f->t, &f->t, k, f->w, ld);
  const order_rule rule = {n, ld, fixed, n, floor};
  const size_t found = pivoted_order(exec, &rule, f->w, f->basis, f->taken, f->pivot);
  for (size_t i = 0; i < n; i++) f->order[i] = n;
  for (size_t k = 0; k < found; k++) {
    if (f->pivot[k] > 0.0) f->order[f->rank++] = f->taken[k];
  }
  /* Here w is read no more: its first row marks those that are in the order. */
  memset(f->w, 0, n * sizeof *f->w);
  for (size_t k = 0; k < f->rank; k++) f->w[f->order[k]] = 1.0;
  for (size_t i = 0, k = f->rank; i < n; i++) {
    if (f->w[i] == 0.0) f->order[k++] = i;
  }
}

void kernel_factor_sorted(const kernel_factor *f, points *t, triangular *root) {
  const size_t n = f->t.count, ld = f->t.ld;
  for (size_t j = 0; j < t->columns; j++) {
    for (size_t k = 0; k < n; k++) t->x[j * ld + k] = f->t.x[j * ld + f->order[k]];
  }
  points_norms(t);
  for (size_t k = 0; k < f->rank; k++) {
    for (size_t m = k; m < f->rank; m++) {
      root->upper[k * root->ld + m] = f->basis[k * ld + f->order[m]];
    }
  }
  triangular_prepare(root);
}

void landmark_order_layout(landmark_order *o, arena *memory, const executor *exec,
                           const kernel_factor *f) {
  const size_t n = f->t.count, ld = f->t.ld, rank = f->rank;
  greedy_layout(&o->trace, memory, exec, n, rank, 1);
  greedy_layout(&o->volume, memory, exec, n, rank, 0);
  o->c = arena_take(memory, rank * padded(rank));
  o->p = arena_take(memory, rank * ld);
  o->cp = arena_take(memory, rank * ld);
  o->order = (size_t *)arena_take(memory, n);
}

/* C, the upper triangle of A = C'C, with zeros below; a coordinate that depends on those before it
 * has a row of zeros. */
static void root_of_sums(const executor *exec, size_t rank, double *c) {
  const size_t ld = padded(rank);
  cholesky(exec, rank, ld, 0, DEPENDENT_SUM, 1, c);
  for (size_t k = 0; k < rank; k++) {
    for (size_t i = 0; i < k; i++) c[k * ld + i] = 0.0;
    if (!isfinite(c[k * ld + k])) c[k * ld + k] = 0.0;
  }
}

/* Vectors, the columns of `from`, in some order. */
static void columns_in_order(const greedy *g, const double *from, const size_t *order, double *to) {
  for (size_t j = 0; j < g->rank; j++) {
    for (size_t k = 0; k < g->n; k++) to[j * g->ld + k] = from[j * g->ld + order[k]];
    for (size_t k = g->n; k < g->ld; k++) to[j * g->ld + k] = 0.0;
  }
}

size_t landmark_order_make(const executor *exec, const kernel_factor *f, size_t fixed,
                           int by_volume, landmark_order *o) {
  const size_t n = f->t.count, ld = f->t.ld, rank = f->rank;
  root_of_sums(exec, rank, o->c);
  /* Before a landmark's own pivot the factor has no numbers of it, but what elimination left. */
  memset(o->p, 0, rank * ld * sizeof *o->p);
  for (size_t k = 0; k < rank; k++) {
    for (size_t m = k; m < rank; m++) {
      o->p[k * ld + f->order[m]] = f->basis[k * ld + f->order[m]];
    }
    /* Those that depend on others may come before these, if they are fixed. */
    for (size_t m = rank; m < n; m++) {
      if (f->order[m] < fixed) o->p[k * ld + f->order[m]] = f->basis[k * ld + f->order[m]];
    }
  }
  memset(o->cp, 0, rank * ld * sizeof *o->cp);
  gemm_nn(exec, matrix_on(o->c, rank, rank, padded(rank)), matrix_on(o->p, rank, n, ld), 0,
          matrix_on(o->cp, rank, n, ld));
  for (size_t k = 0; k < n; k++) o->order[k] = k;
  /* The criterion gives the order, and in this order the other gives its numbers. */
  /* If nothing is to be chosen, each is judged as the kernel's pivot that it has in this order. */
  const double floor = fixed < n ? 0.0 : DEPENDENT_KERNEL;
  greedy *both[2] = {by_volume ? &o->volume : &o->trace, by_volume ? &o->trace : &o->volume};
  size_t found = n;
  for (int pass = 0; pass < 2; pass++) {
    greedy *g = both[pass];
    g->n = found;
    columns_in_order(g, g->y ? o->p : o->cp, o->order, g->x);
    if (g->y) columns_in_order(g, o->cp, o->order, g->y);
    const size_t taken = greedy_order(g, pass ? found : fixed, g->y ? floor : DEPENDENT_VECTOR);
    if (pass) break;
    found = taken;
    memcpy(o->order, g->order, found * sizeof *o->order);
  }
  for (size_t k = 0; k < fixed; k++) {
    if (o->trace.gain[k] == 0.0) o->volume.gain[k] = 0.0;
  }
  return found;
}
