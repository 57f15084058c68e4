/* Active learning: the remaining diagonal, and which row comes next. */
#include <string.h>

#include "check.h"
#include "core/select/active.h"
#include "fixture.h"

#define BANDWIDTH 0.9
#define COLUMNS 3
#define SEVERAL 4133 /* more rows than a block has, the last block not full */
#define TAKEN 10     /* a row of the factor is longer than the padding of a buffer hides */

static size_t polls;
static void poll(void) { polls++; }

static active_search searcher(const executor *exec, const data *d, size_t fixed, size_t most) {
  active_search a;
  LAY_OUT_CHECKED(
      memory, active_layout(&a, &memory, exec, &d->x, gaussian_kernel(BANDWIDTH), fixed + most));
  return a;
}

static void start(active_search *a, const points *fixed) {
  active_start(a, fixed, doubles(fixed->count * padded(fixed->count)));
}

/* Places that are conditioned on, in kernel coordinates, COLUMNS each. */
typedef struct {
  size_t count;
  long double at[16 * COLUMNS];
} places;

static void add_point(places *s, const points *t, size_t l) {
  for (size_t j = 0; j < COLUMNS; j++) s->at[s->count * COLUMNS + j] = *coordinate(t, l, j);
  s->count++;
}

static void add_row(places *s, const data *d, size_t i) {
  for (size_t j = 0; j < COLUMNS; j++) s->at[s->count * COLUMNS + j] = d->z[i * COLUMNS + j];
  s->count++;
}

static long double kernel(const long double *a, const long double *b) {
  long double sum = 0.0;
  for (size_t j = 0; j < COLUMNS; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return expl(-sum / BANDWIDTH);
}

static void cross(const data *d, size_t i, const places *s, long double *out) {
  long double row[COLUMNS];
  for (size_t j = 0; j < COLUMNS; j++) row[j] = d->z[i * COLUMNS + j];
  for (size_t k = 0; k < s->count; k++) out[k] = kernel(row, s->at + k * COLUMNS);
}

/* Eq. 3 as it is written, with an explicit inverse. */
static double *plain_left(const data *d, const places *s) {
  const size_t n = s->count;
  long double own[16 * 16], k[16];
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++)
      own[i * n + j] = kernel(s->at + i * COLUMNS, s->at + j * COLUMNS);
  }
  const long double *inverse = plain_inverse(n, own);
  double *left = doubles(d->x.rows);
  for (size_t i = 0; i < d->x.rows; i++) {
    cross(d, i, s, k);
    long double rest = 1.0;
    for (size_t a = 0; a < n; a++) {
      for (size_t b = 0; b < n; b++) rest -= k[a] * inverse[a * n + b] * k[b];
    }
    left[i] = (double)rest;
  }
  return left;
}

static void check_left(const active_search *a, const data *d, const places *s, const char *when) {
  const double *want = plain_left(d, s);
  long double trace = 0.0;
  double worst = 0.0;
  int inside = 1;
  for (size_t i = 0; i < d->x.rows; i++) {
    compare(&worst, a->left[i], want[i], 1.0);
    trace += (long double)weight_of(d, i) * want[i];
    inside &= a->left[i] >= 0.0;
  }
  CHECK(worst < 1e-9, "%zu %s, weighted %d, %s: left is eq. 3's, error %g", d->x.rows,
        layout_name[d->x.kind], d->x.weight != NULL, when, worst);
  CHECK(inside, "nothing left is below 0");
  worst = 0.0;
  compare(&worst, active_summarize(a).trace, (double)trace, (double)d->x.rows);
  CHECK(worst < 1e-9, "the trace is the weighted sum of what is left (%s): error %g", when, worst);
}

