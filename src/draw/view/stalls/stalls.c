/* View 6, Stalls: bars that show where time goes, their parts, and, with both a network and a stack, bars of both. */
#include "draw/view/stalls/stalls.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/state.h"
#include "core/stack/stack.h"
#include "draw/view/view_table.h"
#include "draw/view/view_timeline.h"
#include "explorer/state/state_nodes.h"
#include "explorer/state/state_sim.h"
#include "explorer/state/state_stalls.h"
#include "explorer/state/state_timeline.h"
#include "work/timeline/timeline.h"

enum { SIDE_BY_SIDE = 110, NEVER = 1 << 16 /* columns; NEVER: a pane that is not shown */ };

static const struct pane_spec bars_wish[] = {
	{.priority = 0, .band = 0, .column = 0, .min_w = 20, .min_h = 5, .weight_w = 1, .weight_h = 3},
};
static const struct pane_spec methods_wish[] = {
	{.order = 1, .priority = 2, .band = 1, .column = 0, .min_w = 50, .min_h = 8, .weight_w = 5, .weight_h = 2,
		.from_w = SIDE_BY_SIDE, .from_h = 16},
};
static const struct pane_spec components_wish[] = {
	{.order = 2, .priority = 1, .band = 1, .column = 1, .min_w = 36, .min_h = 6, .weight_w = 4, .weight_h = 2,
		.from_h = 14},
};

static struct chart
chart_of(const struct state *s, int pane)
{
	return pane == PANE_BARS && state_shows_stalls(s) ? stall_rows_chart(s) : stack_bars_chart(s, pane);
}

static bool
has_reference(const struct timeline *t)
{
	size_t n;
	struct stack *const *stack = timeline_stacks(t, &n);

	for (size_t i = 0; i < n; i++)
		if (stack[i]->reference)
			return true;
	return false;
}

/* Why there are no bars, and which key helps. */
static void
stack_bars_nothing(const struct state *state, struct page *page)
{
	const struct stack *stack = timeline_stack(state->data.timeline);
	bool some = timeline_snapshots(state->data.timeline) != 0;
	struct str words = {0};

	if (state->answers.timeline.bars && some && !state->view.timeline.whole) {
		str_addf(&words, "Nothing in this snapshot has the counters of %s.", stack->name);
		page_words(page, ROLE_TEXT, str_text(&words));
		page_words(page, ROLE_DIM, "z  the whole run\n[ ]  another snapshot");
	} else if (!some && state_running(state) && state_is_simulated(state)) {
		str_addf(&words, "%s is being simulated.", state_subject(state));
		page_words(page, ROLE_TEXT, str_text(&words));
		page_words(page, ROLE_DIM, has_reference(state->data.timeline)
			? "Bars follow with its first sample. The reference runs take some seconds."
			: "Bars follow with its first sample.");
	} else {
		timeline_no_counters(page, false, stack->name, "there are no bars");
	}
	str_free(&words);
}

static void
draw_chart(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn, int pane)
{
	struct chart c = chart_of(state, pane);
	struct page p = {.s = state, .g = grid, .r = r};

	if (c.n)
		chart_draw(&c, grid, r, focus, drawn);
	else if (state->view.filter[VIEW_STALLS])
		page_words(&p, ROLE_DIM, "No bar contains these words. \\ then Enter without a text shows all.");
	else if (pane == PANE_BARS && state_shows_stalls(state))
		stall_rows_nothing(state, &p);
	else
		stack_bars_nothing(state, &p);
	arena_free(c.arena);
}

static void
draw_bars(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	draw_chart(s, g, r, focus, d, PANE_BARS);
}

static void
draw_parts(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	int used = state_compares_methods(s) ? draw_method_parts(s, g, r, focus, d)
		: state_shows_tree(s) ? draw_stack_tree(s, g, r, focus, d) : draw_stack_parts(s, g, r, focus, d);

	draw_course(s, g, (struct rect){r.x, r.y + used, r.w, r.h - used});
}

static void
draw_methods(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct chart c = stack_bars_chart(state, PANE_METHODS);
	int bars = chart_rows(&c, r.w, true) + 1;
	size_t parts;

	arena_free(c.arena);
	free(state_compares_methods(state) ? state_method_parts(state, &parts) : state_part_rows(state, &parts));
	parts += state_compares_methods(state); /* the sum */
	if (c.n && bars + (int)parts + 2 <= r.h) {
		draw_parts(state, grid, (struct rect){r.x, r.y + bars, r.w, r.h - bars}, false, NULL);
		r.h = bars;
	}
	draw_chart(state, grid, r, focus, drawn, PANE_METHODS);
}

static void
draw_components(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	if (state_shows_parts(s))
		draw_parts(s, g, r, focus, d);
	else
		draw_stall_components(s, g, r, focus, d);
}

/* "by name · filter: gcc" */
static void
add_state(const struct state *s, struct str *info)
{
	if (s->view.timeline.compared != TIMELINE_NONE) {
		str_add(info, "against ");
		timeline_add_compared(s, false, info);
	} else {
		str_add(info, s->view.timeline.bar_sort == BAR_BY_WHOLE && s->answers.timeline.answer
				? "busiest first" : bar_sort_name(s->view.timeline.bar_sort));
	}
	if (s->view.filter[VIEW_STALLS])
		str_addf(info, " · filter: %s", s->view.filter[VIEW_STALLS]);
}

