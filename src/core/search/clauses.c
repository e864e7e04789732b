/* Depth-first search over the features in order. A branch ends if a clause can no longer be satisfied, or legal()
 * says so. If only one literal of a clause is left, its feature is set at once. */
#include "core/search/clauses.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

#define WORDS (FSET_MAX / 64)
#define NODES_BETWEEN 1024 /* nodes between calls of go_on() */

struct dive {
	const struct clauses *clauses;
	const struct clauses_query *q;
	bool gave_up, stopped;
	double count, most; /* if counting */
};

void
clauses_add(struct clauses *c, struct clause one)
{
	mem_grow(&c->clause, &c->cap, c->n + 1, sizeof *c->clause);
	c->clause[c->n++] = one;
}

void
clauses_free(struct clauses *c)
{
	free(c->clause);
	*c = (struct clauses){0};
}

/* State of a clause. 0: cannot be satisfied; 1: one literal is left, *unit; 2: more are left, or it is satisfied. */
static int
clause_state(const struct clause *clause, const struct fset *on, const struct fset *known, size_t *unit, bool *value)
{
	size_t open = 0;

	for (size_t i = 0; i < WORDS; i++) {
		uint64_t plus = clause->on.w[i] & ~known->w[i], minus = clause->off.w[i] & ~known->w[i];

		if ((clause->on.w[i] & known->w[i] & on->w[i]) || (clause->off.w[i] & known->w[i] & ~on->w[i]))
			return 2;
		if (plus | minus) {
			open += (size_t)__builtin_popcountll(plus) + (size_t)__builtin_popcountll(minus);
			*unit = i * 64 + (size_t)__builtin_ctzll(plus | minus);
			*value = plus != 0;
		}
	}
	return open > 1 ? 2 : (int)open;
}

/* Set all features that clauses decide. Returns false if a clause cannot be satisfied. */
static bool
propagate(const struct clauses *clauses, struct fset *on, struct fset *known)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; clauses && i < clauses->n; i++) {
			size_t unit = 0;
			bool value = false;
			int left = clause_state(&clauses->clause[i], on, known, &unit, &value);

			if (left == 0)
				return false;
			if (left == 1) {
				fset_put(on, unit, value);
				fset_put(known, unit, true);
				more = true;
			}
		}
	}
	return true;
}

/* Search below one choice. Returns true if a set is found, in *out, or if counting has exceeded the limit. Recursion is
 * as deep as there are features. */
static bool
dive(struct dive *d, struct fset on, struct fset known, size_t at, struct fset *out)
{
	if (d->q->go_on && *d->q->nodes % NODES_BETWEEN == 0 && !d->q->go_on(d->q->ctx))
		d->stopped = true;
	if (d->stopped || *d->q->nodes == 0) {
		d->gave_up = true;
		return false;
	}
	--*d->q->nodes;
	if (!propagate(d->clauses, &on, &known) || !d->q->legal(d->q->ctx, &on, &known))
		return false;
	while (at < d->q->n_features && fset_has(&known, at))
		at++;
	if (at == d->q->n_features) {
		*out = on;
		return d->most <= 0 || ++d->count > d->most;
	}
	fset_put(&known, at, true);
	for (int value = 1; value >= 0; value--) {
		fset_put(&on, at, value);
		if (dive(d, on, known, at + 1, out))
			return true;
		if (d->gave_up)
			return false;
	}
	return false;
}

enum clauses_answer
clauses_next(const struct clauses *c, const struct clauses_query *q, struct fset *out)
{
	struct dive d = {.clauses = c, .q = q};

	if (dive(&d, q->value, q->fixed, 0, out))
		return CLAUSES_FOUND;
	if (d.stopped)
		return CLAUSES_STOPPED;
	return d.gave_up ? CLAUSES_GAVE_UP : CLAUSES_NONE;
}

double
clauses_count(const struct clauses_query *q, double most)
{
	struct dive d = {.q = q, .most = most};
	struct fset last;

	return dive(&d, q->value, q->fixed, 0, &last) || d.gave_up ? NAN : d.count;
}
