/* A page with every role, glyph, bar, number and title rule, to look at in a terminal and for tests in tmux.
 *
 *     termdemo [--ascii] [--color=never|always|auto] [--theme FILE] [--mouse] [--popup] [--dump WxH] [--svg WxH]
 *
 * Tab walks through the panes, arrows move, p opens a popup, q quits, P panics. --dump and --svg print the page and
 * need no terminal. */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/panic.h"
#include "base/str.h"
#include "draw/layout.h"
#include "draw/panes.h"
#include "ui/term.h"

enum { PANE_FEATURES, PANE_ROLES, PANE_BARS, PANE_GLYPHS, PANE_NUMBERS };

static const struct pane_spec spec[] = {
	{.id = PANE_FEATURES, .priority = 0, .band = 0, .column = 0, .min_w = 24, .min_h = 4, .max_h = 12,
		.weight_w = 2, .weight_h = 1},
	{.id = PANE_ROLES, .priority = 1, .band = 0, .column = 1, .min_w = 36, .min_h = 6, .weight_w = 3,
		.weight_h = 1},
	{.id = PANE_BARS, .priority = 3, .band = 0, .column = 0, .min_w = 24, .min_h = 7, .weight_w = 2, .weight_h = 1},
	{.id = PANE_GLYPHS, .priority = 4, .band = 0, .column = 1, .min_w = 36, .min_h = 7, .weight_w = 3,
		.weight_h = 1},
	{.id = PANE_NUMBERS, .priority = 5, .band = 1, .column = 0, .min_w = 60, .min_h = 6, .weight_w = 1,
		.weight_h = 1, .from_h = 30},
};
#define N_SPEC (sizeof spec / sizeof *spec)

struct demo {
	int focus, cursor, key;
	struct term_event event;
	bool popup;
};

static const char *const feature[][2] = {
	{"tlb_pf", "prefetches"}, {"early_psc", "PSC first"}, {"merging", "MSHR merge"}, {"pml4e", "root cache"},
	{"bypass", "no refs"},    {"abort", "walks abort"},   {"replay", "needs abort"}, {"wide_pf", "both ways"},
};
#define N_FEATURES ((int)(sizeof feature / sizeof *feature))

static void
draw_features(struct grid *g, struct rect r, const struct demo *d, bool focus)
{
	struct pen text = pen_on(g, r, ROLE_TEXT), dim = pen_on(g, r, ROLE_DIM), accent = pen_on(g, r, ROLE_ACCENT);
	int first = list_scroll(0, d->cursor, N_FEATURES, r.h);

	for (int i = first; i < N_FEATURES && i - first < r.h; i++) {
		int y = r.y + i - first;
		struct pen name = i < 3 ? text : i == 6 ? dim : text;

		name.attr = i < 3 ? CELL_BOLD : 0;
		pen_text(i < 3 ? &accent : &dim, r.x + 1, y, i < 3 ? "[x]" : i == 6 ? "[-]" : "[ ]");
		pen_fit(&name, r.x + 5, y, 10, feature[i][0]);
		pen_fit(&dim, r.x + 15, y, r.w - 15, feature[i][1]);
		if (i != d->cursor)
			continue;
		pen_text(&accent, r.x, y, glyph_text(GLYPH_CURSOR, g->ascii));
		if (focus)
			grid_tint(g, (struct rect){r.x, y, r.w, 1}, ROLE_SELECT);
	}
}

static void
draw_roles(struct grid *g, struct rect r)
{
	static const struct {
		enum role role;
		const char *sign, *name, *means;
	} row[] = {
		{ROLE_TEXT, " ", "text", "what you read"},
		{ROLE_DIM, " ", "dim", "labels, units, what is off"},
		{ROLE_FRAME, "─", "frame", "rules and boxes"},
		{ROLE_ACCENT, "■", "accent", "focus, keys, counters"},
		{ROLE_FEASIBLE, "✓", "feasible", "the data fit the model"},
		{ROLE_INFEASIBLE, "✗", "infeasible", "no mix of µpaths fits"},
		{ROLE_BORDERLINE, "≈", "borderline", "too close to tell"},
		{ROLE_UNDECIDED, "?", "undecided", "not enough data"},
		{ROLE_PATH1, "━", "DRd", "demand reads"},
		{ROLE_PATH2, "━", "RFO", "reads for ownership"},
		{ROLE_PATH3, "━", "HWPF", "hardware prefetches"},
		{ROLE_PATH4, "━", "DWr", "demand writes"},
		{ROLE_HOT, "┏", "hot", "the culprit"},
	};

	for (int i = 0; i < (int)(sizeof row / sizeof *row); i++) {
		struct pen p = pen_on(g, r, row[i].role), text = pen_on(g, r, ROLE_TEXT);

		pen_text(&p, r.x + 1, r.y + i, row[i].sign);
		pen_text(&p, r.x + 3, r.y + i, row[i].name);
		pen_fit(&text, r.x + 15, r.y + i, r.w - 15 - 12, row[i].means);
		if (r.w > 44) {
			pen_text(&p, r.x + r.w - 10, r.y + i, "on select");
			grid_tint(g, rect_cut(r, (struct rect){r.x + r.w - 11, r.y + i, 11, 1}), ROLE_SELECT);
		}
	}
}

