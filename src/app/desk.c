#include "app/desk.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/engine.h"
#include "app/live.h"
#include "app/output.h"
#include "app/session.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/lang/diag.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"

#define PEEK_SECONDS 0.25

void
desk_open(struct desk *d, struct session *s, struct engine *engine, size_t runs)
{
	*d = (struct desk){.s = s, .engine = engine, .runs_left = runs, .keep = source_keep_new()};
}

void
desk_close(struct desk *d)
{
	live_free(d->s->live);
	d->s->live = NULL;
	output_free(d->output);
	source_keep_free(d->keep);
	engine_close(d->engine);
}

/* The recorded tables stand at 0 … n-1, the live one behind them. */
static void
send_live_table(struct desk *d)
{
	engine_table(d->engine, d->s->n_tables, live_table(d->s->live));
}

/* "sys:event" is a tracepoint; behind the colon of another event stand modifiers only. */
static bool
is_tracepoint(const char *event)
{
	const char *colon = strchr(event, ':');

	return colon && colon[1] && colon[1] != ':' && colon[1 + strspn(colon + 1, "ukhGHIpPSDWeb")] != '\0';
}

static bool
needs_tracefs(const struct session *s)
{
	for (size_t i = 0; i < s->model->n_counters; i++)
		for (size_t k = 0; k < s->model->counter[i].n_events; k++)
			if ((!s->how.counter || s->how.counter[i]) && is_tracepoint(s->model->counter[i].event[k].name))
				return true;
	return false;
}

static void
start_command(struct desk *d)
{
	struct session *s = d->s;
	struct live_options run = {.ops = &source_perf, .counter = s->how.counter, .argv = s->argv, .no_input = true, .own_group = true, .keep = d->keep};
	struct err e = {0};

	if (s->doctor.may_mount_tracefs && !s->doctor.tracefs_mounted && !s->asked_tracefs && needs_tracefs(s)) {
		s->asked_tracefs = true;
		s->popup = POPUP_TRACEFS;
		return;
	}
	if (!d->output && !(d->output = output_new(&e))) {
		session_say(s, true, "%s", e.what);
		return;
	}
	run.out_fd = run.err_fd = output_fd(d->output);
	if (s->live && live_running(s->live))
		return;
	/* A new command: its observations join those of the commands before, in one table. */
	if (!s->live)
		s->live = live_new(s->model, &run);
	else
		live_set_command(s->live, &run);
	str_clear(&s->run_notes);
	if (!live_start(s->live, &e)) {
		d->runs_left = 0;
		session_say(s, true, "%s", e.what);
		err_text(&e, &s->run_notes);
		return;
	}
	s->had_run = true;
	live_explain(s->live, &s->run_notes);
	session_say(s, false, "%s", "");
}

static void
command_ended(struct desk *d, const struct err *e)
{
	struct session *s = d->s;
	const struct source_end *end = live_end(s->live);

	output_read(d->output, &s->output, &s->output_total);
	if (*e->what)
		session_say(s, true, "%s", e->what);
	else if (end->signalled)
		session_say(s, true, "%s was ended by signal %d (%s)", s->argv[0], end->code, strsignal(end->code));
	else if (end->code)
		session_say(s, true, "%s ended with status %d; O shows what it printed", s->argv[0], end->code);
	if (end->left_behind)
		session_say(s, true, "%zu processes of %s still run: its totals are not exact", end->left_behind, s->argv[0]);
	send_live_table(d);
	s->want.engine = true;
	if (d->runs_left && --d->runs_left)
		s->want.command = true;
}

