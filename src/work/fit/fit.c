#include "work/fit/fit.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/perf/known_events.h"
#include "collect/perf/names.h"
#include "collect/perf/turns.h"
#include "collect/perf/world.h"
#include "collect/proc/files.h"
#include "collect/rotation.h"
#include "core/fit/holders.h"
#include "core/obs/source_data.h"
#include "event/name.h"
#include "event/table.h"

#define GENERAL (~(~UINT64_C(0) << HOLDERS_FIXED)) /* bits of programmable counters */
#define ROOM_MAX 64                                 /* counters that are tried */

#define PMUS_MOST 4
/* A PMU of one kind of cores. */
struct fit_pmu {
	const char *name;
	uint64_t general; /* another processor: its programmable counters */
	bool fixed;       /* and it has fixed ones */
};

/* What decides: the kernel's code of an event, or the counters that can hold it. */
struct fit_asked {
	struct fit *fit;
	struct event_code *code;     /* of each event; NULL: another processor */
	struct holder_event *holder; /* of each event; its counters are 0 on this machine */
	struct fit_pmu pmu[PMUS_MOST]; /* the first one has the events that name none */
	unsigned n_pmus;
	size_t *unit, n_units;       /* events that take turns */
	size_t *pinned, n_pinned;
	const struct fit_related *related; /* NULL: nothing is */
	const char *const *name;           /* the names of `related` */
	size_t n_names;
};

static bool
fits_with(const struct fit_asked *asked, const size_t *which, size_t n)
{
	const struct event_code *code[FIT_EVENTS_MAX + ROOM_MAX];

	if (!asked->code)
		return holders_fit(asked->holder, which, n);
	for (size_t i = 0; i < n; i++)
		code[i] = &asked->code[which[i]];
	return turns_fit(code, n);
}

/* A set of units fits if it does next to the pinned events. */
static bool
units_fit(void *ctx, const size_t *unit, size_t n)
{
	const struct fit_asked *asked = ctx;
	size_t which[FIT_EVENTS_MAX], all = asked->n_pinned;

	memcpy(which, asked->pinned, all * sizeof *which);
	for (size_t i = 0; i < n; i++)
		which[all++] = asked->unit[unit[i]];
	return fits_with(asked, which, all);
}

/* Returns the number of a PMU, which is added. "": the first one; on a hybrid that is cpu_core, as for the kernel. */
static unsigned
pmu_number(struct fit_asked *asked, const char *name)
{
	unsigned i = 0;

	if (!*name)
		return 0;
	if (!asked->n_pmus && str_starts(name, "cpu_"))
		asked->pmu[asked->n_pmus++].name = "cpu_core";
	while (i < asked->n_pmus && !str_eq(asked->pmu[i].name, name))
		i++;
	if (i < asked->n_pmus || i == PMUS_MOST)
		return i < PMUS_MOST ? i : PMUS_MOST - 1;
	asked->pmu[asked->n_pmus++].name = name;
	return i;
}

static void
fit_refuse(struct fit_event *event, const char *why, const char *remedy)
{
	size_t n = strlen(event->name);

	event->kind = FIT_REFUSED; /* the name is printed before the reason */
	event->why = mem_str(str_starts(why, event->name) && str_starts(why + n, ": ") ? why + n + 2 : why);
	event->remedy = remedy && *remedy ? mem_str(remedy) : NULL;
}

/* --- this machine ------------------------------------------------------------------------------------------------- */

static void
ask_kernel(struct fit_asked *asked, const struct perf_world *world)
{
	struct fit *fit = asked->fit;

	for (size_t i = 0; i < fit->n; i++) {
		struct source_status status = {0};
		struct event_code *code = &asked->code[i];
		struct fit_event *event = &fit->event[i];

		if (!event_by_name(event->name, world, code, &status))
			fit_refuse(event, status.why, status.remedy);
		else if (code->per_cpu)
			event->kind = FIT_ELSEWHERE;
		else if (code->kind != EVENT_HARDWARE)
			event->kind = FIT_FREE;
		else if (!*world->core_pmu)
			fit_refuse(event, perf_world_no_pmu(world), perf_world_no_pmu_remedy(world));
		else if (!turns_fit((const struct event_code *[]){code}, 1))
			fit_refuse(event, "the kernel does not open it, even alone",
				"hecate doctor says what may be counted");
		else
			event->kind = code->pinned ? FIT_PINNED : FIT_COUNTED;
		if (event->kind == FIT_COUNTED || event->kind == FIT_PINNED)
			asked->holder[i].pmu = pmu_number(asked, code->pmu);
		event->idle = (event->kind == FIT_COUNTED || event->kind == FIT_PINNED) &&
			!turns_run((const struct event_code *[]){code}, 1);
	}
}

