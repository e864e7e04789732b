/* Parameters of workloads: names, ranges, and how they are written. */
#ifndef COLLECT_SIM_SETTINGS_H
#define COLLECT_SIM_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct str;

#define SIM_REACH ((int64_t)1 << 48)  /* bytes of virtual addresses */
#define SIM_SHARE_ONE 1000000         /* shares are kept in millionths: exact as they are written */
#define SIM_WRONG_MAX 256             /* µops of a wrong path */
#define SIM_VALUE_MAX 16384           /* bytes that one request to a store of values goes through */
#define SIM_DEGREE_MAX 64

/* How a parameter is written. */
enum sim_form {
	SIM_BYTES,  /* 4096, 64K, 1G */
	SIM_STEPS,  /* the same, and below zero: not 0 */
	SIM_COUNT,  /* 5, 100K */
	SIM_SHARE,  /* 0.25 */
	SIM_TIME,   /* 800ns, 12us, 4ms; kept in ns */
	SIM_WORD,   /* one of a few; kept as its number */
};

/* id, name, form, least, most, what it is without being said, what it means; words are in settings.c */
#define SIM_SETTINGS(X)                                                                                                \
	X(FOOTPRINT, "footprint", SIM_BYTES, 64, SIM_REACH, 1 << 30, "bytes that it goes through")                     \
	X(STRIDE, "stride", SIM_STEPS, -(SIM_REACH / 2), SIM_REACH / 2, 64,                                            \
		"bytes from an access to the next; below 0: downwards")                                                \
	X(LOADS, "loads", SIM_SHARE, 0, SIM_SHARE_ONE, SIM_SHARE_ONE, "share of loads; the others are stores")         \
	X(DEPENDS, "depends", SIM_SHARE, 0, SIM_SHARE_ONE, 0,                                                          \
		"share of the loads whose address the load before brings")                                             \
	X(STORE_DEPENDS, "store_depends", SIM_SHARE, 0, SIM_SHARE_ONE, 0,                                              \
		"share of the stores whose address the load before brings")                                            \
	X(FIRST, "first", SIM_COUNT, 0, 63, 51, "cache line of a page that is touched first")                          \
	X(SECOND, "second", SIM_COUNT, 0, 63, 52, "cache line that is touched next")                                   \
	X(STEP, "step", SIM_STEPS, -(SIM_REACH >> 13), SIM_REACH >> 13, 2,                                             \
		"4 KB pages from one pair of lines to the next; below 0: downwards")                                   \
	X(NODE, "node", SIM_BYTES, 8, 1 << 30, 64, "bytes of a node of the list")                                      \
	X(KERNEL, "kernel", SIM_WORD, 0, 3, 3, "what is done for each element: copy, scale, add or triad")             \
	X(VALUE, "value", SIM_BYTES, 8, SIM_VALUE_MAX, 256, "bytes of a value")                                        \
	X(SKEW, "skew", SIM_SHARE, 0, 2 * SIM_SHARE_ONE, 990000, "Zipf's exponent: 0, all alike, to 2")                \
	X(DEGREE, "degree", SIM_COUNT, 1, SIM_DEGREE_MAX, 16, "edges of each vertex")                                  \
	X(FRONTIER, "frontier", SIM_WORD, 0, 1, 0, "which vertex is next: linear or random")                           \
	X(PERIOD, "period", SIM_TIME, 100, 10000000000, 100000, "time after which it begins again")                    \
	X(BUSY, "busy", SIM_SHARE, 0, SIM_SHARE_ONE, 500000,                                                           \
		"share of the period in which it goes through all of its memory")                                      \
	X(QUIET, "quiet", SIM_BYTES, 64, SIM_REACH, 16384, "bytes that it goes through in the rest of the period")     \
	X(PAGE, "page", SIM_WORD, 0, 2, 0, "pages that map it: 4k, 2m or 1g")                                          \
	X(TOUCHED, "touched", SIM_COUNT, 0, 1, 1,                                                                      \
		"1: accessed bits are set when it begins; 0: each page is fresh once")                                 \
	X(REFRESH, "refresh", SIM_COUNT, 0, SIM_REACH, 0,                                                              \
		"memory µops after which accessed bits are cleared again; 0: never")                                   \
	X(OTHER, "other", SIM_COUNT, 0, 65535, 2, "µops that touch no memory before each that does")                   \
	X(WRONG, "wrong", SIM_SHARE, 0, SIM_SHARE_ONE, 0, "share of µops behind which a branch is mispredicted")       \
	X(WRONG_LENGTH, "wrong_length", SIM_COUNT, 1, SIM_WRONG_MAX, 16, "memory µops of a wrong path")                \
	X(AWAY, "away", SIM_SHARE, 0, SIM_SHARE_ONE, 500000,                                                           \
		"share of wrong paths that go to other places than the right one")                                     \
	X(CLEARS, "clears", SIM_SHARE, 0, SIM_SHARE_ONE, 0, "share of µops that clear the machine when they retire")   \
	X(TURN, "turn", SIM_COUNT, 1, SIM_REACH, 64, "memory µops until it is the next workload's turn")

enum sim_setting {
#define X(id, name, form, least, most, preset, text) SIM_SET_##id,
	SIM_SETTINGS(X)
#undef X
	SIM_N_SETTINGS
};
typedef uint32_t sim_setting_set; /* bit 1 << enum sim_setting */
#define SIM_SET(id) ((sim_setting_set)1 << SIM_SET_##id)

struct sim_settings {
	int64_t value[SIM_N_SETTINGS];
	sim_setting_set said; /* which were given, not preset */
};

const char *sim_setting_name(enum sim_setting);
const char *sim_setting_text(enum sim_setting);

void sim_settings_preset(struct sim_settings *);
/* "stride=64,loads=1" into settings; `whose` is for messages. False and *e: a name that is none of `may` (with those
 * that are), no value, out of range, named twice. */
bool sim_settings_parse(
	struct sim_settings *, const char *whose, sim_setting_set may, const char *text, size_t n, struct err *e);
/* "footprint=1G,stride=64" of a set, in order; read again it is the same. */
void sim_settings_print(const struct sim_settings *, sim_setting_set, struct str *out);

/* Of 2^32: for a comparison with 32 random bits. */
static inline uint64_t
sim_share_of_bits(int64_t share)
{
	return ((uint64_t)share << 32) / SIM_SHARE_ONE;
}

#endif
