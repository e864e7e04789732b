/* Layout of screens (draw/layout.h, draw/panes.h): titles, popups, wrapping, lists, panes in any size, and numbers
 * as texts. Expected rows are written by hand; panes are checked to cover every cell once. */
#include "draw/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "draw/panes.h"
#include "test.h"

static void
check_rows(const struct grid *g, const char *want)
{
	struct str t = {0};

	grid_text(g, &t);
	CHECK_STR(str_text(&t), want);
	str_free(&t);
}

static void
titles_lose_their_info_first(void)
{
	static const struct { int w; const char *title, *info; bool focus; const char *row; } row[] = {
		{27, "Features", "3 of 8 on", true, "━ Features ━━━━ 3 of 8 on ━\n"},
		{27, "Features", "3 of 8 on", false, "─ Features ──── 3 of 8 on ─\n"},
		{24, "Features", "3 of 8 on", false, "─ Features ─ 3 of 8 on ─\n"},
		{23, "Features", "3 of 8 on", false, "─ Features ────────────\n"},
		{12, "Features", NULL, false, "─ Features ─\n"},
		{11, "Features", NULL, false, "─ Featur… ─\n"},
		{5, "Features", "3", true, "━ … ━\n"},
		{4, "Features", "3", true, "━━━━\n"},
		{1, "Features", "3", true, "━\n"},
		{14, "µDD · 漢字", "x", false, "─ µDD · 漢字 ─\n"},
		{12, "", "info", false, "───── info ─\n"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct grid *g = grid_new(row[i].w, 1, false);
		struct rect in =
			draw_title(g, (struct rect){0, 0, row[i].w, 7}, row[i].title, row[i].info, row[i].focus);

		test_label("row %zu", i);
		check_rows(g, row[i].row);
		CHECK(in.x == 0 && in.y == 1 && in.w == row[i].w && in.h == 6);
		CHECK_INT(grid_at(g, 0, 0)->fg, row[i].focus ? ROLE_ACCENT : ROLE_FRAME);
		grid_free(g);
	}
}

static void
popups_stand_in_the_middle(void)
{
	struct grid *g = grid_new(40, 14, false);
	struct pen p = pen_on(g, (struct rect){0, 0, 40, 14}, ROLE_HOT);
	struct rect in;

	pen_fill(&p, p.clip, 'x');
	in = draw_popup(g, p.clip, 20, 5, "Title", "info");
	CHECK(in.x == 11 && in.y == 5 && in.w == 18 && in.h == 3);
	CHECK_INT(grid_at(g, 10, 4)->cp, 0x250d);
	CHECK_INT(grid_at(g, 29, 4)->cp, 0x2511);
	CHECK_INT(grid_at(g, 29, 8)->cp, 0x2518);
	CHECK_INT(grid_at(g, 10, 8)->cp, 0x2514);
	CHECK_INT(grid_at(g, 11, 5)->cp, ' ');
	CHECK_INT(grid_at(g, 0, 0)->fg, ROLE_DIM);
	CHECK_INT(grid_at(g, 0, 0)->cp, 'x');
	grid_free(g);
}

static void
popups_never_leave_the_screen(void)
{
	for (int w = 0; w < 60; w += 3) {
		for (int h = 0; h < 40; h++) {
			struct grid *g = grid_new(w, h, false);
			struct rect in = draw_popup(g, (struct rect){0, 0, w, h}, 300, 300, "Title", "info");

			test_label("%dx%d", w, h);
			CHECK(in.w >= 0 && in.h >= 0 && in.x >= 0 && in.y >= 0);
			CHECK(in.x + in.w <= w && in.y + in.h <= h);
			if (w >= 32 && h >= 11)
				CHECK(in.w + 2 <= w - 8 && in.h + 2 <= h - 6);
			grid_free(g);
		}
	}
}

static void
text_is_broken_at_blanks(void)
{
	static const struct { const char *s; int columns, rows; const char *want; } row[] = {
		{"one two three", 8, 2, "one two     \nthree       \n            \n"},
		{"one two three", 7, 2, "one two     \nthree       \n            \n"},
		{"one two three", 5, 3, "one         \ntwo         \nthree       \n"},
		{"abcdefghij", 4, 3, "abcd        \nefgh        \nij          \n"},
		{"a\n\nb", 8, 3, "a           \n            \nb           \n"},
		{"one  two", 4, 2, "one         \ntwo         \n            \n"},
		{"trailing \nx", 9, 2, "trailing    \nx           \n            \n"},
		{"漢字漢字 漢", 5, 3, "漢字        \n漢字        \n漢          \n"},
		{"10\u2009653 x", 6, 2, "10\u2009653      \nx           \n            \n"},
		{"a b c d e f g", 1, 3, "a           \nb           \nc           \n"},
		{"", 8, 0, "            \n            \n            \n"},
		{"x", 0, 0, "            \n            \n            \n"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct grid *g = grid_new(12, 3, false);
		struct pen p = pen_on(g, (struct rect){0, 0, 12, 3}, ROLE_TEXT);

		test_label("row %zu", i);
		CHECK_INT(draw_wrapped(&p, 0, 0, row[i].columns, row[i].s), row[i].rows);
		check_rows(g, row[i].want);
		grid_free(g);
	}
}

/* Long text without a blank, and ASCII forms longer than their glyph: no character is lost, and no line is too long. */
static void
wrapping_keeps_every_character(void)
{
	char *s = mem_new(5001);
	struct grid *g = grid_new(60, 100, true);
	struct pen p = pen_on(g, (struct rect){0, 0, 60, 100}, ROLE_TEXT);
	int n = 0;

	memset(s, 'x', 5000);
	CHECK_INT(draw_wrapped(&p, 0, 0, 59, s), 85);
	for (int i = 0; i < 60 * 100; i++)
		n += g->cell[i].cp == 'x';
	CHECK_INT(n, 5000);
	grid_clear(g);
	CHECK_INT(draw_wrapped(&p, 0, 0, 4, "a ≤ b ◇"), 2);
	CHECK_INT(grid_at(g, 2, 0)->cp, '<');
	CHECK_INT(grid_at(g, 3, 0)->cp, '=');
	CHECK_INT(grid_at(g, 0, 1)->cp, 'b');
	CHECK_INT(grid_at(g, 3, 1)->cp, '>');
	grid_free(g);
	free(s);
}

static void
lists_keep_the_cursor_visible(void)
{
	static const struct { int first, cursor, n, rows, want; } row[] = {
		{0, 0, 10, 4, 0}, {0, 3, 10, 4, 0}, {0, 4, 10, 4, 1}, {5, 2, 10, 4, 2}, {9, 9, 10, 4, 6}, {3, 3,
			4, 10, 0},
		{7, 0, 0, 4, 0},  {0, 5, 10, 0, 0}, {0, 9, 10, 1, 9}, {8, 8, 9, 4, 5},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("row %zu", i);
		CHECK_INT(list_scroll(row[i].first, row[i].cursor, row[i].n, row[i].rows), row[i].want);
	}
}

/* Panes like those of the Models view, to test which disappear first. */
enum { FEATURES, UDD, SEARCH, WHY, WITNESS, SELECTED };
static const struct pane_spec models[] = {
	{.id = FEATURES, .priority = 0, .column = 0, .min_w = 24, .min_h = 3, .max_w = 40, .weight_w = 1,
		.weight_h = 1},
	{.id = SELECTED, .priority = 4, .column = 0, .min_w = 24, .min_h = 6, .weight_h = 1, .from_w = 160,
		.from_h = 40},
	{.id = SEARCH, .priority = 3, .column = 0, .min_w = 24, .min_h = 5, .max_w = 40, .weight_w = 1,
		.weight_h = 1, .from_h = 16, .below_w = 160},
	{.id = UDD, .priority = 2, .column = 1, .min_w = 40, .min_h = 5, .weight_w = 3, .weight_h = 2, .from_w = 70},
	{.id = WHY, .priority = 1, .column = 1, .min_w = 30, .min_h = 4, .weight_w = 3, .weight_h = 1, .from_h = 8},
	{.id = WITNESS, .priority = 5, .column = 2, .min_w = 30, .min_h = 10, .max_w = 40, .weight_w = 1,
		.weight_h = 1, .from_w = 160},
	{.id = SEARCH, .priority = 3, .band = 1, .column = 0, .min_w = 60, .min_h = 10, .weight_w = 1,
		.weight_h = 1, .from_w = 160, .from_h = 30},
};
#define N_MODELS (sizeof models / sizeof *models)

static struct panes
lay(int w, int h, int wanted)
{
	struct panes p;

	panes_lay(models, N_MODELS, (struct rect){0, 2, w, h - 4 > 0 ? h - 4 : h}, wanted, &p);
	return p;
}

/* Checks that every cell of the area belongs to one pane or to a separator, and that no two panes overlap. */
static void
check_cover(const struct panes *p)
{
	for (int y = p->area.y; y < p->area.y + p->area.h; y++) {
		for (int x = p->area.x; x < p->area.x + p->area.w; x++) {
			int owners = 0, separator = 0;

			for (size_t i = 0; i < p->n; i++) {
				const struct rect *r = &p->pane[i].r;

				owners += rect_has(*r, x, y);
				separator += x == r->x + r->w && y >= r->y && y < r->y + r->h;
			}
			if (!CHECK(owners == 1 || (owners == 0 && separator > 0)))
				return;
		}
	}
	for (size_t i = 0; i < p->n; i++) {
		struct rect r = p->pane[i].r, in = rect_cut(r, p->area);

		CHECK(in.x == r.x && in.y == r.y && in.w == r.w && in.h == r.h);
	}
}

static void
panes_go_in_order_of_priority(void)
{
	static const struct { int w, h, ids[7]; size_t n; } row[] = {
		{200, 60, {FEATURES, SELECTED, UDD, WHY, WITNESS, SEARCH}, 6},
		{120, 40, {FEATURES, SEARCH, UDD, WHY}, 4},
		{80, 24, {FEATURES, SEARCH, UDD, WHY}, 4},
		{80, 16, {FEATURES, UDD, WHY}, 3},
		{60, 24, {FEATURES, SEARCH, WHY}, 3},
		{40, 24, {FEATURES, SEARCH}, 2},
		{40, 10, {FEATURES}, 1},
		{20, 3, {FEATURES}, 1},
		{1, 1, {FEATURES}, 1},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct panes p = lay(row[i].w, row[i].h, FEATURES);

		test_label("%dx%d", row[i].w, row[i].h);
		CHECK_INT(p.n, row[i].n);
		CHECK_INT(p.hidden, 6 - row[i].n);
		for (size_t k = 0; k < row[i].n; k++)
			CHECK(panes_find(&p, row[i].ids[k]) != NULL);
		check_cover(&p);
	}
}

static void
panes_cover_every_size(void)
{
	for (int w = 1; w <= 210; w += w < 90 ? 1 : 7) {
		for (int h = 1; h <= 64; h++) {
			struct panes p = lay(w, h, WHY);

			test_label("%dx%d", w, h);
			CHECK(p.n >= 1);
			check_cover(&p);
			for (size_t i = 0; i < p.n && p.n > 1; i++) {
				const struct pane_spec *s = models;

				while (s->id != p.pane[i].id || (s->below_w && w >= s->below_w))
					s++;
				CHECK(p.pane[i].r.w >= s->min_w && p.pane[i].r.h >= s->min_h);
			}
		}
	}
}

static void
rest_goes_by_weight_and_limit(void)
{
	static const struct pane_spec spec[] = {
		{.id = 1, .column = 0, .min_w = 10, .min_h = 2, .weight_w = 1, .weight_h = 1, .max_h = 5},
		{.id = 2, .column = 0, .min_w = 10, .min_h = 2, .weight_w = 1, .weight_h = 1},
		{.id = 3, .column = 1, .min_w = 10, .min_h = 2, .weight_w = 3},
	};
	struct panes p;

	panes_lay(spec, 3, (struct rect){5, 1, 61, 20}, 1, &p);
	CHECK_INT(p.n, 3);
	/* 60 columns: 10 and 10 at least, then 40 in the ratio 1 to 3 */
	CHECK(p.pane[0].r.x == 5 && p.pane[0].r.w == 20 && p.pane[0].r.h == 5);
	CHECK(p.pane[1].r.y == 6 && p.pane[1].r.h == 15);
	CHECK(p.pane[2].r.x == 26 && p.pane[2].r.w == 40 && p.pane[2].r.h == 20);
	CHECK_INT(panes_at(&p, 5, 1), 1);
	CHECK_INT(panes_at(&p, 25, 1), -1);
	CHECK_INT(panes_at(&p, 65, 20), 3);
	CHECK(pane_body(&p.pane[1]).y == 7 && pane_body(&p.pane[1]).h == 14);
}

static void
focus_walks_and_comes_back(void)
{
	struct panes all = lay(120, 40, FEATURES), one = lay(40, 10, UDD), some = lay(60, 24, UDD);

	CHECK_INT(panes_focus(models, N_MODELS, &all, UDD), UDD);
	CHECK_INT(panes_focus(models, N_MODELS, &some, UDD), WHY); /* the next visible pane */
	CHECK_INT(one.n, 1);
	CHECK_INT(one.pane[0].id, UDD); /* where only one pane has room, it is the wanted one */
	CHECK_INT(panes_focus(models, N_MODELS, &one, UDD), UDD);
	CHECK_INT(panes_next(models, N_MODELS, &all, FEATURES, 1), SEARCH);
	CHECK_INT(panes_next(models, N_MODELS, &all, SEARCH, 1), UDD);
	CHECK_INT(panes_next(models, N_MODELS, &all, WHY, 1), FEATURES);
	CHECK_INT(panes_next(models, N_MODELS, &all, FEATURES, -1), WHY);
	CHECK_INT(panes_next(models, N_MODELS, &one, UDD, 1), WHY);
	CHECK_INT(panes_next(models, N_MODELS, &one, WITNESS, 1), FEATURES); /* walks through all panes */
	CHECK_INT(panes_next(models, N_MODELS, &one, FEATURES, -1), WITNESS);
	one = lay(40, 10, 99);
	CHECK_INT(one.pane[0].id, FEATURES);
}

static void
separators_join_the_rules(void)
{
	static const struct pane_spec spec[] = {
		{.id = 0, .column = 0, .min_w = 8, .min_h = 2, .max_h = 2, .weight_w = 1, .weight_h = 1},
		{.id = 1, .column = 0, .min_w = 8, .min_h = 2, .weight_h = 1},
		{.id = 2, .column = 1, .min_w = 8, .min_h = 2, .max_h = 3, .weight_w = 1, .weight_h = 1},
		{.id = 3, .column = 1, .min_w = 8, .min_h = 1, .weight_h = 1},
		{.id = 4, .band = 1, .min_w = 8, .min_h = 1, .max_h = 1},
	};
	static const char *const title[] = {"a", "b", "c", "d", "e"};
	struct grid *g = grid_new(17, 6, false), *ascii = grid_new(17, 6, true);
	struct panes p;

	panes_lay(spec, 5, (struct rect){0, 0, 17, 6}, 0, &p);
	CHECK_INT(p.n, 5);
	panes_draw(g, &p, title, NULL, 0);
	check_rows(g, "━ a ━━━━┭─ c ────\n"
	              "        │        \n"
	              "─ b ────┤        \n"
	              "        ├─ d ────\n"
	              "        │        \n"
	              "─ e ────┴────────\n");
	CHECK_INT(grid_at(g, 8, 0)->fg, ROLE_ACCENT);
	CHECK_INT(grid_at(g, 8, 1)->fg, ROLE_FRAME);
	panes_draw(g, &p, title, NULL, 4);
	check_rows(g, "─ a ────┬─ c ────\n"
	              "        │        \n"
	              "─ b ────┤        \n"
	              "        ├─ d ────\n"
	              "        │        \n"
	              "━ e ━━━━┷━━━━━━━━\n");
	panes_draw(ascii, &p, title, NULL, 0);
	check_rows(ascii, "= a ====+- c ----\n"
	                  "        |        \n"
	                  "- b ----+        \n"
	                  "        +- d ----\n"
	                  "        |        \n"
	                  "- e ----+--------\n");
	panes_lay(spec, 4, (struct rect){0, 0, 17, 5}, 0, &p);
	grid_clear(g);
	panes_draw(g, &p, title, NULL, 3);
	check_rows(g, "─ a ────┬─ c ────\n"
	              "        │        \n"
	              "─ b ────┤        \n"
	              "        ┝━ d ━━━━\n"
	              "        ╵        \n"
	              "                 \n");
	grid_free(g);
	grid_free(ascii);
}

/* No number on a screen has an exponent, and each fits into its room. */
static void
never_an_exponent(void)
{
	static char *(*const by[])(char *, double, bool) = {number_count, number_full, number_off, number_seconds};
	char s[NUMBER_TEXT];

	for (double size = 1e-14; size < 1e22; size *= 1.37)
		for (int sign = -1; sign <= 1; sign += 2)
			for (int ascii = 0; ascii < 2; ascii++) {
				test_label("%g", sign * size);
				for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
					by[i](s, sign * size, ascii);
					CHECK(!strchr(s, 'e') && *s && strlen(s) < NUMBER_TEXT - 1);
				}
				for (int digits = 1; digits <= 6; digits++)
					CHECK(!strchr(number_digits(s, sign * size, digits, ascii), 'e') && *s &&
						strlen(s) < NUMBER_TEXT - 1);
				CHECK(!strchr(number_spread(s, size), 'e'));
			}
}

static void
counts_are_short(void)
{
	static const struct { double v; const char *utf8, *ascii; } row[] = {
		{0, "0", "0"}, {7, "7", "7"}, {611, "611", "611"}, {1899, "1\u2009899", "1 899"}, {10653,
			"10\u2009653", "10 653"},
		{99999, "99\u2009999", "99 999"}, {99999.4, "99\u2009999", "99 999"}, {99999.5, "100 k",
			"100 k"}, {100000, "100 k", "100 k"},
		{153214, "153 k", "153 k"}, {999499, "999 k", "999 k"}, {999500, "1.00 M", "1.00 M"}, {4.7e9,
			"4.70 G", "4.70 G"},
		{12.44e6, "12.4 M", "12.4 M"}, {9.996e6, "10.0 M", "10.0 M"}, {99.96e6, "100 M", "100 M"},
			{2.5e13, "25.0 T", "25.0 T"}, {1e18, "1.00 E", "1.00 E"},
		{1e24, ">999 E", ">999 E"}, {0.0000068, "0.0000068", "0.0000068"}, {1e-12, "<0.0000001",
			"<0.0000001"}, {-61300, "−61\u2009300", "-61 300"}, {-153214, "−153 k", "-153 k"}, {0.314,
			"0.31", "0.31"},
		{4.25, "4.25", "4.25"}, {37.91, "37.9", "37.9"}, {-4.5, "−4.5", "-4.5"}, {611.3, "611", "611"},
			{99.96, "100", "100"}, {NAN, "·", "."},
	};
	char s[NUMBER_TEXT];

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%g", row[i].v);
		CHECK_STR(number_count(s, row[i].v, false), row[i].utf8);
		CHECK_STR(number_count(s, row[i].v, true), row[i].ascii);
	}
	CHECK_STR(number_digits(s, 45.642, 4, false), "45.64");
	CHECK_STR(number_digits(s, 0.2, 4, false), "0.2");
	CHECK_STR(number_digits(s, 0.95, 2, false), "0.95");
	CHECK_STR(number_digits(s, -0.000131, 2, true), "-0.00013");
	CHECK_STR(number_digits(s, 0, 3, false), "0");
	CHECK_STR(number_digits(s, 1234.56, 6, true), "1 234.56");
	CHECK_STR(number_digits(s, 272000, 4, false), "272 k");
	CHECK_STR(number_full(s, 101234, true), "101 234");
	CHECK_STR(number_full(s, 13009.5, true), "13 009.5");
	CHECK_STR(number_full(s, -0.25, true), "-0.25");
	CHECK_STR(number_full(s, 9.99999999, true), "10");
	CHECK_STR(number_full(s, 1.0 / 3, true), "0.3333333");
	CHECK_STR(number_full(s, NAN, true), ".");
	CHECK_STR(number_off(s, 7029.5, true), "+7 029.5");
	CHECK_STR(number_off(s, -2, false), "−2");
	CHECK_STR(number_off(s, 0.125, false), "+0.125");
	CHECK_STR(number_off(s, 2.5e6 + 0.25, true), "+2 500 000");
	CHECK_STR(number_spread(s, 0.0213), "±2.1 %");
	CHECK_STR(number_spread(s, 1.276), "±1.3×");
	CHECK_STR(number_spread(s, 0.9999), "±1×");
	CHECK_STR(number_spread(s, NAN), "·");
	number_count(s, INFINITY, true);
	CHECK(strlen(s) > 0 && strlen(s) < NUMBER_TEXT);
}

