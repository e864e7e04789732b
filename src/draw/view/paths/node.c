/* One module in detail: numbers of each kind, its queue by Little's law, its counters and whether they were counted,
 * and its formulas with values. */
#include "draw/view/paths/paths.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/qos.h"
#include "core/network/queues.h"
#include "draw/view/view_network.h"
#include "draw/view/view_page.h"
#include "draw/view/view_table.h"
#include "draw/view/view_timeline.h"
#include "draw/view/view_trust.h"
#include "explorer/state/state_paths.h"
#include "text/aexpr.h"
#include "work/timeline/timeline.h"

static size_t
node_owner_of(const struct state *s)
{
	const struct timeline_view *v = &s->view.timeline;
	const struct timeline_analysis *analysis = state_timeline_shown(s).analysis;
	size_t owners = analysis ? net_state_owners(analysis->state, v->module) : 1;

	return v->owner < owners ? v->owner : 0;
}

void
add_node_title(const struct state *s, struct str *out)
{
	const struct network *n = timeline_network(s->data.timeline);
	const struct net_module *m = &n->module[s->view.timeline.module];
	char *owner = state_paths_owner(s, m->per, node_owner_of(s));

	if (str_starts(owner, m->name))
		str_add(out, owner);
	else
		str_addf(out, "%s%s%s", m->name, *owner ? ", " : "", owner);
	free(owner);
}

static void
node_add_number(struct str *out, double v)
{
	char number[NUMBER_TEXT];

	if (isnan(v))
		str_add(out, "?");
	else if (fabs(v) >= 1000)
		str_add(out, number_count(number, v, false));
	else
		str_add(out, number_digits(number, v, fabs(v) >= 1 ? 3 : 2, false));
}

/* --- counters ---------------------------------------------------------------------------------------------------- */

struct uses {
	const struct network *net;
	bool *counter;
};

static void
use(void *ctx, const struct aexpr *name)
{
	struct uses *u = ctx;

	if (name->index < u->net->n_counters)
		u->counter[name->index] = true;
}

/* Marks the counters in the module's own expressions and in the loads of its links. */
static bool *
counters_of(const struct network *network, size_t module)
{
	struct uses u = {network, mem_new_array(network->n_counters, sizeof *u.counter)};
	const struct net_module *net_module = &network->module[module];

	if (net_module->clock)
		aexpr_each_name(net_module->clock, use, &u);
	for (size_t k = 0; k < network->n_kinds; k++) {
		for (size_t i = 0; i < net_module->cell[k].n_hits; i++)
			aexpr_each_name(net_module->cell[k].hit[i].e, use, &u);
		for (int f = 0; f < NET_FIELDS; f++)
			if (net_module->cell[k].field[f])
				aexpr_each_name(net_module->cell[k].field[f], use, &u);
	}
	for (size_t l = 0; l < network->n_links; l++)
		for (size_t k = 0; k < network->n_kinds && network->link[l].from == module; k++)
			if (network->link[l].load[k])
				aexpr_each_name(network->link[l].load[k], use, &u);
	return u.counter;
}

enum { NAMES_MOST = 12 }; /* columns of names up to which the texts next to them begin in one column */

/* Writes what the counter counts between its name and its count: the alternative that was taken, its text, else its
 * events. */
static void
draw_counted(struct line *l, const struct counter_item *item, const struct event_sum *taken, int from, int to)
{
	enum { LEAST = 8 };
	const struct event_sum events = taken ? *taken : counter_events(item);
	struct str words = {0};

	if (events.n > 1 || (events.n && strcasecmp(events.event[0].name, item->name) != 0))
		event_sum_text(&events, &words);
	if (item->text && *item->text && !taken) {
		str_clear(&words);
		str_add(&words, item->text);
	}
	l->pen.fg = ROLE_DIM;
	if (to - from >= LEAST)
		pen_fit(&l->pen, from, l->y, to - from, str_text(&words));
	str_free(&words);
}