static void
draw_bars(struct grid *g, struct rect r)
{
	static const double wave[] = {1, 2, 3, 4, 5, 6, 7, 8, 7, 6, NAN, 4, 3, 2, 1, 0};
	static const struct draw_part stack[] = {
		{0.34, ROLE_PATH1, 0, 'B'}, {0.31, ROLE_PATH2, 1, 'b'}, {0.07, ROLE_PATH3, 3, 'i'}, {0.46,
			ROLE_PATH4, 2, 'D'},
	};
	struct pen dim = pen_on(g, r, ROLE_DIM), accent = pen_on(g, r, ROLE_ACCENT),
		   bad = pen_on(g, r, ROLE_INFEASIBLE);
	int w = r.w - 10;
	char share[NUMBER_TEXT];

	for (int i = 0; i < 5; i++) {
		double v = i == 0 ? 0.0004 : i * 0.27 - 0.13;

		draw_bar(i % 2 ? &bad : &accent, r.x + 1, r.y + i, w, v);
		pen_right(&dim, r.x + r.w - 3, r.y + i, number_share(share, v));
		if (i == 0)
			pen_text(&dim, r.x + r.w - 2, r.y, "%");
	}
	draw_spark(&accent, r.x + 1, r.y + 5, w, wave, sizeof wave / sizeof *wave, 0);
	pen_right(&dim, r.x + r.w - 1, r.y + 5, "spark");
	draw_stack(&dim, r.x + 1, r.y + 6, w, stack, sizeof stack / sizeof *stack, 1.24);
	pen_right(&dim, r.x + r.w - 1, r.y + 6, "1.24 CPI");
}

static void
draw_glyphs(struct grid *g, struct rect r)
{
	static const char *const line[] = {
		"load",
		"└◇ DTLB",
		"  ├ Hit ── ■ load.ret ── ●",
		"  ├ Miss ▸ 7 cases folded",
		"  └○ psc_lookup ╌╌╌┐",
		"    ╎ ≤ ≥ − × ± → µ ∅ … · ★ ▾ │ ┃ ┏━┓ ╵",
		"↓ 41 %  ▷  ↑ 4.6×  █▓▒░ ▐████▌  d² 31.8  r₁ 0.18  ⣿⡇⠁",
		"wide 漢字 marks e\xcc\x81 control \x1b[31m\n bidi \xe2\x80\xae broken \xff.",
	};
	struct pen p = pen_on(g, r, ROLE_TEXT);

	for (int i = 0; i < (int)(sizeof line / sizeof *line); i++)
		pen_fit(&p, r.x + 1, r.y + i, r.w - 1, line[i]);
}

static void
draw_numbers(struct grid *g, struct rect r)
{
	static const double count[] = {0, 0.31, 4.5, 611, 10653, 99999, 100000, 153214, 4.7e9, 2.5e13, -61300};
	static const double second[] = {3e-9, 4.2e-7, 0.0004, 0.041, 4.1, 61, 600, 7200, 400000};
	static const double p[] = {0.69, 0.2, 0.01, 2e-4, 4e-7, 1e-12};
	struct pen text = pen_on(g, r, ROLE_TEXT), dim = pen_on(g, r, ROLE_DIM);
	char s[NUMBER_TEXT];

	pen_text(&dim, r.x + 1, r.y, "counts");
	for (int i = 0; i < (int)(sizeof count / sizeof *count); i++)
		pen_right(&text, r.x + 18 + 10 * i, r.y, number_count(s, count[i], g->ascii));
	pen_text(&dim, r.x + 1, r.y + 1, "times");
	for (int i = 0; i < (int)(sizeof second / sizeof *second); i++)
		pen_right(&text, r.x + 18 + 10 * i, r.y + 1, number_seconds(s, second[i], g->ascii));
	pen_text(&dim, r.x + 1, r.y + 2, "p");
	for (int i = 0; i < (int)(sizeof p / sizeof *p); i++)
		pen_right(&text, r.x + 18 + 10 * i, r.y + 2, number_p(s, p[i]));
	pen_text(&dim, r.x + 1, r.y + 3, "exact");
	pen_right(&text, r.x + 28, r.y + 3, number_exact(s, 1234567, true, g->ascii));
	pen_right(&text, r.x + 48, r.y + 3, number_exact(s, -201, true, g->ascii));
}

