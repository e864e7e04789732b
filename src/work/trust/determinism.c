#include "work/trust/determinism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/workload/expected.h"
#include "collect/workload/probe.h"
#include "collect/workload/workload.h"

#define SHARE_WHOLE 0.999     /* below this share of a run an event was multiplexed */
#define STEAL_SHARE 0.01      /* of the time: more makes times useless */
#define KERNEL_PER_ENTRY 50.0 /* counts for each system call, page fault or exception: more are the kernel's */

/* What the runs need besides the result. */
struct session {
	const struct determinism_spec *spec;
	const struct probe_ops *ops;
	void *probe;
	struct determinism *d;
	size_t *batch;      /* of each event: those that are counted in the same runs */
	size_t n_batches;
	size_t searching;   /* the event whose parts are searched */
	struct err failure; /* why a run failed */
	bool failed;
};

/* --- events ------------------------------------------------------------------------------------------------------ */

/* X(name, purpose): events of one purpose under the names of different processors; the first that exists is taken. */
#define WISHES(X) \
	X("instructions:u", 0) \
	X("branches:u", 1) \
	X("br_inst_retired.conditional:u", 2) \
	X("br_inst_retired.cond:u", 2) \
	X("retired_conditional_branch_instructions:u", 2) \
	X("mem_inst_retired.all_loads:u", 3) \
	X("mem_uops_retired.all_loads:u", 3) \
	X("mem_inst_retired.loads:u", 3) \
	X("ld_retired:u", 3) \
	X("mem_inst_retired.all_stores:u", 4) \
	X("mem_uops_retired.all_stores:u", 4) \
	X("mem_inst_retired.stores:u", 4) \
	X("st_retired:u", 4) \
	X("hw_interrupts.received:u", 5) \
	X("interrupts_taken:u", 5) \
	X("exc_irq:u", 5) \
	X("page-faults:u", 6) \
	X("context-switches", 7) \
	X("cycles:u", 8) \
	X("ref-cycles:u", 9)

#define X(name, purpose) (name),
static const char *const wished_name[] = {WISHES(X)};
#undef X
#define X(name, purpose) (purpose),
static const int wished_purpose[] = {WISHES(X)};
#undef X
#define N_WISHES (sizeof wished_name / sizeof wished_name[0])

/* Events that are asked for by default, some of which a machine does not have. */
static const char *const *
determinism_default_events(size_t *n)
{
	*n = N_WISHES;
	return wished_name;
}

static void
remark(struct determinism *d, char *text)
{
	mem_grow(&d->remark, &d->remarks_cap, d->n_remarks + 1, sizeof *d->remark);
	d->remark[d->n_remarks++] = text;
}

static bool
determinism_is_counted(const struct determinism_event *event)
{
	return event->status.health != OBS_UNSUPPORTED;
}

/* Whether another name of the same purpose was taken, or stands for it among what cannot be counted. */
static bool
is_spare(const struct determinism *d, size_t k)
{
	bool counted_before = false, same_before = false, any = false;
	for (size_t j = 0; j < N_WISHES; j++) {
		bool same = wished_purpose[j] == wished_purpose[k], counted = determinism_is_counted(&d->event[j]);
		any = any || (same && counted);
		counted_before = counted_before || (same && counted && j < k);
		same_before = same_before || (same && j < k);
	}
	return any ? counted_before || !determinism_is_counted(&d->event[k]) : same_before;
}

static bool
is_refused_for(const struct determinism_event *event, const char *why)
{
	return !determinism_is_counted(event) && event->name != NULL && str_eq(event->status.why, why);
}

/* One remark for all events that are refused for one reason. */
static void
say_refused(struct determinism *determinism)
{
	for (size_t k = 0; k < determinism->n_events; k++) {
		const struct source_status *status = &determinism->event[k].status;
		struct str text = {0};
		bool said = determinism_is_counted(&determinism->event[k]) || determinism->event[k].name == NULL;
		for (size_t j = 0; j < k; j++)
			said = said || is_refused_for(&determinism->event[j], status->why);
		if (said)
			continue;
		str_add(&text, "not counted: ");
		for (size_t j = k; j < determinism->n_events; j++)
			if (is_refused_for(&determinism->event[j], status->why))
				str_addf(&text, "%s%s", j == k ? "" : ", ", determinism->event[j].name);
		str_addf(&text, ": %s%s%s", status->why, status->remedy[0] != '\0' ? "; " : "", status->remedy);
		remark(determinism, str_take(&text));
	}
}

