/* Entry point of the reconstruction error. */
#include "core/use/reconstruction.h"
#include "glue.h"

/* The part of the kernel's trace that remains after the first landmark, the first two, ..., all. */
SEXP lm_reconstruction(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const size_t n = (size_t)Rf_nrows(landmarks);
  reconstruction r;
  LAY_OUT(memory, glue_memory,
          reconstruction_layout(&r, &memory, &exec, &x, glue_bandwidth(kernel), n));
  glue_points_in(landmarks, 0, n, &x, &r.landmarks);
  SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)n));
  reconstruction_errors(&r, REAL(out));
  UNPROTECT(1);
  return out;
}
