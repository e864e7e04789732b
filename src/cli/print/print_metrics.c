#include "cli/print/print_metrics.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "core/metric/metric.h"
#include "draw/cell.h"
#include "event/table.h"
#include "work/metrics/metric_data.h"
#include "work/metrics/metric_laws.h"

#define FULL_MOST 3 /* metrics that are listed with everything that is known */
/* an interval narrower than this share of its value is that of rounding alone */
#define ROUNDING 1e-9

static size_t
events_of(const struct metric_set *set, const struct metric *metric)
{
	size_t n = 0;

	for (size_t i = 0; i < metric->n_uses; i++)
		n += set->leaf[metric->use[i].leaf].kind == METRIC_EVENT;
	return n;
}

static void
add_uses(const struct metric_set *set, const struct metric *metric, bool events, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0; i < metric->n_uses; i++)
		if ((set->leaf[metric->use[i].leaf].kind == METRIC_EVENT) == events) {
			str_add(out, n++ ? ", " : "");
			metric_leaf_print(&set->leaf[metric->use[i].leaf], out);
		}
}

static void
add_line(const struct metric_report *report, const char *what, const char *text, struct str *out)
{
	struct str line = {0};

	if (*text) {
		str_addf(&line, "%s: ", what);
		print_visible(&line, text);
		print_wrapped(out, str_text(&line), 2, 11, print_width(report->options), print_ascii(report->options));
	}
	str_free(&line);
}

static void
print_full(const struct metric_report *report, size_t i, struct str *out)
{
	const struct event_metric *row = report->metrics->row[i];
	const struct metric *metric = &report->metrics->set->metric[i];
	struct str text = {0};

	print_visible(out, metric->name);
	str_addc(out, '\n');
	add_line(report, "what", row->text, out);
	add_line(report, "formula", row->expr, out);
	if (row->scale < 1 || row->scale > 1)
		str_addf(&text, "%g ", row->scale);
	str_add(&text, row->unit);
	add_line(report, "unit", str_text(&text), out);
	add_line(report, "groups", row->groups, out);
	add_line(report, "threshold", row->threshold, out);
	str_clear(&text);
	add_uses(report->metrics->set, metric, true, &text);
	add_line(report, "events", str_text(&text), out);
	str_clear(&text);
	add_uses(report->metrics->set, metric, false, &text);
	add_line(report, "constants", str_text(&text), out);
	add_line(report, "PMU", row->pmu, out);
	add_line(report, "source", event_source_name(row->source), out);
	if (metric->why) {
		str_clear(&text);
		str_addf(&text, "not understood: %s (at character %zu of the formula)", metric->why, metric->at + 1);
		add_line(report, "problem", str_text(&text), out);
	}
	str_free(&text);
}

void
print_metrics_list(const struct metric_report *report, struct str *out)
{
	static const struct text_column COLUMNS[] = {
		{.title = "metric", .limit = 44}, {.title = "events", .right = true}, {.title = "what"}};
	const struct metric_set *set = report->metrics->set;
	struct text_table *table;
	size_t n = 0, lost = 0;

	for (size_t i = 0; i < report->metrics->n; i++) {
		n += report->chosen[i];
		lost += report->chosen[i] && set->metric[i].why;
	}
	str_addf(out, "%zu metric%s of ", n, plural_s(n));
	print_visible(out, *report->table->cpu ? report->table->cpu : "this machine");
	if (lost)
		str_addf(out, ", %zu not understood", lost);
	str_add(out, "\n\n");
	if (n <= FULL_MOST) {
		for (size_t i = 0; i < report->metrics->n; i++)
			if (report->chosen[i])
				print_full(report, i, out);
		return;
	}
	table = text_table_new(COLUMNS, sizeof COLUMNS / sizeof *COLUMNS, print_ascii(report->options));
	for (size_t i = 0; i < report->metrics->n; i++)
		if (report->chosen[i]) {
			text_table_row(table, "%s", set->metric[i].name);
			text_table_addf(table, "%zu", events_of(set, &set->metric[i]));
			if (set->metric[i].why)
				text_table_addf(table, "not understood: %s", set->metric[i].why);
			else
				text_table_add(table, report->metrics->row[i]->text);
		}
	text_table_end(table, out);
}

