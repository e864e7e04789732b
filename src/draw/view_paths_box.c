/* What a box says. Lines that are of one lane stand in its row; the others fill the rows that are free. What does not fit goes in this order: units,
 * names of kinds, short queues, shares. */
#include "draw/view_paths.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/profile.h"
#include "app/session_paths.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/network/queues.h"
#include "core/network/stalls.h"

#define SEGMENTS_MOST 8
#define SHORT_QUEUE 0.05

struct segment {
	char text[48];
	enum role role;
	unsigned char attr;
	bool right; /* at the right end of the line */
};

struct words {
	struct segment seg[SEGMENTS_MOST];
	int n, row;            /* of the box's inside; -1: wherever there is room */
	const double *spark;   /* instead of words, behind them */
	size_t n_spark;
	double bar;            /* a share, as a bar behind the words; NAN */
};

struct page_of_box {
	const struct clos *c;
	const struct net_layout_box *b;
	int w, h;              /* the inside */
	struct words *line;
	size_t cap;
	int n;
	double *values[2];     /* for sparklines: by owner or part, in time */
};

/* ---- numbers ---- */

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

/* ---- lines ---- */

static struct words *
add_line(struct page_of_box *p, int row)
{
	struct words *t;

	mem_grow(&p->line, &p->cap, (size_t)p->n + 1, sizeof *p->line);
	t = &p->line[p->n++];
	*t = (struct words){.row = row, .bar = NAN};
	return t;
}

static void __attribute__((format(printf, 5, 6)))
say(struct words *t, enum role role, unsigned char attr, bool right, const char *fmt, ...)
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

static bool
is_culprit(const struct page_of_box *p, size_t module, size_t kind)
{
	const struct net_queue *q = p->c->now->look ? p->c->now->look->culprit : NULL;

	return q && p->c->culprit != SIZE_MAX && p->b == &p->c->l->box[p->c->culprit] && q->module == module && q->kind == kind;
}

/* Requests that come to the box, of all its modules' kinds: the whole that shares of places are parts of. */
static double
all_arrivals(const struct page_of_box *p, size_t module)
{
	double sum = 0;

	for (size_t k = 0; k < p->c->net->n_kinds; k++) {
		double v = traffic_arrivals(p->c->now, p->b, module, k);

		sum += isnan(v) ? 0 : v;
	}
	return sum;
}

