/* View 7, Queues: where requests wait, how many on average, and since when. */
#include "draw/view/queues/queues.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/state.h"
#include "core/series/mean.h"
#include "draw/view/view_counters.h"
#include "draw/view/view_list.h"
#include "draw/view/view_table.h"
#include "draw/view/view_timeline.h"
#include "explorer/state/shown.h"
#include "explorer/state/state_queues.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_views.h"
#include "work/timeline/timeline.h"

enum { SIDE_BY_SIDE = 110, SPARK = 20, TREND = 7 };

static const struct pane_spec queues_wish[] = {
	{.priority = 0, .band = 0, .column = 0, .min_w = 20, .min_h = 5, .weight_w = 1, .weight_h = 3},
};
static const struct pane_spec lengths_wish[] = {
	{.priority = 1, .band = 1, .column = 0, .min_w = 40, .min_h = 6, .weight_w = 2, .weight_h = 2, .from_h = 14},
};
static const struct pane_spec queue_wish[] = {
	{.priority = 2, .band = 1, .column = 1, .min_w = 38, .max_w = 60, .min_h = 8, .weight_w = 1, .weight_h = 2,
		.from_w = SIDE_BY_SIDE, .from_h = 16},
};

/* Adds "0-7" if these numbers are consecutive, else how many there are. */
static void
queues_add_range(const char *from, const char *to, size_t n, struct str *out)
{
	uint64_t a, b;

	if (str_to_u64(from, &a) && str_to_u64(to, &b) && b - a + 1 == n)
		str_addf(out, " %s-%s", from, to);
	else
		str_addf(out, " ×%zu", n);
}

void
add_queue_place(const struct state *state, const struct net_queue *q, struct str *out)
{
	const struct net_module *module = &timeline_network(state->data.timeline)->module[q->module];
	size_t first, n = state_queue_owners(state, q, &first);
	struct str from = {0}, to = {0};

	str_add(out, module->name);
	timeline_add_owner(state, module->per, first, true, &from);
	timeline_add_owner(state, module->per, first + n - 1, true, &to);
	if (n > 1)
		queues_add_range(str_text(&from), str_text(&to), n, out);
	else if (from.n)
		str_addf(out, " %s", str_text(&from));
	str_free(&from);
	str_free(&to);
}

double
queue_arrivals(const struct net_queue *q)
{
	return q->arrivals + (q->missing > 0 ? q->missing : 0);
}

double
queue_wait(const struct net_queue *q)
{
	double arrivals = queue_arrivals(q);

	return q->missing > 0 && arrivals > 0 ? q->length / arrivals : q->wait;
}

enum { PLACE, KIND, LENGTH, BAR, KNOWN, RATE, BYTES, ARRIVALS, WAIT, HISTORY, WAS, CHANGE, COLUMNS };

/* `room`: what is left beside component, path and length. */
static const struct column queue_columns[COLUMNS] = {
	[PLACE] = {.head = "component", .gap = 1, .name = "component", .stays = true, .order = 1 + QUEUE_BY_PLACE},
	[KIND] = {.head = "path", .gap = 2, .name = "path"},
	[LENGTH] = {.head = "length", .width = 8, .right = true, .name = "length", .order = 1 + QUEUE_BY_LENGTH},
	[BAR] = {.gap = 1, .rest = true, .name = "bar"},
	[KNOWN] = {.head = "known per", .gap = 1, .width = 9, .room = 80, .name = "known-per"},
	[RATE] = {.head = "per s", .width = 9, .room = 84, .right = true, .name = "per-second"},
	[BYTES] = {.head = "bytes/s", .width = 10, .room = 88, .right = true, .name = "bytes"},
	[ARRIVALS] = {.head = "arrivals/ms", .width = 13, .room = 71, .right = true, .name = "arrivals"},
	[WAIT] = {.head = "wait", .width = 10, .room = 71, .right = true, .name = "wait"},
	[HISTORY] = {.gap = 1, .width = SPARK + 1, .room = 39, .name = "over-time"},
	[WAS] = {.gap = 1, .width = 8, .room = 19, .right = true, .name = "compared"},
	[CHANGE] = {.head = "trend", .gap = 1, .width = TREND, .room = 10, .name = "trend",
		.order = 1 + QUEUE_BY_TREND},
};

