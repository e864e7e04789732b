/* The explorer's loop. ppoll(2) waits for the terminal, the engine, the command and signals; then requests are carried
 * out. The screen is drawn when something has changed, at most 60 times a second. */
#include "ui/explorer.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/journal.h"
#include "base/mem.h"
#include "base/str.h"
#include "draw/heat_map.h"
#include "draw/theme.h"
#include "draw/view/view.h"
#include "draw/view/view_table.h"
#include "explorer/autosave/autosave.h"
#include "explorer/control/control.h"
#include "explorer/control/control_model.h"
#include "explorer/engine/engine.h"
#include "explorer/state/explore_start.h"
#include "explorer/state/lesson_play.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_diff.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_follow.h"
#include "explorer/state/state_leave.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_views.h"
#include "text/diag.h"
#include "ui/editor.h"
#include "ui/input.h"
#include "ui/report_writer.h"
#include "ui/term.h"
#include "ui/themes.h"
#include "work/run/counters_run.h"
#include "work/run/output.h"
#include "work/slices/sliced.h"

#define FRAME_SECONDS (1.0 / 60)
#define KEY_SECONDS (1.0 / 250) /* a key that comes just after a tick need not wait for the next frame */
#define PASTE_SECONDS 0.05 /* between two drawings while events come faster than they are taken */
#define SAMPLE_MS 100     /* interval of commands typed later, if the command line gives none */
/* Bounds of the time between two drawings that no key asked for. Within them, drawing takes DRAW_SHARE of a core. */
#define TICK_SECONDS 0.1
#define SLOW_SECONDS 0.25
#define DRAW_SHARE 0.003
/* The explorer ends after DEAF_MOST failed waits in a row, each DEAF_NS nanoseconds after the one before. */
#define DEAF_MOST 100
#define DEAF_NS 10000000

/* Set by the signal handlers below, which can reach nothing else. */
static volatile sig_atomic_t ended_by, resized;

