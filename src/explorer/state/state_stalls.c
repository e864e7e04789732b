#include "explorer/state/state_stalls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/network/stall_rows.h"
#include "core/stack/account.h"
#include "core/stack/errors.h"
#include "core/stack/stack.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_nodes.h"
#include "work/timeline/methods.h"
#include "work/timeline/run_answer.h"
#include "work/timeline/timeline.h"

bool
state_shows_stalls(const struct state *s)
{
	return s->data.timeline && timeline_network(s->data.timeline) &&
		(!timeline_stack(s->data.timeline) || (s->answers.timeline.rows && s->answers.timeline.rows->own > 0));
}

bool
state_shows_methods(const struct state *s)
{
	return state_shows_stalls(s) && timeline_stack(s->data.timeline);
}

bool
state_shows_parts(const struct state *s)
{
	return !state_shows_stalls(s) || (state_shows_methods(s) && s->view.focus == PANE_METHODS);
}

/* A sort key and the row that it belongs to. Equal keys keep their order. */
struct ordered {
	double value, second; /* decides between equal values */
	const char *name;     /* NULL: by value */
	size_t at;
};

static int
state_stalls_compare(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;
	int order = x->name && y->name ? strcmp(x->name, y->name)
		: x->value > y->value ? -1
		: x->value < y->value ? 1 : 0;

	if (order == 0 && !x->name)
		order = (x->second < y->second) - (x->second > y->second);
	return order ? order : (x->at > y->at) - (x->at < y->at);
}

static size_t *
in_order(struct ordered *o, size_t n)
{
	size_t *out = mem_new_array(n, sizeof *out);

	if (n)
		qsort(o, n, sizeof *o, state_stalls_compare);
	for (size_t i = 0; i < n; i++)
		out[i] = o[i].at;
	free(o);
	return out;
}

static bool
is_shown(const struct stack *k, const struct timeline_bars *b, size_t part)
{
	bool some = !k->part[part].implied;

	for (size_t i = 0; b && i < b->n; i++)
		some |= fabs(b->bar[i].account->amount[part].value) > 0;
	return some;
}

size_t *
state_parts(const struct state *s, size_t *n)
{
	const struct stack *k = s->data.timeline ? timeline_stack(s->data.timeline) : NULL;
	size_t all = k ? k->n_parts : 0, *out = mem_new_array(all, sizeof *out);

	*n = 0;
	for (size_t i = 0; i < all; i++)
		if (is_shown(k, s->answers.timeline.bars, i))
			out[(*n)++] = i;
	return out;
}

size_t
state_zero_parts(const struct state *state)
{
	const struct stack *stack = state->data.timeline ? timeline_stack(state->data.timeline) : NULL;
	const bool *counted = state->answers.timeline.counted;
	size_t n, zeros = 0, *part;

	if (!stack || stack->tree.family || state_compares_methods(state) || !counted)
		return 0;
	part = state_parts(state, &n);
	for (size_t i = 0; i < n; i++)
		zeros += !counted[part[i]];
	free(part);
	return zeros >= ZEROS_LEAST && zeros < n ? zeros : 0;
}

static size_t
drop_zeros(const struct state *state, size_t *part, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (state->answers.timeline.counted[part[i]])
			part[kept++] = part[i];
	return kept;
}

void
state_fold_zeros(struct state *state)
{
	state->view.timeline.zeros = !state->view.timeline.zeros;
	state_say(state, false, state->view.timeline.zeros
		? "parts that are 0 in the whole run are listed" : "parts that are 0 in the whole run are folded");
}

size_t *
state_part_rows(const struct state *state, size_t *n)
{
	const struct stack *stack = state->data.timeline ? timeline_stack(state->data.timeline) : NULL;
	size_t *part = state_parts(state, n), shown = 0;

	if (!stack || state_compares_methods(state))
		return part;
	if (!stack->tree.family) {
		if (state_zero_parts(state) && !state->view.timeline.zeros)
			*n = drop_zeros(state, part, *n);
		return part;
	}
	for (size_t i = 0; i < *n; i++) {
		bool open = true;

		for (size_t p = stack->part[part[i]].parent; p != STACK_TOP && open; p = stack->part[p].parent)
			open = state_node_is_open(state, p);
		if (open)
			part[shown++] = part[i];
	}
	*n = shown;
	return part;
}

bool
state_compares_methods(const struct state *s)
{
	size_t n = 0;

	if (s->data.timeline)
		timeline_stacks(s->data.timeline, &n);
	return n > 1;
}

