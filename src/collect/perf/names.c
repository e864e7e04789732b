#include "collect/perf/names.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "collect/perf/remedies.h"
#include "collect/perf/world.h"
#include "collect/source.h"
#include "core/doctor/doctor_items.h"
#include "event/name.h"

static bool
apply_modifiers(const struct event_modifiers *modifiers, struct event_code *code, struct source_status *why)
{
	const unsigned sides = EVENT_MOD_USER | EVENT_MOD_KERNEL | EVENT_MOD_HYPERVISOR;
	bool guest = modifiers->set & EVENT_MOD_GUEST, host = modifiers->set & EVENT_MOD_HOST;
	struct str letters = {0};

	event_modifiers_print(modifiers, &letters);
	snprintf(code->name + strlen(code->name), sizeof code->name - strlen(code->name), ":%s", str_text(&letters));
	str_free(&letters);
	if (modifiers->twice & EVENT_MOD_PRECISE)
		return source_status_refuse(why, EINVAL, NULL, "modifier p may be given three times at most: %s",
			code->name);
	if (modifiers->twice)
		return source_status_refuse(why, EINVAL, "write each letter once", "%s: a modifier was given twice",
			code->name);
	if (modifiers->set & EVENT_MOD_LATENCY)
		return source_status_refuse(why, EINVAL, "drop the modifier R",
			"%s: the latency of retirement is no count; it takes sampling", code->name);
	code->precise = modifiers->precise;
	code->most_precise = modifiers->set & EVENT_MOD_MOST_PRECISE;
	code->side_given = modifiers->set & sides;
	if (code->side_given) {
		code->no_user = !(modifiers->set & EVENT_MOD_USER);
		code->no_kernel = !(modifiers->set & EVENT_MOD_KERNEL);
		code->no_hv = !(modifiers->set & EVENT_MOD_HYPERVISOR);
	}
	/* As perf does it: guests are left out without a modifier, and with u or p; PEBS cannot look into them. */
	code->guest_given = guest || host;
	code->no_host = guest && !host;
	code->no_guest = code->guest_given ? !guest : code->precise || modifiers->set & EVENT_MOD_USER;
	code->no_idle = modifiers->set & EVENT_MOD_NO_IDLE;
	code->pinned = modifiers->set & EVENT_MOD_PINNED;
	code->exclusive = modifiers->set & EVENT_MOD_EXCLUSIVE;
	return true;
}

/* The name without modifiers; "" for a form that names columns only. The caller frees. */
static char *
without_modifiers(const struct event_name *e)
{
	struct event_name bare = *e;
	struct str out = {0};

	bare.modifiers = (struct event_modifiers){0};
	if (e->form != EVENT_FORM_BRACKET && !*e->unit)
		event_name_print(&bare, &out);
	return str_take(&out);
}

/* Adds to the reason which names may have been meant. Returns false. */
static bool
refuse_near(const char *name, const struct perf_world *world, struct source_status *why)
{
	struct event_name e;
	char *base;

	event_name_read(name, &e);
	base = without_modifiers(&e);
	source_status_hint(why, event_near(*base ? base : name, world));
	free(base);
	event_name_free(&e);
	return false;
}

/* Is it `system:event`, as tracefs writes tracepoints? */
static bool
split_tracepoint(const char *name, char *system, char *event, size_t size)
{
	const char *colon = strchr(name, ':');
	size_t n;

	if (!colon || colon == name || !colon[1] || strchr(colon + 1, ':'))
		return false;
	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_-.:", *p))
			return false;
	n = (size_t)(colon - name);
	if (n >= size || strlen(colon + 1) >= size)
		return false;
	memcpy(system, name, n);
	system[n] = '\0';
	memcpy(event, colon + 1, strlen(colon + 1) + 1);
	return true;
}

static int
refuse_tracepoint_world(const struct perf_world *world, struct source_status *why)
{
	switch (world->tracefs_state) {
	case TRACEFS_READABLE:
		break;
	case TRACEFS_NOT_MOUNTED:
		source_status_refuse(why, ENOENT,
			world->cap_admin ? DOCTOR_MOUNT_COMMAND
				: "sudo " DOCTOR_MOUNT_COMMAND " (or ask who administers this machine)",
			"tracepoints, and tracefs is not mounted%s",
			world->cap_admin           ? ""
				: world->in_userns ? "; a user namespace may not mount it"
					: "; hecate may not mount it (no CAP_SYS_ADMIN)");
		break;
	case TRACEFS_FORBIDDEN:
		source_status_refuse(why, EACCES, REMEDY_FOR_A_GROUP,
			"tracepoints: uid %u may not read %s%s", (unsigned)world->uid, world->tracefs,
			world->cap_perfmon ? "" : ", and hecate has no CAP_PERFMON");
		break;
	case TRACEFS_MISSING:
		source_status_refuse(why, ENOENT, NULL, "tracepoints, and this kernel (or container) has no tracefs");
		break;
	}
	return -1;
}

/* Looks a tracepoint up. 1: found; 0: not one of this machine; -1: refused. `sure`: no other step knows the name, so an
 * unknown one is refused. */
