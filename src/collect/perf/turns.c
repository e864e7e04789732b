#include "collect/perf/turns.h"

#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/number_list.h"
#include "base/str.h"
#include "collect/perf/pacer.h"
#include "collect/perf/rotator.h"
#include "collect/perf/source_state.h"
#include "collect/proc/files.h"
#include "core/series/rhythm.h"

struct turns {
	struct source *source;
	const struct turns_room *room;
	size_t *unit, n;         /* numbers of the events that take turns */
	bool *takes;             /* per event: it takes turns */
	bool idle;               /* no thread could be started: the kernel rotates */
	struct pacer *pacer;     /* thread that ends the turns; NULL: none */
	/* hecate's turns */
	struct rotator *rotator;
	size_t constraints, whole; /* those between events that take turns; those that a set holds */
	int *clock;              /* per place: an event that counts nothing and is always enabled, for how long; −1 */
	/* the kernel's turns */
	struct rhythm *rhythm;
	int reference;
	/* the kernel's tick; the last reading of the reference; state of the random numbers */
	uint64_t tick_ns, last, random;
};

#define TRY_NS 300000 /* an event that gets a counter has it at once */

static const struct event_code DUMMY = {.kind = EVENT_SOFTWARE, .type = PERF_TYPE_SOFTWARE,
	.config = PERF_COUNT_SW_DUMMY, .no_kernel = true, .no_hv = true};
static const struct event_code CYCLES = {.kind = EVENT_HARDWARE, .type = PERF_TYPE_HARDWARE,
	.config = PERF_COUNT_HW_CPU_CYCLES};
static const struct event_code INSTRUCTIONS = {.kind = EVENT_HARDWARE, .type = PERF_TYPE_HARDWARE,
	.config = PERF_COUNT_HW_INSTRUCTIONS, .pinned = true, .no_kernel = true, .no_hv = true};

/* Opens an event to see whether it fits. The side that is counted does not matter for that, and every user may open the
 * user side. It is opened as for a command, to be enabled at an execve(2) that does not come: Arm's kernel driver
 * leaves out of its check what is disabled (validate_event() in drivers/perf/arm_pmu.c), so that everything would
 * fit. */
static int
open_trial(const struct event_code *c, int leader, enum open_mode mode)
{
	struct event_code user = *c;

	user.no_user = false;
	user.no_kernel = user.no_hv = true;
	user.pinned = user.exclusive = false; /* only the leader of a group may be; it decides nothing here */
	return perf_open_raw(&user, 0, leader, mode);
}

bool
turns_watchdog(void)
{
	char text[8] = "";

	return proc_text_read("/proc/sys/kernel/nmi_watchdog", text, sizeof text) && *text == '1';
}

/* Opens the events of a group after `open` others, and returns how many are open then. */
static size_t
open_group(const struct event_code *const *code, size_t n, enum open_mode mode, int *fd, size_t open)
{
	for (size_t i = 0; i < n; i++, open++)
		if ((fd[open] = open_trial(code[i], open ? fd[0] : -1, mode)) < 0)
			break;
	return open;
}

static void
close_group(int *fd, size_t open)
{
	while (open > 0)
		close(fd[--open]);
	free(fd);
}

/* Can events of one PMU be open as one group, next to `before` others? */
static bool
group_opens(const struct event_code *before, size_t n_before, const struct event_code *const *code, size_t n)
{
	int *fd = mem_new_array(n + n_before, sizeof *fd);
	size_t open = open_group(&before, n_before, OPEN_COMMAND, fd, 0);

	if (open == n_before)
		open = open_group(code, n, OPEN_COMMAND, fd, open);
	close_group(fd, open);
	return open == n_before + n;
}

static bool
turns_group(void *ctx, const struct event_code *const *code, size_t n)
{
	(void)ctx;
	return group_opens(NULL, 0, code, n);
}

