/* The second criterion: the trace that the landmarks explain. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "core/optim/climb.h"
#include "core/optim/trace.h"
#include "fixture.h"

#define BANDWIDTH 0.9
#define STEP 1.5
#define LEAST_SHARE 0.1
#define LEAST_PIVOT 1e-3L
#define SEVERAL 8229 /* more rows than a range has */
#define MOST 8

static const space euclidean = {.kind = SPACE_EUCLIDEAN};

static ascent climber(const executor *exec, const data *d, const space *where, size_t fixed,
                      size_t moving, int kept) {
  ascent a;
  const climb_problem problem = {gaussian_kernel(BANDWIDTH), &trace_criterion, where, fixed,
                                 moving};
  LAY_OUT_CHECKED(memory, ascent_layout(&a, &memory, exec, &d->x, &problem, kept));
  return a;
}

/* Landmark 0 is far out, where it explains little, if there are others. */
static void fill(ascent *a, unsigned long long from, int far) {
  seed(from);
  points_fill(&a->fixed);
  points_fill(&a->now);
  for (size_t j = 0; far && j < a->now.columns; j++)
    *coordinate(&a->now, 0, j) = 1.6 + 0.1 * (double)j;
  points_norms(&a->now);
}

static long double at(const points *fixed, const points *now, size_t l, size_t j) {
  return l < fixed->count ? *coordinate(fixed, l, j) : *coordinate(now, l - fixed->count, j);
}

/* tr(W^-1 G), and where `share` is given the diagonal of G W^-1 and M = (W^-1 G W^-1) o W. */
static long double plain_trace(const data *d, const points *fixed, const points *now,
                               long double *share, long double *m) {
  const size_t n = fixed->count + now->count, p = now->columns;
  long double w[MOST * MOST] = {0}, g[MOST * MOST] = {0}, phi[MOST];
  for (size_t k = 0; k < n; k++) {
    for (size_t l = 0; l < n; l++) {
      long double sum = 0.0;
      for (size_t j = 0; j < p; j++)
        sum += (at(fixed, now, k, j) - at(fixed, now, l, j)) *
               (at(fixed, now, k, j) - at(fixed, now, l, j));
      w[k * n + l] = expl(-sum / BANDWIDTH);
    }
  }
  for (size_t i = 0; i < d->x.rows; i++) {
    for (size_t l = 0; l < n; l++) {
      long double sum = 0.0;
      for (size_t j = 0; j < p; j++) {
        const long double apart = d->z[i * p + j] - at(fixed, now, l, j);
        sum += apart * apart;
      }
      phi[l] = expl(-sum / BANDWIDTH);
    }
    for (size_t k = 0; k < n; k++) {
      for (size_t l = 0; l < n; l++) g[k * n + l] += weight_of(d, i) * phi[k] * phi[l];
    }
  }
  const long double *inverse = plain_inverse(n, w);
  long double trace = 0.0;
  for (size_t k = 0; k < n; k++) {
    long double own = 0.0;
    for (size_t l = 0; l < n; l++) own += g[k * n + l] * inverse[l * n + k];
    if (share) share[k] = own;
    trace += own;
  }
  for (size_t k = 0; share && k < n; k++) {
    for (size_t l = 0; l < n; l++) {
      long double sum = 0.0;
      for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
          sum += inverse[k * n + i] * g[i * n + j] * inverse[j * n + l];
      }
      m[k * n + l] = sum * w[k * n + l];
    }
  }
  return trace;
}

/* (eta / 4) of the slope of the plain trace, by differences of fourth order. */
static long double plain_slope(const data *d, const points *fixed, points *now, size_t l,
                               size_t j) {
  const double step = 1e-3, before = *coordinate(now, l, j);
  const int times[] = {1, -1, 2, -2};
  long double v[4];
  double gone[4];
  for (int k = 0; k < 4; k++) {
    *coordinate(now, l, j) = before + times[k] * step;
    gone[k] = *coordinate(now, l, j) - before;
    v[k] = plain_trace(d, fixed, now, NULL, NULL);
  }
  *coordinate(now, l, j) = before;
  const long double one = (v[0] - v[1]) / (gone[0] - gone[1]);
  const long double two = (v[2] - v[3]) / (gone[2] - gone[3]);
  return BANDWIDTH / 4.0 * (4.0L * one - two) / 3.0L;
}