static int
event_by_tracepoint(
	const char *name, const struct perf_world *world, bool sure, struct event_code *code, struct source_status *why)
{
	char system[128], event[128];
	int id, error;

	if (!split_tracepoint(name, system, event, sizeof system))
		return 0;
	if (world->tracefs_state != TRACEFS_READABLE)
		return sure ? refuse_tracepoint_world(world, why) : 0;
	id = perf_tracepoint_id(world, system, event);
	error = errno;
	if (id < 0 && !perf_tracepoint_system(world, system)) {
		if (sure) {
			source_status_refuse(why, ENOENT, "ls /sys/kernel/tracing/events lists them",
				"no such event: this kernel has no tracepoint system \"%s\"", system);
			refuse_near(name, world, why);
		}
		return sure ? -1 : 0;
	}
	if (id < 0 && error == ENOENT) {
		source_status_refuse(why, ENOENT, NULL,
			"no such event: tracepoint system \"%s\" of this kernel has no event \"%s\"", system, event);
		snprintf(why->remedy, sizeof why->remedy, "ls %s/events/%s lists them", "/sys/kernel/tracing", system);
		refuse_near(name, world, why);
		return -1;
	}
	if (id < 0) {
		source_status_refuse(why, error, REMEDY_FOR_A_GROUP, "the id of %s:%s cannot be read: %s", system,
			event, strerror(error));
		return -1;
	}
	code->kind = EVENT_TRACEPOINT;
	code->nature = EVENT_KERNEL;
	code->type = 2; /* PERF_TYPE_TRACEPOINT */
	code->config = (uint64_t)id;
	snprintf(code->name, sizeof code->name, "%s", name);
	return 1;
}

/* Looks up a name without modifiers. `sure` is false while a longer reading of the name has yet to be tried. */
static int
event_by_base(
	const char *base, const struct perf_world *world, bool sure, struct event_code *c, struct source_status *why)
{
	int found = event_by_perf_word(base, c);

	if (!found)
		found = event_by_pmu_terms(base, world, c, why);
	if (!found)
		found = event_by_tracepoint(base, world, false, c, why);
	if (!found)
		found = event_by_sysfs_alias(base, world, c, why);
	if (!found && !strchr(base, '/'))
		found = event_by_table(base, NULL, world, c, why);
	if (!found && sure) {
		found = event_by_libpfm(base, world, c, why);
		if (found < 0 && why->error == ENOENT)
			refuse_near(base, world, why);
	}
	/* a hint at another machine's event helps only where this machine can count hardware events */
	if (found < 0 && why->error == ENODEV && sure && !*world->core_pmu)
		source_status_refuse(why, ENOENT, perf_world_no_pmu_remedy(world), "%s", perf_world_no_pmu(world));
	return found;
}

/* Refuses events that open and always count 0: those that the kernel raises, with the kernel side excluded. */
static bool
check_side(struct event_code *c, struct source_status *why)
{
	if (c->nature == EVENT_KERNEL && c->no_kernel)
		return source_status_refuse(why, EINVAL, "drop the modifier", "%s would open and always count 0: it is "
			"raised by the kernel, whose side the modifier excludes", c->name);
	if (c->kind == EVENT_SOFTWARE && c->nature == EVENT_PLAIN && c->no_kernel && c->no_user)
		return source_status_refuse(why, EINVAL, "use :u or :k",
			"%s would always count 0: a software event has no hypervisor side", c->name);
	return true;
}

static bool
refuse_letters(const char *name, struct source_status *why)
{
	struct str known = {0};

	event_modifiers_list(&known);
	source_status_refuse(why, EINVAL, NULL, "%s: unknown modifier; there are %s", name, str_text(&known));
	str_free(&known);
	return false;
}

static bool
find_event(const char *name, const char *base, const struct event_name *event_name, const struct perf_world *w,
	struct event_code *c, struct source_status *why)
{
	bool modified = event_name->modifiers.set && *base;
	int found = modified ? event_by_base(base, w, false, c, why) : 0;

	if (found > 0 && !apply_modifiers(&event_name->modifiers, c, why))
		return false;
	if (!found && event_name->odd)
		return refuse_letters(name, why);
	/* The whole name is tried first: a tracepoint's event may be spelt with modifier letters, and libpfm4 reads its
	 * own modifiers. */
	if (!found)
		found = event_by_base(name, w, true, c, why);
	if (!found && modified) /* "sys:event:u" when tracefs cannot be read */
		found = event_by_tracepoint(base, w, true, c, why);
	if (!found)
		found = event_by_tracepoint(name, w, true, c, why);
	if (!found) {
		source_status_refuse(why, ENOENT, NULL,
			"no such event: %s is not an event of perf, tracefs, sysfs or libpfm4", name);
		return refuse_near(name, w, why);
	}
	return found > 0 && check_side(c, why);
}

bool
event_by_name(const char *name, const struct perf_world *world, struct event_code *code, struct source_status *why)
{
	struct event_name e;
	char *base;
	bool found;

	memset(code, 0, sizeof *code);
	if (!*name)
		return source_status_refuse(why, EINVAL, NULL, "an event without a name");
	if (strlen(name) >= EVENT_NAME_SIZE)
		return source_status_refuse(why, EINVAL, NULL, "the event's name is longer than %d bytes: %.60s…",
			EVENT_NAME_SIZE - 1, name);
	event_name_read(name, &e);
	base = without_modifiers(&e);
	found = find_event(name, base, &e, world, code, why);
	if (found && !e.modifiers.set)
		code->no_guest = true;
	free(base);
	event_name_free(&e);
	return found;
}
