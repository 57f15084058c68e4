/*
 * Rows of floats against one vector, written once in vector extensions and compiled once for each
 * variant. A product of products_body.h with a single column would use one lane of each vector. The
 * including file defines VARIANT(name), TARGET and LANES (doubles in a vector).
 */

#define DOT_ROWS 8       /* side by side, so that additions do not wait for each other */
#define DOT_DEPTH 2048   /* columns that are added up in floats; their sums are added in doubles */
#define WIDE (2 * LANES) /* floats in a vector */

typedef float VARIANT(floats) __attribute__((vector_size(LANES * 8), aligned(8), may_alias));

TARGET static void VARIANT(single_dots)(const single_rows *a, const float *b, double *c,
                                        size_t c_row) {
  typedef VARIANT(floats) vec;
  for (size_t row = 0; row < a->rows; row += DOT_ROWS) {
    const size_t rows = a->rows - row < DOT_ROWS ? a->rows - row : DOT_ROWS;
    /* Rows past the last are read as the last and not stored. */
    const float *at[DOT_ROWS];
    double total[DOT_ROWS] = {0};
    for (size_t r = 0; r < DOT_ROWS; r++) {
      at[r] = a->x + (row + (r < rows ? r : rows - 1)) * a->ld;
    }
    for (size_t k0 = 0; k0 < a->ld; k0 += DOT_DEPTH) {
      const size_t k1 = a->ld - k0 < DOT_DEPTH ? a->ld : k0 + DOT_DEPTH;
      vec sum[DOT_ROWS];
#pragma GCC unroll 8
      for (int r = 0; r < DOT_ROWS; r++) sum[r] = (vec){0};
      for (size_t k = k0; k < k1; k += WIDE) {
        const vec bk = *(const vec *)(b + k);
#pragma GCC unroll 8
        for (int r = 0; r < DOT_ROWS; r++) sum[r] += *(const vec *)(at[r] + k) * bk;
      }
      for (size_t r = 0; r < rows; r++) {
        float lanes[WIDE];
        *(vec *)lanes = sum[r];
        for (size_t j = 0; j < WIDE; j++) total[r] += (double)lanes[j];
      }
    }
    for (size_t r = 0; r < rows; r++) c[(row + r) * c_row] = total[r];
  }
}

#undef DOT_ROWS
#undef DOT_DEPTH
#undef WIDE
