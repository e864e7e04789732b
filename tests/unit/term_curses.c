/* The one file that sees curses, on a pseudo-terminal: the bytes it sends for each depth of colour, the keys it makes
 * of bytes, sizes, mouse, suspension, and a terminal that disappears. Checks print, so they run only after standard
 * input and output are back. */
#include "ui/term.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "test.h"

#define PATIENCE_SECONDS 60

struct tty {
	int master, kept_in, kept_out;
	struct term *term;
	struct str out; /* bytes sent since tty_forget() */
	struct err e;
};

/* --- a terminal in the place of standard input and output -------------------------------------------------------- */

static void
tty_size(const struct tty *t, int w, int h)
{
	struct winsize size = {.ws_col = (unsigned short)w, .ws_row = (unsigned short)h};

	ioctl(t->master, TIOCSWINSZ, &size);
}

static void
tty_begin(struct tty *t, int w, int h)
{
	char name[128] = "";
	int slave;

	*t = (struct tty){.master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)};
	CHECK(t->master >= 0 && grantpt(t->master) == 0 && unlockpt(t->master) == 0 &&
		ptsname_r(t->master, name, sizeof name) == 0);
	tty_size(t, w, h);
	fcntl(t->master, F_SETFL, O_NONBLOCK);
	slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	CHECK(slave >= 0);
	fflush(stdout);
	t->kept_in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	t->kept_out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	dup2(slave, STDIN_FILENO);
	dup2(slave, STDOUT_FILENO);
	close(slave);
}

static void
tty_read(struct tty *t)
{
	char part[4096];

	for (ssize_t n; t->master >= 0 && (n = read(t->master, part, sizeof part)) > 0;)
		str_addn(&t->out, part, (size_t)n);
}

static void
tty_open(struct tty *t, const struct term_options *o, bool mono)
{
	struct theme theme;

	theme_default(&theme);
	theme.mono = mono;
	t->term = term_open(o, &theme, &t->e);
	tty_read(t);
}

/* Puts standard input and output back; then checks may print. */
static void
tty_end(struct tty *t)
{
	term_close(t->term);
	t->term = NULL;
	tty_read(t);
	dup2(t->kept_in, STDIN_FILENO);
	dup2(t->kept_out, STDOUT_FILENO);
	close(t->kept_in);
	close(t->kept_out);
	if (t->master >= 0)
		close(t->master);
	t->master = -1;
}

static void
tty_type(const struct tty *t, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(t->master, bytes, n);

		if (done > 0) {
			bytes += done;
			n -= (size_t)done;
		} else if (errno != EAGAIN && errno != EINTR) {
			return;
		}
	}
}

static void
use_terminal(const char *name, const char *no_color)
{
	if (name)
		setenv("TERM", name, 1);
	else
		unsetenv("TERM");
	if (no_color)
		setenv("NO_COLOR", no_color, 1);
	else
		unsetenv("NO_COLOR");
	unsetenv("COLUMNS");
	unsetenv("LINES");
	setlocale(LC_ALL, "C.UTF-8");
}

/* --- what a byte stream shows ------------------------------------------------------------------------------------ */

/* How a character is drawn: colour -1 is the terminal's own, bright colours begin at 8. */
struct look {
	int fg, bg;
	bool bold, dim, underline, reverse;
};

static void
look_take(struct look *l, const char *parameters)
{
	char text[64];
	int n[16], count = 0;

	snprintf(text, sizeof text, "%s", parameters);
	for (char *save = NULL, *p = strtok_r(text, ";", &save); p && count < 16; p = strtok_r(NULL, ";", &save))
		n[count++] = atoi(p);
	if (count == 0)
		*l = (struct look){-1, -1, false, false, false, false};
	for (int i = 0; i < count; i++) {
		if ((n[i] == 38 || n[i] == 48) && i + 2 < count && n[i + 1] == 5) {
			*(n[i] == 38 ? &l->fg : &l->bg) = n[i + 2];
			i += 2;
		} else if (n[i] == 0) {
			*l = (struct look){-1, -1, false, false, false, false};
		} else if (n[i] == 22) {
			l->bold = l->dim = false;
		} else if (n[i] >= 30 && n[i] <= 39) {
			l->fg = n[i] == 39 ? -1 : n[i] - 30;
		} else if (n[i] >= 40 && n[i] <= 49) {
			l->bg = n[i] == 49 ? -1 : n[i] - 40;
		} else if (n[i] >= 90 && n[i] <= 97) {
			l->fg = n[i] - 90 + 8;
		} else {
			l->bold |= n[i] == 1;
			l->dim |= n[i] == 2;
			l->underline = n[i] == 4 || (n[i] != 24 && l->underline);
			l->reverse = n[i] == 7 || (n[i] != 27 && l->reverse);
		}
	}
}

