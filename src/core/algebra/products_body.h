/*
 * The loop of products.h, written once in vector extensions and compiled once
 * for each variant. The including file defines, and this file undefines:
 *
 *   VARIANT(name)   the name of a function of this variant
 *   TARGET          the function attribute that lets the compiler use it
 *   LANES           doubles in a vector
 *   TILE_ROWS       rows of a register tile
 *   TILE_VECTORS    vectors across a register tile: TILE_ROWS * TILE_VECTORS
 *                   accumulators have to fit in the registers
 */

typedef double VARIANT(vec) __attribute__((vector_size(LANES * 8), aligned(8), may_alias));
typedef unsigned long long VARIANT(ints)
    __attribute__((vector_size(LANES * 8), aligned(8), may_alias));

/* One register tile: up to TILE_ROWS rows by `vectors` vectors, the whole
 * depth. Rows past the last are read as the last and not stored. `vectors` is
 * a constant at every call, so the compiler unrolls all but the loop on k. */
TARGET static inline __attribute__((always_inline)) void
VARIANT(tile)(const block_product *p, size_t row, size_t column, size_t k0, size_t k1,
              int accumulate, const int vectors) {
  typedef VARIANT(vec) vec;
  const size_t rows = p->rows - row < TILE_ROWS ? p->rows - row : TILE_ROWS;
  const double *a[TILE_ROWS];
  vec sum[TILE_ROWS][TILE_VECTORS];

#pragma GCC unroll 8
  for (int r = 0; r < TILE_ROWS; r++) {
    a[r] = p->a + (row + ((size_t)r < rows ? (size_t)r : rows - 1)) * p->a_row + k0 * p->a_col;
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) sum[r][v] = (vec){0};
  }
  const double *b = p->b + k0 * p->b_row + column;
  const size_t a_col = p->a_col, b_row = p->b_row;
  for (size_t k = k0, at = 0; k < k1; k++, at += a_col, b += b_row) {
    vec bk[TILE_VECTORS];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) bk[v] = *(const vec *)(b + v * LANES);
#pragma GCC unroll 8
    for (int r = 0; r < TILE_ROWS; r++) {
      const double ar = a[r][at];
#pragma GCC unroll 4
      for (int v = 0; v < vectors; v++) sum[r][v] += ar * bk[v];
    }
  }

  const double sign = accumulate < 0 ? -1.0 : 1.0;
  const size_t columns = p->columns - column;
  if (columns >= (size_t)vectors * LANES) {
#pragma GCC unroll 8
    for (int r = 0; r < TILE_ROWS; r++) {
      if ((size_t)r >= rows) break;
      double *c = p->c + (row + (size_t)r) * p->c_row + column;
#pragma GCC unroll 4
      for (int v = 0; v < vectors; v++) {
        vec *cv = (vec *)(c + v * LANES);
        if (accumulate == 0)
          *cv = sum[r][v];
        else
          *cv += sign * sum[r][v];
      }
    }
    return;
  }
  /* The last columns do not fill a vector: one by one through memory. */
  double spill[TILE_ROWS][TILE_VECTORS * LANES];
#pragma GCC unroll 8
  for (int r = 0; r < TILE_ROWS; r++) {
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) *(vec *)(spill[r] + v * LANES) = sum[r][v];
  }
  for (size_t r = 0; r < rows; r++) {
    double *c = p->c + (row + r) * p->c_row + column;
    for (size_t j = 0; j < columns; j++) {
      c[j] = accumulate == 0 ? spill[r][j] : c[j] + sign * spill[r][j];
    }
  }
}

TARGET static void VARIANT(multiply)(const block_product *p) {
  /* DEPTH_BLOCK rows of a panel of B stay in the first cache while every row
   * of A passes by. */
  for (size_t k0 = 0; k0 < p->depth || k0 == 0; k0 += DEPTH_BLOCK) {
    const size_t k1 = p->depth - k0 < DEPTH_BLOCK ? p->depth : k0 + DEPTH_BLOCK;
    const int accumulate = k0 == 0 ? p->accumulate : p->accumulate < 0 ? -1 : 1;
    for (size_t column = 0; column < p->columns; column += TILE_VECTORS * LANES) {
      const size_t left = (p->columns - column + LANES - 1) / LANES;
      for (size_t row = 0; row < p->rows; row += TILE_ROWS) {
        if (left >= 3 && TILE_VECTORS >= 3) {
          VARIANT(tile)(p, row, column, k0, k1, accumulate, 3 < TILE_VECTORS ? 3 : TILE_VECTORS);
        } else if (left >= 2) {
          VARIANT(tile)(p, row, column, k0, k1, accumulate, 2);
        } else {
          VARIANT(tile)(p, row, column, k0, k1, accumulate, 1);
        }
      }
    }
  }
}

/* exp(x) = 2^k exp(r), |r| <= log(2)/2: k by rounding through a large number,
 * exp(r) by its Taylor polynomial of degree 13 (error below 1e-17 relative),
 * 2^k by adding k to the exponent bits. */
TARGET static void VARIANT(exp_nonpositive)(double *x, size_t n) {
  typedef VARIANT(vec) vec;
  typedef VARIANT(ints) ints;
  static const double coefficient[] = {1.0 / 6227020800.0,
                                       1.0 / 479001600.0,
                                       1.0 / 39916800.0,
                                       1.0 / 3628800.0,
                                       1.0 / 362880.0,
                                       1.0 / 40320.0,
                                       1.0 / 5040.0,
                                       1.0 / 720.0,
                                       1.0 / 120.0,
                                       1.0 / 24.0,
                                       1.0 / 6.0,
                                       0.5,
                                       1.0,
                                       1.0};
  const double round = 6755399441055744.0; /* 1.5 * 2^52 */
  const double log2e = 1.4426950408889634074, ln2_high = 6.93147180369123816490e-01,
               ln2_low = 1.90821492927058770002e-10;
  for (size_t i = 0; i < n; i += LANES) {
    double edge[LANES] = {0};
    double *at = x + i;
    const size_t left = n - i;
    if (left < LANES) {
      for (size_t j = 0; j < left; j++) edge[j] = x[i + j];
      at = edge;
    }
    const vec y = *(const vec *)at;
    const vec shifted = y * log2e + round;
    const vec k = shifted - round;
    const vec r = (y - k * ln2_high) - k * ln2_low;
    vec e = r * coefficient[0] + coefficient[1];
#pragma GCC unroll 12
    for (int c = 2; c < 14; c++) e = e * r + coefficient[c];
    union {
      vec d;
      ints l;
    } bits, power;
    bits.d = shifted;
    power.l = (bits.l << 52);
    union {
      vec d;
      ints l;
    } result;
    result.d = e;
    result.l = result.l + power.l;
    /* Below the smallest normal number: 0. NaN fails the comparison and stays. */
    const ints tiny = (ints)(y < -708.0);
    result.l = result.l & ~tiny;
    const ints bad = (ints)(y != y);
    union {
      vec d;
      ints l;
    } nan;
    nan.d = y;
    result.l = (result.l & ~bad) | (nan.l & bad);
    *(vec *)at = result.d;
    if (left < LANES) {
      for (size_t j = 0; j < left; j++) x[i + j] = edge[j];
    }
  }
}

static const product_variant VARIANT(functions) = {VARIANT_NAME, VARIANT(multiply),
                                                   VARIANT(exp_nonpositive)};

#undef VARIANT
#undef VARIANT_NAME
#undef TARGET
#undef LANES
#undef TILE_ROWS
#undef TILE_VECTORS
