/*
 * Where landmarks may lie. A projection moves one landmark, in the user's own
 * coordinates, to the nearest point of the space.
 */
#ifndef LANDMARKER_SPACE_H
#define LANDMARKER_SPACE_H

#include "core/data/features.h"

typedef enum {
  SPACE_EUCLIDEAN,
  SPACE_NONNEGATIVE,
  SPACE_SPHERE,
  SPACE_NONNEGATIVE_SPHERE,
  SPACE_CUSTOM
} space_kind;

typedef struct {
  space_kind kind;
  const double *center; /* user coordinates = kernel coordinates / factor + center */
  const double *factor; /* `columns` doubles each, or NULL for none */
  /* SPACE_CUSTOM: projects `t` in place. May not return (an error of the caller's own). */
  void (*project)(void *context, double *t, size_t columns);
  void *context;
} space;

/* Projects points [first, count) in place, and updates their norms. `t` is
 * scratch of `columns` doubles. Time count * columns. */
void space_project(const space *s, points *p, size_t first, double *t);

static inline int space_is_sphere(const space *s) {
  return s->kind == SPACE_SPHERE || s->kind == SPACE_NONNEGATIVE_SPHERE;
}

/* On a sphere: makes each direction r_l tangent at its point t_l, by taking from it along[l] times
 * the normal there, which is t_l itself where columns are not scaled. Time count * columns. */
void space_tangent(const space *s, const points *t, points *r, double *along);

/* One vector in user coordinates. The zero vector has no nearest point on a
 * sphere: it becomes the first axis. */
void space_project_one(space_kind kind, double *t, size_t columns);

#endif
