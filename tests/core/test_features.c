/* Features, distances and weighted sums, in every layout, against plain loops. */
#include <string.h>

#include "check.h"
#include "core/data/features.h"
#include "core/data/single_point.h"
#include "core/data/weighted_sums.h"
#include "fixture.h"

#define BANDWIDTH 2.5

static double *scratch_of(const executor *exec, const data *d) {
  const size_t size = features_scratch(exec, &d->x);
  return size ? doubles(size) : NULL;
}

/* The largest error of out[i, l], whose entries are by_row and by_point apart. */
static double features_error(const data *d, size_t first, size_t count, const points *t,
                             const radial_kernel *k, const double *out, size_t by_row,
                             size_t by_point) {
  double worst = 0.0;
  for (size_t i = 0; i < count; i++) {
    for (size_t l = 0; l < t->count; l++) {
      const double got = out[i * by_row + l * by_point];
      if (!k) {
        compare_relative(&worst, got, plain_distance(d, first + i, t, l));
        if (got < 0.0) worst = INFINITY;
      } else {
        const double want = plain_feature(d, first + i, t, l, BANDWIDTH);
        compare(&worst, got, want, want);
        if (got > 1.0) worst = INFINITY;
      }
    }
  }
  return worst;
}

static void check_features(const executor *exec, layout kind, size_t rows, size_t columns,
                           size_t count) {
  const data d = data_make(kind, rows, columns, 0);
  const executor other = other_threads(exec);
  const points t = points_make(count, columns);
  const size_t first = rows / 4, taken = rows - first;
  /* A point on an observation: its distance is 0, or next to it, never below. */
  for (size_t j = 0; j < columns; j++) *coordinate(&t, 0, j) = d.z[first * columns + j];
  points_norms((points *)&t);
  double *again = doubles(taken * t.ld);
  const radial_kernel gaussian = gaussian_kernel(BANDWIDTH);
  for (int what = 0; what <= 1; what++) {
    const radial_kernel *k = what ? &gaussian : NULL;
    double *out = doubles(taken * t.ld);
    features(exec, &d.x, first, taken, &t, k, scratch_of(exec, &d), out, NULL);
    double worst = features_error(&d, first, taken, &t, k, out, t.ld, 1);
    CHECK(worst < 1e-12, "%s of %s (%zu x %zu, %zu points): error %g",
          what ? "features" : "distances", layout_name[kind], rows, columns, count, worst);
    int zero = 1;
    for (size_t i = 0; i < taken; i++) {
      for (size_t l = count; l < t.ld; l++) zero &= out[i * t.ld + l] == 0.0;
    }
    CHECK(zero, "the padding of features is zero (%zu points)", count);
    features(&other, &d.x, first, taken, &t, k, scratch_of(&other, &d), again, NULL);
    CHECK(SAME_BITS(out, again, taken * t.ld), "%d threads give the same features of %s",
          other.threads, layout_name[kind]);

    /* R's matrix: only its rows [first, first + taken) are written. One or two points of a matrix
     * by columns go another way, by differences. */
    const int differences = kind <= COLUMNS_INTEGER && count <= 2;
    double *matrix = doubles(count * rows);
    const feature_map map = {&t, k, NULL};
    features_matrix(exec, &d.x, first, taken, &map,
                    doubles(features_matrix_scratch(exec, &d.x, &t)), matrix);
    int same = 1;
    for (size_t l = 0; l < count; l++) {
      for (size_t i = 0; i < rows; i++) {
        const double got = matrix[l * rows + i];
        if (i < first)
          same &= isnan(got);
        else if (!differences)
          same &= got == out[(i - first) * t.ld + l];
      }
    }
    worst = features_error(&d, first, taken, &t, k, matrix + first, 1, rows);
    CHECK(worst < 1e-12, "the matrix of %s of %s (%zu x %zu, %zu points): error %g",
          what ? "features" : "distances", layout_name[kind], rows, columns, count, worst);
    double *second = doubles(count * rows);
    features_matrix(&other, &d.x, first, taken, &map,
                    doubles(features_matrix_scratch(&other, &d.x, &t)), second);
    for (size_t l = 0; l < count; l++) {
      same &= SAME_BITS(matrix + l * rows + first, second + l * rows + first, taken);
    }
    CHECK(same, "the matrix of features of %s (%zu x %zu, %zu points) is the same bits",
          layout_name[kind], rows, columns, count);
  }
  release();
}

