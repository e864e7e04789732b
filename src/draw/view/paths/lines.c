/* Lines about lanes, and the numbers of boxes and panes of view 5. */
#include "draw/view/paths/box.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/queues.h"
#include "core/network/stalls.h"
#include "explorer/state/state_paths.h"
#include "work/timeline/timeline.h"

/* --- numbers ----------------------------------------------------------------------------------------------------- */

char *
number_brief(char out[NUMBER_TEXT], double v)
{
	static const char sign[] = " kMGT";
	int i = 0;

	if (isnan(v)) {
		snprintf(out, NUMBER_TEXT, "?");
		return out;
	}
	for (; v >= 999.5 && i < 4; i++)
		v /= 1000;
	if (i == 0)
		snprintf(out, NUMBER_TEXT, "%.0f", v);
	else
		snprintf(out, NUMBER_TEXT, v < 9.95 ? "%.1f %c" : "%.0f %c", v, sign[i]);
	return out;
}

char *
number_whole_share(char out[NUMBER_TEXT], double share)
{
	if (isnan(share))
		snprintf(out, NUMBER_TEXT, "?");
	else if (share > 0 && share < 0.0005)
		snprintf(out, NUMBER_TEXT, "<.1");
	else
		snprintf(out, NUMBER_TEXT, share > 0 && share < 0.00995 ? "%.1f" : "%.0f", share * 100);
	return out;
}

char *
number_change(char out[NUMBER_TEXT], double now, double was)
{
	double ratio = now / was;

	*out = '\0';
	if (isnan(ratio) || !isfinite(ratio) || (ratio > 0.95 && ratio < 1.05))
		return out;
	snprintf(out, NUMBER_TEXT, ratio < 9.95 ? "%s%.1f×" : "%s%.0f×", ratio > 1 ? "↑" : "↓", ratio);
	return out;
}

/* --- lines ------------------------------------------------------------------------------------------------------- */

struct words *
box_line(struct box_page *p, int row)
{
	struct words *t;

	mem_grow(&p->line, &p->cap, (size_t)p->n + 1, sizeof *p->line);
	t = &p->line[p->n++];
	*t = (struct words){.row = row, .bar = NAN};
	return t;
}

void
box_write(struct words *t, enum role role, unsigned char attr, bool right, const char *fmt, ...)
{
	struct segment *s = t->n < SEGMENTS_MOST ? &t->seg[t->n++] : NULL;
	va_list ap;

	if (!s)
		return;
	*s = (struct segment){.role = role, .attr = attr, .right = right};
	va_start(ap, fmt);
	vsnprintf(s->text, sizeof s->text, fmt, ap);
	va_end(ap);
}

bool
box_is_culprit(const struct box_page *p, size_t module, size_t kind)
{
	const struct net_queue *q = p->c->now->analysis ? p->c->now->analysis->culprit : NULL;

	return q && p->c->culprit != SIZE_MAX && p->b == &p->c->l->box[p->c->culprit] && q->module == module &&
		q->kind == kind;
}

/* Requests of all kinds that reach the box's modules: shares of places are parts of this sum. */
double
box_arrivals(const struct box_page *p, size_t module)
{
	double sum = 0;

	for (size_t k = 0; k < p->c->net->n_kinds; k++) {
		double v = traffic_arrivals(p->c->now, p->b, module, k);

		sum += isnan(v) ? 0 : v;
	}
	return sum;
}

/* The parts of a lane's line that fit: the share with or without fraction and unit; the queue with or without blank;
 * the kind's name. */
struct lane_words {
	char share[24], queue[24];
	bool name;
};

static bool
lane_fits(const struct lane_words *l, int names, int w)
{
	/* "↓" is one column of three bytes */
	int share = (int)strlen(l->share) - (*l->share != ' ' ? 2 : 0), queue = (int)strlen(l->queue);

	return share + (queue ? queue + 1 : 0) + (l->name ? names + 1 : 0) <= w;
}

