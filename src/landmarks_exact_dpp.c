/* Exact draws from a determinantal point process. */
#include "core/landmarks/exact_dpp.h"
#include "glue.h"

static double *uniforms(size_t count) {
  double *out = (double *)R_alloc(count, sizeof(double));
  GetRNGstate();
  for (size_t i = 0; i < count; i++) out[i] = unif_rand();
  PutRNGstate();
  return out;
}

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
  if (distances == R_NilValue) {
    exact_dpp_euclidean(&d);
  } else {
    exact_dpp_distances(&d, REAL(distances));
  }
  R_CheckUserInterrupt();
  const char *flaw = exact_dpp_decompose(&d);
  if (flaw) Rf_error("the kernel could not be decomposed: %s", flaw);
  R_CheckUserInterrupt();
  size_t *pair = (size_t *)R_alloc(d.rank, sizeof(size_t));
  size_t size = 0;
  int empty = 0;
  if (wanted == R_NilValue) {
    while (d.rank > 0 && (size = exact_dpp_pairs(&d, uniforms(d.rank), pair)) == 0) empty++;
  } else if ((size_t)Rf_asInteger(wanted) <= d.rank) {
    size = (size_t)Rf_asInteger(wanted);
    exact_dpp_pairs_of(&d, size, uniforms(d.rank), pair);
  }
  const char *names[] = {"rows", "rank", "empty"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP chosen = Rf_allocVector(INTSXP, (R_xlen_t)size);
  SET_VECTOR_ELT(out, 0, chosen);
  exact_dpp_rows(&d, size, pair, uniforms(size), INTEGER(chosen));
  for (size_t k = 0; k < size; k++) INTEGER(chosen)[k] = INTEGER(rows)[INTEGER(chosen)[k]];
  SET_VECTOR_ELT(out, 1, Rf_ScalarInteger((int)d.rank));
  SET_VECTOR_ELT(out, 2, Rf_ScalarInteger(empty));
  UNPROTECT(1);
  return out;
}
