/* Multinomial regression: at the answer the gradient, computed plainly, is zero. */
#include <string.h>

#include "check.h"
#include "core/regression/ridge.h"
#include "core/regression/softmax.h"
#include "fixture.h"

#define TOLERANCE 1e-9
#define SEVERAL 1101 /* more rows than four tiles */
#define MOST 2000    /* coefficients of a test, at the most */

typedef struct {
  softmax s;
  int *y;
  double *w, unit[2], left;
  int taken;
} multinomial;

static void start_anew(multinomial *f) {
  for (size_t i = 0; i < f->s.terms * f->s.wide; i++) f->w[i] = 0.0;
  f->unit[0] = f->unit[1] = -1.0;
  f->s.iterations = -1;
}

static multinomial multinomial_make(const executor *exec, size_t rows, size_t terms,
                                    size_t classes) {
  multinomial f = {.taken = 0};
  LAY_OUT_CHECKED(memory, softmax_layout(&f.s, &memory, exec, rows, terms, classes));
  f.s.tolerance = TOLERANCE;
  f.s.steps = 200;
  seed(31);
  for (size_t i = 0; i < rows; i++) {
    for (size_t k = 0; k < f.s.ld; k++)
      f.s.x[i * f.s.ld + k] = k + 1 < terms ? symmetric() : k + 1 == terms;
  }
  f.y = integers(rows);
  for (size_t i = 0; i < rows; i++) {
    /* By the first feature, with noise; every class is there. */
    const double at = 0.5 + 0.4 * f.s.x[i * f.s.ld] + 0.2 * symmetric();
    const int own = (int)floor(at * (double)classes);
    f.y[i] = i < classes ? (int)i : own < 0 ? 0 : own >= (int)classes ? (int)classes - 1 : own;
  }
  f.w = doubles(terms * f.s.wide);
  start_anew(&f);
  return f;
}

static void solve(multinomial *f, double lambda) {
  f->left = softmax_solve(&f->s, f->y, lambda, f->w, f->unit, &f->taken);
}

/* The objective at w and its gradient, in the plainest way; w terms x wide. */
static double plain_look(const multinomial *f, const double *w, double lambda, double *gradient) {
  const size_t terms = f->s.terms, classes = f->s.classes, wide = f->s.wide;
  long double objective = 0.0, g[MOST] = {0}, score[64] = {0};
  for (size_t i = 0; i < f->s.rows; i++) {
    const double *x = f->s.x + i * f->s.ld;
    long double top = -INFINITY, sum = 0.0;
    for (size_t k = 0; k < classes; k++) {
      score[k] = 0.0;
      for (size_t t = 0; t < terms; t++) score[k] += (long double)x[t] * w[t * wide + k];
      top = score[k] > top ? score[k] : top;
    }
    for (size_t k = 0; k < classes; k++) sum += expl(score[k] - top);
    objective += top + logl(sum) - score[f->y[i]];
    for (size_t k = 0; k < classes; k++) {
      const long double error = expl(score[k] - top) / sum - ((size_t)f->y[i] == k);
      for (size_t t = 0; t < terms; t++) g[t * classes + k] += error * x[t];
    }
  }
  for (size_t t = 0; t + 1 < terms; t++) {
    for (size_t k = 0; k < classes; k++) {
      objective += 0.5L * lambda * w[t * wide + k] * w[t * wide + k];
      g[t * classes + k] += (long double)lambda * w[t * wide + k];
    }
  }
  for (size_t i = 0; gradient && i < terms * classes; i++) gradient[i] = (double)g[i];
  return (double)objective;
}

static double plain_norm(const multinomial *f, const double *w, double lambda) {
  double g[MOST], sum = 0.0;
  plain_look(f, w, lambda, g);
  for (size_t i = 0; i < f->s.terms * f->s.classes; i++) sum += g[i] * g[i];
  return sqrt(sum);
}

/* The gradient's norm where there are only the best intercepts. */
static double plain_unit(const multinomial *f) {
  double *w = doubles(f->s.terms * f->s.wide), count[64] = {0};
  for (size_t i = 0; i < f->s.terms * f->s.wide; i++) w[i] = 0.0;
  for (size_t i = 0; i < f->s.rows; i++) count[f->y[i]] += 1.0;
  for (size_t k = 0; k < f->s.classes; k++)
    w[(f->s.terms - 1) * f->s.wide + k] = log(count[k] / (double)f->s.rows);
  return plain_norm(f, w, 0.0);
}