struct explorer {
	struct state s;
	struct control control;
	struct term *term;
	struct grid *grid;
	struct drawn drawn;
	char theme[THEME_NAME]; /* the one on the screen; if it did not load, the one before is */
	char *lesson;           /* the lesson to open next; NULL: none */
	double drawn_at;
	double cost;                  /* processor seconds of a drawing: mean of the last few */
	bool dirty, redraw, gone;
	bool keyed;           /* dirty by a key or the mouse */
	bool more;            /* events may be left that the terminal has given already: no wait for it */
	int deaf, deaf_error; /* failed waits in a row, and the last error */
	sigset_t during;      /* the signals that are blocked while it waits */
	unsigned pictures;    /* number of the last file written with `w` */
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

/* Between two drawings at least. */
static double
least_gap(const struct explorer *x)
{
	return x->keyed ? KEY_SECONDS : FRAME_SECONDS;
}

/* When to draw again without a key. */
static double
next_tick(const struct explorer *x)
{
	return x->drawn_at + fmin(fmax(x->cost / DRAW_SHARE, TICK_SECONDS), SLOW_SECONDS);
}

static void
explorer_draw(struct explorer *explorer)
{
	double before = clock_thread_seconds();
	struct drawn drawn;
	int w, h;

	term_size(explorer->term, &w, &h);
	if (!explorer->grid || explorer->grid->w != w || explorer->grid->h != h) {
		grid_free(explorer->grid);
		explorer->grid = grid_new(w, h, term_ascii(explorer->term));
		explorer->redraw = true;
	}
	state_timeline_show(&explorer->s);
	state_lesson_look(&explorer->s);
	state_follow(&explorer->s);
	draw_screen(&explorer->s, explorer->grid, &drawn);
	explorer->drawn = drawn;
	explorer->s.layout = &explorer->drawn.layout;
	state_seen(&explorer->s);
	explorer->dirty = explorer->keyed = false;
	term_show(explorer->term, explorer->grid, explorer->redraw);
	explorer->redraw = false;
	explorer->drawn_at = clock_seconds();
	journal_line("ui", "frame %d×%d: %.1f ms", w, h, 1e3 * (clock_thread_seconds() - before));
	explorer->cost += ((clock_thread_seconds() - before) - explorer->cost) / 4;
}

/* Draws first, so that the picture shows the effect of all keys so far. */
static void
write_picture(struct explorer *explorer)
{
	struct state *state = &explorer->s;
	struct theme theme;
	struct str text = {0}, svg = {0};
	char name[64], picture[64];
	struct err e = {0};

	explorer_draw(explorer);
	themes_load(explorer->theme, &theme, &e);
	grid_text(explorer->grid, &text);
	if (state->view.popup.kind != POPUP_SLICES || !state->data.sliced)
		grid_svg(explorer->grid, &theme, &svg);
	else
		heat_map_svg_of_skp(state->data.sliced->skp, true, &theme, &svg);
	do
		snprintf(name, sizeof name, "hecate-%u.txt", ++explorer->pictures);
	while (access(name, F_OK) == 0);
	snprintf(picture, sizeof picture, "hecate-%u.svg", explorer->pictures);
	if (output_save(name, &text, &e) && output_save(picture, &svg, &e))
		state_say(state, false, "written: %s and %s", name, picture);
	else
		state_say(state, true, "%s", e.what);
	explorer->dirty = true; /* draws the message */
	str_free(&text);
	str_free(&svg);
}

/* Draws in the theme that the state names; moving through the list of themes shows each of them. */
static void
follow_theme(struct explorer *explorer)
{
	char name[THEME_NAME];
	struct theme theme;
	struct err e = {0};

	state_theme(&explorer->s, name);
	if (str_eq(name, explorer->theme))
		return;
	memcpy(explorer->theme, name, sizeof name);
	if (themes_load(name, &theme, &e)) {
		term_set_theme(explorer->term, &theme);
		explorer->redraw = true;
	} else {
		state_say(&explorer->s, true, "%s", e.what);
	}
}

/* --- the editor --------------------------------------------------------------------------------------------------- */

static void
on_child(int number)
{
	(void)number;
}

/* What goes on while an editor has the terminal: runs are counted, judged and saved as ever. */
static void
wait_for_editor(struct explorer *explorer)
{
	struct pollfd p[CONTROL_POLLS];
	double left;
	struct timespec t;

	state_set_time(&explorer->s, clock_seconds());
	control_listen(&explorer->control);
	control_carry_out(&explorer->control);
	left = fmin(3600, control_patience(&explorer->control));
	control_poll(&explorer->control, p);
	t.tv_sec = (time_t)left;
	t.tv_nsec = (long)((left - floor(left)) * 1e9);
	ppoll(p, CONTROL_POLLS, &t, &explorer->during); /* also ended by SIGCHLD */
}

static char *
run_editor(struct explorer *explorer, const struct edit_place *place)
{
	struct sigaction child = {.sa_handler = on_child}, before;
	struct editor editor;
	struct err e = {0};
	sigset_t block, was;
	int status;
	char *trouble;

	sigemptyset(&child.sa_mask);
	sigemptyset(&block);
	sigaddset(&block, SIGCHLD);
	sigprocmask(SIG_BLOCK, &block, &was);
	sigaction(SIGCHLD, &child, &before);
	term_suspend(explorer->term);
	if (editor_start(&editor, place->path, place->line, &e)) {
		while (editor_runs(&editor, &status) && !ended_by)
			wait_for_editor(explorer);
		if (ended_by)
			editor_end(&editor);
		trouble = ended_by ? NULL : editor_trouble(&editor, status);
		editor_free(&editor);
	} else {
		trouble = str_format("%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
	}
	sigaction(SIGCHLD, &before, NULL);
	sigprocmask(SIG_SETMASK, &was, NULL);
	return trouble;
}

static void
edit_model(struct explorer *explorer)
{
	struct edit_place place = control_edit_place(&explorer->control);
	char *trouble;

	if (!place.path)
		return;
	trouble = run_editor(explorer, &place);
	state_set_time(&explorer->s, clock_seconds());
	control_edited(&explorer->control, trouble);
	explorer->redraw = explorer->dirty = true;
	resized = 1; /* SIGWINCH went to the editor */
	free(trouble);
	free(place.path);
}

/* Carries out requests: first those that need the screen, then the others. */
static void
carry_out(struct explorer *explorer)
{
	struct state *state = &explorer->s;
	struct request request;

	for (size_t i = 0; i < state->requests.n;) {
		enum request_kind kind = state->requests.item[i].kind;
		size_t number;

		if (kind < REQUEST_OF_UI || kind == REQUEST_QUIT) {
			i++;
			continue;
		}
		number = state->requests.item[i].number;
		request = requests_take(&state->requests, i);
		if (kind == REQUEST_LESSON && control_lesson_loads(&explorer->control, request.text) &&
			state_may_leave(state, request.text, OPEN_LESSON)) {
			explorer->lesson = request.text;
			request.text = NULL;
			state_request(state, REQUEST_QUIT);
		}
		free(request.text);
		if (kind == REQUEST_PICTURE)
			write_picture(explorer);
		else if (kind == REQUEST_REPORT && report_writer_has(state, number != 0))
			report_writer_write(state, number != 0);
		else if (kind == REQUEST_EDIT && state->question.model)
			edit_model(explorer);
		explorer->redraw |= kind == REQUEST_REDRAW;
	}
	control_carry_out(&explorer->control);
	follow_theme(explorer);
}

/* When to draw a list that is to be sorted again; INFINITY: none is, or it has been drawn since. */
static double
settles_at(const struct explorer *explorer)
{
	double at = state_shown_settles(&explorer->s);

	return at > explorer->drawn_at ? at : INFINITY;
}

static void
wait_for_something(struct explorer *explorer)
{
	struct pollfd p[2 + CONTROL_POLLS] = {
		{.fd = term_fd(explorer->term), .events = POLLIN}, {.fd = term_output_fd(explorer->term)}};
	double left = fmin(3600, control_patience(&explorer->control));
	struct timespec t;

	left = fmin(left, fmax(0, settles_at(explorer) - clock_seconds()));
	control_poll(&explorer->control, p + 2);
	if (explorer->more)
		left = 0;
	else if (explorer->dirty)
		left = fmax(0, explorer->drawn_at + least_gap(explorer) - clock_seconds());
	else if (control_busy(&explorer->control))
		left = fmin(left, fmax(0, next_tick(explorer) - clock_seconds()));
	t.tv_sec = (time_t)left;
	t.tv_nsec = (long)((left - floor(left)) * 1e9);
	if (ppoll(p, 2 + CONTROL_POLLS, &t, &explorer->during) >= 0 || errno == EINTR) {
		explorer->deaf = 0;
		return;
	}
	/* Keys cannot be read either while waiting fails. It may be temporary; if not, the explorer ends while the
	 * counts can still be saved. */
	explorer->deaf_error = errno;
	explorer->gone = ++explorer->deaf >= DEAF_MOST;
	nanosleep(&(struct timespec){.tv_nsec = DEAF_NS}, NULL);
}

/* Ctrl-C asks as q does, if something would be lost; another one in the question leaves. */
static bool
asks_first(struct explorer *explorer)
{
	struct state *state = &explorer->s;

	if (ended_by != SIGINT || !state_quit_asks(state) ||
		(state->view.popup.kind == POPUP_LEAVE && state->view.leaving.to == LEAVE_HECATE))
		return false;
	ended_by = 0;
	state_close_popup(state);
	state_quit(state);
	explorer->dirty = true;
	return true;
}

static void
explorer_step(struct explorer *explorer)
{
	struct term_event e;
	bool news;

	explorer->more = false;
	state_set_time(&explorer->s, clock_seconds());
	while ((e = term_next(explorer->term)).key != TK_NONE) {
		if (e.key == TK_GONE) {
			explorer->gone = true;
			return;
		}
		if (e.key == TK_RESIZE)
			resized = 1;
		else
			input_take(&explorer->s, &explorer->drawn, &e);
		explorer->dirty = explorer->keyed = true;
		carry_out(explorer);
		if (requests_find(&explorer->s.requests, REQUEST_QUIT))
			return;
		explorer->more = clock_seconds() - explorer->drawn_at >= PASTE_SECONDS;
		if (explorer->more)
			break;
	}
	if (resized) {
		resized = 0;
		explorer->dirty = true;
	}
	news = control_listen(&explorer->control);
	carry_out(explorer);
	/* The effect of a key is drawn at once; counts that grow by themselves with the next tick. */
	explorer->dirty |= news && (explorer->s.question.model || !state_running(&explorer->s));
	explorer->dirty |= control_busy(&explorer->control) && clock_seconds() >= next_tick(explorer);
	explorer->dirty |= explorer->s.view.frame.now >= settles_at(explorer);
	if (explorer->dirty && clock_seconds() - explorer->drawn_at >= least_gap(explorer)) {
		explorer_draw(explorer);
		carry_out(explorer); /* a pane that has become visible may need an answer of the engine */
	}
}

static void
loop(struct explorer *explorer)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
		SIGPROF, SIGIO, SIGPWR};
	struct sigaction act = {.sa_handler = on_end};
	sigset_t block;

