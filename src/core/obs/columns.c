#include "core/obs/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/column_groups.h"
#include "core/obs/column_names.h"
#include "core/obs/obs.h"
#include "event/name.h"
#include "event/unit.h"

bool
columns_is_owners(const char *column, const char *name)
{
	size_t n = strlen(name);

	return strncmp(column, name, n) == 0 && column[n] == '@' && column[n + 1];
}

size_t
columns_find_event(const struct obs_table *t, const char *event)
{
	struct column_names *names = column_names_new(t);
	struct event_columns found = column_names_find(names, event);
	size_t at = found.n == 1 ? found.column[0] : t->n_columns;

	event_columns_free(&found);
	column_names_free(names);
	return at;
}

/* Columns that add up to a counter, each times its sign. */
struct terms {
	struct term { size_t column; signed char sign; } *term;
	size_t n, cap;
	struct column_side side;
	bool derived;
	char *remark;
	size_t near; /* the remark is only about this column, which is spelt nearly so; SIZE_MAX: about more */
};

/* What the terms are made from. */
struct matching {
	const struct obs_table *table;
	struct column_names *names;
	struct columns_match *remarks; /* gets what is odd about names */
};

static void
columns_add_term(struct terms *t, size_t column, signed char sign)
{
	mem_grow(&t->term, &t->cap, t->n + 1, sizeof *t->term);
	t->term[t->n++] = (struct term){column, sign};
}

/* Forgets the columns of a counter that cannot be had, and takes the reason over; NULL: none. */
static void
columns_give_up(struct terms *of, char *why, size_t near)
{
	of->n = 0;
	of->side = (struct column_side){0};
	if (!why)
		return;
	free(of->remark);
	of->remark = why;
	of->near = near;
}

/* Adds a term's properties to those of the counter. False, and the counter has no columns, if they cannot be added. */
static bool
columns_add_side(struct terms *of, const char *name, const struct column_side *side)
{
	struct str why = {0};

	if (column_side_add(&of->side, side, &why))
		return true;
	columns_give_up(of, str_format("the columns of %s cannot be added up: %s", name, str_text(&why)), SIZE_MAX);
	str_free(&why);
	return false;
}

/* The name by which a column counts the event; NULL: none does. */
static const char *
columns_event(const struct wanted_counter *w, size_t i)
{
	return w->event[i].filter ? NULL : w->event[i].name;
}

/* The mode of a column that has the counter's name: the one that the name has, or the mode of the counter's events. */
static void
set_mode(struct column_side *side, const struct wanted_counter *counter, unsigned named)
{
	struct column_side sum = {0};
	struct str why = {0};

	for (size_t i = 0; i < counter->n_events && !counter->exact && !named; i++) {
		const struct event_columns found = {.core = "", .near = SIZE_MAX};
		const char *name = columns_event(counter, i) ? columns_event(counter, i) : "";
		struct column_side one = {0};
		struct event_name event;

		event_name_read(name, &event);
		one.of[PROPERTY_MODE] = column_side_of(name, &found, &event).of[PROPERTY_MODE];
		column_side_add(&sum, &one, &why);
		event_name_free(&event);
	}
	side->of[PROPERTY_MODE] = sum.of[PROPERTY_MODE];
	if (named) {
		side->of[PROPERTY_MODE].sort = SORT_ONLY;
		side->of[PROPERTY_MODE].mode = named;
	} else if (counter->exact || !counter->n_events) {
		side->of[PROPERTY_MODE].sort = SORT_PLAIN;
	}
	str_free(&why);
}

/* The properties of a column that has the counter's own name: a mode and a unit. */
static struct column_side
side_of_name(const struct matching *m, const struct wanted_counter *w, size_t column, unsigned mode)
{
	const char *unit = column_names_at(m->names, column)->unit;
	struct column_side s = {.column = m->table->column[column]};

	set_mode(&s, w, mode);
	s.of[PROPERTY_UNIT].sort = *unit ? SORT_ONLY : SORT_PLAIN;
	s.of[PROPERTY_UNIT].value = unit;
	return s;
}

/* Returns whether the column has this name, apart from a unit. */
static bool
is_named(const struct matching *m, size_t column, const char *name)
{
	const char *text = m->table->column[column];
	size_t n = strlen(name), unit = strlen(column_names_at(m->names, column)->unit);

	return strncmp(text, name, n) == 0 && (!text[n] || (unit && strlen(text) == n + unit + 3
		&& text[n + 1] == '('));
}

/* The mode that the column adds to the counter's name, as hecate does where the kernel side was not permitted
 * (NAME:u); 0: none, or another name. */
