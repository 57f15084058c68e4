/* The parts of the fixed point of the volume, and steps that go a part of the way. */
#include "check.h"
#include "core/optim/volume.h"
#include "fixture.h"

static const space euclidean = {.kind = SPACE_EUCLIDEAN};

static ascent climber(const executor *exec, const data *d, double bandwidth, const space *where,
                      size_t fixed, size_t moving) {
  ascent a;
  const climb_problem problem = {gaussian_kernel(bandwidth), &volume_criterion, where, fixed,
                                 moving};
  LAY_OUT_CHECKED(memory, ascent_layout(&a, &memory, exec, &d->x, &problem, 1));
  return a;
}

/* H = D Phi o (Phi G^-1) by its definition; rows with heavy tails, of which some are far from all
 * landmarks. Some of H is below 0: a landmark is a signed average of rows. */
static void check_h(const executor *exec, size_t p, size_t fixed, size_t moving, int weighted,
                    int *negative) {
  const size_t rows = 50, n = fixed + moving, ld = padded(moving);
  const double bandwidth = 0.02 * (double)p;
  data d = data_make(ROWS_DENSE, rows, p, weighted);
  double *real = doubles(rows * padded(p));
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < padded(p); j++) {
      const double cauchy = tan(0.5 * acos(-1.0) * symmetric());
      real[i * padded(p) + j] = j < p ? cauchy : 0.0;
      if (j < p) d.z[i * p + j] = cauchy;
    }
  }
  d.x.real = real;
  ascent a = climber(exec, &d, bandwidth, &euclidean, fixed, moving);
  for (size_t l = 0; l < n; l++) {
    for (size_t j = 0; j < p; j++)
      *coordinate(l < fixed ? &a.fixed : &a.now, l < fixed ? l : l - fixed, j) = d.z[l * p + j];
  }
  points_norms(&a.fixed);
  points_norms(&a.now);
  CHECK(isfinite(a.criterion->value(&a, 1)), "rows are landmarks apart from each other");
  a.criterion->propose(&a);

  double *phi = doubles(rows * n);
  for (size_t i = 0; i < rows; i++) {
    for (size_t l = 0; l < n; l++)
      phi[i * n + l] = l < fixed ? plain_feature(&d, i, &a.fixed, l, bandwidth)
                                 : plain_feature(&d, i, &a.now, l - fixed, bandwidth);
  }
  long double *g = bytes(n * n * sizeof *g);
  for (size_t k = 0; k < n; k++) {
    for (size_t l = 0; l < n; l++) {
      g[k * n + l] = 0.0L;
      for (size_t i = 0; i < rows; i++)
        g[k * n + l] += (long double)weight_of(&d, i) * phi[i * n + k] * phi[i * n + l];
    }
  }
  const long double *inverse = plain_inverse(n, g);
  double worst = 0.0, off = 0.0;
  for (size_t l = 0; l < moving; l++) {
    long double sum = 0.0L;
    for (size_t i = 0; i < rows; i++) {
      long double h = 0.0L;
      for (size_t k = 0; k < n; k++) h += phi[i * n + k] * inverse[k * n + fixed + l];
      h *= weight_of(&d, i) * phi[i * n + fixed + l];
      compare(&worst, a.h[i * ld + l], (double)h, 1.0);
      sum += a.h[i * ld + l];
      *negative += a.h[i * ld + l] < -1e-3;
    }
    compare(&off, (double)sum, 1.0, 1.0);
  }
  CHECK(worst < 1e-11, "H is its formula (%zu columns, %zu + %zu, weighted %d): error %g", p, fixed,
        moving, weighted, worst);
  CHECK(off < 1e-11, "its columns sum to 1 (%zu columns, %zu + %zu, weighted %d): error %g", p,
        fixed, moving, weighted, off);
  release();
}

/* A step that was halved: half as often it would lower the value; with fewer halvings allowed
 * nothing moves. `before` is where `a` stood, `one` what the step has become. */
