/* View 5 on a large screen: the snapshots so far, their culprits, and what has changed since the snapshot of the
 * comparison. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/queues.h"
#include "draw/view/paths/paths.h"
#include "draw/view/view_page.h"
#include "draw/view/view_timeline.h"
#include "explorer/state/state_paths.h"
#include "work/timeline/timeline.h"

#define CHANGES_MOST 64

/* Module, owner and kind of a cell of the history. */
static void
cell_place(const struct timeline_history *h, const struct network *n, size_t cell, size_t *module, size_t *kind)
{
	size_t owner = cell / h->n_kinds;

	*kind = cell % h->n_kinds;
	*module = 0;
	while (*module + 1 < n->n_modules && owner >= h->module_first[*module + 1])
		++*module;
}

/* The longest queue of each kind in every snapshot. */
static void
draw_kinds_in_time(struct page *page)
{
	const struct timeline_history *history = state_timeline_shown(page->s).history;
	const struct network *network = timeline_network(page->s->data.timeline);
	double *v = mem_new_array(history->n, sizeof *v);
	struct line l = page_line(page);
	double now = 0;

	line_add(&l, ROLE_DIM, 0, "longest queue of each kind, %zu snapshots", history->n);
	for (size_t k = 0; k < network->n_kinds; k++) {
		double top = 0;
		char number[NUMBER_TEXT];
		struct pen pen;

		for (size_t i = 0; i < history->n; i++) {
			v[i] = NAN;
			for (size_t c = k; c < history->n_cells; c += history->n_kinds) {
				double q = (double)history->length[i * history->n_cells + c];

				v[i] = isnan(q) || v[i] >= q ? v[i] : q;
			}
			top = v[i] > top ? v[i] : top;
		}
		now = v[history->n - 1];
		if (!(top > 0))
			continue;
		l = page_line(page);
		line_add(&l, path_kind_role(k), path_kind_attr(k), "%-5s", network->kind[k].name);
		line_add(&l, ROLE_TEXT, 0, "%6s ", queue_length_text(number, now));
		pen = l.pen;
		pen.fg = path_kind_role(k);
		pen.attr = 0;
		draw_spark(&pen, l.x, l.y, l.end - l.x - 1, v, history->n, 0);
	}
	free(v);
}

/* "culprit  HWPF LLC  31 of 41", then the others. */
static void
draw_culprits(struct page *page)
{
	const struct timeline_history *history = state_timeline_shown(page->s).history;
	const struct network *network = timeline_network(page->s->data.timeline);
	size_t *count = mem_new_array(history->n_cells, sizeof *count), of = 0;

	for (size_t i = 0; i < history->n; i++)
		if (history->culprit[i] != SIZE_MAX) {
			count[history->culprit[i]]++;
			of++;
		}
	for (int row = 0; row < 3; row++) {
		size_t best = 0, module, kind;
		struct line l;

		for (size_t c = 0; c < history->n_cells; c++)
			best = count[c] > count[best] ? c : best;
		if (!count[best])
			break;
		cell_place(history, network, best, &module, &kind);
		l = page_line(page);
		line_add(&l, ROLE_DIM, 0, "%-8s ", row ? "" : "culprit");
		line_add(&l, row ? ROLE_TEXT : ROLE_HOT, 0, "%s %s", network->kind[kind].name,
			network->module[module].name);
		line_to(&l, 32);
		line_add(&l, ROLE_TEXT, 0, "%zu%s", count[best], "");
		if (!row)
			line_add(&l, ROLE_DIM, 0, " of %zu", of);
		count[best] = 0;
	}
	free(count);
}

struct change {
	const struct net_queue *now, *was;
	double ratio;
};

static int
compare_changes(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return x->ratio > y->ratio ? -1 : x->ratio < y->ratio ? 1 : 0;
}

