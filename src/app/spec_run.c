#include "app/spec_run.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "app/live_counters.h"
#include "app/spec_run_state.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "base/usage.h"
#include "core/obs/obs.h"

/* --- making ------------------------------------------------------------------------------------------------------------------------------- */

void
spec_run_name(const struct spec_run *r, size_t program, struct str *out)
{
	const struct program *p = programs_at(r->programs, program);

	str_add(out, p->of->name);
	if (p->which)
		str_addf(out, "-%u", p->which + 1);
}

static void
set_target(struct spec_run *r, const struct source_target *t)
{
	r->opt.target = NULL;
	if (!t)
		return;
	r->target = *t;
	r->target.id = mem_copy(t->id, t->n * sizeof *t->id);
	r->opt.target = &r->target;
}

bool
spec_run_fits(const struct profile_spec *s, struct err *e)
{
	return programs_fit(s, e);
}

struct spec_run *
spec_run_new(const struct spec_run_options *o, struct err *e)
{
	struct spec_run *r = mem_new(sizeof *r);
	struct epoll_event ready = {.events = EPOLLIN};

	r->opt = *o;
	r->opt.picked = r->picked = o->picked ? mem_str(o->picked) : NULL;
	set_target(r, o->target);
	r->epoll = epoll_create1(EPOLL_CLOEXEC);
	r->keep = source_keep_new(); /* its helper must not have what the programs' minders wait for the end of */
	if (r->epoll < 0)
		err_set(e, "cannot wait for programs: %s", strerror(errno));
	else
		r->programs = programs_new(o->spec, o->out_fd, e);
	if (!r->programs) {
		spec_run_free(r);
		return NULL;
	}
	r->told = mem_new_array(programs_n(r->programs), sizeof *r->told);
	for (size_t i = 0; i < programs_n(r->programs); i++)
		epoll_ctl(r->epoll, EPOLL_CTL_ADD, programs_fd(r->programs, i), &ready);
	return r;
}

static void
free_parts(struct spec_run *r)
{
	for (size_t i = 0; i < r->n; i++) {
		live_free(r->part[i].live);
		free(r->part[i].column);
	}
	free(r->part);
	r->part = NULL;
	r->n = 0;
}

void
spec_run_free(struct spec_run *r)
{
	if (!r)
		return;
	free_parts(r);
	programs_free(r->programs);
	source_keep_free(r->keep);
	obs_table_free(r->table);
	if (r->epoll >= 0)
		close(r->epoll);
	free((void *)(uintptr_t)r->target.id);
	free(r->picked);
	free(r->told);
	free(r->sum);
	free(r->counted);
	free(r->share);
	free(r);
}

/* --- opening ------------------------------------------------------------------------------------------------------------------------------ */

/* Can a process have a count of its own? Else it is the machine's, and counted once. */
static bool
is_of_process(enum scope s)
{
	switch (s) {
	case SCOPE_TASK:
	case SCOPE_THREAD:
	case SCOPE_CORE:
		return true;
	case SCOPE_SLICE:
	case SCOPE_CHANNEL:
	case SCOPE_SOCKET:
	case SCOPE_DEVICE:
	case SCOPE_SYSTEM:
	case SCOPES:
		break;
	}
	return false;
}

enum share { ALL, OF_PROCESSES, OF_MACHINE };

/* Which counters a part opens: a model's are all of the process. NULL and *e: a name that was picked is unknown; *some: there are any. */
static bool *
choose(const struct spec_run *r, const struct live_counters *c, enum share which, bool *some, struct err *e)
{
	bool *chosen = r->picked ? live_counters_pick(c, r->picked, e) : mem_new_array(c->n, sizeof *chosen);

	*some = false;
	for (size_t i = 0; chosen && i < c->n; i++) {
		bool wanted = r->picked ? chosen[i] : true;

		chosen[i] = wanted && (which == ALL || c->kind == SESSION_MODEL || is_of_process(c->counter[i].scope) == (which == OF_PROCESSES));
		*some |= chosen[i] && !c->counter[i].why;
	}
	return chosen;
}

