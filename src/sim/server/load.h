/* Programs on the cores of a simulated server: endless streams of loads and stores.
 *
 *     gups:cores=4,memory=cxl+chase:first=4,footprint=64M
 *
 * Programs joined by '+' run at the same time, each on cores of its own. docs/simulated-server.md lists them. */
#ifndef SIM_SERVER_LOAD_H
#define SIM_SERVER_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

struct err;

#define LOAD_PROGRAMS_MAX 16
#define LOAD_PAGE_SHIFT 6 /* lines of a page: 4 KiB */

#define LOAD_HOT_SHARE 0.9

enum load_kind { LOAD_CHASE, LOAD_STREAM, LOAD_GUPS, LOAD_ZIPF, LOAD_MIX, LOAD_KINDS };
enum load_memory { LOAD_LOCAL, LOAD_REMOTE, LOAD_CXL, LOAD_TIERS };

enum load_parameter {
	LOAD_CORES,
	LOAD_FIRST,
	LOAD_MEMORY,
	LOAD_SLOW,
	LOAD_FOOTPRINT,
	LOAD_STRIDE,
	LOAD_STORES,
	LOAD_CHAIN,
	LOAD_GAP,
	LOAD_SKEW,
	LOAD_HOT,
	LOAD_SHARED,
	LOAD_FROM,
	LOAD_TO,
	LOAD_PERIOD,
	LOAD_DUTY,
	LOAD_PARAMETERS
};

struct load_program {
	enum load_kind kind;
	int64_t value[LOAD_PARAMETERS];
	uint64_t lines;               /* of a footprint, a power of two */
	uint64_t hot;                 /* the first of them, to which LOAD_HOT_SHARE of the random accesses go; or all */
	uint32_t chain, stores, slow; /* probabilities × 2^32 */
	double zipf_power, zipf_scale;
	bool timed; /* it does not run all of the time */
};

struct load {
	struct load_program program[LOAD_PROGRAMS_MAX];
	size_t n;
	char *text; /* canonical: all names and all parameters */
};

/* Parses a text. False and *e: an unknown program or parameter, a value out of range, more cores than `cores`, or two
 * programs on one core. Call load_free() in either case. */
bool load_parse(const char *text, unsigned cores, struct load *, struct err *e);
void load_free(struct load *);
/* A random mix of one to four programs, in the language of load_parse(). The caller frees it. */
char *load_random(uint64_t seed);

const char *load_kind_name(enum load_kind);
const char *load_kind_text(enum load_kind);
/* The name and meaning of a parameter, for help. */
const char *load_parameter_name(enum load_parameter, const char **text);

/* One access. Its line has the program in bits 40 and up, and below the instance of its footprint: lines that several
 * cores share have the same. */
struct load_access {
	uint64_t line;
	uint32_t gap;        /* cycles of other work before it */
	bool store, chained; /* chained: its address is what the last load brings */
};

/* What one core does. */
struct load_stream {
	const struct load_program *program;
	uint64_t base, random, at, last_line;
	unsigned within; /* of a stream: bytes into the line */
	bool update;     /* the next access stores to the line of the last one */
};

void load_stream_begin(struct load_stream *, const struct load *, size_t program, unsigned instance, uint64_t seed);
struct load_access load_stream_next(struct load_stream *);
/* When the core next runs its program, at or after a time in ns. UINT64_MAX: never again. */
uint64_t load_runs_at(const struct load_program *, uint64_t ns);
/* Does the line's page lie in slow memory at first, if the program's pages are in both? */
static inline bool
load_is_slow(const struct load_program *p, uint64_t line)
{
	return (uint32_t)(random_scatter(line >> LOAD_PAGE_SHIFT) >> 32) < p->slow;
}

#endif
