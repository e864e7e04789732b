/* Groups of counters that constraints may relate.
 *
 * A model says what holds for all the work that it describes. Its constraints relate counters that were counted for the
 * same work: in every mode, or all in user mode. A counter is restricted (SORT_ONLY) when its column has a mode, a kind
 * of core or a unit that the model did not ask for. Restricted counters are related to each other only. What the model
 * asks for itself (page-faults:u next to minor-faults) is its author's word, and keeps nothing apart. */
#include "core/obs/column_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/column_names.h"
#include "event/name.h"
#include "event/unit.h"

#define GROUPS_MAX 100

static bool
has_core(const struct event_name *e)
{
	return e->word == EVENT_WORD_HARDWARE || (e->word == EVENT_WORD_NONE && event_is_hardware(e->base));
}

struct column_side
column_side_of(const char *event, const struct event_columns *found, const struct event_name *column)
{
	struct column_side s = {0};
	struct event_name wanted;
	bool outside = !event_pmu_is_core(column->pmu) && column->form != EVENT_FORM_TABLE;

	event_name_read(event, &wanted);
	s.of[PROPERTY_MODE].mode = found->mode ? found->mode : wanted.mode;
	s.of[PROPERTY_MODE].sort = found->mode ? SORT_ONLY : wanted.mode ? SORT_ASKED
		: outside || column->word == EVENT_WORD_CLOCK ? SORT_ANY : SORT_PLAIN;
	s.of[PROPERTY_CORE].value = event_core(column);
	if (*found->core)
		s.of[PROPERTY_CORE].sort = SORT_ONLY;
	else if (*event_core(&wanted))
		s.of[PROPERTY_CORE].sort = SORT_ASKED;
	else
		s.of[PROPERTY_CORE].sort = !outside && has_core(column) ? SORT_PLAIN : SORT_ANY;
	s.of[PROPERTY_UNIT].value = column->unit;
	s.of[PROPERTY_UNIT].sort = *column->unit ? SORT_ONLY : SORT_PLAIN;
	event_name_free(&wanted);
	return s;
}

static bool
column_groups_is_equal(enum property p, const struct column_side *a, const struct column_side *b)
{
	const char *x = a->of[p].value ? a->of[p].value : "", *y = b->of[p].value ? b->of[p].value : "";

	switch (p) {
	case PROPERTY_MODE:
		return a->of[p].mode == b->of[p].mode;
	case PROPERTY_CORE:
		return str_eq(x, y);
	case PROPERTY_UNIT:
		return event_unit_alike(x, y);
	case N_PROPERTIES:
		break;
	}
	return true;
}

/* Appends "user mode", "every mode", "PMU cpu_core", "MiB", "a plain count". */
static void
column_groups_add_words(enum property p, const struct column_side *side, struct str *out)
{
	const char *value = side->of[p].value && side->of[p].sort >= SORT_ASKED ? side->of[p].value : "";

	switch (p) {
	case PROPERTY_MODE:
		event_mode_words(side->of[p].sort >= SORT_ASKED ? side->of[p].mode : 0, out);
		break;
	case PROPERTY_CORE:
		str_addf(out, *value ? "PMU %s" : "every kind of core%s", value);
		break;
	case PROPERTY_UNIT:
		str_add(out, *value ? value : "plain counts");
		break;
	case N_PROPERTIES:
		break;
	}
}

static void
add_one(enum property p, const struct column_side *s, struct str *out)
{
	str_add(out, s->column);
	if (p == PROPERTY_UNIT && s->of[p].sort == SORT_ONLY) /* the column's name has it */
		return;
	str_add(out, " (");
	column_groups_add_words(p, s, out);
	str_addc(out, ')');
}

static void
add_both(enum property p, const struct column_side *a, const struct column_side *b, struct str *out)
{
	add_one(p, a, out);
	str_add(out, " and ");
	add_one(p, b, out);
}

