/*
 * What every group of entry points shares: R objects to plain views, memory,
 * threads. The glue allocates with R_alloc, so that an error or an interrupt
 * leaves nothing behind.
 */
#ifndef LANDMARKER_GLUE_H
#define LANDMARKER_GLUE_H

#include "core/base/arena.h"
#include "core/data/covariance.h"
#include "core/data/features.h"
#include "core/embedding/neighborhood.h"
#include "core/landmarks/space.h"
#include "settings.h"

/* `threads` and `variant` of some settings. */
executor glue_executor(SEXP settings);

/* R's own numeric, integer or logical matrix: its layout and its numbers. */
void glue_columns(SEXP matrix, observations *x);

/* A source of one part: the plain list that R/source.R makes. */
observations glue_source(SEXP source);

/* Of any source what is not of single rows: how many there are, their weights, the coordinates. */
observations glue_frame(SEXP source);

/* Rows of a source (1-based integer) gathered into a ROWS layout of their own. */
observations glue_batch(const executor *exec, const observations *x, SEXP rows);

/* Memory for what `measure` took, on a cache line. */
arena glue_memory(const arena *measure);

/* As many doubles, on a cache line. */
double *glue_doubles(size_t count);

/* Landmarks in user coordinates, a numeric matrix, rows [first, first + count),
 * to the first points of t in kernel coordinates, with norms; and back, without
 * the rounding that would leave the orthant or make a zero not quite one. */
void glue_points_in(SEXP landmarks, size_t first, size_t count, const observations *x, points *t);
void glue_points_out(const points *t, const observations *x, space_kind kind, size_t first,
                     double *out, size_t out_rows);

/* A matrix by rows of `length` doubles, from and to one of R; the padding becomes zero. */
void glue_matrix_in(SEXP matrix, double *out, size_t length);
void glue_matrix_out(const double *rows, size_t length, SEXP matrix);

/* `named`: the name of a space, or a function that projects one point. `projection` is written to,
 * and read as long as the space is in use. */
typedef struct {
  SEXP function;
} glue_projection;
space glue_space(SEXP space_given, const observations *x, glue_projection *projection);

/* `spread` of some settings, and covariances of that kind as R/covariance.R has them, of n
 * landmarks: NULL, n x d, or d x d x n. */
spread_kind glue_spread(SEXP settings);
const double *glue_covariance(SEXP covariance, spread_kind kind, size_t n, size_t columns);

/* `edge_weights` of some settings. */
edge_weights glue_edge_weights(SEXP settings);

/* `bandwidth` of a kernel. */
double glue_bandwidth(SEXP kernel);

/* A named list under construction. */
SEXP glue_list(int count, const char *const *names);

/* init.c's table. */
SEXP lm_moments(SEXP x, SEXP weights, SEXP spread, SEXP settings);
SEXP lm_sparse_rows(SEXP start, SEXP inner, SEXP value, SEXP dim, SEXP factor);
SEXP lm_climb(SEXP source, SEXP rows, SEXP landmarks, SEXP held, SEXP bandwidth, SEXP criterion,
              SEXP space_given, SEXP control, SEXP settings);
SEXP lm_sums(SEXP source, SEXP landmarks, SEXP inverse, SEXP bandwidth, SEXP settings);
SEXP lm_gradient_steps(SEXP source, SEXP batches, SEXP landmarks, SEXP bandwidth, SEXP space_given,
                       SEXP rates, SEXP unit, SEXP settings);
SEXP lm_proposal(SEXP source, SEXP landmarks, SEXP held, SEXP bandwidth, SEXP criterion,
                 SEXP settings);
SEXP lm_spaces(void);
SEXP lm_project(SEXP points, SEXP space_given);
SEXP lm_off(SEXP points, SEXP there);
SEXP lm_pivot(SEXP source, SEXP rows, SEXP landmarks, SEXP wanted, SEXP bandwidth, SEXP criterion,
              SEXP space_given, SEXP floor, SEXP settings);
