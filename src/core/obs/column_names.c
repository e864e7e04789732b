#include "core/obs/column_names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "event/name.h"

#define CORES_MAX 8         /* kinds of cores in one table; machines have two or three */
#define NEAR_COLUMNS_MAX 2000 /* a simulator's thousands of columns are not searched for misspelt names */

struct column_names {
	const struct obs_table *table;
	struct event_name *name;
	struct event_name *owned; /* of EVENT@OWNER: the event; NULL without such columns */
	size_t n;
	const char *core; /* the kind of core that counted everything that is asked for; NULL: none, or several */
};

/* Returns whether the column is EVENT@OWNER. */
static bool
is_owned(const char *column)
{
	const char *at = strchr(column, '@');

	return at && at > column && at[1];
}

/* Reads the event of a column that counts for one owner. */
static void
read_owned(struct column_names *names, size_t column)
{
	const char *name = names->table->column[column];
	char *event;

	if (!is_owned(name))
		return;
	if (!names->owned)
		names->owned = mem_new_array(names->n, sizeof *names->owned);
	event = mem_strn(name, strcspn(name, "@"));
	event_name_read(event, &names->owned[column]);
	free(event);
}

struct column_names *
column_names_new(const struct obs_table *table)
{
	struct column_names *names = mem_new(sizeof *names);

	names->table = table;
	names->n = table->n_columns;
	names->name = mem_new_array(names->n, sizeof *names->name);
	for (size_t i = 0; i < names->n; i++) {
		event_name_read(table->column[i], &names->name[i]);
		read_owned(names, i);
	}
	return names;
}

void
column_names_free(struct column_names *names)
{
	if (!names)
		return;
	for (size_t i = 0; i < names->n; i++) {
		event_name_free(&names->name[i]);
		if (names->owned)
			event_name_free(&names->owned[i]);
	}
	free(names->owned);
	free(names->name);
	free(names);
}

const struct event_name *
column_names_at(const struct column_names *c, size_t column)
{
	return &c->name[column];
}

void
event_columns_free(struct event_columns *e)
{
	free(e->column);
	free(e->remark);
	*e = (struct event_columns){0};
}

/* --- the search -------------------------------------------------------------------------------------------------- */

/* What is searched for. */
struct search {
	const struct column_names *in;
	const char *event;
	struct event_name wanted;
	const char *core; /* columns of this kind of core; NULL: of the PMU that was asked for */
};

/* The difference between a column and what is searched for. */
static unsigned
difference(const struct search *s, size_t column)
{
	const struct event_name *c = &s->in->name[column];
	unsigned d = event_difference(c, &s->wanted);

	if (s->core && !(d & EVENT_OTHER_EVENT))
		d = str_eq(event_core(c), s->core) ? d & ~(unsigned)EVENT_OTHER_PMU : d | EVENT_OTHER_PMU;
	return d;
}

static void
column_names_take(struct event_columns *out, size_t column)
{
	out->column = mem_resize(out->column, out->n + 1, sizeof *out->column);
	out->column[out->n++] = column;
}

/* The first column in this mode; SIZE_MAX without one. */
static size_t
in_mode(const struct search *s, unsigned mode)
{
	for (size_t i = 0; i < s->in->n; i++)
		if (s->in->name[i].mode == mode && !(difference(s, i) & ~(unsigned)EVENT_OTHER_MODE))
			return i;
	return SIZE_MAX;
}

/* Takes the column that is the event: the one that is spelt like it, or the first. */
static bool
take_same(const struct search *search, struct event_columns *out)
{
	size_t first = SIZE_MAX, other = SIZE_MAX;

	for (size_t i = 0; i < search->in->n; i++) {
		if (difference(search, i))
			continue;
		if (first == SIZE_MAX) {
			first = i;
		} else if (str_eq(search->in->table->column[i], search->event)) {
			other = first;
			first = i;
		} else if (other == SIZE_MAX) {
			other = i;
		}
	}
	if (first == SIZE_MAX)
		return false;
	column_names_take(out, first);
	if (other != SIZE_MAX)
		out->remark = str_format("columns %s and %s are two names of one event: %s is used",
			search->in->table->column[first < other ? first : other],
			search->in->table->column[first < other ? other : first], search->in->table->column[first]);
	return true;
}

