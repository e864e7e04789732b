/* The programs of a specification. All are held before execve(2), so that counters can be attached; each starts at its
 * time, and all end with the profile. Each has its own minder (child.h). */
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
struct str;

enum program_state { PROGRAM_READY, PROGRAM_RUNNING, PROGRAM_ENDED };

/* One process. A program with `times` copies has that many of these, one after the other. */
struct program {
	const struct spec_program *of;
	unsigned which;          /* 0 … times - 1 */
	enum program_state state;
	char **argv;             /* its own copy of the words */
	pid_t pid;               /* set even while it is held */
	uint64_t begun_ns;       /* start, CLOCK_MONOTONIC; 0: not yet */
	struct child_end end;    /* once it has ended */
};

struct programs;

/* Returns whether this machine has the requested cores and memory nodes. If not, sets *e. */
bool programs_fit(const struct profile_spec *, struct err *e);

/* Forks and holds all programs; the specification must outlive them. If a program has no file for its standard output
 * or error, these go to out_fd and err_fd; -1: hecate's own. Returns NULL and sets *e when the machine lacks a core or
 * a memory node, or no process can be created. */
struct programs *programs_new(const struct profile_spec *, int out_fd, int err_fd, struct err *e);
/* Sets a function that is called right before each program starts, for observers (struct source_spec.held). If it
 * returns false and sets *e, the program is not started. */
typedef bool programs_begins(void *ctx, size_t, struct err *e);
void programs_on_begin(struct programs *, programs_begins *, void *ctx);
/* Frees the programs. Those that still run are ended, with everything that they started. */
void programs_free(struct programs *);

size_t programs_n(const struct programs *);
const struct program *programs_at(const struct programs *, size_t);
struct child *programs_child(const struct programs *, size_t);
/* Adds the name of a program, with its number from its second time on: "store", "store-2". */
void programs_name(const struct programs *, size_t, struct str *out);

/* Begins the profile: starts the programs that need not wait. Returns false and sets *e when one cannot be started (its
 * command, its files, its cores …). */
bool programs_begin(struct programs *, struct err *e);
/* Starts programs whose time has come, and notes those that have ended. Returns false and sets *e as above. */
bool programs_tend(struct programs *, struct err *e);
/* Returns the milliseconds until the next program starts, for poll(2) on programs_fd(); -1: none starts. */
int programs_wait_ms(const struct programs *);
int programs_fd(const struct programs *, size_t); /* returns a descriptor that is readable when the program has ended */
/* Returns true when all foreground programs have ended, or the duration is over. */
bool programs_over(const struct programs *);
/* Ends the profile: signals running programs to end, and starts no further ones. programs_left() then falls to 0. */
void programs_stop(struct programs *, int sig);
size_t programs_left(const struct programs *); /* returns the number of programs that run or have yet to start */

#endif
