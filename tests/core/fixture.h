/*
 * What the tests work on: pseudo-random numbers that are the same everywhere,
 * buffers of exactly the size asked for, data in every layout, and the
 * features of them computed in the plainest way.
 */
#ifndef LANDMARKER_FIXTURE_H
#define LANDMARKER_FIXTURE_H

#include "core/base/arena.h"
#include "core/data/space.h"
#include "core/optim/climb.h"

void seed(unsigned long long from);
double uniform(void);   /* in (0, 1) */
double symmetric(void); /* in (-1, 1) */
size_t below(size_t n); /* 0 .. n - 1 */

/* A buffer of its own, aligned to a cache line and not a byte longer, so that
 * the address sanitizer sees every step beyond it. Doubles start as NaN and
 * integers as INT_MIN: what is read before it is written spoils the result. */
double *doubles(size_t count);
int *integers(size_t count);
void *bytes(size_t count);
void release(void); /* all of them */

/* An arena of exactly as much as `measure` has used. */
arena arena_of(arena measure);

/* LAY_OUT() on such an arena; and a check that as much is used as was measured. */
#define LAY_OUT_CHECKED(memory, ...)                                                               \
  arena memory = {NULL, 0};                                                                        \
  __VA_ARGS__;                                                                                     \
  const size_t memory##_measured = memory.used;                                                    \
  memory = arena_of(memory);                                                                       \
  __VA_ARGS__;                                                                                     \
  CHECK(memory.used == memory##_measured, "as much is used as was measured: %s", #__VA_ARGS__)

/* ROWS_SINGLE, which is less exact, comes after those that all tests go through. */
#define LAYOUTS 4
extern const char *const layout_name[LAYOUTS + 1];

/* Observations, and what the kernel sees of them: z is rows x columns, of ROWS_SINGLE rounded. */
typedef struct {
  observations x;
  double *z;
} data;

/* With weights (one of them 0) where `weighted`. The sparse one has an empty row. */
data data_make(layout kind, size_t rows, size_t columns, int weighted);
/* Rows [first, first + count) of it, as data of their own. */
data data_part(const data *d, size_t first, size_t count);
/* Some rows of it, in this order, as data of their own. */
data data_rows(const data *d, const int *row, size_t count);
double weight_of(const data *d, size_t i);

/* Points within the data, norms computed. */
points points_make(size_t count, size_t columns);
/* Puts random values within the data into existing points. */
void points_fill(points *t);
double *coordinate(const points *t, size_t l, size_t j);
/* Their coordinates in single precision, for ROWS_SINGLE. */
void points_rounded(const executor *exec, points *t);

/* A climb by proposals alone. */
climb_result plain_climb(ascent *a, int steps, int halvings, double tolerance, double *moved);

/* Whether all of them lie in the space, but for rounding. */
int points_inside(const points *t, const space *where);

double plain_distance(const data *d, size_t i, const points *t, size_t l);
/* The kernel of this number in `kernel_profiles` by its formula. */
long double plain_profile(int which, long double u);
double plain_feature(const data *d, size_t i, const points *t, size_t l, double bandwidth);

/* G = A'A + ridge by rows of padded(n), the padding NaN: of rank min(rows, n)
 * without a ridge. */
double *positive_matrix(size_t n, size_t rows, double ridge);
/* A^-1 of a matrix of n x n by Gauss and Jordan, the largest of a column as pivot. */
long double *plain_inverse(size_t n, const long double *a);
/* log |A| of a positive definite matrix, by elimination. */
long double plain_log_det(size_t n, const long double *a);
/* Column `late` of G as a copy of column `early`, and so the row. */
void duplicate(size_t n, size_t early, size_t late, double *g);

#endif
