/* Themes: the installed files, lines of every kind, bad lines with their message. Contrast is computed by WCAG 2.1. */
#include "draw/theme.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "test.h"

static void
check_same(const struct theme *a, const struct theme *b)
{
	CHECK_STR(a->name, b->name);
	CHECK_INT(a->mono, b->mono);
	for (int i = 0; i < ROLE_COUNT; i++) {
		test_label("role %d", i);
		CHECK_INT(a->role[i].rgb, b->role[i].rgb);
		CHECK_INT(a->role[i].index256, b->role[i].index256);
		CHECK_INT(a->role[i].index16, b->role[i].index16);
		CHECK_INT(a->role[i].attr, b->role[i].attr);
		CHECK_INT(a->role[i].mono_attr, b->role[i].mono_attr);
	}
}

static bool
load(const char *path, struct theme *t)
{
	struct err e = {0};
	char *text = test_read(path, NULL);
	bool good = text && theme_parse(path, text, t, &e);

	CHECK_STR(e.what, "");
	free(text);
	return good;
}

static void
dark_theme_is_the_built_in_one(void)
{
	struct theme built_in, file;

	theme_default(&built_in);
	if (CHECK(load("../themes/dark.theme", &file)))
		check_same(&file, &built_in);
}

/* Relative luminance and contrast of WCAG 2.1. */
static double
luminance(uint32_t rgb)
{
	double sum = 0;
	static const double weight[] = {0.2126, 0.7152, 0.0722};

	for (int i = 0; i < 3; i++) {
		double c = (double)(rgb >> (16 - 8 * i) & 255) / 255;

		sum += weight[i] * (c <= 0.04045 ? c / 12.92 : __builtin_pow((c + 0.055) / 1.055, 2.4));
	}
	return sum;
}

static double
contrast(uint32_t a, uint32_t b)
{
	double x = luminance(a), y = luminance(b);

	return ((x > y ? x : y) + 0.05) / ((x > y ? y : x) + 0.05);
}

/* Roles of text have a contrast of at least 6.0 (dark) and 5.1 (light) with the background, and of 4.1 with the
 * selected row; rounding may take 0.05. */
static void
installed_themes_have_contrast(void)
{
	static const struct { const char *file, *name; bool mono; double least, least_select; } row[] = {
		{"../themes/dark.theme", "dark", false, 5.95, 4.05},
		{"../themes/light.theme", "light", false, 5.05, 4.05},
		{"../themes/mono.theme", "mono", true, 20, 1},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct theme t;

		test_label("%s", row[i].file);
		if (!CHECK(load(row[i].file, &t)))
			continue;
		CHECK_STR(t.name, row[i].name);
		CHECK_INT(t.mono, row[i].mono);
		CHECK(t.role[ROLE_SELECT].mono_attr & CELL_REVERSE);
		for (int r = ROLE_TEXT; r < ROLE_SELECT; r++) {
			test_label("%s role %d", row[i].file, r);
			if (r != ROLE_FRAME) /* it carries no information */
				CHECK(contrast(t.role[r].rgb, t.role[ROLE_BACKGROUND].rgb) >= row[i].least
				      && contrast(t.role[r].rgb, t.role[ROLE_SELECT].rgb) >= row[i].least_select);
		}
	}
}

