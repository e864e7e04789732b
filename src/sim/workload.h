/* Programs for a simulated core: endless streams of µops. docs/simulated-machine.md lists them with their parameters.
 */
#ifndef SIM_WORKLOAD_H
#define SIM_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/machine.h"
#include "sim/uop.h"

struct err;

/* The memory of a workload. The core needs it so that page tables and accessed bits are right from the first µop. */
struct sim_memory {
	uint64_t base, bytes;    /* virtual address at which it begins; its size */
	enum sim_page page;      /* size of all pages */
	bool touched;            /* all accessed bits are set at the beginning; false: each page is fresh once */
	/* memory µops between two clearings of accessed bits, as by a kernel that looks for idle pages; 0: never */
	uint64_t refresh;
};

struct sim_workload;

#define SIM_PARTS_MAX 16

/* Makes a workload of "linear:footprint=1G,stride=64,loads=1": a name, and parameters in any order. Several, joined by
 * '+', take turns ("linear:turn=1M+random:turn=1K"); their memory lies one after the other. The same text and seed give
 * the same stream, however it is cut into arrays. Returns NULL and sets *e on an unknown workload or parameter (the
 * hint lists the known ones), or a value out of range (footprint beyond 2^48). */
struct sim_workload *sim_workload_new(const char *text, uint64_t seed, struct err *e);
/* Makes a workload of a real program's memory accesses: the output of valgrind --tool=lackey --trace-mem=yes, read from
 * a descriptor, which the caller closes. Parameters such as "page=2m" (NULL or "": none) are those of memory.
 * Instructions without memory access are counted in `other` of the next µop. If they exceed its range, or at the end, a
 * SIM_FETCH carries them. */
struct sim_workload *sim_workload_trace(int fd, const char *parameters, struct err *e);
void sim_workload_free(struct sim_workload *);

/* Some workloads follow the clock (periodic): their next µops depend on the last sim_workload_clock(), so ask them for
 * few µops at a time. Their stream is the same only with the same clock. */
bool sim_workload_by_clock(const struct sim_workload *);
void sim_workload_clock(struct sim_workload *, uint64_t now_ns);

const struct sim_memory *sim_workload_memory(const struct sim_workload *);
const char *sim_workload_text(const struct sim_workload *); /* canonical: name and all parameters */

/* Writes the next µops, up to `n` (above 0); for a trace those that have arrived, at least one. Returns 0 at the end of
 * a trace. From the first record that cannot be read on, returns SIZE_MAX and sets *e. The SIM_WRONG µops after a
 * SIM_MISPREDICT or SIM_CLEAR may be in the next array. */
size_t sim_workload_fill(struct sim_workload *, struct sim_uop *, size_t n, struct err *e);

/* Return the names and texts of all kinds of workloads, for help, completions and messages. */
size_t sim_workload_kinds(void);
const char *sim_workload_kind_name(size_t kind);
const char *sim_workload_kind_text(size_t kind);
/* Sets *out to the i-th parameter of a kind; parameters of only some kinds come first. Returns false if there are no
 * more. sim_workload_text() of the bare name shows the defaults. */
struct sim_parameter { const char *name, *text; bool common; };
bool sim_workload_parameter(size_t kind, size_t i, struct sim_parameter *out);

#endif
