/* Entry points of the evaluation. */
#include "core/regression/path.h"
#include "glue.h"

/* The settings of both regressions: `terms`, the number of columns of the features to use, the
 * penalties `lambda`, and `weights` of the rows, above 0 and of mean 1, or NULL. Their results are
 * list(coefficients, gradient, iterations). */
static SEXP path_of(SEXP features, SEXP settings, size_t responses, size_t gradients,
                    regression_path *p) {
  SEXP lambda = setting(settings, "lambda");
  p->lambda = numbers_of(lambda, ANY_LENGTH, "lambda");
  p->lambdas = (size_t)Rf_xlength(lambda);
  p->features = matrix_of(features, ANY_LENGTH, ANY_LENGTH, "features");
  p->rows = (size_t)Rf_nrows(features);
  p->weights = numbers_or_null(setting(settings, "weights"), p->rows, "weights");
  p->count = setting_count(settings, "terms");
  if (p->count > (size_t)Rf_ncols(features)) Rf_error("`terms` must be columns of `features`");
  const char *names[] = {"coefficients", "gradient", "iterations"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP coefficients = Rf_alloc3DArray(REALSXP, (int)p->count + 1, (int)responses, (int)p->lambdas);
  SET_VECTOR_ELT(out, 0, coefficients);
  SEXP gradient = Rf_allocMatrix(REALSXP, (int)gradients, (int)p->lambdas);
  SET_VECTOR_ELT(out, 1, gradient);
  SEXP taken = Rf_allocMatrix(INTSXP, (int)gradients, (int)p->lambdas);
  SET_VECTOR_ELT(out, 2, taken);
  p->coefficients = REAL(coefficients);
  p->gradient = REAL(gradient);
  p->taken = INTEGER(taken);
  UNPROTECT(1);
  return out;
}

/* Coefficients of penalized regressions of each column of y on the features, for each penalty in
 * turn: (terms + 1) x models x lambdas, the intercept first. `response`: "numbers", or "chances"
 * from 0 to 1. */
SEXP lmk_ridge(SEXP features, SEXP y, SEXP settings) {
  const char *responses[] = {"numbers", "chances"};
  const loss_kind losses[] = {LOSS_SQUARES, LOSS_LOGISTIC};
  const executor exec = glue_executor(settings);
  const loss_kind loss = losses[setting_choice(settings, "response", responses, 2)];
  const double *of = matrix_of(y, (size_t)Rf_nrows(features), ANY_LENGTH, "y");
  const size_t models = (size_t)Rf_ncols(y);
  regression_path p;
  SEXP out = PROTECT(path_of(features, settings, models, models, &p));
  ridge r;
  LAY_OUT(memory, glue_memory, ridge_layout(&r, &memory, &exec, loss, p.rows, p.count + 1, models));
  r.tolerance = setting_number(settings, "tolerance");
  r.steps = (int)setting_count(settings, "max_iterations");
  ridge_path(&p, &r, of, models, glue_doubles(ridge_path_scratch(&r, models)));
  UNPROTECT(1);
  return out;
}

/* Coefficients of the penalized multinomial regression of y, the class of each row from 1 to
 * `classes`, each of which has a row, for each penalty in turn: (terms + 1) x classes x lambdas,
 * the intercept first. */
SEXP lmk_softmax(SEXP features, SEXP y, SEXP settings) {
  const executor exec = glue_executor(settings);
  const size_t classes = setting_count(settings, "classes");
  regression_path p;
  SEXP out = PROTECT(path_of(features, settings, classes, 1, &p));
  const int *own = places_of(y, p.rows, classes, "y");
  softmax s;
  LAY_OUT(memory, glue_memory, softmax_layout(&s, &memory, &exec, p.rows, p.count + 1, classes));
  s.tolerance = setting_number(settings, "tolerance");
  s.steps = (int)setting_count(settings, "max_iterations");
  softmax_path(&p, &s, own, glue_doubles(softmax_path_scratch(&s)));
  UNPROTECT(1);
  return out;
}
