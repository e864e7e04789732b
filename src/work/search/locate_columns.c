/* Each candidate is a column: how often the unknown counter rises on each distinct µpath. Together with the model's own
 * counters it makes a cone, which the data refute or not.
 *
 * Single places come first. A refuted one has a certificate: an inequality a·v ≥ 0 of its cone that the data break. The
 * sign of a at the unknown counter shows in which direction the candidate is wrong:
 *
 *     a at the counter   certificate stays valid if the counter    so the candidate    and is then
 *     ≥ 0                counts more on some µpaths                counts too much     reduced by other places
 *     ≤ 0                counts less on some µpaths                counts too little   increased by other places
 *
 * So only columns that count too little are extended, only those that count too much are reduced, and nothing that
 * could survive is missed. Certificates are kept as proofs: most columns are refuted by an existing one, without a
 * solver. */
#include "work/search/locate_finder.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/verdict/verdict.h"
#include "work/analysis/describe.h"
#include "work/search/passes.h"

#define FACET_SECONDS 0.05 /* s; if one cone takes longer, the others are made without facets */

/* Returns the rows over the kept counters, with `rise` as the event's column. The caller frees. */
static int64_t *
rows_with(const struct locate_finder *finder, const bool *keep, const int64_t *rise, size_t *width)
{
	size_t own = finder->passes->n_counters, at = 0;
	int64_t *row;

	*width = 0;
	for (size_t i = 0; i < finder->n; i++)
		*width += keep[i];
	row = mem_new_array(finder->passes->n_rows * *width, sizeof *row);
	for (size_t r = 0; r < finder->passes->n_rows; r++)
		for (size_t i = 0; i < finder->n; i++)
			if (keep[i])
				row[at++] = i == finder->event ? rise[r] : finder->passes->row[r * own + i];
	return row;
}

struct cone *
locate_cone(const struct locate_finder *f, const bool *keep, const int64_t *rise, double seconds)
{
	struct cone_limits limits = {.seconds = seconds};
	size_t width;
	int64_t *row = rows_with(f, keep, rise, &width);
	struct cone *c = cone_new(width, f->passes->n_rows, row, &limits);

	free(row);
	return c;
}

static struct verdict *
locate_columns_judge(struct locate_finder *f, const struct cone *c, const struct prepared *p)
{
	struct verdict_options how = {
		.confidence = f->a->opt.confidence, .decides = (enum region_kind)f->a->opt.decides};

	if (f->threshold2[p->n_kept] <= 0)
		f->threshold2[p->n_kept] = chi2_quantile(how.confidence, p->n_kept);
	how.threshold2 = f->threshold2[p->n_kept];
	return verdict_new(c, p->region, &how);
}

struct verdict *
locate_judge(struct locate_finder *finder, const struct cone *cone, const int64_t *rise, const struct prepared **p)
{
	struct verdict *verdict = locate_columns_judge(finder, cone, *p);
	struct cone *less;

	if (verdict->verdict != VERDICT_INFEASIBLE || !(*p)->less)
		return verdict;
	verdict_free(verdict);
	*p = (*p)->less;
	less = locate_cone(finder, (*p)->keep, rise, -1);
	verdict = locate_columns_judge(finder, less, *p);
	cone_free(less);
	return verdict;
}

size_t
locate_event_column(const struct locate_finder *f, const bool *keep)
{
	size_t at = 0;

	for (size_t i = 0; i < f->event; i++)
		at += keep[i];
	return at;
}

static void
to_front(size_t *list, size_t at)
{
	size_t x = list[at];

	memmove(list + 1, list, at * sizeof *list);
	list[0] = x;
}

static void
refute(struct locate_finder *f, struct locate_column *x, size_t proof)
{
	int64_t sign = f->proof[proof].coef[f->event];

	x->survives = false;
	x->proof = proof;
	x->refuter = f->proof[proof].observation;
	x->direction = sign > 0 ? 1 : sign < 0 ? -1 : 0;
}

/* Keeps the verdict's certificate as a proof. */
static size_t
add_proof(struct locate_finder *finder, const struct prepared *prepared, size_t observation,
	const struct verdict *verdict)
{
	struct locate_proof *proof;
	size_t own = finder->passes->n_counters;

	mem_grow(&finder->proof, &finder->cap_proofs, finder->n_proofs + 1, sizeof *finder->proof);
	proof = &finder->proof[finder->n_proofs];
	*proof = (struct locate_proof){.observation = observation,
		.coef = mem_new_array(finder->n, sizeof *proof->coef),
		.rest = mem_new_array(finder->passes->n_rows, sizeof *proof->rest)};
	for (size_t i = 0, at = 0; i < finder->n; i++)
		if (prepared->keep[i])
			proof->coef[i] = verdict->certificate[at++];
	for (size_t r = 0; r < finder->passes->n_rows; r++)
		for (size_t i = 0; i < finder->n; i++)
			if (i != finder->event)
				proof->rest[r] += (i128)proof->coef[i] * finder->passes->row[r * own + i];
	if (finder->n_recent < LOCATE_PROOFS_MAX)
		finder->n_recent++;
	finder->recent[finder->n_recent - 1] = finder->n_proofs;
	to_front(finder->recent, finder->n_recent - 1);
	return finder->n_proofs++;
}

