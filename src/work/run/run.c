#include "work/run/run.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/journal.h"
#include "base/mem.h"
#include "base/panic.h"
#include "base/str.h"
#include "core/obs/obs.h"

struct member {
	struct run *run;
	bool optional, joined;
	struct err refusal; /* why an optional one did not join */
};

struct runs {
	struct member member[RUNS_FDS];
	size_t n;
	bool held;    /* the leader held processes: these end with it */
	bool polling; /* runs_poll() is under way */
};

/* --- limits ------------------------------------------------------------------------------------------------------ */

const char *
run_ending_word(enum run_ending e)
{
	switch (e) {
	case RUN_END_ITSELF:
		return "end";
	case RUN_END_SAMPLES:
		return "samples";
	case RUN_END_DURATION:
		return "duration";
	case RUN_END_ASKED:
		return "interrupt";
	case RUN_END_FULL:
		return "full";
	}
	return "end";
}

struct run_limits
run_limits_begin(size_t samples, double duration)
{
	return (struct run_limits){.samples = samples, .duration = duration, .started_at = clock_seconds()};
}

/* Seconds until the duration or the grace is over; INFINITY. */
static double
run_limits_patience(const struct run_limits *l)
{
	double at = l->finishing ? l->grace_ends_at : l->duration > 0 ? l->started_at + l->duration : INFINITY;

	return fmax(0, at - clock_seconds());
}

bool
run_limits_late(const struct run_limits *l)
{
	return l->duration > 0 && clock_seconds() - l->started_at >= l->duration;
}

/* True once: the caller then ends the subject. */
static bool
run_limits_finish(struct run_limits *l, enum run_ending why)
{
	if (l->finishing)
		return false;
	l->finishing = true;
	l->ending = why;
	l->grace_ends_at = clock_seconds() + RUN_GRACE_SECONDS;
	return true;
}

/* Does the same when a limit is reached by this number of samples, or when there is no room for more. */
static bool
run_limits_reached(struct run_limits *l, size_t samples, bool full)
{
	if (l->samples && samples >= l->samples)
		return run_limits_finish(l, RUN_END_SAMPLES);
	if (run_limits_late(l))
		return run_limits_finish(l, RUN_END_DURATION);
	return full && run_limits_finish(l, RUN_END_FULL);
}

/* True when the grace is over, and again after each further grace. */
static bool
run_limits_kill(struct run_limits *l)
{
	double now = clock_seconds();

	if (!l->finishing || now < l->grace_ends_at)
		return false;
	l->grace_ends_at = now + RUN_GRACE_SECONDS;
	return true;
}

bool
run_limits_want(const struct run_limits *l, size_t samples)
{
	return (!l->samples || samples < l->samples) && l->ending != RUN_END_FULL;
}

/* --- runs that belong together ----------------------------------------------------------------------------------- */

struct run *
run_beside(const struct run *run, size_t i)
{
	return run->runs && i < run->runs->n ? run->runs->member[i].run : NULL;
}

void
run_announce(struct run *leader, const struct run_sign *sign)
{
	const struct runs *runs = leader->runs;

	for (size_t i = 0; runs && runs->member[0].run == leader && i < runs->n; i++) {
		struct run *run = runs->member[i].run;

		bool ran = run->running;

		if (i && runs->member[i].joined && run->ops->sign)
			run->ops->sign(run, sign);
		run->last_poll |= ran && !run->running;
	}
}

/* The others must not wait for a leader that leaves. */
static void
run_leave(struct run *run)
{
	struct runs *runs = run->runs;
	size_t kept = 0;

	if (runs && runs->member[0].run == run && run->running)
		run_announce(run, &(struct run_sign){.kind = RUN_OVER});
	for (size_t i = 0; runs && i < runs->n; i++)
		if (runs->member[i].run != run)
			runs->member[kept++] = runs->member[i];
	if (runs)
		runs->n = kept;
	run->runs = NULL;
}

