/* What views 5 to 7 show is made before it is drawn, when the moment has changed, and by each view for itself. Used by
 * session_profile*.c. */
#ifndef APP_STATE_STATE_TIMELINE_DUE_H
#define APP_STATE_STATE_TIMELINE_DUE_H

#include <stddef.h>

struct state;

/* What has to be made: bits of timeline_answers.due. What no view shows is not made. */
enum { DUE_LOOK = 1, DUE_PATHS = 2, DUE_BARS = 4, DUE_QUEUES = 8, DUE_ALL = 15 };

void state_timeline_make_due(struct state *, unsigned what);
void state_timeline_look_at(struct state *, size_t moment); /* all is due */
/* with this one; TIMELINE_WHOLE: none; the bars are then due */
void state_timeline_compare(struct state *, size_t moment);

/* Frees. The looks are of moments that are gone, but for the one compared; the bars by stacks that are. */
void state_timeline_forget_looks(struct state *);
void state_timeline_forget_bars(struct state *);

#endif
