#include "explorer/report/report.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/number.h"
#include "base/shell.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/xml.h"
#include "core/search/search_graph.h"
#include "core/udd/model.h"
#include "work/analysis/analysis.h"
#include "work/analysis/constraints.h"
#include "work/analysis/observations.h"
#include "work/analysis/result.h"
#include "work/analysis/words.h"
#include "work/files/laws_told.h"
#include "work/files/recording_machine.h"
#include "work/remarks.h"
#include "work/timeline/timeline_names.h"

void
report_add_text(struct str *out, const char *text)
{
	struct str safe = {0};

	utf8_add_visible(&safe, text, strlen(text));
	for (size_t i = 0; i < safe.n;) {
		uint32_t cp;
		size_t n = utf8_decode(safe.s + i, safe.n - i, &cp);

		if (cp > 126)
			str_addf(out, "&#%u;", (unsigned)cp);
		else if (strchr("&<>", (int)cp))
			xml_addn(out, safe.s + i, n);
		else if (strchr("\\`*_{}[]#|~!", (int)cp))
			str_addf(out, "\\%c", (int)cp);
		else
			str_addc(out, (char)cp);
		i += n;
	}
	str_free(&safe);
}

void
report_set(const struct udd_model *m, const struct fset *on, const char *none, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(on, i)) {
			str_add(out, n++ ? ", " : "");
			report_add_text(out, m->feature[i].name);
		}
	if (!n)
		str_add(out, none);
}

void
report_field(struct str *out, const char *name, const char *value)
{
	str_addf(out, "| %s | ", name);
	report_add_text(out, value);
	str_add(out, " |\n");
}

void
report_add_machines(struct obs_table *const *table, size_t n, struct str *out)
{
	struct str machines = {0};

	recording_machine_text(table, n, &machines);
	if (machines.n)
		report_field(out, "counted on", str_text(&machines));
	str_free(&machines);
}

/* Lists each source once: data files, command lines. */
static void
sources(const struct result *result, struct str *out)
{
	size_t n = 0;

	str_add(out, "| source of the data | ");
	for (size_t i = 0; i < result->n_findings; i++) {
		bool first = true;

		for (size_t k = 0; k < i && first; k++)
			first = !str_eq(result->finding[k].source, result->finding[i].source);
		if (!first)
			continue;
		if (n == 20) {
			str_add(out, ", and others");
			break;
		}
		str_add(out, n++ ? ", " : "");
		report_add_text(out, result->finding[i].source);
	}
	str_add(out, " |\n");
}

void
report_question(const struct report *report, struct str *out)
{
	const struct result *result = report->result;
	struct str counters = {0};

	str_add(out, "## What was asked\n\n| | |\n| --- | --- |\n");
	report_field(out, "model", report->model->name);
	if (*report->model->text)
		report_field(out, "description", report->model->text);
	report_field(out, "file of the model", report->model->file);
	str_add(out, "| features on | ");
	report_set(report->model, &result->on, "none", out);
	str_addf(out, " |\n| confidence region | %s, %g %% confidence |\n",
		region_name((enum region_kind)report->how->decides), report->how->confidence * 100);
	str_addf(out, "| many observations at once | %s |\n",
		report->how->one_by_one ? "each is tested by itself" : "Holm's procedure decides");
	for (size_t i = 0; i < result->n_counters; i++)
		if (result->used[i])
			str_addf(&counters, "%s%s", counters.n ? ", " : "", report->model->counter[i].name);
	report_field(out, "counters", str_text(&counters));
	str_addf(out, "| observations | %zu |\n", result->n_findings);
	if (report->how->observations)
		report_field(out, "only observations that match", report->how->observations);
	sources(result, out);
	report_add_machines(report->table, report->n_tables, out);
	if (report->machine)
		report_field(out, "written on", report->machine);
	if (report->when)
		report_field(out, "written at", report->when);
	report_field(out, "by", report->program);
	str_addf(out, "| the cone | %zu signature%s, %zu ray%s, %zu equalit%s and %zu inequalit%s%s |\n\n",
		result->signatures, plural_s(result->signatures), result->rays, plural_s(result->rays),
		result->n_equalities, plural_y(result->n_equalities), result->n_constraints - result->n_equalities,
		plural_y(result->n_constraints - result->n_equalities), result->complete ? "" : ", incomplete");
	str_free(&counters);
}

