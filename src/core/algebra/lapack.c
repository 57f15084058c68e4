#define USE_FC_LEN_T
#include <R_ext/Lapack.h>
#ifndef FCONE
#define FCONE
#endif

#include "lapack.h"

#include <limits.h>
#include <string.h>

/* dsyevr asks for 26 n doubles and 10 n integers at least; with room for blocks
 * of 64 columns it is quicker. */
#define WORK 70
#define WHOLE 10

/* LAPACK counts by int. The largest number that it is given here is WORK * n: 0 where that does
 * not fit. */
static int order_of(size_t n, int *order) {
  if (n > INT_MAX / WORK) return 0;
  *order = (int)n;
  return 1;
}

static const char too_large[] = "the matrix is too large for LAPACK's integers";

static size_t halved(size_t n) { return (n + 1) / 2; }

size_t symmetric_eigen_scratch(size_t n) {
  /* work, all n eigenvalues, the integers and the supports of the vectors */
  return WORK * n + n + halved(WHOLE * n) + halved(2 * n);
}

const char *symmetric_eigen(size_t n, double *a, size_t first, size_t count, double *values,
                            double *vectors, double *scratch) {
  int order;
  if (!order_of(n, &order)) return too_large;
  const int lowest = (int)first + 1, highest = (int)(first + count); /* at most n */
  const int work_size = WORK * order, whole_size = WHOLE * order;
  const double range = 0.0, tolerance = 0.0;
  double *all = scratch + WORK * n;
  int *whole = (int *)(all + n), *support = (int *)(all + n + halved(WHOLE * n));
  int found = 0, info = 0;
  F77_CALL(dsyevr)
  ("V", "I", "L", &order, a, &order, &range, &range, &lowest, &highest, &tolerance, &found, all,
   vectors, &order, support, scratch, &work_size, whole, &whole_size, &info FCONE FCONE FCONE);
  if (info != 0) return "LAPACK's dsyevr did not converge";
  if (found != highest - lowest + 1)
    return "LAPACK's dsyevr found fewer eigenvalues than it was asked for";
  memcpy(values, all, count * sizeof *values);
  return NULL;
}

const char *symmetric_eigen_all(size_t n, double *a, double *values, double *scratch) {
  int order, info = 0;
  if (!order_of(n, &order)) return too_large;
  const int work_size = WORK * order;
  F77_CALL(dsyev)
  ("V", "L", &order, a, &order, values, scratch, &work_size, &info FCONE FCONE);
  return info == 0 ? NULL : "LAPACK's dsyev did not converge";
}
