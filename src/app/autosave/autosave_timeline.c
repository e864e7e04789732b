/* What the explorer remembers of views 5 to 7, as keys and values: modules, kinds, owners and snapshots by their names.
 */
#include "app/autosave/autosave.h"

#include <stdlib.h>
#include <string.h>

#include "app/state/state.h"
#include "app/state/state_flows.h"
#include "app/state/state_stalls.h"
#include "app/state/state_timeline.h"
#include "app/timeline/flow_name.h"
#include "app/timeline/methods.h"
#include "app/timeline/timeline.h"
#include "app/timeline/timeline_names.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_sheet.h"
#include "core/network/network.h"
#include "core/network/state.h"
#include "core/stack/stack.h"

static void
put_switch(struct sheet *out, const char *key, bool on)
{
	autosave_put(out, key, on ? "1" : "0");
}

static void
put_moment(const struct timeline *p, struct sheet *out, const char *key, size_t moment)
{
	struct str text = {0};

	if (moment < timeline_snapshots(p)) {
		timeline_snapshot_key(p, moment, &text);
		autosave_put(out, key, str_text(&text));
	}
	str_free(&text);
}

/* A module, one of its owners, and a kind. */
static void
put_place(const struct state *s, struct sheet *out, const char *key, size_t module, size_t owner, size_t kind)
{
	const struct network *n = timeline_network(s->data.timeline);
	const char *item[] = {n->module[module].name, timeline_owner(s->data.timeline, n->module[module].per, owner),
		n->kind[kind].name, NULL};

	autosave_put_list(out, key, (char **)(uintptr_t)item);
}

static void
put_flow(const struct state *s, struct sheet *out)
{
	char *name = s->view.timeline.flow ? flow_name_text(s->view.timeline.flow) : NULL;

	autosave_put(out, "flow", name);
	free(name);
}

static void
put_unfolded(const struct state *s, struct sheet *out)
{
	const struct network *n = timeline_network(s->data.timeline);
	const char **name = mem_new_array(n->n_modules + 1, sizeof *name);
	size_t some = 0;

	for (size_t i = 0; i < n->n_modules; i++)
		if (s->view.timeline.unfolded[i])
			name[some++] = n->module[i].name;
	autosave_put_list(out, "unfolded", (char **)(uintptr_t)name);
	free(name);
}

/* The owner and kind of a cell of the history. */
static void
put_queue(const struct state *s, struct sheet *out)
{
	const struct timeline_history *h = s->answers.timeline.history;
	size_t cell = s->view.timeline.queue_cell, module = 0;

	if (!s->view.timeline.chose_queue || !h || cell >= h->n_cells)
		return;
	while (cell / h->n_kinds >= h->module_first[module + 1])
		module++;
	put_place(s, out, "queue", module, cell / h->n_kinds - h->module_first[module], cell % h->n_kinds);
}

/* The row of PANE_COMPONENTS, which bars can be sorted by: a module or a part; `i` of the network's or the stack's. */
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

static void
put_component(const struct state *s, struct sheet *out)
{
	size_t n, *order = components(s, &n), at = (size_t)s->view.cursor[PANE_COMPONENTS];

	if (at && at < n)
		autosave_put(out, "component", component_name(s, order[at]));
	free(order);
}

void
autosave_timeline_of(const struct state *s, struct sheet *out)
{
	const struct timeline_view *v = &s->view.timeline;
	const struct network *net = timeline_network(s->data.timeline);
	const struct stack *stack = timeline_stack(s->data.timeline);

	if (net)
		autosave_put(out, "network", net->name);
	if (stack)
		autosave_put(out, "stack", stack->name);
	put_switch(out, "frozen", v->frozen);
	if (v->frozen)
		put_moment(s->data.timeline, out, "snapshot", v->snapshot);
	put_moment(s->data.timeline, out, "compared", v->compared);
	if (net) {
		put_switch(out, "turned", v->turned);
		put_unfolded(s, out);
		if (v->chose_node)
			put_place(s, out, "node", v->module, v->owner, v->kind);
		put_flow(s, out);
		put_queue(s, out);
		autosave_put(out, "sort_queues", queue_sort_name(v->queue_sort));
		autosave_put(out, "filter_queues", s->view.filter[VIEW_QUEUES]);
	}
	put_switch(out, "whole", v->whole);
	put_switch(out, "normalised", v->normalised);
	put_switch(out, "grouped", v->grouped);
	put_component(s, out);
	autosave_put(out, "sort_bars", bar_sort_name(v->bar_sort));
	autosave_put(out, "filter_bars", s->view.filter[VIEW_STALLS]);
}

