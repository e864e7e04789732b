/* The stacks of a program's instructions: a simulation of the program, with the time-proportional account of each
 * instruction (sim/account/instructions.h). */
#ifndef WORK_FILES_INSTRUCTION_STACKS_H
#define WORK_FILES_INSTRUCTION_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

struct instruction_stack {
	uint64_t address;
	char *text;       /* "load r8 ← [r1]" */
	uint64_t uops;    /* its µops that committed */
	double cycles;    /* cycles of all its parts */
	double *part;     /* cycles of each part */
};

struct instruction_stacks {
	char *machine;     /* its name */
	char *program;     /* name and parameters; "trace" */
	char *title;       /* the simulation, or the trace, as it was asked for */
	const char **name; /* name of each part: "base", "branch" … */
	size_t n_parts;
	struct instruction_stack *item; /* sorted, most cycles first */
	size_t n;
	double *part;      /* cycles of each part, over all instructions */
	uint64_t cycles, uops;
	bool cut;          /* stop() ended it */
};

#define INSTRUCTION_STACKS_STEP 4096u /* µops between two calls of stop() */

/* Returns the stacks of no instructions, with the names of the parts. */
struct instruction_stacks *instruction_stacks_empty(void);
/* Simulates the program of "sim:MACHINE:PROGRAM" (work/files/simulation_text.h), or on that machine a whole trace,
 * which `trace` (FILE, FORMAT:FILE, - or NULL) or the text ("sim:MACHINE:trace,file=…", work/files/trace_file.h) names.
 * `stop` may be NULL; it ends the simulation early. NULL and *e: the machine has no pipeline, the program is unknown,
 * or the trace cannot be read. */
struct instruction_stacks *instruction_stacks_new(
	const char *simulation, const char *trace, bool (*stop)(void *), void *ctx, struct err *e);
/* True if instruction_stacks_new() can begin with what the text names. False and *e otherwise. */
bool instruction_stacks_can(const char *simulation, struct err *e);
void instruction_stacks_free(struct instruction_stacks *);

#endif
