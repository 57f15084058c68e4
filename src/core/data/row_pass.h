/*
 * A pass over the rows of some data with the features of fixed and of moving
 * landmarks at hand. Data that fit are one range, whose features are kept from
 * one use to the next; all rows of a large matrix are many ranges, whose
 * features are computed anew, so that no N x n matrix ever exists. Everything
 * is a sum over ranges.
 */
#ifndef LANDMARKER_ROW_PASS_H
#define LANDMARKER_ROW_PASS_H

#include "core/algebra/triangular.h"
#include "core/base/arena.h"
#include "features.h"
#include "weighted_sums.h"

typedef struct {
  const executor *exec;
  const observations *x;
  radial_kernel kernel;
  size_t range;         /* rows at a time */
  size_t fixed, moving; /* landmarks */
  double *phi_fixed;    /* range x padded(fixed) */
  double *phi;          /* range x padded(moving) */
  double *slope;        /* the same of the kernel's slopes; phi itself if it is Gaussian */
  double *weighted;     /* D times one of the two; the same array without weights */
  double *rows;         /* range x padded(columns): rows of a COLUMNS layout, else NULL */
  double *tile;         /* scratch of features() */
  double *single;       /* of rows of ROWS_SINGLE: fixed or moving landmarks, rounded */
} row_pass;

/* `kept`: the features of all rows are to be kept, in one range. */
void row_pass_layout(row_pass *s, arena *memory, const executor *exec, const observations *x,
                     radial_kernel k, size_t fixed, size_t moving, int kept);

static inline int row_pass_kept(const row_pass *s) { return s->range >= s->x->rows; }

/* How near moving landmarks and rows are to each other, and what the landmarks leave. */
typedef struct {
  int *row;         /* of each landmark the nearest observation */
  double *distance; /* its squared distance */
  double *each;     /* scratch: a number for each row of a range */
  double within;    /* sum over the rows of weight and squared distance to the nearest landmark */
  double left;      /* sum_i D_ii - |b_i|^2, which keeps the digits of what is small */
} nearness;

/* G = Phi' D Phi of [fixed, moving] by rows of length padded(fixed + moving): the blocks of the
 * moving landmarks, and where `with_fixed` the block of the fixed ones. Where the features are
 * kept, those of the fixed landmarks are computed only if `with_fixed`. Time rows * moving *
 * (columns + n), and rows * fixed * columns where they are not. */
void row_pass_gram(row_pass *s, const points *fixed, const points *moving, int with_fixed,
                   double *g);

/* sums = H'X and total = H'1, or NULL, H = D Psi o (Phi A), Psi the kernel's slopes and A (n x
 * padded(moving)) the columns of G^-1 that belong to the moving landmarks. `h` is range x
 * padded(moving), `scratch` as for weighted_sums(). Uses the features that row_pass_gram() left
 * where they are kept. */
void row_pass_sums(row_pass *s, const points *fixed, const points *moving, const double *inverse,
                   double *h, double *scratch, points *sums, double *total);

/* The Nystrom features of all rows, b_i = D_ii^1/2 R'^-1 k_i, with k_i the kernel of the row with
 * the first t->n of [fixed, moving] and R the Cholesky factor of the kernel of these with each
 * other. Returns sum_i |b_i|^2, the trace that they explain. `a` (t->n x padded(t->n)): A = sum_i
 * b_i b_i', or NULL. `near`: or NULL. `b` is row_pass_h_size() doubles, and has the features where
 * they are kept; `parts` is row_pass_parts() doubles of scratch. Time rows * ((fixed + moving) *
 * columns + n^2), twice n^2 with `a`. */
double row_pass_nystrom(row_pass *s, const points *fixed, const points *moving, int with_fixed,
                        const triangular *t, double *b, double *parts, double *a, nearness *near);

/* A as above, and sums = H'X and total = H'1 with H = D Psi o (K W^-1), K the kernel of the rows
 * with [fixed, moving], W = R'R. `b` is what row_pass_nystrom() left, and is overwritten. `scratch`
 * as for weighted_sums(). Time as of row_pass_nystrom(), n^2 once more, and of the sums. */
void row_pass_nystrom_sums(row_pass *s, const points *fixed, const points *moving,
                           const triangular *t, double *b, double *parts, double *scratch,
                           double *a, points *sums, double *total);

/* For the variance at other points: cross = Phi' D Psi (fixed x
 * padded(moving)), with Psi the features of the points that stand as `moving`,
 * and prior = the column sums of D Psi o Psi; g = Phi' D Phi of the fixed
 * landmarks. Time rows * (fixed + moving) * columns. */
void row_pass_cross(row_pass *s, const points *fixed, const points *moving, double *g,
                    double *cross, double *prior);

/* Doubles of h, or of Nystrom features, for this pass; and of sums over parts of a range. */
size_t row_pass_h_size(const row_pass *s);
size_t row_pass_parts(const row_pass *s);

#endif
