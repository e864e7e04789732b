#include "explorer/report/report_html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "base/xml.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/search/search_graph.h"
#include "core/udd/model.h"
#include "explorer/report/report.h"
#include "explorer/report/report_page.h"
#include "work/analysis/analysis.h"
#include "work/analysis/observations.h"
#include "work/analysis/result.h"
#include "work/analysis/sentence.h"
#include "work/files/files.h"
#include "work/files/recording_machine.h"
#include "work/remarks.h"

void
report_add_drawing(struct html_page *page, const struct report_drawings *drawings, enum report_drawing which,
	const char *caption)
{
	char *text;

	html_drawing(page, &drawings->svg[which], caption);
	if (drawings->svg[which].n || !drawings->lacks[which].n)
		return;
	text = str_format("No picture: %s.", str_text(&drawings->lacks[which]));
	html_paragraph(page, text);
	free(text);
}

void
report_add_source(struct html_page *page, const char *name, const char *text)
{
	html_fold(page, name, NULL, false);
	str_add(&page->body, "<pre><code>");
	for (const char *line = text; *line;) { /* line by line: in one line a newline is shown as a sign */
		size_t n = strcspn(line, "\n"), at = 0;

		while (at < n) {
			size_t tab = at;

			while (tab < n && line[tab] != '\t')
				tab++;
			xml_addn(&page->body, line + at, tab - at);
			if (tab < n)
				str_addc(&page->body, '\t');
			at = tab + 1;
		}
		str_addc(&page->body, '\n');
		line += n + (line[n] == '\n');
	}
	str_add(&page->body, "</code></pre>\n");
	html_fold_end(page);
}

/* A section that the Markdown report has, too. */
static void
add_report_section(
	struct html_page *page, const struct report *report, void (*write)(const struct report *, struct str *))
{
	struct str text = {0};

	write(report, &text);
	html_markdown(page, str_text(&text));
	str_free(&text);
}

static void
answer_line(struct html_page *page, const char *class, const struct str *text)
{
	if (!text->n)
		return;
	str_addf(&page->head, "<p class=\"%s\">", class);
	xml_add(&page->head, str_text(text));
	str_add(&page->head, "</p>\n");
}

/* The verdict on all observations together, for the head. */
static enum verdict_kind
verdict_words_of_all(const struct result *result, struct str *out)
{
	size_t n = result->n_findings, bad = result->count[VERDICT_INFEASIBLE];

	if (bad) {
		str_addf(out, "✗ Refuted by %zu of %zu observation%s", bad, n, plural_s(n));
		return VERDICT_INFEASIBLE;
	}
	if (result->count[VERDICT_FEASIBLE]) {
		str_addf(out, "✓ Survives: none of %zu observation%s refutes it", n, plural_s(n));
		return VERDICT_FEASIBLE;
	}
	str_addf(out, "? Nothing is decided by %zu observation%s", n, plural_s(n));
	return VERDICT_UNDECIDED;
}

/* The worst refutation in a sentence. */
static void
lead_words(const struct report *report, struct str *out)
{
	size_t n, *order = observations_order(report->result, OBSERVATIONS_BY_DISTANCE, NULL, NULL, &n);

	for (size_t i = 0; i < n && !out->n; i++)
		if (report->result->finding[order[i]].verdict == VERDICT_INFEASIBLE) {
			const struct finding *finding = &report->result->finding[order[i]];

			struct str sentence = {0};

			sentence_lead(report->model, finding, report->how->confidence, &sentence);
			if (sentence.n)
				str_addf(out, "%s: %s", finding->name, str_text(&sentence));
			str_free(&sentence);
		}
	free(order);
}

static void
set_words(const struct udd_model *model, const struct fset *on, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0; i < model->n_features; i++)
		if (fset_has(on, i))
			str_addf(out, "%s%s", n++ ? ", " : "", model->feature[i].name);
	if (!n)
		str_add(out, "no features");
}

