#include "collect/proc/counters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/near.h"
#include "base/str.h"
#include "collect/proc/files.h"
#include "collect/proc/names.h"
#include "collect/proc/tasks.h"
#include "collect/source.h"
#include "core/obs/rise.h"

/* A file of the kernel. Each reading takes it once, however many counters it holds. */
struct file {
	char *path;
	struct str text;
	bool good;
};

/* One number of a file that belongs to an event; an event has one for each of its devices. */
struct part {
	size_t event, file;
	uint64_t last;
	bool begun;
};

struct event {
	size_t counter;
	const char *text; /* the name in the spec, as the user wrote it */
	struct proc_name name;
};

/* One for each counter of the spec. */
struct counter {
	bool mine, live;
	uint64_t total, in_rows;
	bool broken;  /* a part of the total is unknown */
	bool missing; /* the last reading failed; the next one includes the missing count */
	bool broke;   /* broken since the last row */
};

struct proc_counters {
	struct proc_roots roots;
	struct proc_subject subject;
	struct source_status *status;
	struct counter *counter;
	size_t n_counters;
	struct event *event;
	size_t n_events, cap_events;
	struct file *file;
	size_t n_files, cap_files;
	struct part *part;
	size_t n_parts, cap_parts;
	struct proc_tree *tree;   /* NULL: no counter needs it, or threads are watched */
	struct proc_tasks *tasks; /* NULL: no counter needs it */
	struct proc_io *io;
	bool once;                /* no rows are taken */
	int io_error;             /* why I/O accounts cannot be read; 0: they can */
	uint64_t task_last[PROC_TASK_FIELDS], io_last[PROC_IO_FIELDS];
};

static size_t
file_of(struct proc_counters *c, const char *path)
{
	for (size_t i = 0; i < c->n_files; i++)
		if (str_eq(c->file[i].path, path))
			return i;
	mem_grow(&c->file, &c->cap_files, c->n_files + 1, sizeof *c->file);
	c->file[c->n_files] = (struct file){.path = mem_str(path)};
	return c->n_files++;
}

/* Reads the number of an event from the text of its file. */
static bool
counters_number_in(const struct proc_name *name, const char *text, uint64_t *v)
{
	switch (name->family) {
	case PROC_DISK:
		return proc_number_at(text, name->at, v);
	case PROC_VMSTAT:
		return proc_number_of(text, name->field, 0, v);
	case PROC_PSI:
		return proc_pressure_of(text, name->key, v);
	case PROC_STAT:
		return proc_number_of(text, name->key, name->at, v);
	case PROC_TASK:
	case PROC_IO:
		break;
	}
	return false;
}

static bool
refuse_file(const struct proc_counters *counters, const struct event *event, const char *path, int error,
	struct source_status *status)
{
	switch (event->name.family) {
	case PROC_DISK:
		if (error == ENOENT)
			return source_status_refuse(status, error, "ls /sys/block lists them",
				"%.60s: there is no block device %.40s", event->text, event->name.part);
		break;
	case PROC_PSI:
		if (error == EOPNOTSUPP)
			return source_status_refuse(status, error, "boot with psi=1",
				"%.60s: the kernel was booted without keeping pressure", event->text);
		if (error == ENOENT)
			return source_status_refuse(status, error, NULL,
				"%.60s: this kernel keeps no such pressure (CONFIG_PSI, Linux 4.20)", event->text);
		break;
	case PROC_VMSTAT:
	case PROC_STAT:
	case PROC_TASK:
	case PROC_IO:
		break;
	}
	if (error == ENOENT)
		return source_status_refuse(status, error, "mount -t proc proc /proc",
			"%.60s: there is no %.100s (%.60s)", event->text, path, counters->roots.proc);
	return source_status_refuse(status, error, error == EACCES || error == EPERM ? "run as root" : NULL,
		"%.60s: %.100s: %s", event->text, path, strerror(error));
}

/* "nearest: A, B" of the words at the beginnings of lines; NULL: none. */
static char *
near_lines(const char *word, const char *text)
{
	struct names names = {0};
	char *near;

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
		names_add(&names, line, strcspn(line, " :\n"));
	near = near_text(word, (const char *const *)names.name, names.n);
	names_free(&names);
	return near;
}

