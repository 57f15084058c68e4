/*
 * The neighborhood graph of some vertices: their nearest neighbors by the distances D (n x n), and
 * the weights of the edges.
 *
 * Vertices i and j are joined if j is among the k nearest of i, or i is among those of j. If
 * several vertices tie with the k-th, all of them are joined.
 */
#ifndef LANDMARKER_NEIGHBORHOOD_H
#define LANDMARKER_NEIGHBORHOOD_H

#include "core/base/arena.h"
#include "core/base/nearest.h"
#include "core/data/features.h"

/* ---- distances ------------------------------------------------------------------ */

typedef struct {
  const executor *exec;
  size_t n, columns;
  points t;              /* to be filled by the caller, with norms */
  double *rows, *square; /* n x padded(columns), n x padded(n) */
} euclidean;

void euclidean_layout(euclidean *e, arena *memory, const executor *exec, size_t n, size_t columns);

/* out[i * n + j] = ||t_i - t_j||^2, symmetric, 0 on the diagonal. Time n^2 columns. */
void euclidean_distances(const euclidean *e, double *out);

/* ---- neighbors ------------------------------------------------------------------ */

/* Of each vertex the `size` nearest others, nearest first: who[i * size + k], from 0, and how far.
 */
typedef struct {
  size_t n, size;
  const int *who;
  const double *far;
} neighbor_lists;

/* The length of lists that hold the k nearest of each vertex and all that tie with the last of
 * them. `scratch` has nearest_room(k). Time n^2. */
size_t neighborhood_size(const executor *exec, size_t n, const double *distances, size_t k,
                         neighbor *scratch);

/* Lists of that size; `scratch` has nearest_room(size). Time n^2 + n size log size. */
void neighborhood_lists(const executor *exec, size_t n, const double *distances, size_t size,
                        neighbor *scratch, int *who, double *far);

/* ---- edges ---------------------------------------------------------------------- */

/* Half of the median over vertices of sqrt(D) to the k-th nearest. `scratch` has n. */
double neighborhood_typical_sigma(const neighbor_lists *lists, size_t k, double *scratch);

/* Half of the largest sqrt(D) to the nearest: with it each vertex has a neighbor that weighs
 * exp(-2) or more. */
double neighborhood_least_sigma(const neighbor_lists *lists);

typedef enum {
  EDGES_HEAT,  /* an edge weighs exp(-D / (2 sigma^2)) */
  EDGES_BINARY /* an edge weighs 1 */
} edge_weights;

/* The edges low[e] < high[e], from 0, each once, that have a weight above 0, in the order of the
 * lists. Returns how many; nothing is written where `low` is NULL. */
size_t neighborhood_edges(const neighbor_lists *lists, size_t k, edge_weights kind, double sigma,
                          int *low, int *high, double *weight);

#endif
