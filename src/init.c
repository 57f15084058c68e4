/* Registration: every entry point with its exact number of arguments. */
#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

#include "glue.h"

#define ENTRY(name, count)                                                                         \
  { #name, (DL_FUNC)&lmk_##name, count }

static const R_CallMethodDef entries[] = {
    ENTRY(moments, 3),       ENTRY(sizes, 2),          ENTRY(sparse_moments, 3),
    ENTRY(sparse_rows, 2),   ENTRY(climb, 4),          ENTRY(gradient_steps, 4),
    ENTRY(spaces, 0),        ENTRY(project, 2),        ENTRY(off, 2),
    ENTRY(pivot, 4),         ENTRY(active, 4),         ENTRY(ridge, 3),
    ENTRY(dpp, 3),           ENTRY(eigenmap, 2),       ENTRY(extend, 5),
    ENTRY(exact_dpp, 4),     ENTRY(order, 2),          ENTRY(posterior_sums, 6),
    ENTRY(posterior, 2),     ENTRY(features, 4),       ENTRY(nearest_landmark, 3),
    ENTRY(nearest_rows, 3),  ENTRY(covariances, 3),    ENTRY(distances, 4),
    ENTRY(sigmas, 2),        ENTRY(edges, 2),          ENTRY(neighbors, 2),
    ENTRY(components, 2),    ENTRY(variants, 0),       ENTRY(threads, 0),
    ENTRY(kernels, 0),       ENTRY(kernel_values, 3),  ENTRY(kernel_root, 3),
    ENTRY(nystrom, 4),       ENTRY(landmark_order, 5), ENTRY(lloyd, 3),
    ENTRY(shortcuts, 2),     ENTRY(novelty, 3),        ENTRY(anchor_weights, 3),
    ENTRY(anchor_extend, 5), ENTRY(softmax, 3),        ENTRY(minibatch, 4),
    ENTRY(climb_batches, 4), ENTRY(rows, 3),           ENTRY(respond, 6),
    ENTRY(forward_order, 5), {NULL, NULL, 0}};

void attribute_visible R_init_landmarker(DllInfo *dll) {
  R_registerRoutines(dll, NULL, entries, NULL, NULL);
  R_useDynamicSymbols(dll, FALSE);
  R_forceSymbols(dll, TRUE);
  glue_remember_process();
}