/* Of one kind at one module: what part is served here (or, where that is not told, what part of the module's requests are of this kind), and the queue. */
static void
lane_line(struct page_of_box *p, size_t module, size_t kind, int row, bool name)
{
	struct traffic_cell x = traffic_cell(p->c->now, p->b, module, kind);
	bool hot = is_culprit(p, module, kind), served = x.hits > 0 || x.misses > 0, told = x.state == NET_TOLD && !isnan(x.hits);
	double share = served && told ? x.hits / (x.hits + (isnan(x.misses) ? 0 : x.misses)) : traffic_arrivals(p->c->now, p->b, module, kind) / all_arrivals(p, module);
	char number[NUMBER_TEXT], queue[NUMBER_TEXT], change[NUMBER_TEXT] = "";
	const char *kind_name = p->c->net->kind[kind].name;
	int w = p->w, names = (int)strlen(kind_name);
	struct words *t = add_line(p, row);

	if (name) {
		say(t, ROLE_TEXT, 0, false, "%s", p->c->net->module[module].name);
		w -= (int)strlen(p->c->net->module[module].name) + 1;
	}
	number_queue(queue, x.queue);
	if (p->c->other)
		number_change(change, x.queue, traffic_cell(p->c->other, p->b, module, kind).queue);
	if (isnan(share)) {
		say(t, kind_role(kind), kind_attr(kind), false, "%s", name ? "" : kind_name);
		say(t, ROLE_UNDECIDED, 0, name, "?");
		return;
	}
	if (w >= 17 + names + 1) { /* ↓ 58.1 %  q  4.8  DRd */
		say(t, ROLE_TEXT, 0, false, served && told ? "↓%5s %%" : " %5s %%", number_share(number, share));
		say(t, hot ? ROLE_HOT : ROLE_TEXT, 0, false, isnan(x.queue) ? "" : " q%5s", queue);
		if (*change && w >= 17 + names + 1 + 7)
			say(t, x.queue > traffic_cell(p->c->other, p->b, module, kind).queue ? ROLE_INFEASIBLE : ROLE_FEASIBLE, 0, false, "%s", change);
		say(t, kind_role(kind), kind_attr(kind), true, "%s", kind_name);
	} else if (w >= 13 + names + 1 && !isnan(x.queue) && x.queue >= SHORT_QUEUE) {
		say(t, ROLE_TEXT, 0, false, served && told ? "↓%4s" : " %4s", number_whole_share(number, share));
		say(t, hot ? ROLE_HOT : ROLE_TEXT, 0, false, "q%5s", queue);
		say(t, kind_role(kind), kind_attr(kind), true, "%s", kind_name);
	} else if (w >= 9 + names && (isnan(x.queue) || x.queue < SHORT_QUEUE)) {
		say(t, ROLE_TEXT, 0, false, served && told ? "↓%5s %%" : " %5s %%", number_share(number, share));
		say(t, kind_role(kind), kind_attr(kind), true, "%s", kind_name);
	} else if (!isnan(x.queue) && x.queue >= SHORT_QUEUE) {
		say(t, ROLE_TEXT, 0, false, served && told ? "↓%s" : " %s", number_whole_share(number, share));
		if (w >= 8 && x.queue >= 9.95)
			say(t, hot ? ROLE_HOT : ROLE_TEXT, 0, true, "q%.0f", x.queue);
		else if (w >= 8)
			say(t, hot ? ROLE_HOT : ROLE_TEXT, 0, true, "q%s", queue);
	} else {
		say(t, ROLE_TEXT, 0, false, served && told ? "↓%s" : " %s", number_whole_share(number, share));
		if (w >= 4 + names)
			say(t, kind_role(kind), kind_attr(kind), true, "%s", kind_name);
	}
}

/* ---- kinds of boxes ---- */

/* Where requests begin: how many of each kind, how fast it runs, how much of its time it waits for what is behind. */
static void
source_lines(struct page_of_box *p)
{
	const struct network *n = p->c->net;
	size_t module = p->b->module[0];
	char number[NUMBER_TEXT];
	double clock = 0, stalled = 0;

	for (size_t k = 0; k < n->n_kinds; k++) {
		double v = traffic_arrivals(p->c->now, p->b, module, k);
		struct words *t;

		if (n->module[module].cell[k].state != NET_TOLD)
			continue;
		t = add_line(p, p->b->row[k] < 0 ? -1 : p->b->row[k] - p->b->y - 1);
		if (p->w >= 10)
			say(t, kind_role(k), kind_attr(k), false, "%s", n->kind[k].name);
		say(t, kind_role(k), kind_attr(k), true, "%s", number_brief(number, v));
	}
	for (size_t i = 0; i < p->b->n_owners; i++)
		clock += net_state_clock(p->c->now->look->state, module, p->b->owner[i]);
	for (size_t d = 0; d < p->c->now->look->n_stalls; d++)
		for (size_t i = 0; i < p->b->n_owners; i++)
			for (size_t k = 0; k < n->n_kinds; k++) {
				double v = p->c->now->look->stalls[d]->stall[net_stalls_at(p->c->now->look->stalls[d], module, p->b->owner[i], k)];

				stalled += isnan(v) ? 0 : v;
			}
	if (n->module[module].clock && unit_equal(n->module[module].clock->unit, unit_of(UNIT_CYCLES)) && net_state_seconds(p->c->now->look->state) > 0 && !isnan(clock)) {
		double rate = clock / net_state_seconds(p->c->now->look->state) * 1e-9 / (double)p->b->n_owners;

		say(add_line(p, -1), ROLE_DIM, 0, false, p->w >= 8 ? "GHz %.2f" : "%.1fGHz", rate);
		if (stalled > 0 && clock > 0) {
			struct words *t = add_line(p, -1);

			say(t, ROLE_DIM, 0, false, p->w >= 10 ? "stalls" : p->w >= 8 ? "stl" : "!");
			say(t, ROLE_TEXT, 0, true, "%s %%", number_whole_share(number, stalled / clock));
		}
	}
}

