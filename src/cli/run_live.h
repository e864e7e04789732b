/* Counting here and now, for subcommands that wait for it: signals, repetitions, and what is said about it. */
#ifndef CLI_RUN_LIVE_H
#define CLI_RUN_LIVE_H

#include <stdbool.h>
#include <stddef.h>

#include <signal.h>

struct err;
struct live;
struct options;
struct spec_run;
struct tasktime_run;
struct work_live;

/* Called whenever rows may have come; false and *e end the run. It may poll the live itself, and say by *e how that
 * went wrong. */
typedef bool run_live_seen(void *ctx, const struct live *, struct err *e);

/* Who watches the same run beside it. */
struct run_beside {
	bool (*begin)(void *ctx, int command, struct err *e); /* as `waits` of struct live_options */
	int (*wait_fd)(void *ctx);   /* -1: none */
	void (*pump)(void *ctx);
	void (*end)(void *ctx);
	void *ctx;
};

/* All repetitions, to the end. `seen` may be NULL. False and *e when one failed, or a signal ended it. */
bool run_live(
	const struct options *, const struct work_live *, struct live *, run_live_seen *seen, void *ctx, struct err *e);

/* … and pumps who is beside (NULL: nobody), whose end is that of the first run; it begins by the live's own options. */
bool run_live_beside(const struct options *, const struct work_live *, struct live *, run_live_seen *seen, void *ctx,
	const struct run_beside *, struct err *e);

/* The same for the time of tasks (app/run/tasktime_run.h). Ctrl-C ends it and keeps what it has; other signals end it
 * with *e. */
typedef bool run_stalls_seen(void *ctx, struct tasktime_run *, struct err *e);
bool run_stalls(const struct options *, struct tasktime_run *, run_stalls_seen *seen, void *ctx, struct err *e);

/* The size that --ring gives, as the kernel takes it: a power of two, in KiB. 0: not given. */
size_t run_live_ring(const struct options *);

/* The same for the programs of a specification. Ctrl-C ends them, and what was counted is kept; other signals end all
 * with *e. */
typedef bool run_spec_seen(void *ctx, struct spec_run *, struct err *e);
bool run_spec(struct spec_run *, run_spec_seen *seen, void *ctx, struct err *e);

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
void run_live_say(const struct options *, const struct live *);

/* The same for programs. */
void run_live_say_spec(const struct options *, const struct spec_run *);

/* At the very end: die by the signal that ended the run, unless that was Ctrl-C. */
void run_live_obey_signal(void);

#endif
