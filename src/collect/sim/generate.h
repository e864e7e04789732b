/* Generators: endless streams of µops of the right path, each kind of workload one. What wrong paths and clears add,
 * and turns, is workload.c's. */
#ifndef COLLECT_SIM_GENERATE_H
#define COLLECT_SIM_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/sim/settings.h"
#include "collect/sim/uop.h"

struct err;

/* µops that a generator may want to write at once: a request and its values, a branch and its wrong path */
#define SIM_BURST 264

/* The first member of each generator. fill() writes some µops, at least one, at most n, which is at least SIM_BURST;
 * the stream is the same however it is cut. */
struct sim_generator {
	size_t (*fill)(struct sim_generator *, struct sim_uop *, size_t n);
	uint64_t now_ns; /* for those that go by the clock; they may be asked for any number of µops */
};

/* What a generator is made for. */
struct sim_plan {
	const struct sim_settings *set;
	uint64_t base; /* of its memory; bytes: the footprint */
	uint64_t seed;
};

struct sim_kind {
	const char *name, *text;
	const char *preset;    /* where it differs from the settings' own: as a user would write it */
	sim_setting_set own;   /* besides the common ones */
	sim_setting_set lacks; /* of the common ones */
	bool branches;         /* wrong paths are its own */
	/* what it writes depends on now_ns; nothing is put between, so it lacks wrong paths and clears */
	bool by_clock;
	/* heap; NULL and *e: the settings do not fit together */
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

/* False and *e when the footprint has no room for what the workload needs at least. */
bool sim_plan_holds(const struct sim_plan *, const char *whose, uint64_t bytes, struct err *e);
/* … when a size is no multiple of 8: an access would cross lines. */
bool sim_plan_aligned(const struct sim_plan *, const char *whose, enum sim_setting, struct err *e);

#endif