static void check_answer(const multinomial *f, double lambda, const char *what) {
  const double unit = plain_unit(f), left = plain_norm(f, f->w, lambda) / unit;
  CHECK(left < 2.0 * TOLERANCE, "%s, %zu x %zu, %zu classes, lambda %g: of the gradient is left %g",
        what, f->s.rows, f->s.terms, f->s.classes, lambda, left);
  CHECK(fabs(f->unit[0] - unit) < 1e-10 * unit, "%s: the gradient at w = 0 is %g, said to be %g",
        what, unit, f->unit[0]);
  CHECK(left - f->left < 1e-11, "%s: of the gradient is left %g, said to be %g", what, left,
        f->left);
  double worst = 0.0, padding = 0.0;
  for (size_t t = 0; t < f->s.terms; t++) {
    double sum = 0.0, size = 0.0;
    for (size_t k = 0; k < f->s.wide; k++) {
      sum += f->w[t * f->s.wide + k];
      size += fabs(f->w[t * f->s.wide + k]);
      if (k >= f->s.classes) padding = fmax(padding, fabs(f->w[t * f->s.wide + k]));
    }
    worst = fmax(worst, fabs(sum) / fmax(size, 1.0));
  }
  CHECK(worst < 1e-12 && padding == 0.0, "%s: coefficients sum to zero over the classes, to %g",
        what, worst);
}

static void check_path(const executor *exec, size_t rows, size_t terms, size_t classes) {
  const executor other = other_threads(exec);
  const double lambdas[] = {1e4, 30.0, 1.0, 0.03, 1e-3};
  multinomial f = multinomial_make(exec, rows, terms, classes);
  multinomial g = multinomial_make(&other, rows, terms, classes);
  const size_t size = terms * f.s.wide;
  for (size_t l = 0; l < 5; l++) {
    solve(&f, lambdas[l]);
    check_answer(&f, lambdas[l], "down the path");
    solve(&g, lambdas[l]);
    CHECK(SAME_BITS(f.w, g.w, size) && f.taken == g.taken && f.left == g.left,
          "%d threads give the same coefficients (%zu x %zu, %zu classes)", other.threads, rows,
          terms, classes);
  }
  /* From where it ended there is nothing to do. */
  double *before = doubles(size);
  memcpy(before, f.w, size * sizeof *before);
  solve(&f, lambdas[4]);
  CHECK(SAME_BITS(before, f.w, size) && f.taken == 0, "at the answer no step is taken, but %d were",
        f.taken);
  /* From nothing the answer is the same, to what its curvature and the tolerance leave open. */
  start_anew(&f);
  solve(&f, lambdas[4]);
  check_answer(&f, lambdas[4], "from nothing");
  start_anew(&f);
  solve(&f, 1.0);
  start_anew(&g);
  solve(&g, 30.0);
  solve(&g, 1.0);
  double worst = 0.0;
  for (size_t i = 0; i < size; i++) compare_relative(&worst, f.w[i], g.w[i]);
  CHECK(worst < 1e-6, "a start that is warm or cold ends in one place: apart %g", worst);
  /* Nothing near is lower. */
  const double lowest = plain_look(&f, f.w, 1.0, NULL);
  double *near = doubles(size);
  int lower = 0;
  for (int trial = 0; trial < 20; trial++) {
    for (size_t i = 0; i < size; i++)
      near[i] = f.w[i] + (i % f.s.wide < classes ? 0.01 * symmetric() : 0.0);
    lower += plain_look(&f, near, 1.0, NULL) < lowest;
  }
  CHECK(lower == 0, "%d of 20 points near the answer are lower", lower);
  release();
}

/* Two classes are a logistic regression of half the penalty. */
static void check_two(const executor *exec, size_t rows, double lambda) {
  multinomial f = multinomial_make(exec, rows, 7, 2);
  ridge r;
  LAY_OUT_CHECKED(memory, ridge_layout(&r, &memory, exec, LOSS_LOGISTIC, rows, 7, 1));
  r.tolerance = TOLERANCE;
  r.steps = 200;
  memcpy(r.x, f.s.x, rows * r.ld * sizeof *r.x);
  double *y = doubles(rows), *w = doubles(r.ld), unit[2] = {-1.0, -1.0}, left, worst = 0.0;
  int taken;
  for (size_t i = 0; i < rows; i++) y[i] = (double)f.y[i];
  for (size_t k = 0; k < r.ld; k++) w[k] = 0.0;
  ridge_solve(&r, y, 1, 0.5 * lambda, w, unit, &left, &taken);
  solve(&f, lambda);
  for (size_t t = 0; t < 7; t++)
    compare_relative(&worst, f.w[t * f.s.wide + 1] - f.w[t * f.s.wide], w[t]);
  CHECK(worst < 1e-6, "two classes, lambda %g: apart from the logistic by %g", lambda, worst);
  release();
}

/* The classes are intervals of the first feature: only the penalty keeps w finite. */
static void check_separable(const executor *exec, size_t rows, double lambda) {
  multinomial f = multinomial_make(exec, rows, 4, 3);
  for (size_t i = 0; i < rows; i++) f.y[i] = (f.s.x[i * f.s.ld] > -0.3) + (f.s.x[i * f.s.ld] > 0.4);
  solve(&f, lambda);
  check_answer(&f, lambda, "separable");
  CHECK(f.taken < 200 && isfinite(f.w[0]) && f.w[2] > 1.0, "separable data converge, in %d steps",
        f.taken);
  release();
}

