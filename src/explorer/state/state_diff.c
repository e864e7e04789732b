#include "explorer/state/state_diff.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "explorer/state/pane.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_views.h"
#include "work/diff/contest.h"
#include "work/diff/diff_words.h"
#include "work/files/files.h"

void
state_set_contest(struct state *s, struct contest *c)
{
	contest_free(s->data.contest);
	s->data.contest = c;
	s->view.cursor[PANE_QUANTITIES] = s->view.cursor[PANE_DIFF_RUNS] = 0;
	s->view.cursor[PANE_SPREAD] = s->view.cursor[PANE_MORE_PAIRS] = 0;
	if (!c && s->view.current == VIEW_DIFF)
		s->view.current = VIEW_START;
	state_shown_changed(s);
}

void
state_contest_came(struct state *s)
{
	state_shown_changed(s);
}

bool
state_measures(const struct state *s)
{
	return s->data.contest && s->data.contest->measuring && contest_waits(s->data.contest) == CONTEST_RUNS;
}

bool
state_reports_contest(const struct state *s)
{
	const struct contest *c = s->data.contest;

	return s->view.current == VIEW_DIFF && c && c->report && c->of.measured.report.n && c->of.measured.table.n_runs;
}

size_t
state_unsaved_runs(const struct state *s)
{
	const struct contest *c = s->data.contest;

	return c && c->write && c->unsaved && c->of.measured.report.n ? c->of.measured.table.n_runs : 0;
}

/* --- the list ----------------------------------------------------------------------------------------------------- */

/* Nothing to see of a quantity that was never counted, or is 0 in all runs. */
static bool
quantity_is_shown(const struct contest *c, size_t i)
{
	const struct diff_report *report = &c->of.measured.report;
	const struct diff_found *f = i < report->n ? &report->found[i] : NULL;

	return i == 0 || !f ||
		(f->counted && !diff_is_repeated(&c->of.measured, i) &&
			(f->a != 0 || f->b != 0 || f->answer == DIFF_MORE || f->answer == DIFF_LESS));
}

struct sorted_quantity {
	size_t at;
	const char *name; /* NULL: sorted by key */
	double key;
};

static int
by_quantity(const void *a, const void *b)
{
	const struct sorted_quantity *x = a, *y = b;
	int by = x->name ? strcmp(x->name, y->name) : (x->key > y->key) - (x->key < y->key);

	return by ? by : (x->at > y->at) - (x->at < y->at);
}

static double
quantity_key(const struct contest *c, size_t i, enum diff_sort by)
{
	static const double rank[DIFF_ANSWERS] = {
		[DIFF_MORE] = 0, [DIFF_LESS] = 1, [DIFF_UNDECIDED] = 2, [DIFF_EQUAL] = 3};
	const struct diff_report *report = &c->of.measured.report;
	double change = i < report->n ? fabs(report->found[i].estimate) : 0;

	if (by == DIFF_BY_ANSWER)
		return i < report->n ? rank[report->found[i].answer] : 2;
	return by == DIFF_BY_CHANGE && change > 0 ? -change : 0;
}

static void *
make_quantities(const struct state *s, size_t *n)
{
	const struct contest *c = s->data.contest;
	size_t all = c ? c->of.measured.table.n : 0, *out = mem_new_array(all, sizeof *out);
	struct sorted_quantity *sorted = mem_new_array(all, sizeof *sorted);
	const char *words = s->view.filter[VIEW_DIFF];
	enum diff_sort by = s->view.sort.quantities;

	*n = 0;
	for (size_t i = 0; i < all; i++) {
		const char *name = c->of.measured.table.quantity[i].name;

		if (quantity_is_shown(c, i) && (!words || strcasestr(name, words)))
			sorted[(*n)++] = (struct sorted_quantity){
				i, by == DIFF_BY_NAME ? name : NULL, quantity_key(c, i, by)};
	}
	if (*n)
		qsort(sorted, *n, sizeof *sorted, by_quantity);
	for (size_t i = 0; i < *n; i++)
		out[i] = sorted[i].at;
	free(sorted);
	return out;
}

static uint64_t
quantity_thing(const struct state *s, const void *row)
{
	return thing_text(0, s->data.contest->of.measured.table.quantity[*(const size_t *)row].name);
}

const struct shown_ops shown_quantities = {.kind = SHOWN_QUANTITIES,
	.make = make_quantities,
	.size = sizeof(size_t),
	.thing = quantity_thing,
	.filter = VIEW_DIFF,
	.sort = offsetof(struct state, view.sort.quantities)};

const size_t *
state_quantities(const struct state *s, size_t *n)
{
	return state_shown(s, &shown_quantities, n);
}

size_t
state_quantity(const struct state *s)
{
	size_t n, at = (size_t)s->view.cursor[PANE_QUANTITIES];
	const size_t *order = state_quantities(s, &n);

	return !n ? SIZE_MAX : order[at < n ? at : n - 1];
}

size_t
state_count_quantities(const struct state *s)
{
	const struct contest *c = s->data.contest;
	size_t n = 0;

	for (size_t i = 0; c && i < c->of.measured.table.n; i++)
		n += quantity_is_shown(c, i);
	return n;
}

/* --- actions ------------------------------------------------------------------------------------------------------ */

void
state_show_diff(struct state *s)
{
	if (s->view.current == VIEW_OBSERVATIONS && state_count_marked(s) >= 2) {
		state_request(s, REQUEST_PAIR);
		return;
	}
	state_show_view(s, VIEW_DIFF);
}

void
state_show_pair(struct state *s, struct contest *c)
{
	state_set_contest(s, c);
	state_show_view(s, VIEW_DIFF);
	s->view.came_from = VIEW_OBSERVATIONS;
}

void
state_contest_turn(struct state *s)
{
	state_request(s, REQUEST_CONTEST);
}

void
state_diff_outliers(struct state *s)
{
	s->view.plot.outliers = !s->view.plot.outliers;
	state_say(s, false,
		s->view.plot.outliers ? "the axes reach as far as the farthest run"
				      : "the axes leave the farthest runs out");
}

void
state_ask_to_keep_contest(struct state *s)
{
	char *name = file_new_name(NULL, "json");

	requests_add(&s->requests, REQUEST_KEEP_CONTEST, 0, name);
	free(name);
}

/* --- panes -------------------------------------------------------------------------------------------------------- */

static int
quantities_length(const struct state *s)
{
	return (int)state_count_shown(s, &shown_quantities);
}

static uint64_t
quantities_thing(const struct state *s, enum pane_id pane, size_t row)
{
	(void)pane;
	return state_shown_thing(s, &shown_quantities, row);
}

static bool
quantities_has(const struct state *s, size_t row, const char *words)
{
	size_t n;
	const size_t *order = state_quantities(s, &n);

	return row < n && strcasestr(s->data.contest->of.measured.table.quantity[order[row]].name, words);
}

const struct pane_ops state_pane_quantities = {.length = quantities_length,
	.thing = quantities_thing,
	.has = quantities_has};
const struct pane_ops state_pane_about_diff = {0};
