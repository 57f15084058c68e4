/*
 * How many threads a loop of similar turns uses: all of them, or one where that is faster. On a
 * busy machine threads wait for each other at the end of every short parallel region, and two can
 * take longer than one. Each turn is timed. Results do not depend on it.
 */
#ifndef LANDMARKER_PACE_H
#define LANDMARKER_PACE_H

#include "executor.h"

typedef struct {
  executor exec;  /* for the next turn */
  int threads;    /* that may be used */
  int turns;      /* since the other number of threads was last tried */
  double rate[2]; /* seconds for an operation in the last turn: by one thread, by all; 0: unknown */
  double started;
} pace;

void pace_start(pace *p, const executor *exec);

/* Before a turn: p->exec is what it should use. `may_try`: whether the turn is short enough to be
 * done by one thread only to find out how long that takes. */
void pace_turn(pace *p, int may_try);

/* After it; it took about so many operations. */
void pace_note(pace *p, double operations);

#endif
