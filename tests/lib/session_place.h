/* A folder of its own, for a session file that a test makes. */
#ifndef TESTS_LIB_SESSION_PLACE_H
#define TESTS_LIB_SESSION_PLACE_H

#include <stdbool.h>

struct session_place {
	char dir[64], *file; /* `file` does not exist yet */
};

struct session_place session_place_new(void);

/* Removes the folder with the session file and SQLite's files next to it. If there are other files, a check fails. */
void session_place_free(struct session_place *);

/* autosave_tick(), repeated until the file that it opens on a thread is open and written. */
struct autosave;
struct state;
bool session_tick(struct autosave *, struct state *);

#endif
