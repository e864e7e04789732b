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
overflow_resolve(const struct session *s, struct overflow_event *ev, struct event_code *c)
{
	struct source_status why = {0};
	bool good = event_by_name(ev->name, &s->world, c, &why) && perf_overflow_limit(c, &why);

	if (!good) {
		ev->why = why;
		return false;
	}
	ev->user_only = c->no_kernel && !c->side_given && c->nature != EVENT_SIDE_BLIND;
	ev->has_levels = perf_overflow_has_levels(c);
	ev->counts_stops = c->nature == EVENT_KERNEL;
	ev->is_clock = c->nature == EVENT_SIDE_BLIND;
	ev->instructions = c->kind == EVENT_HARDWARE &&
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
measure_level(struct session *s, struct overflow_event *ev, unsigned precise, struct err *e)
{
	uint64_t period[OVERFLOW_PERIODS];
	struct source_status why;

	choose_periods(ev, period);
	for (size_t i = 0; i < OVERFLOW_PERIODS && (period[i] <= ev->total || !ev->whole); i++) {
		struct overflow_row row = {.precise = precise};

		overflow_show_progress(s, ev->name, (unsigned)i + 1, OVERFLOW_PERIODS);
		if (!overflow_measure(&s->subject, period[i], OVERFLOWS_MOST, &row.skid, e))
			return overflow_task_refused(s->task, &why) || !note_end(s);
		s->out->slow |= row.skid.cut && !s->o->interrupted();
		ev->row[ev->n_rows++] = row;
		if (!note_end(s))
			return true;
	}
	return true;
}

/* Measures the skid of an event. False and *e: the command cannot be run. */
static bool
measure_event(struct session *s, struct overflow_event *ev, struct event_code *c, struct err *e)
{
	unsigned first = c->precise, last = ev->has_levels && !c->precise ? OVERFLOW_LEVELS - 1 : c->precise;
	struct source_status why = {0};
	struct overflow_stop end = {0};

	overflow_task_choose(s->task, c, c->precise, s->o->seconds);
	overflow_show_progress(s, ev->name, 1, 1);
	if (!overflow_total(&s->subject, &end, e)) {
		if (!overflow_task_refused(s->task, &why))
			return !note_end(s);
		ev->why = why;
		return true;
	}
	s->out->threads = overflow_task_threads(s->task);
	s->out->processes = overflow_task_processes(s->task);
	ev->whole = end.why == OVERFLOW_ENDED;
	ev->measured = ev->whole || !s->o->interrupted();
	ev->total = end.count;
	s->out->slow |= end.why == OVERFLOW_CUT && !s->o->interrupted();
	if (!note_end(s))
		return true;
	ev->row = mem_new_array(OVERFLOW_LEVELS * OVERFLOW_PERIODS, sizeof *ev->row);
	for (unsigned p = first; p <= last && !s->out->cut; p++) {
		overflow_task_choose(s->task, c, p, s->o->seconds);
		if (!measure_level(s, ev, p, e))
			return false;
	}
	overflow_task_choose(s->task, c, c->precise, s->o->seconds);
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
overflow_arrive(struct session *s, struct overflow_try *t, uint64_t margin, struct err *e)
{
	struct str last = {0}, here = {0};
	bool good;

	for (;; margin *= LATE_FACTOR, t->late++) {
		good = overflow_stop_at(&s->subject, s->o->stop_at, margin, &t->a, e);
		if (!good || t->a.outcome != OVERFLOW_LATE || !margin || t->late == LATE_MOST ||
			margin >= s->o->stop_at)
			break;
		s->subject.ops->end(s->subject.ctx);
	}
	t->margin = margin;
	if (good && t->a.last.n)
		overflow_task_place(s->task, t->a.last.word[t->a.last.pc], &last);
	if (good && t->a.here.n)
		overflow_task_place(s->task, t->a.here.word[t->a.here.pc], &here);
	t->last = str_take(&last);
	t->here = str_take(&here);
	s->subject.ops->end(s->subject.ctx);
	s->out->slow |= good && t->a.outcome == OVERFLOW_GIVEN_UP && !s->o->interrupted();
	return good;
}

/* Where the runs stopped, by single steps from the beginning. */
static bool
find_positions(struct session *s, struct err *e)
{
	struct trust_overflow *r = s->out;
	struct overflow_arrival *a = mem_new_array(r->n_runs, sizeof *a);
	struct overflow_position *at = mem_new_array(r->n_runs, sizeof *at);
	size_t *run = mem_new_array(r->n_runs, sizeof *run), n = 0;
	bool good = true;

	for (size_t i = 0; i < r->n_runs; i++)
		if (r->run[i].a.here.n) {
			a[n] = r->run[i].a;
			run[n++] = i;
		}
	r->words = overflow_words(a, n);
	r->searched = n > 0;
	if (n > 0) {
		overflow_show_progress(s, "single steps", 1, 1);
		good = overflow_find(&s->subject, a, n, at, e);
	}
	for (size_t i = 0; i < n && good; i++)
		r->run[run[i]].position = at[i];
	free(a);
	free(at);
	free(run);
	return good || !note_end(s);
}

static bool
has_no_skid(const struct overflow_event *ev, unsigned precise)
{
	uint64_t measured = 0;

	for (size_t i = 0; i < ev->n_rows; i++) {
		const struct overflow_skid *k = &ev->row[i].skid;

		if (ev->row[i].precise != precise)
			continue;
		if (k->least || k->longest || k->missed)
			return false;
		measured += k->measured;
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
stop_exactly(struct session *s, const struct overflow_event *ev, const struct event_code *c, struct err *e)
{
	struct trust_overflow *r = s->out;

	r->run = mem_new_array(s->o->runs, sizeof *r->run);
	while (r->n_runs < s->o->runs && !r->cut) {
		struct overflow_try *t = &r->run[r->n_runs];

		overflow_show_progress(s, "stop", (unsigned)r->n_runs + 1, s->o->runs);
		r->n_runs++;
		if (!overflow_arrive(s, t, margin_of(ev, c->precise), e)) {
			t->a.outcome = OVERFLOW_GIVEN_UP; /* if a signal came */
			return !note_end(s);
		}
		if (!note_end(s) || t->a.outcome == OVERFLOW_SHORT || t->a.outcome == OVERFLOW_GIVEN_UP)
			break; /* the next one would end likewise */
	}
	return r->cut || (stop_directly(s, ev, c, e) && find_positions(s, e));
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static bool
measure_all(struct session *s, struct err *e)
{
	struct trust_overflow *r = s->out;

	for (size_t i = 0; i < r->n_events && !r->cut; i++) {
		struct overflow_event *ev = &r->event[i];
		struct event_code c;

		if (overflow_resolve(s, ev, &c) && !measure_event(s, ev, &c, e))
			return false;
		if (!s->o->stop_at || r->cut)
			continue;
		if (!ev->measured) {
			err_set(e, "%s", ev->why.why);
			return err_hint(e, "%s", ev->why.remedy);
		}
		if (!r->steps) {
			err_set(e, "--stop-at needs single steps, which this processor's ptrace(2) does not have");
			return err_hint(e, "leave it out to measure the skid alone");
		}
		if (!stop_exactly(s, ev, &c, e))
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
trust_overflow_new(const struct trust_overflow_options *o, struct err *e)
{
	struct trust_overflow *r;
	struct instrument_conditions conditions;
	struct session s = {.o = o};
	const char *slash = strrchr(o->argv[0], '/');
	struct str shown = {0};
	bool good;

	if (!check_program(o->argv[0], e))
		return NULL;
	r = mem_new(sizeof *r);
	r->test = mem_str(slash ? slash + 1 : o->argv[0]);
	utf8_add_visible(&shown, r->test, strlen(r->test));
	r->shown = str_take(&shown);
	r->stop_at = o->stop_at;
	r->seconds = o->seconds;
	r->steps = overflow_task_steps();
	name_events(r, o);
	s.out = r;
	perf_world_probe(&s.world);
	instrument_conditions_begin(&conditions);
	r->fixed_addresses = conditions.fixed_addresses;
	r->cpu = conditions.cpu;
	s.task = overflow_task_new(&(struct overflow_task_spec){.argv = o->argv, .during = o->during,
		.interrupted = o->interrupted, .world = &s.world}, e);
	good = s.task != NULL;
	if (good) {
		s.subject = overflow_task_subject(s.task);
		good = measure_all(&s, e);
	}
	overflow_task_free(s.task);
	instrument_conditions_end(&conditions);
	if (good)
		return r;
	trust_overflow_free(r);
	return NULL;
}

void
trust_overflow_free(struct trust_overflow *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n_events; i++) {
		free(r->event[i].name);
		free(r->event[i].row);
	}
	for (size_t i = 0; i < r->n_runs; i++) {
		free(r->run[i].last);
		free(r->run[i].here);
	}
	free(r->direct.last);
	free(r->direct.here);
	free(r->event);
	free(r->run);
	free(r->test);
	free(r->shown);
	free(r);
}

bool
trust_overflow_any(const struct trust_overflow *r)
{
	if (r->cut)
		return true;
	if (r->stop_at) {
		for (size_t i = 0; i < r->n_runs; i++)
			if (r->run[i].a.here.n)
				return true;
		return false;
	}
	for (size_t i = 0; i < r->n_events; i++)
		if (r->event[i].measured)
			return true;
	return false;
}
