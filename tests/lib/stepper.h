/* Counts what a program does by executing one instruction at a time, with ptrace(2): an independent count for the
 * workload's. x86-64 only. */
#ifndef TESTS_LIB_STEPPER_H
#define TESTS_LIB_STEPPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct steps {
	int64_t instructions, branches, conditional, taken, elements, syscalls, exceptions;
	/* steps after which a hypervisor did not stop: the next instruction is counted all the same */
	int64_t forgotten;
	int64_t faults; /* minor page faults that /proc/PID/stat reports */
};

/* The addresses of symbols PREFIX1 … PREFIXn of an ELF executable. False and a failed check if one is missing. */
bool step_symbols(const char *path, const char *prefix, size_t n, uint64_t *address);

/* Runs `path` with one argument. steps[k] is what happens from address[k], when first reached, up to address[k + 1];
 * steps[0] before address[0] of n. Returns the exit status, -1 and a failed check if the program cannot be stepped. */
int step_program(const char *path, const char *argument, const uint64_t *address, size_t n, struct steps *steps);

/* Whether stepping is possible here; false: `why` is the reason. */
bool step_possible(const char **why);

#endif
