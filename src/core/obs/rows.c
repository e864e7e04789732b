#include "core/obs/rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/obs/obs.h"

struct obs_block {
	size_t observation, first;
	struct obs *rows;
	size_t used;  /* the shelf's clock at the last use */
	bool failed;
};

struct obs_shelf {
	const struct obs_fetch *fetch;
	void *ctx;
	struct obs_block *block;
	size_t n, cap, cells, clock, reads;
	size_t last;          /* number of the block that was used last */
	struct obs_sum **sum; /* per observation, the sums of all columns; NULL: not computed yet */
	size_t n_observations;
	struct err failure;
	bool failed;          /* a read failed since the last rest, so sums may lack rows */
};

static size_t
block_rows(size_t n_columns)
{
	size_t rows = 1;

	while (rows < OBS_BLOCK_ROWS && 2 * rows * n_columns <= OBS_BLOCK_CELLS)
		rows *= 2;
	return rows;
}

void
obs_table_set_far(struct obs_table *table, const struct obs_fetch *fetch, void *ctx)
{
	struct obs_shelf *shelf = mem_new(sizeof *shelf);

	shelf->fetch = fetch;
	shelf->ctx = ctx;
	shelf->n_observations = table->n;
	shelf->sum = mem_new_array(table->n, sizeof(struct obs_sum *));
	table->shelf = shelf;
	for (size_t i = 0; i < table->n; i++) {
		table->obs[i]->shelf = shelf;
		table->obs[i]->on_shelf = i;
	}
}

static void
drop_block(struct obs_shelf *s, size_t at)
{
	s->cells -= s->block[at].rows->n_rows * s->block[at].rows->n_columns;
	obs_free(s->block[at].rows);
	s->block[at] = s->block[--s->n];
	s->last = SIZE_MAX;
}

void
obs_shelf_free(struct obs_shelf *shelf)
{
	if (!shelf)
		return;
	while (shelf->n)
		drop_block(shelf, shelf->n - 1);
	for (size_t i = 0; i < shelf->n_observations; i++)
		free(shelf->sum[i]);
	free(shelf->sum);
	free(shelf->block);
	shelf->fetch->free(shelf->ctx);
	free(shelf);
}

void
obs_table_rest(const struct obs_table *table)
{
	struct obs_shelf *shelf = table->shelf;

	if (!shelf)
		return;
	for (size_t i = shelf->n; i-- > 0;)
		if (shelf->block[i].failed)
			drop_block(shelf, i);
	for (size_t i = 0; i < shelf->n_observations && shelf->failed; i++) {
		free(shelf->sum[i]);
		shelf->sum[i] = NULL;
	}
	shelf->failed = false;
	shelf->fetch->rest(shelf->ctx);
}

const struct err *
obs_table_failure(const struct obs_table *t)
{
	return t->shelf && t->shelf->failed ? &t->shelf->failure : NULL;
}

size_t
obs_table_far_reads(const struct obs_table *t)
{
	return t->shelf ? t->shelf->reads : 0;
}

static struct obs *
empty_like(const struct obs *o)
{
	struct obs *rows = mem_new(sizeof *rows);

	rows->n_columns = o->n_columns;
	rows->health = mem_new_array(o->n_columns, sizeof *rows->health);
	return rows;
}

/* Makes rows that count nothing, in place of rows that could not be read. */
static struct obs *
blank(const struct obs *o, size_t n)
{
	struct obs *rows = empty_like(o);
	unsigned char *none = mem_new_array(o->n_columns, 1);
	int64_t *count = mem_new_array(o->n_columns, sizeof *count);

	while (rows->n_rows < n)
		obs_add_row(rows, count, none, NAN);
	free(count);
	free(none);
	return rows;
}

/* Makes room for some more cells: drops the blocks that have been unused for longest. */
static void
rows_make_room(struct obs_shelf *s, size_t cells)
{
	size_t most = s->fetch->most_cells ? s->fetch->most_cells : OBS_FAR_CELLS;

	while (s->n && (s->cells + cells > most || s->n >= OBS_BLOCKS)) {
		size_t oldest = 0;

		for (size_t i = 1; i < s->n; i++)
			if (s->block[i].used < s->block[oldest].used)
				oldest = i;
		drop_block(s, oldest);
	}
}

/* Reads rows; those that cannot be read are blank. */
static struct obs *
fetch_rows(struct obs_shelf *shelf, const struct obs *obs, size_t first, size_t n, bool *failed)
{
	struct obs *rows = empty_like(obs);
	struct err e = {0};

	*failed = !shelf->fetch->read(shelf->ctx, obs->on_shelf, first, n, rows, &e);
	if (!*failed)
		return rows;
	if (!shelf->failed)
		shelf->failure = e;
	shelf->failed = true;
	obs_free(rows);
	return blank(obs, n);
}

