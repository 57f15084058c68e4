/*
 * The loop of products.h, written once in vector extensions and compiled twice for each variant,
 * for doubles and for floats. Beside the macros that variant_body.h takes, the including file
 * defines, and this file undefines:
 *
 *   SCALAR        the type of A, of B and of the sums in registers; C is double
 *   PRODUCT       the type of a product of such operands
 *   WIDTH(name)   the name of a function or a type of this variant and width
 */

#define WIDE ((size_t)(LANES * 8 / sizeof(SCALAR))) /* scalars in a vector */

typedef SCALAR WIDTH(vec) __attribute__((vector_size(LANES * 8), aligned(8), may_alias));

/* A row of a tile to its place in C. Floats are added up in doubles from one block of the depth to
 * the next. */
TARGET static inline __attribute__((always_inline)) void
WIDTH(store)(const SCALAR *restrict sum, double *restrict c, size_t columns, int accumulate) {
  const double sign = accumulate < 0 ? -1.0 : 1.0;
  if (accumulate == 0) {
#pragma omp simd
    for (size_t j = 0; j < columns; j++) c[j] = (double)sum[j];
  } else {
#pragma omp simd
    for (size_t j = 0; j < columns; j++) c[j] += sign * (double)sum[j];
  }
}

/* One register tile: up to TILE_ROWS rows by `vectors` vectors, the whole
 * depth. Rows past the last are read as the last and not stored. `vectors` is
 * a constant at every call, so the compiler unrolls all but the loop on k. */
TARGET static inline __attribute__((always_inline)) void WIDTH(tile)(const PRODUCT *p, size_t row,
                                                                     size_t column, size_t k0,
                                                                     size_t k1, int accumulate,
                                                                     const int vectors) {
  typedef WIDTH(vec) vec;
  const size_t rows = p->rows - row < TILE_ROWS ? p->rows - row : TILE_ROWS;
  const SCALAR *a[TILE_ROWS];
  vec sum[TILE_ROWS][TILE_VECTORS];

#pragma GCC unroll 8
  for (int r = 0; r < TILE_ROWS; r++) {
    a[r] = p->a + (row + ((size_t)r < rows ? (size_t)r : rows - 1)) * p->a_row + k0 * p->a_col;
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) sum[r][v] = (vec){0};
  }
  const SCALAR *b = p->b + k0 * p->b_row + column;
  const size_t a_col = p->a_col, b_row = p->b_row;
  for (size_t k = k0, at = 0; k < k1; k++, at += a_col, b += b_row) {
    vec bk[TILE_VECTORS];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) bk[v] = *(const vec *)(b + (size_t)v * WIDE);
#pragma GCC unroll 8
    for (int r = 0; r < TILE_ROWS; r++) {
      const SCALAR ar = a[r][at];
#pragma GCC unroll 4
      for (int v = 0; v < vectors; v++) sum[r][v] += ar * bk[v];
    }
  }

  /* Through memory, where a row is converted, or cut to the last columns. */
  const size_t columns = p->columns - column, full = (size_t)vectors * WIDE;
  SCALAR spill[TILE_ROWS][TILE_VECTORS * WIDE];
#pragma GCC unroll 8
  for (int r = 0; r < TILE_ROWS; r++) {
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) *(vec *)(spill[r] + (size_t)v * WIDE) = sum[r][v];
  }
  for (size_t r = 0; r < rows; r++) {
    double *c = p->c + (row + r) * p->c_row + column;
    if (columns >= full) {
      WIDTH(store)(spill[r], c, full, accumulate);
    } else {
      WIDTH(store)(spill[r], c, columns, accumulate);
    }
  }
}

TARGET static void WIDTH(multiply)(const PRODUCT *p) {
  /* DEPTH_BLOCK rows of a panel of B stay in the first cache while every row
   * of A passes by. */
  for (size_t k0 = 0; k0 < p->depth || k0 == 0; k0 += DEPTH_BLOCK) {
    const size_t k1 = p->depth - k0 < DEPTH_BLOCK ? p->depth : k0 + DEPTH_BLOCK;
    const int accumulate = k0 == 0 ? p->accumulate : p->accumulate < 0 ? -1 : 1;
    for (size_t column = 0; column < p->columns; column += TILE_VECTORS * WIDE) {
      const size_t left = (p->columns - column + WIDE - 1) / WIDE;
      for (size_t row = 0; row < p->rows; row += TILE_ROWS) {
        if (left >= 3 && TILE_VECTORS >= 3) {
          WIDTH(tile)(p, row, column, k0, k1, accumulate, 3 < TILE_VECTORS ? 3 : TILE_VECTORS);
        } else if (left >= 2) {
          WIDTH(tile)(p, row, column, k0, k1, accumulate, 2);
        } else {
          WIDTH(tile)(p, row, column, k0, k1, accumulate, 1);
        }
      }
    }
  }
}

#undef SCALAR
#undef PRODUCT
#undef WIDTH
#undef WIDE
