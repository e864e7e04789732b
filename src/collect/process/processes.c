#include "collect/process/processes.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "collect/proc/files.h"

/* Reads /proc/PID/stat: `pid (comm) state ppid …`. comm may hold anything, so the last ')' ends it. The 20th field is
 * the number of threads. */
static bool
read_process(pid_t pid, struct process *process)
{
	char path[64], text[1024], *end, state;
	unsigned threads;
	int parent;

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	if (!proc_text_read(path, text, sizeof text) || !(end = strrchr(text, ')')))
		return false;
	if (sscanf(end + 1, " %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %u", &state, &parent,
		&threads) != 3)
		return false;
	*process = (struct process){
		.pid = pid, .parent = parent, .threads = threads, .dead = state == 'Z' || state == 'X'};
	return true;
}

size_t
processes_list(struct process **list)
{
	DIR *dir = opendir("/proc");
	struct dirent *dirent;
	size_t n = 0, cap = 0;

	*list = NULL;
	while (dir && (dirent = readdir(dir)) != NULL) {
		char *end;
		long pid = strtol(dirent->d_name, &end, 10);
		struct process p;

		if (*end || pid <= 0 || !read_process((pid_t)pid, &p))
			continue;
		mem_grow(list, &cap, n + 1, sizeof **list);
		(*list)[n++] = p;
	}
	if (dir)
		closedir(dir);
	return n;
}

void
processes_mark(struct process *process, size_t n, pid_t root, bool self)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < n; i++) {
			bool child = !process[i].ours &&
				(process[i].parent == root || (self && process[i].pid == root));

			for (size_t j = 0; j < n && !child && !process[i].ours; j++)
				child = process[j].ours && process[j].pid == process[i].parent;
			if (child)
				process[i].ours = more = true;
		}
	}
}

size_t
processes_threads(const struct process *p, size_t n)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		if (p[i].ours && !p[i].dead)
			sum += p[i].threads;
	return sum;
}

static int
processes_by_number(const void *a, const void *b)
{
	const pid_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

size_t
process_threads(pid_t pid, pid_t **list)
{
	char path[64];
	struct dirent *dirent;
	size_t n = 0, cap = 0;
	DIR *dir;

	*list = NULL;
	snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
	dir = opendir(path);
	while (dir && (dirent = readdir(dir)) != NULL) {
		char *end;
		long tid = strtol(dirent->d_name, &end, 10);

		if (*end || tid <= 0)
			continue;
		mem_grow(list, &cap, n + 1, sizeof **list);
		(*list)[n++] = (pid_t)tid;
	}
	if (dir)
		closedir(dir);
	if (n)
		qsort(*list, n, sizeof **list, processes_by_number);
	return n;
}

struct family {
	struct process *process;
	size_t n, cap;
};

static void
join_family(struct family *family, pid_t pid)
{
	struct process process;

	for (size_t i = 0; i < family->n; i++)
		if (family->process[i].pid == pid)
			return;
	if (!read_process(pid, &process))
		return;
	process.ours = true;
	mem_grow(&family->process, &family->cap, family->n + 1, sizeof process);
	family->process[family->n++] = process;
}

/* Returns false if the kernel does not list children, or if they are too many for the buffer. */
static bool
join_children(struct family *family, pid_t pid)
{
	pid_t *tid;
	size_t n = process_threads(pid, &tid);
	bool listed = true;

	for (size_t i = 0; i < n && listed; i++) {
		char path[80], text[4096], *at = text, *end;

		snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)pid, (long)tid[i]);
		if (!proc_text_read(path, text, sizeof text)) {
			listed = errno == ENOENT && !process_of_thread(tid[i]); /* it has ended */
			continue;
		}
		listed = strlen(text) < sizeof text - 16;
		for (long child; (child = strtol(at, &end, 10)) > 0 && end > at; at = end)
			join_family(family, (pid_t)child);
	}
	free(tid);
	return listed;
}

static int
processes_by_pid(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

size_t
processes_family(const pid_t *root, size_t n_roots, bool self, struct process **list)
{
	struct family family = {0};
	bool listed = true;

	for (size_t i = 0; i < n_roots && listed; i++) {
		if (self)
			join_family(&family, root[i]);
		else
			listed = join_children(&family, root[i]);
	}
	for (size_t i = 0; i < family.n && listed; i++)
		listed = join_children(&family, family.process[i].pid);
	if (!listed) {
		free(family.process);
		family.n = processes_list(&family.process);
		for (size_t i = 0; i < n_roots; i++)
			processes_mark(family.process, family.n, root[i], self);
	} else if (family.n) {
		qsort(family.process, family.n, sizeof *family.process, processes_by_pid);
	}
	*list = family.process;
	return family.n;
}

pid_t
process_of_thread(pid_t tid)
{
	char path[64], text[4096], *s;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)tid);
	if (!proc_text_read(path, text, sizeof text) || !(s = strstr(text, "\nTgid:")))
		return 0;
	return (pid_t)strtol(s + 6, NULL, 10);
}

bool
process_user(pid_t pid, uid_t *uid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof path, "/proc/%ld", (long)pid);
	if (stat(path, &st) != 0)
		return false;
	*uid = st.st_uid;
	return true;
}

void
process_name(pid_t pid, char *name, size_t size)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/comm", (long)pid);
	if (!proc_text_read(path, name, size))
		*name = '\0';
}

bool
processes_load(size_t *running, size_t *blocked)
{
	size_t n = 0, room = 1 << 16;
	char *text = mem_new(room), *r = NULL, *b = NULL;

	/* A line for each CPU and a long one about interrupts come first. */
	for (;;) {
		if (!proc_text_read("/proc/stat", text, room))
			break;
		n = strlen(text);
		if (n + 1 < room || room >= 1 << 24)
			break;
		text = mem_resize(text, room *= 2, 1);
	}
	r = n ? strstr(text, "\nprocs_running ") : NULL;
	b = n ? strstr(text, "\nprocs_blocked ") : NULL;
	if (r && b) {
		*running = strtoul(r + 15, NULL, 10);
		*blocked = strtoul(b + 15, NULL, 10);
	}
	free(text);
	return r && b;
}
