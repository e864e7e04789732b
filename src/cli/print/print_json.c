#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/counting.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_explain.h"
#include "cli/print/print_untested.h"
#include "core/udd/model.h"
#include "shape/shape.h"
#include "work/analysis/uop_ranges.h"
#include "work/run/counters_run.h"

static void
names_where(struct json_writer *w, const char *key, const struct udd_model *m, const bool *yes, size_t n)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < n; i++)
		if (yes[i])
			json_str(w, NULL, m->counter[i].name);
	json_close(w, ']');
}

static void
print_json_write_rows(
	struct json_writer *w, const char *key, const struct udd_model *m, const struct constraint *c, size_t n)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < n; i++) {
		json_open(w, NULL, '{');
		print_coefficients(w, "coef", m, c[i].coef, c[i].n);
		json_str(w, "text", c[i].text);
		json_close(w, '}');
	}
	json_close(w, ']');
}

void
print_constraints_json(const struct udd_model *model, const struct result *result, struct json_writer *writer)
{
	json_open(writer, NULL, '{');
	print_json_head(writer, "hecate.constraints/1", model, &result->on);
	names_where(writer, "counters", model, result->used, result->n_counters);
	json_decimal(writer, "paths", result->paths);
	json_int(writer, "signatures", (int64_t)result->signatures);
	json_int(writer, "rays", (int64_t)result->rays);
	json_bool(writer, "complete", result->complete);
	if (!result->complete)
		json_str(writer, "reason", result->reason);
	print_json_write_rows(writer, "equalities", model, result->constraint, result->n_equalities);
	print_json_write_rows(writer, "inequalities", model, result->constraint + result->n_equalities,
		result->n_constraints - result->n_equalities);
	json_num(writer, "seconds", result->seconds);
	json_close(writer, '}');
}

static void
write_share(struct json_writer *w, const struct udd_model *m, const struct flow_share *s)
{
	json_open(w, NULL, '{');
	if (s->counter == UOP_UOPS)
		json_null(w, "counter");
	else
		json_str(w, "counter", m->counter[s->counter].name);
	json_num(w, "least", s->range.least);
	json_num(w, "greatest", s->range.greatest);
	json_bool(w, "always", s->always);
	json_close(w, '}');
}

