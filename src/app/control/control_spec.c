#include "app/control/control_spec.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "app/autosave/autosave.h"
#include "app/control/control.h"
#include "app/control/control_command.h"
#include "app/control/control_timeline.h"
#include "app/engine/engine.h"
#include "app/run/output.h"
#include "app/state/state.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/obs/obs.h"

#define REFRESH_SECONDS 0.25 /* as in control_command.c */
#define REFRESH_SHARE 4     

bool
control_spec_is_subject(const struct control *d)
{
	return d->s->question.subject.spec && !d->s->question.subject.argv;
}

/* --- starting ---------------------------------------------------------------------------------------------------- */

struct spec_run *
control_spec_new(const struct control *d, counter_list_make *counters, struct err *e)
{
	struct state *s = d->s;
	unsigned before = 0;
	struct spec_run_options how = {
		.spec = s->question.subject.spec, .counters = counters, .ctx = s,
		.target = s->question.subject.target,
		.out_fd = output_fd(d->output), .err_fd = output_fd(d->output),
		.folds = !s->question.model,
		.peeked = s->question.model != NULL, .apart = true,
	};

	for (size_t i = 0; i < s->data.n_runs; i++)
		before += run_as_spec(s->data.run[i]) != NULL;
	how.again = before + 1;
	return spec_run_new(&how, e);
}

/* --- the engine -------------------------------------------------------------------------------------------------- */

void
control_spec_note_sent(struct control *d)
{
	const struct obs_table *t = run_table(d->s->data.leader);

	if (!run_as_spec(d->s->data.leader))
		return;
	d->spec_sent = mem_resize(d->spec_sent, t->n, sizeof *d->spec_sent);
	d->n_spec_sent = t->n;
	for (size_t i = 0; i < t->n; i++)
		d->spec_sent[i] = t->obs[i]->n_rows;
}

static bool
is_behind(const struct control *d)
{
	const struct obs_table *t = run_table(d->s->data.leader);

	for (size_t i = 0; i < t->n; i++)
		if (i >= d->n_spec_sent || t->obs[i]->n_rows > d->spec_sent[i])
			return true;
	return false;
}

static void
send_rows(struct control *d)
{
	const struct obs_table *t = run_table(d->s->data.leader);
	size_t number = state_table_number(d->s, d->s->data.leader);

	for (size_t i = 0; i < t->n; i++)
		if (i >= d->n_spec_sent || t->obs[i]->n_rows > d->spec_sent[i])
			engine_rows(d->engine, number, t, i, i < d->n_spec_sent ? d->spec_sent[i] : 0);
	control_spec_note_sent(d);
}

/* Sends new samples to the idle engine, and asks for a verdict. */
static bool
follow_model(struct control *d)
{
	struct state *s = d->s;

	if (!is_behind(d))
		return false;
	if (d->gave_up || engine_busy(d->engine) || s->answers.search.task != SEARCH_NONE ||
		s->view.frame.now - d->asked_at < fmax(REFRESH_SECONDS, REFRESH_SHARE * d->took))
		return true;
	send_rows(d);
	engine_run(d->engine, &s->question.on);
	d->refreshing = true;
	d->asked_at = s->view.frame.now;
	return true;
}

/* --- while it goes ----------------------------------------------------------------------------------------------- */

bool
control_spec_follow(struct control *d)
{
	struct spec_run *r = run_as_spec(d->s->data.leader);
	double before = clock_process_seconds();
	bool some;

	if (!r || !spec_run_running(r))
		return false;
	some = d->s->question.model ? follow_model(d) : control_timeline_follow(d);
	spec_run_took(r, clock_process_seconds() - before);
	return some;
}

/* Reports the first program that failed by itself. Programs that the profile ended are not reported. */
static bool
say_failure(struct control *d, const struct spec_run *r)
{
	struct str name = {0};
	bool some = false;

	for (size_t i = 0; i < programs_n(spec_run_programs(r)) && !some; i++) {
		const struct program *p = programs_at(spec_run_programs(r), i);
		int status = p->end.status;

		if (p->state != PROGRAM_ENDED || !p->end.known ||
			!(WIFSIGNALED(status) ? !p->of->background : WEXITSTATUS(status)))
			continue;
		some = true;
		spec_run_name(r, i, &name);
		if (WIFSIGNALED(status))
			state_say(d->s, true, "%s was ended by signal %d (%s)", str_text(&name), WTERMSIG(status),
				strsignal(WTERMSIG(status)));
		else
			state_say(d->s, true, "%s ended with status %d; O shows what it printed", str_text(&name),
				WEXITSTATUS(status));
	}
	str_free(&name);
	return some;
}

static void
say_how_it_ended(struct control *d, struct spec_run *r, const struct err *e)
{
	struct state *s = d->s;
	struct spec_run_state t;
	char number[NUMBER_TEXT], other[NUMBER_TEXT];

	spec_run_state(r, &t);
	if (*e->what)
		state_say(s, true, "%s", e->what);
	else if (t.ending == RUN_END_ASKED)
		state_say(s, false, "%s was stopped after %s s; its counts until then are kept",
			s->question.subject.spec->name, number_digits(number, t.seconds, 3, false));
	else if (t.ending == RUN_END_ITSELF && say_failure(d, r))
		;
	else if (!t.processor_kept || !t.memory_kept)
		state_say(s, true, "%s took %s s; its limit of %s was not kept: O shows more",
			s->question.subject.spec->name, number_digits(number, t.seconds, 3, false),
			t.processor_kept ? "memory" : "processor");
	else if (t.looks)
		state_say(s, false, "%s took %s s: %zu samples, every %s s on average", s->question.subject.spec->name,
			number_digits(number, t.seconds, 3, false), t.looks,
			number_digits(other, t.interval, 3, false));
	else
		state_say(s, false, "%s took %s s", s->question.subject.spec->name,
			number_digits(number, t.seconds, 3, false));
	str_clear(&s->data.run_notes);
	spec_run_report_programs(r, &s->data.run_notes);
	spec_run_report_limits(r, &s->data.run_notes);
	spec_run_explain(r, &s->data.run_notes);
}

void
control_spec_ended(struct control *d, struct spec_run *r, const struct err *e)
{
	struct state *s = d->s;

	say_how_it_ended(d, r, e);
	if (s->question.model)
		control_send_tables(d); /* in aggregated mode totals have replaced the rows */
	else
		control_timeline_follow(d);
	if (s->question.model)
		state_request(s, REQUEST_RESULT);
	autosave_soon(d->file);
}
