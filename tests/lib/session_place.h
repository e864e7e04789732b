/* A folder of its own for a session file that is to be made. */
#ifndef TESTS_LIB_SESSION_PLACE_H
#define TESTS_LIB_SESSION_PLACE_H

struct session_place {
	char dir[64], *file; /* `file` is not there yet */
};

struct session_place session_place_new(void);

/* Removes the file and SQLite's files next to it. The check fails if there is anything else. */
void session_place_free(struct session_place *);

#endif
