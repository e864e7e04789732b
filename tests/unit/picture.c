/* Pictures of screens as SVG: the place of each cell and shape, attributes, escapes, and well-formed XML for any
 * bytes. */
#include "draw/cell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/xml.h"
#include "draw/theme.h"
#include "test.h"

/* True if the text is well-formed as far as tags go: every element is closed in order, every & starts a known entity,
 * and no raw control character is in it. */
static bool
well_formed(const char *s)
{
	char stack[16][16];
	int depth = 0, elements = 0;

	for (; *s; s++) {
		if ((unsigned char)*s < 0x20 && *s != '\n')
			return false;
		if (*s == '&' && strncmp(s, "&amp;", 5) != 0 && strncmp(s, "&lt;", 4) != 0 &&
			strncmp(s, "&gt;", 4) != 0 && strncmp(s, "&quot;", 6) != 0)
			return false;
		if (*s == '>')
			return false;
		if (*s != '<')
			continue;
		if (s[1] == '/') {
			size_t n = strcspn(s + 2, ">");

			if (depth == 0 || strlen(stack[depth - 1]) != n || strncmp(stack[depth - 1], s + 2, n) != 0)
				return false;
			depth--;
			s += 2 + n;
		} else {
			size_t n = strcspn(s + 1, " />"), end = strcspn(s, ">");

			if (depth == 16 || n >= 16 || s[end] != '>' || memchr(s + 1, '<', end - 1))
				return false;
			elements++;
			if (s[end - 1] != '/') {
				memcpy(stack[depth], s + 1, n);
				stack[depth++][n] = '\0';
			}
			s += end;
		}
	}
	return depth == 0 && elements > 0;
}

static struct str
svg_of(const struct grid *g, const struct theme *t)
{
	struct str out = {0};

	grid_svg(g, t, &out);
	CHECK(well_formed(str_text(&out)));
	return out;
}

static bool
holds(const struct str *s, const char *what)
{
	return test_check(
		strstr(str_text(s), what) != NULL, __FILE__, __LINE__, "%s does not hold %s", str_text(s), what);
}

static void
text_has_one_line_per_row(void)
{
	struct grid *g = grid_new(5, 2, false);
	struct pen p = pen_on(g, (struct rect){0, 0, 5, 2}, ROLE_TEXT);
	struct str out = {0};

	pen_text(&p, 1, 0, "漢e\u0301");
	pen_text(&p, 0, 1, "│x");
	grid_text(g, &out);
	CHECK_STR(str_text(&out), " 漢e\u0301 \n│x   \n");
	str_free(&out);
	grid_free(g);
}

static void
cells_have_exact_places(void)
{
	struct grid *g = grid_new(20, 3, false);
	struct pen p = pen_on(g, (struct rect){0, 0, 20, 3}, ROLE_TEXT), hot = p;
	struct theme t;
	struct str out;

	theme_default(&t);
	hot.fg = ROLE_HOT;
	pen_text(&p, 2, 1, "a<b>&\"c");
	pen_text(&hot, 11, 1, "漢x");
	pen_hline(&p, 0, 2, 6, 0x2500);
	grid_tint(g, (struct rect){3, 1, 4, 1}, ROLE_SELECT);
	out = svg_of(g, &t);
	holds(&out, "width=\"180\" height=\"57\" viewBox=\"0 0 180 57\"");
	holds(&out, "<rect width=\"180\" height=\"57\" fill=\"#14171c\"/>");
	holds(&out, "<rect x=\"27\" y=\"19\" width=\"36\" height=\"19\" fill=\"#2a3648\"/>");
	/* the next text of the same look begins here */
	holds(&out, "<text x=\"18\" y=\"33\" fill=\"#d4d8de\">a</text>");
	/* a word ends with its last cell, whatever the font */
	holds(&out, "<text x=\"27\" y=\"33\" fill=\"#d4d8de\" textLength=\"36\">&lt;b&gt;&amp;</text>");
	/* for those who cannot see it: the words of the first row */
	holds(&out, "role=\"img\">\n<title>a&lt;b&gt;&amp;&quot;c 漢x</title>\n");
	holds(&out, "<text x=\"99\" y=\"33\" fill=\"#ff6161\" font-weight=\"bold\">漢</text>");
	/* the wide character takes two cells */
	holds(&out, "<text x=\"117\" y=\"33\" fill=\"#ff6161\" font-weight=\"bold\">x</text>");
	/* a horizontal rule is one line */
	holds(&out, "<path d=\"M0 47.5H54\"");
	str_free(&out);
	grid_free(g);
}

