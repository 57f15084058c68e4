/* Penalized regression: at the answer the gradient, computed plainly, is zero. */
#include <string.h>

#include "check.h"
#include "core/algebra/loss.h"
#include "core/regression/ridge.h"
#include "fixture.h"

#define TOLERANCE 1e-9
#define SEVERAL 1101 /* more rows than two tiles */

typedef struct {
  ridge r;
  size_t models;
  double *y, *w, *unit, *gradient;
  int *taken;
} regression;

static void start_anew(regression *f) {
  for (size_t k = 0; k < f->models * f->r.ld; k++) f->w[k] = 0.0;
  for (size_t m = 0; m < 2 * f->models; m++) f->unit[m] = -1.0;
}

/* `y`: probabilities or 0 and 1 (logistic), numbers about 5 (squared). */
static regression regression_make(const executor *exec, loss_kind loss, size_t rows, size_t terms,
                                  size_t models, int probabilities) {
  regression f = {.models = models};
  LAY_OUT_CHECKED(memory, ridge_layout(&f.r, &memory, exec, loss, rows, terms, models));
  f.r.tolerance = TOLERANCE;
  f.r.steps = 200;
  seed(23);
  for (size_t i = 0; i < rows; i++) {
    for (size_t k = 0; k < f.r.ld; k++)
      f.r.x[i * f.r.ld + k] = k + 1 < terms ? symmetric() : k + 1 == terms;
  }
  f.y = doubles(rows * models);
  for (size_t m = 0; m < models; m++) {
    for (size_t i = 0; i < rows; i++) {
      /* Of the first feature, with noise; with more of one kind from model to model. */
      const double f0 = f.r.x[i * f.r.ld] * (m % 2 ? -1.0 : 1.0);
      const double p = 1.0 / (1.0 + exp(0.7 * (double)m - 1.0 - 3.0 * f0));
      double *y = f.y + m * rows + i;
      if (loss == LOSS_SQUARES)
        *y = 5.0 + 2.0 * f0 + symmetric();
      else
        *y = probabilities ? 0.1 + 0.8 * p : uniform() < p;
    }
    /* Both kinds are there, however few the rows. */
    if (loss == LOSS_LOGISTIC && !probabilities) {
      f.y[m * rows] = 0.0;
      f.y[m * rows + 1] = 1.0;
    }
  }
  f.w = doubles(models * f.r.ld);
  f.unit = doubles(2 * models);
  f.gradient = doubles(models);
  f.taken = integers(models);
  start_anew(&f);
  return f;
}

/* Curvatures are the slopes of residuals, and what both count for is the weight of the row. */
static void check_curvatures(const executor *exec, loss_kind loss) {
  enum { ROWS = 12 };
  const double h = 1e-5;
  double y[ROWS], weight[ROWS], curvature[ROWS], apart[ROWS], worst = 0.0;
  double *scores = doubles(3 * ROWS * VECTOR_DOUBLES);
  for (size_t i = 0; i < ROWS; i++) {
    y[i] = uniform();
    weight[i] = 3.0 * uniform();
    const double f = 3.0 * symmetric();
    for (size_t k = 0; k < 3; k++) {
      scores[(k * ROWS + i) * VECTOR_DOUBLES] = f + h * ((double)k - 1.0);
    }
  }
  for (size_t k = 0; k < 3; k++) {
    /* The last call is the one at f itself. */
    double *at = scores + (k < 2 ? 2 * k : 1) * ROWS * VECTOR_DOUBLES;
    loss_curvatures(loss, exec, weight, ROWS, y, at, curvature, apart);
  }
  for (size_t i = 0; i < ROWS; i++) {
    const double up = scores[(2 * ROWS + i) * VECTOR_DOUBLES], down = scores[i * VECTOR_DOUBLES];
    compare(&worst, curvature[i], (up - down) / (2.0 * h), 1.0);
  }
  CHECK(worst < 1e-8, "curvatures are slopes of residuals (loss %d): error %g", (int)loss, worst);
  release();
}

static void solve(regression *f, double lambda) {
  ridge_solve(&f->r, f->y, f->models, lambda, f->w, f->unit, f->gradient, f->taken);
}