/* Whether the threshold holds: 1 yes, 0 no, -1 not known, or the bounds leave it open. */
static int
is_over(const struct metric_report *report, const struct metric_observation *x, size_t i)
{
	size_t at = report->metrics->threshold[i];

	if (at == METRIC_NONE || x->result[at].lack != METRIC_LACKS_NOTHING ||
		x->result[at].value.low < x->result[at].value.high)
		return -1;
	return x->result[at].value.value > 0;
}

static struct metric_value
scaled(const struct metric_report *report, const struct metric_observation *x, size_t i)
{
	const struct metric_value *value = &x->result[i].value;
	double scale = report->metrics->row[i]->scale;

	return scale < 0 ? (struct metric_value){value->high * scale, value->value * scale, value->low * scale}
			 : (struct metric_value){value->low * scale, value->value * scale, value->high * scale};
}

static bool
is_exact(struct metric_value value)
{
	return value.high - value.low <= ROUNDING * fabs(value.value);
}

/* The formula, and the counts in its place. */
static void
add_formula(const struct metric_report *report, const struct metric_observation *x, size_t i, struct str *out)
{
	struct str text = {0};

	add_line(report, "formula", report->metrics->row[i]->expr, out);
	metric_substituted(report->metrics->set, i, x->leaf, &text);
	add_line(report, "counted", str_text(&text), out);
	str_free(&text);
}

static void
add_value_row(
	const struct metric_report *report, const struct metric_observation *x, size_t i, struct text_table *table)
{
	const struct metric_set *set = report->metrics->set;
	const struct metric_result *result = &x->result[i];
	struct metric_value value = scaled(report, x, i);
	bool ascii = print_ascii(report->options);
	char number[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT];
	struct str note = {0};

	text_table_row(table, "%s", set->metric[i].name);
	if (report->options->verbose)
		add_formula(report, x, i, text_table_below(table));
	if (result->lack != METRIC_LACKS_NOTHING) {
		text_table_skip(table, 3);
		metric_lack_print(set, i, result, &note);
		text_table_add(table, str_text(&note));
		str_free(&note);
		return;
	}
	text_table_add(table, number_digits(number, value.value, 5, ascii));
	if (is_exact(value))
		text_table_skip(table, 1);
	else
		text_table_addf(table, "%s ... %s", number_digits(low, value.low, 4, ascii),
			number_digits(high, value.high, 4, ascii));
	text_table_add(table, report->metrics->row[i]->unit);
	if (is_over(report, x, i) > 0)
		str_add(&note, "above its threshold");
	if (!is_exact(value) && result->enclosure)
		str_addf(&note, "%sbounds are an enclosure", note.n ? "; " : "");
	if (!is_exact(value) && result->widest != METRIC_NONE) {
		str_add(&note, note.n ? "; widest: " : "widest: ");
		metric_leaf_print(&set->leaf[result->widest], &note);
	}
	text_table_add(table, str_text(&note));
	str_free(&note);
}

static void
add_metric_laws(const struct metric_report *report, const struct metric_judgement *judgement, struct str *out)
{
	bool ascii = print_ascii(report->options);
	char least[NUMBER_TEXT];

	for (size_t i = 0; i < judgement->n; i++) {
		const struct metric_law_finding *finding = &judgement->finding[i];
		const struct metric_law *law = &report->laws->law[finding->law];
		bool broken = finding->state == LAW_BROKEN;

		str_addf(out, "%s %-8s  %s: ", glyph_text(broken ? GLYPH_INFEASIBLE : GLYPH_BORDERLINE, ascii),
			law_state_words[finding->state], law->text);
		print_relation(out, law->relation, ascii);
		if (broken) {
			str_addf(out, "; off by %s at least; to blame: ",
				number_digits(least, finding->least, 4, ascii));
			print_visible(out, finding->blame ? finding->blame : "no two events alone");
			str_add(out, ", or the formula");
		}
		str_addc(out, '\n');
	}
}

void
print_metrics_values(const struct metric_report *report, const struct metric_observation *x,
	const struct metric_judgement *judgement, struct str *out)
{
	static const struct text_column COLUMNS[] = {{.title = "metric", .limit = 44},
		{.title = "value", .right = true}, {.title = "bounds"}, {.title = "unit"}, {.title = ""}};
	struct text_table *table = text_table_new(
		COLUMNS, sizeof COLUMNS / sizeof *COLUMNS, print_ascii(report->options));

	print_visible(out, x->name);
	str_addc(out, '\n');
	for (size_t i = 0; i < report->metrics->n; i++)
		if (report->chosen[i])
			add_value_row(report, x, i, table);
	text_table_end(table, out);
	add_metric_laws(report, judgement, out);
	str_addc(out, '\n');
}

