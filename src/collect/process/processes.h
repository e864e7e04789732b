/* Who runs on this machine: every process with its parent and its threads, from /proc. */
#ifndef COLLECT_PROCESS_PROCESSES_H
#define COLLECT_PROCESS_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process {
	pid_t pid, parent;
	unsigned threads;
	bool ours; /* for the caller; false at first */
	bool dead; /* a zombie */
};

/* All processes; the caller frees *list. Empty where /proc is not mounted. */
size_t processes_list(struct process **list);

/* Set `ours` of every descendant of `root`; of root itself only if `self`. */
void processes_mark(struct process *, size_t n, pid_t root, bool self);

/* Threads of the marked that live. */
size_t processes_threads(const struct process *, size_t n);

/* The threads of one process, ascending; the caller frees *list. 0: there is no such process. */
size_t process_threads(pid_t pid, pid_t **list);

/* The process that a thread belongs to; 0: there is no such thread. */
pid_t process_of_thread(pid_t tid);

/* The user that a process runs as; false when there is none such. */
bool process_user(pid_t pid, uid_t *uid);

/* "java": what the kernel calls it (proc(5), comm); "" when it is gone. */
void process_name(pid_t pid, char *name, size_t size);

/* How many tasks run or wait for a CPU, and how many are blocked in I/O (proc(5), stat); false where that cannot be
 * read. */
bool processes_load(size_t *running, size_t *blocked);

#endif
