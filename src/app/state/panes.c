#include "app/state/panes.h"

static const struct view_row views[] = {
	[VIEW_START] = {.name = "start"},
#define VIEW(id, name, key, tab, brief) [VIEW_##id] = {name, key, tab, brief, FIRST_PANE_##id, END_PANE_##id},
#define VIEW_END(id)
#define PANE(id, name, ops)
#include "app/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE
};
static_assert(sizeof views / sizeof *views == VIEW_COUNT, "a row for each view");

static const char *const names[] = {
#define VIEW(id, name, key, tab, brief)
#define VIEW_END(id)
#define PANE(id, name, ops) [PANE_##id] = name,
#include "app/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE
};
static_assert(sizeof names / sizeof *names == PANE_COUNT, "a name for each pane");

const struct view_row *
view_row(enum view v)
{
	return &views[v];
}

const char *
pane_name(enum pane_id p)
{
	return names[p];
}
