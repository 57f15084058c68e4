/* The entry point that draws diverse rows. */
#include "core/data/covariance.h"
#include "core/landmarks/dpp.h"
#include "glue.h"

/* Local covariances of landmarks, one block of them after another. */
typedef struct {
  int full;
  int *near; /* m + 1 rows for each of those of a block */
  double *scratch, *out;
  size_t size, done, waiting;
} spread;

static spread spread_begin(const executor *exec, const observations *x, size_t m, int kind,
                           double *out) {
  spread s = {.full = kind == 2, .out = out};
  s.size = s.full ? x->columns * x->columns : x->columns;
  s.near = (int *)R_alloc(DPP_CANDIDATES * (m + 1), sizeof(int));
  const arena measure = {NULL, (size_t)exec->threads * local_covariance_scratch(x, s.full)};
  s.scratch = glue_memory(&measure).base;
  return s;
}

static void spread_add(spread *s, const dpp *p, size_t k) {
  if (s->out) dpp_neighbors(p, k, s->near + s->waiting++ * (p->m + 1));
}

static void spread_settle(spread *s, const executor *exec, const dpp *p) {
  if (!s->waiting) return;
  local_covariances(exec, p->x, s->near, p->m + 1, s->waiting, s->full, s->scratch,
                    s->out + s->done * s->size);
  s->done += s->waiting;
  s->waiting = 0;
}

static void draw_uniforms(double *uniform, size_t count) {
  GetRNGstate();
  for (size_t k = 0; k < count; k++) uniform[k] = unif_rand();
  PutRNGstate();
}

/* Rows drawn one after another by odds that fall around those drawn before, and
 * around the points of `landmarks`. `sigma` NULL: by what is proposed first.
 * `covariance` 0: none, 1: variances, 2: all, of the landmarks held and drawn with their
 * neighbours, in kernel coordinates, one behind the other. `tree`: whether to search
 * by a tree, NA for whichever is quicker. Draws from R's stream: two numbers a candidate. */
SEXP lm_dpp(SEXP source, SEXP landmarks, SEXP wanted, SEXP neighbors, SEXP update, SEXP sigma,
            SEXP covariance, SEXP tree, SEXP how) {
  const executor exec = glue_executor(how);
  const observations x = glue_source(source);
  const size_t held = (size_t)Rf_nrows(landmarks), most = (size_t)Rf_asInteger(wanted);
  const size_t m = (size_t)Rf_asInteger(neighbors);
  const int asked = Rf_asLogical(tree), kind = Rf_asInteger(covariance);
  const search_kind by = asked == NA_LOGICAL ? search_choice(&x, held + most)
                         : asked             ? SEARCH_TREE
                                             : SEARCH_ALL;
  dpp p = {0};
  arena measure = {NULL, 0};
  dpp_layout(&p, &measure, &exec, &x, m, by);
  arena memory = glue_memory(&measure);
  dpp_layout(&p, &memory, &exec, &x, m, by);
  p.update = Rf_asInteger(update) == 0 ? DPP_WELSCH : DPP_SIN2;
  p.sigma = sigma == R_NilValue ? 0.0 : Rf_asReal(sigma);

  const size_t size = kind == 0 ? 0 : kind == 1 ? x.columns : x.columns * x.columns;
  const char *names[] = {"rows", "sigma", "covariance"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP chosen = Rf_allocVector(INTSXP, (R_xlen_t)most);
  SET_VECTOR_ELT(out, 0, chosen);
  SEXP around = Rf_allocVector(REALSXP, (R_xlen_t)((held + most) * size));
  SET_VECTOR_ELT(out, 2, around);
  spread s = {0};
  if (kind) s = spread_begin(&exec, &x, m, kind, REAL(around));

  dpp_start(&p);
  double uniform[2 * DPP_CANDIDATES];
  const size_t block = p.block;
  if (held && !(p.sigma > 0.0)) {
    draw_uniforms(uniform, block);
    dpp_propose(&p, block, uniform);
    p.sigma = dpp_scale(&p);
  }
  for (size_t first = 0; first < held; first += block) {
    const size_t count = held - first < block ? held - first : block;
    p.at.count = count;
    glue_points_in(landmarks, first, count, &x, &p.at);
    dpp_search(&p);
    for (size_t k = 0; k < count; k++) {
      dpp_repel(&p, k);
      spread_add(&s, &p, k);
    }
    spread_settle(&s, &exec, &p);
    R_CheckUserInterrupt();
  }
  size_t found = 0, count = block;
  while (found < most && dpp_left(&p) > 0.0) {
    R_CheckUserInterrupt();
    draw_uniforms(uniform, 2 * count);
    dpp_propose(&p, count, uniform);
    if (!(p.sigma > 0.0)) p.sigma = dpp_scale(&p);
    size_t taken = 0;
    for (size_t k = 0; k < count && found < most; k++) {
      if (!dpp_take(&p, k, uniform[count + k])) continue;
      spread_add(&s, &p, k);
      INTEGER(chosen)[found++] = p.row[k] + 1;
      taken++;
    }
    spread_settle(&s, &exec, &p);
    if (4 * taken > 3 * count && 2 * count <= block) count *= 2;
    if (2 * taken < count && count > 1) count /= 2;
  }
  SET_VECTOR_ELT(out, 0, Rf_lengthgets(chosen, (R_xlen_t)found));
  SET_VECTOR_ELT(out, 1, Rf_ScalarReal(p.sigma));
  SET_VECTOR_ELT(out, 2, Rf_lengthgets(around, (R_xlen_t)((held + found) * size)));
  UNPROTECT(1);
  return out;
}
