/* The products of one variant against loops without any cleverness. */
#include <float.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "fixture.h"

#define CANARY 12345.5

/* C = sign A B + before, or a product whose error is bounded by `scale`. */
static double plain_entry(const block_product *p, size_t r, size_t c, double *scale) {
  long double sum = 0.0, size = 0.0;
  for (size_t k = 0; k < p->depth; k++) {
    const long double term =
        (long double)p->a[r * p->a_row + k * p->a_col] * p->b[k * p->b_row + c];
    sum += term;
    size += fabsl(term);
  }
  *scale = (double)size;
  return (double)sum;
}

/* What C holds before a product: values to add to, or NaN; between its rows what must stay. */
static void fill_result(double *c, double *before, size_t size, size_t row, size_t columns,
                        int accumulate) {
  for (size_t i = 0; i < size; i++) {
    const int gap = i % row >= columns;
    before[i] = c[i] = gap ? CANARY : accumulate ? symmetric() : NAN;
  }
}

/* Whether what is between the rows of C has stayed. */
static int gaps_stay(const double *c, size_t size, size_t row, size_t columns) {
  int stay = 1;
  for (size_t i = 0; i < size; i++) stay &= i % row < columns || c[i] == CANARY;
  return stay;
}

static void check_product(const executor *exec, size_t rows, size_t columns, size_t depth,
                          int transposed, int accumulate, size_t apart) {
  block_product p = {.rows = rows, .columns = columns, .depth = depth, .accumulate = accumulate};
  p.a_row = transposed ? 1 : depth + apart;
  p.a_col = transposed ? rows + apart : 1;
  p.b_row = padded(columns) + 8 * apart;
  p.c_row = columns + apart;
  const size_t a_size = depth ? (rows - 1) * p.a_row + (depth - 1) * p.a_col + 1 : 0;
  const size_t b_size = depth ? (depth - 1) * p.b_row + padded(columns) : 0;
  const size_t c_size = (rows - 1) * p.c_row + columns;
  double *a = doubles(a_size), *b = doubles(b_size), *c = doubles(c_size),
         *before = doubles(c_size);
  for (size_t r = 0; r < rows; r++) {
    for (size_t k = 0; k < depth; k++) a[r * p.a_row + k * p.a_col] = symmetric();
  }
  /* The padding of B stays NaN: it may be read, and must not reach C. */
  for (size_t k = 0; k < depth; k++) {
    for (size_t j = 0; j < columns; j++) b[k * p.b_row + j] = symmetric();
  }
  fill_result(c, before, c_size, p.c_row, columns, accumulate);
  p.a = a;
  p.b = b;
  p.c = c;
  exec->variant->multiply(&p);

  double worst = 0.0;
  for (size_t i = 0; i < c_size; i++) {
    if (i % p.c_row >= columns) continue;
    double scale, want = plain_entry(&p, i / p.c_row, i % p.c_row, &scale);
    if (accumulate) {
      want = before[i] + accumulate * want;
      scale += fabs(before[i]);
    }
    compare(&worst, c[i], want, (double)(depth + 2) * DBL_EPSILON * scale + DBL_MIN);
  }
  CHECK(worst <= 1.0,
        "a product of %zu x %zu x %zu (transposed %d, accumulate %d) is right: %g "
        "times the bound",
        rows, depth, columns, transposed, accumulate, worst);
  CHECK(gaps_stay(c, c_size, p.c_row, columns),
        "a product of %zu x %zu x %zu writes only its own columns", rows, depth, columns);
  release();
}

/* The same of operands in single precision: all products of one entry are exact in doubles. The
 * bound is that of 128 terms added up in floats, and of these sums in doubles. */
