/* Runs another program for what it prints: without a shell, with a limit of time and of output. */
#ifndef COLLECT_PROCESS_CAPTURE_H
#define COLLECT_PROCESS_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct str;

struct capture {
	const char *const *argv; /* ended by NULL; the program is looked up in PATH */
	const char *const *env;  /* "NAME=value", added to hecate's own environment; ended by NULL; NULL: nothing */
	bool errors;             /* take standard error instead of standard output; the other one is dropped */
	int limit_ms;            /* then the program and all that it started are killed */
	size_t most;             /* of bytes; with more, likewise */
};

/* Appends what the program prints, and sets *status as wait(2) does. Returns false and sets *e when it cannot be
 * started (*missing: there is no such program), or meets a limit. The program reads nothing, and ends when hecate does.
 * */
bool capture_run(const struct capture *, struct str *out, int *status, bool *missing, struct err *e);

#endif
