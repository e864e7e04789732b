/* Settings of a question that can be changed while the explorer runs, each with a value: "confidence 95 %". */
#ifndef EXPLORER_STATE_STATE_SETTINGS_H
#define EXPLORER_STATE_STATE_SETTINGS_H

#include <stdbool.h>

struct state;

const char *setting_name(int number); /* NULL: there are no more */
const char *setting_text(int number);
bool setting_is_set(const struct state *, int number); /* has it this value already, or is it on? */
/* Why it cannot be changed now; NULL: it can. */
const char *setting_reason(const struct state *, int number);
/* Sets it, or switches it on or off, and has everything judged again if that follows. */
void setting_take(struct state *, int number);

#endif
