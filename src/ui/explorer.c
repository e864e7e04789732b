/* One loop: ppoll over the terminal, the engine, the command and signals; then whatever the session wishes is done, and
 * the screen is drawn when something changed, at most 60 times a second. */
#include "ui/explorer.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/engine.h"
#include "app/live.h"
#include "app/session.h"
#include "app/start.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/lang/diag.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "draw/theme.h"
#include "draw/view.h"
#include "ui/keys.h"
#include "ui/output.h"
#include "ui/term.h"
#include "ui/themes.h"

#define FRAME_SECONDS (1.0 / 60)
#define PEEK_SECONDS 0.25
#define TICK_SECONDS 0.1 /* while something moves by itself */

/* Set by the handlers below; a signal handler can reach nothing else. */
static volatile sig_atomic_t ended_by, resized;

struct explorer {
	struct session s;
	struct engine *engine;
	struct term *term;
	struct grid *grid;
	struct drawn drawn;
	struct output *output;        /* the command's standard output and error */
	struct source_keep *keep;
	const char *theme;
	char theme_name[64];
	size_t runs_left;
	double drawn_at, peeked_at;
	bool dirty, redraw, gone;
	unsigned pictures;            /* written with `w` */
};

static void
on_end(int number)
{
	ended_by = number;
}

static void
on_resize(int number)
{
	(void)number;
	resized = 1;
}

/* The recorded tables stand at 0 … n-1, the live one behind them. */
static void
send_live_table(struct explorer *x)
{
	engine_table(x->engine, x->s.n_tables, live_table(x->s.live));
}

static void
start_command(struct explorer *x)
{
	struct session *s = &x->s;
	struct live_options run = {.ops = &source_perf, .counter = s->how.counter, .argv = s->argv, .no_input = true, .own_group = true, .keep = x->keep};
	struct err e = {0};

	if (s->doctor.may_mount_tracefs && !s->doctor.tracefs_mounted && !s->asked_tracefs) {
		s->asked_tracefs = true;
		s->popup = POPUP_TRACEFS;
		return;
	}
	if (!x->output && !(x->output = output_new(&e))) {
		session_say(s, true, "%s", e.what);
		return;
	}
	run.out_fd = run.err_fd = output_fd(x->output);
	if (s->live && live_running(s->live))
		return;
	/* A new command: its observations join those of the commands before, in one table. */
	if (!s->live)
		s->live = live_new(s->model, &run);
	else
		live_set_command(s->live, &run);
	str_clear(&s->run_notes);
	if (!live_start(s->live, &e)) {
		x->runs_left = 0;
		session_say(s, true, "%s", e.what);
		err_text(&e, &s->run_notes);
		return;
	}
	s->had_run = true;
	live_explain(s->live, &s->run_notes);
	session_say(s, false, "%s", "");
}

static void
command_ended(struct explorer *x, const struct err *e)
{
	struct session *s = &x->s;
	const struct source_end *end = live_end(s->live);

	output_read(x->output, &s->output, &s->output_total);
	if (*e->what)
		session_say(s, true, "%s", e->what);
	else if (end->signalled)
		session_say(s, true, "%s was ended by signal %d (%s)", s->argv[0], end->code, strsignal(end->code));
	else if (end->code)
		session_say(s, true, "%s ended with status %d; O shows what it printed", s->argv[0], end->code);
	if (end->left_behind)
		session_say(s, true, "%zu processes of %s still run: its totals are not exact", end->left_behind, s->argv[0]);
	send_live_table(x);
	s->want.engine = true;
	if (x->runs_left && --x->runs_left)
		s->want.command = true;
}

