#include "work/analysis/trusted.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/obs/columns.h"
#include "core/obs/rows.h"
#include "core/stats/region.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "core/verdict/verdict.h"

/* A column may have the name of a counter, whose only event says what it counts. */
static const char **
events_of_columns(const struct udd_model *model, const struct obs_table *t, const struct columns_match *m)
{
	const char **event = mem_new_array(t->n_columns, sizeof *event);

	for (size_t i = 0; i < model->n_counters; i++)
		if (m->first[i + 1] - m->first[i] == 1 && m->times[m->first[i]] == 1 && model->counter[i].n_events == 1)
			event[m->column[m->first[i]]] = model->counter[i].event[0].name;
	return event;
}

struct trust_plan **
trusted_plans(const struct analysis *analysis, const struct obs_table *table, const struct columns_match *match)
{
	struct trust_plan **p;
	const char **event;

	if ((!analysis->opt.trust.n && !analysis->opt.books.n) || analysis->opt.counterpoint)
		return NULL;
	event = events_of_columns(analysis->model, table, match);
	p = mem_new_array(1 + analysis->opt.books.n, sizeof(struct trust_plan *));
	p[0] = trust_plan_new(&analysis->opt.trust, table, event);
	for (size_t i = 0; i < analysis->opt.books.n; i++)
		p[1 + i] = trust_plan_new(&analysis->opt.books.item[i].rules, table, event);
	free(event);
	return p;
}

void
trusted_plans_free(const struct analysis *a, struct trust_plan **p)
{
	for (size_t i = 0; p && i <= a->opt.books.n; i++)
		trust_plan_free(p[i]);
	free(p);
}

void
trusted_correct(const struct analysis *analysis, struct trust_plan *const *plans, struct prepared *prepared)
{
	const struct trust_plan *plan = plans ? plans[0] : NULL;
	struct prepared_trust *trust;
	struct trust_corrected done;

	for (size_t i = 0; plans && prepared->obs->origin.cpu && i < analysis->opt.books.n; i++)
		if (str_eq(analysis->opt.books.item[i].cpu, prepared->obs->origin.cpu))
			plan = plans[1 + i];
	if (!plan || !prepared->obs->n_rows || !trust_correct(plan, prepared->obs, &done))
		return;
	trust = mem_new(sizeof *trust);
	trust->view = *prepared->obs;
	trust->done = done;
	trust->view.count = done.count;
	trust->view.whole = NULL; /* it holds what was not corrected */
	trust->view.whole_of = NULL;
	prepared->trust = trust;
	prepared->obs = &trust->view;
}

static const struct trust_change *
change_of(const struct prepared *p, size_t column)
{
	for (size_t k = 0; k < p->trust->done.n; k++)
		if (p->trust->done.change[k].column == column)
			return &p->trust->done.change[k];
	return NULL;
}

/* Adds up what was done to the columns of a counter. */
static struct finding_trust
change_of_counter(const struct prepared *prepared, size_t counter)
{
	struct finding_trust t = {.counter = counter};
	struct str why = {0};

	for (size_t k = prepared->match->first[counter]; k < prepared->match->first[counter + 1]; k++) {
		const struct trust_change *change = change_of(prepared, prepared->match->column[k]);

		if (!change)
			continue;
		t.subtracted += (double)prepared->match->times[k] * change->subtracted;
		t.widened += change->widened;
		str_add(&why, why.n ? "; " : "");
		trust_change_words(change, &why);
		if (change->rule->source)
			str_addf(&why, " (%s)", change->rule->source);
	}
	if (why.n)
		t.because = str_take(&why);
	str_free(&why);
	return t;
}

bool
trusted_is_lost(const struct prepared *p, size_t counter)
{
	for (size_t k = p->match->first[counter]; p->trust && k < p->match->first[counter + 1]; k++) {
		const struct trust_change *c = change_of(p, p->match->column[k]);

		if (c && isinf(c->widened))
			return true;
	}
	return false;
}

double *
trusted_bias(const struct analysis *analysis, const struct prepared *prepared)
{
	double *bias;
	size_t rows = prepared->obs->n_rows, at = 0;

	if (!prepared->trust)
		return NULL;
	bias = mem_new_array(prepared->n_kept, sizeof *bias);
	for (size_t i = 0; i < analysis->model->n_counters; i++) {
		struct finding_trust t;

		if (!prepared->keep[i])
			continue;
		t = change_of_counter(prepared, i);
		/* The last row of gathered samples may be left out, so that others weigh more. */
		bias[at++] = t.widened *
			(prepared->obs->per_row > 1 && rows > 1 ? (double)rows / (double)(rows - 1) : 1);
		free(t.because);
	}
	return bias;
}

/* Adds a warning that the verdict depends on the corrections. */
static void
trusted_warn(const struct analysis *a, struct finding *f)
{
	struct str text = {0};

	for (size_t i = 0; i < f->n_trust; i++)
		str_addf(&text, "%s%s", i ? ", " : "corrected, because these count too much: ",
			a->model->counter[f->trust[i].counter].name);
	str_addf(&text, ". Without that the verdict would be %s", verdict_name(f->counter.without_trust));
	f->warning = mem_resize(f->warning, f->n_warnings + 1, sizeof *f->warning);
	f->warning[f->n_warnings++] = (struct result_note){.code = mem_str("trust"), .text = str_take(&text)};
}

void
trusted_describe(const struct analysis *analysis, const struct prepared *prepared, const struct cone *cone,
	struct finding *finding)
{
	const struct verdict_options how = {.confidence = analysis->opt.confidence,
		.decides = (enum region_kind)analysis->opt.decides,
		.alone = true,
		.bare = true};
	struct verdict *verdict;

	finding->counter.without_trust = finding->own.verdict;
	if (!prepared->trust)
		return;
	finding->trust = mem_new_array(analysis->model->n_counters, sizeof *finding->trust);
	for (size_t i = 0; i < analysis->model->n_counters; i++) {
		struct finding_trust t = change_of_counter(prepared, i);

		if (t.because && (prepared->keep[i] || trusted_is_lost(prepared, i)))
			finding->trust[finding->n_trust++] = t;
		else
			free(t.because);
	}
	if (!prepared->trust->raw || !cone || cone->n_counters != prepared->trust->raw->n)
		return;
	verdict = verdict_new(cone, prepared->trust->raw, &how);
	finding->counter.without_trust = verdict->verdict;
	verdict_free(verdict);
	if (finding->counter.without_trust != finding->own.verdict)
		trusted_warn(analysis, finding);
}

void
trusted_note(const struct analysis *analysis, struct result *result)
{
	for (size_t b = 0; b < analysis->opt.books.n; b++) {
		const char *cpu = analysis->opt.books.item[b].cpu;
		size_t n = 0;

		for (size_t i = 0; i < analysis_n_observations(analysis); i++) {
			const struct prepared *prepared = analysis_observation(analysis, i);

			n += prepared->trust && prepared->given->origin.cpu && str_eq(prepared->given->origin.cpu, cpu);
		}
		if (n)
			result_add_note(result, "book",
				str_format("counted on %s, so corrected by what is known of its "
					   "events: %zu observation%s; --trust none takes counts as they are",
					cpu, n, plural_s(n)));
	}
}

void
trusted_free(struct prepared_trust *t, const struct obs *given)
{
	if (!t)
		return;
	obs_near_free(&t->near, given);
	trust_corrected_clear(&t->done);
	region_free(t->raw);
	free(t);
}
