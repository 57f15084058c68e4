#include "novelty.h"

#include <math.h>

#include "core/algebra/linear.h"
#include "core/base/selection.h"
#include "core/base/tolerance.h"

void novelty_layout(novelty *v, arena *memory) {
  const size_t terms = v->given + 1;
  v->squared = arena_take(memory, v->n);
  v->ordered = arena_take(memory, v->n);
  v->weight = arena_take(memory, v->n);
  v->row = arena_take(memory, terms);
  v->gram = arena_take(memory, terms * padded(terms));
  v->solution = arena_take(memory, terms * 8);
  v->some = (int *)arena_take(memory, (v->n + 1) / 2);
}

/* Squared distances of all points from point i; its own is infinite. */
static void distances_from(novelty *v, size_t i) {
  for (size_t j = 0; j < v->n; j++) v->squared[j] = 0.0;
  for (size_t k = 0; k < v->given; k++) {
    const double *at = v->at + k * v->n;
    for (size_t j = 0; j < v->n; j++) v->squared[j] += (at[j] - at[i]) * (at[j] - at[i]);
  }
  v->squared[i] = INFINITY;
}

/* 1 and the coordinates of point j seen from point i, in units of h. */
static void row_of(const novelty *v, size_t i, size_t j, double h) {
  v->row[0] = 1.0;
  for (size_t k = 0; k < v->given; k++) {
    v->row[k + 1] = h > 0.0 ? (v->at[k * v->n + j] - v->at[k * v->n + i]) / h : 0.0;
  }
}

/* Sets weight[j], the weight of point j's value in the prediction for point i. The prediction is
 * linear in the values, and its weights are the first row of (X'WX)^-1 X'W. */
static void smoother(novelty *v, size_t i) {
  const size_t terms = v->given + 1, ld = padded(terms);
  distances_from(v, i);
  for (size_t j = 0; j < v->n; j++) v->ordered[j] = v->squared[j];
  /* h is a little more than the distance of the last neighbor, which would have weight 0 else. */
  const double h = 1.001 * sqrt(kth_smallest(v->ordered, v->n, v->near));
  for (size_t c = 0; c < terms * ld; c++) v->gram[c] = 0.0;
  v->count = 0;
  for (size_t j = 0; j < v->n; j++) {
    /* Nearly all points are farther than h: this test needs no square root. */
    if (v->squared[j] > 1.001 * h * h) continue;
    const double far = sqrt(v->squared[j]), share = h > 0.0 ? far / h : 0.0;
    if (h > 0.0 ? share >= 1.0 : far > 0.0) continue;
    const double down = 1.0 - share * share * share;
    v->weight[j] = down * down * down;
    v->some[v->count++] = (int)j;
    row_of(v, i, j, h);
    for (size_t a = 0; a < terms; a++) {
      const double times = v->weight[j] * v->row[a];
      for (size_t b = a; b < terms; b++) v->gram[a * ld + b] += times * v->row[b];
    }
  }
  /* Where points lie on a line, the slope across it is not determined. A small ridge makes it 0;
   * without it the slope would be rounding error. */
  for (size_t a = 1; a < terms; a++) v->gram[a * ld + a] += 1e-6 * v->gram[0];
  cholesky(v->exec, terms, ld, 0, DEPENDENT_FEATURES, 1, v->gram);
  for (size_t a = 0; a < terms * 8; a++) v->solution[a] = a == 0;
  potrs(v->exec, matrix_on(v->gram, terms, terms, ld), 1, 0, matrix_on(v->solution, terms, 1, 8));
  for (size_t c = 0; c < v->count; c++) {
    const size_t j = (size_t)v->some[c];
    row_of(v, i, j, h);
    double sum = 0.0;
    for (size_t a = 0; a < terms; a++) sum += v->solution[a * 8] * v->row[a];
    v->weight[j] *= sum;
  }
}

void novelty_shares(novelty *v, const double *y, size_t m, double *share, double *left) {
  const size_t n = v->n;
  for (size_t k = 0; k < m; k++) share[k] = 0.0;
  for (size_t i = 0; i < n; i++) {
    smoother(v, i);
    for (size_t k = 0; k < m; k++) {
      const double *value = y + k * n;
      double rest = value[i];
      for (size_t c = 0; c < v->count; c++) {
        const size_t j = (size_t)v->some[c];
        rest -= v->weight[j] * value[j];
      }
      left[k * n + i] = rest;
      share[k] += rest * rest;
    }
  }
  for (size_t k = 0; k < m; k++) {
    const double *value = y + k * n;
    double mean = 0.0, all = 0.0;
    for (size_t i = 0; i < n; i++) mean += value[i] / (double)n;
    for (size_t i = 0; i < n; i++) all += (value[i] - mean) * (value[i] - mean);
    /* A constant varies by rounding only. */
    const int varies = all > 1e-24 * (double)n * mean * mean;
    share[k] = varies ? fmin(share[k] / all, 1.0) : 0.0;
  }
}
