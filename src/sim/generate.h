/* Generators: endless streams of right-path µops, one generator for each kind of workload. workload.c adds wrong paths
 * and machine clears, and lets several workloads take turns. */
#ifndef SIM_GENERATE_H
#define SIM_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/settings.h"
#include "sim/uop.h"

struct err;

/* the most µops that a generator needs to write together: a request with its values, a branch with its wrong path */
#define SIM_BURST 264

/* First member of each generator. fill() writes at least one and at most n µops, where n is at least SIM_BURST. The
 * stream does not depend on how it is cut. */
struct sim_generator {
	size_t (*fill)(struct sim_generator *, struct sim_uop *, size_t n);
	uint64_t now_ns; /* simulated time, for generators that follow the clock; they accept any n */
};

/* What a generator needs to know. */
struct sim_plan {
	const struct sim_settings *set;
	uint64_t base; /* beginning of its memory, which has footprint bytes */
	uint64_t seed;
};

struct sim_kind {
	const char *name, *text;
	const char *preset;    /* settings whose defaults differ, as a user would write them */
	sim_setting_set own;   /* settings of this kind only */
	sim_setting_set lacks; /* common settings that it does not have */
	bool branches;         /* wrong paths are made by the generator itself */
	/* its µops depend on now_ns. workload.c inserts nothing, so it has no wrong paths or clears */
	bool by_clock;
	/* Returns a generator on the heap. NULL and *e when the settings do not fit together */
	struct sim_generator *(*make)(const struct sim_plan *, struct err *e);
};
const struct sim_kind *sim_kinds(size_t *n);

struct sim_generator *sim_linear_new(const struct sim_plan *, struct err *e);
struct sim_generator *sim_lines_new(const struct sim_plan *, struct err *e);
struct sim_generator *sim_random_new(const struct sim_plan *, struct err *e);
struct sim_generator *sim_stream_new(const struct sim_plan *, struct err *e);
struct sim_generator *sim_gups_new(const struct sim_plan *, struct err *e);
struct sim_generator *sim_code_new(const struct sim_plan *, struct err *e);
struct sim_generator *sim_periodic_new(const struct sim_plan *, struct err *e);
struct sim_generator *sim_chase_new(const struct sim_plan *, struct err *e);
struct sim_generator *sim_zipf_new(const struct sim_plan *, struct err *e);
struct sim_generator *sim_graph_new(const struct sim_plan *, struct err *e);
struct sim_generator *sim_branchy_new(const struct sim_plan *, struct err *e);

/* False and *e when the footprint is smaller than the workload needs. */
bool sim_plan_holds(const struct sim_plan *, const char *whose, uint64_t bytes, struct err *e);
/* False and *e when a size is not a multiple of 8, because accesses would cross cache lines. */
bool sim_plan_aligned(const struct sim_plan *, const char *whose, enum sim_setting, struct err *e);

/* Returns a load of `size` bytes, preceded by as many other µops as the settings say. */
static inline struct sim_uop
sim_plan_uop(const struct sim_plan *p, unsigned size)
{
	return (struct sim_uop){.kind = SIM_LOAD, .other = (uint16_t)p->set->value[SIM_SET_OTHER], .size = size};
}

#endif