/* Column k of the factor reproduces the kernel of all rows with place k. */
static void check_factor(const active_search *a, const data *d, const places *s, size_t first,
                         const size_t *rows) {
  double worst = 0.0;
  long double k[16];
  for (size_t i = 0; i < d->x.rows; i++) {
    cross(d, i, s, k);
    for (size_t r = 0; r < TAKEN; r++) {
      long double product = 0.0;
      for (size_t m = 0; m < a->done; m++)
        product += (long double)a->factor[m * d->x.rows + i] * a->factor[m * d->x.rows + rows[r]];
      compare(&worst, (double)product, (double)k[first + r], 1.0);
    }
  }
  CHECK(worst < 1e-11, "the factor gives the kernel's columns back (%s): error %g",
        layout_name[d->x.kind], worst);
}

/* `repeated`: the last of them is the first once more, which adds nothing. */
static points fixed_points(size_t count, int repeated) {
  points fixed = points_on(doubles(points_size(count, COLUMNS)), count, COLUMNS);
  seed(17);
  points_fill(&fixed);
  for (size_t j = 0; repeated && j < COLUMNS; j++)
    *coordinate(&fixed, count - 1, j) = *coordinate(&fixed, 0, j);
  points_norms(&fixed);
  return fixed;
}

static void check_search(const executor *exec, layout kind, int weighted, size_t rows, size_t fixed,
                         int repeated) {
  const executor polled = {exec->threads, exec->variant, poll, NULL}, other = other_threads(exec);
  const data d = data_make(kind, rows, COLUMNS, weighted);
  active_search a = searcher(&polled, &d, fixed, TAKEN), b = searcher(&other, &d, fixed, TAKEN);
  places s = {0};
  size_t taken[TAKEN];
  const points given = fixed_points(fixed, repeated);
  polls = 0;
  start(&a, &given);
  start(&b, &given);
  CHECK(polls >= fixed, "each fixed landmark is polled for");
  for (size_t l = 0; l < fixed - (size_t)repeated; l++) add_point(&s, &given, l);
  const size_t independent = s.count;
  check_left(&a, &d, &s, "held alone");
  for (size_t k = 0; k < TAKEN; k++) {
    const double *want = plain_left(&d, &s);
    double best = -1.0;
    for (size_t i = 0; i < rows; i++) {
      if (weight_of(&d, i) > 0.0 && want[i] > best) best = want[i];
    }
    const active_summary now = active_summarize(&a);
    taken[k] = active_tie(&a, now.largest, 0.999 * now.mass);
    CHECK(want[taken[k]] > best * (1.0 - 1e-9) - 1e-10 && fabs(now.largest - best) < 1e-10 &&
              now.ties > 0,
          "row %zu, the %zu. pivot, has most left (%s, weighted %d)", taken[k], k + 1,
          layout_name[kind], weighted);
    CHECK(weight_of(&d, taken[k]) > 0.0, "a row of weight 0 is no candidate");
    active_take(&a, taken[k]);
    active_take(&b, taken[k]);
    CHECK(a.left[taken[k]] == 0.0, "nothing is left of a row that was taken");
    add_row(&s, &d, taken[k]);
    check_left(&a, &d, &s, repeated ? "with a fixed one repeated" : "after a pivot");
  }
  check_factor(&a, &d, &s, independent, taken);
  CHECK(a.done == fixed + TAKEN && memcmp(a.left, b.left, rows * sizeof *a.left) == 0 &&
            memcmp(a.factor, b.factor, rows * a.done * sizeof *a.factor) == 0,
        "%d threads leave the same bits (%zu %s)", other.threads, rows, layout_name[kind]);
  /* Once more on the same memory: nothing of the first time is in the way. */
  start(&a, &given);
  for (size_t k = 0; k < TAKEN; k++) active_take(&a, taken[k]);
  CHECK(memcmp(a.left, b.left, rows * sizeof *a.left) == 0, "a search starts anew");
  release();
}

