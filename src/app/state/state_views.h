/* What views 2 and 3 do with the session. Used by session.c. */
#ifndef APP_STATE_STATE_VIEWS_H
#define APP_STATE_STATE_VIEWS_H

#include "app/state/state.h"

/* What outlives a result: the constraint under the cursor, and answers of the engine that are true of the next one too,
 * so that they do not vanish with each new sample. */
struct kept {
	char *text;           /* NULL: the user chose none */
	struct touch **touch; /* of the first n rows; NULL: none */
	struct loss **loss;   /* per counter; NULL: none */
	struct geometry *geometry; /* NULL: none */
	size_t n;
};

/* Before the old result is forgotten for `next`; then, with `next` in its place, its constraints are looked at. */
struct kept state_keep(struct state *, const struct result *next);
void state_look_at_result(struct state *, struct kept);
void state_forget_views(struct state *); /* frees */

void state_show_view(struct state *, enum view);
bool state_go_back(struct state *);      /* to the view that jumped here; false: there is none */
void state_sync_cursors(struct state *); /* cursors of lists follow what is selected */

void state_remake_constraints(struct state *); /* the marks have changed */

/* The next observation (1) or the one before (-1). */
void state_step_observation(struct state *, int by);
void state_jump_from_constraint(struct state *); /* to the one of those that break it */
void state_compare(struct state *);
bool state_shows_samples(const struct state *);
void state_next_column(struct state *);
void state_open_about(struct state *, enum popup, bool something); /* says so when there is nothing */

void state_sort(struct state *);
void state_mark(struct state *);
void state_unmark(struct state *);
void state_unfold_phases(struct state *); /* each phase an observation of its own, or not */
void state_set_filter(struct state *, const char *words);

#endif
