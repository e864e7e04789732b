#include "core/network/flow_map.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/network/path_map.h"
#include "core/network/state.h"

/* The counts of all flows of the same task on this core, added up. */
static double
count_of_task(const struct flows *f, const struct flow *flow, size_t counter)
{
	double sum = 0;

	for (size_t i = FLOW_SPECIALS; i < flows_n(f); i++) {
		const struct flow *k = flows_at(f, i);

		if (k->task == flow->task && k->life == flow->life && k->core == flow->core)
			sum += k->lost[counter] ? NAN : (double)k->count[counter];
	}
	return sum;
}

static double
count_of(const struct flows *f, const struct flow *flow, size_t counter)
{
	size_t to = flows_spec(f)->counter[counter].destination;

	if (flow->destination == FLOW_NOWHERE)
		return count_of_task(f, flow, counter);
	if (to == flow->destination)
		return flow->lost[counter] ? NAN : (double)flow->count[counter];
	return to == FLOW_NOWHERE ? count_of_task(f, flow, counter) * flows_share(f, flow) : 0;
}

double *
flow_counts(const struct flows *f, const struct flow *flow)
{
	double *out = mem_new_array(flows_spec(f)->n_counters, sizeof *out);

	for (size_t i = 0; i < flows_spec(f)->n_counters; i++)
		out[i] = count_of(f, flow, i);
	return out;
}

static double
flow_map_seconds_of(const struct flows *f, const struct flow *flow)
{
	uint64_t ns = 0;

	for (size_t i = FLOW_SPECIALS; i < flows_n(f); i++) {
		const struct flow *k = flows_at(f, i);

		ns += k->task == flow->task && k->life == flow->life && k->core == flow->core ? k->ran_ns : 0;
	}
	return (double)ns * 1e-9;
}

struct net_path_map *
flow_task_map(const struct flows *flows, const struct flow *flow, const size_t *counter, const double *others,
	struct net_state *state)
{
	const struct network *net = net_state_network(state);
	double *value;
	const double **count;

	if (!flow->task)
		return NULL;
	value = mem_copy(others, net->n_counters * sizeof *value);
	count = mem_new_array(net->n_counters, sizeof *count);
	for (size_t i = 0; i < flows_spec(flows)->n_counters; i++)
		value[counter[i]] = count_of_task(flows, flow, i);
	for (size_t c = 0; c < net->n_counters; c++)
		count[c] = &value[c];
	net_state_take(state, &(struct net_snapshot){.seconds = flow_map_seconds_of(flows, flow), .count = count});
	free(count);
	free(value);
	return net_path_map_new(state);
}