	sigemptyset(&act.sa_mask);
	sigemptyset(&block);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		sigaction(ends[i], &act, NULL);
		sigaddset(&block, ends[i]);
	}
	act.sa_handler = on_resize;
	sigaction(SIGWINCH, &act, NULL);
	sigaddset(&block, SIGWINCH);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* writing fails instead, and is reported */
	sigprocmask(SIG_BLOCK, &block, &explorer->during);
	if (explorer->s.view.current == VIEW_START)
		control_look(&explorer->control, LOOK_HOME); /* quick, and nobody sees an empty list */
	explorer_draw(explorer);
	explorer->dirty = true;
	while ((!ended_by || asks_first(explorer)) && !explorer->gone &&
		!requests_find(&explorer->s.requests, REQUEST_QUIT)) {
		explorer_step(explorer);
		if (!ended_by && !explorer->gone && !requests_find(&explorer->s.requests, REQUEST_QUIT))
			wait_for_something(explorer);
	}
	sigprocmask(SIG_SETMASK, &explorer->during, NULL);
}

/* Saves what is in no file. A signal, or a terminal that has gone, cannot be asked, so it goes into a new file. */
static bool
save_rest(struct explorer *explorer, struct err *e)
{
	struct state *state = &explorer->s;
	struct autosave *file = explorer->control.file;
	bool asked = ended_by == SIGINT || requests_find(&state->requests, REQUEST_QUIT);

	if (asked || (!state_leave_loses(state) && !state_unsaved_runs(state)))
		return autosave_now(file, state, e);
	state_close_popup(state);
	state_quit(state); /* this names the file */
	if (state_unsaved_runs(state) && !control_keep_runs(&explorer->control, state->view.leaving.file, e))
		return false;
	return !state_leave_loses(state) || autosave_make(file, state, state->view.leaving.file, e);
}