static bool
refuse_number(const struct event *e, const char *path, const char *text, struct source_status *s)
{
	if (e->name.family == PROC_DISK)
		return source_status_refuse(s, ENOENT, "discards need Linux 4.18, flushes 5.5",
			"%.60s: %.100s of this kernel has no such number", e->text, path);
	source_status_refuse(s, ENOENT, NULL, "%.60s: %.100s of this kernel has no such number", e->text, path);
	return source_status_hint(s, e->name.family == PROC_VMSTAT ? near_lines(e->name.field, text) : NULL);
}

static bool
counters_add_part(
	struct proc_counters *counters, const struct event *event, const char *path, struct source_status *status)
{
	size_t i = file_of(counters, path);
	struct file *file = &counters->file[i];
	uint64_t v;

	if (!file->text.n && !proc_file_read(path, &file->text))
		return refuse_file(counters, event, path, errno, status);
	if (!counters_number_in(&event->name, str_text(&file->text), &v))
		return refuse_number(event, path, str_text(&file->text), status);
	mem_grow(&counters->part, &counters->cap_parts, counters->n_parts + 1, sizeof *counters->part);
	counters->part[counters->n_parts++] = (struct part){.event = counters->n_events, .file = i};
	return true;
}

/* Opens one device, or all that match a pattern. A pattern without a match is no error: its total is 0. */
static bool
open_disks(struct proc_counters *c, const struct event *event, struct source_status *status)
{
	bool pattern = strpbrk(event->name.part, "*?[") != NULL, good = true;
	size_t n = 1;
	char **device = pattern ? proc_disks(event->name.part, &n) : NULL;

	if (pattern && !device)
		return source_status_refuse(status, errno, "mount -t sysfs sysfs /sys",
			"%.60s: the folder of block devices cannot be read: %s", event->text, strerror(errno));
	for (size_t i = 0; i < n && good; i++) {
		char *path = str_format("%s/block/%s/stat", c->roots.sysfs, pattern ? device[i] : event->name.part);

		good = counters_add_part(c, event, path, status);
		free(path);
	}
	str_split_free(device);
	return good;
}

static bool
refuse_cpus(const struct event *e, struct source_status *s)
{
	return source_status_refuse(s, EINVAL, "watch a command, processes (-p) or threads (-t)",
		"%.60s: it counts for tasks, but whole CPUs are watched", e->text);
}

static struct proc_tree *
counters_tree(struct proc_counters *counters)
{
	if (!counters->tree && counters->subject.kind != PROC_THREADS)
		counters->tree = proc_tree_new(&counters->subject, counters->once);
	return counters->tree;
}

static bool
open_tasks(struct proc_counters *counters, const struct event *event, struct source_status *status)
{
	if (counters->subject.kind == PROC_NOTHING)
		return refuse_cpus(event, status);
	if (!counters->tasks)
		counters->tasks = proc_tasks_new(&counters->subject, counters_tree(counters));
	if (!proc_tasks_try(counters->tasks))
		return source_status_refuse(status, errno, NULL, errno == ENOENT
			? "%.60s: this kernel keeps no schedstat of tasks (CONFIG_SCHED_INFO), or they have ended"
			: "%.60s: the schedstat of a task cannot be read", event->text);
	if (proc_tasks_deaf(counters->tasks) && counters->subject.kind != PROC_THREADS)
		source_status_note(status, "run as root", "%.60s: %.120s: it lacks threads that begin and end between "
			"two readings", event->text, proc_tasks_deaf(counters->tasks));
	return true;
}

static bool
open_io(struct proc_counters *counters, const struct event *event, struct source_status *status)
{
	if (counters->subject.kind == PROC_NOTHING)
		return refuse_cpus(event, status);
	if (!counters->io) {
		counters->io = proc_io_new(&counters->subject, counters_tree(counters));
		counters->io_error = proc_io_try(counters->io) ? 0 : errno;
	}
	if (!counters->io_error)
		return true;
	if (counters->io_error == EACCES || counters->io_error == EPERM)
		return source_status_refuse(status, counters->io_error,
			"run as root, or as the user whose processes they are",
			"%.60s: this user may not read the I/O accounts of the watched processes", event->text);
	return source_status_refuse(status, counters->io_error, NULL, counters->io_error == ENOENT
		? "%.60s: this kernel keeps no I/O accounts (CONFIG_TASK_IO_ACCOUNTING), or the processes have ended"
		: "%.60s: an I/O account cannot be read", event->text);
}