static bool
refuted_before(struct locate_finder *finder, struct locate_column *column)
{
	for (size_t k = 0; k < finder->n_recent; k++) {
		const struct locate_proof *proof = &finder->proof[finder->recent[k]];
		bool holds = true;

		for (size_t r = 0; r < finder->passes->n_rows && holds; r++)
			holds = proof->rest[r] + (i128)proof->coef[finder->event] * column->rise[r] >= 0;
		if (holds) {
			refute(finder, column, finder->recent[k]);
			to_front(finder->recent, k);
			return true;
		}
	}
	return false;
}

/* Tests with one cone for all observations that have the same counters. Facets are computed where that is quick,
 * because points are then judged quickly; the verdicts do not depend on them. */
static void
test(struct locate_finder *finder, struct locate_column *column)
{
	struct cone *cone = NULL;
	const bool *keep = NULL;

	finder->out->tested++;
	if (refuted_before(finder, column))
		return;
	column->survives = true;
	for (size_t k = 0; k < finder->n_order && column->survives; k++) {
		size_t i = finder->order[k];
		const struct prepared *prepared = analysis_observation(finder->a, i);
		struct verdict *verdict;

		if (!keep || memcmp(keep, prepared->keep, finder->n * sizeof *keep) != 0) {
			cone_free(cone);
			cone = locate_cone(finder, prepared->keep, column->rise, finder->large ? -1 : FACET_SECONDS);
			finder->large |= !cone->complete;
			keep = prepared->keep;
		}
		verdict = locate_judge(finder, cone, column->rise, &prepared);
		if (verdict->verdict == VERDICT_INFEASIBLE) {
			refute(finder, column, add_proof(finder, prepared, i, verdict));
			to_front(finder->order, k);
		}
		verdict_free(verdict);
	}
	cone_free(cone);
}

static uint64_t
hash_of(const struct locate_finder *f, const int64_t *rise)
{
	uint64_t h = 0;

	for (size_t r = 0; r < f->passes->n_rows; r++)
		h = ((h ^ (uint64_t)rise[r]) * UINT64_C(0x9e3779b97f4a7c15)) ^ h >> 29;
	return h;
}

/* Returns the slot of the column with this rise, or the free slot for it. */
static size_t *
locate_columns_slot_of(const struct locate_finder *f, const int64_t *rise, uint64_t hash)
{
	size_t i = (size_t)(hash >> 7) & (f->slots - 1);

	for (; f->slot[i]; i = (i + 1) & (f->slots - 1)) {
		const struct locate_column *x = &f->column[f->slot[i] - 1];

		if (x->hash == hash && memcmp(x->rise, rise, f->passes->n_rows * sizeof *rise) == 0)
			break;
	}
	return &f->slot[i];
}

struct locate_column *
locate_column(const struct locate_finder *f, const int64_t *rise)
{
	size_t at = f->slots ? *locate_columns_slot_of(f, rise, hash_of(f, rise)) : 0;

	return at ? &f->column[at - 1] : NULL;
}

static void
more_slots(struct locate_finder *f)
{
	free(f->slot);
	f->slots = f->slots ? 2 * f->slots : 256;
	f->slot = mem_new_array(f->slots, sizeof *f->slot);
	for (size_t i = 0; i < f->n_columns; i++)
		*locate_columns_slot_of(f, f->column[i].rise, f->column[i].hash) = i + 1;
}

static bool
locate_columns_is_zero(const struct locate_finder *f, const int64_t *rise)
{
	for (size_t r = 0; r < f->passes->n_rows; r++)
		if (rise[r])
			return false;
	return true;
}

/* Adds a column and takes over its rise. NULL when it counts nothing, or an equal column exists. */
static struct locate_column *
locate_columns_add_column(struct locate_finder *finder, struct locate_column new)
{
	size_t *slot;

	if (2 * (finder->n_columns + 1) > finder->slots)
		more_slots(finder);
	new.hash = hash_of(finder, new.rise);
	slot = locate_columns_slot_of(finder, new.rise, new.hash);
	if (*slot || locate_columns_is_zero(finder, new.rise)) {
		free(new.rise);
		return NULL;
	}
	mem_grow(&finder->column, &finder->cap, finder->n_columns + 1, sizeof *finder->column);
	finder->column[finder->n_columns++] = new;
	*slot = finder->n_columns;
	return &finder->column[finder->n_columns - 1];
}

static bool
locate_columns_go_on(const struct locate_finder *f)
{
	return !f->watch || f->watch->go_on(f->watch->ctx, "places", f->out->tested, 0);
}

