/* Results of searches, in the report. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/search/search_graph.h"
#include "core/udd/model.h"
#include "explorer/report/report.h"
#include "work/remarks.h"

#define MODELS_SHOWN 60 /* rows of the table; the session file and hecate search --json have all models */

static void
sets_line(const struct report *p, const char *name, const struct fset *on, struct str *out)
{
	str_addf(out, "- %s: ", name);
	report_set(p->model, on, "none", out);
	str_addc(out, '\n');
}

static void
findings(const struct report *report, struct str *out)
{
	const struct search_graph *graph = report->graph;

	bool all = isfinite(graph->sets) && (double)graph->n_models >= graph->sets;

	str_addf(out, "%zu model%s tested", graph->n_models,
		graph->n_models == 1 ? " was" : "s were");
	if (all)
		str_add(out, ", all that the model allows.\n");
	else if (isfinite(graph->sets))
		str_addf(out, " of %.17g that the model allows; ", graph->sets);
	else
		str_add(out, "; ");
	if (!all)
		str_add(out,
			graph->complete ? "the others were classified without a test.\n"
				: "not all are classified, so what follows applies to the tested ones.\n");
	if (!graph->complete && graph->reason) {
		str_add(out, "Why: ");
		report_add_text(out, graph->reason);
		str_add(out, ".\n");
	}
	str_addc(out, '\n');
	if (graph->suspects) {
		str_add(out, "- ");
		report_add_text(out, graph->suspects);
		str_addc(out, '\n');
	}
	if (graph->undecided) {
		struct str words = {0};

		search_graph_undecided_text(graph->undecided, graph->n_observations, &words);
		str_addf(out, "- %s\n", str_text(&words));
		str_free(&words);
	}
	if (search_graph_undecided(graph)) {
		;
	} else if (graph->needs.n_minimal) {
		sets_line(report, "required: in every model that survives", &graph->needs.required, out);
		sets_line(report, "optional: in some models that survive", &graph->needs.optional, out);
		sets_line(report, graph->needs.useless_in ? "no effect where tried: changes neither cone nor verdict"
			: "no effect: changes neither cone nor verdict", &graph->needs.useless, out);
		for (size_t i = 0; i < graph->needs.n_minimal; i++)
			sets_line(report, "survives, and no feature can be removed",
				&graph->model[graph->needs.minimal[i]].on, out);
	} else {
		str_add(out, "- no model that was tested survives\n");
	}
	for (size_t i = 0; i < graph->n_alike; i++) {
		if (!graph->alike[i].why)
			continue;
		str_add(out, "- over the counters ");
		report_add_text(out, graph->alike[i].why);
		str_addc(out, '\n');
	}
	str_addc(out, '\n');
}

/* Returns the features that all tested models share which survive the observation; `takers`: number of these models. */
static struct fset
needed(const struct search_graph *graph, size_t observation, size_t *takers)
{
	struct fset all = {0};

	*takers = 0;
	for (size_t i = 0; i < graph->n_models; i++) {
		if (!graph->model[i].usable || graph_model_refuted_by(&graph->model[i], observation))
			continue;
		all = *takers ? fset_and(all, graph->model[i].on) : graph->model[i].on;
		++*takers;
	}
	return all;
}

static void
needs(const struct report *report, struct str *out)
{
	const struct search_graph *graph = report->graph;
	size_t n = 0;

	for (size_t i = 0; i < graph->n_observations; i++) {
		size_t takers;
		struct fset all = needed(graph, i, &takers);

		if (takers && !fset_count(&all))
			continue;
		if (!n++)
			str_add(out, "What each observation needs: the features of every tested model that survives "
				"it.\n\n| observation | needs |\n| --- | --- |\n");
		str_add(out, "| ");
		report_add_text(out, graph->observation[i]);
		str_add(out, " | ");
		if (takers)
			report_set(report->model, &all, "", out);
		else
			str_add(out, "no tested model survives it");
		str_add(out, " |\n");
	}
	if (n)
		str_addc(out, '\n');
}

static void
models(const struct report *report, struct str *out)
{
	const struct search_graph *graph = report->graph;
	size_t shown = graph->n_models < MODELS_SHOWN ? graph->n_models : MODELS_SHOWN;

	str_add(out, "| model | features | step | refuted by | worst constraint |\n| ---: | --- | --- | --- | --- |\n");
	for (size_t i = 0; i < shown; i++) {
		const struct search_graph_model *model = &graph->model[i];
		char *json;
		const struct remark *note;
		struct str text = {0};

		features_json(report->model, &model->on, &text);
		json = str_take(&text);
		note = report->remarks ? remarks_on(report->remarks, REMARK_FEATURES, json) : NULL;
		str_addf(out, "| m%zu | ", i);
		report_set(report->model, &model->on, "none", out);
		str_addf(out, " | %s | ", model->step == GRAPH_CHOSEN ? "by hand" : graph_step_names[model->step]);
		if (!model->usable)
			str_add(out, "(not a legal model)");
		else if (model->survives)
			str_add(out, search_graph_undecided(graph) ? "none: nothing is decided" : "none: it survives");
		else
			str_addf(out, "%zu", model->infeasible);
		str_add(out, " | ");
		report_add_text(out, model->worst ? model->worst : ".");
		if (model->worst_by) {
			str_add(out, ", by ");
			report_add_text(out, model->worst_by);
		}
		if (note) {
			str_add(out, " (note: ");
			report_add_text(out, note->text);
			str_addc(out, ')');
		}
		str_add(out, " |\n");
		free(json);
	}
	if (shown < graph->n_models)
		str_addf(out, "\n%zu more models are not shown here.\n", graph->n_models - shown);
	str_addc(out, '\n');
}

void
report_searches(const struct report *p, struct str *out)
{
	if (!p->graph)
		return;
	str_add(out, "## The search\n\n");
	findings(p, out);
	needs(p, out);
	models(p, out);
}