size_t
state_truth(const struct state *s)
{
	size_t n = 0;
	struct stack *const *stack = s->data.timeline ? timeline_stacks(s->data.timeline, &n) : NULL;

	return stack_reference(stack, n);
}

bool
state_has_truth(const struct state *s)
{
	size_t n = 0;

	if (s->data.timeline)
		timeline_stacks(s->data.timeline, &n);
	return state_truth(s) < n;
}

/* True if the part is 0 in all bars of a method: what a machine has not, next to methods that all have it. */
static bool
is_nothing(const struct timeline_bars *b, size_t part)
{
	bool nothing = b && b->n;

	for (size_t i = 0; nothing && i < b->n; i++)
		nothing = b->bar[i].account->amount[part].value == 0;
	return nothing;
}

size_t *
state_method_parts(const struct state *state, size_t *n)
{
	const struct methods *methods = timeline_methods(state->data.timeline);
	size_t stacks, *out = mem_new_array(methods->n, sizeof *out);
	struct stack *const *k = timeline_stacks(state->data.timeline, &stacks);
	bool judges = state_has_truth(state);

	*n = 0;
	for (size_t i = 0; i < methods->n; i++) {
		bool some = false;

		for (size_t x = 0; x < stacks; x++) {
			const struct timeline_bars *bars = state->answers.timeline.by ? state->answers.timeline.by[x]
										      : NULL;
			size_t part = methods->part[i].in[x];

			some = some ||
				(part != METHOD_NONE && is_shown(k[x], bars, part) &&
					!(judges && is_nothing(bars, part)));
		}
		if (some)
			out[(*n)++] = i;
	}
	return out;
}

const struct timeline_bar *
state_bar_by(const struct state *s, size_t stack, const struct timeline_bar *like)
{
	const struct timeline_bars *b = s->answers.timeline.by ? s->answers.timeline.by[stack] : NULL;

	for (size_t i = 0; b && i < b->n; i++)
		if (b->bar[i].at == like->at)
			return &b->bar[i];
	return NULL;
}

/* The part or module of the row under the cursor; SIZE_MAX: none. */
static size_t
at_cursor(const struct state *s, enum pane_id pane, const size_t *order, size_t n)
{
	size_t at = (size_t)s->view.cursor[pane];

	return n ? order[at < n ? at : n - 1] : SIZE_MAX;
}

size_t
state_part_at_cursor(const struct state *s)
{
	size_t n, at, *order = state_compares_methods(s) ? state_method_parts(s, &n) : state_part_rows(s, &n);

	at = at_cursor(s, PANE_COMPONENTS, order, n);
	free(order);
	return at != SIZE_MAX && state_compares_methods(s)
		? timeline_methods(s->data.timeline)->part[at].in[timeline_chosen(s->data.timeline)] : at;
}

/* What the lists of view 6 are sorted by if they are sorted by a part of a bar. */
static size_t
module_at_cursor(const struct state *s)
{
	size_t n, *order = state_components(s, &n), at = at_cursor(s, PANE_COMPONENTS, order, n);

	free(order);
	return at;
}

/* Bars of the stack's own kind are sorted by what was busiest, where it tells the time of tasks: sleepers come last. */
static double
size_of_bar(const struct stack *stack, const struct timeline_bar *bar, bool *sleeps)
{
	double busy, whole;

	*sleeps = false;
	if (!stack || !bar->counts || !run_answer_bar(stack, bar->counts, &busy, &whole))
		return bar->account->whole;
	*sleeps = busy < RUN_SLEEPER * whole;
	return busy;
}

/* Puts the n bars that only slept behind the others, folded in a row of their own. Returns the number of rows. */
static size_t
fold_sleepers(const struct state *state, size_t *order, size_t n, const bool *sleeps)
{
	size_t *last = mem_new_array(n, sizeof *last), shown = 0, slept = 0;

	for (size_t i = 0; i < n; i++)
		if (sleeps[order[i]])
			last[slept++] = order[i];
		else
			order[shown++] = order[i];
	if (slept < 2 || !shown) {
		memcpy(order + shown, last, slept * sizeof *last);
		shown += slept;
	} else {
		order[shown++] = BAR_SLEEPERS;
		for (size_t i = 0; state->view.timeline.sleepers && i < slept; i++)
			order[shown++] = last[i];
	}
	free(last);
	return shown;
}

