/* The start of a climb on batches: the best of some points. */
#include "check.h"
#include "core/optim/batches.h"
#include "core/optim/trace.h"
#include "core/optim/volume.h"
#include "fixture.h"

#define BANDWIDTH 0.9
#define COLUMNS 3

/* One landmark starts at the best of some points on a batch of its own. */
static void check_starts(const executor *exec, const criterion *of) {
  enum { STARTS = 6, HELD = 2 };
  const data d = data_make(COLUMNS_DOUBLE, 120, COLUMNS, 1);
  const space where = {.kind = SPACE_EUCLIDEAN};
  const climb_problem problem = {gaussian_kernel(BANDWIDTH), of, &where, HELD, 1};
  const size_t size[2] = {60, 50}, chunk[2] = {1, 1};
  const int steps[2] = {0, 4};
  int *row = integers(110);
  for (size_t i = 0; i < 110; i++) row[i] = (int)below(120);
  batch_schedule schedule = {.count = 2,
                             .size = size,
                             .steps = steps,
                             .row = row,
                             .halvings = 8,
                             .chunks = 2,
                             .chunk = chunk};
  batches b, same;
  LAY_OUT_CHECKED(one, batches_layout(&b, &one, exec, &d.x, &problem, &schedule));
  points_fill(&b.ascent.fixed);
  points starts = points_make(STARTS, COLUMNS);
  points_fill(&starts);
  schedule.starts = &starts;
  double *moved = doubles(1), *moved_same = doubles(1);
  batch_schedule begin = schedule;
  begin.count = begin.chunks = 1;
  CHECK(batches_climb(&b, &begin, moved) == 0, "a start is found, where no step is taken");
  const observations first = data_rows(&d, row, size[0]).x;
  ascent a;
  LAY_OUT_CHECKED(own, ascent_layout(&a, &own, exec, &first, &problem, 1));
  points_copy(&b.ascent.fixed, 0, &a.fixed);
  size_t best = 0;
  double highest = -INFINITY;
  for (size_t k = 0; k < STARTS; k++) {
    for (size_t j = 0; j < COLUMNS; j++) *coordinate(&a.now, 0, j) = *coordinate(&starts, k, j);
    points_norms(&a.now);
    const double value = of->value(&a, 1);
    if (value > highest) {
      highest = value;
      best = k;
    }
  }
  int is_best = 1;
  for (size_t j = 0; j < COLUMNS; j++) {
    if (*coordinate(&b.ascent.now, 0, j) != *coordinate(&starts, best, j)) is_best = 0;
  }
  CHECK(is_best, "it is the best on the first batch");
  CHECK(batches_climb(&b, &schedule, moved) > 0, "it moves from there");

  /* As from that point alone. */
  batch_schedule second = schedule;
  second.starts = NULL;
  second.count = second.chunks = 1;
  second.size = size + 1;
  second.steps = steps + 1;
  second.row = row + size[0];
  LAY_OUT_CHECKED(two, batches_layout(&same, &two, exec, &d.x, &problem, &second));
  points_copy(&b.ascent.fixed, 0, &same.ascent.fixed);
  for (size_t j = 0; j < COLUMNS; j++) {
    *coordinate(&same.ascent.now, 0, j) = *coordinate(&starts, best, j);
  }
  points_norms(&same.ascent.now);
  batches_climb(&same, &second, moved_same);
  CHECK(*moved == *moved_same &&
            SAME_BITS(b.ascent.now.x, same.ascent.now.x, COLUMNS * same.ascent.now.ld),
        "the steps are those from that point alone");

  /* Points that are fixed already. */
  for (size_t k = 0; k < STARTS; k++) {
    for (size_t j = 0; j < COLUMNS; j++) {
      *coordinate(&starts, k, j) = *coordinate(&b.ascent.fixed, k % HELD, j);
    }
  }
  points_norms(&starts);
  CHECK(of != &volume_criterion || batches_climb(&b, &schedule, moved) == -1,
        "no start is taken where none has a volume");
  release();
}

void test_starts(const executor *exec) {
  check_starts(exec, &trace_criterion);
  check_starts(exec, &volume_criterion);
}
