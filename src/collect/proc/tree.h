/* Which processes belong to what is watched: a command with all that it starts, or processes with theirs.
 *
 * A process belongs to it for good once it was seen to, also when its parent has ended. Who does not is looked at once
 * and then known, so that a look costs a reading of the folder /proc and of what is new. */
#ifndef COLLECT_PROC_TREE_H
#define COLLECT_PROC_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What is watched. The ids are the caller's and must outlive who was given it. */
struct proc_subject {
	/* NOTHING: whole CPUs, which have no tasks of their own */
	enum { PROC_NOTHING, PROC_COMMAND, PROC_PROCESSES, PROC_THREADS } kind;
	pid_t command, minder; /* COMMAND: its orphans come to the minder, which is no part of it */
	const int *id;
	size_t n;
};

struct proc_member {
	pid_t pid, parent;
};

struct proc_tree;

struct proc_tree *proc_tree_new(const struct proc_subject *); /* not of threads */
void proc_tree_free(struct proc_tree *);
void proc_tree_look(struct proc_tree *);

/* As of the last look, ascending; zombies too. */
const struct proc_member *proc_tree_members(const struct proc_tree *, size_t *n);
bool proc_tree_had(const struct proc_tree *, pid_t); /* at the last look, or the one before */

#endif
