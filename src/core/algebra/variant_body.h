/*
 * The functions of one variant. The including file defines, and this file undefines:
 *
 *   VARIANT(name)   the name of a function of this variant
 *   VARIANT_NAME    the variant's own
 *   TARGET          the function attribute that lets the compiler use it
 *   LANES           doubles in a vector
 *   TILE_ROWS       rows of a register tile
 *   TILE_VECTORS    vectors across a register tile: TILE_ROWS * TILE_VECTORS
 *                   accumulators have to fit in the registers
 */

#define SCALAR double
#define PRODUCT block_product
#define WIDTH(name) VARIANT(name)
#include "products_body.h"

#define SCALAR float
#define PRODUCT single_product
#define WIDTH(name) VARIANT(single_##name)
#include "products_body.h"

#include "dots_body.h"
#include "exp_body.h"

static const product_variant VARIANT(functions) = {VARIANT_NAME, VARIANT(multiply),
                                                   VARIANT(single_multiply), VARIANT(single_dots),
                                                   VARIANT(exp_nonpositive)};

#undef VARIANT
#undef VARIANT_NAME
#undef TARGET
#undef LANES
#undef TILE_ROWS
#undef TILE_VECTORS
