#include "cli/print/print_search.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_explain.h"
#include "cli/search_watch.h"
#include "core/udd/model.h"
#include "work/analysis/drafts.h"
#include "work/analysis/past.h"
#include "work/search/search.h"
#include "work/search/search_result.h"

#define REFUTERS_SHOWN 3 /* names listed without -v */
#define PAST_SHOWN 10

/* "refuted by xz, sort, git and 3 more" */
static void
add_refuters(const struct options *o, const struct search *s, const struct lattice_model *x, struct str *out)
{
	size_t n = 0;

	for (size_t k = 0; k < s->start->n_findings; k++) {
		if (!lattice_refutes(x, k))
			continue;
		if (n < REFUTERS_SHOWN || o->verbose)
			str_addf(out, "%s%s", n ? ", " : "", s->start->finding[k].name);
		n++;
	}
	if (n > REFUTERS_SHOWN && !o->verbose)
		str_addf(out, " and %zu more", n - REFUTERS_SHOWN);
}

/* "5 infeasible (3 family-wise): xz, sort and 3 more" */
static void
add_infeasible(const struct options *o, const struct search *s, const struct lattice_model *x, struct str *out)
{
	const struct search_cone *c = &s->cone[x->cone];

	str_addf(out, "%5zu infeasible", x->n_infeasible);
	if (c->each != c->family_wise)
		str_addf(out, model_args_family_wise(o) ? " (%zu one by one)" : " (%zu family-wise)",
			model_args_family_wise(o) ? c->each : c->family_wise);
	if (x->n_infeasible)
		str_add(out, ": ");
	add_refuters(o, s, x, out);
	str_addc(out, '\n');
}

static void
print_search_add_line(const struct udd_model *m, const char *head, const struct fset *on, struct str *out)
{
	str_addf(out, "%-12s", head);
	print_feature_names(m, on, "none", out);
	str_addc(out, '\n');
}

static void
print_search_add_model(const struct options *o, const struct udd_model *m, const struct search *s,
	const struct lattice_model *x, struct str *out)
{
	struct str names = {0};

	print_feature_names(m, &x->on, "no features", &names);
	str_addf(out, "  %-28s ", str_text(&names));
	str_free(&names);
	if (!x->usable) {
		str_add(out, "makes an error\n");
		return;
	}
	if (o->verbose)
		str_addf(out, "%-11s cone %-3zu ", lattice_step_name(x->step), x->cone);
	add_infeasible(o, s, x, out);
}

/* Lists the models that are one feature short of a minimal survivor. What refutes them is why the feature is needed. */
static void
print_search_add_minimal(const struct options *o, const struct udd_model *m, const struct search *s, struct str *out)
{
	const struct lattice *l = s->lattice;

	for (size_t i = 0; i < l->n_minimal; i++) {
		const struct fset *on = &l->model[l->minimal[i]].on;

		str_add(out, "\nsurvives with no feature to spare: ");
		print_feature_names(m, on, "no features", out);
		str_addc(out, '\n');
		for (size_t f = 0; f < m->n_features; f++) {
			struct fset without = *on;

			fset_put(&without, f, false);
			for (size_t k = 0; k < l->n_models && fset_has(on, f); k++)
				if (fset_equal(&l->model[k].on, &without) && l->model[k].n_infeasible) {
					str_addf(out, "  without %-10s ", m->feature[f].name);
					add_infeasible(o, s, &l->model[k], out);
				}
		}
	}
}

static void
add_needs(const struct udd_model *m, const struct search *s, struct str *out)
{
	const struct lattice *l = s->lattice;
	bool some = false;

	for (size_t i = 0; i < s->start->n_findings; i++) {
		if (!fset_count(&l->needs[i]))
			continue;
		str_addf(out, "%s  %-20s ", some ? "" : "\nfeatures without which no model allows an observation:\n",
			s->start->finding[i].name);
		print_feature_names(m, &l->needs[i], "", out);
		str_addc(out, '\n');
		some = true;
	}
}

