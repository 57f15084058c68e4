/*
 * L2-penalized multinomial regression (softmax) on features, down a path of
 * penalties:
 *
 *   minimize  sum_i v_i (log sum_k exp(f_ik) - f_i,y_i) + lambda / 2 sum_k ||w_k||^2,
 *   f_ik = b_k + w_k'x_i,
 *
 * v_i the weight of row i (1 without weights), the intercepts b_k free. Every class has
 * coefficients of its own; they sum to zero over the classes, which is where the penalty puts them
 * (and for the intercepts our choice).
 *
 * Newton steps. The Hessian, (terms classes)^2 numbers, is never formed: a step
 * is found by conjugate gradients, each iteration one pass over the features.
 * The preconditioner is the Hessian's diagonal blocks, one weighted Gram matrix
 * for each class, kept as long as they serve. The next penalty starts where the
 * last one ended.
 */
#ifndef LANDMARKER_SOFTMAX_H
#define LANDMARKER_SOFTMAX_H

#include "core/base/arena.h"
#include "core/base/executor.h"

typedef struct {
  const executor *exec;
  size_t rows, terms; /* terms: the features and the intercept, which is the last */
  size_t classes;
  size_t ld;             /* padded(terms) */
  size_t wide;           /* padded(classes) */
  double *x;             /* rows x ld, to be filled, the last term 1, padding 0 */
  const double *weights; /* rows: above 0, of mean 1; NULL (as laid out) for none */
  double tolerance;      /* of what is left of the gradient; see softmax_solve() */
  int steps;             /* the largest number of Newton steps */
  /* From here on for softmax.c alone. */
  size_t chunks, lanes; /* of rows that are summed apart; of classes at a time */
  double *chance;       /* rows x wide: the probabilities at `w` */
  double *objective;    /* one for each chunk */
  double *partial;      /* chunks x terms x wide */
  double *tile;         /* chunks x TILE x wide */
  double *block;        /* classes x terms x ld: the diagonal blocks without penalty */
  double *factor;       /* the same: their Cholesky factors with it */
  double *scratch;      /* for each lane TILE x ld, and terms x VECTOR_DOUBLES */
  double *gradient, *step, *residual, *direction, *curved, *solved, *tried; /* terms x wide */
  int iterations; /* since the blocks were made, or -1: there are none */
} softmax;

/* Memory rows (terms + classes) + 2 classes terms^2 + 24 terms classes. */
void softmax_layout(softmax *s, arena *memory, const executor *exec, size_t rows, size_t terms,
                    size_t classes);

/* One penalty. y: the class of each row, from 0; every class has a row. w: terms
 * rows of `wide`, start (sums of zero over the classes) and answer. unit: the
 * gradient's norm at w = 0 with the best intercepts, and at the first start its
 * norm by the preconditioner, sqrt(g' M^-1 g), which knows of no units; both are
 * computed where they are below 0. Returns what is left of the gradient relative
 * to these, the larger; taken: Newton steps. Time for each iteration rows * terms
 * * classes, and for the blocks, made anew a few times down a path, rows * terms^2 *
 * classes. Polls, and may be left there. */
double softmax_solve(softmax *s, const int *y, double lambda, double *w, double *unit, int *taken);

#endif
