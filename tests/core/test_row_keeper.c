/* The climb by sums of rows that are elsewhere goes as the climb on the rows themselves. */
#include <string.h>

#include "check.h"
#include "core/climb/trace.h"
#include "core/climb/volume.h"
#include "fixture.h"

#define BANDWIDTH 0.9
#define PARTS 3

/* Some parts of the data, each with a pass of its own for every sum. */
typedef struct {
  const executor *exec;
  observations part[PARTS];
  int asked; /* for sums */
} keeper;

/* Rows [first, first + count) of ROWS_DENSE. */
static observations cut(const observations *x, size_t first, size_t count) {
  observations part = *x;
  part.rows = count;
  part.real += first * padded(x->columns);
  if (part.weight) part.weight += first;
  if (part.norm) part.norm += first;
  return part;
}

static sweep pass(const keeper *k, int i, size_t n) {
  sweep s;
  arena measure = {0};
  sweep_layout(&s, &measure, k->exec, &k->part[i], BANDWIDTH, 0, n, 0);
  arena memory = arena_of(measure);
  sweep_layout(&s, &memory, k->exec, &k->part[i], BANDWIDTH, 0, n, 0);
  return s;
}

static void add(double *to, const double *from, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] += from[i];
}

static void gram_of(void *context, const points *t, double *g) {
  const keeper *k = context;
  const points none = {0};
  const size_t size = t->count * t->length;
  double *own = doubles(size);
  memset(g, 0, size * sizeof *g);
  memset(own, 0, size * sizeof *own);
  for (int i = 0; i < PARTS; i++) {
    sweep s = pass(k, i, t->count);
    sweep_gram(&s, &none, t, 0, own);
    add(g, own, size);
  }
}

static void sums_of(void *context, const points *t, const double *inverse, points *sums) {
  keeper *k = context;
  k->asked++;
  const points none = {0};
  const size_t size = t->columns * t->length;
  points own = points_on(doubles(points_size(t->count, t->columns)), t->count, t->columns);
  memset(sums->x, 0, size * sizeof *sums->x);
  for (int i = 0; i < PARTS; i++) {
    sweep s = pass(k, i, t->count);
    /* Nothing is left of another pass. */
    sweep_features(&s, &none, t);
    sweep_sums(&s, &none, t, inverse, doubles(sweep_h_size(&s)),
               doubles(t->count * padded(t->columns)), &own);
    add(sums->x, own.x, size);
  }
}

static ascent climber(const executor *exec, const observations *x, const criterion *what,
                      const space *where, size_t n) {
  ascent a;
  const climb_problem problem = {BANDWIDTH, what, where, 0, n};
  arena measure = {0};
  ascent_layout(&a, &measure, exec, x, &problem, 0);
  arena memory = arena_of(measure);
  ascent_layout(&a, &memory, exec, x, &problem, 0);
  seed(17);
  points_fill(&a.now);
  space_project(where, &a.now, 0, a.vector);
  return a;
}

static void check_keeper(const executor *exec, int weighted, const criterion *what, space_kind kind,
                         size_t n) {
  const size_t rows = 90, columns = 2, first[] = {0, 1, 40, rows};
  const data d = data_make(ROWS_DENSE, rows, columns, weighted);
  const space where = {.kind = kind};
  keeper k = {.exec = exec};
  for (int i = 0; i < PARTS; i++) k.part[i] = cut(&d.x, first[i], first[i + 1] - first[i]);
  const row_keeper elsewhere = {&k, gram_of, sums_of};
  /* The data without their values: size and weights. */
  const observations frame = {
      .kind = ROWS_DENSE, .rows = rows, .columns = columns, .weight = d.x.weight};
  ascent a = climber(exec, &d.x, what, &where, n), b = climber(exec, &frame, what, &where, n);
  b.sweep.elsewhere = &elsewhere;
  double *moved = doubles(n), *moved_b = doubles(n), worst = 0.0;
  const climb_result one = plain_climb(&a, 6, 10, 0.0, moved);
  const climb_result two = plain_climb(&b, 6, 10, 0.0, moved_b);
  compare_relative(&worst, two.start, one.start);
  compare_relative(&worst, two.value, one.value);
  for (size_t l = 0; l < n; l++) {
    compare_relative(&worst, moved_b[l], moved[l]);
    for (size_t j = 0; j < columns; j++) {
      compare_relative(&worst, *coordinate(&b.now, l, j), *coordinate(&a.now, l, j));
    }
  }
  CHECK(one.steps > 0 && one.steps == two.steps && one.halvings == two.halvings && k.asked > 0,
        "as many steps on the rows (%d) as on sums of them (%d)", one.steps, two.steps);
  CHECK(worst < 1e-9, "a climb on sums of parts (weighted %d, space %d, %zu): error %g", weighted,
        kind, n, worst);
  release();
}

void test_row_keeper(const executor *exec) {
  for (int weighted = 0; weighted < 2; weighted++) {
    check_keeper(exec, weighted, &volume_criterion, SPACE_EUCLIDEAN, 5);
    check_keeper(exec, weighted, &volume_criterion, SPACE_NONNEGATIVE, 1);
    check_keeper(exec, weighted, &trace_criterion, SPACE_EUCLIDEAN, 5);
    check_keeper(exec, weighted, &trace_criterion, SPACE_SPHERE, 3);
  }
}