/* "unc_m2p_rxc_cycles_ne.all 1.81 G"; a prefix that two counters share is left out. */
static void
draw_counters(struct page *page, bool all)
{
	const struct state *s = page->s;
	const struct network *n = timeline_network(s->data.timeline);
	bool *used = counters_of(n, s->view.timeline.module);
	int width = items_letters_width(s, n->counter, n->n_counters, used);
	char number[NUMBER_TEXT], letters[LETTERS_TEXT];
	size_t some = 0;
	int names = 0;

	for (size_t i = 0; i < n->n_counters; i++) {
		int columns = used[i] ? (int)strlen(n->counter[i].name) : 0;

		names = columns > names && columns <= NAMES_MOST ? columns : names;
	}
	for (size_t i = 0; i < n->n_counters && !page_full(page); i++) {
		const struct network_data_counter *counter =
			state_timeline_shown(s).analysis ? &state_timeline_shown(s).analysis->counter[i] : NULL;
		struct line l;
		const char *count;
		int room, name;

		if (!used[i])
			continue;
		if (!some++)
			page_head(page, "counters", "");
		l = page_line(page);
		room = l.end - l.x - (counter && counter->why ? (int)strlen(counter->why) + 2 : 10) - width;
		letters[0] = '\0';
		if (room >= 8)
			item_letters(s, &n->counter[i], letters);
		else
			room = 8;
		l.pen.fg = counter && counter->why ? ROLE_DIM : ROLE_TEXT;
		name = pen_fit_head(&l.pen, l.x, l.y, room, n->counter[i].name);
		l.pen.fg = ROLE_BORDERLINE;
		pen_text(&l.pen, l.x + room + 1, l.y, letters);
		l.pen.fg = counter && counter->why ? ROLE_UNDECIDED : ROLE_TEXT;
		count = !counter ? "·" : counter->why ? counter->why
				: number_count(number, traffic_counter(state_timeline_shown(s).analysis, i,
					n->module[s->view.timeline.module].per, node_owner_of(s)), false);
		pen_right(&l.pen, l.end - 1, l.y, count);
		if (!all)
			draw_counted(&l, &n->counter[i], counter ? counter->taken : NULL,
				l.x + (name > names ? name : names) + 2,
				*letters ? l.x + room - 1 : l.end - 3 - pen_columns(&l.pen, count));
		if (all && n->counter[i].text && *n->counter[i].text) {
			l = page_line(page);
			line_gap(&l, 2);
			line_add(&l, ROLE_DIM, 0, "%s", n->counter[i].text);
		}
		if (all && n->counter[i].n_choices) {
			struct str events = {0};

			for (size_t k = 0; k < n->counter[i].n_choices; k++) {
				str_add(&events, k ? " or " : "");
				event_sum_text(&n->counter[i].choice[k], &events);
				if (counter && !counter->why && counter->taken == &n->counter[i].choice[k])
					str_add(&events, " (counted)");
			}
			l = page_line(page);
			line_gap(&l, 2);
			line_add(&l, ROLE_DIM, 0, "%s", str_text(&events));
			str_free(&events);
		} else if (all && n->counter[i].unresolved) {
			l = page_line(page);
			line_gap(&l, 2);
			line_add(&l, ROLE_DIM, 0, "%s", n->counter[i].unresolved);
		}
	}
	if (all)
		page_items_trust(page, "how far the counters can be trusted", n->counter, n->n_counters, used);
	free(used);
}

/* --- kinds ------------------------------------------------------------------------------------------------------- */

static const struct net_queue *
queue_of(const struct state *s, size_t kind)
{
	const struct net_queues *q = state_timeline_shown(s).analysis ? state_timeline_shown(s).analysis->queues : NULL;

	return q ? net_queues_find(q, s->view.timeline.module, node_owner_of(s), kind) : NULL;
}

