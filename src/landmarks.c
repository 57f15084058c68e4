/* Entry points that move landmarks. */
#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/landmarks/active.h"
#include "core/landmarks/pivot.h"
#include "core/landmarks/trace.h"
#include "core/landmarks/volume.h"
#include "glue.h"

/* An ascent on a batch (`rows` given: its features are kept) or on all rows. */
static ascent set_up(const executor *exec, const observations *x, SEXP landmarks, size_t held,
                     double bandwidth, const criterion *criterion, const space *space, int kept) {
  const size_t moving = (size_t)Rf_nrows(landmarks) - held;
  ascent a;
  LAY_OUT(memory, glue_memory,
          ascent_layout(&a, &memory, exec, x, bandwidth, criterion, space, held, moving, kept));
  glue_points_in(landmarks, 0, held, x, &a.held);
  glue_points_in(landmarks, held, moving, x, &a.now);
  return a;
}

static const criterion *criterion_of(SEXP name) {
  return strcmp(CHAR(STRING_ELT(name, 0)), "trace") == 0 ? &trace_criterion : &volume_criterion;
}

SEXP lm_climb(SEXP source, SEXP rows, SEXP landmarks, SEXP held, SEXP bandwidth, SEXP criterion,
              SEXP space_given, SEXP control, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations all = glue_source(source);
  const int is_batch = rows != R_NilValue;
  const observations x = is_batch ? glue_batch(&exec, &all, rows) : all;
  glue_projection projection;
  const space s = glue_space(space_given, &x, &projection);
  ascent a = set_up(&exec, &x, landmarks, (size_t)Rf_asInteger(held), Rf_asReal(bandwidth),
                    criterion_of(criterion), &s, is_batch);
  const char *names[] = {"landmarks", "start", "value", "steps", "halvings", "moved"};
  SEXP out = PROTECT(glue_list(6, names));
  SEXP result = Rf_duplicate(landmarks);
  SET_VECTOR_ELT(out, 0, result);
  SEXP moved = Rf_allocVector(REALSXP, (R_xlen_t)a.now.count);
  SET_VECTOR_ELT(out, 5, moved);
  const climb_result r =
      ascent_climb(&a, (int)REAL(control)[0], (int)REAL(control)[1], REAL(control)[2], REAL(moved));
  if (r.steps > 0) {
    glue_points_out(&a.now, &x, s.kind, a.sweep.held, REAL(result), (size_t)Rf_nrows(landmarks));
  }
  SET_VECTOR_ELT(out, 1, Rf_ScalarReal(r.start));
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal(r.value));
  SET_VECTOR_ELT(out, 3, Rf_ScalarInteger(r.steps));
  SET_VECTOR_ELT(out, 4, Rf_ScalarInteger(r.halvings));
  UNPROTECT(1);
  return out;
}

/* Algorithm 1's steps on the last landmark: one batch and one rate a step. */
SEXP lm_gradient_steps(SEXP source, SEXP batches, SEXP landmarks, SEXP bandwidth, SEXP space_given,
                       SEXP rates, SEXP unit, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations all = glue_source(source);
  const size_t n = (size_t)Rf_nrows(landmarks);
  glue_projection projection;
  const space s = glue_space(space_given, &all, &projection);
  SEXP result = PROTECT(Rf_duplicate(landmarks));
  for (R_xlen_t b = 0; b < Rf_xlength(batches); b++) {
    const void *top = vmaxget();
    const observations x = glue_batch(&exec, &all, VECTOR_ELT(batches, b));
    ascent a = set_up(&exec, &x, result, n - 1, Rf_asReal(bandwidth), &volume_criterion, &s, 1);
    volume_gradient_step(&a, REAL(rates)[b], Rf_asLogical(unit), 1);
    glue_points_out(&a.now, &x, s.kind, n - 1, REAL(result), n);
    vmaxset(top);
  }
  UNPROTECT(1);
  return result;
}

/* The fixed point's parts at one place, for tests: value, T+, H. */
SEXP lm_proposal(SEXP source, SEXP landmarks, SEXP held, SEXP bandwidth, SEXP criterion,
                 SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const space s = {SPACE_EUCLIDEAN, x.center, x.factor, NULL, NULL};
  ascent a = set_up(&exec, &x, landmarks, (size_t)Rf_asInteger(held), Rf_asReal(bandwidth),
                    criterion_of(criterion), &s, 1);
  const char *names[] = {"value", "landmarks", "h"};
  SEXP out = PROTECT(glue_list(3, names));
  SET_VECTOR_ELT(out, 0, Rf_ScalarReal(a.criterion->value(&a, 1)));
  a.criterion->propose(&a);
  SEXP result = Rf_duplicate(landmarks);
  SET_VECTOR_ELT(out, 1, result);
  glue_points_out(&a.sums, &x, s.kind, a.sweep.held, REAL(result), (size_t)Rf_nrows(landmarks));
  SEXP h = Rf_allocMatrix(REALSXP, (int)x.rows, (int)a.now.count);
  SET_VECTOR_ELT(out, 2, h);
  for (size_t i = 0; i < x.rows; i++) {
    for (size_t l = 0; l < a.now.count; l++) REAL(h)[l * x.rows + i] = a.h[i * a.now.length + l];
  }
  UNPROTECT(1);
  return out;
}

