#include "collect/host/owners.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number_list.h"
#include "base/str.h"
#include "collect/perf/known_events.h"
#include "collect/perf/places.h"
#include "collect/perf/pmu_family.h"
#include "collect/perf/world.h"
#include "collect/proc/files.h"
#include "collect/proc/names.h"
#include "collect/source.h"

/* A CPU's place in the machine. */
struct cpu {
	int number, socket, core;
};

struct owners {
	struct perf_world world;
	struct known_events tables; /* of events */
	struct arena *arena;
	struct cpu *cpu;   /* online CPUs, sorted by socket, core and number */
	size_t n_cpus;
	bool *watched;     /* per CPU of that list: it is watched */
	bool cpus;         /* the target is CPUs */
};

static int
owners_read_number(const struct owners *o, int cpu, const char *leaf, int otherwise)
{
	char path[640], text[64];
	int64_t v;

	snprintf(path, sizeof path, "%s/devices/system/cpu/cpu%d/topology/%s", o->world.sysfs, cpu, leaf);
	return proc_text_read(path, text, sizeof text) && str_to_i64(text, &v) && v >= 0 && v <= INT32_MAX ? (int)v
		: otherwise;
}

static int
compare_cpus(const void *a, const void *b)
{
	const struct cpu *x = a, *y = b;

	if (x->socket != y->socket)
		return x->socket < y->socket ? -1 : 1;
	if (x->core != y->core)
		return x->core < y->core ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Returns a number for the CPU's core. Some processors number cores from 0 in each die; then the die's number comes
 * first. */
static int
number_of_core(const struct owners *o, int cpu)
{
	int die = owners_read_number(o, cpu, "die_id", 0), core = owners_read_number(o, cpu, "core_id", cpu);

	return die > 0 && die < 1 << 12 && core < 1 << 16 ? die << 16 | core : core;
}

struct owners *
owners_new(const struct source_target *target)
{
	struct owners *owners = mem_new(sizeof *owners);
	int *online;

	perf_world_probe(&owners->world);
	owners->world.known = &owners->tables;
	owners->arena = arena_new();
	owners->n_cpus = places_online(&owners->world, &online);
	owners->cpu = mem_new_array(owners->n_cpus, sizeof *owners->cpu);
	for (size_t i = 0; i < owners->n_cpus; i++)
		owners->cpu[i] = (struct cpu){online[i],
			owners_read_number(owners, online[i], "physical_package_id", 0),
			number_of_core(owners, online[i])};
	free(online);
	qsort(owners->cpu, owners->n_cpus, sizeof *owners->cpu, compare_cpus);
	owners->watched = mem_new_array(owners->n_cpus, sizeof *owners->watched);
	owners->cpus = target && target->kind == SOURCE_CPUS;
	for (size_t i = 0; i < owners->n_cpus && owners->cpus; i++)
		owners->watched[i] = number_list_has(target->n ? target->id : NULL, target->n, owners->cpu[i].number);
	return owners;
}

void
owners_free(struct owners *o)
{
	if (!o)
		return;
	known_events_free(&o->tables);
	arena_free(o->arena);
	free(o->cpu);
	free(o->watched);
	free(o);
}

/* Do two CPUs have the same owner at the scope? */
static bool
together(const struct cpu *a, const struct cpu *b, enum scope scope)
{
	return a->socket == b->socket && (scope == SCOPE_SOCKET || a->core == b->core) &&
		(scope != SCOPE_THREAD || a->number == b->number);
}

static void
name_cpus(char *out, size_t size, const struct cpu *c, enum scope scope)
{
	if (scope == SCOPE_SOCKET)
		snprintf(out, size, "S%d", c->socket);
	else if (scope == SCOPE_CORE)
		snprintf(out, size, "S%d-C%d", c->socket, c->core);
	else
		snprintf(out, size, "S%d-C%d-T%d", c->socket, c->core, c->number);
}

static int
compare_numbers(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* Finds owners of events that count on every CPU: one per watched thread, core or socket. Returns their number. */
static size_t
owners_of_cpus(
	struct owners *o, enum scope scope, const struct event_item *event, size_t n_events, const struct owner **out)
{
	struct owner *list = arena_alloc(o->arena, o->n_cpus * sizeof *list);
	int *cpu = arena_alloc(o->arena, o->n_cpus * sizeof *cpu);
	const struct cpu *last = NULL;
	size_t n = 0, used = 0;

	for (size_t i = 0; i < o->n_cpus; i++) {
		if (!o->watched[i])
			continue;
		if (!last || !together(last, &o->cpu[i], scope)) {
			list[n] = (struct owner){.event = event, .n_events = n_events, .cpu = cpu + used};
			name_cpus(list[n].name, sizeof list[n].name, &o->cpu[i], scope);
			n++;
		}
		last = &o->cpu[i];
		cpu[used++] = last->number;
		list[n - 1].n_cpus++;
	}
	for (size_t i = 0; i < n; i++)
		qsort(cpu + (list[i].cpu - cpu), list[i].n_cpus, sizeof *cpu, compare_numbers);
	*out = list;
	return n;
}

/* One instance, on one socket, of an event's PMU. */
struct box {
	int socket, number, cpu;
	size_t event;
	const char *name;
};

static int
compare_boxes(const void *a, const void *b)
{
	const struct box *x = a, *y = b;

	if (x->socket != y->socket)
		return x->socket < y->socket ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->event > y->event) - (x->event < y->event);
}

static int
socket_of(const struct owners *o, int cpu)
{
	for (size_t i = 0; i < o->n_cpus; i++)
		if (o->cpu[i].number == cpu)
			return o->cpu[i].socket;
	return 0;
}

/* Returns the instances of all events' PMUs; NULL when an event has no such PMU. */
static struct box *
boxes_of(struct owners *owners, const struct event_item *event, size_t n_events, size_t *n, bool *named)
{
	struct box *box = NULL;
	size_t cap = 0;

	*n = 0;
	*named = true;
	for (size_t i = 0; i < n_events; i++) {
		struct pmu_family f;

		if (!pmu_family_of(event[i].name, &owners->world, &f)) {
			free(box);
			return NULL;
		}
		*named &= f.named;
		for (size_t k = 0; k < f.n; k++)
			for (size_t c = 0; c < f.member[k].n_cpus; c++) {
				int cpu = f.member[k].cpu[c];

				mem_grow(&box, &cap, *n + 1, sizeof *box);
				box[(*n)++] = (struct box){socket_of(owners, cpu), f.member[k].number, cpu, i,
					arena_str(owners->arena, f.member[k].event)};
			}
		pmu_family_free(&f);
	}
	if (box)
		qsort(box, *n, sizeof *box, compare_boxes);
	return box;
}

/* Adds boxes first … end − 1 as one owner, with each of their events once and their CPUs. */
static struct owner
owner_of_boxes(struct owners *owners, const struct box *box, size_t n, const struct event_item *event)
{
	struct event_item *source_event = arena_alloc(owners->arena, n * sizeof *source_event);
	int *cpu = arena_alloc(owners->arena, n * sizeof *cpu);
	struct owner w = {.event = source_event, .cpu = cpu};

	for (size_t i = 0; i < n; i++) {
		bool there = false;

		for (size_t k = 0; k < w.n_events && !there; k++)
			there = str_eq(source_event[k].name, box[i].name);
		if (!there)
			source_event[w.n_events++] =
				(struct event_item){.name = box[i].name, .filter = event[box[i].event].filter};
		if (!number_list_has(cpu, w.n_cpus, box[i].cpu))
			cpu[w.n_cpus++] = box[i].cpu;
	}
	qsort(cpu, w.n_cpus, sizeof *cpu, compare_numbers);
	return w;
}

static void
name_box(char *out, size_t size, const struct box *b, enum scope scope)
{
	if (scope == SCOPE_SOCKET)
		snprintf(out, size, "S%d", b->socket);
	else
		snprintf(out, size, "S%d-%s%d", b->socket, scope_name(scope), b->number);
}

/* Does the owner have a box for each of the events? An owner's boxes are sorted by event. */
static bool
owners_is_whole(const struct box *box, size_t n, size_t n_events)
{
	size_t distinct = 0;

	for (size_t i = 0; i < n; i++) {
		bool there = false;

		for (size_t k = 0; k < i && !there; k++)
			there = box[k].event == box[i].event;
		distinct += !there;
	}
	return distinct == n_events;
}

/* Finds owners of events of PMUs outside the cores, and returns their number: 0 if a box lacks one of the events,
 * because its count would be incomplete. */
static size_t
owners_of_boxes(struct owners *owners, enum scope scope, const struct event_item *event, size_t n_events,
	const struct box *box, size_t n_boxes, const struct owner **out)
{
	struct owner *list = arena_alloc(owners->arena, n_boxes * sizeof *list);
	size_t n = 0;

	for (size_t i = 0, end; i < n_boxes; i = end) {
		end = i + 1;
		while (end < n_boxes &&
			(scope == SCOPE_SYSTEM ||
				(box[end].socket == box[i].socket &&
					(scope == SCOPE_SOCKET || box[end].number == box[i].number))))
			end++;
		if (!owners_is_whole(box + i, end - i, n_events))
			return 0;
		list[n] = owner_of_boxes(owners, box + i, end - i, event);
		if (scope == SCOPE_SYSTEM)
			list[n].cpu = NULL, list[n].n_cpus = 0;
		else
			name_box(list[n].name, sizeof list[n].name, &box[i], scope);
		n++;
	}
	*out = list;
	return n;
}

/* Makes an owner for each disk that matches the events' pattern, which must be the same in all of them. Returns their
 * number. */
static size_t
owners_of_disks(struct owners *owners, const struct event_item *event, size_t n_events, const struct owner **out)
{
	struct owner *list;
	char **device;
	size_t n = 0;

	for (size_t i = 0; i < n_events; i++)
		if (!proc_name_same_disks(event[0].name, event[i].name))
			return 0;
	device = n_events ? proc_name_disks(event[0].name, &n) : NULL;
	list = arena_alloc(owners->arena, (n + 1) * sizeof *list);
	for (size_t k = 0; k < n; k++) {
		struct event_item *source_event = arena_alloc(owners->arena, n_events * sizeof *source_event);

		for (size_t i = 0; i < n_events; i++) {
			char *name = proc_name_of_disk(event[i].name, device[k]);

			source_event[i] = (struct event_item){.name = arena_str(owners->arena, name)};
			free(name);
		}
		list[k] = (struct owner){.event = source_event, .n_events = n_events};
		snprintf(list[k].name, sizeof list[k].name, "%.*s", (int)sizeof list[k].name - 1, device[k]);
	}
	str_split_free(device);
	*out = list;
	return n;
}

size_t
owners_of(struct owners *owners, enum scope scope, const struct event_item *event, size_t n_events,
	const struct owner **out)
{
	size_t n_boxes, n;
	struct box *box;
	bool named;

	*out = NULL;
	if (scope == SCOPE_DEVICE && (n = owners_of_disks(owners, event, n_events, out)) > 0)
		return n;
	if (!owners->cpus)
		return 0;
	box = boxes_of(owners, event, n_events, &n_boxes, &named);
	if (!box)
		return scope == SCOPE_THREAD || scope == SCOPE_CORE || scope == SCOPE_SOCKET
			? owners_of_cpus(owners, scope, event, n_events, out) : 0;
	if (scope == SCOPE_SOCKET || scope == SCOPE_SLICE || scope == SCOPE_CHANNEL || scope == SCOPE_DEVICE)
		n = owners_of_boxes(owners, scope, event, n_events, box, n_boxes, out);
	else
		n = named ? 0 : owners_of_boxes(owners, SCOPE_SYSTEM, event, n_events, box, n_boxes, out);
	free(box);
	return n;
}
