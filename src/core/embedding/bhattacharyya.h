/*
 * Bhattacharyya distances between Gaussians,
 *
 *   B_ij = (1/8) (t_i - t_j)' C^-1 (t_i - t_j) + (1/2) log(|C| / sqrt(|C_i| |C_j|)),
 *
 * where C = (C_i + C_j) / 2. It replaces a squared distance: for C_i = C_j =
 * s^2 I it is ||t_i - t_j||^2 / (8 s^2).
 */
#ifndef LANDMARKER_BHATTACHARYYA_H
#define LANDMARKER_BHATTACHARYYA_H

#include "core/base/arena.h"
#include "core/base/executor.h"

typedef struct {
  const executor *exec;
  size_t n, columns;
  int full;
  double *t;          /* n x padded(columns), to be filled by the caller */
  double *covariance; /* the same of variances; or each C_i by rows of `columns`, if full */
  double *half;       /* n x padded(columns): 1 / (2 variance); or n times log |C_i| */
  double *scratch;    /* for each thread, if full */
} bhattacharyya;

void bhattacharyya_layout(bhattacharyya *b, arena *memory, const executor *exec, size_t n,
                          size_t columns, int full);

/* Writes all n x n distances to `out`, symmetric, 0 on the diagonal. Returns n, or the
 * first i whose C_i is not positive definite; then no distance is computed. Time n^2
 * columns, or n^2 columns^3 / 6 if full. */
size_t bhattacharyya_distances(bhattacharyya *b, double *out);

#endif
