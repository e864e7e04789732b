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
sim_reveal_search(const struct options *o, struct score *s, struct err *e)
{
	const struct sim_options *own = o->own;
	struct bundle bundle = {0};
	struct udd_model *m = model_args_load_named(o, o->model_name ? o->model_name : own->reveal, &bundle);
	struct obs_table *t = m ? data_read(own->reveal, false, e) : NULL;
	struct analysis_options how = analysis_options_default();
	struct analysis *a = NULL;
	struct search_request request = {.task = SEARCH_AUTO};
	struct search *found = NULL;
	bool good = false;

	if (t)
		a = analysis_new(m, &how);
	if (!m)
		err_set(e, "%s", ""); /* the message was printed */
	if (a && !model_args_fixed(o, m, &request.fixed, e)) {
		obs_table_free(t);
	} else if (a) {
		analysis_set_table(a, 0, t);
		found = search_run_task(a, &request, NULL);
		good = found->lattice != NULL;
		if (!good)
			err_set(e, "%s: the search has no beginning: %s", own->reveal,
				found->start && found->start->error ? found->start->error
								    : "there is nothing to judge");
	}
	if (good) {
		const struct lattice *l = found->lattice;
		struct fset optional = search_optional(found), all = {0}, truth = truth_of(m, s->planted);

		for (size_t i = 0; i < m->n_features; i++)
			fset_put(&all, i, !fset_has(&request.fixed, i));
		s->searched = true;
		s->complete = l->complete;
		s->asked = plants_of(m, &all);
		s->named = plants_of(m, &l->required);
		s->open = plants_of(m, &optional);
		s->survives = survives(a, &truth);
		for (size_t i = 0; i < m->n_features; i++)
			if (fset_has(&all, i) && fset_has(&truth, i) && search_hidden(a, found, &truth, i))
				s->hidden |= (sim_plants)1 << plant_of(m, i);
		for (size_t i = 0; i < l->n_models; i++)
			s->survivors += l->model[i].usable && !l->model[i].n_infeasible;
	}
	search_free(found);
	analysis_free(a);
	udd_free(m);
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
sim_reveal_add_text(const struct reveal_truth *t, const struct score *s, struct str *out)
{
	sim_plants wrong = s->named & ~s->planted, missed = s->planted & s->asked & ~s->named;

	str_addf(out, "machine    %s, %zu observations%s\n", t->machine, t->observations, t->sealed ? ", sealed" : "");
	sim_reveal_add_set(out, "planted", t->plants);
	sim_reveal_add_set(out, s->searched ? "required" : "answer", s->named);
	sim_reveal_add_set(out, "false", wrong);
	sim_reveal_add_set(out, "missed", missed & ~s->open);
	if (s->searched) {
		sim_reveal_add_set(out, "open", missed & s->open);
		sim_reveal_add_set(out, "hidden", s->hidden);
	}
	if (s->searched && !s->survives)
		str_add(out,
			"the machine's own features are refuted: the model does not have all that this machine does\n");
	str_addf(out, "%s\n",
		!wrong && !missed                               ? "every feature is named"
			: wrong                                 ? "something is named that the machine has not"
			: s->searched && !(missed & ~s->hidden) ? "no data of these counters show what is missed: "
								  "a model without it allows all that the machine does"
			: s->searched && !(missed & ~s->open)
			? "these data do not show what is missed: models with it and without it survive"
			: "not every feature is named");
}

static void
add_json(const char *path, const struct reveal_truth *t, const struct score *s, struct str *out)
{
	struct json_writer w = {.out = out};
	sim_plants wrong = s->named & ~s->planted, missed = s->planted & s->asked & ~s->named;

	json_open(&w, NULL, '{');
	json_str(&w, "schema", "hecate.reveal/1");
	json_str(&w, "file", path);
	json_str(&w, "machine", t->machine);
	json_bool(&w, "sealed", t->sealed);
	json_int(&w, "observations", (int64_t)t->observations);
	json_set(&w, "planted", t->plants);
	json_bool(&w, "searched", s->searched);
	json_set(&w, "answer", s->named);
	json_set(&w, "false", wrong);
	json_set(&w, "missed", missed);
	json_set(&w, "open", missed & s->open);
	json_bool(&w, "exact", !wrong && !missed);
	if (s->searched) {
		json_set(&w, "hidden", s->hidden);
		json_bool(&w, "complete", s->complete);
		json_bool(&w, "survives", s->survives);
		json_int(&w, "survivors", (int64_t)s->survivors);
	}
	json_close(&w, '}');
	str_addc(out, '\n');
}

static bool
find_answer(const struct options *o, const struct reveal_truth *t, struct score *s, struct err *e)
{
	const struct sim_options *own = o->own;
	struct simulation machine = {0};
	bool good;

	s->planted = t->plants;
	if (!own->plants)
		return sim_reveal_search(o, s, e);
	good = simulation_load(t->machine, NULL, &machine, e) &&
		sim_plants_parse(machine.machine, own->plants, &s->named, e);
	s->asked = ~(sim_plants)0;
	simulation_free(&machine);
	return good;
}

int
sim_reveal(const struct options *o)
{
	const struct sim_options *own = o->own;
	struct reveal_truth *t = NULL;
	struct score s = {0};
	struct str out = {0};
	struct err e = {0};
	size_t n = 0;
	bool good = reveal_read(own->reveal, &t, &n, &e);

	if (good && n > 1) {
		err_set(&e, "%s holds %zu machines, which differ in their features: there is no one answer",
			own->reveal, n);
		good = err_hint(&e, "simulate each into a file of its own");
	}
	if (good && find_answer(o, t, &s, &e)) {
		if (o->json)
			add_json(own->reveal, t, &s, &out);
		else
			sim_reveal_add_text(t, &s, &out);
		good = writing_text(o, &out);
	} else {
		good = false;
		if (*e.what)
			print_failure(&e);
	}
	str_free(&out);
	reveal_free(t, n);
	return good ? 0 : 2;
}
