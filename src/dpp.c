/* The entry point that draws diverse rows. */
#include "core/dpp.h"

#include <string.h>

#include "glue.h"

/* Rows drawn one after another by odds that fall around those drawn before, and
 * around the points of `landmarks`. `sigma` NULL: by the first candidates' reach.
 * `tree`: whether to search by a tree, NA for whichever is quicker. Draws from R's
 * stream: two numbers a candidate. */
SEXP lm_dpp(SEXP source, SEXP landmarks, SEXP wanted, SEXP neighbors, SEXP update, SEXP sigma,
            SEXP tree, SEXP how) {
  const executor exec = glue_executor(how);
  const observations x = glue_source(source);
  const size_t held = (size_t)Rf_nrows(landmarks), most = (size_t)Rf_asInteger(wanted);
  const int asked = Rf_asLogical(tree);
  const search_kind kind = asked == NA_LOGICAL ? search_choice(&x, held + most)
                           : asked             ? SEARCH_TREE
                                               : SEARCH_ALL;
  dpp p = {0};
  arena measure = {NULL, 0};
  dpp_layout(&p, &measure, &exec, &x, (size_t)Rf_asInteger(neighbors), kind);
  arena memory = glue_memory(&measure);
  dpp_layout(&p, &memory, &exec, &x, (size_t)Rf_asInteger(neighbors), kind);
  p.update = Rf_asInteger(update) == 0 ? DPP_WELSCH : DPP_SIN2;
  p.sigma = sigma == R_NilValue ? 0.0 : Rf_asReal(sigma);
  dpp_start(&p);
  for (size_t first = 0; first < held; first += DPP_CANDIDATES) {
    const size_t count = held - first < DPP_CANDIDATES ? held - first : DPP_CANDIDATES;
    p.at.count = count;
    glue_points_in(landmarks, first, count, &x, &p.at);
    dpp_search(&p);
    if (!(p.sigma > 0.0)) p.sigma = dpp_scale(&p);
    for (size_t k = 0; k < count; k++) dpp_repel(&p, k);
    R_CheckUserInterrupt();
  }

  int *chosen = (int *)R_alloc(most, sizeof(int));
  double uniform[2 * DPP_CANDIDATES];
  size_t found = 0, count = DPP_CANDIDATES;
  while (found < most && dpp_left(&p) > 0.0) {
    R_CheckUserInterrupt();
    GetRNGstate();
    for (size_t k = 0; k < 2 * count; k++) uniform[k] = unif_rand();
    PutRNGstate();
    dpp_propose(&p, count, uniform);
    if (!(p.sigma > 0.0)) p.sigma = dpp_scale(&p);
    size_t taken = 0;
    for (size_t k = 0; k < count && found < most; k++) {
      if (!dpp_take(&p, k, uniform[count + k])) continue;
      chosen[found++] = p.row[k] + 1;
      taken++;
    }
    if (4 * taken > 3 * count && count < DPP_CANDIDATES) count *= 2;
    if (2 * taken < count && count > 1) count /= 2;
  }
  const char *names[] = {"rows", "sigma"};
  SEXP out = PROTECT(glue_list(2, names));
  SEXP rows = Rf_allocVector(INTSXP, (R_xlen_t)found);
  SET_VECTOR_ELT(out, 0, rows);
  memcpy(INTEGER(rows), chosen, found * sizeof(int));
  SET_VECTOR_ELT(out, 1, Rf_ScalarReal(p.sigma));
  UNPROTECT(1);
  return out;
}