SEXP lm_active_begin(SEXP source, SEXP held, SEXP kernel, SEXP settings);
SEXP lm_active_left(SEXP left, SEXP weights);
SEXP lm_active_ties(SEXP left, SEXP weights, SEXP settings);
SEXP lm_active_choose(SEXP left, SEXP factor, SEXP weights, SEXP settings);
SEXP lm_active_take(SEXP source, SEXP left, SEXP factor, SEXP pivot, SEXP kernel, SEXP settings);
SEXP lm_lloyd_assign(SEXP source, SEXP label, SEXP squared, SEXP centers, SEXP size, SEXP held,
                     SEXP is_first, SEXP settings);
SEXP lm_lloyd_move(SEXP centers, SEXP held, SEXP sums, SEXP size, SEXP factor);
SEXP lm_exact_dpp(SEXP source, SEXP rows, SEXP distances, SEXP landmarks, SEXP wanted,
                  SEXP bandwidth, SEXP settings);
SEXP lm_gram(SEXP source, SEXP landmarks, SEXP bandwidth, SEXP settings);
SEXP lm_order(SEXP g, SEXP held, SEXP wanted, SEXP floor);
SEXP lm_trace_order(SEXP source, SEXP landmarks, SEXP g, SEXP bandwidth, SEXP held, SEXP floor,
                    SEXP settings);
SEXP lm_posterior_sums(SEXP source, SEXP rows, SEXP landmarks, SEXP at, SEXP bandwidth,
                       SEXP settings);
SEXP lm_posterior(SEXP sums, SEXP rows, SEXP settings);
SEXP lm_features(SEXP source, SEXP landmarks, SEXP bandwidth, SEXP settings);
SEXP lm_nearest_landmark(SEXP source, SEXP landmarks, SEXP settings);
SEXP lm_nearest_rows(SEXP source, SEXP landmarks, SEXP k, SEXP settings);
SEXP lm_covariances(SEXP source, SEXP rows, SEXP settings);
SEXP lm_distances(SEXP frame, SEXP landmarks, SEXP covariance, SEXP settings);
SEXP lm_neighbors(SEXP distances, SEXP settings);
SEXP lm_sigmas(SEXP near, SEXP settings);
SEXP lm_edges(SEXP near, SEXP settings);
SEXP lm_components(SEXP edges, SEXP settings);
SEXP lm_reconstruction(SEXP source, SEXP landmarks, SEXP bandwidth, SEXP settings);
SEXP lm_ridge(SEXP features, SEXP terms, SEXP y, SEXP lambda, SEXP is_logistic, SEXP tolerance,
              SEXP steps, SEXP settings);
SEXP lm_softmax(SEXP features, SEXP terms, SEXP y, SEXP classes, SEXP lambda, SEXP tolerance,
                SEXP steps, SEXP settings);
SEXP lm_dpp_block(SEXP each);
SEXP lm_dpp_begin(SEXP part, SEXP first, SEXP points, SEXP tree, SEXP settings);
SEXP lm_dpp_left(SEXP odds);
SEXP lm_dpp_find(SEXP part, SEXP odds, SEXP wanted);
SEXP lm_dpp_near(SEXP part, SEXP first, SEXP tree, SEXP able, SEXP at, SEXP each, SEXP settings);
SEXP lm_dpp_join(SEXP a, SEXP b, SEXP each);
SEXP lm_dpp_scale(SEXP near);
SEXP lm_dpp_accept(SEXP near, SEXP rows, SEXP drawn, SEXP uniform, SEXP wanted, SEXP update,
                   SEXP sigma);
SEXP lm_dpp_fall(SEXP odds, SEXP near, SEXP places, SEXP rows, SEXP update, SEXP sigma);
SEXP lm_shortcuts(SEXP edges, SEXP settings);
SEXP lm_eigenmap(SEXP graph, SEXP settings);
SEXP lm_novelty(SEXP given, SEXP others, SEXP settings);
SEXP lm_extend(SEXP source, SEXP landmarks, SEXP graph, SEXP map, SEXP settings);
SEXP lm_variants(void);
SEXP lm_threads(void);
SEXP lm_product(SEXP kind, SEXP a, SEXP b, SEXP times, SEXP settings);

#endif
