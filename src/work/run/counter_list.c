#include "work/run/counter_list.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/stack/stack.h"
#include "core/stack/tree.h"
#include "core/udd/model.h"
#include "text/word_list.h"
#include "work/files/texts.h"
#include "work/run/stall_counters.h"

#define OF_TASKS "a class of the time of tasks, which no event counts"
#define NO_EVENT "no event is known"
#define PAIRS "no event counts pairs of owners; recorded data may"
#define RECORDS "it is made of records of what tasks do, and no event counts it"

static struct counter_list *
new_list(enum text_kind kind, const char *name, char *show, size_t n)
{
	struct counter_list *l = mem_new(sizeof *l);

	l->kind = kind;
	l->of = str_format("%s %s", text_word(kind), name);
	l->show = show;
	l->counter = mem_new_array(n, sizeof *l->counter);
	return l;
}

/* The command line that shows a file's events. */
static char *
show_command(const char *command, const char *file, const char *option)
{
	struct str out = {0};

	str_addf(&out, "hecate %s ", command);
	shell_add_file(&out, file);
	str_add(&out, option);
	return str_take(&out);
}

static void
add_choice(struct counter_list_item *c, struct event_sum sum)
{
	c->choice = mem_resize(c->choice, c->n_choices + 1, sizeof *c->choice);
	c->choice[c->n_choices++] = sum;
}

struct counter_list *
counter_list_of_model(const struct udd_model *model, const struct fset *on)
{
	struct counter_list *list = new_list(
		TEXT_MODEL, model->name, show_command("print", model->file, ""), model->n_counters);

	if (on) {
		list->model = model;
		list->on = *on;
	}
	for (; list->n < model->n_counters; list->n++) {
		const struct udd_counter *counter = &model->counter[list->n];

		list->counter[list->n] = (struct counter_list_item){
			.name = counter->name, .scope = SCOPE_SYSTEM, .amount = -1};
		add_choice(&list->counter[list->n], (struct event_sum){counter->event, counter->n_events, false});
	}
	return list;
}

struct counter_list *
counter_list_of_network(const struct network *net, const char *file)
{
	struct counter_list *list =
		new_list(TEXT_NETWORK, net->name, show_command("net", file, " --check"), net->n_counters);

	list->calibrated = network_is_calibrated(net);
	for (; list->n < net->n_counters; list->n++) {
		const struct counter_item *item = &net->counter[list->n];

		struct counter_list_item *out = &list->counter[list->n];

		*out = (struct counter_list_item){
			.name = item->name, .scope = item->scope, .amount = stall_counters_amount(net, list->n)};
		out->why = item->of_pairs   ? PAIRS
			: out->amount >= 0  ? OF_TASKS
			: !item->n_choices  ? NO_EVENT
					    : NULL;
		for (size_t i = 0; i < item->n_choices && !out->why; i++)
			add_choice(out, item->choice[i]);
	}
	return list;
}

static bool
same_events(const struct event_sum *a, const struct event_sum *b)
{
	bool same = a->n == b->n;

	for (size_t i = 0; i < a->n && same; i++)
		same = str_eq(a->event[i].name, b->event[i].name) &&
			(a->event[i].filter && b->event[i].filter ? str_eq(a->event[i].filter, b->event[i].filter)
								  : a->event[i].filter == b->event[i].filter);
	return same;
}

/* True when both have the same events. Choices without events were left out of the first. */
static bool
same_counter(const struct counter_list_item *item, const struct counter_item *counter_item)
{
	size_t at = 0;

	for (size_t i = 0; i < counter_item->n_choices; i++) {
		if (counter_item->choice[i].source)
			continue;
		if (at == item->n_choices || !same_events(&item->choice[at], &counter_item->choice[i]))
			return false;
		at++;
	}
	return at == item->n_choices && item->scope == counter_item->scope;
}

static void
add_stack_counter(struct counter_list *list, const struct counter_item *item)
{
	struct counter_list_item *counter_list_item;

	list->counter = mem_resize(list->counter, list->n + 1, sizeof *list->counter);
	counter_list_item = &list->counter[list->n++];
	*counter_list_item = (struct counter_list_item){.name = item->name, .scope = item->scope, .amount = -1};
	for (size_t i = 0; i < item->n_choices; i++)
		if (!item->choice[i].source)
			add_choice(counter_list_item, item->choice[i]);
	if (!counter_list_item->n_choices)
		counter_list_item->why = item->n_choices ? RECORDS : NO_EVENT;
}

static struct counter_list_item *
counter_list_find(const struct counter_list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq(l->counter[i].name, name))
			return &l->counter[i];
	return NULL;
}

