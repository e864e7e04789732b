#include "work/fit/fitting.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "shape/wire.h"
#include "work/fit/fit.h"
#include "work/run/counter_list.h"
#include "work/side_process.h"

#define PATIENCE 20 /* seconds, after which the process ends itself */

struct fitting {
	char *question;     /* names of counters and events */
	char *line, *brief; /* NULL: not known yet */
	bool good;
	struct side_process *process; /* NULL: nothing is asked */
};

/* What the process works on; it has a copy of all that this points to. */
struct fitting_work {
	const struct counter_list *list;
	const bool *asked;
	bool cpus;
};

static void
fitting_work(struct side_sender *sender, void *ctx)
{
	const struct fitting_work *work = ctx;
	struct str line = {0};
	struct wire wire = {0};
	struct err e = {0};
	struct fit *fit;
	char *text;
	bool good;

	alarm(PATIENCE);
	fit = fit_of_counters(work->list, work->asked, &e);
	good = fit && !fit_is_tight(fit, work->cpus);
	for (size_t i = 0; fit && i < fit->n; i++)
		good &= fit->event[i].kind != FIT_REFUSED;
	if (fit)
		fit_write_brief(fit, work->cpus, &line);
	else
		str_add(&line, e.what);
	text = str_take(&line);
	wire_str(&wire, &text);
	wire_bool(&wire, &good);
	side_send(sender, &wire);
	wire_free(&wire);
	free(text);
	fit_free(fit);
}

struct fitting *
fitting_new(void)
{
	return mem_new(sizeof(struct fitting));
}

static void
fitting_forget(struct fitting *f)
{
	free(f->line);
	free(f->brief);
	f->line = f->brief = NULL;
}

void
fitting_free(struct fitting *f)
{
	if (!f)
		return;
	side_process_free(f->process);
	fitting_forget(f);
	free(f->question);
	free(f);
}

static char *
fitting_question(const struct counter_list *list, const bool *asked, bool cpus)
{
	struct str out = {0};

	str_addc(&out, cpus ? 'c' : 't');
	for (size_t i = 0; list && i < list->n; i++)
		for (size_t k = 0; k < list->counter[i].n_choices && (!asked || asked[i]); k++)
			for (size_t m = 0; m < list->counter[i].choice[k].n; m++)
				str_addf(&out, " %zu:%zu:%s", i, k, list->counter[i].choice[k].event[m].name);
	return str_take(&out);
}

void
fitting_ask(struct fitting *f, const struct counter_list *list, const bool *asked, bool cpus)
{
	struct fitting_work work = {list, asked, cpus};
	char *question = fitting_question(list, asked, cpus);
	struct err e = {0};

	if (!f->question || !str_eq(question, f->question))
		fitting_forget(f);
	free(f->question);
	f->question = question;
	side_process_free(f->process);
	f->process = !list ? NULL : side_process_start("hecate-fit", fitting_work, &work, &e);
}

int
fitting_fd(const struct fitting *f)
{
	return f && f->process ? side_process_fd(f->process) : -1;
}

static bool
fitting_take(void *fitting, struct wire *wire)
{
	struct fitting *f = fitting;

	fitting_forget(f);
	wire_str(wire, &f->line);
	wire_bool(wire, &f->good);
	if (f->line)
		f->brief = mem_strn(f->line, strcspn(f->line, ";:"));
	return !wire->bad && f->line;
}

bool
fitting_poll(struct fitting *f)
{
	char *died = NULL;
	enum side_news news;

	if (!f || !f->process || (news = side_process_take(f->process, fitting_take, f, &died)) == SIDE_NOTHING)
		return false;
	if (news == SIDE_ENDED) {
		side_process_free(f->process);
		f->process = NULL;
	}
	if (died) {
		fitting_forget(f);
		f->line = str_format("not known whether it fits: %s", died);
		f->brief = mem_str("not known");
		f->good = false;
	}
	free(died);
	return true;
}

const char *
fitting_line(const struct fitting *f)
{
	return f && f->line ? f->line : "";
}

const char *
fitting_short(const struct fitting *f)
{
	return f && f->brief ? f->brief : "";
}

bool
fitting_write(const struct fitting *f, struct str *out)
{
	if (*fitting_line(f))
		str_addf(out, "Fit: %s.", f->line);
	else if (fitting_fd(f) >= 0)
		str_add(out, "Fit: the kernel is asked.");
	return *fitting_line(f) && !f->good;
}
