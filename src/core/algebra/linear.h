/*
 * The small dense linear algebra around the kernel matrix of the landmarks,
 * G = Phi' D Phi (n x n): built on the products, so that it is quick and gives
 * the same bits on every BLAS. Each polls between blocks of its work, and may be left there.
 *
 * Square matrices are stored by rows with row length padded(n); the factor is
 * upper triangular, G = R'R, so that every inner loop runs along a row.
 */
#ifndef LANDMARKER_LINEAR_H
#define LANDMARKER_LINEAR_H

#include "core/base/executor.h"
#include "matrix.h"
#include "products.h"

/* C = Phi' Psi (n x n), both rows x n; only where
 * Psi = D Phi, so that C is symmetric: half is computed, half is mirrored.
 * `accumulate` adds to the lower half, mirroring after it. Time rows n^2. */
void syrk(const executor *exec, matrix phi, matrix psi, int accumulate, matrix c);

/* C (rows x m) (+)= A (rows x depth) B (depth x m), row tiles in parallel; C -= A B where
 * `accumulate` is -1. Rows of B are read in whole vectors (products.h). Time rows m depth. */
void gemm_nn(const executor *exec, matrix a, matrix b, int accumulate, matrix c);

/* C (n x m) (+)= A' B, A rows x n, B rows x m, likewise. Time rows n m. */
void gemm_tn(const executor *exec, matrix a, matrix b, int accumulate, matrix c);

/* C = A' B of two matrices in single precision. */
void gemm_tn_single(const executor *exec, single_matrix a, single_matrix b, matrix c);

/* Columns [from, n) of the Cholesky factor R of G, in place of them in `r`,
 * whose columns [0, from) are already factored; the lower half is not read, and
 * undefined afterwards. Returns n, or the index of the first pivot that is not above
 * `floor` times its diagonal entry of G: from there on `r` is undefined. Where
 * `skip`, a column that depends on those before it gets an infinite pivot instead, and every
 * solve gives it 0. Time at most n^2 (n - from). */
size_t cholesky(const executor *exec, size_t n, size_t ld, size_t from, double floor, int skip,
                double *r);

/* X (n x m) := R'^-1 X, or (R'R)^-1 X where `both`, R n x n. Rows
 * of X before `zero` are known to be zero. Time n^2 m, twice that for both. */
void potrs(const executor *exec, matrix r, int both, size_t zero, matrix x);

/* X (n x m) := R^-1 X, the second half of that alone. Time n^2 m. */
void cholesky_solve_back(const executor *exec, matrix r, matrix x);

/* log det G = 2 sum log R_kk. */
double cholesky_log_det(size_t n, size_t ld, const double *r);

#endif
