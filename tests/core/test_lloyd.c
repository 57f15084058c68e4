/* Lloyd's iterations: which center is nearest, and where centers go. */
#include <limits.h>
#include <string.h>

#include "check.h"
#include "core/select/lloyd.h"
#include "fixture.h"

static size_t polls;
static void poll(void) { polls++; }

static lloyd clusters(const executor *exec, const data *d, size_t fixed, size_t moving) {
  lloyd a;
  arena measure = {0};
  lloyd_layout(&a, &measure, exec, &d->x, fixed + moving);
  arena memory = arena_of(measure);
  lloyd_layout(&a, &memory, exec, &d->x, fixed + moving);
  a.label = integers(d->x.rows);
  a.squared = doubles(d->x.rows);
  CHECK(memory.used == measure.used, "Lloyd's iterations use what they measured");
  seed(fixed + 7 * moving);
  points_fill(&a.centers);
  lloyd_begin(&a);
  return a;
}

static void move(lloyd *a, size_t fixed) {
  lloyd_sums(a);
  lloyd_move(a, fixed);
}

/* `most` iterations at the most; *settled: whether the last has changed nothing. */
static int run(lloyd *a, size_t fixed, int most, int *settled) {
  int done = 0;
  for (*settled = 0; done < most && !*settled; done++) *settled = lloyd_step(a, fixed);
  return done;
}

/* The center that is nearest by differences, and whether another is about as near. */
static int plain_nearest(const data *d, size_t i, const points *t, double *squared, int *unclear) {
  int best = 0;
  double second = INFINITY;
  *squared = plain_distance(d, i, t, 0);
  for (size_t l = 1; l < t->count; l++) {
    const double here = plain_distance(d, i, t, l);
    if (here < *squared) {
      second = *squared;
      *squared = here;
      best = (int)l;
    } else if (here < second) {
      second = here;
    }
  }
  *unclear = second - *squared < 1e-7 * *squared;
  return best;
}

static void check_assigned(const lloyd *a, const data *d) {
  double worst = 0.0;
  size_t other = 0;
  for (size_t i = 0; i < d->x.rows; i++) {
    double squared;
    int unclear;
    const int best = plain_nearest(d, i, &a->centers, &squared, &unclear);
    other += a->label[i] != best && !unclear;
    compare_relative(&worst, a->squared[i], squared);
  }
  CHECK(other == 0 && worst < 1e-9,
        "every row goes to its nearest center (%s): %zu do not, error %g", layout_name[d->x.kind],
        other, worst);
}

/* Center l as the weighted mean of its rows, in long double; returns their weight. */
static double plain_mean(const lloyd *a, const data *d, int l, long double *mean) {
  const size_t columns = d->x.columns;
  long double size = 0.0;
  for (size_t j = 0; j < columns; j++) mean[j] = 0.0;
  for (size_t i = 0; i < d->x.rows; i++) {
    if (a->label[i] != l) continue;
    size += weight_of(d, i);
    for (size_t j = 0; j < columns; j++)
      mean[j] += (long double)weight_of(d, i) * d->z[i * columns + j];
  }
  for (size_t j = 0; j < columns; j++) mean[j] /= size;
  return (double)size;
}

static void check_moved(const lloyd *a, const data *d, size_t fixed, const points *before) {
  double worst = 0.0, sizes = 0.0;
  int kept = 1;
  long double mean[64];
  for (size_t l = 0; l < a->centers.count; l++) {
    const double size = plain_mean(a, d, (int)l, mean);
    compare_relative(&sizes, a->size[l], size);
    for (size_t j = 0; j < d->x.columns; j++) {
      const double at = *coordinate(&a->centers, l, j);
      if (l < fixed || size == 0.0) {
        kept &= at == *coordinate(before, l, j);
      } else {
        compare_relative(&worst, at, (double)mean[j]);
      }
    }
  }
  CHECK(worst < 1e-12 && sizes < 1e-12, "centers go to the means (%s, weighted %d): errors %g, %g",
        layout_name[d->x.kind], d->x.weight != NULL, worst, sizes);
  CHECK(kept, "centers that are fixed, or have no rows, stay where they are");
}

static points copy_of(const points *t) {
  points copy = points_on(doubles(points_size(t->count, t->columns)), t->count, t->columns);
  points_copy(t, 0, &copy);
  return copy;
}

static int same_bits(const lloyd *a, const lloyd *b) {
  const size_t rows = a->x->rows, room = a->centers.ld * a->x->columns;
  return memcmp(a->label, b->label, rows * sizeof *a->label) == 0 &&
         memcmp(a->squared, b->squared, rows * sizeof *a->squared) == 0 &&
         memcmp(a->centers.x, b->centers.x, room * sizeof *a->centers.x) == 0;
}