/* The gradient of the objective at w; returns its norm. */
static double plain_gradient(const regression *f, size_t model, const double *w, double lambda,
                             double *out) {
  const size_t terms = f->r.terms, rows = f->r.rows;
  long double g[64] = {0}, norm = 0.0;
  for (size_t i = 0; i < rows; i++) {
    const double *x = f->r.x + i * f->r.ld;
    long double fitted = 0.0;
    for (size_t k = 0; k < terms; k++) fitted += (long double)x[k] * w[k];
    if (f->r.loss == LOSS_LOGISTIC) fitted = 1.0L / (1.0L + expl(-fitted));
    for (size_t k = 0; k < terms; k++) g[k] += (fitted - f->y[model * rows + i]) * x[k];
  }
  for (size_t k = 0; k < terms; k++) {
    if (k + 1 < terms) g[k] += (long double)lambda * w[k];
    norm += g[k] * g[k];
    if (out) out[k] = (double)g[k];
  }
  return (double)sqrtl(norm);
}

/* The gradient's norm where there is only the best intercept. */
static double plain_unit(const regression *f, size_t model) {
  double w[64] = {0}, mean = 0.0;
  for (size_t i = 0; i < f->r.rows; i++) mean += f->y[model * f->r.rows + i] / (double)f->r.rows;
  w[f->r.terms - 1] = f->r.loss == LOSS_LOGISTIC ? log(mean / (1.0 - mean)) : mean;
  return plain_gradient(f, model, w, 0.0, NULL);
}

static void check_answers(const regression *f, double lambda, const char *what) {
  double worst = 0.0, apart = 0.0, said = 0.0;
  for (size_t m = 0; m < f->models; m++) {
    const double unit = plain_unit(f, m);
    const double left = plain_gradient(f, m, f->w + m * f->r.ld, lambda, NULL) / unit;
    worst = fmax(worst, isnan(left) ? INFINITY : left);
    compare_relative(&apart, f->unit[2 * m], unit);
    /* It says the larger of that and the same in the Hessian's norm. */
    said = fmax(said, isnan(f->gradient[m]) ? INFINITY : left - f->gradient[m]);
  }
  CHECK(worst < 2.0 * TOLERANCE, "%s, %zu x %zu, loss %d, lambda %g: of the gradient is left %g",
        what, f->r.rows, f->r.terms, f->r.loss, lambda, worst);
  CHECK(apart < 1e-10, "%s: the gradient at w = 0 is as it should be, error %g", what, apart);
  CHECK(said < 1e-11, "%s: what is left of the gradient is what it says, error %g", what, said);
}

static void check_path(const executor *exec, loss_kind loss, size_t rows, size_t terms,
                       size_t models, int probabilities) {
  const executor other = other_threads(exec);
  const double lambdas[] = {1e4, 30.0, 1.0, 0.03, 1e-3};
  regression f = regression_make(exec, loss, rows, terms, models, probabilities);
  regression g = regression_make(&other, loss, rows, terms, models, probabilities);
  const size_t bytes = models * f.r.ld * sizeof *f.w;
  for (size_t l = 0; l < 5; l++) {
    solve(&f, lambdas[l]);
    check_answers(&f, lambdas[l], "down the path");
    solve(&g, lambdas[l]);
    int same = 1;
    for (size_t m = 0; m < models; m++) {
      same &= SAME_BITS(f.w + m * f.r.ld, g.w + m * g.r.ld, terms) && f.taken[m] == g.taken[m] &&
              f.gradient[m] == g.gradient[m];
    }
    CHECK(same, "%d threads give the same coefficients (%zu x %zu, %zu models)", other.threads,
          rows, terms, models);
  }
  /* From where it ended there is nothing to do. */
  double *before = doubles(models * f.r.ld);
  memcpy(before, f.w, bytes);
  solve(&f, lambdas[4]);
  int idle = memcmp(before, f.w, bytes) == 0;
  for (size_t m = 0; m < models; m++) idle &= f.taken[m] == 0;
  CHECK(idle, "at the answer no step is taken");
  /* From nothing the answer is the same, to what its curvature and the tolerance leave open. */
  start_anew(&f);
  solve(&f, lambdas[4]);
  check_answers(&f, lambdas[4], "from nothing");
  start_anew(&f);
  solve(&f, 1.0);
  start_anew(&g);
  solve(&g, 30.0);
  solve(&g, 1.0);
  double worst = 0.0;
  for (size_t m = 0; m < models; m++) {
    for (size_t k = 0; k < terms; k++)
      compare_relative(&worst, f.w[m * f.r.ld + k], g.w[m * g.r.ld + k]);
  }
  CHECK(worst < 1e-6, "a start that is warm or cold ends in one place: apart %g", worst);
  release();
}

