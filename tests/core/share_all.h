/*
 * Included before every file of the core when it is built for these tests: here
 * small work, too, is shared among the threads, or the tests, all of which are
 * small, would see one thread only.
 */
#ifndef LANDMARKER_SHARE_ALL_H
#define LANDMARKER_SHARE_ALL_H

/* Small work, too, is polled for. */
#define POLL_OPERATIONS 2e4

#include "core/base/executor.h"

#define threads_for(exec, operations) ((void)(operations), (exec)->threads)

/* For the thread sanitizer: a thread that wakes late would find all turns of a short loop taken. */
#ifdef ALTERNATE_TURNS
#undef PARALLEL_FOR
#define PARALLEL_FOR(threads, ...)                                                                 \
  OPENMP(omp parallel for num_threads(threads) if (threads > 1) schedule(static, 1))
#endif

#endif
