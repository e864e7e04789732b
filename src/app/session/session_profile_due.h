/* What views 5 to 7 show is made before it is drawn, when the moment has changed, and by each view for itself. Used by
 * session_profile*.c. */
#ifndef APP_SESSION_SESSION_PROFILE_DUE_H
#define APP_SESSION_SESSION_PROFILE_DUE_H

#include <stddef.h>

struct profile_screen;
struct session;

/* What has to be made: bits of profile_screen.due. What no view shows is not made. */
enum { DUE_LOOK = 1, DUE_PATHS = 2, DUE_BARS = 4, DUE_QUEUES = 8, DUE_ALL = 15 };

void session_profile_make_due(struct session *, unsigned what);
void session_profile_look_at(struct session *, size_t moment); /* all is due */
/* with this one; PROFILE_WHOLE: none; the bars are then due */
void profile_screen_compare(struct profile_screen *, size_t moment);

/* Frees. The looks are of moments that are gone, but for the one compared; the bars by stacks that are. */
void profile_screen_forget_looks(struct profile_screen *);
void profile_screen_forget_bars(struct profile_screen *);

#endif
