#include "explorer/report/report.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/shell.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/xml.h"
#include "core/udd/model.h"
#include "work/analysis/analysis.h"
#include "work/analysis/constraints.h"
#include "work/analysis/observations.h"
#include "work/analysis/result.h"
#include "work/analysis/words.h"
#include "work/remarks.h"
#include "work/search/search_graph.h"
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

/* Lists each source once: data files, command lines. */
static void
sources(const struct result *r, struct str *out)
{
	size_t n = 0;

	str_add(out, "| source of the data | ");
	for (size_t i = 0; i < r->n_findings; i++) {
		bool first = true;

		for (size_t k = 0; k < i && first; k++)
			first = !str_eq(r->finding[k].source, r->finding[i].source);
		if (!first)
			continue;
		if (n == 20) {
			str_add(out, ", and others");
			break;
		}
		str_add(out, n++ ? ", " : "");
		report_add_text(out, r->finding[i].source);
	}
	str_add(out, " |\n");
}

static void
question(const struct report *p, struct str *out)
{
	const struct result *r = p->result;
	struct str counters = {0};

	str_add(out, "## What was asked\n\n| | |\n| --- | --- |\n");
	report_field(out, "model", p->model->name);
	if (*p->model->text)
		report_field(out, "description", p->model->text);
	report_field(out, "file of the model", p->model->file);
	str_add(out, "| features on | ");
	report_set(p->model, &r->on, "none", out);
	str_addf(out, " |\n| confidence region | %s, %g %% confidence |\n",
		region_name((enum region_kind)p->how->decides), p->how->confidence * 100);
	str_addf(out, "| many observations at once | %s |\n",
		p->how->one_by_one ? "each is tested by itself" : "Holm's procedure decides");
	for (size_t i = 0; i < r->n_counters; i++)
		if (r->used[i])
			str_addf(&counters, "%s%s", counters.n ? ", " : "", p->model->counter[i].name);
	report_field(out, "counters", str_text(&counters));
	str_addf(out, "| observations | %zu |\n", r->n_findings);
	if (p->how->observations)
		report_field(out, "only observations that match", p->how->observations);
	sources(r, out);
	if (p->machine)
		report_field(out, "written on", p->machine);
	report_field(out, "written at", p->when);
	report_field(out, "by", p->program);
	str_addf(out, "| the cone | %zu signatures, %zu rays, %zu equalities and %zu inequalities%s |\n\n",
		r->signatures, r->rays, r->n_equalities, r->n_constraints - r->n_equalities,
		r->complete ? "" : ", incomplete");
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
verdict_row(const struct report *p, const struct finding *f, struct str *out)
{
	const struct constraint *worst = f->proof.n_violated ? f->proof.violated
		: f->proof.n_certificates                    ? f->proof.certificate
							     : NULL;
	const struct remark *note = p->remarks ? remarks_on(p->remarks, REMARK_OBSERVATION, f->name) : NULL;
	char number[NUMBER_TEXT];

	str_add(out, "| ");
	report_add_text(out, f->name);
	str_addf(out, " | %s | %s", verdict_name(f->own.verdict), verdict_name(f->own.family_wise));
	number_cell(out, f->measure.distance2);
	number_cell(out, f->measure.threshold2);
	if (isfinite(f->measure.p))
		str_addf(out, " | %s", number_p(number, f->measure.p));
	else
		str_add(out, " | .");
	str_addf(out, " | %zu%s | ", f->data.samples, f->data.exact ? " exact" : "");
	if (worst)
		report_add_text(out, worst->text);
	else if (f->reason)
		report_add_text(out, f->reason);
	else
		str_addc(out, '.');
	if (note) {
		str_add(out, " (note: ");
		report_add_text(out, note->text);
		str_addc(out, ')');
	}
	str_add(out, " |\n");
}

static void
verdicts(const struct report *p, struct str *out)
{
	const struct result *r = p->result;
	size_t n, *order = observations_order(r, OBSERVATIONS_BY_DISTANCE, NULL, NULL, &n);

	str_addf(out,
		"## The verdicts\n\n%zu observations: %zu infeasible, %zu feasible, %zu borderline, %zu undecided%s. ",
		r->n_findings, r->count[VERDICT_INFEASIBLE], r->count[VERDICT_FEASIBLE], r->count[VERDICT_BORDERLINE],
		r->count[VERDICT_UNDECIDED], p->how->one_by_one ? " (one by one)" : "");
	str_add(out,
		r->count[VERDICT_INFEASIBLE]         ? "**The model is refuted.**\n\n"
			: r->count[VERDICT_FEASIBLE] ? "**The model survives these data.**\n\n"
				: "**Nothing was decided.**\n\n");
	if (n)
		str_add(out, "| observation | verdict | family-wise | d2 | threshold | p | samples | "
			"worst constraint, or why not |\n| --- | --- | --- | ---: | ---: | ---: | ---: | --- |\n");
	for (size_t i = 0; i < n; i++)
		verdict_row(p, &r->finding[order[i]], out);
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
one_constraint(const struct report *p, const struct constraint_row *row, struct str *out)
{
	const struct constraint_breach *worst = &row->breach[0];
	const struct remark *note = p->remarks ? remarks_on(p->remarks, REMARK_CONSTRAINT, row->c->text) : NULL;
	struct str text = {0};

	str_add(out, "### ");
	report_add_text(out, row->c->text);
	str_addf(out, "\n\n%s by %zu of %zu observations, most by ",
		row->certificate ? "A combination of constraints, violated" : "Violated", row->n_breaches,
		p->result->n_findings);
	report_add_text(out, p->result->finding[worst->finding].name);
	str_add(out, ".\n\n");
	words_refutation(p->model, worst->violated, &p->result->finding[worst->finding], p->how->confidence, &text);
	paragraph(out, str_text(&text));
	if (note) {
		str_add(out, "Note: ");
		paragraph(out, note->text);
	}
	str_free(&text);
}

static void
constraints(const struct report *p, struct str *out)
{
	struct constraint_table *t = constraints_new(p->result, NULL);
	size_t n, *order = constraints_order(t, CONSTRAINTS_BY_VIOLATION, NULL, &n);
	bool some = false;

	str_add(out, "## Violated constraints\n\n");
	for (size_t i = 0; i < n; i++)
		if (t->row[order[i]].n_breaches) {
			one_constraint(p, &t->row[order[i]], out);
			some = true;
		}
	if (!some)
		str_add(out, "None.\n\n");
	free(order);
	constraints_table_free(t);
}

void
report_notes(const struct remarks *r, struct str *out)
{
	if (!r || !r->n)
		return;
	str_add(out, "## Notes\n\n");
	for (size_t i = 0; i < r->n; i++) {
		const struct remark *x = &r->remark[i];
		struct str on = {0};

		if (x->on == REMARK_FEATURES)
			features_words(x->what, &on);
		else if (x->on == REMARK_SNAPSHOT)
			timeline_snapshot_words(x->what, &on);
		else
			str_add(&on, x->on == REMARK_SESSION ? "" : x->what);
		str_addf(out, "- on %s%s%s", x->on == REMARK_SNAPSHOT ? "" : remark_on_name(x->on),
			x->on == REMARK_SNAPSHOT ? "" : " ", on.n ? "" : "as a whole");
		report_add_text(out, str_text(&on));
		str_add(out, ", ");
		report_add_text(out, x->written);
		str_add(out, ": ");
		report_add_text(out, x->text);
		str_addc(out, '\n');
		str_free(&on);
	}
	str_addc(out, '\n');
}

/* Writes in how many observations each counter was live, dead and missing. */
static void
report_write_counters(const struct report *p, struct str *out)
{
	const struct result *r = p->result;

	str_add(out,
		"## Counters\n\n| counter | events | live in | dead in | missing in | least share of time |\n| --- "
		"| --- | ---: | ---: | ---: | ---: |\n");
	for (size_t i = 0; i < r->n_counters; i++) {
		const struct udd_counter *c = &p->model->counter[i];
		size_t live = 0, dead = 0;
		double least = NAN;

		for (size_t k = 0; k < r->n_findings; k++) {
			const struct finding *f = &r->finding[k];
			bool is_dead = i < f->counter.n_dead && f->counter.dead[i];

			dead += is_dead;
			live += i < f->counter.n_values && isfinite(f->counter.value[i]) && !is_dead;
			if (i < f->counter.n_running && isfinite(f->counter.running[i]) &&
				!(f->counter.running[i] >= least))
				least = f->counter.running[i];
		}
		str_add(out, "| ");
		report_add_text(out, c->name);
		str_add(out, " | ");
		for (size_t k = 0; k < c->n_events; k++) {
			str_add(out, k ? " + " : "");
			report_add_text(out, c->event[k].name);
		}
		str_addf(out, " | %zu | %zu | %zu", live, dead, r->n_findings - live - dead);
		if (isfinite(least))
			str_addf(out, " | %.3g %% |\n", least * 100);
		else
			str_add(out, " | . |\n");
	}
	str_addc(out, '\n');
	for (size_t i = 0; i < r->n_notes; i++) {
		str_add(out, "- ");
		report_add_text(out, r->note[i].text);
		str_addc(out, '\n');
	}
	for (size_t i = 0; i < r->n_extra; i++) {
		str_add(out, "- the data have a column that the model does not know: ");
		report_add_text(out, r->extra[i]);
		str_addc(out, '\n');
	}
	if (r->n_notes || r->n_extra)
		str_addc(out, '\n');
}

/* Writes the counters that the model was tested with. A name with a comma cannot be in the list. */
static void
counters_option(const struct report *p, struct str *out)
{
	struct str list = {0};
	bool comma = false;

	for (size_t i = 0; p->how->counter && i < p->model->n_counters; i++)
		if (p->how->counter[i]) {
			comma |= strchr(p->model->counter[i].name, ',') != NULL;
			str_addf(&list, "%s%s", list.n ? "," : "", p->model->counter[i].name);
		}
	if (list.n && !comma)
		shell_add_option(out, "--counters", str_text(&list));
	str_free(&list);
}

static void
command(const struct report *p, const char *name, struct str *out)
{
	struct str on = {0};

	str_addf(out, "    hecate %s", name);
	if (p->model_arg) {
		str_addc(out, ' ');
		shell_add_file(out, p->model_arg);
	}
	for (size_t i = 0; i < p->n_data; i++) {
		str_addc(out, ' ');
		shell_add_file(out, p->data[i]);
	}
	for (size_t i = 0; i < p->model->n_features; i++)
		if (fset_has(&p->result->on, i))
			str_addf(&on, "%s%s", on.n ? "," : "", p->model->feature[i].name);
	for (size_t i = 0; i < p->model->n_variants; i++)
		if (fset_equal(&p->model->variant[i].on, &p->result->on)) {
			shell_add_option(out, "--variant", p->model->variant[i].name);
			str_clear(&on);
			break;
		}
	if (on.n)
		shell_add_option(out, "--features", str_text(&on));
	str_addf(out, " --confidence %.15g --region %s%s%s%s%s%s", p->how->confidence,
		region_name((enum region_kind)p->how->decides), p->how->one_by_one ? " --one-by-one" : "",
		p->how->exact ? " --exact" : "", p->how->split_phases ? " --split-phases" : "",
		p->how->independent_rows ? " --independent-rows" : "", p->how->trust_zeros ? " --trust-zeros" : "");
	if (p->how->observations)
		shell_add_option(out, "--observations", p->how->observations);
	counters_option(p, out);
	str_addc(out, '\n');
	str_free(&on);
}

static void
how_to_repeat(const struct report *p, struct str *out)
{
	str_add(out, "## How to do it again\n\n");
	if (!p->n_data) {
		str_add(out, "The session was in no file when this was written: w, then f, in the explorer keeps "
			"it in one.\n");
		return;
	}
	command(p, "check", out);
	if (p->model->n_features)
		command(p, "search", out);
	command(p, "report", out);
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
report_markdown(const struct report *p, struct str *out)
{
	str_add(out, "# ");
	report_add_text(out, p->model->name);
	str_addf(out, " against %zu observations\n\n", p->result->n_findings);
	question(p, out);
	verdicts(p, out);
	constraints(p, out);
	report_searches(p, out);
	if (p->graph)
		report_picture(out, "the models that were tested", p->search_picture, p->no_search_picture);
	str_add(out, "## The model\n\n");
	report_picture(out, "the model with the features that are on", p->model_picture, p->no_model_picture);
	report_notes(p->remarks, out);
	report_write_counters(p, out);
	how_to_repeat(p, out);
}
