/* Keys and the mouse. Actions come from the table of keys, and from what the last drawing put under the pointer. */
#ifndef UI_INPUT_H
#define UI_INPUT_H

#include <stdbool.h>

struct drawn;
struct state;
struct term_event;

/* Carries out a key or mouse event. `drawn`: the regions for the mouse. The loop handles TK_RESIZE and TK_GONE. */
void input_take(struct state *, const struct drawn *, const struct term_event *);

/* The name of a key of ui/term.h: "Space", "Enter", "Up", "F5", "C-l", "q", "µ"; "" if it has none. Returns `out`. */
#define KEY_NAME 16
char *key_name(int key, char out[KEY_NAME]);

#endif