/* The watchdog may have one counter of each PMU, which opening a group does not show. */
static bool
group_fits(void *watchdog, const struct event_code *const *code, size_t n, uint32_t type)
{
	struct event_code cycles = CYCLES;
	const struct event_code *const alone = &cycles;

	cycles.config |= (uint64_t)type << PERF_PMU_TYPE_SHIFT;
	if (type && !group_opens(NULL, 0, &alone, 1)) /* a kernel without types in config (before 5.13) */
		cycles.config = CYCLES.config;
	return group_opens(&cycles, *(const bool *)watchdog, code, n);
}

bool
turns_fit(const struct event_code *const *code, size_t n)
{
	bool watchdog = turns_watchdog();

	return core_kinds_hold(code, n, &CYCLES, &(const struct core_kinds_ops){turns_group, group_fits, &watchdog});
}

/* Brings the thread to a core that the PMU counts, of those where it may run. An event of no PMU is cpu_core's where
 * there are several. */
static void
go_to_pmu(const struct event_code *const *code, size_t n, const cpu_set_t *may)
{
	char path[200], text[1024];
	struct err e = {0};
	cpu_set_t there;
	int *cpu = NULL;
	size_t n_cpus = 0, i = 0;

	while (i < n && !*code[i]->pmu)
		i++;
	snprintf(path, sizeof path, "/sys/bus/event_source/devices/%s/cpus", i < n ? code[i]->pmu : "cpu_core");
	if (!proc_text_read(path, text, sizeof text) ||
		!number_list_parse(text, true, 0, CPU_SETSIZE - 1, &cpu, &n_cpus, &e))
		return; /* PMUs of a single kind of cores list none */
	CPU_ZERO(&there);
	for (size_t k = 0; k < n_cpus; k++)
		if (CPU_ISSET((size_t)cpu[k], may))
			CPU_SET((size_t)cpu[k], &there);
	free(cpu);
	if (CPU_COUNT(&there))
		sched_setaffinity(0, sizeof there, &there);
}

static bool
group_runs(void *ctx, const struct event_code *const *code, size_t n, uint32_t type)
{
	int *fd = mem_new_array(n + 1, sizeof *fd);
	size_t open = open_group(code, n, OPEN_SELF, fd, 0);
	struct perf_reading reading = {0};
	bool ran = n && open == n;

	(void)type;
	if (ran && ctx)
		go_to_pmu(code, n, ctx);
	for (size_t i = n; i-- > 0 && ran;) /* the leader last: the group starts as a whole */
		ran = perf_enable(fd[i], true);
	for (uint64_t end = clock_ns() + TRY_NS; ran && clock_ns() < end;)
		;
	ran = ran && perf_read(fd[0], &reading) && reading.running_ns && reading.running_ns == reading.enabled_ns;
	close_group(fd, open);
	return ran;
}

bool
turns_run(const struct event_code *const *code, size_t n)
{
	cpu_set_t before;
	bool may = sched_getaffinity(0, sizeof before, &before) == 0,
	     ran = core_kinds_hold(code, n, &CYCLES,
		     &(const struct core_kinds_ops){turns_group, group_runs, may ? &before : NULL});

	if (may)
		sched_setaffinity(0, sizeof before, &before);
	return ran;
}

static bool
pmu_fits(void *ctx, const struct event_code *const *code, size_t n)
{
	(void)ctx;
	return turns_fit(code, n);
}

static bool
pmu_takes(const struct event_code *c)
{
	return c->kind == EVENT_HARDWARE && !c->pinned && !c->per_cpu;
}

static const struct turns_room PMU = {pmu_takes, pmu_fits, NULL, &INSTRUCTIONS};

static bool
fit_together(void *ctx, const size_t *unit, size_t n)
{
	const struct turns *t = ctx;
	const struct event_code **code = mem_new_array(n, sizeof *code);
	bool fits;

	for (size_t i = 0; i < n; i++)
		code[i] = &t->source->event[t->unit[unit[i]]].code;
	fits = t->room->fits(t->room->ctx, code, n);
	free(code);
	return fits;
}

