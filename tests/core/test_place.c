/* Places of other points where landmarks were arranged in a plane. */
#include "check.h"
#include "extension_model.h"

/* Landmarks arranged in a plane, in three clusters: rows in one of them, and landmarks where they
 * are. */
static void check_place(const executor *exec, layout kind, size_t columns, size_t n,
                        size_t neighbors, spread_kind spread) {
  const size_t rows = 90;
  data d = data_make(kind, rows, columns, 0);
  const size_t *row = rows_apart(&d, n);
  model m = model_make(&d, row, n, 2, neighbors, spread, 0.3);
  m.plane = 0.8;
  for (size_t l = 0; l < n; l++) {
    m.y[2 * l] = 10.0 * (double)(l % 3) + symmetric();
    m.y[2 * l + 1] = symmetric();
  }
  double *out = doubles(rows * 2), want[2], worst = 0.0, own = 0.0;
  extend(exec, &d.x, &m, rows, 0, rows, out);
  for (size_t i = 0; i < rows; i++) {
    if (plain_is_tied(&m, d.z + i * columns)) continue;
    plain_place(&m, d.z + i * columns, want);
    for (size_t k = 0; k < 2; k++) compare_relative(&worst, out[k * rows + i], want[k]);
  }
  for (size_t l = 0; l < n; l++) {
    for (size_t k = 0; k < 2; k++) compare_relative(&own, out[k * rows + row[l]], m.y[2 * l + k]);
  }
  CHECK(worst < 1e-6, "places by %zu landmarks (%s, spread %d) are off by %g", n, layout_name[kind],
        (int)spread, worst);
  CHECK(own < 1e-6, "places of %zu landmarks (%s, spread %d) are off by %g", n, layout_name[kind],
        (int)spread, own);
  release();
}

void test_place(const executor *exec) {
  for (int kind = 0; kind < LAYOUTS; kind++) {
    check_place(exec, (layout)kind, 3, 20, 4, SPREAD_NONE);
    check_place(exec, (layout)kind, 20, 30, 6, SPREAD_NONE);
    check_place(exec, (layout)kind, 3, 20, 4, SPREAD_DIAGONAL);
  }
}
