#include "work/run/counter_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "collect/host/owners.h"
#include "core/obs/obs.h"
#include "event/name.h"
#include "work/run/counter_list.h"
#include "work/run/counters_run.h"
#include "work/run/run_source.h"

static bool
has_owners(enum scope s)
{
	return s != SCOPE_TASK && s != SCOPE_SYSTEM;
}

bool
counter_plan_is_fixed(const struct counter_list *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->counter[i].n_choices > 1 || c->kind != TEXT_MODEL)
			return false;
	return true;
}

/* The counter of a source: one choice of events, for the first owner. */
static struct source_counter
counter_of(const struct counter_list_item *x, size_t choice, const struct owner *w)
{
	const struct counter_list_choice *v = &x->choice[choice];

	if (w)
		return (struct source_counter){.name = x->name,
			.event = w->event,
			.n_events = w->n_events,
			.cpu = w->cpu,
			.n_cpus = w->n_cpus};
	return (struct source_counter){.name = x->name, .event = v->event, .n_events = v->n};
}

static size_t
find_owners(struct owners *o, const struct counter_list_item *x, size_t choice, const struct owner **list)
{
	*list = NULL;
	return o ? owners_of(o, x->scope, x->choice[choice].event, x->choice[choice].n, list) : 0;
}

/* One choice of a counter, to be tried. */
struct trial {
	size_t counter, choice;
};

struct trials {
	struct trial *trial;
	struct source_counter *counter; /* for its first owner */
	size_t n;
};

/* For counters with several choices or owners. */
static struct trials
find_trials(const struct counter_list *c, struct owners *owners)
{
	struct trials t = {0};
	size_t cap = 0, counter_cap = 0;

	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < c->counter[i].n_choices; k++) {
			const struct owner *list;
			size_t n = find_owners(owners, &c->counter[i], k, &list);

			if (c->counter[i].n_choices == 1 && (n == 0 || !*list->name))
				continue;
			mem_grow(&t.trial, &cap, t.n + 1, sizeof *t.trial);
			mem_grow(&t.counter, &counter_cap, t.n + 1, sizeof *t.counter);
			t.trial[t.n] = (struct trial){i, k};
			t.counter[t.n++] = counter_of(&c->counter[i], k, n ? list : NULL);
		}
	return t;
}

/* How a counter is counted here. */
struct found {
	size_t choice; /* the first whose events all open, else the first */
	bool open;
	bool apart;    /* for its first owner, and no other */
};

/* Finds what can be counted here, and how: opens each choice as a separate counter and closes it; starts nothing. */
static void
counter_plan_try_counters(
	const struct counter_list *c, const struct counters_run_options *o, struct owners *owners, struct found *found)
{
	struct trials t = find_trials(c, owners);
	const struct source_spec spec = {
		.counter = t.counter, .n_counters = t.n, .argv = o->argv, .target = o->target,
		.interval_ms = o->interval_ms, .out_fd = -1, .err_fd = -1,
		.no_input = true, .lose_cpus = true, .keep = o->keep,
	};
	struct run_source from = {0};
	bool good = t.n && run_source_open(&from, o->ops, &spec, NULL);

	for (size_t i = 0; i < t.n && good; i++) {
		const struct source_status *status = &from.ops->status(from.source)[i];
		struct found *f = &found[t.trial[i].counter];

		if (!f->open && status->health != OBS_UNSUPPORTED)
			*f = (struct found){t.trial[i].choice, true, status->by_cpu || !t.counter[i].cpu};
	}
	run_source_close(&from);
	free(t.trial);
	free(t.counter);
}

static void
counter_plan_add_column(struct counter_plan *p, size_t *cap, size_t *of_cap, char *name, size_t counter)
{
	mem_grow(&p->name, cap, p->n_columns + 1, sizeof *p->name);
	mem_grow(&p->of, of_cap, p->n_columns + 1, sizeof *p->of);
	p->of[p->n_columns] = counter;
	p->name[p->n_columns++] = name;
}

static void
counter_plan_add_counter(struct counter_plan *p, size_t *cap, size_t *column_cap, struct source_counter c)
{
	mem_grow(&p->counter, cap, p->n + 1, sizeof *p->counter);
	mem_grow(&p->column, column_cap, p->n + 1, sizeof *p->column);
	p->column[p->n] = p->n_columns - 1;
	p->counter[p->n++] = c;
}

static bool
wants_owners(const struct counter_list *c, const struct counters_run_options *o)
{
	bool cpus = o->target && o->target->kind == SOURCE_CPUS, some = false;

	for (size_t i = 0; i < c->n; i++)
		some |= cpus ? has_owners(c->counter[i].scope) : c->counter[i].scope == SCOPE_DEVICE;
	return some;
}

