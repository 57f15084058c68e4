/*
 * Included before every file of the package when tools/sanitize.sh builds it. gctorture alone finds
 * few objects without protection: what has lived through one collection is looked at again by every
 * twentieth only, and R leaves a small object that it has freed as it is until another of its size
 * takes its place. Where REUSE_FREED is set (gctorture.R), each allocation of the glue follows a
 * collection of all generations, and objects of every small size, which overwrite what it freed.
 */
#ifndef LANDMARKER_REUSE_H
#define LANDMARKER_REUSE_H

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>
#include <stdlib.h>

/* R keeps vectors of up to 16 doubles in pages by size, and pairs beside those without numbers. */
static inline void reuse_freed(void) {
  if (!getenv("REUSE_FREED")) return;
  static const int sizes[] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 16, 16};
  R_gc();
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const SEXP junk = Rf_allocVector(REALSXP, sizes[i]);
    for (int k = 0; k < sizes[i]; k++) REAL(junk)[k] = -8.25e77;
  }
  Rf_cons(R_NilValue, R_NilValue);
}

#define Rf_allocVector(...) (reuse_freed(), Rf_allocVector(__VA_ARGS__))
#define Rf_allocMatrix(...) (reuse_freed(), Rf_allocMatrix(__VA_ARGS__))
#define Rf_ScalarInteger(...) (reuse_freed(), Rf_ScalarInteger(__VA_ARGS__))
#define Rf_ScalarReal(...) (reuse_freed(), Rf_ScalarReal(__VA_ARGS__))
#define Rf_duplicate(...) (reuse_freed(), Rf_duplicate(__VA_ARGS__))
#define Rf_eval(...) (reuse_freed(), Rf_eval(__VA_ARGS__))
#define Rf_mkChar(...) (reuse_freed(), Rf_mkChar(__VA_ARGS__))
#define R_alloc(...) (reuse_freed(), R_alloc(__VA_ARGS__))

#endif