/* Of a module that is folded: its queue by owner, and whose is the longest. */
static void
owner_lines(struct page_of_box *p)
{
	const struct net_queue *q = traffic_longest(p->c->now, p->b);
	struct words *t;
	enum scope scope;
	size_t n;
	char *owner;

	if (p->b->n_owners == 1 && p->w >= 8 && (p->values[0] = traffic_parts(p->c->now, p->b, p->b->module[0], &scope, &n))) {
		t = add_line(p, -1);
		t->spark = p->values[0];
		t->n_spark = n;
		say(add_line(p, -1), ROLE_DIM, 0, false, "by %s", scope_name(scope));
	}
	if (p->b->n_owners < 2 || !q || p->b->listed)
		return;
	p->values[0] = mem_new_array(p->b->n_owners, sizeof *p->values[0]);
	for (size_t i = 0; i < p->b->n_owners; i++)
		p->values[0][i] = traffic_owner_queue(p->c->now, p->b, p->b->owner[i]);
	t = add_line(p, -1);
	t->spark = p->values[0];
	t->n_spark = p->b->n_owners;
	owner = session_paths_owner(p->c->s, p->b->per, q->owner);
	if (*owner && p->h >= 6)
		say(add_line(p, -1), ROLE_DIM, 0, false, "max %s", owner);
	free(owner);
}

static void
queue_line(struct page_of_box *p)
{
	double sum = NAN, was = NAN;
	char number[NUMBER_TEXT], change[NUMBER_TEXT];
	const struct net_queue *longest = traffic_longest(p->c->now, p->b);
	struct words *t;

	for (size_t i = 0; i < p->b->n_owners; i++) {
		double v = traffic_owner_queue(p->c->now, p->b, p->b->owner[i]);

		if (!isnan(v))
			sum = isnan(sum) ? v : sum + v;
		v = p->c->other ? traffic_owner_queue(p->c->other, p->b, p->b->owner[i]) : NAN;
		if (!isnan(v))
			was = isnan(was) ? v : was + v;
	}
	if (isnan(sum))
		return;
	t = add_line(p, -1);
	say(t, ROLE_DIM, 0, false, "q");
	say(t, longest && is_culprit(p, longest->module, longest->kind) ? ROLE_HOT : ROLE_TEXT, 0, false, "%s", number_queue(number, sum));
	number_change(change, sum, was);
	if (*change && 2 + (int)strlen(number_queue(number, sum)) + 1 + 5 <= p->w)
		say(t, sum > was ? ROLE_INFEASIBLE : ROLE_FEASIBLE, 0, true, "%s", change);
}

/* "HWPF 50.3" of the longest queue, and what it was at the moments so far. */
static void
longest_lines(struct page_of_box *p)
{
	const struct profile_history *h = p->c->s->run.history;
	const struct net_queue *q = traffic_longest(p->c->now, p->b);
	char number[NUMBER_TEXT];
	struct words *t;

	if (!q || !(q->length >= SHORT_QUEUE))
		return;
	if (is_culprit(p, q->module, q->kind) && p->w >= 9) {
		t = add_line(p, -1);
		say(t, ROLE_HOT, 0, false, "%s", p->c->net->kind[q->kind].name);
		say(t, ROLE_HOT, CELL_BOLD, false, "%s", number_queue(number, q->length));
		if (p->w >= 20)
			say(t, ROLE_HOT, 0, true, "culprit");
	}
	if (!h || h->n < 2 || p->w < 8)
		return;
	p->values[1] = mem_new_array(h->n, sizeof *p->values[1]);
	for (size_t i = 0; i < h->n; i++)
		p->values[1][i] = (double)h->length[i * h->n_cells + profile_cell(h, q->module, q->owner, q->kind)];
	t = add_line(p, -1);
	t->spark = p->values[1];
	t->n_spark = h->n;
	if (p->w >= 20)
		say(add_line(p, -1), ROLE_DIM, 0, false, "q over %zu snapshots", h->n);
}