/* The closed form, by the normal equations. */
static void check_squared(const executor *exec, size_t rows, size_t terms, double lambda) {
  regression f = regression_make(exec, LOSS_SQUARES, rows, terms, 2, 0);
  solve(&f, lambda);
  long double *a = bytes(terms * terms * sizeof *a);
  for (size_t k = 0; k < terms; k++) {
    for (size_t l = 0; l < terms; l++) {
      a[k * terms + l] = k == l && k + 1 < terms ? lambda : 0.0L;
      for (size_t i = 0; i < rows; i++)
        a[k * terms + l] += (long double)f.r.x[i * f.r.ld + k] * f.r.x[i * f.r.ld + l];
    }
  }
  const long double *inverse = plain_inverse(terms, a);
  double worst = 0.0;
  for (size_t m = 0; m < 2; m++) {
    for (size_t k = 0; k < terms; k++) {
      long double want = 0.0;
      for (size_t l = 0; l < terms; l++) {
        for (size_t i = 0; i < rows; i++)
          want += inverse[k * terms + l] * f.r.x[i * f.r.ld + l] * f.y[m * rows + i];
      }
      compare_relative(&worst, f.w[m * f.r.ld + k], (double)want);
    }
    CHECK(f.taken[m] <= 2, "a square is solved in %d steps", f.taken[m]);
  }
  CHECK(worst < 1e-7, "squared loss, %zu x %zu, lambda %g: error %g", rows, terms, lambda, worst);
  /* The intercept is free: it takes up what is added to y, and the slopes nothing of it. */
  double *slopes = doubles(f.r.ld);
  memcpy(slopes, f.w, f.r.ld * sizeof *slopes);
  for (size_t i = 0; i < 2 * rows; i++) f.y[i] += 1000.0;
  start_anew(&f);
  solve(&f, lambda);
  worst = fabs(f.w[terms - 1] - slopes[terms - 1] - 1000.0);
  for (size_t k = 0; k + 1 < terms; k++) compare_relative(&worst, f.w[k], slopes[k]);
  CHECK(worst < 1e-6, "the intercept is not penalized: %g of 1000 is elsewhere", worst);
  release();
}

/* The first feature tells the two kinds apart: only the penalty keeps w finite. */
static void check_separable(const executor *exec, size_t rows, double lambda) {
  regression f = regression_make(exec, LOSS_LOGISTIC, rows, 4, 1, 0);
  for (size_t i = 0; i < rows; i++) f.y[i] = f.r.x[i * f.r.ld] > 0.1;
  solve(&f, lambda);
  check_answers(&f, lambda, "separable");
  CHECK(f.w[0] > 1.0 && isfinite(f.w[0]) && f.taken[0] < 200,
        "separable data converge, in %d steps, to %g", f.taken[0], f.w[0]);
  release();
}

/* Far off the loss is straight: a whole Newton step goes nowhere near the answer. */
static void check_far_start(const executor *exec, double intercept, double slope) {
  regression f = regression_make(exec, LOSS_LOGISTIC, 90, 5, 2, 0);
  for (size_t m = 0; m < 2; m++) {
    f.w[m * f.r.ld] = m ? -slope : slope;
    f.w[m * f.r.ld + 4] = m ? -intercept : intercept;
  }
  solve(&f, 0.1);
  check_answers(&f, 0.1, "from far off");
  CHECK(f.taken[0] > 0 && f.taken[1] > 0, "from %g and %g in %d steps", intercept, slope,
        f.taken[0]);
  release();
}

/* The norm that the gradient is measured by is computed once and then reused. */
static void check_unit(const executor *exec) {
  regression f = regression_make(exec, LOSS_LOGISTIC, 90, 5, 1, 0);
  solve(&f, 1.0);
  const double unit = f.unit[0];
  f.unit[0] = 1e12 * unit;
  f.unit[1] *= 1e12;
  f.w[0] = 0.0;
  solve(&f, 1.0);
  CHECK(f.unit[0] == 1e12 * unit && f.taken[0] == 0 && f.w[0] == 0.0 && f.gradient[0] < TOLERANCE,
        "with a larger norm given there is nothing to do");
  release();
}