/* Features through the root of a matrix W = R'R: z R = k, for each row. */
static void check_root(const executor *exec, layout kind, size_t rows, size_t columns,
                       size_t count) {
  const data d = data_make(kind, rows, columns, 0);
  const executor other = other_threads(exec);
  const points t = points_make(count, columns);
  triangular root;
  LAY_OUT_CHECKED(memory, triangular_layout(&root, &memory, count));
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < root.ld; j++) {
      root.upper[i * root.ld + j] = j >= count ? 0.0 : i == j ? 2.0 : symmetric() / 8.0;
    }
  }
  triangular_prepare(&root);
  const radial_kernel k = gaussian_kernel(BANDWIDTH);
  const feature_map plain = {&t, &k, NULL}, map = {&t, &k, &root};
  double *w = doubles(count * rows), *z = doubles(count * rows), *again = doubles(count * rows);
  const executor *more = exec->threads > other.threads ? exec : &other;
  double *scratch = doubles(features_matrix_scratch(more, &d.x, &t));
  features_matrix(exec, &d.x, 0, rows, &plain, scratch, w);
  features_matrix(exec, &d.x, 0, rows, &map, scratch, z);
  features_matrix(&other, &d.x, 0, rows, &map, scratch, again);
  double worst = 0.0;
  for (size_t i = 0; i < rows; i++) {
    for (size_t l = 0; l < count; l++) {
      double sum = 0.0;
      for (size_t m = 0; m <= l; m++) sum += z[m * rows + i] * root.upper[m * root.ld + l];
      worst = fmax(worst, fabs(sum - w[l * rows + i]));
    }
  }
  CHECK(worst < 1e-13, "features through a root (%s, %zu points): error %g", layout_name[kind],
        count, worst);
  CHECK(SAME_BITS(z, again, count * rows), "features through a root with other threads (%s)",
        layout_name[kind]);
  release();
}

/* Rows in single precision: the error of a squared distance is a share of its terms, of a feature a
 * share of these in bandwidths. */
static void check_single(const executor *exec, size_t rows, size_t columns, size_t count,
                         double bandwidth) {
  const data d = data_make(ROWS_SINGLE, rows, columns, 0);
  const executor other = other_threads(exec);
  points t = points_make(count, columns);
  for (size_t j = 0; j < columns; j++) *coordinate(&t, 0, j) = d.z[j];
  points_norms(&t);
  points_rounded(exec, &t);
  double *out = doubles(rows * t.ld), *again = doubles(rows * t.ld);
  double worst = 0.0, on_row = 0.0;
  features(exec, &d.x, 0, rows, &t, NULL, NULL, out, NULL);
  for (size_t i = 0; i < rows; i++) {
    for (size_t l = 0; l < count; l++) {
      const double terms = d.x.norm[i] + t.norm[l];
      compare(&worst, out[i * t.ld + l], plain_distance(&d, i, &t, l), 2e-6 * terms);
    }
  }
  on_row = out[0];
  CHECK(worst < 1.0, "distances in single precision (%zu x %zu, %zu points): %g times the bound",
        rows, columns, count, worst);
  CHECK(on_row == 0.0, "the distance of a row from itself is 0 in single precision: %g", on_row);
  const radial_kernel k = gaussian_kernel(bandwidth);
  features(exec, &d.x, 0, rows, &t, &k, NULL, out, NULL);
  features(&other, &d.x, 0, rows, &t, &k, NULL, again, NULL);
  worst = 0.0;
  for (size_t i = 0; i < rows; i++) {
    for (size_t l = 0; l < count; l++) {
      /* Terms beyond 1,000 bandwidths are left to differences where the feature can be seen. */
      const double terms = fmin((d.x.norm[i] + t.norm[l]) / bandwidth, 1e3);
      const double want = plain_feature(&d, i, &t, l, bandwidth);
      compare(&worst, out[i * t.ld + l], want, 2e-6 * (1.0 + terms) * fmax(want, 1e-12));
    }
  }
  CHECK(worst < 1.0, "features in single precision (%zu x %zu, %zu points, %g): %g times the bound",
        rows, columns, count, bandwidth, worst);
  CHECK(SAME_BITS(out, again, rows * t.ld), "%d threads give the same features of %s",
        other.threads, layout_name[ROWS_SINGLE]);
  release();
}

