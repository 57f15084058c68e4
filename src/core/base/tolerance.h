/*
 * Thresholds of rounding: when two numbers count as equal, and when a remainder counts as 0. Each
 * is a share of what it is compared with. Thresholds that a user may choose, or that differ
 * between methods, come from R (rank_floor, kernel_floor).
 */
#ifndef LANDMARKER_TOLERANCE_H
#define LANDMARKER_TOLERANCE_H

#include <float.h>
#include <stdint.h>
#include <string.h>

/* ---- dependence: a pivot of a Cholesky factor, as a share of its diagonal entry ------------ */

/* For a matrix that is a sum over rows (G, a covariance): a smaller pivot is the rounding error
 * of that sum, and the matrix has neither a volume nor an inverse. */
#define DEPENDENT_SUM 1e-13

/* For vectors, in squares: of one that depends on others Gram-Schmidt leaves its rounding. */
#define DEPENDENT_VECTOR 1e-29

/* For a kernel, whose values have errors of a few times 1e-16: a landmark whose pivot is smaller
 * depends on the others. */
#define DEPENDENT_KERNEL 2e-14

/* For features, whose sums of products are known to 1e-16 of the largest. */
#define DEPENDENT_FEATURES 1e-12

/* For the Hessian of a regression, which has its penalty on the diagonal: only exactly dependent
 * columns are left out. */
#define DEPENDENT_HESSIAN 1e-15

/* For features in the order of a regression (forward.c), whose sums of squares had those of others
 * taken out one by one, each with its rounding. */
#define DEPENDENT_FEATURE 1e-10

/* For the predictors of a step by the response: a factor of second moments that only scales steps,
 * so that all but exactly dependent ones serve. */
#define DEPENDENT_PREDICTORS 1e-14

/* For a kernel with some 1e-12 on its diagonal, which no pivot is below but by rounding. */
#define DEPENDENT_RIDGED 1e-14

/* The curvature of a regression's intercept where every probability is 0 or 1. An absolute
 * number. */
#define LEAST_CURVATURE 1e-8

/* Of a step and the change of the gradient along it, relative to their sizes: a pair with less
 * tells nothing of the curvature. */
#define NO_CURVATURE 1e-10

/* A row's chance to be drawn next starts at 1 or less, and the chances of all rows sum to 1 or
 * more. A smaller chance is the rounding error of what earlier rows have taken from it. */
#define NO_CHANCE 1e-13

/* ---- differences that count as 0 ------------------------------------------------------------ */

/* A coordinate that a projection changes by less, as a share of 1 plus its size, has not moved:
 * the change is rounding. */
#define UNMOVED 1e-12

/* A sum of terms of both signs that is less than this share of the terms has lost too many
 * digits. It is computed again by differences. */
#define CANCELLED 1e-6
#define CANCELLED_SINGLE 1e-3 /* of terms in single precision */

/* Weights in single precision that count as 0: processors are slow with floats next to underflow.
 * An absolute number. */
#define TINY_SINGLE 1e-30

/* Regressions. Rounding makes a gradient of this size times the number of rows, a decrement of
 * this size times the root of that number, and a change of the objective by this share of it. */
#define NO_GRADIENT 1e-14
#define NO_DECREMENT 1e-12
#define NO_DESCENT 1e-13

/* ---- ties ----------------------------------------------------------------------------------- */

/* Distances that agree to nine digits are equal. Counts and whole numbers often have equal
 * distances, which differ by rounding, and differently for each way of computing them. */
#define NINE_DIGITS 1e-9

/* A number rounded to 30 bits: what is compared. */
static inline double nearest_digits(double squared) {
  uint64_t bits;
  memcpy(&bits, &squared, sizeof bits);
  bits = (bits + ((uint64_t)1 << 21)) & ~(((uint64_t)1 << 22) - 1);
  memcpy(&squared, &bits, sizeof bits);
  return squared;
}

/* Coordinates in the data's units that differ by less, as a share, are equal
 * (R/kernel_passes.R). */
#define SAME_COORDINATE (4.0 * DBL_EPSILON)

/* Entries of an eigenvector that differ by less, as a share, have the same size: the first of the
 * largest has its sign. */
#define SAME_SIZE 1e-6

/* Squared distances in single precision that differ by less, as a share of their terms, tie. */
#define TIED_SINGLE 4e-6

/* Distances this close, relatively, may tie: what is farther is so in those digits as well. */
static inline double loosened(double d) { return d + 1e-8 * (d < 0.0 ? -d : d); }

#endif