/* Without room the units are left out first, then the kind's name (colour and order show it), then a short queue. */
static struct lane_words
lane_words(double share, const char *mark, double length, int names, int w)
{
	static const struct { int share, queue; bool name; } choice[] = {
		{2, 2, true}, {1, 1, true}, {0, 1, true}, {1, 2, false}, {1, 1, false}, {0, 1, false}, {0, 0,
			false}, {2, 3, true}, {1, 3, true}, {0, 3, true}, {0, 3, false},
	};
	bool queue = length >= SHORT_QUEUE;
	char number[NUMBER_TEXT], whole[NUMBER_TEXT];
	struct lane_words l = {.name = false};

	number_share(number, share);
	number_whole_share(whole, share);
	for (size_t i = 0; i < sizeof choice / sizeof *choice; i++) {
		if ((choice[i].queue == 3) == queue)
			continue;
		snprintf(l.share, sizeof l.share,
			choice[i].share == 2 ? "%s%5.10s %%" : choice[i].share == 1 ? "%s%.10s" : "%s%.10s",
			mark, choice[i].share ? number : whole);
		*l.queue = '\0';
		if (choice[i].queue == 0 && length >= 0.5)
			snprintf(l.queue, sizeof l.queue, "q%.0f", length);
		else if (choice[i].queue == 0)
			*l.queue = '\0';
		else if (choice[i].queue < 3)
			snprintf(l.queue, sizeof l.queue, choice[i].queue == 2 ? "q%5.16s" : "q%.16s",
				queue_length_text(number, length));
		number_share(number, share);
		l.name = choice[i].name;
		if (lane_fits(&l, names, w))
			break;
	}
	return l;
}

/* One kind at one module: the share served here (or, if unknown, the kind's share of the module's requests), and the
 * queue. */
static void
lane_line(struct box_page *p, size_t module, size_t kind, int row, bool name)
{
	struct traffic_cell x = traffic_cell(p->c->now, p->b, module, kind);
	bool hot = box_is_culprit(p, module, kind), served = x.hits > 0 || x.misses > 0,
	     known = x.state == NET_CELL_REPORTED && !isnan(x.hits);
	double share = served && known
		? x.hits / (x.hits + (isnan(x.misses) ? 0 : x.misses))
		: traffic_arrivals(p->c->now, p->b, module, kind) / box_arrivals(p, module);
	const char *kind_name = p->c->net->kind[kind].name;
	int w = p->w, names = (int)strlen(kind_name);
	struct words *words = box_line(p, row);
	struct lane_words l;
	char change[NUMBER_TEXT] = "";

	if (name) { /* it loses its tail, so that there is room for the share */
		int room = w > 10 ? w - 5 : 5, len = (int)strlen(p->c->net->module[module].name);

		box_write(words, ROLE_TEXT, 0, false, "%.*s", room, p->c->net->module[module].name);
		w -= (len < room ? len : room) + 1;
	}
	if (isnan(share)) {
		box_write(words, path_kind_role(kind), path_kind_attr(kind), false, "%s", name ? "" : kind_name);
		box_write(words, ROLE_UNDECIDED, 0, name, "?");
		return;
	}
	l = lane_words(share, served && known ? "↓" : " ", isnan(x.queue) ? 0 : x.queue, names, w);
	box_write(words, ROLE_TEXT, 0, false, "%s", l.share);
	box_write(words, hot ? ROLE_HOT : ROLE_TEXT, 0, !l.name, "%s", l.queue);
	if (p->c->other)
		number_change(change, x.queue, traffic_cell(p->c->other, p->b, module, kind).queue);
	if (*change && w >= 17 + names + 1 + 7)
		box_write(words,
			x.queue > traffic_cell(p->c->other, p->b, module, kind).queue ? ROLE_INFEASIBLE : ROLE_FEASIBLE,
			0, false, "%s", change);
	if (l.name)
		box_write(words, path_kind_role(kind), path_kind_attr(kind), true, "%s", kind_name);
}

/* --- kinds of boxes ---------------------------------------------------------------------------------------------- */