static void
shapes_are_drawn_not_written(void)
{
	static const struct { const char *s, *svg; } row[] = {
		{"▌", "<rect x=\"0\" y=\"0\" width=\"4.5\" height=\"19\""}, {"▄",
			"<rect x=\"0\" y=\"9.5\" width=\"9\" height=\"9.5\""},
		{"▐", "<rect x=\"4.5\" y=\"0\" width=\"4.5\" height=\"19\""}, {"██",
			"<rect x=\"0\" y=\"0\" width=\"18\" height=\"19\""},
		{"▒", "fill-opacity=\".5\""}, {"╌╌", "stroke-dasharray"}, {"┃", "stroke-width=\"2.8\""}, {"⠁",
			"M2.25 2.375h0"},
		{"┭", "stroke-width=\"1.2\""}, {"┭", "stroke-width=\"2.8\""}, {"╵", "M4.5 0V10.1"},
	};
	struct theme t;

	theme_default(&t);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct grid *g = grid_new(2, 1, false);
		struct pen p = pen_on(g, (struct rect){0, 0, 2, 1}, ROLE_ACCENT);
		struct str out;

		test_label("%s", row[i].s);
		pen_text(&p, 0, 0, row[i].s);
		out = svg_of(g, &t);
		holds(&out, row[i].svg);
		CHECK(strstr(str_text(&out), "<text") == NULL);
		str_free(&out);
		grid_free(g);
	}
}

/* Every box-drawing character, block and braille pattern gives a well-formed picture with something in it. */
static void
every_shape_is_known(void)
{
	struct theme t;
	struct grid *g = grid_new(1, 1, false);
	struct pen p = pen_on(g, (struct rect){0, 0, 1, 1}, ROLE_TEXT);

	theme_default(&t);
	for (int a = 1; a < 81; a++) {
		struct str out;

		pen_hline(&p, 0, 0, 1, glyph_junction(a / 27, a / 9 % 3, a / 3 % 3, a % 3));
		out = svg_of(g, &t);
		holds(&out, "<path");
		str_free(&out);
	}
	for (uint32_t cp = 0x2581; cp <= 0x2593; cp++) {
		struct str out;

		pen_hline(&p, 0, 0, 1, cp);
		out = svg_of(g, &t);
		CHECK(strstr(strstr(str_text(&out), "<g"), "<rect") != NULL);
		str_free(&out);
	}
	grid_free(g);
}

static void
mono_themes_use_attributes(void)
{
	struct grid *g = grid_new(12, 1, false);
	struct pen p = pen_on(g, (struct rect){0, 0, 12, 1}, ROLE_INFEASIBLE), dim = p, border = p;
	struct theme t;
	struct str out;

	theme_default(&t);
	t.mono = true;
	dim.fg = ROLE_DIM;
	border.fg = ROLE_BORDERLINE;
	pen_text(&p, 0, 0, "bold");
	pen_text(&dim, 5, 0, "dim");
	pen_text(&border, 9, 0, "bor");
	grid_tint(g, (struct rect){9, 0, 1, 1}, ROLE_SELECT);
	out = svg_of(g, &t);
	holds(&out, "font-weight=\"bold\" textLength=\"36\">bold");
	holds(&out, "opacity=\".6\" textLength=\"27\">dim");
	/* reversed on the background of the selection */
	holds(&out, "fill=\"#14171c\" text-decoration=\"underline\">b<");
	holds(&out, "text-decoration=\"underline\" textLength=\"18\">or<");
	str_free(&out);
	grid_free(g);
}

static void
any_bytes_give_a_picture(void)
{
	uint64_t seed = 7;
	struct theme t;

	theme_default(&t);
	for (int i = 0; i < 300; i++) {
		struct grid *g = grid_new(1 + i % 30, 1, false);
		struct pen p = pen_on(g, (struct rect){0, 0, g->w, 1}, (enum role)(i % ROLE_SELECT));
		char s[41] = {0};
		struct str out;

		for (int k = 0; k < 40; k++)
			s[k] = (char)(1 + test_random(&seed) % 255);
		pen_text(&p, 0, 0, s);
		out = svg_of(g, &t);
		str_free(&out);
		grid_free(g);
	}
}

static void
xml_is_escaped(void)
{
	struct str out = {0};

	xml_add(&out, "a<b> & \"c\"\x01\n\xff");
	CHECK_STR(str_text(&out), "a&lt;b&gt; &amp; &quot;c&quot;\\x01\\n\\xff");
	str_free(&out);
}

TEST_MAIN(CASE(text_has_one_line_per_row), CASE(cells_have_exact_places), CASE(shapes_are_drawn_not_written),
	CASE(every_shape_is_known), CASE(mono_themes_use_attributes), CASE(any_bytes_give_a_picture),
	CASE(xml_is_escaped))
