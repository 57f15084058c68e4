/*
 * When two numbers count as the same, and when what is left counts as nothing: every threshold of
 * the core that stands for rounding, each a share of what it is compared with. Those that a user
 * may choose, or that differ from one method to another, come from R (rank_floor, kernel_floor).
 */
#ifndef LANDMARKER_TOLERANCE_H
#define LANDMARKER_TOLERANCE_H

#include <stdint.h>
#include <string.h>

/* ---- dependence: a pivot of a Cholesky factor, as a share of its diagonal entry ------------ */

/* Of a matrix that is a sum over rows (G, a covariance): what is less is the rounding error of
 * that sum. Below it there is no volume and no inverse. */
#define DEPENDENT_SUM 1e-13

/* Of a kernel or of features where a landmark is to count as one of its own. Kernel values are
 * known to 1e-16, or some times that: a pivot that is not far above says nothing, and dividing by
 * it would pass rounding for knowledge. At 1e-12 it is known to a part in a thousand or better;
 * two landmarks count for two if they are 1e-6 apart, in roots of the bandwidth. */
#define DEPENDENT_KERNEL 1e-12

/* Of the Hessian of a regression, which has its penalty on the diagonal: only what is exactly
 * dependent is left out. */
#define DEPENDENT_HESSIAN 1e-15

/* Not a share: the curvature of a regression's intercept where every probability is 0 or 1. */
#define LEAST_CURVATURE 1e-8

/* A row's chance to be drawn next starts at 1 or less, and 1 or more is to be shared among all:
 * what is less is the rounding error of what those drawn before have taken. */
#define NO_CHANCE 1e-13

/* ---- differences that are nothing ----------------------------------------------------------- */

/* Coordinates that a projection changes by less, as a share of 1 and their size, are where they
 * were: it rounds a few times. */
#define UNMOVED 1e-12

/* A sum of terms of both signs that is less than this share of them has lost too many digits, and
 * is made anew by differences. */
#define CANCELLED 1e-6

/* Regressions: a gradient of this size for each row, its decrement by the root of the rows, and
 * the objective's share by which it moves are nothing but rounding. */
#define NO_GRADIENT 1e-14
#define NO_DECREMENT 1e-12
#define NO_DESCENT 1e-13

/* ---- ties: what agrees to nine digits is the same, so that rounding has no say in what counts
 * or whole numbers have in common, whichever way distances were computed ------------------------
 */

#define NINE_DIGITS 1e-9

/* A number rounded to 30 bits: what is compared. */
static inline double nearest_digits(double squared) {
  uint64_t bits;
  memcpy(&bits, &squared, sizeof bits);
  bits = (bits + ((uint64_t)1 << 21)) & ~(((uint64_t)1 << 22) - 1);
  memcpy(&squared, &bits, sizeof bits);
  return squared;
}

/* Distances this close, relatively, may tie: what is farther is so in those digits as well. */
static inline double loosened(double d) { return d + 1e-8 * (d < 0.0 ? -d : d); }

#endif
