#include "eigenmap.h"

#include <math.h>
#include <string.h>

#include "core/algebra/lapack.h"
#include "core/base/tolerance.h"

void eigenmap_layout(eigenmap *m, arena *memory) {
  m->matrix = arena_take(memory, m->n * m->n);
  m->degree = arena_take(memory, m->n);
  m->mass = arena_take(memory, m->n);
  m->vectors = arena_take(memory, m->n * m->dims);
  m->values = arena_take(memory, m->n);
  m->scratch = arena_take(memory, symmetric_eigen_scratch(m->n));
}

/* The geometric mean of two degrees. The product alone may be below or beyond all numbers. */
static double mean_degree(const eigenmap *m, size_t i, size_t j) {
  const double product = m->degree[i] * m->degree[j];
  if (product > 1e-290 && product < 1e290) return sqrt(product);
  return sqrt(m->degree[i]) * sqrt(m->degree[j]);
}

/* D^-1/2 K D^-1/2, with one change: the eigenvalue 1 of its first eigenvector, the square roots of
 * the degrees, becomes -1. Then the next eigenvectors have the largest eigenvalues, for any number
 * of components of the graph. */
static double fill(eigenmap *m) {
  const size_t n = m->n;
  double all = 0.0;
  for (size_t i = 0; i < n; i++) {
    double sum = m->own[i];
    for (int e = m->start[i]; e < m->start[i + 1]; e++) sum += m->weight[e];
    m->mass[i] = m->alpha > 0.0 ? pow(sum, -m->alpha) : 1.0;
  }
  for (size_t i = 0; i < n; i++) {
    double sum = m->own[i] * m->mass[i];
    for (int e = m->start[i]; e < m->start[i + 1]; e++) sum += m->weight[e] * m->mass[m->joined[e]];
    m->degree[i] = m->mass[i] * sum;
    all += m->degree[i];
  }
  for (size_t i = 0; i < n; i++) {
    double *row = m->matrix + i * n;
    for (size_t j = 0; j < n; j++) row[j] = -2.0 * mean_degree(m, i, j) / all;
    row[i] += m->own[i] * m->mass[i] * m->mass[i] / m->degree[i];
    for (int e = m->start[i]; e < m->start[i + 1]; e++) {
      const size_t j = (size_t)m->joined[e];
      const double weight = m->weight[e] * m->mass[i] * m->mass[j];
      row[j] += weight / mean_degree(m, i, j);
    }
  }
  return all;
}

static double sign_of(const double *y, size_t n) {
  double largest = 0.0;
  for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(y[i]));
  size_t first = 0;
  while (fabs(y[first]) < largest * (1.0 - SAME_SIZE)) first++;
  return y[first] < 0.0 ? -1.0 : 1.0;
}

/* The last `dims` eigenpairs, to `values` and `vectors`. Where LAPACK cannot find them alone, as
 * can happen with several components, they are taken from all n. Returns NULL, or a message. */
static const char *last_pairs(eigenmap *m) {
  const size_t n = m->n, first = n - m->dims;
  if (!symmetric_eigen(m->exec, n, m->matrix, first, m->dims, m->values, m->vectors, m->scratch)) {
    return NULL;
  }
  fill(m);
  const char *flaw = symmetric_eigen_all(n, m->matrix, m->values, m->scratch);
  if (flaw) return flaw;
  memmove(m->values, m->values + first, m->dims * sizeof *m->values);
  memcpy(m->vectors, m->matrix + first * n, n * m->dims * sizeof *m->vectors);
  return NULL;
}

const char *eigenmap_solve(eigenmap *m, double *lambda, double *y) {
  const size_t n = m->n;
  const double all = fill(m);
  const char *flaw = last_pairs(m);
  if (flaw) return flaw;
  for (size_t k = 0; k < m->dims; k++) {
    const double *v = m->vectors + (m->dims - 1 - k) * n;
    double *to = y + k * n;
    lambda[k] = 1.0 - m->values[m->dims - 1 - k];
    for (size_t i = 0; i < n; i++) to[i] = v[i] * sqrt(all / m->degree[i]);
    const double sign = sign_of(to, n);
    for (size_t i = 0; i < n; i++) to[i] *= sign;
  }
  return NULL;
}
