/* Climbs on batches of rows, and by quasi-Newton steps on all rows. */
#include <string.h>

#include "check.h"
#include "core/optim/batches.h"
#include "core/optim/climb.h"
#include "core/optim/trace.h"
#include "core/optim/volume.h"
#include "fixture.h"

#define BANDWIDTH 0.9
#define BATCHES 7
#define COLUMNS 3

static int compared;

static const criterion *const criteria[] = {&trace_criterion, &volume_criterion};

static space space_of(const data *d, space_kind kind) {
  const space s = {kind, d->x.center, d->x.scale, NULL, NULL};
  return s;
}

static void fill(ascent *a) {
  seed(21);
  points_fill(&a->fixed);
  points_fill(&a->now);
  space_project(a->space, &a->now, 0, a->vector);
}

/* Some rows of the data as data of their own, gathered in the plainest way. */
static observations rows_of(const data *d, const int *row, size_t count) {
  const size_t ld = padded(COLUMNS);
  double *z = doubles(count * ld), *weight = doubles(count);
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < ld; j++) {
      z[i * ld + j] = j < COLUMNS ? d->z[(size_t)row[i] * COLUMNS + j] : 0.0;
    }
    weight[i] = weight_of(d, (size_t)row[i]);
  }
  observations x = observations_dense(z, count, COLUMNS);
  x.weight = weight;
  return x;
}

/* The same climb, a batch at a time, each with memory of its own and every step checked. Rows in
 * single precision lead to nearly the same place. */
static void check_batches(const executor *exec, layout kind, int weighted, size_t fixed,
                          const criterion *of, space_kind where_kind, int steps_each,
                          int is_single) {
  const size_t moving = 4, rows = 200, last = 3;
  const data d = data_make(kind, rows, COLUMNS, weighted);
  const space where = space_of(&d, where_kind);
  const climb_problem problem = {gaussian_kernel(BANDWIDTH), of, &where, fixed, moving};
  size_t size[BATCHES], all = 0;
  int steps[BATCHES];
  for (size_t k = 0; k < BATCHES; k++) {
    all += size[k] = 40 + 20 * k;
    steps[k] = steps_each;
  }
  seed(77);
  int *row = integers(all);
  for (size_t i = 0; i < all; i++) row[i] = (int)below(rows);
  const size_t chunk[3] = {1, 4, 2}, whole[1] = {BATCHES};
  batch_schedule schedule = {.count = BATCHES,
                             .size = size,
                             .steps = steps,
                             .row = row,
                             .averaged = last,
                             .halvings = 8,
                             .is_single = is_single,
                             .chunks = 3,
                             .chunk = chunk};
  double *moved[3];
  points end[3];
  const executor execs[2] = {*exec, other_threads(exec)};
  int taken = 0;
  /* By both numbers of threads; in one chunk. */
  for (int e = 0; e < 3; e++) {
    schedule.chunks = e == 2 ? 1 : 3;
    schedule.chunk = e == 2 ? whole : chunk;
    batches b;
    LAY_OUT_CHECKED(memory, batches_layout(&b, &memory, &execs[e == 1], &d.x, &problem, &schedule));
    fill(&b.ascent);
    moved[e] = doubles(moving);
    taken = batches_climb(&b, &schedule, moved[e]);
    end[e] = points_on(doubles(points_size(moving, COLUMNS)), moving, COLUMNS);
    memcpy(end[e].x, b.ascent.now.x, COLUMNS * b.ascent.now.ld * sizeof(double));
  }
  /* On a sphere some steps are refused. */
  CHECK(where_kind == SPACE_SPHERE ? taken > BATCHES / 2 : taken == BATCHES * steps_each,
        "steps are kept: %d", taken);
  const char *how[] = {"", "other threads", "one chunk"};
  for (int e = 1; e < 3; e++) {
    CHECK(SAME_BITS(end[0].x, end[e].x, COLUMNS * end[0].ld) &&
              SAME_BITS(moved[0], moved[e], moving),
          "%s: batches are climbed to the same bits (%s)", how[e], layout_name[kind]);
  }

  double *at = doubles(moving * COLUMNS), *half[2], weight[2] = {0.0, 0.0};
  for (int h = 0; h < 2; h++) {
    half[h] = doubles(moving * COLUMNS);
    for (size_t i = 0; i < moving * COLUMNS; i++) half[h][i] = 0.0;
  }
  const int *here = row;
  double *unused = doubles(moving);
  int halved = 0;
  for (size_t k = 0; k < BATCHES; here += size[k++]) {
    const observations x = rows_of(&d, here, size[k]);
    ascent a;
    climb c;
    LAY_OUT_CHECKED(memory, ascent_layout(&a, &memory, exec, &x, &problem, 1),
                    climb_layout(&c, &memory, &a, steps_each > 1 ? MOST_PAIRS : 0));
    fill(&a);
    for (size_t l = 0; k > 0 && l < moving; l++) {
      for (size_t j = 0; j < COLUMNS; j++) *coordinate(&a.now, l, j) = at[l * COLUMNS + j];
    }
    points_norms(&a.now);
    halved += climb_run(&c, &a, steps[k], 8, 1e-3, unused).halvings;
    const int h = BATCHES - 1 - k < last / 2;
    if (k >= BATCHES - last) weight[h] += (double)size[k];
    for (size_t l = 0; l < moving; l++) {
      for (size_t j = 0; j < COLUMNS; j++) {
        at[l * COLUMNS + j] = *coordinate(&a.now, l, j);
        if (k >= BATCHES - last) half[h][l * COLUMNS + j] += (double)size[k] * at[l * COLUMNS + j];
      }
    }
  }
  points mean = points_on(doubles(points_size(moving, COLUMNS)), moving, COLUMNS);
  double worst = 0.0;
  for (size_t l = 0; l < moving; l++) {
    double apart = 0.0;
    for (size_t j = 0; j < COLUMNS; j++) {
      const double one = half[0][l * COLUMNS + j], other = half[1][l * COLUMNS + j];
      *coordinate(&mean, l, j) = (one + other) / (weight[0] + weight[1]);
      apart += pow(one / weight[0] - other / weight[1], 2.0);
    }
    compare_relative(&worst, moved[0][l],
                     sqrt(apart / BANDWIDTH) / (0.5 * (double)last * steps_each));
  }
  points_norms(&mean);
  space_project(&where, &mean, 0, doubles(COLUMNS));
  for (size_t l = 0; l < moving; l++) {
    for (size_t j = 0; j < COLUMNS; j++) {
      compare_relative(&worst, *coordinate(&end[0], l, j), *coordinate(&mean, l, j));
    }
  }
  /* A batch by itself does not know what share of a step the one before has kept. */
  if (halved == 0 || steps_each > 1) {
    compared++;
    CHECK(worst < (is_single && kind != ROWS_SPARSE ? 1e-3 : 1e-9),
          "batches in one memory are batches one by one (%s, single %d, %zu fixed): error %g",
          layout_name[kind], is_single, fixed, worst);
  }
  release();
}

