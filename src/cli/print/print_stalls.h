/* Prints where the time of tasks goes (docs/stall-sources.md). */
#ifndef CLI_PRINT_PRINT_STALLS_H
#define CLI_PRINT_PRINT_STALLS_H

#include <stddef.h>

struct json_writer;
struct obs_table;
struct options;
struct stack_report;
struct str;
struct tasktime_run;

/* Prints bars of tasks side by side, sums of processes, CPUs, and how far all this can be believed. `t`: the run's
 * table or a copy, which has the report's observations, at least one. For recorded tasks, table and run are NULL, and
 * only bars and their sum are printed. */
void print_stalls_text(const struct options *, const struct stack_report *, const struct obs_table *t,
	struct tasktime_run *, struct str *out);

/* Writes the object "stalls" (docs/json.md). */
void print_stalls_json(struct json_writer *, const struct options *, struct tasktime_run *);

/* The tasks of one process. */
struct stalls_process {
	int pid;          /* process number; 0: all other processes */
	const char *program; /* the program of a specification that this process was started for, or NULL */
	const char *name; /* name of its first thread, or of the first that was seen */
	size_t tasks, first; /* number of its tasks; index of the first one */
};
/* Returns the processes in order of appearance. process[i]: index of the process of task i. The caller frees both. */
struct stalls_process *print_stalls_processes(struct tasktime_run *, size_t *n, size_t **process);

#endif
