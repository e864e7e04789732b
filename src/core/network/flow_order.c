#include "core/network/flow_order.h"

#include <stdlib.h>

#include "base/mem.h"

uint64_t
flow_requests(const struct flows *flows, const struct flow *flow, bool *known)
{
	const struct flow_spec *spec = flows_spec(flows);
	uint64_t sum = 0;

	*known = true;
	for (size_t i = 0; i < spec->n_counters; i++)
		if (spec->counter[i].weighs && spec->counter[i].destination != FLOW_NOWHERE) {
			sum += flow->count[i];
			*known &= flow->lost[i] == 0;
		}
	return sum;
}

static int
compare_places(const void *va, const void *vb)
{
	const struct flow *a = ((const struct flow_line *)va)->flow, *b = ((const struct flow_line *)vb)->flow;

	if (a->life != b->life)
		return a->life < b->life ? -1 : 1;
	if (a->core != b->core)
		return a->core < b->core ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static bool
is_same_task(const struct flow *a, const struct flow *b)
{
	return a->life == b->life && a->core == b->core;
}

/* Gives each line the time of its task on its core. Only flows without destination have times. Lines of one task on one
 * core must be adjacent. */
static void
add_up_times(struct flow_line *line, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		const struct flow *first = line[i].flow;
		uint64_t ns = 0;

		for (end = i; end < n && is_same_task(line[end].flow, first); end++)
			ns += line[end].flow->ran_ns;
		for (size_t k = i; k < end; k++)
			line[k].ran_ns = ns;
	}
}

static int
compare_lines(const void *va, const void *vb)
{
	const struct flow_line *a = va, *b = vb;
	bool a_apart = a->flow->destination != FLOW_NOWHERE, b_apart = b->flow->destination != FLOW_NOWHERE;

	if (a->ran_ns != b->ran_ns)
		return a->ran_ns > b->ran_ns ? -1 : 1;
	if (a->flow->life != b->flow->life)
		return a->flow->life < b->flow->life ? -1 : 1;
	if (a->flow->core != b->flow->core)
		return a->flow->core < b->flow->core ? -1 : 1;
	if (a_apart != b_apart)
		return a_apart ? 1 : -1;
	if (a->requests != b->requests)
		return a->requests > b->requests ? -1 : 1;
	return a->flow->number < b->flow->number ? -1 : a->flow->number > b->flow->number;
}

struct flow_line *
flow_lines(const struct flows *flows, size_t *n)
{
	struct flow_line *line = mem_new_array(flows_n(flows), sizeof *line);

	*n = 0;
	for (size_t i = FLOW_SPECIALS; i < flows_n(flows); i++) {
		struct flow_line *flow_line = &line[(*n)++];

		flow_line->flow = flows_at(flows, i);
		flow_line->requests = flow_requests(flows, flow_line->flow, &flow_line->known);
	}
	if (!*n)
		return line;
	qsort(line, *n, sizeof *line, compare_places);
	add_up_times(line, *n);
	qsort(line, *n, sizeof *line, compare_lines);
	return line;
}