static int
queues_widest(const struct state *state, const size_t *order, size_t n, int most)
{
	struct grid *grid = grid_new(1, 1, false);
	struct pen p = pen_on(grid, (struct rect){0, 0, 1, 1}, ROLE_TEXT);
	int w = 9;

	for (size_t i = 0; i < n; i++) {
		struct str place = {0};

		add_queue_place(state, &state->answers.timeline.analysis->queues->queue[order[i]], &place);
		if (pen_columns(&p, str_text(&place)) > w)
			w = pen_columns(&p, str_text(&place));
		str_free(&place);
	}
	grid_free(grid);
	return w < most ? w : most;
}

/* Does a module whose queue is listed count bytes? */
static bool
moves_bytes(const struct list *list)
{
	const struct net_queue *queue = list->state->answers.timeline.analysis->queues->queue;
	const struct network *net = timeline_network(list->state->data.timeline);

	for (size_t i = 0; i < list->n; i++)
		if (net->module[queue[list->order[i]].module].cell[queue[list->order[i]].kind].field[NET_BYTES])
			return true;
	return false;
}

/* Requests per second at the queue's module and owner, and what they move there. */
static void
draw_rates(struct list_row *row, const struct net_queue *queue)
{
	const struct net_state *state = row->list->state->answers.timeline.analysis->state;
	const struct net_cell_values v = net_state_cell(state, queue->module, queue->owner, queue->kind);
	double seconds = net_state_seconds(state),
	       requests = queue_arrivals(queue) * net_state_clock(state, queue->module, queue->owner);
	char number[NUMBER_TEXT];

	list_text(row, RATE, ROLE_TEXT,
		seconds > 0 && !isnan(requests) ? number_count(number, requests / seconds, false) : "·");
	list_text(row, BYTES, ROLE_TEXT,
		seconds > 0 && v.field[NET_BYTES] > 0
			? number_bytes(number, v.field[NET_BYTES] / seconds, false) : "·");
}

static void
queues_fit_columns(struct list *list, int w)
{
	const struct network *net = timeline_network(list->state->data.timeline);
	struct column *column = list->column;

	column[PLACE].width = queues_widest(list->state, list->order, list->n,
		w >= SIDE_BY_SIDE ? 20
			: w >= 60 ? 12
				  : 10);
	column[KIND].width = 4;
	for (size_t k = 0; k < net->n_kinds; k++)
		if ((int)strlen(net->kind[k].name) > column[KIND].width)
			column[KIND].width = (int)strlen(net->kind[k].name);
	column[KIND].width = column[KIND].width < 10 ? column[KIND].width : 10;
	list->room = w - 12 - column[PLACE].width - column[KIND].width;
	if (list->state->view.timeline.rates) { /* instead of the past, where there is no room for both */
		column[RATE].room = 14;
		column[BYTES].room = 26;
		column[HISTORY].room += 10 + (moves_bytes(list) ? 10 : 0);
	}
	if (!net_has_cores(net))
		column[KNOWN].width = 0;
	if (!list->state->answers.timeline.history || list->state->answers.timeline.history->n < 2)
		column[HISTORY].width = column[CHANGE].width = 0;
	if (!moves_bytes(list))
		column[BYTES].width = 0;
	if (!list->state->answers.timeline.other)
		column[WAS].width = 0;
	else
		for (size_t i = ARRIVALS; i <= HISTORY; i++)
			column[i].room += column[WAS].width + column[WAS].gap;
	if (list->room >= column[WAIT].room)
		column[HISTORY].gap = 3;
}

/* Sparkline of means if there are more snapshots than columns. Each line has its own scale, up to twice its mean or its
 * maximum: bars compare lines, the sparkline shows the past. A constant queue is at half height. */
