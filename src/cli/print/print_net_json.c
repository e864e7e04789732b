/* One snapshot of a network as JSON: docs/json.md, "hecate.net/1". */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_net.h"
#include "cli/print/print_net_flows.h"
#include "cli/print/print_net_page.h"
#include "core/network/network.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/network/stalls.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "event/modifiers.h"
#include "work/timeline/network_data.h"

static const char *
kind(const struct net_report *r, size_t k)
{
	return r->net->kind[k].name;
}

static void
write_unit(struct json_writer *w, const char *key, struct unit u)
{
	struct str text = {0};

	unit_text(u, &text);
	json_str(w, key, str_text(&text));
	str_free(&text);
}

static void
write_share(struct json_writer *w, struct net_sum a, struct net_sum b)
{
	json_num(w, "share", net_share(a, b));
	json_num(w, "share_known", net_share_known(a, b));
}

static void
write_cell(const struct net_report *r, const struct net_path_map *m, size_t row, size_t k)
{
	struct json_writer *w = r->json;
	const struct net_map_cell *c = &m->row[row].cell[k];

	json_open(w, NULL, '{');
	json_str(w, "kind", kind(r, k));
	json_str(w, "state", print_net_state(c->state));
	json_num(w, "hits", c->state == NET_CELL_REPORTED && !c->unknown ? c->hits : NAN);
	json_str(w, "with", c->state == NET_CELL_WITH ? kind(r, c->with) : NULL);
	if (r->beyond < r->net->n_stages) {
		size_t first = net_path_map_beyond(m, r->beyond);

		write_share(w, row < first ? (struct net_sum){.unknown = 1} : net_path_map_sum(m, row, row + 1, k),
			net_path_map_sum(m, first, m->n_rows, k));
	}
	json_close(w, '}');
}

static double
known(struct net_sum s)
{
	return s.unknown ? NAN : s.hits;
}