static void
number_cell(struct str *out, double v)
{
	char number[NUMBER_TEXT];

	if (isfinite(v))
		str_addf(out, " | %s", number_digits(number, v, 4, true));
	else
		str_add(out, " | .");
}

static void
verdict_row(const struct report *report, const struct finding *finding, struct str *out)
{
	const struct constraint *worst = finding->proof.n_violated ? finding->proof.violated
		: finding->proof.n_certificates                    ? finding->proof.certificate
							     : NULL;
	const struct remark *note = report->remarks ? remarks_on(report->remarks, REMARK_OBSERVATION, finding->name)
						    : NULL;
	char number[NUMBER_TEXT];

	str_add(out, "| ");
	report_add_text(out, finding->name);
	str_addf(out, " | %s | %s", verdict_name(finding->own.verdict), verdict_name(finding->own.family_wise));
	number_cell(out, finding->measure.distance2);
	number_cell(out, finding->measure.threshold2);
	if (isfinite(finding->measure.p))
		str_addf(out, " | %s", number_p(number, finding->measure.p));
	else
		str_add(out, " | .");
	str_addf(out, " | %zu%s | ", finding->data.samples, finding->data.exact ? " exact" : "");
	if (worst)
		report_add_text(out, worst->text);
	else if (finding->reason)
		report_add_text(out, finding->reason);
	else
		str_addc(out, '.');
	if (note) {
		str_add(out, " (note: ");
		report_add_text(out, note->text);
		str_addc(out, ')');
	}
	str_add(out, " |\n");
}

void
report_verdicts(const struct report *report, struct str *out)
{
	const struct result *result = report->result;
	size_t n, *order = observations_order(result, OBSERVATIONS_BY_DISTANCE, NULL, NULL, &n);

	str_addf(out,
		"%zu observation%s: %zu infeasible, %zu feasible, %zu borderline, %zu undecided%s. ",
		result->n_findings, plural_s(result->n_findings), result->count[VERDICT_INFEASIBLE],
		result->count[VERDICT_FEASIBLE],
		result->count[VERDICT_BORDERLINE], result->count[VERDICT_UNDECIDED],
		report->how->one_by_one ? " (each judged alone)" : "");
	str_add(out,
		result->count[VERDICT_INFEASIBLE]         ? "**The model is refuted.**\n\n"
			: result->count[VERDICT_FEASIBLE] ? "**The model survives these data.**\n\n"
				: "**Nothing was decided.**\n\n");
	if (n)
		str_add(out, "| observation | verdict | family-wise | d2 | threshold | p | samples | "
			"worst constraint, or why not |\n| --- | --- | --- | ---: | ---: | ---: | ---: | --- |\n");
	for (size_t i = 0; i < n; i++)
		verdict_row(report, &result->finding[order[i]], out);
	str_add(out, "\nd2 is the squared distance of the mean from the cone in units of its covariance; beyond the "
		"threshold the model is refuted. A dot is: none.\n\n");
	free(order);
}

/* Writes sentences that stand on lines of their own as a paragraph. */
static void
paragraph(struct str *out, const char *text)
{
	char **line = str_split(text, '\n', NULL);

	for (size_t i = 0; line[i]; i++)
		if (*line[i]) {
			report_add_text(out, line[i]);
			str_addc(out, '\n');
		}
	str_addc(out, '\n');
	str_split_free(line);
}

static void
one_constraint(const struct report *report, const struct constraint_row *row, struct str *out)
{
	const struct constraint_breach *worst = &row->breach[0];
	const struct remark *note = report->remarks ? remarks_on(report->remarks, REMARK_CONSTRAINT, row->c->text)
						    : NULL;
	struct str text = {0};

	str_add(out, "### ");
	report_add_text(out, row->c->text);
	str_addf(out, "\n\n%s by %zu of %zu observations, most by ",
		row->certificate ? "A combination of constraints, violated" : "Violated", row->n_breaches,
		report->result->n_findings);
	report_add_text(out, report->result->finding[worst->finding].name);
	str_add(out, ".\n\n");
	words_refutation(report->model, worst->violated, &report->result->finding[worst->finding],
		report->how->confidence, &text);
	paragraph(out, str_text(&text));
	if (note) {
		str_add(out, "Note: ");
		paragraph(out, note->text);
	}
	str_free(&text);
}

