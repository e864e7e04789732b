#include "app/run/spec_run.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "app/run/counter_list.h"
#include "app/run/spec_run_state.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"

/* --- making ------------------------------------------------------------------------------------------------------ */

void
spec_run_name(const struct spec_run *r, size_t program, struct str *out)
{
	const struct program *p = programs_at(r->programs, program);

	str_add(out, p->of->name);
	if (p->which)
		str_addf(out, "-%u", p->which + 1);
}

void
spec_run_name_again(const struct spec_run *r, const char *name, struct str *out)
{
	str_add(out, name);
	if (r->opt.again > 1)
		str_addf(out, "#%u", r->opt.again);
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
	r->opt.ops = o->ops ? o->ops : run_source();
	r->run.ops = &spec_run_ops;
	r->opt.picked = r->picked = o->picked ? mem_str(o->picked) : NULL;
	set_target(r, o->target);
	r->epoll = epoll_create1(EPOLL_CLOEXEC);
	r->keep = source_keep_new(); /* before the programs: its helper must not inherit their pipes */
	if (r->epoll < 0)
		err_set(e, "cannot wait for programs: %s", strerror(errno));
	else
		r->programs = programs_new(o->spec, o->out_fd, o->err_fd, e);
	if (!r->programs) {
		spec_run_free(r);
		return NULL;
	}
	r->end_known = mem_new_array(programs_n(r->programs), sizeof *r->end_known);
	for (size_t i = 0; i < programs_n(r->programs); i++)
		epoll_ctl(r->epoll, EPOLL_CTL_ADD, programs_fd(r->programs, i), &ready);
	return r;
}

static void
free_parts(struct spec_run *r)
{
	for (size_t i = 0; i < r->n; i++) {
		counters_run_free(r->part[i].live);
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
	run_leave(&r->run);
	free_parts(r);
	programs_free(r->programs);
	for (size_t i = 0; i < r->n_pids; i++)
		free(r->name[i]);
	free(r->name);
	free(r->pid);
	source_keep_free(r->keep);
	obs_table_free(r->table);
	if (r->epoll >= 0)
		close(r->epoll);
	free((void *)(uintptr_t)r->target.id);
	free(r->picked);
	free(r->end_known);
	free(r->sum);
	free(r->counted);
	free(r->share);
	free(r);
}

/* --- running ----------------------------------------------------------------------------------------------------- */

/* Announces that a program starts, and starts its counters. */
static bool
on_begin(void *ctx, size_t program, struct err *e)
{
	struct spec_run *r = ctx;

	run_announce(&r->run,
		&(struct run_sign){.kind = RUN_STARTS, .pid = programs_at(r->programs, program)->pid});
	for (size_t i = 0; i < r->n; i++)
		if (r->part[i].program == program)
			r->part[i].going = counters_run_go(r->part[i].live, e);
	for (size_t i = 0; i < r->n; i++)
		if (r->part[i].program == program && !r->part[i].going)
			return false;
	return true;
}

static bool
begin_machine(struct spec_run *r, struct err *e)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->part[i].program == SPEC_RUN_NONE && !(r->part[i].going = counters_run_go(r->part[i].live, e)))
			return false;
	return true;
}

/* Frees the counters and ends the programs: nothing starts. */
static void
give_up(struct spec_run *r)
{
	free_parts(r);
	programs_free(r->programs);
	r->programs = NULL;
}

static bool
open_all(struct spec_run *r, struct err *e)
{
	if (!spec_run_open(r, e) ||
		(r->n == 0 && r->opt.counters &&
			!err_set(e, "there is nothing to count: no counter has an event that can be opened")))
		return false;
	spec_run_make_table(r);
	programs_on_begin(r->programs, on_begin, r);
	return true;
}

/* The clock starts after all others have joined: the time that they needed is in no interval. */
static bool
go(struct spec_run *r, struct err *e)
{
	const struct profile_spec *s = r->opt.spec;

	r->pace = spec_pace_begin(s->granularity, SPEC_GRANULARITY_MOST, s->processor);
	r->memory_before = r->state.memory = clock_process_memory();
	r->cpu_at_start = r->cpu_before = clock_process_seconds();
	r->started_at = clock_seconds();
	r->state.present = s->mode == SPEC_AGGREGATED ? INFINITY : s->granularity;
	r->next_at = r->started_at + r->state.present;
	r->last_at = r->started_at;
	r->running = true;
	if (begin_machine(r, e) && programs_begin(r->programs, e))
		return true;
	r->running = false;
	give_up(r);
	return false;
}

bool
spec_run_start(struct spec_run *r, struct err *e)
{
	return open_all(r, e) && go(r, e);
}

int
spec_run_wait_fd(const struct spec_run *r)
{
	return r->epoll;
}

