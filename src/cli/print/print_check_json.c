#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/counting.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_explain.h"
#include "cli/print/print_laws.h"
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

/* What findings are written with. */
struct check_context {
	const struct udd_model *m;
	const struct result *r;
	const struct counting *c;
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
finding_by_hand(const void *ctx, struct json_writer *w, const char *key, const void *finding)
{
	const struct check_context *x = ctx;
	const struct finding *f = finding;

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
	"observations with this verdict: their `family_wise` if the document's is true, else `verdict`";
static const char BY_EITHER_WAY[] = "infeasible ones by either way of counting";

/* What the document of `check` has of its result; the rest is shared with other documents. */
static const struct shape_row CHECK_ROWS[] = {
	{SHAPE_ARRAY(struct result, finding, n_findings), .key = "observations", .of = &finding_shape,
		.help = "in the order of the data"},
	{SHAPE_FIELD(struct result, count[VERDICT_INFEASIBLE]), .key = "infeasible", .help = THAT_COUNT},
	{SHAPE_FIELD(struct result, count[VERDICT_FEASIBLE]), .key = "feasible", .help = THAT_COUNT},
	{SHAPE_FIELD(struct result, count[VERDICT_BORDERLINE]), .key = "borderline", .help = THAT_COUNT},
	{SHAPE_FIELD(struct result, count[VERDICT_UNDECIDED]), .key = "undecided", .help = THAT_COUNT},
	{SHAPE_FIELD(struct result, refuted.family_wise), .key = "infeasible_family_wise", .help = BY_EITHER_WAY},
	{SHAPE_FIELD(struct result, refuted.one_by_one), .key = "infeasible_one_by_one", .help = BY_EITHER_WAY},
	{SHAPE_FIELD(struct result, refuted.in_doubt), .key = "in_doubt",
		.help = "how many infeasible ones rest on a doubtful premise"},
};
const struct shape print_check_shape = SHAPE(struct result, CHECK_ROWS);

void
print_check_json(const struct options *o, const struct udd_model *m, const struct result *r,
	const struct counting *c, const struct check_json *with, struct json_writer *w)
{
	const struct check_context ctx = {m, r, c};
	const struct shape_names names = {.counter = finding_counter, .by_hand = finding_by_hand, .ctx = &ctx};

	json_open(w, NULL, '{');
	print_json_head(w, "hecate.check/1", m, &r->on);
	print_counting_json(c, w);
	print_json_data(w, o, m, r, c);
	print_untested_json(w, r);
	shape_json_rows(w, &print_check_shape, r, &names);
	print_explain_json(w, m, r, with->why);
	print_laws_told_json(with->laws, w);
	if (c->metrics.metrics) {
		json_open(w, "metrics", '[');
		for (size_t i = 0; i < with->n_tables; i++)
			counting_metrics(c, with->table[i], c->wanted && i + 1 == with->n_tables, NULL, w);
		json_close(w, ']');
	}
	if (with->suspects)
		print_json_suspects(w, m, with->suspects, &r->on);
	if (with->drafts)
		print_drafts_json(w, m, r, with->drafts);
	json_close(w, '}');
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
