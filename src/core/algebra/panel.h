/*
 * Columns of a symmetric matrix (n x n, rows of `ld` doubles) that a greedy factorization will
 * probably take next. What the factorization so far leaves of them is computed together, by one
 * product, before any is taken: so nearly all of its work is in products.
 */
#ifndef LANDMARKER_PANEL_H
#define LANDMARKER_PANEL_H

#include "core/base/executor.h"

/* Columns in a panel, at most. */
#define PANEL 32

typedef struct {
  size_t count, column[PANEL];
  size_t used; /* how many of them were taken */
  size_t from; /* the size of the factorization that their residuals are given */
} panel;

/* The place of a column in the panel, or its count. */
size_t panel_place(const panel *p, size_t column);

/* A new panel: of the first `fixed` columns the next ones, from `next` on; then those with the
 * largest scores (ties: the first). Columns with a score below 0 are never among them. Fewer where
 * few of the last ones were taken. Time n times the size of the panel, at most. */
void panel_choose(panel *p, size_t n, size_t fixed, size_t next, const double *score);

/* residual (PANEL x ld) := the panel's columns of the matrix g. */
void panel_columns(const panel *p, size_t n, size_t ld, const double *g, double *residual);

/* residual -= sum_k by_k[column] basis_k, over `rank` rows of length n of `by` and `basis`. `share`
 * is scratch of rank x PANEL doubles. Time 2 rank n PANEL. */
void panel_subtract(const executor *exec, const panel *p, size_t n, size_t ld, size_t rank,
                    const double *by, const double *basis, double *share, double *residual);

#endif
