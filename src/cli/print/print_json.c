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
print_constraints_json(const struct udd_model *m, const struct result *r, struct json_writer *w)
{
	json_open(w, NULL, '{');
	print_json_head(w, "hecate.constraints/1", m, &r->on);
	names_where(w, "counters", m, r->used, r->n_counters);
	json_decimal(w, "paths", r->paths);
	json_int(w, "signatures", (int64_t)r->signatures);
	json_int(w, "rays", (int64_t)r->rays);
	json_bool(w, "complete", r->complete);
	if (!r->complete)
		json_str(w, "reason", r->reason);
	print_json_write_rows(w, "equalities", m, r->constraint, r->n_equalities);
	print_json_write_rows(
		w, "inequalities", m, r->constraint + r->n_equalities, r->n_constraints - r->n_equalities);
	json_num(w, "seconds", r->seconds);
	json_close(w, '}');
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
write_ranges(struct json_writer *w, const struct udd_model *m, const struct finding *f)
{
	if (!f->witness.ranges) {
		json_null(w, "features");
		return;
	}
	json_open(w, "features", '[');
	for (size_t k = 0; k < f->witness.ranges->n; k++) {
		const struct feature_flow *x = &f->witness.ranges->feature[k];

		json_open(w, NULL, '{');
		json_str(w, "feature", m->feature[x->feature].name);
		print_json_set(w, "with", m, &x->with);
		json_str(w, "reason", x->error);
		json_num(w, "least", x->error ? NAN : x->total.least);
		json_num(w, "greatest", x->error ? NAN : x->total.greatest);
		json_bool(w, "unseen", x->unseen);
		json_open(w, "shares", '[');
		if (x->seen)
			write_share(w, m, &x->uops);
		for (size_t i = 0; i < x->n_shares; i++)
			write_share(w, m, &x->share[i]);
		json_close(w, ']');
		json_close(w, '}');
	}
	json_close(w, ']');
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
write_values(struct json_writer *w, const struct udd_model *m, const struct finding *f)
{
	json_open(w, "values", '[');
	for (size_t i = 0; i < f->counter.n_values; i++) {
		if (isnan(f->counter.value[i]))
			continue;
		json_open(w, NULL, '{');
		json_str(w, "counter", m->counter[i].name);
		json_num(w, "mean", f->counter.value[i]);
		json_close(w, '}');
	}
	json_close(w, ']');
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
print_json_data(struct json_writer *w, const struct options *o, const struct udd_model *m, const struct result *r,
	const struct counting *c)
{
	json_num(w, "confidence", o->confidence);
	json_str(w, "region", model_args_region(o));
	json_bool(w, "counterpoint", o->counterpoint);
	json_bool(w, "family_wise", model_args_family_wise(o));
	names_where(w, "counters", m, r->used, r->n_counters);
	names_where(w, "missing", m, r->missing.counter, r->missing.n);
	json_open(w, "dead", '[');
	for (size_t i = 0; i < m->n_counters; i++) {
		bool dead = false;

		for (size_t k = 0; k < r->n_findings; k++)
			dead |= r->finding[k].counter.dead[i];
		if (dead)
			json_str(w, NULL, m->counter[i].name);
	}
	json_close(w, ']');
	json_open(w, "extra", '[');
	for (size_t i = 0; i < r->n_extra; i++)
		json_str(w, NULL, r->extra[i]);
	json_close(w, ']');
	write_warnings(w, r, c);
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
check_by_hand(const void *ctx, struct json_writer *w, const char *key, const void *record)
{
	const struct check_context *x = ctx;

	if (record != x->r) {
		finding_by_hand(x, w, key, record);
	} else if (str_eq(key, "schema")) {
		print_json_head(w, "hecate.check/1", x->m, &x->r->on);
		print_counting_json(x->c, w);
		print_json_data(w, x->o, x->m, x->r, x->c);
		print_untested_json(w, x->r);
	} else if (str_eq(key, "explanations")) {
		print_explain_json(w, x->m, x->r, x->why);
		if (x->suspects)
			print_json_suspects(w, x->m, x->suspects, &x->r->on);
		if (x->drafts)
			print_drafts_json(w, x->m, x->r, x->drafts);
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
