/* A run of stall-sources, in three files: tasktime_run.c, its life; stall_run_rows.c, windows to rows; stall_run_say.c,
 * what it says of itself. */
#ifndef APP_RUN_TASKTIME_RUN_STATE_H
#define APP_RUN_TASKTIME_RUN_STATE_H

#include "app/run/tasktime_run.h"
#include "collect/source.h"

/* A task that lives, by its number. */
struct stall_seat {
	int tid;
	size_t task;
};

struct tasktime_run {
	struct run run;
	struct tasktime_run_options opt; /* argv, target and name owned */
	int *id;                      /* of the target, owned */
	int *held;                    /* processes of the leader; NULL: it does not follow one */
	size_t n_held;
	bool follows;                 /* it has no subject of its own */
	bool one_by_one;              /* the leader announces when each starts */
	char **held_name;             /* of each, owned; NULL: none */
	char *asked;                  /* where observations come from: "gcc -c x.c", "-p 4711" */
	struct tasktime_source *stalls;        /* NULL before the start and after the end */
	bool started, finishing, killed;
	bool closing;                 /* a window is, which takes a while */
	uint64_t start_ns, next_ns, tick_ns, finish_ns;
	double cpu_before;
	/* rows */
	struct obs_table *table;
	struct tasktime_coverage tells;
	struct tasktime_run_task *task;
	size_t n_tasks, cap_tasks;
	struct stall_seat *seat;      /* ascending */
	size_t n_seats, cap_seats;
	size_t others;                /* TASKTIME_RUN_NONE */
	struct tasktime_amounts others_now; /* of the window that is being taken */
	struct tasktime_row others_row;
	bool some_others;
	size_t cells;
	double *end;                  /* of windows, as rows have them: what was folded has one end; for `folds` */
	size_t n_ends, cap_ends;
	struct tasktime_cpu_row *cpu;
	size_t n_cpus;
	/* how it went */
	char note[512], why[256];
	struct tasktime_run_state state;
};

/* A window into rows; `wanted` false: only into what is known of the run (rows past the limit). */
void tasktime_run_take_window(struct tasktime_run *, const struct tasktime_source_window *, bool wanted);
/* The end: rows of all tasks that have none yet. */
void tasktime_run_take_end(struct tasktime_run *);
/* Sentences of the table: what its reader must know. */
void tasktime_run_note_table(struct tasktime_run *);

#endif