static unsigned
mode_after(const struct matching *m, size_t column, const char *name)
{
	const struct event_name *e = column_names_at(m->names, column);
	size_t n = strlen(name);

	return e->form == EVENT_FORM_PLAIN && strncmp(m->table->column[column], name, n) == 0
		&& m->table->column[column][n] == ':' && str_eq(e->base, name) ? e->mode : 0;
}

/* Returns whether the counter's name is an event's, too: NAME:u is the event then. */
static bool
is_event(const struct wanted_counter *w)
{
	for (size_t i = 0; i < w->n_events; i++)
		if (columns_event(w, i) && strcasecmp(columns_event(w, i), w->name) == 0)
			return true;
	return false;
}

/* Adds the column of this name, or the columns NAME@OWNER, which together are the counter NAME; or the one that counted
 * it in one mode. */
static void
add_named(struct terms *of, const struct matching *matching, const struct wanted_counter *counter)
{
	const struct obs_table *table = matching->table;
	const char *name = counter->name;

	for (size_t i = 0; i < table->n_columns && !of->n; i++)
		if (is_named(matching, i, name))
			columns_add_term(of, i, 1);
	for (size_t i = 0, named = of->n; i < table->n_columns && !named; i++)
		if (columns_is_owners(table->column[i], name))
			columns_add_term(of, i, 1);
	for (size_t i = 0; i < table->n_columns && !of->n && !counter->exact && !is_event(counter); i++)
		if (mode_after(matching, i, name))
			columns_add_term(of, i, 1);
	for (size_t i = 0; i < of->n; i++) {
		size_t column = of->term[i].column;
		struct column_side side = side_of_name(
			matching, counter, column, counter->exact ? 0 : mode_after(matching, column, name));

		if (!columns_add_side(of, name, &side))
			return;
	}
}

/* The columns of an event, under any of its names. */
static struct event_columns
find_any(const struct matching *matching, const struct wanted_counter *counter, size_t event, const char **name)
{
	struct event_columns found = {.core = "", .near = SIZE_MAX};

	*name = columns_event(counter, event);
	for (size_t i = 0; i < matching->table->n_columns && counter->exact && !found.n; i++)
		if (str_eq(matching->table->column[i], *name)) {
			found.column = mem_copy(&i, sizeof i);
			found.n = 1;
		}
	if (*name && !counter->exact)
		found = column_names_find(matching->names, *name);
	for (const char *const *also = counter->event[event].also; !found.n && also && *also; also++) {
		struct event_columns other = column_names_find(matching->names, *also);

		if (other.n) {
			event_columns_free(&found);
			found = other;
			*name = *also;
		} else {
			event_columns_free(&other);
		}
	}
	return found;
}

static void
add_remark(struct columns_match *m, char *text)
{
	for (size_t i = 0; i < m->n_remarks; i++)
		if (str_eq(m->remark[i], text)) {
			free(text);
			return;
		}
	m->remark = mem_resize(m->remark, m->n_remarks + 1, sizeof *m->remark);
	m->remark[m->n_remarks++] = text;
}

/* Remarks on a name that is odd in itself. */
static void
remark_flaw(const struct matching *m, const char *text, const struct event_name *e)
{
	struct str flaw = {0};

	if (event_name_flaw(e, text, &flaw))
		add_remark(m->remarks, str_take(&flaw));
	str_free(&flaw);
}

/* Adds the columns of one event. Returns false if there are none. */
static bool
columns_add_event(struct terms *of, const struct wanted_counter *counter, const struct matching *matching, size_t event)
{
	const char *name;
	struct event_columns found = find_any(matching, counter, event, &name);
	struct event_name wanted;
	bool good = found.n > 0;

	event_name_read(name ? name : "", &wanted);
	if (!counter->exact && name)
		remark_flaw(matching, name, &wanted);
	event_name_free(&wanted);
	if (!good) {
		columns_give_up(of, found.remark, found.near);
		found.remark = NULL;
	}
	for (size_t i = 0; i < found.n && good; i++) {
		struct column_side side = column_side_of(
			name, &found, column_names_at(matching->names, found.column[i]));

		side.column = matching->table->column[found.column[i]];
		remark_flaw(matching, side.column, column_names_at(matching->names, found.column[i]));
		good = columns_add_side(of, counter->name, &side);
		if (good)
			columns_add_term(of, found.column[i], 1);
	}
	if (good && found.remark && !of->remark) {
		of->remark = found.remark;
		of->near = SIZE_MAX;
		found.remark = NULL;
	}
	event_columns_free(&found);
	return good;
}

