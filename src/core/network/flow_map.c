#include "core/network/flow_map.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/network/path_map.h"
#include "core/network/state.h"

/* Of the task on this core: those of all its flows there. */
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

static double
seconds_of(const struct flows *f, const struct flow *flow)
{
	uint64_t ns = 0;

	for (size_t i = FLOW_SPECIALS; i < flows_n(f); i++) {
		const struct flow *k = flows_at(f, i);

		ns += k->task == flow->task && k->life == flow->life && k->core == flow->core ? k->ran_ns : 0;
	}
	return (double)ns * 1e-9;
}

struct net_path_map *
flow_path_map(const struct flows *f, const struct flow *flow, const size_t *counter, struct net_state *state)
{
	const struct network *net = net_state_network(state);
	size_t cores = net_state_shape(state)->n[SCOPE_CORE];
	double *value, **count;

	if (!flow->task)
		return NULL;
	value = mem_new_array(flows_spec(f)->n_counters * cores, sizeof *value);
	count = mem_new_array(net->n_counters, sizeof(double *));
	for (size_t i = 0; i < flows_spec(f)->n_counters; i++) {
		count[counter[i]] = value + i * cores;
		for (size_t core = 0; core < cores; core++)
			value[i * cores + core] = core == flow->core ? count_of(f, flow, i) : NAN;
	}
	net_state_take(state, &(struct net_snapshot){.seconds = seconds_of(f, flow), .count = (const double *const *)count});
	free(value);
	free(count);
	return net_path_map_of(state, SCOPE_CORE, flow->core);
}
