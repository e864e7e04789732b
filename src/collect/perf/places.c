#include "collect/perf/places.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/number_list.h"
#include "collect/perf/world.h"
#include "collect/proc/files.h"
#include "collect/process/processes.h"
#include "collect/source.h"

static void
places_add(struct places *p, size_t *cap, int id)
{
	mem_grow(&p->at, cap, p->n + 1, sizeof *p->at);
	p->at[p->n++] = (struct place){.id = id, .leader = -1, .guard = -1};
}

static bool
has(const struct places *p, int id)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->at[i].id == id)
			return true;
	return false;
}

size_t
places_online(const struct perf_world *world, int **cpu)
{
	char path[600], text[4096];
	size_t n = 0;
	long count;

	snprintf(path, sizeof path, "%s/devices/system/cpu/online", world->sysfs);
	if (proc_text_read(path, text, sizeof text) &&
		number_list_parse(text, true, 0, NUMBER_LIST_MOST, cpu, &n, NULL))
		return n;
	count = sysconf(_SC_NPROCESSORS_ONLN);
	n = count > 0 ? (size_t)count : 1;
	*cpu = mem_new_array(n, sizeof **cpu);
	for (size_t i = 0; i < n; i++)
		(*cpu)[i] = (int)i;
	return n;
}

static bool
find_cpus(const struct source_target *target, const struct perf_world *world, struct places *places, struct err *e)
{
	int *online;
	size_t n = places_online(world, &online), cap = 0;
	bool good = true;

	for (size_t i = 0; i < n && target->n == 0; i++)
		places_add(places, &cap, online[i]);
	for (size_t i = 0; i < target->n && good; i++) {
		bool here = false;

		for (size_t k = 0; k < n; k++)
			here |= online[k] == target->id[i];
		if (here)
			places_add(places, &cap, target->id[i]);
		else if (online[n - 1] < target->id[i])
			good = err_set(e, "there is no CPU %d here; the last is %d", target->id[i], online[n - 1]);
		else
			good = err_set(e, "CPU %d is offline", target->id[i]);
	}
	if (!good)
		err_hint(e, "cat %s/devices/system/cpu/online lists them", world->sysfs);
	free(online);
	return good;
}

static bool
find_processes(const struct source_target *target, struct places *places, struct err *e)
{
	size_t cap = 0;

	for (size_t i = 0; i < target->n; i++) {
		pid_t *tid, owner = process_of_thread(target->id[i]);
		size_t n;

		if (owner != 0 && owner != target->id[i]) {
			err_set(e, "%d is a thread of process %d", target->id[i], (int)owner);
			return err_hint(
				e, "-p %d watches the process, -t %d the thread alone", (int)owner, target->id[i]);
		}
		n = process_threads(target->id[i], &tid);
		for (size_t k = 0; k < n; k++)
			if (!has(places, tid[k]))
				places_add(places, &cap, tid[k]);
		free(tid);
		if (n == 0) {
			err_set(e, "there is no process %d", target->id[i]);
			return err_hint(e, "ps -e lists them");
		}
	}
	return true;
}

static bool
find_threads(const struct source_target *target, struct places *places, struct err *e)
{
	size_t cap = 0;

	for (size_t i = 0; i < target->n; i++) {
		if (process_of_thread(target->id[i]) == 0) {
			err_set(e, "there is no thread %d", target->id[i]);
			return err_hint(e, "ps -eL lists them, in column LWP");
		}
		places_add(places, &cap, target->id[i]);
	}
	return true;
}

bool
places_find(const struct source_target *target, const struct perf_world *world, struct places *places, struct err *e)
{
	*places = (struct places){0};
	switch (target->kind) {
	case SOURCE_PROCESSES:
		places->mode = OPEN_TASK;
		return find_processes(target, places, e);
	case SOURCE_THREADS:
		places->mode = OPEN_THREAD;
		return find_threads(target, places, e);
	case SOURCE_CPUS:
		places->mode = OPEN_CPU;
		return find_cpus(target, world, places, e);
	}
	return false;
}

void
places_of_command(pid_t pid, struct places *p)
{
	size_t cap = 0;

	*p = (struct places){.mode = OPEN_COMMAND};
	places_add(p, &cap, pid);
}

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void
place_leave(struct place *p)
{
	p->gone = true;
	close_fd(&p->leader);
	close_fd(&p->guard);
}

void
places_free(struct places *p)
{
	for (size_t i = 0; i < p->n; i++)
		place_leave(&p->at[i]);
	free(p->at);
	*p = (struct places){0};
}

bool
places_open(struct places *places, const struct perf_world *world, struct source_status *source_status)
{
	for (size_t k = 0; k < places->n; k++) {
		struct source_status status = {0};
		struct place *at = &places->at[k];

		if (places->mode == OPEN_TASK)
			at->guard = perf_open_leader(at->id, OPEN_THREAD, world, &status);
		if (!status.error)
			at->leader = perf_open_leader(at->id, places->mode, world, &status);
		if (status.error == ESRCH) {
			place_leave(at);
		} else if (status.error) {
			*source_status = status;
			return false;
		}
	}
	return true;
}

void
places_drop_guards(struct places *p)
{
	for (size_t k = 0; k < p->n; k++)
		close_fd(&p->at[k].guard);
}

bool
places_are_whole(const struct source_target *target, const struct places *places, size_t *n)
{
	*n = 0;
	for (size_t i = 0; target->kind == SOURCE_PROCESSES && i < target->n; i++) {
		pid_t *tid;
		size_t threads = process_threads(target->id[i], &tid);

		for (size_t k = 0; k < threads; k++)
			*n += !has(places, tid[k]);
		free(tid);
	}
	return *n == 0;
}

static double
tasks_of_processes(const struct source_target *target, pid_t minder)
{
	struct process *list;
	size_t n = target ? processes_family(target->id, target->n, true, &list)
			  : processes_family(&minder, 1, false, &list);
	size_t sum = processes_threads(list, n);

	free(list);
	return (double)sum;
}

double
places_tasks(const struct source_target *t, pid_t minder, const struct places *p)
{
	size_t running = 0, blocked = 0;

	if (!t || t->kind == SOURCE_PROCESSES)
		return tasks_of_processes(t, minder);
	if (t->kind == SOURCE_THREADS)
		return (double)p->n;
	processes_load(&running, &blocked);
	return (double)((running > p->n ? running : p->n) + blocked);
}

#define CPUS_MOST 65536

void
places_visit(const int *cpu, size_t n)
{
	size_t size = CPU_ALLOC_SIZE(CPUS_MOST);
	cpu_set_t *before = CPU_ALLOC(CPUS_MOST), *there = CPU_ALLOC(CPUS_MOST);

	if (before && there && sched_getaffinity(0, size, before) == 0) {
		for (size_t i = 0; i < n; i++) {
			CPU_ZERO_S(size, there);
			CPU_SET_S((size_t)cpu[i], size, there);
			/* on a CPU that hecate may not run on, only the first switch shows the task */
			(void)!sched_setaffinity(0, size, there);
		}
		(void)!sched_setaffinity(0, size, before);
	}
	CPU_FREE(before);
	CPU_FREE(there);
}
