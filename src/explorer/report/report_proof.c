/* Certificates that a reader can check by hand, in the HTML report.
 *
 * A constraint is a sum of counters, each with a factor. Two facts refute a model: on every µpath the sum is 0 or more
 * (0, if it is an equality), and in the data it is not. For the first there is a table of the ways in which µpaths
 * count the counters of the constraint, for the second the sum itself. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/int128.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "explorer/report/report.h"
#include "explorer/report/report_html.h"
#include "explorer/report/report_page.h"
#include "text/diag.h"
#include "work/analysis/analysis.h"
#include "work/analysis/constraints.h"
#include "work/analysis/result.h"
#include "work/analysis/words.h"
#include "work/remarks.h"

#define SHOWN_OPEN 3        /* constraints that are not folded */
#define WAYS_SHOWN 24       /* rows of the table of ways of counting */
#define WAYS_OPEN 6         /* rows and counters of a table that is not folded */
#define WAYS_MOST 512       /* more different ways are not listed */
#define SIGNATURES_READ 4000 /* larger models are not walked again for a report */
#define FLOWS_OPEN 10       /* more are folded as a whole */
#define FLOWS_SHOWN 40      /* observations whose flow is written out */

/* The different ways of counting, over the counters of one constraint. */
struct ways {
	size_t *counter, n_counters;
	int64_t *coef; /* n × n_counters */
	size_t n;
	bool whole;    /* all of them are there, and each keeps the constraint */
};

static void
number_text(i128 v, struct str *out)
{
	char digit[48], number[NUMBER_TEXT];
	size_t n = 0;
	bool minus = v < 0;

	if (v >= INT64_MIN && v <= INT64_MAX) {
		str_add(out, number_exact(number, (long long)v, false, false));
		return;
	}
	for (; v; v /= 10)
		digit[n++] = (char)('0' + (int)(v % 10 < 0 ? -(v % 10) : v % 10));
	str_add(out, minus ? "−" : "");
	while (n)
		str_addc(out, digit[--n]);
}

static i128
way_sum(const struct ways *ways, const struct constraint *c, size_t at)
{
	i128 sum = 0;

	for (size_t i = 0; i < ways->n_counters; i++)
		sum += (i128)c->coef[ways->counter[i]] * ways->coef[at * ways->n_counters + i];
	return sum;
}

/* Adds a way unless it is known or counts nothing. False: there are too many. */
static bool
ways_add(struct ways *ways, const int64_t *signature)
{
	int64_t *way = ways->coef + ways->n * ways->n_counters;
	bool any = false;

	for (size_t i = 0; i < ways->n_counters; i++) {
		way[i] = signature[ways->counter[i]];
		any |= way[i] != 0;
	}
	for (size_t k = 0; k < ways->n && any; k++)
		any = memcmp(ways->coef + k * ways->n_counters, way, ways->n_counters * sizeof *way) != 0;
	if (any && ways->n + 1 == WAYS_MOST)
		return false;
	ways->n += any;
	return true;
}

static struct ways
ways_of(const struct signatures *all, const struct constraint *c)
{
	struct ways ways = {.counter = mem_new_array(c->n, sizeof *ways.counter), .whole = true};

	for (size_t i = 0; i < c->n; i++)
		if (c->coef[i])
			ways.counter[ways.n_counters++] = i;
	ways.coef = mem_new_array(WAYS_MOST * (ways.n_counters + 1), sizeof *ways.coef);
	for (size_t k = 0; k < all->n && ways.whole; k++)
		ways.whole = ways_add(&ways, all->coef + k * all->n_counters);
	for (size_t k = 0; k < ways.n && ways.whole; k++) {
		i128 sum = way_sum(&ways, c, k);

		ways.whole = c->equality ? sum == 0 : sum >= 0;
	}
	return ways;
}

static void
ways_free(struct ways *ways)
{
	free(ways->counter);
	free(ways->coef);
}