static void check_single(const executor *exec, size_t rows, size_t columns, size_t depth,
                         int transposed, int accumulate, size_t apart) {
  single_product p = {.rows = rows, .columns = columns, .depth = depth, .accumulate = accumulate};
  p.a_row = transposed ? 1 : depth + apart;
  p.a_col = transposed ? rows + apart : 1;
  p.b_row = padded_single(columns) + 16 * apart;
  p.c_row = columns + apart;
  const size_t a_size = depth ? (rows - 1) * p.a_row + (depth - 1) * p.a_col + 1 : 0;
  const size_t b_size = depth ? (depth - 1) * p.b_row + padded_single(columns) : 0;
  const size_t c_size = (rows - 1) * p.c_row + columns;
  float *a = bytes(a_size * sizeof *a), *b = bytes(b_size * sizeof *b);
  double *c = doubles(c_size), *before = doubles(c_size);
  for (size_t i = 0; i < a_size; i++) a[i] = (float)symmetric();
  for (size_t i = 0; i < b_size; i++) b[i] = i % p.b_row < columns ? (float)symmetric() : NAN;
  fill_result(c, before, c_size, p.c_row, columns, accumulate);
  p.a = a;
  p.b = b;
  p.c = c;
  exec->variant->multiply_single(&p);

  double worst = 0.0;
  for (size_t i = 0; i < c_size; i++) {
    const size_t row = i / p.c_row, column = i % p.c_row;
    if (column >= columns) continue;
    double sum = 0.0, size = 0.0;
    for (size_t k = 0; k < depth; k++) {
      const double term = (double)a[row * p.a_row + k * p.a_col] * b[k * p.b_row + column];
      sum += term;
      size += fabs(term);
    }
    const double want = accumulate ? before[i] + accumulate * sum : sum;
    const double most = depth < 128 ? (double)depth : 128.0;
    compare(&worst, c[i], want, (most + 2.0) * FLT_EPSILON * size + DBL_EPSILON);
  }
  CHECK(worst <= 1.0,
        "a product in single precision of %zu x %zu x %zu (transposed %d, accumulate %d) is "
        "right: %g times the bound",
        rows, depth, columns, transposed, accumulate, worst);
  CHECK(gaps_stay(c, c_size, p.c_row, columns),
        "a product in single precision of %zu x %zu x %zu writes only its own columns", rows, depth,
        columns);
  release();
}

/* Rows of floats against one vector: the sums of exact products, up to 2048 terms of each in
 * floats. */
static void check_dots(const executor *exec, size_t rows, size_t columns, size_t apart) {
  const size_t ld = padded_single(columns), c_row = 1 + apart;
  float *x = bytes(rows * ld * sizeof *x), *b = bytes(ld * sizeof *b);
  const single_rows a = {x, rows, ld};
  const size_t size = (rows - 1) * c_row + 1;
  double *c = doubles(size), *before = doubles(size);
  for (size_t i = 0; i < rows * ld; i++) {
    x[i] = i % ld < columns ? (float)symmetric() : 0.0F;
  }
  for (size_t k = 0; k < ld; k++) b[k] = k < columns ? (float)symmetric() : 0.0F;
  fill_result(c, before, size, c_row, 1, 0);
  exec->variant->dots_single(&a, b, c, c_row);
  double worst = 0.0;
  for (size_t i = 0; i < rows; i++) {
    double sum = 0.0, sizes = 0.0;
    for (size_t k = 0; k < columns; k++) {
      const double term = (double)x[i * ld + k] * b[k];
      sum += term;
      sizes += fabs(term);
    }
    const double most = columns < 512 ? (double)columns : 512.0;
    compare(&worst, c[i * c_row], sum, (most + 2.0) * FLT_EPSILON * sizes + DBL_MIN);
  }
  CHECK(worst <= 1.0, "%zu rows of %zu floats against a vector: %g times the bound", rows, columns,
        worst);
  CHECK(gaps_stay(c, size, c_row, 1), "%zu rows against a vector write only their results", rows);
  release();
}

static void check_products(const executor *exec) {
  static const size_t lengths[] = {1, 2, 15, 16, 17, 127, 784, 2048, 2049, 5000};
  for (size_t r = 1; r < 20; r++) {
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
      check_dots(exec, r, lengths[l], r % 3);
    }
  }
  static const size_t rows[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17};
  static const size_t columns[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  11, 12, 13,
                                   15, 16, 17, 23, 24, 25, 31, 33, 48, 49, 57, 72};
  static const size_t depths[] = {1, 2, 3, 8, 17, 127, 128, 129, 0, 257, 31};
  size_t at = 0;
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
      for (int way = 0; way < 6; way++, at++) {
        const size_t depth = depths[at % (sizeof depths / sizeof *depths)];
        check_product(exec, rows[r], columns[c], depth, way % 2, way / 2 - 1, at % 4);
        check_single(exec, rows[r], columns[c], depth, way % 2, way / 2 - 1, at % 4);
      }
    }
  }
}

/* Numbers of doubles between two positive ones. */
static double units_apart(double a, double b) {
  int64_t i, j;
  memcpy(&i, &a, sizeof i);
  memcpy(&j, &b, sizeof j);
  return fabs((double)(i - j));
}

