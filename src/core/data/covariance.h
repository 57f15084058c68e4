/*
 * The covariance of some rows: how the data lie around a point.
 */
#ifndef LANDMARKER_COVARIANCE_H
#define LANDMARKER_COVARIANCE_H

#include "observations.h"

/* What is known of how the data lie around a landmark: nothing, variances, or a covariance. */
typedef enum { SPREAD_NONE, SPREAD_DIAGONAL, SPREAD_FULL } spread_kind;

/* Doubles of scratch that local_covariance() needs. */
size_t local_covariance_scratch(const observations *x, int full);

/* Covariance, in kernel coordinates, of rows[0 .. m) (from 0) about their own
 * mean, over m - 1: their variances, `columns` doubles, or all of it, columns x
 * columns, where `full`. Rows that are all the same have exactly 0. Weights are ignored. Any
 * layout, one thread, whatever `exec` says. Time m columns (entries + columns if sparse), m
 * columns^2 if full. */
void local_covariance(const executor *exec, const observations *x, const int *rows, size_t m,
                      int full, double *scratch, double *out);

/* The same for n sets of m rows each, one behind the other, in parallel: out +
 * i * columns, or columns^2, for the i-th. Scratch for each thread. */
void local_covariances(const executor *exec, const observations *x, const int *rows, size_t m,
                       size_t n, int full, double *scratch, double *out);

#endif
