/* Remarks on where the time of tasks went: a line for each thing that is unknown, lost or doubtful. */
#ifndef WORK_RUN_TASKTIME_REMARKS_H
#define WORK_RUN_TASKTIME_REMARKS_H

#include <stddef.h>

struct str;
struct tasktime_run_state;
struct tasktime_run_task;

/* Nothing when all is well. `others`: the task that stands for the others; TASKTIME_RUN_NONE. */
void tasktime_remarks_add(const struct tasktime_run_state *, const struct tasktime_run_task *, size_t n, size_t others,
	struct str *out);

#endif
