#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "cli/writing.h"
#include "work/phases/phases.h"
#include "work/phases/series_text.h"

#define CHANGES_SHOWN 12 /* series in the comparison of two windows, unless --verbose */
#define PAIRS_SHOWN 12
#define OUTLIERS_SHOWN 8  /* per set */
#define SPREAD_MOST 100.0 /* of the bounds of a ratio, above which they say nothing */
#define SPREAD_LEAST 1e-4 /* a ratio that is known better needs no interval on a screen */

static size_t
limit(const struct phases_report *report, size_t n, size_t most)
{
	return report->options->verbose || n < most ? n : most;
}

/* "412 s" or "row 412" */
static void
add_time(const struct phases *p, size_t row, bool ascii, struct text_table *table)
{
	char number[NUMBER_TEXT];

	if (p->set->end)
		text_table_addf(table, "%s s", number_digits(number, phases_begin(p, row), 6, ascii));
	else
		text_table_addf(table, "row %zu", row + 1);
}

static void
add_figure(struct text_table *table, double v, bool ascii)
{
	char number[NUMBER_TEXT];

	if (isnan(v))
		text_table_add(table, "-");
	else if (fabs(v) < 1e9)
		text_table_addf(table, "%s%s", v < 0 ? "-" : "", number_digits(number, fabs(v), 4, ascii));
	else
		text_table_addf(table, "%s%s", v < 0 ? "-" : "", number_count(number, fabs(v), ascii));
}

/* "x1.31 (1.29 .. 1.33)" */
static char *
ratio_text(const struct phase_change *c, bool ascii)
{
	char a[NUMBER_TEXT], b[NUMBER_TEXT], d[NUMBER_TEXT];
	const char *times = ascii ? "x" : "×";

	if (isnan(c->ratio))
		return mem_str("-");
	number_digits(a, c->ratio, 4, ascii);
	if (c->high / c->low > SPREAD_MOST)
		return str_format("%s%s (hardly known)", times, a);
	if (c->high / c->low - 1 < SPREAD_LEAST)
		return str_format("%s%s", times, a);
	return str_format(
		"%s%s (%s..%s)", times, a, number_digits(b, c->low, 4, ascii), number_digits(d, c->high, 4, ascii));
}

static char *
load_ratio_text(const struct window *w, bool ascii)
{
	char number[NUMBER_TEXT];

	return isfinite(w->ratio) ? str_format("%s%s", ascii ? "x" : "×", number_digits(number, w->ratio, 4, ascii))
				  : mem_str("-");
}

static char *
phase_letter(size_t phase)
{
	return phase < 26 ? str_format("%c", (int)('A' + (int)phase))
			  : str_format("%c%zu", (int)('A' + (int)(phase % 26)), phase / 26);
}

static const struct phase_change *
change_of(const struct phase_change *change, size_t n, size_t series)
{
	for (size_t i = 0; i < n; i++)
		if (change[i].series == series)
			return &change[i];
	return NULL;
}

static void
print_windows(const struct phases_report *report, const struct phases *p, struct str *out)
{
	static const struct text_column column[] = {{.title = "window", .right = true},
		{.title = "from", .right = true}, {.title = "rows", .right = true}, {.title = "phase"},
		{.title = "what changed most", .limit = 40}, {.title = "by"}};
	bool ascii = print_ascii(report->options);
	struct text_table *table = text_table_new(column, 6, ascii);
	struct phase_change *change = mem_new_array(p->set->n, sizeof *change);

	for (size_t k = 0; k < p->windows->n; k++) {
		const struct window *w = &p->windows->window[k];
		char *phase = phase_letter(w->phase), *ratio;

		text_table_row(table, "%zu", k + 1);
		add_time(p, w->first, ascii, table);
		text_table_addf(table, "%zu", w->n);
		text_table_add(table, phase);
		free(phase);
		if (k == 0)
			continue;
		phases_compare(p, k - 1, k, change);
		ratio = w->of_load ? load_ratio_text(w, ascii)
				   : ratio_text(change_of(change, p->set->n, w->series), ascii);
		text_table_addf(table, "%s%s", p->set->series[w->series], w->of_load ? " (of the load)" : "");
		text_table_add(table, ratio);
		free(ratio);
	}
	text_table_end(table, out);
	free(change);
}

