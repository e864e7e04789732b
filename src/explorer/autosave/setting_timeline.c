/* Settings of views 5 to 7: modules, kinds, owners and snapshots by their names. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/network/state.h"
#include "core/stack/stack.h"
#include "explorer/autosave/autosave.h"
#include "explorer/autosave/setting.h"
#include "explorer/state/state.h"
#include "explorer/state/state_flows.h"
#include "explorer/state/state_stalls.h"
#include "explorer/state/state_timeline.h"
#include "work/timeline/flow_name.h"
#include "work/timeline/methods.h"
#include "work/timeline/timeline.h"
#include "work/timeline/timeline_names.h"

/* --- snapshots --------------------------------------------------------------------------------------------------- */

static char *
snapshot_text(const struct state *s, size_t snapshot)
{
	struct str text = {0};

	if (snapshot >= timeline_snapshots(s->data.timeline))
		return NULL;
	timeline_snapshot_key(s->data.timeline, snapshot, &text);
	return str_take(&text);
}

/* Returns the snapshot that the text names; TIMELINE_NONE: the file names none, or it no longer exists. */
static size_t
snapshot_of(const struct state *s, const char *text, struct str *lost)
{
	size_t snapshot = text ? timeline_snapshot_of(s->data.timeline, text) : TIMELINE_NONE;
	struct str words = {0};

	if (text && snapshot == TIMELINE_NONE) {
		timeline_snapshot_words(text, &words);
		setting_lost(lost, str_text(&words), "");
	}
	str_free(&words);
	return snapshot;
}

static char *
write_snapshot(const struct state *s)
{
	return s->view.timeline.frozen ? snapshot_text(s, s->view.timeline.snapshot) : NULL;
}

/* Restores the snapshot at which the view was frozen. If it no longer exists, the view follows the newest. */
static void
read_snapshot(struct state *s, const char *text, const struct setting_file *in)
{
	struct timeline_view *v = &s->view.timeline;
	size_t n = timeline_snapshots(s->data.timeline),
		snapshot = v->frozen ? snapshot_of(s, text, in->lost) : TIMELINE_NONE;

	v->frozen &= snapshot != TIMELINE_NONE || !text;
	if (n)
		v->snapshot = snapshot < n ? snapshot : n - 1;
}

/* A view that follows a live run shows all of it once the run is over, as it is when the file is opened again. */
static char *
write_whole(const struct state *s)
{
	const struct timeline_view *v = &s->view.timeline;

	return mem_str(v->whole || (state_running(s) && !v->frozen && v->compared == TIMELINE_NONE) ? "1" : "0");
}

static void
read_whole(struct state *s, const char *text, const struct setting_file *in)
{
	(void)in;
	s->view.timeline.whole = str_eq(text, "1");
}

static char *
write_compared(const struct state *s)
{
	return snapshot_text(s, s->view.timeline.compared);
}

/* Analyses both snapshots, because the rows after this one need the results. */
static void
read_compared(struct state *s, const char *text, const struct setting_file *in)
{
	state_timeline_show_snapshots(s, s->view.timeline.snapshot, snapshot_of(s, text, in->lost));
}

/* --- modules, their owners, kinds -------------------------------------------------------------------------------- */

/* Returns the names of a module, one of its owners, and a kind of request as a list. */
static char *
place_text(const struct state *s, size_t module, size_t owner, size_t kind)
{
	const struct network *n = timeline_network(s->data.timeline);
	const char *item[] = {n->module[module].name, timeline_owner(s->data.timeline, n->module[module].per, owner),
		n->kind[kind].name, NULL};

	return setting_list(item);
}

static size_t
module_of(const struct network *n, const char *name, struct str *lost)
{
	for (size_t i = 0; i < n->n_modules; i++)
		if (str_eq(n->module[i].name, name))
			return i;
	setting_lost(lost, "module", name);
	return SIZE_MAX;
}

static size_t
setting_timeline_kind_of(const struct network *n, const char *name, struct str *lost)
{
	for (size_t i = 0; i < n->n_kinds; i++)
		if (str_eq(n->kind[i].name, name))
			return i;
	setting_lost(lost, "kind", name);
	return SIZE_MAX;
}

