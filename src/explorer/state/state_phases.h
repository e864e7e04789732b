/* View 8: the phases of the data, as hecate phases finds them, in fewer rows. */
#ifndef EXPLORER_STATE_STATE_PHASES_H
#define EXPLORER_STATE_STATE_PHASES_H

#include <stdbool.h>
#include <stddef.h>

struct phases;
struct state;

#define PHASES_VIEW_ROWS ((size_t)512)         /* most rows of a run, */
#define PHASES_VIEW_MANY ((size_t)64)          /* and half as many of one with more series than this */
#define PHASES_VIEW_CELLS ((size_t)1 << 22)    /* more cells than this are not read while somebody waits */
#define PHASES_VIEW_SECONDS 1.0                /* least time between two analyses of data that grow */

/* Finds the phases anew if the data have grown, before each drawing of view 8. */
void state_phases_show(struct state *);
void state_phases_forget(struct state *);

/* The run shown; NULL: there are no series. */
const struct phases *state_phases(const struct state *);
size_t state_phases_series(const struct state *); /* the series under the cursor */
/* The window under the cursor, and the one that it is compared with: the one that c chose, or else the one before. */
size_t state_phases_window(const struct state *);
size_t state_phases_against(const struct state *);

void state_phases_hold(struct state *);     /* key c */
void state_phases_next_run(struct state *); /* key o */

#endif
