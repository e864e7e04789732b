/* Ending things: a computation, a run, a popup, the program. What is in no file asks before it goes (POPUP_LEAVE):
 *
 *     key          question        answers
 *     q            leave hecate    s saves, x does not, l lets the command run, Esc stays
 *     o, Home, :   open another    s, x, Esc
 *     Esc          stop the run    Enter stops the command that hecate started, Esc lets it go on
 */
#ifndef EXPLORER_STATE_STATE_LEAVE_H
#define EXPLORER_STATE_STATE_LEAVE_H

#include <stdbool.h>
#include <stddef.h>

#include "explorer/state/view_state.h"

struct state;
struct str;

void state_stop(struct state *);         /* ends what goes on, else goes back to the view that jumped here */
void state_go_to_start(struct state *);  /* shows the start screen; what is open stays open */
/* May `name` be opened in place of what is open? If that would lose something, asks the user, and returns false; the
 * answer asks for it again. */
bool state_may_leave(struct state *, const char *name, size_t then);
void state_back(struct state *);         /* closes the popup; a question is then answered by staying */
void state_quit(struct state *);         /* closes the popup, or, if there is none, ends the program */

/* The answers that POPUP_LEAVE offers at present, from top to bottom. */
enum leave_answer { LEAVE_SAVES, LEAVE_LETS_RUN, LEAVE_LOSES, LEAVE_STOPS, LEAVE_ELSEWHERE, LEAVE_STAYS };
#define LEAVE_ROWS 5
struct leave_row {
	enum leave_answer does;
	const char *key;  /* as in action.def */
	char text[120];
};
size_t state_leave_rows(const struct state *, struct leave_row row[LEAVE_ROWS]);
/* Its lines above them: what goes on, what is in no file, where it would be saved. */
void state_leave_words(const struct state *, struct str *out);
const char *state_leave_opens(const struct state *); /* what would be opened: "mine.udd"; NULL: nothing */
bool state_leave_key(struct state *, const char *key); /* false: this key answers nothing */
void state_leave_take(struct state *); /* the answer under the cursor */

/* Does a command run that hecate started? It would end with hecate. */
bool state_command_runs(const struct state *);
/* Is something in no file? */
bool state_leave_loses(const struct state *);
/* Would anything be lost, or a command be ended? state_quit_asks() also minds A and B, which leaving hecate ends. */
bool state_leave_asks(const struct state *);
bool state_quit_asks(const struct state *);
/* Opens the question again, because this went wrong; NULL: without a reason. */
void state_leave_failed(struct state *, const char *why);
void state_leave_goes(struct state *); /* leaves for what the question was about, without another one */
void state_leave_follow(struct state *); /* closes a question whose run has ended by itself */
void state_leave_forget(struct state *);

#endif