struct counter_plan *
counter_plan_new(const struct counter_list *c, const struct counters_run_options *o)
{
	struct counter_plan *p = mem_new(sizeof *p);
	struct found *found = mem_new_array(c->n, sizeof *found);
	size_t cap = 0, of_cap = 0, counter_cap = 0, column_cap = 0;

	if (wants_owners(c, o))
		p->owners = owners_new(o->target);
	counter_plan_try_counters(c, o, p->owners, found);
	for (size_t i = 0; i < c->n; i++) {
		const struct counter_list_item *x = &c->counter[i];
		const struct owner *list;
		size_t n;

		if (x->why)
			continue;
		n = find_owners(p->owners, x, found[i].choice, &list);
		if (n && *list->name && !found[i].apart)
			n = 0; /* one column is enough for the reason, or for the only count */
		for (size_t k = 0; k < (n ? n : 1); k++) {
			const struct owner *w = n ? &list[k] : NULL;

			counter_plan_add_column(p, &cap, &of_cap,
				w && *w->name ? str_format("%s@%s", x->name, w->name) : mem_str(x->name), i);
			if (!o->counter || o->counter[i])
				counter_plan_add_counter(
					p, &counter_cap, &column_cap, counter_of(x, found[i].choice, w));
		}
	}
	free(found);
	return p;
}

void
counter_plan_free(struct counter_plan *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n_columns; i++)
		free(p->name[i]);
	free(p->name);
	free(p->of);
	free(p->counter);
	free(p->column);
	owners_free(p->owners);
	free(p);
}

/* Copies a row into a wider table; its columns keep their numbers. */
static void
copy_observation(struct obs_table *t, const struct obs *from)
{
	struct obs *o = obs_table_add(t, from->name, from->source);
	int64_t *count = mem_new_array(t->n_columns, sizeof *count);
	unsigned char *counted = mem_new_array(t->n_columns, 1);
	size_t n = from->n_columns;

	o->exact = from->exact;
	o->peeked = from->peeked;
	o->since_start = from->since_start;
	obs_set_cpu(o, from->cpu);
	o->decimals = from->decimals;
	o->tasks = from->tasks;
	o->rotation = from->rotation;
	for (size_t row = 0; row < from->n_rows; row++) {
		memcpy(count, from->count + row * n, n * sizeof *count);
		memcpy(counted, from->counted + row * n, n);
		obs_add_row(o, count, counted, from->time ? from->time[row] : NAN);
		for (size_t i = 0; i < n && (from->running || from->error); i++)
			obs_set_quality(o, i, from->running ? from->running[row * n + i] : 1,
				from->error ? from->error[row * n + i] : 0);
	}
	memcpy(o->health, from->health, n * sizeof *o->health);
	free(count);
	free(counted);
}

static struct obs_table *
wider(const struct obs_table *t, const struct names *all)
{
	struct obs_table *w = obs_table_new((const char *const *)all->name, all->n);

	for (size_t i = 0; i < t->n; i++)
		copy_observation(w, t->obs[i]);
	for (size_t i = 0; i < t->n_notes; i++)
		obs_table_note(w, OBS_NOTE_OTHER, mem_str(t->note[i]));
	return w;
}

/* The counter's name, in user mode. */
static char *
with_user_mode(const char *name)
{
	struct event_name read;
	struct str out = {0};

	event_name_read(name, &read);
	read.modifiers.set |= EVENT_MOD_USER;
	event_name_print(&read, &out);
	event_name_free(&read);
	return str_take(&out);
}

bool
counter_plan_name_modes(struct counter_plan *p, const struct counter_list *c, const struct source_status *status)
{
	bool changed = false;

	for (size_t k = 0; k < p->n; k++) {
		char **column = &p->name[p->column[k]], *name;

		if (strchr(*column, '@')) /* counts whole CPUs, which needs more than the kernel side does */
			continue;
		name = mem_str(c->counter[p->of[p->column[k]]].name);
		if (status[k].health != OBS_UNSUPPORTED && status[k].user_only) {
			free(name);
			name = with_user_mode(c->counter[p->of[p->column[k]]].name);
		}
		changed |= !str_eq(*column, name);
		free(*column);
		*column = name;
	}
	return changed;
}

static bool
has_columns(const struct obs_table *t, const struct names *all)
{
	for (size_t i = 0; i < t->n_columns && i < all->n; i++)
		if (!str_eq(t->column[i], all->name[i]))
			return false;
	return t->n_columns == all->n;
}

void
counter_plan_fit(struct counter_plan *p, struct obs_table **table)
{
	struct obs_table *t = *table;
	struct names all = {0};
	size_t *at = mem_new_array(p->n_columns, sizeof *at), *of;

	for (size_t i = 0; i < t->n_columns && t->n; i++)
		names_add(&all, t->column[i], strlen(t->column[i]));
	for (size_t i = 0; i < p->n_columns; i++)
		at[i] = names_add(&all, p->name[i], strlen(p->name[i]));
	if (!has_columns(t, &all)) {
		*table = wider(t, &all);
		obs_table_free(t);
	}
	of = mem_new_array(all.n, sizeof *of);
	for (size_t i = 0; i < all.n; i++)
		of[i] = SIZE_MAX;
	for (size_t i = 0; i < p->n_columns; i++) {
		of[at[i]] = p->of[i];
		free(p->name[i]);
	}
	p->name = mem_resize(p->name, all.n, sizeof *p->name);
	for (size_t i = 0; i < all.n; i++)
		p->name[i] = mem_str(all.name[i]);
	for (size_t k = 0; k < p->n; k++)
		p->column[k] = at[p->column[k]];
	free(p->of);
	p->of = of;
	p->n_columns = all.n;
	free(at);
	names_free(&all);
}