/* --- another processor -------------------------------------------------------------------------------------------- */

/* Counters of perf's words, which are in no list. Intel's three fixed counters: Intel SDM volume 3B, 20.2.2. */
static uint64_t
word_counters(const char *name, uint64_t general, bool fixed)
{
	uint64_t bit = UINT64_C(1) << HOLDERS_FIXED;

	if (!fixed)
		return general;
	if (event_name_same(name, "instructions"))
		return general | bit;
	if (event_name_same(name, "cycles"))
		return general | bit << 1;
	return event_name_same(name, "ref-cycles") ? bit << 2 : general;
}

static const struct event_row *
table_row(const struct event_table *table, const char *base, const char *pmu)
{
	const struct event_row *row = event_table_find(table, base, pmu), *end = table->row + table->n, *found = row;

	for (; row && row < end && strcasecmp(row->name, found->name) == 0; row++)
		if (*row->counters)
			return row; /* the source that knows most */
	return found;
}

static void
ask_row(struct fit_asked *asked, const struct event_table *table, size_t i)
{
	struct fit_event *event = &asked->fit->event[i];
	const struct fit_pmu *pmu;
	struct event_name name;
	const struct event_row *row;

	event_name_read(event->name, &name);
	row = table_row(table, name.base, name.pmu);
	event->kind = (name.modifiers.set & EVENT_MOD_PINNED) ? FIT_PINNED : FIT_COUNTED;
	if (row && event_pmu_is_core(row->pmu))
		asked->holder[i].pmu = pmu_number(asked, row->pmu);
	pmu = &asked->pmu[asked->holder[i].pmu];
	if (row && !event_pmu_is_core(row->pmu) && *row->pmu) {
		event->kind = FIT_ELSEWHERE;
	} else if (row) {
		asked->holder[i].alone = row->taken_alone;
		if (holders_read(row->counters, &asked->holder[i].counters))
			event->counters = mem_str(row->counters);
		else
			event->why = mem_str("its source does not say which counters can hold it");
	} else if (name.word != EVENT_WORD_NONE) {
		if (name.word != EVENT_WORD_HARDWARE)
			event->kind = FIT_FREE;
		asked->holder[i].counters = word_counters(name.base, pmu->general, pmu->fixed);
	} else {
		fit_refuse(
			event, "no source knows an event of that name for this processor", "hecate events lists them");
	}
	if (!asked->holder[i].counters)
		asked->holder[i].counters = pmu->general;
	event_name_free(&name);
}

static bool
ask_table(struct fit_asked *asked, const struct event_table *table, struct err *e)
{
	uint64_t general = 0;

	for (size_t i = 0; i < table->n; i++) {
		struct fit_pmu *pmu;
		uint64_t counters;

		if ((*table->row[i].pmu && !event_pmu_is_core(table->row[i].pmu)) ||
			!holders_read(table->row[i].counters, &counters))
			continue;
		pmu = &asked->pmu[pmu_number(asked, table->row[i].pmu)];
		pmu->general |= counters & GENERAL;
		pmu->fixed |= (counters & ~GENERAL) != 0;
		general |= pmu->general;
	}
	if (!general) {
		err_set(e, "no source says which counters the events of %s can use", table->cpu);
		return err_hint(e,
			"HECATE_EVENTS=DIR with a clone of https://github.com/intel/perfmon says it; perf's list "
			"does not");
	}
	for (size_t i = 0; i < asked->fit->n; i++)
		ask_row(asked, table, i);
	return true;
}

/* --- sets --------------------------------------------------------------------------------------------------------- */

/* The constraints between units. */
static struct set_constraints
constraints_of_units(const struct fit_asked *asked)
{
	size_t *counter = mem_new_array(asked->n_units, sizeof *counter);
	struct set_constraints out = {0};

	for (size_t u = 0; u < asked->n_units && asked->related; u++)
		for (size_t i = asked->n_names; i-- > 0;)
			if (str_eq(asked->fit->event[asked->unit[u]].name, asked->name[i]))
				counter[u] = asked->related->counter[i];
	if (asked->related)
		out = set_constraints_over(asked->related->constraints, counter, asked->n_units);
	free(counter);
	return out;
}

