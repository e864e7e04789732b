#include "work/trust/overflow.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "collect/perf/names.h"
#include "collect/perf/overflow.h"
#include "collect/perf/world.h"
#include "collect/source.h"
#include "collect/workload/instrument.h"
#include "collect/workload/overflow_task.h"
#include "work/trust/overflow_result.h"

#define OVERFLOWS_MOST 100 /* of a run */
#define LATE_MOST 4        /* margins that may be too small */
#define LATE_FACTOR 8      /* by which the margin grows then */

/* While it measures. */
struct session {
	const struct trust_overflow_options *o;
	struct trust_overflow *out;
	struct perf_world world;
	struct overflow_task *task;
	struct overflow_subject subject;
};

static const char *const usual[] = {"instructions", "branches", "page-faults", "task-clock"};

static void
overflow_show_progress(const struct session *s, const char *what, unsigned run, unsigned of)
{
	if (s->o->progress)
		s->o->progress(s->o->ctx, what, run, of);
}

/* Notes how the command ended. False: a signal to hecate came. */
static bool
note_end(struct session *s)
{
	int status = overflow_task_status(s->task);

	if (status >= 0 && WIFSIGNALED(status))
		s->out->signal = WTERMSIG(status);
	s->out->cut |= s->o->interrupted();
	return !s->out->cut;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static bool
overflow_resolve(const struct session *session, struct overflow_event *ev, struct event_code *code)
{
	struct source_status why = {0};
	bool good = event_by_name(ev->name, &session->world, code, &why) && perf_overflow_limit(code, &why);

	if (!good) {
		ev->why = why;
		return false;
	}
	ev->user_only = code->no_kernel && !code->side_given && code->nature != EVENT_SIDE_BLIND;
	ev->has_levels = perf_overflow_has_levels(code);
	ev->counts_stops = code->nature == EVENT_KERNEL;
	ev->is_clock = code->nature == EVENT_SIDE_BLIND;
	ev->instructions = code->kind == EVENT_HARDWARE &&
		(strncasecmp(ev->name, "instructions", 12) == 0 || strncasecmp(ev->name, "inst_retired", 12) == 0);
	return true;
}

static bool
is_prime(uint64_t v)
{
	for (uint64_t d = 2; d * d <= v; d++)
		if (v % d == 0)
			return false;
	return v > 1;
}

/* Periods for about 100, 30 and 10 overflows, all prime, so that no loop of the command keeps step with them. */
static void
choose_periods(const struct overflow_event *ev, uint64_t period[OVERFLOW_PERIODS])
{
	static const uint64_t shares[OVERFLOW_PERIODS] = {100, 30, 10};
	/* the kernel's clocks have no period below 10 µs; each stop costs a processor thousands of instructions */
	uint64_t least = ev->is_clock ? 100000 : ev->has_levels ? 1000 : 3;

	for (size_t i = 0; i < OVERFLOW_PERIODS; i++) {
		uint64_t p = ev->total / shares[i];

		if (p < least)
			p = least;
		if (i > 0 && p <= period[i - 1])
			p = period[i - 1] + 1;
		while (!is_prime(p))
			p++;
		period[i] = p;
	}
}

/* Measures one level of precision, unless the PMU refuses it. False and *e: a run failed. */
static bool
measure_level(struct session *session, struct overflow_event *ev, unsigned precise, struct err *e)
{
	uint64_t period[OVERFLOW_PERIODS];
	struct source_status why;

	choose_periods(ev, period);
	for (size_t i = 0; i < OVERFLOW_PERIODS && (period[i] <= ev->total || !ev->whole); i++) {
		struct overflow_row row = {.precise = precise};

		overflow_show_progress(session, ev->name, (unsigned)i + 1, OVERFLOW_PERIODS);
		if (!overflow_measure(&session->subject, period[i], OVERFLOWS_MOST, &row.skid, e))
			return overflow_task_refused(session->task, &why) || !note_end(session);
		session->out->slow |= row.skid.cut && !session->o->interrupted();
		ev->row[ev->n_rows++] = row;
		if (!note_end(session))
			return true;
	}
	return true;
}

/* Measures the skid of an event. False and *e: the command cannot be run. */
static bool
measure_event(struct session *session, struct overflow_event *ev, struct event_code *code, struct err *e)
{
	unsigned first = code->precise, last = ev->has_levels && !code->precise ? OVERFLOW_LEVELS - 1 : code->precise;
	struct source_status why = {0};
	struct overflow_stop end = {0};

	overflow_task_choose(session->task, code, code->precise, session->o->seconds);
	overflow_show_progress(session, ev->name, 1, 1);
	if (!overflow_total(&session->subject, &end, e)) {
		if (!overflow_task_refused(session->task, &why))
			return !note_end(session);
		ev->why = why;
		return true;
	}
	session->out->threads = overflow_task_threads(session->task);
	session->out->processes = overflow_task_processes(session->task);
	ev->whole = end.why == OVERFLOW_ENDED;
	ev->measured = ev->whole || !session->o->interrupted();
	ev->total = end.count;
	session->out->slow |= end.why == OVERFLOW_CUT && !session->o->interrupted();
	if (!note_end(session))
		return true;
	ev->row = mem_new_array(OVERFLOW_LEVELS * OVERFLOW_PERIODS, sizeof *ev->row);
	for (unsigned p = first; p <= last && !session->out->cut; p++) {
		overflow_task_choose(session->task, code, p, session->o->seconds);
		if (!measure_level(session, ev, p, e))
			return false;
	}
	overflow_task_choose(session->task, code, code->precise, session->o->seconds);
	return true;
}

/* --- an exact count ----------------------------------------------------------------------------------------------- */

static uint64_t
margin_of(const struct overflow_event *ev, unsigned precise)
{
	int64_t longest = 0;

	for (size_t i = 0; i < ev->n_rows; i++)
		if (ev->row[i].precise == precise && ev->row[i].skid.longest > longest)
			longest = ev->row[i].skid.longest;
	return (uint64_t)longest + 1;
}

/* One run, with larger margins if need be. */
static bool
overflow_arrive(struct session *session, struct overflow_try *try, uint64_t margin, struct err *e)
{
	struct str last = {0}, here = {0};
	bool good;

	for (;; margin *= LATE_FACTOR, try->late++) {
		good = overflow_stop_at(&session->subject, session->o->stop_at, margin, &try->a, e);
		if (!good || try->a.outcome != OVERFLOW_LATE || !margin || try->late == LATE_MOST ||
			margin >= session->o->stop_at)
			break;
		session->subject.ops->end(session->subject.ctx);
	}
	try->margin = margin;
	if (good && try->a.last.n)
		overflow_task_place(session->task, try->a.last.word[try->a.last.pc], &last);
	if (good && try->a.here.n)
		overflow_task_place(session->task, try->a.here.word[try->a.here.pc], &here);
	try->last = str_take(&last);
	try->here = str_take(&here);
	session->subject.ops->end(session->subject.ctx);
	session->out->slow |= good && try->a.outcome == OVERFLOW_GIVEN_UP && !session->o->interrupted();
	return good;
}

/* Where the runs stopped, by single steps from the beginning. */
static bool
find_positions(struct session *session, struct err *e)
{
	struct trust_overflow *overflow = session->out;
	struct overflow_arrival *arrival = mem_new_array(overflow->n_runs, sizeof *arrival);
	struct overflow_position *at = mem_new_array(overflow->n_runs, sizeof *at);
	size_t *run = mem_new_array(overflow->n_runs, sizeof *run), n = 0;
	bool good = true;

	for (size_t i = 0; i < overflow->n_runs; i++)
		if (overflow->run[i].a.here.n) {
			arrival[n] = overflow->run[i].a;
			run[n++] = i;
		}
	overflow->words = overflow_words(arrival, n);
	overflow->searched = n > 0;
	if (n > 0) {
		overflow_show_progress(session, "single steps", 1, 1);
		good = overflow_find(&session->subject, arrival, n, at, e);
	}
	for (size_t i = 0; i < n && good; i++)
		overflow->run[run[i]].position = at[i];
	free(arrival);
	free(at);
	free(run);
	return good || !note_end(session);
}

static bool
has_no_skid(const struct overflow_event *ev, unsigned precise)
{
	uint64_t measured = 0;

	for (size_t i = 0; i < ev->n_rows; i++) {
		const struct overflow_skid *skid = &ev->row[i].skid;

		if (ev->row[i].precise != precise)
			continue;
		if (skid->least || skid->longest || skid->missed)
			return false;
		measured += skid->measured;
	}
	return measured > 0;
}

/* Without skid an overflow at the count itself stops the command there, too: a check of what the steps see. */
static bool
stop_directly(struct session *s, const struct overflow_event *ev, const struct event_code *c, struct err *e)
{
	struct trust_overflow *r = s->out;

	if (!has_no_skid(ev, c->precise))
		return true;
	overflow_show_progress(s, "stop without steps", 1, 1);
	if (!overflow_arrive(s, &r->direct, 0, e))
		return !note_end(s);
	r->has_direct = r->direct.a.outcome == OVERFLOW_EXACT && r->direct.a.here.n;
	return true;
}

static bool
stop_exactly(struct session *session, const struct overflow_event *ev, const struct event_code *code, struct err *e)
{
	struct trust_overflow *overflow = session->out;

	overflow->run = mem_new_array(session->o->runs, sizeof *overflow->run);
	while (overflow->n_runs < session->o->runs && !overflow->cut) {
		struct overflow_try *try = &overflow->run[overflow->n_runs];

		overflow_show_progress(session, "stop", (unsigned)overflow->n_runs + 1, session->o->runs);
		overflow->n_runs++;
		if (!overflow_arrive(session, try, margin_of(ev, code->precise), e)) {
			try->a.outcome = OVERFLOW_GIVEN_UP; /* if a signal came */
			return !note_end(session);
		}
		if (!note_end(session) || try->a.outcome == OVERFLOW_SHORT || try->a.outcome == OVERFLOW_GIVEN_UP)
			break; /* the next one would end likewise */
	}
	return overflow->cut || (stop_directly(session, ev, code, e) && find_positions(session, e));
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static bool
measure_all(struct session *session, struct err *e)
{
	struct trust_overflow *overflow = session->out;

	for (size_t i = 0; i < overflow->n_events && !overflow->cut; i++) {
		struct overflow_event *ev = &overflow->event[i];
		struct event_code c;

		if (overflow_resolve(session, ev, &c) && !measure_event(session, ev, &c, e))
			return false;
		if (!session->o->stop_at || overflow->cut)
			continue;
		if (!ev->measured) {
			err_set(e, "%s", ev->why.why);
			return err_hint(e, "%s", ev->why.remedy);
		}
		if (!overflow->steps) {
			err_set(e, "--stop-at needs single steps, which this processor's ptrace(2) does not have");
			return err_hint(e, "leave it out to measure the skid alone");
		}
		if (!stop_exactly(session, ev, &c, e))
			return false;
	}
	return true;
}

/* Refuses what cannot be traced as it would run otherwise. */
static bool
check_program(const char *name, struct err *e)
{
	char *path = instrument_find(name, e);
	struct instrument_file file;
	bool good = path && instrument_look(path, &file, e);

	if (good && file.privileged) {
		err_set(e, "%s is set-user-ID, set-group-ID or has capabilities, which it would lose when it is traced",
			path);
		good = err_hint(e, "copy it without these rights (cp), if it works without them");
	}
	free(path);
	return good;
}

static void
name_events(struct trust_overflow *r, const struct trust_overflow_options *o)
{
	const char *const *name = o->n_events ? o->event : usual;

	r->n_events = o->n_events ? o->n_events : sizeof usual / sizeof *usual;
	r->event = mem_new_array(r->n_events, sizeof *r->event);
	for (size_t i = 0; i < r->n_events; i++)
		r->event[i].name = mem_str(name[i]);
}

struct trust_overflow *
trust_overflow_new(const struct trust_overflow_options *options, struct err *e)
{
	struct trust_overflow *overflow;
	struct instrument_conditions conditions;
	struct session s = {.o = options};
	const char *slash = strrchr(options->argv[0], '/');
	struct str shown = {0};
	bool good;

	if (!check_program(options->argv[0], e))
		return NULL;
	overflow = mem_new(sizeof *overflow);
	overflow->test = mem_str(slash ? slash + 1 : options->argv[0]);
	utf8_add_visible(&shown, overflow->test, strlen(overflow->test));
	overflow->shown = str_take(&shown);
	overflow->stop_at = options->stop_at;
	overflow->seconds = options->seconds;
	overflow->steps = overflow_task_steps();
	name_events(overflow, options);
	s.out = overflow;
	perf_world_probe(&s.world);
	instrument_conditions_begin(&conditions);
	overflow->fixed_addresses = conditions.fixed_addresses;
	overflow->cpu = conditions.cpu;
	s.task = overflow_task_new(&(struct overflow_task_spec){.argv = options->argv, .during = options->during,
		.interrupted = options->interrupted, .world = &s.world}, e);
	good = s.task != NULL;
	if (good) {
		s.subject = overflow_task_subject(s.task);
		good = measure_all(&s, e);
	}
	overflow_task_free(s.task);
	instrument_conditions_end(&conditions);
	if (good)
		return overflow;
	trust_overflow_free(overflow);
	return NULL;
}

void
trust_overflow_free(struct trust_overflow *overflow)
{
	if (!overflow)
		return;
	for (size_t i = 0; i < overflow->n_events; i++) {
		free(overflow->event[i].name);
		free(overflow->event[i].row);
	}
	for (size_t i = 0; i < overflow->n_runs; i++) {
		free(overflow->run[i].last);
		free(overflow->run[i].here);
	}
	free(overflow->direct.last);
	free(overflow->direct.here);
	free(overflow->event);
	free(overflow->run);
	free(overflow->test);
	free(overflow->shown);
	free(overflow);
}

bool
trust_overflow_any(const struct trust_overflow *overflow)
{
	if (overflow->cut)
		return true;
	if (overflow->stop_at) {
		for (size_t i = 0; i < overflow->n_runs; i++)
			if (overflow->run[i].a.here.n)
				return true;
		return false;
	}
	for (size_t i = 0; i < overflow->n_events; i++)
		if (overflow->event[i].measured)
			return true;
	return false;
}
