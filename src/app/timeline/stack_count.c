#include "app/timeline/stack_count.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/stack/stack.h"

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
	}
	return "";
}

/* Finds an event's column. An event that selects a class of a source is matched by its exact name, without perf's
 * aliases and without ":u". */
static size_t
find_column(const struct obs_table *t, const struct event_sum *v, const char *event, bool *user_only)
{
	*user_only = false;
	if (!v->source)
		return columns_find_event(t, event, user_only);
	for (size_t i = 0; i < t->n_columns; i++)
		if (str_eq(t->column[i], event))
			return i;
	return t->n_columns;
}

/* Takes the columns of a choice of events. With `zero`, events without a column are 0 if their objects are known, and
 * *zero becomes true. */
static bool
take_choice(struct stack_columns *m, size_t *n, size_t *cap, const struct obs_table *t, const struct event_sum *v,
	bool *user_only, bool *zero)
{
	size_t start = *n;

	*user_only = false;
	for (size_t i = 0; i < v->n; i++) {
		bool user;
		size_t at = find_column(t, v, v->event[i], &user);

		if (at == t->n_columns && zero && !v->source && columns_knows_object(t, v->event[i])) {
			*zero = true;
			continue;
		}
		if (at == t->n_columns) {
			*n = start;
			*user_only = false;
			if (zero)
				*zero = false;
			return false;
		}
		*user_only |= user;
		mem_grow(&m->column, cap, *n + 1, sizeof *m->column);
		m->column[(*n)++] = at;
	}
	return true;
}

/* Takes the choice whose events are columns, or are 0 because their source lists no zeros: one with a column first. */
static void
take_with_zeros(struct stack_columns *m, size_t *n, size_t *cap, const struct obs_table *t,
	const struct counter_item *c, size_t i)
{
	size_t start = *n;
	bool zero = false;

	for (size_t k = 0; k < c->n_choices; k++) {
		bool some = false;

		if (event_sum_is_filtered(&c->choice[k]) ||
			!take_choice(m, n, cap, t, &c->choice[k], &m->user_only[i], &some))
			continue;
		zero |= some;
		if (*n > start)
			break;
	}
	m->zero[i] = zero;
}

struct stack_columns *
stack_columns_new(const struct stack *s, const struct obs_table *t)
{
	struct stack_columns *m = mem_new(sizeof *m);
	size_t n = 0, cap = 0;

	m->n_counters = s->n_counters;
	m->first = mem_new_array(s->n_counters + 1, sizeof *m->first);
	m->user_only = mem_new_array(s->n_counters, sizeof *m->user_only);
	m->zero = mem_new_array(s->n_counters, sizeof *m->zero);
	for (size_t i = 0; i < s->n_counters; i++) {
		const struct counter_item *c = &s->counter[i];
		const char *own[] = {c->name};
		bool found = take_choice(
			m, &n, &cap, t, &(struct event_sum){.event = own, .n = 1, .source = true}, &m->user_only[i],
			NULL);

		for (size_t k = 0; k < t->n_columns && !found; k++)
			if (columns_is_owners(t->column[k], c->name)) {
				mem_grow(&m->column, &cap, n + 1, sizeof *m->column);
				m->column[n++] = k;
			}
		found |= n > m->first[i];
		for (size_t k = 0; k < c->n_choices && !found; k++)
			found = !event_sum_is_filtered(&c->choice[k]) &&
				take_choice(m, &n, &cap, t, &c->choice[k], &m->user_only[i], NULL);
		if (!found && columns_lists_no_zeros(t))
			take_with_zeros(m, &n, &cap, t, c, i);
		m->first[i + 1] = n;
	}
	return m;
}

void
stack_columns_free(struct stack_columns *m)
{
	if (!m)
		return;
	free(m->first);
	free(m->column);
	free(m->user_only);
	free(m->zero);
	free(m);
}

static enum stack_lack
lack_of_column(const struct obs *o, size_t column, size_t counted)
{
	switch (o->health[column]) {
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

/* Adds one column's total to counter i. Whole counts are added exactly. */
static void
add_column(struct stack_counts *c, size_t i, const struct obs *o, size_t column, size_t first, size_t n)
{
	struct obs_sum sum = obs_sum(o, column, first, n);
	enum stack_lack lack = lack_of_column(o, column, sum.counted);

	c->running[i] = fmin(c->running[i], sum.running);
	if (lack != STACK_COUNTED) {
		c->lack[i] = lack;
		c->value[i] = NAN;
		return;
	}
	c->filled[i] = fmax(c->filled[i], 1 - (double)sum.counted / (double)n);
	/* scales only where rows are missing, so that whole counts stay whole */
	c->value[i] += (sum.counted == n ? (double)sum.sum : (double)sum.sum / (double)sum.counted * (double)n) /
		pow(10, o->decimals);
}

struct stack_counts *
stack_counts_new(const struct stack *s, const struct stack_columns *m, const struct obs_table *t, size_t observation)
{
	return stack_counts_of_rows(s, m, t, observation, 0, t->obs[observation]->n_rows);
}

struct stack_counts *
stack_counts_of_rows(const struct stack *s, const struct stack_columns *m, const struct obs_table *t,
	size_t observation, size_t first, size_t n)
{
	struct stack_counts *c = mem_new(sizeof *c);
	const struct obs *o = t->obs[observation];

	c->n_counters = s->n_counters;
	c->value = mem_new_array(s->n_counters, sizeof *c->value);
	c->lack = mem_new_array(s->n_counters, sizeof *c->lack);
	c->running = mem_new_array(s->n_counters, sizeof *c->running);
	c->filled = mem_new_array(s->n_counters, sizeof *c->filled);
	c->zero = mem_new_array(s->n_counters, sizeof *c->zero);
	for (size_t i = 0; i < s->n_counters; i++) {
		c->running[i] = 1;
		c->zero[i] = m->zero[i];
		if (m->first[i] == m->first[i + 1] && !m->zero[i]) {
			c->lack[i] = s->counter[i].unresolved ? STACK_UNRESOLVED : STACK_NO_COLUMN;
			c->value[i] = NAN;
		}
		for (size_t k = m->first[i]; k < m->first[i + 1]; k++)
			add_column(c, i, o, m->column[k], first, n);
		c->value[i] *= s->counter[i].factor;
	}
	return c;
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