static void check_weighted_sums(const executor *exec, layout kind, size_t rows, size_t columns,
                                size_t count) {
  const data d = data_make(kind, rows, columns, 0);
  const executor other = other_threads(exec);
  const size_t ld = padded(count), scratch = weighted_sums_scratch(&d.x, count);
  const double tolerance = kind == ROWS_SINGLE ? 1e-6 : 1e-14;
  double *h = doubles((rows - 1) * ld + count);
  for (size_t i = 0; i < rows; i++) {
    for (size_t l = 0; l < count; l++) h[i * ld + l] = symmetric();
  }
  points sums = points_make(count, columns), before = points_make(count, columns);
  points again = points_make(count, columns);
  memcpy(before.x, sums.x, columns * ld * sizeof *sums.x);
  memcpy(again.x, sums.x, columns * ld * sizeof *sums.x);
  for (int accumulate = 1; accumulate >= 0; accumulate--) {
    weighted_sums(exec, &d.x, h, ld, accumulate, doubles(scratch), &sums);
    double worst = 0.0;
    int zero = 1;
    for (size_t j = 0; j < columns; j++) {
      for (size_t l = 0; l < count; l++) {
        long double want = accumulate ? *coordinate(&before, l, j) : 0.0;
        for (size_t i = 0; i < rows; i++) want += (long double)h[i * ld + l] * d.z[i * columns + j];
        compare(&worst, *coordinate(&sums, l, j), (double)want, 1.0 + (double)rows);
      }
      for (size_t l = count; l < ld; l++) zero &= *coordinate(&sums, l, j) == 0.0;
    }
    CHECK(worst < tolerance, "weighted sums of %s (%zu x %zu, %zu points, accumulate %d): error %g",
          layout_name[kind], rows, columns, count, accumulate, worst);
    CHECK(zero, "the padding of weighted sums stays zero (%zu points)", count);
    weighted_sums(&other, &d.x, h, ld, accumulate, doubles(scratch), &again);
    CHECK(SAME_BITS(sums.x, again.x, columns * ld), "%d threads give the same sums of %s",
          other.threads, layout_name[kind]);
  }
  release();
}

/* One point, by differences: digits that |z|^2 + |t|^2 - 2 z't would lose are kept. */
static void check_columns_distances(const executor *exec, layout kind) {
  const size_t rows = 4500, columns = 7, first = 7, taken = rows - first, apart = 5;
  const data d = data_make(kind, rows, columns, 0);
  const executor other = other_threads(exec);
  double *at = doubles((columns - 1) * apart + 1);
  points t = points_make(1, columns);
  for (size_t j = 0; j < columns; j++) {
    at[j * apart] = *coordinate(&t, 0, j) = d.z[j] + 1e-7 * symmetric();
  }
  double *out = doubles(taken), *again = doubles(taken), worst = 0.0;
  single_point_distances(exec, &d.x, first, taken, at, apart, out);
  single_point_distances(&other, &d.x, first, taken, at, apart, again);
  for (size_t i = 0; i < taken; i++) {
    const double want = plain_distance(&d, first + i, &t, 0);
    compare(&worst, out[i], want, 1e-12 * want + 1e-14 * sqrt(want));
  }
  CHECK(worst <= 1.0, "distances of %s to one point: %g times the bound", layout_name[kind], worst);
  CHECK(SAME_BITS(out, again, taken), "%d threads give the same distances", other.threads);
  single_point_distances(exec, &d.x, 0, 1, at, apart, out);
  const double want = plain_distance(&d, 0, &t, 0);
  CHECK(fabs(out[0] - want) < 1e-7 * want, "a small distance of %s keeps its digits: %g, not %g",
        layout_name[kind], out[0], want);
  release();
}

