/* Active learning: the remaining diagonal, and which row comes next. */
#include <string.h>

#include "check.h"
#include "core/choose/active.h"
#include "fixture.h"

#define BANDWIDTH 0.9
#define COLUMNS 3
#define SEVERAL 4133 /* more rows than a block has, the last block not full */
#define TAKEN 10     /* a row of the factor is longer than the padding of a buffer hides */

static size_t polls;
static void poll(void) { polls++; }

static active_search searcher(const executor *exec, const data *d, size_t held, size_t most) {
  active_search a;
  arena measure = {0};
  active_layout(&a, &measure, exec, &d->x, BANDWIDTH, held + most);
  arena memory = arena_of(measure);
  active_layout(&a, &memory, exec, &d->x, BANDWIDTH, held + most);
  CHECK(memory.used == measure.used, "a search uses what it measured");
  a.left = doubles(d->x.rows);
  a.factor = doubles(d->x.rows * (held + most));
  return a;
}

static active_rest rest(const active_search *a) {
  const active_rest r = {a->x->rows, a->left, a->x->weight};
  return r;
}

static void start(active_search *a, const points *held) {
  active_start(a, held, doubles(held->count * padded(held->count)));
}

/* Row i of one part is taken by it and by another, or by it alone. */
static void take_both(active_search *a, size_t i, active_search *other) {
  double *row = doubles(a->done);
  active_row(a->factor, a->x->rows, a->done, i, row);
  const double left = a->left[i];
  active_take(a, a->x, i, row, left);
  a->left[i] = 0.0;
  if (other) active_take(other, a->x, i, row, left);
}

static void take(active_search *a, size_t i) { take_both(a, i, NULL); }

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
  const active_rest r = rest(a);
  compare(&worst, active_summarize(&r).trace, (double)trace, (double)d->x.rows);
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
static points held_points(size_t count, int repeated) {
  points held = points_on(doubles(points_size(count, COLUMNS)), count, COLUMNS);
  seed(17);
  points_fill(&held);
  for (size_t j = 0; repeated && j < COLUMNS; j++)
    *coordinate(&held, count - 1, j) = *coordinate(&held, 0, j);
  points_norms(&held);
  return held;
}

static void check_search(const executor *exec, layout kind, int weighted, size_t rows, size_t held,
                         int repeated) {
  const executor polled = {exec->threads, exec->variant, poll, NULL}, other = other_threads(exec);
  const data d = data_make(kind, rows, COLUMNS, weighted);
  active_search a = searcher(&polled, &d, held, TAKEN), b = searcher(&other, &d, held, TAKEN);
  places s = {0};
  size_t taken[TAKEN];
  const points given = held_points(held, repeated);
  polls = 0;
  start(&a, &given);
  start(&b, &given);
  CHECK(polls >= held, "each held landmark is polled for");
  for (size_t l = 0; l < held - (size_t)repeated; l++) add_point(&s, &given, l);
  const size_t independent = s.count;
  check_left(&a, &d, &s, "held alone");
  for (size_t k = 0; k < TAKEN; k++) {
    const double *want = plain_left(&d, &s);
    double best = -1.0;
    for (size_t i = 0; i < rows; i++) {
      if (weight_of(&d, i) > 0.0 && want[i] > best) best = want[i];
    }
    const active_rest r = rest(&a);
    double mass;
    const double largest = active_summarize(&r).largest;
    const size_t ties = active_ties(&r, largest, &mass);
    taken[k] = active_tie(&r, largest, 0.999 * mass);
    CHECK(want[taken[k]] > best * (1.0 - 1e-9) - 1e-10 && fabs(largest - best) < 1e-10 && ties > 0,
          "row %zu, the %zu. pivot, has most left (%s, weighted %d)", taken[k], k + 1,
          layout_name[kind], weighted);
    CHECK(weight_of(&d, taken[k]) > 0.0, "a row of weight 0 is no candidate");
    take(&a, taken[k]);
    take(&b, taken[k]);
    CHECK(a.left[taken[k]] == 0.0, "nothing is left of a row that was taken");
    add_row(&s, &d, taken[k]);
    check_left(&a, &d, &s, repeated ? "with a held one repeated" : "after a pivot");
  }
  check_factor(&a, &d, &s, independent, taken);
  CHECK(a.done == held + TAKEN && memcmp(a.left, b.left, rows * sizeof *a.left) == 0 &&
            memcmp(a.factor, b.factor, rows * a.done * sizeof *a.factor) == 0,
        "%d threads leave the same bits (%zu %s)", other.threads, rows, layout_name[kind]);
  /* Once more on the same memory: nothing of the first time is in the way. */
  start(&a, &given);
  for (size_t k = 0; k < TAKEN; k++) take(&a, taken[k]);
  CHECK(memcmp(a.left, b.left, rows * sizeof *a.left) == 0, "a search starts anew");
  release();
}

/* Blocks enough for every thread to be in its own at the same time. */
static void check_threads(const executor *exec, layout kind) {
  const size_t rows = 20011;
  const executor other = other_threads(exec);
  const data d = data_make(kind, rows, COLUMNS, 0);
  active_search a = searcher(exec, &d, 1, 4), b = searcher(&other, &d, 1, 4);
  const points given = held_points(1, 0);
  start(&a, &given);
  start(&b, &given);
  for (size_t k = 0; k < 4; k++) {
    take(&a, 4999 * (k + 1));
    take(&b, 4999 * (k + 1));
  }
  CHECK(memcmp(a.factor, b.factor, 5 * rows * sizeof *a.factor) == 0 &&
            memcmp(a.left, b.left, rows * sizeof *a.left) == 0,
        "%d threads leave the same bits (%zu %s)", other.threads, rows, layout_name[kind]);
  release();
}

