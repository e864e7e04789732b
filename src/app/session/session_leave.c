#include "app/session/session_leave.h"

#include <stdlib.h>

#include "app/session/session.h"
#include "app/session/session_flows.h"
#include "app/session/session_views.h"

/* n writes notes again. */
static void
end_find(struct session *s)
{
	free(s->find);
	s->find = NULL;
	session_say(s, false, "nothing is looked for any more");
}

void
session_stop(struct session *s)
{
	if (session_flows_leave(s)) /* before anything is ended */
		return;
	if (session_running(s))
		s->want.kill = true;
	else if (s->busy || s->searching != SEARCH_NONE || s->want.search != SEARCH_NONE || s->asked.kind != QUESTION_NONE)
		s->want.stop = true;
	else if (s->find && *s->find)
		end_find(s);
	else
		session_go_back(s);
}

void
session_close_popup(struct session *s)
{
	s->popup = POPUP_NONE;
}

void
session_go_to_start(struct session *s)
{
	s->view_focus[s->view] = s->focus;
	s->view = VIEW_START;
}

/* Notes that no file holds are not thrown away by one key. */
void
session_quit(struct session *s)
{
	size_t unsaved = 0;

	for (size_t i = 0; i < s->remarks.n; i++)
		unsaved += s->remarks.remark[i].unsaved;
	if (s->popup != POPUP_NONE) {
		session_close_popup(s);
	} else if (unsaved && (!s->kept_in || s->not_kept) && !s->warned) {
		session_say(s, true, "%zu note%s in no file: w, then f, keeps the session in one; q again leaves without", unsaved, unsaved == 1 ? " is" : "s are");
		s->warned = true;
	} else {
		s->want.quit = true;
	}
}
