/* Lines of shared modules: places, owners, queues, times. */
#include "draw/view/paths/box.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/qos.h"
#include "core/network/queues.h"
#include "explorer/state/state_paths.h"
#include "work/timeline/timeline.h"

/* As many values as columns; neighbours that share a column give the largest. */
static size_t
squeeze(double *v, size_t n, int columns)
{
	size_t room = columns > 1 ? (size_t)columns : 1, each = (n + room - 1) / room, out = 0;

	for (size_t i = 0; i < n; i += each) {
		double most = v[i];

		for (size_t k = i; k < i + each && k < n; k++)
			most = isnan(most) || v[k] > most ? v[k] : most;
		v[out++] = most;
	}
	return out;
}

/* "S0 q 115 ▃▂▇▃": the owners of a folded module, by socket. */
static void
socket_lines(struct box_page *page)
{
	const struct net_shape *shape = net_state_shape(page->c->now->analysis->state);
	char number[NUMBER_TEXT];

	for (size_t k = 0; k < shape->n[SCOPE_SOCKET] && page->h >= 8; k++) {
		double sum = NAN;
		struct words *words = box_line(page, -1);
		char *name = state_paths_owner(page->c->s, SCOPE_SOCKET, k);

		for (size_t i = 0; i < page->b->n_owners; i++) {
			double v = page->values[0][i];

			if (net_owner_within(shape, page->b->per, page->b->owner[i], SCOPE_SOCKET) == k && !isnan(v))
				sum = isnan(sum) ? v : sum + v;
		}
		box_write(words, ROLE_DIM, 0, false, "%s", name);
		box_write(words, ROLE_TEXT, 0, true, "q %s", queue_length_text(number, sum));
		free(name);
	}
}

/* A folded module: its queue by owner, and the owner with the longest. */
void
box_owner_lines(struct box_page *page)
{
	const struct net_queue *queue = traffic_longest(page->c->now, page->b);
	const struct net_shape *shape = net_state_shape(page->c->now->analysis->state);
	struct words *words;
	enum scope scope;
	size_t n = page->b->n_owners;
	char *owner;

	if (n == 1 && page->w >= 8 &&
		(page->values[0] = traffic_parts(page->c->now, page->b, page->b->module[0], &scope, &n))) {
		n = squeeze(page->values[0], n, page->w);
		words = box_line(page, -1);
		words->spark = page->values[0];
		words->n_spark = n;
		box_write(box_line(page, -1), ROLE_DIM, 0, false, "by %s", scope_name(scope));
	}
	if (page->b->n_owners < 2 || !queue || page->b->listed)
		return;
	page->values[0] = mem_new_array(n, sizeof *page->values[0]);
	for (size_t i = 0; i < n; i++)
		page->values[0][i] = traffic_owner_queue(page->c->now, page->b, page->b->owner[i]);
	if (scope_within(page->b->per, SCOPE_SOCKET) && shape->n[SCOPE_SOCKET] > 1 &&
		net_owner_within(shape, page->b->per, page->b->owner[0], SCOPE_SOCKET) !=
			net_owner_within(shape, page->b->per, page->b->owner[n - 1], SCOPE_SOCKET))
		socket_lines(page);
	n = squeeze(page->values[0], n, page->w);
	words = box_line(page, -1);
	words->spark = page->values[0];
	words->n_spark = n;
	owner = state_paths_owner(page->c->s, page->b->per, queue->owner);
	if (*owner && page->h >= 6)
		box_write(box_line(page, -1), ROLE_DIM, 0, false, "max %s", owner);
	free(owner);
}

void
box_queue_line(struct box_page *p)
{
	double sum = NAN, was = NAN;
	char number[NUMBER_TEXT], change[NUMBER_TEXT];
	const struct net_queue *longest = traffic_longest(p->c->now, p->b);
	struct words *words;

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
	words = box_line(p, -1);
	box_write(words, ROLE_DIM, 0, false, "q");
	box_write(words, longest && box_is_culprit(p, longest->module, longest->kind) ? ROLE_HOT : ROLE_TEXT, 0, false,
		"%s", queue_length_text(number, sum));
	number_change(change, sum, was);
	if (*change && 2 + (int)strlen(queue_length_text(number, sum)) + 1 + 5 <= p->w)
		box_write(words, sum > was ? ROLE_INFEASIBLE : ROLE_FEASIBLE, 0, true, "%s", change);
}

