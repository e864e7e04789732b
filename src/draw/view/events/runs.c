/* The runs of an event as two histograms: as counted, and after what is known was subtracted.
 *
 *      counted          mean 227 000 386   range 92
 *        4    ▅▅▅         ███
 *             ███   ███   ███   ▄▄▄
 *      ←E           m                      the expected count is off this scale, to the left
 *      +10 300                 +10 392     off the expected count
 *
 * Each has a scale of its own: an offset of thousands and a range of tens do not fit on one. The expected count is on
 * the scale if it is no farther away than the runs are from each other. */
#include "draw/view/events/events.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "explorer/state/state_events.h"
#include "work/trust/events.h"

enum { FRAME_ROWS = 3, MOST_BAR_ROWS = 8, LABEL = 5, MOST_BINS = 64, NARROW = 42 };

struct histogram {
	const char *name;
	const double *v;
	size_t n;
	double mean, range, expected; /* expected NAN: unknown */
	double low, high;             /* ends of the scale */
	int bins, cell;               /* columns of a bin */
	size_t count[MOST_BINS], most;
};

/* Chooses scale and bins: about two for each unit of √n, and none narrower than a count. */
static void
runs_scale(struct histogram *histogram, int columns)
{
	double low = histogram->v[0], high = histogram->v[0], width;

	for (size_t i = 1; i < histogram->n; i++) {
		low = fmin(low, histogram->v[i]);
		high = fmax(high, histogram->v[i]);
	}
	width = high - low;
	if (fabs(histogram->expected - low) <= fmax(width, 10) || fabs(histogram->expected - high) <= fmax(width, 10)) {
		low = fmin(low, histogram->expected);
		high = fmax(high, histogram->expected);
	}
	histogram->bins = (int)fmin(2 * sqrt((double)histogram->n) + 3, MOST_BINS);
	histogram->bins = histogram->bins < columns ? histogram->bins : columns;
	histogram->bins = (int)fmin(histogram->bins, floor(high - low) + 1);
	histogram->cell = columns / histogram->bins;
	histogram->low = low - 0.5;
	histogram->high = high + 0.5;
	for (size_t i = 0; i < histogram->n; i++) {
		int at = (int)((histogram->v[i] - histogram->low) / (histogram->high - histogram->low) *
			histogram->bins);

		at = at < histogram->bins ? at : histogram->bins - 1;
		histogram->count[at]++;
		histogram->most = histogram->count[at] > histogram->most ? histogram->count[at] : histogram->most;
	}
}

static int
runs_column_of(const struct histogram *h, double v)
{
	int columns = h->bins * h->cell, at = (int)((v - h->low) / (h->high - h->low) * columns);

	return at < 0 ? 0 : at < columns ? at : columns - 1;
}