static void
write_ranges(struct json_writer *writer, const struct udd_model *model, const struct finding *finding)
{
	if (!finding->witness.ranges) {
		json_null(writer, "features");
		return;
	}
	json_open(writer, "features", '[');
	for (size_t k = 0; k < finding->witness.ranges->n; k++) {
		const struct feature_flow *flow = &finding->witness.ranges->feature[k];

		json_open(writer, NULL, '{');
		json_str(writer, "feature", model->feature[flow->feature].name);
		print_json_set(writer, "with", model, &flow->with);
		json_str(writer, "reason", flow->error);
		json_num(writer, "least", flow->error ? NAN : flow->total.least);
		json_num(writer, "greatest", flow->error ? NAN : flow->total.greatest);
		json_bool(writer, "unseen", flow->unseen);
		json_open(writer, "shares", '[');
		if (flow->seen)
			write_share(writer, model, &flow->uops);
		for (size_t i = 0; i < flow->n_shares; i++)
			write_share(writer, model, &flow->share[i]);
		json_close(writer, ']');
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

/* What the document of `check` is written with; the members are the arguments of print_check_json(). */
struct check_context {
	const struct options *o;
	const struct udd_model *m;
	const struct result *r;
	const struct counting *c;
	const struct explanations *why;
	const struct suspects *suspects;
	const struct drafts *drafts;
};

static const char *
finding_counter(const void *ctx, size_t i)
{
	return ((const struct check_context *)ctx)->m->counter[i].name;
}

static void
write_values(struct json_writer *writer, const struct udd_model *model, const struct finding *finding)
{
	json_open(writer, "values", '[');
	for (size_t i = 0; i < finding->counter.n_values; i++) {
		if (isnan(finding->counter.value[i]))
			continue;
		json_open(writer, NULL, '{');
		json_str(writer, "counter", model->counter[i].name);
		json_num(writer, "mean", finding->counter.value[i]);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
write_certificate(struct json_writer *w, const struct udd_model *m, const struct finding *f)
{
	if (!f->proof.n_certificates) {
		json_null(w, "certificate");
		return;
	}
	json_open(w, "certificate", '{');
	print_coefficients(w, "coef", m, f->proof.certificate->coef, f->proof.certificate->n);
	json_str(w, "text", f->proof.certificate->text);
	json_bool(w, "verified", f->own.verified);
	json_close(w, '}');
}

/* The rows of a finding that its shape leaves to us. */
static void
finding_by_hand(const struct check_context *x, struct json_writer *w, const char *key, const struct finding *f)
{
	if (str_eq(key, "untested"))
		print_untested_json_of(w, x->m, x->r, f, x->c);
	else if (str_eq(key, "values"))
		write_values(w, x->m, f);
	else if (str_eq(key, "certificate"))
		write_certificate(w, x->m, f);
	else
		write_ranges(w, x->m, f);
}

static void
write_warnings(struct json_writer *w, const struct result *r, const struct counting *c)
{
	json_open(w, "warnings", '[');
	for (size_t i = 0; i < r->n_notes; i++)
		print_json_warning(w, r->note[i].code, r->note[i].text);
	print_counting_json_warnings(c, w);
	json_close(w, ']');
}

void
print_json_data(struct json_writer *writer, const struct options *options, const struct udd_model *model,
	const struct result *result, const struct counting *counting)
{
	json_num(writer, "confidence", options->confidence);
	json_str(writer, "region", model_args_region(options));
	json_bool(writer, "counterpoint", options->counterpoint);
	json_bool(writer, "family_wise", model_args_family_wise(options));
	names_where(writer, "counters", model, result->used, result->n_counters);
	names_where(writer, "missing", model, result->missing.counter, result->missing.n);
	json_open(writer, "dead", '[');
	for (size_t i = 0; i < model->n_counters; i++) {
		bool dead = false;

		for (size_t k = 0; k < result->n_findings; k++)
			dead |= result->finding[k].counter.dead[i];
		if (dead)
			json_str(writer, NULL, model->counter[i].name);
	}
	json_close(writer, ']');
	json_open(writer, "extra", '[');
	for (size_t i = 0; i < result->n_extra; i++)
		json_str(writer, NULL, result->extra[i]);
	json_close(writer, ']');
	write_warnings(writer, result, counting);
}

static const char THAT_COUNT[] =
	"observations with each verdict that counts: `family_wise` of each if `family_wise`, "
	"otherwise `verdict`";
static const char BY_EITHER_WAY[] = "the infeasible ones by either way to count";

/* The document of `check`, in the order of its keys. */
static const struct shape_row CHECK_ROWS[] = {
	{.type = SHAPE_HAND, .key = "schema", .json = "string",
		.help = "`hecate.constraints/1`, `hecate.paths/1`, `hecate.check/1`, `hecate.search/1`, "
			"`hecate.locate/1`, `hecate.compare/1`, `hecate.order/1`"},
	{.type = SHAPE_HAND, .key = "model", .json = "string",
		.help = "the name in the `model` item"},
	{.type = SHAPE_HAND, .key = "file", .json = "string",
		.help = "where the model came from"},
	{.type = SHAPE_HAND, .key = "features", .json = "array",
		.help = "the features that are on, in the model's order"},
	{.type = SHAPE_HAND, .key = "command", .json = "object", .optional = true,
		.help = "only if a command was run: see below"},
	{.type = SHAPE_HAND, .key = "target", .json = "object", .optional = true,
		.help = "only if something was watched that ran already: see below"},
	{.type = SHAPE_HAND, .key = "sampling", .json = "object null", .optional = true,
		.help = "only with one of these two: how samples were taken; null for exact totals"},
	{.type = SHAPE_HAND, .key = "confidence", .json = "number",
		.help = "of the regions, between 0 and 1"},
	{.type = SHAPE_HAND, .key = "region", .json = "string",
		.help = "what decides: `cone` (the test of the cone, the default), or the region `ellipsoid`, "
			"`box` or `independent`"},
	{.type = SHAPE_HAND, .key = "counterpoint", .json = "boolean",
		.help = "`--counterpoint` was given: verdicts are CounterPoint's, by its own box"},
	{.type = SHAPE_HAND, .key = "family_wise", .json = "boolean",
		.help = "the counts at the end and the exit status follow Holm's procedure over the "
			"observations; false with `--one-by-one` and `--counterpoint`"},
	{.type = SHAPE_HAND, .key = "counters", .json = "array",
		.help = "counters of the model that some observation has"},
	{.type = SHAPE_HAND, .key = "missing", .json = "array",
		.help = "counters of the model, as far as asked for, that no observation has: projected away"},
	{.type = SHAPE_HAND, .key = "dead", .json = "array",
		.help = "counters that were counted and were never live in some observation, or whose 0 alone "
			"would refute it: in no verdict of it"},
	{.type = SHAPE_HAND, .key = "extra", .json = "array",
		.help = "columns of the data that the model does not know"},
	{.type = SHAPE_HAND, .key = "warnings", .json = "array",
		.help = "`code`, a stable word, and `text`, a sentence"},
	{.type = SHAPE_HAND, .key = "untested", .json = "array",
		.help = "constraints of at least two counters that no observation tests, because all lack a "
			"counter of theirs"},
	{SHAPE_ARRAY(struct result, finding, n_findings), .key = "observations", .of = &finding_shape,
		.help = "see below, in the order of the data"},
	{SHAPE_FIELD(struct result, count[VERDICT_INFEASIBLE]), .key = "infeasible", .help = THAT_COUNT},
	{SHAPE_FIELD(struct result, count[VERDICT_FEASIBLE]), .key = "feasible", .help = THAT_COUNT},
	{SHAPE_FIELD(struct result, count[VERDICT_BORDERLINE]), .key = "borderline", .help = THAT_COUNT},
	{SHAPE_FIELD(struct result, count[VERDICT_UNDECIDED]), .key = "undecided", .help = THAT_COUNT},
	{SHAPE_FIELD(struct result, refuted.family_wise), .key = "infeasible_family_wise", .help = BY_EITHER_WAY},
	{SHAPE_FIELD(struct result, refuted.one_by_one), .key = "infeasible_one_by_one", .help = BY_EITHER_WAY},
	{SHAPE_FIELD(struct result, refuted.in_doubt), .key = "in_doubt",
		.help = "how many of the infeasible ones rest on a premise that is in doubt"},
	{.type = SHAPE_HAND, .key = "explanations", .json = "array", .optional = true,
		.help = "only with `--explain`: what refutes the chosen features, see below; what most "
			"observations break first"},
	{.type = SHAPE_HAND, .key = "suspects", .json = "array", .optional = true,
		.help = "only with `--explain`, `--propose` or `--draft`: counters that by themselves would "
			"explain everything, as in `hecate.search/1`; `of` is `features`"},
	{.type = SHAPE_HAND, .key = "proposals", .json = "object", .optional = true,
		.help = "only with `--propose` or `--draft`: see below"},
};
const struct shape print_check_shape = SHAPE(struct result, CHECK_ROWS);

/* The rows that the shapes leave to us. Functions that other documents share write several keys at once. */
static void
check_by_hand(const void *ctx, struct json_writer *writer, const char *key, const void *record)
{
	const struct check_context *context = ctx;

	if (record != context->r) {
		finding_by_hand(context, writer, key, record);
	} else if (str_eq(key, "schema")) {
		print_json_head(writer, "hecate.check/1", context->m, &context->r->on);
		print_counting_json(context->c, writer);
		print_json_data(writer, context->o, context->m, context->r, context->c);
		print_untested_json(writer, context->r);
	} else if (str_eq(key, "explanations")) {
		print_explain_json(writer, context->m, context->r, context->why);
		if (context->suspects)
			print_json_suspects(writer, context->m, context->suspects, &context->r->on);
		if (context->drafts)
			print_drafts_json(writer, context->m, context->r, context->drafts);
	}
}

void
print_check_json(const struct options *o, const struct udd_model *m, const struct result *r,
	const struct counting *c, const struct explanations *why, const struct suspects *suspects,
	const struct drafts *drafts, struct json_writer *w)
{
	const struct check_context ctx = {o, m, r, c, why, suspects, drafts};
	const struct shape_names names = {.counter = finding_counter, .by_hand = check_by_hand, .ctx = &ctx};

	shape_json(w, NULL, &print_check_shape, r, &names);
}

void
print_json_lines(struct json_writer *w, const char *key, const char *text)
{
	char **line = str_split(text, '\n', NULL);

	json_open(w, key, '[');
	for (size_t i = 0; line[i]; i++)
		if (*line[i])
			json_str(w, NULL, line[i]);
	json_close(w, ']');
	str_split_free(line);
}