static void
draw_series(const struct pen *pen, int x, int y, const double *v, size_t n)
{
	double shown[SPARK], all = 0, known = 0, most = 0;
	size_t columns = n < SPARK ? n : SPARK;

	for (size_t k = 0; k < columns; k++) {
		double sum = 0, some = 0;

		for (size_t i = k * n / columns; i < (k + 1) * n / columns; i++)
			if (!isnan(v[i])) {
				sum += v[i];
				some++;
			}
		shown[k] = some > 0 ? sum / some : NAN;
		all += sum;
		known += some;
		most = some > 0 ? fmax(most, shown[k]) : most;
	}
	draw_spark(pen, x, y, SPARK, shown, columns, known > 0 ? fmax(most, 2 * all / known) : 0);
}

static enum role
draw_trend(const struct pen *pen, int x, int y, struct series_trend t, bool culprit)
{
	struct pen p = *pen;
	char text[24];

	p.fg = t.direction == 0 ? ROLE_DIM : t.direction < 0 ? ROLE_FEASIBLE : culprit ? ROLE_HOT : ROLE_TEXT;
	if (t.direction == 0)
		snprintf(text, sizeof text, "·");
	else if (isnan(t.ratio))
		snprintf(text, sizeof text, "↑");
	else if (t.ratio > 99 || t.ratio < 0.05)
		snprintf(text, sizeof text, t.ratio > 99 ? "↑ >99×" : "↓ <0.1×");
	else
		snprintf(text, sizeof text, t.ratio < 9.95 ? "%s %.1f×" : "%s %.0f×", t.direction > 0 ? "↑" : "↓",
			t.ratio);
	pen_text(&p, x, y, text);
	return p.fg;
}

static const struct net_queue *
find_queue(const struct net_queues *all, const struct net_queue *like)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->queue[i].module == like->module && all->queue[i].owner == like->owner &&
			all->queue[i].kind == like->kind)
			return &all->queue[i];
	return NULL;
}

static void
queues_draw_row(struct list_row *row)
{
	const struct state *state = row->list->state;
	const struct timeline_answers *answers = &state->answers.timeline;
	const struct timeline_history *history = answers->history;
	const struct net_queue *queue = &answers->analysis->queues->queue[row->item], *other;
	const double *top = row->list->of;
	bool culprit = queue == answers->analysis->culprit;
	double *v = mem_new_array(history ? history->n : 0, sizeof *v);
	struct str place = {0};
	char number[NUMBER_TEXT];
	struct series_trend trend;
	struct rect at;

	state_queue_series(state, queue, v);
	trend = series_trend(v, history ? history->n : 0);
	add_queue_place(state, queue, &place);
	row->pen.attr = row->here || culprit ? CELL_BOLD : 0;
	list_text(row, PLACE, ROLE_TEXT, str_text(&place));
	row->pen.attr = path_kind_attr(queue->kind);
	list_text(
		row, KIND, path_kind_role(queue->kind), timeline_network(state->data.timeline)->kind[queue->kind].name);
	row->pen.attr = 0;
	if (list_cell(row, BAR, path_kind_role(queue->kind), &at) && at.w > 3 && *top > 0)
		draw_bar(&row->pen, at.x, at.y, at.w - 1, queue->length / *top);
	list_text(row, LENGTH, culprit ? ROLE_HOT : queue->background ? ROLE_DIM : ROLE_TEXT,
		queue_length_text(number, queue->length));
	list_text(row, KNOWN, ROLE_DIM,
		scope_name(net_queue_known_per(timeline_network(state->data.timeline), queue->module, queue->kind)));
	draw_rates(row, queue);
	list_text(row, ARRIVALS, ROLE_TEXT, number_arrivals(number, state, queue, queue_arrivals(queue), false));
	list_text(row, WAIT, ROLE_TEXT, number_wait(number, state, queue, queue_wait(queue), false));
	other = answers->other ? find_queue(answers->other->queues, queue) : NULL;
	list_text(row, WAS, ROLE_DIM, other ? queue_length_text(number, other->length) : "·");
	if (list_cell(row, HISTORY, trend.direction ? ROLE_TEXT : ROLE_DIM, &at) && history)
		draw_series(&row->pen, at.x, at.y, v, history->n);
	if (list_cell(row, CHANGE, ROLE_TEXT, &at))
		draw_trend(&row->pen, at.x, at.y, trend, culprit);
	str_free(&place);
	free(v);
}

