/*
 * A climb on random batches of the rows. Batches are gathered one after another
 * into the same memory, and the landmarks of the last ones are averaged, against the noise of
 * single batches.
 *
 * A whole step is hardly ever too long. So where a batch has one step, its value is checked on
 * the batch itself only at first, and again after a batch on which the landmarks are worth far
 * less than on the one before; elsewhere the check would cost a third of all work and change
 * nothing.
 */
#ifndef LANDMARKER_BATCHES_H
#define LANDMARKER_BATCHES_H

#include "climb.h"
#include "core/base/pace.h"
#include "core/data/gathered.h"

typedef struct {
  size_t count;       /* batches */
  const size_t *size; /* rows of each */
  const int *steps;   /* on each, at the most; 0: only a start is chosen */
  const int *row;     /* their numbers (from 0), batch after batch */
  size_t averaged;    /* of the last so many batches landmarks are averaged, by the rows of each */
  int halvings;       /* of a step that is checked, at the most */
  /* One of these takes the place of the landmark that moves, if there is one only: that whose value
   * on the first batch is largest; norms computed. NULL: it starts where it is. */
  const points *starts;
  int is_single; /* dense rows are rounded to single precision; points of them do not overflow */
  /* Batches whose rows are collected together, so many in each chunk: of a matrix by columns each
   * cache line is then read once for all of them. */
  size_t chunks;
  const size_t *chunk;
  /* Called after each batch, or NULL. */
  void (*progress)(void *context, size_t rows);
  void *context;
} batch_schedule;

typedef struct {
  ascent ascent; /* its landmarks are to be filled, their norms computed */
  climb climb;
  pace pace;
  const observations *all;
  observations batch;
  size_t most; /* rows of the largest batch */
  gathered chunk;
  points mean[2]; /* of the two halves of the batches that are averaged */
} batches;

/* `b` stays where it is. `all`: a COLUMNS layout, or ROWS_SPARSE. Memory of an ascent on the
 * largest batch, the rows of the largest chunk, and 2 moving columns. */
void batches_layout(batches *b, arena *memory, const executor *exec, const observations *all,
                    const climb_problem *problem, const batch_schedule *schedule);

/* Climbs on all batches: b->ascent.now are the landmarks then. moved[l]: how far landmark l went in
 * a step, in sqrt(bandwidth): on average over the batches that are averaged, from the mean of their
 * first half to that of the second, or else in the last step. Returns the number of steps, or -1
 * where no start has a value, and nothing has moved. Time: for each batch that of a value and a
 * proposal, and of a value for each start. */
int batches_climb(batches *b, const batch_schedule *schedule, double *moved);

#endif
