/* One snapshot of a network as JSON: docs/json.md, "hecate.net/1". */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/counting.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_net.h"
#include "cli/print/print_net_flows.h"
#include "cli/print/print_net_page.h"
#include "cli/print/print_net_estimates.h"
#include "cli/print/print_net_tiering.h"
#include "core/network/network.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/network/stalls.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "event/modifiers.h"
#include "work/timeline/column_owners.h"
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
write_cell(const struct net_report *r, const struct net_path_map *map, size_t row, size_t k)
{
	struct json_writer *writer = r->json;
	const struct net_map_cell *cell = &map->row[row].cell[k];

	json_open(writer, NULL, '{');
	json_str(writer, "kind", kind(r, k));
	json_str(writer, "state", print_net_state(cell->state));
	json_num(writer, "hits", cell->state == NET_CELL_REPORTED && !cell->unknown ? cell->hits : NAN);
	json_str(writer, "with", cell->state == NET_CELL_WITH ? kind(r, cell->with) : NULL);
	if (r->beyond < r->net->n_stages) {
		size_t first = net_path_map_beyond(map, r->beyond);

		write_share(writer,
			row < first ? (struct net_sum){.unknown = 1} : net_path_map_sum(map, row, row + 1, k),
			net_path_map_sum(map, first, map->n_rows, k));
	}
	json_close(writer, '}');
}

static double
known(struct net_sum s)
{
	return s.unknown ? NAN : s.hits;
}