/* Blocks enough for every thread to be in its own at the same time. */
static void check_threads(const executor *exec, layout kind) {
  const size_t rows = 20011;
  const executor other = other_threads(exec);
  const data d = data_make(kind, rows, COLUMNS, 0);
  active_search a = searcher(exec, &d, 1, 4), b = searcher(&other, &d, 1, 4);
  const points given = fixed_points(1, 0);
  start(&a, &given);
  start(&b, &given);
  for (size_t k = 0; k < 4; k++) {
    active_take(&a, 4999 * (k + 1));
    active_take(&b, 4999 * (k + 1));
  }
  CHECK(memcmp(a.factor, b.factor, 5 * rows * sizeof *a.factor) == 0 &&
            memcmp(a.left, b.left, rows * sizeof *a.left) == 0,
        "%d threads leave the same bits (%zu %s)", other.threads, rows, layout_name[kind]);
  release();
}

/* Rows that are one another: what is taken leaves nothing of its copies. */
static void check_repeated_rows(const executor *exec) {
  const size_t rows = 9;
  data d = data_make(COLUMNS_DOUBLE, rows, COLUMNS, 0);
  double *real = doubles(rows * COLUMNS);
  for (size_t j = 0; j < COLUMNS; j++) {
    for (size_t i = 0; i < rows; i++) {
      real[j * rows + i] = d.x.real[j * rows + i % 3];
      d.z[i * COLUMNS + j] = d.z[i % 3 * COLUMNS + j];
    }
  }
  d.x.real = real;
  active_search a = searcher(exec, &d, 0, 3);
  const points none = fixed_points(0, 0);
  start(&a, &none);
  active_summary now = active_summarize(&a);
  CHECK(now.largest == 1.0 && now.ties == rows && now.mass == (double)rows,
        "at first all rows tie");
  for (size_t k = 0; k < 3; k++) active_take(&a, k + 3);
  now = active_summarize(&a);
  CHECK(now.largest < 1e-14 && now.trace < 1e-13,
        "three different rows leave nothing of nine, but %g", now.trace);
  release();
}

/* The three choices, on a remaining diagonal of our own. */
static void check_choices(const executor *exec, int weighted) {
  const size_t rows = 40;
  const data d = data_make(COLUMNS_DOUBLE, rows, COLUMNS, weighted);
  active_search a = searcher(exec, &d, 0, 1);
  for (size_t i = 0; i < rows; i++)
    a.left[i] = i % 5 == 2 || i == 0 || i + 1 == rows ? 0.0 : 0.5 * uniform();
  /* The largest, three times; where there are weights that of row 13 is 0. */
  const size_t out = rows / 3, tied[] = {4, 21, 38};
  a.left[out] = weighted ? 0.9 : 0.1;
  for (size_t k = 0; k < 3; k++) a.left[tied[k]] = 0.75;
  long double mass = 0.0;
  for (size_t k = 0; k < 3; k++) mass += weight_of(&d, tied[k]);
  for (int level = 0; level < 3; level++) {
    const active_summary now = active_summarize(&a);
    CHECK(now.largest == 0.75 && now.ties == 3, "three rows tie, found %zu", now.ties);
    CHECK(fabs(now.mass - (double)mass) < 1e-12, "their weight is %g, not %g", (double)mass,
          now.mass);
    /* By weight: the share of each begins where that of the one before ends. */
    long double before = 0.0;
    for (size_t k = 0; k < 3; k++) {
      const long double part = weight_of(&d, tied[k]);
      const double from = (double)(before + 1e-6 * part);
      const double to = (double)(before + (1.0 - 1e-6) * part);
      CHECK(active_tie(&a, 0.75, from) == tied[k] && active_tie(&a, 0.75, to) == tied[k],
            "the share of tie %zu is row %zu's", k, tied[k]);
      before += part;
    }
    /* Once more, with the row that does not count as large as they are; and with
     * rows that tie but for rounding, beside one that is just below. */
    a.left[out] = weighted ? 0.75 : 0.1;
    if (level == 1) {
      a.left[tied[0]] *= 1.0 - 1e-12;
      a.left[tied[2]] *= 1.0 - 5e-10;
      a.left[30] = 0.75 * (1.0 - 2e-9);
    }
  }

  long double total = 0.0, sum = 0.0;
  for (size_t i = 0; i < rows; i++) total += (long double)weight_of(&d, i) * a.left[i];
  size_t first = rows, last = 0;
  for (size_t i = 0; i < rows; i++) {
    const long double part = (long double)weight_of(&d, i) * a.left[i];
    if (part > 0.0) {
      const long double at[] = {1e-6, 0.5, 1.0 - 1e-6};
      for (size_t k = 0; k < 3; k++) {
        const size_t row = active_draw(&a, (double)(sum + at[k] * part));
        CHECK(row == i, "the share %g of row %zu is drawn as row %zu", (double)at[k], i, row);
      }
      if (first == rows) first = i;
      last = i;
    }
    sum += part;
  }
  CHECK(active_draw(&a, 1e-300) == first && active_draw(&a, 2.0 * (double)total) == last,
        "the ends of the draw are the first and the last row with a share");
  release();
}