static bool
open_events(struct session *session, const char *const *name, size_t n, bool wished, struct err *e)
{
	struct determinism *determinism = session->d;
	struct source_status *status = mem_new_array(n, sizeof *status);
	session->probe = session->ops->open(name, n, determinism->cpu, status, e);
	determinism->event = mem_new_array(n, sizeof *determinism->event);
	determinism->n_events = session->probe != NULL ? n : 0;
	for (size_t k = 0; k < determinism->n_events; k++) {
		enum workload_kind kind;
		determinism->event[k] = (struct determinism_event){.name = name[k], .status = status[k], .kind = -1,
			.expected = (double)NAN, .mean = (double)NAN, .spread = (double)NAN, .base = (double)NAN};
		if (workload_kind_of_event(name[k], &kind)) {
			determinism->event[k].kind = (int)kind;
			determinism->event[k].base_expected = kind == WORKLOAD_FAULTS;
		}
	}
	free(status);
	if (session->probe == NULL)
		return false;
	session->batch = mem_new_array(n, sizeof *session->batch);
	session->n_batches = 1;
	bool *spare = mem_new_array(n, sizeof *spare);
	for (size_t k = 0; wished && k < n; k++)
		spare[k] = is_spare(determinism, k);
	for (size_t k = 0; k < n; k++)
		if (spare[k])
			determinism->event[k] = (struct determinism_event){
				.name = NULL, .status.health = OBS_UNSUPPORTED};
	free(spare);
	return true;
}

/* --- parts -------------------------------------------------------------------------------------------------------- */

static bool
is_chosen(const struct determinism_spec *spec, size_t part)
{
	for (size_t k = 0; k < spec->n_parts; k++)
		if (str_eq(spec->part[k], workload_parts[part].name) ||
			str_eq(spec->part[k], workload_parts[part].class))
			return true;
	return spec->n_parts == 0;
}

static bool
choose_parts(struct session *session, struct err *e)
{
	const struct determinism_spec *spec = session->spec;
	struct determinism *determinism = session->d;
	for (size_t k = 0; k < spec->n_parts; k++) {
		bool known = false;
		for (size_t p = 0; p < workload_n_parts; p++)
			known = known || str_eq(spec->part[k], workload_parts[p].name) ||
				str_eq(spec->part[k], workload_parts[p].class);
		if (!known) {
			err_set(e, "the workload has no part and no class \"%s\"", spec->part[k]);
			return err_hint(e, "hecate determinism --list-parts lists them");
		}
	}
	determinism->loops = mem_new_array(workload_n_parts, sizeof *determinism->loops);
	bool any = false;
	for (size_t p = 0; p < workload_n_parts; p++) {
		struct str missing = {0};
		double loops = workload_parts[p].loops * spec->scale;
		if (!is_chosen(spec, p))
			continue;
		if (workload_cpu_has(workload_parts[p].needs, &missing)) {
			determinism->loops[p] = loops < 4.0 ? 4 : loops > UINT32_MAX ? UINT32_MAX : (uint32_t)loops;
			any = true;
		} else {
			remark(determinism,
				str_format("part %s is left out: this CPU has no %s", workload_parts[p].name,
					str_text(&missing)));
		}
		str_free(&missing);
	}
	if (any)
		return true;
	if (workload_n_parts == 0) {
		err_set(e, "there is no workload for this architecture");
		return err_hint(e, "judge recorded runs: hecate determinism DATA");
	}
	err_set(e, "this CPU can execute none of the parts");
	return err_hint(e, "choose others: hecate determinism --list-parts lists them");
}

/* --- sets of parts ------------------------------------------------------------------------------------------------ */

static struct determinism_set *
find_set(struct session *s, const bool *on, uint32_t divisor, size_t event)
{
	for (size_t k = 0; k < s->d->n_sets; k++) {
		struct determinism_set *set = &s->d->set[k];
		if (set->divisor == divisor && set->counted[event] && set->n >= s->spec->runs &&
			memcmp(set->on, on, workload_n_parts * sizeof *on) == 0)
			return set;
	}
	return NULL;
}

