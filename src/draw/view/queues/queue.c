/* One queue in detail: its past, and its formula with values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/network/state.h"
#include "core/series/mean.h"
#include "draw/time_graph.h"
#include "draw/view/queues/queues.h"
#include "draw/view/view_counters.h"
#include "draw/view/view_table.h"
#include "draw/view/view_timeline.h"
#include "explorer/state/state_queues.h"
#include "work/timeline/timeline.h"

enum { STACKED = 60, NUMBERS = 20, LEAST_GRAPH = 30 };

/* Stacks the kinds if there is room. A line of several owners is not stacked: the longest queues of its kinds belong to
 * different owners and make no sum. */
static bool
is_stacked(const struct state *s, const struct rect *r, const struct net_queue *q)
{
	size_t first;

	return r->w >= STACKED && state_queue_owners(s, q, &first) == 1;
}

void
title_lengths(const struct state *state, struct str *title, struct str *info)
{
	const struct timeline_answers *answers = &state->answers.timeline;
	const struct net_queue *queue = state_queue(state);

	if (!queue) {
		str_add(title, "Over time");
		return;
	}
	str_addf(title, "%s on ", timeline_network(state->data.timeline)->kind[queue->kind].name);
	add_queue_place(state, queue, title);
	if (answers->history)
		str_addf(info, "requests queued, %zu snapshot%s", answers->history->n,
			plural_s(answers->history->n));
}

/* The kinds of one module that have a queue, with the chosen one at the bottom: only the bottom has a straight edge. */
static size_t
kinds_of(const struct state *state, const struct net_queue *queue, struct net_queue kind[GRAPH_SERIES_MAX])
{
	const struct net_queues *all = state->answers.timeline.analysis->queues;
	size_t n = 1;

	kind[0] = *queue;
	for (size_t i = 0; i < all->known && n < GRAPH_SERIES_MAX; i++) {
		bool seen = false;

		for (size_t k = 0; k < n; k++)
			seen |= all->queue[i].kind == kind[k].kind;
		if (!seen && all->queue[i].module == queue->module && all->queue[i].owner == queue->owner &&
			all->queue[i].length > 0)
			kind[n++] = all->queue[i];
	}
	return n;
}

static void
set_times(const struct state *s, struct time_graph *g)
{
	const struct timeline_history *h = s->answers.timeline.history;
	struct timeline_snapshot first = timeline_snapshot(s->data.timeline, h->first),
			      last = timeline_snapshot(s->data.timeline, h->first + h->n - 1);

	g->from = isnan(first.seconds) ? first.end : first.end - first.seconds;
	g->to = last.end;
}

static void
draw_graph(const struct state *state, struct grid *grid, struct rect r, const struct net_queue *q, bool stacked)
{
	const struct timeline_history *history = state->answers.timeline.history;
	struct net_queue kind[GRAPH_SERIES_MAX];
	size_t n = stacked ? kinds_of(state, q, kind) : 1;
	struct time_graph g = {.n_series = n, .n = history->n};
	double *v = mem_new_array(n * history->n, sizeof *v);

	kind[0] = *q;
	for (size_t k = 0; k < n; k++) {
		state_queue_series(state, &kind[k], v + k * history->n);
		g.series[k] = (struct graph_series){timeline_network(state->data.timeline)->kind[kind[k].kind].name,
			path_kind_role(kind[k].kind), v + k * history->n};
	}
	set_times(state, &g);
	graph_draw(&g, grid, r);
	free(v);
}

/* A series with a trend has no level for its mean, so there are no bounds. */
static struct series_mean
queue_level_of(const struct state *state, const struct net_queue *queue)
{
	size_t n = state->answers.timeline.history ? state->answers.timeline.history->n : 0;
	double *v = mem_new_array(n, sizeof *v);
	struct series_mean l;

	state_queue_series(state, queue, v);
	l = series_mean(v, n, 0.95);
	if (series_trend(v, n).direction)
		l.low = l.high = NAN;
	free(v);
	return l;
}

/* "16.9..17.7" */
static void
add_bounds(const struct series_mean *l, struct str *out)
{
	char low[NUMBER_TEXT], high[NUMBER_TEXT];

	str_addf(out, "%s..%s", number_digits(low, l->low, 3, false), number_digits(high, l->high, 3, false));
}