void
run_free(struct run *r)
{
	if (!r)
		return;
	run_leave(r);
	r->ops->free(r);
}

/* --- one run ----------------------------------------------------------------------------------------------------- */

bool
run_open(struct run *r, struct err *e)
{
	return !r->ops->open || r->ops->open(r, e);
}

bool
run_go(struct run *r, struct err *e)
{
	bool goes = r->ops->go(r, e);

	r->running |= goes;
	return goes;
}

bool
run_join(struct run *r, const struct run_held *held, struct err *e)
{
	bool goes = r->ops->join(r, held, e);

	r->running |= goes;
	return goes;
}

int
run_fd(const struct run *r)
{
	return r->running && r->ops->fd ? r->ops->fd(r) : -1;
}

double
run_patience(const struct run *r)
{
	if (!r->running)
		return INFINITY;
	return fmin(run_limits_patience(&r->limits), r->ops->patience ? r->ops->patience(r) : INFINITY);
}

enum run_step
run_poll(struct run *run, struct err *e)
{
	enum run_step step;

	*e = (struct err){0};
	if (!run->running && !run->last_poll)
		return RUN_GOES_ON;
	run->last_poll = false;
	if (run_limits_kill(&run->limits))
		run->ops->end(run, true);
	step = run->ops->poll(run, e);
	if (step == RUN_ENDED)
		run->running = false;
	return step;
}

void
run_end(struct run *r, enum run_ending why)
{
	if (r->running && r->ops->end && run_limits_finish(&r->limits, why))
		r->ops->end(r, false);
}

void
run_keep_limits(struct run *r, size_t samples, bool full)
{
	if (run_limits_reached(&r->limits, samples, full))
		r->ops->end(r, false);
}

void
run_finish(struct run *r)
{
	run_end(r, RUN_END_ASKED);
}

bool
run_running(const struct run *r)
{
	return r && r->running;
}

struct run_facts
run_facts(const struct run *r)
{
	struct run_facts f = {.interval = NAN};

	if (r && r->ops->facts)
		r->ops->facts(r, &f);
	return f;
}

const struct obs_table *
run_table(struct run *r)
{
	size_t n = 0;
	const struct obs_table *const *t = r ? run_tables(r, &n) : NULL;

	return n ? t[0] : NULL;
}

const struct obs_table *const *
run_tables(struct run *r, size_t *n)
{
	if (r->ops->tables)
		return r->ops->tables(r, n);
	*n = r->table != NULL;
	return &r->table;
}

void
run_note_remarks(struct run *run, const char *who, struct obs_table *table)
{
	struct str text = {0};
	char **line;

	run->ops->explain(run, &text);
	line = str_split(str_text(&text), '\n', NULL);
	for (size_t i = 0; line[i]; i++)
		if (*line[i])
			obs_table_note(table, OBS_NOTE_OTHER, str_format("%s%s", who, line[i]));
	str_split_free(line);
	str_free(&text);
}

bool
run_peeks(const struct run *r)
{
	return run_running(r) && r->ops->peek;
}

/* --- several ----------------------------------------------------------------------------------------------------- */

struct runs *
runs_new(void)
{
	return mem_new(sizeof(struct runs));
}

void
runs_clear(struct runs *g)
{
	while (g->n)
		run_leave(g->member[0].run);
}

void
runs_free(struct runs *g)
{
	if (g && g->polling)
		panic("runs are freed by the function that hears of them");
	if (g)
		runs_clear(g);
	free(g);
}

void
runs_add(struct runs *g, struct run *r, bool optional)
{
	if (g->n == RUNS_FDS || (g->n && !r->ops->join) || (!g->n && !r->ops->go))
		panic("a run of %s cannot be number %zu of those that run together", r->ops->name, g->n + 1);
	run_leave(r);
	r->runs = g;
	g->member[g->n++] = (struct member){.run = r, .optional = optional};
}

struct run *
runs_leader(const struct runs *g)
{
	return g->n ? g->member[0].run : NULL;
}

