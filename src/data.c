/* Entry points that prepare data. */
#include "glue.h"

SEXP lm_moments(SEXP x, SEXP weights, SEXP spread, SEXP settings) {
  const executor exec = glue_executor(settings);
  observations view = {0};
  view.rows = (size_t)Rf_nrows(x);
  view.columns = (size_t)Rf_ncols(x);
  view.weight = weights == R_NilValue ? NULL : REAL(weights);
  glue_columns(x, &view);
  const char *names[] = {"mean", "deviation", "bad"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP mean = Rf_allocVector(REALSXP, (R_xlen_t)view.columns);
  SET_VECTOR_ELT(out, 0, mean);
  SEXP deviation = R_NilValue;
  if (Rf_asLogical(spread)) {
    deviation = Rf_allocVector(REALSXP, (R_xlen_t)view.columns);
    SET_VECTOR_ELT(out, 1, deviation);
  }
  const ptrdiff_t bad = observations_moments(&exec, &view, REAL(mean),
                                             deviation == R_NilValue ? NULL : REAL(deviation));
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal((double)bad));
  UNPROTECT(1);
  return out;
}

/* The same of compressed sparse columns: list(start, row, value, dim). `bad`: an entry. */
SEXP lm_sparse_moments(SEXP columns, SEXP weights, SEXP settings) {
  const executor exec = glue_executor(settings);
  const int *dim = integers_of(setting(columns, "dim"), 2, "dim");
  const size_t rows = (size_t)dim[0], count = (size_t)dim[1];
  const int *start = integers_of(setting(columns, "start"), count + 1, "start");
  const size_t entries = (size_t)start[count];
  const char *names[] = {"mean", "deviation", "bad"};
  SEXP out = PROTECT(glue_list(3, names));
  SET_VECTOR_ELT(out, 0, Rf_allocVector(REALSXP, (R_xlen_t)count));
  SET_VECTOR_ELT(out, 1, Rf_allocVector(REALSXP, (R_xlen_t)count));
  const ptrdiff_t bad = compressed_moments(&exec, rows, count, start,
                                           integers_of(setting(columns, "row"), entries, "row"),
                                           numbers_of(setting(columns, "value"), entries, "value"),
                                           numbers_or_null(weights, rows, "weights"),
                                           REAL(VECTOR_ELT(out, 0)), REAL(VECTOR_ELT(out, 1)));
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal((double)bad));
  UNPROTECT(1);
  return out;
}

SEXP lm_sparse_rows(SEXP start, SEXP inner, SEXP value, SEXP dim, SEXP factor) {
  const size_t rows = (size_t)INTEGER(dim)[0], columns = (size_t)INTEGER(dim)[1];
  const char *names[] = {"start", "column", "value"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP start_out = Rf_allocVector(INTSXP, (R_xlen_t)rows + 1);
  SET_VECTOR_ELT(out, 0, start_out);
  SEXP column = Rf_allocVector(INTSXP, Rf_xlength(inner));
  SET_VECTOR_ELT(out, 1, column);
  SEXP value_out = Rf_allocVector(REALSXP, Rf_xlength(value));
  SET_VECTOR_ELT(out, 2, value_out);
  int *next = (int *)R_alloc(rows, sizeof(int));
  compressed_transpose(columns, rows, INTEGER(start), INTEGER(inner), REAL(value), REAL(factor),
                       INTEGER(start_out), INTEGER(column), REAL(value_out), next);
  UNPROTECT(1);
  return out;
}
