#include "products.h"

/* A panel of B: 128 rows of 24 doubles are 24 KB, half of a small L1 cache. */
#define DEPTH_BLOCK 128

/* 16-byte vectors are in the base instruction set of x86-64 and arm64, and
 * compilers lower them to scalars elsewhere. */
#define VARIANT(name) plain_##name
#define VARIANT_NAME "plain"
#define TARGET
#define LANES 2
#define TILE_ROWS 4
#define TILE_VECTORS 2
#include "variant_body.h"

/* Wider vectors where the compiler can be asked for them function by function.
 * Not on Windows: its ABI aligns the stack to 16 bytes and GCC spills wider
 * registers with aligned moves there, which crashes (GCC bug 54412). */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32)
#define WIDE_VARIANTS 1

#define VARIANT(name) avx2_##name
#define VARIANT_NAME "avx2"
#define TARGET __attribute__((target("avx2,fma")))
#define LANES 4
#define TILE_ROWS 4
#define TILE_VECTORS 3
#include "variant_body.h"

#define VARIANT(name) avx512_##name
#define VARIANT_NAME "avx512"
#define TARGET __attribute__((target("avx512f,avx512dq,fma")))
#define LANES 8
#define TILE_ROWS 8
#define TILE_VECTORS 3
#include "variant_body.h"
#endif

const product_variant *variant_by_number(int variant) {
#ifdef WIDE_VARIANTS
  if (variant == VARIANT_AVX512) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
               ? &avx512_functions
               : NULL;
  }
  if (variant == VARIANT_AVX2) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &avx2_functions : NULL;
  }
#endif
  return variant == VARIANT_PLAIN ? &plain_functions : NULL;
}

const product_variant *variant_best(void) {
  for (int variant = VARIANT_COUNT - 1; variant > 0; variant--) {
    if (variant_by_number(variant)) return variant_by_number(variant);
  }
  return &plain_functions;
}
