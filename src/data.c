/* Entry points that prepare data. */
#include "core/data/moments.h"
#include "glue.h"

static observations matrix_columns(SEXP x) {
  observations view = {0};
  if (!Rf_isMatrix(x)) Rf_error("`x` must be a matrix");
  glue_columns(x, &view);
  view.rows = (size_t)Rf_nrows(x);
  view.columns = (size_t)Rf_ncols(x);
  return view;
}

/* Means of the columns of a matrix, their sums of squares around them, and the place of the first
 * value that is not finite, from 0, or -1. */
SEXP lmk_moments(SEXP x, SEXP weights, SEXP settings) {
  const executor exec = glue_executor(settings);
  observations view = matrix_columns(x);
  view.weight = numbers_or_null(weights, view.rows, "weights");
  const char *names[] = {"mean", "deviation", "bad"};
  SEXP out = PROTECT(glue_list(3, names));
  SET_VECTOR_ELT(out, 0, Rf_allocVector(REALSXP, (R_xlen_t)view.columns));
  SET_VECTOR_ELT(out, 1, Rf_allocVector(REALSXP, (R_xlen_t)view.columns));
  const ptrdiff_t bad =
      observations_moments(&exec, &view, REAL(VECTOR_ELT(out, 0)), REAL(VECTOR_ELT(out, 1)));
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal((double)bad));
  UNPROTECT(1);
  return out;
}

/* Of new data: list(size, bad), `size` the sum of absolute values of each column. */
SEXP lmk_sizes(SEXP x, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations view = matrix_columns(x);
  const char *names[] = {"size", "bad"};
  SEXP out = PROTECT(glue_list(2, names));
  SET_VECTOR_ELT(out, 0, Rf_allocVector(REALSXP, (R_xlen_t)view.columns));
  const ptrdiff_t bad = observations_sizes(&exec, &view, REAL(VECTOR_ELT(out, 0)));
  SET_VECTOR_ELT(out, 1, Rf_ScalarReal((double)bad));
  UNPROTECT(1);
  return out;
}

/* Some rows of a dense source, as a numeric matrix. */
SEXP lmk_rows(SEXP source, SEXP rows, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  if (x.kind == ROWS_SPARSE) Rf_error("`x` must be a matrix");
  const int *index = places_of(rows, ANY_LENGTH, x.rows, "rows");
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, Rf_length(rows), (int)x.columns));
  observations_rows(&exec, &x, index, (size_t)Rf_xlength(rows), REAL(out));
  UNPROTECT(1);
  return out;
}

/* The same of compressed sparse columns: list(start, row, value, dim). `bad`: an entry. */
SEXP lmk_sparse_moments(SEXP columns, SEXP weights, SEXP settings) {
  const executor exec = glue_executor(settings);
  size_t rows, count;
  dim_of(columns, &rows, &count);
  const compressed view = compressed_of(columns, count, rows, "row");
  const double *value = numbers_of(setting(columns, "value"), view.entries, "value");
  const char *names[] = {"mean", "deviation", "bad"};
  SEXP out = PROTECT(glue_list(3, names));
  SET_VECTOR_ELT(out, 0, Rf_allocVector(REALSXP, (R_xlen_t)count));
  SET_VECTOR_ELT(out, 1, Rf_allocVector(REALSXP, (R_xlen_t)count));
  const ptrdiff_t bad = compressed_moments(&exec, rows, count, view.start, view.inner, value,
                                           numbers_or_null(weights, rows, "weights"),
                                           REAL(VECTOR_ELT(out, 0)), REAL(VECTOR_ELT(out, 1)));
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal((double)bad));
  UNPROTECT(1);
  return out;
}

/* Compressed rows of compressed columns, list(start, row, value, dim), each column times its
 * `factor`. */
SEXP lmk_sparse_rows(SEXP source, SEXP factor) {
  size_t rows, columns;
  dim_of(source, &rows, &columns);
  const compressed view = compressed_of(source, columns, rows, "row");
  const double *value = numbers_of(setting(source, "value"), view.entries, "value");
  const double *times = numbers_of(factor, columns, "factor");
  const char *names[] = {"start", "column", "value"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP start_out = Rf_allocVector(INTSXP, (R_xlen_t)rows + 1);
  SET_VECTOR_ELT(out, 0, start_out);
  SEXP column = Rf_allocVector(INTSXP, (R_xlen_t)view.entries);
  SET_VECTOR_ELT(out, 1, column);
  SEXP value_out = Rf_allocVector(REALSXP, (R_xlen_t)view.entries);
  SET_VECTOR_ELT(out, 2, value_out);
  int *next = (int *)R_alloc(rows, sizeof(int));
  compressed_transpose(columns, rows, view.start, view.inner, value, times, INTEGER(start_out),
                       INTEGER(column), REAL(value_out), next);
  UNPROTECT(1);
  return out;
}