/* The mean response time, and how much of its time the module is not empty. */
static void
time_lines(struct page_of_box *p, size_t module)
{
	const struct network *n = p->c->net;
	double served = 0, sum = 0, busy = NAN, clock = 0;
	char number[NUMBER_TEXT];
	const struct aexpr *e = NULL;

	for (size_t k = 0; k < n->n_kinds; k++) {
		struct traffic_cell x = traffic_cell(p->c->now, p->b, module, k);

		if (!isnan(x.field[NET_BUSY]))
			busy = isnan(busy) ? x.field[NET_BUSY] : busy + x.field[NET_BUSY];
		if (isnan(x.field[NET_DELAY]) || !(x.hits > 0))
			continue;
		e = n->module[module].cell[k].field[NET_DELAY];
		served += x.hits;
		sum += x.hits * x.field[NET_DELAY];
	}
	if (served > 0 && e) {
		bool ns = unit_equal(e->unit, unit_of(UNIT_NS)) || (e->unit.power[UNIT_NS] && !e->unit.power[UNIT_CYCLES]);
		struct words *t = add_line(p, -1);

		say(t, ROLE_DIM, 0, false, p->w >= 16 ? "latency" : p->w >= 9 ? "lat" : "");
		say(t, ROLE_TEXT, 0, true, "%.0f %s", sum / served, ns ? "ns" : p->w >= 16 ? "cycles" : "cy");
	}
	for (size_t i = 0; i < p->b->n_owners; i++)
		clock += net_state_clock(p->c->now->look->state, module, p->b->owner[i]);
	if (busy > 0 && clock > 0) {
		struct words *t = add_line(p, -1);

		say(t, ROLE_DIM, 0, false, "busy");
		say(t, ROLE_TEXT, 0, false, "%s %%", number_whole_share(number, busy / clock > 1 ? 1 : busy / clock));
		if (p->w >= 16)
			t->bar = busy / clock;
	}
}

/* "↓local LLC  7 %", once for each place of the box's modules; with room also for each kind. */
static void
place_lines(struct page_of_box *p)
{
	const struct network *n = p->c->net;
	double all = 0;
	char number[NUMBER_TEXT];

	for (size_t m = 0; m < p->b->n_modules; m++) {
		double here = all_arrivals(p, p->b->module[m]);

		all = here > all ? here : all; /* what comes in is counted where it comes in; places beside it take from that */
	}
	for (size_t m = 0; m < p->b->n_modules; m++)
		for (size_t k = 0; k < n->n_kinds; k++) {
			const struct net_cell *cell = &n->module[p->b->module[m]].cell[k];

			for (size_t i = 0; i < cell->n_hits; i++) {
				double kind[NETWORK_KINDS_MAX] = {0}, sum = 0;
				bool seen = false;
				struct words *t;

				for (size_t j = 0; j < k; j++) /* said with a kind before */
					for (size_t x = 0; x < n->module[p->b->module[m]].cell[j].n_hits; x++)
						seen |= str_eq(n->module[p->b->module[m]].cell[j].hit[x].place, cell->hit[i].place);
				if (seen)
					continue;
				for (size_t j = k; j < n->n_kinds; j++)
					for (size_t x = 0; x < n->module[p->b->module[m]].cell[j].n_hits; x++)
						for (size_t o = 0; o < p->b->n_owners && str_eq(n->module[p->b->module[m]].cell[j].hit[x].place, cell->hit[i].place); o++) {
							double v = net_state_cell(p->c->now->look->state, p->b->module[m], p->b->owner[o], j).place[x];

							kind[j] += isnan(v) ? 0 : v;
							sum += isnan(v) ? 0 : v;
						}
				t = add_line(p, -1);
				say(t, ROLE_DIM, 0, false, "↓");
				say(t, ROLE_TEXT, 0, false, "%.40s", cell->hit[i].place);
				if (p->w >= 28) {
					for (size_t j = 0; j < n->n_kinds; j++)
						if (kind[j] > 0)
							say(t, kind_role(j), kind_attr(j), true, "%s", number_whole_share(number, kind[j] / all));
				} else {
					say(t, ROLE_TEXT, 0, true, all > 0 ? ((int)strlen(cell->hit[i].place) + 7 > p->w ? "%s" : "%s %%") : "?", number_whole_share(number, sum / all));
				}
			}
		}
}