static void
take_constraints(struct fit *fit, const struct rotation_sets *sets, const struct set_constraints *constraints)
{
	fit->constraint = mem_new_array(constraints->n, sizeof *fit->constraint);
	for (; fit->n_constraints < constraints->n; fit->n_constraints++) {
		const struct set_constraint *from = &constraints->at[fit->n_constraints];
		struct fit_constraint *to = &fit->constraint[fit->n_constraints];

		to->text = mem_str(from->text ? from->text : "");
		while (to->set < sets->n && !set_holds(sets, to->set, from))
			to->set++;
	}
}

/* Takes over rotation's sets of units as sets of events. */
static void
take_sets(struct fit_asked *asked)
{
	struct fit *fit = asked->fit;
	struct set_constraints constraints = constraints_of_units(asked);
	struct rotation_sets sets = rotation_sets_by_constraint(
		asked->n_units, &(const struct rotation_room){units_fit, asked}, &constraints);

	fit->n_sets = sets.n ? sets.n : asked->n_pinned > 0;
	fit->has = mem_new_array(fit->n_sets * fit->n, 1);
	for (size_t s = 0; s < fit->n_sets; s++) {
		for (size_t i = 0; i < asked->n_pinned; i++)
			fit->has[s * fit->n + asked->pinned[i]] = 1;
		for (size_t i = 0; i < asked->n_units; i++)
			fit->has[s * fit->n + asked->unit[i]] = sets.has[s * asked->n_units + i];
	}
	take_constraints(fit, &sets, &constraints);
	set_constraints_free(&constraints);
	rotation_sets_free(&sets);
}

/* Counts how many events like the last one of each PMU fit next to the first set, and how many of all these run now. */
static void
find_room(struct fit_asked *asked)
{
	struct fit *fit = asked->fit;
	size_t which[FIT_EVENTS_MAX + ROOM_MAX], last[PMUS_MOST], n = 0, ran;
	const struct event_code *code[FIT_EVENTS_MAX + ROOM_MAX];
	bool idle = false;

	if (!fit->n_sets)
		return;
	for (unsigned p = 0; p < PMUS_MOST; p++)
		last[p] = SIZE_MAX;
	for (size_t i = 0; i < fit->n; i++)
		if (fit_in_set(fit, 0, i)) {
			which[n++] = i;
			last[asked->holder[i].pmu] = i;
			idle |= fit->event[i].idle;
		}
	fit->room = n;
	for (unsigned p = 0; p < PMUS_MOST; p++) {
		if (last[p] == SIZE_MAX)
			continue;
		if (!asked->code) { /* one more event that any programmable counter holds */
			last[p] = fit->n + p;
			asked->holder[last[p]] = (struct holder_event){.counters = asked->pmu[p].general, .pmu = p};
		}
		which[fit->room] = last[p];
		while (fit->room < n + ROOM_MAX - 1 && fits_with(asked, which, fit->room + 1))
			which[++fit->room] = last[p];
	}
	ran = fit->room;
	if (!asked->code || idle)
		return;
	for (size_t i = 0; i < fit->room; i++)
		code[i] = &asked->code[which[i]];
	while (ran && !turns_run(code, ran))
		ran--;
	fit->held = fit->room - ran;
}

static void
choose_units(struct fit_asked *asked)
{
	struct fit *fit = asked->fit;

	for (size_t i = 0; i < fit->n; i++) {
		if (fit->event[i].kind == FIT_COUNTED)
			asked->unit[asked->n_units++] = i;
		else if (fit->event[i].kind == FIT_PINNED)
			asked->pinned[asked->n_pinned++] = i;
	}
	fit->counted = asked->n_units + asked->n_pinned;
}

static void
fit_squeeze(struct fit *fit, size_t event, const char *why)
{
	fit_refuse(&fit->event[event], why, "pin fewer events: leave out :D");
	fit->squeezed++;
}

/* Pinned events that do not fit together: the later ones are refused. */
static void
refuse_pinned(struct fit_asked *asked)
{
	size_t n = 0;

	for (size_t i = 0; i < asked->n_pinned; i++) {
		size_t which = asked->pinned[n] = asked->pinned[i];

		if (fits_with(asked, asked->pinned, n + 1))
			n++;
		else
			fit_squeeze(asked->fit, which, "no counter is left beside the pinned events before it");
	}
	asked->n_pinned = n;
}

