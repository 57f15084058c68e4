/* Projections: they land in the space, stay there, and nothing in it is nearer. */
#include <float.h>
#include <string.h>

#include "check.h"
#include "core/data/space.h"
#include "fixture.h"

#define SPACES SPACE_CUSTOM

static double length_of(const double *t, size_t d) {
  double sum = 0.0;
  for (size_t j = 0; j < d; j++) sum += t[j] * t[j];
  return sqrt(sum);
}

static int is_inside(space_kind kind, const double *t, size_t d) {
  int inside = 1;
  for (size_t j = 0; j < d; j++) {
    inside &= isfinite(t[j]);
    if (kind == SPACE_NONNEGATIVE || kind == SPACE_NONNEGATIVE_SPHERE) inside &= t[j] >= 0.0;
  }
  if (kind == SPACE_SPHERE || kind == SPACE_NONNEGATIVE_SPHERE) {
    inside &= fabs(length_of(t, d) - 1.0) < 1e-14;
  }
  return inside;
}

static double apart(const double *a, const double *b, size_t d) {
  double sum = 0.0;
  for (size_t j = 0; j < d; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

/* Some point of the space, near `at` or anywhere. */
static void sample(space_kind kind, const double *at, double *u, size_t d) {
  const double reach = at ? pow(10.0, -4.0 * uniform()) : 3.0;
  for (size_t j = 0; j < d; j++) u[j] = (at ? at[j] : 0.0) + reach * symmetric();
  if (kind == SPACE_NONNEGATIVE || kind == SPACE_NONNEGATIVE_SPHERE) {
    for (size_t j = 0; j < d; j++) u[j] = uniform() < 0.3 && d > 1 ? 0.0 : fabs(u[j]);
  }
  if (kind == SPACE_SPHERE || kind == SPACE_NONNEGATIVE_SPHERE) {
    const double ld = length_of(u, d);
    for (size_t j = 0; j < d; j++) u[j] = ld > 0.0 ? u[j] / ld : j == 0;
  }
}

static void check_projection(space_kind kind, const double *from, size_t d, const char *what) {
  double *t = doubles(d), *again = doubles(d), *u = doubles(d);
  memcpy(t, from, d * sizeof *t);
  space_rules[kind].project(t, d);
  CHECK(is_inside(kind, t, d), "%s in %zu dimensions lands in the %s space", what, d,
        space_rules[kind].name);
  memcpy(again, t, d * sizeof *t);
  space_rules[kind].project(again, d);
  double *row = doubles(d);
  memcpy(row, from, d * sizeof *t);
  space_project_row(kind, row, d);
  CHECK(apart(t, row, d) < 1e-30, "%s in %zu dimensions goes where a row does in the %s space",
        what, d, space_rules[kind].name);
  CHECK(apart(t, again, d) < 1e-30, "%s in %zu dimensions stays where it is in the %s space", what,
        d, space_rules[kind].name);
  const double distance = apart(from, t, d);
  double nearer = 0.0;
  for (int s = 0; s < 200; s++) {
    sample(kind, s % 2 ? t : NULL, u, d);
    nearer = fmax(nearer, distance - apart(from, u, d));
  }
  CHECK(nearer <= 1e-13 * (1.0 + distance),
        "nothing of the %s space is nearer to %s in %zu "
        "dimensions: by %g",
        space_rules[kind].name, what, d, nearer);
}

static void check_projections(void) {
  static const size_t dimensions[] = {1, 2, 3, 5, 11};
  for (int kind = 0; kind < SPACES; kind++) {
    for (size_t s = 0; s < sizeof dimensions / sizeof *dimensions; s++) {
      const size_t d = dimensions[s];
      double *t = doubles(d);
      for (int again = 0; again < 5; again++) {
        for (size_t j = 0; j < d; j++) t[j] = 2.0 * symmetric();
        check_projection((space_kind)kind, t, d, "a vector");
        for (size_t j = 0; j < d; j++) t[j] = -0.1 - uniform();
        check_projection((space_kind)kind, t, d, "a negative vector");
        for (size_t j = 0; j < d; j++) t[j] = j % 2 ? 0.0 : -uniform();
        check_projection((space_kind)kind, t, d, "a vector with nothing positive");
      }
      for (size_t j = 0; j < d; j++) t[j] = 0.0;
      check_projection((space_kind)kind, t, d, "the zero vector");
      const double first = kind == SPACE_SPHERE || kind == SPACE_NONNEGATIVE_SPHERE;
      space_rules[kind].project(t, d);
      CHECK(t[0] == first && fabs(length_of(t, d) - first) < 1e-15,
            "the zero vector becomes the first axis of a sphere, and stays elsewhere (%s)",
            space_rules[kind].name);
      release();
    }
  }
  /* The axis of the largest coordinate, where none is positive. */
  double t[3] = {-3.0, -0.5, -2.0};
  space_rules[SPACE_NONNEGATIVE_SPHERE].project(t, 3);
  CHECK(t[0] == 0.0 && t[1] == 1.0 && t[2] == 0.0, "(-3, -0.5, -2) becomes the second axis");
}

/* So large that the square overflows, or so small that it underflows. */
static void check_extremes(void) {
  static const double sizes[] = {1e200, 1e308, 1e-200, 1e-308, 1e-320, 5e-324};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    for (size_t d = 2; d <= 4; d++) {
      double t[4] = {sizes[s], sizes[s], sizes[s], sizes[s]}, worst = 0.0;
      space_rules[SPACE_SPHERE].project(t, d);
      for (size_t j = 0; j < d; j++) compare(&worst, t[j], 1.0 / sqrt((double)d), 1.0);
      double row[4] = {sizes[s], sizes[s], sizes[s], sizes[s]};
      space_project_row(SPACE_SPHERE, row, d);
      for (size_t j = 0; j < d; j++) compare(&worst, row[j], 1.0 / sqrt((double)d), 1.0);
      CHECK(worst < 1e-15, "%zu coordinates of %g are the same on the sphere: error %g", d,
            sizes[s], worst);
    }
  }
}

/* Relative to t, also where squares overflow or underflow. */
static void check_distance(void) {
  static const double sizes[] = {1e-300, 1e-170, 1.0, 1e170, 1e300};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const double r = sizes[s], t[4] = {3.0 * r, NAN, 4.0 * r, NAN}, u[4] = {3.0 * r, NAN, -r, NAN};
    double worst = 0.0;
    compare(&worst, space_distance(t, u, 2, 2), 1.0, 1.0);
    compare(&worst, space_distance(t, t, 2, 2), 0.0, 1.0);
    CHECK(worst < 1e-15, "5 of 5 times %g apart: error %g", r, worst);
  }
  const double zero[2] = {0.0, 0.0}, one[2] = {0.0, -1.0};
  CHECK(space_distance(zero, zero, 2, 1) == 0.0 && space_distance(zero, one, 2, 1) == INFINITY,
        "from 0 all that is not 0 is far");
}

