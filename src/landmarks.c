/* Entry points that move landmarks. */
#include <math.h>

#include "core/algebra/linear.h"
#include "core/optim/climb.h"
#include "core/optim/trace.h"
#include "core/optim/volume.h"
#include "core/select/pivot.h"
#include "glue.h"

/* An ascent of all landmarks but the first `fixed`, and a climb of it where one is given. On a
 * batch the features are `kept`. Its memory is `lent`, which is to be protected and returned. */
typedef struct {
  const executor *exec;
  const observations *x;
  climb_problem problem; /* the kernel and `moving` are set from what R gives */
  int kept;
} ascent_setup;

static void lay_out(const ascent_setup *s, arena *memory, ascent *a, climb *climb) {
  ascent_layout(a, memory, s->exec, s->x, &s->problem, s->kept);
  if (climb) climb_layout(climb, memory, a, climb_pairs(s->problem.moving, s->x->columns));
}

static SEXP set_up(ascent_setup s, SEXP landmarks, SEXP kernel, ascent *a, climb *climb) {
  matrix_of(landmarks, ANY_LENGTH, s.x->columns, "landmarks");
  const size_t n = (size_t)Rf_nrows(landmarks), fixed = s.problem.fixed;
  if (fixed > n) Rf_error("`fixed` must not be above the landmarks");
  s.problem.moving = n - fixed;
  s.problem.kernel = glue_kernel(kernel);
  arena measure = {NULL, 0}, memory;
  lay_out(&s, &measure, a, climb);
  SEXP lent = glue_lend(&measure, &memory);
  lay_out(&s, &memory, a, climb);
  glue_points_in(landmarks, 0, fixed, s.x, &a->fixed);
  glue_points_in(landmarks, fixed, n - fixed, s.x, &a->now);
  return lent;
}

static void report(void *context) { glue_report(*(SEXP *)context, 1.0); }

/* The climb of all landmarks but the first `fixed`. `over` says which rows it sees: "all" of the
 * source, or a "batch", which are its `rows`. `progress` is a function that is called with 1 after
 * each step that is kept, or NULL. */
SEXP lmk_climb(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings) {
  const char *ways[] = {"all", "batch"};
  const int is_batch = setting_choice(settings, "over", ways, 2) == 1;
  const executor exec = glue_executor(settings);
  const observations all = glue_source(source);
  const observations x = is_batch ? glue_batch(&exec, &all, setting(settings, "rows")) : all;
  glue_projection projection;
  const space s = glue_space(kernel, &x, &projection);
  climb c;
  ascent a;
  const climb_problem problem = {.criterion = glue_criterion(settings),
                                 .space = &s,
                                 .fixed = setting_count(settings, "fixed")};
  const ascent_setup setup = {&exec, &x, problem, is_batch};
  SEXP lent = PROTECT(set_up(setup, landmarks, kernel, &a, &c));
  SEXP progress = setting(settings, "progress");
  if (Rf_isFunction(progress)) {
    c.progress = report;
    c.context = &progress;
  }
  const int iterations = (int)setting_count(settings, "max_iterations"),
            halvings = (int)setting_count(settings, "halvings");
  const double tolerance = setting_number(settings, "tolerance");
  const char *names[] = {"landmarks", "start", "value", "iterations", "halvings", "moved", "gain"};
  SEXP out = PROTECT(glue_list(7, names));
  SEXP result = Rf_duplicate(landmarks);
  SET_VECTOR_ELT(out, 0, result);
  SEXP moved = Rf_allocVector(REALSXP, (R_xlen_t)a.now.count);
  SET_VECTOR_ELT(out, 5, moved);
  const climb_result r = climb_run(&c, &a, iterations, halvings, tolerance, REAL(moved));
  if (r.steps > 0) {
    glue_points_out(&a.now, &x, s.kind, a.row_pass.fixed, REAL(result),
                    (size_t)Rf_nrows(landmarks));
  }
  SET_VECTOR_ELT(out, 1, Rf_ScalarReal(r.start));
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal(r.value));
  SET_VECTOR_ELT(out, 3, Rf_ScalarInteger(r.steps));
  SET_VECTOR_ELT(out, 4, Rf_ScalarInteger(r.halvings));
  SET_VECTOR_ELT(out, 6, Rf_ScalarReal(r.gain));
  glue_return(lent);
  UNPROTECT(2);
  return out;
}