bool
column_side_add(struct column_side *sum, const struct column_side *term, struct str *why)
{
	for (enum property p = 0; p < N_PROPERTIES; p++) {
		enum sort a = sum->of[p].sort, b = term->of[p].sort;

		if (b == SORT_ANY || (a == b && (a == SORT_PLAIN || column_groups_is_equal(p, sum, term))))
			continue;
		if (a == SORT_ANY || (b == SORT_ONLY && a == SORT_ASKED && column_groups_is_equal(p, sum, term))) {
			sum->of[p] = term->of[p];
		} else if ((a == SORT_ONLY || b == SORT_ONLY) && !column_groups_is_equal(p, sum, term)) {
			add_both(p, sum, term, why);
			return false;
		} else if (a != SORT_ONLY) { /* :u + :k, as the model asks */
			sum->of[p].sort = SORT_PLAIN;
			sum->of[p].mode = 0;
			sum->of[p].value = "";
		}
	}
	if (!sum->column)
		sum->column = term->column;
	return true;
}

/* The group of each counter by one property. group[i] is the first counter with the same value; those that are not
 * restricted have SIZE_MAX. */
static void
group_by(enum property p, const struct column_side *side, const bool *none, size_t n, size_t *group)
{
	size_t only = n, other = n;
	bool plain = false, several = false;

	for (size_t i = 0; i < n; i++) {
		if (none[i])
			continue;
		plain |= side[i].of[p].sort == SORT_PLAIN;
		if (side[i].of[p].sort != SORT_ONLY)
			continue;
		several |= only < n && !column_groups_is_equal(p, &side[only], &side[i]);
		only = only < n ? only : i;
	}
	for (size_t i = 0; i < n; i++)
		if (!none[i] && side[i].of[p].sort == SORT_ASKED &&
			(plain || several || !column_groups_is_equal(p, &side[only < n ? only : i], &side[i])))
			other = i;
	for (size_t i = 0; i < n; i++) {
		group[i] = n;
		if (only == n || none[i])
			continue;
		if (side[i].of[p].sort == SORT_ANY)
			group[i] = plain || other < n ? n : only;
		if (side[i].of[p].sort == SORT_ASKED)
			group[i] = plain || several || other < n ? n : only;
		for (size_t k = 0; k <= i && side[i].of[p].sort == SORT_ONLY && group[i] == n; k++)
			if (!none[k] && side[k].of[p].sort == SORT_ONLY &&
				column_groups_is_equal(p, &side[k], &side[i]))
				group[i] = k;
	}
}

/* A counter of the first group and one of another: two that differ, if there are such. */
struct pair {
	size_t a, b;
};

static struct pair
examples(enum property p, const struct column_side *side, const unsigned char *group, size_t n, unsigned other)
{
	struct pair first = {n, n};

	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < n && group[a] == 1; b++) {
			if (group[b] != other)
				continue;
			if (!column_groups_is_equal(p, &side[a], &side[b]))
				return (struct pair){a, b};
			first = first.a < n ? first : (struct pair){a, b};
		}
	return first;
}

unsigned
column_groups(const struct column_side *side, const bool *none, size_t n, unsigned char *group, struct str *why)
{
	size_t *by[N_PROPERTIES], *first = mem_new_array(n + 1, sizeof *first);
	unsigned groups = 0;

	for (enum property p = 0; p < N_PROPERTIES; p++) {
		by[p] = mem_new_array(n, sizeof *by[p]);
		group_by(p, side, none, n, by[p]);
	}
	for (size_t i = 0; i < n; i++) {
		unsigned g = 0;

		group[i] = 0;
		if (none[i])
			continue;
		for (; g < groups; g++) {
			bool same = true;

			for (enum property p = 0; p < N_PROPERTIES; p++)
				same &= by[p][i] == by[p][first[g]];
			if (same)
				break;
		}
		if (g == groups && groups < GROUPS_MAX)
			first[groups++] = i;
		group[i] = (unsigned char)(g + 1);
	}
	for (enum property p = 0; p < N_PROPERTIES && groups > 1; p++)
		for (unsigned g = 1; g < groups; g++)
			if (by[p][first[g]] != by[p][first[0]]) {
				struct pair x = examples(p, side, group, n, g + 1);

				str_add(why, why->n ? "; " : "");
				add_both(p, &side[x.a], &side[x.b], why);
				break;
			}
	for (enum property p = 0; p < N_PROPERTIES; p++)
		free(by[p]);
	free(first);
	return groups;
}
