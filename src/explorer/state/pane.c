#include "explorer/state/pane.h"

static const struct pane_ops *const ops_of[] = {
#define VIEW(id, name, key, tab, brief, about, help)
#define VIEW_END(id)
#define PANE(id, name, ops, draw) [PANE_##id] = &state_pane_##ops,
#include "explorer/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE
};
static_assert(sizeof ops_of / sizeof *ops_of == PANE_COUNT, "operations for each pane");

const struct pane_ops *
pane_ops(enum pane_id p)
{
	return ops_of[p];
}
