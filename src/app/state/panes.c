#include "app/state/panes.h"

static const struct view_row views[] = {
	[VIEW_START] = {.name = "start"},
#define VIEW(id, name, key, tab, brief, about, help)                                                                   \
	[VIEW_##id] = {#name, key, tab, brief, VIEW_ABOUT_##about, FIRST_PANE_##id, END_PANE_##id},
#define VIEW_END(id)
#define PANE(id, name, ops, draw)
#include "app/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE
};
static_assert(sizeof views / sizeof *views == VIEW_COUNT, "a row for each view");

static const char *const names[] = {
#define VIEW(id, name, key, tab, brief, about, help)
#define VIEW_END(id)
#define PANE(id, name, ops, draw) [PANE_##id] = name,
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
