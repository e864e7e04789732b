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
write_constraint(struct json_writer *w, const char *key, const struct udd_model *m, const struct constraint *c)
{
	json_open(w, key, '{');
	json_str(w, "text", c->text);
	json_bool(w, "equality", c->equality);
	print_coefficients(w, "coef", m, c->coef, c->n);
	json_num(w, "margin", c->margin);
	json_num(w, "excess", c->excess);
	json_close(w, '}');
}

static void
write_violated(struct json_writer *w, const struct udd_model *m, const struct finding *f)
{
	json_open(w, "violated", '[');
	for (size_t i = 0; i < f->proof.n_violated; i++)
		write_constraint(w, NULL, m, &f->proof.violated[i]);
	json_close(w, ']');
}

static void
print_json_write_flow(struct json_writer *w, const struct udd_model *m, const struct finding *f)
{
	if (!f->witness.n) {
		json_null(w, "flow");
		return;
	}
	json_open(w, "flow", '[');
	for (size_t i = 0; i < f->witness.n; i++) {
		json_open(w, NULL, '{');
		print_coefficients(w, "coef", m, f->witness.uops[i].coef, f->witness.uops[i].n);
		json_num(w, "uops", f->witness.uops[i].uops);
		json_close(w, '}');
	}
	json_close(w, ']');
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

/* The test of the cone; null where it was not made. */
static void
write_test(struct json_writer *w, const struct finding *f)
{
	if (!f->test.dimensions) {
		json_null(w, "test");
		return;
	}
	json_open(w, "test", '{');
	json_int(w, "dimensions", (int64_t)f->test.dimensions);
	json_num(w, "distance2", f->test.distance2);
	json_num(w, "threshold2", f->test.threshold2);
	json_num(w, "freedom", f->test.freedom);
	json_num(w, "p", f->test.p);
	json_close(w, '}');
}

/* The noise in time that best explains a refutation; null where nothing was refuted, or nothing is known about time. */
static void
write_noise(struct json_writer *w, const struct finding *f)
{
	if (isnan(f->slow.p)) {
		json_null(w, "noise");
		return;
	}
	json_open(w, "noise", '{');
	json_num(w, "p", f->slow.p);
	json_num(w, "p_independent", f->slow.p_independent);
	json_num(w, "samples_needed", f->slow.samples_needed);
	json_num(w, "share", f->slow.noise.share);
	json_num(w, "rows", f->slow.noise.time);
	json_num(w, "memory", f->slow.noise.memory);
	json_num(w, "factor", f->slow.noise.factor);
	json_close(w, '}');
}

/* What was corrected, in counts per sample; and the verdict without that, null where it is the same. */
static void
write_trust(struct json_writer *w, const struct udd_model *m, const struct finding *f)
{
	json_open(w, "trust", '[');
	for (size_t i = 0; i < f->n_trust; i++) {
		const struct finding_trust *t = &f->trust[i];

		json_open(w, NULL, '{');
		json_str(w, "counter", m->counter[t->counter].name);
		json_num(w, "subtracted", t->subtracted);
		json_num(w, "widened", t->widened);
		json_str(w, "because", t->because);
		json_close(w, '}');
	}
	json_close(w, ']');
	if (f->counter.without_trust != f->alone)
		json_str(w, "without_trust", verdict_name(f->counter.without_trust));
	else
		json_null(w, "without_trust");
	if (f->counter.with_zeros != f->alone)
		json_str(w, "with_zeros", verdict_name(f->counter.with_zeros));
	else
		json_null(w, "with_zeros");
}

static void
write_finding(struct json_writer *w, const struct udd_model *m, const struct result *r, const struct finding *f,
	const struct counting *c)
{
	json_open(w, NULL, '{');
	json_str(w, "name", f->name);
	json_str(w, "source", f->source);
	json_int(w, "samples", (int64_t)f->data.samples);
	json_num(w, "effective_samples", f->data.effective);
	json_int(w, "batches", 0); /* this and "shrinkage" describe regions as versions before 0.2 made them */
	json_num(w, "lag", f->time.lag);
	json_num(w, "shrinkage", 0);
	json_open(w, "phases", '[');
	for (size_t i = 0; i < f->time.n_phases; i++)
		json_int(w, NULL, (int64_t)f->time.phase[i] + 1);
	json_close(w, ']');
	json_bool(w, "exact", f->data.exact);
	json_bool(w, "peeked", f->data.peeked);
	json_bool(w, "random_turns", f->data.random_turns);
	json_str(w, "verdict", verdict_name(f->alone));
	json_str(w, "reason", f->reason);
	json_str(w, "in_doubt", f->in_doubt);
	print_untested_json_of(w, m, r, f, c);
	for (size_t k = 0; k < REGION_KINDS; k++)
		json_str(w, region_name((enum region_kind)k), verdict_name(f->region[k]));
	json_str(w, "family_wise", verdict_name(f->family_wise));
	json_num(w, "distance2", f->ellipsoid.distance2);
	json_num(w, "threshold2", f->ellipsoid.threshold2);
	json_num(w, "p", f->ellipsoid.p);
	write_test(w, f);
	write_noise(w, f);
	write_trust(w, m, f);
	json_open(w, "warnings", '[');
	for (size_t i = 0; i < f->n_warnings; i++)
		print_json_warning(w, f->warning[i].code, f->warning[i].text);
	json_close(w, ']');
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
	write_violated(w, m, f);
	if (f->proof.n_suspected)
		write_constraint(w, "suspected", m, f->proof.suspected);
	else
		json_null(w, "suspected");
	if (f->proof.n_certificates) {
		json_open(w, "certificate", '{');
		print_coefficients(w, "coef", m, f->proof.certificate->coef, f->proof.certificate->n);
		json_str(w, "text", f->proof.certificate->text);
		json_bool(w, "verified", f->proof.verified);
		json_close(w, '}');
	} else {
		json_null(w, "certificate");
	}
	print_json_write_flow(w, m, f);
	write_ranges(w, m, f);
	json_close(w, '}');
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
	json_open(w, NULL, '{');
	print_json_head(w, "hecate.check/1", m, &r->on);
	print_counting_json(c, w);
	print_json_data(w, o, m, r, c);
	print_untested_json(w, r);
	json_open(w, "observations", '[');
	for (size_t i = 0; i < r->n_findings; i++)
		write_finding(w, m, r, &r->finding[i], c);
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
