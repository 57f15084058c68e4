/*
 * The coordinates of any point from those of the landmarks: the extension of
 * Laplacian eigenmaps by Nystrom's formula (Bengio et al., 2004; Wachinger and Golland,
 * 2015, eqs. 9 and 10),
 *
 *   y(x) = 1 / (1 - lambda) sum_j w(x, j) y_j / sum_j w(x, j).
 *
 * With D(x, j) the squared distance, or the Bhattacharyya distance of x with the
 * covariance of its nearest landmark, w(x, j) is exp(-D / (2 sigma^2)) or 1
 * for landmarks j that are among the neighbors + 1 nearest of x, or have x among theirs
 * (D(x, j) <= reach_j), else 0. At a landmark these are its row of the graph and
 * 1 for itself, so that y there equals its own coordinates. With a graph whose weights were divided
 * by the densities of both ends (eigenmap.h), w(x, j) is divided by the density of j; the
 * density of x cancels.
 *
 * Where landmarks were arranged in a plane by other means (`plane` above 0), coordinates jump from
 * one cluster to the next, and a mean of two clusters is in neither. Then w(x, j) is
 * exp(-3 (D_j - D_1) / (D_m - D_1)) D_1 / D_j for the m = neighbors + 1 nearest landmarks, 1 being
 * the nearest and m the last, and the mean is taken around that one of them, c, where most weight
 * is: each counts w(x, j) exp(-||y_j - y_c||^2 / (2 plane^2)). At a landmark D_1 is 0, and y its
 * own.
 *
 * The equations as they are printed have another mean, `printed`: with the same weights,
 *
 *   y(x) = sum_j w(x, j) y_j / sqrt(sum_j w(x, j) sum_l w(j, l)),
 *
 * where the caller divides y_j by the root of the sum of its own weights.
 *
 * Rows are sorted by their nearest landmark, around which few others are candidates
 * (candidates.h). For squared distances in many dimensions this saves little, and all distances
 * are computed by products.
 */
#ifndef LANDMARKER_EXTENSION_H
#define LANDMARKER_EXTENSION_H

#include "bhattacharyya.h"
#include "candidates.h"
#include "core/data/point_tree.h"

typedef struct {
  const executor *exec;
  candidate_setup around; /* landmarks, graph and covariances */
  size_t dims;
  double rate;         /* 1 / (2 sigma^2); 0: all weights are 1 */
  double plane;        /* the width of means in the plane, or 0 */
  int printed;         /* 1: the sum over the root of the weights' sum, in the place of the mean */
  const double *mass;  /* n: the factors of the weights, above 0 */
  double *y;           /* n x dims, over 1 - lambda; by rows */
  size_t block;        /* rows at a time */
  int in_tree;         /* in few dimensions */
  point_tree homes;    /* of the landmarks */
  bhattacharyya pairs; /* of landmarks, with covariances */
  int *home, *order, *from;
  double *off; /* of each row from its home */
  double *own; /* of each thread */
  size_t own_size;
} extension;

/* dims, block and what candidates.h asks for are set before. Memory n^2 doubles with
 * covariances, and for each thread about n (columns + 5), n (columns^2 / 2 + 5) if they are
 * full. */
void extension_layout(extension *e, arena *memory, const executor *exec, const observations *x);

/* Once y, landmarks (with norms), and the given parts are filled. Returns the number of
 * landmarks, or the first whose covariance is not positive definite. */
size_t extension_start(extension *e);

/* Rows [first, first + count), count <= block: out[k * out_rows + i] for coordinate k of
 * row i. Rows are shared among threads. Time at most count * n * columns, and far less
 * where rows are near their landmarks; plus n^2 columns (columns^3 if full) with
 * covariances. */
void extension_rows(extension *e, const observations *x, size_t first, size_t count, double *out,
                    size_t out_rows);

#endif
