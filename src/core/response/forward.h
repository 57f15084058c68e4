/*
 * Forward selection: features in the order in which a least-squares regression on them predicts
 * best. The regression is train from some rows, and its error is that on others.
 */
#ifndef LANDMARKER_FORWARD_H
#define LANDMARKER_FORWARD_H

#include "core/algebra/matrix.h"

/* What a set of rows says of n features f, less their means in the rows to learn from, and of
 * the responses y, likewise: F'F (n x n) and F'Y (n x outputs). Both are changed. */
typedef struct {
  matrix gram, cross;
} products_with_response;

/* order[0..n): the first `fixed` features in their places, then always the one with which the
 * regression from `train` has the smallest sum of squares on `test`, over all outputs; of equal
 * ones the first. A feature that adds less than 1e-10 of its own sum of squares to those before
 * it comes after all others. Both products are those of residuals while the order grows:
 *
 *   f_l <- f_l - g_l f_s,  g = F'f_s / f_s'f_s,   y_k <- y_k - b_k f_s,  b = Y'f_s / f_s'f_s
 *
 * where s was chosen, and g and b come from `train`. `scratch`: 3 n + outputs. Time n^2 (n +
 * outputs). */
void forward_order(products_with_response *train, products_with_response *test, size_t fixed,
                   size_t *order, double *scratch);

#endif