/* Are the delays of a module in cycles? Else each has its unit. */
static bool
delay_in_cycles(const struct state *s, const struct net_module *m)
{
	struct net_queue at = {.module = s->view.timeline.module};

	for (at.kind = 0; at.kind < timeline_network(s->data.timeline)->n_kinds; at.kind++)
		if (m->cell[at.kind].field[NET_DELAY])
			return queue_in_cycles(s, &at);
	return false;
}

/* Requests per second at this node, of what is known; "·" without a time, or with none known. */
static const char *
node_rate(const struct state *state, const struct net_cell_values *t, char out[NUMBER_TEXT])
{
	const struct timeline_analysis *analysis = state_timeline_shown(state).analysis;
	double seconds = analysis ? net_state_seconds(analysis->state) : NAN,
	       sum = (isnan(t->hits) ? 0 : t->hits) + (isnan(t->misses) ? 0 : t->misses);

	return seconds > 0 && !(isnan(t->hits) && isnan(t->misses)) ? number_count(out, sum / seconds, false) : "·";
}

/* Hits, misses, hit share, delay and rate of each kind, or why a kind has none. */
static void
draw_kinds(struct page *page)
{
	enum { DELAY_FROM = 48, BOTH_FROM = 58 }; /* columns of the page */

	const struct state *state = page->s;
	const struct network *network = timeline_network(state->data.timeline);
	const struct net_module *module = &network->module[state->view.timeline.module];
	bool wide = page->r.w >= DELAY_FROM, both = page->r.w >= BOTH_FROM, head = false;

	for (size_t k = 0; k < network->n_kinds && !page_full(page); k++) {
		const struct net_cell *cell = &module->cell[k];
		struct net_cell_values t = {.hits = NAN, .misses = NAN};
		struct line l;
		char number[NUMBER_TEXT];
		int x;

		if (cell->state == NET_CELL_ABSENT)
			continue;
		if (!head) {
			l = page_line(page);
			line_add(&l, ROLE_DIM, 0, "kind");
			l.pen.fg = ROLE_DIM;
			x = l.pen.clip.x + 7;
			pen_right(&l.pen, x + 9, l.y, "hits");
			pen_right(&l.pen, x + 18, l.y, "misses");
			pen_right(&l.pen, x + 25, l.y, "hit %");
			if (wide)
				pen_right(&l.pen, x + 35, l.y, delay_in_cycles(state, module) ? "delay cyc" : "delay");
			if (both || !wide)
				pen_right(&l.pen, x + (both ? 45 : 34), l.y, "per s");
			head = true;
		}
		l = page_line(page);
		line_add(&l, path_kind_role(k), path_kind_attr(k), "%s", network->kind[k].name);
		x = l.pen.clip.x + 7;
		if (cell->state != NET_CELL_REPORTED) {
			line_to(&l, 8);
			line_add(&l, ROLE_DIM, 0, cell->state == NET_CELL_WITH ? "with %s%s%s" : "not reported%s%s%s",
				cell->state == NET_CELL_WITH ? network->kind[cell->with].name : "",
				cell->why ? ": " : "", cell->why ? cell->why : "");
			continue;
		}
		if (state_timeline_shown(state).analysis)
			t = net_state_cell(state_timeline_shown(state).analysis->state, state->view.timeline.module,
				node_owner_of(state), k);
		l.pen.fg = ROLE_TEXT;
		l.pen.attr = 0;
		pen_right(&l.pen, x + 9, l.y,
			cell->n_hits ? (isnan(t.hits) ? "?" : number_count(number, t.hits, false)) : "·");
		pen_right(&l.pen, x + 18, l.y,
			cell->field[NET_MISS] ? (isnan(t.misses) ? "?" : number_count(number, t.misses, false)) : "·");
		pen_right(&l.pen, x + 25, l.y,
			cell->n_hits && cell->field[NET_MISS] && t.hits + t.misses > 0
				? number_share(number, t.hits / (t.hits + t.misses)) : "·");
		if (wide && cell->field[NET_DELAY]) {
			struct net_queue at = {.module = state->view.timeline.module, .kind = k};

			pen_right(&l.pen, x + 35, l.y,
				number_wait(number, state, &at,
					state_timeline_shown(state).analysis ? t.field[NET_DELAY] : NAN, false));
		}
		l.pen.fg = ROLE_DIM;
		if (both || !wide)
			pen_right(&l.pen, x + (both ? 45 : 34), l.y, node_rate(state, &t, number));
	}
}

