/* The view of A and B on cells: made runs with a difference, with none, with drift, recorded ones, none at all; every
 * pane, popup, order and size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "draw/view/view.h"
#include "draw/view/view_table.h"
#include "explorer/state/shown.h"
#include "explorer/state/state_diff.h"
#include "explorer/state/state_views.h"
#include "stage.h"
#include "test.h"
#include "work/diff/contest.h"

static void
open_contest(struct state *s, struct contest *c)
{
	state_init(s);
	stage_machine(&s->data.machine);
	state_set_motion(s, false);
	s->column = view_column;
	state_set_contest(s, c);
	state_show_view(s, VIEW_DIFF);
}

static void
a_difference(void)
{
	struct state s;

	open_contest(&s, stage_contest(120, true, 0));
	CHECK_INT(s.data.contest->of.measured.report.found[0].answer, DIFF_MORE);
	stage_every_size(&s, "diff");
	stage_compare(&s, "diff", 200, 60, true);
	stage_show(&s, 120, 40);
	state_act(&s, ACTION_quantity);
	stage_compare(&s, "diff-quantity", 120, 40, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_spread_range);
	stage_compare(&s, "diff-processor", 120, 40, false);
	state_free(&s);
}

static void
few_runs_drift_and_records(void)
{
	struct state s;

	open_contest(&s, stage_contest(8, true, 0));
	stage_compare(&s, "diff-few", 120, 40, false);
	state_free(&s);
	open_contest(&s, stage_contest(600, true, 0.3));
	CHECK(!isnan(s.data.contest->of.measured.report.drift));
	stage_compare(&s, "diff-drift", 80, 24, false);
	state_act(&s, ACTION_quantity);
	stage_compare(&s, "diff-drift-quantity", 80, 24, false);
	state_free(&s);
	open_contest(&s, stage_contest(40, false, 0));
	CHECK(s.data.contest->recorded);
	stage_compare(&s, "diff-recorded", 120, 40, false);
	state_free(&s);
}

/* Nothing to compare: the screen names the key and the command that help, at every size. */
static void
nothing_there(void)
{
	struct state s;

	open_contest(&s, NULL);
	stage_every_size(&s, "diff-none");
	state_act(&s, ACTION_measure);
	CHECK(strstr(s.view.message.text, "hecate diff -i"));
	state_free(&s);
}

/* The names as listed, with a blank after each; the caller frees. */
static char *
listed(const struct state *s)
{
	struct str out = {0};
	size_t n;
	const size_t *order = state_quantities(s, &n);

	for (size_t i = 0; i < n; i++)
		str_addf(&out, "%s|", s->data.contest->of.measured.table.quantity[order[i]].name);
	return str_take(&out);
}

static void
check_listed(const struct state *s, const char *want)
{
	char *got = listed(s);

	CHECK_STR(got, want);
	free(got);
}

/* What was never counted is left out; orders and filters are undone, and the cursor stays on its quantity. */
static void
orders_and_filters(void)
{
	static const char as_measured[] = "wall time|processor time|page-faults|context-switches|task:wait_ns|";
	struct state s;

	open_contest(&s, stage_contest(120, true, 0));
	stage_show(&s, 120, 40);
	check_listed(&s, as_measured);
	state_act(&s, ACTION_down);
	CHECK_INT(state_quantity(&s), 1);
	state_act(&s, ACTION_sort);
	check_listed(&s, "context-switches|page-faults|processor time|task:wait_ns|wall time|");
	stage_show(&s, 120, 40);
	CHECK_INT(state_quantity(&s), 1);
	state_act(&s, ACTION_undo);
	check_listed(&s, as_measured);
	CHECK(strstr(s.view.message.text, "Difference"));
	state_sort_by(&s, DIFF_BY_ANSWER);
	check_listed(&s, "wall time|processor time|context-switches|task:wait_ns|page-faults|");
	state_set_filter(&s, "time");
	check_listed(&s, "wall time|processor time|");
	state_set_filter(&s, "nothing has this");
	CHECK(state_quantity(&s) == SIZE_MAX);
	for (int w = 20; w <= 220; w += 50)
		stage_show(&s, w, 5 + w / 5);
	state_set_filter(&s, "");
	state_free(&s);
}

/* Runs that are in no file ask before they go; those that are do not. */
static void
write_nothing(const struct contest *c, struct str *out)
{
	str_addf(out, "%zu", c->judged);
}

static void
leaving_asks(void)
{
	struct state s;

	open_contest(&s, stage_contest(40, true, 0));
	stage_show(&s, 120, 40);
	state_act(&s, ACTION_quit);
	CHECK(requests_find(&s.requests, REQUEST_QUIT) != NULL);
	requests_clear(&s.requests);
	s.data.contest->write = write_nothing;
	s.data.contest->unsaved = true;
	CHECK_INT(state_unsaved_runs(&s), 40);
	state_act(&s, ACTION_quit);
	CHECK(requests_find(&s.requests, REQUEST_QUIT) == NULL);
	CHECK_INT(s.view.popup.kind, POPUP_LEAVE);
	CHECK(s.view.leaving.file && str_ends(s.view.leaving.file, ".json"));
	free(s.view.leaving.file);
	s.view.leaving.file = mem_str("hecate-20261129-180000.json");
	stage_compare(&s, "diff-leave", 80, 24, false);
	state_free(&s);
}

TEST_MAIN(CASE(a_difference), CASE(few_runs_drift_and_records), CASE(nothing_there), CASE(orders_and_filters),
	CASE(leaving_asks))
