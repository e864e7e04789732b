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
rows_with(const struct locate_finder *f, const bool *keep, const int64_t *rise, size_t *width)
{
	size_t own = f->passes->n_counters, at = 0;
	int64_t *row;

	*width = 0;
	for (size_t i = 0; i < f->n; i++)
		*width += keep[i];
	row = mem_new_array(f->passes->n_rows * *width, sizeof *row);
	for (size_t r = 0; r < f->passes->n_rows; r++)
		for (size_t i = 0; i < f->n; i++)
			if (keep[i])
				row[at++] = i == f->event ? rise[r] : f->passes->row[r * own + i];
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
locate_judge(struct locate_finder *f, const struct cone *c, const int64_t *rise, const struct prepared **p)
{
	struct verdict *v = locate_columns_judge(f, c, *p);
	struct cone *less;

	if (v->verdict != VERDICT_INFEASIBLE || !(*p)->less)
		return v;
	verdict_free(v);
	*p = (*p)->less;
	less = locate_cone(f, (*p)->keep, rise, -1);
	v = locate_columns_judge(f, less, *p);
	cone_free(less);
	return v;
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
add_proof(struct locate_finder *f, const struct prepared *p, size_t observation, const struct verdict *v)
{
	struct locate_proof *k;
	size_t own = f->passes->n_counters;

	mem_grow(&f->proof, &f->cap_proofs, f->n_proofs + 1, sizeof *f->proof);
	k = &f->proof[f->n_proofs];
	*k = (struct locate_proof){.observation = observation, .coef = mem_new_array(f->n, sizeof *k->coef),
		.rest = mem_new_array(f->passes->n_rows, sizeof *k->rest)};
	for (size_t i = 0, at = 0; i < f->n; i++)
		if (p->keep[i])
			k->coef[i] = v->certificate[at++];
	for (size_t r = 0; r < f->passes->n_rows; r++)
		for (size_t i = 0; i < f->n; i++)
			if (i != f->event)
				k->rest[r] += (i128)k->coef[i] * f->passes->row[r * own + i];
	if (f->n_recent < LOCATE_PROOFS_MAX)
		f->n_recent++;
	f->recent[f->n_recent - 1] = f->n_proofs;
	to_front(f->recent, f->n_recent - 1);
	return f->n_proofs++;
}

static bool
refuted_before(struct locate_finder *f, struct locate_column *x)
{
	for (size_t k = 0; k < f->n_recent; k++) {
		const struct locate_proof *p = &f->proof[f->recent[k]];
		bool holds = true;

		for (size_t r = 0; r < f->passes->n_rows && holds; r++)
			holds = p->rest[r] + (i128)p->coef[f->event] * x->rise[r] >= 0;
		if (holds) {
			refute(f, x, f->recent[k]);
			to_front(f->recent, k);
			return true;
		}
	}
	return false;
}

/* Tests with one cone for all observations that have the same counters. Facets are computed where that is quick,
 * because points are then judged quickly; the verdicts do not depend on them. */
static void
test(struct locate_finder *f, struct locate_column *x)
{
	struct cone *c = NULL;
	const bool *keep = NULL;

	f->out->tested++;
	if (refuted_before(f, x))
		return;
	x->survives = true;
	for (size_t k = 0; k < f->n_order && x->survives; k++) {
		size_t i = f->order[k];
		const struct prepared *p = analysis_observation(f->a, i);
		struct verdict *v;

		if (!keep || memcmp(keep, p->keep, f->n * sizeof *keep) != 0) {
			cone_free(c);
			c = locate_cone(f, p->keep, x->rise, f->large ? -1 : FACET_SECONDS);
			f->large |= !c->complete;
			keep = p->keep;
		}
		v = locate_judge(f, c, x->rise, &p);
		if (v->verdict == VERDICT_INFEASIBLE) {
			refute(f, x, add_proof(f, p, i, v));
			to_front(f->order, k);
		}
		verdict_free(v);
	}
	cone_free(c);
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
locate_columns_add_column(struct locate_finder *f, struct locate_column new)
{
	size_t *slot;

	if (2 * (f->n_columns + 1) > f->slots)
		more_slots(f);
	new.hash = hash_of(f, new.rise);
	slot = locate_columns_slot_of(f, new.rise, new.hash);
	if (*slot || locate_columns_is_zero(f, new.rise)) {
		free(new.rise);
		return NULL;
	}
	mem_grow(&f->column, &f->cap, f->n_columns + 1, sizeof *f->column);
	f->column[f->n_columns++] = new;
	*slot = f->n_columns;
	return &f->column[f->n_columns - 1];
}

static bool
locate_columns_go_on(const struct locate_finder *f)
{
	return !f->watch || f->watch->go_on(f->watch->ctx, "places", f->out->tested, 0);
}

static bool
test_singles(struct locate_finder *f)
{
	size_t rows = f->passes->n_rows;

	if (f->out->known < f->passes->n_counters) {
		int64_t *rise = mem_new_array(rows, sizeof *rise);
		struct locate_column *x;

		for (size_t r = 0; r < rows; r++)
			rise[r] = f->passes->row[r * f->passes->n_counters + f->event];
		x = locate_columns_add_column(f, (struct locate_column){.rise = rise});
		if (x)
			test(f, x);
	}
	for (size_t i = 0; i < f->passes->n; i++) {
		const struct passes_place *p = &f->passes->place[i];
		struct locate_column *x = locate_column(f, p->passes);

		if (x) {
			mem_grow(&x->same, &x->cap_same, x->n_same + 1, sizeof *x->same);
			x->same[x->n_same++] = i;
			if (x->n_places == 1 && p->whole && !f->passes->place[x->line[0]].whole)
				x->line[0] = i;
			continue;
		}
		x = locate_columns_add_column(f,
			(struct locate_column){.rise = mem_copy(p->passes, rows * sizeof *p->passes),
				.place = {i},
				.line = {i},
				.n_places = 1});
		if (!x)
			continue;
		test(f, x);
		if (!locate_columns_go_on(f))
			return false;
	}
	f->out->places = f->n_columns;
	return true;
}

/* Combines column x with one more place. Adding requires that no µpath passes both; subtracting requires that x counts
 * at least as much on every µpath. NULL otherwise. */
static int64_t *
locate_columns_combine(const struct locate_finder *f, const struct locate_column *x, const int64_t *more, bool minus)
{
	int64_t *rise = mem_new_array(f->passes->n_rows, sizeof *rise);

	for (size_t r = 0; r < f->passes->n_rows; r++) {
		bool fits = minus ? more[r] <= x->rise[r] : !more[r] || !x->rise[r];

		if (!fits) {
			free(rise);
			return NULL;
		}
		rise[r] = minus ? x->rise[r] - more[r] : x->rise[r] + more[r];
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
test_combined(struct locate_finder *f, size_t i, size_t k, bool minus)
{
	const struct locate_column *x = &f->column[i], *y = &f->column[k];
	struct locate_column made = {.n_places = x->n_places + 1, .minus = minus,
		.rise = locate_columns_combine(f, x, y->rise, minus)}, *added;

	if (!made.rise)
		return true;
	if (f->out->tested >= f->tests_max) {
		f->out->skipped += !locate_column(f, made.rise);
		free(made.rise);
		return true;
	}
	memcpy(made.place, x->place, sizeof made.place);
	memcpy(made.line, x->line, sizeof made.line);
	made.place[x->n_places] = y->place[0];
	made.line[x->n_places] = y->line[0];
	added = locate_columns_add_column(f, made);
	if (added)
		test(f, added);
	return locate_columns_go_on(f);
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
locate_test_all(struct locate_finder *f)
{
	size_t from = 0, to;

	if (!test_singles(f))
		return false;
	for (size_t terms = 2; terms <= LOCATE_TERMS_MAX && (terms == 2 || !some_survive(f)); terms++) {
		to = f->n_columns;
		if (!test_more(f, from, to))
			return false;
		from = to;
	}
	return true;
}

