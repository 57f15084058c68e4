/*
 * Eigenpairs of symmetric matrices by LAPACK. Only this file includes LAPACK's headers
 * and translates its `info` into words. The last digits of the results depend on the
 * LAPACK that R uses; this is true of no other file of the core.
 */
#ifndef LANDMARKER_LAPACK_H
#define LANDMARKER_LAPACK_H

#include "core/base/executor.h"

/* Doubles of scratch that symmetric_eigen() needs. */
size_t symmetric_eigen_scratch(size_t n);

/* Eigenpairs first, ..., first + count - 1 (from 0, in ascending order of their
 * values) of the symmetric matrix `a`, n x n, n at least 1, finite numbers, of which
 * one half is read and all is destroyed. values[count], ascending; vectors
 * n x count, each vector contiguous and of norm 1, its sign arbitrary. Returns
 * NULL, or a message. Time about (4/3) n^3 and 4 n^2 for each pair; one thread
 * unless LAPACK brings its own.
 *
 * A small matrix by dsyevr. That can fail where `count` is below n and several eigenvalues are
 * equal up to rounding, as those of a graph in several components: where first or first + count - 1
 * lies among them, LAPACK's bisection (dstebz) can find too few of them. A larger one by the parts
 * of dsyevr, between whose blocks of 32 columns this polls, and may be left. Only the eigenvectors
 * of the tridiagonal matrix come without a poll: of all n about 2 s of n = 4000, where the blocks
 * take ten times as long; of a few at once. */
const char *symmetric_eigen(const executor *exec, size_t n, double *a, size_t first, size_t count,
                            double *values, double *vectors, double *scratch);

/* All n eigenpairs, in place of `a`, of which one half is read: values[n], ascending, and column k
 * of `a` the vector of value k, of norm 1. Scratch of symmetric_eigen_scratch(n). Returns NULL, or
 * a message. By dsyev, which has no trouble with equal eigenvalues: time about 9 n^3, without
 * polling. */
const char *symmetric_eigen_all(size_t n, double *a, double *values, double *scratch);

#endif
