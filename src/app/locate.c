/* Each candidate is a column: how often the unknown counter rises on each distinct µpath. With the model's own counters it makes a cone, and
 * the data refute it or not.
 *
 * Single places come first. A refuted one has a certificate, an inequality a·v ≥ 0 of its cone that the data break, and the sign of a at the
 * unknown counter tells which way it is wrong: where it is not negative, counting more on some µpaths keeps the certificate valid. So only
 * what counts too little is added to, and only what counts too much is taken from; nothing that could survive is missed by that. Certificates
 * are kept: most columns are refuted by one that is there already, which takes no solver. */
#include "app/locate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/data.h"
#include "app/describe.h"
#include "app/passes.h"
#include "app/search_cones.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/int128.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/lang/diag.h"
#include "core/lang/near.h"
#include "core/obs/obs.h"
#include "core/stats/region.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "core/verdict/verdict.h"

#define TERMS_MAX 3
#define PROOFS_MAX 256
#define ALSO_MAX 4
#define FACET_SECONDS 0.05 /* where one cone takes longer the others go without facets */
#define EXPLAIN_SECONDS 2.0 /* for the facets that say in short what a refuted place violates */

/* A candidate while it is being thought about. */
struct column {
	int64_t *rise;       /* per row */
	size_t place[TERMS_MAX], n_places; /* the first, then those that are added or taken away; none: as declared */
	size_t line[TERMS_MAX]; /* … and places that count the same, and that a line of text for each of their nodes makes, if there are such */
	bool minus;
	bool survives;
	int direction;       /* refuted: +1 too much, -1 too little, 0 whatever it counts */
	size_t refuter;      /* an observation */
	size_t proof, n_also;
	struct str also;
};

/* A certificate that refuted a column: Σ coef·v ≥ 0, and an observation that breaks it. It refutes each column for which it holds too. */
struct proof {
	size_t observation;
	int64_t *coef;       /* over all counters */
	i128 *rest;          /* per row: Σ coef·row without the event */
};

struct finder {
	struct location *out;
	struct analysis *a;   /* of the model with the event as a counter */
	struct udd_model model;
	struct udd_counter *counter;
	const struct udd_diagram *g;
	struct passes *passes;
	size_t event, n;      /* the event's counter; counters */
	const struct watch *watch;
	size_t *order;        /* observations that are judged, the last refuter first */
	size_t n_order;
	struct column *column;
	size_t n_columns, cap, tests_max;
	struct proof *proof;
	size_t n_proofs, cap_proofs;
	size_t *recent;       /* proofs, the last used one first: PROOFS_MAX at most */
	size_t n_recent;
	double *threshold2;
	double explain_until;
	bool large;           /* the cones' facets take too long */
};

/* Is the column what one of the model's counters reads? */
static size_t
find_known(const struct udd_model *m, struct obs_table *const *table, size_t n, const char *event)
{
	for (size_t i = 0; i < m->n_counters; i++)
		if (str_eq(m->counter[i].name, event))
			return i;
	for (size_t t = 0; t < n; t++) {
		struct match *k = match_new(m, table[t]);
		size_t found = m->n_counters;

		for (size_t i = 0; i < m->n_counters; i++)
			if (k->first[i + 1] == k->first[i] + 1 && str_eq(table[t]->column[k->column[k->first[i]]], event))
				found = i;
		match_free(k);
		if (found < m->n_counters)
			return found;
	}
	return m->n_counters;
}

static bool
has_column(struct obs_table *const *table, size_t n, const char *event, bool any, struct err *e)
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

/* An analysis of the model with the event; `without` leaves it out again, to see whether the model alone survives. */
static struct analysis *
make_analysis(const struct finder *f, const struct analysis_options *how, struct obs_table *const *table, size_t n, bool without)
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

/* Rows over the kept counters, the event's being `rise`. The caller frees. */
static int64_t *
rows_with(const struct finder *f, const bool *keep, const int64_t *rise, size_t *width)
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

static struct cone *
cone_with(const struct finder *f, const bool *keep, const int64_t *rise, double seconds)
{
	struct cone_limits limits = {.seconds = seconds};
	size_t width;
	int64_t *row = rows_with(f, keep, rise, &width);
	struct cone *c = cone_new(width, f->passes->n_rows, row, &limits);

	free(row);
	return c;
}

static struct verdict *
judge(struct finder *f, const struct cone *c, const struct prepared *p)
{
	struct verdict_options how = {.confidence = f->a->opt.confidence, .decides = (enum region_kind)f->a->opt.decides};

	if (f->threshold2[p->n_kept] <= 0)
		f->threshold2[p->n_kept] = chi2_quantile(how.confidence, p->n_kept);
	how.threshold2 = f->threshold2[p->n_kept];
	return verdict_new(c, p->region, &how);
}

