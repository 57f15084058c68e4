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

#endif
