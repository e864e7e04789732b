/* Describes each column's result in words. */
#include "work/search/locate_finder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/obs/obs.h"
#include "core/udd/diagram.h"
#include "core/verdict/verdict.h"
#include "work/analysis/describe.h"
#include "work/analysis/search_cones.h"
#include "work/search/passes.h"

#define EXPLAIN_SECONDS 2.0 /* seconds for facets: once for the survivors, once for refuted candidates */

static char *
locate_describe_name_of(const struct locate_finder *f, const struct locate_column *x)
{
	struct str out = {0};

	if (!x->n_places)
		return mem_str("as declared");
	for (size_t i = 0; i < x->n_places; i++) {
		const struct passes_place *p = &f->passes->place[x->place[i]];

		if (i)
			str_add(&out, x->minus ? " without " : " + ");
		str_add(&out, p->name);
		if (*p->where)
			str_addf(&out, " at %s", p->where);
	}
	return str_take(&out);
}

/* Returns the lines of the model with "count MIN; " in front of each statement, where inserting that suffices. */
static char *
paste_of(const struct locate_finder *f, const struct locate_column *x)
{
	struct str out = {0}, count = {0};
	bool whole = x->n_places > 0 && !x->minus;

	for (size_t i = 0; i < x->n_places; i++)
		whole &= f->passes->place[x->line[i]].whole;
	if (!whole)
		return mem_str("");
	str_add(&count, f->g->model->form == UDD_FORM_UDD ? "count " : "incr ");
	udd_counter_word(f->model.counter[f->event].name, &count);
	str_add(&count, "; ");
	for (size_t i = 0; i < x->n_places; i++) {
		const struct passes_place *p = &f->passes->place[x->line[i]];

		for (size_t k = 0; k < p->n_nodes; k++) {
			const struct udd_node *v = &f->g->node[p->node[k]];

			str_addf(&out, "%s%s:%u: ", out.n ? "\n" : "", f->g->file[v->file], v->line);
			udd_node_insert(f->g, p->node[k], str_text(&count), &out);
		}
	}
	str_free(&count);
	return str_take(&out);
}

/* Returns what a refuted candidate violates: the worst facet, or the certificate when there is no time to compute
 * facets. */
static char *
violated_text(struct locate_finder *f, const struct locate_column *x)
{
	const struct prepared *p = analysis_observation(f->a, x->refuter);
	double left = f->explain_until - clock_seconds();
	struct constraint c = {0};

	if (p->less)
		p = p->less; /* the proof does without doubted zeros */
	if (left > 0) {
		struct cone *cone = locate_cone(f, p->keep, x->rise, fmin(left, 0.3));
		struct verdict *v = locate_judge(f, cone, x->rise, &p);

		if (v->n_violated) {
			const struct violation *k = &v->violated[0];

			c = describe_row(f->a, p->keep,
				(k->equality ? cone->equality : cone->inequality) + k->row * cone->n_counters,
				k->equality);
		}
		verdict_free(v);
		cone_free(cone);
	}
	if (!c.text) {
		int64_t *row = mem_new_array(p->n_kept, sizeof *row);

		for (size_t i = 0, at = 0; i < f->n; i++)
			if (p->keep[i])
				row[at++] = f->proof[x->proof].coef[i];
		c = describe_row(f->a, p->keep, row, false);
		free(row);
	}
	free(c.coef);
	return c.text;
}

/* Finds the bounds that the facets set for the event at one observation's means. False where a bound needs a counter
 * that the observation lacks. */
static bool
bound(const struct locate_finder *f, const struct cone *c, const bool *keep, const struct prepared *p, double *low,
	double *high)
{
	size_t at = locate_event_column(f, keep);

	*low = 0;
	*high = INFINITY;
	for (size_t r = 0; r < c->n_inequalities; r++) {
		const int64_t *row = c->inequality + r * c->n_counters;
		double rest = 0;

		if (!row[at])
			continue;
		for (size_t i = 0, k = 0; i < f->n; i++) {
			if (!keep[i])
				continue;
			if (i != f->event && row[k])
				rest += (double)row[k] * p->value[i];
			k++;
		}
		if (isnan(rest))
			return false;
		if (row[at] > 0)
			*low = fmax(*low, -rest / (double)row[at]);
		else
			*high = fmin(*high, -rest / (double)row[at]);
	}
	return true;
}

static double
mean_width(const struct locate_finder *f, const struct cone *c, const bool *keep)
{
	double sum = 0, n = 0;

	for (size_t k = 0; k < f->n_order && c->complete; k++) {
		const struct prepared *p = analysis_observation(f->a, f->order[k]);
		double low, high;

		if (!bound(f, c, keep, p, &low, &high))
			continue;
		sum += fmax(0, high - low) / fmax(1, p->value[f->event]);
		n++;
	}
	return n > 0 ? sum / n : NAN;
}

static void
describe_survivor(struct locate_finder *f, const struct locate_column *x, const bool *keep, struct search_cones *cones,
	struct locate_candidate *out)
{
	struct cone *c =
		locate_cone(f, keep, x->rise, clock_seconds() < f->explain_until ? f->a->opt.cone_seconds : -1);
	size_t at = locate_event_column(f, keep);
	struct fset none = {0};

