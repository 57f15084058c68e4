#include "nearest.h"

void nearest_update(size_t first, size_t count, size_t n, size_t length, const double *distances,
                    size_t k, int *row, double *squared) {
  for (size_t i = 0; i < count; i++) {
    const double *d = distances + i * length;
    for (size_t l = 0; l < n; l++) {
      double *best = squared + l * k;
      int *who = row + l * k;
      if (!(d[l] < best[k - 1])) continue;
      size_t at = k - 1;
      for (; at > 0 && d[l] < best[at - 1]; at--) {
        best[at] = best[at - 1];
        who[at] = who[at - 1];
      }
      best[at] = d[l];
      who[at] = (int)(first + i);
    }
  }
}
