/*
 * Steps of Adam (Kingma and Ba, 2015): a mean of the last gradients, divided by the root of the
 * mean of their squares.
 */
#ifndef LANDMARKER_ADAM_H
#define LANDMARKER_ADAM_H

#define ADAM_KEPT 0.9         /* of the first moment in a step */
#define ADAM_KEPT_SECOND 0.99 /* of the second */

/* A moment after one gradient more. */
static inline double adam_first(double moment, double slope) {
  return ADAM_KEPT * moment + (1.0 - ADAM_KEPT) * slope;
}
static inline double adam_second(double moment, double square) {
  return ADAM_KEPT_SECOND * moment + (1.0 - ADAM_KEPT_SECOND) * square;
}

#endif
