#include "work/timeline/run_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/network/queues.h"
#include "core/network/state.h"
#include "work/timeline/column_owners.h"
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
counted(const struct run_counts *counts, const char *name)
{
	const struct network *network = net_state_network(counts->state);
	size_t i = counter_called(network, name);

	return i < network->n_counters ? counts->counter[i].value : NAN;
}

/* The same for one owner of the counter's scope. */
static double
counted_of(const struct run_counts *counts, const char *name, size_t owner)
{
	const struct network *network = net_state_network(counts->state);
	size_t i = counter_called(network, name);

	return i < network->n_counters && owner < counts->first[i + 1] - counts->first[i]
		? counts->count[counts->first[i] + owner]
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
cell_of(const struct run_counts *counts, const char *module, const char *kind,
	bool hits)
{
	const struct network *network = net_state_network(counts->state);
	size_t m = module_called(network, module), k = 0;
	struct net_cell_values v;

	while (k < network->n_kinds && !str_eq(network->kind[k].name, kind))
		k++;
	if (m == network->n_modules || k == network->n_kinds)
		return NAN;
	v = net_state_cell(counts->state, m, 0, k);
	return hits ? v.hits : v.misses;
}

/* Requests at a module on average, of all kinds: over the whole time, the part of it that they took. */
static double
length_at(const struct run_counts *counts, const char *module)
{
	size_t m = module_called(net_state_network(counts->state), module);
	double sum = NAN;

	for (size_t i = 0; i < counts->queues->known; i++)
		if (counts->queues->queue[i].module == m)
			sum = or_zero(sum) + counts->queues->queue[i].length;
	return sum;
}

static struct run_disk
busiest_disk(const struct run_counts *counts)
{
	const struct network *network = net_state_network(counts->state);
	size_t reads = counter_called(network, "disk.reads"), best = SIZE_MAX;
	const char *name;
	size_t owners = reads < network->n_counters ? counts->first[reads + 1] - counts->first[reads] : 0;
	double most = -1;

	for (size_t i = 0; i < owners; i++) {
		double time = or_zero(counted_of(counts, "disk.read.t", i)) +
			or_zero(counted_of(counts, "disk.write.t", i));

		if (time > most) {
			most = time;
			best = i;
		}
	}
	if (best == SIZE_MAX || isnan(counted_of(counts, "disk.reads", best)))
		return (struct run_disk){NULL, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	name = column_owners_name(counts->owners, network->counter[reads].scope, best);
	return (struct run_disk){
		.name = mem_str(name ? name : ""),
		.reads = counted_of(counts, "disk.reads", best),
		.writes = counted_of(counts, "disk.writes", best),
		.flushes = counted_of(counts, "disk.flushes", best),
		.read_ns = counted_of(counts, "disk.read.t", best),
		.write_ns = counted_of(counts, "disk.write.t", best),
		.busy_ns = counted_of(counts, "disk.busy", best),
		.read_bytes = counted_of(counts, "disk.in", best),
	};
}

/* The time of tasks by class: their own, or the little that the network counts. */
static void
add_times(const struct run_counts *counts, const struct run_answer *answer, struct run_load *load)
{
	load->by_task = answer && answer->by_task;
	load->n_tasks = load->by_task ? answer->n_tasks : 0;
	if (load->by_task) {
		memcpy(load->ns, answer->ns, sizeof load->ns);
		return;
	}
	for (int c = 0; c < RUN_CLASSES; c++)
		load->ns[c] = 0;
	load->ns[RUN_ON_CPU] = counted(counts, "ran");
	load->ns[RUN_FOR_CPU] = or_zero(counted(counts, "waited"));
	load->ns[RUN_FOR_DISK] = or_zero(counted(counts, "psi.io"));
}

bool
run_load_of(const struct run_counts *counts, const struct run_answer *answer, struct run_load *load)
{
	*load = (struct run_load){0};
	if (!str_eq(net_state_network(counts->state)->name, RUN_LOAD_NETWORK) || isnan(counted(counts, "ran")) ||
		!(net_state_seconds(counts->state) > 0))
		return false;
	load->seconds = net_state_seconds(counts->state);
	load->cpus = answer ? answer->end.cpus : 0;
	add_times(counts, answer, load);
	load->memory_wait_ns = counted(counts, "psi.memory");
	load->steal_ns = counted(counts, "steal");
	load->disk = busiest_disk(counts);
	load->reads = (struct run_reads){
		.lookups = counted(counts, "lookups"),
		.misses = counted(counts, "misses"),
		.direct = counted(counts, "start.read"),
		.needed = cell_of(counts, "queue", "read", false),
		.ahead = cell_of(counts, "queue", "ahead", false),
	};
	load->writes_own = counted(counts, "start.write");
	load->writeback_waits = counted(counts, "wb.waits");
	load->asked_bytes = counted(counts, "asked.bytes");
	load->fetched_bytes = counted(counts, "fetched.bytes");
	load->dirty_bytes = counted(counts, "dirty.bytes");
	load->fresh_pages = cell_of(counts, "memory", "write", true);
	/* a wait is the delay beyond that of the hop before, the exception */
	load->fault_ns = (length_at(counts, "memory") + or_zero(length_at(counts, "exception"))) *
		load->seconds * 1e9;
	load->major_faults = counted(counts, "major");
	load->swap_ins = counted(counts, "swap.ins");
	load->swap_outs = counted(counts, "swap.outs");
	load->refaults = counted(counts, "refaults");
	return true;
}

struct run_counts
run_counts_of(const struct timeline *timeline, const struct timeline_analysis *analysis)
{
	return (struct run_counts){analysis->state, analysis->queues, analysis->counter, analysis->first,
		analysis->count, timeline_owners(timeline, SCOPE_DEVICE)};
}

void
run_load_clear(struct run_load *load)
{
	free(load->disk.name);
	load->disk.name = NULL;
}
