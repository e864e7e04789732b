/* Names of keys, as the action table writes them. */
#ifndef UI_KEYS_H
#define UI_KEYS_H

#include <stddef.h>

/* The name of a key of ui/term.h: "Space", "Enter", "Up", "F5", "C-l", "q", "µ"; "" if it has none. Returns `out`. */
#define KEY_NAME 16
char *key_name(int key, char out[KEY_NAME]);

#endif
