/* A command's counters against instrumentation, for layers that may not include collect's headers. The text, the
 * results and the file of expectations are those of work/trust/instrumented.h. */
#ifndef WORK_TRUST_COMMAND_H
#define WORK_TRUST_COMMAND_H

#include <signal.h>
#include <stdbool.h>

struct err;
struct json_writer;
struct str;

struct trust_command;

struct trust_command_options {
	char *const *argv;
	const sigset_t *during;    /* mask under which to wait for signals */
	bool (*interrupted)(void);
	unsigned runs;             /* under counters, for each event */
	double seconds;            /* longest run by a method; 0: no limit */
	/* called before each run; may be NULL */
	void (*progress)(void *ctx, const char *what, unsigned run, unsigned of);
	void *ctx;
};

/* Runs the command under this machine's counters and by each method. NULL and *e: it cannot be run. */
struct trust_command *trust_command_new(const struct trust_command_options *, struct err *e);
void trust_command_free(struct trust_command *);
void trust_command_text(const struct trust_command *, struct str *out);
void trust_command_json(const struct trust_command *, struct json_writer *); /* the whole document */
void trust_command_expected(const struct trust_command *, struct str *out);

#endif