static void
load_model(struct explorer *x, const char *name)
{
	struct session *s = &x->s;
	struct bundle b = {0};
	struct udd_loader loader = bundle_disk_loader(&b);
	struct analysis_options how = {.confidence = s->how.confidence > 0 ? s->how.confidence : 0.99};
	struct diags d = {0};
	struct err e = {0};
	struct udd_model *m = NULL;
	struct fset on;
	char *path = file_find(name, "models", ".udd", &e);

	if (path) {
		m = udd_parse(path, &loader, &d);
		if (!m) {
			str_clear(&s->text);
			diags_print(&d, "", &s->text);
			snprintf(s->title, sizeof s->title, "%s does not load", name);
			s->popup = POPUP_TEXT;
			s->popup_cursor = 0;
		}
	} else {
		session_say(s, true, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
	}
	if (m && udd_choose(m, NULL, NULL, NULL, &on, &e)) {
		session_set_model(s, &b, m, &how, &on);
		if (s->want.demo) {
			str_split_free(s->argv);
			s->argv = NULL;
			session_act(s, ACTION_command);
		}
	} else if (m) {
		session_say(s, true, "%s", e.what);
		udd_free(m);
	}
	diags_free(&d);
	bundle_free(&b);
	free(path);
}

static void
load_engine(struct explorer *x)
{
	struct session *s = &x->s;

	engine_load(x->engine, &s->bundle, &s->how);
	for (size_t i = 0; i < s->n_tables; i++)
		engine_table(x->engine, i, s->table[i]);
	if (s->live)
		send_live_table(x);
}

static void
write_picture(struct explorer *x)
{
	struct session *s = &x->s;
	struct theme theme;
	struct str text = {0}, svg = {0};
	char name[64], picture[64];
	struct err e = {0};

	themes_load(x->theme, &theme, &e);
	grid_text(x->grid, &text);
	grid_svg(x->grid, &theme, &svg);
	do
		snprintf(name, sizeof name, "hecate-%u.txt", ++x->pictures);
	while (access(name, F_OK) == 0);
	snprintf(picture, sizeof picture, "hecate-%u.svg", x->pictures);
	if (output_save(name, &text, &e) && output_save(picture, &svg, &e))
		session_say(s, false, "written: %s and %s", name, picture);
	else
		session_say(s, true, "%s", e.what);
	str_free(&text);
	str_free(&svg);
}

static void
next_theme(struct explorer *x)
{
	struct theme theme;
	struct err e = {0};

	x->theme = themes_next(x->theme);
	if (themes_load(x->theme, &theme, &e)) {
		term_set_theme(x->term, &theme);
		session_say(&x->s, false, "theme %s", x->theme);
		x->redraw = true;
	} else {
		session_say(&x->s, true, "%s", e.what);
	}
}

static void
mount_tracefs(struct explorer *x)
{
	struct err e = {0};

	if (!doctor_mount_tracefs(&e))
		session_say(&x->s, true, "%s", e.what);
	doctor_look(&x->s.doctor);
	x->s.want.command = true;
}

static void
ask_engine(struct explorer *x)
{
	struct session *s = &x->s;

	engine_run(x->engine, &s->on);
	s->busy = true;
	s->busy_since = s->now;
	s->stage[0] = '\0';
	s->of = 0;
}

/* Do what the session wishes; wishes may bring new ones. */
static void
fulfil(struct explorer *x)
{
	struct session *s = &x->s;

	if (s->want.open) {
		char *name = s->want.open;

		s->want.open = NULL;
		load_model(x, name);
		free(name);
	}
	if (s->want.load)
		load_engine(x);
	if (s->want.stop) {
		engine_stop(x->engine);
		s->busy = false;
		if (s->result)
			s->on = s->result->on;
		session_say(s, false, "stopped; what is shown belongs to the features as they stand");
	}
	if (s->want.kill && s->live) {
		live_stop(s->live);
		x->runs_left = 0;
		session_say(s, true, "%s was ended; its totals were dropped", s->argv[0]);
	}
	if (s->want.mount)
		mount_tracefs(x);
	if (s->want.command)
		start_command(x);
	if (s->want.engine && s->model)
		ask_engine(x);
	if (s->want.witness && !engine_busy(x->engine))
		engine_witness(x->engine, s->want.witness - 1);
	if (s->want.theme)
		next_theme(x);
	if (s->want.write)
		write_picture(x);
	x->redraw |= s->want.redraw;
	bool quit = s->want.quit, again = s->want.mount && s->want.command;

	memset(&s->want, 0, sizeof s->want);
	s->want.quit = quit;
	if (again)
		start_command(x);
}

static void
take_replies(struct explorer *x)
{
	struct session *s = &x->s;
	struct engine_reply r;

	while (engine_next(x->engine, &r)) {
		x->dirty = true;
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
		case ENGINE_RESTARTED:
		case ENGINE_FAILED:
			session_say(s, true, "%s", r.text);
			str_addf(&s->log, "%s\n", r.text);
			break;
		}
		engine_reply_clear(&r);
	}
	s->busy = engine_busy(x->engine);
	engine_read_log(x->engine, &s->log);
}

