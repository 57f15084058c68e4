/*
 * Losses of a regression: how far scores, one for each row and output, are from what was observed.
 */
#ifndef LANDMARKER_LOSS_H
#define LANDMARKER_LOSS_H

#include "core/base/executor.h"
#include "matrix.h"

typedef enum {
  LOSS_SQUARES,  /* (f - y)^2 / 2, summed over the outputs */
  LOSS_HUBER,    /* the same up to |f - y| = width, then the tangent: width (|f - y| - width / 2) */
  LOSS_POISSON,  /* exp(f) - y f, y >= 0, summed over the outputs; beyond f = 30 the tangent */
  LOSS_LOGISTIC, /* log(1 + exp(f)) - y f, y in [0, 1], summed over the outputs */
  LOSS_SOFTMAX   /* log sum_k exp(f_k) - sum_k y_k f_k, where the y of a row sum to 1 */
} loss_kind;

typedef struct {
  loss_kind kind;
  double width; /* LOSS_HUBER alone */
} loss_rule;

/* The sum over rows of weight * loss. The scores f become weight * d loss / d f, the residuals.
 * `weight`: one for each row, or NULL for all 1. y has the shape of the scores. Time rows *
 * outputs. */
double loss_residuals(loss_rule rule, const double *weight, matrix y, matrix scores);

/* The same of one output, for LOSS_SQUARES and LOSS_LOGISTIC: y contiguous, scores VECTOR_DOUBLES
 * apart; weight * d^2 loss / d f^2 goes to `curvature`. `apart`: scratch of `rows`. Exponentials
 * are those of the variant, as there are many rows a call. */
double loss_curvatures(loss_kind kind, const executor *exec, const double *weight, size_t rows,
                       const double *y, double *scores, double *curvature, double *apart);

#endif
