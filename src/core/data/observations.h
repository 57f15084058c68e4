/*
 * The data, seen through one view whatever they are stored as.
 *
 * The kernel sees every observation shifted and scaled,
 *
 *   z[j] = (x[j] - center[j]) * scale[j],
 *
 * distances do not change by the shift, and |x|^2 + |t|^2 - 2 x't loses fewer
 * digits after it. Sparse observations are only scaled (a shift would fill
 * them), and their factors are already in their values. A scale of 0 takes a
 * constant column out of all distances.
 */
#ifndef LANDMARKER_OBSERVATIONS_H
#define LANDMARKER_OBSERVATIONS_H

#include "core/algebra/products.h"
#include "core/base/executor.h"

typedef enum {
  COLUMNS_DOUBLE,  /* R's numeric matrix, column by column */
  COLUMNS_INTEGER, /* R's integer or logical matrix */
  ROWS_DENSE,      /* each observation contiguous, ready for the products */
  ROWS_SPARSE,     /* compressed sparse rows */
  ROWS_SINGLE      /* as ROWS_DENSE, rounded to single precision: for random batches, whose noise is
                      far above the rounding */
} layout;

typedef struct {
  layout kind;
  size_t rows, columns;
  const double *real;   /* COLUMNS_DOUBLE: rows x columns; ROWS_DENSE: rows x padded(columns), the
                           padding zero */
  const float *single;  /* ROWS_SINGLE: rows x padded_single(columns), the padding zero */
  const int *whole;     /* COLUMNS_INTEGER */
  const double *center; /* `columns` doubles; the COLUMNS layouts only */
  const double *scale;
  const int *start; /* ROWS_SPARSE: rows + 1 */
  const int *column;
  const double *value;
  const double *weight; /* one for each row, or NULL for all 1 */
  const double *norm;   /* ROWS layouts: ||z||^2 of each row if it is known, or NULL; ROWS_SINGLE:
                           known, of the rounded row */
} observations;

/* x[j] of a coordinate z[j]; the constant itself in a column of scale 0. */
static inline double in_data_unit(double z, double center, double scale) {
  return scale > 0.0 ? z / scale + center : center;
}

/* Whether they are stored by columns, in the data's units; else by rows, ready for the kernel. */
static inline int in_columns(const observations *x) {
  return x->kind == COLUMNS_DOUBLE || x->kind == COLUMNS_INTEGER;
}

/* Rows [first, first + count) of a ROWS layout, where they stand. */
observations observations_some(const observations *x, size_t first, size_t count);

/* Rows that stand one behind the other already, each of padded(columns) doubles, its padding zero;
 * neither weights nor norms. */
observations observations_dense(const double *z, size_t rows, size_t columns);

/* Rows of a COLUMNS layout as ROWS_DENSE: rows `index[0..count)` (from 0), or
 * first, first + 1, ... where `index` is NULL, into `out`, count x
 * padded(columns). Time and memory count * columns. */
void observations_gather(const executor *exec, const observations *x, const int *index,
                         size_t first, size_t count, double *out);

/* The same for rows in any order, and ||z||^2 of each in `norm`. Those whose numbers are near are
 * read together, so that a cache line of a column serves all of its rows. `order`: scratch of 2
 * count + 1 integers. */
void observations_gather_any(const executor *exec, const observations *x, const int *index,
                             size_t count, int *order, double *out, double *norm);

/* The same as ROWS_SINGLE, into count x padded_single(columns) floats. */
void observations_gather_single(const executor *exec, const observations *x, const int *index,
                                size_t count, int *order, float *out, double *norm);

/* Rows of a COLUMNS layout as they are, neither shifted nor scaled, by columns: count x columns. */
void observations_rows(const executor *exec, const observations *x, const int *index, size_t count,
                       double *out);

/* The same for ROWS_SPARSE. `start` has count + 1 entries; `column` and `value`
 * have to hold observations_entries(x, index, count), which is 0 for other layouts. */
size_t observations_entries(const observations *x, const int *index, size_t count);
void observations_gather_sparse(const observations *x, const int *index, size_t count, int *start,
                                int *column, double *value);

/* out[i] = ||z_i||^2 of all rows of a ROWS layout. Time rows * columns. */
void observations_norms(const executor *exec, const observations *x, double *out);

/* ||z||^2 of a row of padded(columns) doubles, its padding zero. */
double dense_norm(const double *z, size_t columns);

/* Compressed sparse columns (R's dgCMatrix) to rows, or back: with the roles
 * of rows and columns exchanged it is its own inverse. `scale`, or NULL, has a
 * scale for each of the `major` slices of the input. `next` has `minor`
 * entries of scratch. Time entries + minor, entries of a slice in order. */
void compressed_transpose(size_t major, size_t minor, const int *start, const int *inner,
                          const double *value, const double *scale, int *start_out, int *inner_out,
                          double *value_out, int *next);

#endif