static struct determinism_set *
new_set(struct session *session, const bool *on, uint32_t divisor, size_t event)
{
	struct determinism *determinism = session->d;
	size_t runs = session->spec->runs;
	mem_grow(&determinism->set, &determinism->sets_cap, determinism->n_sets + 1, sizeof *determinism->set);
	struct determinism_set *set = &determinism->set[determinism->n_sets++];
	*set = (struct determinism_set){.on = mem_copy(on, workload_n_parts * sizeof *on), .divisor = divisor,
		.counted = mem_new_array(determinism->n_events, sizeof *set->counted),
		.count = mem_new_array(runs, sizeof *set->count),
		.running = mem_new_array(runs, sizeof *set->running)};
	for (size_t k = 0; k < determinism->n_events; k++)
		set->counted[k] = determinism_is_counted(&determinism->event[k]) &&
			session->batch[k] == session->batch[event];
	double **plain[] = {&set->interrupts, &set->timer, &set->faults, &set->switches, &set->seconds,
		&set->steal};
	for (size_t k = 0; k < sizeof plain / sizeof plain[0]; k++)
		*plain[k] = mem_new_array(runs, sizeof **plain[k]);
	return set;
}

static uint32_t *
loops_of_set(const struct determinism *d, const bool *on, uint32_t divisor)
{
	uint32_t *loops = mem_new_array(workload_n_parts, sizeof *loops);
	for (size_t k = 0; k < workload_n_parts; k++)
		loops[k] = on[k] ? d->loops[k] / divisor : 0;
	return loops;
}

static bool
run_once(struct session *session, struct determinism_set *set, const uint32_t *loops)
{
	struct determinism *determinism = session->d;
	struct probe_sample sample = {.count = mem_new_array(determinism->n_events, sizeof(double)),
		.running = mem_new_array(determinism->n_events, sizeof(double))};
	if (!session->ops->run(session->probe, set->counted, loops, &sample, &session->failure)) {
		free(sample.count);
		free(sample.running);
		session->failed = true;
		return false;
	}
	set->count[set->n] = sample.count;
	set->running[set->n] = sample.running;
	set->interrupts[set->n] = sample.interrupts;
	set->timer[set->n] = sample.timer;
	set->faults[set->n] = sample.faults;
	set->switches[set->n] = sample.switches;
	set->steal[set->n] = sample.steal;
	set->seconds[set->n++] = sample.seconds;
	determinism->runs++;
	return true;
}

/* The runs of a set in which the event was counted; NULL: stopped, or a run failed. */
static struct determinism_set *
measure_set(struct session *session, const bool *on, uint32_t divisor, size_t event)
{
	struct determinism_set *set = find_set(session, on, divisor, event);
	if (set != NULL)
		return set;
	set = new_set(session, on, divisor, event);
	uint32_t *loops = loops_of_set(session->d, on, divisor);
	bool goes_on = true;
	while (goes_on && set->n < session->spec->runs)
		goes_on = (session->spec->stop == NULL || !session->spec->stop()) && run_once(session, set, loops);
	free(loops);
	if (goes_on && session->spec->progress != NULL)
		session->spec->progress(session->spec->ctx, session->d->runs, session->d->event[event].name);
	return goes_on ? set : NULL;
}

static double
expected_of(const struct determinism *d, const struct determinism_set *set, int kind)
{
	uint32_t *loops = loops_of_set(d, set->on, set->divisor);
	struct workload_counts counts = workload_expect(loops);
	free(loops);
	return (double)counts.n[kind];
}

double
determinism_expected(const struct determinism *d, size_t event, const struct determinism_set *set)
{
	const struct determinism_event *e = &d->event[event];
	if (e->kind < 0)
		return (double)NAN;
	double expected = expected_of(d, set, e->kind);
	return e->base_expected ? expected + e->base : expected;
}

