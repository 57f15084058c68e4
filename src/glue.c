#include "glue.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/gathered.h"
#include "core/optim/trace.h"
#include "core/optim/volume.h"

#ifndef _WIN32
#include <unistd.h>
/* OpenMP's threads do not survive a fork, and GCC's library waits for them
 * forever: in a forked child (parallel::mclapply) one thread does the work. */
static pid_t loaded_by;
void glue_remember_process(void) { loaded_by = getpid(); }
static int forked(void) { return getpid() != loaded_by; }
#else
void glue_remember_process(void) {}
static int forked(void) { return 0; }
#endif

/* How many threads there are by default, and how many there can be. */
SEXP lmk_threads(void) {
  int usual = 1, most = 1;
#ifdef _OPENMP
  if (!forked()) {
    /* The first follows OMP_NUM_THREADS and omp_set_num_threads(), the limit OMP_THREAD_LIMIT. */
    most = omp_get_thread_limit();
    usual =
        omp_get_max_threads() < omp_get_num_procs() ? omp_get_max_threads() : omp_get_num_procs();
    if (usual > most) usual = most;
  }
#endif
  SEXP out = Rf_allocVector(INTSXP, 2);
  INTEGER(out)[0] = usual;
  INTEGER(out)[1] = most;
  return out;
}

SEXP lmk_variants(void) {
  int count = 0;
  for (int v = 0; v < VARIANT_COUNT; v++) count += variant_by_number(v) != NULL;
  SEXP out = PROTECT(Rf_allocVector(STRSXP, count));
  for (int v = 0, at = 0; v < VARIANT_COUNT; v++) {
    if (variant_by_number(v)) SET_STRING_ELT(out, at++, Rf_mkChar(variant_by_number(v)->name));
  }
  UNPROTECT(1);
  return out;
}

/* From R's stream. */
static void draw_uniforms(double *out, size_t count) {
  GetRNGstate();
  for (size_t i = 0; i < count; i++) out[i] = unif_rand();
  PutRNGstate();
}

static const product_variant *variant_by_name(SEXP settings) {
  const char *names[VARIANT_COUNT + 1] = {"best"};
  const product_variant *of[VARIANT_COUNT + 1] = {variant_best()};
  int count = 1;
  for (int v = 0; v < VARIANT_COUNT; v++) {
    if (!variant_by_number(v)) continue;
    of[count] = variant_by_number(v);
    names[count++] = variant_by_number(v)->name;
  }
  return of[setting_choice(settings, "variant", names, count)];
}

executor glue_executor(SEXP settings) {
  /* R looks at every thousandth of its own steps only: a loop of short calls is left here. */
  R_CheckUserInterrupt();
  executor exec = {(int)setting_count(settings, "threads"), variant_by_name(settings),
                   R_CheckUserInterrupt, draw_uniforms};
#ifndef _OPENMP
  exec.threads = 1;
#endif
  if (exec.threads < 1 || forked()) exec.threads = 1;
  return exec;
}

/* The pointers are read-only: R would copy a wrapped matrix, as packages that read files return
 * it, for a pointer to write to. */
void glue_columns(SEXP matrix, observations *x) {
  if (TYPEOF(matrix) == REALSXP) {
    x->kind = COLUMNS_DOUBLE;
    x->real = REAL_RO(matrix);
  } else {
    if (!Rf_isLogical(matrix) && TYPEOF(matrix) != INTSXP)
      Rf_error("`x` must be a matrix of numbers");
    x->kind = COLUMNS_INTEGER;
    x->whole = TYPEOF(matrix) == LGLSXP ? LOGICAL_RO(matrix) : INTEGER_RO(matrix);
  }
}

observations glue_frame(SEXP source) {
  observations x = {.kind = ROWS_DENSE};
  dim_of(source, &x.rows, &x.columns);
  x.weight = numbers_or_null(setting(source, "weights"), x.rows, "weights");
  x.center = numbers_of(setting(source, "center"), x.columns, "center");
  x.scale = numbers_of(setting(source, "factor"), x.columns, "factor");
  return x;
}

