/* Checks the increments of a snapshot, counter by counter. A counter whose increments are all good, as nearly always,
 * costs one comparison each. */
#include "core/network/increments.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define CYCLES_OWN 8 /* threads of a core, and cycles counted twice */
#define CYCLES_SHARED 1024
#define COUNTS_PER_CYCLE 8
#define LARGE_UNITS 4096 /* bytes in a request; requests in a queue */
#define PER_COUNTED_CYCLE 65536.0

static bool
counts_cycles(const struct counter_item *c)
{
	return unit_equal(c->unit, unit_of(UNIT_CYCLES));
}

/* Returns the largest count of cycles of any owner; 0: none is known. */
static double
longest_clock(const struct net_increments *increments, const struct net_snapshot *snapshot)
{
	double most = 0;

	for (size_t c = 0; c < increments->net->n_counters; c++) {
		const double *from = snapshot->count[c];
		size_t n = net_counter_places(increments->shape, &increments->net->counter[c]);

		for (size_t i = 0; from && counts_cycles(&increments->net->counter[c]) && i < n; i++)
			most = from[i] > most && from[i] <= DBL_MAX ? from[i] : most;
	}
	return most;
}

/* Returns what the largest possible increment of a counter is multiplied by: cycles at the highest frequency, or, where
 * the length is not known, the longest count of cycles. */
static void
find_rates(struct net_increments *increments, size_t counter)
{
	static const struct unit none = {{0}};
	const struct counter_item *c = &increments->net->counter[counter];
	bool own = c->scope <= SCOPE_CHANNEL && c->scope != SCOPE_TASK && !increments->shape->unknown[c->scope],
	     large = true, cycles = unit_equal(c->unit, unit_of(UNIT_CYCLES));
	double per_cycle = own ? CYCLES_OWN : CYCLES_SHARED, per_counted = PER_COUNTED_CYCLE;

	for (int base = 0; base < UNIT_BASES; base++)
		large &= base == UNIT_BYTES || !unit_equal(c->unit, unit_of((enum unit_base)base));
	per_cycle *= cycles ? 1 : COUNTS_PER_CYCLE * (large ? LARGE_UNITS : 1);
	per_counted *= large ? LARGE_UNITS : 1;
	if (unit_equal(c->unit, unit_of(UNIT_NS)) || unit_equal(c->unit, none))
		per_cycle = per_counted = INFINITY;
	increments->per_cycle[counter] = per_cycle;
	increments->per_counted[counter] = cycles ? INFINITY : per_counted;
}

struct net_increments *
net_increments_new(const struct network *network, const struct net_shape *shape)
{
	struct net_increments *increments = mem_new(sizeof *increments);

	increments->net = network;
	increments->shape = shape;
	increments->most = mem_new_array(network->n_counters, sizeof *increments->most);
	increments->per_cycle = mem_new_array(network->n_counters, sizeof *increments->per_cycle);
	increments->per_counted = mem_new_array(network->n_counters, sizeof *increments->per_counted);
	for (size_t c = 0; c < network->n_counters; c++)
		find_rates(increments, c);
	increments->wrong = mem_new_array(network->n_counters, sizeof *increments->wrong);
	increments->impossible = mem_new_array(network->n_counters, sizeof *increments->impossible);
	for (int k = 0; k < SCOPES; k++)
		increments->seen[k] = mem_new_array(shape->n[k], sizeof *increments->seen[k]);
	return increments;
}

void
net_increments_free(struct net_increments *increments)
{
	if (!increments)
		return;
	free(increments->most);
	free(increments->per_cycle);
	free(increments->per_counted);
	free(increments->wrong);
	free(increments->impossible);
	for (int k = 0; k < SCOPES; k++)
		free(increments->seen[k]);
	free(increments);
}

/* Checks a counter with an increment that is no count. */
static void
check_each(struct net_increments *increments, size_t counter, const double *from)
{
	const struct counter_item *item = &increments->net->counter[counter];

	for (size_t i = 0; i < net_counter_places(increments->shape, item); i++) {
		bool good = from[i] >= 0 && from[i] <= increments->most[counter], huge = from[i] <= DBL_MAX;

		if (!item->of_pairs) {
			increments->seen[item->scope][i] |= good;
			increments->some[item->scope] |= good;
		}
		increments->impossible[counter] += !good && from[i] >= 0 && huge;
		increments->wrong[counter] += !good && !isnan(from[i]) && !(from[i] >= 0 && huge);
	}
}

/* Find the owners for which something was counted, and what is no count. One counter with a value for each owner
 * settles it for its scope. */
void
net_increments_check(struct net_increments *increments, const struct net_snapshot *snapshot)
{
	const struct network *network = increments->net;
	double elapsed = snapshot->seconds > 0 ? snapshot->seconds * 1e9 : NAN,
	       clock = isnan(elapsed) ? longest_clock(increments, snapshot) : 0;
	bool all[SCOPES] = {false};

	for (int k = 0; k < SCOPES; k++) {
		memset(increments->seen[k], 0, increments->shape->n[k] * sizeof *increments->seen[k]);
		increments->some[k] = false;
	}
	for (size_t c = 0; c < network->n_counters; c++) {
		const struct counter_item *item = &network->counter[c];
		const double *from = snapshot->count[c];
		size_t lacking = 0, n = net_counter_places(increments->shape, item);
		double most = increments->most[c] = fmin(DBL_MAX,
			clock > 0                ? clock * increments->per_counted[c]
				: isnan(elapsed) ? DBL_MAX
						 : NET_FREQUENCY_MAX * elapsed * increments->per_cycle[c]);

		increments->wrong[c] = increments->impossible[c] = 0;
		for (size_t i = 0; from && i < n; i++)
			lacking += !(from[i] >= 0 && from[i] <= most);
		if (lacking) {
			check_each(increments, c, from);
		} else if (from && n && !item->of_pairs && !all[item->scope]) {
			memset(increments->seen[item->scope], true, n * sizeof *increments->seen[item->scope]);
			increments->some[item->scope] = all[item->scope] = true;
		}
	}
}

double
net_increments_count(const struct net_increments *increments, size_t counter, double increment)
{
	return increment >= 0 && increment <= increments->most[counter] ? increment : NAN;
}

bool
net_increments_whole(const struct net_increments *increments, size_t counter)
{
	return !increments->wrong[counter] && !increments->impossible[counter];
}
