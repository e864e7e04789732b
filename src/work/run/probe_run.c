#include "work/run/probe_run.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "work/probe/probe_book.h"
#include "work/probe/prober.h"
#include "work/run/run.h"

#define NEWS_MOST 4096 /* that one poll takes, so that keys do not wait for a fast machine */

struct probe_run {
	struct run run;
	struct probe_book *book;
	struct prober_job *job; /* n */
	char **on;              /* the names of their machines */
	size_t n, done;
	struct prober *prober;  /* NULL: not started */
	struct probe_measured *growing; /* NULL: none; the book owns it */
	size_t at;              /* its job */
	double took;            /* seconds */
	struct str remarks;
};

static struct probe_run *
probes(struct run *r)
{
	return (struct probe_run *)r;
}

struct run *
probe_run_new(struct probe_book *book, const struct prober_job *job, size_t n)
{
	struct probe_run *run = mem_new(sizeof *run);

	run->run.ops = &probe_run_ops;
	run->book = book;
	run->n = n;
	run->job = mem_new_array(n, sizeof *run->job);
	run->on = mem_new_array(n, sizeof *run->on);
	for (size_t i = 0; i < n; i++) {
		run->on[i] = mem_str(job[i].on);
		run->job[i] = (struct prober_job){.on = run->on[i], .probe = job[i].probe};
	}
	return &run->run;
}

static bool
probe_go(struct run *r, struct err *e)
{
	struct probe_run *p = probes(r);

	prober_free(p->prober);
	p->prober = prober_start(p->job, p->n, e);
	p->done = p->at = 0;
	r->limits = run_limits_begin(0, 0);
	str_clear(&p->remarks);
	return p->prober != NULL;
}

static int
probe_fd(const struct run *r)
{
	return prober_fd(((const struct probe_run *)r)->prober);
}

static void
end_curve(struct probe_run *p, bool whole)
{
	if (p->growing)
		probe_book_end(p->book, p->growing, whole);
	p->growing = NULL;
}

static void
probe_run_take(struct probe_run *run, struct prober_news *news)
{
	const struct prober_job *job = news->job < run->n ? &run->job[news->job] : NULL;

	switch (news->word) {
	case PROBER_BEGINS:
		end_curve(run, false);
		if (job)
			run->growing = probe_book_begin(run->book, job->on, job->probe->name);
		run->at = run->done = news->job;
		break;
	case PROBER_POINT:
		if (run->growing && news->at <= run->growing->curve.n)
			probe_book_point(run->growing, news->at, &news->point);
		break;
	case PROBER_NOTE:
		if (run->growing && news->text) {
			curve_note(&run->growing->curve, news->text);
			news->text = NULL;
		}
		break;
	case PROBER_DONE:
		end_curve(run, true);
		break;
	case PROBER_FAILED:
		end_curve(run, false);
		if (job)
			str_addf(&run->remarks, "%s on %s: %s\n", job->probe->name, job->on,
				news->text ? news->text : "it could not run");
		break;
	case PROBER_ENDED:
	case PROBER_WORDS:
		break;
	}
}

static enum run_step
probe_poll(struct run *r, struct err *e)
{
	struct probe_run *run = probes(r);
	struct prober_news x;
	enum run_step step = RUN_GOES_ON;

	for (int i = 0; i < NEWS_MOST && prober_next(run->prober, &x); i++) {
		step = RUN_NEWS;
		if (x.word == PROBER_ENDED) {
			end_curve(run, false);
			run->took = clock_seconds() - r->limits.started_at;
			if (x.text)
				err_set(e, "%s", x.text);
			step = RUN_ENDED;
		} else {
			probe_run_take(run, &x);
		}
		free(x.text);
		if (step == RUN_ENDED)
			break;
	}
	return step;
}

static void
probe_end(struct run *r, bool hard)
{
	(void)hard;
	prober_stop(probes(r)->prober);
}

static void
probe_facts(const struct run *r, struct run_facts *f)
{
	const struct probe_run *p = (const struct probe_run *)r;

	f->label = p->at < p->n ? p->job[p->at].on : NULL;
	f->seconds = r->running ? clock_seconds() - r->limits.started_at : p->took;
	f->ending = r->limits.ending;
}

static void
probe_explain(struct run *r, struct str *out)
{
	str_add(out, str_text(&probes(r)->remarks));
}

static void
probe_run_free(struct run *r)
{
	struct probe_run *run = probes(r);

	prober_free(run->prober);
	end_curve(run, false);
	for (size_t i = 0; i < run->n; i++)
		free(run->on[i]);
	free(run->on);
	free(run->job);
	str_free(&run->remarks);
	free(run);
}

static size_t
points_of(const struct probe *p)
{
	size_t n = 0;

	for (uint64_t x = p->first; x <= p->last; x = probe_next_x(p, x))
		n++;
	return n;
}

struct probe_progress
probe_run_progress(const struct run *r)
{
	const struct probe_run *run = r && r->ops == &probe_run_ops ? (const struct probe_run *)r : NULL;
	const struct prober_job *job = run && run->at < run->n ? &run->job[run->at] : NULL;

	if (!run || !r->running)
		return (struct probe_progress){0};
	return (struct probe_progress){
		.running = true, .probe = job->probe->name, .machine = job->on, .done = run->done, .of = run->n,
		.points = run->growing ? run->growing->curve.n : 0,
		.all_points = points_of(job->probe),
	};
}

const struct run_ops probe_run_ops = {
	.name = "probes",
	.go = probe_go,
	.fd = probe_fd,
	.poll = probe_poll,
	.end = probe_end,
	.facts = probe_facts,
	.explain = probe_explain,
	.free = probe_run_free,
};