/* How the last `letter` was drawn; false if it was not. */
static bool
look_of(const struct str *out, char letter, struct look *found)
{
	struct look now = {-1, -1, false, false, false, false};
	const char *s = str_text(out), *end = s + out->n;
	bool some = false;

	while (s < end) {
		if (*s == '\033' && s + 1 < end && s[1] == '[') {
			const char *from = s + 2;

			for (s = from; s < end && !(*s >= '@' && *s <= '~'); s++)
				;
			if (s < end && *s == 'm') {
				char parameters[64];

				snprintf(parameters, sizeof parameters, "%.*s", (int)(s - from), from);
				look_take(&now, parameters);
			}
			s++;
		} else if (*s == '\033') {
			s += s + 1 < end && strchr("()", s[1]) ? 3 : 2;
		} else {
			if (*s == letter) {
				*found = now;
				some = true;
			}
			s++;
		}
	}
	return some;
}

static void
check_look(const struct str *out, char letter, struct look want)
{
	struct look got = {0};

	if (!test_check(look_of(out, letter, &got), __FILE__, __LINE__, "%c was not drawn", letter))
		return;
	test_check(got.fg == want.fg && got.bg == want.bg && got.bold == want.bold && got.dim == want.dim &&
			got.underline == want.underline && got.reverse == want.reverse,
		__FILE__, __LINE__, "%c is fg %d bg %d%s%s%s%s, expected fg %d bg %d%s%s%s%s", letter, got.fg, got.bg,
		got.bold ? " bold" : "", got.dim ? " dim" : "", got.underline ? " underline" : "",
		got.reverse ? " reverse" : "", want.fg, want.bg, want.bold ? " bold" : "", want.dim ? " dim" : "",
		want.underline ? " underline" : "", want.reverse ? " reverse" : "");
}

/* --- colours ----------------------------------------------------------------------------------------------------- */

/* A letter for each role that differs: T text, D dim, A accent, I infeasible, B borderline, H hot, S text on the
 * background of the selection, E dim there, U underlined text. */
static struct grid *
letters(void)
{
	static const struct {
		enum role fg, bg;
		unsigned char attr;
		char letter;
	} cell[] = {
		{ROLE_TEXT, ROLE_BACKGROUND, 0, 'T'}, {ROLE_DIM, ROLE_BACKGROUND, 0, 'D'},
		{ROLE_ACCENT, ROLE_BACKGROUND, 0, 'A'}, {ROLE_INFEASIBLE, ROLE_BACKGROUND, 0, 'I'},
		{ROLE_BORDERLINE, ROLE_BACKGROUND, 0, 'B'}, {ROLE_HOT, ROLE_BACKGROUND, 0, 'H'},
		{ROLE_TEXT, ROLE_SELECT, 0, 'S'}, {ROLE_DIM, ROLE_SELECT, 0, 'E'},
		{ROLE_TEXT, ROLE_BACKGROUND, CELL_UNDERLINE, 'U'},
	};
	struct grid *g = grid_new(40, 10, true);

	for (int i = 0; i < (int)(sizeof cell / sizeof *cell); i++) {
		struct pen p = {g, {0, 0, 40, 10}, cell[i].fg, cell[i].bg, cell[i].attr};
		const char text[2] = {cell[i].letter, '\0'};

		pen_text(&p, 2 * i, 3, text);
	}
	return g;
}

enum depth { MONO, COLORS_8, COLORS_16, COLORS_256 };

