/* Runs here and now, for subcommands that wait for them: one loop, signals, repetitions, and messages. */
#ifndef CLI_RUN_LIVE_H
#define CLI_RUN_LIVE_H

#include <stdbool.h>
#include <stddef.h>

#include <signal.h>

struct err;
struct counters_run;
struct options;
struct run;
struct runs;
struct str;

/* Called whenever rows may have come; false and *e end the run. It may poll the run itself. */
typedef bool run_seen(void *ctx, struct run *, struct err *e);

struct run_how {
	run_seen *seen; /* NULL: nobody looks at rows before the end */
	void *ctx;
	struct run *shown; /* the run that `seen` gets; NULL: the leader */
	bool keeps;     /* Ctrl-C ends the run, and what it has is kept; otherwise the command gets Ctrl-C */
	bool repeats;   /* as often as -r says */
};

/* To the end of all. False and *e when one failed, or a signal ended it. */
bool run_here(const struct options *, struct runs *, const struct run_how *, struct err *e);

/* The size that --ring gives, as the kernel takes it: a power of two, in KiB. 0: not given. */
size_t run_live_ring(const struct options *);

/* Signals that would end the program only make run_live_interrupted() true, until they are let go: a second Ctrl-C ends
 * it as ever. */
struct run_signals {
	struct sigaction old[4];
};
void run_live_hold(struct run_signals *);
void run_live_let_go(const struct run_signals *);

/* Does a signal wait to be obeyed? For who is called back and takes long. */
bool run_live_interrupted(void);

/* Lines on standard error: what could not be counted, how it ended. */
void run_live_say(const struct options *, const struct counters_run *);

/* Lines on standard error, one message each; nothing under --quiet. Frees the text. */
void run_live_say_lines(const struct options *, struct str *);

/* At the very end: die by the signal that ended the run, unless that was Ctrl-C. */
void run_live_obey_signal(void);

#endif
