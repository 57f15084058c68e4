/* The pass over ranges, the fixed point of the volume, and the climb. */
#include <string.h>

#include "check.h"
#include "core/optim/volume.h"
#include "fixture.h"

#define BANDWIDTH 0.9
#define SEVERAL 8229 /* more rows than a range has */

static ascent climber(const executor *exec, const data *d, double bandwidth, const space *where,
                      size_t fixed, size_t moving, int kept) {
  ascent a;
  const climb_problem problem = {gaussian_kernel(bandwidth), &volume_criterion, where, fixed,
                                 moving};
  LAY_OUT_CHECKED(memory, ascent_layout(&a, &memory, exec, &d->x, &problem, kept));
  return a;
}

static const space euclidean = {.kind = SPACE_EUCLIDEAN};

static void fill(ascent *a, unsigned long long from) {
  seed(from);
  points_fill(&a->fixed);
  points_fill(&a->now);
}

/* Phi of [fixed, moving], rows x n. */
static double *plain_phi(const data *d, const points *fixed, const points *moving,
                         double bandwidth) {
  const size_t n = fixed->count + moving->count;
  double *phi = doubles(d->x.rows * n);
  for (size_t i = 0; i < d->x.rows; i++) {
    for (size_t l = 0; l < n; l++) {
      phi[i * n + l] = l < fixed->count ? plain_feature(d, i, fixed, l, bandwidth)
                                        : plain_feature(d, i, moving, l - fixed->count, bandwidth);
    }
  }
  return phi;
}

static size_t polls;
static void poll(void) { polls++; }

/* G, the nearest rows and the sums of one pass, kept or in ranges. */
typedef struct {
  double *g;
  nearness near;
  points sums;
} swept;

static swept row_pass_once(const executor *exec, const data *d, const points *fixed,
                           const points *moving, int kept, const double *inverse) {
  row_pass s;
  const size_t n = fixed->count + moving->count, m = moving->count, p = d->x.columns;
  LAY_OUT_CHECKED(memory, row_pass_layout(&s, &memory, exec, &d->x, gaussian_kernel(BANDWIDTH),
                                          fixed->count, m, kept));
  CHECK(row_pass_kept(&s) == (kept || d->x.rows < SEVERAL),
        "%zu rows, kept %d: in one range or not", d->x.rows, kept);
  swept out = {doubles(n * padded(n)),
               {integers(m), doubles(m), doubles(s.range), NAN, NAN},
               points_on(doubles(points_size(m, p)), m, p)};
  polls = 0;
  row_pass_gram(&s, fixed, moving, 1, out.g);
  CHECK(polls >= (d->x.rows + s.range - 1) / s.range, "each range is polled for");
  /* The nearest rows, and G = A where the factor is 1. */
  triangular one;
  LAY_OUT_CHECKED(unit, triangular_layout(&one, &unit, n));
  memset(one.upper, 0, n * one.ld * sizeof *one.upper);
  for (size_t l = 0; l < n; l++) one.upper[l * one.ld + l] = 1.0;
  triangular_prepare(&one);
  double *a = doubles(n * padded(n)), worst = 0.0;
  row_pass_nystrom(&s, fixed, moving, 0, &one, doubles(row_pass_h_size(&s)),
                   doubles(row_pass_parts(&s)), a, &out.near);
  const double *phi = plain_phi(d, fixed, moving, BANDWIDTH);
  long double want = 0.0;
  for (size_t i = 0; i < d->x.rows; i++) {
    long double rest = 1.0;
    for (size_t l = 0; l < n; l++) rest -= (long double)phi[i * n + l] * phi[i * n + l];
    if (rest > 0.0) want += weight_of(d, i) * rest;
  }
  CHECK(fabs(out.near.left - (double)want) < 1e-13 * (double)d->x.rows, "what rows leave: %.17g",
        out.near.left);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++)
      compare_relative(&worst, a[i * padded(n) + j], out.g[i * padded(n) + j]);
  }
  CHECK(worst < 1e-14, "G is the same by Nystrom features: error %g", worst);
  row_pass_sums(&s, fixed, moving, inverse, doubles(row_pass_h_size(&s)), doubles(m * padded(p)),
                &out.sums, doubles(m));
  return out;
}

