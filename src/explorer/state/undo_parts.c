#include "explorer/state/undo_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "explorer/state/requests.h"
#include "explorer/state/state.h"
#include "explorer/state/state_catalogue.h"
#include "work/analysis/constraints.h"
#include "work/analysis/observations.h"

static void
undo_read_phases(const struct state *s, struct str *out)
{
	if (s->question.how.split_phases)
		str_addc(out, 'p');
}

static void
put_phases(struct state *s, const struct str *now)
{
	s->question.how.split_phases = now->n > 0;
	state_request(s, REQUEST_LOAD);
	state_request(s, REQUEST_RESULT);
}

static void
say_phases(const struct state *s, const struct str *before, const struct str *now, struct str *out)
{
	(void)s, (void)before;
	str_add(out, now->n ? "each phase is judged by itself" : "observations are judged whole");
}

static void
add_set(const struct fset *set, struct str *out)
{
	if (!fset_is_empty(*set))
		str_addn(out, (const char *)set, sizeof *set);
}

static struct fset
undo_set_of(const struct str *bytes)
{
	struct fset set = {0};

	if (bytes->n == sizeof set)
		memcpy(&set, bytes->s, sizeof set);
	return set;
}

/* "features bypass, psc ", or of many "4 features " */
static void
add_features(const struct state *s, const struct fset *set, struct str *out)
{
	size_t n = fset_count(set), told = 0;

	if (n > 3)
		str_addf(out, "%zu ", n);
	str_add(out, n == 1 ? "feature " : "features ");
	for (size_t i = 0; i < s->question.model->n_features && n <= 3; i++)
		if (fset_has(set, i))
			str_addf(out, "%s%s", told++ ? ", " : "", s->question.model->feature[i].name);
	if (n <= 3)
		str_addc(out, ' ');
}

static void
say_set(const struct state *s, const struct str *before, const struct str *now, const char *in, const char *not_in,
	struct str *out)
{
	struct fset from = undo_set_of(before), to = undo_set_of(now), added = fset_minus(to, from),
		    taken = fset_minus(from, to);

	if (!fset_is_empty(added)) {
		add_features(s, &added, out);
		str_addf(out, "%s %s", fset_count(&added) == 1 ? "is" : "are", in);
	}
	if (!fset_is_empty(taken)) {
		str_add(out, fset_is_empty(added) ? "" : ", ");
		add_features(s, &taken, out);
		str_addf(out, "%s %s", fset_count(&taken) == 1 ? "is" : "are", not_in);
	}
}

static void
undo_read_features(const struct state *s, struct str *out)
{
	add_set(&s->question.on, out);
}

static void
put_features(struct state *s, const struct str *now)
{
	struct fset on = undo_set_of(now);

	if (s->question.model)
		state_switch_to(s, &on);
}

static void
say_features(const struct state *s, const struct str *before, const struct str *now, struct str *out)
{
	say_set(s, before, now, "on", "off", out);
}

static void
undo_read_pins(const struct state *s, struct str *out)
{
	add_set(&s->question.pinned, out);
}

static void
put_pins(struct state *s, const struct str *now)
{
	s->question.pinned = undo_set_of(now);
}

static void
say_pins(const struct state *s, const struct str *before, const struct str *now, struct str *out)
{
	say_set(s, before, now, "pinned", "not pinned", out);
}

/* "3 Observations" */
static void
add_view(enum view v, struct str *out)
{
	str_addf(out, "%s %s", view_row(v)->key, view_row(v)->tab);
}

/* The orders of all lists. */
struct orders {
	struct list_sorts list;
	enum bar_sort bars;
	enum queue_sort queues;
	enum event_sort events;
	unsigned reversed;
};

static void
undo_read_orders(const struct state *s, struct str *out)
{
	struct orders orders;

	memset(&orders, 0, sizeof orders); /* its bytes are compared */
	orders.list = s->view.sort;
	orders.bars = s->view.timeline.bar_sort;
	orders.queues = s->view.timeline.queue_sort;
	orders.events = s->view.events.sort;
	orders.reversed = s->view.columns.reversed;
	str_addn(out, (const char *)&orders, sizeof orders);
}

static void
put_orders(struct state *s, const struct str *now)
{
	struct orders orders;

	memcpy(&orders, now->s, sizeof orders);
	s->view.sort = orders.list;
	s->view.timeline.bar_sort = orders.bars;
	s->view.timeline.queue_sort = orders.queues;
	s->view.events.sort = orders.events;
	s->view.columns.reversed = orders.reversed;
}

