/* Figures for documents (bench/plot.h, bench/heat.h): valid XML for any data, the same bytes each time, points at the
 * coordinates that the axes give. */
#include "../../bench/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../bench/heat.h"
#include "base/str.h"
#include "test.h"

#define DEPTH 32

/* True for well-formed XML of the kind that the program's SVG uses: elements nest and close, attributes are quoted, no
 * character that needs an escape is raw. */
static bool
is_xml(const char *s)
{
	const char *open[DEPTH];
	size_t depth = 0, elements = 0;

	if (!str_starts(s, "<?xml") || !(s = strstr(s, "?>")))
		return false;
	for (s += 2; *s; s++) {
		const char *name = s + 1;

		if (*s == '&' && !str_starts(s, "&lt;") && !str_starts(s, "&gt;") && !str_starts(s, "&amp;") &&
			!str_starts(s, "&quot;") && !str_starts(s, "&apos;"))
			return false;
		if (*s != '<')
			continue;
		s = strchr(s, '>');
		if (!s)
			return false;
		if (*name == '/') {
			size_t n = (size_t)(s - name) - 1;

			if (depth == 0 || strncmp(open[--depth], name + 1, n) != 0 ||
				strchr(" >", open[depth][n]) == NULL)
				return false;
			continue;
		}
		for (const char *p = name, *quote = NULL; p < s; p++) {
			if (*p == '"')
				quote = quote ? NULL : p;
			if (*p == '<' || (p + 1 == s && quote))
				return false;
		}
		elements++;
		if (s[-1] != '/') {
			if (depth == DEPTH)
				return false;
			open[depth++] = name;
		}
	}
	return depth == 0 && elements > 1;
}

static size_t
occurrences(const char *s, const char *what)
{
	size_t n = 0;

	while ((s = strstr(s, what))) {
		n++;
		s += strlen(what);
	}
	return n;
}

static char *
draw(const struct plot_panel *p, size_t n, const char *title)
{
	struct str out = {0};

	plot_svg(title, p, n, &out);
	return str_take(&out);
}

static void
the_checker_can_refuse(void)
{
	CHECK(is_xml("<?xml?><a><b c=\"1\"/></a>"));
	CHECK(!is_xml("<?xml?><a><b></a></b>"));
	CHECK(!is_xml("<?xml?><a><b></a>"));
	CHECK(!is_xml("<?xml?><a><b c=\"1/></a>"));
	CHECK(!is_xml("<?xml?><a>b & c<d/></a>"));
	CHECK(!is_xml("<a><b/></a>"));
	CHECK(!is_xml("<?xml?><ab><b/></a>"));
}

static void
ticks_are_round(void)
{
	static const struct { double range; int most; double want; } row[] = {
		{10, 10, 1}, {10, 7, 2}, {35, 7, 5}, {26, 7, 5}, {70, 7, 10}, {71, 7, 20}, {0.3, 7, 0.05}, {1e9,
			5, 2e8}, {0, 7, 1}, {-1, 7, 1},
		{NAN, 7, 1}, {INFINITY, 7, 1},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("row %zu", i);
		CHECK_NEAR(plot_step(row[i].range, row[i].most), row[i].want, row[i].want * 1e-9);
	}
}