static void
constraints(const struct report *report, struct str *out)
{
	struct constraint_table *table = constraints_new(report->result, NULL);
	size_t n, *order = constraints_order(table, CONSTRAINTS_BY_VIOLATION, NULL, &n);
	bool some = false;

	str_add(out, "## Violated constraints\n\n");
	for (size_t i = 0; i < n; i++)
		if (table->row[order[i]].n_breaches) {
			one_constraint(report, &table->row[order[i]], out);
			some = true;
		}
	if (!some)
		str_add(out, "None.\n\n");
	free(order);
	constraints_table_free(table);
}

void
report_notes(const struct remarks *remarks, struct str *out)
{
	if (!remarks || !remarks->n)
		return;
	str_add(out, "## Notes\n\n");
	for (size_t i = 0; i < remarks->n; i++) {
		const struct remark *remark = &remarks->remark[i];
		struct str on = {0};

		if (remark->on == REMARK_FEATURES)
			features_words(remark->what, &on);
		else if (remark->on == REMARK_SNAPSHOT)
			timeline_snapshot_words(remark->what, &on);
		else
			str_add(&on, remark->on == REMARK_SESSION ? "" : remark->what);
		str_addf(out, "- on %s%s%s", remark->on == REMARK_SNAPSHOT ? "" : remark_on_name(remark->on),
			remark->on == REMARK_SNAPSHOT ? "" : " ", on.n ? "" : "as a whole");
		report_add_text(out, str_text(&on));
		str_add(out, ", ");
		report_add_text(out, remark->written);
		str_add(out, ": ");
		report_add_text(out, remark->text);
		str_addc(out, '\n');
		str_free(&on);
	}
	str_addc(out, '\n');
}

void
report_counters(const struct report *report, struct str *out)
{
	const struct result *result = report->result;

	str_add(out,
		"## Counters\n\n| counter | events | live in | dead in | missing in | least share of time |\n| --- "
		"| --- | ---: | ---: | ---: | ---: |\n");
	for (size_t i = 0; i < result->n_counters; i++) {
		const struct udd_counter *counter = &report->model->counter[i];
		size_t live = 0, dead = 0;
		double least = NAN;

		for (size_t k = 0; k < result->n_findings; k++) {
			const struct finding *finding = &result->finding[k];
			bool is_dead = i < finding->counter.n_dead && finding->counter.dead[i];

			dead += is_dead;
			live += i < finding->counter.n_values && isfinite(finding->counter.value[i]) && !is_dead;
			if (i < finding->counter.n_running && isfinite(finding->counter.running[i]) &&
				!(finding->counter.running[i] >= least))
				least = finding->counter.running[i];
		}
		str_add(out, "| ");
		report_add_text(out, counter->name);
		str_add(out, " | ");
		for (size_t k = 0; k < counter->n_events; k++) {
			str_add(out, k ? " + " : "");
			report_add_text(out, counter->event[k].name);
		}
		str_addf(out, " | %zu | %zu | %zu", live, dead, result->n_findings - live - dead);
		if (isfinite(least))
			str_addf(out, " | %.3g %% |\n", least * 100);
		else
			str_add(out, " | . |\n");
	}
	str_addc(out, '\n');
	for (size_t i = 0; i < result->n_notes; i++) {
		str_add(out, "- ");
		report_add_text(out, result->note[i].text);
		str_addc(out, '\n');
	}
	if (result->n_notes)
		str_addc(out, '\n');
}

void
report_laws_told(const struct report *report, struct str *out)
{
	const struct laws_how how = {
		.confidence = report->how->confidence, .independent_rows = report->how->independent_rows};
	struct err e = {0};
	struct laws_told *told =
		laws_told_new(report->table, report->n_tables, report->how->observations, &how, &e);
	struct str line = {0};

	if (!told || !told->judged) {
		laws_told_free(told);
		return;
	}
	str_addf(out,
		"## Laws of the events\n\n%zu of %zu laws whose events the data have %s broken, %zu strained.\n\n",
		told->n_broken, told->judged, told->n_broken == 1 ? "is" : "are", told->n - told->n_broken);
	for (size_t i = 0; i < told->n; i++) {
		str_clear(&line);
		law_told_add(&told->told[i], &line);
		str_addf(out, "- %s: ", law_state_words[told->told[i].state]);
		report_add_text(out, str_text(&line));
		str_addc(out, '\n');
	}
	str_add(out, told->n ? "\n" : "");
	str_free(&line);
	laws_told_free(told);
}