/* Whether elimination meets no pivot below LEAST_PIVOT of its diagonal entry. */
static int is_definite(size_t n, const long double *a) {
  long double *left = bytes(n * n * sizeof *left);
  memcpy(left, a, n * n * sizeof *left);
  for (size_t k = 0; k < n; k++) {
    if (!(left[k * n + k] > LEAST_PIVOT * a[k * n + k])) return 0;
    for (size_t i = k + 1; i < n; i++) {
      for (size_t j = n; j-- > k;)
        left[i * n + j] -= left[i * n + k] / left[k * n + k] * left[k * n + j];
    }
  }
  return 1;
}

/* A^-1 by the definition; *raised: whether its diagonal had to be raised. */
static long double *plain_system(size_t fixed, size_t moving, const long double *share,
                                 const long double *m, int *raised) {
  const size_t n = fixed + moving;
  long double mean = 0.0, *a = bytes(moving * moving * sizeof *a);
  for (size_t l = 0; l < n; l++) mean += share[l] / (long double)n;
  for (long double raise = 0.0;; raise = raise > 0.0 ? 2.0 * raise : 0.1) {
    for (size_t l = 0; l < moving; l++) {
      const long double s = fmaxl(share[fixed + l], LEAST_SHARE * mean);
      long double sum = 0.0;
      for (size_t k = 0; k < n; k++) sum += m[k * n + fixed + l];
      for (size_t k = 0; k < moving; k++) a[k * moving + l] = m[(fixed + k) * n + fixed + l];
      a[l * moving + l] += (1.0L + raise) * s - sum;
    }
    if (is_definite(moving, a)) return plain_inverse(moving, a);
    *raised = 1;
  }
}

static void check_proposal(const executor *exec, layout kind, int weighted, size_t fixed,
                           size_t moving, int far) {
  const size_t p = 3, n = fixed + moving;
  const data d = data_make(kind, 70, p, weighted);
  const executor other = other_threads(exec);
  ascent a = climber(exec, &d, &euclidean, fixed, moving, 1);
  ascent b = climber(&other, &d, &euclidean, fixed, moving, 1);
  fill(&a, 5, far);
  fill(&b, 5, far);
  const double value = a.criterion->value(&a, 1);
  long double share[MOST], m[MOST * MOST], mean = 0.0;
  double worst = 0.0;
  compare_relative(&worst, value, (double)plain_trace(&d, &a.fixed, &a.now, share, m));
  CHECK(worst < 1e-11, "the trace is tr(W^-1 G) (%s, weighted %d, %zu + %zu): error %g",
        layout_name[kind], weighted, fixed, moving, worst);
  const double again = a.criterion->value(&a, 0);
  CHECK(again == value, "the trace is the same without the fixed landmarks computed anew");
  a.criterion->propose(&a);
  for (size_t l = 0; l < n; l++) mean += share[l] / (long double)n;
  worst = 0.0;
  int small = 0, raised = 0;
  const long double *inverse = plain_system(fixed, moving, share, m, &raised);
  for (size_t l = 0; l < moving; l++) small += share[fixed + l] < LEAST_SHARE * mean;
  for (size_t j = 0; j < p; j++) {
    long double slope[MOST];
    for (size_t l = 0; l < moving; l++) slope[l] = plain_slope(&d, &a.fixed, &a.now, l, j);
    for (size_t l = 0; l < moving; l++) {
      long double want = *coordinate(&a.now, l, j);
      for (size_t k = 0; k < moving; k++) want += STEP * inverse[l * moving + k] * slope[k];
      compare_relative(&worst, *coordinate(&a.sums, l, j), (double)want);
    }
  }
  CHECK(worst < 1e-8,
        "the step solves for where there is no slope (%s, weighted %d, %zu + %zu): %g",
        layout_name[kind], weighted, fixed, moving, worst);
  CHECK(!far || small > 0, "a landmark that explains little is among them");
  b.criterion->value(&b, 1);
  b.criterion->propose(&b);
  worst = 0.0;
  for (size_t l = 0; l < moving; l++) {
    for (size_t j = 0; j < p; j++)
      compare(&worst, *coordinate(&b.sums, l, j), *coordinate(&a.sums, l, j), 0.0);
  }
  CHECK(worst == 0.0, "%d threads propose the same bits", other.threads);
  release();
}