static void
check_letters(const struct str *out, enum depth depth)
{
	static const struct {
		char letter;
		struct look look[4];
	} row[] = {
		{'T', {{.fg = -1, .bg = -1}, {.fg = -1, .bg = -1}, {.fg = -1, .bg = -1}, {.fg = 253, .bg = -1}}},
		{'D', {{.fg = -1, .bg = -1, .dim = true}, {.fg = -1, .bg = -1, .dim = true}, {.fg = 8, .bg = -1},
			{.fg = 103, .bg = -1}}},
		{'A', {{.fg = -1, .bg = -1, .bold = true}, {.fg = 4, .bg = -1, .bold = true}, {.fg = 12, .bg = -1},
			{.fg = 111, .bg = -1}}},
		{'I', {{.fg = -1, .bg = -1, .bold = true}, {.fg = 1, .bg = -1}, {.fg = 1, .bg = -1},
			{.fg = 204, .bg = -1}}},
		{'B', {{.fg = -1, .bg = -1, .underline = true}, {.fg = 3, .bg = -1}, {.fg = 3, .bg = -1},
			{.fg = 221, .bg = -1}}},
		{'H', {{.fg = -1, .bg = -1, .bold = true, .reverse = true}, {.fg = 1, .bg = -1, .bold = true},
			{.fg = 9, .bg = -1, .bold = true}, {.fg = 203, .bg = -1, .bold = true}}},
		{'S', {{.fg = -1, .bg = -1, .reverse = true}, {.fg = -1, .bg = -1, .reverse = true},
			{.fg = -1, .bg = -1, .reverse = true}, {.fg = 253, .bg = 237}}},
		{'E', {{.fg = -1, .bg = -1, .reverse = true}, {.fg = -1, .bg = -1, .reverse = true},
			{.fg = 8, .bg = -1, .reverse = true}, {.fg = 103, .bg = 237}}},
		{'U', {{.fg = -1, .bg = -1, .underline = true}, {.fg = -1, .bg = -1, .underline = true},
			{.fg = -1, .bg = -1, .underline = true}, {.fg = 253, .bg = -1, .underline = true}}},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		check_look(out, row[i].letter, row[i].look[depth]);
}

/* No base package has terminals of 16 colours, or without colours and with all attributes. So they are made of
 * xterm-256color. False: tic is not installed. */
static bool
make_terminals(char *folder)
{
	char *command;
	bool good;

	if (!mkdtemp(folder))
		return false;
	command = str_format(
		"printf 'hecate-16|test,\\n\\tcolors#16, pairs#256, use=xterm-256color,\\n"
		"hecate-mono|test,\\n\\tcolors@, pairs@, setaf@, setab@, op@, use=xterm-256color,\\n' >%s/in && "
		"tic -x -o %s %s/in >/dev/null 2>&1",
		folder, folder, folder);
	good = system(command) == 0;
	free(command);
	return good;
}

static void
depths_of_colour(void)
{
	static const struct {
		const char *term, *no_color;
		enum term_color color;
		bool mono_theme;
		enum depth depth;
	} row[] = {
		{"xterm-256color", NULL, TERM_COLOR_AUTO, false, COLORS_256},
		{"hecate-16", NULL, TERM_COLOR_AUTO, false, COLORS_16},
		{"xterm", NULL, TERM_COLOR_AUTO, false, COLORS_8},
		{"hecate-mono", NULL, TERM_COLOR_ALWAYS, false, MONO},
		{"xterm-256color", "1", TERM_COLOR_AUTO, false, MONO},
		{"xterm-256color", "", TERM_COLOR_AUTO, false, COLORS_256},
		{"xterm-256color", "1", TERM_COLOR_ALWAYS, false, COLORS_256},
		{"xterm-256color", NULL, TERM_COLOR_NEVER, false, MONO},
		{"xterm-256color", NULL, TERM_COLOR_ALWAYS, true, MONO},
	};
	char folder[] = "/tmp/hecate-terminfo-XXXXXX", *remove = NULL;
	bool made = make_terminals(folder);

	remove = str_format("%s:/etc/terminfo:/lib/terminfo:/usr/share/terminfo", folder);
	setenv("TERMINFO_DIRS", remove, 1);
	free(remove);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct term_options o = {.color = row[i].color};
		struct grid *g = letters();
		struct tty t;
		bool opened;

		if (str_starts(row[i].term, "hecate-") && !made)
			continue;
		use_terminal(row[i].term, row[i].no_color);
		tty_begin(&t, 40, 10);
		tty_open(&t, &o, row[i].mono_theme);
		opened = t.term != NULL;
		str_clear(&t.out);
		if (opened)
			term_show(t.term, g, true);
		tty_read(&t);
		tty_end(&t);
		test_label("%s NO_COLOR=%s color %d theme %d", row[i].term,
			row[i].no_color ? row[i].no_color : "(unset)", (int)row[i].color, row[i].mono_theme);
		if (test_check(opened, __FILE__, __LINE__, "%s", t.e.what))
			check_letters(&t.out, row[i].depth);
		str_free(&t.out);
		grid_free(g);
	}
	unsetenv("TERMINFO_DIRS");
	remove = str_format("rm -rf %s", folder);
	CHECK(system(remove) == 0);
	free(remove);
}

