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

/* What a finding is written with. */
struct finding_context {
	const struct udd_model *m;
	const struct result *r;
	const struct counting *c;
};

static const char *
finding_counter(const void *ctx, size_t i)
{
	return ((const struct finding_context *)ctx)->m->counter[i].name;
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
finding_by_hand(const void *ctx, struct json_writer *w, const char *key, const void *record)
{
	const struct finding_context *x = ctx;
	const struct finding *f = record;

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

void
print_check_json(const struct options *o, const struct udd_model *m, const struct result *r,
	const struct counting *c, const struct explanations *why, const struct suspects *suspects,
	const struct drafts *drafts, struct json_writer *w)
{
	const struct finding_context ctx = {.m = m, .r = r, .c = c};
	const struct shape_names names = {.counter = finding_counter, .by_hand = finding_by_hand, .ctx = &ctx};

	json_open(w, NULL, '{');
	print_json_head(w, "hecate.check/1", m, &r->on);
	print_counting_json(c, w);
	print_json_data(w, o, m, r, c);
	print_untested_json(w, r);
	json_open(w, "observations", '[');
	for (size_t i = 0; i < r->n_findings; i++)
		shape_json(w, NULL, &finding_shape, &r->finding[i], &names);
	json_close(w, ']');
	for (int k = 0; k < 4; k++) {
		static const enum verdict_kind order[] = {
			VERDICT_INFEASIBLE, VERDICT_FEASIBLE, VERDICT_BORDERLINE, VERDICT_UNDECIDED
		};

		json_int(w, verdict_name(order[k]), (int64_t)r->count[order[k]]);
	}
	json_int(w, "infeasible_family_wise", (int64_t)r->refuted.family_wise);
	json_int(w, "infeasible_one_by_one", (int64_t)r->refuted.one_by_one);
	json_int(w, "in_doubt", (int64_t)r->refuted.in_doubt);
	print_explain_json(w, m, r, why);
	if (suspects)
		print_json_suspects(w, m, suspects, &r->on);
	if (drafts)
		print_drafts_json(w, m, r, drafts);
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