observations glue_source(SEXP source) {
  observations x = glue_frame(source);
  SEXP matrix = setting(source, "x");
  if (matrix != R_NilValue) {
    if ((size_t)Rf_xlength(matrix) != x.rows * x.columns) Rf_error("`x` must have its dimensions");
    glue_columns(matrix, &x);
    return x;
  }
  x.kind = ROWS_SPARSE;
  const compressed rows = compressed_of(source, x.rows, x.columns, "column");
  x.start = rows.start;
  x.column = rows.inner;
  x.value = numbers_of(setting(source, "value"), rows.entries, "value");
  return x;
}

size_t glue_rows_at_once(const observations *x, int single) {
  double bytes = (single ? sizeof(float) : sizeof(double)) * (double)x->columns;
  if (x->kind == ROWS_SPARSE) bytes = 12.0 * x->start[x->rows] / fmax(1.0, (double)x->rows);
  return (size_t)(64e6 / fmax(8.0, bytes));
}

/* From the first cache line on. */
static arena arena_on(void *start) {
  const uintptr_t at = (uintptr_t)start, line = VECTOR_DOUBLES * sizeof(double);
  const arena memory = {(double *)((at + line - 1) / line * line), 0};
  return memory;
}

/* Products read the padding of rows. What is left there of old pointers and integers would be
 * subnormal numbers, with which processors are some ten times slower: hence the zeros. */
arena glue_memory(const arena *measure) {
  const size_t count = measure->used + VECTOR_DOUBLES;
  void *start = R_alloc(count, sizeof(double));
  return arena_on(memset(start, 0, count * sizeof(double)));
}

void glue_return(SEXP lent) {
  free(R_ExternalPtrAddr(lent));
  R_ClearExternalPtr(lent);
}

SEXP glue_lend(const arena *measure, arena *memory) {
  /* On a machine of 32 bits the product may be more than fits. */
  if (measure->used > SIZE_MAX / sizeof(double) - VECTOR_DOUBLES) Rf_error("not enough memory");
  SEXP lent = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizer(lent, glue_return);
  void *start = calloc(measure->used + VECTOR_DOUBLES, sizeof(double));
  if (!start) Rf_error("not enough memory for %.0f MB", 8e-6 * (double)measure->used);
  R_SetExternalPtrAddr(lent, start);
  *memory = arena_on(start);
  UNPROTECT(1);
  return lent;
}

double *glue_doubles(size_t count) {
  double *numbers;
  LAY_OUT(memory, glue_memory, numbers = arena_take(&memory, count));
  return numbers;
}

observations glue_batch(const executor *exec, const observations *x, SEXP rows) {
  const int *index = places_of(rows, ANY_LENGTH, x->rows, "rows");
  const size_t count = (size_t)Rf_xlength(rows);
  const size_t entries = observations_entries(x, index, count);
  gathered batch;
  LAY_OUT(memory, glue_memory, gathered_layout(&batch, &memory, x, count, entries, 0));
  gathered_take(&batch, exec, x, index, count);
  return batch.rows;
}

void glue_points_in(SEXP landmarks, size_t first, size_t count, const observations *x, points *t) {
  const double *at = matrix_of(landmarks, ANY_LENGTH, t->columns, "landmarks");
  const size_t rows = (size_t)Rf_nrows(landmarks);
  for (size_t j = 0; j < t->columns; j++) {
    const double *from = at + j * rows + first;
    for (size_t l = 0; l < count; l++) {
      t->x[j * t->ld + l] = (from[l] - x->center[j]) * x->scale[j];
    }
  }
  points_norms(t);
}

void glue_points_out(const points *t, const observations *x, space_kind kind, size_t first,
                     double *out, size_t out_rows) {
  for (size_t j = 0; j < t->columns; j++) {
    const double least =
        space_rules[kind].is_nonnegative ? 4.0 * DBL_EPSILON * fabs(x->center[j]) : -INFINITY;
    for (size_t l = 0; l < t->count; l++) {
      const double v = in_data_unit(t->x[j * t->ld + l], x->center[j], x->scale[j]);
      out[j * out_rows + first + l] = v <= least ? 0.0 : v;
    }
  }
}