static void
ways_rows(const struct report *report, const struct constraint *c, const struct ways *ways, struct html_page *page)
{
	const char **column = mem_new_array(ways->n_counters + 1, sizeof *column);
	char **name = mem_new_array(ways->n_counters, sizeof *name);
	struct str number = {0};

	column[0] = "#sum";
	for (size_t i = 0; i < ways->n_counters; i++)
		column[i + 1] = name[i] = str_format("#%s", report->model->counter[ways->counter[i]].name);
	html_table(page, "Ways of counting", column, ways->n_counters + 1);
	for (size_t k = 0; k < ways->n && k < WAYS_SHOWN; k++) {
		html_row(page);
		number_text(way_sum(ways, c, k), &number);
		html_number(page, str_text(&number));
		for (size_t i = 0; i < ways->n_counters; i++) {
			str_clear(&number);
			number_text(ways->coef[k * ways->n_counters + i], &number);
			html_number(page, str_text(&number));
		}
		str_clear(&number);
	}
	html_table_end(page);
	if (ways->n > WAYS_SHOWN) {
		char *text = str_format("%zu more are not shown here; hecate paths prints all signatures.",
			ways->n - WAYS_SHOWN);

		html_paragraph(page, text);
		free(text);
	}
	for (size_t i = 0; i < ways->n_counters; i++)
		free(name[i]);
	free(name);
	free(column);
	str_free(&number);
}

static void
proof_ways(
	const struct report *report, const struct constraint *c, const struct signatures *all, struct html_page *page)
{
	struct ways ways = ways_of(all, c);
	char *text;

	if (ways.whole && ways.n) {
		bool few = ways.n <= WAYS_OPEN && ways.n_counters <= WAYS_OPEN;

		text = str_format("In the model, every µpath that counts any of these does it in one of %zu way%s. "
			"%s.",
			ways.n, plural_s(ways.n), c->equality
				? "The sum is 0 in each, so no mixture of µpaths gives another sum"
				: "The sum is below 0 in none, so no mixture of µpaths gives a negative sum");
		html_paragraph(page, text);
		free(text);
		if (!few)
			html_fold(page, "The ways of counting", NULL, false);
		ways_rows(report, c, &ways, page);
		if (!few)
			html_fold_end(page);
	}
	ways_free(&ways);
}

static void
events_text(const struct udd_counter *counter, struct str *out)
{
	for (size_t i = 0; i < counter->n_events; i++)
		str_addf(out, "%s%s", i ? " + " : "", counter->event[i].name);
}

/* The observation's side: times · count, and the sum. Returns the sum of exact totals as a text, or of means. */
static void
proof_sum(const struct report *report, const struct constraint *c, const struct finding *finding,
	struct html_page *page)
{
	static const char *const exact[] = {"counter", "events", "#factor", "#count", "#product"},
				*const noisy[] = {
					"counter", "events", "#factor", "#mean", "#standard error", "#product"};
	bool totals = finding->data.exact && finding->counter.n_totals == c->n;
	char number[NUMBER_TEXT], *text = str_format("In %s", finding->name);
	struct str cell = {0};
	i128 whole = 0;
	double sum = 0, size = 0;

	html_table(page, text, totals ? exact : noisy, totals ? 5 : 6);
	free(text);
	for (size_t i = 0; i < c->n; i++) {
		double mean = finding->counter.value[i], product = (double)c->coef[i] * mean;

		if (!c->coef[i])
			continue;
		html_row(page);
		html_cell(page, report->model->counter[i].name);
		str_clear(&cell);
		events_text(&report->model->counter[i], &cell);
		html_cell(page, str_text(&cell));
		html_number(page, number_exact(number, c->coef[i], false, false));
		sum += product;
		size += fabs(product);
		if (totals) {
			whole += (i128)c->coef[i] * finding->counter.total[i];
			html_number(page, number_exact(number, finding->counter.total[i], false, false));
			str_clear(&cell);
			number_text((i128)c->coef[i] * finding->counter.total[i], &cell);
			html_number(page, str_text(&cell));
			continue;
		}
		html_number(page, number_full(number, mean, false));
		html_number(page, i < finding->counter.n_deviations && isfinite(finding->counter.deviation[i])
			? number_digits(number, finding->counter.deviation[i], 4, false) : "·");
		html_number(page, number_full(number, product, false));
	}
	html_foot(page, c->equality ? "sum; the model demands 0" : "sum; the model demands 0 or more", totals ? 4 : 5);
	str_clear(&cell);
	if (totals)
		number_text(whole, &cell);
	else
		str_add(&cell, number_full(number, sum, false));
	html_number(page, str_text(&cell));
	html_table_end(page);
	str_clear(&cell);
	if (!totals && c->margin > 0) {
		str_addf(&cell, "In the whole %g %% region the sum stays %s 0, by at least %s.",
			report->how->confidence * 100, sum < 0 ? "below" : "above",
			number_digits(number, c->margin * size, 4, false));
		html_paragraph(page, str_text(&cell));
	}
	str_free(&cell);
}