static void check_steps(const executor *exec, layout kind, int weighted, size_t rows, size_t fixed,
                        size_t moving) {
  const executor polled = {exec->threads, exec->variant, poll, NULL}, other = other_threads(exec);
  const data d = data_make(kind, rows, 5, weighted);
  lloyd a = clusters(&polled, &d, fixed, moving), b = clusters(&other, &d, fixed, moving);
  /* Out of reach of all rows: it gets none. */
  if (moving > 3) {
    *coordinate(&a.centers, fixed + 1, 0) = *coordinate(&b.centers, fixed + 1, 0) = 1e3;
    points_norms(&a.centers);
    points_norms(&b.centers);
  }
  for (int step = 0; step < 3; step++) {
    int *earlier = integers(rows);
    memcpy(earlier, a.label, rows * sizeof *earlier);
    polls = 0;
    const size_t changed = lloyd_assign(&a);
    CHECK(polls > 0, "a pass over the rows is polled for");
    lloyd_assign(&b);
    size_t want = 0;
    for (size_t i = 0; i < rows; i++) want += a.label[i] != earlier[i] && weight_of(&d, i) > 0.0;
    CHECK(changed == want, "%zu rows of weight above 0 have changed, not %zu", want, changed);
    check_assigned(&a, &d);
    CHECK(lloyd_assign(&a) == 0, "assigning again changes nothing");
    const points before = copy_of(&a.centers);
    move(&a, fixed);
    move(&b, fixed);
    check_moved(&a, &d, fixed, &before);
    CHECK(same_bits(&a, &b), "%d threads leave the same bits (%zu %s)", other.threads, rows,
          layout_name[kind]);
    for (size_t l = fixed; l < fixed + moving; l++) {
      if (a.size[l] == 0.0 && step == 0)
        CHECK(moving > 3 && l == fixed + 1, "only the center far away has lost its rows");
    }
    /* Back among the others. */
    points_norms(&a.centers);
    points_norms(&b.centers);
  }
  release();
}

static void check_run(const executor *exec, layout kind, int weighted) {
  const data d = data_make(kind, 500, 5, weighted);
  lloyd a = clusters(exec, &d, 1, 6);
  int settled;
  const int done = run(&a, 1, 1000, &settled);
  CHECK(settled && done < 1000, "it settles");
  CHECK(lloyd_assign(&a) == 0, "no row has another nearest center then");
  const points before = copy_of(&a.centers);
  check_assigned(&a, &d);
  check_moved(&a, &d, 1, &before);
  release();
}

/* Centers at one place: rows go to the first, however their products round. */
static void check_ties(const executor *exec, layout kind, size_t centers) {
  const data d = data_make(kind, 300, 5, 0);
  lloyd a = clusters(exec, &d, 0, centers);
  const size_t same = centers - 1, near = centers - 4;
  for (size_t j = 0; j < 5; j++) {
    *coordinate(&a.centers, same, j) = *coordinate(&a.centers, 2, j);
    *coordinate(&a.centers, near, j) = *coordinate(&a.centers, 2, j) * (1.0 + 1e-13);
  }
  points_norms(&a.centers);
  lloyd_assign(&a);
  size_t first = 0, later = 0;
  for (size_t i = 0; i < 300; i++) {
    first += a.label[i] == 2;
    later += a.label[i] == (int)near || a.label[i] == (int)same;
  }
  CHECK(first > 0 && later == 0, "of centers that tie the first gets the rows (%s): %zu and %zu",
        layout_name[kind], first, later);
  release();
}

/* Rows in single precision in two heaps far from the origin, with several centers each: no row
 * goes to a center much farther than its nearest. */
static void check_heaps(const executor *exec) {
  const size_t rows = 400, columns = 5, centers = 20, wide = padded_single(columns);
  data d = data_make(ROWS_SINGLE, rows, columns, 0);
  float *single = bytes(rows * wide * sizeof *single);
  double *norm = doubles(rows);
  for (size_t i = 0; i < rows; i++) {
    norm[i] = 0.0;
    for (size_t j = 0; j < wide; j++) {
      float *z = single + i * wide + j;
      *z = j < columns ? (float)d.z[i * columns + j] + (i % 2 ? 1000.0F : -1000.0F) : 0.0F;
      if (j < columns) d.z[i * columns + j] = *z;
      norm[i] += (double)*z * *z;
    }
  }
  d.x.single = single;
  d.x.norm = norm;
  lloyd a = clusters(exec, &d, 0, centers);
  for (size_t l = 0; l < centers; l++) {
    for (size_t j = 0; j < columns; j++) {
      *coordinate(&a.centers, l, j) = d.z[(19 * l) * columns + j] + 1e-3;
    }
  }
  points_norms(&a.centers);
  lloyd_assign(&a);
  double worst = 0.0;
  for (size_t i = 0; i < rows; i++) {
    double squared;
    int unclear;
    plain_nearest(&d, i, &a.centers, &squared, &unclear);
    worst = fmax(worst, plain_distance(&d, i, &a.centers, (size_t)a.label[i]) / squared);
  }
  CHECK(worst < 1.005, "rows go to the nearest of close centers far away: one is %g times as far",
        worst);
  release();
}

void test_lloyd(const executor *exec) {
  const layout kinds[] = {COLUMNS_DOUBLE, COLUMNS_INTEGER, ROWS_SPARSE};
  for (int k = 0; k < 3; k++) {
    for (int weighted = 0; weighted < 2; weighted++) {
      check_steps(exec, kinds[k], weighted, 60, 0, 3);
      check_steps(exec, kinds[k], weighted, 301, 2, 9);
      check_steps(exec, kinds[k], weighted, 70, 4, 0);
      if (weighted == k % 2) check_steps(exec, kinds[k], weighted, 16500, 0, 8);
      check_run(exec, kinds[k], weighted);
    }
    check_ties(exec, kinds[k], 9);
    check_ties(exec, kinds[k], 25);
  }
  check_heaps(exec);
}
