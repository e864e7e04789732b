/* Views and their panes, from the table panes.def. */
#ifndef EXPLORER_STATE_PANE_IDS_H
#define EXPLORER_STATE_PANE_IDS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum view {
	VIEW_START,
#define VIEW(id, name, key, tab, brief, about, help) VIEW_##id,
#define VIEW_END(id)
#define PANE(id, name, ops, draw)
#include "explorer/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE
	VIEW_COUNT
};

/* The panes of a view are numbered consecutively, from FIRST_PANE_… up to, but without, END_PANE_…. */
enum pane_id {
#define VIEW(id, name, key, tab, brief, about, help) FIRST_PANE_##id, BEFORE_FIRST_PANE_##id = FIRST_PANE_##id - 1,
#define VIEW_END(id) END_PANE_##id, BEFORE_END_PANE_##id = END_PANE_##id - 1,
#define PANE(id, name, ops, draw) PANE_##id,
#include "explorer/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE
	PANE_COUNT
};

/* Sets of panes, a bit each. */
#define PANE_BIT(pane) (UINT64_C(1) << (pane))
static_assert(PANE_COUNT <= 60, "a pane is a bit of 64, and explorer/state/action.h has further ones");

/* The subject of a view: a model and its observations; snapshots, which a network or stacks explain; events; probes;
 * or two ways A and B. The last three need neither model nor snapshots. */
enum view_about { VIEW_ABOUT_MODEL, VIEW_ABOUT_SNAPSHOTS, VIEW_ABOUT_DATA, VIEW_ABOUT_EVENTS, VIEW_ABOUT_PROBES,
	VIEW_ABOUT_DIFF };

struct view_row {
	const char *name;       /* as session files have it */
	const char *key;
	const char *tab, *brief; /* the tab's text on wide and narrow screens */
	enum view_about about;
	enum pane_id first, end; /* its panes: first … end - 1 */
};

/* VIEW_START has only a name. */
const struct view_row *view_row(enum view);
const char *pane_name(enum pane_id);
bool view_needs_nothing(enum view); /* it shows something even if nothing is open */

enum start_pane { START_MENU, START_MODELS, START_MEASURE, START_PANES };

/* The start screen's lines. */
enum start_item {
	START_DEMO, START_RECORDED, START_PATHS, START_TASKS, START_SIMULATED, START_CYCLES, START_PROBES,
	START_HASWELL, START_TRUST, START_LESSONS, START_OPEN, START_DOCTOR,
	START_ITEMS
};

#endif
