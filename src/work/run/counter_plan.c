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
#include "work/files/server.h"
#include "work/run/counter_list.h"
#include "work/run/counters_run.h"
#include "work/run/run_source.h"
#include "work/timeline/network_data.h"

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
	const struct event_sum *v = &x->choice[choice];

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
find_trials(const struct counter_list *counter_list, struct owners *owners)
{
	struct trials t = {0};
	size_t cap = 0, counter_cap = 0;

	for (size_t i = 0; i < counter_list->n; i++)
		for (size_t k = 0; k < counter_list->counter[i].n_choices; k++) {
			const struct owner *list;
			size_t n = find_owners(owners, &counter_list->counter[i], k, &list);

			if (counter_list->counter[i].n_choices == 1 && (n == 0 || !*list->name))
				continue;
			mem_grow(&t.trial, &cap, t.n + 1, sizeof *t.trial);
			mem_grow(&t.counter, &counter_cap, t.n + 1, sizeof *t.counter);
			t.trial[t.n] = (struct trial){i, k};
			t.counter[t.n++] = counter_of(&counter_list->counter[i], k, n ? list : NULL);
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
counter_plan_try_counters(const struct counter_list *list, const struct counters_run_options *o, struct owners *owners,
	struct found *found)
{
	struct trials t = find_trials(list, owners);
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

/* Adds the columns of a counter's owners on a simulated server. False: there are none. */
static bool
add_simulated(struct counter_plan *plan, size_t *caps, const struct counter_list_item *item, size_t counter, bool asked)
{
	size_t n = strlen(item->name);
	bool some = false;

	for (char **name = plan->simulated; name && *name; name++) {
		if (!str_starts(*name, item->name) || (*name)[n] != '@')
			continue;
		some = true;
		counter_plan_add_column(plan, &caps[0], &caps[1], mem_str(*name), counter);
		if (asked)
			counter_plan_add_counter(plan, &caps[2], &caps[3], (struct source_counter){.name = *name});
	}
	return some;
}

struct counter_plan *
counter_plan_new(const struct counter_list *counter_list, const struct counters_run_options *options, bool amounts)
{
	struct counter_plan *plan = mem_new(sizeof *plan);
	struct found *found = mem_new_array(counter_list->n, sizeof *found);
	size_t caps[4] = {0};

	if (options->argv && options->argv[0])
		plan->simulated = server_simulation_owners(options->argv[0]);
	plan->choice = mem_new_array(counter_list->n, sizeof *plan->choice);
	if (wants_owners(counter_list, options))
		plan->owners = owners_new(options->target);
	counter_plan_try_counters(counter_list, options, plan->owners, found);
	for (size_t i = 0; i < counter_list->n; i++) {
		const struct counter_list_item *item = &counter_list->counter[i];
		const struct owner *list;
		bool asked = !options->counter || options->counter[i];
		size_t n;

		plan->choice[i] = found[i].open ? found[i].choice : 0;
		if (item->amount >= 0 && amounts && asked)
			counter_plan_add_column(plan, &caps[0], &caps[1], mem_str(item->name), i);
		if (item->why || add_simulated(plan, caps, item, i, asked))
			continue;
		n = find_owners(plan->owners, item, found[i].choice, &list);
		if (n && *list->name && !found[i].apart)
			n = 0; /* one column is enough for the reason, or for the only count */
		for (size_t k = 0; k < (n ? n : 1); k++) {
			const struct owner *owner = n ? &list[k] : NULL;

			counter_plan_add_column(plan, &caps[0], &caps[1],
				owner && *owner->name ? str_format("%s@%s", item->name, owner->name)
						      : mem_str(item->name),
				i);
			if (asked)
				counter_plan_add_counter(
					plan, &caps[2], &caps[3], counter_of(item, found[i].choice, owner));
		}
	}
	free(found);
	for (size_t i = 0; i < plan->n; i++)
		plan->counter[i].number = plan->of[plan->column[i]];
	plan->amount = mem_new_array(plan->n_columns, sizeof *plan->amount);
	for (size_t i = 0; i < plan->n_columns; i++)
		plan->amount[i] = counter_list->counter[plan->of[i]].amount;
	return plan;
}

void
counter_plan_free(struct counter_plan *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->n_columns; i++)
		free(plan->name[i]);
	free(plan->name);
	free(plan->choice);
	free(plan->of);
	free(plan->amount);
	free(plan->counter);
	free(plan->column);
	owners_free(plan->owners);
	str_split_free(plan->simulated);
	free(plan);
}

void
counter_plan_note(const struct counter_plan *plan, const struct counter_list *list, struct str *out)
{
	for (size_t i = 0; plan->choice && i < list->n; i++)
		if (plan->choice[i]) {
			str_addf(out, "%s%s = ", out->n ? " " : NETWORK_DATA_TAKEN, list->counter[i].name);
			event_sum_text(&list->counter[i].choice[plan->choice[i]], out);
			str_addc(out, ';');
		}
}

/* Copies a row into a wider table; its columns keep their numbers. */
static void
copy_observation(struct obs_table *table, const struct obs *from)
{
	struct obs *obs = obs_table_add(table, from->name, from->source);
	int64_t *count = mem_new_array(table->n_columns, sizeof *count);
	unsigned char *counted = mem_new_array(table->n_columns, 1);
	size_t n = from->n_columns;

	obs->exact = from->exact;
	obs->peeked = from->peeked;
	obs->since_start = from->since_start;
	obs_copy_origin(obs, &from->origin);
	obs->decimals = from->decimals;
	obs->tasks = from->tasks;
	obs->rotation = from->rotation;
	for (size_t row = 0; row < from->n_rows; row++) {
		memcpy(count, from->count + row * n, n * sizeof *count);
		memcpy(counted, from->counted + row * n, n);
		obs_add_row(obs, count, counted, from->time ? from->time[row] : NAN);
		for (size_t i = 0; i < n && (from->running || from->error); i++)
			obs_set_quality(obs, i, from->running ? from->running[row * n + i] : 1,
				from->error ? from->error[row * n + i] : 0);
	}
	memcpy(obs->health, from->health, n * sizeof *obs->health);
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
counter_plan_name_modes(struct counter_plan *plan, const struct counter_list *list, const struct source_status *status)
{
	bool changed = false;

	for (size_t k = 0; k < plan->n; k++) {
		char **column = &plan->name[plan->column[k]], *name;

		if (strchr(*column, '@')) /* counts whole CPUs, which needs more than the kernel side does */
			continue;
		name = mem_str(list->counter[plan->of[plan->column[k]]].name);
		if (status[k].health != OBS_UNSUPPORTED && status[k].user_only) {
			free(name);
			name = with_user_mode(list->counter[plan->of[plan->column[k]]].name);
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
counter_plan_fit(struct counter_plan *plan, struct obs_table **table)
{
	struct obs_table *obs_table = *table;
	struct names all = {0};
	size_t *at = mem_new_array(plan->n_columns, sizeof *at), *of;
	int *amount;

	for (size_t i = 0; i < obs_table->n_columns && obs_table->n; i++)
		names_add(&all, obs_table->column[i], strlen(obs_table->column[i]));
	for (size_t i = 0; i < plan->n_columns; i++)
		at[i] = names_add(&all, plan->name[i], strlen(plan->name[i]));
	if (!has_columns(obs_table, &all)) {
		*table = wider(obs_table, &all);
		obs_table_free(obs_table);
	}
	of = mem_new_array(all.n, sizeof *of);
	amount = mem_new_array(all.n, sizeof *amount);
	for (size_t i = 0; i < all.n; i++) {
		of[i] = SIZE_MAX;
		amount[i] = -1;
	}
	for (size_t i = 0; i < plan->n_columns; i++) {
		of[at[i]] = plan->of[i];
		amount[at[i]] = plan->amount[i];
		free(plan->name[i]);
	}
	plan->name = mem_resize(plan->name, all.n, sizeof *plan->name);
	for (size_t i = 0; i < all.n; i++)
		plan->name[i] = mem_str(all.name[i]);
	for (size_t k = 0; k < plan->n; k++)
		plan->column[k] = at[plan->column[k]];
	free(plan->of);
	free(plan->amount);
	plan->of = of;
	plan->amount = amount;
	plan->n_columns = all.n;
	free(at);
	names_free(&all);
}
