/* Generators: endless streams of right-path µops, one generator for each kind of workload. workload.c adds wrong paths
 * and machine clears, and lets several workloads take turns. */
#ifndef SIM_GENERATE_H
#define SIM_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/uop.h"
#include "text/notation.h"

struct err;
struct str;

/* Parameters of workloads: names, ranges, and notation. */

#define SIM_REACH ((int64_t)1 << 48)  /* bytes of virtual addresses */
#define SIM_WRONG_MAX 256             /* µops of a wrong path */
#define SIM_VALUE_MAX 16384           /* bytes of one value of a key-value store */
#define SIM_DEGREE_MAX 64

/* X(id, name, form, least, most, default, text, other fields of struct sim_table_row) */
#define SIM_SETTINGS(X) \
	X(FOOTPRINT, "footprint", NOTATION_BYTES, 64, SIM_REACH, 1 << 30, "bytes of its memory", \
		.note = ": addresses have 48 bits") \
	X(STRIDE, "stride", NOTATION_STEPS, -(SIM_REACH / 2), SIM_REACH / 2, 64, \
		"bytes from an access to the next; negative: downwards") \
	X(LOADS, "loads", NOTATION_SHARE, 0, SHARE_ONE, SHARE_ONE, "share of loads; the others are stores") \
	X(DEPENDS, "depends", NOTATION_SHARE, 0, SHARE_ONE, 0, \
		"share of the loads whose address comes from the load before") \
	X(STORE_DEPENDS, "store_depends", NOTATION_SHARE, 0, SHARE_ONE, 0, \
		"share of the stores whose address comes from the load before") \
	X(FIRST, "first", NOTATION_COUNT, 0, 63, 51, "cache line of a page that is touched first") \
	X(SECOND, "second", NOTATION_COUNT, 0, 63, 52, "cache line that is touched next") \
	X(STEP, "step", NOTATION_STEPS, -(SIM_REACH >> 13), SIM_REACH >> 13, 2, \
		"4 KB pages from one pair of lines to the next; negative: downwards") \
	X(NODE, "node", NOTATION_BYTES, 8, 1 << 30, 64, "bytes of a node of the list") \
	X(KERNEL, "kernel", NOTATION_WORD, 0, 3, 3, "operation for each element: copy, scale, add or triad", \
		.words = SIM_WORDS("copy", "scale", "add", "triad")) \
	X(VALUE, "value", NOTATION_BYTES, 8, SIM_VALUE_MAX, 256, "bytes of a value") \
	X(SKEW, "skew", NOTATION_SHARE, 0, 2 * SHARE_ONE, 990000, "Zipf's exponent, from 0 (all equal) to 2") \
	X(DEGREE, "degree", NOTATION_COUNT, 1, SIM_DEGREE_MAX, 16, "edges of each vertex") \
	X(FRONTIER, "frontier", NOTATION_WORD, 0, 1, 0, "order of the vertices: linear or random", \
		.words = SIM_WORDS("linear", "random")) \
	X(PERIOD, "period", NOTATION_TIME, 100, 10000000000, 100000, "length of a period") \
	X(BUSY, "busy", NOTATION_SHARE, 0, SHARE_ONE, 500000, \
		"share of the period in which it uses all of its memory") \
	X(QUIET, "quiet", NOTATION_BYTES, 64, SIM_REACH, 16384, "bytes that it uses in the rest of the period") \
	X(PAGE, "page", NOTATION_WORD, 0, 2, 0, "pages that map it: 4k, 2m or 1g", \
		.words = SIM_WORDS("4k", "2m", "1g")) \
	X(TOUCHED, "touched", NOTATION_COUNT, 0, 1, 1, \
		"1: all accessed bits are set at the beginning; 0: each page is fresh once") \
	X(REFRESH, "refresh", NOTATION_COUNT, 0, SIM_REACH, 0, \
		"memory µops after which accessed bits are cleared again; 0: never") \
	X(OTHER, "other", NOTATION_COUNT, 0, 65535, 2, "µops without memory access before each that has one") \
	X(WRONG, "wrong", NOTATION_SHARE, 0, SHARE_ONE, 0, "share of µops after which a branch is mispredicted") \
	X(WRONG_LENGTH, "wrong_length", NOTATION_COUNT, 1, SIM_WRONG_MAX, 16, "memory µops of a wrong path") \
	X(AWAY, "away", NOTATION_SHARE, 0, SHARE_ONE, 500000, \
		"share of wrong paths that go elsewhere than the right path") \
	X(CLEARS, "clears", NOTATION_SHARE, 0, SHARE_ONE, 0, "share of µops that clear the machine when they retire") \
	X(TURN, "turn", NOTATION_COUNT, 1, SIM_REACH, 64, "memory µops until the next workload's turn")

enum sim_setting {
#define X(id, ...) SIM_SET_##id,
	SIM_SETTINGS(X)
#undef X
	SIM_N_SETTINGS
};
typedef uint64_t sim_setting_set; /* bit 1 << enum sim_setting */
#define SIM_SET(id) ((sim_setting_set)1 << SIM_SET_##id)

struct sim_settings {
	int64_t value[SIM_N_SETTINGS];
	sim_setting_set said; /* settings that the user gave */
};

const char *sim_setting_name(enum sim_setting);
const char *sim_setting_text(enum sim_setting);

void sim_settings_preset(struct sim_settings *);
/* Parses "stride=64,loads=1" into settings; `whose` is for messages. Returns false and sets *e on a name that is not in
 * `may` (the hint lists that set) or comes twice, or a value that is missing or out of range. */
bool sim_settings_parse(
	struct sim_settings *, const char *whose, sim_setting_set may, const char *text, struct err *e);
/* Prints the settings of a set, in order: "footprint=1G,stride=64". sim_settings_parse() can read the text. */
void sim_settings_print(const struct sim_settings *, sim_setting_set, struct str *out);

/* Returns a share times 2^32, for a comparison with 32 random bits. */
static inline uint64_t
sim_share_of_bits(int64_t share)
{
	return ((uint64_t)share << 32) / SHARE_ONE;
}

/* The most µops that a generator must write together, such as a request with its values, or a branch with its wrong
 * path. */
#define SIM_BURST 264

/* First member of each generator. fill() writes at least one and at most n µops, where n is at least SIM_BURST. The
 * stream does not depend on the sizes of the calls. */
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
