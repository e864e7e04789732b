/* Views 5 to 8 on cells with a simulated server: its cores, slices and channels, and a program that comes and goes. */
#include <math.h>

#include "draw/view/view.h"
#include "explorer/state/state_phases.h"
#include "explorer/state/state_timeline.h"
#include "stage.h"
#include "test.h"
#include "work/phases/phases.h"
#include "work/timeline/column_owners.h"
#include "work/timeline/network_data.h"
#include "work/timeline/timeline.h"

/* A mix in both memories; from row 10 to 20 six cores load CXL memory. */
static const char *const server[] = {"sim:spr-cxl:mix,cores=2,memory=tiers,footprint=64M+"
				     "gups,first=2,cores=6,memory=cxl,footprint=64M,gap=1,from=600us,to=1000us:"
				     "samples=30,sample=40us,owners",
	NULL};

static void
draw_sizes(const struct state *s, const char *name)
{
	stage_compare(s, name, 80, 24, true);
	stage_compare(s, name, 120, 40, false);
	stage_compare(s, name, 200, 60, false);
}

static void
a_server_in_all_views(void)
{
	static const struct {
		enum action action;
		const char *name;
	} view[] = {{ACTION_paths, "server-paths"}, {ACTION_stalls, "server-stalls"}, {ACTION_queues, "server-queues"},
		{ACTION_phases, "server-phases"}};
	struct state s;
	const struct phases *p;
	bool begins = false, ends = false;

	stage_open_timeline(&s, "spr-cxl", NULL, server);
	for (size_t i = 0; i < sizeof view / sizeof *view; i++) {
		state_act(&s, view[i].action);
		state_phases_show(&s);
		if (view[i].action != ACTION_phases)
			stage_press(&s, ACTION_snapshot_back, 12); /* both programs run */
		draw_sizes(&s, view[i].name);
		if (view[i].action != ACTION_phases)
			stage_press(&s, ACTION_snapshot_next, 12);
	}
	p = state_phases(&s);
	for (size_t i = 1; p && i < p->windows->n; i++) {
		begins |= p->windows->window[i].first == 10;
		ends |= p->windows->window[i].first == 20;
	}
	CHECK(begins && ends);
	CHECK(p && isinf(p->windows->window[1].ratio)); /* from exactly none: rounding is no level */
	stage_close(&s);
}

TEST_MAIN(CASE(a_server_in_all_views))