double
spec_run_patience(const struct spec_run *r)
{
	int begins = r->running ? programs_wait_ms(r->programs) : -1;
	double now = clock_seconds(), wait = r->next_at - now;

	if (!r->running)
		return INFINITY;
	if (begins >= 0)
		wait = fmin(wait, begins / 1e3);
	if (r->finishing)
		wait = fmin(wait, r->finish_at - now);
	else if (r->opt.spec->duration > 0)
		wait = fmin(wait, r->started_at + r->opt.spec->duration - now);
	return fmax(wait, 0);
}

static void
finish(struct spec_run *r, enum run_ending why)
{
	if (r->finishing)
		return;
	r->finishing = true;
	r->state.ending = why;
	r->finish_at = clock_seconds() + RUN_GRACE_SECONDS;
	programs_stop(r->programs, SIGTERM);
}

void
spec_run_finish(struct spec_run *r)
{
	if (r->running)
		finish(r, RUN_END_ASKED);
}

/* Takes the news of one part. If its end cannot be read, the other parts go on. */
static void
poll_part(struct spec_run *r, struct spec_part *p)
{
	struct err e;

	if (!p->going || p->over)
		return;
	p->over = counters_run_poll(p->live, &e);
	spec_run_take(r, p);
	if (p->over && *e.what && !*r->trouble.what)
		r->trouble = e;
}

/* The factor by which the interval grows as memory fills up: 2 at half of the memory that was free at the start, 4 at
 * three quarters, and so on. */
static double
memory_factor(struct spec_run *r)
{
	double limit = r->opt.spec->memory, now = clock_process_memory(), free_part;

	if (now > r->state.memory)
		r->state.memory = now;
	if (!(limit > r->memory_before))
		return 1;
	free_part = (limit - now) / (limit - r->memory_before);
	return free_part >= 1 ? 1 : exp2(fmin(floor(-log2(fmax(free_part, 0x1p-30))), 30));
}

/* Samples all parts, and sets the time of the next sample. */
static void
look(struct spec_run *r, double now)
{
	double cpu, interval = r->opt.spec->mode == SPEC_AGGREGATED ? INFINITY : now - r->last_at;

	for (size_t i = 0; i < r->n; i++)
		if (r->part[i].going && !r->part[i].over) {
			counters_run_tick(r->part[i].live);
			poll_part(r, &r->part[i]);
		}
	run_announce(&r->run, &(struct run_sign){.kind = RUN_INTERVAL});
	spec_run_flush(r, now - r->started_at);
	r->state.looks++;
	r->state.longest = fmax(r->state.longest, interval);
	r->look_sum += interval;
	cpu = clock_process_seconds();
	interval = fmin(spec_pace_next(&r->pace, r->opt.apart ? r->own + cpu - r->poll_cpu : cpu - r->cpu_before) *
			memory_factor(r),
		SPEC_GRANULARITY_MOST);
	r->state.present = interval;
	r->own_all += r->opt.apart ? cpu - r->poll_cpu : 0;
	r->cpu_before = r->poll_cpu = cpu;
	r->own = 0;
	r->last_at = now;
	r->next_at += interval;
	for (now = clock_seconds(); r->next_at <= now; r->next_at += interval)
		r->state.missed++;
}

static void
forget_ended(struct spec_run *r)
{
	for (size_t i = 0; i < programs_n(r->programs); i++)
		if (!r->end_known[i] && programs_at(r->programs, i)->state == PROGRAM_ENDED) {
			r->end_known[i] = true;
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
			r->finish_at = now + RUN_GRACE_SECONDS;
	} else if (programs_over(r->programs)) {
		bool late = r->opt.spec->duration > 0 && now - r->started_at >= r->opt.spec->duration;

		finish(r, late ? RUN_END_DURATION : RUN_END_ITSELF);
	}
}

/* Takes the last rows: all programs have ended. */
static void
end_all(struct spec_run *r)
{
	const struct profile_spec *s = r->opt.spec;
	struct spec_run_state *t = &r->state;
	double own;

	for (size_t i = 0; i < r->n; i++) {
		if (r->part[i].going && !r->part[i].over && r->part[i].program == SPEC_RUN_NONE)
			counters_run_finish(r->part[i].live);
		poll_part(r, &r->part[i]);
	}
	run_announce(&r->run, &(struct run_sign){.kind = RUN_OVER});
	t->seconds = clock_seconds() - r->started_at;
	spec_run_flush(r, t->seconds);
	memory_factor(r);
	t->interval = t->looks ? r->look_sum / (double)t->looks : 0;
	own = r->opt.apart ? r->own_all + clock_process_seconds() - r->poll_cpu
			   : clock_process_seconds() - r->cpu_at_start;
	t->processor = t->seconds > 0 ? own / t->seconds : 0;
	t->processor_kept = !(s->processor > 0) || t->processor <= s->processor;
	t->memory_kept = !(s->memory > 0) || t->memory <= s->memory;
	r->running = false;
}

