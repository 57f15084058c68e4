/* Long work can be left while it is under way, and polling changes none of its bits. */
#include <setjmp.h>
#include <string.h>

#include "check.h"
#include "core/algebra/lapack.h"
#include "core/algebra/linear.h"
#include "core/algebra/pivoted_order.h"
#include "core/algebra/trace_order.h"
#include "fixture.h"

#define BANDWIDTH 1.3

static jmp_buf prompt;
static size_t polls, last_poll;
static void poll(void) {
  if (++polls == last_poll) longjmp(prompt, 1);
}

/* Work of one kind: `out`, so many numbers, from `in`, which it leaves as it is. */
typedef struct work {
  const char *name;
  void (*run)(const struct work *w, const executor *exec);
  const double *in, *other;
  size_t n, count;
  double *out;
} work;

static matrix square(const double *x, size_t n) { return matrix_on((double *)x, n, n, padded(n)); }

static void run_gram(const work *w, const executor *exec) {
  syrk(exec, square(w->in, w->n), square(w->in, w->n), 0, square(w->out, w->n));
}

static void run_rows(const work *w, const executor *exec) {
  gemm_nn(exec, square(w->in, w->n), square(w->other, w->n), 0, square(w->out, w->n));
}

static void run_transposed(const work *w, const executor *exec) {
  gemm_tn(exec, square(w->in, w->n), square(w->other, w->n), 0, square(w->out, w->n));
}

static void run_cholesky(const work *w, const executor *exec) {
  memcpy(w->out, w->in, w->n * padded(w->n) * sizeof *w->out);
  cholesky(exec, w->n, padded(w->n), 0, 1e-12, 0, w->out);
  /* Half of it is undefined. */
  for (size_t i = 0; i < w->n; i++) memset(w->out + i * padded(w->n), 0, i * sizeof *w->out);
}

static void run_solve(const work *w, const executor *exec) {
  memcpy(w->out, w->other, w->n * padded(w->n) * sizeof *w->out);
  potrs(exec, square(w->in, w->n), 1, 0, square(w->out, w->n));
}

/* Scratch is the caller's: what is left half done needs nothing to be given back. */
static void run_pivoted(const work *w, const executor *exec) {
  const size_t n = w->n, ld = padded(n);
  size_t *order = bytes(n * sizeof *order);
  const order_rule rule = {n, ld, 0, n, 1e-12};
  pivoted_order(exec, &rule, w->in, doubles(pivoted_order_scratch(ld, n)), order, w->out);
}

static void run_trace(const work *w, const executor *exec) {
  const size_t n = w->n, ld = padded(n);
  size_t *order = bytes(n * sizeof *order);
  const order_rule rule = {n, ld, 0, n, 1e-12};
  trace_order(exec, &rule, w->in, w->other, doubles(trace_order_scratch(ld, n)), order, w->out);
}

/* 40 points of 5 coordinates. */
static void fill(const work *w, points *t) {
  for (size_t k = 0; k < t->count; k++) {
    for (size_t j = 0; j < 5; j++) t->x[j * t->ld + k] = w->other[k * 5 + j];
  }
  points_norms(t);
}

static void run_features(const work *w, const executor *exec) {
  const observations x = observations_dense(w->in, w->n, 5);
  points t = points_on(doubles(points_size(40, 5)), 40, 5);
  fill(w, &t);
  const radial_kernel k = gaussian_kernel(BANDWIDTH);
  features(exec, &x, 0, w->n, &t, &k, NULL, w->out, NULL);
}

static void run_eigen(const work *w, const executor *exec) {
  double *a = doubles(w->n * w->n);
  memcpy(a, w->in, w->n * w->n * sizeof *a);
  const char *flaw = symmetric_eigen(exec, w->n, a, 0, w->n, w->out, w->out + w->n,
                                     doubles(symmetric_eigen_scratch(w->n)));
  CHECK(!flaw, "%s", flaw ? flaw : "");
}

/* To its end without and with polls, and left at the first, a middle and the last of them. */
static void check_work(const executor *exec, work w) {
  const executor polled = {exec->threads, exec->variant, poll, NULL};
  const executor quiet = {exec->threads, exec->variant, NULL, NULL};
  double *want = doubles(w.count);
  w.out = want;
  w.run(&w, &quiet);
  w.out = doubles(w.count);
  polls = last_poll = 0;
  w.run(&w, &polled);
  const size_t all = polls;
  CHECK(all >= 1, "%s of %zu polls %zu times", w.name, w.n, all);
  CHECK(SAME_BITS(want, w.out, w.count), "%s is the same with polls", w.name);
  const size_t stops[] = {1, (all + 1) / 2, all};
  for (volatile size_t s = 0; all > 0 && s < 3; s++) {
    polls = 0;
    last_poll = stops[s];
    volatile int left = 1;
    if (!setjmp(prompt)) {
      w.run(&w, &polled);
      left = 0;
    }
    CHECK(left && polls == stops[s], "%s is left at poll %zu of %zu", w.name, stops[s], all);
  }
  last_poll = 0;
  w.run(&w, &polled);
  CHECK(SAME_BITS(want, w.out, w.count), "%s is right after it was left", w.name);
}

void test_polls(const executor *exec) {
  const size_t n = 200, ld = padded(n), large = 300;
  const double *a = positive_matrix(n, n, 0.5), *b = positive_matrix(n, n, 0.5);
  double *r = doubles(n * ld);
  memcpy(r, a, n * ld * sizeof *r);
  cholesky(exec, n, ld, 0, 0.0, 0, r);
  double *x = doubles(3000 * padded(5)), *wide = doubles(large * large);
  memset(x, 0, 3000 * padded(5) * sizeof *x);
  for (size_t i = 0; i < 3000; i++) {
    for (size_t j = 0; j < 5; j++) x[i * padded(5) + j] = symmetric();
  }
  double *at = doubles(200);
  for (size_t i = 0; i < 200; i++) at[i] = symmetric();
  for (size_t i = 0; i < large; i++) {
    for (size_t j = 0; j <= i; j++) wide[i * large + j] = wide[j * large + i] = symmetric();
  }
  const work kinds[] = {{"a Gram matrix", run_gram, a, NULL, n, n * ld, NULL},
                        {"a product", run_rows, a, b, n, n * ld, NULL},
                        {"a transposed product", run_transposed, a, b, n, n * ld, NULL},
                        {"a Cholesky factor", run_cholesky, a, NULL, n, n * ld, NULL},
                        {"a triangular solve", run_solve, r, b, n, n * ld, NULL},
                        {"a pivoted order", run_pivoted, a, NULL, n, n, NULL},
                        {"an order by the trace", run_trace, a, b, n, n, NULL},
                        {"features", run_features, x, at, 3000, 3000 * padded(40), NULL},
                        {"eigenpairs", run_eigen, wide, NULL, large, large * (large + 1), NULL}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) check_work(exec, kinds[k]);
  release();
}
