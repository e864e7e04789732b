/* What views 2 and 3 do with the session. Used by session.c. */
#ifndef APP_SESSION_SESSION_VIEWS_H
#define APP_SESSION_SESSION_VIEWS_H

#include "app/session/session.h"

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
struct kept session_keep(struct session *, const struct result *next);
void session_look_at_result(struct session *, struct kept);
void session_forget_views(struct session *); /* frees */

void session_show_view(struct session *, enum view);
bool session_go_back(struct session *);      /* to the view that jumped here; false: there is none */
void session_sync_cursors(struct session *); /* cursors of lists follow what is selected */

void session_remake_constraints(struct session *); /* the marks have changed */

/* The next observation (1) or the one before (-1). */
void session_step_observation(struct session *, int by);
void session_jump_from_constraint(struct session *); /* to the one of those that break it */
void session_compare(struct session *);
bool session_shows_samples(const struct session *);
void session_next_column(struct session *);
void session_open_about(struct session *, enum popup, bool something); /* says so when there is nothing */

void session_sort(struct session *);
void session_mark(struct session *);
void session_unmark(struct session *);
void session_unfold_phases(struct session *); /* each phase an observation of its own, or not */
void session_set_filter(struct session *, const char *words);

#endif