void glue_matrix_in(SEXP matrix, double *out, size_t length) {
  const double *from = matrix_of(matrix, ANY_LENGTH, ANY_LENGTH, "matrix");
  const size_t rows = (size_t)Rf_nrows(matrix), columns = (size_t)Rf_ncols(matrix);
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < columns; j++) out[i * length + j] = from[j * rows + i];
    for (size_t j = columns; j < length; j++) out[i * length + j] = 0.0;
  }
}

void glue_matrix_out(const double *rows, size_t length, SEXP matrix) {
  const size_t count = (size_t)Rf_nrows(matrix), columns = (size_t)Rf_ncols(matrix);
  for (size_t j = 0; j < columns; j++) {
    for (size_t i = 0; i < count; i++) REAL(matrix)[j * count + i] = rows[i * length + j];
  }
}

/* The R function checks its own result; an error of its own leaves from here. */
static void project_by_function(void *context, double *t, size_t columns) {
  const glue_projection *projection = context;
  SEXP point = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)columns));
  memcpy(REAL(point), t, columns * sizeof *t);
  SEXP call = PROTECT(Rf_lang2(projection->function, point));
  SEXP out = PROTECT(Rf_eval(call, R_BaseEnv));
  memcpy(t, numbers_of(out, columns, "space"), columns * sizeof *t);
  UNPROTECT(3);
}

space glue_space(SEXP kernel, const observations *x, glue_projection *projection) {
  space s = {SPACE_CUSTOM, x->center, x->scale, project_by_function, projection};
  projection->function = setting(kernel, "space");
  if (Rf_isFunction(projection->function)) return s;
  const char *names[SPACE_CUSTOM];
  for (int k = 0; k < SPACE_CUSTOM; k++) names[k] = space_rules[k].name;
  s.kind = (space_kind)setting_choice(kernel, "space", names, SPACE_CUSTOM);
  return s;
}

spread_kind glue_spread(SEXP settings) {
  const char *kinds[] = {"none", "diagonal", "full"};
  return (spread_kind)setting_choice(settings, "spread", kinds, 3);
}

const double *glue_covariance(SEXP covariance, spread_kind kind, size_t n, size_t columns) {
  if (kind == SPREAD_NONE) return NULL;
  const size_t each = kind == SPREAD_FULL ? columns * columns : columns;
  return numbers_of(covariance, n * each, "covariance");
}

edge_weights glue_edge_weights(SEXP settings) {
  const char *kinds[] = {"heat", "binary"};
  return (edge_weights)setting_choice(settings, "edge_weights", kinds, 2);
}

radial_kernel glue_kernel(SEXP kernel) {
  radial_kernel k = gaussian_kernel(setting_number(kernel, "bandwidth"));
  if (!(k.bandwidth > 0)) Rf_error("`bandwidth` must be above 0");
  SEXP profile = setting(kernel, "profile");
  if (profile != R_NilValue) k.profile = kernel_profile_named(CHAR(Rf_asChar(profile)));
  if (!k.profile) Rf_error("`profile` must be the name of a kernel");
  return k;
}

void glue_report(SEXP progress, double done) {
  SEXP number = PROTECT(Rf_ScalarReal(done)), call = PROTECT(Rf_lang2(progress, number));
  Rf_eval(call, R_BaseEnv);
  UNPROTECT(2);
}

SEXP glue_list(int count, const char *const *names) {
  SEXP list = PROTECT(Rf_allocVector(VECSXP, count)), tags = PROTECT(Rf_allocVector(STRSXP, count));
  for (int i = 0; i < count; i++) SET_STRING_ELT(tags, i, Rf_mkChar(names[i]));
  Rf_setAttrib(list, R_NamesSymbol, tags);
  UNPROTECT(2);
  return list;
}

const criterion *glue_criterion(SEXP settings) {
  const char *names[] = {"volume", "trace"};
  return setting_choice(settings, "criterion", names, 2) ? &trace_criterion : &volume_criterion;
}
