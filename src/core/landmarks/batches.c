#include "batches.h"

#include <math.h>
#include <string.h>

#define CHECKED 3 /* whole steps in a row after which steps are no longer checked */
#define FALL 0.05 /* of criterion->worth(), from which on they are */

void batches_layout(batches *b, arena *memory, const executor *exec, const observations *all,
                    double bandwidth, const criterion *criterion, const space *space, size_t held,
                    size_t moving, const batch_plan *plan) {
  size_t most = 0, entries = 0;
  const int *row = plan->row;
  for (size_t k = 0; k < plan->count; row += plan->size[k++]) {
    if (plan->size[k] > most) most = plan->size[k];
    if (all->kind != ROWS_SPARSE) continue;
    const size_t here = observations_entries(all, row, plan->size[k]);
    if (here > entries) entries = here;
  }
  const int sparse = all->kind == ROWS_SPARSE;
  b->all = all;
  b->real = arena_take(memory, sparse ? entries : most * padded(all->columns));
  b->weight = all->weight ? arena_take(memory, most) : NULL;
  b->norm = sparse ? NULL : arena_take(memory, most);
  b->start = sparse ? (int *)arena_take(memory, most / 2 + 1) : NULL;
  b->column = sparse ? (int *)arena_take(memory, (entries + 1) / 2) : NULL;
  b->batch = *all;
  b->batch.kind = sparse ? ROWS_SPARSE : ROWS_DENSE;
  b->batch.rows = most;
  double *mean[2];
  for (int h = 0; h < 2; h++) mean[h] = arena_take(memory, points_size(moving, all->columns));
  ascent_layout(&b->ascent, memory, exec, &b->batch, bandwidth, criterion, space, held, moving, 1);
  if (!memory->base) return;
  for (int h = 0; h < 2; h++) b->mean[h] = points_on(mean[h], moving, all->columns);
}

/* The rows of a batch as b->batch. */
static void gather(batches *b, const int *row, size_t count) {
  const observations *all = b->all;
  const executor *exec = b->ascent.sweep.exec;
  observations *batch = &b->batch;
  batch->rows = count;
  batch->norm = NULL;
  for (size_t i = 0; b->weight && i < count; i++) b->weight[i] = all->weight[row[i]];
  batch->weight = b->weight;
  if (batch->kind == ROWS_SPARSE) {
    observations_gather_sparse(all, row, count, b->start, b->column, b->real);
    batch->start = b->start;
    batch->column = b->column;
    batch->value = b->real;
    return;
  }
  observations_gather(exec, all, row, 0, count, b->real);
  batch->real = b->real;
  observations_norms(exec, batch, b->norm);
  batch->norm = b->norm;
}

/* Adds the landmarks to a mean, which has so much weight before. */
static void add_to(points *mean, const points *now, double before, double weight) {
  const double share = weight / (before + weight);
  for (size_t i = 0; i < now->columns * now->length; i++) {
    mean->x[i] = before > 0.0 ? mean->x[i] + share * (now->x[i] - mean->x[i]) : now->x[i];
  }
}

/* What one batch tells the next. */
typedef struct {
  int whole;    /* steps that were kept as they were proposed, in a row */
  double worth; /* of the landmarks */
  double share; /* of the last proposal that was kept */
} experience;

/* A step whose value is looked at: shorter and shorter shares of the proposal, the first twice as
 * large as what the batch before has kept. */
static int checked_step(batches *b, int halvings, double value, experience *before) {
  ascent *a = &b->ascent;
  const size_t bytes = a->now.columns * a->now.length * sizeof *a->now.x;
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

/* One step on the batch. Returns whether it was kept. */
static int batch_step(batches *b, int halvings, experience *before, double *moved) {
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
  memcpy(a->next.x, a->now.x, a->now.columns * a->now.length * sizeof *a->now.x);
  int kept = 1;
  if (before->whole >= CHECKED) {
    ascent_move(a, &a->next, &a->sums, 1.0);
  } else {
    kept = checked_step(b, halvings, value, before);
  }
  ascent_moves(&a->next, &a->now, a->sweep.bandwidth, moved);
  return kept;
}

int batches_climb(batches *b, const batch_plan *plan, double *moved) {
  ascent *a = &b->ascent;
  int steps = 0;
  experience before = {0, -INFINITY, 1.0};
  double weight[2] = {0.0, 0.0};
  for (size_t l = 0; l < a->now.count; l++) moved[l] = INFINITY;
  size_t in[2] = {0, 0};
  int averaged = 0; /* steps on the batches that are averaged */
  const int *row = plan->row;
  for (size_t k = 0; k < plan->count; row += plan->size[k++]) {
    gather(b, row, plan->size[k]);
    if (plan->steps[k] == 1) {
      steps += batch_step(b, plan->halvings, &before, moved);
    } else {
      steps += ascent_climb(a, plan->steps[k], plan->halvings, 0.0, moved).steps;
    }
    const size_t left = plan->count - 1 - k;
    if (left < plan->averaged) {
      const int half = left < plan->averaged / 2;
      add_to(&b->mean[half], &a->now, weight[half], (double)plan->size[k]);
      weight[half] += (double)plan->size[k];
      in[half]++;
      averaged += plan->steps[k];
    }
    if (plan->progress) plan->progress(plan->context, plan->size[k]);
  }
  if (plan->averaged == 0) return steps;
  if (in[0] > 0 && in[1] > 0) {
    ascent_moves(&b->mean[0], &b->mean[1], a->sweep.bandwidth, moved);
    for (size_t l = 0; l < a->now.count; l++) moved[l] /= 0.5 * averaged;
  }
  add_to(&b->mean[1], &b->mean[0], weight[1], weight[0]);
  ascent_move(a, &b->mean[1], &b->mean[1], 0.0);
  return steps;
}
