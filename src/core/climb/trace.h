/*
 * The trace of the Gaussian kernel K of the observations that the landmarks
 * explain (Nystrom),
 *
 *   f = sum_i v_i C_i W^-1 C_i' = tr(W^-1 G),   G = C' D C,
 *
 * C = Phi the kernel of observations and landmarks, W that of the landmarks
 * among themselves, with a ridge that keeps it regular. With B = C W^-1,
 * H = D C o B, s its column sums (the diagonal of G W^-1) and
 * M = (B' D B) o W = (W^-1 G W^-1) o W,
 *
 *   (eta / 4) grad f = R = H'X - diag(s) T - (M T - diag(M1) T).
 *
 * R = 0 is a linear system for T if H and M are held as they are. The step
 * solves it, and goes a little beyond:
 *
 *   T + STEP A^-1 R,   A = diag(s - M1) + M.
 *
 * On a sphere only the part of R along it counts, R - diag(q) T with
 * q_l = t_l' R_l, and A has q + CAUTION |q| on its diagonal as well, because the
 * projection bends the step. A is positive definite
 * where landmarks explain much; where it is not, its diagonal is raised until
 * it is, so that every step is uphill at first.
 */
#ifndef LANDMARKER_TRACE_H
#define LANDMARKER_TRACE_H

#include "ascent.h"

/* Its arrays are G, W, W^-1, M and others like them, 7 n^2 doubles at the most. The value is at
 * most the trace of K, the sum of the weights. Time of a value: that of sweep_gram() and n^3; of a
 * proposal: that of sweep_sums() and n^2 (n + moving), and n moving columns. */
extern const criterion trace_criterion;

#endif
