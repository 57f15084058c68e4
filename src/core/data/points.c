#include "points.h"

#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"

/* A squared distance has an error of some 1e-16 of the norms of its points. In bandwidths: norms
 * from which on that shows in the kernel; norms from which on it is no digit at all; and distances
 * beyond which the kernel is too small to matter. */
#define FAR 8.0
#define VERY_FAR 1e10
#define LAST 50.0
#define ROUNDING 1e-15

size_t points_size(size_t count, size_t columns) { return padded(count) * (columns + 1); }

points points_on(double *memory, size_t count, size_t columns) {
  points t = {.count = count, .columns = columns, .ld = padded(count), .x = memory};
  t.norm = memory + t.ld * columns;
  memset(memory, 0, points_size(count, columns) * sizeof *memory);
  return t;
}

void points_norms(points *t) {
  memset(t->norm, 0, t->ld * sizeof *t->norm);
  for (size_t j = 0; j < t->columns; j++) {
    const double *x = t->x + j * t->ld;
    for (size_t l = 0; l < t->count; l++) t->norm[l] += x[l] * x[l];
  }
}

size_t points_single_size(size_t count, size_t columns) {
  return columns * padded_single(count) / 2;
}

void points_round(const executor *exec, points *t) {
  if (t->count == 1) {
    for (size_t j = 0; j < t->columns; j++) t->single[j] = (float)t->x[j * t->ld];
    for (size_t j = t->columns; j < padded_single(t->columns); j++) t->single[j] = 0.0F;
    return;
  }
  const size_t to = padded_single(t->count);
  const int threads = threads_for(exec, 4.0 * (double)t->columns * (double)t->count);
  PARALLEL_FOR(threads, schedule(static))
  for (ptrdiff_t j = 0; j < (ptrdiff_t)t->columns; j++) {
    const double *restrict x = t->x + (size_t)j * t->ld;
    float *restrict single = t->single + (size_t)j * to;
#pragma omp simd
    for (size_t l = 0; l < t->count; l++) single[l] = (float)x[l];
    for (size_t l = t->count; l < to; l++) single[l] = 0.0F;
  }
}

void points_row(const observations *x, size_t i, points *t, size_t l) {
  double *to = t->x + l;
  if (x->kind == ROWS_SPARSE) {
    for (size_t j = 0; j < t->columns; j++) to[j * t->ld] = 0.0;
    for (int e = x->start[i]; e < x->start[i + 1]; e++) {
      to[(size_t)x->column[e] * t->ld] = x->value[e];
    }
  } else if (x->kind == ROWS_DENSE) {
    const double *z = x->real + i * padded(x->columns);
    for (size_t j = 0; j < t->columns; j++) to[j * t->ld] = z[j];
  } else if (x->kind == ROWS_SINGLE) {
    const float *z = x->single + i * padded_single(x->columns);
    for (size_t j = 0; j < t->columns; j++) to[j * t->ld] = z[j];
  } else {
    for (size_t j = 0; j < t->columns; j++) {
      const size_t at = j * x->rows + i;
      const double v = x->kind == COLUMNS_DOUBLE ? x->real[at] : (double)x->whole[at];
      to[j * t->ld] = (v - x->center[j]) * x->scale[j];
    }
  }
}

void points_copy(const points *from, size_t first, points *to) {
  for (size_t j = 0; j < to->columns; j++) {
    memcpy(to->x + j * to->ld, from->x + j * from->ld + first, to->count * sizeof *to->x);
  }
  memcpy(to->norm, from->norm + first, to->count * sizeof *to->norm);
}

void points_to_rows(const points *t, double *rows, size_t ld) {
  for (size_t l = 0; l < t->count; l++, rows += ld) {
    for (size_t j = 0; j < t->columns; j++) rows[j] = t->x[j * t->ld + l];
    for (size_t j = t->columns; j < ld; j++) rows[j] = 0.0;
  }
}

void points_from_rows(const observations *x, size_t first, points *t) {
  for (size_t i = 0; i < t->count; i++) points_row(x, first + i, t, i);
  points_norms(t);
}

/* ||a_k - b_l||^2 by differences. */
static double point_distance(const points *a, size_t k, const points *b, size_t l) {
  double sum = 0.0;
  for (size_t j = 0; j < a->columns; j++) {
    const double d = a->x[j * a->ld + k] - b->x[j * b->ld + l];
    sum += d * d;
  }
  return sum;
}

double points_rounding(const observations *x, const points *t, size_t l) {
  double sum = 0.0;
  for (size_t j = 0; j < t->columns; j++) {
    const double center = in_columns(x) ? x->center[j] * x->scale[j] : 0.0;
    const double size = fabs(t->x[j * t->ld + l] + center) + fabs(center);
    sum += size * size;
  }
  return SAME_COORDINATE * SAME_COORDINATE * sum;
}

static void points_apply(const executor *exec, const points *a, const points *b,
                         const radial_kernel *kernel,
                         void (*f)(const product_variant *, double *, size_t), double *out,
                         size_t ld) {
  const double bandwidth = kernel->bandwidth;
  const int is_rough = kernel->profile->is_rough;
  if (a == b) {
    syrk(exec, points_matrix(a), points_matrix(a), 0, matrix_on(out, a->count, a->count, ld));
  } else {
    gemm_tn(exec, points_matrix(a), points_matrix(b), 0, matrix_on(out, a->count, b->count, ld));
  }
  for (size_t k = 0; k < a->count; k++) {
    double *row = out + k * ld;
    for (size_t l = 0; l < b->count; l++) {
      const double terms = a->norm[k] + b->norm[l];
      double d = terms - 2.0 * row[l];
      if ((terms > VERY_FAR * bandwidth && d < LAST * bandwidth + ROUNDING * terms) ||
          (is_rough && d < CANCELLED * terms)) {
        d = point_distance(a, k, b, l);
      }
      row[l] = (a == b && k == l) || d < 0.0 ? 0.0 : -d / bandwidth;
    }
    f(exec->variant, row, b->count);
    for (size_t l = 0; l < b->count; l++) {
      if ((a == b && k == l) || !((a->norm[k] + b->norm[l]) * row[l] > FAR * bandwidth)) continue;
      row[l] = -point_distance(a, k, b, l) / bandwidth;
      f(exec->variant, row + l, 1);
    }
  }
}

void points_kernel(const executor *exec, const points *a, const points *b, const radial_kernel *k,
                   double *out, size_t ld) {
  points_apply(exec, a, b, k, k->profile->values, out, ld);
}

void points_slopes(const executor *exec, const points *a, const points *b, const radial_kernel *k,
                   double *out, size_t ld) {
  points_apply(exec, a, b, k, k->profile->slopes, out, ld);
}
