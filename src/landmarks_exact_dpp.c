/* Exact draws from a determinantal point process, and annealed ones. */
#include "core/select/annealed_dpp.h"
#include "glue.h"

/* Rows drawn given landmarks that are fixed. `rows` are those that may be drawn. `distance`:
 * "euclidean", or "given": then `distances` is their matrix, and no landmark is fixed. `size`:
 * "given", which is `wanted`, or "random", which is at least 1. Returns the rows drawn, none where
 * more are wanted than the `rank`; and how many draws came out `empty` before. With another `power`
 * of the determinants than 1 the draw is where a chain of so many `steps` starts, of which the
 * share that changed the set is `accepted`. */
SEXP lmk_exact_dpp(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings) {
  const char *distance[] = {"euclidean", "given"}, *sizes[] = {"random", "given"};
  const executor exec = glue_executor(settings);
  const observations all = glue_source(source);
  SEXP rows = setting(settings, "rows");
  const observations x = glue_batch(&exec, &all, rows);
  matrix_of(landmarks, ANY_LENGTH, x.columns, "landmarks");
  const size_t fixed = (size_t)Rf_nrows(landmarks);
  const double *apart = NULL;
  if (setting_choice(settings, "distance", distance, 2)) {
    apart = matrix_of(setting(settings, "distances"), x.rows, x.rows, "distances");
    if (fixed > 0) Rf_error("no landmark must be fixed where distances are given");
  }
  size_t size = 0;
  if (setting_choice(settings, "size", sizes, 2)) {
    size = setting_count(settings, "wanted");
    if (size < 1) Rf_error("`wanted` must be at least 1");
  }
  const double power = setting_number(settings, "power"), steps = setting_number(settings, "steps");
  const int anneal = power != 1.0;
  if (!(power > 0.0) || !(steps >= 0.0 && steps < 1e15)) Rf_error("no such `power` or `steps`");
  if (anneal && size == 0) Rf_error("another power than 1 needs a size");
  exact_dpp d;
  LAY_OUT(memory, glue_memory,
          exact_dpp_layout(&d, &memory, &exec, &x, glue_kernel(kernel), fixed));
  glue_points_in(landmarks, 0, fixed, &x, &d.fixed);
  const char *flaw = exact_dpp_draw(&d, apart, size);
  if (flaw) Rf_error("the kernel could not be decomposed: %s", flaw);
  double accepted = NA_REAL;
  if (anneal && d.size > 0) {
    annealed_dpp a;
    LAY_OUT(more, glue_memory, annealed_dpp_layout(&a, &more, x.rows, size));
    annealed_dpp_run(&a, &d, apart != NULL, power, (size_t)steps);
    accepted = a.steps > 0 ? (double)a.accepted / (double)a.steps : 0.0;
  }
  const char *names[] = {"rows", "rank", "empty", "accepted"};
  SEXP out = PROTECT(glue_list(4, names));
  SEXP chosen = Rf_allocVector(INTSXP, (R_xlen_t)d.size);
  SET_VECTOR_ELT(out, 0, chosen);
  for (size_t k = 0; k < d.size; k++) INTEGER(chosen)[k] = INTEGER_RO(rows)[d.row[k]];
  SET_VECTOR_ELT(out, 1, Rf_ScalarInteger((int)d.rank));
  SET_VECTOR_ELT(out, 2, Rf_ScalarInteger((int)d.empty));
  SET_VECTOR_ELT(out, 3, Rf_ScalarReal(accepted));
  UNPROTECT(1);
  return out;
}
