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
locate_describe_name_of(const struct locate_finder *finder, const struct locate_column *column)
{
	struct str out = {0};

	if (!column->n_places)
		return mem_str("as declared");
	for (size_t i = 0; i < column->n_places; i++) {
		const struct passes_place *place = &finder->passes->place[column->place[i]];

		if (i)
			str_add(&out, column->minus ? " without " : " + ");
		str_add(&out, place->name);
		if (*place->where)
			str_addf(&out, " at %s", place->where);
	}
	return str_take(&out);
}

/* Returns the lines of the model with "count MIN; " in front of each statement, where inserting that suffices. */
static char *
paste_of(const struct locate_finder *finder, const struct locate_column *column)
{
	struct str out = {0}, count = {0};
	bool whole = column->n_places > 0 && !column->minus;

	for (size_t i = 0; i < column->n_places; i++)
		whole &= finder->passes->place[column->line[i]].whole;
	if (!whole)
		return mem_str("");
	str_add(&count, finder->g->model->form == UDD_FORM_UDD ? "count " : "incr ");
	udd_counter_word(finder->model.counter[finder->event].name, &count);
	str_add(&count, "; ");
	for (size_t i = 0; i < column->n_places; i++) {
		const struct passes_place *place = &finder->passes->place[column->line[i]];

		for (size_t k = 0; k < place->n_nodes; k++) {
			const struct udd_node *node = &finder->g->node[place->node[k]];

			str_addf(&out, "%s%s:%u: ", out.n ? "\n" : "", finder->g->file[node->file], node->line);
			udd_node_insert(finder->g, place->node[k], str_text(&count), &out);
		}
	}
	str_free(&count);
	return str_take(&out);
}

/* Returns what a refuted candidate violates: the worst facet, or the certificate when there is no time to compute
 * facets. */
static char *
violated_text(struct locate_finder *finder, const struct locate_column *column)
{
	const struct prepared *prepared = analysis_observation(finder->a, column->refuter);
	double left = finder->explain_until - clock_seconds();
	struct constraint c = {0};

	if (prepared->less)
		prepared = prepared->less; /* the proof does without doubted zeros */
	if (left > 0) {
		struct cone *cone = locate_cone(finder, prepared->keep, column->rise, fmin(left, 0.3));
		struct verdict *verdict = locate_judge(finder, cone, column->rise, &prepared);

		if (verdict->n_violated) {
			const struct violation *violation = &verdict->violated[0];

			c = describe_row(finder->a, prepared->keep,
				(violation->equality ? cone->equality : cone->inequality) +
					violation->row * cone->n_counters,
				violation->equality);
		}
		verdict_free(verdict);
		cone_free(cone);
	}
	if (!c.text) {
		int64_t *row = mem_new_array(prepared->n_kept, sizeof *row);

		for (size_t i = 0, at = 0; i < finder->n; i++)
			if (prepared->keep[i])
				row[at++] = finder->proof[column->proof].coef[i];
		c = describe_row(finder->a, prepared->keep, row, false);
		free(row);
	}
	free(c.coef);
	return c.text;
}

/* Finds the bounds that the facets set for the event at one observation's means. False where a bound needs a counter
 * that the observation lacks. */
