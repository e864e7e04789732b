/* Counting here and now, for subcommands that wait for it: signals, repetitions, and what is said about it. */
#ifndef CLI_RUN_LIVE_H
#define CLI_RUN_LIVE_H

#include <stdbool.h>

struct err;
struct live;
struct options;
struct spec_run;
struct stall_run;
struct work_live;

/* Called whenever rows may have come; false and *e end the run. It may poll the live itself, and say by *e how that went wrong. */
typedef bool run_live_seen(void *ctx, const struct live *, struct err *e);

/* All repetitions, to the end. `seen` may be NULL. False and *e when one failed, or a signal ended it. */
bool run_live(const struct options *, const struct work_live *, struct live *, run_live_seen *seen, void *ctx, struct err *e);

/* The same for the time of tasks (app/stall_run.h). Ctrl-C ends it and keeps what it has; other signals end it with *e. */
typedef bool run_stalls_seen(void *ctx, struct stall_run *, struct err *e);
bool run_stalls(const struct options *, struct stall_run *, run_stalls_seen *seen, void *ctx, struct err *e);

/* The same for the programs of a specification. Ctrl-C ends them, and what was counted is kept; other signals end all with *e. */
typedef bool run_spec_seen(void *ctx, struct spec_run *, struct err *e);
bool run_spec(struct spec_run *, run_spec_seen *seen, void *ctx, struct err *e);

/* Does a signal wait to be obeyed? For who is called back and takes long. */
bool run_live_interrupted(void);

/* Lines on standard error: what could not be counted, how it ended. */
void run_live_say(const struct options *, const struct live *);

/* The same for programs. */
void run_live_say_spec(const struct options *, const struct spec_run *);

/* At the very end: die by the signal that ended the run, unless that was Ctrl-C. */
void run_live_obey_signal(void);

#endif
