/* Landmarks with a graph and its eigenmap, and what they are extended to, by loops over the
 * equations of extension.h. */
#ifndef LANDMARKER_EXTENSION_MODEL_H
#define LANDMARKER_EXTENSION_MODEL_H

#include "core/embedding/extension.h"
#include "fixture.h"
#include "graph.h"

/* Of Gaussians with the covariances of landmarks i and j: what stands before (x - t) and
 * after it, and what is added. */
typedef struct {
  long double *inverse, shift;
} pair;

/* Landmarks with covariances, the pairs of all of them (n x n, nothing without covariances), their
 * graph by the definition, and what it is extended with. */
typedef struct {
  size_t n, dims, columns, neighbors;
  spread_kind spread;
  double rate, plane;
  int printed; /* 1: the weights' sum has its root, and the weights count themselves */
  points t;
  double *covariance, *knn_radius, *mass, *y, *lambda;
  const pair *pairs;
  graph g;
} model;

/* The first n rows that differ: of sparse ones several are empty. */
size_t *rows_apart(const data *d, size_t n);

/* Landmarks that are rows of some data. The graph's weights are divided by densities where n is
 * odd. */
model model_make(const data *d, const size_t *row, size_t n, size_t dims, size_t neighbors,
                 spread_kind spread, double rate);

/* The coordinates of a row: extension.h's equation; m->y is over 1 - lambda. */
void plain_extension(const model *m, const double *x, double *out);
/* In a plane: around the landmark that has most weight near it. */
void plain_place(const model *m, const double *x, double *out);

/* Whether rounding decides which covariance counts, because two landmarks are equally near. */
int plain_is_tied(const model *m, const double *x);

/* extension_rows() of rows [first, first + count), `block` at a time, its memory checked. */
void extend(const executor *exec, const observations *x, const model *m, size_t block, size_t first,
            size_t count, double *out);

#endif