/* A row for each owner: its number, its queue. */
static void
listed_lines(struct page_of_box *p)
{
	const struct net_queue *longest = traffic_longest(p->c->now, p->b);
	double top = 0;
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < p->b->n_owners; i++) {
		double v = traffic_owner_queue(p->c->now, p->b, p->b->owner[i]);

		top = v > top ? v : top;
	}
	for (size_t i = 0; i < p->b->n_owners; i++) {
		double v = traffic_owner_queue(p->c->now, p->b, p->b->owner[i]);
		char *owner = session_paths_owner(p->c->s, p->b->per, p->b->owner[i]);
		bool here = p->c->s->run.owner == p->b->owner[i] && p->c->cursor != SIZE_MAX && &p->c->l->box[p->c->cursor] == p->b;
		struct words *t = add_line(p, (int)i);

		say(t, here ? ROLE_ACCENT : ROLE_TEXT, here ? CELL_BOLD : 0, false, "%s%s", here ? "▸" : "", owner);
		say(t, longest && longest->owner == p->b->owner[i] && is_culprit(p, longest->module, longest->kind) ? ROLE_HOT : ROLE_TEXT, 0, true, "q %s", number_queue(number, v));
		free(owner);
	}
}

/* ---- placing ---- */

static bool
is_last(const struct clos *c, const struct net_layout_box *b)
{
	return b->shared && (size_t)b->column + 1 == c->l->n_columns && b->n_modules <= 2;
}

static bool
is_source(const struct clos *c, const struct net_layout_box *b)
{
	if (b->column || b->n_modules > 1)
		return false;
	for (size_t k = 0; k < c->net->n_kinds; k++)
		if (c->net->module[b->module[0]].cell[k].n_hits)
			return false;
	return true;
}

/* Lanes from more than one box, or of several modules: the lines are not of single lanes. */
static bool
is_switch(const struct clos *c, const struct net_layout_box *b)
{
	size_t from = SIZE_MAX, box = (size_t)(b - c->l->box);

	if (!b->shared)
		return false;
	for (size_t i = 0; i < c->l->n_lanes; i++) {
		if (c->l->lane[i].to != box)
			continue;
		if (from != SIZE_MAX && from != c->l->lane[i].from)
			return true;
		from = c->l->lane[i].from;
	}
	return b->n_modules > 1;
}

static void
lanes_of_module(struct page_of_box *p, size_t module, bool bound)
{
	const struct network *n = p->c->net;
	bool used[256] = {0};

	for (size_t i = 0; i < n->n_kinds; i++) {
		size_t k = p->c->l->kind[i];
		const struct net_cell *cell = &n->module[module].cell[k];
		double here;
		int row = bound && p->b->row[k] >= 0 ? p->b->row[k] - p->b->y - 1 : -1;

		if (cell->state == NET_ABSENT || (cell->state != NET_TOLD && p->b->row[k] < 0))
			continue;
		here = traffic_arrivals(p->c->now, p->b, module, k);
		if (row >= 0 && row < 256 && used[row]) /* a row is of the first kind in it that has anything to say */
			continue;
		if (!(here > 0) && !(isnan(here) && p->b->row[k] >= 0))
			continue;
		if (isnan(here) && cell->state != NET_TOLD && cell->state != NET_UNTOLD)
			continue;
		if (row >= 0 && row < 256) { /* the heaviest of those that share the row */
			size_t best = k;

			for (size_t j = 0; j < n->n_kinds; j++)
				if (p->b->row[j] == p->b->row[k] && traffic_arrivals(p->c->now, p->b, module, j) > (isnan(here) ? 0 : traffic_arrivals(p->c->now, p->b, module, best)))
					best = j;
			used[row] = true;
			k = best;
		}
		lane_line(p, module, k, row, false);
	}
}

/* Where modules of a block share a box each has a line: its kind that asks most. */
static void
joined_lines(struct page_of_box *p)
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
			lane_line(p, p->b->module[m], best, p->h >= (int)p->b->n_modules ? (int)m * p->h / (int)p->b->n_modules : -1, true);
		else
			say(add_line(p, -1), ROLE_DIM, 0, false, "%s", p->c->net->module[p->b->module[m]].name);
	}
}

