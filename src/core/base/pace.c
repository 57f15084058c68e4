#include "pace.h"

#define TURNS 8 /* by one thread, until all are tried again */

enum { ALONE, TOGETHER };

static double seconds(void) {
#ifdef _OPENMP
  return omp_get_wtime();
#else
  return 0.0;
#endif
}

void pace_start(pace *p, const executor *exec) {
  p->exec = *exec;
  p->threads = exec->threads;
  p->turns = 0;
  p->rate[ALONE] = p->rate[TOGETHER] = 0.0;
}

static int is_alone(const pace *p) { return p->exec.threads == 1; }

void pace_turn(pace *p, int may_try) {
  if (p->threads == 1) return;
  const double *rate = p->rate;
  int alone = rate[ALONE] > 0.0 && rate[ALONE] < rate[TOGETHER];
  if (rate[TOGETHER] > 0.0 && rate[ALONE] == 0.0) alone = may_try;
  if (alone && p->turns >= TURNS) alone = 0;
  p->turns = alone && is_alone(p) ? p->turns + 1 : 0;
  p->exec.threads = alone ? 1 : p->threads;
  p->started = seconds();
}

void pace_note(pace *p, double operations) {
  if (p->threads == 1) return;
  p->rate[is_alone(p) ? ALONE : TOGETHER] = (seconds() - p->started) / operations;
}