/* Whole steps of the volume overshoot near the kernel's rank: they are halved there, and the
 * climb still ends above where it began. */
static size_t reported;
static void report(void *context, size_t rows) {
  *(size_t *)context += rows;
  reported++;
}

static void check_guard(const executor *exec) {
  const size_t moving = 14, rows = 300, each = 80, count = 12;
  const data d = data_make(COLUMNS_DOUBLE, rows, 2, 0);
  const space where = space_of(&d, SPACE_EUCLIDEAN);
  const climb_problem problem = {gaussian_kernel(2.0), &volume_criterion, &where, 0, moving};
  size_t size[12], seen = 0;
  int steps[12], *row = integers(count * each);
  for (size_t k = 0; k < count; k++) {
    size[k] = each;
    steps[k] = 1;
  }
  for (size_t i = 0; i < count * each; i++) row[i] = (int)below(rows);
  const batch_schedule schedule = {.count = count,
                                   .size = size,
                                   .steps = steps,
                                   .row = row,
                                   .halvings = 10,
                                   .chunks = 1,
                                   .chunk = &count,
                                   .progress = report,
                                   .context = &seen};
  batches b;
  LAY_OUT_CHECKED(memory, batches_layout(&b, &memory, exec, &d.x, &problem, &schedule));
  fill(&b.ascent);
  ascent a;
  LAY_OUT_CHECKED(own, ascent_layout(&a, &own, exec, &d.x, &problem, 1));
  fill(&a);
  const double before = a.criterion->value(&a, 1);
  reported = 0;
  batches_climb(&b, &schedule, doubles(moving));
  memcpy(a.now.x, b.ascent.now.x, 2 * a.now.ld * sizeof(double));
  points_norms(&a.now);
  CHECK(a.criterion->value(&a, 1) > before, "near the kernel's rank batches climb as well");
  CHECK(reported == count && seen == count * each, "each batch is reported");
  release();
}

static long corrected, proposed; /* steps of all climbs together */

/* Differences of the value along each coordinate, where landmarks may go anywhere. */
static double steepest(ascent *a) {
  double worst = 0.0;
  const double h = 1e-4;
  for (size_t l = 0; l < a->now.count; l++) {
    for (size_t j = 0; j < a->now.columns; j++) {
      double *x = coordinate(&a->now, l, j), value[2];
      const double before = *x;
      for (int s = 0; s < 2; s++) {
        *x = before + (s ? h : -h);
        points_norms(&a->now);
        value[s] = a->criterion->value(a, 1);
      }
      *x = before;
      points_norms(&a->now);
      worst = fmax(worst, fabs(value[1] - value[0]) / (2.0 * h));
    }
  }
  return worst;
}