	for (size_t r = 0; r < c->n_equalities && !out->rule; r++)
		if (c->equality[r * c->n_counters + at]) {
			struct constraint row = describe_row(f->a, keep, c->equality + r * c->n_counters, true);

			out->rule = row.text;
			free(row.coef);
		}
	/* cones without facets are not compared */
	out->group = c->complete ? search_cones_id(cones, &none, c) : SIZE_MAX - f->out->n;
	out->width = out->rule ? 0 : mean_width(f, c, keep);
	out->paste = paste_of(f, x);
	cone_free(c);
}

static int
compare_candidates(const void *va, const void *vb)
{
	const struct locate_candidate *a = va, *b = vb;
	double x = isnan(a->width) ? INFINITY : a->width, y = isnan(b->width) ? INFINITY : b->width;

	if (!a->rule != !b->rule)
		return a->rule ? -1 : 1;
	if (a->terms != b->terms)
		return a->terms < b->terms ? -1 : 1;
	if (a->detail != b->detail)
		return a->detail < b->detail ? -1 : 1;
	if (x < y || x > y)
		return x < y ? -1 : 1;
	if (a->declared != b->declared)
		return a->declared ? -1 : 1;
	return a->group != b->group ? (a->group < b->group ? -1 : 1) : strcmp(a->name, b->name);
}

/* Does a place already listed cover this one: as its name, or as the statement of its call? */
static bool
is_covered(const struct passes_place *before, const struct passes_place *p)
{
	if (before->level == PLACE_NAME)
		return before->counter == SIZE_MAX && str_eq(before->name, p->name);
	return before->level == PLACE_TEXT && p->level == PLACE_COPY && before->text == p->text;
}

static void
add_same(struct locate_candidate *c, size_t term, const struct passes_place *p)
{
	struct locate_same *s = c->same;
	size_t i = 0;

	while (i < c->n_same && !(s[i].term == term && str_eq(s[i].name, p->name)))
		i++;
	if (i == c->n_same) {
		c->same = s = mem_resize(s, c->n_same + 1, sizeof *s);
		s[c->n_same++] = (struct locate_same){.term = term, .name = mem_str(p->name)};
	}
	if (!*p->where)
		return;
	s[i].where = mem_resize(s[i].where, s[i].n + 1, sizeof *s[i].where);
	s[i].where[s[i].n++] = mem_str(p->where);
}

/* Lists the places that count the same as a term, without those that another place of the list covers. */
static void
describe_same(const struct locate_finder *f, const struct locate_column *x, size_t term, struct locate_candidate *c)
{
	const struct passes *all = f->passes;
	const struct locate_column *of = x->n_places > 1 ? locate_column(f, all->place[x->place[term]].passes) : x;
	size_t own = x->n_places ? x->place[term] : SIZE_MAX;

	for (size_t i = 0; i < of->n_same + (of->n_places == 1); i++) {
		size_t at = i < of->n_same ? of->same[i] : of->place[0];
		bool covered = at == own || (own != SIZE_MAX && is_covered(&all->place[own], &all->place[at]));

		for (size_t k = 0; k < of->n_same && !covered; k++)
			covered = of->same[k] != at && is_covered(&all->place[of->same[k]], &all->place[at]);
		if (!covered)
			add_same(c, term, &all->place[at]);
	}
}

static struct locate_candidate
locate_describe_describe(struct locate_finder *f, struct locate_column *x)
{
	struct locate_candidate c = {.name = locate_describe_name_of(f, x), .terms = x->n_places ? x->n_places : 1,
		.declared = !x->n_places, .survives = x->survives, .width = NAN};

	for (size_t i = 0; i < x->n_places; i++) {
		enum place_level level = f->passes->place[x->place[i]].level;

		c.detail += level == PLACE_NAME ? 0 : level == PLACE_TEXT ? 1 : 2;
		c.part |= level == PLACE_COPY;
	}
	for (size_t i = 0; i < c.terms; i++)
		describe_same(f, x, i, &c);
	if (!x->survives) {
		c.refuter = mem_str(analysis_observation(f->a, x->refuter)->obs->name);
		c.constraint = x->n_places <= 1 ? violated_text(f, x) : NULL;
	}
	return c;
}

void
locate_describe_all(struct locate_finder *f)
{
	struct locate_result *l = f->out;
	struct search_cones *cones = search_cones_new(NULL, NULL);
	bool *keep = analysis_used_counters(f->a);

	f->explain_until = clock_seconds() + EXPLAIN_SECONDS;
	l->candidate = mem_new_array(f->n_columns, sizeof *l->candidate);
	for (size_t i = 0; i < f->n_columns; i++)
		if (f->column[i].survives) {
			l->candidate[l->n] = locate_describe_describe(f, &f->column[i]);
			describe_survivor(f, &f->column[i], keep, cones, &l->candidate[l->n++]);
		}
	f->explain_until = clock_seconds() + EXPLAIN_SECONDS;
	l->n_survivors = l->n;
	if (l->n)
		qsort(l->candidate, l->n, sizeof *l->candidate, compare_candidates);
	for (size_t i = 0; i < f->n_columns; i++)
		if (!f->column[i].survives)
			l->candidate[l->n++] = locate_describe_describe(f, &f->column[i]);
	free(keep);
	search_cones_free(cones);
}

