/*
 * The trace of the Gaussian kernel K of the observations that the landmarks
 * explain (Nystrom),
 *
 *   f = sum_i v_i k_i' W^-1 k_i = sum_i |b_i|^2,   b_i = v_i^1/2 R'^-1 k_i,
 *
 * k_i the kernel of observation i with the landmarks, W = R'R that of the landmarks
 * among themselves: no ridge, and no inverse, so that f keeps its digits where W is nearly
 * singular. A landmark that depends on those before it explains nothing. With H = D K o (K W^-1),
 * A = sum_i b_i b_i' and M = (W^-1 K'D K W^-1) o W = (R^-1 A R^-T) o W,
 *
 *   (eta / 4) grad f = H'X - M T;
 *
 * the column sums s of H are those of M. The gradient is 0 where T solves a linear system, if H
 * and M are fixed as they are. The step solves it, and goes a little beyond:
 *
 *   T + STEP M^-1 (H'X - M T).
 *
 * On a sphere only the part of the gradient along it counts, R - diag(q) T with
 * q_l = t_l' R_l, and the system has q + CAUTION |q| on its diagonal as well, because the
 * projection bends the step. M is positive definite
 * where landmarks explain much; where it is not, its diagonal is raised until
 * it is, so that every step is uphill at first.
 */
#ifndef LANDMARKER_TRACE_H
#define LANDMARKER_TRACE_H

#include "ascent.h"

/* Its arrays are W, R, A, M and others like them, 7 n^2 doubles at the most. The value is at
 * most the trace of K, the sum of the weights. Time of a value: that of row_pass_nystrom() and n^3
 * / 3; of a proposal: that of row_pass_nystrom_sums() and n^2 (n + moving), and n moving columns.
 */
extern const criterion trace_criterion;

#endif