/* Takes the user's side and the kernel's, which are the event in every mode. */
static bool
take_sides(const struct search *search, struct event_columns *out)
{
	size_t user, kernel;

	if (search->wanted.mode)
		return false;
	user = in_mode(search, EVENT_MOD_USER);
	kernel = user == SIZE_MAX ? SIZE_MAX : in_mode(search, EVENT_MOD_KERNEL);
	if (kernel == SIZE_MAX)
		return false;
	column_names_take(out, user);
	column_names_take(out, kernel);
	return true;
}

/* Takes the column of one mode for an event in every mode: the user's side, or the first other one. */
static bool
take_mode(const struct search *search, struct event_columns *out)
{
	size_t at = search->wanted.mode ? SIZE_MAX : in_mode(search, EVENT_MOD_USER);

	for (size_t i = 0; i < search->in->n && at == SIZE_MAX && !search->wanted.mode; i++)
		if (difference(search, i) == EVENT_OTHER_MODE)
			at = i;
	if (at == SIZE_MAX)
		return false;
	column_names_take(out, at);
	out->mode = search->in->name[at].mode;
	return true;
}

/* Takes the event of all boxes of its PMU, uncore_imc_0, uncore_imc_1 …: perf's own meaning of uncore_imc/event/. */
static bool
take_boxes(const struct search *s, struct event_columns *out)
{
	for (size_t i = 0; i < s->in->n; i++)
		if (difference(s, i) == EVENT_OTHER_PMU && event_pmu_is_box(s->in->name[i].pmu, s->wanted.pmu))
			column_names_take(out, i);
	return out->n > 0;
}

/* Takes the event's counts of owners, EVENT@S0-channel1 …, which together are the event. */
static bool
column_names_take_owners(const struct search *s, struct event_columns *out)
{
	for (size_t i = 0; i < s->in->n && s->in->owned; i++)
		if (is_owned(s->in->table->column[i]) && !event_difference(&s->in->owned[i], &s->wanted))
			column_names_take(out, i);
	return out->n > 0;
}

/* Returns whether an event without a PMU is asked for: the core's, whatever its kind. */
static bool
is_bare(const struct event_name *wanted)
{
	return !*wanted->pmu || str_eq(wanted->pmu, "cpu");
}

/* How much the column counted in all. Cells that are not in memory may hold anything: at least 1. */
static double
amount(const struct obs_table *table, size_t column)
{
	double sum = 0;

	for (size_t k = 0; k < table->n; k++) {
		const struct obs *obs = table->obs[k];

		if (obs->n_rows && !obs->count)
			sum++;
		for (size_t row = 0; row < obs->n_rows && obs->count; row++)
			if (obs->counted[row * obs->n_columns + column])
				sum += (double)obs->count[row * obs->n_columns + column];
	}
	return sum;
}

/* Lists the kinds of cores that have a column of the event, those that ran first; *n_ran of them did. */
static size_t
list_cores(const struct search *search, const char *core[CORES_MAX], size_t *n_ran)
{
	size_t n = 0;

	*n_ran = 0;
	for (size_t i = 0; i < search->in->n; i++) {
		const char *one = event_core(&search->in->name[i]);
		size_t k = 0;

		if (!*one || event_difference(&search->in->name[i],
			&search->wanted) & ~(unsigned)(EVENT_OTHER_PMU | EVENT_OTHER_MODE))
			continue;
		while (k < n && !str_eq(core[k], one))
			k++;
		if (k == n && n < CORES_MAX)
			core[n++] = one;
		if (k >= *n_ran && k < n && amount(search->in->table, i) > 0) {
			core[k] = core[*n_ran];
			core[(*n_ran)++] = one;
		}
	}
	return n;
}

/* Says which columns there are when several kinds of cores counted the event. */
static char *
refuse_cores(const struct search *search, const char *const *core, size_t n)
{
	struct str text = {0};
	size_t shown = SIZE_MAX;

	str_addf(&text, "%s has columns of %zu kinds of cores, which are never added up:", search->event, n);
	for (size_t i = 0, some = 0; i < search->in->n; i++)
		for (size_t k = 0; k < n; k++)
			if (str_eq(event_core(&search->in->name[i]), core[k])
				&& !(event_difference(&search->in->name[i], &search->wanted)
					& ~(unsigned)(EVENT_OTHER_PMU | EVENT_OTHER_MODE))) {
				str_addf(&text, "%s %s", some++ ? "," : "", search->in->table->column[i]);
				if (shown == SIZE_MAX ||
					amount(search->in->table, i) > amount(search->in->table, shown))
					shown = i;
			}
	str_addf(&text, "; name the one that is meant in the model: counter NAME = \"%s\"",
		search->in->table->column[shown]);
	return str_take(&text);
}

