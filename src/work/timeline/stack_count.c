#include "work/timeline/stack_count.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/column_names.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/stack/stack.h"
#include "text/aexpr.h"
#include "work/timeline/column_factor.h"

const char *
stack_lack_text(enum stack_lack l)
{
	switch (l) {
	case STACK_COUNTED:
		return "counted";
	case STACK_UNRESOLVED:
		return "no event is known";
	case STACK_NO_COLUMN:
		return "not in the data";
	case STACK_NOT_COUNTED:
		return "not counted in this observation";
	case STACK_DEAD:
		return "dead: it counts, but never anything";
	case STACK_UNSUPPORTED:
		return "it could not be opened";
	case STACK_OTHER_UNIT:
		return "in another unit than the stack asks for";
	}
	return "";
}

/* Whether a column counts the event. */
static bool
stack_count_has_column(
	const struct column_names *names, const struct obs_table *table, const struct event_sum *sum, size_t event)
{
	struct event_columns found;
	bool has = false;

	for (size_t i = 0; i < table->n_columns && sum->source && !has; i++)
		has = str_eq(table->column[i], sum->event[event].name);
	if (sum->source)
		return has;
	found = column_names_find(names, sum->event[event].name);
	has = found.n > 0;
	event_columns_free(&found);
	return has;
}

/* Whether the events of a choice are all columns. With `zeros`, an event without a column is 0 if its object is known;
 * then *n_zero of them are. `event` gets those that have columns; *n of them. */
static bool
stack_count_is_there(const struct column_names *names, const struct obs_table *table, const struct event_sum *sum,
	bool zeros, struct event_item *event, size_t *n, size_t *n_zero)
{
	*n = *n_zero = 0;
	if (event_sum_is_filtered(sum))
		return false;
	for (size_t i = 0; i < sum->n; i++)
		if (stack_count_has_column(names, table, sum, i))
			event[(*n)++] = sum->event[i];
		else if (zeros && !sum->source && columns_knows_object(table, sum->event[i].name))
			(*n_zero)++;
		else
			return false;
	return true;
}

/* What is wanted for one counter: the first choice whose events are all columns. Where the sources list no zeros, the
 * first that has some of its columns and knows the objects of the others; or, without a column, the counter is 0. */
static struct wanted_counter
stack_count_choose(const struct counter_item *item, const struct column_names *names, const struct obs_table *table,
	struct event_item **event, bool *zero)
{
	struct wanted_counter w = {.name = item->name};
	size_t most = 1, n, n_zero;

	for (size_t k = 0; k < item->n_choices; k++)
		most = item->choice[k].n > most ? item->choice[k].n : most;
	*event = mem_new_array(most, sizeof **event);
	w.event = *event;
	for (size_t k = 0; k < item->n_choices; k++)
		if (stack_count_is_there(names, table, &item->choice[k], false, *event, &n, &n_zero)) {
			w.n_events = n;
			w.exact = item->choice[k].source;
			return w;
		}
	for (size_t k = 0; k < item->n_choices && columns_lists_no_zeros(table); k++) {
		if (!stack_count_is_there(names, table, &item->choice[k], true, *event, &n, &n_zero))
			continue;
		*zero |= n_zero > 0;
		w.n_events = n;
		if (n) {
			*zero = n_zero > 0;
			return w;
		}
	}
	if (*zero)
		return w;
	/* nothing fits: the first choice says what is near */
	w.n_events = item->n_choices && !event_sum_is_filtered(&item->choice[0]) ? item->choice[0].n : 0;
	for (size_t i = 0; i < w.n_events; i++)
		(*event)[i] = item->choice[0].event[i];
	w.exact = w.n_events && item->choice[0].source;
	return w;
}

/* The counters that a stack's whole is made of, and how many of them have a column. */
struct whole_counters {
	const struct stack *s;
	struct stack_columns *m;
	size_t counted;
	bool settle;
};

static void
visit_counter(void *ctx, const struct aexpr *name)
{
	struct whole_counters *w = ctx;

	if (name->index >= w->s->n_counters)
		return;
	w->counted += w->m->match->first[name->index + 1] > w->m->match->first[name->index];
	if (w->settle)
		w->m->zero[name->index] = false;
}

/* A whole of which no counter is in the data is not 0 but unknown, whatever their source leaves out: nothing else tells
 * such data from those of another machine. */
static void
settle_whole(const struct stack *s, struct stack_columns *m)
{
	struct whole_counters w = {s, m, 0, false};

	aexpr_each_name(s->whole, visit_counter, &w);
	w.settle = !w.counted;
	if (w.settle)
		aexpr_each_name(s->whole, visit_counter, &w);
}

/* On a machine with several kinds of cores a stack is of the one that counted all of its events. */
static void
choose_core(const struct stack *stack, struct column_names *names)
{
	const char **event = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < stack->n_counters; i++)
		for (size_t k = 0; k < stack->counter[i].n_choices; k++)
			for (size_t e = 0; e < stack->counter[i].choice[k].n; e++) {
				mem_grow(&event, &cap, n + 1, sizeof *event);
				event[n++] = stack->counter[i].choice[k].source ? NULL
					: stack->counter[i].choice[k].event[e].name;
			}
	column_names_choose_core(names, event, n);
	free(event);
}

