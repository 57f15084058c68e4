#include "space.h"

#include <math.h>

static void stay(double *t, size_t columns) {
  (void)t;
  (void)columns;
}

static void to_orthant(double *t, size_t columns) {
  for (size_t j = 0; j < columns; j++) {
    if (!(t[j] > 0.0)) t[j] = 0.0;
  }
}

static double largest_size(const double *t, size_t columns, size_t apart) {
  double largest = 0.0;
  for (size_t j = 0; j < columns; j++) {
    if (fabs(t[j * apart]) > largest) largest = fabs(t[j * apart]);
  }
  return largest;
}

static void to_sphere(double *t, size_t columns) {
  const double largest = largest_size(t, columns, 1);
  if (largest == 0.0) {
    t[0] = 1.0;
    return;
  }
  double sum = 0.0;
  for (size_t j = 0; j < columns; j++) sum += (t[j] / largest) * (t[j] / largest);
  /* Not by largest * norm at once: that may overflow, or lose all its digits. */
  const double norm = sqrt(sum);
  for (size_t j = 0; j < columns; j++) t[j] = t[j] / largest / norm;
}

/* The sphere's point nearest to t in the orthant is nearest to this one. */
static void to_orthant_or_axis(double *t, size_t columns) {
  size_t largest = 0;
  for (size_t j = 1; j < columns; j++) {
    if (t[j] > t[largest]) largest = j;
  }
  const int none = !(t[largest] > 0.0);
  to_orthant(t, columns);
  /* Nothing positive is left: the axis of the largest coordinate. */
  if (none) t[largest] = 1.0;
}

static void to_orthants_sphere(double *t, size_t columns) {
  to_orthant_or_axis(t, columns);
  to_sphere(t, columns);
}

const space_rule space_rules[] = {
    [SPACE_EUCLIDEAN] = {"euclidean", 0, 0, stay},
    [SPACE_NONNEGATIVE] = {"nonnegative", 1, 0, to_orthant},
    [SPACE_SPHERE] = {"sphere", 0, 1, to_sphere},
    [SPACE_NONNEGATIVE_SPHERE] = {"nonnegative_sphere", 1, 1, to_orthants_sphere},
    [SPACE_CUSTOM] = {NULL, 0, 0, NULL}};

void space_project_row(space_kind kind, double *t, size_t columns) {
  const space_rule *rule = space_rules + kind;
  const double largest = largest_size(t, columns, 1);
  if (!rule->is_unit || largest == 0.0) {
    rule->project(t, columns);
    return;
  }
  /* By a power of two, which rounds nothing: squares neither overflow nor underflow. */
  int exponent;
  frexp(largest, &exponent);
  for (size_t j = 0; j < columns; j++) t[j] = ldexp(t[j], -exponent);
  if (rule->is_nonnegative) to_orthant_or_axis(t, columns);
  long double sum = 0.0L;
  for (size_t j = 0; j < columns; j++) {
    const double square = t[j] * t[j];
    sum += square;
  }
  const double norm = sqrt((double)sum);
  for (size_t j = 0; j < columns; j++) t[j] /= norm;
}

double space_distance(const double *t, const double *there, size_t columns, size_t apart) {
  const double size = largest_size(t, columns, apart);
  if (size == 0.0) return largest_size(there, columns, apart) > 0.0 ? INFINITY : 0.0;
  double off = 0.0, norm = 0.0;
  for (size_t j = 0; j < columns; j++) {
    const double a = t[j * apart] / size, b = there[j * apart] / size;
    off += (a - b) * (a - b);
    norm += a * a;
  }
  return sqrt(off / norm);
}

/* Coordinate by coordinate, as points are stored. */
static void project_on_orthant(const space *s, points *p, size_t first) {
  for (size_t j = 0; j < p->columns; j++) {
    const double scale = s->scale ? s->scale[j] : 1.0, center = s->scale ? s->center[j] : 0.0;
    double *at = p->x + j * p->ld;
    for (size_t l = first; l < p->count; l++) {
      const double t = in_data_unit(at[l], center, scale);
      at[l] = ((t > 0.0 ? t : 0.0) - center) * scale;
    }
  }
}

void space_project(const space *s, points *p, size_t first, double *t) {
  if (s->kind == SPACE_NONNEGATIVE) {
    project_on_orthant(s, p, first);
  } else if (s->kind != SPACE_EUCLIDEAN) {
    for (size_t l = first; l < p->count; l++) {
      for (size_t j = 0; j < p->columns; j++) {
        const double z = p->x[j * p->ld + l];
        t[j] = s->scale ? in_data_unit(z, s->center[j], s->scale[j]) : z;
      }
      if (s->kind == SPACE_CUSTOM) {
        s->project(s->context, t, p->columns);
      } else {
        space_rules[s->kind].project(t, p->columns);
      }
      for (size_t j = 0; j < p->columns; j++) {
        p->x[j * p->ld + l] = s->scale ? (t[j] - s->center[j]) * s->scale[j] : t[j];
      }
    }
  }
  points_norms(p);
}

/* The normal of the sphere at coordinate j of point l: u_j / factor_j, u in user coordinates. */
static double normal_at(const space *s, const points *t, size_t l, size_t j) {
  const double z = t->x[j * t->ld + l];
  return s->scale ? (z / s->scale[j] + s->center[j]) / s->scale[j] : z;
}

void space_tangent(const space *s, const points *t, points *r, double *along) {
  for (size_t l = 0; l < t->count; l++) {
    double product = 0.0, square = 0.0;
    for (size_t j = 0; j < t->columns; j++) {
      const double normal = normal_at(s, t, l, j);
      product += normal * r->x[j * r->ld + l];
      square += normal * normal;
    }
    along[l] = product / square;
    for (size_t j = 0; j < t->columns; j++) {
      r->x[j * r->ld + l] -= along[l] * normal_at(s, t, l, j);
    }
  }
}