/* --- opening ----------------------------------------------------------------------------------------------------- */

static void
where_ascii_is_chosen(void)
{
	static const struct {
		const char *term, *locale;
		bool asked, ascii;
	} row[] = {
		{"xterm-256color", "C.UTF-8", false, false},
		{"xterm-256color", "C.UTF-8", true, true},
		{"xterm-256color", "C", false, true},
		{"linux", "C.UTF-8", false, true},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct term_options o = {.ascii = row[i].asked};
		struct tty t;
		bool ascii = false, opened;

		use_terminal(row[i].term, NULL);
		setlocale(LC_ALL, row[i].locale);
		tty_begin(&t, 80, 24);
		tty_open(&t, &o, false);
		opened = t.term != NULL;
		if (opened)
			ascii = term_ascii(t.term);
		tty_end(&t);
		test_label("%s %s", row[i].term, row[i].locale);
		CHECK(opened);
		CHECK_INT(ascii, row[i].ascii);
		str_free(&t.out);
	}
	setlocale(LC_ALL, "C.UTF-8");
}

static void
what_cannot_be_opened(void)
{
	static const struct {
		const char *term;
		int closed; /* descriptor that is no terminal; -1: none */
		const char *what, *hint;
	} row[] = {
		{NULL, -1, "TERM is not set", "TERM=xterm-256color"},
		{"", -1, "TERM is not set", "TERM=xterm-256color"},
		{"no-such-terminal", -1, "no-such-terminal is not in the terminfo data base", "ncurses-term"},
		{"dumb", -1, "too simple to draw on", "xterm-256color"},
		{"xterm", STDIN_FILENO, "standard input is none", "hecate help"},
		{"xterm", STDOUT_FILENO, "standard output is none", "hecate help"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct term_options o = {.ascii = false};
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);
		struct tty t;
		bool opened;

		use_terminal(row[i].term, NULL);
		tty_begin(&t, 80, 24);
		if (row[i].closed >= 0)
			dup2(null, row[i].closed);
		tty_open(&t, &o, false);
		opened = t.term != NULL;
		tty_end(&t);
		close(null);
		test_label("TERM=%s, %d closed", row[i].term ? row[i].term : "(unset)", row[i].closed);
		CHECK(!opened);
		test_check(strstr(t.e.what, row[i].what) != NULL, __FILE__, __LINE__, "message: %s", t.e.what);
		test_check(strstr(t.e.hint, row[i].hint) != NULL, __FILE__, __LINE__, "hint: %s", t.e.hint);
		str_free(&t.out);
	}
}

/* --- drawing ----------------------------------------------------------------------------------------------------- */

static void
put(struct grid *g, int x, int y, const char *text)
{
	struct pen p = pen_on(g, (struct rect){0, 0, g->w, g->h}, ROLE_TEXT);

	pen_text(&p, x, y, text);
}

/* The bytes that showing a grid sends. The caller frees. */
static char *
sent(struct tty *t, const struct grid *g, bool redraw)
{
	str_clear(&t->out);
	term_show(t->term, g, redraw);
	tty_read(t);
	return str_take(&t->out);
}

/* Where COLORTERM promises true colour, a role's own colour is sent; a new theme draws everything again in its colours.
 * Where nothing promises it, and in GNU screen, the 256 colours stay. */
