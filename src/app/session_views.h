/* What views 2 and 3 do with the session. Used by session.c. */
#ifndef APP_SESSION_VIEWS_H
#define APP_SESSION_VIEWS_H

#include "app/session.h"

/* A result came (or went): its constraints are looked at anew. The constraint of this text stays selected, if it is still there. */
void session_look_at_result(struct session *, const char *text);
void session_forget_views(struct session *); /* frees */

void session_show_view(struct session *, enum view);
bool session_go_back(struct session *);      /* to the view that jumped here; false: there is none */
void session_sync_cursors(struct session *); /* cursors of lists follow what is selected */

void session_sort(struct session *);
void session_mark(struct session *);
void session_unmark(struct session *);
void session_set_filter(struct session *, const char *words);

#endif
