/* Makes the list of names that a table of data should have, from a model's counters and sums. */
#include "core/verdict/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"

/* The names that a table should have: the model's counters, then those that only its sums use. */
struct wanted_list {
	struct names names;
	struct wanted_counter *wanted;
	size_t cap;
	struct event_item *own;         /* events that are called like what counts them */
	size_t n_own;
	struct wanted_sum *sum;
	size_t **part;                  /* parts of each sum */
	size_t n_sums;
};

static void
add_wanted(struct wanted_list *w, const char *name, struct wanted_counter wanted)
{
	size_t known = w->names.n, i = names_add(&w->names, name, strlen(name));

	if (i < known)
		return;
	mem_grow(&w->wanted, &w->cap, i + 1, sizeof *w->wanted);
	w->wanted[i] = wanted;
}

static void
add_own(struct wanted_list *w, const char *name)
{
	struct event_item *own = &w->own[w->n_own++];

	own->name = name;
	add_wanted(w, name, (struct wanted_counter){.name = name, .event = own, .n_events = 1});
}

static void
want_counters(struct wanted_list *list, const struct udd_model *model)
{
	size_t n = model->n_counters;

	for (size_t i = 0; i < model->n_sums; i++)
		n += model->sum[i].n_parts + 1;
	list->own = mem_new_array(n, sizeof *list->own);
	for (size_t i = 0; i < model->n_counters; i++) {
		const struct udd_counter *counter = &model->counter[i];

		if (counter->n_events)
			add_wanted(list, counter->name,
				(struct wanted_counter){counter->name, counter->event, counter->n_events, false});
		else
			add_own(list, counter->name);
	}
}

static bool
is_same_sum(const struct udd_sum *a, const struct udd_sum *b)
{
	bool same = a->n_parts == b->n_parts && strcmp(a->total, b->total) == 0;

	for (size_t i = 0; i < a->n_parts && same; i++)
		same = strcmp(a->part[i], b->part[i]) == 0;
	return same;
}

/* True for sums that hold for every root: data are matched without regard to roots. */
static bool
is_general(const struct udd_model *m, const struct udd_sum *s)
{
	size_t said = 0;

	for (size_t i = 0; i < m->n_sums; i++)
		said += is_same_sum(&m->sum[i], s);
	return said >= m->n_roots;
}

/* Add a part or total; if it is no counter of the model, it is an event with its own name. */
static size_t
want_name(struct wanted_list *w, const char *name)
{
	add_own(w, name);
	return names_find(&w->names, name, strlen(name));
}

static void
want_sums(struct wanted_list *list, const struct udd_model *model)
{
	list->sum = mem_new_array(model->n_sums, sizeof *list->sum);
	list->part = mem_new_array(model->n_sums, sizeof *list->part);
	for (size_t i = 0; i < model->n_sums; i++) {
		const struct udd_sum *sum = &model->sum[i];
		size_t *part;

		if (!is_general(model, sum))
			continue;
		part = mem_new_array(sum->n_parts, sizeof *part);
		for (size_t k = 0; k < sum->n_parts; k++)
			part[k] = want_name(list, sum->part[k]);
		list->part[list->n_sums] = part;
		list->sum[list->n_sums++] = (struct wanted_sum){want_name(list, sum->total), part, sum->n_parts};
	}
}

static void
find_silent(struct columns_match *m, const struct udd_model *model, const struct obs_table *t)
{
	for (size_t i = 0; i < model->n_counters && columns_lists_no_zeros(t); i++) {
		const struct udd_counter *c = &model->counter[i];

		m->silent[i] = m->first[i] == m->first[i + 1] && c->n_events;
		for (size_t k = 0; k < c->n_events; k++)
			m->silent[i] &= !c->event[k].filter && columns_knows_object(t, c->event[k].name);
	}
}

struct columns_match *
match_new(const struct udd_model *model, const struct obs_table *table)
{
	struct wanted_list w = {0};
	struct columns_match *match;

	want_counters(&w, model);
	want_sums(&w, model);
	match = columns_match_sums(w.wanted, model->n_counters, w.names.n, w.sum, w.n_sums, table);
	find_silent(match, model, table);
	for (size_t i = 0; i < w.n_sums; i++)
		free(w.part[i]);
	names_free(&w.names);
	free(w.wanted);
	free(w.own);
	free(w.sum);
	free(w.part);
	return match;
}
