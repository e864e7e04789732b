/* Overflows of an event of a command: perf_event_open(2) and ptrace(2) on its first thread. Other threads and processes
 * that the command starts run freely and are not counted. */
#ifndef COLLECT_WORKLOAD_OVERFLOW_TASK_H
#define COLLECT_WORKLOAD_OVERFLOW_TASK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "collect/overflow.h"
#include "collect/perf/names.h"

struct err;
struct perf_world;
struct source_status;
struct str;

struct overflow_task;

struct overflow_task_spec {
	char *const *argv;         /* the command */
	const sigset_t *during;    /* signal mask while waiting, and of the command */
	bool (*interrupted)(void); /* true: end the command */
	const struct perf_world *world;
};

/* Prepares runs of a command. The spec must outlive it. Returns NULL and sets *e if no descriptor is left. */
struct overflow_task *overflow_task_new(const struct overflow_task_spec *, struct err *e);
void overflow_task_free(struct overflow_task *);

/* Chooses the event of the next runs: a code that perf_overflow_limit() accepts. `seconds`: a run that takes longer is
 * cut; 0: no limit. */
void overflow_task_choose(struct overflow_task *, const struct event_code *, unsigned precise, double seconds);

struct overflow_subject overflow_task_subject(struct overflow_task *);

/* Returns true if the last start failed because the event was refused. *s then has the reason. */
bool overflow_task_refused(const struct overflow_task *, struct source_status *s);

/* Returns how the last run of the command ended, as from wait(2); -1: hecate ended it. */
int overflow_task_status(const struct overflow_task *);
/* Return the number of threads and of processes that the last run has started. */
uint64_t overflow_task_threads(const struct overflow_task *);
uint64_t overflow_task_processes(const struct overflow_task *);

/* Returns true if instructions can be executed one by one on this machine. */
bool overflow_task_steps(void);

/* Adds the place of an address in the command, which must be stopped: "_dl_start+0x12 in ld.so (0x1234)". */
void overflow_task_place(const struct overflow_task *, uint64_t address, struct str *out);

#endif