/* Uniform numbers, and how many were drawn. */
static size_t drawn;
static void draw(double *out, size_t count) {
  for (size_t k = 0; k < count; k++) out[k] = uniform();
  drawn += count;
}
static void report(void *context) { *(size_t *)context += 1; }

/* The rows chosen are those of the steps, with one uniform number where a row is drawn; and the
 * choice ends where little is left of all, or of each. */
static void check_choose(const executor *exec, layout kind, int weighted) {
  const executor drawing = {exec->threads, exec->variant, NULL, draw};
  const data d = data_make(kind, 60, COLUMNS, weighted);
  active_search a = searcher(&drawing, &d, 2, TAKEN), b = searcher(exec, &d, 2, TAKEN);
  const points none = fixed_points(0, 0);
  double share[TAKEN], all = 0.0;
  int chosen[TAKEN];
  for (size_t i = 0; i < 60; i++) all += weight_of(&d, i);
  for (int random = 0; random < 2; random++) {
    size_t reported = 0;
    active_rule rule = {TAKEN, random, 1e-12, report, &reported};
    drawn = 0;
    start(&a, &none);
    seed(5);
    CHECK(active_choose(&a, &rule, chosen, share) == TAKEN, "as many rows as are wanted");
    CHECK(reported == TAKEN && (random ? drawn == TAKEN : drawn >= 1 && drawn < TAKEN),
          "a row that ties with no other takes no random number");
    start(&b, &none);
    seed(5);
    int same = 1;
    double worst = 0.0;
    for (size_t k = 0; k < TAKEN; k++) {
      const active_summary now = active_summarize(&b);
      const double u = random || now.ties > 1 ? uniform() : 0.5;
      const size_t row =
          random ? active_draw(&b, u * now.trace) : active_tie(&b, now.largest, u * now.mass);
      same &= row == (size_t)chosen[k];
      active_take(&b, row);
      compare(&worst, share[k], active_summarize(&b).trace / all, 1.0);
    }
    CHECK(same && worst < 1e-15, "rows are chosen step by step (random %d)", random);
    rule.floor = 1.0;
    start(&a, &none);
    CHECK(active_choose(&a, &rule, chosen, share) == 0, "no row has more than this left");
  }
  release();
}

void test_active(const executor *exec) {
  const layout kinds[] = {COLUMNS_DOUBLE, COLUMNS_INTEGER, ROWS_SPARSE};
  for (int weighted = 0; weighted < 2; weighted++) {
    for (int k = 0; k < 3; k++) {
      check_search(exec, kinds[k], weighted, 60, 0, 0);
      check_search(exec, kinds[k], weighted, 60, 1, 0);
      check_search(exec, kinds[k], weighted, 61, 6, 0);
      check_search(exec, kinds[k], weighted, 61, 4, 1);
      if (weighted == k % 2) check_search(exec, kinds[k], weighted, SEVERAL, 2, 0);
    }
    check_choices(exec, weighted);
    for (int k = 0; k < 3; k++) check_choose(exec, kinds[k], weighted);
  }
  check_repeated_rows(exec);
  check_threads(exec, COLUMNS_DOUBLE);
  check_threads(exec, ROWS_SPARSE);
}
