#include "batches.h"

#include <math.h>
#include <string.h>

#define CHECKED 3 /* whole steps in a row after which steps are no longer checked */
/* Of sqrt(bandwidth): steps on a batch end where no landmark would move farther. With 1e-6 steps
 * are a fifth more, and log det is the same within the spread of seeds. */
#define SETTLED 1e-3
#define FALL 0.02 /* of criterion->worth(), from which on they are */
#define LEAP 1.0  /* of sqrt(bandwidth): the longest step, unless the kernel is Gaussian */

/* Rows of the largest chunk, and of the largest batch. */
static size_t rows_of_chunks(const batch_schedule *schedule, size_t *batch) {
  size_t most = 0, k = 0;
  *batch = 0;
  for (size_t c = 0; c < schedule->chunks; c++) {
    size_t rows = 0;
    for (size_t i = 0; i < schedule->chunk[c]; i++, k++) {
      rows += schedule->size[k];
      if (schedule->size[k] > *batch) *batch = schedule->size[k];
    }
    if (rows > most) most = rows;
  }
  return most;
}

/* Entries of the sparse chunk that has most. */
static size_t entries_of_chunks(const observations *all, const batch_schedule *schedule) {
  size_t most = 0, k = 0;
  const int *row = schedule->row;
  for (size_t c = 0; c < schedule->chunks; c++) {
    size_t here = 0;
    for (size_t i = 0; i < schedule->chunk[c]; i++, row += schedule->size[k++]) {
      here += observations_entries(all, row, schedule->size[k]);
    }
    if (here > most) most = here;
  }
  return most;
}

void batches_layout(batches *b, arena *memory, const executor *exec, const observations *all,
                    const climb_problem *problem, const batch_schedule *schedule) {
  const size_t moving = problem->moving;
  b->all = all;
  const size_t chunk = rows_of_chunks(schedule, &b->most);
  int most_steps = 0;
  for (size_t k = 0; k < schedule->count; k++) {
    if (schedule->steps[k] > most_steps) most_steps = schedule->steps[k];
  }
  gathered_layout(&b->chunk, memory, all, chunk, entries_of_chunks(all, schedule),
                  schedule->is_single);
  b->batch = b->chunk.rows;
  b->batch.rows = b->most;
  double *mean[2];
  for (int h = 0; h < 2; h++) mean[h] = arena_take(memory, points_size(moving, all->columns));
  pace_start(&b->pace, exec);
  ascent_layout(&b->ascent, memory, &b->pace.exec, &b->batch, problem, 1);
  climb_layout(&b->climb, memory, &b->ascent,
               most_steps > 1 ? climb_pairs(moving, all->columns) : 0);
  if (!memory->base) return;
  for (int h = 0; h < 2; h++) b->mean[h] = points_on(mean[h], moving, all->columns);
}

/* What a climb carries from one batch to the next, beside its landmarks and the two means. */
typedef struct {
  int steps;    /* so far */
  int whole;    /* steps that were kept as they were proposed, in a row */
  double worth; /* of the landmarks */
  double share; /* of the last proposal that was kept */
  /* Of the batches that are averaged, in two halves: their rows, how many, and all their steps. */
  double weight[2];
  size_t in[2];
  double averaged_steps;
} record;

/* Adds the landmarks to a mean, which has so much weight before. */
static void add_to(points *mean, const points *now, double before, double weight) {
  const double share = weight / (before + weight);
  for (size_t i = 0; i < now->columns * now->ld; i++) {
    mean->x[i] = before > 0.0 ? mean->x[i] + share * (now->x[i] - mean->x[i]) : now->x[i];
  }
}

/* A step whose value is looked at: shorter and shorter shares of the proposal, the first twice as
 * large as what the batch before has kept. */
static int checked_step(batches *b, int halvings, double value, record *before) {
  ascent *a = &b->ascent;
  const size_t bytes = a->now.columns * a->now.ld * sizeof *a->now.x;
  double share = before->share < 0.5 ? 2.0 * before->share : 1.0;
  for (int half = 0; half <= halvings; half++, share *= 0.5) {
    ascent_move(a, &a->next, &a->sums, share);
    if (!(a->criterion->value(a, 0) >= value)) continue;
    before->whole = share == 1.0 ? before->whole + 1 : 0;
    before->share = share;
    return 1;
  }
  memcpy(a->now.x, a->next.x, bytes);
  points_norms(&a->now);
  before->whole = 0;
  before->share = share;
  return 0;
}

/* Slopes of other kernels than the Gaussian change fast near rows, and the system for a step may be
 * nearly singular: no landmark goes farther than LEAP in a->sums. */