static void
load_model(struct desk *d, const char *name, bool demo)
{
	struct session *s = d->s;
	struct bundle b = {0};
	struct udd_loader loader = bundle_disk_loader(&b);
	struct analysis_options how = {.confidence = s->how.confidence > 0 ? s->how.confidence : 0.99};
	struct diags found = {0};
	struct err e = {0};
	struct udd_model *m = NULL;
	struct fset on;
	char *path = file_find(name, "models", ".udd", &e);

	if (path) {
		m = udd_parse(path, &loader, &found);
		if (!m) {
			str_clear(&s->text);
			diags_print(&found, "", &s->text);
			snprintf(s->title, sizeof s->title, "%s does not load", name);
			s->popup = POPUP_TEXT;
			s->popup_cursor = 0;
		}
	} else {
		session_say(s, true, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
	}
	if (m && udd_choose(m, NULL, NULL, NULL, &on, &e)) {
		session_set_model(s, &b, m, &how, &on);
		if (demo) {
			str_split_free(s->argv);
			s->argv = NULL;
			session_act(s, ACTION_command);
		}
	} else if (m) {
		session_say(s, true, "%s", e.what);
		udd_free(m);
	}
	diags_free(&found);
	bundle_free(&b);
	free(path);
}

static void
load_engine(struct desk *d)
{
	struct session *s = d->s;

	engine_load(d->engine, &s->bundle, &s->how);
	for (size_t i = 0; i < s->n_tables; i++)
		engine_table(d->engine, i, s->table[i]);
	if (s->live)
		send_live_table(d);
}

static void
mount_tracefs(struct desk *d)
{
	struct err e = {0};

	if (!doctor_mount_tracefs(&e))
		session_say(d->s, true, "%s", e.what);
	doctor_look(&d->s->doctor);
}

static void
ask_engine(struct desk *d)
{
	struct session *s = d->s;

	engine_run(d->engine, &s->on);
	s->asked = (struct question){0};
	s->busy = true;
	s->busy_since = s->now;
	s->stage[0] = '\0';
	s->of = 0;
}

static bool
take_replies(struct desk *d)
{
	struct session *s = d->s;
	struct engine_reply r;
	bool some = false;

	while (engine_next(d->engine, &r)) {
		some = true;
		switch (r.kind) {
		case ENGINE_PROGRESS:
			snprintf(s->stage, sizeof s->stage, "%s", r.stage);
			s->done = r.done;
			s->of = r.of;
			break;
		case ENGINE_RESULT:
			session_take_result(s, r.result);
			r.result = NULL;
			break;
		case ENGINE_NEIGHBOURS:
			session_take_neighbours(s, r.neighbours);
			r.neighbours = NULL;
			break;
		case ENGINE_WITNESS:
			str_clear(&s->text);
			str_add(&s->text, r.text);
			snprintf(s->title, sizeof s->title, "A µpath");
			s->popup = POPUP_WITNESS;
			s->popup_cursor = 0;
			break;
		case ENGINE_TOUCH:
			session_take_touch(s, r.touch);
			r.touch = NULL;
			break;
		case ENGINE_LOSS:
			session_take_loss(s, r.loss);
			r.loss = NULL;
			break;
		case ENGINE_RESTARTED:
		case ENGINE_FAILED:
			session_refuse(s, s->asked);
			session_say(s, true, "%s", r.text);
			str_addf(&s->log, "%s\n", r.text);
			break;
		}
		engine_reply_clear(&r);
	}
	s->busy = engine_busy(d->engine);
	engine_read_log(d->engine, &s->log);
	return some;
}

/* What the running command has counted so far: looked at four times a second. */
static void
peek(struct desk *d)
{
	struct session *s = d->s;

	if (!s->live || !live_running(s->live) || s->now - d->peeked_at < PEEK_SECONDS)
		return;
	d->peeked_at = s->now;
	if (!s->so_far) {
		s->so_far = mem_new_array(s->model->n_counters, sizeof *s->so_far);
		s->counted = mem_new_array(s->model->n_counters, sizeof *s->counted);
	}
	live_peek(s->live, s->so_far, s->counted);
}

static void
stop_engine(struct desk *d)
{
	struct session *s = d->s;
	bool result = s->busy;

	engine_stop(d->engine);
	s->busy = false;
	session_refuse(s, s->asked);
	if (!result) {
		session_say(s, false, "stopped");
		return;
	}
	session_revert(s);
	session_say(s, false, "stopped; what is shown belongs to the features as they stand");
}

static void
end_command(struct desk *d)
{
	live_stop(d->s->live);
	d->runs_left = 0;
	session_say(d->s, true, "%s was ended; its totals were dropped", d->s->argv[0]);
}

/* What is on the screen may want more than the result: one question at a time, and none that nobody waits for. */
static void
ask_more(struct desk *d)
{
	struct session *s = d->s;
	struct question q;

	if (s->asked.kind != QUESTION_NONE && !session_wants_answer(s, s->asked)) {
		engine_stop(d->engine);
		s->asked = (struct question){0};
	}
	if (s->asked.kind != QUESTION_NONE || engine_busy(d->engine))
		return;
	q = session_question(s);
	switch (q.kind) {
	case QUESTION_NONE:
		return;
	case QUESTION_TOUCH:
		engine_touch(d->engine, &s->result->on, q.index, s->constraints->row[q.index].c);
		break;
	case QUESTION_LOSS:
		engine_loss(d->engine, s->result, q.index);
		break;
	}
	s->asked = q;
	s->asked_since = s->now;
}

/* Take the wishes back one by one, in the order in which they build on each other. */
void
desk_fulfil(struct desk *d)
{
	struct session *s = d->s;
	struct session_wants w = s->want;

	s->want = (struct session_wants){.quit = w.quit, .redraw = w.redraw, .write = w.write, .theme = w.theme};
	if (w.open)
		load_model(d, w.open, w.demo);
	free(w.open);
	if (w.stop)
		stop_engine(d);
	if (w.kill && s->live)
		end_command(d);
	if (w.load || s->want.load)
		load_engine(d);
	if (w.mount)
		mount_tracefs(d);
	if (w.command || w.mount)
		start_command(d);
	if ((w.engine || s->want.engine) && s->model)
		ask_engine(d);
	if (w.witness && !engine_busy(d->engine))
		engine_witness(d->engine, w.witness - 1);
	s->want.load = s->want.engine = false;
	ask_more(d);
}

bool
desk_listen(struct desk *d)
{
	struct session *s = d->s;
	struct err e = {0};
	bool some = take_replies(d);

	if (s->live && live_poll(s->live, &e)) {
		command_ended(d, &e);
		some = true;
	}
	peek(d);
	if (d->output)
		output_read(d->output, &s->output, &s->output_total);
	return some;
}

bool
desk_busy(const struct desk *d)
{
	return d->s->busy || d->s->asked.kind != QUESTION_NONE || (d->s->live && live_running(d->s->live));
}

void
desk_poll(const struct desk *d, struct pollfd p[DESK_POLLS])
{
	p[0] = (struct pollfd){.fd = engine_fd(d->engine), .events = (short)(POLLIN | (engine_wants_write(d->engine) ? POLLOUT : 0))};
	p[1] = (struct pollfd){.fd = engine_log_fd(d->engine), .events = POLLIN};
	p[2] = (struct pollfd){.fd = d->s->live ? live_wait_fd(d->s->live) : -1, .events = POLLIN};
}