static double exp_of(const executor *exec, double x) {
  double *one = doubles(1);
  *one = x;
  exec->variant->exp_nonpositive(one, 1);
  return *one;
}

static void check_exp(const executor *exec) {
  const size_t n = 20011;
  double *x = doubles(n), *e = doubles(n);
  for (size_t i = 0; i < n; i++) {
    /* Evenly over the range, near 0, and down to the smallest numbers. */
    if (i % 3 == 0) x[i] = -745.0 * uniform();
    if (i % 3 == 1) x[i] = -2.0 * uniform();
    if (i % 3 == 2) x[i] = -exp(-700.0 * uniform());
    e[i] = x[i];
  }
  exec->variant->exp_nonpositive(e, n);
  double worst = 0.0;
  int zero = 1;
  for (size_t i = 0; i < n; i++) {
    if (x[i] < -708.0)
      zero &= e[i] == 0.0;
    else
      compare(&worst, units_apart(e[i], exp(x[i])), 0.0, 1.0);
  }
  CHECK(worst <= 2.0, "exp is within 2 units in the last place: %g", worst);
  CHECK(zero, "exp is 0 below -708");
  release();

  CHECK(exp_of(exec, 0.0) == 1.0, "exp(0) is 1");
  CHECK(exp_of(exec, -0.0) == 1.0, "exp(-0) is 1");
  CHECK(exp_of(exec, -DBL_MIN) == 1.0, "exp of the smallest normal number is 1");
  CHECK(exp_of(exec, -5e-324) == 1.0, "exp of the smallest number is 1");
  CHECK(units_apart(exp_of(exec, -708.0), exp(-708.0)) <= 2.0, "exp(-708) is not yet 0");
  const double beyond = exp_of(exec, nextafter(-708.0, -800.0));
  CHECK(beyond == 0.0 && !signbit(beyond), "exp is 0 just below -708");
  CHECK(exp_of(exec, -745.2) == 0.0, "exp(-745.2) is 0");
  CHECK(exp_of(exec, -1e10) == 0.0, "exp(-1e10) is 0");
  CHECK(exp_of(exec, -DBL_MAX) == 0.0, "exp of the most negative number is 0");
  CHECK(exp_of(exec, -INFINITY) == 0.0, "exp(-Inf) is 0");
  CHECK(isnan(exp_of(exec, NAN)), "exp(NaN) is NaN");
  release();
}

/* Every length, at every distance from a cache line: the same bits, nothing
 * beyond the end, and NaN in one lane stays there. */
static void check_exp_lengths(const executor *exec) {
  for (size_t n = 0; n <= 17; n++) {
    for (size_t shift = 0; shift < 3; shift++) {
      double *buffer = doubles(shift + n), *x = buffer + shift, *from = doubles(n);
      for (size_t i = 0; i < shift; i++) buffer[i] = CANARY;
      for (size_t i = 0; i < n; i++) from[i] = x[i] = -20.0 * uniform();
      if (n > 4) from[n - 2] = x[n - 2] = NAN;
      if (n > 4) from[1] = x[1] = -INFINITY;
      exec->variant->exp_nonpositive(x, n);
      int same = 1;
      for (size_t i = 0; i < n; i++) {
        const double alone = exp_of(exec, from[i]);
        same &= isnan(from[i]) ? isnan(x[i]) : x[i] == alone;
      }
      for (size_t i = 0; i < shift; i++) same &= buffer[i] == CANARY;
      CHECK(same, "exp of %zu numbers is that of each alone", n);
      release();
    }
  }
}

void test_products(const executor *exec) {
  for (size_t columns = 1; columns < 300; columns++) {
    const size_t ld = padded(columns), lines = ld / VECTOR_DOUBLES;
    CHECK(ld >= columns && ld < columns + 2 * VECTOR_DOUBLES && ld % VECTOR_DOUBLES == 0 &&
              (lines < 8 || lines % 2 == 1),
          "%zu columns are padded to %zu", columns, ld);
  }
  CHECK(variant_best() == variant_by_number(VARIANT_AVX512) ||
            variant_best() == variant_by_number(VARIANT_AVX2) ||
            variant_best() == variant_by_number(VARIANT_PLAIN),
        "the best variant is one of them");
  CHECK(variant_by_number(VARIANT_COUNT) == NULL && variant_by_number(-1) == NULL,
        "there is no other variant");
  check_products(exec);
  check_exp(exec);
  check_exp_lengths(exec);
}
