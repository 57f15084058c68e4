/* k-means from batches: Sculley's algorithm, row after row, in long double. */
#include <limits.h>
#include <string.h>

#include "check.h"
#include "core/select/minibatch.h"
#include "fixture.h"

#define COLUMNS 5
#define CENTERS 7
#define BATCHES 4

static lloyd centers_of(const executor *exec, const data *d) {
  lloyd a;
  LAY_OUT_CHECKED(memory, lloyd_layout(&a, &memory, exec, &d->x, CENTERS));
  a.label = integers(d->x.rows);
  a.squared = doubles(d->x.rows);
  return a;
}

/* One batch by the book: first the nearest center of every row, then one row after another. */
static void plain_step(const data *d, size_t fixed, long double c[CENTERS][COLUMNS],
                       long double *seen) {
  size_t own[200];
  for (size_t i = 0; i < d->x.rows; i++) {
    long double least = INFINITY;
    for (size_t l = 0; l < CENTERS; l++) {
      long double squared = 0.0;
      for (size_t j = 0; j < COLUMNS; j++) {
        const long double apart = d->z[i * COLUMNS + j] - c[l][j];
        squared += apart * apart;
      }
      if (squared < least) own[i] = l;
      least = fminl(squared, least);
    }
  }
  for (size_t i = 0; i < d->x.rows; i++) {
    const long double w = weight_of(d, i);
    const size_t l = own[i];
    if (!(w > 0.0)) continue;
    seen[l] += w;
    for (size_t j = 0; l >= fixed && j < COLUMNS; j++) {
      c[l][j] = (1.0L - w / seen[l]) * c[l][j] + w / seen[l] * d->z[i * COLUMNS + j];
    }
  }
}

static void check_batches(const executor *exec, layout kind, int weighted, size_t fixed) {
  const size_t rows = 180, each = rows / BATCHES;
  const executor other = other_threads(exec);
  const data all = data_make(kind, rows, COLUMNS, weighted);
  points now = points_make(CENTERS, COLUMNS);
  /* Out of reach: no row goes there. */
  *coordinate(&now, CENTERS - 1, 0) = 1e3;
  const double far = *coordinate(&now, CENTERS - 1, 1);
  long double c[CENTERS][COLUMNS], seen[CENTERS] = {0};
  for (size_t l = 0; l < CENTERS; l++) {
    for (size_t j = 0; j < COLUMNS; j++) c[l][j] = *coordinate(&now, l, j);
  }
  double *count = doubles(CENTERS), *again = doubles(CENTERS), worst = 0.0, counts = 0.0;
  int same = 1, still = 1;
  memset(count, 0, CENTERS * sizeof *count);
  for (size_t b = 0; b < BATCHES; b++) {
    const data batch = data_part(&all, b * each, each);
    lloyd one = centers_of(exec, &batch), two = centers_of(&other, &batch);
    points_copy(&now, 0, &one.centers);
    points_copy(&now, 0, &two.centers);
    memcpy(again, count, CENTERS * sizeof *count);
    minibatch_step(&one, fixed, count);
    minibatch_step(&two, fixed, again);
    same &= SAME_BITS(one.centers.x, two.centers.x, COLUMNS * one.centers.ld) &&
            SAME_BITS(count, again, CENTERS);
    plain_step(&batch, fixed, c, seen);
    for (size_t l = 0; l < CENTERS; l++) {
      compare_relative(&counts, count[l], (double)seen[l]);
      for (size_t j = 0; j < COLUMNS; j++) {
        compare_relative(&worst, *coordinate(&one.centers, l, j), (double)c[l][j]);
        if (l < fixed) still &= *coordinate(&one.centers, l, j) == *coordinate(&now, l, j);
      }
    }
    points_copy(&one.centers, 0, &now);
  }
  const char *what = layout_name[kind];
  CHECK(worst < (kind == ROWS_SINGLE ? 1e-6 : 1e-11),
        "centers are Sculley's (%s, weighted %d, fixed %zu): error %g", what, weighted, fixed,
        worst);
  CHECK(counts < 1e-12, "counts are weights of rows (%s, weighted %d): error %g", what, weighted,
        counts);
  CHECK(same, "%d threads leave the same bits (%s)", other.threads, what);
  CHECK(still, "centers that are fixed stay where they are (%s)", what);
  CHECK(count[CENTERS - 1] == 0.0 && *coordinate(&now, CENTERS - 1, 1) == far,
        "a center without rows stays where it is (%s)", what);
  release();
}

/* Of several batches a center that gets all rows is their mean. */
static void check_mean(const executor *exec) {
  const data all = data_make(COLUMNS_DOUBLE, 120, COLUMNS, 1);
  double *count = doubles(CENTERS), worst = 0.0;
  memset(count, 0, CENTERS * sizeof *count);
  points now = points_make(CENTERS, COLUMNS);
  for (size_t l = 1; l < CENTERS; l++) *coordinate(&now, l, 0) = 1e3;
  for (size_t b = 0; b < 3; b++) {
    const data batch = data_part(&all, 40 * b, 40);
    lloyd a = centers_of(exec, &batch);
    points_copy(&now, 0, &a.centers);
    minibatch_step(&a, 0, count);
    points_copy(&a.centers, 0, &now);
  }
  for (size_t j = 0; j < COLUMNS; j++) {
    long double sum = 0.0, weight = 0.0;
    for (size_t i = 0; i < 120; i++) {
      sum += (long double)weight_of(&all, i) * all.z[i * COLUMNS + j];
      weight += weight_of(&all, i);
    }
    compare_relative(&worst, *coordinate(&now, 0, j), (double)(sum / weight));
  }
  CHECK(worst < 1e-12, "a center is the mean of all rows that have gone to it: error %g", worst);
  release();
}

void test_minibatch(const executor *exec) {
  const layout kinds[] = {COLUMNS_DOUBLE, COLUMNS_INTEGER, ROWS_SPARSE, ROWS_SINGLE};
  for (int k = 0; k < 4; k++) {
    for (int weighted = 0; weighted < 2; weighted++) {
      check_batches(exec, kinds[k], weighted, 0);
      check_batches(exec, kinds[k], weighted, 2);
    }
  }
  check_mean(exec);
}