/* Finds an owner by name. Before the first data, owners have no names. */
static size_t
setting_timeline_owner_of(const struct state *state, size_t module, const char *name, struct str *lost)
{
	size_t n = state->answers.timeline.analysis ? net_state_owners(state->answers.timeline.analysis->state, module)
						    : 0;
	enum scope per = timeline_network(state->data.timeline)->module[module].per;

	for (size_t i = 0; i < n; i++)
		if (str_eq(timeline_owner(state->data.timeline, per, i), name))
			return i;
	if (!*name)
		return 0;
	setting_lost(lost, scope_name(per), name);
	return SIZE_MAX;
}

/* Reads module, owner and kind. False unless all three exist. */
static bool
setting_timeline_place_of(const struct state *state, const char *text, size_t at[3], struct str *lost)
{
	char **name = setting_items(text);
	bool good = name && name[0] && name[1] && name[2];

	if (good) {
		const struct network *network = timeline_network(state->data.timeline);

		at[0] = module_of(network, name[0], lost);
		at[1] = at[0] == SIZE_MAX ? SIZE_MAX : setting_timeline_owner_of(state, at[0], name[1], lost);
		at[2] = setting_timeline_kind_of(network, name[2], lost);
		good = at[0] != SIZE_MAX && at[1] != SIZE_MAX && at[2] != SIZE_MAX;
	}
	str_split_free(name);
	return good;
}

static char *
setting_timeline_write_flow(const struct state *s)
{
	return s->view.timeline.flow ? flow_name_text(s->view.timeline.flow) : NULL;
}

static void
read_flow(struct state *s, const char *text, const struct setting_file *in)
{
	if (!state_flows_choose_name(s, text))
		setting_lost(in->lost, "flow", text);
}

static char *
write_unfolded(const struct state *state)
{
	const struct network *network = timeline_network(state->data.timeline);
	const char **name = mem_new_array(network->n_modules + 1, sizeof *name);
	size_t some = 0;
	char *text;

	for (size_t i = 0; i < network->n_modules; i++)
		if (state->view.timeline.unfolded[i])
			name[some++] = network->module[i].name;
	text = setting_list(name);
	free(name);
	return text;
}

static void
read_unfolded(struct state *state, const char *text, const struct setting_file *in)
{
	const struct network *network = timeline_network(state->data.timeline);
	char **name = setting_items(text);

	for (size_t i = 0; name && name[i]; i++) {
		size_t module = module_of(network, name[i], in->lost);

		if (module != SIZE_MAX)
			state->view.timeline.unfolded[module] = true;
	}
	str_split_free(name);
}

static char *
write_node(const struct state *s)
{
	const struct timeline_view *v = &s->view.timeline;

	return v->chose_node ? place_text(s, v->module, v->owner, v->kind) : NULL;
}

static void
read_node(struct state *s, const char *text, const struct setting_file *in)
{
	size_t at[3];

	if (setting_timeline_place_of(s, text, at, in->lost))
		state_timeline_choose_node(s, at[0], at[1], at[2]);
}

/* Returns the place of the chosen queue. The history numbers cells by owner, then kind. */
static char *
write_queue(const struct state *s)
{
	const struct timeline_history *h = s->answers.timeline.history;
	size_t cell = s->view.timeline.queue_cell, module = 0;

	if (!s->view.timeline.chose_queue || !h || cell >= h->n_cells)
		return NULL;
	while (cell / h->n_kinds >= h->module_first[module + 1])
		module++;
	return place_text(s, module, cell / h->n_kinds - h->module_first[module], cell % h->n_kinds);
}

static void
read_queue(struct state *s, const char *text, const struct setting_file *in)
{
	size_t at[3];

	if (setting_timeline_place_of(s, text, at, in->lost))
		state_timeline_choose_queue(s, at[0], at[1], at[2]);
}

/* --- components of bars ------------------------------------------------------------------------------------------ */

/* Returns the name of the i-th module of the network, or part of the stack: a row of PANE_COMPONENTS. */
static const char *
component_name(const struct state *s, size_t i)
{
	if (state_shows_parts(s) && state_compares_methods(s))
		return timeline_methods(s->data.timeline)->part[i].name;
	return state_shows_parts(s) ? timeline_stack(s->data.timeline)->part[i].name
		: timeline_network(s->data.timeline)->module[i].name;
}

static size_t *
components(const struct state *s, size_t *n)
{
	if (state_shows_parts(s) && state_compares_methods(s))
		return state_method_parts(s, n);
	return state_shows_parts(s) ? state_parts(s, n) : state_components(s, n);
}

