/* View 8 on cells: series, windows, what changed; windows compared with a chosen one; data that show nothing, or that
 * grow. */
#include <math.h>
#include <string.h>

#include "core/obs/obs.h"
#include "draw/view/view.h"
#include "explorer/state/state_phases.h"
#include "stage.h"
#include "test.h"
#include "work/phases/phases.h"

static const char *const two_csv[] = {"screens/expect/two.csv", NULL};

static void
phases(void)
{
	struct state s;
	const struct phases *p;

	stage_open_timeline(&s, "networks/two.net", NULL, two_csv);
	state_act(&s, ACTION_phases);
	p = state_phases(&s);
	CHECK(p && p->windows->n == 3 && p->windows->n_phases == 2);
	CHECK_INT(p->windows->window[1].first, 150);
	CHECK_INT(p->windows->window[2].first, 260);
	CHECK_INT(s.view.cursor[PANE_PHASE_WINDOWS], phases_largest_change(p));
	stage_every_size(&s, "phases");
	stage_compare(&s, "phases", 120, 40, true);
	state_act(&s, ACTION_help);
	stage_compare(&s, "phases-help", 120, 40, false);
	state_act(&s, ACTION_back);

	/* c compares the other windows with this one. */
	stage_show(&s, 120, 40);
	state_act(&s, ACTION_pane_next);
	CHECK_INT(state_pane(&s), PANE_PHASE_WINDOWS);
	state_act(&s, ACTION_first);
	CHECK_INT(state_phases_window(&s), 0);
	state_act(&s, ACTION_phase_hold);
	state_act(&s, ACTION_last);
	CHECK_INT(state_phases_window(&s), 2);
	CHECK_INT(state_phases_against(&s), 0);
	stage_compare(&s, "phases-compared", 120, 40, false);
	state_act(&s, ACTION_first);
	state_act(&s, ACTION_phase_hold);
	state_act(&s, ACTION_last);
	CHECK_INT(state_phases_against(&s), 1);
	state_act(&s, ACTION_phase_run);
	CHECK(strstr(s.view.message.text, "there is no other run here") != NULL);
	stage_close(&s);
}

static void
nothing(void)
{
	struct state s;

	stage_open_timeline(&s, "networks/two.net", NULL, NULL);
	state_act(&s, ACTION_phases);
	CHECK(!state_phases(&s));
	stage_compare(&s, "phases-no-data", 80, 24, false);
	state_act(&s, ACTION_phase_hold);
	stage_close(&s);
}

/* Rows that come are taken a second later, and the cursor stays where the user put it. */
static void
growing_data(void)
{
	struct state s;
	struct obs *o;
	int64_t count[4] = {1000000, 40000, 1000000, 120000};

	stage_open_timeline(&s, "networks/two.net", NULL, two_csv);
	state_act(&s, ACTION_phases);
	stage_show(&s, 120, 40);
	state_act(&s, ACTION_pane_next);
	state_act(&s, ACTION_first);
	o = s.data.table[0]->obs[0];
	for (size_t m = 0; m < 60; m++)
		obs_add_row(o, count, NULL, 401 + (double)m);
	state_phases_show(&s);
	CHECK_INT(state_phases(&s)->windows->n, 3);
	s.view.frame.now += 2 * PHASES_VIEW_SECONDS;
	state_phases_show(&s);
	CHECK_INT(state_phases(&s)->set->rows, 460);
	CHECK_INT(state_phases(&s)->windows->n, 4);
	CHECK_INT(state_phases(&s)->windows->window[3].first, 400);
	CHECK_INT(state_phases_window(&s), 0);
	stage_close(&s);
}

TEST_MAIN(CASE(phases), CASE(nothing), CASE(growing_data))