static void check_climb(const executor *exec, layout kind, int weighted, size_t rows, size_t fixed,
                        size_t moving, space_kind where_kind) {
  const size_t p = 2;
  const data d = data_make(kind, rows, p, weighted);
  const space where = {where_kind, d.x.center, d.x.scale, NULL, NULL};
  const executor other = other_threads(exec);
  ascent a = climber(exec, &d, &where, fixed, moving, rows < SEVERAL);
  ascent b = climber(&other, &d, &where, fixed, moving, rows < SEVERAL);
  fill(&a, 11, 0);
  fill(&b, 11, 0);
  space_project(&where, &a.now, 0, a.vector);
  space_project(&where, &b.now, 0, b.vector);
  double *moved = doubles(moving), *moved_b = doubles(moving);
  long double before = plain_trace(&d, &a.fixed, &a.now, NULL, NULL);
  const long double start = before;
  const int steps = rows < SEVERAL ? 8 : 2;
  int rising = 1, honest = 1, together = 0;
  for (int step = 0; step < steps; step++) {
    const climb_result r = plain_climb(&a, 1, 10, 0.0, moved);
    const long double after = plain_trace(&d, &a.fixed, &a.now, NULL, NULL);
    rising &= after >= before - 1e-9L * before;
    honest &= fabs(r.value - (double)after) < 1e-9 * (double)after;
    before = after;
    together += r.steps;
  }
  CHECK(rising && before > start, "the trace never falls (%zu %s, weighted %d, %zu + %zu)", rows,
        layout_name[kind], weighted, fixed, moving);
  CHECK(honest, "the trace said is that of where the climb ends (%s)", layout_name[kind]);
  CHECK(together > 0 && points_inside(&a.now, &where), "it goes somewhere, within its space (%d)",
        where_kind);
  fill(&a, 11, 0);
  space_project(&where, &a.now, 0, a.vector);
  const climb_result one = plain_climb(&a, steps, 10, 0.0, moved);
  const climb_result two = plain_climb(&b, steps, 10, 0.0, moved_b);
  CHECK(one.value == two.value && one.steps == two.steps &&
            SAME_BITS(a.now.x, b.now.x, p * a.now.ld) && SAME_BITS(moved, moved_b, moving),
        "%d threads climb to the same bits (%s)", other.threads, layout_name[kind]);
  release();
}

/* To its end, where the plain gradient is zero; then two landmarks in one place. */
static void check_ends(const executor *exec) {
  const data d = data_make(ROWS_DENSE, 60, 2, 1);
  ascent a = climber(exec, &d, &euclidean, 1, 3, 1);
  double *moved = doubles(3);
  fill(&a, 3, 0);
  const climb_result r = plain_climb(&a, 5000, 20, 1e-8, moved);
  double worst = 0.0;
  for (size_t l = 0; l < 3; l++) {
    for (size_t j = 0; j < 2; j++)
      worst = fmax(worst, fabs((double)plain_slope(&d, &a.fixed, &a.now, l, j)));
  }
  CHECK(r.steps < 5000 && worst < 1e-5, "a long climb ends, after %d steps, where the slope is %g",
        r.steps, worst);
  fill(&a, 3, 0);
  for (size_t j = 0; j < 2; j++) *coordinate(&a.now, 1, j) = *coordinate(&a.now, 2, j);
  points_norms(&a.now);
  const climb_result twice = plain_climb(&a, 5, 10, 0.0, moved);
  CHECK(isfinite(twice.start) && twice.value >= twice.start,
        "two landmarks in one place have a trace: one of them explains nothing");
  release();
}

