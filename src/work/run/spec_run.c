#include "work/run/spec_run.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/source.h"
#include "work/run/run_subject.h"
#include "work/run/spec_parts.h"
#include "work/run/spec_table.h"

struct spec_run {
	struct run run;
	int *pid;                    /* of the programs, while they are held; n_pids of them */
	char **name;
	size_t n_pids;
	struct spec_run_options opt;
	struct run_subject subject;  /* opt.target is its target */
	char *picked;                /* opt.picked, owned */
	struct source_keep *keep;
	struct programs *programs;   /* NULL: they could not start */
	struct spec_parts *parts;    /* NULL: not open */
	int epoll;
	bool *end_known;             /* for each program: its end is known */
	struct spec_clock *clock;    /* NULL: not started */
	struct err trouble;          /* what ended it early */
};

/* Frees the counters and ends the programs: nothing starts. */
static void
spec_run_give_up(struct spec_run *r)
{
	r->run.table = NULL;
	spec_parts_free(r->parts);
	programs_free(r->programs);
	r->parts = NULL;
	r->programs = NULL;
}

static void
spec_run_free(struct run *run)
{
	struct spec_run *spec_run = (struct spec_run *)run;

	spec_run_give_up(spec_run);
	for (size_t i = 0; i < spec_run->n_pids; i++)
		free(spec_run->name[i]);
	free(spec_run->name);
	free(spec_run->pid);
	source_keep_free(spec_run->keep);
	spec_clock_free(spec_run->clock);
	if (spec_run->epoll >= 0)
		close(spec_run->epoll);
	run_subject_free(&spec_run->subject);
	free(spec_run->picked);
	free(spec_run->end_known);
	free(spec_run);
}

struct spec_run *
spec_run_new(const struct spec_run_options *options, struct err *e)
{
	struct spec_run *run = mem_new(sizeof *run);
	struct epoll_event ready = {.events = EPOLLIN};

	run->run.ops = &spec_run_ops;
	run->opt = *options;
	run->opt.picked = run->picked = options->picked ? mem_str(options->picked) : NULL;
	run->subject = run_subject_of(NULL, options->target, options->spec->name);
	run->opt.target = run->subject.target;
	run->epoll = epoll_create1(EPOLL_CLOEXEC);
	run->keep = source_keep_new(); /* before the programs: its helper must not inherit their pipes */
	if (run->epoll < 0)
		err_set(e, "cannot wait for programs: %s", strerror(errno));
	else
		run->programs = programs_new(options->spec, options->out_fd, options->err_fd, e);
	if (!run->programs) {
		spec_run_free(&run->run);
		return NULL;
	}
	run->end_known = mem_new_array(programs_n(run->programs), sizeof *run->end_known);
	for (size_t i = 0; i < programs_n(run->programs); i++)
		epoll_ctl(run->epoll, EPOLL_CTL_ADD, programs_fd(run->programs, i), &ready);
	return run;
}

/* --- start to end ------------------------------------------------------------------------------------------------ */

/* Announces that a program starts, and starts its counters. */
static bool
on_begin(void *ctx, size_t program, struct err *e)
{
	struct spec_run *r = ctx;

	run_announce(&r->run,
		&(struct run_sign){.kind = RUN_STARTS, .pid = programs_at(r->programs, program)->pid});
	return spec_parts_begin(r->parts, program, e);
}

static bool
spec_run_open(struct run *run, struct err *e)
{
	struct spec_run *r = (struct spec_run *)run;

	r->parts = spec_parts_open(&r->opt, r->programs, r->keep, e);
	if (!r->parts)
		return false;
	r->run.table = spec_table_obs(spec_parts_table(r->parts));
	programs_on_begin(r->programs, on_begin, r);
	return true;
}

static struct run_held
spec_run_held(struct run *run)
{
	struct spec_run *spec_run = (struct spec_run *)run;

	if (!spec_run->pid) {
		spec_run->n_pids = programs_n(spec_run->programs);
		spec_run->pid = mem_new_array(spec_run->n_pids, sizeof *spec_run->pid);
		spec_run->name = mem_new_array(spec_run->n_pids, sizeof *spec_run->name);
	}
	for (size_t i = 0; i < spec_run->n_pids; i++) {
		struct str text = {0};

		spec_run->pid[i] = programs_at(spec_run->programs, i)->pid;
		programs_name(spec_run->programs, i, &text);
		free(spec_run->name[i]);
		spec_run->name[i] = str_take(&text);
	}
	return (struct run_held){.pid = spec_run->pid,
		.name = (const char *const *)spec_run->name,
		.n = spec_run->n_pids,
		.one_by_one = true};
}