static void
print_series(const struct phases_report *report, const struct phases *p, struct str *out)
{
	static const struct text_column column[] = {{.title = "series", .limit = 36}, {.title = "mean", .right = true},
		{.title = "least", .right = true}, {.title = "most", .right = true}, {.title = "noise", .right = true},
		{.title = "trend", .right = true}, {.title = "season", .right = true},
		{.title = "next row", .right = true}, {.title = "error", .right = true},
		{.title = "last value's", .right = true}, {.title = "outliers", .right = true}};
	bool ascii = print_ascii(report->options);
	struct text_table *table = text_table_new(column, 11, ascii);

	for (size_t i = 0; i < p->set->n; i++) {
		const struct phase_series *s = &p->series[i];
		char number[NUMBER_TEXT];

		text_table_row(table, "%s", p->set->series[i]);
		add_figure(table, s->mean, ascii);
		add_figure(table, s->least, ascii);
		add_figure(table, s->most, ascii);
		if (s->mean > 0 && p->windows->noise[i] > 0)
			text_table_addf(
				table, "%s %%", number_digits(number, 100 * p->windows->noise[i] / s->mean, 2, ascii));
		else
			text_table_add(table, "-");
		if (!s->trend.direction)
			text_table_add(table, "-");
		else if (isnan(s->trend.ratio))
			text_table_add(table, s->trend.direction > 0 ? "rises" : "falls");
		else
			text_table_addf(
				table, "%s%s", ascii ? "x" : "×", number_digits(number, s->trend.ratio, 3, ascii));
		if (s->season.places && !isnan(p->set->step))
			text_table_addf(
				table, "%s s", number_digits(number, s->season.period * p->set->step, 4, ascii));
		else if (s->season.places)
			text_table_addf(table, "%s rows", number_digits(number, s->season.period, 4, ascii));
		else
			text_table_add(table, "-");
		if (s->forecast.made) {
			add_figure(table, forecast_value(&s->forecast, 1), ascii);
			add_figure(table, s->forecast.tested, ascii);
			add_figure(table, s->forecast.last_value, ascii);
		} else {
			text_table_add(table, "-");
			text_table_skip(table, 2);
		}
		text_table_addf(table, "%zu", s->outliers.n);
	}
	text_table_end(table, out);
}

static void
print_compared(const struct phases_report *report, const struct phases *p, size_t before, size_t after, struct str *out)
{
	static const struct text_column column[] = {{.title = "series", .limit = 40},
		{.title = "before", .right = true}, {.title = "after", .right = true},
		{.title = "ratio, and its interval at 99 %"}};
	bool ascii = print_ascii(report->options);
	struct text_table *table = text_table_new(column, 4, ascii);
	struct phase_change *change = mem_new_array(p->set->n, sizeof *change);
	size_t shown = limit(report, p->set->n, CHANGES_SHOWN), changed = 0;

	phases_compare(p, before, after, change);
	for (size_t i = 0; i < p->set->n; i++)
		changed += change[i].changed;
	str_addf(out, "\nWindow %zu against window %zu: %zu of %zu series differ\n", after + 1, before + 1, changed,
		p->set->n);
	for (size_t i = 0; i < shown; i++) {
		char *ratio = ratio_text(&change[i], ascii);

		text_table_row(table, "%s", p->set->series[change[i].series]);
		add_figure(table, change[i].before, ascii);
		add_figure(table, change[i].after, ascii);
		text_table_addf(table, "%s%s", ratio, change[i].changed ? "" : "  no difference is shown");
		free(ratio);
	}
	text_table_end(table, out);
	if (shown < p->set->n)
		str_addf(out, "%zu more; --verbose shows all\n", p->set->n - shown);
	free(change);
}