static void
say_order(enum view v, const char *words, const char *name, const struct orders *now, struct str *out)
{
	add_view(v, out);
	str_addf(out, " %s%s%s", words, name, now->reversed >> v & 1 ? ", reversed" : "");
}

static void
say_orders(const struct state *s, const struct str *before, const struct str *now, struct str *out)
{
	struct orders from, to;
	unsigned turned;

	(void)s;
	memcpy(&from, before->s, sizeof from);
	memcpy(&to, now->s, sizeof to);
	turned = from.reversed ^ to.reversed;
	if (from.list.constraints != to.list.constraints || turned >> VIEW_CONSTRAINTS & 1)
		say_order(VIEW_CONSTRAINTS, "sorted by ", constraint_sort_name(to.list.constraints), &to, out);
	else if (from.list.observations != to.list.observations || turned >> VIEW_OBSERVATIONS & 1)
		say_order(VIEW_OBSERVATIONS, "sorted by ", observation_sort_name(to.list.observations), &to, out);
	else if (from.bars != to.bars || turned >> VIEW_STALLS & 1)
		say_order(VIEW_STALLS, "", bar_sort_name(to.bars), &to, out);
	else if (from.queues != to.queues || turned >> VIEW_QUEUES & 1)
		say_order(VIEW_QUEUES, "", queue_sort_name(to.queues), &to, out);
	else if (from.list.quantities != to.list.quantities || turned >> VIEW_DIFF & 1)
		say_order(VIEW_DIFF, "", diff_sort_name(to.list.quantities), &to, out);
	else
		say_order(VIEW_EVENTS, "", event_sort_name(to.events), &to, out);
}

/* The lists whose columns the user arranged: the pane, then its choice. */
static void
undo_read_columns(const struct state *s, struct str *out)
{
	for (int pane = 0; pane < PANE_COUNT; pane++)
		if (s->view.columns.of[pane].n) {
			str_addn(out, (const char *)&pane, sizeof pane);
			str_addn(out, (const char *)&s->view.columns.of[pane], sizeof s->view.columns.of[pane]);
		}
}

static void
put_columns(struct state *s, const struct str *now)
{
	const size_t size = sizeof *s->view.columns.of;
	int pane;

	memset(s->view.columns.of, 0, sizeof s->view.columns.of);
	for (size_t at = 0; at + sizeof pane + size <= now->n; at += sizeof pane + size) {
		memcpy(&pane, now->s + at, sizeof pane);
		memcpy(&s->view.columns.of[pane], now->s + at + sizeof pane, size);
	}
}

static void
say_columns(const struct state *s, const struct str *before, const struct str *now, struct str *out)
{
	(void)before;
	str_add(out, now->n ? "columns of " : "the built-in columns of ");
	add_view(s->view.current, out);
	str_add(out, now->n ? " are arranged" : "");
}

/* The view's number, then its words and a NUL. */
static void
undo_read_filters(const struct state *s, struct str *out)
{
	for (int v = 0; v < VIEW_COUNT; v++)
		if (s->view.filter[v]) {
			str_addc(out, (char)v);
			str_addn(out, s->view.filter[v], strlen(s->view.filter[v]) + 1);
		}
}

static const char *
filter_of(const struct str *filters, int view)
{
	for (size_t at = 0; at < filters->n; at += strlen(filters->s + at) + 1)
		if (filters->s[at++] == (char)view)
			return filters->s + at;
	return NULL;
}

static void
put_filters(struct state *s, const struct str *now)
{
	for (int v = 0; v < VIEW_COUNT; v++) {
		const char *words = filter_of(now, v);

		free(s->view.filter[v]);
		s->view.filter[v] = words ? mem_str(words) : NULL;
	}
}

static void
say_filters(const struct state *s, const struct str *before, const struct str *now, struct str *out)
{
	(void)s;
	for (int v = 0; v < VIEW_COUNT; v++) {
		const char *from = filter_of(before, v), *to = filter_of(now, v);

		if (!from == !to && (!to || str_eq(from, to)))
			continue;
		str_addf(out, to ? "%sfilter \"%s\" in " : "%sno filter in ", out->n ? ", " : "", to);
		add_view((enum view)v, out);
	}
}

