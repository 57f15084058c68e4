/* Entry points that move landmarks. */
#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
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

/* Rows that R reads part by part: `function` gives G of landmarks where `inverse` is NULL, else the
 * transpose of H'X. The landmarks are in the data's units. */
typedef struct {
  SEXP function;
  const observations *x;
} parts;

static SEXP of_parts(const parts *p, const points *t, SEXP inverse) {
  SEXP at = PROTECT(Rf_allocMatrix(REALSXP, (int)t->count, (int)t->columns));
  glue_points_out(t, p->x, SPACE_EUCLIDEAN, 0, REAL(at), t->count);
  SEXP call = PROTECT(Rf_lang3(p->function, at, inverse));
  SEXP found = Rf_eval(call, R_BaseEnv);
  UNPROTECT(2);
  return found;
}

static void gram_of_parts(void *context, const points *t, double *g) {
  SEXP found = PROTECT(of_parts(context, t, R_NilValue));
  glue_matrix_in(found, g, t->length);
  UNPROTECT(1);
}

static void sums_of_parts(void *context, const points *t, const double *inverse, points *sums) {
  SEXP columns = PROTECT(Rf_allocMatrix(REALSXP, (int)t->count, (int)t->count));
  glue_matrix_out(inverse, t->length, columns);
  SEXP found = PROTECT(of_parts(context, t, columns));
  glue_matrix_in(found, sums->x, sums->length);
  UNPROTECT(2);
}

/* `rows`: those of a batch; NULL for all; or the function of `parts`, where all move. */
SEXP lm_climb(SEXP source, SEXP rows, SEXP landmarks, SEXP held, SEXP bandwidth, SEXP criterion,
              SEXP space_given, SEXP control, SEXP settings) {
  const executor exec = glue_executor(settings);
  const int in_parts = Rf_isFunction(rows), is_batch = !in_parts && rows != R_NilValue;
  const observations all = in_parts ? glue_frame(source) : glue_source(source);
  const observations x = is_batch ? glue_batch(&exec, &all, rows) : all;
  glue_projection projection;
  const space s = glue_space(space_given, &x, &projection);
  ascent a = set_up(&exec, &x, landmarks, (size_t)Rf_asInteger(held), Rf_asReal(bandwidth),
                    criterion_of(criterion), &s, is_batch);
  parts p = {rows, &x};
  const row_keeper keeper = {&p, gram_of_parts, sums_of_parts};
  if (in_parts) a.sweep.elsewhere = &keeper;
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

/* The transpose of H'X in kernel coordinates, H = D Phi o (Phi A): columns x n; A (n x n) is
 * `inverse`. */
SEXP lm_sums(SEXP source, SEXP landmarks, SEXP inverse, SEXP bandwidth, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const size_t n = (size_t)Rf_nrows(landmarks), length = padded(n),
               size = points_size(n, x.columns);
  sweep s;
  arena measure = {NULL, 0}, memory = {NULL, 0};
  double *of[5];
  for (int pass = 0; pass < 2; pass++) {
    arena *at = pass ? &memory : &measure;
    sweep_layout(&s, at, &exec, &x, Rf_asReal(bandwidth), 0, n, 0);
    const size_t sizes[] = {size, size, n * length, sweep_h_size(&s), n * padded(x.columns)};
    for (int i = 0; i < 5; i++) of[i] = arena_take(at, sizes[i]);
    if (!pass) memory = glue_memory(&measure);
  }
  points t = points_on(of[0], n, x.columns), sums = points_on(of[1], n, x.columns);
  glue_points_in(landmarks, 0, n, &x, &t);
  glue_matrix_in(inverse, of[2], length);
  const points none = {0};
  sweep_features(&s, &none, &t);
  sweep_sums(&s, &none, &t, of[2], of[3], of[4], &sums);
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)x.columns, (int)n));
  glue_matrix_out(sums.x, sums.length, out);
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

SEXP lm_gram(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const size_t n = (size_t)Rf_nrows(landmarks), length = padded(n);
  sweep s;
  double *on, *g;
  LAY_OUT(memory, glue_memory,
          sweep_layout(&s, &memory, &exec, &x, glue_bandwidth(kernel), 0, n, 0),
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