/* Rows on a line, so many of them in a unit. */
static data line_make(size_t rows, double first, double in_unit) {
  data d = data_make(ROWS_DENSE, rows, 1, 0);
  double *real = doubles(rows * padded(1));
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < padded(1); j++) real[i * padded(1) + j] = 0.0;
    d.z[i] = real[i * padded(1)] = first + (double)i / in_unit;
  }
  d.x.real = real;
  return d;
}

/* A landmark beside a fixed one, on the side away from the data: its share is
 * below 0, and the step must still go uphill. */
static void check_negative_share(const executor *exec) {
  const data d = line_make(20, -1.0, 100.0);
  ascent a = climber(exec, &d, &euclidean, 1, 1, 1);
  *coordinate(&a.fixed, 0, 0) = 0.0;
  *coordinate(&a.now, 0, 0) = 0.1;
  points_norms(&a.fixed);
  points_norms(&a.now);
  long double share[MOST], m[MOST * MOST];
  plain_trace(&d, &a.fixed, &a.now, share, m);
  CHECK(share[1] < 0.0, "a share below 0, %g", (double)share[1]);
  a.criterion->value(&a, 1);
  a.criterion->propose(&a);
  const double slope = (double)plain_slope(&d, &a.fixed, &a.now, 0, 0);
  const double step = *coordinate(&a.sums, 0, 0) - 0.1;
  CHECK(slope * step > 0.0, "the step, %g, is uphill, as the slope, %g", step, slope);
  double moved;
  const climb_result r = plain_climb(&a, 50, 8, 0.0, &moved);
  CHECK(r.steps > 0 && r.value > r.start * 1.01, "so that it climbs: from %g to %g", r.start,
        r.value);
  release();
}

/* What landmarks on a line leave of the trace, by the Cholesky factor of their kernel. */
static long double plain_left(const data *d, const points *now, double bandwidth) {
  const size_t n = now->count;
  long double l[MOST * MOST], b[MOST], left = 0.0;
  for (size_t i = 0; i < n + d->x.rows; i++) {
    const double x = i < n ? *coordinate(now, i, 0) : d->z[i - n];
    long double *row = i < n ? l + i * n : b, rest = 1.0;
    for (size_t k = 0; k < n && k <= i; k++) {
      const long double apart = (long double)x - *coordinate(now, k, 0);
      long double sum = expl(-apart * apart / bandwidth);
      for (size_t j = 0; j < k; j++) sum -= row[j] * l[k * n + j];
      row[k] = k == i ? sqrtl(sum) : sum / l[k * n + k];
      rest -= row[k] * row[k];
    }
    if (i >= n) left += rest;
  }
  return left;
}

/* Four landmarks on a line far shorter than the bandwidth leave 3e-8 of the trace. Where a step
 * brings them together, the value has an error of 1e-6, and would look higher than it can be. */
static void check_rounding(const executor *exec) {
  const size_t n = 4, rows = 50;
  const double start[] = {24, 26, 22, 12}, bandwidth = 30.0;
  const data d = line_make(rows, -0.5, 49.0);
  const climb_problem problem = {gaussian_kernel(bandwidth), &trace_criterion, &euclidean, 0, n};
  ascent a;
  climb c;
  LAY_OUT_CHECKED(memory, ascent_layout(&a, &memory, exec, &d.x, &problem, 1),
                  climb_layout(&c, &memory, &a, MOST_PAIRS));
  double *moved = doubles(n);
  for (int steps = 1; steps <= 20; steps += 19) {
    for (size_t l = 0; l < n; l++) *coordinate(&a.now, l, 0) = (start[l] / 49.0 - 0.5);
    points_norms(&a.now);
    const long double before = plain_left(&d, &a.now, bandwidth);
    const climb_result r = climb_run(&c, &a, steps, 10, 1e-3, moved);
    const long double after = plain_left(&d, &a.now, bandwidth);
    CHECK(before < 4e-8L && after <= before, "%d steps of rounding leave %Lg, and no more than %Lg",
          steps, after, before);
    CHECK(fabs((double)rows - r.value - (double)after) < 1e-9,
          "the value is right to 1e-9: %g, %Lg", (double)rows - r.value, after);
  }
  release();
}