/* Two parts take the same rows of either: what is left at them is what is left of the whole. */
static void check_parts(const executor *exec, layout kind, int weighted) {
  const size_t rows = 71, cut = 26;
  const data d = data_make(kind, rows, COLUMNS, weighted);
  const points given = held_points(2, 0);
  const data piece[2] = {data_part(&d, 0, cut), data_part(&d, cut, rows - cut)};
  active_search whole = searcher(exec, &d, 2, TAKEN), a[2];
  start(&whole, &given);
  for (size_t p = 0; p < 2; p++) {
    a[p] = searcher(exec, &piece[p], 2, TAKEN);
    start(&a[p], &given);
  }
  for (size_t k = 0; k < TAKEN; k++) {
    const size_t row = 7 * k + 3, p = row >= cut;
    take(&whole, row);
    take_both(&a[p], row - p * cut, &a[1 - p]);
    double worst = 0.0, trace = 0.0, largest = -1.0;
    for (size_t i = 0; i < rows; i++)
      compare(&worst, i < cut ? a[0].left[i] : a[1].left[i - cut], whole.left[i], 1.0);
    for (size_t q = 0; q < 2; q++) {
      const active_rest r = rest(&a[q]);
      trace += active_summarize(&r).trace;
      if (active_summarize(&r).largest > largest) largest = active_summarize(&r).largest;
    }
    const active_rest r = rest(&whole);
    CHECK(worst < 1e-11 && fabs(trace - active_summarize(&r).trace) < 1e-10 &&
              fabs(largest - active_summarize(&r).largest) < 1e-11,
          "two parts have left what the whole has (%s): error %g", layout_name[kind], worst);
  }
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
  const points none = held_points(0, 0);
  start(&a, &none);
  const active_rest r = rest(&a);
  double mass;
  CHECK(active_summarize(&r).largest == 1.0 && active_ties(&r, 1.0, &mass) == rows &&
            mass == (double)rows,
        "at first all rows tie");
  for (size_t k = 0; k < 3; k++) take(&a, k + 3);
  CHECK(active_summarize(&r).largest < 1e-14 && active_summarize(&r).trace < 1e-13,
        "three different rows leave nothing of nine, but %g", active_summarize(&r).trace);
  release();
}

/* The three choices, on a remaining diagonal of our own. */
static void check_choices(const executor *exec, int weighted) {
  const size_t rows = 40;
  const data d = data_make(COLUMNS_DOUBLE, rows, COLUMNS, weighted);
  active_search a = searcher(exec, &d, 0, 1);
  const active_rest r = rest(&a);
  for (size_t i = 0; i < rows; i++)
    a.left[i] = i % 5 == 2 || i == 0 || i + 1 == rows ? 0.0 : 0.5 * uniform();
  /* The largest, three times; where there are weights that of row 13 is 0. */
  const size_t out = rows / 3, tied[] = {4, 21, 38};
  a.left[out] = weighted ? 0.9 : 0.1;
  for (size_t k = 0; k < 3; k++) a.left[tied[k]] = 0.75;
  long double mass = 0.0;
  for (size_t k = 0; k < 3; k++) mass += weight_of(&d, tied[k]);
  for (int level = 0; level < 3; level++) {
    double found = 0.0;
    const size_t ties = active_ties(&r, 0.75, &found);
    const active_summary all = active_summarize(&r);
    CHECK(all.ties == ties && all.mass == found, "one pass finds the same ties");
    CHECK(active_summarize(&r).largest == 0.75 && ties == 3, "three rows tie, found %zu", ties);
    CHECK(fabs(found - (double)mass) < 1e-12, "their weight is %g, not %g", (double)mass, found);
    /* By weight: the share of each begins where that of the one before ends. */
    long double before = 0.0;
    for (size_t k = 0; k < 3; k++) {
      const long double part = weight_of(&d, tied[k]);
      const double from = (double)(before + 1e-6 * part);
      const double to = (double)(before + (1.0 - 1e-6) * part);
      CHECK(active_tie(&r, 0.75, from) == tied[k] && active_tie(&r, 0.75, to) == tied[k],
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

  long double total = 0.0, sum = 0.0, count = 0.0;
  for (size_t i = 0; i < rows; i++) count += weight_of(&d, i);
  CHECK(fabs(active_weight(&r) - (double)count) < 1e-12, "the weight is that of all rows");
  for (size_t i = 0; i < rows; i++) total += (long double)weight_of(&d, i) * a.left[i];
  size_t first = rows, last = 0;
  for (size_t i = 0; i < rows; i++) {
    const long double part = (long double)weight_of(&d, i) * a.left[i];
    if (part > 0.0) {
      const long double at[] = {1e-6, 0.5, 1.0 - 1e-6};
      for (size_t k = 0; k < 3; k++) {
        const size_t row = active_draw(&r, (double)(sum + at[k] * part));
        CHECK(row == i, "the share %g of row %zu is drawn as row %zu", (double)at[k], i, row);
      }
      if (first == rows) first = i;
      last = i;
    }
    sum += part;
  }
  CHECK(active_draw(&r, 1e-300) == first && active_draw(&r, 2.0 * (double)total) == last,
        "the ends of the draw are the first and the last row with a share");
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
    for (int k = 0; k < 3; k++) check_parts(exec, kinds[k], weighted);
    check_choices(exec, weighted);
  }
  check_repeated_rows(exec);
  check_threads(exec, COLUMNS_DOUBLE);
  check_threads(exec, ROWS_SPARSE);
}
