/* Analyses that views 5 to 7 show. They are made before drawing, after the snapshot has changed, and only for the view
 * that shows them. */
#ifndef EXPLORER_STATE_STATE_TIMELINE_DUE_H
#define EXPLORER_STATE_STATE_TIMELINE_DUE_H

#include <stddef.h>

struct state;

/* Analyses to be made: bits of timeline_answers.due. */
enum { DUE_ANALYSIS = 1, DUE_PATHS = 2, DUE_BARS = 4, DUE_QUEUES = 8, DUE_ANSWER = 16, DUE_ALL = 31 };

struct obs_table;
/* The table with the time of tasks: of the latest run that has one, or the only recorded one. NULL: there is none. */
const struct obs_table *state_tasks_table(const struct state *);
struct run_end state_run_end(const struct state *); /* of the last run, or of that in the session file */

void state_timeline_make_due(struct state *, unsigned what);
void state_timeline_show_snapshot(struct state *, size_t snapshot); /* makes all analyses due */
/* Compares with this snapshot; TIMELINE_NONE: none. Makes the bars due. */
void state_timeline_compare(struct state *, size_t snapshot);

/* Free analyses of snapshots that are gone, except the compared one; free bars by stacks that are gone. */
void state_timeline_forget_analyses(struct state *);
void state_timeline_forget_bars(struct state *);

#endif