/* A first step that would gain a tiny share of what is left is stretched, to gain half of it or go
 * a tenth of the kernel's width. Its gain is said as that of the proposal. */
static void check_stretched(const executor *exec) {
  const size_t n = 6;
  const double bandwidth = 1.0, step = 1e-4;
  const data d = line_make(50, -0.5, 49.0);
  const climb_problem problem = {gaussian_kernel(bandwidth), &trace_criterion, &euclidean, 0, n};
  ascent a;
  climb c;
  LAY_OUT_CHECKED(memory, ascent_layout(&a, &memory, exec, &d.x, &problem, 1),
                  climb_layout(&c, &memory, &a, MOST_PAIRS));
  double start[6], proposed[6], most = 0.0, moved[6];
  for (size_t l = 0; l < n; l++) start[l] = *coordinate(&a.now, l, 0) = ((double)l - 2.4) / 6.0;
  points_norms(&a.now);
  a.criterion->value(&a, 1);
  a.criterion->propose(&a);
  long double gain = 0.0;
  for (size_t l = 0; l < n; l++) {
    proposed[l] = *coordinate(&a.sums, l, 0) - start[l];
    most = fmax(most, fabs(proposed[l]));
    *coordinate(&a.now, l, 0) = start[l] + step;
    const long double above = plain_left(&d, &a.now, bandwidth);
    *coordinate(&a.now, l, 0) = start[l] - step;
    gain += (plain_left(&d, &a.now, bandwidth) - above) / (2.0L * step) * proposed[l];
    *coordinate(&a.now, l, 0) = start[l];
  }
  gain /= plain_left(&d, &a.now, bandwidth);
  points_norms(&a.now);
  const climb_result r = climb_run(&c, &a, 1, 10, 0.0, moved);
  const double times = fmin(0.5 / (double)gain, 0.1 * sqrt(bandwidth) / most);
  double worst = 0.0;
  for (size_t l = 0; l < n; l++) {
    compare(&worst, *coordinate(&a.now, l, 0) - start[l], times * proposed[l], most * times);
  }
  CHECK(r.steps == 1 && r.halvings == 0 && times > 2.0 && worst < 1e-4,
        "the first step is %g times as long: error %g", times, worst);
  CHECK(fabs(r.gain / (double)gain - 1.0) < 1e-4, "its gain is %g, the proposal's is %Lg", r.gain,
        gain);
  release();
}

void test_trace(const executor *exec) {
  for (int weighted = 0; weighted < 2; weighted++) {
    for (int kind = 0; kind < LAYOUTS; kind++) {
      const layout k = (layout)kind;
      check_proposal(exec, k, weighted, 0, 5, 0);
      check_proposal(exec, k, weighted, 3, 2, 0);
      check_proposal(exec, k, weighted, 1, 1, 0);
      check_proposal(exec, k, weighted, 0, 1, 0);
      check_proposal(exec, k, weighted, 2, 6, 1);
      check_climb(exec, k, weighted, 80, 0, 5, SPACE_EUCLIDEAN);
      check_climb(exec, k, weighted, 80, 2, 3, SPACE_NONNEGATIVE);
      check_climb(exec, k, weighted, 80, 1, 3, SPACE_SPHERE);
    }
    check_climb(exec, ROWS_DENSE, weighted, SEVERAL, 1, 3, SPACE_EUCLIDEAN);
    check_climb(exec, COLUMNS_DOUBLE, weighted, SEVERAL, 0, 3, SPACE_EUCLIDEAN);
  }
  check_ends(exec);
  check_negative_share(exec);
  check_rounding(exec);
  check_stretched(exec);
}
