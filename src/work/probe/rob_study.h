/* Is the reorder buffer compressed, and how? Many curves answer in three stages, each of which uses what the one before
 * found: which combinations of instructions exceed its entries; which instructions share entries, after a prefill that
 * leaves few entries; how many instructions share one.
 *
 * Source: section 4.3 and table 2 of "Benchmarking for Single Feature Attribution with Microarchitecture Cliffs".
 * docs/probes.md explains the three stages. */
#ifndef WORK_PROBE_ROB_STUDY_H
#define WORK_PROBE_ROB_STUDY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/probe/probe.h"

struct err;
struct probe_machine;

/* Combinations of up to three of six types of instructions. */
#define ROB_TYPES 6
#define ROB_COMBINATIONS 41
#define ROB_GROUPS 16 /* nops after a jump, at most */

/* What is full first. */
enum rob_bottleneck {
	ROB_UNKNOWN,       /* no resource that was measured explains it */
	ROB_LOAD_QUEUE,
	ROB_STORE_QUEUE,
	ROB_INT_REGISTERS,
	ROB_FP_REGISTERS,
	ROB_BRANCHES,
	ROB_ENTRIES,       /* one for each instruction */
	ROB_COMPRESSED,    /* more instructions fit than there are entries */
	ROB_NO_LIMIT,      /* all fit, as far as was measured */
};
const char *rob_bottleneck_text(enum rob_bottleneck);

struct rob_combination {
	unsigned type[3], n;  /* types in turn */
	struct probe_answer fit; /* instructions between the probe's own loads */
	enum rob_bottleneck full;
};

struct rob_study {
	struct rob_combination row[ROB_COMBINATIONS];
	size_t n;              /* measured so far */
	bool found;            /* the size of the reorder buffer was found: the stages after the first were run */
	bool compressed;
	double entries;        /* entries of the reorder buffer */
	double left;           /* entries that the prefill leaves */
	struct probe_answer behind[ROB_TYPES]; /* how many of each type fit after the prefill; not found: all */
	bool shares[ROB_TYPES];/* for each type: did more fit than entries were left? */
	size_t n_groups;
	double group[ROB_GROUPS];  /* [n]: jumps that fit after the prefill, each with n + 1 nops; 0: not found */
	unsigned per_entry;    /* instructions that share an entry; 0: not found */
	bool cut;              /* `go_on` has stopped it */
};

#define ROB_STUDY_NAME "rob_compression"
#define ROB_STUDY_TEXT "compression of the reorder buffer, in three stages"

const char *rob_type_name(unsigned type); /* beq, ld, st, add, fadd, nop */

/* Entries of the resource that a type alone fills: the instructions that fit, and those of the probe itself. */
double rob_study_entries(const struct rob_study *, unsigned type);

/* Runs the study. `go_on` (may be NULL) is called at each point of each curve, and false stops the study. False and *e:
 * the machine cannot run a probe. */
bool rob_study_run(struct probe_machine *, bool (*go_on)(void *ctx), void *ctx, struct rob_study *, struct err *e);

#endif