static void
find_columns(struct terms *of, const struct wanted_counter *w, const struct matching *matching)
{
	/* a counter that is called like its event may have another column under another name of it */
	bool own = w->n_events == 1 && columns_event(w, 0) && !w->exact && str_eq(columns_event(w, 0), w->name);

	of->near = SIZE_MAX;
	if (own && columns_add_event(of, w, matching, 0))
		return;
	add_named(of, matching, w);
	if (of->n && own) {
		free(of->remark);
		of->remark = NULL;
	}
	if (of->n || of->remark || own)
		return;
	for (size_t i = 0; i < w->n_events; i++)
		if (!columns_add_event(of, w, matching, i))
			return;
}

static bool
columns_add_all(struct terms *of, const char *name, const struct terms *from, signed char sign)
{
	for (size_t i = 0; i < from->n; i++)
		columns_add_term(of, from->term[i].column, (signed char)(sign * from->term[i].sign));
	return columns_add_side(of, name, &from->side);
}

/* If exactly one counter of a sum is unknown, derives it from the others. Returns whether it did. */
static bool
derive(struct terms *of, const struct wanted_counter *wanted, const struct wanted_sum *sum)
{
	size_t unknown = sum->total, missing = !of[sum->total].n;
	bool good = true;

	for (size_t i = 0; i < sum->n_parts; i++)
		if (!of[sum->part[i]].n) {
			unknown = sum->part[i];
			missing++;
		}
	if (missing != 1 || of[unknown].derived)
		return false;
	of[unknown].derived = true;
	if (unknown != sum->total)
		good = columns_add_all(&of[unknown], wanted[unknown].name, &of[sum->total], 1);
	for (size_t i = 0; i < sum->n_parts && good; i++)
		if (sum->part[i] != unknown)
			good = columns_add_all(&of[unknown], wanted[unknown].name, &of[sum->part[i]],
				unknown == sum->total ? 1 : -1);
	return of[unknown].n > 0;
}

static void
derive_all(struct terms *of, const struct wanted_counter *wanted, const struct wanted_sum *sum, size_t n)
{
	for (bool again = true; again;) {
		again = false;
		for (size_t i = 0; i < n; i++)
			again |= derive(of, wanted, &sum[i]);
	}
}

static int64_t
common(int64_t a, int64_t b)
{
	for (; b; b %= a) {
		int64_t c = a;

		a = b;
		b = c;
	}
	return a;
}

/* The factors that give columns of one family the same unit: the largest that all of them are multiples of. */
static int64_t
factor(const struct matching *matching, const struct columns_match *of, size_t column)
{
	const char *unit = column_names_at(matching->names, column)->unit;
	int64_t all = event_unit_size(unit);

	for (size_t k = 0; k < of->first[of->n_counters]; k++) {
		const char *other = column_names_at(matching->names, of->column[k])->unit;

		if (event_unit_alike(unit, other))
			all = common(all, event_unit_size(other));
	}
	return event_unit_size(unit) / all;
}

/* Lists the columns that no counter uses, and takes the remarks over. Misspelt names count only if no counter has the
 * column that is near. */
static void
columns_finish(struct columns_match *match, struct terms *of, const struct obs_table *table)
{
	bool *used = mem_new_array(table->n_columns, sizeof *used);

	for (size_t k = 0; k < match->first[match->n_counters]; k++)
		used[match->column[k]] = true;
	for (size_t i = 0; i < table->n_columns; i++)
		if (!used[i])
			match->extra[match->n_extra++] = i;
	for (size_t i = 0; i < match->n_counters; i++)
		if (of[i].remark && !of[i].derived && (of[i].near == SIZE_MAX || !used[of[i].near])) {
			add_remark(match, of[i].remark);
			of[i].remark = NULL;
		}
	free(used);
}

/* Returns whether some observation counted the column. Without observations, returns true, because any column may still
 * be counted. */
static bool
columns_is_counted(const struct obs_table *t, size_t column)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->obs[i]->health[column] != OBS_ABSENT && t->obs[i]->health[column] != OBS_UNSUPPORTED)
			return true;
	return t->n == 0;
}

/* Returns whether every column of the counter was counted. A counter that was not counted does not divide others into
 * groups. */
static bool
has_counts(const struct obs_table *t, const struct terms *of)
{
	for (size_t k = 0; k < of->n; k++)
		if (!columns_is_counted(t, of->term[k].column))
			return false;
	return of->n > 0;
}