/* Looks at an aggregated profile are not asked for: of a process exact totals come, of CPUs one row at the end. */
static unsigned
interval_of(const struct spec_run *r, bool machine)
{
	double ms = fmin(fmax(r->opt.spec->granularity * 1e3, 1), 1e9);

	return r->opt.spec->mode == SPEC_AGGREGATED && !machine ? 0 : (unsigned)ms;
}

static void
add_part(struct spec_run *r, struct live *l, size_t program)
{
	r->part = mem_resize(r->part, r->n + 1, sizeof *r->part);
	r->part[r->n++] = (struct spec_part){.live = l, .program = program};
}

/* A live that is not open yet. True also when nothing is to be counted: *made tells. */
static bool
make_live(struct spec_run *r, size_t program, enum share which, bool *made, struct err *e)
{
	static const struct source_target machine = {.kind = SOURCE_CPUS};
	bool of_machine = program == SPEC_RUN_NONE, some;
	struct live_options how = {.ops = r->opt.ops, .keep = r->keep, .by_hand = true, .out_fd = -1, .err_fd = -1, .interval_ms = interval_of(r, of_machine)};
	struct live_counters *c = r->opt.counters(r->opt.ctx, e);
	bool *chosen = c ? choose(r, c, which, &some, e) : NULL;
	struct str name = {0};

	*made = false;
	if (!chosen || (!some && which != ALL)) {
		live_counters_free(c);
		free(chosen);
		return chosen != NULL;
	}
	how.counter = chosen;
	if (of_machine) {
		how.target = r->opt.target ? r->opt.target : &machine;
		how.name = r->opt.spec->name;
	} else {
		how.argv = (char *const *)(uintptr_t)programs_at(r->programs, program)->of->argv;
		how.held = programs_child(r->programs, program);
		spec_run_name(r, program, &name);
		how.name = str_text(&name);
	}
	add_part(r, live_new_of(c, &how), program);
	str_free(&name);
	free(chosen);
	return *made = true;
}

/* Nobody need be allowed to count what is the machine's: without it the programs are counted all the same. */
static bool
open_machine(struct spec_run *r, struct err *e)
{
	struct err why = {0};
	bool made;

	if (!make_live(r, SPEC_RUN_NONE, r->opt.target ? ALL : OF_MACHINE, &made, e))
		return false;
	if (!made || live_open(r->part[r->n - 1].live, &why))
		return true;
	if (r->opt.target) {
		if (e)
			*e = why;
		return false;
	}
	r->machine_why = why;
	live_free(r->part[--r->n].live);
	return true;
}

static bool
open_programs(struct spec_run *r, enum share which, struct err *e)
{
	bool made;

	for (size_t i = 0; i < programs_n(r->programs); i++)
		if (!make_live(r, i, which, &made, e) || (made && !live_open(r->part[r->n - 1].live, e)))
			return false;
	return true;
}

static bool
open_all(struct spec_run *r, struct err *e)
{
	bool several = programs_n(r->programs) > 1;
	struct live_counters *c;

	if (r->opt.target)
		return open_machine(r, e);
	if (!open_programs(r, several ? OF_PROCESSES : ALL, e))
		return false;
	if (!several)
		return true;
	c = r->opt.counters(r->opt.ctx, e);
	r->state.whole = c && c->kind != SESSION_MODEL;
	live_counters_free(c);
	return !r->state.whole || open_machine(r, e);
}

/* --- running ------------------------------------------------------------------------------------------------------------------------------ */

/* A program is about to begin: who counts it must know. */
static bool
on_begin(void *ctx, size_t program, struct err *e)
{
	struct spec_run *r = ctx;

	for (size_t i = 0; i < r->n; i++)
		if (r->part[i].program == program)
			r->part[i].going = live_go(r->part[i].live, e);
	for (size_t i = 0; i < r->n; i++)
		if (r->part[i].program == program && !r->part[i].going)
			return false;
	return true;
}

