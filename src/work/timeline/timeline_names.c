#include "work/timeline/timeline_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "work/remarks.h"
#include "work/timeline/timeline_state.h"

#define SAME_TIME 1e-9 /* relative tolerance of times, which are written with 15 digits */

static bool
is_in_earlier(const struct timeline *p, size_t table, const char *name)
{
	for (size_t i = 0; i < table; i++)
		for (size_t k = 0; k < p->table[i].table->n; k++)
			if (str_eq(p->table[i].table->obs[k]->name, name))
				return true;
	return false;
}

/* Returns the observation's name in a file that holds all tables one after another. The caller frees. */
static char *
timeline_names_name_of(const struct timeline *timeline, size_t table, size_t observation)
{
	const struct obs_table *own = timeline->table[table].table;
	struct obs_table *all;
	char *name = NULL;

	if (!is_in_earlier(timeline, table, own->obs[observation]->name))
		return mem_str(own->obs[observation]->name);
	all = obs_table_new(NULL, 0);
	for (size_t i = 0; i <= table; i++)
		for (size_t k = 0; k < timeline->table[i].table->n && !name; k++) {
			const struct obs *obs = obs_table_add(all, timeline->table[i].table->obs[k]->name, "");

			if (i == table && k == observation)
				name = mem_str(obs->name);
		}
	obs_table_free(all);
	return name;
}

static size_t
observation_of(const struct timeline *p, const struct timeline_entry *m)
{
	return network_data_source(p->table[m->table].data, m->data_snapshot);
}

/* Returns the snapshot's number in its observation, or its end. Rows that were folded into a sum in memory are still
 * separate in the file, and numbers count them there; a sum is named by its end. The caller frees. */
static char *
snapshot_text(const struct timeline *p, size_t snapshot)
{
	const struct timeline_entry *m = &p->entry[snapshot];
	const struct network_data_snapshot *s = &p->table[m->table].data->snapshot[m->data_snapshot];
	const struct obs *o = p->table[m->table].table->obs[s->obs];

	if (s->first_row < o->sums)
		return str_format("%.15g s", m->end);
	return str_format("%zu", m->number + o->folded);
}

static void
add_key(const char *name, const char *which, struct str *out)
{
	struct json_writer w = {.out = out};
	size_t from = out->n;

	json_open(&w, NULL, '[');
	json_str(&w, NULL, name);
	json_str(&w, NULL, which);
	json_close(&w, ']');
	json_on_one_line(out, from);
}

void
timeline_snapshot_key(const struct timeline *p, size_t snapshot, struct str *out)
{
	const struct timeline_entry *m = &p->entry[snapshot];
	bool bars = m->data_snapshot == SIZE_MAX;
	char *name = bars ? mem_str("") : timeline_names_name_of(p, m->table, observation_of(p, m));
	char *which = bars ? str_format("%.15g", m->end) : snapshot_text(p, snapshot);

	add_key(name, which, out);
	free(name);
	free(which);
}

/* Reads the two texts of a key; false when the JSON is anything else. */
static bool
parse_key(const struct json *list, const char **name, const char **which)
{
	if (!list || list->kind != JSON_ARRAY || list->n != 2 || list->first->kind != JSON_STRING ||
		list->first->next->kind != JSON_STRING)
		return false;
	*name = list->first->text;
	*which = list->first->next->text;
	return true;
}

static size_t
find_bars(const struct timeline *p, const char *which)
{
	double end;

	if (!str_to_double(which, &end))
		return TIMELINE_NONE;
	for (size_t i = 0; i < p->n; i++)
		if (p->entry[i].data_snapshot == SIZE_MAX && fabs(p->entry[i].end - end) <= SAME_TIME * fabs(end))
			return i;
	return TIMELINE_NONE;
}

/* Finds a snapshot by observation and number or end. Snapshots of an observation are contiguous, so its name is made
 * once. The end of a former sum lies in the first snapshot that ends at this time or later. */
static size_t
find_snapshot(const struct timeline *timeline, const char *name, const char *which)
{
	const struct timeline_entry *before = NULL;
	bool here = false, timed = str_ends(which, " s");
	char *seconds = timed ? mem_strn(which, strlen(which) - 2) : NULL;
	double end = NAN;
	size_t found = TIMELINE_NONE;

	if (timed && !str_to_double(seconds, &end))
		end = NAN;
	for (size_t i = 0; i < timeline->n && found == TIMELINE_NONE; i++) {
		const struct timeline_entry *entry = &timeline->entry[i];
		char *own;

		if (entry->data_snapshot == SIZE_MAX)
			continue;
		if (!before || before->table != entry->table ||
			observation_of(timeline, before) != observation_of(timeline, entry)) {
			own = timeline_names_name_of(timeline, entry->table, observation_of(timeline, entry));
			here = str_eq(own, name);
			free(own);
		}
		before = entry;
		if (!here)
			continue;
		own = snapshot_text(timeline, i);
		if (timed ? entry->end >= end - SAME_TIME * fabs(end) : str_eq(own, which))
			found = i;
		free(own);
	}
	free(seconds);
	return found;
}

size_t
timeline_snapshot_of(const struct timeline *p, const char *key)
{
	struct json *list = json_parse(key, strlen(key), NULL);
	const char *name, *which;
	size_t snapshot = TIMELINE_NONE;

	if (parse_key(list, &name, &which))
		snapshot = *name ? find_snapshot(p, name, which) : find_bars(p, which);
	json_free(list);
	return snapshot;
}

void
timeline_snapshot_words(const char *key, struct str *out)
{
	struct json *list = json_parse(key, strlen(key), NULL);
	const char *name, *which;

	if (!parse_key(list, &name, &which))
		str_add(out, key);
	else if (*name && str_ends(which, " s"))
		str_addf(out, "the snapshot of %s that ended at %s", name, which);
	else if (*name)
		str_addf(out, "snapshot %s of %s", which, name);
	else
		str_addf(out, "the snapshot that ended at %s s", which);
	json_free(list);
}
