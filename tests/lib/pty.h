/* A program in a terminal of its own. Nothing interprets what it draws. */
#ifndef TESTS_LIB_PTY_H
#define TESTS_LIB_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/str.h"

struct pty {
	int master;       /* -1 after pty_hang_up() */
	pid_t pid;        /* 0 after waitpid() */
	struct str out;   /* its output since pty_forget() */
};

/* PLAIN: the terminal is not the program's controlling terminal, so no signal reports that it is gone. */
enum pty_kind { PTY_CONTROLS, PTY_PLAIN };

/* env: "NAME=VALUE" strings that are added to the environment, NULL-terminated; NULL: none. False: no terminal could
 * be opened. */
bool pty_start(struct pty *, const char *const *argv, const char *const *env, int w, int h, enum pty_kind);
/* As pty_start(), but runs `body` in a copy of this process. Its value is the exit status. */
bool pty_run(
	struct pty *, int (*body)(void *), void *ctx, const char *const *env, int w, int h, enum pty_kind);
void pty_size(struct pty *, int w, int h);
void pty_send(struct pty *, const void *bytes, size_t n);
/* Waits at most so long for output, and reads it. False: there was none. */
bool pty_read(struct pty *, double seconds);
/* reads until the output contains this; false: it did not in this time */
bool pty_expect(struct pty *, const char *text, double seconds);
void pty_forget(struct pty *);
void pty_hang_up(struct pty *);
bool pty_ended(struct pty *, double seconds, int *status); /* *status is that of waitpid(); false: still running */
void pty_free(struct pty *); /* kills the program if it is still running */

#endif