static void shorten_leaps(ascent *a, double *moved) {
  const radial_kernel *k = &a->row_pass.kernel;
  if (k->profile->is_gaussian) return;
  if (ascent_moves(&a->now, &a->sums, k->bandwidth, moved) <= LEAP) return;
  for (size_t j = 0; j < a->now.columns; j++) {
    const double *from = a->now.x + j * a->now.ld;
    double *to = a->sums.x + j * a->sums.ld;
    for (size_t l = 0; l < a->now.count; l++) {
      if (moved[l] > LEAP) to[l] = from[l] + LEAP / moved[l] * (to[l] - from[l]);
    }
  }
}

/* One step on the batch. Returns whether a landmark has moved. */
static int batch_step(batches *b, int halvings, record *before, double *moved) {
  ascent *a = &b->ascent;
  const double value = a->criterion->value(a, 1);
  if (!isfinite(value)) {
    before->whole = 0;
    return 0;
  }
  const double worth = a->criterion->worth(a, value);
  if (worth < before->worth - FALL) before->whole = 0;
  before->worth = worth;
  a->criterion->propose(a);
  shorten_leaps(a, moved);
  memcpy(a->next.x, a->now.x, a->now.columns * a->now.ld * sizeof *a->now.x);
  int kept = 1;
  if (before->whole >= CHECKED) {
    ascent_move(a, &a->next, &a->sums, 1.0);
  } else {
    kept = checked_step(b, halvings, value, before);
  }
  return ascent_moves(&a->next, &a->now, a->row_pass.kernel.bandwidth, moved) > 0.0 && kept;
}

/* The landmark that moves := the start with the largest value. Returns whether one has a value. */
static int take_start(batches *b, const points *starts) {
  ascent *a = &b->ascent;
  double highest = -INFINITY;
  size_t best = starts->count;
  for (size_t k = 0; k < starts->count; k++) {
    points_copy(starts, k, &a->now);
    const double value = a->criterion->value(a, k == 0);
    if (!(value > highest)) continue;
    highest = value;
    best = k;
  }
  if (best == starts->count) return 0;
  points_copy(starts, best, &a->now);
  return 1;
}

static void add_batch(batches *b, const batch_schedule *schedule, size_t k, record *sums) {
  const size_t left = schedule->count - 1 - k;
  if (left >= schedule->averaged) return;
  const int half = left < schedule->averaged / 2;
  add_to(&b->mean[half], &b->ascent.now, sums->weight[half], (double)schedule->size[k]);
  sums->weight[half] += (double)schedule->size[k];
  sums->in[half]++;
  sums->averaged_steps += schedule->steps[k];
}

static void take_averages(batches *b, const record *sums, double *moved) {
  ascent *a = &b->ascent;
  if (sums->in[0] > 0 && sums->in[1] > 0) {
    ascent_moves(&b->mean[0], &b->mean[1], a->row_pass.kernel.bandwidth, moved);
    for (size_t l = 0; l < a->now.count; l++) moved[l] /= 0.5 * sums->averaged_steps;
  }
  add_to(&b->mean[1], &b->mean[0], sums->weight[1], sums->weight[0]);
  ascent_move(a, &b->mean[1], &b->mean[1], 0.0);
}

int batches_climb(batches *b, const batch_schedule *schedule, double *moved) {
  ascent *a = &b->ascent;
  record sums = {.worth = -INFINITY, .share = 1.0};
  for (size_t l = 0; l < a->now.count; l++) moved[l] = INFINITY;
  const int *row = schedule->row;
  size_t k = 0;
  for (size_t c = 0; c < schedule->chunks; c++) {
    size_t rows = 0, first = 0;
    const size_t end = k + schedule->chunk[c];
    for (size_t i = k; i < end; i++) rows += schedule->size[i];
    gathered_take(&b->chunk, a->row_pass.exec, b->all, row, rows);
    row += rows;
    for (; k < end; first += schedule->size[k++]) {
      b->batch = observations_some(&b->chunk.rows, first, schedule->size[k]);
      /* The first batches are the smallest: one of them shows what one thread can do. */
      pace_turn(&b->pace, 1);
      if (k == 0 && schedule->starts && !take_start(b, schedule->starts)) return -1;
      int steps = 0;
      if (schedule->steps[k] == 1) {
        steps = batch_step(b, schedule->halvings, &sums, moved);
      } else if (schedule->steps[k] > 1) {
        steps =
            climb_run(&b->climb, a, schedule->steps[k], schedule->halvings, SETTLED, moved).steps;
      }
      sums.steps += steps;
      pace_note(&b->pace, steps * ascent_operations(a));
      add_batch(b, schedule, k, &sums);
      if (schedule->progress) schedule->progress(schedule->context, schedule->size[k]);
    }
  }
  if (schedule->averaged > 0) take_averages(b, &sums, moved);
  return sums.steps;
}
