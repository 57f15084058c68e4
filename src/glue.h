/*
 * Functions that all entry points share: plain views of R objects, memory,
 * threads. The glue allocates with R_alloc, so that an error or an interrupt
 * leaves nothing behind.
 */
#ifndef LANDMARKER_GLUE_H
#define LANDMARKER_GLUE_H

#include "core/base/arena.h"
#include "core/data/covariance.h"
#include "core/data/features.h"
#include "core/embedding/neighborhood.h"
#include "core/optim/ascent.h"
#include "settings.h"

/* Called once, by the process that loads the package: a forked child uses one thread. */
void glue_remember_process(void);

/* `threads` and `variant` of some settings. */
executor glue_executor(SEXP settings);

/* R's own numeric, integer or logical matrix: its layout and its numbers. */
void glue_columns(SEXP matrix, observations *x);

/* A source of one part: the plain list that R/source.R makes. */
observations glue_source(SEXP source);

/* Of any source what is not of single rows: how many there are, their weights, the coordinates. */
observations glue_frame(SEXP source);

/* Rows of a source (1-based integers) gathered into a ROWS layout of their own. */
observations glue_batch(const executor *exec, const observations *x, SEXP rows);

/* How many rows are collected together, in single precision or double: 64 MB of them. Of a matrix
 * by columns each cache line is then read once for several batches. */
size_t glue_rows_at_once(const observations *x, int single);

/* Memory for what `measure` took, on a cache line. */
arena glue_memory(const arena *measure);

/* The same where it is large: memory outside of R's heap, which glue_return() gives back at once,
 * and the garbage collector after an error or an interrupt. To be protected. */
SEXP glue_lend(const arena *measure, arena *memory);
void glue_return(SEXP lent);

/* As many doubles, on a cache line. */
double *glue_doubles(size_t count);

/* Landmarks in user coordinates, a numeric matrix, rows [first, first + count),
 * to the first points of t in kernel coordinates, with norms; and back, without
 * the rounding that would leave the orthant or make a zero not quite one. */
void glue_points_in(SEXP landmarks, size_t first, size_t count, const observations *x, points *t);
void glue_points_out(const points *t, const observations *x, space_kind kind, size_t first,
                     double *out, size_t out_rows);

/* A matrix by rows of `length` doubles, from and to a numeric one of R; the padding becomes zero.
 */
void glue_matrix_in(SEXP matrix, double *out, size_t length);
void glue_matrix_out(const double *rows, size_t length, SEXP matrix);

/* `space` of a kernel: the name of a space, or a function that projects one point. `projection` is
 * written to, and read as long as the space is in use. */
typedef struct {
  SEXP function;
} glue_projection;
space glue_space(SEXP kernel, const observations *x, glue_projection *projection);

/* `spread` of some settings, and covariances of that kind (R/kernel_passes.R), of n landmarks:
 * NULL, n x d, or d x d x n. */
spread_kind glue_spread(SEXP settings);
const double *glue_covariance(SEXP covariance, spread_kind kind, size_t n, size_t columns);

/* `edge_weights` of some settings. */
edge_weights glue_edge_weights(SEXP settings);

/* `criterion` of some settings. */
const criterion *glue_criterion(SEXP settings);

/* `bandwidth` and `profile` of a kernel; Gaussian if it has no profile. */
radial_kernel glue_kernel(SEXP kernel);

/* Tells R's function for progress how much was done. */
void glue_report(SEXP progress, double done);

/* A named list under construction. */
SEXP glue_list(int count, const char *const *names);

/* init.c's table. */
SEXP lmk_moments(SEXP x, SEXP weights, SEXP settings);
SEXP lmk_sizes(SEXP x, SEXP settings);
SEXP lmk_sparse_moments(SEXP columns, SEXP weights, SEXP settings);
SEXP lmk_sparse_rows(SEXP source, SEXP factor);
SEXP lmk_climb(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings);
SEXP lmk_gradient_steps(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings);
SEXP lmk_spaces(void);
SEXP lmk_project(SEXP points, SEXP kernel);
SEXP lmk_off(SEXP points, SEXP there);
SEXP lmk_pivot(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings);
SEXP lmk_active(SEXP source, SEXP fixed, SEXP kernel, SEXP settings);
SEXP lmk_ridge(SEXP features, SEXP y, SEXP settings);
SEXP lmk_dpp(SEXP source, SEXP fixed, SEXP settings);
SEXP lmk_eigenmap(SEXP graph, SEXP settings);
SEXP lmk_extend(SEXP source, SEXP landmarks, SEXP graph, SEXP map, SEXP settings);
SEXP lmk_exact_dpp(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings);
SEXP lmk_order(SEXP g, SEXP settings);
SEXP lmk_posterior_sums(SEXP source, SEXP rows, SEXP landmarks, SEXP at, SEXP kernel,
                        SEXP settings);
SEXP lmk_posterior(SEXP sums, SEXP settings);
SEXP lmk_features(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings);
SEXP lmk_nearest_landmark(SEXP source, SEXP landmarks, SEXP settings);
SEXP lmk_nearest_rows(SEXP source, SEXP points_at, SEXP settings);
SEXP lmk_covariances(SEXP source, SEXP rows, SEXP settings);
SEXP lmk_distances(SEXP frame, SEXP landmarks, SEXP covariance, SEXP settings);
SEXP lmk_sigmas(SEXP near, SEXP settings);
SEXP lmk_edges(SEXP near, SEXP settings);
SEXP lmk_neighbors(SEXP distances, SEXP settings);
SEXP lmk_components(SEXP edges, SEXP settings);
SEXP lmk_variants(void);
SEXP lmk_threads(void);
SEXP lmk_kernels(void);
SEXP lmk_kernel_values(SEXP squared, SEXP kernel, SEXP settings);
SEXP lmk_kernel_root(SEXP landmarks, SEXP kernel, SEXP settings);
SEXP lmk_nystrom(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings);
SEXP lmk_landmark_order(SEXP source, SEXP landmarks, SEXP sums, SEXP kernel, SEXP settings);
SEXP lmk_lloyd(SEXP source, SEXP centers, SEXP settings);
SEXP lmk_shortcuts(SEXP edges, SEXP settings);
SEXP lmk_novelty(SEXP given, SEXP others, SEXP settings);
SEXP lmk_anchor_weights(SEXP source, SEXP landmarks, SEXP settings);
SEXP lmk_anchor_extend(SEXP source, SEXP landmarks, SEXP edges, SEXP coordinates, SEXP settings);
SEXP lmk_softmax(SEXP features, SEXP y, SEXP settings);
SEXP lmk_minibatch(SEXP source, SEXP rows, SEXP centers, SEXP settings);
SEXP lmk_climb_batches(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings);
SEXP lmk_rows(SEXP source, SEXP rows, SEXP settings);
SEXP lmk_respond(SEXP source, SEXP landmarks, SEXP y, SEXP kernel, SEXP state, SEXP settings);
SEXP lmk_forward_order(SEXP gram, SEXP cross, SEXP test_gram, SEXP test_cross, SEXP settings);

#endif