/* Algorithm 1's steps on the last landmark. For each step: its rows, of the list `batches`; and its
 * rate, of the numbers `rates`. */
SEXP lmk_gradient_steps(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings) {
  const char *kinds[] = {"raw", "unit"};
  const int is_unit = setting_choice(settings, "gradient", kinds, 2);
  const executor exec = glue_executor(settings);
  const observations all = glue_source(source);
  SEXP batches = setting(settings, "batches");
  if (TYPEOF(batches) != VECSXP) Rf_error("`batches` must be a list");
  const double *rates =
      numbers_of(setting(settings, "rates"), (size_t)Rf_xlength(batches), "rates");
  matrix_of(landmarks, ANY_LENGTH, all.columns, "landmarks");
  const size_t n = (size_t)Rf_nrows(landmarks);
  if (n < 1) Rf_error("`landmarks` must have a row");
  glue_projection projection;
  const space s = glue_space(kernel, &all, &projection);
  SEXP result = PROTECT(Rf_duplicate(landmarks));
  for (R_xlen_t b = 0; b < Rf_xlength(batches); b++) {
    const void *top = vmaxget();
    const observations x = glue_batch(&exec, &all, VECTOR_ELT(batches, b));
    ascent a;
    const climb_problem problem = {.criterion = &volume_criterion, .space = &s, .fixed = n - 1};
    const ascent_setup setup = {&exec, &x, problem, 1};
    SEXP lent = PROTECT(set_up(setup, result, kernel, &a, NULL));
    volume_gradient_step(&a, rates[b], is_unit, 1);
    glue_points_out(&a.now, &x, s.kind, n - 1, REAL(result), n);
    glue_return(lent);
    UNPROTECT(1);
    vmaxset(top);
  }
  UNPROTECT(1);
  return result;
}

/* Numbers of the chosen rows, by one criterion. */
static SEXP pivot_out(pivot_search *p, int by_trace, double floor, SEXP rows) {
  int *chosen = (int *)R_alloc(p->wanted, sizeof(int));
  size_t *order = (size_t *)R_alloc(p->fixed + p->wanted, sizeof(size_t));
  const size_t found = pivot_rows(p, by_trace, floor, order, chosen);
  SEXP out = Rf_allocVector(INTSXP, (R_xlen_t)found);
  for (size_t k = 0; k < found; k++) INTEGER(out)[k] = INTEGER_RO(rows)[chosen[k]];
  return out;
}

/* The `wanted` of some `rows` to start from, given landmarks that are fixed, one after another:
 * list(trace, volume), by each criterion. `trace` and `volume` of the settings say where to stop:
 * where the next has not more than that share of its own left. A criterion for which that is NULL
 * is not asked for. */
SEXP lmk_pivot(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations all = glue_source(source);
  SEXP rows = setting(settings, "rows");
  const observations x = glue_batch(&exec, &all, rows);
  matrix_of(landmarks, ANY_LENGTH, x.columns, "landmarks");
  const size_t fixed = (size_t)Rf_nrows(landmarks), most = setting_count(settings, "wanted");
  if (most > x.rows) Rf_error("`wanted` must not be above the number of `rows`");
  const radial_kernel k = glue_kernel(kernel);
  glue_projection projection;
  const space s = glue_space(kernel, &x, &projection);
  const char *names[] = {"trace", "volume"};
  const int by_trace = setting(settings, names[0]) != R_NilValue;
  pivot_search p;
  LAY_OUT(memory, glue_memory, pivot_layout(&p, &memory, &exec, &x, k, &s, fixed, most, by_trace));
  glue_points_in(landmarks, 0, fixed, &x, &p.given);
  pivot_prepare(&p);
  SEXP out = PROTECT(glue_list(2, names));
  for (int k = 0; k < 2; k++) {
    if (setting(settings, names[k]) == R_NilValue) continue;
    SET_VECTOR_ELT(out, k, pivot_out(&p, k == 0, setting_number(settings, names[k]), rows));
  }
  UNPROTECT(1);
  return out;
}
