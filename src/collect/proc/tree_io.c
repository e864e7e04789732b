/* What the watched processes read and wrote.
 *
 * A process's I/O account contains what its ended threads did, and what its ended children did once it has waited for
 * them (kernel/exit.c, wait_task_zombie()):
 *
 *     before    minder ── command ── child        sum = minder's children + command + child
 *     after     minder ── command(+ child)        sum = minder's children + command, the same value
 *
 * So the sum over the whole tree loses nothing when processes end, as long as no process ends during the reading. If
 * one vanished meanwhile, all accounts are read again.
 *
 * The minder waits for the command and its orphans, so its account holds theirs. What the minder did itself is in the
 * account of its only thread, and is subtracted. If a process ignores SIGCHLD, nobody waits for its children, and the
 * kernel drops their accounts. */
#include "collect/proc/tasks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/proc/files.h"

#define TRIES 5

struct proc_io {
	struct proc_subject subject;
	struct proc_roots roots;
	struct proc_tree *tree; /* the caller's; NULL: threads are watched */
	struct proc_member *before;
	size_t n_before, cap;
	uint64_t base[PROC_IO_FIELDS], last[PROC_IO_FIELDS]; /* sums at the beginning, and at the last reading */
	struct str text;
};

struct proc_io *
proc_io_new(const struct proc_subject *subject, struct proc_tree *tree)
{
	struct proc_io *io = mem_new(sizeof *io);

	io->subject = *subject;
	proc_roots_find(&io->roots);
	io->tree = tree;
	return io;
}

void
proc_io_free(struct proc_io *io)
{
	if (!io)
		return;
	free(io->before);
	str_free(&io->text);
	free(io);
}

static bool
read_account(struct proc_io *io, pid_t pid, bool thread, uint64_t v[PROC_IO_FIELDS])
{
	static const char *const key[PROC_IO_FIELDS] = {
		"rchar", "wchar", "syscr", "syscw", "read_bytes", "write_bytes", "cancelled_write_bytes"
	};
	char path[600];

	if (thread)
		snprintf(path, sizeof path, "%s/%d/task/%d/io", io->roots.proc, (int)pid, (int)pid);
	else
		snprintf(path, sizeof path, "%s/%d/io", io->roots.proc, (int)pid);
	if (!proc_file_read(path, &io->text))
		return false;
	for (int i = 0; i < PROC_IO_FIELDS; i++)
		if (!proc_number_of(str_text(&io->text), key[i], 0, &v[i])) {
			errno = EINVAL;
			return false;
		}
	return true;
}

static bool
add_account(struct proc_io *io, pid_t pid, bool thread, uint64_t sum[PROC_IO_FIELDS])
{
	uint64_t v[PROC_IO_FIELDS];

	if (!read_account(io, pid, thread, v))
		return false;
	for (int i = 0; i < PROC_IO_FIELDS; i++)
		sum[i] += v[i];
	return true;
}

/* Adds the accounts of processes that the minder has waited for. */
static bool
add_waited_for(struct proc_io *io, uint64_t sum[PROC_IO_FIELDS])
{
	uint64_t own[PROC_IO_FIELDS], all[PROC_IO_FIELDS], again[PROC_IO_FIELDS];

	if (!read_account(io, io->subject.minder, true, own) || !read_account(io, io->subject.minder, false, all) ||
		!read_account(io, io->subject.minder, true, again) || memcmp(own, again, sizeof own) != 0)
		return false;
	for (int i = 0; i < PROC_IO_FIELDS; i++)
		sum[i] += all[i] - own[i];
	return true;
}

static bool
tree_io_is_there(const struct proc_io *io, pid_t pid)
{
	char path[600];

	snprintf(path, sizeof path, "%s/%d", io->roots.proc, (int)pid);
	return access(path, F_OK) == 0;
}

/* Reads all accounts once. Returns false when a process vanished meanwhile or may not be read. */
static bool
sum_up(struct proc_io *io, uint64_t sum[PROC_IO_FIELDS])
{
	const struct proc_member *member;
	bool good = true;
	size_t n;

	memset(sum, 0, PROC_IO_FIELDS * sizeof *sum);
	if (!io->tree) {
		for (size_t i = 0; i < io->subject.n && good; i++)
			good = add_account(io, (pid_t)io->subject.id[i], true, sum);
		return good;
	}
	proc_tree_read(io->tree);
	member = proc_tree_members(io->tree, &n);
	for (size_t i = 0; i < n && good; i++)
		good = add_account(io, member[i].pid, false, sum);
	good = good && (io->subject.kind != PROC_COMMAND || add_waited_for(io, sum));
	for (size_t i = 0; i < n && good; i++)
		good = tree_io_is_there(io, member[i].pid);
	return good;
}

/* Returns true when a process has ended whose account no watched process took over. Both lists are ascending. */
static bool
has_lost(const struct proc_io *io)
{
	size_t n, k = 0;
	const struct proc_member *member;

	if (!io->tree || io->subject.kind == PROC_COMMAND)
		return false;
	member = proc_tree_members(io->tree, &n);
	for (size_t i = 0; i < io->n_before; i++) {
		while (k < n && member[k].pid < io->before[i].pid)
			k++;
		if ((k == n || member[k].pid != io->before[i].pid) && !proc_tree_had(io->tree, io->before[i].parent))
			return true;
	}
	return false;
}

static void
tree_io_remember(struct proc_io *io)
{
	const struct proc_member *member;
	size_t n;

	if (!io->tree)
		return;
	member = proc_tree_members(io->tree, &n);
	mem_grow(&io->before, &io->cap, n, sizeof *io->before);
	if (n)
		memcpy(io->before, member, n * sizeof *member);
	io->n_before = n;
}

bool
proc_io_try(struct proc_io *io)
{
	uint64_t v[PROC_IO_FIELDS];

	if (io->subject.kind == PROC_COMMAND)
		return read_account(io, io->subject.command, false, v) &&
			read_account(io, io->subject.minder, false, v);
	for (size_t i = 0; i < io->subject.n; i++)
		if (!read_account(io, (pid_t)io->subject.id[i], io->subject.kind == PROC_THREADS, v))
			return false;
	return true;
}

enum proc_io_news
proc_io_read(struct proc_io *io, uint64_t total[PROC_IO_FIELDS])
{
	uint64_t sum[PROC_IO_FIELDS];
	bool good = false, lost;

	for (int i = 0; i < TRIES && !good; i++)
		good = sum_up(io, sum);
	lost = good ? has_lost(io) : !io->tree;
	for (int i = 0; i < PROC_IO_FIELDS && good; i++)
		lost |= sum[i] < io->last[i];
	for (int i = 0; i < PROC_IO_FIELDS; i++) {
		if (good && sum[i] > io->last[i])
			io->last[i] = sum[i];
		total[i] = io->last[i] - io->base[i];
	}
	if (good)
		tree_io_remember(io);
	return lost ? PROC_IO_LOST : good ? PROC_IO_READ : PROC_IO_BUSY;
}

void
proc_io_begin(struct proc_io *io)
{
	uint64_t total[PROC_IO_FIELDS];

	memset(io->base, 0, sizeof io->base);
	memset(io->last, 0, sizeof io->last);
	proc_io_read(io, total);
	memcpy(io->base, io->last, sizeof io->base);
}
