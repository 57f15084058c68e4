#include "columns.h"

#include <string.h>

#define BLOCK_ROWS 2048 /* 16 KB of results: they stay in the first cache */

static void add_real(size_t n, const double *restrict x, double center, double factor,
                     double *restrict out) {
#pragma omp simd
  for (size_t i = 0; i < n; i++) {
    const double d = (x[i] - center) * factor;
    out[i] += d * d;
  }
}

static void add_whole(size_t n, const int *restrict x, double center, double factor,
                      double *restrict out) {
#pragma omp simd
  for (size_t i = 0; i < n; i++) {
    const double d = (x[i] - center) * factor;
    out[i] += d * d;
  }
}

void columns_distances(const executor *exec, const observations *x, size_t first, size_t count,
                       const double *t, size_t apart, double *out) {
  const ptrdiff_t blocks = (ptrdiff_t)((count + BLOCK_ROWS - 1) / BLOCK_ROWS);
  const int threads = threads_for(exec, 3.0 * (double)count * (double)x->columns);
  (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
#endif
  for (ptrdiff_t b = 0; b < blocks; b++) {
    const size_t from = (size_t)b * BLOCK_ROWS;
    const size_t rows = count - from < BLOCK_ROWS ? count - from : BLOCK_ROWS;
    memset(out + from, 0, rows * sizeof *out);
    for (size_t j = 0; j < x->columns; j++) {
      /* z - t = (x - c) * factor with c the point in the user's coordinates. */
      const double c = x->center[j] + t[j * apart] / x->factor[j];
      const size_t at = j * x->rows + first + from;
      if (x->kind == COLUMNS_DOUBLE) {
        add_real(rows, x->real + at, c, x->factor[j], out + from);
      } else {
        add_whole(rows, x->whole + at, c, x->factor[j], out + from);
      }
    }
  }
}
