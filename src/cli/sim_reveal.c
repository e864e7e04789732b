/* hecate sim --reveal: the features of a file's machine, next to those that its counters show. */
#include "cli/model_args.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/sim_parts.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/writing.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "work/analysis/analysis.h"
#include "work/files/data.h"
#include "work/files/reveal.h"
#include "work/search/search.h"
#include "work/search/search_result.h"

/* The answer that is scored, over the features of a model that a machine could have. */
struct score {
	sim_plants asked;    /* features that both could have, and that are searched */
	sim_plants planted;  /* of these */
	sim_plants named;    /* required by the data, or what the user says */
	sim_plants open;     /* the search leaves open: some model that survives has it, and some has not */
	sim_plants hidden;   /* planted, and whatever was measured, a model without it would allow it */
	bool searched, complete, survives; /* survives: what was planted is a model that the data do not refute */
	size_t survivors;
};

static enum sim_plant
plant_of(const struct udd_model *m, size_t feature)
{
	enum sim_plant p;

	return sim_plant_find(m->feature[feature].name, &p) ? p : SIM_N_PLANTS;
}

static sim_plants
plants_of(const struct udd_model *m, const struct fset *set)
{
	sim_plants all = 0;

	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(set, i) && plant_of(m, i) != SIM_N_PLANTS)
			all |= (sim_plants)1 << plant_of(m, i);
	return all;
}

/* What the machine is, as far as the model can say it. */
static struct fset
truth_of(const struct udd_model *m, sim_plants planted)
{
	struct fset on = {0};

	for (size_t i = 0; i < m->n_features; i++)
		if (plant_of(m, i) != SIM_N_PLANTS)
			fset_put(&on, i, planted >> plant_of(m, i) & 1);
	return on;
}

/* True when the data do not refute the model with these features. */
static bool
survives(struct analysis *a, const struct fset *truth)
{
	struct result *r = analysis_run(a, truth, NULL);
	bool good = !r->error && r->count[VERDICT_INFEASIBLE] == 0;

	result_free(r);
	return good;
}

/* What the search says, by Holm's verdicts: hundreds of observations are judged at once. */
static bool
sim_reveal_search(const struct options *options, struct score *score, struct err *e)
{
	const struct sim_options *own = options->own;
	struct bundle bundle = {0};
	struct udd_model *model = model_args_load_named(
		options, options->model_name ? options->model_name : own->reveal, &bundle);
	struct obs_table *table = model ? data_read(own->reveal, false, e) : NULL;
	struct analysis_options how = analysis_options_default();
	struct analysis *analysis = NULL;
	struct search_request request = {.task = SEARCH_AUTO};
	struct search *found = NULL;
	bool good = false;

	if (table)
		analysis = analysis_new(model, &how);
	if (!model)
		err_set(e, "%s", ""); /* the message was printed */
	if (analysis && !model_args_fixed(options, model, &request.fixed, e)) {
		obs_table_free(table);
	} else if (analysis) {
		analysis_set_table(analysis, 0, table);
		found = search_run_task(analysis, &request, NULL);
		good = search_began(found);
		if (!good)
			err_set(e, "%s: the search has no beginning: %s", own->reveal,
				found->start && found->start->error ? found->start->error
								    : "there is nothing to judge");
	}
	if (good) {
		const struct search_graph *graph = found->graph;
		struct fset all = {0}, truth = truth_of(model, score->planted);

		for (size_t i = 0; i < model->n_features; i++)
			fset_put(&all, i, !fset_has(&request.fixed, i));
		score->searched = true;
		score->complete = graph->complete;
		score->asked = plants_of(model, &all);
		score->named = plants_of(model, &graph->needs.required);
		score->open = plants_of(model, &graph->needs.optional);
		score->survives = survives(analysis, &truth);
		for (size_t i = 0; i < model->n_features; i++)
			if (fset_has(&all, i) && fset_has(&truth, i) && search_hidden(analysis, found, &truth, i))
				score->hidden |= (sim_plants)1 << plant_of(model, i);
		for (size_t i = 0; i < graph->n_models; i++)
			score->survivors += graph->model[i].usable && !graph->model[i].infeasible;
	}
	search_free(found);
	analysis_free(analysis);
	udd_free(model);
	bundle_free(&bundle);
	return good;
}

/* --- the report -------------------------------------------------------------------------------------------------- */

