/* What changed between two windows, what moved with the chosen series, and what comes next. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "draw/view/phases/phases.h"
#include "draw/view/view_counters.h"
#include "explorer/state/state_phases.h"
#include "work/phases/phases.h"

void
title_phase_changed(const struct state *state, struct str *title, struct str *info)
{
	const struct phases *p = state_phases(state);
	size_t here = state_phases_window(state), against = state_phases_against(state);

	if (!p || p->windows->n < 2) {
		str_add(title, "What changed");
		return;
	}
	str_addf(title, "Window %zu against %zu", here + 1, against + 1);
	str_add(info, "99 %");
}

/* The series that differ, with the ratio of their levels and its interval. */
static void
phases_write_changes(const struct state *state, struct page *page, const struct phases *p)
{
	struct phase_change *change = mem_new_array(p->set->n, sizeof *change);
	size_t changed = 0;

	phases_compare(p, state_phases_against(state), state_phases_window(state), change);
	for (size_t i = 0; i < p->set->n; i++) {
		char ratio[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT];
		struct line line;

		if (!change[i].changed)
			continue;
		changed++;
		line = page_line(page);
		line_add(&line, ROLE_TEXT, CELL_BOLD, "%-8s", phase_ratio(ratio, change[i].ratio));
		if (isnan(change[i].low))
			line_add(&line, ROLE_TEXT, 0, "%s to %s ", phase_value(low, change[i].before),
				phase_value(high, change[i].after));
		else
			line_add(&line, ROLE_DIM, 0, "%s..%s ", number_digits(low, change[i].low, 3, false),
				number_digits(high, change[i].high, 3, false));
		line_add(&line, ROLE_TEXT, 0, "%s", p->set->series[change[i].series]);
	}
	if (!changed)
		page_words(page, ROLE_TEXT, "No series differs between these two windows.");
	else if (changed < p->set->n) {
		struct line line = page_line(page);

		line_add(&line, ROLE_DIM, 0, "%zu of %zu series do not differ", p->set->n - changed, p->set->n);
	}
	free(change);
}

static void
write_together(const struct state *state, struct page *page, const struct phases *p)
{
	size_t series = state_phases_series(state);
	struct phase_pair pair;
	struct str words = {0};

	page_blank(page);
	page_head(page, "Moves with it", p->set->n_flows > 1 ? "of other flows" : "of all others");
	if (!phases_moves_with(p, series, &pair)) {
		page_words(page, ROLE_DIM, "no series, at 99.9 % for all that were tried");
		return;
	}
	str_addf(&words, "%s: r %.2f (%.2f..%.2f)%s", p->set->series[pair.b], pair.correlation.r, pair.correlation.low,
		pair.correlation.high, pair.correlation.differences ? ", by changes from row to row" : "");
	page_words(page, ROLE_TEXT, str_text(&words));
	str_free(&words);
}

static void
write_next(const struct state *state, struct page *page, const struct phases *p)
{
	const struct phase_series *s = &p->series[state_phases_series(state)];
	char a[NUMBER_TEXT], b[NUMBER_TEXT];
	struct str words = {0};

	page_blank(page);
	page_head(page, "What comes next", "");
	if (!s->forecast.made) {
		page_words(page, ROLE_DIM, "no forecast: too few rows, or all are equal");
		return;
	}
	str_addf(&words, "%s ± %s", phase_value(a, forecast_value(&s->forecast, 1)),
		phase_value(b, 1.96 * forecast_error(&s->forecast, 1)));
	page_number(page, "next row, at 95 %", str_text(&words), ROLE_TEXT);
	page_number(page, "mean error of forecasts", phase_value(a, s->forecast.tested), ROLE_TEXT);
	page_number(page, "… of the last value", phase_value(a, s->forecast.last_value), ROLE_DIM);
	str_clear(&words);
	str_addf(&words, "%zu", s->outliers.n);
	page_number(page, "outliers", str_text(&words), ROLE_TEXT);
	for (size_t i = 0; i < s->outliers.n && i < 3; i++) {
		struct line line = page_line(page);

		line_add(&line, ROLE_DIM, 0, "  at %s: %s", phase_time(a, p, s->outliers.outlier[i].row),
			phase_value(b, s->outliers.outlier[i].value));
		line_add(&line, ROLE_DIM, 0, " among %s", phase_value(a, s->outliers.outlier[i].expected));
	}
	str_free(&words);
}

void
draw_phase_changed(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct phases *p = state_phases(state);
	struct page page = {.s = state, .g = grid, .r = r, .skip = focus ? state->view.cursor[PANE_PHASE_CHANGED] : 0};

	if (!p) {
		page_words(&page, ROLE_DIM, "No series, so nothing to compare.");
	} else {
		if (p->windows->n > 1)
			phases_write_changes(state, &page, p);
		else
			page_words(&page, ROLE_DIM, "One window: no series changes its level.");
		write_together(state, &page, p);
		write_next(state, &page, p);
	}
	drawn->layout.rows[PANE_PHASE_CHANGED] = page_rows(&page);
}
