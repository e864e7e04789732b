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
probe_run_new(struct probe_book *b, const struct prober_job *job, size_t n)
{
	struct probe_run *p = mem_new(sizeof *p);

	p->run.ops = &probe_run_ops;
	p->book = b;
	p->n = n;
	p->job = mem_new_array(n, sizeof *p->job);
	p->on = mem_new_array(n, sizeof *p->on);
	for (size_t i = 0; i < n; i++) {
		p->on[i] = mem_str(job[i].on);
		p->job[i] = (struct prober_job){.on = p->on[i], .probe = job[i].probe};
	}
	return &p->run;
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
probe_run_take(struct probe_run *p, struct prober_news *x)
{
	const struct prober_job *job = x->job < p->n ? &p->job[x->job] : NULL;

	switch (x->word) {
	case PROBER_BEGINS:
		end_curve(p, false);
		if (job)
			p->growing = probe_book_begin(p->book, job->on, job->probe->name);
		p->at = p->done = x->job;
		break;
	case PROBER_POINT:
		if (p->growing && x->at <= p->growing->curve.n)
			probe_book_point(p->growing, x->at, &x->point);
		break;
	case PROBER_NOTE:
		if (p->growing && x->text) {
			curve_note(&p->growing->curve, x->text);
			x->text = NULL;
		}
		break;
	case PROBER_DONE:
		end_curve(p, true);
		break;
	case PROBER_FAILED:
		end_curve(p, false);
		if (job)
			str_addf(&p->remarks, "%s on %s: %s\n", job->probe->name, job->on,
				x->text ? x->text : "it could not run");
		break;
	case PROBER_ENDED:
	case PROBER_WORDS:
		break;
	}
}

static enum run_step
probe_poll(struct run *r, struct err *e)
{
	struct probe_run *p = probes(r);
	struct prober_news x;
	enum run_step step = RUN_GOES_ON;

	for (int i = 0; i < NEWS_MOST && prober_next(p->prober, &x); i++) {
		step = RUN_NEWS;
		if (x.word == PROBER_ENDED) {
			end_curve(p, false);
			p->took = clock_seconds() - r->limits.started_at;
			if (x.text)
				err_set(e, "%s", x.text);
			step = RUN_ENDED;
		} else {
			probe_run_take(p, &x);
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
	struct probe_run *p = probes(r);

	prober_free(p->prober);
	end_curve(p, false);
	for (size_t i = 0; i < p->n; i++)
		free(p->on[i]);
	free(p->on);
	free(p->job);
	str_free(&p->remarks);
	free(p);
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
	const struct probe_run *p = r && r->ops == &probe_run_ops ? (const struct probe_run *)r : NULL;
	const struct prober_job *job = p && p->at < p->n ? &p->job[p->at] : NULL;

	if (!p || !r->running)
		return (struct probe_progress){0};
	return (struct probe_progress){
		.running = true, .probe = job->probe->name, .machine = job->on, .done = p->done, .of = p->n,
		.points = p->growing ? p->growing->curve.n : 0,
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