static bool
begin_machine(struct spec_run *r, struct err *e)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->part[i].program == SPEC_RUN_NONE && !(r->part[i].going = live_go(r->part[i].live, e)))
			return false;
	return true;
}

bool
spec_run_start(struct spec_run *r, struct err *e)
{
	const struct profile_spec *s = r->opt.spec;

	if (!open_all(r, e) || (r->n == 0 && !err_set(e, "there is nothing to count: no counter has an event that can be opened")))
		return false;
	spec_run_make_table(r);
	programs_on_begin(r->programs, on_begin, r);
	r->pace = pace_begin(s->granularity, SPEC_GRANULARITY_MOST, s->processor);
	r->memory_before = r->state.memory = usage_memory();
	r->cpu_at_start = r->cpu_before = usage_seconds();
	r->started_at = clock_seconds();
	r->next_at = s->mode == SPEC_AGGREGATED ? INFINITY : r->started_at + s->granularity;
	r->last_at = r->started_at;
	r->running = true;
	if (begin_machine(r, e) && programs_begin(r->programs, e))
		return true;
	r->running = false;
	free_parts(r);
	programs_free(r->programs);
	r->programs = NULL;
	return false;
}

int
spec_run_wait_fd(const struct spec_run *r)
{
	return r->epoll;
}

double
spec_run_patience(const struct spec_run *r)
{
	int begins = programs_wait_ms(r->programs);
	double now = clock_seconds(), wait = r->next_at - now;

	if (begins >= 0)
		wait = fmin(wait, begins / 1e3);
	if (r->finishing)
		wait = fmin(wait, r->finish_at - now);
	else if (r->opt.spec->duration > 0)
		wait = fmin(wait, r->started_at + r->opt.spec->duration - now);
	return fmax(wait, 0);
}

static void
finish(struct spec_run *r, enum live_ending why)
{
	if (r->finishing)
		return;
	r->finishing = true;
	r->state.ending = why;
	r->finish_at = clock_seconds() + LIVE_GRACE_SECONDS;
	programs_stop(r->programs, SIGTERM);
}

void
spec_run_finish(struct spec_run *r)
{
	if (r->running)
		finish(r, LIVE_ASKED);
}

/* What a part's live has to say. An end that cannot be read spoils that part alone. */
static void
poll_part(struct spec_run *r, struct spec_part *p)
{
	struct err e;

	if (!p->going || p->over)
		return;
	p->over = live_poll(p->live, &e);
	spec_run_take(r, p);
	if (p->over && *e.what && !*r->trouble.what)
		r->trouble = e;
}

/* Memory fills up: the fuller it is, the longer the interval. At half of what is left after the start it is doubled, at three quarters again … */
static double
memory_factor(struct spec_run *r)
{
	double limit = r->opt.spec->memory, now = usage_memory(), free_part;

	if (now > r->state.memory)
		r->state.memory = now;
	if (!(limit > r->memory_before))
		return 1;
	free_part = (limit - now) / (limit - r->memory_before);
	return free_part >= 1 ? 1 : exp2(fmin(floor(-log2(fmax(free_part, 0x1p-30))), 30));
}

/* A look at all, and when the next one is. */
static void
look(struct spec_run *r, double now)
{
	double cpu, interval = r->opt.spec->mode == SPEC_AGGREGATED ? INFINITY : now - r->last_at;

	for (size_t i = 0; i < r->n; i++)
		if (r->part[i].going && !r->part[i].over) {
			live_tick(r->part[i].live);
			poll_part(r, &r->part[i]);
		}
	spec_run_flush(r, now - r->started_at);
	r->state.looks++;
	r->state.longest = fmax(r->state.longest, interval);
	r->look_sum += interval;
	cpu = usage_seconds();
	interval = fmin(pace_next(&r->pace, cpu - r->cpu_before) * memory_factor(r), SPEC_GRANULARITY_MOST);
	r->cpu_before = cpu;
	r->last_at = now;
	r->next_at += interval;
	for (now = clock_seconds(); r->next_at <= now; r->next_at += interval)
		r->state.missed++;
}

