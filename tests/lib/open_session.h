/* A session with a model given as text, for tests of the explorer's state. */
#ifndef TESTS_LIB_OPEN_SESSION_H
#define TESTS_LIB_OPEN_SESSION_H

struct state;

/* Opens a session with this model and no feature on, and clears its requests. */
void open_session_with(struct state *, const char *model_text);

/* A layout of what is shown now, which the caller may change. The next call overwrites it. */
struct layout *shown_layout(struct state *);

/* Types a text into the prompt, in place of what it contains, and Enter. If no prompt is open, a check fails. */
void answer_prompt(struct state *, const char *text);

#endif
