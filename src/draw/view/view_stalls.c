/* View 6, Stalls: bars that say where the time goes, what they are made of, and, with a network and a stack, both
 * beside each other. */
#include "draw/view/view_stalls.h"

#include <stdlib.h>
#include <string.h>

#include "app/state/state_stalls.h"
#include "app/state/state_timeline.h"
#include "app/timeline/timeline.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/state.h"
#include "core/stack/stack.h"

enum { BESIDE = 110 };

static const struct pane_spec layout[] = {
	{.id = PANE_BARS, .priority = 0, .band = 0, .column = 0, .min_w = 20, .min_h = 5, .weight_w = 1, .weight_h = 3},
	{.id = PANE_METHODS, .priority = 2, .band = 1, .column = 0, .min_w = 50, .min_h = 8, .weight_w = 5,
		.weight_h = 2, .from_w = BESIDE, .from_h = 16},
	{.id = PANE_COMPONENTS, .priority = 1, .band = 1, .column = 1, .min_w = 36, .min_h = 6, .weight_w = 4,
		.weight_h = 2, .from_h = 14},
};

void
add_owner(const struct state *s, enum scope per, size_t owner, bool brief, struct str *out)
{
	const struct net_shape *shape =
		s->answers.timeline.look ? net_state_shape(s->answers.timeline.look->state) : NULL;
	const char *name = timeline_owner(s->data.timeline, per, owner), *number = name;

	if (!*name || !shape || shape->n[SCOPE_SOCKET] > 1 || strncmp(name, "S0", 2) != 0) {
		str_add(out, name);
		return;
	}
	while (*number)
		number++;
	while (number > name && number[-1] >= '0' && number[-1] <= '9')
		number--;
	if (!brief)
		str_addf(out, "%s ", scope_name(per));
	str_add(out, number);
}

void
add_compared(const struct state *s, bool brief, struct str *out)
{
	str_addf(out, brief ? "in %zu" : "snapshot %zu",
		timeline_snapshot(s->data.timeline, s->view.timeline.compared).number);
}

static struct chart
chart_of(const struct state *s, int pane)
{
	return pane == PANE_BARS && state_shows_stalls(s) ? stall_rows_chart(s) : stack_bars_chart(s, pane);
}

static void
draw_chart(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d, int pane)
{
	struct chart c = chart_of(s, pane);
	struct page p = {.s = s, .g = g, .r = r};

	if (c.n)
		chart_draw(&c, g, r, focus, d);
	else if (s->view.filter[VIEW_STALLS])
		page_words(&p, ROLE_DIM, "No bar holds these words. \\ and then Enter on nothing shows all again.");
	else if (pane == PANE_BARS && state_shows_stalls(s))
		stall_rows_nothing(s, &p);
	else
		stack_bars_nothing(s, &p);
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
	if (state_compares_methods(s))
		draw_method_parts(s, g, r, focus, d);
	else
		draw_stack_parts(s, g, r, focus, d);
}

static void
draw_methods(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	struct chart c = stack_bars_chart(s, PANE_METHODS);
	int bars = chart_rows(&c, r.w, true) + 1;
	size_t parts;

	arena_free(c.arena);
	free(state_compares_methods(s) ? state_method_parts(s, &parts) : state_parts(s, &parts));
	parts += state_compares_methods(s); /* the sum */
	if (c.n && bars + (int)parts + 2 <= r.h) {
		draw_parts(s, g, (struct rect){r.x, r.y + bars, r.w, r.h - bars}, false, NULL);
		r.h = bars;
	}
	draw_chart(s, g, r, focus, d, PANE_METHODS);
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
	if (s->view.timeline.compared != TIMELINE_WHOLE) {
		str_add(info, "against ");
		add_compared(s, false, info);
	} else {
		str_add(info, bar_sort_name(s->view.timeline.bar_sort));
	}
	if (s->view.filter[VIEW_STALLS])
		str_addf(info, " · filter: %s", s->view.filter[VIEW_STALLS]);
}

static void
title_stack(const struct state *s, struct str *title, struct str *info)
{
	const struct timeline_view *v = &s->view.timeline;
	const struct stack *k = timeline_stack(s->data.timeline);
	size_t moments = timeline_snapshots(s->data.timeline);
	char number[NUMBER_TEXT];

	if (state_compares_methods(s))
		title_methods(s, title);
	else
		str_add(title, k && *k->text ? k->text : k ? k->name : "Stalls");
	if (title->s[0] >= 'a' && title->s[0] <= 'z')
		title->s[0] = (char)(title->s[0] - 'a' + 'A');
	if (v->whole || !moments)
		str_add(info, "whole run · ");
	else if (s->answers.timeline.bars && s->answers.timeline.bars->moment < moments &&
		s->answers.timeline.bars->moment != v->snapshot)
		str_addf(info, "of snapshot %zu · ",
			timeline_snapshot(s->data.timeline, s->answers.timeline.bars->moment).number);
	else if (timeline_snapshot(s->data.timeline, v->snapshot).seconds > 0)
		str_addf(info, "%s · ",
			number_seconds(number, timeline_snapshot(s->data.timeline, v->snapshot).seconds, false));
	add_state(s, info);
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

/* Panes take the room that they can use: bars that are few leave theirs to the table. */
static void
fit_layout(const struct state *s, struct rect body, struct pane_spec *spec)
{
	int most = body.h * 3 / 5;

	if (state_count_bars(s, PANE_BARS) < most) {
		struct chart c = chart_of(s, PANE_BARS);
		int spread = chart_rows(&c, body.w, true) + 1, tight = chart_rows(&c, body.w, false) + 1;

		if (c.n)
			spec[0].max_h = spread <= most ? spread : tight <= most ? tight : 0;
		arena_free(c.arena);
	}
	if (!state_shows_methods(s)) {
		spec[1].from_w = 1 << 16; /* never */
		return;
	}
	/* Where there is no room for both, the one that has the focus is shown. */
	if (body.w < BESIDE && s->view.focus == PANE_METHODS) {
		spec[0].id = PANE_METHODS;
		spec[1].id = PANE_BARS;
		spec[1].from_w = 1 << 16;
	}
}

void
draw_stalls_view(const struct state *s, struct grid *g, struct rect body, struct drawn *d)
{
	struct pane_spec spec[sizeof layout / sizeof *layout];
	static const struct view_pane pane[] = {
		{title_bars, draw_bars}, {title_components, draw_components}, {title_stack, draw_methods}
	};
	const struct view_panes view = {spec, sizeof layout / sizeof *layout, PANE_BARS, 3, pane};

	memcpy(spec, layout, sizeof spec);
	fit_layout(s, body, spec);
	draw_view_panes(s, g, body, &view, d);
	if (state_shows_methods(s))
		d->layout.visible |= PANE_BIT(PANE_BARS) | PANE_BIT(PANE_METHODS);
}

int
draw_bar_popup(const struct state *s, struct grid *g, struct rect screen)
{
	return state_shows_stalls(s) && s->view.focus != PANE_METHODS ? stall_row_popup(s, g, screen)
								   : stack_bar_popup(s, g, screen);
}

bool
stalls_sentence(const struct state *s, struct line *l)
{
	return state_shows_stalls(s) && s->view.focus != PANE_METHODS ? stall_rows_sentence(s, l)
								   : stack_bars_sentence(s, l);
}

bool
stalls_finding(const struct state *s, struct str *out)
{
	return state_shows_stalls(s) && s->view.focus != PANE_METHODS ? stall_rows_finding(s, out)
								   : stack_bars_finding(s, out);
}