static void *
make_bars(const struct state *state, size_t *n)
{
	const struct timeline_bars *bars = state->answers.timeline.bars;
	const struct stack *stack = state->data.timeline ? timeline_stack(state->data.timeline) : NULL;
	size_t all = bars ? bars->n : 0, part = state->data.timeline ? state_part_at_cursor(state) : SIZE_MAX, *order;
	struct ordered *ordered = mem_new_array(all, sizeof *ordered);
	const char *filter = state->view.filter[VIEW_STALLS];
	bool *sleeps = mem_new_array(all, sizeof *sleeps);

	*n = 0;
	for (size_t i = 0; i < all; i++) {
		const struct stack_account *account = bars->bar[i].account;
		double size = size_of_bar(stack, &bars->bar[i], &sleeps[i]),
		       value = state->view.timeline.bar_sort == BAR_BY_PART && part < account->n_parts
			? account->amount[part].value : size;

		if (!filter || strstr(bars->bar[i].name, filter))
			ordered[(*n)++] = (struct ordered){.at = i, .value = isnan(value) ? -1 : value,
				.name = state->view.timeline.bar_sort == BAR_BY_NAME ? bars->bar[i].name : NULL};
	}
	order = in_order(ordered, *n);
	if (*n && !filter && !state_compares_methods(state)) {
		order = mem_resize(order, *n + 1, sizeof *order);
		*n = fold_sleepers(state, order, *n, sleeps);
	}
	free(sleeps);
	return order;
}

size_t
state_sleepers(const struct state *state)
{
	const struct timeline_bars *bars = state->answers.timeline.bars;
	size_t n = 0;

	for (size_t i = 0; bars && i < bars->n; i++) {
		bool sleeps;

		size_of_bar(timeline_stack(state->data.timeline), &bars->bar[i], &sleeps);
		n += sleeps;
	}
	return n;
}

bool
state_on_sleepers(const struct state *state)
{
	size_t n;
	const size_t *order = state_bars(state, &n);

	return at_cursor(state, state_shows_methods(state) ? PANE_METHODS : PANE_BARS, order, n) == BAR_SLEEPERS;
}

static void
stamp_bars(const struct state *s, uint64_t *stamp)
{
	shown_add(stamp, s->view.timeline.sleepers);
	shown_add(stamp,
		s->view.timeline.bar_sort == BAR_BY_PART && s->data.timeline ? state_part_at_cursor(s) : SIZE_MAX);
}

static bool
state_stalls_has_words(const struct state *s, const struct net_stall_row *row, const char *words)
{
	return strstr(timeline_network(s->data.timeline)->kind[row->kind].name, words) ||
		(row->per < SCOPES &&
			(strstr(timeline_owner(s->data.timeline, row->per, row->owner), words) ||
				strstr(scope_name(row->per), words)));
}

/* A row's stalls: all, or those that arise in one module. */
static double
amount_of(const struct net_stall_rows *r, const struct net_stall_row *row, size_t module)
{
	return module < r->n_modules ? row->from[module] : row->stall;
}

/* Bars of one owner stay together, largest first. Owners are sorted by their sums. */
static double
sum_of_owner(const struct net_stall_rows *r, const struct net_stall_row *like, size_t module)
{
	double sum = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->row[i].per == like->per && r->row[i].owner == like->owner)
			sum += amount_of(r, &r->row[i], module);
	return sum;
}

static bool
is_idle(const struct net_stall_rows *r, const struct net_stall_row *row)
{
	return sum_of_owner(r, row, SIZE_MAX) < STALLS_IDLE * r->stall;
}

size_t
state_idle_rows(const struct state *s)
{
	const struct net_stall_rows *r = s->answers.timeline.rows;
	size_t n = 0;

	for (size_t i = 0; r && !s->view.filter[VIEW_STALLS] && i < r->n; i++)
		n += r->row[i].stall > 0 && is_idle(r, &r->row[i]);
	return n;
}

static void *
make_stalls(const struct state *state, size_t *n)
{
	const struct timeline_view *view = &state->view.timeline;
	const struct net_stall_rows *rows = state->answers.timeline.rows;
	size_t all = rows ? rows->n : 0, module = view->bar_sort == BAR_BY_PART ? module_at_cursor(state) : SIZE_MAX;
	struct ordered *ordered = mem_new_array(all, sizeof *ordered);
	const char *filter = state->view.filter[VIEW_STALLS];

	*n = 0;
	for (size_t i = 0; i < all; i++)
		if (rows->row[i].stall > 0 &&
			(filter ? state_stalls_has_words(state, &rows->row[i], filter) : !is_idle(rows, &rows->row[i])))
			ordered[(*n)++] = (struct ordered){
				.at = i,
				.value = view->bar_sort == BAR_BY_NAME ? 0 : sum_of_owner(rows, &rows->row[i], module),
				.second = view->bar_sort == BAR_BY_NAME ? 0 : amount_of(rows, &rows->row[i], module),
			};
	return in_order(ordered, *n);
}

