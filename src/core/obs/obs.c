#include "core/obs/obs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

struct obs_table *
obs_table_new(const char *const *column, size_t n_columns)
{
	struct obs_table *t = mem_new(sizeof *t);

	t->n_columns = n_columns;
	t->column = mem_new_array(n_columns, sizeof *t->column);
	for (size_t i = 0; i < n_columns; i++)
		t->column[i] = mem_str(column[i]);
	return t;
}

static void
obs_free(struct obs *o)
{
	free(o->name);
	free(o->source);
	free(o->count);
	free(o->counted);
	free(o->time);
	free(o->health);
	free(o);
}

void
obs_table_free(struct obs_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n; i++)
		obs_free(t->obs[i]);
	for (size_t i = 0; i < t->n_columns; i++)
		free(t->column[i]);
	free(t->obs);
	free(t->column);
	free(t);
}

static bool
name_is_taken(const struct obs_table *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (str_eq(t->obs[i]->name, name))
			return true;
	return false;
}

static char *
unique_name(const struct obs_table *t, const char *name)
{
	char *s = mem_str(name);

	for (size_t k = 2; name_is_taken(t, s); k++) {
		free(s);
		s = str_format("%s#%zu", name, k);
	}
	return s;
}

struct obs *
obs_table_add(struct obs_table *t, const char *name, const char *source)
{
	struct obs *o = mem_new(sizeof *o);

	o->name = unique_name(t, name);
	o->source = mem_str(source);
	o->n_columns = t->n_columns;
	o->health = mem_new_array(t->n_columns, sizeof *o->health);
	for (size_t i = 0; i < t->n_columns; i++)
		o->health[i] = OBS_ABSENT;
	mem_grow(&t->obs, &t->cap, t->n + 1, sizeof *t->obs);
	t->obs[t->n++] = o;
	return o;
}

void
obs_add_row(struct obs *o, const int64_t *count, const unsigned char *counted, double time)
{
	size_t r = o->n_rows, c = o->n_columns;

	/* Capacity is a power of two of rows: grown when the number of rows reaches one. */
	if ((r & (r - 1)) == 0) {
		size_t cap = r ? r * 2 : 1;

		o->count = mem_resize(o->count, cap * c + 1, sizeof *o->count);
		o->counted = mem_resize(o->counted, cap * c + 1, sizeof *o->counted);
		if (o->time || r == 0)
			o->time = mem_resize(o->time, cap, sizeof *o->time);
	}
	for (size_t i = 0; i < c; i++) {
		bool is = !counted || counted[i];

		o->count[r * c + i] = is ? count[i] : 0;
		o->counted[r * c + i] = is;
		if (is && o->health[i] == OBS_ABSENT)
			o->health[i] = OBS_LIVE;
	}
	if (o->time)
		o->time[r] = time;
	if (o->time && isnan(time)) {
		free(o->time);
		o->time = NULL;
	}
	o->n_rows++;
}

const char *
obs_health_name(enum obs_health h)
{
	switch (h) {
	case OBS_LIVE: return "live";
	case OBS_ZERO_SUSPECT: return "zero-suspect";
	case OBS_DEAD: return "dead";
	case OBS_UNSUPPORTED: return "unsupported";
	case OBS_ABSENT: return "absent";
	}
	return "?";
}