/* "HWPF 50.3": the longest queue, and its past. */
void
box_longest_lines(struct box_page *page)
{
	const struct timeline_history *history = state_timeline_shown(page->c->s).history;
	const struct net_queue *queue = traffic_longest(page->c->now, page->b);
	char number[NUMBER_TEXT];
	struct words *words;

	if (!queue || !(queue->length >= SHORT_QUEUE))
		return;
	if (box_is_culprit(page, queue->module, queue->kind) && page->w >= 9) {
		words = box_line(page, -1);
		box_write(words, ROLE_HOT, 0, false, "%s", page->c->net->kind[queue->kind].name);
		box_write(words, ROLE_HOT, CELL_BOLD, false, "%s", queue_length_text(number, queue->length));
		if (page->w >= 20)
			box_write(words, ROLE_HOT, 0, true, "culprit");
	}
	if (!history || history->n < 2 || page->w < 8)
		return;
	page->values[1] = mem_new_array(history->n, sizeof *page->values[1]);
	for (size_t i = 0; i < history->n; i++)
		page->values[1][i] = (double)history->length[i * history->n_cells +
			timeline_cell(history, queue->module, queue->owner, queue->kind)];
	words = box_line(page, -1);
	words->spark = page->values[1];
	words->n_spark = history->n;
	if (page->w >= 20)
		box_write(box_line(page, -1), ROLE_DIM, 0, false, "q over %zu snapshots", history->n);
}

/* Adds the mean response time and the share of time in which the module is not empty. */
void
box_time_lines(struct box_page *page, size_t module)
{
	const struct network *network = page->c->net;
	double served = 0, sum = 0, busy = NAN, clock = 0;
	char number[NUMBER_TEXT];
	const struct aexpr *aexpr = NULL;

	for (size_t k = 0; k < network->n_kinds; k++) {
		struct traffic_cell x = traffic_cell(page->c->now, page->b, module, k);

		if (!isnan(x.field[NET_BUSY]))
			busy = isnan(busy) ? x.field[NET_BUSY] : busy + x.field[NET_BUSY];
		if (isnan(x.field[NET_DELAY]) || !(x.hits > 0))
			continue;
		aexpr = network->module[module].cell[k].field[NET_DELAY];
		served += x.hits;
		sum += x.hits * x.field[NET_DELAY];
	}
	if (served > 0 && aexpr) {
		bool ns = unit_equal(aexpr->unit, unit_of(UNIT_NS)) ||
			(aexpr->unit.power[UNIT_NS] && !aexpr->unit.power[UNIT_CYCLES]);
		struct words *words = box_line(page, -1);
		struct pen pen = {.grid = page->c->g};
		int room;

		if (ns)
			box_write(words, ROLE_TEXT, 0, true, "%s", number_seconds(number, sum / served * 1e-9, false));
		else
			box_write(words, ROLE_TEXT, 0, true, "%.0f %s", sum / served, page->w >= 16 ? "cycles" : "cy");
		room = page->w - 1 - pen_columns(&pen, words->seg[0].text);
		box_write(words, ROLE_DIM, 0, false, page->w >= 16 && room >= 7 ? "latency" : room >= 3 ? "lat" : "");
	}
	for (size_t i = 0; i < page->b->n_owners; i++)
		clock += net_state_clock(page->c->now->analysis->state, module, page->b->owner[i]);
	if (busy > 0 && clock > 0) {
		struct words *words = box_line(page, -1);

		box_write(words, ROLE_DIM, 0, false, "busy");
		box_write(words, ROLE_TEXT, 0, false, "%s %%",
			number_whole_share(number, busy / clock > 1 ? 1 : busy / clock));
		if (page->w >= 16)
			words->bar = busy / clock;
	}
}

/* "severe overload" if a module's signs of load say so: the heaviest of its owners. */
static void
box_load_line(struct box_page *page, size_t module)
{
	enum net_load heaviest = NET_LIGHT;

	if (!page->c->net->module[module].n_qos)
		return;
	for (size_t i = 0; i < page->b->n_owners; i++) {
		struct net_qos_class q = net_qos_class(page->c->now->analysis->state, module, page->b->owner[i]);

		heaviest = q.at_least > heaviest ? q.at_least : heaviest;
	}
	if (heaviest >= NET_MODERATE)
		box_write(box_line(page, -1), ROLE_BORDERLINE, 0, false, "%s",
			page->w >= 17 ? net_load_name(heaviest) : page->w >= 8 ? "overload" : "over");
}

