/* Themes: the installed files, lines of every kind, bad lines with their message. Contrast is computed by WCAG 2.1. */
#include "draw/theme.h"

#include <dirent.h>
#include <math.h>
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

/* The installed themes. Contrast is that of roles of text with the background, and with the selected row; rounding may
 * take 0.05. `apart` is the least distance of any two of the nine colours that mean something, for eyes that do not
 * tell red from green; 0: verdicts are apart from each other, and paths from each other, as everywhere. */
static const struct installed {
	const char *name;
	bool mono;
	double least, least_select, apart;
} installed[] = {
	{"catppuccin", false, 4.5, 4.05, 0},
	{"colour-blind", false, 4.5, 4.05, 13},
	{"contrast-dark", false, 7, 4.05, 0},
	{"contrast-light", false, 7, 4.05, 0},
	{"dark", false, 5.95, 4.05, 0},
	{"dracula", false, 4.5, 4.05, 0},
	{"gruvbox", false, 4.5, 4.05, 0},
	{"light", false, 5.05, 4.05, 0},
	{"mono", true, 20, 1, 0},
	{"nord", false, 4.5, 4.05, 0},
	{"sixteen", false, 4.5, 4.05, 0},
	{"solarized-dark", false, 4.5, 4.05, 0},
	{"solarized-light", false, 4.5, 4.05, 0},
};
#define N_INSTALLED (sizeof installed / sizeof *installed)

static bool
load_installed(const struct installed *row, struct theme *t)
{
	char *path = str_format("../themes/%s.theme", row->name);
	bool good = load(path, t);

	free(path);
	return good;
}

/* A theme that is in the folder, but not here, fails. */
static void
all_themes_are_tested(void)
{
	struct dirent **entry;
	char *folder = str_format("%s/themes", getenv("TOP_SRCDIR"));
	int n = scandir(folder, &entry, NULL, alphasort);
	size_t found = 0;

	for (int i = 0; i < n; i++) {
		bool known = !str_ends(entry[i]->d_name, ".theme");

		for (size_t k = 0; k < N_INSTALLED && !known; k++) {
			known = str_starts(entry[i]->d_name, installed[k].name) &&
				strlen(entry[i]->d_name) == strlen(installed[k].name) + strlen(".theme");
			found += known;
		}
		test_label("%s", entry[i]->d_name);
		CHECK(known);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	free(folder);
	CHECK_INT(found, N_INSTALLED);
	CHECK(N_INSTALLED >= 10);
}

static void
installed_themes_have_contrast(void)
{
	for (size_t i = 0; i < N_INSTALLED; i++) {
		const struct installed *row = &installed[i];
		struct theme t;

		test_label("%s", row->name);
		if (!CHECK(load_installed(row, &t)))
			continue;
		CHECK_STR(t.name, row->name);
		CHECK_INT(t.mono, row->mono);
		CHECK(t.role[ROLE_SELECT].mono_attr & CELL_REVERSE);
		for (int r = ROLE_TEXT; r < ROLE_SELECT; r++) {
			test_label("%s role %d", row->name, r);
			if (r != ROLE_FRAME) /* it carries no information */
				CHECK(contrast(t.role[r].rgb, t.role[ROLE_BACKGROUND].rgb) >= row->least
				      && contrast(t.role[r].rgb, t.role[ROLE_SELECT].rgb) >= row->least_select);
		}
	}
}

/* Severity 1.0 of deuteranomaly and protanomaly, for linear RGB: G. M. Machado, M. M. Oliveira and L. A. F. Fernandes,
 * "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009, table of section 5.
 */
static const double eyes[2][3][3] = {
	{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
};

static double
lab_curve(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* CIE L*a*b* (white D65) of a colour as those eyes see it. */
static void
seen_by(const double eye[3][3], uint32_t rgb, double lab[3])
{
	double in[3], v[3], x, y, z;

	for (int i = 0; i < 3; i++) {
		double c = (double)(rgb >> (16 - 8 * i) & 255) / 255;

		in[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
	}
	for (int i = 0; i < 3; i++)
		v[i] = fmin(1, fmax(0, eye[i][0] * in[0] + eye[i][1] * in[1] + eye[i][2] * in[2]));
	x = lab_curve((0.4124564 * v[0] + 0.3575761 * v[1] + 0.1804375 * v[2]) / 0.95047);
	y = lab_curve(0.2126729 * v[0] + 0.7151522 * v[1] + 0.0721750 * v[2]);
	z = lab_curve((0.0193339 * v[0] + 0.1191920 * v[1] + 0.9503041 * v[2]) / 1.08883);
	lab[0] = 116 * y - 16;
	lab[1] = 500 * (x - y);
	lab[2] = 200 * (y - z);
}

/* The distance of CIE 1976. Two is about what eyes just tell apart side by side. */
static double
distance(const double eye[3][3], uint32_t a, uint32_t b)
{
	double p[3], q[3];

	seen_by(eye, a, p);
	seen_by(eye, b, q);
	return hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
}

/* The colour of a number in a terminal of 256 colours; the first 16 are the user's own, so they stay as they are. */
static uint32_t
of_256(const struct theme_role *role)
{
	static const uint32_t level[] = {0, 0x5f, 0x87, 0xaf, 0xd7, 0xff};
	int i = role->index256 - 16;

	if (i < 0)
		return role->rgb;
	if (i >= 216)
		return (uint32_t)(8 + 10 * (i - 216)) * 0x10101;
	return level[i / 36] << 16 | level[i / 6 % 6] << 8 | level[i % 6];
}

#define APART 13.0
#define APART_256 9.0 /* of verdicts: 240 colours leave less choice */

static void
colours_stay_apart_for_colour_blind_eyes(void)
{
	static const enum role role[] = {ROLE_FEASIBLE, ROLE_INFEASIBLE, ROLE_BORDERLINE, ROLE_UNDECIDED,
		ROLE_PATH1, ROLE_PATH2, ROLE_PATH3, ROLE_PATH4, ROLE_HOT};

	for (size_t i = 0; i < N_INSTALLED; i++) {
		struct theme t;

		if (installed[i].mono || !load_installed(&installed[i], &t))
			continue;
		for (size_t k = 0; k < 2 * 9 * 9; k++) {
			size_t eye = k / 81, a = k / 9 % 9, b = k % 9;
			bool verdicts = a < 4 && b < 4, paths = a >= 4 && b >= 4 && a < 8 && b < 8,
			     culprit = a == 0 && b == 8;
			double least = verdicts || paths || culprit ? APART : installed[i].apart;

			test_label("%s eye %zu role %d and %d", installed[i].name, eye, (int)role[a], (int)role[b]);
			if (a < b)
				CHECK(distance(eyes[eye], t.role[role[a]].rgb, t.role[role[b]].rgb) >= least);
			if (a < b && verdicts) {
				double near = distance(eyes[eye], of_256(&t.role[role[a]]), of_256(&t.role[role[b]]));

				test_check(near >= APART_256, __FILE__, __LINE__, "%g apart in 256 colours", near);
			}
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

TEST_MAIN(CASE(dark_theme_is_the_built_in_one), CASE(all_themes_are_tested),
	CASE(installed_themes_have_contrast), CASE(colours_stay_apart_for_colour_blind_eyes),
	CASE(good_lines_are_taken),
	CASE(bad_lines_are_reported))
