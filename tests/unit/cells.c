/* Cells, pens, glyphs, bars and dots of src/draw: text, role and attribute of each cell, compared with rows written
 * by hand, in Unicode and in ASCII. */
#include "draw/cell.h"
#include "draw/plot_canvas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "test.h"

#define W 12
#define H 3

/* Row y of a grid as text. */
static char *
row_text(const struct grid *g, int y)
{
	struct str t = {0};
	char *s, *end;

	grid_text(g, &t);
	s = t.s;
	for (int i = 0; i < y; i++)
		s = strchr(s, '\n') + 1;
	end = strchr(s, '\n');
	s = mem_strn(s, (size_t)(end - s));
	str_free(&t);
	return s;
}

static void
check_row(const struct grid *g, int y, const char *want)
{
	char *got = row_text(g, y);

	CHECK_STR(got, want);
	free(got);
}

static struct pen
whole(struct grid *g)
{
	return pen_on(g, (struct rect){0, 0, g->w, g->h}, ROLE_TEXT);
}

static void
text_is_drawn_and_clipped(void)
{
	static const struct {
		int x, y;
		struct rect clip;
		const char *s, *row;
		int used;
	} row[] = {
		{0, 0, {0, 0, W, H}, "hello", "hello       ", 5},
		{9, 0, {0, 0, W, H}, "hello", "         hel", 3},
		{2, 0, {0, 0, 5, H}, "hello", "  hel       ", 3},
		{-2, 0, {0, 0, W, H}, "hello", "llo         ", 5},
		{0, 0, {2, 0, 2, H}, "hello", "  ll        ", 4},
		{0, 0, {0, 1, W, 1}, "hello", "            ", 5},
		{20, 0, {0, 0, W, H}, "hello", "            ", 0},
		{0, -1, {0, 0, W, H}, "hello", "            ", 5},
		{0, 0, {0, 0, 0, 0}, "hello", "            ", 0},
		{0, 0, {0, 0, 100, 100}, "a long line of text", "a long line ", W},
		{0, 0, {0, 0, W, H}, "", "            ", 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct grid *g = grid_new(W, H, false);
		struct pen p = pen_on(g, row[i].clip, ROLE_DIM);

		test_label("row %zu", i);
		CHECK_INT(pen_text(&p, row[i].x, row[i].y, row[i].s), row[i].used);
		check_row(g, 0, row[i].row);
		check_row(g, 1, "            ");
		grid_free(g);
	}
}

static void
cells_hold_role_and_attribute(void)
{
	struct grid *g = grid_new(4, 1, false), *same = grid_new(4, 1, false), *other = grid_new(4, 2, false);
	struct pen p = {.grid = g, .clip = {0, 0, 4, 1}, .fg = ROLE_HOT, .bg = ROLE_SELECT, .attr = CELL_BOLD};

	CHECK(grid_equal(g, same));
	CHECK(!grid_equal(g, other));
	pen_text(&p, 1, 0, "x");
	CHECK(!grid_equal(g, same));
	CHECK_INT(grid_at(g, 1, 0)->fg, ROLE_HOT);
	CHECK_INT(grid_at(g, 1, 0)->bg, ROLE_SELECT);
	CHECK_INT(grid_at(g, 1, 0)->attr, CELL_BOLD);
	CHECK_INT(grid_at(g, 0, 0)->bg, ROLE_BACKGROUND);
	p.bg = 0; /* as in a zero-initialised pen */
	pen_text(&p, 1, 0, "x");
	CHECK_INT(grid_at(g, 1, 0)->bg, ROLE_BACKGROUND);
	CHECK(grid_at(g, 4, 0) == NULL && grid_at(g, -1, 0) == NULL && grid_at(g, 0, 1) == NULL &&
		grid_at(g, 0, -1) == NULL);
	grid_clear(g);
	CHECK(grid_equal(g, same));
	grid_free(g);
	grid_free(same);
	grid_free(other);
	grid_free(NULL);
	g = grid_new(-3, 5, false);
	CHECK_INT(g->w, 0);
	CHECK(grid_at(g, 0, 0) == NULL);
	grid_free(g);
}

static void
wide_characters_are_whole_or_blank(void)
{
	struct grid *g = grid_new(W, H, false);
	struct pen p = whole(g), narrow;

	CHECK_INT(pen_text(&p, 0, 0, "a漢b"), 4);
	CHECK_INT(grid_at(g, 2, 0)->cp, 0);
	check_row(g, 0, "a漢b        ");
	pen_text(&p, 2, 0, "x"); /* onto the right half */
	check_row(g, 0, "a xb        ");
	pen_text(&p, 4, 0, "漢");
	pen_text(&p, 4, 0, "x"); /* onto the left half */
	check_row(g, 0, "a xbx       ");
	pen_text(&p, 6, 0, "漢字");
	pen_text(&p, 7, 0, "漢"); /* onto a right and a left half */
	check_row(g, 0, "a xbx  漢   ");
	CHECK_INT(pen_text(&p, W - 1, 1, "漢"), 1); /* cut by the edge */
	check_row(g, 1, "            ");
	narrow = pen_on(g, (struct rect){1, 2, 2, 1}, ROLE_TEXT);
	pen_text(&narrow, 0, 2, "漢漢"); /* both cut by the clip */
	check_row(g, 2, "            ");
	grid_free(g);
}

static void
marks_are_kept_with_their_cell(void)
{
	struct grid *g = grid_new(W, H, false);
	struct pen p = whole(g);

	CHECK_INT(pen_text(&p, 0, 0, "e\u0301\u0302\u0303x"), 2); /* a cell keeps two marks */
	CHECK_INT(grid_at(g, 0, 0)->mark[0], 0x301);
	CHECK_INT(grid_at(g, 0, 0)->mark[1], 0x302);
	CHECK_INT(grid_at(g, 1, 0)->mark[0], 0);
	CHECK_INT(pen_text(&p, 0, 1, "漢\u0301"), 2);
	CHECK_INT(grid_at(g, 0, 1)->mark[0], 0x301);
	/* a mark without a cell, a variation selector; a joiner would make two names look alike */
	CHECK_INT(pen_text(&p, 0, 2, "\u0301ab\ufe0f"), 2);
	check_row(g, 2, "ab          ");
	CHECK_INT(pen_text(&p, 0, 2, "a\u200db\u00ad"), 4);
	check_row(g, 2, "a\ufffdb\ufffd        ");
	grid_free(g);
}

static void
controls_are_visible(void)
{
	static const struct { const char *s, *utf8, *ascii; } row[] = {
		{"\x1b[31m", "␛[31m", "?[31m"}, {"a\nb\tc", "a␊b␉c", "a?b?c"},  {"\x7f", "␡", "?"},
		{"\u202e", "�", "?"},          {"\xc2\x9b", "�", "?"},           {"\xff", "�", "?"},
		{"\u2028", "�", "?"},          {"\U0000fffe", "�", "?"},       {"\xc3", "�", "?"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		for (int ascii = 0; ascii < 2; ascii++) {
			const char *want = ascii ? row[i].ascii : row[i].utf8;
			struct grid *g = grid_new((int)utf8_width(want), 1, ascii);
			struct pen p = whole(g);

			test_label("row %zu ascii %d", i, ascii);
			CHECK_INT(pen_text(&p, 0, 0, row[i].s), g->w);
			check_row(g, 0, want);
			grid_free(g);
		}
	}
}

static void
fitting_loses_a_part(void)
{
	static const struct { const char *s; int columns; const char *tail, *head, *middle; int used; } row[] = {
		{"early_psc", 12, "early_psc   ", "early_psc   ", "early_psc   ", 9},
		{"early_psc", 9, "early_psc   ", "early_psc   ", "early_psc   ", 9},
		{"early_psc", 7, "early_…     ", "…ly_psc     ", "ear…psc     ", 7},
		{"early_psc", 6, "early…      ", "…y_psc      ", "ear…sc      ", 6},
		{"early_psc", 2, "e…          ", "…c          ", "e…          ", 2},
		{"early_psc", 1, "…           ", "…           ", "…           ", 1},
		{"early_psc", 0, "            ", "            ", "            ", 0},
		{"early_psc", -4, "            ", "            ", "            ", 0},
		{"漢字漢字", 6, "漢字…       ", "…漢字       ", "漢…字       ", 5},
		{"漢字漢字", 4, "漢…         ", "…字         ", "漢…         ", 3},
		{"", 5, "            ", "            ", "            ", 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct grid *g = grid_new(W, 3, false);
		struct pen p = whole(g);

		test_label("row %zu", i);
		CHECK_INT(pen_fit(&p, 0, 0, row[i].columns, row[i].s), row[i].used);
		CHECK_INT(pen_fit_head(&p, 0, 1, row[i].columns, row[i].s), row[i].used);
		CHECK_INT(pen_fit_middle(&p, 0, 2, row[i].columns, row[i].s), row[i].used);
		check_row(g, 0, row[i].tail);
		check_row(g, 1, row[i].head);
		check_row(g, 2, row[i].middle);
		grid_free(g);
	}
}

static void
lines_fills_and_tints(void)
{
	struct grid *g = grid_new(W, H, false), *ascii = grid_new(W, 1, true);
	struct pen p = whole(g), q = whole(ascii);

	CHECK_INT(pen_right(&p, W - 1, 0, "12 µs"), 5);
	check_row(g, 0, "      12 µs ");
	pen_hline(&p, 1, 1, 4, 0x2500);
	pen_hline(&p, 10, 1, 40, '=');
	pen_hline(&p, 0, 1, -3, 'x');
	check_row(g, 1, " ────     ==");
	pen_vline(&p, 2, -1, 9, '|');
	check_row(g, 0, "  |   12 µs ");
	check_row(g, 2, "  |         ");
	pen_fill(&p, (struct rect){8, 1, 9, 9}, '.');
	check_row(g, 2, "  |     ....");
	CHECK_INT(pen_textf(&p, 0, 2, "%d of %d", 3, 8), 6);
	check_row(g, 2, "3 of 8  ....");
	pen_hline(&q, 0, 0, 3, 0x2501);
	check_row(ascii, 0, "===         ");
	grid_tint(g, (struct rect){10, 2, 5, 5}, ROLE_SELECT);
	CHECK_INT(grid_at(g, 10, 2)->bg, ROLE_SELECT);
	CHECK_INT(grid_at(g, 9, 2)->bg, ROLE_BACKGROUND);
	grid_at(g, 10, 2)->attr = CELL_BOLD;
	grid_dim(g, (struct rect){-5, -5, 99, 99});
	CHECK_INT(grid_at(g, 10, 2)->bg, ROLE_BACKGROUND);
	CHECK_INT(grid_at(g, 10, 2)->fg, ROLE_DIM);
	CHECK_INT(grid_at(g, 10, 2)->attr, 0);
	grid_free(g);
	grid_free(ascii);
}

static void
rectangles_cut(void)
{
	static const struct { struct rect a, b, cut; } row[] = {
		{{0, 0, 4, 4}, {2, 1, 9, 9}, {2, 1, 2, 3}}, {{0, 0, 4, 4}, {4, 0, 1, 1}, {4, 0, 0, 1}},
			{{0, 0, 4, 4}, {-3, -3, 4, 4}, {0, 0, 1, 1}},
		{{0, 0, 0, 0}, {0, 0, 5, 5}, {0, 0, 0, 0}},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct rect r = rect_cut(row[i].a, row[i].b);

		test_label("row %zu", i);
		CHECK(r.x == row[i].cut.x && r.y == row[i].cut.y && r.w == row[i].cut.w && r.h == row[i].cut.h);
	}
	CHECK(rect_has((struct rect){1, 1, 2, 2}, 2, 2));
	CHECK(!rect_has((struct rect){1, 1, 2, 2}, 3, 2));
}

/* Each glyph has one or two columns, the same number in both forms. Its second form is ASCII, and glyph_translate()
 * turns the first into the second. */
static void
glyphs_agree_with_their_ascii_form(void)
{
	uint32_t cp;

	for (int i = 0; i < GLYPH_COUNT; i++) {
		const char *utf8 = glyph_text((enum glyph)i, false), *ascii = glyph_text((enum glyph)i, true);
		char *translated = glyph_translate(utf8, true);

		test_label("glyph %d %s", i, utf8);
		CHECK(strlen(ascii) >= 1 && strlen(ascii) <= 2);
		CHECK_INT(utf8_width(utf8), strlen(ascii));
		CHECK_STR(translated, ascii);
		for (const char *s = ascii; *s; s++)
			CHECK(*s > ' ' && *s < 0x7f);
		free(translated);
	}
	for (size_t i = 0; (cp = glyph_used(i)) != 0; i++) {
		char form[3];

		test_label("U+%04x", (unsigned)cp);
		CHECK(glyph_ascii(cp, form) >= 1);
		CHECK(form[0] != '?' && form[0] != 0);
		CHECK_INT(utf8_columns(cp), 1);
		CHECK(cp >= 0x80);
		if (i) /* the table is in order, for binary search */
			CHECK(cp > glyph_used(i - 1) || cp == 0x2500);
	}
	CHECK(glyph_used(1000) == 0);
}

static void
sentences_translate(void)
{
	static const struct { const char *s, *ascii; } row[] = {
		{"14 µpaths · 9 ≤ 10 − 1", "14 upaths . 9 <=10 - 1"},
		{"━ Features ━━━┭─ µDD ─┬┼╵", "= Features ===+- uDD -++|"},
		{"└◇ DTLB", "+<>DTLB"},
		{"m0 ∅", "m0 {}"},
		{"±0.2 %", "+-0.2 %"},
		{"214 k ± 2 k", "214 k +-2 k"},
		{"█▓▒░ ▁▂▃▄▅▆▇█", "#%:. _.:-=+*#"},
		{"short by ▐████████▌", "short by ##########"},
		{"┃╎╌╌╎", "#:..:"},
		{"d² r₁ 4.6× ↑ ↓ → ▷ ▸▾◂ ★", "d2 r1 4.6x ^ v > > >v< *"},
		{"✓ ✗ ≈ ? ■ ○ ●", "+ x = ? # o ."},
		{"plain\nlines stay", "plain\nlines stay"},
		{"é 漢", "? ?"},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *t = glyph_translate(row[i].s, true), *same = glyph_translate(row[i].s, false);

		test_label("row %zu", i);
		CHECK_STR(t, row[i].ascii);
		CHECK_STR(same, row[i].s);
		free(t);
		free(same);
	}
}

static void
an_ascii_grid_holds_only_ascii(void)
{
	struct grid *g = grid_new(40, 2, true);
	struct pen p = whole(g);

	CHECK_INT(pen_text(&p, 0, 0, "└◇ DTLB ≤ µ 漢 é… a ≤"), 22);
	CHECK_INT(pen_columns(&p, "└◇ DTLB ≤ µ 漢 é… a ≤"), 22);
	check_row(g, 0, "+<>DTLB <=u ?? ?~ a <=                  ");
	for (size_t i = 0; i < 80; i++)
		CHECK(g->cell[i].cp >= ' ' && g->cell[i].cp < 0x7f);
	grid_free(g);
}

static void
junctions_have_all_arms(void)
{
	static const struct { int up, right, down, left; uint32_t cp; } row[] = {
		{0, 1, 0, 1, 0x2500}, {0, 2, 0, 2, 0x2501}, {1, 0, 1, 0, 0x2502}, {0, 1, 1, 2, 0x252d}, {1, 1, 1,
			1, 0x253c},
		{1, 2, 0, 2, 0x2537}, {1, 0, 0, 0, 0x2575}, {0, 0, 0, 0, ' '}, {2, 2, 2, 2, 0x254b}, {0, 1, 1, 0,
			0x250c},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		CHECK_INT(glyph_junction(row[i].up, row[i].right, row[i].down, row[i].left), row[i].cp);
	for (int a = 0; a < 81; a++)
		for (int b = 0; b < a; b++)
			CHECK(glyph_junction(a / 27, a / 9 % 3, a / 3 % 3, a % 3) !=
				glyph_junction(b / 27, b / 9 % 3, b / 3 % 3, b % 3));
}

static void
bars_fill_in_eighths(void)
{
	static const struct { double share; const char *utf8, *ascii; } row[] = {
		{0, "    ", "    "}, {1, "████", "####"}, {0.5, "██  ", "##  "}, {0.5 + 1 / 32.0, "██▏ ", "##  "},
		{0.25 + 4 / 32.0, "█▌  ", "##  "}, {1e-9, "▏   ", "    "}, {-1, "    ", "    "}, {7, "████", "####"},
		{31 / 32.0, "███▉", "####"}, {NAN, "abcd", "abcd"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		for (int ascii = 0; ascii < 2; ascii++) {
			struct grid *g = grid_new(4, 1, ascii);
			struct pen p = whole(g);

			test_label("share %g", row[i].share);
			pen_text(&p, 0, 0, "abcd");
			draw_bar(&p, 0, 0, 4, row[i].share);
			check_row(g, 0, ascii ? row[i].ascii : row[i].utf8);
			grid_free(g);
		}
	}
}

static void
sparklines_show_the_newest(void)
{
	static const double v[] = {0, 1, 2, 3, 4, 5, 6, 7, NAN, 7};
	struct grid *g = grid_new(12, 3, false), *ascii = grid_new(12, 1, true);
	struct pen p = whole(g), q = whole(ascii);

	CHECK_INT(draw_spark(&p, 0, 0, 12, v, 10, 7), 10);
	check_row(g, 0, "▁▂▃▄▅▆▇█ █  ");
	CHECK_INT(draw_spark(&p, 0, 1, 4, v, 10, 14), 4);
	check_row(g, 1, "▄▅ ▅        ");
	CHECK_INT(draw_spark(&p, 0, 2, 3, v, 3, 0), 3); /* without a top the largest shown value is the top */
	check_row(g, 2, "▁▅█         ");
	CHECK_INT(draw_spark(&p, 0, 2, 5, v, 0, 0), 0);
	CHECK_INT(draw_spark(&p, 0, 2, 0, v, 5, 0), 0);
	draw_spark(&q, 0, 0, 12, v, 8, 7);
	check_row(ascii, 0, "_.:-=+*#    ");
	grid_free(g);
	grid_free(ascii);
}

static void
stacks_add_up(void)
{
	static const struct draw_part part[] = {
		{1, ROLE_PATH1, 0, 'B'}, {0.01, ROLE_PATH2, 1, 'b'}, {2, ROLE_PATH3, 2, 'D'}, {1, ROLE_PATH4, 3, 0}
	};
	struct grid *g = grid_new(12, 3, false), *ascii = grid_new(12, 1, true);
	struct pen p = whole(g), q = whole(ascii);

	draw_stack(&p, 0, 0, 8, part, 4, 4.01);
	check_row(g, 0, "B█D▒▒▒░░    ");
	CHECK_INT(grid_at(g, 0, 0)->fg, ROLE_PATH1);
	CHECK_INT(grid_at(g, 7, 0)->fg, ROLE_PATH4);
	draw_stack(&p, 0, 1, 8, part, 1, 4);
	check_row(g, 1, "B█          ");
	draw_stack(&p, 0, 2, 8, part, 4, 0.5); /* a sum above the top stays inside */
	check_row(g, 2, "B███████    ");
	draw_stack(&q, 0, 0, 8, part, 4, 4.01);
	check_row(ascii, 0, "B#D:::..    ");
	grid_free(g);
	grid_free(ascii);
}

/* −2 … 10 on 13 columns: the zero line is in the third. A part below zero that is less than a cell takes one. */
static void
errors_are_left_of_zero(void)
{
	static const struct draw_part part[] = {
		{-2, ROLE_PATH1, 0, 'B'}, {6, ROLE_PATH2, 1, 'b'}, {4, ROLE_PATH3, 2, 'D'},
	}, little[] = {{-0.1, ROLE_PATH1, 0, 0}, {4.1, ROLE_PATH2, 1, 'b'}};
	static const struct bar_axis axis = {2, 10}, none = {0, 10};
	struct grid *g = grid_new(14, 4, false), *ascii = grid_new(14, 1, true);
	struct pen p = whole(g), q = whole(ascii);

	draw_signed_stack(&p, 0, 0, 13, part, 3, &axis, 8);
	check_row(g, 0, "B◂│b▓▓▓▓▓D▒┃▒ ");
	CHECK_INT(grid_at(g, 0, 0)->fg, ROLE_INFEASIBLE);
	CHECK_INT(grid_at(g, 1, 0)->fg, ROLE_INFEASIBLE);
	draw_signed_stack(&p, 0, 1, 13, little, 2, &axis, 4);
	check_row(g, 1, " ◂│b▓▓▓       ");
	draw_signed_stack(&p, 0, 2, 10, part + 1, 2, &none, 10);
	draw_stack(&p, 0, 3, 10, part + 1, 2, 10);
	check_row(g, 2, "b▓▓▓▓▓D▒▒▒    ");
	check_row(g, 3, "b▓▓▓▓▓D▒▒▒    ");
	draw_signed_stack(&q, 0, 0, 13, part, 3, &axis, 8);
	check_row(ascii, 0, "B<|b%%%%%D:|: ");
	CHECK_INT(bar_axis_at(&axis, 13, -2), 0);
	CHECK_INT(bar_axis_at(&axis, 13, 0), 2);
	CHECK_INT(bar_axis_at(&axis, 13, 10), 13);
	grid_free(g);
	grid_free(ascii);
}

static void
spinners_have_one_column(void)
{
	for (unsigned i = 0; i < 25; i++) {
		CHECK_INT(utf8_width(glyph_spinner(i, false)), 1);
		CHECK_INT(strlen(glyph_spinner(i, true)), 1);
	}
}

/* Dots of a canvas: which bit each sets, which layer is on top, what is outside, and lines that are cut at the
 * border. */
static void
dots_become_braille(void)
{
	static const enum role role[PLOT_LAYERS] = {[PLOT_EDGE] = ROLE_FEASIBLE, [PLOT_SAMPLE] = ROLE_ACCENT};
	struct canvas *c = canvas_new(3, 2);

	canvas_dot(c, 0, 0, PLOT_SAMPLE);
	canvas_dot(c, 1, 3, PLOT_EDGE); /* the sample stays on top */
	canvas_dot(c, -1, 0, PLOT_POINT);
	canvas_dot(c, 6, 0, PLOT_POINT);
	canvas_dot(c, 0, 8, PLOT_POINT);
	canvas_line(c, -100, 5.5, 100, 5.5, PLOT_EDGE, 1, 0);
	canvas_line(c, -100, -5, 100, -5, PLOT_POINT, 1, 0);
	canvas_line(c, 2, 0, 2, INFINITY, PLOT_POINT, 1, 0);
	CHECK_INT(canvas_layer(c, 0, 0), PLOT_SAMPLE);
	CHECK_INT(canvas_layer(c, 1, 0), PLOT_NONE);
	CHECK_INT(canvas_layer(c, 3, 0), PLOT_NONE);
	for (int ascii = 0; ascii < 2; ascii++) {
		struct grid *g = grid_new(4, 3, ascii);
		struct pen p = pen_on(g, (struct rect){0, 0, 4, 3}, ROLE_TEXT);

		grid_clear(g);
		canvas_draw(c, &p, 1, 1, role);
		CHECK_INT(grid_at(g, 1, 1)->cp, ascii ? 'o' : 0x2881);
		CHECK_INT(grid_at(g, 1, 1)->fg, ROLE_ACCENT);
		CHECK_INT(grid_at(g, 2, 1)->cp, ' ');
		CHECK_INT(grid_at(g, 2, 2)->cp, ascii ? '.' : 0x2812);
		CHECK_INT(grid_at(g, 2, 2)->fg, ROLE_FEASIBLE);
		grid_free(g);
	}
	canvas_free(c);
}

/* The columns of a row that are sent to the terminal: from the first change to the last, whole characters. */
static void
changed_columns_hold_whole_characters(void)
{
	static const struct { const char *was, *now; int first, end; } row[] = {
		{"abcdef", "abcdef", -1, -1}, {"abcdef", "Abcdef", 0, 1},   {"abcdef", "abcdeF", 5, 6},
		{"abcdef", "aBcdEf", 1, 5},   {"a\u65e5cde", "a\u672ccde", 1, 3}, {"a\u65e5def", "abcdef", 1, 3},
		{"abcdef", "a\u65e5def", 1, 3}, {"ab\u65e5ef", "a\u65e5def", 1, 4}, {"", "     f", 5, 6},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct grid *was = grid_new(6, 1, false), *now = grid_new(6, 1, false);
		struct pen on_was = pen_on(was, (struct rect){0, 0, 6, 1}, ROLE_TEXT);
		struct pen on_now = pen_on(now, (struct rect){0, 0, 6, 1}, ROLE_TEXT);
		int first = -1, end = -1;

		test_label("row %zu", i);
		pen_text(&on_was, 0, 0, row[i].was);
		pen_text(&on_now, 0, 0, row[i].now);
		CHECK_INT(cells_changed(was->cell, now->cell, 6, &first, &end), row[i].first >= 0);
		CHECK_INT(first, row[i].first);
		CHECK_INT(end, row[i].end);
		grid_free(was);
		grid_free(now);
	}
}

TEST_MAIN(CASE(dots_become_braille), CASE(text_is_drawn_and_clipped), CASE(cells_hold_role_and_attribute),
	CASE(wide_characters_are_whole_or_blank), CASE(marks_are_kept_with_their_cell), CASE(controls_are_visible),
	CASE(fitting_loses_a_part), CASE(lines_fills_and_tints), CASE(rectangles_cut),
	CASE(glyphs_agree_with_their_ascii_form), CASE(sentences_translate), CASE(an_ascii_grid_holds_only_ascii),
	CASE(junctions_have_all_arms), CASE(bars_fill_in_eighths), CASE(sparklines_show_the_newest),
	CASE(stacks_add_up), CASE(errors_are_left_of_zero), CASE(spinners_have_one_column),
	CASE(changed_columns_hold_whole_characters))