static void third_is_seven(void *context, double *t, size_t columns) {
  t[columns - 1] = 7.0;
  ++*(int *)context;
}

/* Points in the kernel's coordinates, the space in the user's. */
static void check_points(int scaled) {
  const size_t n = 11, d = 3;
  double *center = doubles(d), *factor = doubles(d), *u = doubles(d), *t = doubles(d);
  for (size_t j = 0; j < d; j++) {
    center[j] = symmetric();
    factor[j] = 0.5 + uniform();
  }
  for (int kind = 0; kind <= SPACE_CUSTOM; kind++) {
    int calls = 0;
    const space s = {.kind = (space_kind)kind,
                     .center = scaled ? center : NULL,
                     .scale = scaled ? factor : NULL,
                     .project = third_is_seven,
                     .context = &calls};
    points p = points_make(n, d), before = points_make(n, d);
    memcpy(before.x, p.x, d * p.ld * sizeof *p.x);
    memset(p.norm, 0, n * sizeof *p.norm);
    const size_t first = 4;
    space_project(&s, &p, first, t);
    double worst = 0.0;
    int untouched = 1;
    for (size_t l = 0; l < n; l++) {
      double norm = 0.0;
      for (size_t j = 0; j < d; j++) {
        const double z = *coordinate(&before, l, j);
        u[j] = scaled ? z / factor[j] + center[j] : z;
        norm += *coordinate(&p, l, j) * *coordinate(&p, l, j);
        if (l < first) untouched &= *coordinate(&p, l, j) == z;
      }
      compare_relative(&worst, p.norm[l], norm);
      if (l < first) continue;
      if (kind == SPACE_CUSTOM)
        u[d - 1] = 7.0;
      else
        space_rules[kind].project(u, d);
      for (size_t j = 0; j < d; j++) {
        compare_relative(&worst, *coordinate(&p, l, j),
                         scaled ? (u[j] - center[j]) * factor[j] : u[j]);
      }
    }
    CHECK(worst < 1e-14,
          "points are projected in the user's coordinates (space %d, scaled %d): "
          "error %g",
          kind, scaled, worst);
    CHECK(untouched, "points before the first are left alone (space %d)", kind);
    CHECK(calls == (kind == SPACE_CUSTOM ? (int)(n - first) : 0),
          "a projection of the user's own is called once for each point");
  }
  release();
}

void test_space(const executor *exec) {
  (void)exec;
  check_projections();
  check_extremes();
  check_distance();
  check_points(0);
  check_points(1);
}
