/* The workload whose counts are known by inspection: hecate-workload, a static program of parts, without a C library.
 *
 * Its source and the tables below are generated from one text, src/collect/workload/parts-ARCH.parts, which says for
 * each instruction what it does (docs/workload.md). The method is that of Weaver, Terpstra and Moore, "Non-determinism
 * and overcount on modern hardware performance counter implementations" (2021), section 2.2: loops of instructions of
 * one kind, so that an anomaly stands out and is found by leaving parts out. The program has one argument: for each
 * part the number of its iterations, in 8 digits; 0 leaves the part out. Parsing costs the same for all numbers. */
#ifndef COLLECT_WORKLOAD_WORKLOAD_H
#define COLLECT_WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct str;

/* X(id, word): what is counted. The order is that of the tables that parts.awk makes. */
#define WORKLOAD_KINDS(X) \
	X(INSTRUCTIONS, "instructions") /* retired; a rep string instruction is one */ \
	X(BRANCHES, "branches")         /* jumps, calls, returns, conditional branches taken or not, system calls */ \
	X(CONDITIONAL, "conditional-branches") \
	X(TAKEN, "branches-taken")      /* without system calls */ \
	X(LOADS, "loads")               /* operands read from memory; a rep string instruction reads each once */ \
	X(STORES, "stores")             /* operands written to memory, likewise */ \
	X(ELEMENTS, "rep-elements")     /* elements that rep string instructions go through */ \
	X(FAULTS, "page-faults")        /* first touches of pages; what starting a program costs is not known */ \
	X(SYSCALLS, "syscalls") \
	X(EXCEPTIONS, "exceptions")     /* exceptions that the kernel handles, except page faults */ \
	X(NUMERIC, "numeric-exceptions") /* masked exceptions of x87 and SSE */

enum workload_kind {
#define X(id, word) WORKLOAD_##id,
	WORKLOAD_KINDS(X)
#undef X
	WORKLOAD_N_KINDS
};
const char *workload_kind_word(enum workload_kind);

struct workload_counts {
	int64_t n[WORKLOAD_N_KINDS];
};

struct workload_part {
	const char *name;
	const char *class;   /* "integer", "x87", "string" … */
	const char *needs;   /* features of the CPU, separated by spaces; "" for none */
	const char *about;   /* description of the instructions, a noun phrase */
	uint32_t loops;      /* iterations of a whole run */
	struct workload_counts once;      /* before and after the iterations */
	struct workload_counts iteration; /* including the branch back, which the last iteration does not take */
};

/* The program around the parts. */
struct workload_frame {
	const char *arch;
	struct workload_counts run;  /* from the first instruction to exit */
	/* per part, whether it runs or not; a part that is left out takes one more branch */
	struct workload_counts part;
};

/* Made by parts.awk for the architecture that hecate is built for; no parts if there are no descriptions. */
extern const struct workload_part workload_parts[];
extern const size_t workload_n_parts;
extern const struct workload_frame workload_frame;
extern const char workload_installed[]; /* the program's path once hecate is installed */

/* Returns whether this CPU has all of the features. If not, adds the names of the missing ones to `missing`, which may
 * be NULL. For tests, the features in $HECATE_CPU_LACKS, a list with commas, count as missing. */
bool workload_cpu_has(const char *needs, struct str *missing);
/* Returns the part with this name; workload_n_parts if there is none. */
size_t workload_find_part(const char *name);

/* Writes the argument for these numbers of iterations, workload_n_parts of them. */
void workload_argument(const uint32_t *loops, struct str *out);

/* Finds the program: $HECATE_WORKLOAD, else next to the running program, else where it is installed. Returns NULL and
 * sets *e if the program is not there. The caller frees the path. */
char *workload_path(struct err *e);

#endif