static void
take_mouse(struct explorer *x, const struct term_event *e)
{
	struct session *s = &x->s;

	if (e->button == MOUSE_WHEEL_UP || e->button == MOUSE_WHEEL_DOWN) {
		session_act(s, e->button == MOUSE_WHEEL_UP ? ACTION_up : ACTION_down);
		return;
	}
	for (int i = x->drawn.n_hits - 1; i >= 0; i--) {
		const struct hit *h = &x->drawn.hit[i];

		if (!rect_has(h->r, e->x, e->y))
			continue;
		if (h->kind == HIT_ACTION) {
			session_act(s, h->action);
		} else if (h->kind == HIT_PANE) {
			s->focus = s->shown = (enum pane_id)h->pane;
		} else if (s->popup == POPUP_VARIANT) {
			s->popup_cursor = h->row;
			if (e->button == MOUSE_DOUBLE)
				session_prompt_key(s, PROMPT_ENTER);
		} else if (s->view == VIEW_START) {
			s->start_focus = (enum start_pane)h->pane;
			s->start_cursor[h->pane] = h->row;
			if (e->button == MOUSE_DOUBLE)
				session_act(s, h->action);
		} else {
			s->focus = s->shown = (enum pane_id)h->pane;
			s->cursor[h->pane] = h->row;
			if (h->pane == PANE_OBSERVATIONS)
				s->selected = (size_t)h->row;
			if (e->button == MOUSE_DOUBLE)
				session_act(s, h->action);
		}
		return;
	}
}

static void
take_key(struct explorer *x, const struct term_event *e)
{
	struct session *s = &x->s;
	char name[KEY_NAME];
	int scope = session_scope(s);

	if (e->key == TK_RESIZE) {
		resized = 1;
		return;
	}
	if (e->key == TK_MOUSE) {
		take_mouse(x, e);
		return;
	}
	key_name(e->key, name);
	s->message[0] = scope ? '\0' : s->message[0];
	if (scope == 0) {
		if (str_eq(name, "Enter"))
			session_prompt_key(s, PROMPT_ENTER);
		else if (str_eq(name, "Esc"))
			session_prompt_key(s, PROMPT_ESCAPE);
		else if (e->key == TK_BACKSPACE)
			session_prompt_key(s, PROMPT_ERASE);
		else if (str_eq(name, "C-u"))
			session_prompt_key(s, PROMPT_CLEAR);
		else if (e->key >= 0x20 && e->key < 0x110000)
			session_input(s, (unsigned)e->key);
		return;
	}
	if (scope == IN_POPUP && str_eq(name, "Enter")) {
		session_prompt_key(s, PROMPT_ENTER);
		return;
	}
	if (scope == IN_POPUP && s->popup == POPUP_TRACEFS && str_eq(name, "Esc")) {
		s->popup = POPUP_NONE;
		s->want.command = true;
		return;
	}
	session_act(s, action_for_key(name, scope));
}

static void
draw(struct explorer *x)
{
	int w, h;

	term_size(x->term, &w, &h);
	if (!x->grid || x->grid->w != w || x->grid->h != h) {
		grid_free(x->grid);
		x->grid = grid_new(w, h, term_ascii(x->term));
		x->redraw = true;
	}
	x->dirty = false;
	draw_session(&x->s, x->grid, &x->drawn);
	x->s.page = x->drawn.page;
	x->s.visible = x->drawn.visible;
	x->s.shown = (enum pane_id)x->drawn.focus;
	x->s.start_models = x->drawn.start_models;
	if (!x->s.start_models && x->s.start_focus == START_MODELS) { /* its pane has gone with the size */
		x->s.start_focus = START_MENU;
		x->dirty = true;
	}
	term_show(x->term, x->grid, x->redraw);
	x->redraw = false;
	x->drawn_at = clock_seconds();
}

static bool
moves_by_itself(const struct explorer *x)
{
	return x->s.busy || (x->s.live && live_running(x->s.live));
}

static void
wait_for_something(struct explorer *x, const sigset_t *during)
{
	struct pollfd p[4] = {
		{.fd = term_fd(x->term), .events = POLLIN},
		{.fd = engine_fd(x->engine), .events = (short)(POLLIN | (engine_wants_write(x->engine) ? POLLOUT : 0))},
		{.fd = engine_log_fd(x->engine), .events = POLLIN},
		{.fd = x->s.live ? live_wait_fd(x->s.live) : -1, .events = POLLIN},
	};
	double left = moves_by_itself(x) ? TICK_SECONDS : 3600;
	struct timespec t;

	if (x->dirty)
		left = fmax(0, x->drawn_at + FRAME_SECONDS - clock_seconds());
	t.tv_sec = (time_t)left;
	t.tv_nsec = (long)((left - floor(left)) * 1e9);
	ppoll(p, 4, &t, during);
}

