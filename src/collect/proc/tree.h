/* The processes that are watched: a command with all processes that it starts, or given processes with all that they
 * start.
 *
 * A process that was once found to be one of them stays one, even after its parent has ended. A process that does not
 * belong is examined only once. So a reading costs one listing of /proc, plus an examination of the new processes; or
 * none, if no process has come or gone. The first reading is before a command begins. Those who count by a tree share
 * it. */
#ifndef COLLECT_PROC_TREE_H
#define COLLECT_PROC_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The processes to watch. The ids belong to the caller and must outlive every object made for them. */
struct proc_subject {
	/* PROC_NOTHING is for whole CPUs, which have no tasks of their own */
	enum { PROC_NOTHING, PROC_COMMAND, PROC_PROCESSES, PROC_THREADS } kind;
	pid_t command, minder; /* for PROC_COMMAND: the minder adopts the command's orphans, and is not watched */
	const int *id;
	size_t n;
};

struct proc_member {
	pid_t pid, parent;
};

struct proc_tree;

/* Not for PROC_THREADS. `once`: after a command began, it is read at its end alone. Then /proc is not listed before,
 * and every process is examined at the end if the command left some. */
struct proc_tree *proc_tree_new(const struct proc_subject *, bool once);
void proc_tree_free(struct proc_tree *);
void proc_tree_read(struct proc_tree *);

/* Members at the last reading in ascending order, zombies included. */
const struct proc_member *proc_tree_members(const struct proc_tree *, size_t *n);
/* Is it a member, or was it one since proc_tree_forget()? */
bool proc_tree_had(const struct proc_tree *, pid_t);
void proc_tree_forget(struct proc_tree *);
/* No member lives any more, and none will: readings cost nothing. */
void proc_tree_end(struct proc_tree *);

#endif