static void
find_units(struct turns *t)
{
	const struct source *s = t->source;

	t->unit = mem_new_array(s->n_events, sizeof *t->unit);
	t->takes = mem_new_array(s->n_events, sizeof *t->takes);
	for (size_t i = 0; i < s->n_events; i++) {
		t->takes[i] = t->room->takes(&s->event[i].code);
		if (t->takes[i])
			t->unit[t->n++] = i;
	}
}

static void
enable_unit(void *ctx, size_t unit, bool on)
{
	struct turns *t = ctx;
	const struct counter_event *ce = &t->source->event[t->unit[unit]];

	for (size_t j = 0; j < ce->n; j++)
		if (ce->slot[j].fd >= 0)
			perf_enable(ce->slot[j].fd, on);
}

static bool
open_clocks(struct turns *t)
{
	const struct places *p = &t->source->places;
	bool good = true;

	t->clock = mem_new_array(p->n, sizeof *t->clock);
	for (size_t k = 0; k < p->n; k++) {
		t->clock[k] = p->at[k].gone ? -1 : perf_open_raw(&DUMMY, p->at[k].id, -1, p->mode);
		good &= p->at[k].gone || t->clock[k] >= 0;
	}
	return good;
}

static void
close_clocks(struct turns *t)
{
	for (size_t k = 0; t->clock && k < t->source->places.n; k++)
		if (t->clock[k] >= 0)
			close(t->clock[k]);
	free(t->clock);
	t->clock = NULL;
}

static uint64_t
kernel_tick_ns(const struct perf_world *w)
{
	char path[700], text[32];
	uint64_t ms;

	snprintf(path, sizeof path, "%s/bus/event_source/devices/%s/perf_event_mux_interval_ms", w->sysfs, w->core_pmu);
	return proc_text_read(path, text, sizeof text) && str_to_u64(text, &ms) && ms > 0 && ms < 100000
		? ms * 1000000 : ROTATION_TURN_NS;
}

/* Opens a reference at the first place. If it cannot be pinned, it reads nothing and the rhythm is unknown. */
static void
watch_kernel(struct turns *t)
{
	const struct places *p = &t->source->places;

	for (size_t k = 0; k < p->n && t->reference < 0; k++)
		if (!p->at[k].gone)
			t->reference = perf_open_raw(t->room->reference, p->at[k].id, -1, p->mode);
	t->tick_ns = kernel_tick_ns(&t->source->world);
	if (t->reference >= 0)
		t->rhythm = rhythm_new((double)t->tick_ns / RHYTHM_LOOKS);
}

/* Sets that follow the constraints of the model, if it has any between these events; else as they are. */
static void
sets_by_constraint(struct turns *turns, const struct rotation_room *room, struct rotation_sets *sets)
{
	const struct source *source = turns->source;
	struct set_constraints of_counters, constraints;
	size_t *counter;

	if (!source->constraints.make)
		return;
	of_counters = source->constraints.make(source->constraints.ctx);
	counter = mem_new_array(turns->n, sizeof *counter);
	for (size_t u = 0; u < turns->n; u++)
		counter[u] = source->number[source->event[turns->unit[u]].counter];
	constraints = set_constraints_over(&of_counters, counter, turns->n);
	if (constraints.n) {
		rotation_sets_free(sets);
		*sets = rotation_sets_by_constraint(turns->n, room, &constraints);
	}
	turns->constraints = constraints.n;
	turns->whole = sets_whole(sets, &constraints);
	free(counter);
	set_constraints_free(&of_counters);
	set_constraints_free(&constraints);
}

