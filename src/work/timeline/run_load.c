#include "work/timeline/run_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/network/queues.h"
#include "core/network/state.h"
#include "work/timeline/timeline.h"

static size_t
counter_called(const struct network *network, const char *name)
{
	size_t i = 0;

	while (i < network->n_counters && !str_eq(network->counter[i].name, name))
		i++;
	return i;
}

/* A counter's value over all its owners; NAN: not counted, or not in the network. */
static double
counted(const struct network *network, const struct timeline_analysis *analysis, const char *name)
{
	size_t i = counter_called(network, name);

	return i < network->n_counters ? analysis->counter[i].value : NAN;
}

/* The same for one owner of the counter's scope. */
static double
counted_of(const struct network *network, const struct timeline_analysis *analysis, const char *name, size_t owner)
{
	size_t i = counter_called(network, name);

	return i < network->n_counters && owner < analysis->first[i + 1] - analysis->first[i]
		? analysis->count[analysis->first[i] + owner]
		: NAN;
}

static double
or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

static size_t
module_called(const struct network *network, const char *name)
{
	size_t i = 0;

	while (i < network->n_modules && !str_eq(network->module[i].name, name))
		i++;
	return i;
}

/* The misses, or the hits, of a kind at a module; NAN: no such cell, or not known. */
static double
cell_of(const struct network *network, const struct timeline_analysis *analysis, const char *module, const char *kind,
	bool hits)
{
	size_t m = module_called(network, module), k = 0;
	struct net_cell_values v;

	while (k < network->n_kinds && !str_eq(network->kind[k].name, kind))
		k++;
	if (m == network->n_modules || k == network->n_kinds)
		return NAN;
	v = net_state_cell(analysis->state, m, 0, k);
	return hits ? v.hits : v.misses;
}

/* Requests at a module on average, of all kinds: over the whole time, the part of it that they took. */
static double
length_at(const struct network *network, const struct timeline_analysis *analysis, const char *module)
{
	size_t m = module_called(network, module);
	double sum = NAN;

	for (size_t i = 0; i < analysis->queues->known; i++)
		if (analysis->queues->queue[i].module == m)
			sum = or_zero(sum) + analysis->queues->queue[i].length;
	return sum;
}

static struct run_disk
busiest_disk(const struct timeline *timeline, const struct timeline_analysis *analysis)
{
	const struct network *network = timeline_network(timeline);
	size_t reads = counter_called(network, "disk.reads"), best = SIZE_MAX;
	size_t owners = reads < network->n_counters ? analysis->first[reads + 1] - analysis->first[reads] : 0;
	double most = -1;

	for (size_t i = 0; i < owners; i++) {
		double time = or_zero(counted_of(network, analysis, "disk.read.t", i)) +
			or_zero(counted_of(network, analysis, "disk.write.t", i));

		if (time > most) {
			most = time;
			best = i;
		}
	}
	if (best == SIZE_MAX || isnan(counted_of(network, analysis, "disk.reads", best)))
		return (struct run_disk){NULL, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	return (struct run_disk){
		.name = mem_str(timeline_owner(timeline, network->counter[reads].scope, best)),
		.reads = counted_of(network, analysis, "disk.reads", best),
		.writes = counted_of(network, analysis, "disk.writes", best),
		.flushes = counted_of(network, analysis, "disk.flushes", best),
		.read_ns = counted_of(network, analysis, "disk.read.t", best),
		.write_ns = counted_of(network, analysis, "disk.write.t", best),
		.busy_ns = counted_of(network, analysis, "disk.busy", best),
		.read_bytes = counted_of(network, analysis, "disk.in", best),
	};
}

/* The time of tasks by class: their own, or the little that the network counts. */
static void
add_times(const struct timeline_analysis *analysis, const struct network *network, const struct run_answer *answer,
	struct run_load *load)
{
	load->by_task = answer && answer->by_task;
	load->n_tasks = load->by_task ? answer->n_tasks : 0;
	if (load->by_task) {
		memcpy(load->ns, answer->ns, sizeof load->ns);
		return;
	}
	for (int c = 0; c < RUN_CLASSES; c++)
		load->ns[c] = 0;
	load->ns[RUN_ON_CPU] = counted(network, analysis, "ran");
	load->ns[RUN_FOR_CPU] = or_zero(counted(network, analysis, "waited"));
	load->ns[RUN_FOR_DISK] = or_zero(counted(network, analysis, "psi.io"));
}

bool
run_load_of(const struct timeline *timeline, const struct timeline_analysis *analysis, const struct run_answer *answer,
	struct run_load *load)
{
	const struct network *network = timeline_network(timeline);

	*load = (struct run_load){0};
	if (!network || !analysis || !str_eq(network->name, RUN_LOAD_NETWORK) ||
		isnan(counted(network, analysis, "ran")) || !(net_state_seconds(analysis->state) > 0))
		return false;
	load->seconds = net_state_seconds(analysis->state);
	load->cpus = answer ? answer->end.cpus : 0;
	add_times(analysis, network, answer, load);
	load->memory_wait_ns = counted(network, analysis, "psi.memory");
	load->steal_ns = counted(network, analysis, "steal");
	load->disk = busiest_disk(timeline, analysis);
	load->reads = (struct run_reads){
		.lookups = counted(network, analysis, "lookups"),
		.misses = counted(network, analysis, "misses"),
		.direct = counted(network, analysis, "start.read"),
		.needed = cell_of(network, analysis, "queue", "read", false),
		.ahead = cell_of(network, analysis, "queue", "ahead", false),
	};
	load->writes_own = counted(network, analysis, "start.write");
	load->writeback_waits = counted(network, analysis, "wb.waits");
	load->asked_bytes = counted(network, analysis, "asked.bytes");
	load->fetched_bytes = counted(network, analysis, "fetched.bytes");
	load->dirty_bytes = counted(network, analysis, "dirty.bytes");
	load->fresh_pages = cell_of(network, analysis, "memory", "write", true);
	/* a wait is the delay beyond that of the hop before, the exception */
	load->fault_ns = (length_at(network, analysis, "memory") + or_zero(length_at(network, analysis, "exception"))) *
		load->seconds * 1e9;
	load->major_faults = counted(network, analysis, "major");
	load->swap_ins = counted(network, analysis, "swap.ins");
	load->swap_outs = counted(network, analysis, "swap.outs");
	load->refaults = counted(network, analysis, "refaults");
	return true;
}

void
run_load_clear(struct run_load *load)
{
	free(load->disk.name);
	load->disk.name = NULL;
}
