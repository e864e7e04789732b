/* The processes of this machine with their parents and threads, from /proc. */
#ifndef COLLECT_PROCESS_PROCESSES_H
#define COLLECT_PROCESS_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process {
	pid_t pid, parent;
	unsigned threads;
	bool ours; /* mark for the caller's use; initially false */
	bool dead; /* true for a zombie */
};

/* Lists all processes and returns their number, 0 if /proc is not mounted. The caller frees *list. */
size_t processes_list(struct process **list);

/* Sets `ours` for every descendant of `root`, and for root itself if `self` is true. */
void processes_mark(struct process *, size_t n, pid_t root, bool self);

/* Lists the descendants of processes, and these themselves if `self` is true, and marks them as `ours`. It reads only
 * them (proc(5), children; CONFIG_PROC_CHILDREN). Without that file the list has all processes. A child is overlooked
 * if one of its siblings ends while they are listed. */
size_t processes_family(const pid_t *root, size_t n_roots, bool self, struct process **list);

/* Returns the number of live threads of the marked processes. */
size_t processes_threads(const struct process *, size_t n);

/* Lists the threads of a process in ascending order and returns their number, 0 if there is no such process. The caller
 * frees *list. */
size_t process_threads(pid_t pid, pid_t **list);

/* Returns the process of a thread; 0: no such thread. */
pid_t process_of_thread(pid_t tid);

/* Finds the user of a process. Returns false if there is no such process. */
bool process_user(pid_t pid, uid_t *uid);

/* Writes the process's name, "java" (proc(5), comm); "" when it has ended. */
void process_name(pid_t pid, char *name, size_t size);

/* Reads how many tasks run or wait for a CPU, and how many are blocked in I/O (proc(5), stat). Returns false when that
 * cannot be read. */
bool processes_load(size_t *running, size_t *blocked);

#endif
