/*
 * How to compute: with how many threads, and with which variant of the
 * products. Passed down to whatever does work, so that nothing is global.
 */
#ifndef LANDMARKER_EXECUTOR_H
#define LANDMARKER_EXECUTOR_H

#include <stddef.h>

struct product_variant; /* algebra/products.h */

typedef struct {
  int threads; /* at least 1; results do not depend on it */
  const struct product_variant *variant;
  /* Called between blocks of work, outside parallel regions, or NULL. It may
   * leave by a long jump: nothing here holds anything that it would lose. */
  void (*poll)(void);
  /* Random numbers in (0, 1), for what draws any; else NULL. */
  void (*uniform)(double *out, size_t count);
} executor;

/* For work inside a parallel region: by one thread, without polling. */
static inline executor one_thread(const executor *exec) {
  const executor alone = {1, exec->variant, NULL, NULL};
  return alone;
}

/* Threads for a loop of about so many floating-point operations: waking and
 * joining the others costs some ten microseconds, and a busy machine makes it
 * far more, so that small work is done alone. */
static inline int threads_for(const executor *exec, double operations) {
  return operations < 1e6 ? 1 : exec->threads;
}

/* Before a `for`: its turns are shared among `threads`, as the clauses say, say schedule(dynamic).
 * Without OpenMP, or with one thread, they run one after another. THREAD_INDEX() is the number of
 * the thread that runs, from 0. */
#ifdef _OPENMP
#include <omp.h>
#define THREAD_INDEX() omp_get_thread_num()
#define OPENMP(...) _Pragma(#__VA_ARGS__)
#define PARALLEL_FOR(threads, ...)                                                                 \
  OPENMP(omp parallel for num_threads(threads) if (threads > 1) __VA_ARGS__)
#else
#define THREAD_INDEX() 0
#define PARALLEL_FOR(threads, ...) (void)(threads);
#endif

#endif