static void check_halved(ascent *a, const points *before, const space *where, climb_result one) {
  const size_t size = a->now.columns * a->now.ld;
  double *moved = doubles(a->now.count);
  points after = points_make(a->now.count, a->now.columns);
  points_copy(&a->now, 0, &after);
  points_copy(before, 0, &a->now);
  points_norms(&a->now);
  const climb_result still = plain_climb(a, 1, one.halvings - 1, 0.0, moved);
  CHECK(still.steps == 0 && still.value == one.start && SAME_BITS(a->now.x, before->x, size),
        "with %d halvings nothing moves", one.halvings - 1);
  points_copy(before, 0, &a->now);
  points_norms(&a->now);
  a->criterion->value(a, 1);
  a->criterion->propose(a);
  const double share = pow(0.5, one.halvings);
  points shorter = points_make(a->now.count, a->now.columns);
  for (int longer = 0; longer < 2; longer++) {
    points *t = longer ? &a->now : &shorter;
    for (size_t l = 0; l < t->count; l++) {
      for (size_t j = 0; j < t->columns; j++) {
        const double from = *coordinate(before, l, j);
        *coordinate(t, l, j) =
            from + (longer ? 2.0 * share : share) * (*coordinate(&a->sums, l, j) - from);
      }
    }
    points_norms(t);
    space_project(where, t, 0, a->vector);
  }
  double worst = 0.0;
  for (size_t l = 0; l < after.count; l++) {
    for (size_t j = 0; j < after.columns; j++)
      compare_relative(&worst, *coordinate(&after, l, j), *coordinate(&shorter, l, j));
  }
  CHECK(worst < 1e-12, "a step halved %d times goes 1 / %g of the way: error %g", one.halvings,
        1.0 / share, worst);
  CHECK(!(a->criterion->value(a, 0) >= one.start), "twice as far it would lower the value");
  points_copy(&after, 0, &a->now);
  points_norms(&a->now);
}

/* Near the kernel's rank, where whole steps overshoot. Returns how many were halved. */
static int check_short_steps(const executor *exec, layout kind, int weighted, size_t fixed,
                             space_kind where_kind) {
  const size_t p = 2, moving = 14;
  const data d = data_make(kind, 80, p, weighted);
  const space where = {where_kind, d.x.center, d.x.scale, NULL, NULL};
  ascent a = climber(exec, &d, 2.0, &where, fixed, moving);
  seed(11);
  points_fill(&a.fixed);
  points_fill(&a.now);
  space_project(&where, &a.now, 0, a.vector);
  double *moved = doubles(moving);
  points before = points_make(moving, p);
  int halved = 0;
  for (int step = 0; step < 8; step++) {
    points_copy(&a.now, 0, &before);
    const climb_result one = plain_climb(&a, 1, 10, 0.0, moved);
    if (!one.steps || !one.halvings) continue;
    halved++;
    check_halved(&a, &before, &where, one);
  }
  release();
  return halved;
}

void test_fixed_point(const executor *exec) {
  int negative = 0, halved = 0;
  const size_t columns[] = {1, 3, 20}, counts[] = {1, 5, 9};
  for (int weighted = 0; weighted < 2; weighted++) {
    for (size_t c = 0; c < 3; c++) {
      for (size_t m = 0; m < 3; m++) check_h(exec, columns[c], 0, counts[m], weighted, &negative);
      check_h(exec, columns[c], 4, 2, weighted, &negative);
    }
    for (int kind = 0; kind < LAYOUTS; kind++) {
      halved += check_short_steps(exec, (layout)kind, weighted, 0, SPACE_EUCLIDEAN);
      halved += check_short_steps(exec, (layout)kind, weighted, 1, SPACE_NONNEGATIVE);
    }
  }
  CHECK(negative > 0, "some of H is below 0");
  CHECK(halved > 2, "some steps go only half the way, %d of them", halved);
}
