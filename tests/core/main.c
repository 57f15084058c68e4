/*
 * All the tests, with every variant of the products that runs here, for each
 * number of threads on the command line; or with the variant alone that is named first, or is the
 * "fastest". Further words name the tests that run: `run plain 1 search dpp`.
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

#define TEST(name)                                                                                 \
  { #name, test_##name }

/* Whether a test is named on the command line, or none is. */
static int is_wanted(const char *name, int count, char **arguments) {
  int named = 0;
  for (int i = 2; i < count; i++) {
    if (atoi(arguments[i]) > 0) continue;
    if (strcmp(arguments[i], name) == 0) return 1;
    named = 1;
  }
  return !named;
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    void (*run)(const executor *);
  } tests[] = {TEST(products),     TEST(observations),  TEST(features),  TEST(linear),
               TEST(order),        TEST(space),         TEST(ascent),    TEST(pivot_posterior),
               TEST(active),       TEST(trace),         TEST(ridge),     TEST(lapack),
               TEST(exact_dpp),    TEST(bhattacharyya), TEST(search),    TEST(dpp),
               TEST(eigenmap),     TEST(extension),     TEST(place),     TEST(lloyd),
               TEST(trace_order),  TEST(kernel_factor), TEST(shortcuts), TEST(novelty),
               TEST(neighborhood), TEST(softmax),       TEST(path),      TEST(minibatch),
               TEST(response),     TEST(metric),        TEST(forward),   TEST(fixed_point),
               TEST(batches),      TEST(starts),        TEST(pace),      TEST(anchor_graph),
               TEST(polls),        TEST(annealed_dpp),  TEST(kernel),    TEST(projection),
               TEST(pairs)};
  const char *only = count > 1 && atoi(arguments[1]) == 0 ? arguments[1] : NULL;
  if (only && strcmp(only, "fastest") == 0) only = variant_best()->name;
  for (int number = 0; number < VARIANT_COUNT; number++) {
    const product_variant *variant = variant_by_number(number);
    if (only && !(variant && strcmp(variant->name, only) == 0)) continue;
    if (count > 1) printf("%s", variant ? variant->name : "(a variant is not for this processor)");
    for (int i = only ? 2 : 1; variant && i < count; i++) {
      if (atoi(arguments[i]) == 0) continue;
      const executor exec = {atoi(arguments[i]), variant, NULL, NULL};
      current = &exec;
      printf(", threads: %d", exec.threads);
      fflush(stdout);
      for (size_t t = 0; t < sizeof tests / sizeof *tests; t++) {
        if (!is_wanted(tests[t].name, count, arguments)) continue;
        seed(20150706 + t);
        tests[t].run(&exec);
        release();
      }
    }
    if (count > 1) printf("\n");
  }
  printf("core: %ld passed, %ld failed\n", passed, failed);
  return failed > 0;
}
