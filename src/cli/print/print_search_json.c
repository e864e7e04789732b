/* The result of a search, as a document (docs/json.md). */
#include <math.h>

#include "base/json.h"
#include "cli/counting.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_explain.h"
#include "cli/print/print_search.h"
#include "cli/search_watch.h"
#include "core/udd/model.h"
#include "work/analysis/past.h"
#include "work/search/search.h"
#include "work/search/search_result.h"

static const char *
task_name(enum search_task t)
{
	switch (t) {
	case SEARCH_DISCOVER:
		return "discovery";
	case SEARCH_ELIMINATE:
		return "elimination";
	case SEARCH_NONE:
	case SEARCH_AUTO:
		break;
	}
	return "all";
}

static void
write_models(struct json_writer *writer, const struct udd_model *model, const struct search *search)
{
	json_open(writer, "models", '[');
	for (size_t i = 0; i < search->graph->n_models; i++) {
		const struct search_graph_model *tested = &search->graph->model[i];

		json_open(writer, NULL, '{');
		print_json_set(writer, "features", model, &tested->on);
		if (tested->usable) {
			json_int(writer, "infeasible", (int64_t)tested->infeasible);
			json_int(writer, "infeasible_each", (int64_t)search->cone[tested->cone_number].each);
			json_int(writer, "infeasible_family_wise",
				(int64_t)search->cone[tested->cone_number].family_wise);
			json_int(writer, "cone", (int64_t)tested->cone_number);
		} else {
			json_null(writer, "infeasible");
			json_null(writer, "infeasible_each");
			json_null(writer, "infeasible_family_wise");
			json_null(writer, "cone");
		}
		json_str(writer, "step", graph_step_names[tested->step]);
		json_open(writer, "refuted_by", '[');
		for (size_t k = 0; k < search->start->n_findings; k++)
			if (graph_model_refuted_by(tested, k))
				json_str(writer, NULL, search->start->finding[k].name);
		json_close(writer, ']');
		json_str(writer, "worst", tested->worst);
		json_str(writer, "worst_by", tested->worst_by);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
write_edges(struct json_writer *writer, const struct udd_model *model, const struct search_graph *graph)
{
	json_open(writer, "edges", '[');
	for (size_t i = 0; i < graph->n_edges; i++) {
		const struct search_graph_edge *edge = &graph->edge[i];
		size_t f = 0;

		while (f < model->n_features && !fset_has(&edge->changed, f))
			f++;
		json_open(writer, NULL, '{');
		json_int(writer, "from", (int64_t)edge->from);
		json_int(writer, "to", (int64_t)edge->to);
		json_str(writer, "feature", fset_count(&edge->changed) == 1 ? model->feature[f].name : NULL);
		print_json_set(writer, "changed", model, &edge->changed);
		json_str(writer, "step", graph_step_names[edge->step]);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

/* `nothing`: pairs in which a feature adds nothing; otherwise pairs that are equal. */
static void
write_alike(struct json_writer *writer, const char *key, const struct udd_model *model, const struct search *search,
	bool nothing)
{
	json_open(writer, key, '[');
	for (size_t i = 0; i < search->graph->n_alike; i++) {
		const struct search_graph_alike *alike = &search->graph->alike[i];

		if ((alike->kind == GRAPH_NOTHING || alike->kind == GRAPH_PARTLY) != nothing)
			continue;
		json_open(writer, NULL, '{');
		if (!nothing)
			json_str(writer, "kind", alike->kind == GRAPH_EQUAL ? "equal" : "survivors");
		json_open(writer, "sets", '[');
		print_json_set(writer, NULL, model, &search->graph->alike[i].one);
		print_json_set(writer, NULL, model, &search->graph->alike[i].other);
		json_close(writer, ']');
		json_int(writer, "tested", (int64_t)alike->tested);
		json_int(writer, "held", (int64_t)alike->held);
		json_bool(writer, "all", alike->whole);
		json_str(writer, "says", alike->says);
		json_str(writer, "why", alike->example);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
write_needs(struct json_writer *writer, const struct udd_model *model, const struct search *search)
{
	json_open(writer, "needs", '[');
	for (size_t i = 0; i < search->start->n_findings; i++)
		if (fset_count(&search->graph->own.needed[i])) {
			json_open(writer, NULL, '{');
			json_str(writer, "observation", search->start->finding[i].name);
			print_json_set(writer, "features", model, &search->graph->own.needed[i]);
			json_close(writer, '}');
		}
	json_close(writer, ']');
	json_open(writer, "orphans", '[');
	for (size_t i = 0; i < search->start->n_findings; i++)
		if (search->graph->own.orphan[i])
			json_str(writer, NULL, search->start->finding[i].name);
	json_close(writer, ']');
}

static void
write_shrinks(struct json_writer *w, const struct udd_model *m, const struct search_graph *l)
{
	json_open(w, "shrinks", '[');
	for (size_t i = 0; i < l->own.n_shrinks; i++) {
		json_open(w, NULL, '{');
		json_str(w, "feature", m->feature[l->own.shrink[i].feature].name);
		json_int(w, "from", (int64_t)l->own.shrink[i].from);
		json_int(w, "to", (int64_t)l->own.shrink[i].to);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void
write_step(struct json_writer *writer, const struct udd_model *model, const struct search *search)
{
	json_str(writer, "step", task_name(search->request.task));
	print_json_set(writer, "fixed", model, &search->graph->fixed);
	json_str(writer, "says", search->graph->says);
	print_json_suspects(writer, model, &search->suspects, &search->suspected);
	print_json_set(writer, "proposed", model, &search->graph->proposed);
	json_open(writer, "repairs", '[');
	for (size_t i = 0; i < search->graph->n_repairs; i++) {
		json_open(writer, NULL, '{');
		json_str(writer, "feature", model->feature[search->graph->repair[i].feature].name);
		json_int(writer, "frees", (int64_t)search->graph->repair[i].frees);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
write_minimal(struct json_writer *w, const struct udd_model *m, const struct search_graph *l)
{
	json_open(w, "minimal", '[');
	for (size_t i = 0; i < l->needs.n_minimal; i++)
		print_json_set(w, NULL, m, &l->model[l->needs.minimal[i]].on);
	json_close(w, ']');
	print_json_set(w, "required", m, &l->needs.required);
}

/* The smallest survivors by each observation's verdict, or by Holm's procedure over all. */
static void
write_by(struct json_writer *w, const char *key, const struct udd_model *m, const struct search_graph *l)
{
	json_open(w, key, '{');
	write_minimal(w, m, l);
	json_bool(w, "complete", l->complete);
	json_close(w, '}');
}

static void
write_changes(struct json_writer *writer, const struct udd_model *model, const struct search_watch *watch)
{
	json_open(writer, "changes", '[');
	for (size_t i = 0; i < watch->n_changes; i++) {
		const struct watch_change *change = &watch->change[i];

		json_open(writer, NULL, '{');
		json_num(writer, "seconds", change->seconds);
		json_int(writer, "samples", (int64_t)change->samples);
		json_open(writer, "minimal", '[');
		for (size_t k = 0; k < change->n_minimal; k++)
			print_json_set(writer, NULL, model, &change->minimal[k]);
		json_close(writer, ']');
		print_json_set(writer, "required", model, &change->required);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
write_refusal(struct json_writer *writer, const struct search *search, const struct search_end *end)
{
	if (!end->refused) {
		json_null(writer, "refusal");
		return;
	}
	json_open(writer, "refusal", '{');
	json_open(writer, "observations", '[');
	for (size_t i = 0; i < end->refusal.n; i++)
		json_str(writer, NULL, search->start->finding[end->refusal.element[i]].name);
	json_close(writer, ']');
	json_bool(writer, "smallest", end->refusal.proven);
	json_close(writer, '}');
}

static void
write_watch(struct json_writer *writer, const struct udd_model *model, const struct search_watch *watch)
{
	if (!watch) {
		json_null(writer, "watch");
		return;
	}
	json_open(writer, "watch", '{');
	json_int(writer, "searches", (int64_t)watch->searches);
	write_changes(writer, model, watch);
	json_open(writer, "refutations", '[');
	for (size_t i = 0; i < watch->past->n; i++) {
		const struct past_refutation *refutation = &watch->past->item[i];

		json_open(writer, NULL, '{');
		json_str(writer, "observation", refutation->name);
		json_num(writer, "seconds", refutation->seconds);
		json_int(writer, "samples", (int64_t)refutation->samples);
		print_json_set(writer, "features", model, &refutation->on);
		json_str(writer, "text", refutation->text);
		print_coefficients(writer, "coef", model, refutation->coef, model->n_counters);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_close(writer, '}');
}

void
print_search_json(const struct options *options, const struct udd_model *model, const struct search *search,
	const struct search_end *end, const struct counting *counting, const struct search_watch *watch,
	struct json_writer *writer)
{
	const struct search_graph *graph = search->graph;

	json_open(writer, NULL, '{');
	print_json_head(writer, "hecate.search/1", model, &search->start->on);
	print_counting_json(counting, writer);
	print_json_data(writer, options, model, search->start, counting);
	json_int(writer, "observations", (int64_t)search->start->n_findings);
	json_int(writer, "decided", (int64_t)search_decided(search));
	json_int(writer, "undecided", (int64_t)graph->undecided);
	write_step(writer, model, search);
	write_models(writer, model, search);
	write_edges(writer, model, graph);
	write_minimal(writer, model, graph);
	print_json_set(writer, "optional", model, &graph->needs.optional);
	print_json_set(writer, "useless", model, &graph->needs.useless);
	json_open(writer, "useless_tried", '{');
	json_int(writer, "tested", (int64_t)search->useless_tested);
	json_bool(writer, "all", search->useless_whole);
	json_close(writer, '}');
	print_json_set(writer, "impossible", model, &graph->own.impossible);
	write_by(writer, "by_each", model, model_args_family_wise(options) && search->other ? search->other : graph);
	write_by(writer, "by_family_wise", model,
		!model_args_family_wise(options) && search->other ? search->other : graph);
	write_alike(writer, "inseparable", model, search, false);
	write_alike(writer, "adds_nothing", model, search, true);
	write_needs(writer, model, search);
	write_shrinks(writer, model, graph);
	print_json_set(writer, "proven", model, &search->proven);
	json_bool(writer, "complete", graph->complete);
	json_str(writer, "reason", graph->reason);
	json_int(writer, "tested", (int64_t)graph->tested);
	json_num(writer, "skipped", graph->sets - (double)graph->tested);
	json_int(writer, "cones", (int64_t)search->cones);
	write_refusal(writer, search, end);
	print_drafts_json(writer, model, search->start, end->drafts);
	print_explain_json(writer, model, search->start, end->start);
	json_num(writer, "seconds", graph->seconds);
	if (search->worth)
		print_worth_json(writer, model, search->worth);
	write_watch(writer, model, watch);
	json_close(writer, '}');
}