/* Sources of requests: how many of each kind, their rate, and the share of time spent waiting. */
void
box_source_lines(struct box_page *p)
{
	const struct network *network = p->c->net;
	size_t module = p->b->module[0];
	char number[NUMBER_TEXT];
	double clock = 0, stalled = 0;

	for (size_t k = 0; k < network->n_kinds; k++) {
		double v = traffic_arrivals(p->c->now, p->b, module, k);
		struct words *words;

		if (network->module[module].cell[k].state != NET_CELL_REPORTED)
			continue;
		words = box_line(p, p->b->row[k] < 0 ? -1 : p->b->row[k] - p->b->y - 1);
		if (p->w >= 10)
			box_write(words, path_kind_role(k), path_kind_attr(k), false, "%s", network->kind[k].name);
		box_write(words, path_kind_role(k), path_kind_attr(k), true, "%s",
			number_brief(number, v / timeline_per(p->c->s)));
	}
	for (size_t i = 0; i < p->b->n_owners; i++)
		clock += net_state_clock(p->c->now->analysis->state, module, p->b->owner[i]);
	for (size_t d = 0; d < p->c->now->analysis->n_stalls; d++)
		for (size_t i = 0; i < p->b->n_owners; i++)
			for (size_t k = 0; k < network->n_kinds; k++) {
				double v = p->c->now->analysis->stalls[d]->stall[net_stalls_at(
					p->c->now->analysis->stalls[d], module, p->b->owner[i], k)];

				stalled += isnan(v) ? 0 : v;
			}
	if (network->module[module].clock && unit_equal(network->module[module].clock->unit, unit_of(UNIT_CYCLES)) &&
		net_state_seconds(p->c->now->analysis->state) > 0 && !isnan(clock)) {
		double rate = clock / net_state_seconds(p->c->now->analysis->state) * 1e-9 / (double)p->b->n_owners;

		box_write(box_line(p, -1), ROLE_DIM, 0, false, p->w >= 8 ? "GHz %.2f" : "%.1fGHz", rate);
		if (stalled > 0 && clock > 0) {
			struct words *words = box_line(p, -1);

			box_write(words, ROLE_DIM, 0, false, p->w >= 10 ? "stalls" : p->w >= 8 ? "stl" : "!");
			box_write(words, ROLE_TEXT, 0, true, "%s %%", number_whole_share(number, stalled / clock));
		}
	}
}

void
box_module_lines(struct box_page *page, size_t module, bool bound)
{
	const struct network *network = page->c->net;
	bool used[256] = {0};

	for (size_t i = 0; i < network->n_kinds; i++) {
		size_t k = page->c->l->kind[i];
		const struct net_cell *cell = &network->module[module].cell[k];
		double here;
		int row = bound && page->b->row[k] >= 0 ? page->b->row[k] - page->b->y - 1 : -1;

		if (cell->state == NET_CELL_ABSENT || (cell->state != NET_CELL_REPORTED && page->b->row[k] < 0))
			continue;
		here = traffic_arrivals(page->c->now, page->b, module, k);
		if (row >= 0 && row < 256 && used[row]) /* a row shows its first kind with anything to say */
			continue;
		if (!(here > 0) && !(isnan(here) && page->b->row[k] >= 0))
			continue;
		if (isnan(here) && cell->state != NET_CELL_REPORTED && cell->state != NET_CELL_UNREPORTED)
			continue;
		if (row >= 0 && row < 256) { /* the heaviest of the lanes that share the row */
			size_t best = k;

			for (size_t j = 0; j < network->n_kinds; j++)
				if (page->b->row[j] == page->b->row[k] &&
					traffic_arrivals(page->c->now, page->b, module, j) >
						(isnan(here) ? 0
							     : traffic_arrivals(page->c->now, page->b, module, best)))
					best = j;
			used[row] = true;
			k = best;
		}
		lane_line(page, module, k, row, false);
	}
}

/* If modules of a block share a box, each has a line: the kind with the most requests. */
void
box_joined_lines(struct box_page *p)
{
	for (size_t m = 0; m < p->b->n_modules; m++) {
		size_t best = SIZE_MAX;
		double most = 0;

		for (size_t k = 0; k < p->c->net->n_kinds; k++) {
			double v = traffic_arrivals(p->c->now, p->b, p->b->module[m], k);

			if (v > most) {
				most = v;
				best = k;
			}
		}
		if (best != SIZE_MAX)
			lane_line(p, p->b->module[m], best,
				p->h >= (int)p->b->n_modules ? (int)m * p->h / (int)p->b->n_modules : -1, true);
		else
			box_write(box_line(p, -1), ROLE_DIM, 0, false, "%s", p->c->net->module[p->b->module[m]].name);
	}
}

