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

/* Threads for a loop of about so many floating-point operations. OpenMP's threads spin for a
 * millisecond after each region, and on a busy machine a region waits for a core: work of a few
 * milliseconds is done by one thread. */
static inline int threads_for(const executor *exec, double operations) {
  return operations < 2e7 ? 1 : exec->threads;
}

/* About so many floating-point operations of a thread, some hundredths of a second, are done
 * between two calls of `poll`. */
#ifndef POLL_OPERATIONS
#define POLL_OPERATIONS 2e8
#endif

static inline void poll_user(const executor *exec) {
  if (exec->poll) exec->poll();
}

/* After `more` operations by one thread: polls where enough were `done` since the last time. */
static inline void poll_by_work(const executor *exec, double more, double *done) {
  *done += more;
  if (*done < POLL_OPERATIONS) return;
  *done = 0.0;
  poll_user(exec);
}

/* For a loop of so many turns that threads share, `operations` all together: how many turns are
 * shared between two polls. At least one, for each thread one where there are so many. */
static inline ptrdiff_t turns_a_poll(const executor *exec, int threads, ptrdiff_t turns,
                                     double operations) {
  if (!exec->poll || operations <= POLL_OPERATIONS * threads) return turns > 0 ? turns : 1;
  const double some = POLL_OPERATIONS * threads / operations * (double)turns;
  if (threads >= turns) return turns;
  return some > threads ? (ptrdiff_t)some : threads;
}

/* The turns of such a loop, [begin, end) at a time, with a poll between two stretches:
 *   stretch part = stretches(exec, threads, turns, operations);
 *   while (next_stretch(exec, &part)) a PARALLEL_FOR from part.begin to part.end */
typedef struct {
  ptrdiff_t begin, end, turns, some;
} stretch;

static inline stretch stretches(const executor *exec, int threads, ptrdiff_t turns,
                                double operations) {
  const stretch before = {0, 0, turns, turns_a_poll(exec, threads, turns, operations)};
  return before;
}

static inline int next_stretch(const executor *exec, stretch *s) {
  if (s->end >= s->turns) return 0;
  if (s->end > 0) poll_user(exec);
  s->begin = s->end;
  s->end = s->turns - s->begin < s->some ? s->turns : s->begin + s->some;
  return 1;
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

/* The turns `i` of [begin, end), each of them one `call`, shared among `threads` in the order in
 * which they become free. For small work that is done often: where there is one thread there is no
 * parallel region, at whose end OpenMP asks the system to wake threads even if there are none: then
 * THREAD_INDEX() is the number of whatever thread is running, in a region around this one. */
#define SHARE_TURNS(threads, i, begin, end, call)                                                  \
  do {                                                                                             \
    if ((threads) == 1) {                                                                          \
      for (ptrdiff_t i = (begin); i < (end); i++) call;                                            \
    } else {                                                                                       \
      PARALLEL_FOR(threads, schedule(dynamic))                                                     \
      for (ptrdiff_t i = (begin); i < (end); i++) call;                                            \
    }                                                                                              \
  } while (0)

#endif