static void
print_pairs(const struct phases_report *report, const struct phases *p, struct str *out)
{
	static const struct text_column column[] = {{.title = "series", .limit = 36}, {.title = "with", .limit = 36},
		{.title = "r", .right = true}, {.title = "interval"}, {.title = "rows' worth", .right = true},
		{.title = ""}};
	bool ascii = print_ascii(report->options);
	struct text_table *table;
	size_t shown = limit(report, p->n_pairs, PAIRS_SHOWN);

	str_addf(out, "\nMove together: %zu%s of %zu pairs tried, at %g %% for all of them\n", p->n_pairs,
		p->n_pairs == 200 ? " or more" : "", p->tried, 100 * CORRELATION_CONFIDENCE);
	if (!p->n_pairs)
		return;
	table = text_table_new(column, 6, ascii);
	for (size_t i = 0; i < shown; i++) {
		const struct phase_pair *pair = &p->pair[i];
		const struct correlation *c = &pair->correlation;

		text_table_row(table, "%s", p->set->series[pair->a]);
		text_table_add(table, p->set->series[pair->b]);
		text_table_addf(table, "%.3f", c->r);
		text_table_addf(table, "%.3f..%.3f", c->low, c->high);
		text_table_addf(table, "%.0f", c->effective);
		text_table_add(table,
			fabs(c->r) >= 1          ? "equal but for scale"
				: c->differences ? "from row to row"
						 : "");
	}
	text_table_end(table, out);
	if (shown < p->n_pairs)
		str_addf(out, "%zu more; --verbose shows all\n", p->n_pairs - shown);
}

static void
print_outliers(const struct phases_report *report, const struct phases *p, struct str *out)
{
	static const struct text_column column[] = {{.title = "at", .right = true}, {.title = "series", .limit = 40},
		{.title = "value", .right = true}, {.title = "expected", .right = true},
		{.title = "deviations", .right = true}};
	bool ascii = print_ascii(report->options);
	struct text_table *table;
	size_t all = 0, shown, said = 0;

	for (size_t i = 0; i < p->set->n; i++)
		all += p->series[i].outliers.n;
	if (!all)
		return;
	shown = limit(report, all, OUTLIERS_SHOWN);
	str_addf(out, "\nOutliers: %zu row%s of a series far from those around\n", all, plural_s(all));
	table = text_table_new(column, 5, ascii);
	for (size_t i = 0; i < p->set->n; i++)
		for (size_t k = 0; k < p->series[i].outliers.n && said < shown; k++, said++) {
			const struct outlier *o = &p->series[i].outliers.outlier[k];
			char number[NUMBER_TEXT];
			struct str at = {0};

			if (p->set->end)
				str_addf(&at, "%s s", number_digits(number, phases_begin(p, o->row), 6, ascii));
			else
				str_addf(&at, "row %zu", o->row + 1);
			text_table_row(table, "%s", str_text(&at));
			str_free(&at);
			text_table_add(table, p->set->series[i]);
			add_figure(table, o->value, ascii);
			add_figure(table, o->expected, ascii);
			text_table_addf(table, "%+.1f", o->deviations);
		}
	text_table_end(table, out);
	if (shown < all)
		str_addf(out, "%zu more; --verbose shows all\n", all - shown);
}