static void
forget_ended(struct spec_run *r)
{
	for (size_t i = 0; i < programs_n(r->programs); i++)
		if (!r->told[i] && programs_at(r->programs, i)->state == PROGRAM_ENDED) {
			r->told[i] = true;
			epoll_ctl(r->epoll, EPOLL_CTL_DEL, programs_fd(r->programs, i), NULL);
		}
}

static void
keep_time(struct spec_run *r)
{
	double now = clock_seconds();

	if (r->finishing) {
		if (now >= r->finish_at && !r->killed)
			programs_stop(r->programs, SIGKILL);
		r->killed |= now >= r->finish_at;
		if (now >= r->finish_at)
			r->finish_at = now + LIVE_GRACE_SECONDS;
	} else if (programs_over(r->programs)) {
		bool late = r->opt.spec->duration > 0 && now - r->started_at >= r->opt.spec->duration;

		finish(r, late ? LIVE_DURATION : LIVE_ENDED);
	}
}

/* Nothing runs any more: the last rows. */
static void
end_all(struct spec_run *r)
{
	const struct profile_spec *s = r->opt.spec;
	struct spec_run_state *t = &r->state;

	for (size_t i = 0; i < r->n; i++) {
		if (r->part[i].going && !r->part[i].over && r->part[i].program == SPEC_RUN_NONE)
			live_finish(r->part[i].live);
		poll_part(r, &r->part[i]);
	}
	t->seconds = clock_seconds() - r->started_at;
	spec_run_flush(r, t->seconds);
	memory_factor(r);
	t->interval = t->looks ? r->look_sum / (double)t->looks : 0;
	t->processor = t->seconds > 0 ? (usage_seconds() - r->cpu_at_start) / t->seconds : 0;
	t->processor_kept = !(s->processor > 0) || t->processor <= s->processor;
	t->memory_kept = !(s->memory > 0) || t->memory <= s->memory;
	r->running = false;
}

bool
spec_run_poll(struct spec_run *r, struct err *e)
{
	struct err why = {0};

	err_set(e, "%s", "");
	if (!r->running)
		return false;
	if (!programs_tend(r->programs, &why)) {
		if (!*r->trouble.what)
			r->trouble = why;
		finish(r, LIVE_ASKED);
	}
	forget_ended(r);
	for (size_t i = 0; i < r->n; i++)
		poll_part(r, &r->part[i]);
	keep_time(r);
	if (clock_seconds() >= r->next_at)
		look(r, clock_seconds());
	if (!r->finishing || programs_left(r->programs))
		return false;
	end_all(r);
	if (e)
		*e = r->trouble;
	return true;
}

const struct obs_table *
spec_run_table(const struct spec_run *r)
{
	return r->table;
}

void
spec_run_state(const struct spec_run *r, struct spec_run_state *s)
{
	*s = r->state;
	if (r->running)
		s->seconds = clock_seconds() - r->started_at;
}

const struct programs *
spec_run_programs(const struct spec_run *r)
{
	return r->programs;
}

/* Lines that several parts have to say are said once. */
static void
add_new_lines(const char *text, struct names *said, struct str *out)
{
	char **line = str_split(text, '\n', NULL);

	for (size_t i = 0; line[i]; i++) {
		size_t before = said->n;

		if (*line[i] && names_add(said, line[i], strlen(line[i])) == before)
			str_addf(out, "%s\n", line[i]);
	}
	str_split_free(line);
}

void
spec_run_explain(const struct spec_run *r, struct str *out)
{
	struct names said = {0};

	if (*r->machine_why.what)
		str_addf(out, "not counted: what is of the whole machine: %s\n", r->machine_why.what);
	if (r->opt.spec->at_switches)
		str_add(out, "not closed at switches: counters are looked at by the clock; stall-sources tells tasks apart at each switch\n");
	for (size_t i = 0; i < r->n; i++) {
		struct str text = {0};

		live_explain(r->part[i].live, &text);
		add_new_lines(str_text(&text), &said, out);
		str_free(&text);
	}
	names_free(&said);
}