static void
write_beyond(const struct net_report *r, const struct net_path_map *m, size_t stage)
{
	struct json_writer *w = r->json;
	size_t first = net_path_map_beyond(m, stage);
	struct net_sum all = net_path_map_sum(m, first, m->n_rows, m->n_kinds);

	json_open(w, NULL, '{');
	json_str(w, "stage", r->net->stage[stage].name);
	json_num(w, "hits", known(all));
	json_open(w, "kinds", '[');
	for (size_t k = 0; k < m->n_kinds; k++) {
		struct net_sum some = net_path_map_sum(m, first, m->n_rows, k);

		json_open(w, NULL, '{');
		json_str(w, "kind", kind(r, k));
		json_num(w, "hits", known(some));
		write_share(w, some, all);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_close(w, '}');
}

static void
write_map(const struct net_report *r, const struct net_state *state)
{
	struct json_writer *w = r->json;
	struct net_path_map *m = net_path_map_new(state);

	json_open(w, "path_map", '[');
	for (size_t row = 0; row < m->n_rows; row++) {
		const struct net_module *at = &r->net->module[m->row[row].module];

		json_open(w, NULL, '{');
		json_str(w, "place", m->row[row].place);
		json_str(w, "module", at->name);
		json_str(w, "stage", r->net->stage[at->stage].name);
		json_num(w, "together", known(net_path_map_sum(m, row, row + 1, m->n_kinds)));
		json_open(w, "cells", '[');
		for (size_t k = 0; k < m->n_kinds; k++)
			write_cell(r, m, row, k);
		json_close(w, ']');
		json_close(w, '}');
	}
	json_close(w, ']');
	json_open(w, "together", '[');
	for (size_t k = 0; k < m->n_kinds; k++) {
		json_open(w, NULL, '{');
		json_str(w, "kind", kind(r, k));
		json_num(w, "hits", known(net_path_map_sum(m, 0, m->n_rows, k)));
		json_close(w, '}');
	}
	json_close(w, ']');
	json_open(w, "beyond", '[');
	for (size_t i = 0; i < r->net->n_stages; i++)
		if (net_path_map_beyond(m, i) < m->n_rows)
			write_beyond(r, m, i);
	json_close(w, ']');
	net_path_map_free(m);
}

static void
write_queues(const struct net_report *r, const struct net_state *state)
{
	struct json_writer *w = r->json;
	struct net_queues *q = net_queues_new(state);

	json_open(w, "queues", '[');
	for (size_t i = 0; i < q->n; i++) {
		const struct net_queue *x = &q->queue[i];

		json_open(w, NULL, '{');
		json_str(w, "module", r->net->module[x->module].name);
		json_str(w, "kind", kind(r, x->kind));
		json_num(w, "length", x->length);
		json_num(w, "arrivals", x->arrivals);
		json_num(w, "wait", x->wait);
		json_num(w, "before", x->before);
		json_num(w, "missing", x->missing);
		json_num(w, "miss_wait", x->miss_wait);
		json_num(w, "occupied", x->occupied);
		json_bool(w, "faster", x->faster);
		json_bool(w, "background", x->background);
		write_unit(w, "unit", r->net->module[x->module].cell[x->kind].field[NET_DELAY]->unit);
		json_close(w, '}');
	}
	json_close(w, ']');
	if (q->awaited && q->queue[0].length > 0) {
		json_open(w, "culprit", '{');
		json_str(w, "module", r->net->module[q->queue[0].module].name);
		json_str(w, "kind", kind(r, q->queue[0].kind));
		json_num(w, "margin", q->margin);
		json_close(w, '}');
	} else {
		json_null(w, "culprit");
	}
	net_queues_free(q);
}

/* A component over all owners, and the parts of its stall. */
static void
print_net_json_write_component(
	const struct net_report *r, const struct net_state *state, const struct net_stalls *s, size_t module, size_t k)
{
	struct json_writer *w = r->json;
	double stall = 0, own = 0, hidden = 0, kept = 0, stuck = 0;

	for (size_t o = 0; o < net_state_owners(state, module); o++) {
		size_t at = net_stalls_at(s, module, o, k);

		stall += s->stall[at];
		own += s->own[at];
		hidden += s->hidden[at];
		kept += s->kept[at];
		stuck += s->stuck[at];
	}
	if (!(stall > 0) && !(hidden > 0))
		return;
	json_open(w, NULL, '{');
	json_str(w, "module", r->net->module[module].name);
	json_str(w, "kind", kind(r, k));
	json_num(w, "stall", stall);
	json_num(w, "own", net_stalls_reported(state, module, k) ? own : NAN);
	json_num(w, "hidden", hidden);
	json_num(w, "kept", kept);
	json_num(w, "stuck", stuck);
	json_open(w, "from", '[');
	for (size_t m = 0; m < r->net->n_modules; m++) {
		double part = 0;

		for (size_t o = 0; o < net_state_owners(state, module); o++)
			part += s->from[net_stalls_at(s, module, o, k) * s->n_modules + m];
		if (!(part > 0))
			continue;
		json_open(w, NULL, '{');
		json_str(w, "module", r->net->module[m].name);
		json_num(w, "stall", part);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_close(w, '}');
}

static void
write_stalls(const struct net_report *r, const struct net_state *state)
{
	struct json_writer *w = r->json;
	size_t ends;
	struct net_stalls **s = net_stalls_all(state, &ends);

	json_open(w, "stalls", '[');
	for (size_t d = 0; d < ends; d++) {
		json_open(w, NULL, '{');
		json_str(w, "destination", r->net->module[s[d]->destination].name);
		json_open(w, "components", '[');
		for (size_t m = r->net->n_modules; m-- > 0;)
			for (size_t k = 0; k < r->net->n_kinds; k++)
				print_net_json_write_component(r, state, s[d], m, k);
		json_close(w, ']');
		json_close(w, '}');
	}
	json_close(w, ']');
	net_stalls_all_free(s, ends);
}

static void
write_figures(const struct net_report *r, const struct net_state *state)
{
	struct json_writer *w = r->json;

	json_open(w, "totals", '[');
	for (size_t i = 0; i < r->net->n_totals; i++) {
		json_open(w, NULL, '{');
		json_str(w, "text", r->net->total[i].text);
		json_num(w, "value", net_state_total(state, i));
		write_unit(w, "unit", r->net->total[i].e->unit);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void
write_laws(const struct net_report *r, const struct net_state *state)
{
	struct json_writer *w = r->json;

	json_open(w, "laws", '[');
	for (size_t i = 0; i < r->net->n_laws; i++) {
		const struct net_law *l = &r->net->law[i];
		double left, right;

		net_state_law(state, i, &left, &right);
		json_open(w, NULL, '{');
		json_str(w, "text", l->text);
		json_num(w, "left", left);
		json_str(w, "relation", l->equal ? "=" : "<=");
		json_num(w, "right", right);
		if (isnan(left) || isnan(right))
			json_null(w, "holds");
		else
			json_bool(w, "holds", net_state_law_holds(state, i));
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void
write_use(void *ctx, const char *what)
{
	json_str(ctx, NULL, what);
}

static void
print_net_json_write_counters(
	const struct net_report *r, const struct network_data *data, const struct network_data_snapshot *s)
{
	struct json_writer *w = r->json;

	json_open(w, "lacking", '[');
	for (size_t c = 0; c < r->net->n_counters; c++) {
		if (!data->counter[c].why)
			continue;
		json_open(w, NULL, '{');
		json_str(w, "counter", r->net->counter[c].name);
		json_str(w, "why", r->net->counter[c].unresolved ? "unresolved" : data->counter[c].why);
		json_open(w, "takes", '[');
		net_each_use(r->net, c, write_use, w);
		json_close(w, ']');
		json_close(w, '}');
	}
	json_close(w, ']');
	json_open(w, "scaled", '[');
	for (size_t c = 0; c < r->net->n_counters; c++) {
		if (data->counter[c].why || data->counter[c].counted == s->intervals)
			continue;
		json_open(w, NULL, '{');
		json_str(w, "counter", r->net->counter[c].name);
		json_int(w, "counted", (int64_t)data->counter[c].counted);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void
write_gone(const struct net_report *r, const struct net_state *state)
{
	const struct net_shape *shape = net_state_shape(state);
	struct json_writer *w = r->json;

	json_open(w, "gone", '[');
	for (int per = 0; per < SCOPES; per++)
		for (size_t o = 0; o < shape->n[per]; o++)
			if (net_state_gone(state, (enum scope)per, o)) {
				json_open(w, NULL, '{');
				json_str(w, "per", scope_name((enum scope)per));
				json_int(w, "owner", (int64_t)o);
				json_close(w, '}');
			}
	json_close(w, ']');
	json_open(w, "wrong", '[');
	for (size_t c = 0; c < r->net->n_counters; c++)
		if (net_state_wrong(state, c)) {
			json_open(w, NULL, '{');
			json_str(w, "counter", r->net->counter[c].name);
			json_int(w, "owners", (int64_t)net_state_wrong(state, c));
			json_close(w, '}');
		}
	json_close(w, ']');
}

void
print_net_json_begin(const struct net_report *r, const struct counting *c)
{
	json_open(r->json, NULL, '{');
	json_str(r->json, "schema", "hecate.net/1");
	json_str(r->json, "network", r->net->name);
	json_str(r->json, "text", r->net->text);
	json_str(r->json, "file", r->file);
	print_counting_json(c, r->json);
	json_open(r->json, "snapshots", '[');
}

void
print_net_json(
	const struct net_report *r, const struct network_data *data, size_t snapshot, const struct net_state *state)
{
	const struct network_data_snapshot *s = &data->snapshot[snapshot];
	struct json_writer *w = r->json;

	json_open(w, NULL, '{');
	json_str(w, "name", network_data_obs(data, snapshot)->name);
	json_str(w, "source", network_data_obs(data, snapshot)->source);
	json_int(w, "row", (int64_t)s->first_row + 1);
	json_int(w, "rows", (int64_t)s->n_rows);
	json_int(w, "intervals", (int64_t)s->intervals);
	json_num(w, "seconds", s->seconds);
	if (print_net_has(r, SPEC_PATHS) || print_net_has(r, SPEC_SHARES))
		write_map(r, state);
	if (print_net_has(r, SPEC_QUEUES))
		write_queues(r, state);
	if (print_net_has(r, SPEC_STALLS))
		write_stalls(r, state);
	if (print_net_has(r, SPEC_LOAD))
		print_net_write_qos(r, state);
	if (print_net_has(r, SPEC_FIGURES))
		write_figures(r, state);
	if (print_net_has(r, SPEC_LAWS))
		write_laws(r, state);
	json_int(w, "below_zero", (int64_t)net_state_below_zero(state));
	print_net_json_write_counters(r, data, s);
	write_gone(r, state);
	json_open(w, "user_only", '[');
	for (size_t c = 0; c < r->net->n_counters; c++)
		if (data->match->mode[c] == EVENT_MOD_USER)
			json_str(w, NULL, r->net->counter[c].name);
	json_close(w, ']');
	json_open(w, "extra", '[');
	for (size_t i = 0; i < data->n_extra; i++)
		json_str(w, NULL, data->extra[i]);
	json_close(w, ']');
	json_close(w, '}');
}

void
print_net_json_end(const struct net_report *r, const struct counting *c)
{
	json_close(r->json, ']');
	print_net_flow_run_json(r, c);
	json_open(r->json, "warnings", '[');
	print_counting_json_warnings(c, r->json);
	json_close(r->json, ']');
	json_close(r->json, '}');
	str_addc(r->json->out, '\n');
}