static void
print_text(const struct phases_report *report, const struct phases *p, struct str *out)
{
	bool ascii = print_ascii(report->options);
	size_t change = phases_largest_change(p), before = report->before, after = report->after;
	char number[NUMBER_TEXT];
	struct str text = {0};

	str_addf(&text, "%s: %zu series, %zu row%s", p->set->name, p->set->n, p->set->rows, plural_s(p->set->rows));
	if (!isnan(p->set->step))
		str_addf(&text, " of %s", number_seconds(number, p->set->step, ascii));
	if (p->set->samples_per_row > 1)
		str_addf(&text, " (each %zu samples)", p->set->samples_per_row);
	str_addf(&text, "; %zu window%s in %zu phase%s\n", p->windows->n, plural_s(p->windows->n), p->windows->n_phases,
		plural_s(p->windows->n_phases));
	if (report->scenario)
		str_addf(&text, "%s: %s\n", report->scenario->name, report->scenario->asks);
	if (p->set->scaled)
		str_add(&text, "Rows differ in length: counts are per mean row.\n");
	str_addc(&text, '\n');
	print_windows(report, p, &text);
	if (before || change)
		print_compared(report, p, before ? before - 1 : change - 1, before ? after - 1 : change, &text);
	str_addc(&text, '\n');
	print_series(report, p, &text);
	print_pairs(report, p, &text);
	print_outliers(report, p, &text);
	print_lines(out, str_text(&text), ascii);
	str_free(&text);
}

/* --- JSON -------------------------------------------------------------------------------------------------------- */