static void
exact_numbers_are_whole(void)
{
	static const struct { long long v; bool sign; const char *utf8, *ascii; } row[] = {
		{0, true, "0", "0"}, {2, true, "+2", "+2"}, {2, false, "2", "2"}, {-2, false, "−2", "-2"}, {1000,
			false, "1\u2009000", "1 000"},
		{1234567, true, "+1\u2009234\u2009567", "+1 234 567"}, {999, false, "999", "999"},
		{9223372036854775807, true, "+9 223 372 036 854 775 807", "+9 223 372 036 854 775 807"},
		{-9223372036854775807 - 1, true, "−9 223 372 036 854 775 808", "-9 223 372 036 854 775 808"},
	};
	char s[NUMBER_TEXT];

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%lld", row[i].v);
		CHECK_STR(number_exact(s, row[i].v, row[i].sign, false), row[i].utf8);
		CHECK_STR(number_exact(s, row[i].v, row[i].sign, true), row[i].ascii);
	}
	CHECK_INT(utf8_width("\u2009"), 1);
}

static void
shares_and_p_have_their_digits(void)
{
	static const struct { double v; const char *s; } share[] = {
		{0, "0"}, {0.931, "93.1"}, {1, "100.0"}, {0.0994, "9.9"}, {0.01, "1.0"}, {0.00996, "1.0"},
			{0.0042, "0.42"}, {0.00042, "0.042"},
		{0.00003, "<0.01"}, {-0.25, "−25.0"}, {2.5, "250.0"}, {NAN, "·"},
	};
	static const struct { double v; const char *s; } p[] = {
		{0.2, "0.20"}, {0.69, "0.69"}, {1, "1.00"}, {0.999, "1.00"}, {0.01, "0.010"}, {0.0123, "0.012"},
			{0.0999, "0.10"}, {0.0096, "1e-2"},
		{0.0002, "2e-4"}, {4.2e-7, "4e-7"}, {9.7e-7, "1e-6"}, {1e-9, "1e-9"}, {1e-12, "<1e-9"}, {0,
			"<1e-9"}, {NAN, "·"},
	};
	char s[NUMBER_TEXT];

	for (size_t i = 0; i < sizeof share / sizeof *share; i++) {
		test_label("share %g", share[i].v);
		CHECK_STR(number_share(s, share[i].v), share[i].s);
	}
	for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
		test_label("p %g", p[i].v);
		CHECK_STR(number_p(s, p[i].v), p[i].s);
	}
}

