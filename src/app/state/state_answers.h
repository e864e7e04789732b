/* Results arrive: what of the one before stays, and what views 2 and 3 need of the new one. */
#ifndef APP_STATE_STATE_ANSWERS_H
#define APP_STATE_STATE_ANSWERS_H

struct state;

void state_forget_answers(struct state *); /* the result and everything that is about it; frees */
void state_remake_constraints(struct state *); /* the marks have changed */

#endif