static void
draw_frame(struct grid *g, const struct demo *d)
{
	static const char *const key[][2] = {{"Tab", "pane"}, {"p", "popup"}, {"?", "help"}, {"q", "quit"}};
	struct rect all = {0, 0, g->w, g->h};
	struct pen text = pen_on(g, all, ROLE_TEXT), dim = pen_on(g, all, ROLE_DIM),
		   accent = pen_on(g, all, ROLE_ACCENT);
	struct pen bad = pen_on(g, all, ROLE_INFEASIBLE), bold = text;
	int x = 9;

	bold.attr = CELL_BOLD;
	pen_text(&accent, 1, 0, "hecate");
	x += pen_text(&bold, x, 0, "termdemo") + 2;
	pen_textf(&dim, x, 0, "%d×%d", g->w, g->h);
	pen_right(&bad, g->w - 1, 0, "✗ 91 of 212");
	if (d->key == TK_MOUSE)
		pen_textf(&text, 1, g->h - 2, "mouse %d at %d,%d", d->event.button, d->event.x, d->event.y);
	else if (d->key >= ' ' && d->key < 0x7f)
		pen_textf(&text, 1, g->h - 2, "key %c", d->key);
	else
		pen_textf(&text, 1, g->h - 2, "key %#x", (unsigned)d->key);
	pen_right(&dim, g->w - 1, g->h - 2, g->ascii ? "ASCII" : "UTF-8");
	x = 1;
	for (int i = 0; i < 4; i++) {
		accent.attr = CELL_BOLD;
		x += pen_text(&accent, x, g->h - 1, key[i][0]) + 1;
		x += pen_text(&dim, x, g->h - 1, key[i][1]) + 2;
	}
}

static void
draw_popup_page(struct grid *g)
{
	struct rect in = draw_popup(g, (struct rect){0, 0, g->w, g->h}, 46, 9, "Signature witness", "17 of 545");
	struct pen text = pen_on(g, in, ROLE_TEXT), good = pen_on(g, in, ROLE_FEASIBLE);

	draw_wrapped(&text, in.x + 1, in.y, in.w - 2,
		"A popup is a boxed pane in the middle; the page below it is dim. This text is broken at blanks, and a "
		"verylongwordwithoutanyblankinsidethatmustbebrokenhard is broken hard.");
	pen_text(&good, in.x + 1, in.y + in.h - 1, "✓ feasible   d² 31.8 of 45.6");
}

static void
draw_page(struct grid *g, const struct demo *d)
{
	struct panes panes;
	const char *title[PANES_MAX], *info[PANES_MAX];
	static const char *const name[][2] = {
		{"Features", "3 of 8 on"}, {"Roles", "13 and 2 backgrounds"}, {"Bars", "eighths"},
			{"µDD · glyphs", "linear-4k"}, {"Numbers", NULL},
	};
	int focus;

	grid_clear(g);
	draw_frame(g, d);
	panes_lay(spec, N_SPEC, (struct rect){0, 1, g->w, g->h - 3}, d->focus, &panes);
	focus = panes_focus(spec, N_SPEC, &panes, d->focus);
	for (size_t i = 0; i < panes.n; i++) {
		title[i] = name[panes.pane[i].id][0];
		info[i] = name[panes.pane[i].id][1];
	}
	panes_draw(g, &panes, title, info, focus);
	for (size_t i = 0; i < panes.n; i++) {
		struct rect r = pane_body(&panes.pane[i]);

		switch (panes.pane[i].id) {
		case PANE_FEATURES:
			draw_features(g, r, d, focus == PANE_FEATURES);
			break;
		case PANE_ROLES:
			draw_roles(g, r);
			break;
		case PANE_BARS:
			draw_bars(g, r);
			break;
		case PANE_GLYPHS:
			draw_glyphs(g, r);
			break;
		case PANE_NUMBERS:
			draw_numbers(g, r);
			break;
		}
	}
	if (d->popup)
		draw_popup_page(g);
}

