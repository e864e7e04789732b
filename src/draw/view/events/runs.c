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
runs_scale(struct histogram *h, int columns)
{
	double low = h->v[0], high = h->v[0], width;

	for (size_t i = 1; i < h->n; i++) {
		low = fmin(low, h->v[i]);
		high = fmax(high, h->v[i]);
	}
	width = high - low;
	if (fabs(h->expected - low) <= fmax(width, 10) || fabs(h->expected - high) <= fmax(width, 10)) {
		low = fmin(low, h->expected);
		high = fmax(high, h->expected);
	}
	h->bins = (int)fmin(2 * sqrt((double)h->n) + 3, MOST_BINS);
	h->bins = h->bins < columns ? h->bins : columns;
	h->bins = (int)fmin(h->bins, floor(high - low) + 1);
	h->cell = columns / h->bins;
	h->low = low - 0.5;
	h->high = high + 0.5;
	for (size_t i = 0; i < h->n; i++) {
		int at = (int)((h->v[i] - h->low) / (h->high - h->low) * h->bins);

		at = at < h->bins ? at : h->bins - 1;
		h->count[at]++;
		h->most = h->count[at] > h->most ? h->count[at] : h->most;
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
draw_bars(const struct histogram *h, struct grid *g, struct rect r, enum role role)
{
	static const char *const eighth[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	struct pen p = pen_on(g, r, role);

	for (int b = 0; b < h->bins; b++) {
		int filled = (int)ceil((double)h->count[b] / (double)h->most * r.h * 8);

		for (int y = 0; y < r.h; y++) {
			int here = filled - 8 * (r.h - 1 - y);

			for (int x = 0; here > 0 && x < (h->cell > 2 ? h->cell - 1 : h->cell); x++)
				pen_text(&p, r.x + b * h->cell + x, r.y + y, eighth[here > 8 ? 7 : here - 1]);
		}
	}
}

/* "m" at the mean, "E" at the expected count or an arrow to it. */
static void
draw_marks(const struct histogram *h, struct grid *g, struct rect r)
{
	struct pen p = pen_on(g, (struct rect){r.x - 3, r.y, r.w + 6, 1}, ROLE_ACCENT);

	p.attr = CELL_BOLD;
	pen_text(&p, r.x + runs_column_of(h, h->mean), r.y, "m");
	p.fg = ROLE_FEASIBLE;
	if (isnan(h->expected))
		return;
	if (h->expected < h->low)
		pen_text(&p, r.x - 3, r.y, "←E");
	else if (h->expected > h->high)
		pen_text(&p, r.x + h->bins * h->cell, r.y, "E→");
	else
		pen_text(&p, r.x + runs_column_of(h, h->expected), r.y, "E");
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
draw_one(struct histogram *h, struct grid *g, struct rect r, enum role role)
{
	struct line l = line_on(g, r, 0);
	struct rect bars = {r.x + LABEL, r.y + 1, r.w - LABEL - 3, r.h - FRAME_ROWS};
	char number[NUMBER_TEXT], most[24];
	struct pen p;

	runs_scale(h, bars.w);
	line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", h->name);
	line_to(&l, 11);
	if (r.w >= NARROW) {
		line_add(&l, ROLE_DIM, 0, "mean ");
		line_add(&l, ROLE_TEXT, 0, "%s  ", number_exact(number, llround(h->mean), false, false));
	}
	if (!isnan(h->range) && h->n > 1) {
		line_add(&l, ROLE_DIM, 0, "range ");
		line_add(&l, ROLE_TEXT, 0, "%s", number_exact(number, llround(h->range), false, false));
	}
	snprintf(most, sizeof most, "%zu", h->most);
	p = pen_on(g, r, ROLE_DIM);
	pen_right(&p, bars.x - 1, bars.y, most);
	draw_bars(h, g, bars, role);
	draw_marks(h, g, (struct rect){bars.x, bars.y + bars.h, bars.w, 1});
	draw_ends(h, g, (struct rect){bars.x, bars.y + bars.h + 1, bars.w + 2, 1});
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
runs_draw_legend(const struct trust_group *e, struct grid *g, struct rect r)
{
	struct line l = line_on(g, r, 0);
	char number[NUMBER_TEXT];

	line_add(&l, ROLE_ACCENT, CELL_BOLD, "m");
	line_add(&l, ROLE_DIM, 0, " mean  ");
	if (isnan(e->expected)) {
		line_add(&l, ROLE_DIM, 0, "no expected count");
		return;
	}
	line_add(&l, ROLE_FEASIBLE, CELL_BOLD, "E");
	line_add(&l, ROLE_DIM, 0, " expected ");
	if (r.w >= NARROW)
		line_add(&l, ROLE_TEXT, 0, "%s ", number_exact(number, llround(e->expected), false, false));
	line_add(&l, ROLE_DIM, 0, " ends: off by");
}

void
draw_histograms(const struct trust_event *e, struct grid *g, struct rect r)
{
	bool both = e->judged->run && e->judged->n_parts && r.h >= 2 * (FRAME_ROWS + 1),
	     legend = r.h >= (both ? 2 : 1) * (FRAME_ROWS + 1) + 1;
	int rows = (r.h - (legend ? 1 : 0)) / (both ? 2 : 1), most = FRAME_ROWS + MOST_BAR_ROWS;
	double *v = mem_new_array(e->group->n, sizeof *v);
	struct histogram h = counted(e->group, e->judged, v);

	rows = rows < most ? rows : most;
	if (rows > FRAME_ROWS)
		draw_one(&h, g, (struct rect){r.x, r.y, r.w, rows}, ROLE_BORDERLINE);
	if (both) {
		h = corrected(e->group, e->judged);
		draw_one(&h, g, (struct rect){r.x, r.y + rows, r.w, rows}, ROLE_FEASIBLE);
	}
	if (legend)
		runs_draw_legend(e->group, g, (struct rect){r.x, r.y + (both ? 2 : 1) * rows, r.w, 1});
	free(v);
}

void
title_runs(const struct state *s, struct str *title, struct str *info)
{
	const struct trust_event *e = state_event(s);

	str_add(title, "Runs");
	if (e && e->group)
		str_addf(info, "%zu run%s", e->group->n, e->group->n == 1 ? "" : "s");
}

void
draw_runs(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	const struct trust_event *e = state_event(s);
	struct page p = {.s = s, .g = g, .r = r};
	struct str words = {0};

	(void)focus;
	(void)d;
	if (!e) {
		page_words(&p, ROLE_DIM, "No event is chosen, so there are no runs.");
	} else if (!e->judged) {
		page_words(&p, ROLE_TEXT, "No runs of this event are open.");
		page_words(&p, ROLE_DIM, "hecate RUNS.csv --expected FILE shows recorded ones here");
	} else if (e->group->stated_runs) {
		str_addf(&words, "Only the mean of %zu runs is known, not the runs.", e->group->stated_runs);
		page_words(&p, ROLE_TEXT, str_text(&words));
	} else if (e->group->n == 0) {
		page_words(&p, ROLE_TEXT, "No run has a count.");
	} else {
		draw_histograms(e, g, r);
	}
	str_free(&words);
}
