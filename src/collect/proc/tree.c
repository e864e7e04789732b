#include "collect/proc/tree.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/proc/files.h"

#define ASKED_MOST 64 /* members whose lives are asked for one by one; listing /proc costs less than more */

enum side { UNKNOWN, OURS, STRANGER };

struct entry {
	pid_t pid, parent;
	enum side side;
};

struct list {
	struct entry *at;
	size_t n, cap;
};

struct proc_tree {
	struct proc_subject subject;
	struct proc_roots roots;
	struct list now, before, ended; /* ended: members that left since proc_tree_forget() */
	struct proc_member *member;
	size_t n_members, cap;
	long newest; /* the number given last when /proc was listed; 0: unknown */
	bool once;   /* see proc_tree_new() */
	bool over;   /* see proc_tree_end() */
};

struct proc_tree *
proc_tree_new(const struct proc_subject *subject, bool once)
{
	struct proc_tree *t = mem_new(sizeof *t);

	t->subject = *subject;
	t->once = once;
	proc_roots_find(&t->roots);
	return t;
}

void
proc_tree_free(struct proc_tree *t)
{
	if (!t)
		return;
	free(t->now.at);
	free(t->before.at);
	free(t->ended.at);
	free(t->member);
	free(t);
}

static int
by_pid(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static void
list_add(struct list *list, const struct entry *entry)
{
	mem_grow(&list->at, &list->cap, list->n + 1, sizeof *list->at);
	list->at[list->n++] = *entry;
}

static void
list_sort(struct list *list)
{
	if (list->n)
		qsort(list->at, list->n, sizeof *list->at, by_pid);
}

static struct entry *
tree_find(const struct list *l, pid_t pid)
{
	struct entry key = {.pid = pid};

	return l->n ? bsearch(&key, l->at, l->n, sizeof *l->at, by_pid) : NULL;
}

static bool
is_root(const struct proc_subject *s, pid_t pid)
{
	if (s->kind == PROC_COMMAND)
		return pid == s->command;
	for (size_t i = 0; i < s->n; i++)
		if (s->id[i] == pid)
			return true;
	return false;
}

/* Reads the parent of a process from /proc/PID/stat (proc(5)). The name in it may contain anything, so the last ')'
 * ends it. */
static bool
read_parent(const struct proc_tree *t, pid_t pid, struct str *text, pid_t *parent)
{
	char path[600];
	const char *end;
	int p;

	snprintf(path, sizeof path, "%s/%d/stat", t->roots.proc, (int)pid);
	if (!proc_file_read(path, text) || !(end = strrchr(str_text(text), ')')) || sscanf(end + 1, " %*c %d", &p) != 1)
		return false;
	*parent = (pid_t)p;
	return true;
}

/* A command begins after the first reading, so what is there then, and is not the command, does not belong to it. */
static void
list_all(struct proc_tree *tree)
{
	bool unborn = tree->subject.kind == PROC_COMMAND && !tree->before.n;
	struct str text = {0};
	struct dirent *dirent;
	DIR *dir;

	if (unborn && tree->once) {
		list_add(&tree->now, &(struct entry){.pid = tree->subject.command, .side = OURS});
		return;
	}
	dir = opendir(tree->roots.proc);
	while (dir && (dirent = readdir(dir)) != NULL) {
		char *end;
		long pid = strtol(dirent->d_name, &end, 10);
		struct entry e = {.pid = (pid_t)pid}, *old;

		if (*end || pid <= 0)
			continue;
		old = tree_find(&tree->before, e.pid);
		if (old && old->side != UNKNOWN)
			e = *old;
		else if (unborn && e.pid != tree->subject.command)
			e.side = STRANGER;
		else if (!read_parent(tree, e.pid, &text, &e.parent))
			continue;
		else if (is_root(&tree->subject, e.pid))
			e.side = OURS;
		list_add(&tree->now, &e);
	}
	if (dir)
		closedir(dir);
	str_free(&text);
	list_sort(&tree->now);
}

static enum side
side_of_child(const struct proc_tree *t, pid_t parent)
{
	const struct entry *e = tree_find(&t->now, parent);

	if (t->subject.kind == PROC_COMMAND && parent == t->subject.minder)
		return OURS;
	if (!e)
		e = tree_find(&t->before, parent);
	return e ? e->side : parent == 0 ? STRANGER : UNKNOWN;
}

/* Does the list still hold? Nothing was forked since, as the last number of loadavg says (proc(5)), and the members
 * live. */
static bool
is_unchanged(struct proc_tree *tree)
{
	char path[600], text[128] = "", *last;
	long newest;
	bool same;

	snprintf(path, sizeof path, "%s/loadavg", tree->roots.proc);
	last = proc_text_read(path, text, sizeof text) ? strrchr(text, ' ') : NULL;
	newest = last ? strtol(last, NULL, 10) : 0;
	same = newest > 0 && newest == tree->newest && tree->n_members <= ASKED_MOST;
	tree->newest = newest;
	for (size_t i = 0; i < tree->now.n && same; i++)
		same = tree->now.at[i].side != UNKNOWN;
	for (size_t i = 0; i < tree->n_members && same; i++) {
		snprintf(path, sizeof path, "%s/%d", tree->roots.proc, (int)tree->member[i].pid);
		same = access(path, F_OK) == 0;
	}
	return same;
}

static void
note_ended(struct proc_tree *tree)
{
	for (size_t i = 0; i < tree->n_members; i++)
		if (!tree_find(&tree->now, tree->member[i].pid))
			list_add(&tree->ended, &(struct entry){.pid = tree->member[i].pid, .side = OURS});
	list_sort(&tree->ended);
}

void
proc_tree_read(struct proc_tree *tree)
{
	struct list swap = tree->before;
	bool more = true;

	if (tree->over)
		tree->n_members = 0;
	if (tree->over || is_unchanged(tree))
		return;
	tree->before = tree->now;
	tree->now = swap;
	tree->now.n = 0;
	list_all(tree);
	/* A parent usually has the smaller number, so that one pass suffices. If the parent is too young to be in the
	 * list, its children are assigned at the next reading. */
	while (more) {
		more = false;
		for (size_t i = 0; i < tree->now.n; i++)
			if (tree->now.at[i].side == UNKNOWN &&
				(tree->now.at[i].side = side_of_child(tree, tree->now.at[i].parent)) != UNKNOWN)
				more = true;
	}
	note_ended(tree);
	tree->n_members = 0;
	for (size_t i = 0; i < tree->now.n; i++)
		if (tree->now.at[i].side == OURS) {
			mem_grow(&tree->member, &tree->cap, tree->n_members + 1, sizeof *tree->member);
			tree->member[tree->n_members++] = (struct proc_member){
				tree->now.at[i].pid, tree->now.at[i].parent};
		}
}

const struct proc_member *
proc_tree_members(const struct proc_tree *t, size_t *n)
{
	*n = t->n_members;
	return t->member;
}

bool
proc_tree_had(const struct proc_tree *t, pid_t pid)
{
	const struct entry *e = tree_find(&t->now, pid);

	return e ? e->side == OURS : tree_find(&t->ended, pid) != NULL;
}

void
proc_tree_forget(struct proc_tree *t)
{
	t->ended.n = 0;
}

void
proc_tree_end(struct proc_tree *t)
{
	t->over = true;
}