/* Frees everything in the order of dependence, then prints the command's output and why the explorer ended. */
static int
explorer_leave(struct explorer *explorer)
{
	struct state *state = &explorer->s;
	bool ran = state_running(state), kept;
	struct err e = {0};
	struct str text = {0};

	state_set_time(state, clock_seconds());
	kept = save_rest(explorer, &e);
	term_close(explorer->term);
	if (kept && state->view.leaving.file)
		fprintf(stderr, "hecate: what was in no file is saved in %s\n", state->view.leaving.file);
	if (!kept) {
		err_text(&e, &text);
		fprintf(stderr, "hecate: not saved: %s\n", str_text(&text));
		str_free(&text);
	}
	if (ended_by && ended_by != SIGINT && !explorer->gone)
		fprintf(stderr, "hecate: ended by signal %d (%s)%s\n", (int)ended_by, strsignal(ended_by),
			ran ? "; the command was ended too" : "");
	if (explorer->control.runs_on)
		fprintf(stderr, "hecate: %s runs on, and is no longer measured\n", state_subject(state));
	control_close(&explorer->control);
	state_free(state);
	grid_free(explorer->grid);
	if (ended_by && ended_by != SIGINT) {
		signal(ended_by, SIG_DFL);
		raise(ended_by);
	}
	if (explorer->deaf >= DEAF_MOST)
		fprintf(stderr, "hecate: ended, because waiting for input failed: %s\n",
			strerror(explorer->deaf_error));
	return explorer->gone || !kept ? 2 : 0;
}

