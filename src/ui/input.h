/* Keys and the mouse: what they do to the session, by the table of actions and by what was drawn last. */
#ifndef UI_INPUT_H
#define UI_INPUT_H

#include <stdbool.h>

struct drawn;
struct state;
struct term_event;

/* A key or a report of the mouse; `drawn`: what is under the pointer. TK_RESIZE and TK_GONE are the loop's. */
void input_take(struct state *, const struct drawn *, const struct term_event *);

#endif