/* --- the other way ----------------------------------------------------------------------------------------------- */

static void
take_switch(const struct sheet *in, const char *key, bool *on)
{
	const char *v = autosave_value(in, key);

	if (v)
		*on = str_eq(v, "1");
}

/* TIMELINE_WHOLE: none, or it has gone. */
static size_t
take_moment(const struct state *s, const struct sheet *in, const char *key, struct str *lost)
{
	const char *v = autosave_value(in, key);
	size_t moment = v ? timeline_snapshot_of(s->data.timeline, v) : TIMELINE_WHOLE;
	struct str words = {0};

	if (v && moment == TIMELINE_WHOLE) {
		timeline_snapshot_words(v, &words);
		autosave_lost(lost, str_text(&words), "");
	}
	str_free(&words);
	return moment;
}

static size_t
module_of(const struct network *n, const char *name, struct str *lost)
{
	for (size_t i = 0; i < n->n_modules; i++)
		if (str_eq(n->module[i].name, name))
			return i;
	autosave_lost(lost, "module", name);
	return SIZE_MAX;
}

static size_t
kind_of(const struct network *n, const char *name, struct str *lost)
{
	for (size_t i = 0; i < n->n_kinds; i++)
		if (str_eq(n->kind[i].name, name))
			return i;
	autosave_lost(lost, "kind", name);
	return SIZE_MAX;
}

/* Before there are data nobody has a name. */
static size_t
owner_of(const struct state *s, size_t module, const char *name, struct str *lost)
{
	size_t n = s->answers.timeline.look ? net_state_owners(s->answers.timeline.look->state, module) : 0;
	enum scope per = timeline_network(s->data.timeline)->module[module].per;

	for (size_t i = 0; i < n; i++)
		if (str_eq(timeline_owner(s->data.timeline, per, i), name))
			return i;
	if (!*name)
		return 0;
	autosave_lost(lost, scope_name(per), name);
	return SIZE_MAX;
}

/* All three of them, or nothing. */
static bool
take_place(const struct state *s, const struct sheet *in, const char *key, size_t at[3], struct str *lost)
{
	char **name = autosave_list(autosave_value(in, key));
	bool good = name && name[0] && name[1] && name[2];

	if (good) {
		const struct network *n = timeline_network(s->data.timeline);

		at[0] = module_of(n, name[0], lost);
		at[1] = at[0] == SIZE_MAX ? SIZE_MAX : owner_of(s, at[0], name[1], lost);
		at[2] = kind_of(n, name[2], lost);
		good = at[0] != SIZE_MAX && at[1] != SIZE_MAX && at[2] != SIZE_MAX;
	}
	str_split_free(name);
	return good;
}

static void
take_unfolded(struct state *s, const struct sheet *in, struct str *lost)
{
	const struct network *n = timeline_network(s->data.timeline);
	char **name = autosave_list(autosave_value(in, "unfolded"));

	for (size_t i = 0; name && name[i]; i++) {
		size_t module = module_of(n, name[i], lost);

		if (module != SIZE_MAX)
			s->view.timeline.unfolded[module] = true;
	}
	str_split_free(name);
}

