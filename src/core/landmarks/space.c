#include "space.h"

#include <math.h>

void space_project_one(space_kind kind, double *t, size_t columns) {
  if (kind == SPACE_NONNEGATIVE || kind == SPACE_NONNEGATIVE_SPHERE) {
    size_t largest = 0;
    for (size_t j = 1; j < columns; j++) {
      if (t[j] > t[largest]) largest = j;
    }
    const int none = !(t[largest] > 0.0);
    for (size_t j = 0; j < columns; j++) {
      if (!(t[j] > 0.0)) t[j] = 0.0;
    }
    /* Nothing positive is left: the nearest point of the orthant's sphere is
     * the axis of the largest coordinate. */
    if (none && kind == SPACE_NONNEGATIVE_SPHERE) t[largest] = 1.0;
  }
  if (kind == SPACE_SPHERE || kind == SPACE_NONNEGATIVE_SPHERE) {
    double largest = 0.0, sum = 0.0;
    for (size_t j = 0; j < columns; j++) {
      if (fabs(t[j]) > largest) largest = fabs(t[j]);
    }
    if (largest == 0.0) {
      t[0] = 1.0;
      return;
    }
    for (size_t j = 0; j < columns; j++) sum += (t[j] / largest) * (t[j] / largest);
    /* Not by largest * norm at once: that may overflow, or lose all its digits. */
    const double norm = sqrt(sum);
    for (size_t j = 0; j < columns; j++) t[j] = t[j] / largest / norm;
  }
}

void space_project(const space *s, points *p, size_t first, double *t) {
  if (s->kind != SPACE_EUCLIDEAN) {
    for (size_t l = first; l < p->count; l++) {
      for (size_t j = 0; j < p->columns; j++) {
        const double z = p->x[j * p->length + l];
        t[j] = s->factor ? z / s->factor[j] + s->center[j] : z;
      }
      if (s->kind == SPACE_CUSTOM) {
        s->project(s->context, t, p->columns);
      } else {
        space_project_one(s->kind, t, p->columns);
      }
      for (size_t j = 0; j < p->columns; j++) {
        p->x[j * p->length + l] = s->factor ? (t[j] - s->center[j]) * s->factor[j] : t[j];
      }
    }
  }
  points_norms(p);
}

/* The normal of the sphere at coordinate j of point l: u_j / factor_j, u in user coordinates. */
static double normal_at(const space *s, const points *t, size_t l, size_t j) {
  const double z = t->x[j * t->length + l];
  return s->factor ? (z / s->factor[j] + s->center[j]) / s->factor[j] : z;
}

void space_tangent(const space *s, const points *t, points *r, double *along) {
  for (size_t l = 0; l < t->count; l++) {
    double product = 0.0, square = 0.0;
    for (size_t j = 0; j < t->columns; j++) {
      const double normal = normal_at(s, t, l, j);
      product += normal * r->x[j * r->length + l];
      square += normal * normal;
    }
    along[l] = product / square;
    for (size_t j = 0; j < t->columns; j++) {
      r->x[j * r->length + l] -= along[l] * normal_at(s, t, l, j);
    }
  }
}