/* Columns that stand, in eighths of a row. */
static void
draw_bars(const struct histogram *histogram, struct grid *grid, struct rect r, enum role role)
{
	static const char *const eighth[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	struct pen p = pen_on(grid, r, role);

	for (int b = 0; b < histogram->bins; b++) {
		int filled = (int)ceil((double)histogram->count[b] / (double)histogram->most * r.h * 8);

		for (int y = 0; y < r.h; y++) {
			int here = filled - 8 * (r.h - 1 - y);

			for (int x = 0; here > 0 && x < (histogram->cell > 2 ? histogram->cell - 1 : histogram->cell);
				x++)
				pen_text(&p, r.x + b * histogram->cell + x, r.y + y, eighth[here > 8 ? 7 : here - 1]);
		}
	}
}

/* "m" at the mean, "E" at the expected count or an arrow to it. */
static void
draw_marks(const struct histogram *histogram, struct grid *grid, struct rect r)
{
	struct pen p = pen_on(grid, (struct rect){r.x - 3, r.y, r.w + 6, 1}, ROLE_ACCENT);

	p.attr = CELL_BOLD;
	pen_text(&p, r.x + runs_column_of(histogram, histogram->mean), r.y, "m");
	p.fg = ROLE_FEASIBLE;
	if (isnan(histogram->expected))
		return;
	if (histogram->expected < histogram->low)
		pen_text(&p, r.x - 3, r.y, "←E");
	else if (histogram->expected > histogram->high)
		pen_text(&p, r.x + histogram->bins * histogram->cell, r.y, "E→");
	else
		pen_text(&p, r.x + runs_column_of(histogram, histogram->expected), r.y, "E");
}

/* The ends of the scale, as differences from what is expected. */
static void
draw_ends(const struct histogram *h, struct grid *g, struct rect r)
{
	struct pen p = pen_on(g, r, ROLE_DIM);
	char number[NUMBER_TEXT];
	bool off = !isnan(h->expected);
	double from = off ? h->expected : 0;

	pen_text(&p, r.x, r.y, number_exact(number, llround(h->low + 0.5 - from), off, false));
	if (h->high - h->low > 1.5)
		pen_right(&p, r.x + h->bins * h->cell, r.y,
			number_exact(number, llround(h->high - 0.5 - from), off, false));
}

/* Takes all rows of `r`. */
static void
draw_one(struct histogram *histogram, struct grid *grid, struct rect r, enum role role)
{
	struct line l = line_on(grid, r, 0);
	struct rect bars = {r.x + LABEL, r.y + 1, r.w - LABEL - 3, r.h - FRAME_ROWS};
	char number[NUMBER_TEXT], most[24];
	struct pen p;

	runs_scale(histogram, bars.w);
	line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", histogram->name);
	line_to(&l, 11);
	if (r.w >= NARROW) {
		line_add(&l, ROLE_DIM, 0, "mean ");
		line_add(&l, ROLE_TEXT, 0, "%s  ", number_exact(number, llround(histogram->mean), false, false));
	}
	if (!isnan(histogram->range) && histogram->n > 1) {
		line_add(&l, ROLE_DIM, 0, "range ");
		line_add(&l, ROLE_TEXT, 0, "%s", number_exact(number, llround(histogram->range), false, false));
	}
	snprintf(most, sizeof most, "%zu", histogram->most);
	p = pen_on(grid, r, ROLE_DIM);
	pen_right(&p, bars.x - 1, bars.y, most);
	draw_bars(histogram, grid, bars, role);
	draw_marks(histogram, grid, (struct rect){bars.x, bars.y + bars.h, bars.w, 1});
	draw_ends(histogram, grid, (struct rect){bars.x, bars.y + bars.h + 1, bars.w + 2, 1});
}

static struct histogram
counted(const struct trust_group *g, const struct trust_judged *j, double *v)
{
	for (size_t i = 0; i < g->n; i++)
		v[i] = g->run[i].count;
	return (struct histogram){.name = "counted", .v = v, .n = g->n, .mean = j->mean, .range = j->spread,
		.expected = g->expected};
}

static struct histogram
corrected(const struct trust_group *g, const struct trust_judged *j)
{
	return (struct histogram){.name = "corrected", .v = j->run, .n = g->n, .mean = j->adjusted,
		.range = j->adjusted_spread, .expected = g->expected};
}

static void
runs_draw_legend(const struct trust_group *group, struct grid *grid, struct rect r)
{
	struct line l = line_on(grid, r, 0);
	char number[NUMBER_TEXT];

	line_add(&l, ROLE_ACCENT, CELL_BOLD, "m");
	line_add(&l, ROLE_DIM, 0, " mean  ");
	if (isnan(group->expected)) {
		line_add(&l, ROLE_DIM, 0, "no expected count");
		return;
	}
	line_add(&l, ROLE_FEASIBLE, CELL_BOLD, "E");
	line_add(&l, ROLE_DIM, 0, " expected ");
	if (r.w >= NARROW)
		line_add(&l, ROLE_TEXT, 0, "%s ", number_exact(number, llround(group->expected), false, false));
	line_add(&l, ROLE_DIM, 0, " ends: off by");
}

void
draw_histograms(const struct trust_event *event, struct grid *grid, struct rect r)
{
	bool both = event->judged->run && event->judged->n_parts && r.h >= 2 * (FRAME_ROWS + 1),
	     legend = r.h >= (both ? 2 : 1) * (FRAME_ROWS + 1) + 1;
	int rows = (r.h - (legend ? 1 : 0)) / (both ? 2 : 1), most = FRAME_ROWS + MOST_BAR_ROWS;
	double *v = mem_new_array(event->group->n, sizeof *v);
	struct histogram h = counted(event->group, event->judged, v);

	rows = rows < most ? rows : most;
	if (rows > FRAME_ROWS)
		draw_one(&h, grid, (struct rect){r.x, r.y, r.w, rows}, ROLE_BORDERLINE);
	if (both) {
		h = corrected(event->group, event->judged);
		draw_one(&h, grid, (struct rect){r.x, r.y + rows, r.w, rows}, ROLE_FEASIBLE);
	}
	if (legend)
		runs_draw_legend(event->group, grid, (struct rect){r.x, r.y + (both ? 2 : 1) * rows, r.w, 1});
	free(v);
}

void
title_runs(const struct state *s, struct str *title, struct str *info)
{
	const struct trust_event *e = state_event(s);

	str_add(title, "Runs");
	if (e && e->group)
		str_addf(info, "%zu run%s", e->group->n, plural_s(e->group->n));
}

void
draw_runs(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct trust_event *event = state_event(state);
	struct page p = {.s = state, .g = grid, .r = r};
	struct str words = {0};

	(void)focus;
	(void)drawn;
	if (!event) {
		page_words(&p, ROLE_DIM, "No event is chosen, so there are no runs.");
	} else if (!event->judged) {
		page_words(&p, ROLE_TEXT, "No runs of this event are open.");
		page_words(&p, ROLE_DIM,
			"S goes to the start screen, where o opens a table of runs, and e recorded ones");
	} else if (event->group->stated_runs) {
		str_addf(&words, "Only the mean of %zu runs is known, not the runs.", event->group->stated_runs);
		page_words(&p, ROLE_TEXT, str_text(&words));
	} else if (event->group->n == 0) {
		page_words(&p, ROLE_TEXT, "No run has a count.");
	} else {
		draw_histograms(event, grid, r);
	}
	str_free(&words);
}