/* "↓local LLC 7 %" for each place of the box's modules; with room also for each kind. */
void
box_place_lines(struct box_page *p)
{
	const struct network *network = p->c->net;
	double all = 0;
	char number[NUMBER_TEXT];

	for (size_t m = 0; m < p->b->n_modules; m++) {
		double here = box_arrivals(p, p->b->module[m]);

		/* arrivals are counted where they enter; places next to it take their part */
		all = here > all ? here : all;
	}
	for (size_t m = 0; m < p->b->n_modules; m++)
		for (size_t k = 0; k < network->n_kinds; k++) {
			const struct net_cell *cell = &network->module[p->b->module[m]].cell[k];

			for (size_t i = 0; i < cell->n_hits; i++) {
				double kind[NETWORK_KINDS_MAX] = {0}, sum = 0;
				bool seen = false;
				struct words *words;

				for (size_t j = 0; j < k; j++) /* an earlier kind's line has it */
					for (size_t x = 0; x < network->module[p->b->module[m]].cell[j].n_hits; x++)
						seen |= str_eq(network->module[p->b->module[m]].cell[j].hit[x].place,
							cell->hit[i].place);
				if (seen)
					continue;
				for (size_t j = k; j < network->n_kinds; j++)
					for (size_t x = 0; x < network->module[p->b->module[m]].cell[j].n_hits; x++)
						for (size_t o = 0; o < p->b->n_owners &&
							str_eq(network->module[p->b->module[m]].cell[j].hit[x].place,
								cell->hit[i].place);
							o++) {
							double v = net_state_cell(p->c->now->analysis->state,
								p->b->module[m], p->b->owner[o], j)
									   .place[x];

							kind[j] += isnan(v) ? 0 : v;
							sum += isnan(v) ? 0 : v;
						}
				words = box_line(p, -1);
				box_write(words, ROLE_DIM, 0, false, "↓");
				box_write(words, ROLE_TEXT, 0, false, "%.40s", cell->hit[i].place);
				if (p->w >= 28) {
					for (size_t j = 0; j < network->n_kinds; j++)
						if (kind[j] > 0)
							box_write(words, path_kind_role(j), path_kind_attr(j), true,
								"%s", number_whole_share(number, kind[j] / all));
				} else {
					box_write(words, ROLE_TEXT, 0, true,
						all > 0 ? ((int)strlen(cell->hit[i].place) + 7 > p->w ? "%s" : "%s %%")
							: "?",
						number_whole_share(number, sum / all));
				}
			}
		}
}

/* A row for each owner: its number, its queue. */
void
box_listed_lines(struct box_page *p)
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
		char *owner = state_paths_owner(p->c->s, p->b->per, p->b->owner[i]);
		bool here = p->c->s->view.timeline.owner == p->b->owner[i] && p->c->cursor != SIZE_MAX &&
			&p->c->l->box[p->c->cursor] == p->b;
		struct words *words = box_line(p, (int)i);

		box_write(words, here ? ROLE_ACCENT : ROLE_TEXT, here ? CELL_BOLD : 0, false, "%s%s", here ? "▸" : "",
			owner);
		box_write(words,
			longest && longest->owner == p->b->owner[i] && box_is_culprit(p, longest->module, longest->kind)
				? ROLE_HOT : ROLE_TEXT,
			0, true, "q %s", queue_length_text(number, v));
		free(owner);
	}
}

/* "16 GB/s", in a narrow box without the blank, in a narrower one not at all. */
static void
box_bytes_line(struct box_page *page, double rate)
{
	char number[NUMBER_TEXT], *blank = strchr(number_brief(number, rate), ' ');

	if (blank && (int)strlen(number) + 3 > page->w)
		memmove(blank, blank + 1, strlen(blank));
	if ((int)strlen(number) + 3 <= page->w)
		box_write(box_line(page, -1), ROLE_TEXT, CELL_BOLD, true, "%sB/s", number);
}

void
box_leaf_lines(struct box_page *page)
{
	const struct network *network = page->c->net;
	size_t module = page->b->module[page->b->n_modules - 1];
	double served = 0, bytes = NAN;
	char number[NUMBER_TEXT];
	int kinds = 0;

	for (size_t k = 0; k < network->n_kinds; k++) {
		struct traffic_cell x = traffic_cell(page->c->now, page->b, module, k);

		served += isnan(x.hits) ? 0 : x.hits;
		kinds += x.hits > 0;
		if (!isnan(x.field[NET_BYTES]))
			bytes = isnan(bytes) ? x.field[NET_BYTES] : bytes + x.field[NET_BYTES];
	}
	if (bytes > 0 && net_state_seconds(page->c->now->analysis->state) > 0 && page->h > 1)
		box_bytes_line(page, bytes / net_state_seconds(page->c->now->analysis->state));
	if (page->h >= kinds + 2 && page->w >= 9) {
		for (size_t i = 0; i < network->n_kinds; i++) {
			size_t k = page->c->l->kind[i];
			struct traffic_cell x = traffic_cell(page->c->now, page->b, module, k);
			struct words *words;

			if (!(x.hits > 0))
				continue;
			words = box_line(page, page->b->row[k] < 0 ? -1 : page->b->row[k] - page->b->y - 1);
			box_write(words, path_kind_role(k), path_kind_attr(k), false, "%s", network->kind[k].name);
			box_write(words, box_is_culprit(page, module, k) ? ROLE_HOT : ROLE_TEXT, 0, true, "%s",
				number_brief(number, x.hits / timeline_per(page->c->s)));
		}
	} else {
		box_write(box_line(page, -1), ROLE_TEXT, 0, false, "%s%s",
			number_brief(number, served / timeline_per(page->c->s)),
			page->c->s->view.timeline.rates && page->w >= 9 ? "/s" : "");
	}
	box_time_lines(page, module);
	box_queue_line(page);
	box_load_line(page, module);
	box_longest_lines(page);
}