static void
stamp_stalls(const struct state *s, uint64_t *stamp)
{
	shown_add(stamp, s->view.timeline.bar_sort == BAR_BY_PART ? module_at_cursor(s) : SIZE_MAX);
}

static uint64_t
bar_thing(const struct state *s, const void *row)
{
	size_t bar = *(const size_t *)row;

	return bar == BAR_SLEEPERS ? thing_number(0, bar) : thing_text(0, s->answers.timeline.bars->bar[bar].name);
}

static uint64_t
stall_thing(const struct state *s, const void *row)
{
	const struct net_stall_row *r = &s->answers.timeline.rows->row[*(const size_t *)row];
	uint64_t thing = thing_number(thing_number(0, r->kind), r->per);

	return r->per < SCOPES ? thing_text(thing, timeline_owner(s->data.timeline, r->per, r->owner)) : thing;
}

const struct shown_ops
	shown_bars = {.kind = SHOWN_BARS, .make = make_bars, .stamp = stamp_bars, .size = sizeof(size_t),
		.thing = bar_thing,
		.filter = VIEW_STALLS, .sort = offsetof(struct state, view.timeline.bar_sort)},
	shown_stalls = {.kind = SHOWN_STALLS, .make = make_stalls, .stamp = stamp_stalls, .size = sizeof(size_t),
		.thing = stall_thing,
		.filter = VIEW_STALLS, .sort = offsetof(struct state, view.timeline.bar_sort)};

const size_t *
state_bars(const struct state *s, size_t *n)
{
	return state_shown(s, &shown_bars, n);
}

const size_t *
state_stall_rows(const struct state *s, size_t *n)
{
	return state_shown(s, &shown_stalls, n);
}

const struct timeline_bar *
state_bar(const struct state *s)
{
	size_t n;
	const size_t *order = state_bars(s, &n);
	size_t at = at_cursor(s, state_shows_methods(s) ? PANE_METHODS : PANE_BARS, order, n);

	return at == SIZE_MAX || at == BAR_SLEEPERS ? NULL : &s->answers.timeline.bars->bar[at];
}

const struct net_stall_row *
state_stall_row(const struct state *s)
{
	size_t n;
	const size_t *order = state_stall_rows(s, &n);
	size_t at = at_cursor(s, PANE_BARS, order, n);

	return at == SIZE_MAX ? NULL : &s->answers.timeline.rows->row[at];
}

static bool
can_stall(const struct state *s, size_t module)
{
	const struct network *net = timeline_network(s->data.timeline);
	const struct net_stall_rows *r = s->answers.timeline.rows;
	bool some = false;

	for (size_t k = 0; k < net->n_kinds; k++)
		some |= net->module[module].cell[k].field[NET_STALL] != NULL;
	for (size_t i = 0; r && i < r->n; i++)
		some |= r->row[i].from[module] > 0;
	return some;
}

size_t *
state_components(const struct state *s, size_t *n)
{
	const struct network *net = s->data.timeline ? timeline_network(s->data.timeline) : NULL;
	size_t all = net ? net->n_modules : 0, *out = mem_new_array(all, sizeof *out);

	*n = 0;
	for (size_t m = all; m-- > 0;)
		if (can_stall(s, m))
			out[(*n)++] = m;
	return out;
}

static const struct shown_ops *
bars_of(const struct state *s, enum pane_id pane)
{
	return pane == PANE_BARS && state_shows_stalls(s) ? &shown_stalls : &shown_bars;
}

int
state_count_bars(const struct state *s, enum pane_id pane)
{
	return (int)state_count_shown(s, bars_of(s, pane));
}

uint64_t
state_bar_thing(const struct state *s, enum pane_id pane, size_t row)
{
	return state_shown_thing(s, bars_of(s, pane), row);
}

/* Numbers of the parts or modules that pane "components" lists; the caller frees. */
static size_t *
listed_components(const struct state *s, size_t *n)
{
	return !state_shows_parts(s) ? state_components(s, n)
		: state_compares_methods(s) ? state_method_parts(s, n) : state_part_rows(s, n);
}

int
state_count_components(const struct state *s)
{
	size_t n;

	free(listed_components(s, &n));
	return (int)n;
}

uint64_t
state_component_thing(const struct state *s, enum pane_id pane, size_t row)
{
	size_t n, *order = listed_components(s, &n);
	uint64_t thing = row < n ? thing_number(0, order[row]) : 0;

	(void)pane;
	free(order);
	return thing;
}