static bool
poll_all(struct spec_run *r, struct err *e)
{
	struct err why = {0};

	if (!programs_tend(r->programs, &why)) {
		if (!*r->trouble.what)
			r->trouble = why;
		finish(r, RUN_END_ASKED);
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

bool
spec_run_poll(struct spec_run *r, struct err *e)
{
	bool over;

	err_set(e, "%s", "");
	if (!r->running)
		return false;
	r->poll_cpu = r->opt.apart ? clock_process_seconds() : 0;
	over = poll_all(r, e);
	if (r->opt.apart && !over)
		spec_run_took(r, clock_process_seconds() - r->poll_cpu);
	return over;
}

void
spec_run_took(struct spec_run *r, double seconds)
{
	r->own += seconds;
	r->own_all += seconds;
}

bool
spec_run_running(const struct spec_run *r)
{
	return r->running;
}

const struct obs_table *
spec_run_table(const struct spec_run *r)
{
	return r->table;
}

const struct obs *
spec_run_whole(const struct spec_run *r)
{
	return r->whole;
}

/* --- as a kind of run -------------------------------------------------------------------------------------------- */

struct run *
spec_as_run(struct spec_run *r)
{
	return r ? &r->run : NULL;
}

struct spec_run *
run_as_spec(struct run *r)
{
	return r && r->ops == &spec_run_ops ? (struct spec_run *)r : NULL;
}

static bool
run_open(struct run *r, struct err *e)
{
	return open_all((struct spec_run *)r, e);
}

static struct run_held
run_held(struct run *run)
{
	struct spec_run *r = (struct spec_run *)run;

	if (!r->pid) {
		r->n_pids = programs_n(r->programs);
		r->pid = mem_new_array(r->n_pids, sizeof *r->pid);
		r->name = mem_new_array(r->n_pids, sizeof *r->name);
	}
	for (size_t i = 0; i < r->n_pids; i++) {
		struct str text = {0};

		r->pid[i] = programs_at(r->programs, i)->pid;
		spec_run_name(r, i, &text);
		free(r->name[i]);
		r->name[i] = str_take(&text);
	}
	return (struct run_held){
		.pid = r->pid, .name = (const char *const *)r->name, .n = r->n_pids, .one_by_one = true};
}

static bool
run_go(struct run *r, struct err *e)
{
	return go((struct spec_run *)r, e);
}

static bool
run_is_running(const struct run *r)
{
	return ((const struct spec_run *)r)->running;
}

static int
run_fd(const struct run *r)
{
	return spec_run_wait_fd((const struct spec_run *)r);
}

static double
run_patience(const struct run *r)
{
	return spec_run_patience((const struct spec_run *)r);
}

/* Rows of an aggregated profile come at the end. */
static enum run_step
run_poll(struct run *r, struct err *e)
{
	struct spec_run *s = (struct spec_run *)r;
	size_t before = s->state.looks;

	return spec_run_poll(s, e) ? RUN_ENDED : s->state.looks != before ? RUN_NEWS : RUN_GOES_ON;
}

static void
run_finish(struct run *r)
{
	spec_run_finish((struct spec_run *)r);
}

static void
run_took(struct run *run, double seconds)
{
	struct spec_run *r = (struct spec_run *)run;

	if (r->opt.apart && r->running)
		spec_run_took(r, seconds);
}

static void
fill_facts(const struct run *run, struct run_facts *f)
{
	const struct spec_run *r = (const struct spec_run *)run;
	struct spec_run_state s;

	spec_run_state(r, &s);
	f->seconds = s.seconds;
	f->interval = s.present;
	f->whole = r->whole;
}

static void
run_explain(struct run *r, struct str *out)
{
	spec_run_explain((struct spec_run *)r, out);
}

static const struct obs_table *const *
run_tables(struct run *r, size_t *n)
{
	r->table = ((struct spec_run *)r)->table;
	*n = r->table != NULL;
	return &r->table;
}

static void
free_run(struct run *r)
{
	spec_run_free((struct spec_run *)r);
}

const struct run_ops spec_run_ops = {
	.name = "specification",
	.judged = true,
	.shown = true,
	.open = run_open,
	.held = run_held,
	.go = run_go,
	.running = run_is_running,
	.fd = run_fd,
	.patience = run_patience,
	.poll = run_poll,
	.finish = run_finish,
	.took = run_took,
	.facts = fill_facts,
	.explain = run_explain,
	.tables = run_tables,
	.free = free_run,
};