/* "▸ 8 more below 0.5   culprit of the snapshots: HWPF M2PCIe 31   DRd LFB 9" */
static void
draw_more(const struct state *state, struct page *page)
{
	const struct network *net = timeline_network(state->data.timeline);
	struct queue_counts counts = state_queue_counts(state);
	size_t n;
	struct queue_culprit *culprit = state_queue_culprits(state, &n);
	struct line l = page_line(page);

	if (counts.hidden)
		line_add(&l, ROLE_DIM, 0, "%zu more below %g   ", counts.hidden, QUEUES_SHORT);
	if (counts.unknown)
		line_add(&l, ROLE_DIM, 0, "%zu not known   ", counts.unknown);
	if (n && state->answers.timeline.history->n > 1)
		line_add(&l, ROLE_DIM, 0, "culprit of the snapshots: ");
	for (size_t i = 0; i < n && i < 4 && state->answers.timeline.history->n > 1; i++) {
		line_add(&l, path_kind_role(culprit[i].kind), path_kind_attr(culprit[i].kind), "%s %s",
			net->kind[culprit[i].kind].name, net->module[culprit[i].module].name);
		line_add(&l, ROLE_TEXT, 0, " %zu   ", culprit[i].snapshots);
	}
	free(culprit);
}

/* Counters that formulas of queues need and that were not counted. */
static void
write_missing(const struct state *state, struct page *page)
{
	const struct timeline_answers *answers = &state->answers.timeline;
	const struct network *net = timeline_network(state->data.timeline);
	bool *has = mem_new_array(net->n_counters, sizeof *has);

	for (size_t i = 0; i < answers->analysis->queues->n; i++)
		queue_counters(state, &answers->analysis->queues->queue[i], has);
	for (size_t c = 0; c < net->n_counters; c++)
		has[c] &= answers->analysis->counter[c].why != NULL;
	page_counters(state, page, has, 1);
	free(has);
}

/* Why there is no list, and which key helps. */
static bool
queues_draw_nothing(const struct state *state, struct page *page, size_t n)
{
	const struct timeline_analysis *analysis = state->answers.timeline.analysis;
	struct str words = {0};

	if (!timeline_network(state->data.timeline)) {
		page_words(page, ROLE_TEXT, "A stack has bars and no queues.");
		page_words(page, ROLE_DIM, "6  the bars\nhecate NETWORK STACK DATA shows bars and queues");
	} else if (!analysis) {
		timeline_no_counters(page, true, timeline_network(state->data.timeline)->name, "no queue is known");
	} else if (analysis->queues->n == 0) {
		str_addf(&words, "%s defines no delays, so it has no queues: a queue is arrivals times wait.",
			timeline_network(state->data.timeline)->name);
		page_words(page, ROLE_TEXT, str_text(&words));
		page_words(page, ROLE_DIM, "5  the paths");
	} else if (analysis->queues->known == 0) {
		str_addf(&words,
			"None of %zu queues is known in this snapshot: counters of hits, delays or clocks are missing, "
			"or were 0.",
			analysis->queues->n);
		page_words(page, ROLE_TEXT, str_text(&words));
		page_words(page, ROLE_DIM, "[ ] show other snapshots; 5 and Enter on a module shows its formulas");
		page_blank(page);
		write_missing(state, page);
	} else if (n == 0) {
		page_words(page, ROLE_DIM, "No queue contains these words. \\ then Enter without a text shows all.");
	} else {
		return false;
	}
	str_free(&words);
	return true;
}