/* The queues that changed most, of half a request or more. */
static void
draw_changes(struct page *page)
{
	const struct timeline_analysis *now = state_timeline_shown(page->s).analysis,
				       *was = state_timeline_shown(page->s).other;
	const struct network *network = timeline_network(page->s->data.timeline);
	struct change change[CHANGES_MOST];
	size_t some = 0;
	char number[NUMBER_TEXT], before[NUMBER_TEXT], ratio[NUMBER_TEXT];

	page_blank(page);
	if (!was) {
		page_words(page, ROLE_DIM, "c compares the snapshots that [ ] show with this one.");
		return;
	}
	page_head(page, "against the other snapshot", "queues");
	for (size_t i = 0; i < now->queues->known && some < CHANGES_MOST; i++)
		for (size_t k = 0; k < was->queues->known; k++) {
			const struct net_queue *a = &now->queues->queue[i], *b = &was->queues->queue[k];

			if (a->module != b->module || a->owner != b->owner || a->kind != b->kind ||
				(a->length < 0.5 && b->length < 0.5))
				continue;
			change[some++] = (struct change){a, b, fabs(log((a->length + 1e-9) / (b->length + 1e-9)))};
		}
	if (some)
		qsort(change, some, sizeof *change, compare_changes);
	for (size_t i = 0; i < some && i < 6 && !page_full(page); i++) {
		struct line l = page_line(page);

		line_add(&l, path_kind_role(change[i].now->kind), path_kind_attr(change[i].now->kind), "%-5s",
			network->kind[change[i].now->kind].name);
		line_add(&l, ROLE_TEXT, 0, "%s", network->module[change[i].now->module].name);
		line_to(&l, 20);
		line_add(&l, ROLE_DIM, 0, "%s → ", queue_length_text(before, change[i].was->length));
		line_add(&l, ROLE_TEXT, 0, "%s  ", queue_length_text(number, change[i].now->length));
		line_add(&l, change[i].now->length > change[i].was->length ? ROLE_INFEASIBLE : ROLE_FEASIBLE, 0, "%s",
			number_change(ratio, change[i].now->length, change[i].was->length));
	}
	if (!some)
		page_words(page, ROLE_DIM, "no queue of half a request or more in both");
}

/* The longest queues of this snapshot, as many as there is room for. */
static void
draw_longest(struct page *page)
{
	const struct net_queues *queues = state_timeline_shown(page->s).analysis->queues;
	const struct network *network = timeline_network(page->s->data.timeline);
	char number[NUMBER_TEXT];

	if (!queues->known || page_full(page))
		return;
	page_blank(page);
	page_head(page, "longest queues", "");
	for (size_t i = 0; i < queues->known && queues->queue[i].length > 0 && !page_full(page); i++) {
		const struct net_queue *queue = &queues->queue[i];
		const struct net_module *module = &network->module[queue->module];
		char *owner = state_paths_owner(page->s, module->per, queue->owner);
		struct line l = page_line(page);

		line_add(&l, path_kind_role(queue->kind), path_kind_attr(queue->kind), "%-5s",
			network->kind[queue->kind].name);
		line_add(&l, ROLE_TEXT, 0, "%6s %s ", queue_length_text(number, queue->length), module->name);
		line_add(&l, ROLE_DIM, 0, "%s", owner);
		free(owner);
	}
}

void
draw_snapshots(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct page p = {.s = state, .g = grid, .r = r};
	size_t n = state->data.timeline ? timeline_snapshots(state->data.timeline) : 0;
	struct timeline_snapshot m;
	char number[NUMBER_TEXT];
	struct line l;

	(void)focus;
	(void)drawn;
	if (!n || !state_timeline_shown(state).analysis) {
		page_words(&p, ROLE_DIM, "There is no snapshot of a network yet.");
		return;
	}
	m = timeline_snapshot(state->data.timeline, state->view.timeline.snapshot);
	l = page_line(&p);
	if (timeline_is_run(state)) {
		line_add(&l, ROLE_TEXT, 0, "whole run");
		line_add(&l, ROLE_DIM, 0, ", %zu snapshot%s", m.of, plural_s(m.of));
		if (!isnan(m.end))
			line_add(&l, ROLE_DIM, 0, ", %s", number_seconds(number, m.end, false));
	} else {
		line_add(&l, ROLE_TEXT, 0, "%zu of %zu", m.number, m.of);
		if (!isnan(m.end))
			line_add(&l, ROLE_DIM, 0, "  until %s s", number_digits(number, m.end, 6, false));
		if (!isnan(m.seconds))
			line_add(&l, ROLE_DIM, 0, ", %s long", number_seconds(number, m.seconds, false));
	}
	if (state_timeline_shown(state).history && state_timeline_shown(state).history->n > 1) {
		draw_kinds_in_time(&p);
		draw_culprits(&p);
	}
	draw_changes(&p);
	draw_longest(&p);
}