/* What the running command has counted so far: looked at four times a second. */
static void
peek(struct explorer *x)
{
	struct session *s = &x->s;

	if (!s->live || !live_running(s->live) || s->now - x->peeked_at < PEEK_SECONDS)
		return;
	x->peeked_at = s->now;
	if (!s->so_far) {
		s->so_far = mem_new_array(s->model->n_counters, sizeof *s->so_far);
		s->counted = mem_new_array(s->model->n_counters, sizeof *s->counted);
	}
	live_peek(s->live, s->so_far, s->counted);
}

static void
step(struct explorer *x)
{
	struct term_event e;
	struct err err = {0};

	x->s.now = clock_seconds();
	while ((e = term_next(x->term)).key != TK_NONE) {
		if (e.key == TK_GONE) {
			x->gone = true;
			return;
		}
		take_key(x, &e);
		x->dirty = true;
		fulfil(x);
		if (x->s.want.quit)
			return;
	}
	if (resized) {
		resized = 0;
		x->dirty = true;
	}
	take_replies(x);
	if (x->s.live && live_poll(x->s.live, &err)) {
		command_ended(x, &err);
		x->dirty = true;
	}
	peek(x);
	if (x->output)
		output_read(x->output, &x->s.output, &x->s.output_total);
	fulfil(x);
	x->dirty |= moves_by_itself(x);
	if (x->dirty && clock_seconds() - x->drawn_at >= FRAME_SECONDS)
		draw(x);
}

static void
loop(struct explorer *x)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction act = {.sa_handler = on_end};
	sigset_t block, during;

	sigemptyset(&act.sa_mask);
	sigemptyset(&block);
	for (int i = 0; i < 4; i++) {
		sigaction(ends[i], &act, NULL);
		sigaddset(&block, ends[i]);
	}
	act.sa_handler = on_resize;
	sigaction(SIGWINCH, &act, NULL);
	sigaddset(&block, SIGWINCH);
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &block, &during);
	x->dirty = true;
	while (!ended_by && !x->gone && !x->s.want.quit) {
		step(x);
		if (!ended_by && !x->gone && !x->s.want.quit)
			wait_for_something(x, &during);
	}
	sigprocmask(SIG_SETMASK, &during, NULL);
}

/* Everything leaves in the order in which it depends on each other; what the command printed and why we left is said last. */
static int
leave(struct explorer *x)
{
	struct session *s = &x->s;
	bool ran = s->live && live_running(s->live);

	term_close(x->term);
	if (ended_by && ended_by != SIGINT && !x->gone)
		fprintf(stderr, "hecate: ended by signal %d (%s)%s\n", (int)ended_by, strsignal(ended_by), ran ? "; the command was ended too" : "");
	session_free(s);
	output_free(x->output);
	source_keep_free(x->keep);
	engine_close(x->engine);
	grid_free(x->grid);
	if (ended_by && ended_by != SIGINT) {
		signal(ended_by, SIG_DFL);
		raise(ended_by);
	}
	return x->gone ? 2 : 0;
}

int
explore(struct explore_start *o, struct engine *engine)
{
	struct explorer x = {.engine = engine, .runs_left = o->runs};
	struct session *s = &x.s;
	struct term_options how = {.ascii = o->ascii, .mouse = !o->no_mouse};
	struct theme theme;
	struct err e = {0};
	struct str text = {0};

	how.color = o->color == COLOR_ALWAYS ? TERM_COLOR_ALWAYS : o->color == COLOR_NEVER ? TERM_COLOR_NEVER : TERM_COLOR_AUTO;
	session_init(s);
	s->motion = !o->no_motion;
	s->program = "hecate " HECATE_VERSION;
	x.theme = themes_known(o->theme ? o->theme : "dark", x.theme_name, sizeof x.theme_name);
	if (o->model)
		session_set_model(s, &o->bundle, o->model, &o->how, &o->on);
	s->table = o->table;
	s->n_tables = o->n_tables;
	s->data_name = o->data_name;
	s->argv = o->argv;
	s->want.command = o->argv != NULL;
	if (themes_load(x.theme, &theme, &e))
		x.term = term_open(&how, &theme, &e);
	if (!x.term) {
		err_text(&e, &text);
		fprintf(stderr, "hecate: %s\n", str_text(&text));
		str_free(&text);
		session_free(s);
		engine_close(engine);
		return 2;
	}
	x.keep = source_keep_new();
	loop(&x);
	return leave(&x);
}
