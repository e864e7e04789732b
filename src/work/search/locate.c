#include "work/search/locate.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/obs/obs.h"
#include "core/stats/region.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "core/verdict/verdict.h"
#include "text/diag.h"
#include "work/analysis/describe.h"
#include "work/files/data.h"
#include "work/search/locate_finder.h"
#include "work/search/passes.h"

/* Is the column read by one of the model's counters? */
static size_t
find_known(const struct udd_model *model, struct obs_table *const *table, size_t n, const char *event)
{
	for (size_t i = 0; i < model->n_counters; i++)
		if (str_eq(model->counter[i].name, event))
			return i;
	for (size_t t = 0; t < n; t++) {
		struct columns_match *match = match_new(model, table[t]);
		size_t found = model->n_counters;

		for (size_t i = 0; i < model->n_counters; i++)
			if (match->first[i + 1] == match->first[i] + 1 &&
				str_eq(table[t]->column[match->column[match->first[i]]], event))
				found = i;
		columns_match_free(match);
		if (found < model->n_counters)
			return found;
	}
	return model->n_counters;
}

static bool
locate_has_column(struct obs_table *const *table, size_t n, const char *event, bool any, struct err *e)
{
	const char **name = NULL;
	size_t k = 0, cap = 0;
	bool found = any;
	char *hint;

	for (size_t t = 0; t < n; t++)
		for (size_t i = 0; i < table[t]->n_columns; i++) {
			mem_grow(&name, &cap, k + 1, sizeof *name);
			name[k++] = table[t]->column[i];
			found |= str_eq(table[t]->column[i], event);
		}
	if (!found) {
		err_set(e, "the data have no column '%s'", event);
		hint = near_hint(event, name, k);
		if (hint)
			err_hint(e, "%s", hint);
		free(hint);
	}
	free(name);
	return found;
}

/* Returns an analysis of the model with the event as a counter. `without` leaves the event out again, to see whether
 * the model alone survives. */
static struct analysis *
locate_make_analysis(const struct locate_finder *finder, const struct analysis_options *how,
	struct obs_table *const *table, size_t n, bool without)
{
	struct analysis_options o = *how;
	struct analysis *analysis;

	o.counter = mem_new_array(finder->n, sizeof *o.counter);
	o.n_counters = finder->n;
	for (size_t i = 0; i < finder->n; i++)
		o.counter[i] = i == finder->event ? !without : !how->counter || how->counter[i];
	analysis = analysis_new(&finder->model, &o);
	free(o.counter);
	for (size_t t = 0; t < n; t++)
		analysis_set_table(analysis, t, data_copy(table[t]));
	return analysis;
}

/* Selects the observations that have the event and do not refute the model itself. */
static bool
choose_observations(struct locate_finder *finder, struct analysis *without)
{
	size_t n = analysis_n_observations(finder->a);
	int64_t *zero = mem_new_array(finder->passes->n_rows, sizeof *zero);

	finder->order = mem_new_array(n, sizeof *finder->order);
	for (size_t i = 0; i < n; i++) {
		const struct prepared *prepared = analysis_observation(finder->a, i),
				      *q = analysis_observation(without, i);
		struct cone *cone;
		struct verdict *verdict;

		if (!prepared->region || !prepared->keep[finder->event])
			continue;
		if (prepared->less && !prepared->less->keep[finder->event]) {
			finder->out->n_doubted++;
			continue;
		}
		if (q->region) {
			cone = locate_cone(finder, q->keep, zero, -1);
			verdict = locate_judge(finder, cone, zero, &q);
			if (verdict->verdict == VERDICT_INFEASIBLE) {
				size_t cap = finder->out->n_left_out;

				mem_grow(&finder->out->left_out, &cap, finder->out->n_left_out + 1,
					sizeof *finder->out->left_out);
				finder->out->left_out[finder->out->n_left_out++] = mem_str(prepared->obs->name);
			} else {
				finder->order[finder->n_order++] = i;
			}
			verdict_free(verdict);
			cone_free(cone);
		} else {
			finder->order[finder->n_order++] = i;
		}
	}
	free(zero);
	finder->out->n_observations = finder->n_order;
	return finder->n_order > 0;
}

static bool
no_observation(const struct locate_result *result, const char *event, struct err *e)
{
	if (result->n_doubted) {
		err_set(e, "'%s' reads 0 throughout: perhaps it was not counted, so it shows no place", event);
		return err_hint(e, "count it while it rises; or, if 0 is right, --trust-zeros");
	}
	if (result->n_left_out) {
		err_set(e, "every observation that has '%s' refutes the model, so the model cannot be trusted with "
			"these features", event);
		return err_hint(e, "hecate search finds features that survive");
	}
	err_set(e, "no observation with '%s' can be judged", event);
	return err_hint(
		e, "one noisy sample says nothing about noise; give more rows, or --exact if they are exact totals");
}

