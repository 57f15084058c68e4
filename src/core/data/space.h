/*
 * Where landmarks may lie. A projection moves one landmark, in the user's own
 * coordinates, to the nearest point of the space.
 */
#ifndef LANDMARKER_SPACE_H
#define LANDMARKER_SPACE_H

#include "features.h"

typedef enum {
  SPACE_EUCLIDEAN,
  SPACE_NONNEGATIVE,
  SPACE_SPHERE,
  SPACE_NONNEGATIVE_SPHERE,
  SPACE_CUSTOM
} space_kind;

/* What there is to know of a kind. */
typedef struct {
  const char *name;   /* as users know it; NULL for SPACE_CUSTOM, which ends the list */
  int is_nonnegative; /* no coordinate is below 0 */
  int is_unit;        /* all points have norm 1 */
  /* One vector in user coordinates, in place. The zero vector has no nearest point on a
   * sphere: it becomes the first axis. Right for any size of numbers. Time columns. */
  void (*project)(double *t, size_t columns);
} space_rule;

extern const space_rule space_rules[SPACE_CUSTOM + 1]; /* by space_kind */

typedef struct {
  space_kind kind;
  const double *center; /* user coordinates: in_data_unit() of the kernel's */
  const double *scale;  /* `columns` doubles each, or NULL for none */
  /* SPACE_CUSTOM: projects `t` in place. May not return (an error of the caller's own). */
  void (*project)(void *context, double *t, size_t columns);
  void *context;
} space;

/* Projects points [first, count) in place, and updates their norms. `t` is
 * scratch of `columns` doubles. Time count * columns. */
void space_project(const space *s, points *p, size_t first, double *t);

/* On a sphere: makes each direction r_l tangent at its point t_l, by taking from it along[l] times
 * the normal there, which is t_l itself where columns are not scaled. Time count * columns. */
void space_tangent(const space *s, const points *t, points *r, double *along);

/* The same for rows of data that become landmarks: on a sphere rounded once, not twice, so that
 * rows of norm 1 stay where they are but for the last bit. (The steps of a climb keep to
 * `project`: the other one would change all of their last bits.) */
void space_project_row(space_kind kind, double *t, size_t columns);

/* How far `there` is from t, relative to the norm of t: 0 where both are 0, infinite where only t
 * is. Right for any size of numbers. Coordinates are `apart` doubles from each other. Time
 * columns. */
double space_distance(const double *t, const double *there, size_t columns, size_t apart);

#endif
