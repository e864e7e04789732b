#include "core/obs/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"

struct obs_repeat {
	int64_t *first;          /* the first sample: n_columns */
	size_t block;            /* number of the sample that was equal to it; 0: none was */
	struct obs_total *total; /* totals of the samples before that */
};

void
obs_repeat_forget(struct obs *o)
{
	if (!o->repeat)
		return;
	free(o->repeat->first);
	free(o->repeat->total);
	free(o->repeat);
	o->repeat = NULL;
}

/* Returns true if the observation's totals are those of so many blocks. */
static bool
has_blocks(const struct obs *o, size_t blocks)
{
	for (size_t i = 0; i < o->n_columns; i++) {
		const struct obs_total *all = &o->total[i], *one = &o->repeat->total[i];

		if (all->sum != (i128)blocks * one->sum || all->counted != blocks * one->counted ||
			one->square == OBS_SQUARE_LOST || all->square != blocks * one->square)
			return false;
	}
	return true;
}

void
obs_repeat_see(struct obs *o, size_t number, const int64_t *count, const unsigned char *counted)
{
	struct obs_repeat *repeat = o->repeat;
	size_t size = o->n_columns * sizeof *count;
	bool whole = !counted || !memchr(counted, 0, o->n_columns);

	if (number == 0 && whole && !o->time && o->n_columns) {
		o->repeat = repeat = mem_new(sizeof *repeat);
		repeat->first = mem_copy(count, size);
		repeat->total = mem_new_array(o->n_columns, sizeof *repeat->total);
		return;
	}
	if (!repeat || count[0] != repeat->first[0] || !whole || memcmp(count, repeat->first, size) != 0 ||
		(repeat->block && number % repeat->block == 0 && has_blocks(o, number / repeat->block)))
		return;
	repeat->block = number;
	memcpy(repeat->total, o->total, o->n_columns * sizeof *repeat->total);
}

size_t
obs_repeat_block(const struct obs *o)
{
	size_t n = obs_samples(o), block = o->repeat ? o->repeat->block : 0;
	bool good = block > 1 && n > block && n % block == 0 && has_blocks(o, n / block);

	return good ? block : 0;
}

bool
obs_repeat_cut(struct obs *obs)
{
	size_t block = obs->repeat->block, n = obs->n_columns, row = block / obs->per_row;

	if (obs->of || obs->whole || obs->running || obs->error)
		return false;
	/* The row in which the second block begins gets what the rows before it lack of the block. */
	for (size_t i = 0; i < n && block % obs->per_row; i++) {
		i128 left = obs->repeat->total[i].sum;

		for (size_t k = 0; k < row; k++)
			left -= obs->count[k * n + i];
		obs->count[row * n + i] = (int64_t)left;
	}
	obs->n_rows = obs->sums = row + (block % obs->per_row > 0);
	obs->folded = block - obs->n_rows;
	memcpy(obs->total, obs->repeat->total, n * sizeof *obs->total);
	obs_repeat_forget(obs);
	return true;
}
