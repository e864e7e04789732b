#include "work/timeline/snapshot_records.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_records.h"
#include "core/network/flow.h"
#include "core/network/flow_map.h"
#include "core/network/flow_order.h"
#include "core/network/path_map.h"
#include "core/obs/obs.h"
#include "work/timeline/flow_sum.h"
#include "work/timeline/network_data.h"

struct flow_pass {
	struct session_records *records;
	const struct network *net;
	const struct flow_sum *sum;
	struct net_state *state;
	double *others; /* per counter of the network: its count for all tasks, as flow_task_map() takes it */
	int64_t snapshot;
};

static double
end_of(const struct network_data *data, size_t snapshot)
{
	const struct obs *o = network_data_obs(data, snapshot);
	const struct network_data_snapshot *s = &data->snapshot[snapshot];

	return o->time ? o->time[s->first_row + s->n_rows - 1] : NAN;
}

/* Adds up the flows between the end of the snapshot before and the end of this one. NULL: none. */
static struct flow_sum *
flows_of(const struct network_data *data, size_t snapshot, const struct obs_table *flows)
{
	size_t obs = network_data_source(data, snapshot), n;
	struct flow_part *part = flow_sum_parts(data->table, obs, &flows, flows ? 1 : 0, &n);
	struct flow_sum *sum;
	bool first = snapshot == 0 || network_data_source(data, snapshot - 1) != obs;
	bool last = snapshot + 1 == data->n || network_data_source(data, snapshot + 1) != obs;
	double end = end_of(data, snapshot), from = first ? -INFINITY : end_of(data, snapshot - 1);

	sum = flow_sum_new(data->net, part, n, from, (first && last) || isnan(end) ? INFINITY : end);
	free(part);
	return sum;
}

static bool
write_paths(const struct flow_pass *p, const struct flow *flow, int64_t number, struct err *e)
{
	const size_t *counter = flow_sum_counters(p->sum);
	struct net_path_map *map = flow_task_map(flow_sum_flows(p->sum), flow, counter, p->others, p->state);
	bool good = true;

	for (size_t r = 0; map && r < map->n_rows; r++)
		for (size_t k = 0; k < map->n_kinds && good; k++) {
			const struct net_map_cell *cell = &map->row[r].cell[k];
			const struct session_thing thing = {.what = SESSION_PATHS,
				.module = p->net->module[map->row[r].module].name,
				.kind = p->net->kind[k].name,
				.owner = "",
				.target = map->row[r].place,
				.flow = number};
			int64_t id;

			if (cell->state != NET_CELL_REPORTED || cell->unknown)
				continue;
			id = session_records_thing(p->records, &thing, e);
			good = id && session_records_add(p->records, SESSION_PATHS, p->snapshot, id, &cell->hits, e);
		}
	net_path_map_free(map);
	return good;
}

static bool
write_flow(const struct flow_pass *p, const struct flow_line *line, struct err *e)
{
	const struct flow *flow = line->flow;
	bool nowhere = flow->destination == FLOW_NOWHERE;
	const char *destination = nowhere ? "" : p->net->module[flow_sum_destinations(p->sum)[flow->destination]].name;
	int64_t number = session_records_flow(p->records, flow_sum_task_of(p->sum, flow), flow->task,
		flow_sum_life(p->sum, flow), flow_sum_cpu(p->sum, flow->core), destination, e);
	const double figure[] = {nowhere ? (double)line->ran_ns * 1e-9 : NAN,
		line->known && !nowhere ? (double)line->requests : NAN, flows_share(flow_sum_flows(p->sum), flow),
		(double)flow->snapshots, flow->ended};

	return number && session_records_add(p->records, SESSION_FLOWS, p->snapshot, number, figure, e) &&
		(!nowhere || write_paths(p, flow, number, e));
}

bool
snapshot_records_flows(struct session_records *records, const struct network_data *data, size_t snapshot,
	const struct obs_table *flows, int64_t number, struct err *e)
{
	static const size_t first[1];
	static const struct net_shape one = {.n = {1, 1, 1, 1, 1, 1, 1, 1},
		.part_of = {
			[SCOPE_THREAD] = first, [SCOPE_CORE] = first, [SCOPE_SLICE] = first, [SCOPE_CHANNEL] = first}};
	struct flow_sum *sum = flows_of(data, snapshot, flows);
	struct flow_pass pass = {.records = records, .net = data->net, .sum = sum, .snapshot = number};
	struct flow_line *line;
	bool good = true;
	size_t n;

	if (!sum)
		return true;
	pass.state = net_state_new(data->net, &one);
	pass.others = mem_new_array(data->net->n_counters, sizeof *pass.others);
	for (size_t c = 0; c < data->net->n_counters; c++)
		pass.others[c] = data->net->counter[c].scope == SCOPE_TASK ||
				scope_within(data->net->counter[c].scope, SCOPE_CORE)
			? NAN
			: data->counter[c].value;
	line = flow_lines(flow_sum_flows(sum), &n);
	for (size_t i = 0; i < n && good; i++)
		good = write_flow(&pass, &line[i], e);
	free(line);
	free(pass.others);
	net_state_free(pass.state);
	flow_sum_free(sum);
	return good;
}
