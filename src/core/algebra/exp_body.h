/*
 * The exponential function of products.h, written once in vector extensions and compiled once for
 * each variant. The including file defines VARIANT(name), TARGET and LANES (doubles in a vector).
 */

typedef double VARIANT(doubles) __attribute__((vector_size(LANES * 8), aligned(8), may_alias));
typedef unsigned long long VARIANT(ints)
    __attribute__((vector_size(LANES * 8), aligned(8), may_alias));

/* exp(x) = 2^k exp(r), |r| <= log(2)/2: k by rounding through a large number,
 * exp(r) by its Taylor polynomial of degree 13 (error below 1e-17 relative),
 * 2^k by adding k to the exponent bits. */
TARGET static void VARIANT(exp_nonpositive)(double *x, size_t n) {
  typedef VARIANT(doubles) vec;
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
