/* Exact draws from a determinantal point process. */
#include "core/landmarks/exact_dpp.h"
#include "glue.h"

/* `rows` are those that may be drawn; `distances`, rows x rows, or NULL for Euclidean
 * ones; `wanted`: how many, or NULL for a random number of at least 1. Returns
 * the rows drawn, none where more are wanted than the `rank`; and how many draws came out
 * `empty` before. */
SEXP lm_exact_dpp(SEXP source, SEXP rows, SEXP distances, SEXP landmarks, SEXP wanted,
                  SEXP bandwidth, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations all = glue_source(source);
  const observations x = glue_batch(&exec, &all, rows);
  const size_t held = (size_t)Rf_nrows(landmarks);
  exact_dpp d;
  LAY_OUT(memory, glue_memory,
          exact_dpp_layout(&d, &memory, &exec, &x, Rf_asReal(bandwidth), held));
  glue_points_in(landmarks, 0, held, &x, &d.held);
  const double *apart = distances == R_NilValue ? NULL : REAL(distances);
  const size_t size = wanted == R_NilValue ? 0 : (size_t)Rf_asInteger(wanted);
  const char *flaw = exact_dpp_draw(&d, apart, size);
  if (flaw) Rf_error("the kernel could not be decomposed: %s", flaw);
  const char *names[] = {"rows", "rank", "empty"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP chosen = Rf_allocVector(INTSXP, (R_xlen_t)d.size);
  SET_VECTOR_ELT(out, 0, chosen);
  for (size_t k = 0; k < d.size; k++) INTEGER(chosen)[k] = INTEGER(rows)[d.row[k]];
  SET_VECTOR_ELT(out, 1, Rf_ScalarInteger((int)d.rank));
  SET_VECTOR_ELT(out, 2, Rf_ScalarInteger((int)d.empty));
  UNPROTECT(1);
  return out;
}