struct turns *
turns_new(struct source *source)
{
	struct turns *turns;
	struct rotation_sets sets;
	struct rotation_room room;
	bool own = source->rotation == ROTATION_RANDOM && !source->held &&
		(source->places.n <= TURNS_PLACES || source->rotation_given);

	if (!source->interval_ms)
		return NULL;
	turns = mem_new(sizeof *turns);
	*turns = (struct turns){
		.source = source, .room = source->room ? source->room : &PMU, .reference = -1, .random = clock_ns()};
	find_units(turns);
	room = (struct rotation_room){fit_together, turns};
	sets = rotation_sets_new(turns->n, &room);
	if (sets.n < 2) {
		rotation_sets_free(&sets);
		turns_free(turns);
		return NULL;
	}
	if (own && open_clocks(turns)) {
		sets_by_constraint(turns, &room, &sets);
		turns->rotator = rotator_new(&(const struct rotator_spec){.sets = sets, .mean_ns = ROTATION_TURN_NS,
			.seed = turns->random >> 1, .enable = enable_unit, .ctx = turns});
		return turns;
	}
	close_clocks(turns);
	rotation_sets_free(&sets);
	watch_kernel(turns);
	return turns;
}

void
turns_free(struct turns *turns)
{
	if (!turns)
		return;
	turns_stop(turns);
	close_clocks(turns);
	if (turns->reference >= 0)
		close(turns->reference);
	rhythm_free(turns->rhythm);
	rotator_free(turns->rotator);
	free(turns->unit);
	free(turns->takes);
	free(turns);
}

static uint64_t
take_turn(void *ctx, uint64_t now_ns)
{
	struct turns *t = ctx;

	return rotator_step(t->rotator, now_ns);
}

/* Samples the reference at random distances: see core/series/rhythm.h. */
static uint64_t
sample_reference(void *ctx, uint64_t now_ns)
{
	struct turns *turns = ctx;
	struct perf_reading r;
	uint64_t step = turns->tick_ns / RHYTHM_LOOKS;

	if (!perf_read(turns->reference, &r))
		return UINT64_MAX;
	rhythm_add(turns->rhythm, now_ns, r.value - turns->last);
	turns->last = r.value;
	turns->random = turns->random * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
	return now_ns + step / 2 + (turns->random >> 32) % (step + 1);
}

void
turns_start(struct turns *t)
{
	if (!t)
		return;
	for (size_t k = 0; t->clock && k < t->source->places.n; k++)
		if (t->clock[k] >= 0)
			perf_enable(t->clock[k], true);
	if (t->reference >= 0)
		perf_enable(t->reference, true);
	if (t->rotator || t->rhythm)
		t->idle = !(t->pacer = pacer_new(t->rotator ? take_turn : sample_reference, t));
}

void
turns_stop(struct turns *t)
{
	if (!t)
		return;
	pacer_free(t->pacer);
	t->pacer = NULL;
}

void
turns_hold(struct turns *t)
{
	if (t)
		pacer_lock(t->pacer);
}

void
turns_release(struct turns *t)
{
	if (t)
		pacer_unlock(t->pacer);
}

bool
turns_clock(const struct turns *t, size_t place, uint64_t *enabled_ns)
{
	struct perf_reading r;

	if (!t || !t->rotator || t->clock[place] < 0 || !perf_read(t->clock[place], &r))
		return false;
	*enabled_ns = r.enabled_ns;
	return true;
}

bool
turns_take(const struct turns *t, size_t event)
{
	return t && t->rotator && event < t->source->n_events && t->takes[event];
}

struct obs_rotation
turns_so_far(struct turns *turns)
{
	struct obs_rotation out = {0};

	if (!turns)
		return out;
	if (turns->rotator && !turns->idle)
		return (struct obs_rotation){.period = rotator_period_ns(turns->rotator) * 1e-9,
			.seed = rotator_seed(turns->rotator), .constraints = turns->constraints, .whole = turns->whole};
	out.period = turns->rotator ? 0 : (double)turns->tick_ns * (double)turns->n * 1e-9;
	if (turns->rhythm)
		out.locked = rhythm_locked_lately(turns->rhythm, out.period * 1e9, turns->n).period_ns * 1e-9;
	return out;
}
