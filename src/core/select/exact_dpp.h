/*
 * Exact draws from a determinantal point process over rows: sets S with
 *
 *   P(S) = det(L_S) / sum_S' det(L_S'),     L_ij = q_i q_j k(x_i, x_j),
 *
 * q_i^2 the weight of a row, k a Gaussian of distances. First some eigenvectors
 * of L are drawn by their eigenvalues: each for itself (a random number of
 * rows), or of all sets of one size (a k-DPP), the chance of a set being the
 * product of its eigenvalues. Then as many rows are drawn from the projection on
 * those vectors (Kulesza and Taskar, 2012; Algorithm 1 of Wachinger and Golland,
 * 2015). All chance comes from uniforms in (0, 1): of the executor in exact_dpp_draw(), and given
 * to each of its steps.
 */
#ifndef LANDMARKER_EXACT_DPP_H
#define LANDMARKER_EXACT_DPP_H

#include "core/base/arena.h"
#include "core/data/features.h"

typedef struct {
  const executor *exec;
  const observations *x; /* in a ROWS layout, every weight above 0 */
  radial_kernel radial;  /* k = exp(-distance^2 / bandwidth) */
  points fixed;          /* the draw is conditional on these: to be filled, norms computed */
  points block;          /* some of the rows as points */
  double *some;          /* distances of the one or the other */
  double *own, *cross;   /* the kernel of the fixed; of the fixed by rows, whitened */
  double *kernel;        /* rows x rows, L in its lower half; scratch once decomposed */
  double *vector;        /* rows x rows: eigenvectors, each contiguous */
  double *log_value;     /* logs of eigenvalues, ascending */
  double *scratch;       /* LAPACK's */
  double *left, *column; /* of each row: its chance to be drawn next; one step's part of it */
  double *uniform;       /* rows of each of these three */
  size_t *pair;          /* the eigenpairs drawn */
  int *row;              /* size: the rows drawn, from 0 */
  size_t size, empty;    /* draws of a random size that had no row, before this one */
  size_t first, rank;    /* eigenvalues first, ..., first + rank - 1 = rows - 1 are above 0 */
} exact_dpp;

/* Memory 2 rows^2 + rows (fixed + 256) + columns (fixed + 256). */
void exact_dpp_layout(exact_dpp *d, arena *memory, const executor *exec, const observations *x,
                      radial_kernel k, size_t fixed);

/* The whole of it: L by `distance` (rows x rows), or by Euclidean distances where that is NULL; its
 * eigenpairs; and `wanted` rows, or where that is 0 a random number of at least 1. No rows are
 * drawn (size 0) where more are wanted than the rank, or the rank is 0. Draws `rank` uniforms for
 * the eigenpairs, again after each empty draw, and one for each row. Returns NULL, or in words what
 * went wrong. Time: that of the steps below. */
const char *exact_dpp_draw(exact_dpp *d, const double *distance, size_t wanted);

/* L by Euclidean distances, conditional on the fixed points H:
 * k(x, x') - k(x, H) k(H, H)^-1 k(H, x'). Time rows^2 (columns + fixed) / 2. */
void exact_dpp_euclidean(exact_dpp *d);
/* L by distances of rows, rows x rows, the lower half of which is read, infinite where
 * no path leads. */
void exact_dpp_distances(exact_dpp *d, const double *distance);

/* Eigenpairs of L. Values below what rounding makes of 0 (rows * eps of the
 * largest) count as 0, and so do negative ones: Gaussians of other distances
 * than Euclidean need not be positive semidefinite. Returns NULL, or in words what went
 * wrong. Time O(rows^3), in LAPACK, polling between its blocks. */
const char *exact_dpp_decompose(exact_dpp *d);

/* Draws eigenpairs, each with chance value / (1 + value), from `rank` uniforms. Returns
 * how many; pair[0..returned) are their numbers. */
size_t exact_dpp_pairs(const exact_dpp *d, const double *uniform, size_t *pair);
/* Draws `size` of them, at most `rank`. Time and memory (of `kernel`) size * rank. */
void exact_dpp_pairs_of(const exact_dpp *d, size_t size, const double *uniform, size_t *pair);
/* row[0..size): rows, from 0, by the projection on these eigenvectors, from as many
 * uniforms. Time rows * size^2. */
void exact_dpp_rows(const exact_dpp *d, size_t size, const size_t *pair, const double *uniform,
                    int *row);

/* Logs of the elementary symmetric polynomials of values given by their logs:
 * table[(l - 1) * count + m - 1] = log e_l(value_1, ..., value_m), l = 1..size, m = 1..count,
 * -infinity where l > m. */
void log_symmetric(size_t count, const double *log_value, size_t size, double *table);

#endif
