#include "ui/term.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/panic.h"
#include "base/str.h"
#include "ui/term_decode.h"
#include "ui/term_frame.h"
#include "ui/term_modes.h"
#include "ui/term_wanted.h"

/* Curses serves three purposes: the terminal's abilities (terminfo), sending only what has changed, and decoding keys.
 * Input goes through a pad of its own, because wget_wch() would first refresh a window.
 *
 * Curses switches the mouse on and off (also around a suspension), but does not decode it: see mouse_report.h. Its key
 * for the mouse is removed, so that reports arrive as escape sequences, like keys that terminfo does not know.
 * term_decode.h decodes both. */

#define ESC_MS 25           /* how long to wait after a lone Esc */

enum depth { DEPTH_MONO, DEPTH_8, DEPTH_16, DEPTH_256, DEPTH_TRUE, DEPTH_DIRECT };

/* In true colour each role has a number of its own among the 256, which the frame sends as the role's colour
 * (term_frame.h). Two ranges of numbers take turns, so that curses draws everything again in a new theme. DEPTH_DIRECT
 * is a terminfo entry like xterm-direct, where a colour's number is the colour. */
#define FIRST_TRUE 16

struct term {
	SCREEN *screen;
	WINDOW *input;
	struct term_frame frame;
	struct theme theme;
	struct grid *shown; /* cells on the screen; NULL: unknown */
	enum depth depth;
	bool may_color, ascii, mouse, gone;
	int w, h;           /* size that the last TK_RESIZE reported */
	struct term_decoder decoder;
};

/* The one open terminal, for panic() and for a second close. */
static struct term *open_term;

static void
leave_on_panic(void)
{
	if (!open_term)
		return;
	term_modes_end(NULL);
	term_frame_end(&open_term->frame);
	if (!open_term->gone)
		endwin();
}

/* One colour pair per role, on the ordinary background and on that of the selection. */
static short
pair_of(enum role fg, enum role bg)
{
	return (short)(1 + 2 * (int)fg + (bg == ROLE_SELECT));
}

static int
index_at(const struct term *term, enum role r)
{
	const struct theme_role *role = &term->theme.role[r];

	switch (term->depth) {
	case DEPTH_TRUE:
		return role->index256 < 0 ? -1 : term->frame.first_own + (int)r;
	case DEPTH_DIRECT: /* 0 to 7 are those of 16 colours */
		return role->index256 < 0 ? -1 : role->rgb < 8 ? 8 : (int)role->rgb;
	case DEPTH_256:
		return role->index256;
	case DEPTH_16:
		return role->index16;
	case DEPTH_8: /* the bright half is bold, and bright black is dim */
		return role->index16 == 8 ? -1 : role->index16 < 0 ? -1 : role->index16 % 8;
	case DEPTH_MONO:
		break;
	}
	return -1;
}

/* terminfo's words for true colour are those of tmux (Tc) and ncurses (RGB). */
static bool
has_true_color(void)
{
	char tc[] = "Tc", rgb[] = "RGB";

	return tigetflag(tc) > 0 || tigetflag(rgb) > 0 || term_claims_true_color();
}

static void
set_own_colors(struct term *term)
{
	struct term_frame *f = &term->frame;

	f->n_own = term->depth == DEPTH_TRUE ? ROLE_COUNT : 0;
	f->first_own = f->first_own == FIRST_TRUE ? FIRST_TRUE + ROLE_COUNT : FIRST_TRUE;
	for (int i = 0; i < f->n_own; i++)
		f->own[i] = term->theme.role[i].rgb;
}

static void
set_colors(struct term *term)
{
	term->depth = !term->may_color || term->theme.mono || !has_colors() ? DEPTH_MONO
	           : COLORS > 256 ? DEPTH_DIRECT
	           : COLORS == 256 && term_frame_can_paint(&term->frame) && has_true_color() ? DEPTH_TRUE
	           : COLORS == 256 ? DEPTH_256
	           : COLORS >= 16 ? DEPTH_16 : DEPTH_8;
	if (term->depth == DEPTH_MONO || COLOR_PAIRS <= pair_of(ROLE_COUNT - 1, ROLE_SELECT)) {
		term->depth = DEPTH_MONO;
		return;
	}
	set_own_colors(term);
	for (int fg = 0; fg < ROLE_COUNT; fg++) {
		init_extended_pair(pair_of((enum role)fg, ROLE_BACKGROUND), index_at(term, (enum role)fg),
			index_at(term, ROLE_BACKGROUND));
		init_extended_pair(pair_of((enum role)fg, ROLE_SELECT), index_at(term, (enum role)fg),
			index_at(term, ROLE_SELECT) >= 0 ? index_at(term, ROLE_SELECT)
							 : index_at(term, ROLE_BACKGROUND));
	}
}