/* Which kinds are known for a socket, say, and for no core of it. */
static void
draw_known_for(struct page *page)
{
	const struct network *network = timeline_network(page->s->data.timeline);
	size_t module = page->s->view.timeline.module;
	struct str kinds = {0}, words = {0};

	if (net_add_unknown_for_core(network, module, &kinds)) {
		str_addf(&words, "known for the %s, unknown for the core: %s", scope_name(network->module[module].per),
			str_text(&kinds));
		page_words(page, ROLE_DIM, str_text(&words));
	}
	str_free(&kinds);
	str_free(&words);
}

static void
add_product(struct line *l, const struct state *s, const struct net_queue *q, double arrivals, double wait)
{
	char rate[NUMBER_TEXT], time[NUMBER_TEXT];

	line_add(l, ROLE_TEXT, 0, "%s × %s", number_arrivals(rate, s, q, arrivals, false),
		number_wait(time, s, q, wait, false));
}

/* "HWPF 0.110 × 350 = 38.5": arrivals per clock tick × wait, plus the misses of a cache; and the occupancy counter, if
 * there is one. */
static void
draw_queues(struct page *page)
{
	const struct state *state = page->s;
	const struct network *network = timeline_network(state->data.timeline);
	bool head = false;

	for (size_t k = 0; k < network->n_kinds && !page_full(page); k++) {
		const struct net_queue *queue = queue_of(state, k);
		bool hot = queue && queue == state_timeline_shown(state).analysis->culprit;
		char number[NUMBER_TEXT];
		struct line l;

		if (!queue)
			continue;
		if (!head)
			page_head(page, "queue",
				queue_in_cycles(state, queue)
					? "arrivals per cycle × wait in cycles" : "arrivals per ms × wait");
		head = true;
		l = page_line(page);
		line_add(&l, path_kind_role(k), path_kind_attr(k), "%s", network->kind[k].name);
		line_to(&l, 8);
		add_product(&l, state, queue, queue->arrivals, queue->wait);
		if (queue->missing > 0) {
			line_add(&l, ROLE_TEXT, 0, " + ");
			add_product(&l, state, queue, queue->missing, queue->miss_wait);
		}
		line_add(&l, ROLE_TEXT, 0, " = ");
		line_add(&l, hot ? ROLE_HOT : ROLE_TEXT, hot ? CELL_BOLD : 0, "%s",
			queue_length_text(number, queue->length));
		if (!isnan(queue->occupied))
			line_add(&l, ROLE_DIM, 0, "  occ %s", queue_length_text(number, queue->occupied));
		if (queue->faster)
			line_add(&l, ROLE_BORDERLINE, 0, "  the hop before is slower: wait 0");
	}
}

