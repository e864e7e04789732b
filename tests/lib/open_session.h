/* A session with a model from its text, as tests of what it does begin. */
#ifndef TESTS_LIB_OPEN_SESSION_H
#define TESTS_LIB_OPEN_SESSION_H

struct state;

/* With no feature on and nothing wanted any more. */
void open_session_with(struct state *, const char *model_text);

#endif
