#include "climb.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/tolerance.h"

#define MOST_DOUBLES ((size_t)1 << 24)
#define STEPS_TO_TRY 12 /* a climb of fewer steps does not try one thread */
/* Of a corrected step, which may be too long while there are few pairs: shorter ones are nearly
 * always kept, where giving the pairs up makes the next corrected step as long again. */
#define CORRECTED_HALVINGS 2
/* Of the tolerance: the share of what remains that a step gains to first order, below which the
 * climb has converged. With wide kernels many short steps of 1e-3 were a sixth of it. */
#define GAIN 0.01
/* Where landmarks explain nearly all, the criterion is far flatter than its proposals assume, which
 * then gain a tiny share of what remains. The first step is as long as would gain half of it
 * (Polyak), and its pair scales the proposals. */
#define STIFF 1e-4
#define POLYAK 0.5
#define NEARLY_ALL 1e-6 /* of the most: with less left, rounding may be all of it */
#define FARTHEST 0.1    /* of sqrt(bandwidth) */

static size_t size_of(const ascent *a) { return a->now.columns * a->now.ld; }

size_t climb_pairs(size_t moving, size_t columns) {
  const size_t size = columns * padded(moving), square = 8 * moving * moving;
  const size_t most = (square > MOST_DOUBLES ? square : MOST_DOUBLES) / (2 * size + 1);
  if (most == 0) return 0;
  return most - 1 < MOST_PAIRS ? most - 1 : MOST_PAIRS;
}

void climb_layout(climb *c, arena *memory, const ascent *a, size_t pairs) {
  const size_t size = a->row_pass.x->columns * padded(a->row_pass.moving);
  pairs_layout(&c->pairs, memory, pairs, size);
  c->slope = pairs ? arena_take(memory, size) : NULL;
  c->last = pairs ? arena_take(memory, size) : NULL;
  c->progress = NULL;
}

/* a->sums: where the corrected step leads, from the slope in a->next. */
static void correct(const climb *c, ascent *a) {
  const size_t size = size_of(a);
  double share[MOST_PAIRS];
  pairs_begin(&c->pairs, a->next.x, share);
  a->criterion->solve(a);
  /* The step itself in a->next. */
  for (size_t i = 0; i < size; i++) a->next.x[i] = c->scale * (a->sums.x[i] - a->now.x[i]);
  pairs_finish(&c->pairs, share, a->next.x);
  for (size_t i = 0; i < size; i++) a->sums.x[i] = a->now.x[i] + a->next.x[i];
}

/* The pair of the step from `from` to a->now and of what the slope has become since `last`. */
static void keep_pair(climb *c, const ascent *a, const double *from) {
  const size_t size = size_of(a);
  const size_t at = pairs_place(&c->pairs, c->pairs.count);
  double *step = c->pairs.step[at], *change = c->pairs.change[at];
  /* In units of sqrt(bandwidth), so that no product of small data is 0. */
  const double unit = sqrt(a->row_pass.kernel.bandwidth);
  for (size_t i = 0; i < size; i++) {
    step[i] = (a->now.x[i] - from[i]) / unit;
    change[i] = (c->last[i] - c->slope[i]) / unit;
  }
  pairs_keep(&c->pairs);
}

/* The slope at a->now, in c->slope and a->next. */
static void take_slope(climb *c, ascent *a) {
  a->criterion->slope(a);
  memcpy(c->slope, a->next.x, size_of(a) * sizeof *c->slope);
}

/* The scale of proposals for which the last pair's curvature is right along its change. */
static void take_scale(climb *c, ascent *a) {
  const curvature_pairs *p = &c->pairs;
  if (p->count == 0) return;
  const size_t size = size_of(a), at = pairs_place(p, p->count - 1);
  const double *change = p->change[at];
  memcpy(a->next.x, change, size * sizeof *change);
  a->criterion->solve(a);
  for (size_t i = 0; i < size; i++) a->next.x[i] = a->sums.x[i] - a->now.x[i];
  const double answer = pairs_inner(change, a->next.x, size);
  if (answer > 0.0 && isfinite(answer)) c->scale = p->inner[at] / answer;
  memcpy(a->next.x, c->slope, size * sizeof *change);
}

/* What a step gains to first order, as a share of what remains, which may be less than the rounding
 * of both. 0 if by rounding the step leads down, if nothing bounds the value, and without pairs, as
 * the slope is not kept. */
static double gain_of(const climb *c, const ascent *a, const points *from, const points *to,
                      double most, double value) {
  if (!c->pairs.most || !isfinite(most)) return 0.0;
  double gain = 0.0;
  for (size_t j = 0; j < from->columns; j++) {
    const size_t at = j * from->ld;
    for (size_t l = 0; l < from->count; l++) {
      gain += c->slope[at + l] * (to->x[at + l] - from->x[at + l]);
    }
  }
  gain *= 4.0 / a->row_pass.kernel.bandwidth;
  return gain > 0.0 ? gain / fmax(most - value, DBL_EPSILON * most) : 0.0;
}

/* Whether what remains is less than the rounding of the value, so that no step can be judged. The
 * slope has been taken at a->now. */
static int is_rounding(const ascent *a, double most, double value) {
  return a->criterion->rounding && !(most - value > a->criterion->rounding(a));
}

/* Whether a climb that has come to an end goes on without its pairs, by a long step: where
 * landmarks explain nearly all, pairs may keep it at the side of a narrow valley. `settled`: the
 * value at its last end. */
static int goes_on(const climb *c, double most, double value, double tolerance, double *settled) {
  const double before = *settled, rest = most - value;
  *settled = value;
  return c->pairs.most > 0 && rest < STIFF * most && value - before > tolerance * rest;
}

