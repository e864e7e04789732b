/* A program in a terminal of its own, without anything that interprets what it draws. */
#ifndef TESTS_LIB_PTY_H
#define TESTS_LIB_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/str.h"

struct pty {
	int master;       /* -1 after pty_hang_up() */
	pid_t pid;        /* 0 after it was waited for */
	struct str out;   /* what it has written since pty_forget() */
};

/* PLAIN: the terminal is not the program's controlling one, so no signal reports its end. */
enum pty_kind { PTY_CONTROLS, PTY_PLAIN };

/* env: "NAME=VALUE" added to the environment, NULL-terminated, or NULL. False: no terminal can be had. */
bool pty_start(struct pty *, const char *const *argv, const char *const *env, int w, int h, enum pty_kind);
/* As pty_start(), but runs `body` in a copy of this process; its value is the exit status. */
bool pty_run(
	struct pty *, int (*body)(void *), void *ctx, const char *const *env, int w, int h, enum pty_kind);
void pty_size(struct pty *, int w, int h);
void pty_send(struct pty *, const void *bytes, size_t n);
/* waits that long for something at most, and takes what is there. False: nothing came */
bool pty_read(struct pty *, double seconds);
bool pty_expect(struct pty *, const char *text, double seconds); /* reads until it has written this */
void pty_forget(struct pty *);
void pty_hang_up(struct pty *);
bool pty_ended(struct pty *, double seconds, int *status); /* status as of waitpid(); false: it still runs */
void pty_free(struct pty *); /* kills the program if it still runs */

#endif