/* Where the event stands among the kept counters. */
static size_t
event_column(const struct finder *f, const bool *keep)
{
	size_t at = 0;

	for (size_t i = 0; i < f->event; i++)
		at += keep[i];
	return at;
}

/* Observations that have the event and that the model itself survives are those that are asked. */
static bool
choose_observations(struct finder *f, struct analysis *without)
{
	size_t n = total_observations(f->a);
	int64_t *zero = mem_new_array(f->passes->n_rows, sizeof *zero);

	f->order = mem_new_array(n, sizeof *f->order);
	for (size_t i = 0; i < n; i++) {
		const struct prepared *p = nth_observation(f->a, i), *q = nth_observation(without, i);
		struct cone *c;
		struct verdict *v;

		if (!p->region || !p->keep[f->event])
			continue;
		if (q->region) {
			c = cone_with(f, q->keep, zero, -1);
			v = judge(f, c, q);
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

static void
to_front(size_t *list, size_t at)
{
	size_t x = list[at];

	memmove(list + 1, list, at * sizeof *list);
	list[0] = x;
}

static void
refute(struct finder *f, struct column *x, size_t proof)
{
	int64_t sign = f->proof[proof].coef[f->event];

	x->survives = false;
	x->proof = proof;
	x->refuter = f->proof[proof].observation;
	x->direction = sign > 0 ? 1 : sign < 0 ? -1 : 0;
}

/* The verdict's certificate becomes a proof. */
static size_t
add_proof(struct finder *f, const struct prepared *p, size_t observation, const struct verdict *v)
{
	struct proof *k;
	size_t own = f->passes->n_counters;

	mem_grow(&f->proof, &f->cap_proofs, f->n_proofs + 1, sizeof *f->proof);
	k = &f->proof[f->n_proofs];
	*k = (struct proof){.observation = observation, .coef = mem_new_array(f->n, sizeof *k->coef), .rest = mem_new_array(f->passes->n_rows, sizeof *k->rest)};
	for (size_t i = 0, at = 0; i < f->n; i++)
		if (p->keep[i])
			k->coef[i] = v->certificate[at++];
	for (size_t r = 0; r < f->passes->n_rows; r++)
		for (size_t i = 0; i < f->n; i++)
			if (i != f->event)
				k->rest[r] += (i128)k->coef[i] * f->passes->row[r * own + i];
	if (f->n_recent < PROOFS_MAX)
		f->n_recent++;
	f->recent[f->n_recent - 1] = f->n_proofs;
	to_front(f->recent, f->n_recent - 1);
	return f->n_proofs++;
}

static bool
refuted_before(struct finder *f, struct column *x)
{
	for (size_t k = 0; k < f->n_recent; k++) {
		const struct proof *p = &f->proof[f->recent[k]];
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

/* One cone for all observations of like counters; with facets where they are quickly had, for then points are quickly judged. Without
 * them the answer is the same. */
static void
test(struct finder *f, struct column *x)
{
	struct cone *c = NULL;
	const bool *keep = NULL;

	f->out->tested++;
	if (refuted_before(f, x))
		return;
	x->survives = true;
	for (size_t k = 0; k < f->n_order && x->survives; k++) {
		size_t i = f->order[k];
		const struct prepared *p = nth_observation(f->a, i);
		struct verdict *v;

		if (!keep || memcmp(keep, p->keep, f->n * sizeof *keep) != 0) {
			cone_free(c);
			c = cone_with(f, p->keep, x->rise, f->large ? -1 : FACET_SECONDS);
			f->large |= !c->complete;
			keep = p->keep;
		}
		v = judge(f, c, p);
		if (v->verdict == VERDICT_INFEASIBLE) {
			refute(f, x, add_proof(f, p, i, v));
			to_front(f->order, k);
		}
		verdict_free(v);
	}
	cone_free(c);
}

static struct column *
find_column(struct finder *f, const int64_t *rise)
{
	for (size_t i = 0; i < f->n_columns; i++)
		if (memcmp(f->column[i].rise, rise, f->passes->n_rows * sizeof *rise) == 0)
			return &f->column[i];
	return NULL;
}

static bool
is_zero(const struct finder *f, const int64_t *rise)
{
	for (size_t r = 0; r < f->passes->n_rows; r++)
		if (rise[r])
			return false;
	return true;
}

/* Takes the rise. NULL when it counts nothing, or is there already. */
static struct column *
add_column(struct finder *f, int64_t *rise)
{
	struct column *x;

	if (is_zero(f, rise) || find_column(f, rise)) {
		free(rise);
		return NULL;
	}
	mem_grow(&f->column, &f->cap, f->n_columns + 1, sizeof *f->column);
	x = &f->column[f->n_columns++];
	*x = (struct column){.rise = rise};
	return x;
}

static void
add_also(struct column *x, const struct place_at *p)
{
	if (x->n_also++ >= ALSO_MAX) {
		if (x->n_also == ALSO_MAX + 1)
			str_add(&x->also, "; and others");
		return;
	}
	str_addf(&x->also, "%s%s", x->also.n ? "; " : "", p->name);
	if (*p->where)
		str_addf(&x->also, " at %s", p->where);
}

/* A place of the text that is all there is of its name says nothing new beside the name. */
static bool
says_more(const struct finder *f, const struct column *x, const struct place_at *p)
{
	return !x->n_places || p->level == PLACE_NAME || !str_eq(f->passes->place[x->place[0]].name, p->name);
}

static bool
go_on(const struct finder *f)
{
	return !f->watch || f->watch->go_on(f->watch->ctx, "places", f->out->tested, 0);
}

static bool
test_singles(struct finder *f)
{
	size_t rows = f->passes->n_rows;

	if (f->out->known < f->passes->n_counters) {
		int64_t *rise = mem_new_array(rows, sizeof *rise);
		struct column *x;

		for (size_t r = 0; r < rows; r++)
			rise[r] = f->passes->row[r * f->passes->n_counters + f->event];
		x = add_column(f, rise);
		if (x)
			test(f, x);
	}
	for (size_t i = 0; i < f->passes->n; i++) {
		const struct place_at *p = &f->passes->place[i];
		struct column *x = find_column(f, p->passes);

		if (x) {
			if (says_more(f, x, p))
				add_also(x, p);
			if (x->n_places == 1 && p->whole && !f->passes->place[x->line[0]].whole)
				x->line[0] = i;
			continue;
		}
		x = add_column(f, mem_copy(p->passes, rows * sizeof *p->passes));
		if (!x)
			continue;
		if (!go_on(f))
			return false;
		x->place[0] = x->line[0] = i;
		x->n_places = 1;
		test(f, x);
	}
	f->out->places = f->n_columns;
	return true;
}

/* Column x with one more place: added where no µpath passes both, taken away where each pass is one of x too. */
static int64_t *
combine(const struct finder *f, const struct column *x, const int64_t *more, bool minus)
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

/* Places of the text, and of its names, go with each other; single calls' copies only with others of the same statement. */
static bool
go_together(const struct finder *f, const struct column *x, const struct column *y, bool minus)
{
	const struct place_at *p = &f->passes->place[x->place[0]], *q = &f->passes->place[y->place[0]];

	if (p->level != PLACE_COPY && q->level != PLACE_COPY)
		return true;
	return !minus && p->level == q->level && p->text == q->text;
}

/* Could column i with the single column k, added or taken away, survive, and is it not looked at the other way round? What survives already
 * may be more than the truth, or less. */
static bool
may_combine(const struct finder *f, size_t i, size_t k, bool minus)
{
	const struct column *x = &f->column[i], *y = &f->column[k];

	if (!x->n_places || !y->n_places || i == k || (x->n_places > 1 && (x->minus != minus || x->survives)) || !go_together(f, x, y, minus))
		return false;
	if (!x->survives && (minus ? x->direction <= 0 : x->direction >= 0))
		return false;
	return minus || ((y->survives || y->direction < 0) && (x->n_places > 1 || k > i));
}

/* False when it was stopped. */
static bool
test_combined(struct finder *f, size_t i, size_t k, bool minus)
{
	const struct column *x = &f->column[i], *y = &f->column[k];
	struct column made = {.n_places = x->n_places + 1, .minus = minus, .rise = combine(f, x, y->rise, minus)};

	if (!made.rise)
		return true;
	if (f->out->tested >= f->tests_max) {
		f->out->skipped += !find_column(f, made.rise);
		free(made.rise);
		return true;
	}
	memcpy(made.place, x->place, sizeof made.place);
	memcpy(made.line, x->line, sizeof made.line);
	made.place[x->n_places] = y->place[0];
	made.line[x->n_places] = y->line[0];
	if (add_column(f, made.rise)) {
		f->column[f->n_columns - 1] = made;
		test(f, &f->column[f->n_columns - 1]);
	}
	return go_on(f);
}

/* Columns `from` … `to` with one of the single ones besides. */
static bool
test_more(struct finder *f, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		for (size_t k = 0; k < f->out->places; k++)
			for (int minus = 0; minus < 2; minus++)
				if (may_combine(f, i, k, minus) && !test_combined(f, i, k, minus))
					return false;
	return true;
}

static bool
some_survive(const struct finder *f)
{
	for (size_t i = 0; i < f->n_columns; i++)
		if (f->column[i].survives)
			return true;
	return false;
}

/* Sums and differences of two always, of three where nothing simpler survives. */
static bool
test_all(struct finder *f)
{
	size_t from = 0, to;

	if (!test_singles(f))
		return false;
	for (size_t terms = 2; terms <= TERMS_MAX && (terms == 2 || !some_survive(f)); terms++) {
		to = f->n_columns;
		if (!test_more(f, from, to))
			return false;
		from = to;
	}
	return true;
}

static void
add_place_name(const struct place_at *p, struct str *out)
{
	str_add(out, p->name);
	if (*p->where)
		str_addf(out, " at %s", p->where);
}

static char *
name_of(const struct finder *f, const struct column *x)
{
	struct str out = {0};

	if (!x->n_places)
		return mem_str("as declared");
	for (size_t i = 0; i < x->n_places; i++) {
		if (i)
			str_add(&out, x->minus ? " without " : " + ");
		add_place_name(&f->passes->place[x->place[i]], &out);
	}
	return str_take(&out);
}

/* "count MIN; " in front of each statement, if that is all it takes. */
static char *
paste_of(const struct finder *f, const struct column *x)
{
	struct str out = {0}, count = {0};
	bool whole = x->n_places > 0 && !x->minus;

	for (size_t i = 0; i < x->n_places; i++)
		whole &= f->passes->place[x->line[i]].whole;
	if (!whole)
		return mem_str("");
	str_add(&count, "count ");
	udd_counter_word(f->model.counter[f->event].name, &count);
	str_add(&count, "; ");
	for (size_t i = 0; i < x->n_places; i++) {
		const struct place_at *p = &f->passes->place[x->line[i]];

		for (size_t k = 0; k < p->n_nodes; k++) {
			const struct udd_node *v = &f->g->node[p->node[k]];

			str_addf(&out, "%s%s:%u: ", out.n ? "\n" : "", f->g->file[v->file], v->line);
			udd_node_insert(f->g, p->node[k], str_text(&count), &out);
		}
	}
	str_free(&count);
	return str_take(&out);
}

/* What a refuted candidate violates: the facet that is worst, where there is time to find the facets, else the certificate. */
static char *
violated_text(struct finder *f, const struct column *x)
{
	const struct prepared *p = nth_observation(f->a, x->refuter);
	double left = f->explain_until - clock_seconds();
	struct constraint c = {0};

	if (left > 0) {
		struct cone *cone = cone_with(f, p->keep, x->rise, fmin(left, 0.3));
		struct verdict *v = judge(f, cone, p);

		if (v->n_violated) {
			const struct violation *k = &v->violated[0];

			c = describe_row(f->a, p->keep, (k->equality ? cone->equality : cone->inequality) + k->row * cone->n_counters, k->equality);
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

/* The bounds that the facets put on the event at one observation's means; false where one of them needs what the observation lacks. */
static bool
bound(const struct finder *f, const struct cone *c, const bool *keep, const struct prepared *p, double *low, double *high)
{
	size_t at = event_column(f, keep);

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
mean_width(const struct finder *f, const struct cone *c, const bool *keep)
{
	double sum = 0, n = 0;

	for (size_t k = 0; k < f->n_order && c->complete; k++) {
		const struct prepared *p = nth_observation(f->a, f->order[k]);
		double low, high;

		if (!bound(f, c, keep, p, &low, &high))
			continue;
		sum += fmax(0, high - low) / fmax(1, p->value[f->event]);
		n++;
	}
	return n > 0 ? sum / n : NAN;
}

static void
describe_survivor(struct finder *f, const struct column *x, const bool *keep, struct search_cones *cones, struct locate_candidate *out)
{
	struct cone *c = cone_with(f, keep, x->rise, f->a->opt.cone_seconds);
	size_t at = event_column(f, keep);

	for (size_t r = 0; r < c->n_equalities && !out->rule; r++)
		if (c->equality[r * c->n_counters + at]) {
			struct constraint row = describe_row(f->a, keep, c->equality + r * c->n_counters, true);

			out->rule = row.text;
			free(row.coef);
		}
	out->group = search_cones_id(cones, c);
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

static struct locate_candidate
describe(struct finder *f, struct column *x)
{
	struct locate_candidate c = {.name = name_of(f, x), .also = str_take(&x->also), .terms = x->n_places ? x->n_places : 1, .declared = !x->n_places,
		.survives = x->survives, .width = NAN};

	for (size_t i = 0; i < x->n_places; i++) {
		enum place_level level = f->passes->place[x->place[i]].level;

		c.detail += level == PLACE_NAME ? 0 : level == PLACE_TEXT ? 1 : 2;
		c.part |= level == PLACE_COPY;
	}
	if (!x->survives) {
		c.refuter = mem_str(nth_observation(f->a, x->refuter)->obs->name);
		c.constraint = x->n_places <= 1 ? violated_text(f, x) : NULL;
	}
	return c;
}

static void
describe_all(struct finder *f)
{
	struct location *l = f->out;
	struct search_cones *cones = search_cones_new();
	bool *keep = used_counters(f->a);

	f->explain_until = clock_seconds() + EXPLAIN_SECONDS;
	l->candidate = mem_new_array(f->n_columns, sizeof *l->candidate);
	for (size_t i = 0; i < f->n_columns; i++)
		if (f->column[i].survives) {
			l->candidate[l->n] = describe(f, &f->column[i]);
			describe_survivor(f, &f->column[i], keep, cones, &l->candidate[l->n++]);
		}
	l->n_survivors = l->n;
	if (l->n)
		qsort(l->candidate, l->n, sizeof *l->candidate, compare_candidates);
	for (size_t i = 0; i < f->n_columns; i++)
		if (!f->column[i].survives)
			l->candidate[l->n++] = describe(f, &f->column[i]);
	free(keep);
	search_cones_free(cones);
}

static bool
no_observation(const struct location *l, const char *event, struct err *e)
{
	if (l->n_left_out) {
		err_set(e, "model does not survive any observation that has '%s': it is not to be trusted with these features", event);
		return err_hint(e, "hecate search finds features that survive");
	}
	err_set(e, "no observation with '%s' can be judged", event);
	return err_hint(e, "one noisy sample says nothing about noise; give more rows, or --exact if they are exact totals");
}

/* The model with the event as one more counter, unless it is one of its own. */
static void
extend(struct finder *f, const struct udd_model *m, const char *event)
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
finder_free(struct finder *f)
{
	for (size_t i = 0; i < f->n_columns; i++) {
		free(f->column[i].rise);
		str_free(&f->column[i].also);
	}
	for (size_t i = 0; i < f->n_proofs; i++) {
		free(f->proof[i].coef);
		free(f->proof[i].rest);
	}
	free(f->proof);
	free(f->recent);
	free(f->column);
	free(f->order);
	free(f->threshold2);
	free(f->counter);
	passes_free(f->passes);
	analysis_free(f->a);
}

/* False when there is nothing to judge, or when it was stopped. */
static bool
find(struct finder *f, const struct analysis_options *how, struct obs_table *const *table, size_t n_tables, struct err *e)
{
	struct analysis *without = make_analysis(f, how, table, n_tables, true);
	bool some;

	f->a = make_analysis(f, how, table, n_tables, false);
	f->threshold2 = mem_new_array(f->n + 1, sizeof *f->threshold2);
	f->recent = mem_new_array(PROOFS_MAX, sizeof *f->recent);
	some = choose_observations(f, without);
	analysis_free(without);
	if (!some)
		return no_observation(f->out, f->out->event, e);
	if (!test_all(f)) {
		err_set(e, "%s", "");
		return false;
	}
	describe_all(f);
	return true;
}

struct location *
locate_run(const struct udd_model *m, const struct fset *on, const struct analysis_options *how, struct obs_table *const *table, size_t n_tables,
	const char *event, size_t tests_max, const struct watch *watch, struct err *e)
{
	struct location *l = mem_new(sizeof *l);
	struct finder f = {.out = l, .watch = watch, .tests_max = tests_max ? tests_max : LOCATE_TESTS_MAX};
	struct diags d = {0};
	struct udd_diagram *g = NULL;
	double start = clock_seconds();
	bool good;

	l->event = event;
	l->known = find_known(m, table, n_tables, event);
	good = has_column(table, n_tables, event, l->known < m->n_counters, e);
	if (good) {
		extend(&f, m, event);
		f.g = g = udd_expand(m, on, &d);
		f.passes = g ? passes_new(g, l->known, &d) : NULL;
		if (f.passes)
			good = find(&f, how, table, n_tables, e);
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
	location_free(l);
	return NULL;
}

void
location_free(struct location *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n; i++) {
		free(l->candidate[i].name);
		free(l->candidate[i].also);
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
