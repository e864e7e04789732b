/* The stacks of a program's instructions, simulated by a process of its own, for the explorer. */
#ifndef WORK_FILES_INSTRUCTION_RUN_H
#define WORK_FILES_INSTRUCTION_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "work/files/instruction_stacks.h"

struct err;
struct instruction_run;

/* Starts a process that simulates the program of "sim:MACHINE:PROGRAM", or the trace that the text names, from
 * beginning to end. NULL and *e: instruction_stacks_can() says no, or the process could not be started. */
struct instruction_run *instruction_run_start(const char *simulation, struct err *e);
/* Returns a run that has ended already. Takes the stacks over. */
struct instruction_run *instruction_run_done(const char *simulation, struct instruction_stacks *);
void instruction_run_free(struct instruction_run *); /* ends the process, too */

const char *instruction_run_of(const struct instruction_run *);     /* the text it was started with */
int instruction_run_fd(const struct instruction_run *);             /* readable when there is news; -1: it has ended */
uint64_t instruction_run_uops(const struct instruction_run *);      /* µops that were simulated so far */
/* Returns the stacks; NULL until the simulation is complete. */
const struct instruction_stacks *instruction_run_stacks(const struct instruction_run *);

enum instruction_step { INSTRUCTION_GOES_ON, INSTRUCTION_NEWS, INSTRUCTION_ENDED, INSTRUCTION_FAILED };
/* Takes what has come, without blocking. INSTRUCTION_FAILED: *e says why there are no stacks. */
enum instruction_step instruction_run_poll(struct instruction_run *, struct err *e);

#endif
