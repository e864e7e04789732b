/* State of the run that divides the time of tasks. Private to three files: tasktime_run.c, start to end;
 * tasktime_run_rows.c, windows to rows; tasktime_run_say.c, remarks. */
#ifndef APP_RUN_TASKTIME_RUN_STATE_H
#define APP_RUN_TASKTIME_RUN_STATE_H

#include "app/run/tasktime_run.h"
#include "collect/source.h"

/* A task that has not ended, by its number. */
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
	bool closing;                 /* a window is being closed, which takes several polls */
	uint64_t start_ns, next_ns, tick_ns, finish_ns;
	double cpu_before;
	/* rows */
	struct obs_table *table;
	struct tasktime_coverage coverage;
	struct tasktime_run_task *task;
	size_t n_tasks, cap_tasks;
	struct stall_seat *seat;      /* ascending */
	size_t n_seats, cap_seats;
	size_t others;                /* TASKTIME_RUN_NONE */
	struct tasktime_amounts others_now; /* of the window that is being taken */
	struct tasktime_row others_row;
	bool some_others;
	size_t cells;
	double *end;                  /* ends of windows, one for each row; for `folds` */
	size_t n_ends, cap_ends;
	struct tasktime_cpu_row *cpu;
	size_t n_cpus;
	/* how it went */
	char note[512], why[256];
	struct tasktime_run_state state;
};

/* Adds the rows of a window. `wanted` false: past the limit; only the sums of the run change. */
void tasktime_run_take_window(struct tasktime_run *, const struct tasktime_source_window *, bool wanted);
/* At the end: adds a row for each task without one. */
void tasktime_run_take_end(struct tasktime_run *);
/* Adds the remarks to the notes of the table. */
void tasktime_run_note_table(struct tasktime_run *);

#endif