static void
queues_draw_list(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct column column[COLUMNS];
	size_t n, cursor = (size_t)state->view.cursor[PANE_QUEUES];
	const size_t *order = state_queues(state, &n);
	struct page p = {.s = state, .g = grid, .r = r};
	const struct net_queue *queue = n ? state->answers.timeline.analysis->queues->queue : NULL;
	double top = 0; /* the longest queue */
	struct list l = {.state = state, .of = &top, .column = column, .n_columns = COLUMNS, .order = order, .n = n,
		.cursor = cursor < n ? cursor : n - 1, .draw = queues_draw_row, .pane = PANE_QUEUES,
		.action = ACTION_formula};
	struct str over = {0}, was = {0};

	if (queues_draw_nothing(state, &p, n))
		return;
	for (size_t i = 0; i < n; i++)
		top = fmax(top, queue[order[i]].length);
	memcpy(column, queue_columns, sizeof column);
	queues_fit_columns(&l, r.w);
	if (queue_in_cycles(state, &queue[order[0]])) {
		column[ARRIVALS].head = "arrivals/cyc";
		column[WAIT].head = "wait cyc";
	}
	if (state->answers.timeline.history)
		str_addf(&over, "over %zu snapshots", state->answers.timeline.history->n);
	if (state->answers.timeline.other)
		timeline_add_compared(state, true, &was);
	column[HISTORY].head = str_text(&over);
	column[WAS].head = str_text(&was);
	list_draw(&l, grid, r, focus, drawn);
	p.row = (int)n + 2;
	if (p.row < p.r.h)
		draw_more(state, &p);
	str_free(&over);
	str_free(&was);
}

static void
queues_title_list(const struct state *s, struct str *title, struct str *info)
{
	str_add(title, "Queues by component and path");
	if (timeline_is_run(s))
		str_add(info, "whole run · ");
	if (s->view.timeline.rates)
		str_add(info, "per second · ");
	str_addf(info, "%s%s", queue_sort_name(s->view.timeline.queue_sort), state_reversed_words(s));
	if (s->view.filter[VIEW_QUEUES])
		str_addf(info, " · filter: %s", s->view.filter[VIEW_QUEUES]);
	if (s->answers.timeline.other) {
		str_add(info, " · against ");
		timeline_add_compared(s, false, info);
	}
}

/* A short list leaves its room to the panes below. */
static bool
queues_fit_list(const struct state *s, struct rect body, struct pane_spec *wish)
{
	size_t n = state_count_shown(s, &shown_queues);

	if (n && (int)n + 4 < body.h * 3 / 5)
		wish->max_h = (int)n + 4 > 8 ? (int)n + 4 : 8;
	return true;
}

static bool
queues_sentence(const struct state *state, struct line *line)
{
	const struct net_queues *all = state->answers.timeline.analysis ? state->answers.timeline.analysis->queues
									: NULL;
	const struct net_queue *queue = state->answers.timeline.analysis && state->answers.timeline.analysis->culprit
		? state->answers.timeline.analysis->culprit : all && all->awaited ? &all->queue[0] : NULL;
	struct queue_counts c;
	struct str place = {0};
	char number[NUMBER_TEXT];

	if (!queue)
		return false;
	c = state_queue_counts(state);
	add_queue_place(state, queue, &place);
	line_add(line, ROLE_TEXT, 0, "%s on %s: ", timeline_network(state->data.timeline)->kind[queue->kind].name,
		str_text(&place));
	line_add(line, ROLE_TEXT, CELL_BOLD, "%s", queue_length_text(number, queue->length));
	line_add(line, ROLE_TEXT, 0, " wait");
	if (!state->answers.timeline.analysis->culprit)
		line_add(line, ROLE_TEXT, 0, ", too few for a culprit");
	else if (!isnan(all->margin))
		line_add(line, ROLE_TEXT, 0, ", %s× the next", number_digits(number, all->margin, 2, false));
	line_add(line, ROLE_TEXT, 0, "; %zu pairs", c.lines);
	if (c.hidden)
		line_add(line, ROLE_TEXT, 0, ", %zu below %g hidden", c.hidden, QUEUES_SHORT);
	str_free(&place);
	return true;
}

const struct pane_draw pane_draw_queues = {
	.title = queues_title_list, .draw = queues_draw_list, PANE_WISHES(queues_wish), .fit = queues_fit_list,
	PANE_COLUMNS(queue_columns)};
const struct pane_draw pane_draw_lengths = {.title = title_lengths, .draw = draw_lengths, PANE_WISHES(lengths_wish)};
const struct pane_draw pane_draw_queue = {.title = title_queue, .draw = draw_queue, PANE_WISHES(queue_wish)};
const struct view_draw view_draw_queues = {
	.sentence = queues_sentence, .lacks = timeline_lacks, .nothing = timeline_nothing};