static void
take_timeline(struct state *s, struct explore_start *o)
{
	state_open_timeline(s, o->network, &o->network_text, NULL, &(struct text){0});
	for (size_t i = 0; i < o->n_stacks; i++)
		state_add_stack(s, o->stack[i], &o->stack_text[i]);
	free(o->stack);
	free(o->stack_text);
}

int
explore(struct explore_start *start, struct engine *engine, struct explore_lesson *lesson)
{
	struct explorer x = {0};
	struct state *state = &x.s;
	struct term_options how = {.ascii = start->look.ascii, .mouse = !start->look.no_mouse};
	struct theme theme;
	struct err e = {0};
	struct str text = {0};

	how.color = start->look.color == COLOR_ALWAYS ? TERM_COLOR_ALWAYS
		: start->look.color == COLOR_NEVER ? TERM_COLOR_NEVER : TERM_COLOR_AUTO;
	state_init(state);
	state->column = view_column;
	state_set_motion(state, !start->look.no_motion);
	if (start->look.usual_theme)
		snprintf(state->view.frame.usual_theme, sizeof state->view.frame.usual_theme, "%s",
			start->look.usual_theme);
	free(start->look.usual_theme);
	if (start->look.theme)
		state_set_theme(state, start->look.theme);
	if (start->model)
		state_set_model(state, &start->bundle, start->model, &start->how, &start->on);
	else if (start->network || start->n_stacks)
		take_timeline(state, start);
	state_set_recorded(state, start->table, start->n_tables, start->data_name);
	state_set_subject(state, &start->subject);
	if (!start->sampling.interval_ms)
		start->sampling.interval_ms = SAMPLE_MS;
	state_set_sampling(state, &start->sampling);
	if (state_has_subject(state))
		state_request(state, REQUEST_RUN);
	state_timeline_recorded(state);
	state_set_time(state, clock_seconds());
	control_open(&x.control, state, engine, start->runs);
	if (start->trust) {
		control_look(&x.control, LOOK_BOOKS);
		state_give_trust(state, start->trust);
	}
	if (start->repeated)
		state_open_repeated(state, start->repeated);
	if (start->opens)
		requests_add(&state->requests, REQUEST_OPEN, OPEN_ONLY, start->opens);
	if (start->kept && start->make)
		autosave_make(x.control.file, state, start->kept, &e);
	else if (start->kept)
		autosave_restore(x.control.file, state, start->kept, start->given);
	if (start->contest) {
		state_set_contest(state, start->contest);
		state_show_view(state, VIEW_DIFF);
		state_contest_turn(state);
	}
	if (state->question.subject.probed ||
		(!state->question.model && !state->data.timeline && state_has_curves(state)))
		state_show_view(state, VIEW_PROBES);
	state_theme(state, x.theme);
	if (!*e.what && themes_load(x.theme, &theme, &e))
		x.term = term_open(&how, &theme, &e);
	if (!x.term) {
		err_print(&e, "hecate: ", &text);
		fputs(str_text(&text), stderr);
		str_free(&text);
		control_close(&x.control);
		state_free(state);
		return 2;
	}
	if (lesson->lesson)
		state_lesson_begin(state, lesson->lesson, lesson->answers);
	free(lesson->next);
	*lesson = (struct explore_lesson){0};
	loop(&x);
	lesson->next = x.lesson;
	return explorer_leave(&x);
}
