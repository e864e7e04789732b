#include "work/analysis/trusted.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/obs/columns.h"
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
trusted_plans(const struct analysis *a, const struct obs_table *t, const struct columns_match *m)
{
	struct trust_plan **p;
	const char **event;

	if ((!a->opt.trust.n && !a->opt.books.n) || a->opt.counterpoint)
		return NULL;
	event = events_of_columns(a->model, t, m);
	p = mem_new_array(1 + a->opt.books.n, sizeof(struct trust_plan *));
	p[0] = trust_plan_new(&a->opt.trust, t, event);
	for (size_t i = 0; i < a->opt.books.n; i++)
		p[1 + i] = trust_plan_new(&a->opt.books.item[i].rules, t, event);
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
trusted_correct(const struct analysis *a, struct trust_plan *const *plans, struct prepared *p)
{
	const struct trust_plan *plan = plans ? plans[0] : NULL;
	struct prepared_trust *t;
	struct trust_corrected done;

	for (size_t i = 0; plans && p->obs->cpu && i < a->opt.books.n; i++)
		if (str_eq(a->opt.books.item[i].cpu, p->obs->cpu))
			plan = plans[1 + i];
	if (!plan || !p->obs->n_rows || !trust_correct(plan, p->obs, &done))
		return;
	t = mem_new(sizeof *t);
	t->view = *p->obs;
	t->done = done;
	t->view.count = done.count;
	t->view.whole = NULL; /* it holds what was not corrected */
	t->view.whole_of = NULL;
	p->trust = t;
	p->obs = &t->view;
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
change_of_counter(const struct prepared *p, size_t counter)
{
	struct finding_trust t = {.counter = counter};
	struct str why = {0};

	for (size_t k = p->match->first[counter]; k < p->match->first[counter + 1]; k++) {
		const struct trust_change *c = change_of(p, p->match->column[k]);

		if (!c)
			continue;
		t.subtracted += (double)p->match->times[k] * c->subtracted;
		t.widened += c->widened;
		str_add(&why, why.n ? "; " : "");
		trust_change_words(c, &why);
		if (c->rule->source)
			str_addf(&why, " (%s)", c->rule->source);
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
trusted_bias(const struct analysis *a, const struct prepared *p)
{
	double *bias;
	size_t rows = p->obs->n_rows, at = 0;

	if (!p->trust)
		return NULL;
	bias = mem_new_array(p->n_kept, sizeof *bias);
	for (size_t i = 0; i < a->model->n_counters; i++) {
		struct finding_trust t;

		if (!p->keep[i])
			continue;
		t = change_of_counter(p, i);
		/* The last row of gathered samples may be left out, so that others weigh more. */
		bias[at++] = t.widened * (p->obs->per_row > 1 && rows > 1 ? (double)rows / (double)(rows - 1) : 1);
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
trusted_describe(const struct analysis *a, const struct prepared *p, const struct cone *c, struct finding *f)
{
	const struct verdict_options how = {
		.confidence = a->opt.confidence, .decides = (enum region_kind)a->opt.decides, .alone = true,
		.bare = true};
	struct verdict *v;

	f->counter.without_trust = f->own.verdict;
	if (!p->trust)
		return;
	f->trust = mem_new_array(a->model->n_counters, sizeof *f->trust);
	for (size_t i = 0; i < a->model->n_counters; i++) {
		struct finding_trust t = change_of_counter(p, i);

		if (t.because && (p->keep[i] || trusted_is_lost(p, i)))
			f->trust[f->n_trust++] = t;
		else
			free(t.because);
	}
	if (!p->trust->raw || !c || c->n_counters != p->trust->raw->n)
		return;
	v = verdict_new(c, p->trust->raw, &how);
	f->counter.without_trust = v->verdict;
	verdict_free(v);
	if (f->counter.without_trust != f->own.verdict)
		trusted_warn(a, f);
}

void
trusted_note(const struct analysis *a, struct result *r)
{
	for (size_t b = 0; b < a->opt.books.n; b++) {
		const char *cpu = a->opt.books.item[b].cpu;
		size_t n = 0;

		for (size_t i = 0; i < analysis_n_observations(a); i++) {
			const struct prepared *p = analysis_observation(a, i);

			n += p->trust && p->given->cpu && str_eq(p->given->cpu, cpu);
		}
		if (n)
			result_add_note(r, "book", str_format("counted on %s, so corrected by what is known of its "
				"events: %zu observation%s; --trust none takes counts as they are", cpu, n,
				n == 1 ? "" : "s"));
	}
}

void
trusted_free(struct prepared_trust *t)
{
	if (!t)
		return;
	trust_corrected_clear(&t->done);
	region_free(t->raw);
	free(t);
}