/* The attribute_measure of a search. The kernel counts page faults itself: no interrupt adds to them. */
static bool
measure_for_search(void *ctx, const bool *on, uint32_t divisor, struct attribute_level *level)
{
	struct session *s = ctx;
	size_t e = s->searching;
	struct determinism_set *set = measure_set(s, on, divisor, e);
	if (set == NULL)
		return false;
	double expected = expected_of(s->d, set, s->d->event[e].kind), interrupts = 0.0;
	double *error = mem_new_array(set->n, sizeof *error);
	for (size_t k = 0; k < set->n; k++) {
		error[k] = set->count[k][e] - expected;
		interrupts += isnan(set->interrupts[k]) ? 0.0 : set->interrupts[k] / (double)set->n;
	}
	*level = attribute_level_of(error, set->n);
	if (s->d->event[e].kind != WORKLOAD_FAULTS)
		level->width += interrupts;
	free(error);
	return true;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* Splits batches until nothing in them is multiplexed, with a run of all parts for each. */
static bool
split_batches(struct session *session, const bool *all)
{
	struct determinism *determinism = session->d;
	for (size_t b = 0; b < session->n_batches; b++) {
		size_t first = determinism->n_events, members = 0, moved = 0;
		bool shared = false;
		for (size_t k = 0; k < determinism->n_events; k++)
			if (determinism_is_counted(&determinism->event[k]) && session->batch[k] == b) {
				first = members == 0 ? k : first;
				members++;
			}
		if (members == 0)
			continue;
		struct determinism_set *set = measure_set(session, all, 1, first);
		if (set == NULL)
			return false;
		for (size_t k = 0; k < determinism->n_events; k++)
			for (size_t r = 0; set->counted[k] && r < set->n; r++)
				shared = shared || !(set->running[r][k] >= SHARE_WHOLE);
		if (shared && members == 1)
			determinism->event[first].multiplexed = true;
		if (!shared || members == 1)
			continue;
		for (size_t k = 0; k < determinism->n_events; k++)
			if (determinism_is_counted(&determinism->event[k]) && session->batch[k] == b &&
				moved < members / 2) {
				session->batch[k] = session->n_batches;
				moved++;
			}
		/* what was measured while they shared counters is an estimate: it does not count as measured */
		memset(set->counted, 0, determinism->n_events * sizeof *set->counted);
		session->n_batches++;
		b--;
	}
	return true;
}

static void
sum_event(struct determinism_event *event, const struct determinism *determinism, size_t e,
	const struct determinism_set *all)
{
	double low = (double)INFINITY, high = -(double)INFINITY, mean = 0.0;
	for (size_t r = 0; r < all->n; r++) {
		double count = all->count[r][e];
		low = fmin(low, count);
		high = fmax(high, count);
		mean += count / (double)all->n;
	}
	event->mean = mean;
	event->spread = high - low;
	event->silent = high <= 0.0 && event->kind >= 0;
	event->expected = determinism_expected(determinism, e, all);
}

/* Events that were not reached have the runs that were made for others, or none. */
static void
sum_unreached(struct session *s, const bool *all)
{
	struct determinism *d = s->d;
	for (size_t k = 0; k < d->n_events; k++)
		for (size_t j = 0; j < d->n_sets && isnan(d->event[k].mean); j++) {
			const struct determinism_set *set = &d->set[j];
			if (set->counted[k] && set->n > 0 && set->divisor == 1 &&
				memcmp(set->on, all, workload_n_parts * sizeof *all) == 0)
				sum_event(&d->event[k], d, k, set);
		}
}

/* Whether parts that enter the kernel count far more than the entry. */
static bool
counts_kernel(const struct attribute_result *r)
{
	for (size_t k = 0; k < r->n_found; k++) {
		const struct workload_counts *each = &workload_parts[r->found[k].part].iteration;
		double entries = (double)(each->n[WORKLOAD_FAULTS] + each->n[WORKLOAD_EXCEPTIONS] +
			each->n[WORKLOAD_SYSCALLS]);
		if (entries > 0.0 && r->found[k].low / entries > KERNEL_PER_ENTRY)
			return true;
	}
	return false;
}

/* Measures each event, then searches its parts. False: stopped. */
static bool
measure_events(struct session *session, const bool *all, const struct attribute_problem *problem)
{
	struct determinism *determinism = session->d;
	for (size_t k = 0; k < determinism->n_events; k++) {
		if (!determinism_is_counted(&determinism->event[k]))
			continue;
		struct determinism_set *set = measure_set(session, all, 1, k);
		if (set == NULL)
			return false;
		sum_event(&determinism->event[k], determinism, k, set);
	}
	for (size_t k = 0; k < determinism->n_events; k++) {
		struct determinism_event *event = &determinism->event[k];
		if (!determinism_is_counted(event) || event->kind < 0 || event->multiplexed || event->silent)
			continue;
		session->searching = k;
		attribute_search(problem, measure_for_search, session, &event->parts);
		event->searched = true;
		event->kernel = counts_kernel(&event->parts);
		event->base = event->parts.none.error;
		event->expected = determinism_expected(determinism, k, find_set(session, all, 1, k));
		if (!event->parts.whole)
			return false;
	}
	return true;
}

static void
say_disturbed(struct determinism *determinism)
{
	double runs = 0.0, switches = 0.0, seconds = 0.0, steal = 0.0;
	for (size_t k = 0; k < determinism->n_sets; k++)
		for (size_t r = 0; r < determinism->set[k].n; r++) {
			runs += 1.0;
			switches += determinism->set[k].switches[r];
			seconds += determinism->set[k].seconds[r];
			steal += isnan(determinism->set[k].steal[r]) ? 0.0 : determinism->set[k].steal[r];
		}
	/* one is the end of the wait for the start */
	if (runs > 0.0 && switches / runs > 3.0)
		remark(determinism,
			str_format("other programs ran on CPU %d: %.1f context switches a run; stop them, or choose "
				   "a CPU with taskset(1)",
				determinism->cpu, switches / runs));
	if (steal > STEAL_SHARE * seconds)
		remark(determinism,
			str_format("the hypervisor took %.0f %% of the time from CPU %d: times and cycles are not "
				   "those of the program alone",
				100.0 * steal / seconds, determinism->cpu));
}

static void
search_all(struct session *session)
{
	struct determinism *determinism = session->d;
	size_t n = workload_n_parts;
	bool *all = mem_new_array(n, sizeof *all);
	unsigned *group = mem_new_array(n, sizeof *group);
	for (size_t k = 0; k < n; k++) {
		all[k] = determinism->loops[k] > 0;
		for (group[k] = 0; !str_eq(workload_parts[group[k]].class, workload_parts[k].class); group[k]++)
			;
	}
	const struct attribute_problem problem = {.n = n, .group = group, .loops = determinism->loops};
	determinism->cut = !split_batches(session, all) || !measure_events(session, all, &problem);
	sum_unreached(session, all);
	if (session->failed) {
		struct str text = {0};
		err_text(&session->failure, &text);
		remark(determinism, str_take(&text));
	}
	say_disturbed(determinism);
	free(group);
	free(all);
}

struct determinism *
determinism_run(const struct determinism_spec *spec, struct err *e)
{
	struct determinism *determinism = mem_new(sizeof *determinism);
	struct session s = {.spec = spec, .ops = spec->probe != NULL ? spec->probe : &probe_perf, .d = determinism};
	size_t n = spec->n_events;
	const char *const *name = n > 0 ? spec->event : determinism_default_events(&n);
	bool any = false;
	determinism->cpu = probe_first_cpu();
	bool good = choose_parts(&s, e) && open_events(&s, name, n, spec->n_events == 0, e);
	if (good) {
		say_refused(determinism);
		for (size_t k = 0; k < determinism->n_events; k++)
			any = any || determinism_is_counted(&determinism->event[k]);
		if (!any) {
			good = err_set(e, "none of the events can be counted: %s",
				determinism->n_remarks > 0 ? determinism->remark[determinism->n_remarks - 1] : "");
			err_hint(e, "hecate doctor says what this machine can count");
		}
	}
	if (good)
		search_all(&s);
	s.ops->close(s.probe);
	free(s.batch);
	if (good)
		return determinism;
	determinism_free(determinism);
	return NULL;
}

void
determinism_free(struct determinism *determinism)
{
	if (determinism == NULL)
		return;
	for (size_t k = 0; k < determinism->n_sets; k++) {
		struct determinism_set *set = &determinism->set[k];
		for (size_t r = 0; r < set->n; r++) {
			free(set->count[r]);
			free(set->running[r]);
		}
		void *plain[] = {set->on, set->counted, set->count, set->running, set->interrupts, set->timer,
			set->faults, set->switches, set->seconds, set->steal};
		for (size_t j = 0; j < sizeof plain / sizeof plain[0]; j++)
			free(plain[j]);
	}
	for (size_t k = 0; k < determinism->n_events; k++)
		attribute_free(&determinism->event[k].parts);
	for (size_t k = 0; k < determinism->n_remarks; k++)
		free(determinism->remark[k]);
	free(determinism->remark);
	free(determinism->set);
	free(determinism->event);
	free(determinism->loops);
	free(determinism);
}