/* Writes the counters that the model was tested with. A name with a comma cannot be in the list. */
static void
counters_option(const struct report *report, struct str *out)
{
	struct str list = {0};
	bool comma = false;

	for (size_t i = 0; report->how->counter && i < report->model->n_counters; i++)
		if (report->how->counter[i]) {
			comma |= strchr(report->model->counter[i].name, ',') != NULL;
			str_addf(&list, "%s%s", list.n ? "," : "", report->model->counter[i].name);
		}
	if (list.n && !comma)
		shell_add_option(out, "--counters", str_text(&list));
	str_free(&list);
}

static void
command(const struct report *report, const char *name, struct str *out)
{
	struct str on = {0};

	str_addf(out, "    hecate %s", name);
	if (report->model_arg) {
		str_addc(out, ' ');
		shell_add_file(out, report->model_arg);
	}
	for (size_t i = 0; i < report->n_data; i++) {
		str_addc(out, ' ');
		shell_add_file(out, report->data[i]);
	}
	for (size_t i = 0; i < report->model->n_features; i++)
		if (fset_has(&report->result->on, i))
			str_addf(&on, "%s%s", on.n ? "," : "", report->model->feature[i].name);
	for (size_t i = 0; i < report->model->n_variants; i++)
		if (fset_equal(&report->model->variant[i].on, &report->result->on)) {
			shell_add_option(out, "--variant", report->model->variant[i].name);
			str_clear(&on);
			break;
		}
	if (on.n)
		shell_add_option(out, "--features", str_text(&on));
	str_addf(out, " --confidence %.15g --region %s%s%s%s%s%s", report->how->confidence,
		region_name((enum region_kind)report->how->decides), report->how->one_by_one ? " --one-by-one" : "",
		report->how->exact ? " --exact" : "", report->how->split_phases ? " --split-phases" : "",
		report->how->independent_rows ? " --independent-rows" : "",
		report->how->trust_zeros ? " --trust-zeros" : "");
	if (report->how->observations)
		shell_add_option(out, "--observations", report->how->observations);
	counters_option(report, out);
	str_addc(out, '\n');
	str_free(&on);
}

void
report_repeat(const struct report *report, struct str *out)
{
	str_add(out, "## How to do it again\n\n");
	if (!report->n_data) {
		str_add(out, "The session was in no file when this was written: w, then f, in the explorer keeps "
			"it in one.\n");
		return;
	}
	command(report, "check", out);
	if (report->model->n_features)
		command(report, "search", out);
	command(report, "report", out);
}

/* Writes the target of a link; no character in it may end the link. */
static void
link_to(struct str *out, const char *file)
{
	for (const unsigned char *c = (const unsigned char *)file; *c; c++)
		if (isalnum(*c) || strchr("._-", *c))
			str_addc(out, (char)*c);
		else
			str_addf(out, "%%%02x", *c);
}

void
report_picture(struct str *out, const char *title, const char *file, const char *why_not)
{
	if (file) {
		str_addf(out, "![%s](", title);
		link_to(out, file);
		str_add(out, ")\n\n");
	} else if (why_not) {
		str_addf(out, "No picture: %s: ", title);
		report_add_text(out, why_not);
		str_add(out, ".\n\n");
	}
}

void
report_markdown(const struct report *report, struct str *out)
{
	str_add(out, "# ");
	report_add_text(out, report->model->name);
	str_addf(out, " against %zu observation%s\n\n", report->result->n_findings,
		plural_s(report->result->n_findings));
	report_question(report, out);
	str_add(out, "## The verdicts\n\n");
	report_verdicts(report, out);
	constraints(report, out);
	report_searches(report, out);
	if (report->graph)
		report_picture(out, "the models that were tested", report->search_picture, report->no_search_picture);
	str_add(out, "## The model\n\n");
	report_picture(out, "the model with the features that are on", report->model_picture, report->no_model_picture);
	report_notes(report->remarks, out);
	report_counters(report, out);
	report_laws_told(report, out);
	report_repeat(report, out);
}
