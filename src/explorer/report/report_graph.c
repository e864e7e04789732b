/* Results of searches, in the report. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "explorer/report/report.h"
#include "work/remarks.h"
#include "work/search/search_graph.h"

#define MODELS_SHOWN 60 /* rows of the table; the session file and hecate search --json have all models */

static void
sets_line(const struct report *p, const char *name, const struct fset *on, struct str *out)
{
	str_addf(out, "- %s: ", name);
	report_set(p->model, on, "none", out);
	str_addc(out, '\n');
}

static void
findings(const struct report *p, struct str *out)
{
	const struct search_graph *g = p->graph;

	bool all = isfinite(g->sets) && (double)g->n_models >= g->sets;

	str_addf(out, "%zu models were tested", g->n_models);
	if (all)
		str_add(out, ", all that the model allows.\n");
	else if (isfinite(g->sets))
		str_addf(out, " of %.17g that the model allows; ", g->sets);
	else
		str_add(out, "; ");
	if (!all)
		str_add(out,
			g->complete ? "the others were classified without a test.\n"
				: "not all are classified, so what follows applies to the tested ones.\n");
	if (!g->complete && g->reason) {
		str_add(out, "Why: ");
		report_add_text(out, g->reason);
		str_add(out, ".\n");
	}
	str_addc(out, '\n');
	if (g->suspects) {
		str_add(out, "- ");
		report_add_text(out, g->suspects);
		str_addc(out, '\n');
	}
	if (g->undecided) {
		struct str words = {0};

		search_graph_undecided_text(g->undecided, g->n_observations, &words);
		str_addf(out, "- %s\n", str_text(&words));
		str_free(&words);
	}
	if (search_graph_undecided(g)) {
		;
	} else if (g->needs.n_minimal) {
		sets_line(p, "required: in every model that survives", &g->needs.required, out);
		sets_line(p, "optional: in some models that survive", &g->needs.optional, out);
		sets_line(p, g->needs.useless_in ? "useless where tried: changes neither cone nor verdict"
			: "useless: changes neither cone nor verdict", &g->needs.useless, out);
		for (size_t i = 0; i < g->needs.n_minimal; i++)
			sets_line(p, "survives, and no feature can be removed", &g->model[g->needs.minimal[i]].on, out);
	} else {
		str_add(out, "- no model that was tested survives\n");
	}
	for (size_t i = 0; i < g->n_alike; i++) {
		if (!g->alike[i].why)
			continue;
		str_add(out, "- over the counters ");
		report_add_text(out, g->alike[i].why);
		str_addc(out, '\n');
	}
	str_addc(out, '\n');
}

static bool
refutes(const struct search_graph_model *m, size_t observation)
{
	return observation / 64 < m->n_words && m->refuted[observation / 64] >> (observation % 64) & 1;
}

/* Returns the features that all tested models share which survive the observation; `takers`: number of these models. */
static struct fset
needed(const struct search_graph *g, size_t observation, size_t *takers)
{
	struct fset all = {0};

	*takers = 0;
	for (size_t i = 0; i < g->n_models; i++) {
		if (!g->model[i].usable || refutes(&g->model[i], observation))
			continue;
		all = *takers ? fset_and(all, g->model[i].on) : g->model[i].on;
		++*takers;
	}
	return all;
}

static void
needs(const struct report *p, struct str *out)
{
	const struct search_graph *g = p->graph;
	size_t n = 0;

	for (size_t i = 0; i < g->n_observations; i++) {
		size_t takers;
		struct fset all = needed(g, i, &takers);

		if (takers && !fset_count(&all))
			continue;
		if (!n++)
			str_add(out, "What each observation needs: the features of every tested model that survives "
				"it.\n\n| observation | needs |\n| --- | --- |\n");
		str_add(out, "| ");
		report_add_text(out, g->observation[i]);
		str_add(out, " | ");
		if (takers)
			report_set(p->model, &all, "", out);
		else
			str_add(out, "no tested model survives it");
		str_add(out, " |\n");
	}
	if (n)
		str_addc(out, '\n');
}

static const char *
step_word(int step)
{
	switch ((enum graph_step)step) {
	case GRAPH_START:
		return "start";
	case GRAPH_DISCOVERY:
		return "discovery";
	case GRAPH_ELIMINATION:
		return "elimination";
	case GRAPH_CHOSEN:
		return "by hand";
	}
	return "";
}

static void
models(const struct report *p, struct str *out)
{
	const struct search_graph *g = p->graph;
	size_t shown = g->n_models < MODELS_SHOWN ? g->n_models : MODELS_SHOWN;

	str_add(out, "| model | features | step | refuted by | worst constraint |\n| ---: | --- | --- | --- | --- |\n");
	for (size_t i = 0; i < shown; i++) {
		const struct search_graph_model *m = &g->model[i];
		char *json;
		const struct remark *note;
		struct str text = {0};

		features_json(p->model, &m->on, &text);
		json = str_take(&text);
		note = p->remarks ? remarks_on(p->remarks, REMARK_FEATURES, json) : NULL;
		str_addf(out, "| m%zu | ", i);
		report_set(p->model, &m->on, "none", out);
		str_addf(out, " | %s | ", step_word(m->step));
		if (!m->usable)
			str_add(out, "(not a legal model)");
		else if (m->survives)
			str_add(out, search_graph_undecided(g) ? "none: nothing is decided" : "none: it survives");
		else
			str_addf(out, "%zu", m->infeasible);
		str_add(out, " | ");
		report_add_text(out, m->worst ? m->worst : ".");
		if (m->worst_by) {
			str_add(out, ", by ");
			report_add_text(out, m->worst_by);
		}
		if (note) {
			str_add(out, " (note: ");
			report_add_text(out, note->text);
			str_addc(out, ')');
		}
		str_add(out, " |\n");
		free(json);
	}
	if (shown < g->n_models)
		str_addf(out, "\n%zu more models are not shown here.\n", g->n_models - shown);
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