static void
true_colour_is_sent(void)
{
	static const struct { const char *term, *claim; bool true_color; } row[] = {
		{"xterm-256color", "truecolor", true}, {"xterm-256color", "24bit", true},
		{"xterm-256color", "yes", false}, {"xterm-256color", NULL, false},
		{"screen-256color", "truecolor", false}, {"xterm", "truecolor", false},
	};
	struct term_options o = {.color = TERM_COLOR_ALWAYS};

	unsetenv("TMUX");
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct grid *g = grid_new(40, 10, false);
		struct theme other;
		struct tty t;
		char *first, *second;

		put(g, 0, 0, "text 38;5;16m");
		use_terminal(row[i].term, NULL);
		if (row[i].claim)
			setenv("COLORTERM", row[i].claim, 1);
		else
			unsetenv("COLORTERM");
		tty_begin(&t, 40, 10);
		tty_open(&t, &o, false);
		first = t.term ? sent(&t, g, false) : strdup("");
		theme_default(&other);
		other.role[ROLE_TEXT].rgb = 0x010203;
		if (t.term)
			term_set_theme(t.term, &other);
		second = t.term ? sent(&t, g, false) : strdup("");
		tty_end(&t);
		unsetenv("COLORTERM");
		test_label("%s COLORTERM=%s", row[i].term, row[i].claim ? row[i].claim : "(unset)");
		CHECK(strstr(first, "text 38;5;16m"));
		CHECK_INT(strstr(first, "\033[38;2;212;216;222m") != NULL, row[i].true_color);
		CHECK_INT(strstr(second, "\033[38;2;1;2;3m") != NULL, row[i].true_color);
		CHECK_INT(strstr(first, "8;5;") && strstr(first, "\033[38;5;"), !row[i].true_color &&
			!str_eq(row[i].term, "xterm"));
		free(first);
		free(second);
		str_free(&t.out);
		grid_free(g);
	}
}

static void
only_what_changed_is_sent(void)
{
	struct term_options o = {.color = TERM_COLOR_NEVER};
	struct grid *g = grid_new(40, 10, false), *wide = grid_new(60, 14, false), *small = grid_new(20, 4, false);
	struct theme light;
	struct tty t;
	char *all, *same, *one, *again, *themed, *cut, *less;
	bool opened;

	put(g, 0, 0, "abcdefgh");
	put(g, 0, 9, "lowest");
	put(wide, 39, 0, "漢字"); /* the right edge cuts the first character */
	put(wide, 0, 1, "shown e\xcc\x81");
	put(wide, 0, 12, "below");
	put(small, 0, 0, "little");
	use_terminal("xterm-256color", NULL);
	tty_begin(&t, 40, 10);
	tty_open(&t, &o, false);
	opened = t.term != NULL;
	if (!opened) {
		tty_end(&t);
		CHECK(opened);
		return;
	}
	all = sent(&t, g, false);
	same = sent(&t, g, false);
	put(g, 3, 0, "X");
	one = sent(&t, g, false);
	again = sent(&t, g, true);
	theme_default(&light);
	light.role[ROLE_TEXT].mono_attr = CELL_BOLD;
	term_set_theme(t.term, &light);
	themed = sent(&t, g, false);
	cut = sent(&t, wide, false);
	less = sent(&t, small, false);
	tty_end(&t);
	CHECK(strstr(all, "abcdefgh") && strstr(all, "lowest"));
	CHECK_STR(same, "");
	CHECK(strchr(one, 'X') && !strstr(one, "efgh") && !strstr(one, "lowest") && strlen(one) < 40);
	CHECK(strstr(again, "abcXefgh") && strstr(again, "lowest") && strstr(again, "\033[2J"));
	CHECK(strstr(themed, "abcXefgh"));
	CHECK(strstr(cut, "shown e\xcc\x81") && !strstr(cut, "below") && !strstr(cut, "漢") && !strstr(cut, "字"));
	CHECK(strstr(less, "little"));
	free(all);
	free(same);
	free(one);
	free(again);
	free(themed);
	free(cut);
	free(less);
	str_free(&t.out);
	grid_free(g);
	grid_free(wide);
	grid_free(small);
}

/* --- input ------------------------------------------------------------------------------------------------------- */

/* Adds all keys that have arrived; of the mouse as "x,y,what". */
static void
add_keys(struct tty *t, struct str *out)
{
	struct term_event e;
	struct pollfd p = {.fd = term_fd(t->term), .events = POLLIN};

	poll(&p, 1, 10000);
	while ((e = term_next(t->term)).key != TK_NONE && e.key != TK_GONE) {
		if (e.key == TK_MOUSE)
			str_addf(out, "%d,%d,%d ", e.x, e.y, e.button);
		else if (e.key > ' ' && e.key < 0x7f)
			str_addf(out, "%c ", e.key);
		else
			str_addf(out, "%s%d ", e.key > TK_BASE && e.key < TK_ALT ? "+" : "",
				e.key > TK_BASE && e.key < TK_ALT ? e.key - TK_BASE : e.key);
	}
}

