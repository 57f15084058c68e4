/*
 * Landmarks that predict a response. The features phi_i = K(x_i, T) of a row i predict its scores,
 *
 *   f_i = W' phi_i + A'z_i + b,
 *
 * and landmarks T (n x d), weights W (n x K) and intercepts b fall together along the gradient of
 *
 *   L = sum_i v_i loss(y_i, f_i) / sum_i v_i + penalty / 2 (||W||^2 + ||A||^2),
 *
 * v_i the weight of row i. The trend A (d x K) is there on request, for dense rows: z_i has the
 * columns of row i, each times a unit. Kernel and trend see rows in a metric that may be learned
 * too (metric.h). With the residuals R = d(sum of the losses) / d f (rows x K) and
 * H = (R W') o Phi,
 *
 *   dL/dW = Phi'R,   dL/dA = Z'R,   dL/dT = (2 / eta) (H'X - diag(1'H) T),
 *   dL/d log eta = (1 / eta) sum_il H_il ||x_i - t_l||^2,
 *
 * each over the sum of the weights. The steps are those of Adam (Kingma and Ba, 2015) on batches
 * of rows. Each landmark has one second moment, of the length of its gradient, so that a rotation
 * of the data rotates the landmarks. W and A move in the coordinates V = F (W, A) with
 * F'F = ((Phi, Z)'D (Phi, Z) + I) / sum_i v_i: there what predicts is uncorrelated and of one
 * size; the coordinates of a trend have one second moment together for each output, so that the
 * order of columns does not matter. F is made again after a few times as many rows as it was made
 * from.
 */
#ifndef LANDMARKER_RESPONSE_H
#define LANDMARKER_RESPONSE_H

#include "core/algebra/loss.h"
#include "core/base/arena.h"
#include "core/base/pace.h"
#include "metric.h"

/* First and second moments of some gradients. */
typedef struct {
  double *first, *second;
} adam;

typedef struct {
  size_t fixed, n, outputs; /* landmarks, of which the first `fixed` stay */
  size_t most;              /* rows of the largest batch */
  int trend;                /* whether there is one; dense rows only */
  int moves_metric;         /* whether relevances are learned; dense rows only */
  int projects;             /* for projection.h: F has the intercept too */
  const kernel_profile *profile;
} response_shape;

typedef struct {
  response_shape shape;
  size_t m; /* what predicts: n landmarks, and the columns of a trend */
  loss_rule loss;
  const space *space;
  double penalty;
  int moves_bandwidth;
  double narrowest, widest; /* where it stays */
  const double *unit;       /* of the trend: z = unit o x; columns */
  /* The state. */
  double bandwidth;
  points now; /* in the metric */
  metric metric;
  matrix weights;          /* (m + 1) x outputs: W, A, and in the last row b */
  adam landmark, weight;   /* columns x ld and ld; (m + 1) x wide both */
  double moment[2];        /* of log eta */
  double steps;            /* so far */
  matrix factor;           /* m x m: F; with the intercept where shape.projects */
  double made_from, stale; /* rows that F was made from, 0 before the first; rows used since */
  /* The rows: of all batches that follow, and what was observed of them. */
  observations rows;
  matrix y;
  /* Scratch. */
  pace pace;
  matrix whitened; /* V, and in the last row b */
  matrix phi, psi, h, scores, slope, across, tilt;
  points sums;
  double *vector, *of_trend, *share, *chunks, *row_sum, *by_column;
} response;

/* `x`: ROWS_DENSE or ROWS_SPARSE with norms, of which the pointers may be set later. The state is
 * then to be filled, the landmarks as points of x and then metric_enter(). Memory O(most (m +
 * outputs) + m (m + columns + outputs)), and most * columns where the metric moves. */
void response_layout(response *r, arena *memory, const executor *exec, const observations *x,
                     response_shape shape);

/* ---- response_gradient.c ---- */

/* The scratch of response_gradient(). */
void gradient_layout(response *r, arena *memory);

/* The mean loss of a batch of rows, at most shape.most, whose weights sum to `total`, and its
 * gradient: by the weights in r->slope, in V's coordinates; by the landmarks in r->sums; by the
 * relevances in r->metric.slope; by log eta. Where shape.projects, features are those of the last
 * response_predictors(), and the gradient by the weights, which is 0, is not finished. */
double response_gradient(response *r, const observations *x, const double *y, double total,
                         double *bandwidth);

/* ---- for both ---- */

/* Rows [first, first + count) of a batch, as the kernel sees them: where the metric moves they are
 * made, in the place that they have in the batch. All of a batch that were made. */
observations response_rows(response *r, const observations *x, size_t first, size_t count);
observations response_seen(const response *r, const observations *x);

/* What predicts the scores of a batch of rows, side by side, times the roots of their weights;
 * where shape.projects, the last column is that of the intercept. Leaves the rows as the kernel
 * sees them, and their features. */
matrix response_predictors(response *r, const observations *x);

/* ---- response.c ---- */

/* One step on each of some batches of consecutive rows; the last one has what is left. rate[s]: of
 * step s, the distance that a landmark goes, in sqrt(eta), where its gradient is steady; `weights`
 * and log eta go `pull` times that. Returns the mean loss of the rows before the step of their
 * batch. Time of a row n (4 columns + 6 outputs) and 4 columns * outputs for a trend, m^2 for the
 * first 2 m or 2,000, and of a step n^2 outputs. */
double response_pass(response *r, size_t batch, const double *rate, double pull);

#endif
