/*
 * A sum of many numbers as eight sums side by side: additions do not wait for each other, and their
 * order is the same on every processor. The number of terms is a multiple of eight, or the last are
 * added to the first sums.
 */
#ifndef LANDMARKER_EIGHT_H
#define LANDMARKER_EIGHT_H

#include <stddef.h>

#define EIGHT 8

/* Names, not an array, which compilers keep in memory: a fifth of the time. */
typedef struct {
  double a, b, c, d, e, f, g, h;
} eight;

static inline void eight_add(eight *s, const double *term) {
  s->a += term[0];
  s->b += term[1];
  s->c += term[2];
  s->d += term[3];
  s->e += term[4];
  s->f += term[5];
  s->g += term[6];
  s->h += term[7];
}

static inline void eight_add_products(eight *s, const double *x, const double *y) {
  s->a += x[0] * y[0];
  s->b += x[1] * y[1];
  s->c += x[2] * y[2];
  s->d += x[3] * y[3];
  s->e += x[4] * y[4];
  s->f += x[5] * y[5];
  s->g += x[6] * y[6];
  s->h += x[7] * y[7];
}

static inline double eight_sum(const eight *s) {
  return ((s->a + s->e) + (s->b + s->f)) + ((s->c + s->g) + (s->d + s->h));
}

#endif