/* Invalid data leave out points; the file stays valid. */
static void
every_figure_is_valid(void)
{
	static const double x[] = {
		1, 2, 3, 4}, good[] = {1, 10, 100, 1000}, flat[] = {5, 5, 5, 5}, zero[] = {0, 0, 0, 0
	};
	static const double bad[] = {
		NAN, INFINITY, -1, 0}, tiny[] = {1e-12, 2e-12, 3e-12, 4e-12}, huge[] = {1e15, 1e15, 2e15, 1e300
	};
	static const double *const data[] = {good, flat, zero, bad, tiny, huge};
	static const struct plot_stretch stretch[] = {{"first", 2}, {"<&>", 4}, {"third", 9}};

	for (size_t k = 0; k < 6; k++)
		for (int log_y = 0; log_y < 2; log_y++)
			for (size_t n = 0; n <= 4; n++) {
				struct plot_series s[] = {
					{.name = "a < b & \"c\"",
						.n = n,
						.x = x,
						.y = data[k],
						.low = data[(k + 1) % 6],
						.high = data[k],
						.color = 0x0072b2,
						.marker = (enum plot_marker)n % 4},
					{.n = n, .x = data[k], .y = x, .color = 0xffffff, .thin = true},
				};
				struct plot_panel p = {.title = "t > u",
					.x_label = "µ\x01s",
					.y_label = "%",
					.log_y = log_y,
					.series = s,
					.n_series = n ? 2 : 0,
					.stretch = stretch,
					.n_stretches = 3};
				struct plot_panel both[] = {p, p};
				char *one = draw(both, n % 3, "a & b"), *two = draw(both, n % 3, "a & b");

				test_label("data %zu, logarithmic %d, %zu points", k, log_y, n);
				CHECK(is_xml(one));
				CHECK_STR(one, two);
				CHECK(!strstr(one, "nan") && !strstr(one, "inf") && !strstr(one, ">-0<"));
				free(one);
				free(two);
			}
}

/* The n-th "x y" of the first path with this colour and width. */
static bool
point_of(const char *svg, const char *color, const char *width, size_t n, double *x, double *y)
{
	char *stroke = str_format("\" fill=\"none\" stroke=\"#%s\" stroke-width=\"%s\"", color, width);
	const char *end = strstr(svg, stroke), *at = end;

	free(stroke);
	while (at && at > svg && *at != 'M')
		at--;
	for (; at && n > 0 && at < end; n--)
		at = strchr(at + 1, 'L');
	return at && at < end && sscanf(at + 1, "%lf %lf", x, y) == 2;
}

static void
points_stand_where_the_axes_say(void)
{
	static const double x[] = {0, 5, 10}, y[] = {2, 4, 8}, many[] = {1, 2, 4};
	static const struct plot_stretch stretch[] = {{"first", 2}, {"back", 1}, {"beyond", 11}, {"last", 10}};
	struct plot_series s[] = {
		{.name = "thick", .n = 3, .x = x, .y = y, .color = 0x00ff00, .marker = PLOT_SQUARE},
		{.name = "thin", .n = 3, .x = x, .y = many, .color = 0x0000ff, .thin = true},
	};

	for (int log_y = 0; log_y < 2; log_y++) {
		struct plot_panel p = {.title = "t",
			.x_label = "x",
			.y_label = "y",
			.log_y = log_y,
			.series = s,
			.n_series = 2,
			.stretch = stretch,
			.n_stretches = 4};
		char *svg = draw(&p, 1, "title");
		double px[3] = {0}, py[3] = {0};

		test_label("logarithmic %d", log_y);
		for (size_t i = 0; i < 3; i++)
			CHECK(point_of(svg, "00ff00", "2", i, &px[i], &py[i]));
		CHECK_NEAR(px[1] - px[0], px[2] - px[1], 0.11);
		CHECK(px[1] > px[0] + 50);
		/* linear: twice the height for twice the difference; logarithmic: equal steps */
		CHECK_NEAR(py[1] - py[2], (log_y ? 1 : 2) * (py[0] - py[1]), 0.31);
		CHECK(py[0] > py[1] + 10);
		/* the thin line is drawn below the thick one, and both are in the legend */
		CHECK(strstr(svg, "stroke=\"#0000ff\" stroke-width=\"0.7\"") <
			strstr(svg, "stroke=\"#00ff00\" stroke-width=\"2\""));
		CHECK_INT(occurrences(svg, ">thick<") + occurrences(svg, ">thin<"), 2);
		CHECK(strstr(svg, ">first<") && strstr(svg, ">last<") && !strstr(svg, "back") &&
			!strstr(svg, "beyond"));
		CHECK_INT(occurrences(svg, "<rect"), 2 + 4); /* ground, legend; three markers and the legend's */
		free(svg);
	}
}

