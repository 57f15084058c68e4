/*
 * Readers of an entry point's arguments, which check type and length. All entry
 * points speak one dialect:
 *
 *   data first     a source, a part of one, or the state of a part
 *   points next    landmarks and such: numeric matrices, a row for each, in the data's units
 *   kernel         a named list: `bandwidth`, and `space` where points move
 *   settings last  a named list: options by name, and always `threads` and `variant`
 *
 * Choices come as strings, flags as logical values, counts as integers. A value of the wrong
 * kind is an error in R that names it. The R functions have checked the user's arguments before,
 * so such an error shows a fault in the package.
 */
#ifndef LANDMARKER_SETTINGS_H
#define LANDMARKER_SETTINGS_H

#define R_NO_REMAP
#define STRICT_R_HEADERS
#include <R.h>
#include <Rinternals.h>

#define ANY_LENGTH ((size_t)-1)

/* An entry of a named list; NULL in R where there is none. */
SEXP setting(SEXP list, const char *name);

/* One value of a named list: a whole number of at least 0, any number, TRUE or FALSE. */
size_t setting_count(SEXP list, const char *name);
double setting_number(SEXP list, const char *name);
int setting_flag(SEXP list, const char *name);

/* The place of a string among some choices. */
int setting_choice(SEXP list, const char *name, const char *const *choices, int count);

/* Whole vectors, to be read: numbers, or integers (logical values are none), so many of them. NULL
 * in R is an error, except in numbers_or_null(), which gives NULL. `name` is for the error. */
const double *numbers_of(SEXP vector, size_t length, const char *name);
const double *numbers_or_null(SEXP vector, size_t length, const char *name);
const int *integers_of(SEXP vector, size_t length, const char *name);

/* Numbers from 1 to `most`, as R counts, as a copy that counts from 0, in R_alloc()'s memory. */
int *places_of(SEXP vector, size_t length, size_t most, const char *name);

/* `fixed` of some settings: how many of n points, the first ones, stay where they are. */
size_t fixed_of(SEXP settings, size_t n);

/* `dim` of a list: its numbers of rows, at least 0, and of columns, at least 1. */
void dim_of(SEXP list, size_t *rows, size_t *columns);

/* The places of the entries of a sparse matrix, line by line: integers `start` (0, then where each
 * of so many lines ends), and `inner`, places from 0 and below `most`, under the name given. All
 * are looked at, because the core reads and writes where they say. */
typedef struct compressed {
  const int *start, *inner;
  size_t entries;
} compressed;
compressed compressed_of(SEXP list, size_t lines, size_t most, const char *inner);

/* A numeric matrix of so many rows and columns. */
const double *matrix_of(SEXP matrix, size_t rows, size_t columns, const char *name);

#endif