static void
undo_read_marks(const struct state *s, struct str *out)
{
	size_t n = s->view.marks.n;

	while (n && !s->view.marks.on[n - 1])
		n--;
	if (n)
		str_addn(out, (const char *)s->view.marks.on, n * sizeof *s->view.marks.on);
}

static bool
mark_in(const struct str *marks, size_t i)
{
	return i < marks->n && marks->s[i];
}

static void
put_marks(struct state *s, const struct str *now)
{
	for (size_t i = 0; i < s->view.marks.n; i++)
		s->view.marks.on[i] = mark_in(now, i);
}

static void
say_marks(const struct state *s, const struct str *before, const struct str *now, struct str *out)
{
	size_t changed = 0, last = 0, marked = 0;

	for (size_t i = 0; i < now->n || i < before->n; i++) {
		marked += mark_in(now, i);
		if (mark_in(now, i) != mark_in(before, i)) {
			changed++;
			last = i;
		}
	}
	if (changed == 1 && s->answers.result && last < s->answers.result->n_findings)
		str_addf(out, "%s is %s", s->answers.result->finding[last].name,
			mark_in(now, last) ? "marked" : "not marked");
	else
		str_addf(out, "%zu observation%s marked", marked, marked == 1 ? " is" : "s are");
}

/* Returns the name after the one at *at in a list of state_added_write(), and steps there; NULL: none. */
static const char *
next_event(const struct str *list, size_t *at)
{
	const char *name = *at < list->n ? list->s + *at : NULL;

	for (int k = 0; name && k < 2; k++)
		*at += strlen(list->s + *at) + 1;
	return name;
}

/* Returns a name that `other` lacks, and how many there are. */
static const char *
event_lacks(const struct str *list, const struct str *other, size_t *n)
{
	const char *name, *same, *lacks = NULL;
	size_t at = 0;

	for (*n = 0; (name = next_event(list, &at)) != NULL;) {
		size_t in = 0;

		while ((same = next_event(other, &in)) != NULL && !str_eq(name, same))
			;
		*n += !same;
		lacks = same ? lacks : name;
	}
	return lacks;
}

static void
say_events(const struct state *s, const struct str *before, const struct str *now, struct str *out)
{
	size_t n, gone;
	const char *name = event_lacks(now, before, &n), *lost = event_lacks(before, now, &gone);

	(void)s;
	if (n + gone == 1)
		str_addf(out, name ? "the next run counts %s, too" : "the next run no longer counts %s",
			name ? name : lost);
	else
		str_add(out, "the events of the next run");
}

static void
undo_read_notes(const struct state *s, struct str *out)
{
	remarks_write(&s->question.remarks, out);
}

static void
put_notes(struct state *s, const struct str *now)
{
	remarks_restore(&s->question.remarks, now->s, now->n);
	if (s->view.popup.kind != POPUP_NOTES)
		return;
	if (!s->question.remarks.n)
		state_close_popup(s);
	else if ((size_t)s->view.popup.cursor >= s->question.remarks.n)
		s->view.popup.cursor = (int)s->question.remarks.n - 1;
}

static void
say_notes(const struct state *s, const struct str *before, const struct str *now, struct str *out)
{
	struct remarks from = {0}, to = {0};

	(void)s;
	remarks_restore(&from, before->s, before->n);
	remarks_restore(&to, now->s, now->n);
	if (to.n == from.n)
		str_add(out, "the note reads as it did");
	else
		str_addf(out, to.n > from.n ? "the note is back" : "the note is gone");
	remarks_free(&from);
	remarks_free(&to);
}

const struct undo_part undo_parts[UNDO_PARTS] = {
	[UNDO_PHASES] = {undo_read_phases, put_phases, say_phases},
	[UNDO_FEATURES] = {undo_read_features, put_features, say_features},
	[UNDO_PINS] = {undo_read_pins, put_pins, say_pins},
	[UNDO_ORDERS] = {undo_read_orders, put_orders, say_orders},
	[UNDO_COLUMNS] = {undo_read_columns, put_columns, say_columns},
	[UNDO_FILTERS] = {undo_read_filters, put_filters, say_filters},
	[UNDO_MARKS] = {undo_read_marks, put_marks, say_marks},
	[UNDO_EVENTS] = {state_added_write, state_added_put, say_events},
	[UNDO_NOTES] = {undo_read_notes, put_notes, say_notes},
};