bool
runs_begin(struct runs *runs, struct err *e)
{
	struct run *leader = runs_leader(runs);
	struct run_held held = {0};

	if (!leader)
		return err_set(e, "there is nothing to run");
	runs->member[0].joined = true;
	if (!run_open(leader, e))
		return false;
	if (leader->ops->held)
		held = leader->ops->held(leader);
	runs->held = held.n > 0;
	for (size_t i = 1; i < runs->n; i++) {
		struct member *member = &runs->member[i];

		member->refusal = (struct err){0};
		member->joined = run_join(member->run, &held, member->optional ? &member->refusal : e);
		if (!member->joined && !member->optional) {
			run_announce(leader, &(struct run_sign){.kind = RUN_OVER});
			return false;
		}
	}
	if (run_go(leader, e)) {
		for (size_t i = 0; i < runs->n; i++)
			journal_line("run", "%s %s", runs->member[i].run->ops->name,
				runs->member[i].joined ? "begins" : "cannot join");
		return true;
	}
	run_announce(leader, &(struct run_sign){.kind = RUN_OVER});
	return false;
}

const struct err *
runs_refusal(const struct runs *g, const struct run *r)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->member[i].run == r && *g->member[i].refusal.what)
			return &g->member[i].refusal;
	return NULL;
}

static bool
goes(const struct member *m)
{
	return m->joined && m->run->running;
}

size_t
runs_fds(const struct runs *g, struct pollfd fd[RUNS_FDS])
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		if (goes(&g->member[i]))
			fd[n++] = (struct pollfd){.fd = run_fd(g->member[i].run), .events = POLLIN};
	return n;
}

double
runs_patience(const struct runs *g)
{
	double wait = INFINITY;

	for (size_t i = 0; i < g->n; i++)
		if (goes(&g->member[i]))
			wait = fmin(wait, run_patience(g->member[i].run));
	return wait;
}

/* Compares addresses only: the run may be freed. */
static bool
has_joined(const struct runs *g, const struct run *r)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->member[i].run == r)
			return g->member[i].joined;
	return false;
}

bool
runs_poll(struct runs *runs, runs_hear *hear, void *ctx)
{
	struct run *run[RUNS_FDS];
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++) /* a copy: `hear` may free runs and clear the list */
		if (goes(&runs->member[i]))
			run[n++] = runs->member[i].run;
	runs->polling = true;
	for (size_t i = 0; i < n; i++) {
		struct err e;
		struct run *leader = runs_leader(runs);
		bool measured = leader && leader != run[i] && leader->ops->took;
		double before = measured ? clock_process_seconds() : 0;
		enum run_step step;

		if (!has_joined(runs, run[i]))
			continue;
		step = run_poll(run[i], &e);
		if (step == RUN_ENDED)
			journal_line("run", "%s ended%s%s", run[i]->ops->name, *e.what ? ": " : "", e.what);
		if (measured)
			leader->ops->took(leader, clock_process_seconds() - before);
		if (step != RUN_GOES_ON && hear)
			hear(ctx, run[i], step, &e);
	}
	runs->polling = false;
	return runs_running(runs);
}

void
runs_wait(const struct runs *g, double most, const sigset_t *mask)
{
	struct pollfd fd[RUNS_FDS];
	size_t n = runs_fds(g, fd);
	double wait = fmin(most, runs_patience(g));

	ppoll(fd, n, &(struct timespec){.tv_sec = (time_t)wait, .tv_nsec = (long)(fmod(wait, 1) * 1e9)}, mask);
}

bool
runs_running(const struct runs *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (goes(&g->member[i]))
			return true;
	return false;
}

void
runs_finish(struct runs *g)
{
	bool leader_only = g->n && g->held && goes(&g->member[0]);

	for (size_t i = 0; i < (leader_only ? 1 : g->n); i++)
		if (goes(&g->member[i]))
			run_finish(g->member[i].run);
}
