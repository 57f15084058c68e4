/* How many threads a loop of similar turns uses. */
#include "check.h"
#include "core/base/pace.h"

#ifdef _OPENMP

/* A turn that seems to have taken so many seconds by one thread, or by all. Returns the number of
 * threads that it was given. */
static int turn(pace *p, int may_try, double alone, double together) {
  pace_turn(p, may_try);
  const int threads = p->exec.threads;
  p->started = omp_get_wtime() - (threads == 1 ? alone : together);
  pace_note(p, 1e6);
  return threads;
}

static pace start_with(const executor *exec, int threads) {
  executor many = *exec;
  many.threads = threads;
  pace p;
  pace_start(&p, &many);
  return p;
}

void test_pace(const executor *exec) {
  pace p = start_with(exec, 4);
  CHECK(turn(&p, 1, 30.0, 10.0) == 4, "the first turn is for all threads");
  CHECK(turn(&p, 1, 30.0, 10.0) == 1, "the second is for one");
  int alone = 0;
  for (int k = 0; k < 40; k++) alone += turn(&p, 1, 30.0, 10.0) == 1;
  CHECK(alone == 0, "where all threads are faster no other turn is for one");
  CHECK(turn(&p, 1, 30.0, 90.0) == 4, "a slow turn is not foreseen");
  CHECK(turn(&p, 1, 30.0, 90.0) == 1, "after it one thread goes on");
  int together = 0;
  for (int k = 0; k < 40; k++) together += turn(&p, 1, 30.0, 90.0) == 4;
  CHECK(together >= 3 && together <= 5, "now and then all are tried again: %d of 40", together);
  for (int k = 0; k < 10; k++) turn(&p, 1, 30.0, 10.0);
  CHECK(turn(&p, 1, 30.0, 10.0) == 4, "and kept once they are faster");

  p = start_with(exec, 4);
  alone = 0;
  for (int k = 0; k < 20; k++) alone += turn(&p, 0, 10.0, 30.0) == 1;
  CHECK(alone == 0, "long turns are not tried by one thread");
  p = start_with(exec, 1);
  for (int k = 0; k < 20; k++) alone += turn(&p, 1, 10.0, 30.0) == 1;
  CHECK(alone == 20, "one thread stays one");
}

#else

void test_pace(const executor *exec) { (void)exec; }

#endif
