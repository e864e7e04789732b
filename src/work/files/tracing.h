/* Traces of commands, recorded by valgrind's tool lackey (sim/trace/op_trace.h reads them). */
#ifndef WORK_FILES_TRACING_H
#define WORK_FILES_TRACING_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct err;

struct tracing {
	char *const *argv;        /* the command, NULL-terminated */
	int fd;                   /* the trace is written here */
	bool gzip;                /* compress the trace */
	const sigset_t *during;   /* mask under which to wait for signals */
	bool (*interrupted)(void); /* true: end the command; the trace is complete up to then */
};

struct traced {
	uint64_t instructions, taken; /* instructions of the command; transfers of control among them */
	uint64_t bytes;               /* bytes of lackey's text */
	/* the command has ended by itself or by a signal, with `status` as from wait(2) */
	bool ended;
	int status;
	bool cut;                     /* hecate ended the command */
};

/* Runs a command under valgrind and writes its trace. The command's input and output are hecate's. Only whole lines are
 * written. False and *e: valgrind is missing or traces nothing, or the trace cannot be written. */
bool tracing_run(const struct tracing *, struct traced *, struct err *e);

#endif