/* What the data demand of the model, as the search found. */
static void
demand_words(const struct report *report, struct str *out)
{
	const struct search_graph *graph = report->graph;

	if (!graph || !graph->n_models || search_graph_undecided(graph))
		return;
	if (!graph->needs.n_minimal) {
		str_addf(out, "No feature repairs it: none of the %zu models that were tested survives.",
			graph->n_models);
		return;
	}
	str_add(out, "What the data demand: ");
	set_words(report->model, &graph->needs.required, out);
	str_addf(out, ". Smallest model%s that survive%s: ", plural_s(graph->needs.n_minimal),
		graph->needs.n_minimal == 1 ? "s" : "");
	for (size_t i = 0; i < graph->needs.n_minimal && i < 5; i++) {
		str_add(out, i ? "; " : "");
		set_words(report->model, &graph->model[graph->needs.minimal[i]].on, out);
	}
	str_add(out, graph->needs.n_minimal > 5 ? "; and others." : ".");
}

/* What the required features are. */
static void
demanded_features(const struct report *report, struct html_page *page)
{
	const struct search_graph *graph = report->graph;
	size_t n = 0;

	if (!graph || !graph->needs.n_minimal || search_graph_undecided(graph))
		return;
	for (size_t i = 0; i < report->model->n_features; i++)
		if (fset_has(&graph->needs.required, i) && *report->model->feature[i].text) {
			str_add(&page->head, n++ ? "<li>" : "<ul>\n<li>");
			xml_add(&page->head, report->model->feature[i].name);
			str_add(&page->head, ": ");
			xml_add(&page->head, report->model->feature[i].text);
			str_add(&page->head, "</li>\n");
		}
	str_add(&page->head, n ? "</ul>\n" : "");
}

static void
answer(const struct report *report, struct html_page *page)
{
	const struct result *result = report->result;
	struct str text = {0};
	enum verdict_kind kind = verdict_words_of_all(result, &text);

	str_addf(&page->head, "<div class=\"answer %s\">\n", verdict_name(kind));
	answer_line(page, "verdict", &text);
	str_clear(&text);
	lead_words(report, &text);
	answer_line(page, "lead", &text);
	str_clear(&text);
	str_addf(&text, "%zu infeasible, %zu feasible, %zu borderline, %zu undecided",
		result->count[VERDICT_INFEASIBLE], result->count[VERDICT_FEASIBLE],
		result->count[VERDICT_BORDERLINE], result->count[VERDICT_UNDECIDED]);
	str_addf(&text, "; %g %% confidence%s. ", report->how->confidence * 100,
		report->how->one_by_one ? ", each observation by itself" : " over all of them");
	if (result->refuted.in_doubt)
		str_addf(&text, "%zu of the refutations rest%s on a premise that is in doubt: see the warnings. ",
			result->refuted.in_doubt, result->refuted.in_doubt == 1 ? "s" : "");
	str_add(&text, "Features that are on: ");
	set_words(report->model, &result->on, &text);
	str_addc(&text, '.');
	answer_line(page, "counts", &text);
	str_clear(&text);
	demand_words(report, &text);
	answer_line(page, "demand", &text);
	demanded_features(report, page);
	str_add(&page->head, "</div>\n");
	str_free(&text);
}

static void
corrections(const struct report *report, struct html_page *page)
{
	static const char *const column[] = {"observation", "counter", "#subtracted", "#may be off by", "because"};
	char number[NUMBER_TEXT];
	bool any = false;

	for (size_t i = 0; i < report->result->n_findings; i++)
		for (size_t k = 0; k < report->result->finding[i].n_trust; k++) {
			const struct finding_trust *trust = &report->result->finding[i].trust[k];

			if (!any)
				html_table(page, "Corrected counts", column, 5);
			any = true;
			html_row(page);
			html_cell(page, report->result->finding[i].name);
			html_cell(page, report->model->counter[trust->counter].name);
			html_number(page, number_full(number, trust->subtracted, false));
			html_number(page, isfinite(trust->widened) ? number_full(number, trust->widened, false)
				: "not used");
			html_cell(page, trust->because);
		}
	if (any)
		html_table_end(page);
	else
		html_paragraph(page, "No count was corrected: nothing is known to be wrong with these counters.");
}

static void
warnings(const struct report *report, struct html_page *page)
{
	static const char *const column[] = {"observation", "what to know before believing its verdict"};
	bool any = false;

	for (size_t i = 0; i < report->result->n_findings; i++)
		for (size_t k = 0; k < report->result->finding[i].n_warnings; k++) {
			if (!any)
				html_table(page, "Warnings", column, 2);
			any = true;
			html_row(page);
			html_cell(page, report->result->finding[i].name);
			html_cell(page, report->result->finding[i].warning[k].text);
		}
	if (any)
		html_table_end(page);
}

