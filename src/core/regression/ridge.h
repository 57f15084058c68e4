/*
 * L2-penalized regression on features, down a path of penalties:
 *
 *   minimize  sum_i v_i loss(y_i, b + w'x_i) + lambda / 2 ||w||^2,
 *
 * v_i the weight of row i (1 without weights), loss log(1 + exp(f)) - y f (logistic, y in [0, 1])
 * or (y - f)^2 / 2, the intercept b free. Many responses share the features: one against the rest
 * for classes, one model a tag. Newton steps, each a weighted Gram matrix of
 * the features and a Cholesky factor; the next penalty starts where the last
 * one ended.
 */
#ifndef LANDMARKER_RIDGE_H
#define LANDMARKER_RIDGE_H

#include "core/algebra/loss.h"
#include "core/base/arena.h"
#include "core/base/executor.h"

typedef struct {
  const executor *exec;
  loss_kind loss;
  size_t rows, terms;    /* terms: the features and the intercept, which is the last */
  size_t ld;             /* padded(terms) */
  double *x;             /* rows x ld, to be filled, the last term 1, padding 0 */
  const double *weights; /* rows: above 0, of mean 1; NULL (as laid out) for none */
  double tolerance;      /* of what is left of the gradient; see ridge_solve() */
  int steps;             /* the largest number of Newton steps */
  size_t lanes;          /* models at a time, each with scratch of its own */
  double *scratch;
  size_t apart; /* doubles of one lane's scratch */
} ridge;

/* Memory rows * terms, and rows + terms^2 + 512 terms for each lane. */
void ridge_layout(ridge *r, arena *memory, const executor *exec, loss_kind loss, size_t rows,
                  size_t terms, size_t models);

/* One penalty for all the models. y: rows x models, column by column; w:
 * models rows of `ld`, start and answer; unit: for each model two numbers,
 * the gradient's norm at w = 0 and its Newton decrement sqrt(g' H^-1 g) at the
 * first start, computed where they are below 0; gradient: what is left of both
 * relative to these, the larger; taken: Newton steps. Time models * steps * rows *
 * terms^2. Polls, and may be left there. */
void ridge_solve(ridge *r, const double *y, size_t models, double lambda, double *w, double *unit,
                 double *gradient, int *taken);

#endif