static void
times_have_their_unit(void)
{
	static const struct { double v; const char *utf8, *ascii; } row[] = {
		{0, "0 s", "0 s"}, {3e-9, "3 ns", "3 ns"}, {4.2e-7, "420 ns", "420 ns"}, {4.2e-6, "4.2 µs",
			"4.2 us"}, {0.0004, "400 µs", "400 us"},
		{0.0041, "4.1 ms", "4.1 ms"}, {0.041, "41 ms", "41 ms"}, {0.9999, "1.0 s", "1.0 s"}, {4.1,
			"4.1 s", "4.1 s"}, {9.97, "10 s", "10 s"},
		{61, "61 s", "61 s"}, {600, "10 min", "10 min"}, {7200, "2 h", "2 h"}, {86400, "24 h", "24 h"},
			{5 * 86400, "5 d", "5 d"},
		{-0.041, "−41 ms", "-41 ms"}, {NAN, "·", "."},
	};
	char s[NUMBER_TEXT];

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%g", row[i].v);
		CHECK_STR(number_seconds(s, row[i].v, false), row[i].utf8);
		CHECK_STR(number_seconds(s, row[i].v, true), row[i].ascii);
	}
}

static void
bytes_have_their_unit(void)
{
	static const struct { double v; const char *s; } row[] = {
		{0, "0 B"}, {512, "512 B"}, {999.4, "999 B"}, {999.6, "1.0 kB"}, {131072, "131 kB"},
		{9949, "9.9 kB"}, {9960, "10 kB"}, {52.4e6, "52 MB"}, {1.25e9, "1.2 GB"}, {3e12, "3.0 TB"},
		{2e21, "2000 EB"}, {-4096, "-4.1 kB"}, {NAN, "."},
	};
	char s[NUMBER_TEXT];

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%g", row[i].v);
		CHECK_STR(number_bytes(s, row[i].v, true), row[i].s);
	}
}

TEST_MAIN(CASE(bytes_have_their_unit), CASE(titles_lose_their_info_first), CASE(popups_stand_in_the_middle),
	CASE(popups_never_leave_the_screen),
	CASE(text_is_broken_at_blanks), CASE(wrapping_keeps_every_character), CASE(lists_keep_the_cursor_visible),
	CASE(panes_go_in_order_of_priority), CASE(panes_cover_every_size), CASE(rest_goes_by_weight_and_limit),
	CASE(focus_walks_and_comes_back), CASE(separators_join_the_rules), CASE(counts_are_short),
	CASE(never_an_exponent), CASE(exact_numbers_are_whole), CASE(shares_and_p_have_their_digits),
	CASE(times_have_their_unit))
