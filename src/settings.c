#include "settings.h"

#include <string.h>

SEXP setting(SEXP list, const char *name) {
  if (TYPEOF(list) != VECSXP) Rf_error("`%s` is looked for in what is not a list", name);
  SEXP names = Rf_getAttrib(list, R_NamesSymbol);
  for (R_xlen_t i = 0; i < Rf_xlength(names); i++) {
    if (strcmp(CHAR(STRING_ELT(names, i)), name) == 0) return VECTOR_ELT(list, i);
  }
  return R_NilValue;
}

/* One value of this type. */
static SEXP one(SEXP list, const char *name, SEXPTYPE type, const char *kind) {
  SEXP value = setting(list, name);
  if ((SEXPTYPE)TYPEOF(value) != type || Rf_xlength(value) != 1)
    Rf_error("`%s` must be %s", name, kind);
  return value;
}

size_t setting_count(SEXP list, const char *name) {
  const int value = INTEGER(one(list, name, INTSXP, "one integer"))[0];
  if (value < 0) Rf_error("`%s` must be at least 0", name);
  return (size_t)value;
}

double setting_number(SEXP list, const char *name) {
  const double value = REAL(one(list, name, REALSXP, "one number"))[0];
  if (ISNAN(value)) Rf_error("`%s` must not be NA", name);
  return value;
}

int setting_flag(SEXP list, const char *name) {
  const int value = LOGICAL(one(list, name, LGLSXP, "TRUE or FALSE"))[0];
  if (value == NA_LOGICAL) Rf_error("`%s` must not be NA", name);
  return value;
}

int setting_choice(SEXP list, const char *name, const char *const *choices, int count) {
  const char *value = CHAR(STRING_ELT(one(list, name, STRSXP, "one string"), 0));
  for (int k = 0; k < count; k++) {
    if (strcmp(choices[k], value) == 0) return k;
  }
  Rf_error("`%s` must not be \"%s\"", name, value);
}

static void check_vector(SEXP vector, SEXPTYPE type, size_t length, const char *kind,
                         const char *name) {
  if ((SEXPTYPE)TYPEOF(vector) != type) Rf_error("`%s` must be %s", name, kind);
  if (length == ANY_LENGTH || (size_t)Rf_xlength(vector) == length) return;
  Rf_error("`%s` must have %.0f values, not %.0f", name, (double)length,
           (double)Rf_xlength(vector));
}

const double *numbers_of(SEXP vector, size_t length, const char *name) {
  check_vector(vector, REALSXP, length, "numeric", name);
  return REAL_RO(vector);
}

const double *numbers_or_null(SEXP vector, size_t length, const char *name) {
  return vector == R_NilValue ? NULL : numbers_of(vector, length, name);
}

const int *integers_of(SEXP vector, size_t length, const char *name) {
  check_vector(vector, INTSXP, length, "integer", name);
  return INTEGER_RO(vector);
}

int *places_of(SEXP vector, size_t length, size_t most, const char *name) {
  const int *number = integers_of(vector, length, name);
  const size_t count = (size_t)Rf_xlength(vector);
  int *place = (int *)R_alloc(count, sizeof *place);
  for (size_t i = 0; i < count; i++) {
    if (number[i] < 1 || (size_t)number[i] > most) {
      Rf_error("`%s` must be from 1 to %.0f, and %d is not", name, (double)most, number[i]);
    }
    place[i] = number[i] - 1;
  }
  return place;
}

size_t fixed_of(SEXP settings, size_t n) {
  const size_t fixed = setting_count(settings, "fixed");
  if (fixed > n) Rf_error("`fixed` must be at most %.0f", (double)n);
  return fixed;
}

void dim_of(SEXP list, size_t *rows, size_t *columns) {
  const int *dim = integers_of(setting(list, "dim"), 2, "dim");
  if (dim[0] < 0 || dim[1] < 1) Rf_error("`dim` must be at least 0 rows and 1 column");
  *rows = (size_t)dim[0];
  *columns = (size_t)dim[1];
}

compressed compressed_of(SEXP list, size_t lines, size_t most, const char *inner) {
  compressed view;
  view.start = integers_of(setting(list, "start"), lines + 1, "start");
  int falls = view.start[0] != 0;
  for (size_t i = 0; i < lines; i++) falls |= view.start[i + 1] < view.start[i];
  if (falls) Rf_error("`start` must begin with 0 and must not fall");
  view.entries = (size_t)view.start[lines];
  view.inner = integers_of(setting(list, inner), view.entries, inner);
  int outside = 0;
  for (size_t k = 0; k < view.entries; k++) outside |= (size_t)view.inner[k] >= most;
  if (outside) Rf_error("`%s` must be at least 0 and below %.0f", inner, (double)most);
  return view;
}

const double *matrix_of(SEXP matrix, size_t rows, size_t columns, const char *name) {
  check_vector(matrix, REALSXP, ANY_LENGTH, "a numeric matrix", name);
  if (!Rf_isMatrix(matrix)) Rf_error("`%s` must be a matrix", name);
  if (rows != ANY_LENGTH && (size_t)Rf_nrows(matrix) != rows) {
    Rf_error("`%s` must have %.0f rows, not %d", name, (double)rows, Rf_nrows(matrix));
  }
  if (columns != ANY_LENGTH && (size_t)Rf_ncols(matrix) != columns) {
    Rf_error("`%s` must have %.0f columns, not %d", name, (double)columns, Rf_ncols(matrix));
  }
  return REAL_RO(matrix);
}