/* Next to the graph: the factors of the product. */
static void
queue_draw_numbers(const struct state *state, struct grid *grid, struct rect r, const struct net_queue *queue)
{
	struct page p = {.s = state, .g = grid, .r = r};
	struct series_mean l = queue_level_of(state, queue);
	char number[NUMBER_TEXT];
	struct str bounds = {0};

	page_number(&p, "arrivals", number_arrivals(number, state, queue, queue_arrivals(queue), false), ROLE_TEXT);
	number_wait(number, state, queue, queue_wait(queue), false);
	str_addf(&bounds, "%s%s", number, queue_in_cycles(state, queue) ? " cyc" : "");
	page_number(&p, "wait", str_text(&bounds), ROLE_TEXT);
	str_clear(&bounds);
	page_number(&p, "length", queue_length_text(number, queue->length),
		queue == state->answers.timeline.analysis->culprit ? ROLE_HOT : ROLE_TEXT);
	if (!isnan(queue->occupied))
		page_number(&p, "occupied", queue_length_text(number, queue->occupied), ROLE_DIM);
	if (l.n > 1)
		page_number(&p, "mean", queue_length_text(number, l.mean), ROLE_TEXT);
	if (!isnan(l.low)) {
		add_bounds(&l, &bounds);
		page_number(&p, "95 %", str_text(&bounds), ROLE_TEXT);
	}
	if (p.row < r.h - 1) {
		struct line line = page_line(&p);

		line_add(&line, ROLE_DIM, 0, "Enter: counters");
	}
	str_free(&bounds);
}

void
draw_lengths(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct net_queue *queue = state_queue(state);
	struct page p = {.s = state, .g = grid, .r = r};
	bool side_by_side = (drawn->layout.visible & PANE_BIT(PANE_QUEUE)) == 0 && r.w >= LEAST_GRAPH + NUMBERS;

	(void)focus;
	if (!queue || !state->answers.timeline.history) {
		page_words(&p, ROLE_DIM, "No queue is chosen, so there is no past to show.");
		return;
	}
	if (side_by_side) {
		queue_draw_numbers(state, grid, (struct rect){r.x + r.w - NUMBERS, r.y, NUMBERS, r.h}, queue);
		r.w -= NUMBERS;
	}
	draw_graph(state, grid, r, queue, !side_by_side && is_stacked(state, &r, queue));
}

void
title_queue(const struct state *s, struct str *title, struct str *info)
{
	const struct net_queue *q = state_queue(s);
	struct timeline_snapshot m;

	str_add(title, "Formula");
	if (!q)
		return;
	m = timeline_snapshot(s->data.timeline, s->view.timeline.snapshot);
	if (timeline_is_run(s))
		str_add(info, "whole run");
	else
		str_addf(info, "snapshot %zu", m.number);
}

static const enum net_field in_formula[] = {NET_MISS, NET_DELAY, NET_TAG, NET_MISS_DELAY, NET_OCCUPANCY};

/* Marks the parts that the module's model uses: a plain queue has none for misses. */
static bool
is_used(const struct net_module *module, enum net_field f)
{
	switch (f) {
	case NET_DELAY:
	case NET_OCCUPANCY:
		return true;
	case NET_MISS:
		return module->model != NET_QUEUE;
	case NET_TAG:
		return module->model == NET_CACHE;
	case NET_MISS_DELAY:
		return module->model == NET_HOME;
	case NET_STALL:
	case NET_LIMIT:
	case NET_BUSY:
	case NET_BYTES:
	case NET_FIELDS:
		break;
	}
	return false;
}

void
queue_counters(const struct state *state, const struct net_queue *queue, bool *has)
{
	const struct net_module *module = &timeline_network(state->data.timeline)->module[queue->module];
	const struct net_cell *cell = &module->cell[queue->kind];

	for (size_t i = 0; i < cell->n_hits; i++)
		counters_mark(state, cell->hit[i].e, has);
	for (size_t i = 0; i < sizeof in_formula / sizeof *in_formula; i++)
		if (is_used(module, in_formula[i]) && cell->field[in_formula[i]])
			counters_mark(state, cell->field[in_formula[i]], has);
	if (module->clock)
		counters_mark(state, module->clock, has);
}

static void
queue_write_counters(const struct state *s, struct page *p, const struct net_queue *q)
{
	bool *has = mem_new_array(timeline_network(s->data.timeline)->n_counters, sizeof *has);

	queue_counters(s, q, has);
	page_counters(s, p, has, net_state_owners(s->answers.timeline.analysis->state, q->module));
	free(has);
}

static void
write_trust(const struct state *s, struct page *p, const struct net_queue *q)
{
	bool *has = mem_new_array(timeline_network(s->data.timeline)->n_counters, sizeof *has);

	queue_counters(s, q, has);
	page_marked_trust(s, p, has);
	free(has);
}

static void
add_hits(const struct net_cell *cell, struct str *out)
{
	for (size_t i = 0; i < cell->n_hits; i++) {
		str_add(out, i ? " + " : "");
		aexpr_print(cell->hit[i].e, out);
	}
}