struct stack_columns *
stack_columns_new(const struct stack *stack, const struct obs_table *table)
{
	struct stack_columns *columns = mem_new(sizeof *columns);
	struct column_names *names = column_names_new(table);
	struct wanted_counter *wanted = mem_new_array(stack->n_counters, sizeof *wanted);
	struct event_item **event = mem_new_array(stack->n_counters, sizeof *event);

	choose_core(stack, names);
	columns->n_counters = stack->n_counters;
	columns->zero = mem_new_array(stack->n_counters, sizeof *columns->zero);
	for (size_t i = 0; i < stack->n_counters; i++)
		wanted[i] = stack_count_choose(&stack->counter[i], names, table, &event[i], &columns->zero[i]);
	columns->match = columns_match_counters(wanted, stack->n_counters, table);
	for (size_t i = 0; i < stack->n_counters; i++)
		free(event[i]);
	free(event);
	free(wanted);
	column_names_free(names);
	settle_whole(stack, columns);
	return columns;
}

void
stack_columns_free(struct stack_columns *m)
{
	if (!m)
		return;
	columns_match_free(m->match);
	free(m->zero);
	free(m);
}

static enum stack_lack
lack_of_column(const struct obs *obs, size_t column, size_t counted)
{
	switch (obs->health[column]) {
	case OBS_LIVE:
	case OBS_HONEST:
	case OBS_ZERO_SUSPECT:
		return counted ? STACK_COUNTED : STACK_NOT_COUNTED;
	case OBS_DEAD:
		return STACK_DEAD;
	case OBS_UNSUPPORTED:
		return STACK_UNSUPPORTED;
	case OBS_ABSENT:
		break;
	}
	return STACK_NOT_COUNTED;
}

/* Adds one column's total, times its factor, to counter i. Whole counts are added exactly. */
static void
stack_count_add_column(struct stack_counts *counts, size_t i, const struct obs *obs, size_t column, int64_t times,
	size_t first, size_t n)
{
	struct obs_sum sum = obs_sum(obs, column, first, n);
	enum stack_lack lack = lack_of_column(obs, column, sum.counted);

	counts->running[i] = fmin(counts->running[i], sum.running);
	if (lack != STACK_COUNTED) {
		counts->lack[i] = lack;
		counts->value[i] = NAN;
		return;
	}
	counts->filled[i] = fmax(counts->filled[i], 1 - (double)sum.counted / (double)n);
	/* scales only where rows are missing, so that whole counts stay whole */
	counts->value[i] += (double)times * (sum.counted == n ? (double)sum.sum
		: (double)sum.sum / (double)sum.counted * (double)n) /
		pow(10, obs->decimals);
}

struct stack_counts *
stack_counts_new(const struct stack *s, const struct stack_columns *m, const struct obs_table *t, size_t observation)
{
	return stack_counts_of_rows(s, m, t, observation, 0, t->obs[observation]->n_rows);
}

struct stack_counts *
stack_counts_of_rows(const struct stack *stack, const struct stack_columns *columns, const struct obs_table *table,
	size_t observation, size_t first, size_t n)
{
	struct stack_counts *counts = mem_new(sizeof *counts);
	const struct obs *obs = table->obs[observation];

	counts->n_counters = stack->n_counters;
	counts->value = mem_new_array(stack->n_counters, sizeof *counts->value);
	counts->lack = mem_new_array(stack->n_counters, sizeof *counts->lack);
	counts->running = mem_new_array(stack->n_counters, sizeof *counts->running);
	counts->filled = mem_new_array(stack->n_counters, sizeof *counts->filled);
	counts->zero = mem_new_array(stack->n_counters, sizeof *counts->zero);
	for (size_t i = 0; i < stack->n_counters; i++) {
		counts->running[i] = 1;
		counts->zero[i] = columns->zero[i];
		if (columns->match->first[i] == columns->match->first[i + 1] && !columns->zero[i]) {
			counts->lack[i] = stack->counter[i].unresolved ? STACK_UNRESOLVED : STACK_NO_COLUMN;
			counts->value[i] = NAN;
		}
		for (size_t k = columns->match->first[i]; k < columns->match->first[i + 1]; k++)
			stack_count_add_column(
				counts, i, obs, columns->match->column[k], columns->match->times[k], first, n);
		counts->value[i] *= column_factor(columns->match, i, &stack->counter[i]);
		if (isnan(counts->value[i]) && counts->lack[i] == STACK_COUNTED)
			counts->lack[i] = STACK_OTHER_UNIT;
	}
	return counts;
}

void
stack_counts_add(struct stack_counts *sum, const struct stack_counts *c)
{
	for (size_t i = 0; i < sum->n_counters; i++) {
		sum->value[i] += c->value[i];
		sum->lack[i] = sum->lack[i] != STACK_COUNTED ? sum->lack[i] : c->lack[i];
		sum->running[i] = fmin(sum->running[i], c->running[i]);
		sum->filled[i] = fmax(sum->filled[i], c->filled[i]);
		if (sum->zero)
			sum->zero[i] |= c->zero && c->zero[i];
	}
}

void
stack_counts_free(struct stack_counts *c)
{
	if (!c)
		return;
	free(c->value);
	free(c->lack);
	free(c->running);
	free(c->filled);
	free(c->zero);
	free(c);
}
