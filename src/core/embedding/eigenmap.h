/*
 * Laplacian eigenmaps (Belkin and Niyogi, 2003; Wachinger and Golland, 2015, eq. 8) of a
 * graph whose vertices are each their own neighbor with a weight of their own: with O the diagonal
 * matrix of these, K = W + O, and D the diagonal of K's row sums,
 *
 *   (D - K) y = lambda D y,
 *
 * for the smallest lambda, except the first, which is 0 with y constant.
 *
 * With alpha above 0 the density of the vertices is divided out (Coifman and Lafon, 2006): with q
 * the row sums of W + O, K is K_ij = (W + O)_ij / (q_i q_j)^alpha.
 */
#ifndef LANDMARKER_EIGENMAP_H
#define LANDMARKER_EIGENMAP_H

#include "core/base/arena.h"
#include "core/base/executor.h"

typedef struct {
  const executor *exec;
  size_t n, dims;    /* 0 < dims < n */
  const int *start;  /* W, compressed, symmetric, no diagonal: n + 1, */
  const int *joined; /* from 0, */
  const double *weight;
  const double *own; /* the diagonal of O: n, at least 0, and above 0 where a vertex has no other */
  double alpha;      /* from 0 to 1 */
  double *mass;      /* q^-alpha */
  double *matrix, *degree, *vectors, *values, *scratch;
} eigenmap;

/* n^2 + n (dims + 82) doubles. The executor, n, dims, W, O and alpha are set before. */
void eigenmap_layout(eigenmap *m, arena *memory);

/* lambda[dims], ascending, and y, dims columns of n, each with mean 0 and variance 1 when
 * vertex i counts D_i / sum(D), the largest of its entries (by size) above 0; of several
 * within a millionth of the largest, the first. Where the graph is in p
 * components p - 1 lambdas are 0. Returns NULL, or what LAPACK says. Time (4/3) n^3.
 * Polls, except where LAPACK cannot find the last pairs alone. */
const char *eigenmap_solve(eigenmap *m, double *lambda, double *y);

#endif
