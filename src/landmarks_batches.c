/* The entry point that moves landmarks on batches of rows. */
#include <string.h>

#include "core/landmarks/batches.h"
#include "core/landmarks/trace.h"
#include "core/landmarks/volume.h"
#include "glue.h"

/* A climb of the landmarks but the first `held`, on batches one after another: `rows` (from 1)
 * of them all, `sizes` and `steps` of each, `averaged` of the last. */
SEXP lm_climb_batches(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const char *criteria[] = {"trace", "volume"};
  const criterion *criterion = setting_choice(settings, "criterion", criteria, 2) == 0
                                   ? &trace_criterion
                                   : &volume_criterion;
  glue_projection projection;
  const space s = glue_space(setting(kernel, "space"), &x, &projection);
  const size_t n = (size_t)Rf_nrows(landmarks), held = setting_count(settings, "held");
  SEXP sizes = setting(settings, "sizes"), rows = setting(settings, "rows");
  const size_t count = (size_t)Rf_xlength(sizes), all = (size_t)Rf_xlength(rows);
  const int *given = integers_of(sizes, count, "sizes"), *number = integers_of(rows, all, "rows");
  size_t *size = (size_t *)R_alloc(count, sizeof *size), sum = 0;
  for (size_t k = 0; k < count; k++) sum += size[k] = (size_t)given[k];
  if (sum != all || held > n) Rf_error("`rows` must be those of all `sizes`");
  int *row = (int *)R_alloc(all, sizeof *row);
  for (size_t i = 0; i < all; i++) row[i] = number[i] - 1;
  const batch_plan plan = {count,
                           size,
                           integers_of(setting(settings, "steps"), count, "steps"),
                           row,
                           setting_count(settings, "averaged"),
                           (int)setting_count(settings, "halvings"),
                           NULL,
                           NULL};
  batches b;
  LAY_OUT(memory, glue_memory,
          batches_layout(&b, &memory, &exec, &x, glue_bandwidth(kernel), criterion, &s, held,
                         n - held, &plan));
  glue_points_in(landmarks, 0, held, &x, &b.ascent.held);
  glue_points_in(landmarks, held, n - held, &x, &b.ascent.now);
  const char *names[] = {"landmarks", "steps", "moved"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP result = Rf_duplicate(landmarks);
  SET_VECTOR_ELT(out, 0, result);
  SEXP moved = Rf_allocVector(REALSXP, (R_xlen_t)(n - held));
  SET_VECTOR_ELT(out, 2, moved);
  SET_VECTOR_ELT(out, 1, Rf_ScalarInteger(batches_climb(&b, &plan, REAL(moved))));
  glue_points_out(&b.ascent.now, &x, s.kind, held, REAL(result), n);
  UNPROTECT(1);
  return out;
}