static void
take_lists(struct state *s, const struct sheet *in)
{
	static const struct {
		enum view view;
		const char *key;
	} filter[] = {{VIEW_STALLS, "filter_bars"}, {VIEW_QUEUES, "filter_queues"}};
	const char *v;

	if ((v = autosave_value(in, "sort_bars")))
		for (int i = 0; i < BAR_SORTS; i++)
			if (str_eq(bar_sort_name((enum bar_sort)i), v))
				s->view.timeline.bar_sort = (enum bar_sort)i;
	if ((v = autosave_value(in, "sort_queues")))
		for (int i = 0; i < QUEUE_SORTS; i++)
			if (str_eq(queue_sort_name((enum queue_sort)i), v))
				s->view.timeline.queue_sort = (enum queue_sort)i;
	for (size_t i = 0; i < sizeof filter / sizeof *filter; i++) {
		v = autosave_value(in, filter[i].key);
		free(s->view.filter[filter[i].view]);
		s->view.filter[filter[i].view] = v && *v ? mem_str(v) : NULL;
	}
}

static void
take_component(struct state *s, const struct sheet *in, struct str *lost)
{
	const char *v = autosave_value(in, "component");
	size_t n, *order;
	bool found = false;

	if (!v)
		return;
	order = components(s, &n);
	for (size_t i = 0; i < n && !found; i++)
		if (str_eq(component_name(s, order[i]), v)) {
			s->view.cursor[PANE_COMPONENTS] = (int)i;
			found = true;
		}
	if (!found)
		autosave_lost(lost, "component", v);
	free(order);
}

/* What belongs to another network or stack is none of this one's. */
static bool
is_same(const char *was, const char *is, const char *kind, struct str *lost)
{
	bool same = !was ? !is : is && str_eq(was, is);

	if (was && !same)
		autosave_lost(lost, kind, was);
	return same;
}

static void
take_network(struct state *s, const struct sheet *in, struct str *lost)
{
	const char *flow = autosave_value(in, "flow");
	size_t at[3];

	if (flow && !state_flows_choose_name(s, flow))
		autosave_lost(lost, "flow", flow);
	take_switch(in, "turned", &s->view.timeline.turned);
	take_unfolded(s, in, lost);
	if (take_place(s, in, "node", at, lost))
		state_timeline_choose_node(s, at[0], at[1], at[2]);
	if (take_place(s, in, "queue", at, lost))
		state_timeline_choose_queue(s, at[0], at[1], at[2]);
}

/* The one that was in the foreground, where it is open again. */
static const struct stack *
chosen_method(struct state *s, const struct sheet *in)
{
	const char *name = autosave_value(in, "stack");
	size_t n;
	struct stack *const *stack = timeline_stacks(s->data.timeline, &n);

	for (size_t i = 0; name && i < n; i++)
		if (str_eq(stack[i]->name, name))
			state_timeline_choose_method(s, i);
	return timeline_stack(s->data.timeline);
}

void
autosave_timeline_take(struct state *s, const struct sheet *in, unsigned given, struct str *lost)
{
	struct timeline_view *v = &s->view.timeline;
	const struct network *net = timeline_network(s->data.timeline);
	const struct stack *stack = chosen_method(s, in);
	bool network = is_same(autosave_value(in, "network"), net ? net->name : NULL, "what belongs to network", lost);
	bool parts = is_same(autosave_value(in, "stack"), stack ? stack->name : NULL, "what belongs to stack", lost);
	const char *model = autosave_value(in, "model");
	size_t moment, compared;

	if (model)
		autosave_lost(lost, "what belongs to model", model);
	take_switch(in, "whole", &v->whole);
	take_switch(in, "grouped", &v->grouped);
	if (network)
		take_switch(in, "normalised", &v->normalised);
	if (!(given & AUTOSAVE_COMMAND)) /* who begins to watch wants to see what comes */
		take_switch(in, "frozen", &v->frozen);
	moment = v->frozen ? take_moment(s, in, "snapshot", lost) : TIMELINE_WHOLE;
	compared = take_moment(s, in, "compared", lost);
	v->frozen &= moment != TIMELINE_WHOLE || !autosave_value(in, "snapshot");
	take_lists(s, in);
	state_timeline_look(s, moment, compared);
	if (network && net)
		take_network(s, in, lost);
	if (network && parts)
		take_component(s, in, lost);
}