/* The count over the clock; a sum of counts in parentheses. */
static void
divide_by_clock(const struct net_module *module, struct str *out)
{
	struct str clock = {0};

	if (strstr(str_text(out), " + ") || strstr(str_text(out), " - ")) {
		char *sum = str_take(out);

		str_addf(out, "(%s)", sum);
		free(sum);
	}
	if (module->clock)
		aexpr_print(module->clock, &clock);
	else
		str_add(&clock, "time");
	str_addf(out, strchr(str_text(&clock), ' ') ? " / (%s)" : " / %s", str_text(&clock));
	str_free(&clock);
}

/* "λ = hits / clock", and below it the same in numbers. */
static void
write_equation(struct page *page, const char *name, const char *formula, const char *numbers)
{
	struct str line = {0};

	str_addf(&line, "%s = %s", name, formula);
	page_words(page, ROLE_TEXT, str_text(&line));
	if (*numbers) {
		struct line l = page_line(page);

		line_gap(&l, pen_columns(&l.pen, name));
		line_add(&l, ROLE_DIM, 0, " = %s", numbers);
	}
	str_free(&line);
}

static void
write_arrivals(const struct state *state, struct page *page, const struct net_queue *q)
{
	const struct net_module *module = &timeline_network(state->data.timeline)->module[q->module];
	const struct net_cell_values t =
		net_state_cell(state->answers.timeline.analysis->state, q->module, q->owner, q->kind);
	double clock = net_state_clock(state->answers.timeline.analysis->state, q->module, q->owner);
	char a[NUMBER_TEXT], b[NUMBER_TEXT], c[NUMBER_TEXT];
	struct str formula = {0}, numbers = {0};

	if (module->cell[q->kind].n_hits) {
		add_hits(&module->cell[q->kind], &formula);
		divide_by_clock(module, &formula);
		str_addf(&numbers, "%s / %s = %s", number_count(a, t.hits, false),
			module->clock ? number_count(b, clock, false) : number_seconds(b, clock * 1e-9, false),
			number_arrivals(c, state, q, q->arrivals, true));
		write_equation(page, "λ", str_text(&formula), str_text(&numbers));
	}
	str_clear(&formula);
	str_clear(&numbers);
	if (module->model != NET_QUEUE && module->cell[q->kind].field[NET_MISS]) {
		aexpr_print(module->cell[q->kind].field[NET_MISS], &formula);
		divide_by_clock(module, &formula);
		write_equation(page, "λ of misses", str_text(&formula), number_arrivals(c, state, q, q->missing, true));
	}
	str_free(&formula);
	str_free(&numbers);
}

static void
write_wait(const struct state *state, struct page *page, const struct net_queue *queue)
{
	const struct net_module *module = &timeline_network(state->data.timeline)->module[queue->module];
	const struct net_cell_values t =
		net_state_cell(state->answers.timeline.analysis->state, queue->module, queue->owner, queue->kind);
	const struct aexpr *miss = module->model == NET_CACHE ? module->cell[queue->kind].field[NET_TAG]
		: module->model == NET_HOME ? module->cell[queue->kind].field[NET_MISS_DELAY] : NULL;
	char a[NUMBER_TEXT], b[NUMBER_TEXT], c[NUMBER_TEXT];
	struct str formula = {0}, numbers = {0};

	aexpr_print(module->cell[queue->kind].field[NET_DELAY], &formula);
	str_add(&formula, queue->before > 0 ? " − the hop before" : "");
	if (queue->before > 0)
		str_addf(&numbers, "%s − %s = ", number_wait(a, state, queue, t.field[NET_DELAY], false),
			number_wait(b, state, queue, queue->before, false));
	str_add(&numbers, number_wait(c, state, queue, queue->wait, true));
	if (queue->faster)
		str_add(&numbers, ": this module answers sooner than the hop before");
	write_equation(page, "W", str_text(&formula), str_text(&numbers));
	str_clear(&formula);
	if (miss) {
		aexpr_print(miss, &formula);
		write_equation(
			page, "W of misses", str_text(&formula), number_wait(c, state, queue, queue->miss_wait, true));
	}
	str_free(&formula);
	str_free(&numbers);
}