static bool
bound(const struct locate_finder *finder, const struct cone *cone, const bool *keep, const struct prepared *prepared,
	double *low, double *high)
{
	size_t at = locate_event_column(finder, keep);

	*low = 0;
	*high = INFINITY;
	for (size_t r = 0; r < cone->n_inequalities; r++) {
		const int64_t *row = cone->inequality + r * cone->n_counters;
		double rest = 0;

		if (!row[at])
			continue;
		for (size_t i = 0, k = 0; i < finder->n; i++) {
			if (!keep[i])
				continue;
			if (i != finder->event && row[k])
				rest += (double)row[k] * prepared->value[i];
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
mean_width(const struct locate_finder *finder, const struct cone *cone, const bool *keep)
{
	double sum = 0, n = 0;

	for (size_t k = 0; k < finder->n_order && cone->complete; k++) {
		const struct prepared *prepared = analysis_observation(finder->a, finder->order[k]);
		double low, high;

		if (!bound(finder, cone, keep, prepared, &low, &high))
			continue;
		sum += fmax(0, high - low) / fmax(1, prepared->value[finder->event]);
		n++;
	}
	return n > 0 ? sum / n : NAN;
}

static void
describe_survivor(struct locate_finder *finder, const struct locate_column *column, const bool *keep,
	struct search_cones *cones, struct locate_candidate *out)
{
	struct cone *cone = locate_cone(
		finder, keep, column->rise, clock_seconds() < finder->explain_until ? finder->a->opt.cone_seconds : -1);
	size_t at = locate_event_column(finder, keep);
	struct fset none = {0};

	for (size_t r = 0; r < cone->n_equalities && !out->rule; r++)
		if (cone->equality[r * cone->n_counters + at]) {
			struct constraint row = describe_row(
				finder->a, keep, cone->equality + r * cone->n_counters, true);

			out->rule = row.text;
			free(row.coef);
		}
	/* cones without facets are not compared */
	out->group = cone->complete ? search_cones_id(cones, &none, cone) : SIZE_MAX - finder->out->n;
	out->width = out->rule ? 0 : mean_width(finder, cone, keep);
	out->paste = paste_of(finder, column);
	cone_free(cone);
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
add_same(struct locate_candidate *candidate, size_t term, const struct passes_place *place)
{
	struct locate_same *same = candidate->same;
	size_t i = 0;

	while (i < candidate->n_same && !(same[i].term == term && str_eq(same[i].name, place->name)))
		i++;
	if (i == candidate->n_same) {
		candidate->same = same = mem_resize(same, candidate->n_same + 1, sizeof *same);
		same[candidate->n_same++] = (struct locate_same){.term = term, .name = mem_str(place->name)};
	}
	if (!*place->where)
		return;
	same[i].where = mem_resize(same[i].where, same[i].n + 1, sizeof *same[i].where);
	same[i].where[same[i].n++] = mem_str(place->where);
}

/* Lists the places that count the same as a term, without those that another place of the list covers. */
static void
describe_same(const struct locate_finder *finder, const struct locate_column *column, size_t term,
	struct locate_candidate *candidate)
{
	const struct passes *all = finder->passes;
	const struct locate_column *of = column->n_places > 1
		? locate_column(finder, all->place[column->place[term]].passes)
		: column;
	size_t own = column->n_places ? column->place[term] : SIZE_MAX;

	for (size_t i = 0; i < of->n_same + (of->n_places == 1); i++) {
		size_t at = i < of->n_same ? of->same[i] : of->place[0];
		bool covered = at == own || (own != SIZE_MAX && is_covered(&all->place[own], &all->place[at]));

		for (size_t k = 0; k < of->n_same && !covered; k++)
			covered = of->same[k] != at && is_covered(&all->place[of->same[k]], &all->place[at]);
		if (!covered)
			add_same(candidate, term, &all->place[at]);
	}
}

static struct locate_candidate
locate_describe_describe(struct locate_finder *finder, struct locate_column *column)
{
	struct locate_candidate c = {.name = locate_describe_name_of(finder, column),
		.terms = column->n_places ? column->n_places : 1,
		.declared = !column->n_places,
		.survives = column->survives,
		.width = NAN};

	for (size_t i = 0; i < column->n_places; i++) {
		enum place_level level = finder->passes->place[column->place[i]].level;

		c.detail += level == PLACE_NAME ? 0 : level == PLACE_TEXT ? 1 : 2;
		c.part |= level == PLACE_COPY;
	}
	for (size_t i = 0; i < c.terms; i++)
		describe_same(finder, column, i, &c);
	if (!column->survives) {
		c.refuter = mem_str(analysis_observation(finder->a, column->refuter)->obs->name);
		c.constraint = column->n_places <= 1 ? violated_text(finder, column) : NULL;
	}
	return c;
}

void
locate_describe_all(struct locate_finder *finder)
{
	struct locate_result *result = finder->out;
	struct search_cones *cones = search_cones_new(NULL, NULL);
	bool *keep = analysis_used_counters(finder->a);

	finder->explain_until = clock_seconds() + EXPLAIN_SECONDS;
	result->candidate = mem_new_array(finder->n_columns, sizeof *result->candidate);
	for (size_t i = 0; i < finder->n_columns; i++)
		if (finder->column[i].survives) {
			result->candidate[result->n] = locate_describe_describe(finder, &finder->column[i]);
			describe_survivor(finder, &finder->column[i], keep, cones, &result->candidate[result->n++]);
		}
	finder->explain_until = clock_seconds() + EXPLAIN_SECONDS;
	result->n_survivors = result->n;
	if (result->n)
		qsort(result->candidate, result->n, sizeof *result->candidate, compare_candidates);
	for (size_t i = 0; i < finder->n_columns; i++)
		if (!finder->column[i].survives)
			result->candidate[result->n++] = locate_describe_describe(finder, &finder->column[i]);
	free(keep);
	search_cones_free(cones);
}

