/* The programs of a specification: all held ready before execve(2), so that counters can be put on them, begun when it
 * is time, and ended with the profile. Each has a minder of its own (child.h). */
#ifndef COLLECT_PROCESS_PROGRAMS_H
#define COLLECT_PROCESS_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/process/child.h"

struct err;
struct profile_spec;
struct spec_program;

enum program_state { PROGRAM_READY, PROGRAM_RUNNING, PROGRAM_ENDED };

/* One process; a program that runs `times` times has as many, one behind the other. */
struct program {
	const struct spec_program *of;
	unsigned which;          /* 0 … times - 1 */
	enum program_state state;
	pid_t pid;               /* already while it is held ready */
	uint64_t begun_ns;       /* CLOCK_MONOTONIC; 0: not yet */
	struct child_end end;    /* once it has ended */
};

struct programs;

/* Has this machine the cores and memory nodes that are asked for? False and *e. */
bool programs_fit(const struct profile_spec *, struct err *e);

/* Holds all ready; the specification must outlive them. Standard output and errors that are in no file go to out_fd and
 * err_fd; -1: where hecate's go. NULL and *e when the machine lacks a core or a memory node, or there are no more
 * processes. */
struct programs *programs_new(const struct profile_spec *, int out_fd, int err_fd, struct err *e);
/* Called for each right before it begins: false and *e, and it does not. For who counts what it does (struct
 * source_spec.held). */
typedef bool programs_begins(void *ctx, size_t, struct err *e);
void programs_on_begin(struct programs *, programs_begins *, void *ctx);
/* Ends what runs still, with all that it started. */
void programs_free(struct programs *);

size_t programs_n(const struct programs *);
const struct program *programs_at(const struct programs *, size_t);
struct child *programs_child(const struct programs *, size_t);

/* The profile begins now: those begin that need not wait. False and *e when one cannot be started (its command, its
 * files, its cores …). */
bool programs_begin(struct programs *, struct err *e);
/* Begins those whose time has come, and looks who has ended. False and *e as above. */
bool programs_tend(struct programs *, struct err *e);
/* Milliseconds until the next one is to begin; -1: none. For poll(2), with programs_fd(). */
int programs_wait_ms(const struct programs *);
int programs_fd(const struct programs *, size_t); /* readable when it has ended */
/* All that do not run in the background have ended, and the duration is over where there is one and they have not. */
bool programs_over(const struct programs *);
/* No more: those that run are told to end by a signal, and no further one begins. programs_left() tells when that is
 * so. */
void programs_stop(struct programs *, int sig);
size_t programs_left(const struct programs *); /* that run, or are still to begin */

#endif