static void
write_length(const struct state *state, struct page *page, const struct net_queue *queue)
{
	const struct net_module *module = &timeline_network(state->data.timeline)->module[queue->module];
	bool hits = module->cell[queue->kind].n_hits || module->model == NET_QUEUE;
	char a[NUMBER_TEXT], b[NUMBER_TEXT], c[NUMBER_TEXT];
	struct str numbers = {0};

	if (hits)
		str_addf(&numbers, "%s × %s%s", number_arrivals(a, state, queue, queue->arrivals, false),
			number_wait(b, state, queue, queue->wait, false), module->model != NET_QUEUE ? " + " : "");
	if (module->model != NET_QUEUE)
		str_addf(&numbers, "%s × %s", number_arrivals(a, state, queue, queue->missing, false),
			number_wait(b, state, queue, queue->miss_wait, false));
	str_addf(&numbers, " = %s", queue_length_text(c, queue->length));
	write_equation(page, "L",
		module->model == NET_QUEUE ? "λ × W"
			: hits ? "λ × W of hits + λ × W of misses" : "λ × W of misses",
		str_text(&numbers));
	str_free(&numbers);
}

/* Names the owner whose queue is shown, if the line stands for several. */
static void
write_which(const struct state *s, struct page *p, const struct net_queue *q)
{
	size_t first, n = state_queue_owners(s, q, &first);
	struct str words = {0};

	if (n < 2)
		return;
	str_addf(&words, "the longest of %zu: ", n);
	timeline_add_owner(s, timeline_network(s->data.timeline)->module[q->module].per, q->owner, false, &words);
	page_words(p, ROLE_DIM, str_text(&words));
	str_free(&words);
}

static void
write_queue(const struct state *state, struct page *page, const struct net_queue *queue)
{
	const struct network *network = timeline_network(state->data.timeline);
	struct series_mean level = queue_level_of(state, queue);
	char number[NUMBER_TEXT];
	struct str text = {0};
	enum scope known;

	page_number(page, "arrivals", number_arrivals(number, state, queue, queue_arrivals(queue), true), ROLE_TEXT);
	page_number(page, queue->missing > 0 ? "wait, hits and misses" : "wait",
		number_wait(number, state, queue, queue_wait(queue), true), ROLE_TEXT);
	page_number(page, "length", queue_length_text(number, queue->length),
		queue == state->answers.timeline.analysis->culprit ? ROLE_HOT : ROLE_TEXT);
	if (!isnan(queue->occupied))
		page_number(page, "… by its own occupancy", queue_length_text(number, queue->occupied), ROLE_TEXT);
	if (!isnan(level.low)) {
		str_addf(&text, "mean of %zu, at 95 %% in ", level.n);
		add_bounds(&level, &text);
		page_number(page, str_text(&text), queue_length_text(number, level.mean), ROLE_TEXT);
	} else if (level.n > 1) {
		str_addf(&text, "mean of %zu snapshots", level.n);
		page_number(page, str_text(&text), queue_length_text(number, level.mean), ROLE_TEXT);
	}
	write_which(state, page, queue);
	known = net_queue_known_per(network, queue->module, queue->kind);
	if (known != SCOPE_CORE && net_has_cores(network)) {
		str_clear(&text);
		str_addf(&text, "known for the %s, unknown for the core", scope_name(known));
		page_words(page, ROLE_DIM, str_text(&text));
	}
	if (queue->background)
		page_words(page, ROLE_DIM, "no task waits for this kind: it is never the culprit");
	page_blank(page);
	page_head(page, "Formula", "");
	write_arrivals(state, page, queue);
	write_wait(state, page, queue);
	write_length(state, page, queue);
	page_blank(page);
	queue_write_counters(state, page, queue);
	str_free(&text);
}

void
draw_queue(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	const struct net_queue *q = state_queue(s);
	struct page p = {.s = s, .g = g, .r = r, .skip = focus ? s->view.cursor[PANE_QUEUE] : 0};

	if (q)
		write_queue(s, &p, q);
	else
		page_words(&p, ROLE_DIM, "No queue is chosen, so there is no formula.");
	d->layout.rows[PANE_QUEUE] = page_rows(&p);
}

static int
draw_queue_popup(const struct state *state, struct grid *grid, struct rect screen, int first)
{
	const struct net_queue *queue = state_queue(state);
	struct page p = {.s = state, .g = grid, .skip = first};
	struct str title = {0}, info = {0};

	title_lengths(state, &title, &info);
	p.r = draw_popup(grid, screen, 90, screen.h - 6, str_text(&title), str_text(&info));
	if (queue) {
		page_words(&p, ROLE_DIM,
			"Requests there on average: how many arrive, times how long each waits (Little's law). The "
			"wait leaves out what the hop before takes.");
		page_blank(&p);
		write_queue(state, &p, queue);
		write_trust(state, &p, queue);
	}
	str_free(&title);
	str_free(&info);
	return page_rows(&p);
}

const struct popup_draw popup_draw_queue = {.text = draw_queue_popup};
