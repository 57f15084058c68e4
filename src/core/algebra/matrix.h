/*
 * A view of a dense matrix by rows: all of an array, or a block of a larger one.
 */
#ifndef LANDMARKER_MATRIX_H
#define LANDMARKER_MATRIX_H

#include <stddef.h>

typedef struct {
  double *x;
  size_t rows, columns;
  size_t stride; /* from one row to the next, at least `columns` */
} matrix;

/* One in single precision, which is only read. */
typedef struct {
  const float *x;
  size_t rows, columns, stride;
} single_matrix;

/* Also of an array that is only read: functions say which of their matrices they write to. */
static inline matrix matrix_on(const double *x, size_t rows, size_t columns, size_t stride) {
  const matrix view = {(double *)x, rows, columns, stride};
  return view;
}

/* The block of `rows` x `columns` that begins at (row, column). */
static inline matrix matrix_block(matrix m, size_t row, size_t column, size_t rows,
                                  size_t columns) {
  return matrix_on(m.x + row * m.stride + column, rows, columns, m.stride);
}

#endif