/* The clock starts after all others have joined: the time that they needed is in no interval. */
static bool
spec_run_go(struct run *run, struct err *e)
{
	struct spec_run *r = (struct spec_run *)run;

	r->clock = spec_clock_new(r->opt.spec, r->opt.apart);
	run->limits = run_limits_begin(0, r->opt.spec->duration);
	if (spec_parts_begin(r->parts, SPEC_PARTS_MACHINE, e) && programs_begin(r->programs, e))
		return true;
	spec_run_give_up(r);
	return false;
}

static int
spec_run_fd(const struct run *r)
{
	return ((const struct spec_run *)r)->epoll;
}

static double
spec_run_patience(const struct run *run)
{
	const struct spec_run *r = (const struct spec_run *)run;
	double wait = spec_clock_patience(r->clock);
	int begins = programs_wait_ms(r->programs);

	return fmax(begins >= 0 ? fmin(wait, begins / 1e3) : wait, 0);
}

static void
spec_run_end(struct run *run, bool hard)
{
	programs_stop(((struct spec_run *)run)->programs, hard ? SIGKILL : SIGTERM);
}

static void
sample(struct spec_run *r)
{
	double at = spec_clock_seconds(r->clock);

	spec_parts_sample(r->parts, &r->trouble);
	run_announce(&r->run, &(struct run_sign){.kind = RUN_INTERVAL});
	spec_table_flush(spec_parts_table(r->parts), at);
	spec_clock_sampled(r->clock, at);
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

/* Takes the last rows: all programs have ended. */
static void
end_all(struct spec_run *r)
{
	double seconds;

	spec_parts_end(r->parts, &r->trouble);
	run_announce(&r->run, &(struct run_sign){.kind = RUN_OVER});
	seconds = spec_clock_seconds(r->clock);
	spec_table_flush(spec_parts_table(r->parts), seconds);
	spec_clock_end(r->clock, seconds);
}

/* True when all has ended. */
static bool
poll_all(struct spec_run *run)
{
	struct err why;

	if (!programs_tend(run->programs, &why)) {
		if (!*run->trouble.what)
			run->trouble = why;
		run_finish(&run->run);
	}
	forget_ended(run);
	spec_parts_poll(run->parts, &run->trouble);
	if (programs_over(run->programs))
		run_end(&run->run, run_limits_late(&run->run.limits) ? RUN_END_DURATION : RUN_END_ITSELF);
	if (spec_clock_patience(run->clock) <= 0)
		sample(run);
	if (!run->run.limits.finishing || programs_left(run->programs))
		return false;
	end_all(run);
	return true;
}

/* Rows of an aggregated profile come at the end. */
static enum run_step
spec_run_poll(struct run *run, struct err *e)
{
	struct spec_run *spec_run = (struct spec_run *)run;
	size_t before = spec_clock_state(spec_run->clock).looks;

	spec_clock_enter(spec_run->clock);
	if (!poll_all(spec_run)) {
		spec_clock_leave(spec_run->clock);
		return spec_clock_state(spec_run->clock).looks != before ? RUN_NEWS : RUN_GOES_ON;
	}
	*e = spec_run->trouble;
	return RUN_ENDED;
}

static void
spec_run_took(struct run *run, double seconds)
{
	const struct spec_run *r = (const struct spec_run *)run;

	if (run->running)
		spec_clock_took(r->clock, seconds);
}

/* --- what it found ----------------------------------------------------------------------------------------------- */

const struct spec_run_options *
spec_run_options(const struct spec_run *r)
{
	return &r->opt;
}

const struct programs *
spec_run_programs(const struct spec_run *r)
{
	return r->programs;
}

void
spec_run_state(const struct spec_run *r, struct spec_run_state *s)
{
	*s = r->clock ? spec_clock_state(r->clock) : (struct spec_run_state){0};
	s->running = r->run.running;
	s->ending = r->run.limits.ending;
	s->whole = r->parts && spec_table_has_whole(spec_parts_table(r->parts));
}

static void
spec_run_fill_facts(const struct run *run, struct run_facts *f)
{
	const struct spec_run *r = (const struct spec_run *)run;
	struct spec_run_state s;

	spec_run_state(r, &s);
	f->seconds = s.seconds;
	f->interval = s.present;
	f->whole = r->parts ? spec_table_whole(spec_parts_table(r->parts)) : NULL;
}

static void
spec_run_explain(struct run *r, struct str *out)
{
	if (((const struct spec_run *)r)->parts)
		spec_parts_explain(((const struct spec_run *)r)->parts, out);
}

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

const struct run_ops spec_run_ops = {
	.name = "specification",
	.judged = true,
	.shown = true,
	.open = spec_run_open,
	.held = spec_run_held,
	.go = spec_run_go,
	.fd = spec_run_fd,
	.patience = spec_run_patience,
	.poll = spec_run_poll,
	.end = spec_run_end,
	.took = spec_run_took,
	.facts = spec_run_fill_facts,
	.explain = spec_run_explain,
	.free = spec_run_free,
};
