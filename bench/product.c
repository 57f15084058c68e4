/* One product by one variant, as .Call("product", a, b, use, times, threads, variant): `use` 0 is a
 * b', rows against points; 1 is a' b, weighted sums of rows; 2 is a'a. It is made `times` times, so
 * that the benchmark can tell the product from the packing. */
#include "core/algebra/linear.c"
#include "core/algebra/products.c"

#include <R.h>
#include <Rinternals.h>

/* A matrix of R by rows, or its transpose. */
static matrix by_rows(SEXP from, int transpose) {
  const size_t rows = (size_t)Rf_nrows(from), columns = (size_t)Rf_ncols(from);
  const size_t lines = transpose ? columns : rows, each = transpose ? rows : columns;
  const size_t stride = padded(each);
  double *x = (double *)R_alloc(lines * stride, sizeof *x);
  memset(x, 0, lines * stride * sizeof *x);
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < columns; j++) {
      x[transpose ? j * stride + i : i * stride + j] = REAL(from)[j * rows + i];
    }
  }
  return matrix_on(x, lines, each, stride);
}

SEXP product(SEXP a, SEXP b, SEXP use, SEXP times, SEXP threads, SEXP variant) {
  executor exec = {Rf_asInteger(threads), NULL, NULL, NULL};
  for (int v = 0; v < VARIANT_COUNT; v++) {
    const product_variant *found = variant_by_number(v);
    if (found && strcmp(found->name, CHAR(Rf_asChar(variant))) == 0) exec.variant = found;
  }
  if (!exec.variant) Rf_error("this processor lacks the variant");
  const int which = Rf_asInteger(use);
  const matrix left = by_rows(a, 0), right = by_rows(b, which == 0);
  const size_t rows = which == 0 ? left.rows : left.columns, columns = right.columns;
  double *c = (double *)R_alloc(rows * padded(columns), sizeof *c);
  const matrix to = matrix_on(c, rows, columns, padded(columns));
  for (int t = 0; t < Rf_asInteger(times); t++) {
    if (which == 0) gemm_nn(&exec, left, right, 0, to);
    if (which == 1) gemm_tn(&exec, left, right, 0, to);
    if (which == 2) syrk(&exec, left, left, 0, to);
  }
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)rows, (int)columns));
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < columns; j++) REAL(out)[j * rows + i] = c[i * to.stride + j];
  }
  UNPROTECT(1);
  return out;
}