/* The module's load, and the sign that decides it. */
static void
draw_load(struct page *page)
{
	const struct state *state = page->s;
	const struct net_module *module = &timeline_network(state->data.timeline)->module[state->view.timeline.module];
	const struct timeline_analysis *analysis = state_timeline_shown(state).analysis;
	struct net_qos_class q;
	char number[NUMBER_TEXT];
	struct line l;

	if (!module->n_qos || !analysis || page_full(page))
		return;
	q = net_qos_class(analysis->state, state->view.timeline.module, node_owner_of(state));
	page_head(page, "load", "by the heaviest sign");
	l = page_line(page);
	line_add(&l, q.at_least >= NET_MODERATE ? ROLE_BORDERLINE : ROLE_TEXT, 0, "%s%s", q.known ? "" : "at least ",
		net_load_name(q.at_least));
	if (q.decisive < module->n_qos)
		line_add(&l, ROLE_DIM, 0, ": %s %s", module->qos[q.decisive].text,
			number_digits(number,
				net_state_qos(analysis->state, state->view.timeline.module, node_owner_of(state),
					q.decisive),
				3, false));
	if (q.unknown)
		line_add(&l, ROLE_UNDECIDED, 0, ", %zu of %zu signs not known", q.unknown, module->n_qos);
}

/* The chosen kind's queue in the snapshots so far. */
static void
draw_past(struct page *page)
{
	const struct state *state = page->s;
	const struct timeline_history *history = state_timeline_shown(state).history;
	const struct network *network = timeline_network(state->data.timeline);
	size_t kind = SIZE_MAX;
	double *v, longest = 0;
	struct line l;
	struct pen pen;

	for (size_t k = 0; k < network->n_kinds; k++) {
		const struct net_queue *queue = queue_of(state, k);

		if (queue && queue->length > longest) {
			longest = queue->length;
			kind = k;
		}
	}
	if (!history || history->n < 2 || kind == SIZE_MAX || page_full(page))
		return;
	v = mem_new_array(history->n, sizeof *v);
	for (size_t i = 0; i < history->n; i++)
		v[i] = (double)history->length[i * history->n_cells +
			timeline_cell(history, state->view.timeline.module, node_owner_of(state), kind)];
	page_blank(page);
	l = page_line(page);
	line_add(&l, ROLE_DIM, 0, "queue of %s over %zu snapshots", network->kind[kind].name, history->n);
	l = page_line(page);
	pen = l.pen;
	pen.fg = path_kind_role(kind);
	pen.attr = 0;
	draw_spark(&pen, l.x, l.y, l.end - l.x - 1, v, history->n, 0);
	free(v);
}

void
draw_node(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct page p = {.s = state, .g = grid, .r = r, .skip = state->view.cursor[PANE_NODE]};

	(void)focus;
	if (!state->data.timeline || !timeline_network(state->data.timeline)) {
		page_words(&p, ROLE_DIM, "This pane shows the module under the cursor. It needs a network.");
		return;
	}
	draw_kinds(&p);
	draw_known_for(&p);
	draw_queues(&p);
	draw_load(&p);
	draw_counters(&p, false);
	draw_past(&p);
	drawn->layout.rows[PANE_NODE] = page_rows(&p);
}

/* --- the popup: formulas too ------------------------------------------------------------------------------------- */

struct put_in {
	const struct state *s;
	const struct network *net;
	struct str *out;
};

static double
value_of(const struct state *state, const struct network *network, uint32_t index)
{
	const struct timeline_shown shown = state_timeline_shown(state);
	struct net_value v;
	struct net_cell_values t;

	if (index < network->n_counters)
		return shown.analysis
			? traffic_counter(shown.analysis, index, network->module[state->view.timeline.module].per,
				  node_owner_of(state))
			: NAN;
	if (index < network->n_counters + network->n_constants)
		return network->constant[index - network->n_counters].value;
	if (shown.analysis && index == net_value_of_elapsed(network))
		return net_state_seconds(shown.analysis->state) * 1e9;
	if (shown.analysis && index > net_value_of_elapsed(network))
		return net_owners_number(net_state_shape(shown.analysis->state),
			network->module[state->view.timeline.module].per, node_owner_of(state),
			(enum scope)(index - net_value_of_owners(network, (enum scope)0)));
	v = net_value(network, index);
	if (!shown.analysis || net_state_owners(shown.analysis->state, v.module) == 0)
		return NAN;
	t = net_state_cell(shown.analysis->state, v.module,
		v.module == state->view.timeline.module ? node_owner_of(state) : 0, v.kind);
	return v.field == NET_FIELDS ? t.hits : t.field[v.field];
}

