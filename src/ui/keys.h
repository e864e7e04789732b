/* Names of keys, as the action table writes them. */
#ifndef UI_KEYS_H
#define UI_KEYS_H

#include <stddef.h>

/* "Space", "Enter", "Up", "F5", "C-l", "q", "µ" for a key of ui/term.h; "" for one without a name. Returns `out`. */
#define KEY_NAME 16
char *key_name(int key, char out[KEY_NAME]);

#endif
