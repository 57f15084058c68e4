/*
 * The graph of landmarks that the rows between them make (Martinetz and Schulten, 1994; with
 * weights, the anchor graph of Liu, He and Chang, 2010). Row i has weights on the s landmarks
 * nearest to it,
 *
 *   w_il = (1 + c - d_il^2 / d_i^2) / sum_k (1 + c - d_ik^2 / d_i^2),  c = .001,
 *
 * d_il its distance from landmark l and d_i that from the (s + 1)-th nearest; ties go to the lower
 * landmark. The weight of a landmark falls to (almost) 0 where another takes its place among the s
 * nearest, so that means of the landmarks' coordinates do not jump there; with c the weights of
 * landmarks that are equally near are equal, whatever the rounding. With v_i the weight of the row,
 * two landmarks l and m are joined by sum_i v_i w_il w_im, which is 0 where no row has both among
 * its nearest. The caller sums them: a matrix of few entries.
 *
 * Where edges have been cut from the graph, a row has weights only on its nearest landmark and on
 * those of its s nearest that are still joined to this one.
 *
 * Where `linear`, weights reconstruct the row, as in locally linear embedding (Roweis and Saul,
 * 2000): x is near t_0 + sum_k u_k (t_k - t_0), with t_0 the nearest landmark and u the minimizer
 * of
 *
 *   |x - t_0 - sum_k u_k (t_k - t_0)|^2 + .01 sum_k |t_k - t_0|^2 |u|^2,
 *
 * multiplied by 2 / sum_k |u_k| if that is less than 1. The weights u_k and 1 - sum_k u_k may be
 * negative; at a landmark they are 1 and 0, up to rounding.
 */
#ifndef LANDMARKER_ANCHOR_GRAPH_H
#define LANDMARKER_ANCHOR_GRAPH_H

#include "core/base/arena.h"
#include "core/data/point_tree.h"

typedef struct {
  const executor *exec;
  size_t n, nearest; /* landmarks, and s: 0 < s < n */
  size_t block;      /* rows at a time */
  /* The edges that count, compressed, the neighbors of each landmark ascending: n + 1, and from 0.
   * NULL for all. */
  const int *start, *joined;
  int linear;       /* whether weights reconstruct the rows */
  points landmarks; /* to be filled after the layout, with norms */
  int in_tree;      /* in few dimensions */
  point_tree among; /* of the landmarks */
  double *own;      /* of each thread */
  size_t own_size;
  int *who;        /* block x s: the nearest of each row, nearest first, */
  double *weight;  /* and its weights on them */
  double *squared; /* 2 x block: the squared distances of each row from the two landmarks nearest */
} anchor_graph;

/* n, nearest, block, and the edges are set before. Memory about 3 n columns + block (3 s / 2 + 2),
 * and for each thread 64 n in many dimensions, and s (s + 16) where `linear`. */
void anchor_layout(anchor_graph *g, arena *memory, const executor *exec, const observations *x);

/* Once the landmarks are filled. */
void anchor_start(anchor_graph *g);

/* who, weight and squared of rows [first, first + count), count <= block. Rows are shared among
 * threads. Time count * n * columns, and in few dimensions far less. */
void anchor_weights(anchor_graph *g, const observations *x, size_t first, size_t count);

/* After anchor_weights() of these rows: out[k * out_rows + first + i] = sum_l w_il y_lk, the mean
 * of the coordinates y (n x dims, by columns) of its landmarks. */
void anchor_extend(const anchor_graph *g, size_t first, size_t count, const double *y, size_t dims,
                   double *out, size_t out_rows);

#endif