static void check_quasi_newton(const executor *exec, layout kind, int weighted, size_t fixed,
                               const criterion *of, space_kind where_kind) {
  const size_t moving = 5;
  seed(5);
  const data d = data_make(kind, 90, 2, weighted);
  const space where = space_of(&d, where_kind);
  const climb_problem problem = {gaussian_kernel(BANDWIDTH), of, &where, fixed, moving};
  const executor other = other_threads(exec);
  ascent a, b;
  climb q, p;
  LAY_OUT_CHECKED(one, ascent_layout(&a, &one, exec, &d.x, &problem, 1),
                  climb_layout(&q, &one, &a, MOST_PAIRS));
  LAY_OUT_CHECKED(two, ascent_layout(&b, &two, &other, &d.x, &problem, 1),
                  climb_layout(&p, &two, &b, MOST_PAIRS));
  double *moved = doubles(moving), *moved_b = doubles(moving);
  fill(&a);
  fill(&b);
  const climb_result r = climb_run(&q, &a, 300, 10, 1e-6, moved);
  const climb_result same = climb_run(&p, &b, 300, 10, 1e-6, moved_b);
  CHECK(same.value == r.value && same.steps == r.steps &&
            SAME_BITS(a.now.x, b.now.x, 2 * a.now.ld) && SAME_BITS(moved, moved_b, moving),
        "%d threads give the same quasi-Newton steps (%s)", other.threads, layout_name[kind]);
  /* On a sphere some climbs by the trace are very slow. */
  CHECK(r.value > r.start && (r.steps < 300 || where_kind == SPACE_SPHERE),
        "quasi-Newton steps end (%s, %zu fixed): %d", layout_name[kind], fixed, r.steps);
  CHECK(fabs(a.criterion->value(&a, 1) - r.value) <= 1e-9 * fabs(r.value),
        "the value said is that of where the steps end");
  if (where_kind == SPACE_EUCLIDEAN) {
    const double slope = steepest(&a);
    CHECK(slope < 5e-3, "nothing rises where the steps end (%s, weighted %d, %zu fixed): %g",
          layout_name[kind], weighted, fixed, slope);
  }
  /* Proposals alone, from the same start to the same end. */
  fill(&b);
  corrected += r.steps;
  const climb_result plain = plain_climb(&b, 300, 10, 1e-6, moved_b);
  proposed += plain.steps;
  CHECK(r.steps < 300 || r.value >= plain.value, "where steps do not end they are higher: %g, %g",
        r.value, plain.value);
  release();
}

static void check_quasi_newton_ends(const executor *exec) {
  const data d = data_make(ROWS_DENSE, 60, 2, 0);
  const space where = space_of(&d, SPACE_EUCLIDEAN);
  const climb_problem problem = {gaussian_kernel(BANDWIDTH), &volume_criterion, &where, 0, 3};
  ascent a;
  climb q;
  LAY_OUT_CHECKED(memory, ascent_layout(&a, &memory, exec, &d.x, &problem, 1),
                  climb_layout(&q, &memory, &a, MOST_PAIRS));
  double *moved = doubles(3);
  fill(&a);
  points before = points_make(3, 2);
  points_copy(&a.now, 0, &before);
  const climb_result none = climb_run(&q, &a, 0, 5, 0.0, moved);
  CHECK(none.steps == 0 && none.value == none.start && SAME_BITS(before.x, a.now.x, 2 * before.ld),
        "no steps lead nowhere");
  for (size_t j = 0; j < 2; j++) *coordinate(&a.now, 2, j) = *coordinate(&a.now, 1, j);
  points_norms(&a.now);
  const climb_result r = climb_run(&q, &a, 4, 5, 0.0, moved);
  CHECK(r.value == -INFINITY && r.steps == 0 && moved[0] == INFINITY,
        "a start without a value is left alone");
  release();
}

void test_batches(const executor *exec) {
  corrected = proposed = 0;
  compared = 0;
  for (size_t c = 0; c < 2; c++) {
    for (int kind = 0; kind < LAYOUTS; kind++) {
      const layout k = (layout)kind;
      const int weighted = (kind + (int)c) % 2;
      if (k != ROWS_DENSE) {
        for (int is_single = 0; is_single < 2; is_single++) {
          check_batches(exec, k, weighted, 0, criteria[c], SPACE_EUCLIDEAN, 1, is_single);
          check_batches(exec, k, !weighted, 2, criteria[c], SPACE_NONNEGATIVE, 1, is_single);
          check_batches(exec, k, weighted, 1, criteria[c], SPACE_SPHERE, 2, is_single);
        }
      }
      check_quasi_newton(exec, k, weighted, 0, criteria[c], SPACE_EUCLIDEAN);
      check_quasi_newton(exec, k, !weighted, 2, criteria[c], SPACE_EUCLIDEAN);
      check_quasi_newton(exec, k, weighted, 1, criteria[c], SPACE_NONNEGATIVE);
      check_quasi_newton(exec, k, weighted, 0, criteria[c], SPACE_SPHERE);
    }
  }
  CHECK(compared >= 18, "batches are compared in %d of 36 cases", compared);
  CHECK(3 * corrected < 2 * proposed, "corrected steps are fewer: %ld, not %ld", corrected,
        proposed);
  check_guard(exec);
  check_quasi_newton_ends(exec);
}