static double passes_apart(const swept *a, const swept *b, size_t n) {
  double worst = 0.0;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++)
      compare_relative(&worst, a->g[i * padded(n) + j], b->g[i * padded(n) + j]);
  }
  for (size_t l = 0; l < a->sums.count; l++) {
    for (size_t j = 0; j < a->sums.columns; j++) {
      compare_relative(&worst, *coordinate(&a->sums, l, j), *coordinate(&b->sums, l, j));
    }
    compare(&worst, a->near.distance[l], b->near.distance[l], 1.0);
    compare(&worst, a->near.row[l], b->near.row[l], 0.0);
  }
  compare_relative(&worst, a->near.within, b->near.within);
  return worst;
}

static void check_row_pass(const executor *exec, layout kind, int weighted, size_t fixed_count,
                           size_t rows) {
  const size_t p = 2, m = 3, n = fixed_count + m;
  const executor polled = {exec->threads, exec->variant, poll, NULL},
                 other = other_threads(&polled);
  const data d = data_make(kind, rows, p, weighted);
  const points fixed = points_make(fixed_count, p), moving = points_make(m, p);
  /* The nearest to one of them is the very last row, unless it is there twice. */
  for (size_t j = 0; j < p; j++) *coordinate(&moving, 0, j) = d.z[(rows - 1) * p + j];
  points_norms((points *)&moving);
  double *inverse = doubles(n * padded(m));
  for (size_t i = 0; i < n; i++) {
    for (size_t l = 0; l < m; l++) inverse[i * padded(m) + l] = symmetric() / (double)rows;
  }
  const swept kept = row_pass_once(&polled, &d, &fixed, &moving, 1, inverse);
  const swept ranges = row_pass_once(&polled, &d, &fixed, &moving, 0, inverse);
  const swept threads = row_pass_once(&other, &d, &fixed, &moving, 0, inverse);
  double worst = passes_apart(&kept, &ranges, n);
  CHECK(worst < 1e-12, "%zu %s in ranges, weighted %d, %zu fixed, are as kept: error %g", rows,
        layout_name[kind], weighted, fixed_count, worst);
  CHECK(passes_apart(&ranges, &threads, n) == 0.0, "%d threads give the same pass", other.threads);

  const double *phi = plain_phi(&d, &fixed, &moving, BANDWIDTH);
  worst = 0.0;
  for (size_t a = 0; a < n; a++) {
    for (size_t b = 0; b < n; b++) {
      long double want = 0.0;
      for (size_t i = 0; i < rows; i++) {
        want += (long double)weight_of(&d, i) * phi[i * n + a] * phi[i * n + b];
      }
      compare_relative(&worst, kept.g[a * padded(n) + b], (double)want);
    }
  }
  for (size_t l = 0; l < m; l++) {
    long double want[2] = {0.0};
    double nearest = INFINITY;
    for (size_t i = 0; i < rows; i++) {
      double h = 0.0;
      for (size_t k = 0; k < n; k++) h += phi[i * n + k] * inverse[k * padded(m) + l];
      h *= weight_of(&d, i) * phi[i * n + fixed_count + l];
      for (size_t j = 0; j < p; j++) want[j] += (long double)h * d.z[i * p + j];
      nearest = fmin(nearest, plain_distance(&d, i, &moving, l));
    }
    for (size_t j = 0; j < p; j++)
      compare_relative(&worst, *coordinate(&kept.sums, l, j), (double)want[j]);
    compare_relative(&worst, kept.near.distance[l], nearest);
    compare_relative(&worst, plain_distance(&d, (size_t)kept.near.row[l], &moving, l), nearest);
  }
  long double within = 0.0;
  for (size_t i = 0; i < rows; i++) {
    double least = INFINITY;
    for (size_t l = 0; l < m; l++) least = fmin(least, plain_distance(&d, i, &moving, l));
    within += (long double)weight_of(&d, i) * least;
  }
  compare_relative(&worst, kept.near.within, (double)within);
  CHECK(worst < 1e-11, "G, H'X and the nearest of %zu %s, weighted %d, %zu fixed: error %g", rows,
        layout_name[kind], weighted, fixed_count, worst);
  release();
}