static void
add_lines(struct html_page *page, const char *text)
{
	char **line = str_split(text, '\n', NULL);

	for (size_t i = 0; line[i]; i++)
		if (*line[i])
			html_paragraph(page, line[i]);
	str_split_free(line);
}

static void
one_proof(const struct report *report, const struct constraint_row *row, const struct signatures *all, bool shown,
	struct html_page *page)
{
	const struct constraint_breach *worst = &row->breach[0];
	const struct finding *finding = &report->result->finding[worst->finding];
	const struct remark *note = report->remarks ? remarks_on(report->remarks, REMARK_CONSTRAINT, row->c->text)
						    : NULL;
	struct str words = {0};
	char *text = str_format("%s by %zu of %zu observations, most by %s",
		row->certificate ? "a combination of constraints, violated" : "violated", row->n_breaches,
		report->result->n_findings, finding->name);

	html_fold(page, row->c->text, text, shown);
	free(text);
	words_refutation(report->model, worst->violated, finding, report->how->confidence, &words);
	add_lines(page, str_text(&words));
	proof_sum(report, worst->violated, finding, page);
	if (all)
		proof_ways(report, worst->violated, all, page);
	if (note) {
		text = str_format("Note: %s", note->text);
		add_lines(page, text);
		free(text);
	}
	html_fold_end(page);
	str_free(&words);
}

void
report_proofs(const struct report *report, struct html_page *page)
{
	struct constraint_table *table = constraints_new(report->result, NULL);
	size_t n, shown = 0, *order = constraints_order(table, CONSTRAINTS_BY_VIOLATION, NULL, &n);
	struct diags found = {0};
	struct udd_diagram *diagram = NULL;
	struct signatures *all = NULL;

	html_section(page, table->violated ? "What is violated" : "Nothing is violated");
	if (table->violated && report->result->signatures && report->result->signatures <= SIGNATURES_READ)
		diagram = udd_expand(report->model, &report->result->on, &found);
	if (diagram)
		all = signatures_new(diagram, &found);
	for (size_t i = 0; i < n; i++)
		if (table->row[order[i]].n_breaches) {
			one_proof(report, &table->row[order[i]], all, shown < SHOWN_OPEN, page);
			shown++;
		}
	if (!shown)
		html_paragraph(page, "No observation breaks a constraint of the model.");
	signatures_free(all);
	udd_diagram_free(diagram);
	diags_free(&found);
	free(order);
	constraints_table_free(table);
}

/* "walks 1, loads 2" */
static void
signature_words(const struct udd_model *model, const struct witness_uops *uops, struct str *out)
{
	bool any = false;

	for (size_t i = 0; i < uops->n; i++)
		if (uops->coef[i]) {
			str_addf(out, "%s%" PRId64 " × %s", any ? ", " : "", uops->coef[i], model->counter[i].name);
			any = true;
		}
}

void
report_flows(const struct report *report, struct html_page *page)
{
	static const char *const column[] = {"#µops", "each of them counts"};
	size_t shown = 0, some = 0;

	for (size_t i = 0; i < report->result->n_findings; i++)
		some += report->result->finding[i].witness.n != 0;
	if (!some)
		return;
	html_section(page, "Witnesses of what is feasible");
	html_paragraph(page, "For each feasible observation, µops that together give its counts (those of the nearest "
		"point of the model, where counts are noisy).");
	if (some > FLOWS_OPEN) {
		char *text = str_format("%zu flows", some);

		html_fold(page, text, NULL, false);
		free(text);
	}
	for (size_t i = 0; i < report->result->n_findings && shown < FLOWS_SHOWN; i++) {
		const struct finding *finding = &report->result->finding[i];
		char number[NUMBER_TEXT], *text;

		if (!finding->witness.n)
			continue;
		html_fold(page, finding->name, NULL, false);
		text = str_format("A flow that gives %s", finding->name);
		html_table(page, text, column, 2);
		free(text);
		for (size_t k = 0; k < finding->witness.n; k++) {
			struct str words = {0};

			html_row(page);
			html_number(page, number_full(number, finding->witness.uops[k].uops, false));
			signature_words(report->model, &finding->witness.uops[k], &words);
			html_cell(page, str_text(&words));
			str_free(&words);
		}
		html_table_end(page);
		html_fold_end(page);
		shown++;
	}
	if (shown < some) {
		char *text = str_format("%zu more are not shown here; hecate check --flow has them.", some - shown);

		html_paragraph(page, text);
		free(text);
	}
	if (some > FLOWS_OPEN)
		html_fold_end(page);
}