static void
good_lines_are_taken(void)
{
	static const char text[] = "# a comment\n#another\n\n  name = mine # why\nmono = no\r\n"
	                           "text = #FF0000 16:bright-blue underline mono:bold,dim\n"
	                           "hot = 256:7\nselect = 16:3 normal\nbackground = #000000\n";
	struct theme t, def;
	struct err e = {0};

	theme_default(&def);
	if (!CHECK(theme_parse("f", text, &t, &e))) {
		CHECK_STR(e.what, "");
		return;
	}
	CHECK_STR(t.name, "mine");
	CHECK_INT(t.role[ROLE_TEXT].rgb, 0xff0000);
	CHECK_INT(t.role[ROLE_TEXT].index256, 196); /* the nearest colour */
	CHECK_INT(t.role[ROLE_TEXT].index16, 12);
	CHECK_INT(t.role[ROLE_TEXT].attr, CELL_UNDERLINE);
	CHECK_INT(t.role[ROLE_TEXT].mono_attr, CELL_BOLD | CELL_DIM);
	CHECK_INT(t.role[ROLE_HOT].index256, 7);
	CHECK_INT(t.role[ROLE_HOT].rgb, def.role[ROLE_HOT].rgb);
	CHECK_INT(t.role[ROLE_HOT].attr, 0);
	CHECK_INT(t.role[ROLE_SELECT].index16, 3);
	CHECK_INT(t.role[ROLE_BACKGROUND].index256, -1);
	CHECK_INT(t.role[ROLE_DIM].rgb, def.role[ROLE_DIM].rgb);
}

static void
bad_lines_are_reported(void)
{
	static const struct { const char *text; int line, col; const char *what, *hint; } row[] = {
		{"name = a\nfeasable = #123456\n", 2, 1, "unknown key feasable", "the nearest is feasible"},
		{"name = a\n  zzz = #123456\n", 2, 3, "unknown key zzz", "themes/dark.theme describes the format"},
		{"name = a\ntext = #12345\n", 2, 8, "#12345 is no color", NULL},
		{"name = a\ntext = #12345g\n", 2, 8, "#12345g is no color", NULL},
		{"name = a\ntext = boldd\n", 2, 8, "unknown word boldd", "the nearest is bold"},
		{"name = a\ntext = bold  256:300\n", 2, 18,
			"300 is no color number of a terminal with 256 colors", NULL},
		{"name = a\ntext = 16:16\n", 2, 11, "16 is no color number of a terminal with 16 colors", NULL},
		{"name = a\ntext = 16:gren\n", 2, 11, "unknown color gren", "the nearest is green"},
		{"name = a\ntext = 256:-1\n", 2, 12, "unknown color -1", NULL},
		{"name = a\ntext = mono:bold,dimm\n", 2, 18, "unknown attribute dimm", "the nearest is dim"},
		{"name = a\ntext = mono:\n", 2, 13, "unknown attribute ", NULL},
		{"name = a\ntext =\n", 2, 7, "text has no value", NULL},
		{"name = a\ntext\n", 2, 1, "expected `key = value`", NULL},
		{"name = a\n= #123456\n", 2, 1, "unknown key ", NULL},
		{"name = a\ntext = bold\ndim = dim\ntext = dim\n", 4, 1,
			"text is set twice; line 2 has it already", NULL},
		{"name = a\nmono = maybe\n", 2, 8, "mono is yes or no, not maybe", NULL},
		{"text = bold\n", 1, 1, "the theme has no name", "add a line: name = mine"},
		{"", 1, 1, "the theme has no name", NULL},
		{"name = 0123456789012345678901234567890123456789\n", 1, 8,
			"the theme's name has 40 bytes; 31 is the most", NULL},
		{"name = \xff\n", 1, 8, "this is not text: a NUL or a byte that is not UTF-8",
			"save the file as UTF-8 text"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct theme t = {.name = "untouched"};
		struct err e = {0};

		test_label("row %zu: %s", i, row[i].text);
		CHECK(!theme_parse("x.theme", row[i].text, &t, &e));
		CHECK_STR(t.name, "untouched");
		CHECK_STR(e.file, "x.theme");
		CHECK_INT(e.line, row[i].line);
		CHECK_INT(e.col, row[i].col);
		CHECK_STR(e.what, row[i].what);
		if (row[i].hint)
			CHECK_STR(e.hint, row[i].hint);
		CHECK(*e.source || !*row[i].text);
		CHECK_INT(e.caret, row[i].col - 1);
	}
}

TEST_MAIN(CASE(dark_theme_is_the_built_in_one), CASE(installed_themes_have_contrast), CASE(good_lines_are_taken),
	CASE(bad_lines_are_reported))