static void
leaf_lines(struct page_of_box *p)
{
	const struct network *n = p->c->net;
	size_t module = p->b->module[p->b->n_modules - 1];
	double served = 0, bytes = NAN;
	char number[NUMBER_TEXT];
	int kinds = 0;

	for (size_t k = 0; k < n->n_kinds; k++) {
		struct traffic_cell x = traffic_cell(p->c->now, p->b, module, k);

		served += isnan(x.hits) ? 0 : x.hits;
		kinds += x.hits > 0;
		if (!isnan(x.field[NET_BYTES]))
			bytes = isnan(bytes) ? x.field[NET_BYTES] : bytes + x.field[NET_BYTES];
	}
	if (bytes > 0 && net_state_seconds(p->c->now->look->state) > 0) {
		struct words *t = add_line(p, -1);

		say(t, ROLE_TEXT, CELL_BOLD, true, "%sB/s", number_brief(number, bytes / net_state_seconds(p->c->now->look->state)));
	}
	if (p->h >= kinds + 2 && p->w >= 9) {
		for (size_t i = 0; i < n->n_kinds; i++) {
			size_t k = p->c->l->kind[i];
			struct traffic_cell x = traffic_cell(p->c->now, p->b, module, k);
			struct words *t;

			if (!(x.hits > 0))
				continue;
			t = add_line(p, p->b->row[k] < 0 ? -1 : p->b->row[k] - p->b->y - 1);
			say(t, kind_role(k), kind_attr(k), false, "%s", n->kind[k].name);
			say(t, is_culprit(p, module, k) ? ROLE_HOT : ROLE_TEXT, 0, true, "%s", number_brief(number, x.hits));
		}
	} else {
		say(add_line(p, -1), ROLE_TEXT, 0, false, "%s", number_brief(number, served));
	}
	time_lines(p, module);
	queue_line(p);
	longest_lines(p);
}

/* Lines that have a row get it, if nobody has it yet; the others the free rows from the top. */
static void
place_lines_on_rows(struct page_of_box *p, const struct words **row)
{
	int at = 0;

	for (int i = 0; i < p->n; i++)
		if (p->line[i].row >= 0 && p->line[i].row < p->h && !row[p->line[i].row])
			row[p->line[i].row] = &p->line[i];
		else if (p->line[i].row >= 0)
			p->line[i].row = -2; /* its row is taken */
	for (int i = 0; i < p->n; i++) {
		if (p->line[i].row != -1)
			continue;
		while (at < p->h && row[at])
			at++;
		if (at < p->h)
			row[at++] = &p->line[i];
	}
}

static void
draw_line(const struct page_of_box *p, const struct words *t, int x, int y)
{
	struct rect r = rect_cut((struct rect){x, y, p->w, 1}, p->c->r);
	struct pen pen = pen_on(p->c->g, r, ROLE_TEXT);
	int end = x + p->w, at = x;

	for (int i = t->n - 1; i >= 0; i--) {
		if (!t->seg[i].right)
			continue;
		pen.fg = t->seg[i].role;
		pen.attr = t->seg[i].attr;
		end -= pen_columns(&pen, t->seg[i].text);
		if (end >= x)
			pen_text(&pen, end, y, t->seg[i].text);
		end--;
	}
	for (int i = 0; i < t->n; i++) {
		if (t->seg[i].right || !*t->seg[i].text)
			continue;
		pen.fg = t->seg[i].role;
		pen.attr = t->seg[i].attr;
		at += pen_fit(&pen, at, y, (end < x + p->w - 1 ? end : x + p->w) - at, t->seg[i].text);
		at += !str_eq(t->seg[i].text, "↓");
	}
	pen.attr = 0;
	if (t->spark) {
		pen.fg = ROLE_TEXT;
		draw_spark(&pen, at, y, end - at, t->spark, t->n_spark, 0);
	} else if (!isnan(t->bar)) {
		pen.fg = ROLE_ACCENT;
		draw_bar(&pen, at, y, end - at, t->bar);
	}
}

/* "CHA 0-7", "IMC ×4": owners that stand for one box. */
static void
owners_words(const struct net_layout_box *b, struct str *out)
{
	bool row = true;

	for (size_t i = 1; i < b->n_owners; i++)
		row &= b->owner[i] == b->owner[i - 1] + 1;
	if (b->n_owners == 1)
		return;
	if (row)
		str_addf(out, " %zu-%zu", b->owner[0], b->owner[b->n_owners - 1]);
	else
		str_addf(out, " ×%zu", b->n_owners);
	str_add(out, b->listed ? " ▾" : " ▸");
}

