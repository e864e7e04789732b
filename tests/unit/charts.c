/* Charts of src/draw: amounts on one scale, bars that share a scale, areas over time. Expected columns are worked
 * out by hand. */
#include "draw/view/bar_chart.h"
#include "draw/time_graph.h"

#include <math.h>

#include "test.h"

static void
amounts(void)
{
	struct amount ns = amount_for(unit_of(UNIT_NS), 9.9e8), s = amount_for(unit_of(UNIT_NS), 1.6e10),
		      us = amount_for(unit_of(UNIT_NS), 999), cycles = amount_for(unit_of(UNIT_CYCLES), 1e9);
	struct amount cpi = amount_of_figure("CPI");
	char text[NUMBER_TEXT];

	CHECK_STR(ns.unit, "ms");
	CHECK_STR(amount_text(text, &ns, 9.98e8), "998");
	CHECK_STR(amount_text(text, &ns, 4.12e7), "41.2");
	CHECK_STR(amount_text(text, &ns, 1e5), "0.10");
	CHECK_STR(amount_text(text, &ns, 0), "0");
	CHECK_STR(amount_text(text, &ns, NAN), "?");
	CHECK_STR(amount_text(text, &ns, 2e9), "2\u2009000"); /* the unit stays, even for an amount that is longer */
	CHECK_STR(s.unit, "s");
	CHECK_STR(amount_text(text, &s, 8e9), "8.00");
	CHECK_STR(us.unit, "µs");
	CHECK_STR(cycles.unit, "cycles");
	CHECK_STR(amount_text(text, &cycles, 8.1e9), "8.10 G");
	CHECK_STR(amount_text(text, &cpi, 1.2449), "1.24");
}

static void
steps(void)
{
	static const struct {
		double range, steps, want;
	} row[] = {
		{100, 5, 20}, {100, 4, 50}, {1.24, 6, 0.5}, {38.5, 5, 10}, {1e9, 6, 2e8}, {7, 7, 1}, {0.003, 3, 0.001}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%g in %g", row[i].range, row[i].steps);
		CHECK_NEAR(amount_step(row[i].range, row[i].steps), row[i].want, 1e-9 * row[i].want);
	}
}

/* The column of a sign in a row; -1: none. */
static int
find(struct grid *g, int y, uint32_t cp)
{
	for (int x = 0; x < g->w; x++)
		if (grid_at(g, x, y)->cp == cp)
			return x;
	return -1;
}

/* The last column that is not blank. */
static int
last(struct grid *g, int y)
{
	int x = g->w - 1;

	while (x >= 0 && grid_at(g, x, y)->cp == ' ')
		x--;
	return x;
}

static void
bars_on_one_scale(void)
{
	static const double a[] = {30, 10}, b[] = {10, 10}, none[] = {NAN, 0};
	struct chart_part part[] = {{"user", ROLE_PATH1, 0, 'u'}, {"disk", ROLE_PATH2, 1, 'D'}};
	struct chart_row row[] = {
		{.name = "cp", .number = "40", .amount = a, .length = 40}, {.name = "gcc", .number = "20",
			.amount = b, .length = 20, .doubtful = true},
		{.name = "sh", .number = "?", .amount = none, .length = NAN, .why = "no count of user"},
	};
	struct chart c = {.name_head = "task",
		.number_head = "ms",
		.part = part,
		.n_parts = 2,
		.row = row,
		.n = 3,
		.cursor = 1,
		.amount = {.factor = 1, .unit = "ms"},
		.pane = PANE_BARS};
	struct grid *g = grid_new(51, 5, false);
	struct drawn d = {0};
	int x, w;

	CHECK_INT(chart_rows(&c, 51, false), 5);
	CHECK_INT(chart_rows(&c, 51, true), 8);
	chart_draw(&c, g, (struct rect){0, 0, 51, 5}, true, &d);
	x = find(g, 1, 'u');
	w = 50 - x;
	CHECK_INT(find(g, 1, 'D'), x + lround(0.75 * w));
	CHECK_INT(last(g, 1), 49);
	CHECK_INT(find(g, 2, 'D'), x + lround(0.25 * w));
	CHECK_INT(last(g, 2), x + lround(0.5 * w) - 1);
	CHECK_INT(find(g, 0, '0'), x); /* a tick stands at the end of a bar of that length */
	CHECK_INT(find(g, 0, '2'), x + lround(0.5 * w));
	CHECK_INT(grid_at(g, 3, 2)->bg, ROLE_SELECT);
	CHECK_INT(grid_at(g, x, 2)->bg, ROLE_BACKGROUND); /* the cursor does not tint the bar */
	CHECK_INT(grid_at(g, x - 3, 2)->fg, ROLE_BORDERLINE);
	CHECK_INT(grid_at(g, x, 3)->cp, 'n');
	CHECK_INT(d.n_hits, 3);
	c.normalised = true;
	grid_clear(g);
	chart_draw(&c, g, (struct rect){0, 0, 51, 5}, true, &d);
	CHECK_INT(last(g, 2), 49);
	CHECK_INT(find(g, 2, 'D'), x + lround(0.5 * w));
	grid_free(g);
}