/* A column of huge values must not hide that other coefficients have not converged. */
static void check_scales(const executor *exec) {
  const loss_kind losses[] = {LOSS_LOGISTIC, LOSS_SQUARES};
  for (int which = 0; which < 2; which++) {
    const loss_kind loss = losses[which];
    regression f = regression_make(exec, loss, 300, 4, 1, 0);
    for (size_t i = 0; i < 300; i++) f.r.x[i * f.r.ld] *= 1e9;
    double g[64];
    solve(&f, 1e3);
    solve(&f, 1e-3);
    plain_gradient(&f, 0, f.w, 1e-3, g);
    for (size_t k = 0; k < 4; k++) {
      double size = 0.0;
      for (size_t i = 0; i < 300; i++) size += f.r.x[i * f.r.ld + k] * f.r.x[i * f.r.ld + k];
      CHECK(fabs(g[k]) < 1e-4 * sqrt(size), "loss %d, term %zu: slope %g in columns of size %g",
            loss, k, g[k], sqrt(size));
    }
    release();
  }
}

static void check_ends(const executor *exec) {
  /* A penalty that leaves the intercept alone: the logarithm of the odds. */
  regression f = regression_make(exec, LOSS_LOGISTIC, 90, 5, 1, 0);
  double mean = 0.0;
  for (size_t i = 0; i < 90; i++) mean += f.y[i] / 90.0;
  solve(&f, 1e12);
  CHECK(fabs(f.w[0]) < 1e-9 && fabs(f.w[4] - log(mean / (1.0 - mean))) < 1e-7,
        "a heavy penalty leaves the intercept %g", f.w[4]);
  /* No more steps than allowed; none allowed, none taken. */
  for (int steps = 0; steps < 3; steps++) {
    start_anew(&f);
    f.r.steps = steps;
    solve(&f, 1e-3);
    const double left = plain_gradient(&f, 0, f.w, 1e-3, NULL) / f.unit[0];
    CHECK(f.taken[0] == steps && f.gradient[0] > TOLERANCE && left - f.gradient[0] < 1e-11,
          "%d steps of %d are taken, and the gradient is said to be left", f.taken[0], steps);
  }
  /* Features without information: the gradient is 0 but for the intercept. */
  f.r.steps = 200;
  for (size_t i = 0; i < 90; i++) {
    f.y[i] = (double)(i % 2);
    for (size_t k = 0; k < 4; k++) f.r.x[i * f.r.ld + k] = 0.0;
  }
  start_anew(&f);
  solve(&f, 1.0);
  CHECK(f.gradient[0] == 0.0 && f.taken[0] == 0 && f.w[0] == 0.0 && f.w[4] == 0.0,
        "where features say nothing there is nothing to do");
  release();
}

void test_ridge(const executor *exec) {
  check_curvatures(exec, LOSS_SQUARES);
  check_curvatures(exec, LOSS_LOGISTIC);
  const size_t models[] = {1, 2, 5};
  for (int k = 0; k < 3; k++) {
    check_path(exec, LOSS_LOGISTIC, 80, 6, models[k], 0);
    check_path(exec, LOSS_LOGISTIC, SEVERAL, 17, models[k], k % 2);
    check_path(exec, LOSS_SQUARES, SEVERAL, 9, models[k], 0);
  }
  check_path(exec, LOSS_LOGISTIC, 80, 8, 2, 1);
  check_path(exec, LOSS_LOGISTIC, 12, 25, 3, 0);
  check_path(exec, LOSS_SQUARES, 12, 25, 3, 0);
  check_squared(exec, 70, 7, 0.5);
  check_squared(exec, SEVERAL, 9, 2.0);
  check_squared(exec, 10, 20, 0.1);
  check_separable(exec, 60, 1e-6);
  check_separable(exec, 600, 1e-4);
  check_far_start(exec, 60.0, 0.0);
  check_far_start(exec, 6.0, -9.0);
  check_far_start(exec, 0.0, -300.0);
  check_unit(exec);
  check_scales(exec);
  check_ends(exec);
}