static struct obs_block *
read_block(struct obs_shelf *shelf, const struct obs *obs, size_t first, size_t n)
{
	struct obs_block b = {.observation = obs->on_shelf, .first = first};

	shelf->reads++;
	b.rows = fetch_rows(shelf, obs, first, n, &b.failed);
	rows_make_room(shelf, n * obs->n_columns);
	mem_grow(&shelf->block, &shelf->cap, shelf->n + 1, sizeof *shelf->block);
	shelf->cells += n * obs->n_columns;
	shelf->block[shelf->n++] = b;
	return &shelf->block[shelf->n - 1];
}

static struct obs_block *
block_of(struct obs_shelf *shelf, const struct obs *obs, size_t row)
{
	size_t size = block_rows(obs->n_columns), first = row / size * size,
	       n = obs->n_rows - first < size ? obs->n_rows - first : size, at = shelf->last;
	struct obs_block *block;

	if (at >= shelf->n || shelf->block[at].observation != obs->on_shelf || shelf->block[at].first != first)
		for (at = 0; at < shelf->n &&
			(shelf->block[at].observation != obs->on_shelf || shelf->block[at].first != first);
			at++)
			;
	block = at < shelf->n ? &shelf->block[at] : read_block(shelf, obs, first, n);
	shelf->last = (size_t)(block - shelf->block);
	block->used = ++shelf->clock;
	return block;
}

/* The rows of `o`, which lie in memory; its first one is row `begin` of the observation. */
static struct obs_rows
rows_part_of(const struct obs *o, size_t begin, size_t first, size_t end)
{
	size_t cell = (first - begin) * o->n_columns;

	return (struct obs_rows){
		.first = first, .n = end - first, .count = o->count + cell, .counted = o->counted + cell,
		.running = o->running ? o->running + cell : NULL, .error = o->error ? o->error + cell : NULL,
	};
}

struct obs_rows
obs_rows(const struct obs *o, size_t first, size_t end)
{
	const struct obs_block *b;
	size_t after;

	if (!o->shelf)
		return rows_part_of(o, 0, first, end);
	b = block_of(o->shelf, o, first);
	after = b->first + b->rows->n_rows;
	return rows_part_of(b->rows, b->first, first, end < after ? end : after);
}

struct obs
obs_near(const struct obs *o)
{
	struct obs near = *o, *rows;
	bool failed;

	if (!o->shelf || !o->n_rows)
		return near;
	rows = fetch_rows(o->shelf, o, 0, o->n_rows, &failed);
	near.count = rows->count;
	near.counted = rows->counted;
	near.running = rows->running;
	near.error = rows->error;
	near.shelf = NULL;
	rows->count = NULL;
	rows->counted = NULL;
	rows->running = rows->error = NULL;
	obs_free(rows);
	return near;
}

void
obs_near_free(struct obs *near, const struct obs *of)
{
	if (!of->shelf)
		return;
	free(near->count);
	free(near->counted);
	free(near->running);
	free(near->error);
	*near = (struct obs){0};
}

static void
rows_add_cell(struct obs_sum *s, const struct obs_rows *r, size_t cell)
{
	if (!r->counted[cell])
		return;
	s->counted++;
	s->sum += r->count[cell];
	if (r->running)
		s->running = fmin(s->running, r->running[cell]);
}

static struct obs_sum *
sum_all(const struct obs *obs)
{
	size_t c = obs->n_columns;
	struct obs_sum *sum = mem_new_array(c, sizeof *sum);

	for (size_t i = 0; i < c; i++)
		sum[i].running = 1;
	for (size_t row = 0; row < obs->n_rows;) {
		struct obs_rows r = obs_rows(obs, row, obs->n_rows);

		for (size_t cell = 0; cell < r.n * c; cell += c)
			for (size_t i = 0; i < c; i++)
				rows_add_cell(&sum[i], &r, cell + i);
		row += r.n;
	}
	return sum;
}

struct obs_sum
obs_sum(const struct obs *obs, size_t column, size_t first, size_t n)
{
	struct obs_sum sum = {.running = 1};
	struct obs_shelf *shelf = obs->shelf;

	if (shelf && first == 0 && n == obs->n_rows && n > block_rows(obs->n_columns)) {
		if (!shelf->sum[obs->on_shelf])
			shelf->sum[obs->on_shelf] = sum_all(obs);
		return shelf->sum[obs->on_shelf][column];
	}
	for (size_t row = first; row < first + n;) {
		struct obs_rows r = obs_rows(obs, row, first + n);

		for (size_t i = 0; i < r.n; i++)
			rows_add_cell(&sum, &r, i * obs->n_columns + column);
		row += r.n;
	}
	return sum;
}

size_t
obs_row_after(const struct obs *obs, double time)
{
	size_t low = 0, high = obs->time ? obs->n_rows : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (obs->time[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
obs_has_quality(const struct obs *o, bool *running, bool *error)
{
	*running = o->running != NULL;
	*error = o->error != NULL;
	for (size_t row = 0; o->shelf && row < o->n_rows;) {
		struct obs_rows r = obs_rows(o, row, o->n_rows);

		*running |= r.running != NULL;
		*error |= r.error != NULL;
		row += r.n;
	}
}
