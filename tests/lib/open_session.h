/* A session with a model given as text, for tests of the explorer's state. */
#ifndef TESTS_LIB_OPEN_SESSION_H
#define TESTS_LIB_OPEN_SESSION_H

struct state;

/* With no feature on and nothing wanted any more. */
void open_session_with(struct state *, const char *model_text);

/* A layout of what is shown now, to be changed; one at a time. */
struct layout *shown_layout(struct state *);

#endif