/* Makes the step in a->sums longer, up to `times`, or until a landmark goes FARTHEST. Returns how
 * many times. */
static double stretch_aim(ascent *a, double times) {
  double most = 0.0;
  for (size_t l = 0; l < a->now.count; l++) {
    double far = 0.0;
    for (size_t j = 0; j < a->now.columns; j++) {
      const double d = a->sums.x[j * a->sums.ld + l] - a->now.x[j * a->now.ld + l];
      far += d * d;
    }
    if (far > most) most = far;
  }
  const double limit = FARTHEST * sqrt(a->row_pass.kernel.bandwidth / most);
  if (!(limit > 1.0)) return 1.0;
  if (times > limit) times = limit;
  for (size_t i = 0; i < a->now.columns * a->now.ld; i++) {
    a->sums.x[i] = a->now.x[i] + times * (a->sums.x[i] - a->now.x[i]);
  }
  return times;
}

static climb_result run(climb *c, ascent *a, int steps, int halvings, double tolerance,
                        double *moved) {
  climb_result result = {0};
  const size_t bytes = size_of(a) * sizeof(double);
  result.start = result.value = a->criterion->value(a, 1);
  for (size_t l = 0; l < a->now.count; l++) moved[l] = INFINITY;
  if (!isfinite(result.start)) return result;
  const double most = a->criterion->most ? a->criterion->most(a) : INFINITY;
  c->pairs.count = 0;
  c->scale = 1.0;
  int is_stiff = 0, is_long = 0, is_still = 0;
  double settled = -INFINITY;
  if (c->pairs.most && steps > 0) {
    take_slope(c, a);
    is_still = is_rounding(a, most, result.value);
  }
  for (; !is_still && result.steps < steps; pace_note(&c->pace, ascent_operations(a))) {
    pace_turn(&c->pace, steps >= STEPS_TO_TRY);
    if (c->pairs.most) {
      correct(c, a);
    } else {
      a->criterion->propose(a);
    }
    double longer = 1.0;
    if (is_long || result.steps == 0) {
      const double gain = gain_of(c, a, &a->now, &a->sums, most, result.value);
      if (result.steps == 0 && gain > 0.0 && gain < STIFF) is_stiff = is_long = 1;
      if (is_long) longer = stretch_aim(a, POLYAK / gain);
      is_long = 0;
    }
    /* `next` keeps where we stand while `now` is tried. */
    memcpy(a->next.x, a->now.x, bytes);
    const int last_half =
        c->pairs.count > 0 && halvings > CORRECTED_HALVINGS ? CORRECTED_HALVINGS : halvings;
    int kept = 0, is_short = 0, is_end = 0; /* a short step that should gain next to nothing */
    double share = 1.0;
    const double before = result.value;
    for (int half = 0; half <= last_half && !kept; half++, share *= 0.5) {
      ascent_move(a, &a->next, &a->sums, share);
      if (half == 0) {
        is_short =
            ascent_moves(&a->next, &a->now, a->row_pass.kernel.bandwidth, moved) <= tolerance;
        /* Of the step that the space lets through. */
        const double gain = gain_of(c, a, &a->next, &a->now, most, result.value);
        is_end = is_short && !(gain > GAIN * tolerance);
        result.gain = gain / longer;
        /* Without a bound a short step is not worth a look at its value. */
        if (is_short && !a->criterion->most) break;
      }
      const double value = a->criterion->value(a, 0);
      result.halvings += half > 0;
      /* NaN is not kept, nor is a short step that gains nothing. */
      if (value > result.value || (value == result.value && !is_short)) {
        kept = 1;
        result.value = value;
        result.steps++;
      }
      if (is_end) break;
    }
    if (!kept) {
      memcpy(a->now.x, a->next.x, bytes);
      points_norms(&a->now);
      if ((c->pairs.count == 0 && c->scale == 1.0) ||
          (is_end && !goes_on(c, most, result.value, tolerance, &settled))) {
        is_still = result.value == settled;
        break;
      }
      if (is_end) is_stiff = is_long = 1;
      /* Once more, by the proposal alone, and then without its scale. */
      if (c->pairs.count == 0) c->scale = 1.0;
      c->pairs.count = 0;
      a->criterion->value(a, 0);
      take_slope(c, a);
      continue;
    }
    if (c->progress) c->progress(c->context);
    const int is_last =
        result.steps == steps || (is_end && !goes_on(c, most, result.value, tolerance, &settled));
    if (is_last && !(c->pairs.most && most - result.value < NEARLY_ALL * most)) break;
    if (!c->pairs.most) continue;
    memcpy(c->last, c->slope, bytes);
    /* Where the pair will stand, as the slope needs a->next. */
    double *from = c->pairs.step[pairs_place(&c->pairs, c->pairs.count)];
    memcpy(from, a->next.x, bytes);
    take_slope(c, a);
    if (is_rounding(a, most, result.value)) {
      memcpy(a->now.x, from, bytes);
      points_norms(&a->now);
      result.value = before;
      result.steps--;
      is_still = 1;
      break;
    }
    if (is_last) break;
    if (is_end) {
      c->pairs.count = 0;
      is_stiff = is_long = 1;
      continue;
    }
    keep_pair(c, a, from);
    if (is_stiff) take_scale(c, a);
  }
  if (is_still) {
    result.gain = 0.0;
    memset(moved, 0, a->now.count * sizeof *moved);
  }
  return result;
}

climb_result climb_run(climb *c, ascent *a, int steps, int halvings, double tolerance,
                       double *moved) {
  const executor *exec = a->row_pass.exec;
  pace_start(&c->pace, exec);
  a->row_pass.exec = &c->pace.exec;
  const climb_result result = run(c, a, steps, halvings, tolerance, moved);
  a->row_pass.exec = exec;
  return result;
}