static void
title_stack(const struct state *state, struct str *title, struct str *info)
{
	const struct timeline_view *view = &state->view.timeline;
	const struct stack *stack = timeline_stack(state->data.timeline);
	size_t snapshots = timeline_snapshots(state->data.timeline);
	char number[NUMBER_TEXT];

	if (state_compares_methods(state))
		title_methods(state, title);
	else
		str_add(title, stack && *stack->text ? stack->text : stack ? stack->name : "Stalls");
	if (title->s[0] >= 'a' && title->s[0] <= 'z')
		title->s[0] = (char)(title->s[0] - 'a' + 'A');
	if (view->whole || !snapshots)
		str_add(info, "whole run · ");
	else if (state->answers.timeline.bars && state->answers.timeline.bars->snapshot < snapshots &&
		state->answers.timeline.bars->snapshot != view->snapshot)
		str_addf(info, "of snapshot %zu · ",
			timeline_snapshot(state->data.timeline, state->answers.timeline.bars->snapshot).number);
	else if (timeline_snapshot(state->data.timeline, view->snapshot).seconds > 0)
		str_addf(info, "%s · ",
			number_seconds(number, timeline_snapshot(state->data.timeline, view->snapshot).seconds, false));
	add_state(state, info);
}

static void
title_bars(const struct state *s, struct str *title, struct str *info)
{
	if (!state_shows_stalls(s)) {
		title_stack(s, title, info);
		return;
	}
	str_add(title, "Stalls by component and path kind");
	add_state(s, info);
}

static void
title_components(const struct state *s, struct str *title, struct str *info)
{
	if (state_shows_parts(s) && state_compares_methods(s))
		title_method_parts(s, title, info);
	else if (state_shows_parts(s))
		title_stack_parts(s, title, info);
	else
		title_stall_components(s, title, info);
}

/* Does pane Methods take the place of pane Bars? It does if it has the focus and there is no room for both. */
static bool
methods_instead(const struct state *s, struct rect body)
{
	return state_shows_methods(s) && body.w < SIDE_BY_SIDE && s->view.focus == PANE_METHODS;
}

/* Rows that the parts of a stack's bar and their course need; 0: what is shown has no course. */
static int
rows_of_parts(const struct state *state, struct rect body)
{
	enum { TITLE = 2, NOTES = 3, COURSE = 10, LEAST_BODY = 30 };
	size_t parts;

	if (body.h < LEAST_BODY || state_shows_stalls(state) || timeline_snapshots(state->data.timeline) < 2)
		return 0;
	free(state_compares_methods(state) ? state_method_parts(state, &parts) : state_part_rows(state, &parts));
	return (int)parts + TITLE + NOTES + COURSE;
}

/* Bars need this much room; few bars leave the rest to the table. They are not spread out where that would leave too
 * little for it. */
static void
fit_first(const struct state *state, struct rect body, struct pane_spec *wish)
{
	int most = body.h * 3 / 5;

	if (state_count_bars(state, PANE_BARS) < most) {
		struct chart c = chart_of(state, PANE_BARS);
		int spread = chart_rows(&c, body.w, true) + 1, tight = chart_rows(&c, body.w, false) + 1;

		if (c.n)
			wish->max_h = spread <= most && body.h - spread >= rows_of_parts(state, body) ? spread
				: tight <= most ? tight : 0;
		arena_free(c.arena);
	}
}

static bool
fit_bars(const struct state *s, struct rect body, struct pane_spec *wish)
{
	if (methods_instead(s, body)) {
		wish->order = 1;
		wish->from_w = NEVER;
	} else {
		fit_first(s, body, wish);
	}
	return true;
}

static bool
fit_methods(const struct state *s, struct rect body, struct pane_spec *wish)
{
	if (methods_instead(s, body)) {
		*wish = (struct pane_spec){.id = wish->id, .min_w = 20, .min_h = 5, .weight_w = 1, .weight_h = 3};
		fit_first(s, body, wish);
	} else if (!state_shows_methods(s)) {
		wish->from_w = NEVER;
	}
	return true;
}

/* If only one of bars and methods is visible, Tab brings the other. */
static void
make_reachable(const struct state *s, struct drawn *d)
{
	if (state_shows_methods(s))
		d->layout.visible |= PANE_BIT(PANE_BARS) | PANE_BIT(PANE_METHODS);
}

static int
draw_bar_popup(const struct state *s, struct grid *g, struct rect screen, int first)
{
	return state_shows_stalls(s) && s->view.focus != PANE_METHODS
		? stall_row_popup(s, g, screen, first) : stack_bar_popup(s, g, screen, first);
}

const struct popup_draw popup_draw_bar = {.text = draw_bar_popup};

static bool
stalls_sentence(const struct state *s, struct line *l)
{
	return state_shows_stalls(s) && s->view.focus != PANE_METHODS
		? stall_rows_sentence(s, l) : stack_bars_sentence(s, l);
}

static bool
stalls_finding(const struct state *s, struct str *out)
{
	return state_shows_stalls(s) && s->view.focus != PANE_METHODS
		? stall_rows_finding(s, out) : stack_bars_finding(s, out);
}

const struct pane_draw pane_draw_bars = {.title = title_bars, .draw = draw_bars, PANE_WISHES(bars_wish),
	.fit = fit_bars};
const struct pane_draw pane_draw_components = {.title = title_components, .draw = draw_components,
	PANE_WISHES(components_wish)};
const struct pane_draw pane_draw_methods = {.title = title_stack, .draw = draw_methods, PANE_WISHES(methods_wish),
	.fit = fit_methods};
const struct view_draw view_draw_stalls = {.after = make_reachable, .sentence = stalls_sentence,
	.finding = stalls_finding, .lacks = timeline_lacks, .nothing = timeline_nothing};