static void
add_orphans(const struct search *s, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->start->n_findings; i++)
		n += s->lattice->orphan[i];
	if (!n)
		return;
	str_add(out, s->lattice->complete ? "\nno model allows" : "\nno tested model allows");
	for (size_t i = 0, k = 0; i < s->start->n_findings; i++)
		if (s->lattice->orphan[i])
			str_addf(out, "%s %s", k++ ? "," : "", s->start->finding[i].name);
	str_addc(out, '\n');
}

/* With more than one, each observation is allowed by some model, but no model allows all of them. */
static void
print_search_add_refusal(const struct search *s, const struct search_end *end, struct str *out)
{
	if (!end->refused)
		return;
	str_addf(out, "\n%s of %zu observation%s that no %smodel allows%s:",
		end->refusal.proven ? "the smallest set" : "a set", end->refusal.n, end->refusal.n == 1 ? "" : "s",
		s->lattice->complete ? "" : "tested ", end->refusal.n == 1 ? "" : " together");
	for (size_t i = 0; i < end->refusal.n; i++)
		str_addf(out, "%s %s", i ? "," : "", s->start->finding[end->refusal.element[i]].name);
	str_addc(out, '\n');
}

static void
add_findings(const struct udd_model *m, const struct search *s, struct str *out)
{
	const struct lattice *l = s->lattice;

	for (size_t i = 0; i < s->n_alike; i++) {
		str_addf(out, "%s%s\n", i ? "" : "\n", s->alike[i].says);
		if (s->alike[i].why)
			str_addf(out, "  %s\n", s->alike[i].why);
	}
	for (size_t i = 0; i < l->n_shrinks; i++) {
		str_addf(out, "%sfeature %s removes a part of the cone: the cone of ", i ? "" : "\n",
			m->feature[l->shrink[i].feature].name);
		print_feature_names(m, &l->model[l->shrink[i].from].on, "no features", out);
		str_add(out, " is not inside the cone with it\n");
	}
}

/* Prints the effect of each feature alone, and the command for the next step. */
static void
add_proposal(const struct udd_model *m, const struct search *s, struct str *out)
{
	const struct lattice *l = s->lattice;
	bool done = l->n_models > 1 && l->model[1].usable && !l->model[1].n_infeasible;

	for (size_t i = 0; i < s->n_repairs; i++)
		str_addf(out, "  %-12s frees %zu alone\n", m->feature[s->repair[i].feature].name, s->repair[i].frees);
	if (!s->n_repairs || l->n_models < 2 || !l->model[1].usable)
		return;
	str_addf(out, "next: --step %s --features ", done ? "elimination" : "discovery");
	for (size_t i = 0, k = 0; i < m->n_features; i++)
		if (fset_has(&s->proposed, i))
			str_addf(out, "%s%s", k++ ? "," : "", m->feature[i].name);
	str_addc(out, '\n');
}

static bool
same_minimal(const struct lattice *a, const struct lattice *b)
{
	for (size_t i = 0; i < a->n_minimal; i++) {
		size_t k = 0;

		while (k < b->n_minimal && !fset_equal(&a->model[a->minimal[i]].on, &b->model[b->minimal[k]].on))
			k++;
		if (k == b->n_minimal)
			return false;
	}
	return a->n_minimal == b->n_minimal;
}

/* Prints the result of the other way to count, where it differs. */
static void
add_other(const struct options *o, const struct udd_model *m, const struct search *s, struct str *out)
{
	const struct lattice *l = s->other;

	if (!l || same_minimal(l, s->lattice))
		return;
	str_add(out, model_args_family_wise(o) ? "\none by one, without Holm's procedure, the result differs: "
			: "\nfamily-wise, by Holm's procedure over all observations, the result differs: ");
	if (l->n_minimal) {
		print_feature_names(m, &l->required, "nothing", out);
		str_add(out, " required; smallest survivors");
	} else {
		str_add(out, "no choice of features survives");
	}
	for (size_t i = 0; i < l->n_minimal; i++) {
		str_add(out, " {");
		print_feature_names(m, &l->model[l->minimal[i]].on, "", out);
		str_addc(out, '}');
	}
	if (!l->complete)
		str_addf(out, " (not complete: %s)", l->reason);
	str_addc(out, '\n');
}

