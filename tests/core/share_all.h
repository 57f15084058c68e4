/*
 * Included before every file of the core when it is built for these tests: here
 * small work, too, is shared among the threads, or the tests, all of which are
 * small, would see one thread only.
 */
#ifndef LANDMARKER_SHARE_ALL_H
#define LANDMARKER_SHARE_ALL_H

#include "core/base/executor.h"

#define threads_for(exec, operations) ((void)(operations), (exec)->threads)

#endif
