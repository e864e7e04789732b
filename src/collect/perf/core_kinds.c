/* Events of several kinds of cores. Each kind has a PMU, and the kernel refuses a group of events of two PMUs (EINVAL),
 * though they never compete for a counter. So each PMU is asked about its own events.
 *
 * An event of the types HARDWARE and HW_CACHE without a PMU in the upper half of its config is of the PMU that the
 * kernel chooses. So is a raw event (type 4), except where a PMU has that type: cpu_core of Intel's hybrids
 * (perf_init_event() in kernel/events/core.c; init_hw_perf_events() in arch/x86/events/core.c). */
#include "collect/perf/turns.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/mem.h"
#include "collect/perf/names.h"

#define KERNELS_CHOICE 0

/* The PMU's type, or KERNELS_CHOICE. */
static uint32_t
pmu_type(const struct event_code *code)
{
	if (code->type == PERF_TYPE_HARDWARE || code->type == PERF_TYPE_HW_CACHE)
		return (uint32_t)(code->config >> PERF_PMU_TYPE_SHIFT);
	return code->type == PERF_TYPE_RAW && !*code->pmu ? KERNELS_CHOICE : code->type;
}

/* Returns the PMU that the kernel chooses: the first one with which `any` can share a group. */
static uint32_t
kernels_pmu(const struct event_code *const *code, size_t n, const struct event_code *any,
	const struct core_kinds_ops *ops)
{
	uint32_t last = KERNELS_CHOICE;

	for (size_t i = 0; i < n; i++) {
		const struct event_code *const pair[] = {any, code[i]};
		uint32_t type = pmu_type(code[i]);

		if (type == KERNELS_CHOICE || type == last)
			continue;
		if (ops->group(ops->ctx, pair, 2))
			return type;
		last = type;
	}
	return KERNELS_CHOICE;
}

bool
core_kinds_hold(const struct event_code *const *code, size_t n, const struct event_code *any,
	const struct core_kinds_ops *ops)
{
	const struct event_code **part = mem_new_array(n, sizeof *part);
	uint32_t *type = mem_new_array(n, sizeof *type), choice = KERNELS_CHOICE;
	bool several = false, chooses = false, fits = true;

	for (size_t i = 0; i < n; i++) {
		type[i] = pmu_type(code[i]);
		chooses |= type[i] == KERNELS_CHOICE;
		several |= type[i] > PERF_TYPE_RAW;
	}
	if (several && chooses)
		choice = kernels_pmu(code, n, any, ops);
	for (size_t i = 0; i < n; i++)
		if (!several || (type[i] == KERNELS_CHOICE && choice))
			type[i] = choice;
	for (size_t i = 0; i < n && fits; i++) {
		size_t first = 0, members = 0;

		while (type[first] != type[i])
			first++;
		if (first < i)
			continue;
		for (size_t k = i; k < n; k++)
			if (type[k] == type[i])
				part[members++] = code[k];
		fits = ops->holds(ops->ctx, part, members, type[i] > PERF_TYPE_RAW ? type[i] : 0);
	}
	free(part);
	free(type);
	return fits;
}