/* Neither squares of these scales nor squares of such differences are numbers. */
static void check_extreme_distances(const executor *exec) {
  const double sizes[] = {1e-160, 1e160};
  for (int s = 0; s < 2; s++) {
    const double x[] = {0.0, 1.0 * sizes[s], 0.0, 2.0 * sizes[s],
                        0.0, 3.0 * sizes[s], 0.0, 4.0 * sizes[s]};
    const double unit = 1.0 / sizes[s], scale[] = {unit, unit, unit, unit}, center[4] = {0.0},
                 at[4] = {0.0};
    const observations o = {.kind = COLUMNS_DOUBLE,
                            .rows = 2,
                            .columns = 4,
                            .real = x,
                            .center = center,
                            .scale = scale};
    double out[2];
    single_point_distances(exec, &o, 0, 2, at, 1, out);
    CHECK(out[0] == 0.0 && fabs(out[1] - 30.0) < 1e-12,
          "distances of columns of size %g: %g and %g", sizes[s], out[0], out[1]);
  }
}

static void check_points(void) {
  const size_t columns = 5;
  const points from = points_make(11, columns);
  points to = points_on(doubles(points_size(4, columns)), 4, columns);
  points_copy(&from, 6, &to);
  double worst = 0.0;
  int same = to.count == 4 && to.ld == 8;
  for (size_t l = 0; l < to.count; l++) {
    double norm = 0.0;
    for (size_t j = 0; j < columns; j++) {
      same &= *coordinate(&to, l, j) == *coordinate(&from, 6 + l, j);
      norm += *coordinate(&to, l, j) * *coordinate(&to, l, j);
    }
    compare_relative(&worst, to.norm[l], norm);
  }
  for (size_t j = 0; j < columns; j++) {
    for (size_t l = to.count; l < to.ld; l++) same &= *coordinate(&to, l, j) == 0.0;
  }
  CHECK(same, "a range of points is copied, and the padding left zero");
  CHECK(worst < 1e-15, "norms are copied with the points");
  release();
}

static void check_edges(const executor *exec) {
  for (size_t columns = 1; columns < 3000; columns += 61) {
    const size_t rows = features_tile(columns);
    CHECK(rows >= 16 && rows <= 256 && rows % 8 == 0, "a tile of %zu columns has %zu rows", columns,
          rows);
  }
  /* Far away: the feature is exactly 0, and the distance what it should be. */
  const data d = data_make(ROWS_DENSE, 3, 2, 0);
  const points t = points_make(1, 2);
  *coordinate(&t, 0, 0) = 1e6;
  points_norms((points *)&t);
  double *out = doubles(3 * t.ld), worst = 0.0;
  const radial_kernel k = gaussian_kernel(BANDWIDTH);
  features(exec, &d.x, 0, 3, &t, &k, NULL, out, NULL);
  for (size_t i = 0; i < 3; i++) compare(&worst, out[i * t.ld], 0.0, 1.0);
  CHECK(worst == 0.0, "a feature of a far point is exactly 0");
  features(exec, &d.x, 0, 3, &t, NULL, NULL, out, NULL);
  worst = features_error(&d, 0, 3, &t, NULL, out, t.ld, 1);
  CHECK(worst < 1e-12, "the distance of a far point: error %g", worst);
  release();
}

void test_features(const executor *exec) {
  static const size_t shapes[][3] = {{1, 1, 1},     {3, 2, 5},   {9, 3, 9},  {40, 17, 23},
                                     {300, 8, 1},   {701, 3, 7}, {90, 5, 2}, {60, 70, 65},
                                     {130, 600, 4}, {50, 97, 25}};
  check_points();
  check_extreme_distances(exec);
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    for (int kind = 0; kind < LAYOUTS; kind++) {
      check_features(exec, (layout)kind, shapes[s][0], shapes[s][1], shapes[s][2]);
      check_root(exec, (layout)kind, shapes[s][0], shapes[s][1], shapes[s][2]);
    }
    for (int kind = ROWS_DENSE; kind <= ROWS_SINGLE; kind++) {
      check_weighted_sums(exec, (layout)kind, shapes[s][0], shapes[s][1], shapes[s][2]);
    }
  }
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    check_single(exec, shapes[s][0], shapes[s][1], shapes[s][2], BANDWIDTH);
    check_single(exec, shapes[s][0], shapes[s][1], shapes[s][2], 1e-4);
  }
  check_columns_distances(exec, COLUMNS_DOUBLE);
  check_columns_distances(exec, COLUMNS_INTEGER);
  check_edges(exec);
}
