#include "cli/print/print_search.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/number.h"
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
add_refuters(
	const struct options *options, const struct search *search, const struct search_graph_model *model,
	struct str *out)
{
	size_t n = 0;

	for (size_t k = 0; k < search->start->n_findings; k++) {
		if (!graph_model_refuted_by(model, k))
			continue;
		if (n < REFUTERS_SHOWN || options->verbose)
			str_addf(out, "%s%s", n ? ", " : "", search->start->finding[k].name);
		n++;
	}
	if (n > REFUTERS_SHOWN && !options->verbose)
		str_addf(out, " and %zu more", n - REFUTERS_SHOWN);
}

/* "5 infeasible (3 family-wise): xz, sort and 3 more" */
static void
add_infeasible(
	const struct options *options, const struct search *search, const struct search_graph_model *model,
	struct str *out)
{
	const struct search_cone *cone = &search->cone[model->cone_number];

	str_addf(out, "%5zu infeasible", model->infeasible);
	if (cone->each != cone->family_wise)
		str_addf(out, model_args_family_wise(options) ? " (%zu if each is judged alone)" : " (%zu family-wise)",
			model_args_family_wise(options) ? cone->each : cone->family_wise);
	if (model->infeasible)
		str_add(out, ": ");
	add_refuters(options, search, model, out);
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
print_search_add_model(const struct options *options, const struct udd_model *model, const struct search *search,
	const struct search_graph_model *tested, struct str *out)
{
	struct str names = {0};

	print_feature_names(model, &tested->on, "no features", &names);
	str_addf(out, "  %-28s ", str_text(&names));
	str_free(&names);
	if (!tested->usable) {
		str_add(out, "makes an error\n");
		return;
	}
	if (options->verbose)
		str_addf(out, "%-11s cone %-3zu ", graph_step_names[tested->step], tested->cone_number);
	add_infeasible(options, search, tested, out);
}

/* Lists the models that are one feature short of a minimal survivor. What refutes them is why the feature is needed. */
static void
print_search_add_minimal(
	const struct options *options, const struct udd_model *model, const struct search *search, struct str *out)
{
	const struct search_graph *graph = search->graph;

	for (size_t i = 0; i < graph->needs.n_minimal; i++) {
		const struct fset *on = &graph->model[graph->needs.minimal[i]].on;

		str_add(out, "\nsurvives with no feature to spare: ");
		print_feature_names(model, on, "no features", out);
		str_addc(out, '\n');
		for (size_t f = 0; f < model->n_features; f++) {
			struct fset without = *on;

			fset_put(&without, f, false);
			for (size_t k = 0; k < graph->n_models && fset_has(on, f); k++)
				if (fset_equal(&graph->model[k].on, &without) && graph->model[k].infeasible) {
					str_addf(out, "  without %-10s ", model->feature[f].name);
					add_infeasible(options, search, &graph->model[k], out);
				}
		}
	}
}

static void
add_needs(const struct udd_model *model, const struct search *search, struct str *out)
{
	const struct search_graph *graph = search->graph;
	bool some = false;

	for (size_t i = 0; i < search->start->n_findings; i++) {
		if (!fset_count(&graph->own.needed[i]))
			continue;
		str_addf(out, "%s  %-20s ", some ? "" : "\nfeatures without which no model allows an observation:\n",
			search->start->finding[i].name);
		print_feature_names(model, &graph->own.needed[i], "", out);
		str_addc(out, '\n');
		some = true;
	}
}

static void
add_orphans(const struct search *search, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0; i < search->start->n_findings; i++)
		n += search->graph->own.orphan[i];
	if (!n)
		return;
	str_add(out, search->graph->complete ? "\nno model allows" : "\nno tested model allows");
	for (size_t i = 0, k = 0; i < search->start->n_findings; i++)
		if (search->graph->own.orphan[i])
			str_addf(out, "%s %s", k++ ? "," : "", search->start->finding[i].name);
	str_addc(out, '\n');
}