/* Each name with its value: "l2_delay 15". */
static void
node_add_value(void *ctx, const struct aexpr *name)
{
	struct put_in *p = ctx;

	str_add(p->out, p->out->n ? ", " : "");
	str_addf(p->out, "%s ", name->name);
	node_add_number(p->out, value_of(p->s, p->net, name->index));
}

static void
draw_formula(struct page *page, size_t kind, const char *what, const struct aexpr *aexpr, double value)
{
	const struct network *network = timeline_network(page->s->data.timeline);
	struct str text = {0}, values = {0}, unit = {0};
	struct put_in put = {page->s, network, &values};

	str_addf(&text, "%s %s = ", network->kind[kind].name, what);
	aexpr_print(aexpr, &text);
	str_add(&text, " = ");
	node_add_number(&text, value);
	unit_text(aexpr->unit, &unit);
	if (!str_eq(str_text(&unit), "1"))
		str_addf(&text, " %s", str_text(&unit));
	page_words(page, ROLE_TEXT, str_text(&text));
	if (aexpr->op != AEXPR_NAME && aexpr->op != AEXPR_NUMBER) {
		aexpr_each_name(aexpr, node_add_value, &put);
		str_clear(&text);
		str_addf(&text, "  %s", str_text(&values));
		page_words(page, ROLE_DIM, str_text(&text));
	}
	str_free(&text);
	str_free(&values);
	str_free(&unit);
}

static void
draw_formulas(struct page *page)
{
	const struct state *state = page->s;
	const struct network *network = timeline_network(state->data.timeline);
	const struct net_module *m = &network->module[state->view.timeline.module];

	page_head(page, "formulas",
		timeline_is_run(page->s) ? "with the values of the whole run" : "with the values of this snapshot");
	for (size_t k = 0; k < network->n_kinds; k++) {
		struct net_cell_values t = {0};

		if (m->cell[k].state != NET_CELL_REPORTED)
			continue;
		if (state_timeline_shown(state).analysis)
			t = net_state_cell(state_timeline_shown(state).analysis->state, state->view.timeline.module,
				node_owner_of(state), k);
		for (size_t i = 0; i < m->cell[k].n_hits; i++) {
			char *what = str_format("hit \"%s\"", m->cell[k].hit[i].place);

			draw_formula(page, k, what, m->cell[k].hit[i].e,
				state_timeline_shown(state).analysis ? t.place[i] : NAN);
			free(what);
		}
		for (int f = 0; f < NET_FIELDS; f++)
			if (m->cell[k].field[f])
				draw_formula(page, k, net_field_name((enum net_field)f), m->cell[k].field[f],
					state_timeline_shown(state).analysis ? t.field[f] : NAN);
	}
}

static int
draw_node_popup(const struct state *s, struct grid *grid, struct rect screen, int first)
{
	const struct network *network = s->data.timeline ? timeline_network(s->data.timeline) : NULL;
	struct page p = {.s = s, .g = grid, .skip = first};
	struct str title = {0};
	const struct net_module *module;

	if (!network)
		return 1;
	module = &network->module[s->view.timeline.module];
	add_node_title(s, &title);
	p.r = draw_popup(grid, screen, 104, screen.h - 6, str_text(&title),
		module->text && *module->text ? module->text : network->stage[module->stage].name);
	str_free(&title);
	draw_kinds(&p);
	draw_known_for(&p);
	draw_queues(&p);
	draw_load(&p);
	draw_past(&p);
	page_blank(&p);
	draw_formulas(&p);
	page_blank(&p);
	draw_counters(&p, true);
	return page_rows(&p);
}

const struct popup_draw popup_draw_node = {.text = draw_node_popup};