static void
bytes_become_keys(void)
{
	static const struct {
		const char *bytes, *keys;
		bool mouse;
	} row[] = {
		{"ab\r\t \x7f\x08\x0c", "a b 13 9 32 +10 +10 12 ", false},
		{"\033[A\033[B\033[C\033[D\033OA\033OB\033OC\033OD", "+1 +2 +4 +3 +1 +2 +4 +3 ", false},
		{"\033OH\033OF\033[5~\033[6~\033[Z", "+5 +6 +7 +8 +9 ", false},
		{"\033OP\033OQ\033[15~\033[24~", "+13 +14 +17 +24 ", false},
		{"\033[3~\033[2~x", "x ", false}, /* keys without a meaning */
		{"é漢", "233 28450 ", false},
		{"\033", "27 ", false},
		{"\0331\0332", "2097201 2097202 ", false},
		{"jjjjjjjjjj", "j j j j j j j j j j ", false},
		{"\033[<0;5;3M\033[<0;5;3mq", "4,2,0 4,2,5 q ", true},
		{"\033[<64;1;1M\033[<65;80;24M", "0,0,2 79,23,3 ", true},
		{"\033[M \"#\033[M#\"#z", "1,2,0 1,2,5 z ", true},
		{"\033[<0;5;3M\033[<32;6;3M", "4,2,0 5,2,4 ", true},
		{"\033[200~q\r\033[201~", "+25 q 13 +26 ", false}, /* pasted */
		{"\033[<2;5;3M\033[<35;6;3Mz", "z ", true}, /* other buttons, motion */
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct term_options o = {.mouse = row[i].mouse};
		struct str keys = {0}, opening;
		struct tty t;
		bool opened;

		use_terminal("xterm-256color", NULL);
		tty_begin(&t, 80, 24);
		tty_open(&t, &o, false);
		opened = t.term != NULL;
		opening = t.out;
		t.out = (struct str){0};
		tty_type(&t, row[i].bytes, strlen(row[i].bytes));
		if (opened)
			add_keys(&t, &keys);
		tty_end(&t);
		test_label("row %zu", i);
		CHECK(opened);
		CHECK_STR(str_text(&keys), row[i].keys);
		CHECK((strstr(str_text(&opening), "\033[?1006h") != NULL) == row[i].mouse);
		CHECK((strstr(str_text(&t.out), "\033[?1006l") != NULL) == row[i].mouse);
		str_free(&keys);
		str_free(&opening);
		str_free(&t.out);
	}
}

static void
a_double_click(void)
{
	static const char clicks[] = "\033[<0;5;3M\033[<0;5;3m\033[<0;5;3M\033[<0;5;3m";
	struct term_options o = {.mouse = true};
	struct str keys = {0};
	struct tty t;

	use_terminal("xterm-256color", NULL);
	tty_begin(&t, 80, 24);
	tty_open(&t, &o, false);
	tty_type(&t, clicks, strlen(clicks));
	if (t.term)
		add_keys(&t, &keys);
	tty_end(&t);
	CHECK_STR(str_text(&keys), "4,2,0 4,2,5 4,2,1 4,2,5 ");
	str_free(&keys);
	str_free(&t.out);
}

static void
sizes(void)
{
	static const struct {
		int w, h, seen_w, seen_h;
	} row[] = {{100, 30, 100, 30}, {19, 2, 19, 2}, {65535, 65535, 1000, 500}, {0, 0, 1000, 500}, {80, 24, 80, 24}};
	enum { ROWS = sizeof row / sizeof *row };
	struct term_options o = {.mouse = false};
	int w[ROWS], h[ROWS], key[ROWS], after[ROWS], first_w = 0, first_h = 0;
	struct tty t;

	use_terminal("xterm-256color", NULL);
	setenv("COLUMNS", "77", 1);
	setenv("LINES", "22", 1);
	tty_begin(&t, 0, 0); /* the kernel knows no size */
	tty_open(&t, &o, false);
	if (t.term)
		term_size(t.term, &first_w, &first_h);
	for (int i = 0; i < ROWS && t.term; i++) {
		tty_size(&t, row[i].w, row[i].h);
		key[i] = term_next(t.term).key;
		after[i] = term_next(t.term).key;
		term_size(t.term, &w[i], &h[i]);
	}
	tty_end(&t);
	CHECK_INT(first_w, 77);
	CHECK_INT(first_h, 22);
	for (int i = 0; i < ROWS; i++) {
		test_label("%dx%d", row[i].w, row[i].h);
		CHECK_INT(key[i], row[i].w ? TK_RESIZE : TK_NONE);
		CHECK_INT(after[i], TK_NONE);
		CHECK_INT(w[i], row[i].seen_w);
		CHECK_INT(h[i], row[i].seen_h);
	}
	str_free(&t.out);
	unsetenv("COLUMNS");
	unsetenv("LINES");
}