/* With more than one, each observation is allowed by some model, but no model allows all of them. */
static void
print_search_add_refusal(const struct search *s, const struct search_end *end, struct str *out)
{
	if (!end->refused)
		return;
	str_addf(out, "\n%s of %zu observation%s that no %smodel allows%s:",
		end->refusal.proven ? "the smallest set" : "a set", end->refusal.n, plural_s(end->refusal.n),
		s->graph->complete ? "" : "tested ", end->refusal.n == 1 ? "" : " together");
	for (size_t i = 0; i < end->refusal.n; i++)
		str_addf(out, "%s %s", i ? "," : "", s->start->finding[end->refusal.element[i]].name);
	str_addc(out, '\n');
}

static void
add_findings(const struct udd_model *model, const struct search *search, struct str *out)
{
	const struct search_graph *graph = search->graph;

	for (size_t i = 0; i < graph->n_alike; i++) {
		str_addf(out, "%s%s\n", i ? "" : "\n", graph->alike[i].says);
		if (graph->alike[i].example)
			str_addf(out, "  %s\n", graph->alike[i].example);
	}
	for (size_t i = 0; i < graph->own.n_shrinks; i++) {
		str_addf(out, "%sfeature %s removes a part of the cone: the cone of ", i ? "" : "\n",
			model->feature[graph->own.shrink[i].feature].name);
		print_feature_names(model, &graph->model[graph->own.shrink[i].from].on, "no features", out);
		str_add(out, " is not inside the cone with it\n");
	}
}

/* Prints the effect of each feature alone, and the command for the next step. */
static void
add_proposal(const struct udd_model *model, const struct search *search, struct str *out)
{
	const struct search_graph *graph = search->graph;
	bool done = graph->n_models > 1 && graph->model[1].usable && !graph->model[1].infeasible;

	for (size_t i = 0; i < graph->n_repairs; i++)
		str_addf(out, "  %-12s frees %zu alone\n", model->feature[graph->repair[i].feature].name,
			graph->repair[i].frees);
	if (!graph->n_repairs || graph->n_models < 2 || !graph->model[1].usable)
		return;
	str_addf(out, "next: --step %s --features ", done ? "elimination" : "discovery");
	for (size_t i = 0, k = 0; i < model->n_features; i++)
		if (fset_has(&graph->proposed, i))
			str_addf(out, "%s%s", k++ ? "," : "", model->feature[i].name);
	str_addc(out, '\n');
}

/* Prints the result of the other way to count, where it differs. */
static void
add_other(const struct options *options, const struct udd_model *model, const struct search *search, struct str *out)
{
	const struct search_graph *graph = search->other;

	if (!graph || search_graph_same_minimal(graph, search->graph))
		return;
	str_add(out, model_args_family_wise(options) ? "\none by one, without Holm's procedure, the result differs: "
			: "\nfamily-wise, by Holm's procedure over all observations, the result differs: ");
	if (graph->needs.n_minimal) {
		print_feature_names(model, &graph->needs.required, "nothing", out);
		str_add(out, " required; smallest survivors");
	} else {
		str_add(out, "no choice of features survives");
	}
	for (size_t i = 0; i < graph->needs.n_minimal; i++) {
		str_add(out, " {");
		print_feature_names(model, &graph->model[graph->needs.minimal[i]].on, "", out);
		str_addc(out, '}');
	}
	if (!graph->complete)
		str_addf(out, " (not complete: %s)", graph->reason);
	str_addc(out, '\n');
}

/* Prints when each observation refuted the model. A refutation stays valid, whatever later samples look like. */
static void
add_watch(
	const struct options *options, const struct udd_model *model, const struct search_watch *watch, struct str *out)
{
	size_t n = watch ? watch->past->n : 0;

	for (size_t i = 0; i < n; i++) {
		const struct past_refutation *refutation = &watch->past->item[i];

		if (i == PAST_SHOWN && !options->verbose && n > PAST_SHOWN + 1) {
			str_addf(out, "  and %zu more (-v lists them)\n", n - i);
			break;
		}
		str_addf(out, "%s  %.1f s, %zu samples: %s refutes ", i ? "" : "\nwhen it was refuted, for good:\n",
			refutation->seconds, refutation->samples, refutation->name);
		print_feature_names(model, &refutation->on, "no features", out);
		str_add(out, " by ");
		print_relation(out, refutation->text, print_ascii(options));
		str_addc(out, '\n');
	}
}

