/*
 * Landmarks that predict a response. The features phi_i = K(x_i, T) of a row i predict its scores,
 *
 *   f_i = W' phi_i + b,
 *
 * and landmarks T (n x d), weights W (n x K) and intercepts b fall together along the gradient of
 *
 *   L = sum_i v_i loss(y_i, f_i) / sum_i v_i + penalty / 2 ||W||^2,
 *
 * v_i the weight of row i. With the residuals R = d(sum of the losses) / d f (rows x K) and
 * H = (R W') o Phi,
 *
 *   dL/dW = Phi'R,   dL/dT = (2 / eta) (H'X - diag(1'H) T),
 *   dL/d log eta = (1 / eta) sum_il H_il ||x_i - t_l||^2,
 *
 * each over the sum of the weights. The steps are those of Adam (Kingma and Ba, 2015) on batches
 * of rows. Each landmark has one second moment, of the length of its gradient, so that a rotation
 * of the data rotates the landmarks. Weights move in the coordinates V = F W with
 * F'F = (Phi'D Phi + I) / sum_i v_i: there the features are uncorrelated and of one
 * size.
 */
#ifndef LANDMARKER_RESPONSE_H
#define LANDMARKER_RESPONSE_H

#include "core/base/arena.h"
#include "core/base/pace.h"
#include "loss.h"
#include "space.h"

/* First and second moments of some gradients. */
typedef struct {
  double *first, *second;
} adam;

typedef struct {
  loss_kind loss;
  const space *space;
  double penalty;
  int moves_bandwidth;
  double narrowest, widest; /* where it stays */
  size_t held, n, outputs;  /* landmarks, of which the first `held` stay */
  size_t most;              /* rows of the largest batch */
  /* The state. */
  double bandwidth;
  points now;
  matrix weights;        /* (n + 1) x outputs: W, and in the last row b */
  adam landmark, weight; /* columns x length and length; (n + 1) x wide both */
  double moment[2];      /* of log eta */
  double steps;          /* so far */
  /* The rows: of all batches that follow, and what was observed of them. */
  observations rows;
  matrix y;
  /* Scratch. */
  pace pace;
  matrix factor, whitened; /* F; V, and in the last row b */
  matrix phi, h, scores, slope, across;
  points sums;
  double *tile, *vector, *share;
} response;

/* `x`: ROWS_DENSE or ROWS_SPARSE with norms, of which the pointers may be set later; `most`: rows
 * of the largest batch. The state is then to be filled. Memory O(most (n + outputs) + n (n +
 * columns)). */
void response_layout(response *r, arena *memory, const executor *exec, const observations *x,
                     size_t held, size_t n, size_t outputs, size_t most);

/* One step on each of some batches of consecutive rows; the last one has what is left. rate[s]: of
 * step s, the distance that a landmark goes, in sqrt(eta), where its gradient is steady; `weights`
 * and log eta go `pull` times that. Returns the mean loss of the rows before the step of their
 * batch. Time of a row n (4 columns + 6 outputs), and n^2 for the first 2 n or 2,000. */
double response_pass(response *r, size_t batch, const double *rate, double pull);

#endif
