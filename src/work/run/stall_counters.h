/* Classes of tasks' time as counters of a network: `counter NAME = "stall:CLASS" per task …`. No event counts them. A
 * run that divides the time of tasks joins the counters, and each of their rows has what it found since the row before.
 */
#ifndef WORK_RUN_STALL_COUNTERS_H
#define WORK_RUN_STALL_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct network;
struct run;
struct str;

/* The amount (core/tasktime/amounts.h) that a counter of the network is; -1: it is an event. */
int stall_counters_amount(const struct network *, size_t counter);
bool stall_counters_need_faults(const struct network *); /* one of them is about page faults, which must be recorded */

/* Does a run of tasks' time observe the same subject as these counters? */
bool stall_counters_beside(const struct run *counters);
/* Sets *ns to an amount since the start, as tasktime_run_amount() does. False: it is unknown. */
bool stall_counters_read(const struct run *counters, int amount, bool settle, int64_t *ns);
/* Appends where the amounts come from. `filled`: each row has them. */
void stall_counters_explain(const struct run *counters, bool filled, struct str *out);

#endif
