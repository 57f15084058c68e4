/*
 * Products of small dense blocks: the one place where the floating-point work
 * of the package is done, and the one place with variants for the processor.
 *
 * Everything that touches N x d numbers is one of three products,
 *
 *   rows against points      X T'      (features, starts, neighbors, extension)
 *   weighted sums of rows    H' X      (the fixed point)
 *   Gram matrices            Phi' Phi
 *
 * and all three are the same loop, because an operand that is read one scalar
 * at a time may be stored either way round:
 *
 *   C[r, c] (+)= sum_k A(r, k) B[k, c],   A(r, k) = a[r * a_row + k * a_col]
 *
 * with B and C stored by rows. The sum over k runs in one fixed order, so a
 * result depends on the variant but never on the number of threads.
 *
 * Padding: rows of B are read in whole vectors, so a row of B must be readable
 * up to `padded(columns)` doubles, or `padded_single(columns)` floats. C is written only in its own
 * columns.
 */
#ifndef LANDMARKER_PRODUCTS_H
#define LANDMARKER_PRODUCTS_H

#include <stddef.h>

/* The widest vector of any variant, in doubles: one cache line. */
#define VECTOR_DOUBLES 8

/* Leading dimension for rows of `columns` doubles: a whole number of cache
 * lines, and an odd one, so that equal columns of successive rows do not fall
 * into the same few cache sets when the number of columns is a power of two. */
static inline size_t padded(size_t columns) {
  size_t lines = (columns + VECTOR_DOUBLES - 1) / VECTOR_DOUBLES;
  if (lines >= 8) lines |= 1;
  return lines * VECTOR_DOUBLES;
}

/* The same for rows of floats. */
static inline size_t padded_single(size_t columns) { return 2 * padded((columns + 1) / 2); }

typedef struct {
  size_t rows, columns, depth;
  const double *a;
  size_t a_row, a_col;
  const double *b;
  size_t b_row;
  double *c;
  size_t c_row;
  int accumulate; /* 0: C = A B; 1: C += A B; -1: C -= A B */
} block_product;

/* The same with operands in single precision: twice the numbers in a vector. Products of 128 rows
 * of B at a time are added up in floats, and these sums in doubles: an entry of C has an error of
 * at most some 1e-5, and usually 1e-7, of the sum of the sizes of its terms. */
typedef struct {
  size_t rows, columns, depth;
  const float *a;
  size_t a_row, a_col;
  const float *b;
  size_t b_row;
  double *c;
  size_t c_row;
  int accumulate;
} single_product;

/* Rows of floats, each of `ld`, a padded_single(), with zeros past its columns. */
typedef struct {
  const float *x;
  size_t rows, ld;
} single_rows;

typedef struct product_variant {
  const char *name;
  /* One thread. Time 2 rows columns depth flops; memory none. */
  void (*multiply)(const block_product *p);
  void (*multiply_single)(const single_product *p);
  /* c[i * c_row] = a_i'b, b of the same length as a row. 2048 columns at a time are added up in
   * floats, in as many sums as a vector has: errors as of a single_product. */
  void (*dots_single)(const single_rows *a, const float *b, double *c, size_t c_row);
  /* x[i] = exp(x[i]) for x <= 0, within 2 units in the last place; below
   * about -708 the result is 0. NaN stays NaN. */
  void (*exp_nonpositive)(double *x, size_t n);
} product_variant;

enum { VARIANT_PLAIN = 0, VARIANT_AVX2 = 1, VARIANT_AVX512 = 2, VARIANT_COUNT = 3 };

/* The variant, or NULL where this build or this processor lacks it. */
const product_variant *variant_by_number(int variant);

/* The fastest variant that this processor runs. */
const product_variant *variant_best(void);

#endif