struct counter_list *
counter_list_of_stacks(struct stack *const *s, char *const *file, size_t n, struct err *e)
{
	struct str names = {0}, files = {0};
	struct counter_list *list;

	for (size_t i = 0; i < n; i++) {
		str_addf(&names, "%s%s", i ? ", " : "", s[i]->name);
		str_addf(&files, "%s%s", i ? "," : "", file[i]);
	}
	list = new_list(TEXT_STACK, str_text(&names), show_command("stack", str_text(&files), " --check"), 0);
	str_free(&names);
	str_free(&files);
	for (size_t i = 0; i < n; i++) {
		bool *spare = mem_new_array(s[i]->n_counters, sizeof *spare);

		stack_spare_counters(s[i], spare);
		for (size_t k = 0; k < s[i]->n_counters; k++) {
			const struct counter_item *item = &s[i]->counter[k];
			const struct counter_list_item *there = counter_list_find(list, item->name);

			if (spare[k])
				continue;
			if (!there) {
				add_stack_counter(list, item);
			} else if (!same_counter(there, item)) {
				err_set(e, "the stack %s counts other events by the name %s than one before it does",
					s[i]->name, item->name);
				err_hint(
					e, "count them one after the other, or record both: hecate stack STACK -- CMD");
				free(spare);
				counter_list_free(list);
				return NULL;
			}
		}
		free(spare);
	}
	return list;
}

struct counter_list_added {
	struct counter_list_added *next;
	struct event_item event;
	char *name, *text;
};

void
counter_list_add(struct counter_list *list, const char *name, const char *event)
{
	struct counter_list_added *added;

	for (size_t i = 0; i < list->n; i++)
		if (str_eq(list->counter[i].name, name))
			return;
	added = mem_new(sizeof *added);
	*added = (struct counter_list_added){.next = list->added, .name = mem_str(name), .text = mem_str(event)};
	added->event.name = added->text;
	list->added = added;
	list->counter = mem_resize(list->counter, list->n + 1, sizeof *list->counter);
	list->counter[list->n] = (struct counter_list_item){
		.name = added->name, .scope = SCOPE_SYSTEM, .amount = -1};
	add_choice(&list->counter[list->n++], (struct event_sum){&added->event, 1, false});
}

bool *
counter_list_pick(const struct counter_list *l, const char *names, struct err *e)
{
	bool *picked = mem_new_array(l->n, sizeof *picked);
	struct word_list list = word_list_of(names, ',');
	bool good = true;

	while (good && word_list_next(&list)) {
		struct counter_list_item *item = counter_list_find(l, list.word);

		good = item != NULL;
		if (good) {
			picked[item - l->counter] = true;
		} else {
			err_set(e, "--counters: the %s has no counter '%s'", l->of, list.word);
			word_list_hint(e, list.word, "it has", l->counter, l->n, sizeof *l->counter);
		}
	}
	if (word_list_end(&list, good, e))
		return picked;
	free(picked);
	return NULL;
}

bool *
counter_list_chosen(const struct counter_list *list, const bool *chosen, size_t n)
{
	bool *all = mem_new_array(list->n, sizeof *all);

	for (size_t i = 0; i < list->n; i++)
		all[i] = !chosen || i >= n || chosen[i];
	return all;
}

bool
counter_list_refuse(const struct counter_list *l, const bool *asked, struct err *e)
{
	bool some = false;

	for (size_t i = 0; i < l->n; i++)
		some |= !asked || asked[i];
	if (some)
		err_set(e, "nothing of the %s can be opened: none of its counters has an event", l->of);
	else
		err_set(e, "the %s has no counter that was asked for: there is nothing to sample", l->of);
	return err_hint(e, "%s shows its counters, hecate doctor what can be counted here", l->show);
}

/* A time that perf adds to its counts (perf-list(1), "TOOL EVENTS"). */
static bool
is_time_of_perf(const struct counter_list_item *item)
{
	return str_eq(item->name, "duration_time") || str_eq(item->name, "user_time") ||
		str_eq(item->name, "system_time");
}

void
counter_list_join(struct counter_list *list, struct counter_list *more)
{
	size_t n = 0;

	list->counter = mem_resize(list->counter, list->n + more->n, sizeof *list->counter);
	for (size_t i = 0; i < more->n; i++)
		if (!counter_list_find(list, more->counter[i].name)) {
			list->counter[list->n++] = more->counter[i];
			more->counter[i].choice = NULL;
		}
	for (size_t i = 0; i < list->n; i++)
		if (is_time_of_perf(&list->counter[i]))
			free(list->counter[i].choice);
		else
			list->counter[n++] = list->counter[i];
	list->n = n;
	counter_list_free(more);
}

struct set_constraints
counter_list_constraints(const struct counter_list *list, const bool *asked)
{
	struct set_constraints out = {0};
	bool *keep;

	if (!list->model)
		return out;
	keep = mem_new_array(list->model->n_counters, sizeof *keep);
	for (size_t i = 0; i < list->model->n_counters; i++)
		keep[i] = (!asked || asked[i]) && list->model->counter[i].n_events;
	out = set_constraints_of_model(list->model, &list->on, keep);
	free(keep);
	return out;
}

void
counter_list_free(struct counter_list *list)
{
	if (!list)
		return;
	for (size_t i = 0; i < list->n; i++)
		free(list->counter[i].choice);
	for (struct counter_list_added *added = list->added, *next; added; added = next) {
		next = added->next;
		free(added->name);
		free(added->text);
		free(added);
	}
	free(list->counter);
	free(list->of);
	free(list->show);
	free(list);
}