/* Prints when each observation refuted the model. A refutation stays valid, whatever later samples look like. */
static void
add_watch(const struct options *o, const struct udd_model *m, const struct search_watch *watch, struct str *out)
{
	size_t n = watch ? watch->past->n : 0;

	for (size_t i = 0; i < n; i++) {
		const struct past_refutation *r = &watch->past->item[i];

		if (i == PAST_SHOWN && !o->verbose && n > PAST_SHOWN + 1) {
			str_addf(out, "  and %zu more (-v lists them)\n", n - i);
			break;
		}
		str_addf(out, "%s  %.1f s, %zu samples: %s refutes ", i ? "" : "\nwhen it was refuted, for good:\n",
			r->seconds, r->samples, r->name);
		print_feature_names(m, &r->on, "no features", out);
		str_add(out, " by ");
		print_relation(out, r->text, print_ascii(o));
		str_addc(out, '\n');
	}
}

static void
print_search_add_features(const struct udd_model *m, const struct search *s, struct str *out)
{
	const struct lattice *l = s->lattice;
	struct fset optional = search_optional(s);

	print_search_add_line(m, "required", &l->required, out);
	print_search_add_line(m, "optional", &optional, out);
	if (s->request.task == SEARCH_AUTO) {
		char *where = search_useless_in(s);

		print_search_add_line(m, "useless", &s->useless, out);
		if (where)
			str_addf(out, "            %s\n", where);
		free(where);
	}
}

void
print_search_text(const struct options *o, const struct udd_model *m, const struct search *s,
	const struct search_end *end, const struct search_watch *watch, struct str *out)
{
	const struct lattice *l = s->lattice;
	bool all = s->request.task == SEARCH_AUTO;

	str_addf(out, "model %s, %zu features, %zu observations\n", m->name, m->n_features, s->start->n_findings);
	print_counterpoint(o, out);
	str_addf(out, "%zu models tested, ", l->tested);
	if (isnan(l->sets))
		str_add(out, "too many others to be counted");
	else
		str_addf(out, "%.0f %s", l->sets - (double)l->tested,
			l->complete ? "classified without a test" : "not tested");
	str_addf(out, "; %zu cones; %.3g s\n", s->cones, s->seconds);
	if (!l->whole)
		str_addf(out, "not complete: %s\n", l->reason);
	if (s->decided < s->start->n_findings && (all || !s->says)) { /* the sentence of a step already says it */
		search_graph_undecided_text(s->start->n_findings - s->decided, s->start->n_findings, out);
		str_addc(out, '\n');
	}
	if (fset_count(&l->fixed))
		print_search_add_line(m, "fixed", &l->fixed, out);
	if (fset_count(&l->impossible)) {
		str_add(out, "never on: ");
		print_feature_names(m, &l->impossible, "", out);
		str_add(out,
			fset_count(&l->fixed) ? "; with the fixed features, no legal choice has "
						"such a feature\n"
					      : "; no legal choice has such a feature\n");
	}
	if (o->verbose) {
		str_add(out, "\nmodels tested, in order:\n");
		for (size_t i = 0; i < l->n_models; i++)
			print_search_add_model(o, m, s, &l->model[i], out);
	}
	str_addc(out, '\n');
	if (!all && s->says && !(l->n_minimal && s->request.task == SEARCH_ELIMINATE))
		str_addf(out, "%s\n", s->says);
	if (s->request.task == SEARCH_DISCOVER) {
		add_proposal(m, s, out);
		return;
	}
	if (!s->decided)
		return;
	if (all && s->suspects_text)
		str_addf(out, "%s\n\n", s->suspects_text);
	if (l->n_minimal)
		print_search_add_features(m, s, out);
	else if (all)
		str_add(out,
			l->complete ? "no choice of features survives\n" : "no tested choice of features survives\n");
	print_search_add_minimal(o, m, s, out);
	if (all) {
		add_needs(m, s, out);
		add_orphans(s, out);
		print_search_add_refusal(s, end, out);
		add_other(o, m, s, out);
	}
	add_findings(m, s, out);
	add_watch(o, m, watch, out);
	print_explain_text(o, m, s->start, end->start, out);
	print_drafts_text(m, s->start, end->drafts, out);
	if (end->drafts && end->drafts->found->n)
		suspects_caution(m, &s->suspects, out);
	if (s->worth)
		print_worth_text(m, s->worth, out);
}
