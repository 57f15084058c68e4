/* Entry points that say where points may lie. */
#include "glue.h"

/* The names of all spaces. */
SEXP lmk_spaces(void) {
  SEXP out = PROTECT(Rf_allocVector(STRSXP, SPACE_CUSTOM));
  for (int k = 0; k < SPACE_CUSTOM; k++) SET_STRING_ELT(out, k, Rf_mkChar(space_rules[k].name));
  UNPROTECT(1);
  return out;
}

/* Each row of a numeric matrix, in user coordinates, projected to the `space` of a kernel. */
SEXP lmk_project(SEXP points, SEXP kernel) {
  matrix_of(points, ANY_LENGTH, ANY_LENGTH, "points");
  const size_t rows = (size_t)Rf_nrows(points), columns = (size_t)Rf_ncols(points);
  if (columns == 0) Rf_error("`points` must have at least one column");
  const observations plain = {.columns = columns};
  glue_projection projection;
  const space s = glue_space(kernel, &plain, &projection);
  SEXP out = PROTECT(Rf_duplicate(points));
  double *t = (double *)R_alloc(columns, sizeof(double));
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < columns; j++) t[j] = REAL(out)[j * rows + i];
    if (s.kind == SPACE_CUSTOM) {
      s.project(s.context, t, columns);
    } else {
      space_project_row(s.kind, t, columns);
    }
    for (size_t j = 0; j < columns; j++) REAL(out)[j * rows + i] = t[j];
  }
  UNPROTECT(1);
  return out;
}

/* How far each row of one matrix is from that of another, relative to its norm. */
SEXP lmk_off(SEXP points, SEXP there) {
  const double *from = matrix_of(points, ANY_LENGTH, ANY_LENGTH, "points");
  const size_t rows = (size_t)Rf_nrows(points), columns = (size_t)Rf_ncols(points);
  const double *to = matrix_of(there, rows, columns, "there");
  SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)rows));
  for (size_t i = 0; i < rows; i++) {
    REAL(out)[i] = space_distance(from + i, to + i, columns, rows);
  }
  UNPROTECT(1);
  return out;
}