static double value_at(ascent *a, size_t l, size_t j, double step) {
  double *x = coordinate(&a->now, l, j), before = *x;
  *x = before + step;
  points_norms(&a->now);
  const double value = a->criterion->value(a, 0);
  *x = before;
  points_norms(&a->now);
  return value;
}

static void check_fixed_point(const executor *exec, layout kind, int weighted, size_t fixed,
                              size_t moving) {
  const size_t p = 3;
  const data d = data_make(kind, 70, p, weighted);
  ascent a = climber(exec, &d, BANDWIDTH, &euclidean, fixed, moving, 1);
  fill(&a, 5);
  const double value = a.criterion->value(&a, 1);
  a.criterion->propose(&a);
  double worst = 0.0;
  for (size_t l = 0; l < moving; l++) {
    long double sum = 0.0;
    for (size_t i = 0; i < d.x.rows; i++) sum += a.h[i * padded(moving) + l];
    compare(&worst, (double)sum, 1.0, 1.0);
  }
  CHECK(worst < 1e-9, "columns of H sum to 1 (%s, weighted %d, %zu + %zu): error %g",
        layout_name[kind], weighted, fixed, moving, worst);

  points sums = points_on(doubles(points_size(moving, p)), moving, p);
  points_copy(&a.sums, 0, &sums);
  worst = 0.0;
  const double step = 1e-3;
  for (size_t l = 0; l < moving; l++) {
    for (size_t j = 0; j < p; j++) {
      /* Differences of fourth order. */
      const double gradient = (8.0 * (value_at(&a, l, j, step) - value_at(&a, l, j, -step)) -
                               (value_at(&a, l, j, 2 * step) - value_at(&a, l, j, -2 * step))) /
                              (12.0 * step);
      compare_relative(&worst, *coordinate(&sums, l, j),
                       *coordinate(&a.now, l, j) + BANDWIDTH / 4.0 * gradient);
    }
  }
  CHECK(worst < 1e-6, "T+ = T + eta / 4 gradient (%s, weighted %d, %zu + %zu): error %g",
        layout_name[kind], weighted, fixed, moving, worst);
  const double again = a.criterion->value(&a, 1);
  CHECK(fabs(again - value) <= 1e-12 * fabs(value), "the value is the same with all computed anew");
  release();
}