static void
colours_show_sign_and_size(void)
{
	CHECK_INT(heat_color(0), 0xffffff);
	CHECK_INT(heat_color(1), 0xb2182b);
	CHECK_INT(heat_color(-1), 0x2166ac);
	CHECK_INT(heat_color(7), heat_color(1));
	CHECK_INT(heat_color(-7), heat_color(-1));
	CHECK_INT(heat_color(NAN), 0xdddddd);
	CHECK_INT(heat_color(INFINITY), heat_color(NAN));
	/* half of the way in each channel */
	CHECK_INT(heat_color(0.5), 0xd98c95);
}

static char *
draw_heat(const char *const *name, size_t n, const struct heat_panel *p, size_t panels)
{
	struct str out = {0};

	heat_svg("a < b & \"c\"", name, n, p, panels, &out);
	return str_take(&out);
}

static void
every_heat_map_is_valid(void)
{
	static const char *const name[] = {"a", "<&>", "\"\x1b[2J\""};
	static const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, -0.0, 1e-300, 0.95, -1};
	const struct heat_panel p[] = {{"one & two", odd}, {"<", odd}};

	for (size_t n = 0; n <= 3; n++)
		for (size_t panels = 0; panels <= 2; panels++) {
			char *one = draw_heat(name, n, p, panels), *two = draw_heat(name, n, p, panels);

			test_label("%zu names, %zu panels", n, panels);
			CHECK(is_xml(one));
			CHECK_STR(one, two);
			CHECK(!strstr(one, "nan") && !strstr(one, "inf"));
			/* and the ones that explain the colours */
			CHECK_INT(occurrences(one, "h14v14h-14z"), panels * n * n + 7);
			free(one);
			free(two);
		}
}

/* The k-th corner of the path with this colour. */
static bool
corner_of(const char *svg, const char *color, size_t k, double *x, double *y)
{
	char *fill = str_format("z\" fill=\"#%s\"", color);
	const char *at = strstr(svg, fill);

	free(fill);
	while (at && at > svg && *at != '"')
		at--;
	for (; at && k > 0; k--)
		at = strchr(at + 2, 'M');
	return at && sscanf(strchr(at, 'M') + 1, "%lf %lf", x, y) == 2;
}

static void
cells_stand_by_their_names(void)
{
	static const char *const name[] = {"first", "second", "third"};
	static const double value[] = {1, -0.95, 0.25, -0.95, 1, 0, 0.25, 0, 1};
	const struct heat_panel p = {"panel", value};
	char *svg = draw_heat(name, 3, &p, 1);
	double x[3] = {0}, y[3] = {0}, far_x = 0, far_y = 0, near_x = 0, near_y = 0;

	for (size_t k = 0; k < 3; k++)
		CHECK(corner_of(svg, "b2182b", k, &x[k], &y[k]));
	CHECK(x[1] - x[0] == 15 && y[1] - y[0] == 15 && x[2] - x[1] == 15 && y[2] - y[1] == 15);
	/* 0.25: first row, third column; third row, first column */
	CHECK(corner_of(svg, "ecc5ca", 0, &far_x, &far_y) && corner_of(svg, "ecc5ca", 1, &near_x, &near_y));
	CHECK(far_x == x[2] && far_y == y[0] && near_x == x[0] && near_y == y[2]);
	/* both of -0.95, none on the diagonal; and the legend */
	CHECK_INT(occurrences(svg, "<circle"), 2 + 1);
	CHECK_INT(occurrences(svg, ">first<") + occurrences(svg, ">second<") + occurrences(svg, ">third<"), 6);
	free(svg);
}

TEST_MAIN(CASE(the_checker_can_refuse), CASE(ticks_are_round), CASE(every_figure_is_valid),
	CASE(points_stand_where_the_axes_say), CASE(colours_show_sign_and_size), CASE(every_heat_map_is_valid),
	CASE(cells_stand_by_their_names))