/* Far off the loss is straight: a whole Newton step goes nowhere near the answer. */
static void check_far_start(const executor *exec, double intercept, double slope) {
  multinomial f = multinomial_make(exec, 90, 5, 3);
  f.w[0] = slope;
  f.w[1] = -slope;
  f.w[4 * f.s.wide] = intercept;
  f.w[4 * f.s.wide + 2] = -intercept;
  solve(&f, 0.1);
  check_answer(&f, 0.1, "from far off");
  CHECK(f.taken > 0, "from %g and %g in %d steps", intercept, slope, f.taken);
  release();
}

/* A column of huge values must not hide that other coefficients have not converged. */
static void check_scales(const executor *exec) {
  multinomial f = multinomial_make(exec, 300, 4, 3);
  for (size_t i = 0; i < 300; i++) f.s.x[i * f.s.ld] *= 1e9;
  double g[MOST];
  solve(&f, 1e3);
  solve(&f, 1e-3);
  plain_look(&f, f.w, 1e-3, g);
  for (size_t t = 0; t < 4; t++) {
    double size = 0.0, slope = 0.0;
    for (size_t i = 0; i < 300; i++) size += f.s.x[i * f.s.ld + t] * f.s.x[i * f.s.ld + t];
    for (size_t k = 0; k < 3; k++) slope = fmax(slope, fabs(g[t * 3 + k]));
    CHECK(slope < 1e-4 * sqrt(size), "term %zu: slope %g in columns of size %g", t, slope,
          sqrt(size));
  }
  release();
}

static void check_ends(const executor *exec) {
  /* A penalty that leaves the intercepts alone: the logarithms of the shares. */
  multinomial f = multinomial_make(exec, 90, 5, 4);
  double count[4] = {0}, mean = 0.0, worst = 0.0;
  for (size_t i = 0; i < 90; i++) count[f.y[i]] += 1.0;
  for (size_t k = 0; k < 4; k++) mean += 0.25 * log(count[k]);
  solve(&f, 1e12);
  for (size_t k = 0; k < 4; k++) {
    worst = fmax(worst, fabs(f.w[4 * f.s.wide + k] - log(count[k]) + mean));
    worst = fmax(worst, fabs(f.w[k]));
  }
  CHECK(worst < 1e-7, "a heavy penalty leaves the shares' logarithms, but for %g", worst);
  /* No more steps than allowed; none allowed, none taken. */
  for (int steps = 0; steps < 3; steps++) {
    start_anew(&f);
    f.s.steps = steps;
    solve(&f, 1e-3);
    const double left = plain_norm(&f, f.w, 1e-3) / f.unit[0];
    CHECK(f.taken == steps && f.left > TOLERANCE && left - f.left < 1e-11,
          "%d steps of %d are taken, and the gradient is said to be left", f.taken, steps);
  }
  /* The norms that the gradient is measured by are computed once and then reused. */
  f.s.steps = 200;
  start_anew(&f);
  f.unit[0] = f.unit[1] = 1e12;
  solve(&f, 1.0);
  CHECK(f.taken == 0 && f.unit[0] == 1e12 && f.w[0] == 0.0 && f.left < TOLERANCE,
        "with larger norms given there is nothing to do");
  /* Features without information. */
  for (size_t i = 0; i < 90; i++) {
    f.y[i] = (int)(i % 3);
    for (size_t k = 0; k < 4; k++) f.s.x[i * f.s.ld + k] = 0.0;
  }
  f.y[0] = 3;
  start_anew(&f);
  solve(&f, 1.0);
  worst = fabs(f.w[4 * f.s.wide] - f.w[4 * f.s.wide + 3] - log(29.0));
  CHECK(f.w[0] == 0.0 && worst < 1e-7 && f.left <= TOLERANCE,
        "where features say nothing there are only intercepts, right but for %g", worst);
  release();
}

void test_softmax(const executor *exec) {
  check_path(exec, 80, 6, 3);
  check_path(exec, 256, 6, 8);
  check_path(exec, SEVERAL, 17, 5);
  check_path(exec, SEVERAL, 9, 11);
  check_path(exec, 4096 + 77, 5, 3);
  check_path(exec, 12, 25, 3);
  check_path(exec, 9, 3, 9);
  check_two(exec, 120, 1.0);
  check_two(exec, 600, 1e-2);
  check_separable(exec, 60, 1e-6);
  check_separable(exec, 600, 1e-4);
  check_far_start(exec, 60.0, 0.0);
  check_far_start(exec, 6.0, -9.0);
  check_far_start(exec, 0.0, -300.0);
  check_scales(exec);
  check_ends(exec);
}