static void
write_uses(const struct metric_set *set, const struct metric *metric, bool events, struct json_writer *w)
{
	struct str name = {0};

	json_open(w, events ? "events" : "constants", '[');
	for (size_t i = 0; i < metric->n_uses; i++)
		if ((set->leaf[metric->use[i].leaf].kind == METRIC_EVENT) == events) {
			str_clear(&name);
			metric_leaf_print(&set->leaf[metric->use[i].leaf], &name);
			json_str(w, NULL, str_text(&name));
		}
	json_close(w, ']');
	str_free(&name);
}

void
print_metrics_json_begin(const struct metric_report *report, struct json_writer *w)
{
	json_open(w, NULL, '{');
	json_str(w, "schema", "hecate.metrics/1");
	json_str(w, "cpu", report->table->cpu);
	json_open(w, "metrics", '[');
	for (size_t i = 0; i < report->metrics->n; i++) {
		const struct event_metric *row = report->metrics->row[i];
		const struct metric *metric = &report->metrics->set->metric[i];

		if (!report->chosen[i])
			continue;
		json_open(w, NULL, '{');
		json_str(w, "name", metric->name);
		json_str(w, "pmu", row->pmu);
		json_str(w, "text", row->text);
		json_str(w, "groups", row->groups);
		json_str(w, "formula", row->expr);
		json_str(w, "threshold", row->threshold);
		json_str(w, "unit", row->unit);
		json_num(w, "scale", row->scale);
		json_str(w, "source", event_source_name(row->source));
		json_str(w, "problem", metric->why);
		write_uses(report->metrics->set, metric, true, w);
		write_uses(report->metrics->set, metric, false, w);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_open(w, "observations", '[');
}

static void
write_value(const struct metric_report *report, const struct metric_observation *x, size_t i, struct json_writer *w)
{
	const struct metric_set *set = report->metrics->set;
	const struct metric_result *result = &x->result[i];
	struct metric_value value = scaled(report, x, i);
	struct str text = {0};
	int over = is_over(report, x, i);

	json_open(w, NULL, '{');
	json_str(w, "metric", set->metric[i].name);
	json_num(w, "value", value.value);
	json_num(w, "low", value.low);
	json_num(w, "high", value.high);
	json_bool(w, "enclosure", result->enclosure);
	if (result->widest != METRIC_NONE)
		metric_leaf_print(&set->leaf[result->widest], &text);
	json_str(w, "widest", text.n ? str_text(&text) : NULL);
	if (over < 0)
		json_null(w, "above_threshold");
	else
		json_bool(w, "above_threshold", over);
	str_clear(&text);
	metric_substituted(set, i, x->leaf, &text);
	json_str(w, "substituted", str_text(&text));
	str_clear(&text);
	metric_lack_print(set, i, result, &text);
	json_str(w, "lacks", text.n ? str_text(&text) : NULL);
	json_close(w, '}');
	str_free(&text);
}

static void
write_metric_laws(const struct metric_report *report, const struct metric_judgement *judgement, struct json_writer *w)
{
	json_int(w, "laws_judged", (long long)judgement->judged);
	json_open(w, "laws", '[');
	for (size_t i = 0; i < judgement->n; i++) {
		const struct metric_law_finding *finding = &judgement->finding[i];
		const struct metric_law *law = &report->laws->law[finding->law];
		bool broken = finding->state == LAW_BROKEN;

		json_open(w, NULL, '{');
		json_str(w, "text", law->text);
		json_str(w, "relation", law->relation);
		json_str(w, "source", law->source);
		json_str(w, "state", law_state_words[finding->state]);
		json_num(w, "off", broken ? finding->least : NAN);
		json_str(w, "blame", finding->blame);
		json_close(w, '}');
	}
	json_close(w, ']');
}

void
print_metrics_json_values(const struct metric_report *report, const struct metric_observation *x,
	const struct metric_judgement *judgement, struct json_writer *w)
{
	json_open(w, NULL, '{');
	json_str(w, "name", x->name);
	json_open(w, "values", '[');
	for (size_t i = 0; i < report->metrics->n; i++)
		if (report->chosen[i])
			write_value(report, x, i, w);
	json_close(w, ']');
	write_metric_laws(report, judgement, w);
	json_close(w, '}');
}

void
print_metrics_json_end(struct json_writer *w)
{
	json_close(w, ']');
	json_close(w, '}');
}