static void
sim_reveal_add_set(struct str *out, const char *head, sim_plants set)
{
	char *text = sim_plants_text(set);

	str_addf(out, "%-10s %s\n", head, text);
	free(text);
}

static void
json_set(struct json_writer *w, const char *key, sim_plants set)
{
	json_open(w, key, '[');
	for (int i = 0; i < SIM_N_PLANTS; i++)
		if (set >> i & 1)
			json_str(w, NULL, sim_plant_name((enum sim_plant)i));
	json_close(w, ']');
}

static void
sim_reveal_add_text(const struct reveal_truth *truth, const struct score *score, struct str *out)
{
	sim_plants wrong = score->named & ~score->planted, missed = score->planted & score->asked & ~score->named;

	str_addf(out, "machine    %s, %zu observations%s\n", truth->machine, truth->observations,
		truth->sealed ? ", sealed" : "");
	sim_reveal_add_set(out, "planted", truth->plants);
	sim_reveal_add_set(out, score->searched ? "required" : "answer", score->named);
	sim_reveal_add_set(out, "false", wrong);
	sim_reveal_add_set(out, "missed", missed & ~score->open);
	if (score->searched) {
		sim_reveal_add_set(out, "open", missed & score->open);
		sim_reveal_add_set(out, "hidden", score->hidden);
	}
	if (score->searched && !score->survives)
		str_add(out,
			"the machine's own features are refuted: the model does not have all that this machine does\n");
	str_addf(out, "%s\n",
		!wrong && !missed ? "every feature is named"
			: wrong   ? "something is named that the machine has not"
			: score->searched && !(missed & ~score->hidden)
			? "no data of these counters show what is missed: "
			  "a model without it allows all that the machine does"
			: score->searched && !(missed & ~score->open)
			? "these data do not show what is missed: models with it and without it survive"
			: "not every feature is named");
}

static void
add_json(const char *path, const struct reveal_truth *truth, const struct score *score, struct str *out)
{
	struct json_writer w = {.out = out};
	sim_plants wrong = score->named & ~score->planted, missed = score->planted & score->asked & ~score->named;

	json_open(&w, NULL, '{');
	json_str(&w, "schema", "hecate.reveal/1");
	json_str(&w, "file", path);
	json_str(&w, "machine", truth->machine);
	json_bool(&w, "sealed", truth->sealed);
	json_int(&w, "observations", (int64_t)truth->observations);
	json_set(&w, "planted", truth->plants);
	json_bool(&w, "searched", score->searched);
	json_set(&w, "answer", score->named);
	json_set(&w, "false", wrong);
	json_set(&w, "missed", missed);
	json_set(&w, "open", missed & score->open);
	json_bool(&w, "exact", !wrong && !missed);
	if (score->searched) {
		json_set(&w, "hidden", score->hidden);
		json_bool(&w, "complete", score->complete);
		json_bool(&w, "survives", score->survives);
		json_int(&w, "survivors", (int64_t)score->survivors);
	}
	json_close(&w, '}');
	str_addc(out, '\n');
}

static bool
find_answer(const struct options *options, const struct reveal_truth *truth, struct score *score, struct err *e)
{
	const struct sim_options *own = options->own;
	struct simulation machine = {0};
	bool good;

	score->planted = truth->plants;
	if (!own->plants)
		return sim_reveal_search(options, score, e);
	good = simulation_load(truth->machine, NULL, &machine, e) &&
		sim_plants_parse(machine.machine, own->plants, &score->named, e);
	score->asked = ~(sim_plants)0;
	simulation_free(&machine);
	return good;
}

int
sim_reveal(const struct options *options)
{
	const struct sim_options *own = options->own;
	struct reveal_truth *truth = NULL;
	struct score s = {0};
	struct str out = {0};
	struct err e = {0};
	size_t n = 0;
	bool good = reveal_read(own->reveal, &truth, &n, &e);

	if (good && n > 1) {
		err_set(&e, "%s holds %zu machines, which differ in their features: there is no one answer",
			own->reveal, n);
		good = err_hint(&e, "simulate each into a file of its own");
	}
	if (good && find_answer(options, truth, &s, &e)) {
		if (options->json)
			add_json(own->reveal, truth, &s, &out);
		else
			sim_reveal_add_text(truth, &s, &out);
		good = writing_text(options, &out);
	} else {
		good = false;
		if (*e.what)
			print_failure(&e);
	}
	str_free(&out);
	reveal_free(truth, n);
	return good ? 0 : 2;
}