static void
take_key(struct demo *d, struct term_event e, int w, int h)
{
	struct panes panes;

	d->key = e.key == TK_RESIZE ? d->key : e.key;
	d->event = e;
	panes_lay(spec, N_SPEC, (struct rect){0, 1, w, h - 3}, d->focus, &panes);
	if (e.key == '\t' || e.key == TK_SHIFT_TAB)
		d->focus = panes_next(spec, N_SPEC, &panes, d->focus, e.key == '\t' ? 1 : -1);
	if (e.key == TK_DOWN && d->cursor < N_FEATURES - 1)
		d->cursor++;
	if (e.key == TK_UP && d->cursor > 0)
		d->cursor--;
	if (e.key == 'p' || e.key == 0x1b)
		d->popup = e.key == 'p';
	if (e.key == TK_MOUSE && panes_at(&panes, e.x, e.y) >= 0)
		d->focus = panes_at(&panes, e.x, e.y);
}

static void
on_signal(int sig)
{
	(void)sig; /* its only effect is to interrupt poll() */
}

/* Returns 0 when the user quit, 3 when the terminal vanished. */
static int
run(struct term *t, struct demo *d)
{
	for (bool redraw = true;;) {
		struct pollfd p = {.fd = term_fd(t), .events = POLLIN};
		struct term_event e;
		struct grid *g;
		int w, h;

		term_size(t, &w, &h);
		g = grid_new(w, h, term_ascii(t));
		draw_page(g, d);
		term_show(t, g, redraw);
		grid_free(g);
		redraw = false;
		if (poll(&p, 1, -1) < 0 && errno != EINTR)
			return 1;
		while ((e = term_next(t)).key != TK_NONE) {
			if (e.key == TK_GONE)
				return 3;
			if (e.key == 'q')
				return 0;
			if (e.key == 'P')
				panic("asked for");
			redraw |= e.key == 0x0c;
			take_key(d, e, w, h);
		}
	}
}

static bool
load_theme(const char *path, struct theme *theme, struct err *e)
{
	static char text[65536];
	FILE *f = fopen(path, "r");

	if (!f)
		return err_set(e, "cannot open %s: %s", path, strerror(errno));
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	return theme_parse(path, text, theme, e);
}

static int
fail(const struct err *e)
{
	struct str t = {0};

	err_text(e, &t);
	fprintf(stderr, "termdemo: %s\n", str_text(&t));
	str_free(&t);
	return 1;
}

static int
print_page(struct demo *d, const struct theme *theme, const char *size, bool ascii, bool svg)
{
	struct str out = {0};
	struct grid *g;
	int w = 80, h = 24;

	sscanf(size, "%dx%d", &w, &h);
	g = grid_new(w, h, ascii);
	draw_page(g, d);
	if (svg)
		grid_svg(g, theme, &out);
	else
		grid_text(g, &out);
	fputs(str_text(&out), stdout);
	str_free(&out);
	grid_free(g);
	return 0;
}

int
main(int argc, char **argv)
{
	struct term_options o = {.color = TERM_COLOR_AUTO};
	struct demo d = {.focus = PANE_FEATURES, .cursor = 4, .key = ' '};
	const char *dump = NULL;
	struct sigaction sa = {.sa_handler = on_signal};
	bool svg = false;
	struct theme theme;
	struct err e = {0};
	struct term *t;
	int code;

	setlocale(LC_ALL, "");
	theme_default(&theme);
	for (int i = 1; i < argc; i++) {
		if (str_eq(argv[i], "--ascii"))
			o.ascii = true;
		else if (str_eq(argv[i], "--mouse"))
			o.mouse = true;
		else if (str_eq(argv[i], "--popup"))
			d.popup = true;
		else if (str_starts(argv[i], "--color="))
			o.color = str_eq(argv[i] + 8, "never")  ? TERM_COLOR_NEVER
				: str_eq(argv[i] + 8, "always") ? TERM_COLOR_ALWAYS
								: TERM_COLOR_AUTO;
		else if (str_eq(argv[i], "--theme") && i + 1 < argc && !load_theme(argv[++i], &theme, &e))
			return fail(&e);
		else if ((str_eq(argv[i], "--dump") || str_eq(argv[i], "--svg")) && i + 1 < argc)
			svg = str_eq(argv[i], "--svg"), dump = argv[++i];
	}
	if (dump)
		return print_page(&d, &theme, dump, o.ascii, svg);
	sigaction(SIGWINCH, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	t = term_open(&o, &theme, &e);
	if (!t)
		return fail(&e);
	code = run(t, &d);
	term_close(t);
	return code;
}