static void
print_search_add_features(const struct udd_model *model, const struct search *search, struct str *out)
{
	const struct search_graph *graph = search->graph;

	print_search_add_line(model, "required", &graph->needs.required, out);
	print_search_add_line(model, "optional", &graph->needs.optional, out);
	if (search->request.task == SEARCH_AUTO) {
		print_search_add_line(model, "no effect", &graph->needs.useless, out);
		if (graph->needs.useless_in)
			str_addf(out, "            %s\n", graph->needs.useless_in);
	}
}

void
print_search_text(const struct options *options, const struct udd_model *model, const struct search *search,
	const struct search_end *end, const struct search_watch *watch, struct str *out)
{
	const struct search_graph *graph = search->graph;
	bool all = search->request.task == SEARCH_AUTO;

	str_addf(out, "model %s, %zu feature%s, %zu observation%s\n", model->name, model->n_features,
		plural_s(model->n_features), search->start->n_findings, plural_s(search->start->n_findings));
	print_counterpoint(options, out);
	str_addf(out, "%zu model%s tested, ", graph->tested, plural_s(graph->tested));
	if (isnan(graph->sets))
		str_add(out, "too many others to be counted");
	else
		str_addf(out, "%.0f %s", graph->sets - (double)graph->tested,
			graph->complete ? "classified without a test" : "not tested");
	str_addf(out, "; %zu cone%s; %.3g s\n", search->cones, plural_s(search->cones), graph->seconds);
	if (!graph->own.whole)
		str_addf(out, "not complete: %s\n", graph->reason);
	if (graph->undecided && (all || !graph->says)) { /* the sentence of a step already says it */
		search_graph_undecided_text(graph->undecided, graph->n_observations, out);
		str_addc(out, '\n');
	}
	if (fset_count(&graph->fixed))
		print_search_add_line(model, "fixed", &graph->fixed, out);
	if (fset_count(&graph->own.impossible)) {
		str_add(out, "never on: ");
		print_feature_names(model, &graph->own.impossible, "", out);
		str_add(out,
			fset_count(&graph->fixed) ? "; with the fixed features, no legal choice has "
						"such a feature\n"
					      : "; no legal choice has such a feature\n");
	}
	if (options->verbose) {
		str_add(out, "\nmodels tested, in order:\n");
		for (size_t i = 0; i < graph->n_models; i++)
			print_search_add_model(options, model, search, &graph->model[i], out);
	}
	str_addc(out, '\n');
	if (!all && graph->says && !(graph->needs.n_minimal && search->request.task == SEARCH_ELIMINATE))
		str_addf(out, "%s\n", graph->says);
	if (search->request.task == SEARCH_DISCOVER) {
		add_proposal(model, search, out);
		return;
	}
	if (!search_decided(search))
		return;
	if (all && graph->suspects)
		str_addf(out, "%s\n\n", graph->suspects);
	if (graph->needs.n_minimal)
		print_search_add_features(model, search, out);
	else if (all)
		str_add(out,
			graph->complete ? "no choice of features survives\n"
					  : "no tested choice of features survives\n");
	print_search_add_minimal(options, model, search, out);
	if (all) {
		add_needs(model, search, out);
		add_orphans(search, out);
		print_search_add_refusal(search, end, out);
		add_other(options, model, search, out);
	}
	add_findings(model, search, out);
	add_watch(options, model, watch, out);
	print_explain_text(options, model, search->start, end->start, out);
	print_drafts_text(model, search->start, end->drafts, out);
	if (end->drafts && end->drafts->found->n)
		suspects_caution(model, &search->suspects, out);
	if (search->worth)
		print_worth_text(model, search->worth, out);
}
