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

#define SMALL 256 /* below it LAPACK takes some milliseconds */
#define BLOCK 32  /* columns that LAPACK's blocked routines take at a time */

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

/* ---- a matrix that is not small: the parts of dsyevr, so that the results are its own ---- */

/* Q'AQ is tridiagonal. What makes Q stands below the subdiagonal of `a`, and in `factor`. */
typedef struct {
  const executor *exec;
  int n;
  double *a;                          /* n x n, by columns */
  double *diagonal, *beside, *factor; /* n each */
  double *block, *work, *all;         /* n x BLOCK; 20 n; n */
  int *whole, *support;               /* 10 n; 2 n */
} reduction;

static reduction reduction_on(const executor *exec, size_t n, double *a, double *scratch) {
  reduction r = {.exec = exec, .n = (int)n, .a = a};
  r.diagonal = scratch;
  r.beside = scratch + n;
  r.factor = scratch + 2 * n;
  r.block = scratch + 3 * n;
  r.work = r.block + BLOCK * n;
  r.all = scratch + WORK * n;
  r.whole = (int *)(r.all + n);
  r.support = (int *)(r.all + n + halved(WHOLE * n));
  return r;
}

static double *entry(const reduction *r, int i, int j) {
  return r->a + (size_t)j * (size_t)r->n + (size_t)i;
}

/* As dsytrd does it. */
static void reduce(const reduction *r) {
  const int n = r->n, block = BLOCK;
  const double minus = -1.0, one = 1.0;
  int first = 0, info = 0;
  for (; first < n - BLOCK; first += BLOCK) {
    const int left = n - first, rest = left - BLOCK;
    poll_user(r->exec);
    F77_CALL(dlatrd)
    ("L", &left, &block, entry(r, first, first), &n, r->beside + first, r->factor + first, r->block,
     &n FCONE);
    poll_user(r->exec);
    F77_CALL(dsyr2k)
    ("L", "N", &rest, &block, &minus, entry(r, first + BLOCK, first), &n, r->block + BLOCK, &n,
     &one, entry(r, first + BLOCK, first + BLOCK), &n FCONE FCONE);
    for (int j = first; j < first + BLOCK; j++) {
      *entry(r, j + 1, j) = r->beside[j];
      r->diagonal[j] = *entry(r, j, j);
    }
  }
  const int left = n - first;
  F77_CALL(dsytd2)
  ("L", &left, entry(r, first, first), &n, r->diagonal + first, r->beside + first,
   r->factor + first, &info FCONE);
}

/* z := Q z, as dormtr does it, but some of its `count` columns at a time. */
static void turn_back(const reduction *r, int count, double *z) {
  const int n = r->n, reflections = n - 1, block = BLOCK;
  double *triangle = r->block, *work = r->block + BLOCK * BLOCK;
  for (int first = (reflections - 1) / BLOCK * BLOCK; first >= 0; first -= BLOCK) {
    const int rows = reflections - first, width = rows < BLOCK ? rows : BLOCK;
    double *v = entry(r, first + 1, first);
    F77_CALL(dlarft)
    ("F", "C", &rows, &width, v, &n, r->factor + first, triangle, &block FCONE FCONE);
    int most = (int)(POLL_OPERATIONS / (4.0 * BLOCK * rows));
    most = most < BLOCK ? BLOCK : most > n - BLOCK ? n - BLOCK : most;
    for (int from = 0; from < count; from += most) {
      const int some = count - from < most ? count - from : most;
      poll_user(r->exec);
      F77_CALL(dlarfb)
      ("L", "N", "F", "C", &rows, &some, &width, v, &n, triangle, &block,
       z + (size_t)from * (size_t)n + first + 1, &n, work, &some FCONE FCONE FCONE FCONE);
    }
  }
}

static const char *large_eigen(const executor *exec, size_t n, double *a, size_t first,
                               size_t count, double *values, double *vectors, double *scratch) {
  const reduction r = reduction_on(exec, n, a, scratch);
  int order = r.n, lowest = (int)first + 1, highest = (int)(first + count);
  int work_size = 20 * order, whole_size = WHOLE * order, found = 0, info = 0;
  double range = 0.0, tolerance = 0.0;
  reduce(&r);
  F77_CALL(dstevr)
  ("V", "I", &order, r.diagonal, r.beside, &range, &range, &lowest, &highest, &tolerance, &found,
   r.all, vectors, &order, r.support, r.work, &work_size, r.whole, &whole_size, &info FCONE FCONE);
  if (info != 0) return "LAPACK's dstevr did not converge";
  if (found != highest - lowest + 1)
    return "LAPACK's dstevr found fewer eigenvalues than it was asked for";
  memcpy(values, r.all, count * sizeof *values);
  turn_back(&r, (int)count, vectors);
  return NULL;
}

const char *symmetric_eigen(const executor *exec, size_t n, double *a, size_t first, size_t count,
                            double *values, double *vectors, double *scratch) {
  int order;
  if (!order_of(n, &order)) return too_large;
  if (n >= SMALL) return large_eigen(exec, n, a, first, count, values, vectors, scratch);
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