static attr_t
attributes(const struct term *term, const struct cell *cell)
{
	const struct theme_role *fg = &term->theme.role[cell->fg], *bg = &term->theme.role[ROLE_SELECT];
	unsigned bits = cell->attr;
	bool mono = term->depth == DEPTH_MONO, select = cell->bg == ROLE_SELECT;

	bits |= mono ? fg->mono_attr : fg->attr;
	if (term->depth == DEPTH_8 && fg->index16 >= 8)
		bits |= fg->index16 == 8 ? CELL_DIM : CELL_BOLD;
	if (select)
		bits |= mono ? bg->mono_attr : index_at(term, ROLE_SELECT) < 0 ? CELL_REVERSE : bg->attr;
	if (select && (bits & CELL_REVERSE))
		bits &= ~(unsigned)CELL_DIM; /* many terminals cannot show dim and reverse together legibly */
	return (bits & CELL_BOLD ? A_BOLD : A_NORMAL) | (bits & CELL_UNDERLINE ? A_UNDERLINE : A_NORMAL)
	       | (bits & CELL_REVERSE ? A_REVERSE : A_NORMAL) | (bits & CELL_DIM ? A_DIM : A_NORMAL);
}

/* What terminfo knows of this name, or "". */
static const char *
capability(const char *name)
{
	char copy[8];
	const char *text;

	snprintf(copy, sizeof copy, "%s", name);
	text = tigetstr(copy);
	return text && text != (const char *)-1 ? text : "";
}

/* Curses refuses a terminal whose claimed size it cannot hold (more than 32767 columns), and blames its type. So curses
 * must not ask for the size, unless terminfo knows none, as for the Linux console. */
static SCREEN *
new_screen(FILE *out)
{
	SCREEN *screen;

	use_env(FALSE);
	screen = newterm(NULL, out, stdin);
	if (screen)
		return screen;
	use_env(TRUE);
	return newterm(NULL, out, stdin);
}

static SCREEN *
open_screen(FILE *out, struct err *e)
{
	const char *name = getenv("TERM");
	SCREEN *screen;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		err_set(e, "the explorer needs a terminal, but standard %s is none",
			isatty(STDIN_FILENO) ? "output" : "input");
		err_hint(e, "run it in a terminal, or use a subcommand: hecate help");
		return NULL;
	}
	if (!name || !*name) {
		err_set(e, "TERM is not set, so it is unknown how to draw on this terminal");
		err_hint(e, "TERM=xterm-256color hecate");
		return NULL;
	}
	screen = new_screen(out);
	if (screen && !*capability("cup")) { /* terminals like "dumb" can be opened, but not drawn on */
		endwin();
		delscreen(screen);
		screen = NULL;
	}
	if (!screen) {
		err_set(e, "terminal %s is not in the terminfo data base, or too simple to draw on", name);
		err_hint(e,
			"set TERM to what your terminal is, for instance xterm-256color, or install ncurses-base and "
			"ncurses-term");
	}
	return screen;
}

/* Only if terminfo knows a mouse, and not on the Linux console: there curses would ask the gpm library within its own
 * blocking read. */
static bool
has_mouse_reports(void)
{
	return *capability("kmous") && strncmp(getenv("TERM"), "linux", 5) != 0;
}

/* Call it after keypad(), where curses learns its keys. */
static void
open_mouse(struct term *t)
{
	t->mouse = has_mouse_reports();
	if (!t->mouse)
		return;
	mousemask(ALL_MOUSE_EVENTS, NULL);
	define_key(NULL, KEY_MOUSE);
}

static void
begin_modes(const struct term *term)
{
	static const char *const part[] = {"sgr0", "op", "cnorm", "rmkx", "rmcup"};
	struct str leave = {0};

	for (size_t i = 0; i < sizeof part / sizeof *part; i++)
		str_add(&leave, capability(part[i]));
	term_modes_begin(term->frame.out, term->mouse, has_mouse_reports(), str_text(&leave));
	str_free(&leave);
}

static void
set_modes(void)
{
	set_escdelay(ESC_MS);
	cbreak();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	typeahead(-1);
	curs_set(0);
}