/* How each source was counted. */
static void
counted_sources(const struct report *report, struct html_page *page)
{
	static const char *const column[] = {"observation", "source", "processor", "how it was counted"};

	struct str machines = {0};

	html_section(page, "The machine, and how it was counted");
	if (report->machine) {
		char *text = str_format("This report was written on: %s.", report->machine);

		html_paragraph(page, text);
		free(text);
	}
	recording_machine_text(report->table, report->n_tables, &machines);
	if (machines.n) {
		char *text = str_format("It was counted on: %s.", str_text(&machines));

		html_paragraph(page, text);
		free(text);
	}
	str_free(&machines);
	if (!report->n_tables)
		return;
	html_table(page, "Data", column, 4);
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t k = 0; k < report->table[i]->n; k++) {
			const struct obs *obs = report->table[i]->obs[k];
			struct str how = {0};
			bool running, error;

			html_row(page);
			html_cell(page, obs->name);
			html_cell(page, obs->source);
			html_cell(page, obs->origin.cpu ? obs->origin.cpu : "·");
			str_addf(&how, "%zu %s%s, %zu counter%s", obs->n_rows, obs->exact ? "exact total" : "sample",
				plural_s(obs->n_rows), obs->n_columns, plural_s(obs->n_columns));
			obs_has_quality(obs, &running, &error);
			if (running)
				str_addf(&how, ", multiplexed%s", obs->rotation.seed ? " in random turns" : "");
			html_cell(page, str_text(&how));
			str_free(&how);
		}
	html_table_end(page);
	for (size_t i = 0; i < report->n_tables; i++)
		for (size_t k = 0; k < report->table[i]->n_notes; k++)
			html_paragraph(page, report->table[i]->note[k]);
}

static void
repeat(const struct report *report, struct html_page *page)
{
	char *text = str_format("Made by %s.", report->program);

	add_report_section(page, report, report_repeat);
	html_paragraph(page, text);
	free(text);
	for (size_t i = 0; report->bundle && i < report->bundle->n; i++)
		report_add_source(page, report->bundle->file[i].name, report->bundle->file[i].text);
}

static void
notes(const struct remarks *remarks, struct html_page *page)
{
	struct str text = {0};

	report_notes(remarks, &text);
	html_markdown(page, str_text(&text));
	str_free(&text);
}

void
report_html(const struct report *report, const struct report_drawings *drawings, struct str *out)
{
	struct html_page page = {0};
	char *title = str_format("%s against %zu observation%s", report->model->name, report->result->n_findings,
		plural_s(report->result->n_findings));

	str_add(&page.head, "<p class=\"kind\">A model of hardware events against what was counted</p>\n<h1>");
	xml_add(&page.head, title);
	str_add(&page.head, "</h1>\n");
	answer(report, &page);
	report_proofs(report, &page);
	report_add_drawing(&page, drawings, DRAWING_GEOMETRY,
		"What the model allows is green. The legend names the observation.");
	html_section(&page, "The verdicts");
	report_add_drawing(&page, drawings, DRAWING_VERDICTS,
		"How far each observation is from the constraint that it breaks, or keeps most narrowly, as a share of "
		"the counts.");
	add_report_section(&page, report, report_verdicts);
	report_flows(report, &page);
	add_report_section(&page, report, report_searches);
	report_add_drawing(&page, drawings, DRAWING_SEARCH, "The models that were tested.");
	notes(report->remarks, &page);
	html_section(&page, "Trust in the counters");
	corrections(report, &page);
	warnings(report, &page);
	add_report_section(&page, report, report_counters);
	add_report_section(&page, report, report_laws_told);
	html_section(&page, "The model");
	if (*report->model->text)
		html_paragraph(&page, report->model->text);
	report_add_drawing(&page, drawings, DRAWING_MODEL, "The model with the features that are on.");
	add_report_section(&page, report, report_question);
	counted_sources(report, &page);
	repeat(report, &page);
	html_end(&page, title, report->program, str_text(&drawings->colors), out);
	free(title);
}