/* Makes the model with the event as one more counter, unless the model already has it. */
static void
extend(struct locate_finder *f, const struct udd_model *m, const char *event)
{
	f->model = *m;
	f->event = f->out->known;
	f->n = m->n_counters + (f->event == m->n_counters);
	f->counter = mem_new_array(f->n, sizeof *f->counter);
	memcpy(f->counter, m->counter, m->n_counters * sizeof *f->counter);
	if (f->event == m->n_counters)
		f->counter[f->event] = (struct udd_counter){.name = event, .text = ""};
	f->model.counter = f->counter;
	f->model.n_counters = f->n;
}

static void
finder_free(struct locate_finder *finder)
{
	for (size_t i = 0; i < finder->n_columns; i++) {
		free(finder->column[i].rise);
		free(finder->column[i].same);
	}
	for (size_t i = 0; i < finder->n_proofs; i++) {
		free(finder->proof[i].coef);
		free(finder->proof[i].rest);
	}
	free(finder->proof);
	free(finder->recent);
	free(finder->slot);
	free(finder->column);
	free(finder->order);
	free(finder->threshold2);
	free(finder->counter);
	passes_free(finder->passes);
	analysis_free(finder->a);
}

/* False when there is nothing to judge, or when it was stopped. */
static bool
locate_find(struct locate_finder *finder, const struct analysis_options *how, struct obs_table *const *table,
	size_t n_tables, struct err *e)
{
	struct analysis *without = locate_make_analysis(finder, how, table, n_tables, true);
	bool some;

	finder->a = locate_make_analysis(finder, how, table, n_tables, false);
	finder->threshold2 = mem_new_array(finder->n + 1, sizeof *finder->threshold2);
	finder->recent = mem_new_array(LOCATE_PROOFS_MAX, sizeof *finder->recent);
	some = choose_observations(finder, without);
	analysis_free(without);
	if (!some)
		return no_observation(finder->out, finder->out->event, e);
	if (!locate_test_all(finder)) {
		err_set(e, "%s", "");
		return false;
	}
	locate_describe_all(finder);
	return true;
}

struct locate_result *
locate_run(const struct udd_model *model, const struct fset *on, const struct analysis_options *how,
	struct obs_table *const *table, size_t n_tables, const char *event, size_t tests_max,
	const struct analysis_watch *watch, struct err *e)
{
	struct locate_result *result = mem_new(sizeof *result);
	struct locate_finder f = {.out = result, .watch = watch, .tests_max = tests_max ? tests_max : LOCATE_TESTS_MAX};
	struct diags d = {0};
	struct udd_diagram *diagram = NULL;
	double start = clock_seconds();
	bool good;

	result->event = event;
	result->known = find_known(model, table, n_tables, event);
	good = locate_has_column(table, n_tables, event, result->known < model->n_counters, e);
	if (good) {
		extend(&f, model, event);
		f.g = diagram = udd_expand(model, on, &d);
		f.passes = diagram ? passes_new(diagram, result->known, &d) : NULL;
		if (f.passes)
			good = locate_find(&f, how, table, n_tables, e);
		else {
			struct str text = {0};

			diags_print(&d, "", &text);
			result->error = str_take(&text);
		}
		finder_free(&f);
	}
	udd_diagram_free(diagram);
	diags_free(&d);
	result->seconds = clock_seconds() - start;
	if (good)
		return result;
	locate_result_free(result);
	return NULL;
}

void
locate_result_free(struct locate_result *result)
{
	if (!result)
		return;
	for (size_t i = 0; i < result->n; i++) {
		free(result->candidate[i].name);
		for (size_t k = 0; k < result->candidate[i].n_same; k++) {
			free(result->candidate[i].same[k].name);
			for (size_t j = 0; j < result->candidate[i].same[k].n; j++)
				free(result->candidate[i].same[k].where[j]);
			free(result->candidate[i].same[k].where);
		}
		free(result->candidate[i].same);
		free(result->candidate[i].refuter);
		free(result->candidate[i].constraint);
		free(result->candidate[i].rule);
		free(result->candidate[i].paste);
	}
	for (size_t i = 0; i < result->n_left_out; i++)
		free(result->left_out[i]);
	free(result->candidate);
	free(result->left_out);
	free(result->error);
	free(result);
}