static bool
test_singles(struct locate_finder *finder)
{
	size_t rows = finder->passes->n_rows;

	if (finder->out->known < finder->passes->n_counters) {
		int64_t *rise = mem_new_array(rows, sizeof *rise);
		struct locate_column *column;

		for (size_t r = 0; r < rows; r++)
			rise[r] = finder->passes->row[r * finder->passes->n_counters + finder->event];
		column = locate_columns_add_column(finder, (struct locate_column){.rise = rise});
		if (column)
			test(finder, column);
	}
	for (size_t i = 0; i < finder->passes->n; i++) {
		const struct passes_place *place = &finder->passes->place[i];
		struct locate_column *column = locate_column(finder, place->passes);

		if (column) {
			mem_grow(&column->same, &column->cap_same, column->n_same + 1, sizeof *column->same);
			column->same[column->n_same++] = i;
			if (column->n_places == 1 && place->whole && !finder->passes->place[column->line[0]].whole)
				column->line[0] = i;
			continue;
		}
		column = locate_columns_add_column(finder,
			(struct locate_column){.rise = mem_copy(place->passes, rows * sizeof *place->passes),
				.place = {i},
				.line = {i},
				.n_places = 1});
		if (!column)
			continue;
		test(finder, column);
		if (!locate_columns_go_on(finder))
			return false;
	}
	finder->out->places = finder->n_columns;
	return true;
}

/* Combines column x with one more place. Adding requires that no µpath passes both; subtracting requires that x counts
 * at least as much on every µpath. NULL otherwise. */
static int64_t *
locate_columns_combine(
	const struct locate_finder *finder, const struct locate_column *column, const int64_t *more, bool minus)
{
	int64_t *rise = mem_new_array(finder->passes->n_rows, sizeof *rise);

	for (size_t r = 0; r < finder->passes->n_rows; r++) {
		bool fits = minus ? more[r] <= column->rise[r] : !more[r] || !column->rise[r];

		if (!fits) {
			free(rise);
			return NULL;
		}
		rise[r] = minus ? column->rise[r] - more[r] : column->rise[r] + more[r];
	}
	return rise;
}

/* May two places combine? Names and statements combine freely; a statement in one call combines only with the same
 * statement in other calls. */
static bool
go_together(const struct locate_finder *f, const struct locate_column *x, const struct locate_column *y, bool minus)
{
	const struct passes_place *p = &f->passes->place[x->place[0]], *q = &f->passes->place[y->place[0]];

	if (p->level != PLACE_COPY && q->level != PLACE_COPY)
		return true;
	return !minus && p->level == q->level && p->text == q->text;
}

/* Could column i with the single column k added or subtracted survive? False also where the same pair is tested the
 * other way round. A survivor may count more or less than the truth, so it combines both ways. */
static bool
may_combine(const struct locate_finder *f, size_t i, size_t k, bool minus)
{
	const struct locate_column *x = &f->column[i], *y = &f->column[k];

	if (!x->n_places || !y->n_places || i == k || (x->n_places > 1 && (x->minus != minus || x->survives)) ||
		!go_together(f, x, y, minus))
		return false;
	if (!x->survives && (minus ? x->direction <= 0 : x->direction >= 0))
		return false;
	return minus || ((y->survives || y->direction < 0) && (x->n_places > 1 || k > i));
}

/* Tests one combination. False when it was stopped. */
static bool
test_combined(struct locate_finder *finder, size_t i, size_t k, bool minus)
{
	const struct locate_column *x = &finder->column[i], *y = &finder->column[k];
	struct locate_column made = {.n_places = x->n_places + 1, .minus = minus,
		.rise = locate_columns_combine(finder, x, y->rise, minus)}, *added;

	if (!made.rise)
		return true;
	if (finder->out->tested >= finder->tests_max) {
		finder->out->skipped += !locate_column(finder, made.rise);
		free(made.rise);
		return true;
	}
	memcpy(made.place, x->place, sizeof made.place);
	memcpy(made.line, x->line, sizeof made.line);
	made.place[x->n_places] = y->place[0];
	made.line[x->n_places] = y->line[0];
	added = locate_columns_add_column(finder, made);
	if (added)
		test(finder, added);
	return locate_columns_go_on(finder);
}

/* Combines the columns from … to - 1 with each single one. */
static bool
test_more(struct locate_finder *f, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		for (size_t k = 0; k < f->out->places; k++)
			for (int minus = 0; minus < 2; minus++)
				if (may_combine(f, i, k, minus) && !test_combined(f, i, k, minus))
					return false;
	return true;
}

static bool
some_survive(const struct locate_finder *f)
{
	for (size_t i = 0; i < f->n_columns; i++)
		if (f->column[i].survives)
			return true;
	return false;
}

/* Tests single places, then sums and differences of two. Three are tried only while nothing survives. */
bool
locate_test_all(struct locate_finder *finder)
{
	size_t from = 0, to;

	if (!test_singles(finder))
		return false;
	for (size_t terms = 2; terms <= LOCATE_TERMS_MAX && (terms == 2 || !some_survive(finder)); terms++) {
		to = finder->n_columns;
		if (!test_more(finder, from, to))
			return false;
		from = to;
	}
	return true;
}