struct term *
term_open(const struct term_options *options, const struct theme *theme, struct err *e)
{
	struct term *term;
	struct term_frame frame;
	SCREEN *screen;

	term_modes_note();
	term_frame_open(&frame);
	screen = open_screen(frame.out, e);
	if (!screen) {
		term_frame_close(&frame);
		return NULL;
	}
	term = mem_new(sizeof *term);
	term->screen = screen;
	term->frame = frame;
	term->theme = *theme;
	term->ascii = term_wants_ascii(options->ascii);
	term->may_color = term_wants_color(options->color);
	term->w = term_size_from("COLUMNS", COLS, TERM_COLUMNS);
	term->h = term_size_from("LINES", LINES, TERM_ROWS);
	open_term = term;
	panic_set_hook(leave_on_panic);
	set_modes();
	if (term->may_color && has_colors()) {
		start_color();
		use_default_colors();
	}
	set_colors(term);
	term_size(term, &term->w, &term->h);
	resize_term(term->h, term->w);
	term->input = newpad(1, 1);
	if (!term->input)
		panic("no memory for the input pad");
	keypad(term->input, TRUE);
	nodelay(term->input, TRUE);
	if (options->mouse)
		open_mouse(term);
	begin_modes(term);
	return term;
}

void
term_suspend(struct term *term)
{
	if (term->gone || isendwin())
		return;
	term_modes_end(term->frame.out);
	endwin();
}

void
term_close(struct term *term)
{
	if (!term)
		return;
	panic_set_hook(NULL);
	open_term = NULL;
	term_suspend(term);
	if (term->input)
		delwin(term->input);
	delscreen(term->screen);
	term_frame_close(&term->frame);
	grid_free(term->shown);
	free(term);
}

void
term_size(const struct term *t, int *w, int *h)
{
	*w = t->w;
	*h = t->h;
	term_size_known(w, h);
}

bool
term_ascii(const struct term *t)
{
	return t->ascii;
}

static void
forget_shown(struct term *t)
{
	grid_free(t->shown);
	t->shown = NULL;
}

void
term_set_theme(struct term *t, const struct theme *theme)
{
	t->theme = *theme;
	set_colors(t);
	forget_shown(t);
}

/* `known`: the cell that the screen shows there; NULL: unknown. */
static void
show_row(const struct term *term, const struct grid *grid, const struct cell *known, int y, cchar_t *row)
{
	const struct cell *cell = &grid->cell[(size_t)y * (size_t)grid->w];
	int n = 0, w = grid->w < term->w ? grid->w : term->w, first = 0, end = w;

	if (known && !cells_changed(known, cell, w, &first, &end))
		return;
	for (int x = first; x < end; x++) {
		const struct cell *c = &cell[x];
		wchar_t text[2 + CELL_MARKS] = {(wchar_t)c->cp};
		/* a wide character that the edge of the screen cuts */
		bool half = x + 1 < grid->w && x + 1 >= w && c[1].cp == 0;

		if (c->cp == 0)
			continue;
		for (int i = 0; i < CELL_MARKS; i++)
			text[1 + i] = (wchar_t)c->mark[i];
		if (half)
			text[0] = L' ', text[1] = L'\0';
		setcchar(&row[n++], text, attributes(term, c), term->depth == DEPTH_MONO ? 0 : pair_of(c->fg, c->bg),
			NULL);
	}
	mvadd_wchnstr(y, first, row, n);
	if (w < term->w) {
		move(y, w);
		clrtoeol();
	}
}

static void
set_background(const struct term *t)
{
	cchar_t bg;

	setcchar(&bg, L" ", A_NORMAL, t->depth == DEPTH_MONO ? 0 : pair_of(ROLE_TEXT, ROLE_BACKGROUND), NULL);
	bkgrndset(&bg);
}

void
term_show(struct term *term, const struct grid *grid, bool redraw)
{
	int h = grid->h < term->h ? grid->h : term->h;
	bool known = !redraw && term->shown && term->shown->w == grid->w && term->shown->h == grid->h;
	cchar_t *row;

	if (term->gone || (!redraw && term->shown && grid_equal(term->shown, grid)))
		return;
	set_background(term);
	row = mem_new_array((size_t)grid->w + 1, sizeof *row);
	for (int y = 0; y < h; y++)
		show_row(term, grid, known ? &term->shown->cell[(size_t)y * (size_t)grid->w] : NULL, y, row);
	free(row);
	if (h < term->h) {
		move(h, 0);
		clrtobot();
	}
	if (redraw) {
		reset_prog_mode(); /* in the frame curses could not: its output is no terminal there */
		clearok(stdscr, TRUE);
		begin_modes(term); /* another program may have run meanwhile */
	}
	term_frame_begin(&term->frame);
	refresh();
	term->gone |= !term_frame_end(&term->frame); /* a terminal that cannot be drawn on is not asked for keys */
	if (!term->shown || term->shown->w != grid->w || term->shown->h != grid->h) {
		forget_shown(term);
		term->shown = grid_new(grid->w, grid->h, grid->ascii);
	}
	memcpy(term->shown->cell, grid->cell, (size_t)grid->w * (size_t)grid->h * sizeof *grid->cell);
}