static void
a_terminal_that_disappears(void)
{
	struct term_options o = {.mouse = true};
	struct grid *g = letters();
	struct tty t;
	int first = 0, second = 0;
	bool opened;

	signal(SIGHUP, SIG_IGN);
	use_terminal("xterm-256color", NULL);
	tty_begin(&t, 40, 10);
	tty_open(&t, &o, false);
	opened = t.term != NULL;
	close(t.master);
	t.master = -1;
	if (opened) {
		first = term_next(t.term).key;
		term_show(t.term, g, true);
		second = term_next(t.term).key;
	}
	tty_end(&t);
	signal(SIGHUP, SIG_DFL);
	CHECK(opened);
	CHECK_INT(first, TK_GONE);
	CHECK_INT(second, TK_GONE);
	str_free(&t.out);
	grid_free(g);
}

/* --- suspension -------------------------------------------------------------------------------------------------- */

/* Draws, and answers each key by drawing, until q. It has a process group of its own in the test's session, because an
 * orphaned group cannot be stopped. */
static void
be_suspended(struct tty *t)
{
	struct term_options o = {.mouse = true};
	struct grid *g = grid_new(40, 10, true);
	int key = TK_NONE;

	setpgid(0, 0);
	tty_open(t, &o, false);
	if (!t->term)
		_exit(1);
	put(g, 0, 0, "drawn");
	term_show(t->term, g, false);
	while (key != 'q') {
		struct pollfd p = {.fd = term_fd(t->term), .events = POLLIN};

		poll(&p, 1, 1000);
		while ((key = term_next(t->term).key) != TK_NONE && key != 'q') {
			put(g, 0, 1, "after");
			term_show(t->term, g, true);
		}
	}
	term_close(t->term);
	grid_free(g);
	exit(0);
}

/* Reads until `text` has been sent; false if it never is. */
static bool
expect(struct tty *t, const char *text)
{
	struct pollfd p = {.fd = t->master, .events = POLLIN};

	for (double limit = clock_seconds() + PATIENCE_SECONDS; clock_seconds() < limit;) {
		size_t before = t->out.n;

		tty_read(t);
		if (t->out.s && memmem(t->out.s, t->out.n, text, strlen(text)))
			return true;
		if (t->out.n == before) /* data reported as readable may still be missing */
			poll(&p, poll(&p, 1, 100) > 0 ? 0 : 1, 5);
	}
	return false;
}

static void
stopped_and_continued(void)
{
	struct tty t;
	bool drawn, stopped, left, back, after;
	int status = 0;
	pid_t pid;

	use_terminal("xterm-256color", NULL);
	tty_begin(&t, 40, 10);
	pid = fork();
	if (pid == 0)
		be_suspended(&t);
	drawn = expect(&t, "drawn");
	str_clear(&t.out);
	kill(pid, SIGTSTP);
	stopped = waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status);
	left = expect(&t, "\033[?1049l") && strstr(str_text(&t.out), "1000l");
	str_clear(&t.out);
	kill(pid, SIGCONT);
	back = expect(&t, "\033[?1049h");
	tty_type(&t, "x", 1);
	after = expect(&t, "after") && strstr(str_text(&t.out), "\033[?1006h");
	tty_type(&t, "q", 1);
	waitpid(pid, &status, 0);
	tty_end(&t);
	CHECK(drawn);
	CHECK(stopped);
	CHECK(left);
	CHECK(back);
	CHECK(after);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	str_free(&t.out);
}

#ifdef HECATE_SANITIZERS
/* ncurses never frees what it prepares for a terminal before newterm(3) knows its type. */
const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
	return "leak:new_prescr\n";
}
#endif

TEST_MAIN(CASE(depths_of_colour), CASE(where_ascii_is_chosen), CASE(what_cannot_be_opened),
	CASE(true_colour_is_sent), CASE(only_what_changed_is_sent), CASE(bytes_become_keys), CASE(a_double_click),
	CASE(sizes),
	CASE(a_terminal_that_disappears), CASE(stopped_and_continued))
