/*
 * All the tests, with every variant of the products that runs here, for each
 * number of threads on the command line; or with the variant alone that is named first, or is the
 * "fastest".
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fixture.h"

static long passed, failed;
static const executor *current;

void check_that(int holds, const char *file, int line, const char *format, ...) {
  if (holds) {
    passed++;
    return;
  }
  failed++;
  printf("FAILED %s:%d (%s, threads: %d): ", file, line, current->variant->name, current->threads);
  va_list values;
  va_start(values, format);
  vprintf(format, values);
  va_end(values);
  printf("\n");
  fflush(stdout);
}

int main(int count, char **arguments) {
  static void (*const tests[])(const executor *) = {
      test_products,     test_observations,  test_features,  test_linear,
      test_order,        test_space,         test_ascent,    test_pivot_posterior,
      test_active,       test_trace,         test_ridge,     test_lapack,
      test_exact_dpp,    test_bhattacharyya, test_search,    test_dpp,
      test_eigenmap,     test_extension,     test_place,     test_reconstruction,
      test_lloyd,        test_trace_order,   test_shortcuts, test_novelty,
      test_neighborhood, test_softmax,       test_path,      test_minibatch,
      test_row_keeper,   test_response,      test_metric,    test_forward,
      test_fixed_point,  test_batches,       test_pace,      test_anchor_graph,
      test_polls};
  const char *only = count > 1 && atoi(arguments[1]) == 0 ? arguments[1] : NULL;
  if (only && strcmp(only, "fastest") == 0) only = variant_best()->name;
  for (int number = 0; number < VARIANT_COUNT; number++) {
    const product_variant *variant = variant_by_number(number);
    if (only && !(variant && strcmp(variant->name, only) == 0)) continue;
    if (count > 1) printf("%s", variant ? variant->name : "(a variant is not for this processor)");
    for (int i = only ? 2 : 1; variant && i < count; i++) {
      const executor exec = {atoi(arguments[i]), variant, NULL, NULL};
      current = &exec;
      printf(", threads: %d", exec.threads);
      fflush(stdout);
      for (size_t t = 0; t < sizeof tests / sizeof *tests; t++) {
        seed(20150706 + t);
        tests[t](&exec);
        release();
      }
    }
    if (count > 1) printf("\n");
  }
  printf("core: %ld passed, %ld failed\n", passed, failed);
  return failed > 0;
}