/* Writes the terms of all counters one after the other. */
static struct columns_match *
new_match(struct terms *of, size_t n_counters, const struct matching *with)
{
	struct columns_match *match = with->remarks;
	struct column_side *side = mem_new_array(n_counters, sizeof *side);
	bool *none = mem_new_array(n_counters, sizeof *none);
	struct str apart = {0};
	size_t n = 0;

	match->n_counters = n_counters;
	match->first = mem_new_array(n_counters + 1, sizeof *match->first);
	match->mode = mem_new_array(n_counters, sizeof *match->mode);
	match->derived = mem_new_array(n_counters, sizeof *match->derived);
	match->family = mem_new_array(n_counters, sizeof *match->family);
	match->base = mem_new_array(n_counters, sizeof *match->base);
	match->silent = mem_new_array(n_counters, sizeof *match->silent);
	match->group = mem_new_array(n_counters, sizeof *match->group);
	match->extra = mem_new_array(with->table->n_columns, sizeof *match->extra);
	for (size_t i = 0; i < n_counters; i++)
		match->first[i + 1] = match->first[i] + of[i].n;
	match->column = mem_new_array(match->first[n_counters], sizeof *match->column);
	match->times = mem_new_array(match->first[n_counters], sizeof *match->times);
	for (size_t i = 0; i < n_counters; i++) {
		side[i] = of[i].side;
		none[i] = !has_counts(with->table, &of[i]);
		match->mode[i] = side[i].of[PROPERTY_MODE].sort == SORT_ONLY ? side[i].of[PROPERTY_MODE].mode : 0;
		match->derived[i] = of[i].derived && of[i].n;
		for (size_t k = 0; k < of[i].n; k++, n++) {
			match->column[n] = of[i].term[k].column;
			match->times[n] = of[i].term[k].sign;
		}
	}
	for (size_t k = 0; k < n; k++)
		match->times[k] *= factor(with, match, match->column[k]);
	for (size_t i = 0; i < n_counters; i++) {
		bool measured = side[i].of[PROPERTY_UNIT].sort == SORT_ONLY;
		size_t k = match->first[i];

		match->family[i] = measured ? event_unit_family(side[i].of[PROPERTY_UNIT].value) : NULL;
		match->base[i] = !measured ? 1
			: (double)event_unit_size(column_names_at(with->names, match->column[k])->unit)
				/ fabs((double)match->times[k]);
	}
	match->n_groups = column_groups(side, none, n_counters, match->group, &apart);
	match->apart = match->n_groups > 1 ? str_take(&apart) : NULL;
	str_free(&apart);
	columns_finish(match, of, with->table);
	free(side);
	free(none);
	return match;
}

static void
choose_core(const struct matching *matching, const struct wanted_counter *wanted, size_t n)
{
	const char **event = NULL;
	size_t k = 0, cap = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t e = 0; e < wanted[i].n_events; e++) {
			mem_grow(&event, &cap, k + 1, sizeof *event);
			event[k++] = wanted[i].exact ? NULL : columns_event(&wanted[i], e);
		}
	column_names_choose_core(matching->names, event, k);
	free(event);
}

struct columns_match *
columns_match_sums(const struct wanted_counter *wanted, size_t n_counters, size_t n_wanted,
	const struct wanted_sum *sum, size_t n_sums, const struct obs_table *table)
{
	struct terms *of = mem_new_array(n_wanted, sizeof *of);
	struct matching with = {
		.table = table, .names = column_names_new(table), .remarks = mem_new(sizeof *with.remarks)};
	struct columns_match *match;

	choose_core(&with, wanted, n_wanted);
	for (size_t i = 0; i < n_wanted; i++)
		find_columns(&of[i], &wanted[i], &with);
	derive_all(of, wanted, sum, n_sums);
	match = new_match(of, n_counters, &with);
	for (size_t i = 0; i < n_wanted; i++) {
		free(of[i].term);
		free(of[i].remark);
	}
	free(of);
	column_names_free(with.names);
	return match;
}

struct columns_match *
columns_match_counters(const struct wanted_counter *wanted, size_t n_counters, const struct obs_table *t)
{
	return columns_match_sums(wanted, n_counters, n_counters, NULL, 0, t);
}

void
columns_match_free(struct columns_match *match)
{
	if (!match)
		return;
	free(match->first);
	free(match->column);
	free(match->times);
	free(match->derived);
	free(match->silent);
	free(match->mode);
	free(match->family);
	free(match->base);
	free(match->group);
	free(match->apart);
	for (size_t i = 0; i < match->n_remarks; i++)
		free(match->remark[i]);
	free(match->remark);
	free(match->extra);
	free(match);
}

bool
columns_lists_no_zeros(const struct obs_table *t)
{
	bool all = t->n > 0;

	for (size_t i = 0; i < t->n; i++)
		all &= t->obs[i]->silent_zeros;
	return all;
}

bool
columns_knows_object(const struct obs_table *t, const char *event)
{
	size_t n = strcspn(event, ":");

	while (n && event[n] != '.')
		n--;
	for (size_t i = 0; i < t->n_columns && n; i++)
		if (strncmp(t->column[i], event, n + 1) == 0)
			return true;
	return false;
}