static void
write_beyond(const struct net_report *report, const struct net_path_map *map, size_t stage)
{
	struct json_writer *writer = report->json;
	size_t first = net_path_map_beyond(map, stage);
	struct net_sum all = net_path_map_sum(map, first, map->n_rows, map->n_kinds);

	json_open(writer, NULL, '{');
	json_str(writer, "stage", report->net->stage[stage].name);
	json_num(writer, "hits", known(all));
	json_open(writer, "kinds", '[');
	for (size_t k = 0; k < map->n_kinds; k++) {
		struct net_sum some = net_path_map_sum(map, first, map->n_rows, k);

		json_open(writer, NULL, '{');
		json_str(writer, "kind", kind(report, k));
		json_num(writer, "hits", known(some));
		write_share(writer, some, all);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_close(writer, '}');
}

static void
write_map(const struct net_report *report, const struct net_state *state)
{
	struct json_writer *writer = report->json;
	struct net_path_map *map = net_path_map_new(state);

	json_open(writer, "path_map", '[');
	for (size_t row = 0; row < map->n_rows; row++) {
		const struct net_module *at = &report->net->module[map->row[row].module];

		json_open(writer, NULL, '{');
		json_str(writer, "place", map->row[row].place);
		json_str(writer, "module", at->name);
		json_str(writer, "stage", report->net->stage[at->stage].name);
		json_num(writer, "together", known(net_path_map_sum(map, row, row + 1, map->n_kinds)));
		json_open(writer, "cells", '[');
		for (size_t k = 0; k < map->n_kinds; k++)
			write_cell(report, map, row, k);
		json_close(writer, ']');
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_open(writer, "together", '[');
	for (size_t k = 0; k < map->n_kinds; k++) {
		json_open(writer, NULL, '{');
		json_str(writer, "kind", kind(report, k));
		json_num(writer, "hits", known(net_path_map_sum(map, 0, map->n_rows, k)));
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_open(writer, "beyond", '[');
	for (size_t i = 0; i < report->net->n_stages; i++)
		if (net_path_map_beyond(map, i) < map->n_rows)
			write_beyond(report, map, i);
	json_close(writer, ']');
	net_path_map_free(map);
}

/* Writes which owner of a module something is of. */
static void
write_owner(const struct net_report *report, const struct column_owners *owners, size_t module, size_t owner)
{
	json_int(report->json, "owner", (int64_t)owner);
	json_str(report->json, "owner_name", column_owners_name(owners, report->net->module[module].per, owner));
}

static void
write_queues(const struct net_report *report, const struct net_state *state, const struct column_owners *owners)
{
	struct json_writer *writer = report->json;
	struct net_queues *queues = net_queues_new(state);

	json_open(writer, "queues", '[');
	for (size_t i = 0; i < queues->n; i++) {
		const struct net_queue *queue = &queues->queue[i];

		json_open(writer, NULL, '{');
		json_str(writer, "module", report->net->module[queue->module].name);
		write_owner(report, owners, queue->module, queue->owner);
		json_str(writer, "kind", kind(report, queue->kind));
		json_num(writer, "length", queue->length);
		json_num(writer, "arrivals", queue->arrivals);
		json_num(writer, "wait", queue->wait);
		json_num(writer, "wait_ns", print_net_wait_ns(state, queue, queue->wait));
		json_num(writer, "before", queue->before);
		json_num(writer, "missing", queue->missing);
		json_num(writer, "miss_wait", queue->miss_wait);
		json_num(writer, "occupied", queue->occupied);
		json_bool(writer, "apart", net_queue_differs(queue));
		json_bool(writer, "faster", queue->faster);
		json_bool(writer, "background", queue->background);
		write_unit(writer, "unit", report->net->module[queue->module].cell[queue->kind].field[NET_DELAY]->unit);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	if (queues->awaited && queues->queue[0].length > 0) {
		json_open(writer, "culprit", '{');
		json_str(writer, "module", report->net->module[queues->queue[0].module].name);
		write_owner(report, owners, queues->queue[0].module, queues->queue[0].owner);
		json_str(writer, "kind", kind(report, queues->queue[0].kind));
		json_num(writer, "margin", queues->margin);
		json_close(writer, '}');
	} else {
		json_null(writer, "culprit");
	}
	net_queues_free(queues);
}

/* A component over all owners, and the parts of its stall. */
static void
print_net_json_write_component(const struct net_report *report, const struct net_state *state,
	const struct column_owners *owners, const struct net_stalls *stalls, size_t module, size_t k)
{
	struct json_writer *writer = report->json;
	double stall = 0, own = 0, hidden = 0, kept = 0, stuck = 0, ns = 0;

	for (size_t o = 0; o < net_state_owners(state, module); o++) {
		size_t at = net_stalls_at(stalls, module, o, k);

		stall += stalls->stall[at];
		own += stalls->own[at];
		hidden += stalls->hidden[at];
		kept += stalls->kept[at];
		stuck += stalls->stuck[at];
		ns += stalls->stall[at] > 0 ? net_stalls_ns(stalls, at, stalls->stall[at]) : 0;
	}
	if (!(stall > 0) && !(hidden > 0))
		return;
	json_open(writer, NULL, '{');
	json_str(writer, "module", report->net->module[module].name);
	json_str(writer, "kind", kind(report, k));
	json_num(writer, "stall", stall);
	json_num(writer, "stall_ns", ns);
	json_num(writer, "own", net_stalls_reported(state, module, k) ? own : NAN);
	json_num(writer, "hidden", hidden);
	json_num(writer, "kept", kept);
	json_num(writer, "stuck", stuck);
	json_open(writer, "from", '[');
	for (size_t m = 0; m < report->net->n_modules; m++) {
		double part = 0;

		for (size_t o = 0; o < net_state_owners(state, module); o++)
			part += net_stalls_from(stalls, module, o, k, m);
		if (!(part > 0))
			continue;
		json_open(writer, NULL, '{');
		json_str(writer, "module", report->net->module[m].name);
		json_num(writer, "stall", part);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_open(writer, "owners", '[');
	for (size_t o = 0; o < net_state_owners(state, module); o++) {
		size_t at = net_stalls_at(stalls, module, o, k);

		if (!(stalls->stall[at] > 0) && !(stalls->hidden[at] > 0))
			continue;
		json_open(writer, NULL, '{');
		write_owner(report, owners, module, o);
		json_num(writer, "stall", stalls->stall[at]);
		json_num(writer, "own", net_stalls_reported(state, module, k) ? stalls->own[at] : NAN);
		json_num(writer, "hidden", stalls->hidden[at]);
		json_num(writer, "kept", stalls->kept[at]);
		json_num(writer, "stuck", stalls->stuck[at]);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_close(writer, '}');
}

static void
write_stalls(const struct net_report *report, const struct net_state *state, const struct column_owners *owners)
{
	struct json_writer *writer = report->json;
	size_t ends;
	struct net_stalls **s = net_stalls_all(state, report->weight, &ends);

	json_open(writer, "stalls", '[');
	for (size_t d = 0; d < ends; d++) {
		json_open(writer, NULL, '{');
		json_str(writer, "destination", report->net->module[s[d]->destination].name);
		json_open(writer, "components", '[');
		for (size_t m = report->net->n_modules; m-- > 0;)
			for (size_t k = 0; k < report->net->n_kinds; k++)
				print_net_json_write_component(report, state, owners, s[d], m, k);
		json_close(writer, ']');
		json_close(writer, '}');
	}
	json_close(writer, ']');
	print_net_write_stall_doubts(report, state, s, ends);
	net_stalls_all_free(s, ends);
}

static void
write_figures(const struct net_report *report, const struct net_state *state)
{
	struct json_writer *writer = report->json;

	json_open(writer, "totals", '[');
	for (size_t i = 0; i < report->net->n_totals; i++) {
		json_open(writer, NULL, '{');
		json_str(writer, "text", report->net->total[i].text);
		json_num(writer, "value", net_state_total(state, i));
		write_unit(writer, "unit", report->net->total[i].e->unit);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
write_laws(const struct net_report *report, const struct net_state *state)
{
	struct json_writer *writer = report->json;

	json_open(writer, "laws", '[');
	for (size_t i = 0; i < report->net->n_laws; i++) {
		const struct net_law *law = &report->net->law[i];
		double left, right;

		net_state_law(state, i, &left, &right);
		json_open(writer, NULL, '{');
		json_str(writer, "text", law->text);
		json_num(writer, "left", left);
		json_str(writer, "relation", law->equal ? "=" : "<=");
		json_num(writer, "right", right);
		json_num(writer, "within", law->within);
		if (isnan(left) || isnan(right))
			json_null(writer, "holds");
		else
			json_bool(writer, "holds", net_state_law_holds(state, i));
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
write_use(void *ctx, const char *what)
{
	json_str(ctx, NULL, what);
}

static void
print_net_json_write_counters(
	const struct net_report *report, const struct network_data *data, const struct network_data_snapshot *snapshot)
{
	struct json_writer *writer = report->json;

	json_open(writer, "lacking", '[');
	for (size_t c = 0; c < report->net->n_counters; c++) {
		if (!data->counter[c].why)
			continue;
		json_open(writer, NULL, '{');
		json_str(writer, "counter", report->net->counter[c].name);
		json_str(writer, "why", report->net->counter[c].unresolved ? "unresolved" : data->counter[c].why);
		json_open(writer, "takes", '[');
		net_each_use(report->net, c, write_use, writer);
		json_close(writer, ']');
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_open(writer, "alternatives", '[');
	for (size_t c = 0; c < report->net->n_counters; c++) {
		const struct event_sum *taken = data->counter[c].taken;

		if (!taken || data->counter[c].why)
			continue;
		json_open(writer, NULL, '{');
		json_str(writer, "counter", report->net->counter[c].name);
		json_open(writer, "events", '[');
		for (size_t i = 0; i < taken->n; i++)
			json_str(writer, NULL, taken->event[i].name);
		json_close(writer, ']');
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_open(writer, "scaled", '[');
	for (size_t c = 0; c < report->net->n_counters; c++) {
		if (data->counter[c].why || data->counter[c].counted == snapshot->intervals)
			continue;
		json_open(writer, NULL, '{');
		json_str(writer, "counter", report->net->counter[c].name);
		json_int(writer, "counted", (int64_t)data->counter[c].counted);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
write_bad_counters(const struct net_report *report, const struct net_state *state,
	size_t (*bad)(const struct net_state *, size_t counter), const char *key)
{
	struct json_writer *writer = report->json;

	json_open(writer, key, '[');
	for (size_t c = 0; c < report->net->n_counters; c++)
		if (bad(state, c)) {
			json_open(writer, NULL, '{');
			json_str(writer, "counter", report->net->counter[c].name);
			json_int(writer, "owners", (int64_t)bad(state, c));
			json_close(writer, '}');
		}
	json_close(writer, ']');
}

static void
write_gone(const struct net_report *report, const struct net_state *state, const struct column_owners *owners)
{
	const struct net_shape *shape = net_state_shape(state);
	struct json_writer *writer = report->json;

	json_open(writer, "gone", '[');
	for (int per = 0; per < SCOPES; per++)
		for (size_t o = 0; o < shape->n[per]; o++)
			if (net_state_gone(state, (enum scope)per, o)) {
				json_open(writer, NULL, '{');
				json_str(writer, "per", scope_name((enum scope)per));
				json_int(writer, "owner", (int64_t)o);
				json_str(writer, "owner_name", column_owners_name(owners, (enum scope)per, o));
				json_close(writer, '}');
			}
	json_close(writer, ']');
	write_bad_counters(report, state, net_state_wrong, "wrong");
	write_bad_counters(report, state, net_state_impossible, "impossible");
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
}

void
print_net_json(const struct net_report *report, const struct network_data *data, size_t snapshot,
	const struct net_state *state)
{
	const struct network_data_snapshot *network_data_snapshot = &data->snapshot[snapshot];
	struct json_writer *writer = report->json;
	enum net_by by;

	json_open(writer, NULL, '{');
	json_str(writer, "name", network_data_obs(data, snapshot)->name);
	json_str(writer, "source", network_data_obs(data, snapshot)->source);
	json_int(writer, "row", (int64_t)network_data_snapshot->first_row + 1);
	json_int(writer, "rows", (int64_t)network_data_snapshot->n_rows);
	json_int(writer, "intervals", (int64_t)network_data_snapshot->intervals);
	json_num(writer, "seconds", network_data_snapshot->seconds);
	if (print_net_has(report, SPEC_PATHS) || print_net_has(report, SPEC_SHARES))
		write_map(report, state);
	if (print_net_has(report, SPEC_QUEUES))
		write_queues(report, state, data->owners);
	if (print_net_has(report, SPEC_STALLS))
		write_stalls(report, state, data->owners);
	if (print_net_wants_by(report, &by))
		print_net_write_by(report, state, data->owners, by);
	if (report->estimates)
		print_net_estimates_json(data, snapshot, state, report->estimates, writer);
	if (report->tiering)
		print_net_tiering_json(data, writer);
	if (print_net_has(report, SPEC_LOAD))
		print_net_write_qos(report, state);
	if (print_net_has(report, SPEC_FIGURES))
		write_figures(report, state);
	if (print_net_has(report, SPEC_LAWS))
		write_laws(report, state);
	print_net_write_advice(report, data, state);
	json_int(writer, "below_zero", (int64_t)net_state_below_zero(state));
	print_net_json_write_counters(report, data, network_data_snapshot);
	write_gone(report, state, data->owners);
	json_open(writer, "user_only", '[');
	for (size_t c = 0; c < report->net->n_counters; c++)
		if (data->match->mode[c] == EVENT_MOD_USER)
			json_str(writer, NULL, report->net->counter[c].name);
	json_close(writer, ']');
	json_open(writer, "extra", '[');
	for (size_t i = 0; i < data->n_extra; i++)
		json_str(writer, NULL, data->extra[i]);
	json_close(writer, ']');
	json_close(writer, '}');
}

void
print_net_json_end(const struct net_report *r, const struct counting *c)
{
	if (r->estimates)
		print_net_estimate_errors_json(r->estimates, r->json);
	print_net_flow_run_json(r, c);
	counting_metrics_json(c, r->json);
	json_open(r->json, "warnings", '[');
	print_counting_json_warnings(c, r->json);
	for (size_t i = 0; i < r->remarks.n; i++)
		print_json_warning(r->json, "owners", r->remarks.name[i]);
	json_close(r->json, ']');
	json_close(r->json, '}');
	str_addc(r->json->out, '\n');
}