void
clos_box_title(const struct session *s, const struct network *n, const struct net_layout_box *b, struct str *out)
{
	const char *name = n->module[b->module[0]].name;
	char *owner = b->n_owners == 1 ? session_paths_owner(s, b->per, b->owner[0]) : mem_str("");
	const struct net_shape *shape = s->run.look ? net_state_shape(s->run.look->state) : NULL;
	bool several = shape && shape->n[b->per] > 1;

	if (!b->shared && b->column == 0 && *owner && str_starts(owner, name))
		str_add(out, owner);
	else if (!b->shared || n->module[b->module[0]].stage != n->module[b->module[b->n_modules - 1]].stage)
		for (size_t m = 0; m < b->n_modules; m++)
			str_addf(out, "%s%s", m ? " " : "", n->module[b->module[m]].name);
	else
		str_add(out, name);
	if (!b->shared && b->column == 0 && *owner && several && !str_starts(str_text(out), owner))
		str_addf(out, " %s", owner);
	else if (b->shared && *owner && several)
		str_addf(out, " %s", strrchr(owner, ' ') ? strrchr(owner, ' ') + 1 : owner);
	if (b->shared || b->column == 0)
		owners_words(b, out);
	free(owner);
}

static void
draw_title_of(const struct clos *c, const struct net_layout_box *b)
{
	size_t box = (size_t)(b - c->l->box);
	struct rect row = {c->r.x + b->x, c->r.y + b->y - c->top, b->w, 1};
	struct pen p = pen_on(c->g, rect_cut(row, c->r), box == c->culprit ? ROLE_HOT : box == c->cursor && c->focus ? ROLE_ACCENT : ROLE_TEXT);
	struct str title = {0};
	int used;

	clos_box_title(c->s, c->net, b, &title);
	if (b->n_owners > 1 && pen_columns(&p, str_text(&title)) > b->w - 2) { /* the numbers say more than the name */
		str_clear(&title);
		owners_words(b, &title);
	}
	p.attr = box == c->cursor ? CELL_BOLD : 0;
	used = pen_fit(&p, row.x + 1, row.y, b->w - 2, str_text(&title));
	if (box == c->cursor && c->focus)
		grid_tint(c->g, rect_cut((struct rect){row.x + 1, row.y, used, 1}, c->r), ROLE_SELECT);
	str_free(&title);
}

static void
fill_page(struct page_of_box *p)
{
	const struct clos *c = p->c;

	if (p->b->listed) {
		listed_lines(p);
	} else if (is_source(c, p->b)) {
		source_lines(p);
	} else if (!p->b->shared && p->b->n_modules > 1) {
		joined_lines(p);
	} else if (is_last(c, p->b)) {
		leaf_lines(p);
	} else if (is_switch(c, p->b)) {
		place_lines(p);
		queue_line(p);
		owner_lines(p);
		for (size_t m = 0; m < p->b->n_modules; m++)
			time_lines(p, p->b->module[m]);
		longest_lines(p);
	} else {
		lanes_of_module(p, p->b->module[0], true);
		if (p->b->shared) {
			queue_line(p);
			owner_lines(p);
			time_lines(p, p->b->module[0]);
			longest_lines(p);
		}
	}
}

void
clos_draw_box(const struct clos *c, const struct net_layout_box *b)
{
	struct page_of_box *p = mem_new(sizeof *p);
	const struct words **row = mem_new_array((size_t)b->h, sizeof *row);

	p->c = c;
	p->b = b;
	p->w = b->w - 2;
	p->h = b->h - 2;
	draw_title_of(c, b);
	if (c->now->look)
		fill_page(p);
	place_lines_on_rows(p, row);
	for (int y = 0; y < p->h; y++)
		if (row[y])
			draw_line(p, row[y], c->r.x + b->x + 1, c->r.y + b->y + 1 + y - c->top);
	free(p->values[0]);
	free(p->values[1]);
	free(p->line);
	free(row);
	free(p);
}
