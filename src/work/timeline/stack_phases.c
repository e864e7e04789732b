#include "work/timeline/stack_phases.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/series/changes.h"
#include "core/stats/region.h"
#include "work/timeline/stack_count.h"

/* Finds the columns that some method uses and that hold counts here, each once. Returns their number. */
static size_t
choose_columns(struct stack_columns *const *by, size_t n_methods, const struct obs *obs, size_t *column)
{
	bool *used = mem_new_array(obs->n_columns, sizeof *used);
	size_t n = 0;

	for (size_t k = 0; k < n_methods; k++)
		for (size_t i = 0; i < by[k]->match->first[by[k]->n_counters]; i++)
			used[by[k]->match->column[i]] = true;
	for (size_t c = 0; c < obs->n_columns; c++)
		if (used[c] && (obs->health[c] == OBS_LIVE || obs->health[c] == OBS_HONEST))
			column[n++] = c;
	free(used);
	return n;
}

/* Copies the cells of the n chosen columns, row by row. False when none of them was ever counted. */
static bool
take_cells(const struct obs *obs, const size_t *column, size_t n, int64_t *count, unsigned char *counted)
{
	bool some = false;

	for (size_t row = 0; row < obs->n_rows;) {
		struct obs_rows r = obs_rows(obs, row, obs->n_rows);

		for (size_t k = 0; k < r.n; k++, row++)
			for (size_t i = 0; i < n; i++) {
				size_t from = k * obs->n_columns + column[i], to = row * n + i;

				counted[to] = r.counted[from];
				count[to] = r.counted[from] ? r.count[from] : 0;
				some |= count[to] != 0;
			}
	}
	return some;
}

static struct changes *
stack_phases_find_changes(const struct obs *obs, const size_t *column, size_t n)
{
	int64_t *count = mem_new_array(obs->n_rows * n, sizeof *count);
	unsigned char *counted = mem_new_array(obs->n_rows * n, 1);
	struct samples s = {.n_counters = n, .n_rows = obs->n_rows, .count = count, .counted = counted,
		.decimals = obs->decimals, .tasks = obs->tasks};
	struct region *region = take_cells(obs, column, n, count, counted) ? region_new(&s, false) : NULL;
	struct changes *changes = region && region_has_noise_model(region) ? changes_find(&s, region) : NULL;

	region_free(region);
	free(count);
	free(counted);
	return changes;
}

size_t *
stack_phases(
	struct stack_columns *const *by, size_t n_methods, const struct obs_table *table, size_t observation, size_t *n)
{
	const struct obs *obs = table->obs[observation];
	size_t *column = mem_new_array(obs->n_columns, sizeof *column),
	       used = choose_columns(by, n_methods, obs, column), *first;
	struct changes *changes = used && obs->n_rows >= 2 * CHANGES_SHORTEST
		? stack_phases_find_changes(obs, column, used)
		: NULL;

	*n = 1 + (changes ? changes->n : 0);
	first = mem_new_array(*n, sizeof *first);
	for (size_t i = 1; i < *n; i++)
		first[i] = changes->change[i - 1].row;
	changes_free(changes);
	free(column);
	return first;
}

/* Copies some rows of an observation into a new one, whose time begins with the first of these rows. */
static void
add_phase(struct obs_table *to, const struct obs *o, const char *name, size_t first, size_t end)
{
	struct obs *part = obs_table_add_part(to, o, name, first, end - first);

	for (size_t i = 0; first && part->time && i < part->n_rows; i++)
		part->time[i] -= o->time[first - 1];
}

struct obs_table *
stack_split_phases(struct stack_columns *const *by, size_t n_methods, const struct obs_table *t)
{
	struct obs_table *split = obs_table_new((const char *const *)t->column, t->n_columns);

	for (size_t i = 0; i < t->n; i++) {
		const struct obs *o = t->obs[i];
		size_t n, *first = stack_phases(by, n_methods, t, i, &n);

		for (size_t k = 0; k < n; k++) {
			char *name = n > 1 ? str_format("%s@%zu", o->name, k + 1) : mem_str(o->name);

			add_phase(split, o, name, first[k], k + 1 < n ? first[k + 1] : o->n_rows);
			free(name);
		}
		free(first);
	}
	for (size_t i = 0; i < t->n_notes; i++)
		obs_table_note(split, OBS_NOTE_OTHER, mem_str(t->note[i]));
	return split;
}
