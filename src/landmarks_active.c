/* The entry point that chooses rows by the variance left at them. */
#include "core/select/active.h"
#include "glue.h"

static void report(void *context) { glue_report(*(SEXP *)context, 1.0); }

/* Up to `wanted` rows, one after another, given landmarks that are fixed: list(rows, trace), with
 * the share of the variance that is left after each. `random` and `floor` are those of
 * active_rule; `progress` is a function that is called with 1 after each row, or NULL. */
SEXP lmk_active(SEXP source, SEXP fixed, SEXP kernel, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const radial_kernel k = glue_kernel(kernel);
  SEXP progress = setting(settings, "progress");
  active_rule rule = {.wanted = setting_count(settings, "wanted"),
                      .is_random = setting_flag(settings, "random"),
                      .floor = setting_number(settings, "floor"),
                      .progress = Rf_isFunction(progress) ? report : NULL,
                      .context = &progress};
  if (rule.wanted > x.rows) rule.wanted = x.rows;
  matrix_of(fixed, ANY_LENGTH, x.columns, "fixed");
  const size_t given = (size_t)Rf_nrows(fixed), most = given + rule.wanted;
  active_search a;
  arena measure = {NULL, 0}, memory;
  active_layout(&a, &measure, &exec, &x, k, most);
  SEXP lent = PROTECT(glue_lend(&measure, &memory));
  active_layout(&a, &memory, &exec, &x, k, most);
  points t = points_on(glue_doubles(points_size(given, x.columns)), given, x.columns);
  glue_points_in(fixed, 0, given, &x, &t);
  active_start(&a, &t, glue_doubles(given * padded(given)));
  SEXP rows = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)rule.wanted));
  SEXP trace = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)rule.wanted));
  const size_t found = active_choose(&a, &rule, INTEGER(rows), REAL(trace));
  glue_return(lent);
  for (size_t k = 0; k < found; k++) INTEGER(rows)[k]++;
  const char *names[] = {"rows", "trace"};
  SEXP out = PROTECT(glue_list(2, names));
  SET_VECTOR_ELT(out, 0, Rf_xlengthgets(rows, (R_xlen_t)found));
  SET_VECTOR_ELT(out, 1, Rf_xlengthgets(trace, (R_xlen_t)found));
  UNPROTECT(4);
  return out;
}