/* Events that do not fit even alone beside the pinned ones. */
static void
refuse_units(struct fit_asked *asked)
{
	size_t n = 0;

	for (size_t i = 0; i < asked->n_units; i++) {
		size_t event = asked->unit[i];

		asked->unit[n] = event;
		if (units_fit(asked, &n, 1))
			n++;
		else
			fit_squeeze(asked->fit, event, "no counter is left beside the pinned events");
	}
	asked->n_units = n;
}

static bool
smt_active(const struct perf_world *world)
{
	char path[600], text[8] = "";

	snprintf(path, sizeof path, "%s/devices/system/cpu/smt/active", world->sysfs);
	return proc_text_read(path, text, sizeof text) && *text == '1';
}

/* Takes the names, each once or as often as they are given. */
static struct fit *
fit_of_names(const char *const *name, size_t n, bool once)
{
	struct fit *fit = mem_new(sizeof *fit);
	struct event_name *read = mem_new_array(n, sizeof *read);

	fit->once = once;
	fit->event = mem_new_array(n, sizeof *fit->event);
	for (size_t i = 0; i < n; i++) {
		size_t same = 0;

		event_name_read(name[i], &read[fit->n]);
		while (same < fit->n && event_difference(&read[same], &read[fit->n]))
			same++;
		fit->twice += same < fit->n && event_is_hardware(name[i]);
		if (same == fit->n || (!once && event_is_hardware(name[i])))
			fit->event[fit->n++].name = mem_str(name[i]);
		else
			event_name_free(&read[fit->n]);
	}
	for (size_t i = 0; i < fit->n; i++)
		event_name_free(&read[i]);
	free(read);
	return fit;
}

/* Fills in all but the names. */
static bool
fit_fill(struct fit *fit, const char *const *name, size_t n, const struct event_table *table,
	const struct fit_related *related, struct err *e)
{
	struct fit_asked asked = {.fit = fit, .related = related, .name = name, .n_names = n};
	bool good = true;

	asked.unit = mem_new_array(fit->n, sizeof *asked.unit);
	asked.pinned = mem_new_array(fit->n, sizeof *asked.pinned);
	asked.holder = mem_new_array(fit->n + PMUS_MOST, sizeof *asked.holder);
	if (table) {
		fit->cpu = mem_str(table->cpu);
		good = ask_table(&asked, table, e);
	} else {
		struct known_events known = {0}; /* loaded once for all names */
		struct perf_world world;

		perf_world_probe(&world);
		world.known = &known;
		asked.code = mem_new_array(fit->n, sizeof *asked.code);
		ask_kernel(&asked, &world);
		fit->watchdog = *world.core_pmu && turns_watchdog();
		fit->smt = smt_active(&world);
		known_events_free(&known);
	}
	if (good) {
		choose_units(&asked);
		refuse_pinned(&asked);
		refuse_units(&asked);
		take_sets(&asked);
		find_room(&asked);
	}
	free(asked.unit);
	free(asked.pinned);
	free(asked.code);
	free(asked.holder);
	return good;
}

static struct fit *
fit_ask(const char *const *name, size_t n, bool once, const struct event_table *table,
	const struct fit_related *related, struct err *e)
{
	struct fit *fit;

	if (n > FIT_EVENTS_MAX) {
		err_set(e, "%zu events are too many to ask about at once", n);
		err_hint(e, "at most %d", FIT_EVENTS_MAX);
		return NULL;
	}
	fit = fit_of_names(name, n, once);
	if (fit_fill(fit, name, n, table, related, e))
		return fit;
	fit_free(fit);
	return NULL;
}

struct fit *
fit_new(const char *const *name, size_t n, const struct event_table *table, bool once, struct err *e)
{
	return fit_ask(name, n, once, table, NULL, e);
}

struct fit *
fit_new_related(const char *const *name, size_t n, const struct event_table *table, const struct fit_related *related,
	struct err *e)
{
	return fit_ask(name, n, !related->run, table, related, e);
}

void
fit_free(struct fit *fit)
{
	if (!fit)
		return;
	for (size_t i = 0; i < fit->n; i++) {
		free(fit->event[i].name);
		free(fit->event[i].why);
		free(fit->event[i].remedy);
		free(fit->event[i].counters);
	}
	for (size_t k = 0; k < fit->n_constraints; k++)
		free(fit->constraint[k].text);
	free(fit->constraint);
	free(fit->event);
	free(fit->has);
	free(fit->cpu);
	free(fit);
}
