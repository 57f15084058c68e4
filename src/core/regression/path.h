/*
 * Regressions down a path of penalties, each from the answer of the one before, on features less
 * their means: with a free intercept a shift changes nothing but the digits that are lost by it.
 * Numbers as responses are shifted too, and divided by the largest distance from their mean: what
 * ridge.h takes for rounding is meant for values of about 1. Coefficients come out for features
 * and responses as they were given.
 */
#ifndef LANDMARKER_PATH_H
#define LANDMARKER_PATH_H

#include "ridge.h"
#include "softmax.h"

typedef struct {
  size_t rows, count;     /* `count` features are used */
  const double *features; /* rows x count, column by column */
  const double *weights;  /* rows: above 0, of mean 1; NULL for none */
  size_t lambdas;
  const double *lambda; /* one after another */
  /* Results: (1 + count) x responses x lambdas, the intercept first; what is left of the
   * gradients, and Newton steps: responses x lambdas (one response for all classes). */
  double *coefficients, *gradient;
  int *taken;
} regression_path;

/* Memory rows * models + models * terms; time as ridge_solve() for each penalty. y: rows x models,
 * column by column. `r` is laid out for count + 1 terms; its `x` is filled here. */
size_t ridge_path_scratch(const ridge *r, size_t models);
void ridge_path(const regression_path *p, ridge *r, const double *y, size_t models,
                double *scratch);

/* The same of classes; y: the class of each row, from 0. */
size_t softmax_path_scratch(const softmax *s);
void softmax_path(const regression_path *p, softmax *s, const int *y, double *scratch);

#endif