/* Step by step, where `n` is near the kernel's rank or not. */
static void check_climb(const executor *exec, layout kind, int weighted, size_t rows, size_t fixed,
                        size_t moving, double bandwidth, space_kind where_kind, int *halvings) {
  const size_t p = 2;
  const data d = data_make(kind, rows, p, weighted);
  const space where = {where_kind, d.x.center, d.x.scale, NULL, NULL};
  const executor other = other_threads(exec);
  ascent a = climber(exec, &d, bandwidth, &where, fixed, moving, rows < SEVERAL);
  ascent b = climber(&other, &d, bandwidth, &where, fixed, moving, rows < SEVERAL);
  fill(&a, 11);
  fill(&b, 11);
  space_project(&where, &a.now, 0, a.vector);
  space_project(&where, &b.now, 0, b.vector);
  const int steps = rows < SEVERAL ? 8 : 2;
  double *moved = doubles(moving), *moved_b = doubles(moving), last = 0.0;
  int rising = 1, together = 0, honest = 1;
  for (int step = 0; step < steps; step++) {
    const climb_result one = plain_climb(&a, 1, 10, 0.0, moved);
    together += one.steps;
    *halvings += one.halvings;
    rising &= one.value >= one.start && (step == 0 || one.start >= last - 1e-9 * fabs(last));
    last = one.value;
    honest &= fabs(a.criterion->value(&a, 1) - one.value) <= 1e-9 * fabs(one.value);
    for (size_t l = 0; l < moving; l++) honest &= moved[l] >= 0.0;
  }
  const climb_result all = plain_climb(&b, steps, 10, 0.0, moved_b);
  CHECK(rising, "the value never falls (%s, weighted %d, %zu + %zu)", layout_name[kind], weighted,
        fixed, moving);
  CHECK(honest, "the value said is that of where the climb ends (%s)", layout_name[kind]);
  CHECK(together > 0 && all.steps > 0, "the climb goes somewhere (%s, %zu + %zu)",
        layout_name[kind], fixed, moving);
  CHECK(points_inside(&a.now, &where) && points_inside(&b.now, &where),
        "the climb stays in its space (%d)", where_kind);

  fill(&a, 11);
  space_project(&where, &a.now, 0, a.vector);
  const climb_result same = plain_climb(&a, steps, 10, 0.0, moved);
  CHECK(same.value == all.value && same.steps == all.steps && same.halvings == all.halvings &&
            SAME_BITS(a.now.x, b.now.x, p * a.now.ld) && SAME_BITS(moved, moved_b, moving),
        "%d threads climb to the same bits (%s)", other.threads, layout_name[kind]);
  release();
}

static void check_climb_ends(const executor *exec) {
  const data d = data_make(ROWS_DENSE, 80, 2, 0);
  ascent a = climber(exec, &d, BANDWIDTH, &euclidean, 1, 4, 1);
  double *moved = doubles(4);
  points before = points_make(4, 2);

  /* No steps: the value of the start. */
  fill(&a, 3);
  points_copy(&a.now, 0, &before);
  climb_result r = plain_climb(&a, 0, 5, 0.0, moved);
  CHECK(r.steps == 0 && r.value == r.start && isfinite(r.value) &&
            SAME_BITS(before.x, a.now.x, 2 * before.ld),
        "a climb of no steps stays where it is");

  /* A tolerance that every step is within: where it was, and how far it would have gone. */
  r = plain_climb(&a, 5, 5, 1e3, moved);
  double worst = 0.0;
  for (size_t l = 0; l < 4; l++) {
    const double x = *coordinate(&a.sums, l, 0) - *coordinate(&before, l, 0);
    const double y = *coordinate(&a.sums, l, 1) - *coordinate(&before, l, 1);
    compare_relative(&worst, moved[l], sqrt((x * x + y * y) / BANDWIDTH));
  }
  CHECK(r.steps == 0 && SAME_BITS(before.x, a.now.x, 2 * before.ld),
        "a climb ends where no landmark would move by the tolerance");
  CHECK(worst < 1e-13, "moved is in units of the root of the bandwidth: error %g", worst);
  CHECK(SAME_BITS(before.norm, a.now.norm, 4), "norms are those of the end");

  /* To the end: the fixed point is fixed. */
  r = plain_climb(&a, 2000, 20, 1e-7, moved);
  int still = r.value > r.start && r.steps < 2000;
  for (size_t l = 0; l < 4; l++) still &= moved[l] <= 1e-7;
  CHECK(still, "a long climb ends at a fixed point after %d steps", r.steps);

  /* Two landmarks in one place, and one on a fixed one: no value, nothing moves. */
  for (int on_fixed = 0; on_fixed < 2; on_fixed++) {
    fill(&a, 3);
    for (size_t j = 0; j < 2; j++) {
      *coordinate(&a.now, 2, j) =
          on_fixed ? *coordinate(&a.fixed, 0, j) : *coordinate(&a.now, 1, j);
    }
    points_norms(&a.now);
    points_copy(&a.now, 0, &before);
    r = plain_climb(&a, 3, 5, 0.0, moved);
    CHECK(r.start == -INFINITY && r.value == -INFINITY && r.steps == 0 && moved[0] == INFINITY &&
              SAME_BITS(before.x, a.now.x, 2 * before.ld),
          "a start without a value is left alone");
  }
  release();
}

