/* Entry points of the evaluation. */
#include "core/use/ridge.h"
#include "core/use/softmax.h"
#include "glue.h"

/* The first `count` columns of the features less their means, which go to
 * `middle`, by rows of `length` to `x`, with a 1 behind them: with a free intercept
 * a shift changes nothing but the digits that are lost by it. */
static void lay_rows(SEXP features, size_t count, size_t length, double *middle, double *x) {
  const size_t rows = (size_t)Rf_nrows(features);
  const double *from = REAL(features);
  for (size_t k = 0; k < length; k++) {
    middle[k] = 0.0;
    for (size_t i = 0; k < count && i < rows; i++) middle[k] += from[k * rows + i] / (double)rows;
  }
  for (size_t first = 0; first < rows; first += 64) {
    const size_t end = first + 64 < rows ? first + 64 : rows;
    for (size_t k = 0; k < length; k++) {
      for (size_t i = first; i < end; i++) {
        x[i * length + k] = k < count ? from[k * rows + i] - middle[k] : k == count ? 1.0 : 0.0;
      }
    }
  }
}

/* One response's coefficients as R has them, the intercept first, for features that are not
 * shifted: `w` holds the terms `step` apart, the intercept last. */
static void coefficients_out(const double *w, size_t step, size_t count, const double *middle,
                             double *to) {
  to[0] = w[count * step];
  for (size_t k = 0; k < count; k++) {
    to[k + 1] = w[k * step];
    to[0] -= middle[k] * to[k + 1];
  }
}

/* Coefficients of penalized regressions of each column of y on the first `terms`
 * columns of the features, for each lambda in turn: (terms + 1) x models x
 * lambdas, the intercept first. */
SEXP lm_ridge(SEXP features, SEXP terms, SEXP y, SEXP lambda, SEXP is_logistic, SEXP tolerance,
              SEXP steps, SEXP settings) {
  const executor exec = glue_executor(settings);
  const size_t rows = (size_t)Rf_nrows(features), models = (size_t)Rf_ncols(y);
  const size_t count = (size_t)Rf_asInteger(terms), lambdas = (size_t)Rf_xlength(lambda);
  ridge r;
  const loss_kind loss = Rf_asLogical(is_logistic) ? LOSS_LOGISTIC : LOSS_SQUARED;
  LAY_OUT(memory, glue_memory, ridge_layout(&r, &memory, &exec, loss, rows, count + 1, models));
  r.tolerance = Rf_asReal(tolerance);
  r.steps = Rf_asInteger(steps);
  double *middle = (double *)R_alloc(r.length, sizeof(double));
  lay_rows(features, count, r.length, middle, r.x);
  const char *names[] = {"coefficients", "gradient", "steps"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP coefficients = Rf_alloc3DArray(REALSXP, (int)count + 1, (int)models, (int)lambdas);
  SET_VECTOR_ELT(out, 0, coefficients);
  SEXP gradient = Rf_allocMatrix(REALSXP, (int)models, (int)lambdas);
  SET_VECTOR_ELT(out, 1, gradient);
  SEXP taken = Rf_allocMatrix(INTSXP, (int)models, (int)lambdas);
  SET_VECTOR_ELT(out, 2, taken);
  double *w = (double *)R_alloc(models * r.length, sizeof(double));
  double *unit = (double *)R_alloc(2 * models, sizeof(double));
  for (size_t i = 0; i < models * r.length; i++) w[i] = 0.0;
  for (size_t m = 0; m < 2 * models; m++) unit[m] = -1.0;
  for (size_t l = 0; l < lambdas; l++) {
    ridge_solve(&r, REAL(y), models, REAL(lambda)[l], w, unit, REAL(gradient) + l * models,
                INTEGER(taken) + l * models);
    for (size_t m = 0; m < models; m++) {
      coefficients_out(w + m * r.length, 1, count, middle,
                       REAL(coefficients) + (l * models + m) * (count + 1));
    }
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}

/* Coefficients of the penalized multinomial regression of y, the class of each row
 * from 1, for each lambda in turn: (terms + 1) x classes x lambdas, the intercept
 * first. */
SEXP lm_softmax(SEXP features, SEXP terms, SEXP y, SEXP classes, SEXP lambda, SEXP tolerance,
                SEXP steps, SEXP settings) {
  const executor exec = glue_executor(settings);
  const size_t rows = (size_t)Rf_nrows(features), count = (size_t)Rf_asInteger(terms);
  const size_t kinds = (size_t)Rf_asInteger(classes), lambdas = (size_t)Rf_xlength(lambda);
  softmax s;
  LAY_OUT(memory, glue_memory, softmax_layout(&s, &memory, &exec, rows, count + 1, kinds));
  s.tolerance = Rf_asReal(tolerance);
  s.steps = Rf_asInteger(steps);
  double *middle = (double *)R_alloc(s.length, sizeof(double));
  lay_rows(features, count, s.length, middle, s.x);
  int *own = (int *)R_alloc(rows, sizeof(int));
  for (size_t i = 0; i < rows; i++) own[i] = INTEGER(y)[i] - 1;
  const char *names[] = {"coefficients", "gradient", "steps"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP coefficients = Rf_alloc3DArray(REALSXP, (int)count + 1, (int)kinds, (int)lambdas);
  SET_VECTOR_ELT(out, 0, coefficients);
  SEXP gradient = Rf_allocVector(REALSXP, (R_xlen_t)lambdas);
  SET_VECTOR_ELT(out, 1, gradient);
  SEXP taken = Rf_allocVector(INTSXP, (R_xlen_t)lambdas);
  SET_VECTOR_ELT(out, 2, taken);
  double *w = (double *)R_alloc(s.terms * s.wide, sizeof(double));
  for (size_t i = 0; i < s.terms * s.wide; i++) w[i] = 0.0;
  double unit[2] = {-1.0, -1.0};
  for (size_t l = 0; l < lambdas; l++) {
    REAL(gradient)[l] = softmax_solve(&s, own, REAL(lambda)[l], w, unit, INTEGER(taken) + l);
    for (size_t k = 0; k < kinds; k++) {
      coefficients_out(w + k, s.wide, count, middle,
                       REAL(coefficients) + (l * kinds + k) * (count + 1));
    }
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}