static bool
counters_open_event(struct proc_counters *counters, const struct event_item *se, size_t counter)
{
	struct source_status *status = &counters->status[counter];
	struct event e = {.counter = counter, .text = se->name};
	char path[600];
	bool good = false;

	if (!proc_name_parse(se->name, &e.name, status))
		return false;
	if (se->filter && *se->filter)
		return source_status_refuse(
			status, EINVAL, "remove the filter", "%.60s: only tracepoints have filters", se->name);
	switch (e.name.family) {
	case PROC_DISK:
		good = open_disks(counters, &e, status);
		break;
	case PROC_VMSTAT:
		snprintf(path, sizeof path, "%s/vmstat", counters->roots.proc);
		good = counters_add_part(counters, &e, path, status);
		break;
	case PROC_PSI:
		snprintf(path, sizeof path, "%s/pressure/%s", counters->roots.proc, e.name.part);
		good = counters_add_part(counters, &e, path, status);
		break;
	case PROC_STAT:
		snprintf(path, sizeof path, "%s/stat", counters->roots.proc);
		good = counters_add_part(counters, &e, path, status);
		break;
	case PROC_TASK:
		good = open_tasks(counters, &e, status);
		break;
	case PROC_IO:
		good = open_io(counters, &e, status);
		break;
	}
	mem_grow(&counters->event, &counters->cap_events, counters->n_events + 1, sizeof *counters->event);
	counters->event[counters->n_events++] = e;
	return good;
}

static void
counters_open_counter(struct proc_counters *c, const struct source_counter *sc, size_t i)
{
	bool good = true;

	c->status[i] = (struct source_status){.health = OBS_LIVE, .zero = SOURCE_ZERO_HONEST, .running = 1};
	for (size_t k = 0; k < sc->n_events && good; k++)
		good = counters_open_event(c, &sc->event[k], i);
	c->counter[i].mine = true;
	c->counter[i].live = good;
}

struct proc_counters *
proc_counters_new(const struct source_spec *spec, const bool *mine, const struct proc_subject *subject,
	struct source_status *status)
{
	struct proc_counters *counters = mem_new(sizeof *counters);

	proc_roots_find(&counters->roots);
	counters->subject = *subject;
	counters->status = status;
	counters->n_counters = spec->n_counters;
	counters->once = !spec->interval_ms;
	counters->counter = mem_new_array(counters->n_counters, sizeof *counters->counter);
	for (size_t i = 0; i < counters->n_counters; i++)
		if (mine[i])
			counters_open_counter(counters, &spec->counter[i], i);
	return counters;
}

void
proc_counters_free(struct proc_counters *counters)
{
	if (!counters)
		return;
	for (size_t i = 0; i < counters->n_files; i++) {
		free(counters->file[i].path);
		str_free(&counters->file[i].text);
	}
	proc_tasks_free(counters->tasks);
	proc_io_free(counters->io);
	proc_tree_free(counters->tree);
	free(counters->counter);
	free(counters->event);
	free(counters->file);
	free(counters->part);
	free(counters);
}

size_t
proc_counters_live(const struct proc_counters *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_counters; i++)
		n += c->counter[i].live;
	return n;
}

static void
break_counter(struct proc_counters *c, size_t i, const char *text, const char *why, const char *remedy)
{
	c->counter[i].broken = c->counter[i].broke = true;
	source_status_note(&c->status[i], remedy, "%.60s %s", text, why);
}

static void
add_rise(struct proc_counters *c, const struct event *e, uint64_t rise)
{
	struct counter *k = &c->counter[e->counter];

	if (__builtin_mul_overflow(rise, e->name.factor, &rise) || __builtin_add_overflow(k->total, rise, &k->total) ||
		k->total > INT64_MAX) {
		k->total = k->in_rows;
		break_counter(c, e->counter, e->text, "has counted beyond 2^63", NULL);
	}
}

static void
read_part(struct proc_counters *counters, struct part *part)
{
	const struct event *event = &counters->event[part->event];
	const struct file *file = &counters->file[part->file];
	uint64_t now, rise;

	if (!file->good || !counters_number_in(&event->name, str_text(&file->text), &now)) {
		counters->counter[event->counter].missing = true;
		source_status_note(&counters->status[event->counter], NULL,
			"%.60s could not be read from %.100s for a while", event->text, file->path);
		return;
	}
	if (part->begun)
		switch (rise_of(part->last, now, event->name.bits, &rise)) {
		case RISE_PLAIN:
			add_rise(counters, event, rise);
			break;
		case RISE_WRAPPED:
			add_rise(counters, event, rise);
			source_status_note(&counters->status[event->counter], NULL,
				"%.60s wrapped around at 2^%u; its count is corrected for that", event->text,
				event->name.bits);
			break;
		case RISE_BACKWARDS:
			break_counter(counters, event->counter, event->text,
				"went backwards: what it counted in between is unknown", NULL);
			break;
		}
	part->last = now;
	part->begun = true;
}