/* With less room the legend disappears first; then the rows scroll with the cursor. Nothing is drawn outside. */
static void
bars_in_little_room(void)
{
	static const double one[] = {1};
	struct chart_part part[] = {{"a part with a long name", ROLE_PATH1, 0, 'a'}};
	struct chart_row row[9];
	struct chart c = {.name_head = "task",
		.number_head = "ms",
		.part = part,
		.n_parts = 1,
		.row = row,
		.n = 9,
		.cursor = 8,
		.amount = {.factor = 1, .unit = "ms"}};
	struct grid *g = grid_new(30, 8, true);
	struct drawn d = {0};

	for (size_t i = 0; i < 9; i++)
		row[i] =
			(struct chart_row){.name = i == 8 ? "last" : "task", .number = "1", .amount = one, .length = 1};
	chart_draw(&c, g, (struct rect){5, 2, 20, 3}, true, &d);
	CHECK_INT(grid_at(g, 6, 4)->cp, 'l');
	CHECK_INT(d.n_hits, 2);
	for (int y = 0; y < 8; y++)
		for (int x = 0; x < 30; x++)
			CHECK((y >= 2 && y < 5 && x >= 5 && x < 25) || grid_at(g, x, y)->cp == ' ');
	grid_free(g);
}

static void
areas(void)
{
	static const double low[] = {10, 10, 10, 10}, high[] = {0, NAN, 20, 10};
	struct time_graph g = {.series = {{"low", ROLE_PATH1, low}, {"high", ROLE_PATH2, high}},
		.n_series = 2,
		.n = 4,
		.from = 0,
		.to = 4};
	struct grid *grid = grid_new(7 + 8 + 1, 7, true);

	CHECK_NEAR(graph_top(&g), 30, 1e-9); /* the largest sum, and already a round number */
	graph_draw(&g, grid, (struct rect){0, 0, 16, 7});
	for (int x = 7; x < 15; x++) { /* six rows of 5 each: `low` fills two in each column */
		CHECK_INT(grid_at(grid, x, 5)->fg, ROLE_PATH1);
		CHECK_INT(grid_at(grid, x, 5)->cp, '#');
		CHECK_INT(grid_at(grid, x, 4)->fg, ROLE_PATH1);
	}
	CHECK_INT(grid_at(grid, 7, 3)->cp, ' ');
	CHECK_INT(grid_at(grid, 9, 3)->cp, ' ');  /* an unknown value adds nothing */
	CHECK_INT(grid_at(grid, 11, 0)->cp, '%'); /* `high` is stacked on `low` */
	CHECK_INT(grid_at(grid, 11, 0)->fg, ROLE_PATH2);
	CHECK_INT(grid_at(grid, 13, 1)->cp, ' ');
	CHECK_INT(grid_at(grid, 13, 2)->cp, '%');
	CHECK_INT(grid_at(grid, 5, 5)->cp, '0');
	grid_free(grid);
	g.n_series = 0;
	CHECK_NEAR(graph_top(&g), 1, 0);
}

TEST_MAIN(CASE(amounts), CASE(steps), CASE(bars_on_one_scale), CASE(bars_in_little_room), CASE(areas))
