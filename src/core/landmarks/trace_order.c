#include "trace_order.h"

#include <math.h>
#include <string.h>

/*
 * Gram-Schmidt in the kernel's own inner product. For the k-th point taken:
 *
 *   l_k   its column of what is left of W, over the root of its pivot;
 *   y_k   the same combination of columns of C, which is never formed. Kept are
 *   c_k   = C' D y_k, and
 *   Y     = the inner products y_j' D y_k.
 *
 * What is left of column i of C is C_i - sum_k l_ki y_k.
 */
typedef struct {
  size_t n, length, wanted;
  double *l, *c;  /* wanted x length each */
  double *y;      /* wanted x wanted */
  double *left_w; /* length: what is left of each diagonal entry of W */
  double *left_c; /* length: and of each squared norm of C's columns */
  double *own;    /* wanted: inner products of the newest y with those before it */
} basis;

size_t trace_order_scratch(size_t length, size_t wanted) {
  return 2 * wanted * length + wanted * wanted + 2 * length + wanted;
}

static basis basis_on(double *scratch, size_t n, size_t length, size_t wanted) {
  basis b = {.n = n, .length = length, .wanted = wanted};
  b.l = scratch;
  b.c = b.l + wanted * length;
  b.y = b.c + wanted * length;
  b.left_w = b.y + wanted * wanted;
  b.left_c = b.left_w + length;
  b.own = b.left_c + length;
  return b;
}

/* column := (from - sum_k rows_k by[k]) / root. */
static void residual(const basis *b, size_t rank, const double *rows, const double *from,
                     size_t taken, double root, double *column) {
  memcpy(column, from, b->n * sizeof *column);
  for (size_t k = 0; k < rank; k++) {
    const double by = b->l[k * b->length + taken], *row = rows + k * b->length;
#pragma omp simd
    for (size_t i = 0; i < b->n; i++) column[i] -= by * row[i];
  }
  for (size_t i = 0; i < b->n; i++) column[i] /= root;
}

/* Point `taken` becomes the one of number `rank`. */
static void take(basis *b, size_t rank, size_t taken, const double *w, const double *g) {
  const size_t n = b->n, length = b->length;
  const double root = sqrt(b->left_w[taken]);
  double *l = b->l + rank * length, *c = b->c + rank * length;
  residual(b, rank, b->l, w + taken * length, taken, root, l);
  residual(b, rank, b->c, g + taken * length, taken, root, c);
  double all = c[taken];
  for (size_t k = 0; k < rank; k++) {
    double sum = b->c[k * length + taken];
    for (size_t j = 0; j < rank; j++) sum -= b->y[k * b->wanted + j] * b->l[j * length + taken];
    b->own[k] = sum / root;
    b->y[k * b->wanted + rank] = b->y[rank * b->wanted + k] = b->own[k];
  }
  for (size_t k = 0; k < rank; k++) all -= b->l[k * length + taken] * b->own[k];
  all /= root;
  b->y[rank * b->wanted + rank] = all;
  for (size_t i = 0; i < n; i++) {
    double with = c[i];
    for (size_t k = 0; k < rank; k++) with -= b->l[k * length + i] * b->own[k];
    b->left_c[i] += l[i] * (l[i] * all - 2.0 * with);
    b->left_w[i] -= l[i] * l[i];
  }
}

size_t trace_order(const executor *exec, size_t n, size_t length, size_t held, size_t wanted,
                   double floor, const double *w, const double *g, double *scratch, size_t *order,
                   double *gain) {
  double done = 0.0;
  basis b = basis_on(scratch, n, length, wanted);
  for (size_t i = 0; i < n; i++) {
    b.left_w[i] = w[i * length + i];
    b.left_c[i] = g[i * length + i];
  }
  size_t rank = 0;
  for (size_t k = 0; k < wanted; k++) {
    size_t taken = k;
    double best = -1.0;
    for (size_t i = k < held ? k : held; i < (k < held ? k + 1 : n); i++) {
      /* Points that are taken leave 0. */
      if (!(b.left_w[i] > floor * w[i * length + i])) continue;
      const double here = b.left_c[i] > 0.0 ? b.left_c[i] / b.left_w[i] : 0.0;
      if (here > best) {
        best = here;
        taken = i;
      }
    }
    if (best < 0.0 && k >= held) return k;
    order[k] = taken;
    gain[k] = best > 0.0 ? best : 0.0;
    poll_by_work(exec, 6.0 * (double)n * (double)(rank + 1), &done);
    if (best >= 0.0) take(&b, rank++, taken, w, g);
    b.left_w[taken] = 0.0;
  }
  return wanted;
}
