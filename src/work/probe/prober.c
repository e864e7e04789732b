#include "work/probe/prober.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "shape/wire.h"
#include "work/probe/probe_machine.h"
#include "work/side_process.h"

struct prober {
	struct side_process *process;
};

static void
news_wire(struct wire *w, struct prober_news *x)
{
	x->word = (enum prober_word)wire_word(w, (int)x->word, PROBER_ENDED);
	wire_size(w, &x->job);
	wire_size(w, &x->at);
	wire_double(w, &x->point.x);
	wire_double(w, &x->point.min);
	wire_double(w, &x->point.mean);
	wire_double(w, &x->point.max);
	wire_str(w, &x->text);
}

/* --- in the prober ----------------------------------------------------------------------------------------------- */

struct child {
	struct side_sender *sender;
	const struct prober_job *job; /* n */
	size_t n, at;                 /* at: the job that is done now */
	struct curve sent;            /* the curve as it was sent */
};

static void
prober_say(struct child *c, const struct prober_news *news)
{
	struct prober_news x = *news;
	struct wire w = {0};

	x.job = c->at;
	news_wire(&w, &x);
	side_send(c->sender, &w);
	wire_free(&w);
}

static void
say_text(struct child *c, enum prober_word word, const char *text)
{
	char *copy = mem_str(text);

	prober_say(c, &(struct prober_news){.word = word, .text = copy});
	free(copy);
}

static bool
same_point(const struct curve_point *a, const struct curve_point *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

static bool
prober_hear(void *child, const struct curve *curve)
{
	struct child *c = child;

	for (size_t i = 0; i < curve->n; i++) {
		if (i < c->sent.n && same_point(&curve->point[i], &c->sent.point[i]))
			continue;
		prober_say(c, &(struct prober_news){.word = PROBER_POINT, .at = i, .point = curve->point[i]});
		if (i < c->sent.n)
			c->sent.point[i] = curve->point[i];
		else
			curve_add(&c->sent, &curve->point[i]);
	}
	return side_is_awaited(c->sender);
}

static void
run_job(struct child *c, struct probe_machine *machine, const struct probe *p)
{
	struct curve curve = {0};
	struct err e = {0};
	bool good = probe_machine_run(machine, p, prober_hear, c, &curve, &e);

	prober_hear(c, &curve);
	for (size_t i = 0; i < curve.n_notes; i++)
		say_text(c, PROBER_NOTE, curve.note[i]);
	if (good)
		prober_say(c, &(struct prober_news){.word = PROBER_DONE});
	else
		say_text(c, PROBER_FAILED, e.what);
	curve_free(&curve);
	curve_free(&c->sent);
	c->sent = (struct curve){0};
}

static void
run_jobs(struct side_sender *sender, void *child)
{
	struct child *c = child;
	struct probe_machine *machine = NULL;
	const char *on = NULL;
	struct err e = {0};

	c->sender = sender;
	for (; c->at < c->n; c->at++) {
		const struct prober_job *job = &c->job[c->at];

		if (!on || !str_eq(on, job->on)) {
			probe_machine_free(machine);
			e = (struct err){0};
			machine = probe_machine_new(job->on, NULL, &e);
			on = job->on;
		}
		if (machine && c->n > 1 && !probe_machine_takes(machine, job->probe))
			continue; /* of many, those that suit the machine */
		prober_say(c, &(struct prober_news){.word = PROBER_BEGINS});
		if (machine)
			run_job(c, machine, job->probe);
		else
			say_text(c, PROBER_FAILED, e.what);
	}
	probe_machine_free(machine);
}

/* --- in the process that started it ------------------------------------------------------------------------------ */

struct prober *
prober_start(const struct prober_job *job, size_t n, struct err *e)
{
	struct child child = {.job = job, .n = n};
	struct side_process *process = side_process_start("hecate-prober", run_jobs, &child, e);
	struct prober *p = process ? mem_new(sizeof *p) : NULL;

	if (p)
		p->process = process;
	return p;
}

int
prober_fd(const struct prober *p)
{
	return side_process_fd(p->process);
}

int
prober_pid(const struct prober *p)
{
	return side_process_pid(p->process);
}

bool
prober_next(struct prober *prober, struct prober_news *news)
{
	struct wire w;
	char *died;

	*news = (struct prober_news){0};
	switch (side_process_next(prober->process, &w, &died)) {
	case SIDE_NOTHING:
		return false;
	case SIDE_MESSAGE:
		news_wire(&w, news);
		if (!w.bad)
			return true;
		free(news->text);
		side_process_break(prober->process, &died);
		break;
	case SIDE_ENDED:
		break;
	}
	*news = (struct prober_news){.word = PROBER_ENDED};
	if (died)
		news->text = str_format("%s; what it had measured stands", died);
	free(died);
	return true;
}

void
prober_stop(struct prober *p)
{
	side_process_stop(p->process);
}

void
prober_free(struct prober *p)
{
	if (!p)
		return;
	side_process_free(p->process);
	free(p);
}
