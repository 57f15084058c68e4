/*
 * Draws from an annealed determinantal point process over sets S of a given number of rows,
 *
 *   P(S) = det(L_S)^power / sum_S' det(L_S')^power
 *
 * (Wachinger and Golland, 2015, eq. 2; Belabbas and Wolfe, 2009), L that of exact_dpp.h. A
 * principal minor of a power of L is not that power of the minor, so that no eigenvectors give such
 * a draw. It is the last state of a Markov chain that starts at an exact draw with power 1: a row
 * of S and a row beside it are chosen with equal chances, and change places with probability min(1,
 * r^power), r = det(L_S') / det(L_S) (Metropolis). With M = L_S^-1, l the column of L of the row
 * that comes, at the rows of S, b = M l, and p the place of the row that goes,
 *
 *   r = M_pp (L_jj - l' b) + b_p^2.
 *
 * Rows of a wide kernel nearly depend on each other: an inverse would have lost the digits of r.
 * All comes from the Cholesky factor of L_S, L_S = R'R, in which rotations take a row out.
 */
#ifndef LANDMARKER_ANNEALED_DPP_H
#define LANDMARKER_ANNEALED_DPP_H

#include "exact_dpp.h"

typedef struct {
  size_t size;     /* rows of S */
  double *factor;  /* R, size x padded(size) */
  double *own;     /* M_pp, where it is known */
  double *column;  /* l */
  double *solved;  /* scratch */
  double *uniform; /* those of some steps */
  size_t *order;   /* all rows, those of S first */
  size_t steps, accepted;
} annealed_dpp;

/* Memory size^2 + rows. */
void annealed_dpp_layout(annealed_dpp *a, arena *memory, size_t rows, size_t size);

/* `steps` of the chain from the `size` rows that exact_dpp_draw() left in `row`, where the new set
 * is put. L is made again: by Euclidean distances, or where distances were `given` from the
 * eigenpairs with a value above 0, because a Gaussian of other distances need not be positive
 * semidefinite. Three uniforms for each step. Sets with a row twice, or with a fixed landmark, have
 * no chance (they leave less than 4e-12 of its weight). 1e-12 of its weight is added to the
 * variance of each row, so that sets whose rows depend on each other but for rounding have a small
 * chance. Time steps size^2, and rows^2 columns or rows^2 rank for L. */
void annealed_dpp_run(annealed_dpp *a, exact_dpp *d, int given, double power, size_t steps);

#endif