static void check_gradient_step(const executor *exec, layout kind, int weighted, size_t fixed) {
  const size_t p = 2;
  const data d = data_make(kind, 60, p, weighted);
  ascent a = climber(exec, &d, BANDWIDTH, &euclidean, fixed, 1, 1);
  fill(&a, 8);
  a.criterion->value(&a, 1);
  /* Of the fixed landmarks, whose columns come first in the factor. */
  const double others = volume_of_first(&a, fixed);
  double gradient[2], norm = 0.0;
  const double step = 1e-3;
  for (size_t j = 0; j < p; j++) {
    double v[4];
    const double at[4] = {step, -step, 2 * step, -2 * step};
    for (int s = 0; s < 4; s++) v[s] = exp(value_at(&a, 0, j, at[s]) - others);
    gradient[j] = (8.0 * (v[0] - v[1]) - (v[2] - v[3])) / (12.0 * step);
    norm += gradient[j] * gradient[j];
  }
  for (int unit = 0; unit < 2; unit++) {
    for (int first = 0; first < 2; first++) {
      fill(&a, 8);
      double from[2] = {*coordinate(&a.now, 0, 0), *coordinate(&a.now, 0, 1)}, worst = 0.0;
      volume_gradient_step(&a, 0.01, unit, first);
      for (size_t j = 0; j < p; j++) {
        const double want = from[j] + 0.01 * gradient[j] / (unit ? sqrt(norm) : 1.0);
        compare_relative(&worst, *coordinate(&a.now, 0, j), want);
      }
      CHECK(worst < 1e-7,
            "a step along the gradient of the last variance (%s, weighted %d, %zu "
            "held, unit %d): error %g",
            layout_name[kind], weighted, fixed, unit, worst);
    }
  }
  release();
}

void test_ascent(const executor *exec) {
  for (int weighted = 0; weighted < 2; weighted++) {
    int halvings = 0;
    for (int kind = 0; kind < LAYOUTS; kind++) {
      const layout k = (layout)kind;
      check_row_pass(exec, k, weighted, 0, 50);
      check_row_pass(exec, k, weighted, 4, 50);
      if (weighted == kind % 2) check_row_pass(exec, k, weighted, 1, SEVERAL);
      check_fixed_point(exec, k, weighted, 0, 5);
      check_fixed_point(exec, k, weighted, 3, 2);
      check_fixed_point(exec, k, weighted, 1, 1);
      check_climb(exec, k, weighted, 80, 0, 5, BANDWIDTH, SPACE_EUCLIDEAN, &halvings);
      check_climb(exec, k, weighted, 80, 2, 3, BANDWIDTH, SPACE_NONNEGATIVE, &halvings);
      check_climb(exec, k, weighted, 80, 1, 3, BANDWIDTH, SPACE_SPHERE, &halvings);
      check_climb(exec, k, weighted, 80, 0, 14, 2.0, SPACE_EUCLIDEAN, &halvings);
      check_gradient_step(exec, k, weighted, 0);
      check_gradient_step(exec, k, weighted, 3);
    }
    CHECK(halvings > 0, "near the kernel's rank some steps go only half the way");
    check_climb(exec, ROWS_DENSE, weighted, SEVERAL, 1, 3, BANDWIDTH, SPACE_EUCLIDEAN, &halvings);
    check_climb(exec, COLUMNS_DOUBLE, weighted, SEVERAL, 0, 3, BANDWIDTH, SPACE_EUCLIDEAN,
                &halvings);
  }
  check_climb_ends(exec);
}
