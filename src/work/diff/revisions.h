/* Two revisions of a git repository, each checked out and built in a folder of its own. */
#ifndef WORK_DIFF_REVISIONS_H
#define WORK_DIFF_REVISIONS_H

#include <signal.h>
#include <stdbool.h>

struct err;

struct revisions {
	char *folder[2];  /* where A and B are */
	char *root;       /* the folder of both, which revisions_remove() removes */
};

/* Checks the revisions out (git worktree) below $TMPDIR, and runs `build` in each with /bin/sh; NULL: builds nothing.
 * What git and the build write goes to standard error. Returns false and sets *e if one of them fails, or the user
 * interrupts; then nothing is left. */
bool revisions_make(char *const revision[2], const char *build, const sigset_t *during, bool (*interrupted)(void),
	struct revisions *, struct err *e);
/* Removes the folders, and what git knows of them. */
void revisions_remove(struct revisions *, const sigset_t *during, bool (*interrupted)(void));

#endif
