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
find_known(const struct udd_model *m, struct obs_table *const *table, size_t n, const char *event)
{
	for (size_t i = 0; i < m->n_counters; i++)
		if (str_eq(m->counter[i].name, event))
			return i;
	for (size_t t = 0; t < n; t++) {
		struct columns_match *k = match_new(m, table[t]);
		size_t found = m->n_counters;

		for (size_t i = 0; i < m->n_counters; i++)
			if (k->first[i + 1] == k->first[i] + 1 &&
				str_eq(table[t]->column[k->column[k->first[i]]], event))
				found = i;
		columns_match_free(k);
		if (found < m->n_counters)
			return found;
	}
	return m->n_counters;
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
locate_make_analysis(const struct locate_finder *f, const struct analysis_options *how, struct obs_table *const *table,
	size_t n, bool without)
{
	struct analysis_options o = *how;
	struct analysis *a;

	o.counter = mem_new_array(f->n, sizeof *o.counter);
	o.n_counters = f->n;
	for (size_t i = 0; i < f->n; i++)
		o.counter[i] = i == f->event ? !without : !how->counter || how->counter[i];
	a = analysis_new(&f->model, &o);
	free(o.counter);
	for (size_t t = 0; t < n; t++)
		analysis_set_table(a, t, data_copy(table[t]));
	return a;
}

/* Selects the observations that have the event and do not refute the model itself. */
static bool
choose_observations(struct locate_finder *f, struct analysis *without)
{
	size_t n = analysis_n_observations(f->a);
	int64_t *zero = mem_new_array(f->passes->n_rows, sizeof *zero);

	f->order = mem_new_array(n, sizeof *f->order);
	for (size_t i = 0; i < n; i++) {
		const struct prepared *p = analysis_observation(f->a, i), *q = analysis_observation(without, i);
		struct cone *c;
		struct verdict *v;

		if (!p->region || !p->keep[f->event])
			continue;
		if (p->less && !p->less->keep[f->event]) {
			f->out->n_doubted++;
			continue;
		}
		if (q->region) {
			c = locate_cone(f, q->keep, zero, -1);
			v = locate_judge(f, c, zero, &q);
			if (v->verdict == VERDICT_INFEASIBLE) {
				size_t cap = f->out->n_left_out;

				mem_grow(&f->out->left_out, &cap, f->out->n_left_out + 1, sizeof *f->out->left_out);
				f->out->left_out[f->out->n_left_out++] = mem_str(p->obs->name);
			} else {
				f->order[f->n_order++] = i;
			}
			verdict_free(v);
			cone_free(c);
		} else {
			f->order[f->n_order++] = i;
		}
	}
	free(zero);
	f->out->n_observations = f->n_order;
	return f->n_order > 0;
}

static bool
no_observation(const struct locate_result *l, const char *event, struct err *e)
{
	if (l->n_doubted) {
		err_set(e, "'%s' reads 0 throughout: perhaps it was not counted, so it shows no place", event);
		return err_hint(e, "count it while it rises; or, if 0 is right, --trust-zeros");
	}
	if (l->n_left_out) {
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
finder_free(struct locate_finder *f)
{
	for (size_t i = 0; i < f->n_columns; i++) {
		free(f->column[i].rise);
		free(f->column[i].same);
	}
	for (size_t i = 0; i < f->n_proofs; i++) {
		free(f->proof[i].coef);
		free(f->proof[i].rest);
	}
	free(f->proof);
	free(f->recent);
	free(f->slot);
	free(f->column);
	free(f->order);
	free(f->threshold2);
	free(f->counter);
	passes_free(f->passes);
	analysis_free(f->a);
}

/* False when there is nothing to judge, or when it was stopped. */
static bool
locate_find(struct locate_finder *f, const struct analysis_options *how, struct obs_table *const *table,
	size_t n_tables, struct err *e)
{
	struct analysis *without = locate_make_analysis(f, how, table, n_tables, true);
	bool some;

	f->a = locate_make_analysis(f, how, table, n_tables, false);
	f->threshold2 = mem_new_array(f->n + 1, sizeof *f->threshold2);
	f->recent = mem_new_array(LOCATE_PROOFS_MAX, sizeof *f->recent);
	some = choose_observations(f, without);
	analysis_free(without);
	if (!some)
		return no_observation(f->out, f->out->event, e);
	if (!locate_test_all(f)) {
		err_set(e, "%s", "");
		return false;
	}
	locate_describe_all(f);
	return true;
}

struct locate_result *
locate_run(const struct udd_model *m, const struct fset *on, const struct analysis_options *how,
	struct obs_table *const *table, size_t n_tables, const char *event, size_t tests_max,
	const struct analysis_watch *watch, struct err *e)
{
	struct locate_result *l = mem_new(sizeof *l);
	struct locate_finder f = {.out = l, .watch = watch, .tests_max = tests_max ? tests_max : LOCATE_TESTS_MAX};
	struct diags d = {0};
	struct udd_diagram *g = NULL;
	double start = clock_seconds();
	bool good;

	l->event = event;
	l->known = find_known(m, table, n_tables, event);
	good = locate_has_column(table, n_tables, event, l->known < m->n_counters, e);
	if (good) {
		extend(&f, m, event);
		f.g = g = udd_expand(m, on, &d);
		f.passes = g ? passes_new(g, l->known, &d) : NULL;
		if (f.passes)
			good = locate_find(&f, how, table, n_tables, e);
		else {
			struct str text = {0};

			diags_print(&d, "", &text);
			l->error = str_take(&text);
		}
		finder_free(&f);
	}
	udd_diagram_free(g);
	diags_free(&d);
	l->seconds = clock_seconds() - start;
	if (good)
		return l;
	locate_result_free(l);
	return NULL;
}

void
locate_result_free(struct locate_result *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n; i++) {
		free(l->candidate[i].name);
		for (size_t k = 0; k < l->candidate[i].n_same; k++) {
			free(l->candidate[i].same[k].name);
			for (size_t j = 0; j < l->candidate[i].same[k].n; j++)
				free(l->candidate[i].same[k].where[j]);
			free(l->candidate[i].same[k].where);
		}
		free(l->candidate[i].same);
		free(l->candidate[i].refuter);
		free(l->candidate[i].constraint);
		free(l->candidate[i].rule);
		free(l->candidate[i].paste);
	}
	for (size_t i = 0; i < l->n_left_out; i++)
		free(l->left_out[i]);
	free(l->candidate);
	free(l->left_out);
	free(l->error);
	free(l);
}