SEXP lm_pivot(SEXP source, SEXP rows, SEXP landmarks, SEXP wanted, SEXP bandwidth, SEXP criterion,
              SEXP space_given, SEXP floor, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations all = glue_source(source);
  const observations x = glue_batch(&exec, &all, rows);
  const size_t held = (size_t)Rf_nrows(landmarks), most = (size_t)Rf_asInteger(wanted);
  glue_projection projection;
  const space s = glue_space(space_given, &x, &projection);
  const int by_trace = criterion_of(criterion) == &trace_criterion;
  pivot_search p;
  LAY_OUT(memory, glue_memory,
          pivot_layout(&p, &memory, &exec, &x, Rf_asReal(bandwidth), &s, held, most, by_trace));
  glue_points_in(landmarks, 0, held, &x, &p.fixed);
  int *chosen = (int *)R_alloc(most, sizeof(int));
  size_t *order = (size_t *)R_alloc(held + most, sizeof(size_t));
  const size_t found = pivot_rows(&p, Rf_asReal(floor), order, chosen);
  SEXP out = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)found));
  for (size_t k = 0; k < found; k++) INTEGER(out)[k] = INTEGER(rows)[chosen[k]];
  UNPROTECT(1);
  return out;
}

/* Rows chosen one after another by the variance left at them: the largest, or
 * (`random`) drawn in proportion to weight times it. Draws from R's stream: one
 * number a row where it is drawn, or tied and then drawn by weight. `limits`: shares of the trace
 * and of the diagonal below which it stops. */
SEXP lm_active(SEXP source, SEXP landmarks, SEXP wanted, SEXP bandwidth, SEXP random, SEXP limits,
               SEXP how) {
  const executor exec = glue_executor(how);
  const observations x = glue_source(source);
  const size_t held = (size_t)Rf_nrows(landmarks), most = (size_t)Rf_asInteger(wanted);
  active_search a;
  arena measure = {NULL, 0};
  active_layout(&a, &measure, &exec, &x, Rf_asReal(bandwidth), held, most);
  arena memory = glue_memory(&measure);
  active_layout(&a, &memory, &exec, &x, Rf_asReal(bandwidth), held, most);
  glue_points_in(landmarks, 0, held, &x, &a.held);
  int *chosen = (int *)R_alloc(most, sizeof(int));
  double *trace = (double *)R_alloc(most, sizeof(double));
  double all = 0.0;
  for (size_t i = 0; i < x.rows; i++) all += x.weight ? x.weight[i] : 1.0;
  active_start(&a);
  double left = active_trace(&a);
  size_t found = 0, ties = 0;
  while (found < most) {
    R_CheckUserInterrupt();
    const double largest = active_largest(&a, &ties);
    if (!(largest > REAL(limits)[1]) || !(left > REAL(limits)[0] * all)) break;
    size_t row;
    GetRNGstate();
    if (Rf_asLogical(random)) {
      row = active_draw(&a, unif_rand());
    } else {
      row = active_tie(&a, largest, ties > 1 ? unif_rand() : 0.5);
    }
    PutRNGstate();
    active_take(&a, row);
    chosen[found] = (int)row + 1;
    left = active_trace(&a);
    trace[found++] = left / all;
  }
  const char *names[] = {"rows", "trace"};
  SEXP out = PROTECT(glue_list(2, names));
  SEXP rows = Rf_allocVector(INTSXP, (R_xlen_t)found);
  SET_VECTOR_ELT(out, 0, rows);
  SEXP shares = Rf_allocVector(REALSXP, (R_xlen_t)found);
  SET_VECTOR_ELT(out, 1, shares);
  memcpy(INTEGER(rows), chosen, found * sizeof(int));
  memcpy(REAL(shares), trace, found * sizeof(double));
  UNPROTECT(1);
  return out;
}

SEXP lm_gram(SEXP source, SEXP landmarks, SEXP bandwidth, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const size_t n = (size_t)Rf_nrows(landmarks), length = padded(n);
  sweep s;
  double *on, *g;
  LAY_OUT(memory, glue_memory, sweep_layout(&s, &memory, &exec, &x, Rf_asReal(bandwidth), 0, n, 0),
          on = arena_take(&memory, points_size(n, x.columns)), g = arena_take(&memory, n * length));
  points t = points_on(on, n, x.columns);
  glue_points_in(landmarks, 0, n, &x, &t);
  const char *names[] = {"gram", "nearest", "distance"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP gram = Rf_allocMatrix(REALSXP, (int)n, (int)n);
  SET_VECTOR_ELT(out, 0, gram);
  SEXP nearest = Rf_allocVector(INTSXP, (R_xlen_t)n);
  SET_VECTOR_ELT(out, 1, nearest);
  SEXP distance = Rf_allocVector(REALSXP, (R_xlen_t)n);
  SET_VECTOR_ELT(out, 2, distance);
  sweep_gram(&s, NULL, &t, 0, g, INTEGER(nearest), REAL(distance));
  for (size_t k = 0; k < n; k++) {
    for (size_t l = 0; l < n; l++) REAL(gram)[k * n + l] = g[k * length + l];
    INTEGER(nearest)[k] += 1;
    REAL(distance)[k] = sqrt(REAL(distance)[k]);
  }
  UNPROTECT(1);
  return out;
}