static char *
setting_timeline_write_component(const struct state *s)
{
	size_t n, *order = components(s, &n), at = (size_t)s->view.cursor[PANE_COMPONENTS];
	char *text = at && at < n ? mem_str(component_name(s, order[at])) : NULL;

	free(order);
	return text;
}

static void
read_component(struct state *state, const char *text, const struct setting_file *in)
{
	size_t n, *order = components(state, &n);
	bool found = false;

	for (size_t i = 0; i < n && !found; i++)
		if (str_eq(component_name(state, order[i]), text)) {
			state->view.cursor[PANE_COMPONENTS] = (int)i;
			found = true;
		}
	if (!found)
		setting_lost(in->lost, "component", text);
	free(order);
}

static const char *
bar_sort_word(int i)
{
	return bar_sort_name((enum bar_sort)i);
}

static const char *
queue_sort_word(int i)
{
	return queue_sort_name((enum queue_sort)i);
}

static_assert(sizeof(enum bar_sort) == sizeof(int) && sizeof(enum queue_sort) == sizeof(int), "see SETTING_WORD");

/* Settings of the open network. */
enum { THIS_NETWORK = WHEN_NETWORK | WHEN_SAME_NETWORK };

const struct setting settings_of_timeline[] = {
	{"whole", WHEN_SNAPSHOTS, .given = AUTOSAVE_COMMAND, .write = write_whole, .read = read_whole},
	{"sleepers", WHEN_SNAPSHOTS, .kind = SETTING_FLAG, .at = SETTING_AT(view.timeline.sleepers)},
	{"zeros", WHEN_SNAPSHOTS, .kind = SETTING_FLAG, .at = SETTING_AT(view.timeline.zeros)},
	{"grouped", WHEN_SNAPSHOTS, .kind = SETTING_FLAG, .at = SETTING_AT(view.timeline.grouped)},
	{"rates", WHEN_NETWORK, .kind = SETTING_FLAG, .at = SETTING_AT(view.timeline.rates)},
	{"normalised", WHEN_SAME_NETWORK, .kind = SETTING_FLAG, .at = SETTING_AT(view.timeline.normalised)},
	{"hides_truth", WHEN_SNAPSHOTS, .kind = SETTING_FLAG, .at = SETTING_AT(view.timeline.hides_truth)},
	{"sort_bars", WHEN_SNAPSHOTS, .kind = SETTING_WORD, .at = SETTING_AT(view.timeline.bar_sort),
		.words = bar_sort_word, .n_words = BAR_SORTS},
	{"filter_bars", WHEN_SNAPSHOTS, .kind = SETTING_TEXT, .at = SETTING_AT(view.filter[VIEW_STALLS]),
		.resets = true},
	{"sort_queues", WHEN_NETWORK, .kind = SETTING_WORD, .at = SETTING_AT(view.timeline.queue_sort),
		.words = queue_sort_word, .n_words = QUEUE_SORTS},
	{"filter_queues", WHEN_NETWORK, .kind = SETTING_TEXT, .at = SETTING_AT(view.filter[VIEW_QUEUES]),
		.resets = true},
	/* With a command, the view follows its snapshots. */
	{"frozen", WHEN_SNAPSHOTS, .place = true, .given = AUTOSAVE_COMMAND, .kind = SETTING_FLAG,
		.at = SETTING_AT(view.timeline.frozen)},
	{"snapshot", WHEN_SNAPSHOTS, .place = true, .resets = true, .write = write_snapshot, .read = read_snapshot},
	{"compared", WHEN_SNAPSHOTS, .resets = true, .write = write_compared, .read = read_compared},
	{"flow", THIS_NETWORK, .place = true, .write = setting_timeline_write_flow, .read = read_flow},
	{"turned", THIS_NETWORK, .kind = SETTING_FLAG, .at = SETTING_AT(view.timeline.turned)},
	{"unfolded", THIS_NETWORK, .write = write_unfolded, .read = read_unfolded},
	{"node", THIS_NETWORK, .place = true, .write = write_node, .read = read_node},
	{"queue", THIS_NETWORK, .place = true, .write = write_queue, .read = read_queue},
	{"component", WHEN_SAME_NETWORK | WHEN_SAME_STACK, .place = true, .write = setting_timeline_write_component,
		.read = read_component},
	{0},
};