static void
read_tasks(struct proc_counters *counters)
{
	uint64_t total[PROC_TASK_FIELDS];
	bool whole = proc_tasks_read(counters->tasks, total);

	for (size_t i = 0; i < counters->n_events; i++) {
		const struct event *event = &counters->event[i];

		if (event->name.family != PROC_TASK || !counters->counter[event->counter].live)
			continue;
		add_rise(counters, event, total[event->name.at] - counters->task_last[event->name.at]);
		if (!whole)
			break_counter(counters, event->counter, event->text, proc_tasks_deaf(counters->tasks)
				? "lacks the last time slice of threads whose end was not reported: that needs "
				"CAP_NET_ADMIN" : "lacks the last time slice of threads whose end was not reported",
				proc_tasks_deaf(counters->tasks) ? "run as root" : NULL);
	}
	memcpy(counters->task_last, total, sizeof total);
}

static void
read_io(struct proc_counters *counters)
{
	uint64_t total[PROC_IO_FIELDS];
	enum proc_io_news news = proc_io_read(counters->io, total);

	for (size_t i = 0; i < counters->n_events; i++) {
		const struct event *event = &counters->event[i];

		if (event->name.family != PROC_IO || !counters->counter[event->counter].live)
			continue;
		add_rise(counters, event, total[event->name.at] - counters->io_last[event->name.at]);
		if (news == PROC_IO_BUSY)
			counters->counter[event->counter].missing = true;
		if (news == PROC_IO_LOST)
			break_counter(counters, event->counter, event->text,
				"lacks what a process did whose I/O account ended with it", NULL);
	}
	memcpy(counters->io_last, total, sizeof total);
}

static void
counters_read_files(struct proc_counters *c)
{
	for (size_t i = 0; i < c->n_files; i++)
		c->file[i].good = proc_file_read(c->file[i].path, &c->file[i].text);
	for (size_t i = 0; i < c->n_parts; i++)
		if (c->counter[c->event[c->part[i].event].counter].live)
			read_part(c, &c->part[i]);
}

void
proc_counters_read(struct proc_counters *c)
{
	for (size_t i = 0; i < c->n_counters; i++)
		c->counter[i].missing = false;
	/* Tasks come first, so that the files of the whole machine include everything that the tasks had done. */
	if (c->tasks)
		read_tasks(c);
	if (c->io)
		read_io(c);
	if (c->tree)
		proc_tree_forget(c->tree);
	counters_read_files(c);
}

void
proc_counters_settle(struct proc_counters *c, uint64_t cpu_ns, bool alone)
{
	if (c->tasks)
		proc_tasks_settle(c->tasks, cpu_ns);
	if (c->tree && alone)
		proc_tree_end(c->tree);
}

void
proc_counters_begin(struct proc_counters *c)
{
	if (c->tasks)
		proc_tasks_begin(c->tasks);
	if (c->io)
		proc_io_begin(c->io);
	if (c->tree)
		proc_tree_forget(c->tree);
	counters_read_files(c);
}

void
proc_counters_totals(const struct proc_counters *c, int64_t *count, unsigned char *counted)
{
	for (size_t i = 0; i < c->n_counters; i++) {
		const struct counter *k = &c->counter[i];

		if (!k->mine)
			continue;
		counted[i] = k->live && !k->broken && !k->missing;
		count[i] = counted[i] ? (int64_t)k->total : 0;
	}
}

void
proc_counters_row(struct proc_counters *counters, int64_t *count, unsigned char *counted)
{
	for (size_t i = 0; i < counters->n_counters; i++) {
		struct counter *counter = &counters->counter[i];

		if (!counter->mine)
			continue;
		counted[i] = counter->live && !counter->broke && !counter->missing;
		count[i] = counted[i] ? (int64_t)(counter->total - counter->in_rows) : 0;
		if (counted[i] || counter->broke)
			counter->in_rows = counter->total;
		counter->broke = false;
	}
}
