/* Programs for a simulated core: endless streams of µops. docs/simulated-machine.md lists them with their parameters.
 */
#ifndef COLLECT_SIM_WORKLOAD_H
#define COLLECT_SIM_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/sim/machine.h"
#include "collect/sim/uop.h"

struct err;

/* The memory that a workload uses: so that page tables and accessed bits are right from the first µop. */
struct sim_memory {
	uint64_t base, bytes;    /* virtual */
	enum sim_page page;      /* that maps all of it */
	bool touched;            /* accessed bits are set when it begins; else each page is fresh once */
	/* accessed bits are cleared again after so many memory µops, as a kernel does that looks for idle pages; 0:
	 * never */
	uint64_t refresh;
};

struct sim_workload;

#define SIM_PARTS_MAX 16

/* "linear:footprint=1G,stride=64,loads=1": a name, and parameters in any order; several, joined by '+', take turns
 * ("linear:turn=1M+random:turn=1K") and have their memory behind each other. The same text and seed, the same stream,
 * however it is cut into arrays. NULL and *e: unknown workload or parameter (with those that there are), value out of
 * range (footprint beyond 2^48). */
struct sim_workload *sim_workload_new(const char *text, uint64_t seed, struct err *e);
/* Memory accesses of a real program: valgrind --tool=lackey --trace-mem=yes, read from a descriptor, which it does not
 * close. Parameters, as "page=2m" (NULL or "": none), are those of memory. Instructions that touch no memory are
 * `other`; a SIM_FETCH carries them where they are too many for that, and at the end. */
struct sim_workload *sim_workload_trace(int fd, const char *parameters, struct err *e);
void sim_workload_free(struct sim_workload *);

/* Some go by the clock (periodic): what they write next depends on the time that they were told last, so ask for few
 * µops at a time. Of those the stream is the same only where the clock is. */
bool sim_workload_by_clock(const struct sim_workload *);
void sim_workload_clock(struct sim_workload *, uint64_t now_ns);

const struct sim_memory *sim_workload_memory(const struct sim_workload *);
const char *sim_workload_text(const struct sim_workload *); /* canonical: name and all parameters */

/* The next up to `n` (above 0), of a trace as many as have come, at least one; 0: it is at its end. SIZE_MAX and *e:
 * its record cannot be read, again and again. The µops behind a SIM_MISPREDICT or SIM_CLEAR that are SIM_WRONG may be
 * in the next array. */
size_t sim_workload_fill(struct sim_workload *, struct sim_uop *, size_t n, struct err *e);

/* For help, completions and messages: what there is. */
size_t sim_workload_kinds(void);
const char *sim_workload_kind_name(size_t kind);
const char *sim_workload_kind_text(size_t kind);
/* Its i-th parameter, those first that only some kinds have; false: there are no more. What they are without being said
 * sim_workload_text() of the mere name tells. */
struct sim_parameter { const char *name, *text; bool common; };
bool sim_workload_parameter(size_t kind, size_t i, struct sim_parameter *out);

#endif