static void
json_changes(struct json_writer *json, const struct phases *p, size_t before, size_t after)
{
	struct phase_change *change = mem_new_array(p->set->n, sizeof *change);

	phases_compare(p, before, after, change);
	json_open(json, "compared", '{');
	json_int(json, "before", (int64_t)before + 1);
	json_int(json, "after", (int64_t)after + 1);
	json_open(json, "series", '[');
	for (size_t i = 0; i < p->set->n; i++) {
		json_open(json, NULL, '{');
		json_str(json, "name", p->set->series[change[i].series]);
		json_num(json, "before", change[i].before);
		json_num(json, "after", change[i].after);
		json_num(json, "ratio", change[i].ratio);
		json_num(json, "low", change[i].low);
		json_num(json, "high", change[i].high);
		json_bool(json, "changed", change[i].changed);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
	free(change);
}

static void
json_windows(struct json_writer *json, const struct phases *p)
{
	json_open(json, "windows", '[');
	for (size_t k = 0; k < p->windows->n; k++) {
		const struct window *w = &p->windows->window[k];

		json_open(json, NULL, '{');
		json_int(json, "row", (int64_t)w->first + 1);
		json_int(json, "rows", (int64_t)w->n);
		json_num(json, "begin", p->set->end ? phases_begin(p, w->first) : NAN);
		json_int(json, "phase", (int64_t)w->phase + 1);
		json_str(json, "changed", k ? p->set->series[w->series] : NULL);
		json_bool(json, "of_load", w->of_load);
		json_num(json, "jump", w->jump);
		json_open(json, "levels", '[');
		for (size_t i = 0; i < p->set->n; i++)
			json_num(json, NULL, p->windows->level[k * p->set->n + i]);
		json_close(json, ']');
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
json_forecast(struct json_writer *json, const struct phase_series *s)
{
	const struct forecast *f = &s->forecast;
	size_t ahead = f->season ? (size_t)round(f->period) : 10;

	if (!f->made) {
		json_null(json, "forecast");
		return;
	}
	json_open(json, "forecast", '{');
	json_num(json, "alpha", f->alpha);
	json_num(json, "beta", f->beta);
	json_num(json, "gamma", f->season ? f->gamma : NAN);
	json_num(json, "trend_per_row", f->trend);
	json_num(json, "error", f->tested);
	json_num(json, "error_of_last_value", f->last_value);
	json_open(json, "rows", '[');
	for (size_t h = 1; h <= ahead; h++) {
		json_open(json, NULL, '{');
		json_num(json, "value", forecast_value(f, h));
		json_num(json, "deviation", forecast_error(f, h));
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void
json_series(struct json_writer *json, const struct phases *p)
{
	json_open(json, "series", '[');
	for (size_t i = 0; i < p->set->n; i++) {
		const struct phase_series *s = &p->series[i];

		json_open(json, NULL, '{');
		json_str(json, "name", p->set->series[i]);
		json_int(json, "flow", (int64_t)p->set->flow[i] + 1);
		json_int(json, "known", (int64_t)s->known);
		json_num(json, "mean", s->mean);
		json_num(json, "least", s->least);
		json_num(json, "most", s->most);
		json_num(json, "deviation", s->deviation);
		json_num(json, "noise", p->windows->noise[i]);
		json_num(json, "slowness", p->windows->slowness[i]);
		json_int(json, "trend", s->trend.direction);
		json_num(json, "trend_ratio", s->trend.ratio);
		if (s->season.places) {
			json_open(json, "season", '{');
			json_num(json, "rows", s->season.period);
			json_num(json, "share", s->season.share);
			json_open(json, "profile", '[');
			for (size_t m = 0; m < s->season.places; m++)
				json_num(json, NULL, s->season.profile[m]);
			json_close(json, ']');
			json_close(json, '}');
		} else {
			json_null(json, "season");
		}
		json_forecast(json, s);
		json_open(json, "outliers", '[');
		for (size_t k = 0; k < s->outliers.n; k++) {
			json_open(json, NULL, '{');
			json_int(json, "row", (int64_t)s->outliers.outlier[k].row + 1);
			json_num(json, "value", s->outliers.outlier[k].value);
			json_num(json, "expected", s->outliers.outlier[k].expected);
			json_num(json, "deviations", s->outliers.outlier[k].deviations);
			json_close(json, '}');
		}
		json_close(json, ']');
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
json_pairs(struct json_writer *json, const struct phases *p)
{
	json_int(json, "pairs_tried", (int64_t)p->tried);
	json_open(json, "pairs", '[');
	for (size_t i = 0; i < p->n_pairs; i++) {
		const struct correlation *c = &p->pair[i].correlation;

		json_open(json, NULL, '{');
		json_str(json, "a", p->set->series[p->pair[i].a]);
		json_str(json, "b", p->set->series[p->pair[i].b]);
		json_num(json, "r", c->r);
		json_num(json, "low", c->low);
		json_num(json, "high", c->high);
		json_num(json, "independent_rows", c->effective);
		json_bool(json, "differences", c->differences);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void
print_phases_begin(struct phases_report *report, size_t sets)
{
	struct json_writer *json = &report->out->json;

	(void)sets;
	if (!report->options->json)
		return;
	json_open(json, NULL, '{');
	json_str(json, "schema", "hecate.phases/1");
	json_str(json, "file", report->options->arg[0]);
	json_str(json, "scenario", report->scenario ? report->scenario->name : NULL);
	json_num(json, "confidence", CORRELATION_CONFIDENCE);
	json_open(json, "runs", '[');
}

void
print_phases(struct phases_report *report, const struct phases *p)
{
	struct json_writer *json = &report->out->json;
	size_t change = phases_largest_change(p), before = report->before, after = report->after;

	if (!report->options->json) {
		if (report->out->text.n)
			str_addc(&report->out->text, '\n');
		print_text(report, p, &report->out->text);
		return;
	}
	json_open(json, NULL, '{');
	json_str(json, "name", p->set->name);
	json_int(json, "rows", (int64_t)p->set->rows);
	json_int(json, "samples_per_row", (int64_t)p->set->samples_per_row);
	json_num(json, "seconds_per_row", p->set->step);
	json_bool(json, "scaled", p->set->scaled);
	json_int(json, "phases", (int64_t)p->windows->n_phases);
	json_windows(json, p);
	if (before || change)
		json_changes(json, p, before ? before - 1 : change - 1, before ? after - 1 : change);
	else
		json_null(json, "compared");
	json_series(json, p);
	json_pairs(json, p);
	json_close(json, '}');
}

void
print_phases_end(struct phases_report *report)
{
	if (!report->options->json)
		return;
	json_close(&report->out->json, ']');
	json_close(&report->out->json, '}');
}
