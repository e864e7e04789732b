/* Counts what a command executes by dynamic binary instrumentation, so that a counter can be compared with it (Weaver,
 * Terpstra and Moore, "Non-determinism and overcount", section 4.1).
 *
 * A string instruction with a rep prefix is one instruction for a processor, however often it iterates. Every method
 * below counts it more often:
 *
 *     method    runs the command               meets a rep of n iterations     knows
 *     step      by ptrace(2), step by step     max(n, 1) times                 instructions, branches
 *     valgrind  by its tool lackey             n + 1 times (1)                 instructions, loads, stores
 *     qemu      by qemu-user                   max(n, 1) times                 instructions, branches
 *
 * (1) n times if repe or repne ends before rcx is 0. valgrind 3.19 checks rcx at the beginning of each iteration.
 *
 * Of valgrind's tools, lackey's trace is read because it alone relates accesses to iterations. It needs
 * --vex-guest-chase=no: with chasing, valgrind executes both conditions of `a && b` at once, and lackey and cachegrind
 * count 391 of 17 165 instructions too many in a static program's start (valgrind 3.19). Without chasing, lackey agrees
 * with exp-bbv, which counts a rep once and its iterations separately, but counts no accesses.
 *
 * So each count has two parts: `raw`, the number of times that the method met an instruction, and `extra`, the times
 * beyond the first of each rep. What a processor should count is raw − extra. */
#ifndef COLLECT_WORKLOAD_INSTRUMENT_H
#define COLLECT_WORKLOAD_INSTRUMENT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum instrument_method { INSTRUMENT_STEP, INSTRUMENT_VALGRIND, INSTRUMENT_QEMU, INSTRUMENT_METHODS };

/* Events in user mode. Branches are jumps, calls, returns and loops. An instruction that reads memory, once or several
 * times, is one load; one that writes is one store; `inc (%rax)` is both. */
enum instrument_event {
	INSTRUMENT_INSTRUCTIONS, INSTRUMENT_BRANCHES, INSTRUMENT_CONDITIONAL, INSTRUMENT_LOADS, INSTRUMENT_STORES,
	INSTRUMENT_EVENTS
};

const char *instrument_method_name(enum instrument_method);  /* "valgrind" */
const char *instrument_method_about(enum instrument_method); /* a sentence: what it counts for a rep prefix */
const char *instrument_event_name(enum instrument_event);    /* "conditional-branches" */
/* Returns true if the method can know the event at all. */
bool instrument_knows(enum instrument_method, enum instrument_event);

struct instrument_request {
	char *const *argv;         /* the command, NULL-terminated; its output and input are /dev/null */
	const sigset_t *during;    /* mask under which to wait for signals */
	bool (*interrupted)(void); /* true: end the command */
	double seconds;            /* the command is ended after this time; 0: never */
};

struct instrument_count {
	bool known;
	uint64_t raw, extra;       /* expected = raw − extra */
};

struct instrument_result {
	struct instrument_count count[INSTRUMENT_EVENTS];
	/* executions of rep-prefixed string instructions; valgrind does not show those that it meets once */
	uint64_t reps;
	uint64_t threads;          /* threads that the command started; 0: none, or the method does not know */
	/* processes that the command started, whose events are not counted; 0: none, or the method does not know */
	uint64_t programs;
	/* method step: number of stops that a hypervisor lost; their instructions are counted all the same */
	uint64_t forgotten;
	bool ended;                /* the command ended by itself or by a signal; `status` is as from wait(2) */
	int status;
	/* hecate ended the command, because of a signal to hecate or because the time was up */
	bool cut;
	char unknown[48];          /* bytes of an instruction that the method cannot execute; "": none */
};

/* Runs the command once by the method. Returns false and sets *e if the tool or the command cannot be run, or if
 * nothing was counted. If the command is cut or dies, the result has the counts until then. */
bool instrument_run(
	enum instrument_method, const struct instrument_request *, struct instrument_result *, struct err *e);

/* Returns the file that execvp(3) would run; the caller frees it. Returns NULL and sets *e if there is none. */
char *instrument_find(const char *program, struct err *e);

/* Properties of a program's file, known before it is run. */
struct instrument_file {
	bool elf;        /* false: a script */
	unsigned bits;   /* 32 or 64; 0: not ELF */
	unsigned machine; /* e_machine of elf(5) */
	bool privileged; /* set-user-ID, set-group-ID, or with capabilities */
};
bool instrument_look(const char *path, struct instrument_file *, struct err *e);

/* The conditions that all runs of a comparison share, and that hecate's children inherit: no randomised addresses, one
 * CPU, a fixed environment (Weaver, section 4.2). Begin and end nest within one thread; nothing else may run then. */
struct instrument_conditions {
	bool fixed_addresses; /* false: personality(2) is not permitted */
	int cpu;              /* -1: not pinned */
	/* private: the settings to restore */
	unsigned long personality;
	void *affinity;
	char **environment, **own;
};
void instrument_conditions_begin(struct instrument_conditions *);
void instrument_conditions_end(struct instrument_conditions *);

/* Private to the room. */
bool instrument_step(const struct instrument_request *, struct instrument_result *, struct err *e);
bool instrument_tool(
	enum instrument_method, const struct instrument_request *, struct instrument_result *, struct err *e);

#endif
