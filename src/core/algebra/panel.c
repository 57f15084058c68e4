#include "panel.h"

#include <string.h>

#include "linear.h"

size_t panel_place(const panel *p, size_t column) {
  size_t at = 0;
  while (at < p->count && p->column[at] != column) at++;
  return at;
}

void panel_choose(panel *p, size_t n, size_t fixed, size_t next, const double *score) {
  size_t most = 2 * p->used;
  most = p->count == 0 || most > PANEL ? PANEL : most < 8 ? 8 : most;
  p->count = p->used = 0;
  if (next < fixed) {
    while (p->count < most && next < fixed && next < n) p->column[p->count++] = next++;
    return;
  }
  for (size_t i = fixed; i < n; i++) {
    if (score[i] < 0.0) continue;
    if (p->count == most && score[i] <= score[p->column[most - 1]]) continue;
    size_t at = p->count < most ? p->count++ : most - 1;
    for (; at > 0 && score[p->column[at - 1]] < score[i]; at--) {
      p->column[at] = p->column[at - 1];
    }
    p->column[at] = i;
  }
}

void panel_columns(const panel *p, size_t n, size_t ld, const double *g, double *residual) {
  for (size_t c = 0; c < p->count; c++) {
    memcpy(residual + c * ld, g + p->column[c] * ld, n * sizeof *g);
  }
}

void panel_subtract(const executor *exec, const panel *p, size_t n, size_t ld, size_t rank,
                    const double *by, const double *basis, double *share, double *residual) {
  if (rank == 0) return;
  for (size_t k = 0; k < rank; k++) {
    for (size_t c = 0; c < p->count; c++) share[k * PANEL + c] = by[k * ld + p->column[c]];
  }
  gemm_tn(exec, matrix_on(share, rank, p->count, PANEL), matrix_on(basis, rank, n, ld), -1,
          matrix_on(residual, p->count, n, ld));
}