int
term_fd(const struct term *t)
{
	(void)t;
	return STDIN_FILENO;
}

int
term_output_fd(const struct term *t)
{
	(void)t;
	return STDOUT_FILENO;
}

/* Nothing is written while the screen stays as it is, so writing does not tell. */
static bool
output_ended(void)
{
	struct pollfd p = {.fd = STDOUT_FILENO};

	return poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLERR | POLLNVAL);
}

/* Has the other end closed? This includes end of file, where poll() reports readable input but nothing can be read. */
static bool
input_ended(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	int waiting = 0, n;

	do
		n = poll(&p, 1, 0);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	if (p.revents & (POLLHUP | POLLERR | POLLNVAL))
		return true;
	return (p.revents & POLLIN) && (ioctl(STDIN_FILENO, FIONREAD, &waiting) < 0 || waiting == 0);
}

static int
term_curses_key_of(wint_t code)
{
	if (code >= KEY_F(1) && code <= KEY_F(12))
		return TK_F1 + (int)(code - KEY_F(1));
	switch (code) {
	case KEY_UP:
		return TK_UP;
	case KEY_DOWN:
		return TK_DOWN;
	case KEY_LEFT:
		return TK_LEFT;
	case KEY_RIGHT:
		return TK_RIGHT;
	case KEY_HOME:
	case KEY_A1:
		return TK_HOME;
	case KEY_END:
	case KEY_C1:
		return TK_END;
	case KEY_PPAGE:
	case KEY_A3:
		return TK_PAGE_UP;
	case KEY_NPAGE:
	case KEY_C3:
		return TK_PAGE_DOWN;
	case KEY_BTAB:
		return TK_SHIFT_TAB;
	case KEY_BACKSPACE:
		return TK_BACKSPACE;
	case KEY_ENTER:
		return '\r';
	default: /* curses knows some 300 keys; the others have no meaning here */
		return TK_NONE;
	}
}

/* Waits at most `ms` for input, even when signals arrive. */
static bool
input_within(int ms)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&p, 1, ms) > 0 && (p.revents & POLLIN);
}

/* -1: no character, or a key that terminfo knows. */
static int
read_character(struct term *t)
{
	wint_t code;

	return wget_wch(t->input, &code) == OK ? (int)code : -1;
}

/* Reads what the decoder wants next; -1: it did not arrive. */
static int
read_wanted(struct term *t, enum term_decode_want want)
{
	unsigned char byte;
	int c;

	/* Reads the descriptor directly: curses has read nothing beyond the character before. */
	if (want == TERM_DECODE_BYTE)
		return input_within(ESC_MS) && read(STDIN_FILENO, &byte, 1) == 1 ? byte : -1;
	c = read_character(t);
	return c < 0 && want == TERM_DECODE_SOON && input_within(ESC_MS) ? read_character(t) : c;
}

static struct term_event
decode_escape(struct term *term)
{
	enum term_decode_want want = term_decode_begin(&term->decoder, term->mouse);

	while (want != TERM_DECODE_DONE) {
		int c = read_wanted(term, want);

		want = term_decode_feed(&term->decoder, c, clock_ns());
	}
	if (term->decoder.unread >= 0)
		unget_wch((wchar_t)term->decoder.unread);
	return term->decoder.event;
}

static bool
next_resize(struct term *term)
{
	int w, h;

	term_size(term, &w, &h);
	if (w == term->w && h == term->h)
		return false;
	term->w = w;
	term->h = h;
	resize_term(h, w);
	clearok(stdscr, TRUE);
	forget_shown(term);
	return true;
}

/* Turns one input of curses into an event. False: it has no meaning here, read the next one. */
static bool
decode(struct term *t, int kind, wint_t code, struct term_event *out)
{
	*out = (struct term_event){.key = TK_NONE};
	if (kind == KEY_CODE_YES)
		out->key = term_curses_key_of(code);
	else if (code == 0x1b)
		*out = decode_escape(t);
	else
		out->key = code == 0x7f || code == 0x08 ? TK_BACKSPACE : (int)code;
	return out->key != TK_NONE;
}

struct term_event
term_next(struct term *term)
{
	struct term_event event = {.key = TK_NONE};

	if (term->gone)
		return (struct term_event){.key = TK_GONE};
	if (next_resize(term))
		return (struct term_event){.key = TK_RESIZE};
	for (;;) {
		wint_t code = 0;
		int kind = wget_wch(term->input, &code);

		if (kind == ERR) {
			term->gone = input_ended() || output_ended();
			event.key = term->gone ? TK_GONE : TK_NONE;
			return event;
		}
		if (decode(term, kind, code, &event))
			return event;
	}
}