/* Returns whether a kind of core has a column of the event. */
static bool
has_core(const struct search *s, const char *core)
{
	for (size_t i = 0; i < s->in->n; i++)
		if (str_eq(event_core(&s->in->name[i]), core)
			&& !(event_difference(&s->in->name[i], &s->wanted)
				& ~(unsigned)(EVENT_OTHER_PMU | EVENT_OTHER_MODE)))
			return true;
	return false;
}

void
column_names_choose_core(struct column_names *names, const char *const *event, size_t n)
{
	const char *kind[CORES_MAX];
	bool lacks[CORES_MAX] = {false};
	size_t n_kinds = 0, n_whole = 0;

	for (size_t i = 0; i < names->n; i++) {
		size_t k = 0;

		while (k < n_kinds && !str_eq(kind[k], event_core(&names->name[i])))
			k++;
		if (*event_core(&names->name[i]) && k == n_kinds && k < CORES_MAX && amount(names->table, i) > 0)
			kind[n_kinds++] = event_core(&names->name[i]);
	}
	for (size_t i = 0; i < n && n_kinds > 1; i++) {
		struct search s = {.in = names, .event = event[i]};
		bool some = false, has[CORES_MAX];

		if (!event[i])
			continue;
		event_name_read(event[i], &s.wanted);
		for (size_t k = 0; k < n_kinds; k++)
			some |= has[k] = is_bare(&s.wanted) && has_core(&s, kind[k]);
		for (size_t k = 0; k < n_kinds; k++)
			lacks[k] |= some && !has[k];
		event_name_free(&s.wanted);
	}
	for (size_t k = 0; k < n_kinds; k++)
		if (!lacks[k]) {
			names->core = kind[k];
			n_whole++;
		}
	if (n_kinds < 2 || n_whole != 1)
		names->core = NULL;
}

/* Takes the event of the only kind of core that ran, or that counted everything else, too. */
static bool
take_core(struct search *search, struct event_columns *out, bool (*how)(const struct search *, struct event_columns *))
{
	const char *core[CORES_MAX];
	size_t n_ran, n = is_bare(&search->wanted) ? list_cores(search, core, &n_ran) : 0;
	bool found;

	if (n > 1 && search->in->core && has_core(search, search->in->core)) {
		core[0] = search->in->core;
	} else if (n > 1 && n_ran != 1) {
		free(out->remark);
		out->remark = refuse_cores(search, core, n_ran ? n_ran : n);
		return false;
	}
	if (!n)
		return false;
	search->core = core[0];
	found = how(search, out);
	search->core = NULL;
	if (found)
		out->core = core[0];
	return found;
}

/* --- what is near ------------------------------------------------------------------------------------------------ */

/* Says which column is nearest to the event, and why it is not the event. */
static void
say_nearest(const struct search *search, struct event_columns *out)
{
	size_t at = SIZE_MAX;
	unsigned least = ~0u;
	const char *near;
	struct str text = {0};

	for (size_t i = 0; i < search->in->n; i++) {
		unsigned d = event_difference(&search->in->name[i], &search->wanted);

		if (d != EVENT_OTHER_EVENT && d < least) {
			least = d;
			at = i;
		}
	}
	if (at != SIZE_MAX) {
		str_addf(&text, "%s is not in the data; column %s is not it: ", search->event,
			search->in->table->column[at]);
		event_difference_words(&search->in->name[at], &search->wanted, &text);
		out->remark = str_take(&text);
		return;
	}
	near = search->in->n > NEAR_COLUMNS_MAX ? NULL
		: near_name(search->event, (const char *const *)search->in->table->column, search->in->n);
	for (size_t i = 0; near && i < search->in->n; i++)
		if (search->in->table->column[i] == near)
			out->near = i;
	if (near)
		out->remark = str_format("%s is not in the data; the nearest column is %s", search->event, near);
}

struct event_columns
column_names_find(const struct column_names *names, const char *event)
{
	struct event_columns out = {.core = "", .near = SIZE_MAX};
	struct search s = {.in = names, .event = event};

	event_name_read(event, &s.wanted);
	if (!take_same(&s, &out) && !take_sides(&s, &out) && !take_boxes(&s, &out) &&
		!column_names_take_owners(&s, &out) && !take_core(&s, &out, take_same) &&
		!take_core(&s, &out, take_sides) && !take_mode(&s, &out) && !take_core(&s, &out, take_mode) &&
		!out.remark)
		say_nearest(&s, &out);
	event_name_free(&s.wanted);
	return out;
}
