/*
 * The variance that the Gaussian process has left at new points, given the
 * landmarks,
 *
 *   V_n(z) = (1/N) || (I - P) D^1/2 phi(z) ||^2,
 *
 * Liang and Paisley (2015), eq. 7 over N. It comes from inner products of
 * features, which are sums over the rows that the kernel is made of: one pass
 * in ranges, never N x n, and sums of several parts of the rows add up.
 */
#ifndef LANDMARKER_POSTERIOR_H
#define LANDMARKER_POSTERIOR_H

#include "core/data/row_pass.h"

typedef struct {
  row_pass row_pass; /* fixed: the landmarks; moving: the new points */
  points landmarks;  /* to be filled, norms computed */
  points at;         /* likewise */
  double *g, *cross; /* the sums: n x padded(n); n x padded(points) */
  double *prior;     /* points: N k(z, z) */
} posterior;

/* Memory O(range (n + points + columns) + n (n + points)). */
void posterior_layout(posterior *p, arena *memory, const executor *exec, const observations *x,
                      radial_kernel k, size_t landmarks, size_t count);

/* p->g = Phi' D Phi, p->cross = Phi' D Psi and p->prior = diag(Psi' D Psi), Phi the features of
 * the landmarks and Psi those of the points. Time rows * (n + points) * columns. */
void posterior_sums(posterior *p);

/* Of such sums over `rows` rows in all (n x padded(n); n x padded(points); points): prior[z]
 * becomes k(z, z), and explained[k * points + z] what landmark k, in order, takes from it: V_n(z) =
 * prior[z] - sum_k explained[k, z]. A landmark whose features depend on those before it takes
 * nothing. `g` and `cross` are overwritten. Time n^2 (n + points). */
void posterior_variance(const executor *exec, size_t n, size_t count, size_t rows, double *g,
                        double *cross, double *prior, double *explained);

#endif
