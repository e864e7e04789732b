/* Discovery climbs from the start until nothing is refuted; elimination goes down from a survivor until no feature can go; then the map
 * (clauses.h) gives what is still open, the largest sets first. So a refuted set from the map is a maximal one:
 *
 *        {A B C}  survives, and so does what adds to it
 *       /   |   \
 *     AB    AC    BC         AB is refuted: A and B are too, without a test
 *       \  /  \  /
 *        A     C             A C survives: it is minimal once A and C are refuted
 *
 * At the end every legal set lies below a tested refuted one or above a tested survivor. */
#include "core/search/lattice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/search/clauses.h"

#define SETS_COUNTED 100000.0 /* legal sets are counted up to here */

struct search {
	const struct lattice_problem *p;
	struct lattice *l;
	struct fset all;
	struct clauses map;
	size_t tests_max, nodes;
	bool stopped;
};

static struct fset
minus(struct fset a, struct fset b)
{
	for (size_t i = 0; i < FSET_MAX / 64; i++)
		a.w[i] &= ~b.w[i];
	return a;
}

static struct fset
both(struct fset a, struct fset b)
{
	for (size_t i = 0; i < FSET_MAX / 64; i++)
		a.w[i] &= b.w[i];
	return a;
}

static struct fset
either(struct fset a, struct fset b)
{
	for (size_t i = 0; i < FSET_MAX / 64; i++)
		a.w[i] |= b.w[i];
	return a;
}

static bool
none(struct fset a)
{
	return fset_count(&a) == 0;
}

static bool
is_legal(const struct search *s, const struct fset *on)
{
	return s->p->legal(s->p->ctx, on, &s->all);
}

static bool
survives(const struct lattice_model *m)
{
	return m->usable && m->n_infeasible == 0;
}

/* What a tested set says of others: a survivor of its supersets, a refuted one of its subsets, as far as they differ in features that
 * only add. The clause is kept by the sets of which it says nothing. */
static struct clause
clause_of(const struct search *s, const struct lattice_model *m)
{
	struct fset off = minus(s->all, m->on), wild = minus(s->all, s->l->grows);

	if (!m->usable)
		return (struct clause){.on = off, .off = m->on};
	if (survives(m))
		return (struct clause){.on = both(off, wild), .off = m->on};
	return (struct clause){.on = off, .off = both(m->on, wild)};
}

static bool
keeps(const struct clause *c, const struct fset *on)
{
	return !none(both(c->on, *on)) || !none(minus(c->off, *on));
}

static bool
is_open(const struct search *s, const struct fset *on)
{
	for (size_t i = 0; i < s->map.n; i++)
		if (!keeps(&s->map.clause[i], on))
			return false;
	return true;
}

static size_t
find_model(const struct lattice *l, const struct fset *on)
{
	size_t i = 0;

	while (i < l->n_models && !fset_equal(&l->model[i].on, on))
		i++;
	return i;
}

static void
add_edge(struct lattice *l, size_t from, size_t to, enum lattice_step step)
{
	const struct fset *a = &l->model[from].on, *b = &l->model[to].on;
	struct fset changed = step == LATTICE_ELIMINATION ? minus(*a, *b) : minus(*b, *a);

	for (size_t i = 0; i < l->n_edges; i++)
		if ((l->edge[i].from == from && l->edge[i].to == to) || (l->edge[i].from == to && l->edge[i].to == from))
			return;
	mem_grow(&l->edge, &l->cap_edges, l->n_edges + 1, sizeof *l->edge);
	l->edge[l->n_edges++] = (struct lattice_edge){.from = from, .to = to, .changed = changed, .step = step};
}

/* A feature that was taken to add only, and does not: what was concluded from it is void. */
static void
distrust(struct search *s, size_t feature)
{
	if (!fset_has(&s->l->grows, feature))
		return;
	fset_put(&s->l->grows, feature, false);
	s->map.n = 0;
	for (size_t i = 0; i < s->l->n_models; i++)
		clauses_add(&s->map, clause_of(s, &s->l->model[i]));
}

/* The cone of a set must be inside of that of a set with one feature more. */
static void
check_pair(struct search *s, size_t small, size_t large)
{
	struct lattice *l = s->l;
	const struct lattice_model *a = &l->model[small], *b = &l->model[large];
	struct fset more = minus(b->on, a->on);
	size_t feature = 0;

	if (!a->usable || !b->usable || a->cone == b->cone || s->p->inside(s->p->ctx, a->cone, b->cone))
		return;
	while (!fset_has(&more, feature))
		feature++;
	mem_grow(&l->shrink, &l->cap_shrinks, l->n_shrinks + 1, sizeof *l->shrink);
	l->shrink[l->n_shrinks++] = (struct lattice_shrink){.feature = feature, .from = small, .to = large};
	distrust(s, feature);
}

static void
check_neighbours(struct search *s, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		struct fset more = minus(s->l->model[i].on, s->l->model[at].on), less = minus(s->l->model[at].on, s->l->model[i].on);

		if (fset_count(&more) == 1 && none(less))
			check_pair(s, at, i);
		else if (fset_count(&less) == 1 && none(more))
			check_pair(s, i, at);
	}
}

/* Test a legal set and put what it says on the map. False when the search ends here: stopped, or enough tests. */
static bool
test(struct search *s, const struct fset *on, enum lattice_step step, size_t *at)
{
	struct lattice *l = s->l;
	struct lattice_model m = {.on = *on, .step = step};

	if (l->n_models == s->tests_max) {
		l->reason = "as many models were tested as one search may; fix some features, or use fewer";
		return false;
	}
	m.infeasible = mem_new_array(l->n_words, sizeof *m.infeasible);
	if (!s->p->test(s->p->ctx, on, &m.cone, m.infeasible, &m.usable)) {
		free(m.infeasible);
		s->stopped = true;
		return false;
	}
	for (size_t i = 0; i < l->n_words; i++)
		m.n_infeasible += (size_t)__builtin_popcountll(m.infeasible[i]);
	mem_grow(&l->model, &l->cap_models, l->n_models + 1, sizeof *l->model);
	*at = l->n_models;
	l->model[l->n_models++] = m;
	clauses_add(&s->map, clause_of(s, &m));
	check_neighbours(s, *at);
	return true;
}

static struct clauses_query
query(struct search *s, struct fset fixed, struct fset value)
{
	return (struct clauses_query){.n_features = s->p->n_features, .fixed = fixed, .value = value, .legal = s->p->legal, .ctx = s->p->ctx,
		.nodes = &s->nodes};
}

static enum clauses_answer
next(struct search *s, const struct clauses *c, struct fset fixed, struct fset value, struct fset *out)
{
	struct clauses_query q = query(s, fixed, value);
	enum clauses_answer answer = clauses_next(c, &q, out);

	if (answer == CLAUSES_GAVE_UP)
		s->l->reason = "there are too many sets of features to find those that are still open; fix some features";
	return answer;
}

/* The features that repair something, all at once (section 5); where they are not known, or exclude each other, as many as may be. */
static bool
discover(struct search *s, size_t *at)
{
	const struct clauses no = {0};

	if (!test(s, &s->p->start, LATTICE_START, at))
		return false;
	while (!survives(&s->l->model[*at])) {
		struct fset on = s->l->model[*at].on, to = on;
		size_t from = *at, have;

		if (s->p->repairs && s->l->model[*at].usable)
			to = either(on, s->p->repairs(s->p->ctx, &on));
		if (fset_equal(&to, &on) || !is_legal(s, &to)) {
			enum clauses_answer answer = next(s, &no, on, on, &to);

			if (answer == CLAUSES_GAVE_UP)
				return false;
		}
		if (fset_equal(&to, &on) || (have = find_model(s->l, &to)) < s->l->n_models)
			return true;
		if (!test(s, &to, LATTICE_DISCOVERY, at))
			return false;
		add_edge(s->l, from, *at, LATTICE_DISCOVERY);
	}
	return true;
}

/* Test the set, if it is legal and nothing is known of it yet. False when the search ends. *to is its number, or the number of models. */
static bool
try_less(struct search *s, size_t from, const struct fset *less, bool even_if_known, size_t *to)
{
	*to = find_model(s->l, less);
	if (*to == s->l->n_models) {
		if (!is_legal(s, less) || (!even_if_known && !is_open(s, less)))
			return true;
		if (!test(s, less, LATTICE_ELIMINATION, to))
			return false;
	}
	add_edge(s->l, from, *to, LATTICE_ELIMINATION);
	return true;
}

/* What is one feature short of a minimal survivor is tested even where the map knows that it is refuted: who refutes it is asked for. */
static bool
try_each(struct search *s, size_t at)
{
	for (size_t f = 0; f < s->p->n_features; f++) {
		struct fset less = s->l->model[at].on;
		size_t to;

		if (!fset_has(&less, f))
			continue;
		fset_put(&less, f, false);
		if (!try_less(s, at, &less, true, &to))
			return false;
	}
	return true;
}

/* Take features away from a survivor until none can go: one at a time, then twice as many whenever that went well, half as many when not.
 * What else survives below it is left to the map. */
static bool
eliminate(struct search *s, size_t at)
{
	size_t f = 0, step = 1;

	while (f < s->p->n_features) {
		struct fset less = s->l->model[at].on;
		size_t end = f, taken = 0, to;

		for (; end < s->p->n_features && taken < step; end++)
			if (fset_has(&less, end)) {
				fset_put(&less, end, false);
				taken++;
			}
		if (!taken)
			break;
		if (!try_less(s, at, &less, false, &to))
			return false;
		if (to < s->l->n_models && survives(&s->l->model[to])) {
			at = to;
			f = end;
			step *= 2;
		} else if (taken > 1) {
			step = (taken + 1) / 2;
		} else {
			f = end;
		}
	}
	return try_each(s, at);
}

/* A set from the map hangs on the tested one that is nearest to it: one with more features, by elimination, else one with fewer. */
static void
hang(struct search *s, size_t at)
{
	struct lattice *l = s->l;
	size_t best = at, least = SIZE_MAX;
	enum lattice_step step = LATTICE_ELIMINATION;

	for (int up = 1; up >= 0 && best == at; up--)
		for (size_t i = 0; i < at; i++) {
			struct fset more = minus(l->model[i].on, l->model[at].on), less = minus(l->model[at].on, l->model[i].on);
			size_t far = fset_count(&more) + fset_count(&less);

			if (none(up ? less : more) && far < least) {
				best = i;
				least = far;
				step = up ? LATTICE_ELIMINATION : LATTICE_DISCOVERY;
			}
		}
	l->model[at].step = step;
	if (best != at)
		add_edge(l, best, at, step);
}

static bool
classify_rest(struct search *s)
{
	struct fset open, zero = {0};
	size_t at;

	for (;;) {
		enum clauses_answer answer = next(s, &s->map, zero, zero, &open);

		if (answer != CLAUSES_FOUND)
			return answer == CLAUSES_NONE;
		if (!test(s, &open, LATTICE_ELIMINATION, &at))
			return false;
		hang(s, at);
		if (survives(&s->l->model[at]) && !eliminate(s, at))
			return false;
	}
}

/* Observations that every tested set without the feature leaves infeasible, and some tested set takes. */
static bool
candidates(const struct search *s, size_t feature, uint64_t *out)
{
	const struct lattice *l = s->l;
	uint64_t some = 0;

	for (size_t w = 0; w < l->n_words; w++) {
		uint64_t always = ~UINT64_C(0), taken = 0;

		for (size_t i = 0; i < l->n_models; i++) {
			const struct lattice_model *m = &l->model[i];

			if (m->usable && !fset_has(&m->on, feature))
				always &= m->infeasible[w];
			if (m->usable)
				taken |= ~m->infeasible[w];
		}
		out[w] = always & taken;
		if (w + 1 == l->n_words && s->p->n_observations % 64)
			out[w] &= (UINT64_C(1) << s->p->n_observations % 64) - 1;
		some |= out[w];
	}
	return some != 0;
}

/* Which observations need the feature: test the largest sets without it until nobody does, or all are known. */
static bool
find_needs(struct search *s, size_t feature)
{
	struct lattice *l = s->l;
	uint64_t *who = mem_new_array(l->n_words, sizeof *who);
	struct fset fixed = {0}, zero = {0}, open;
	enum clauses_answer answer = CLAUSES_FOUND;
	bool good = true;

	fset_put(&fixed, feature, true);
	while (good && candidates(s, feature, who)) {
		struct clauses c = {0};
		struct fset wild = minus(s->all, l->grows);
		size_t at;

		for (size_t i = 0; i < l->n_models; i++)
			if (!fset_has(&l->model[i].on, feature))
				clauses_add(&c, (struct clause){.on = minus(s->all, l->model[i].on),
					.off = l->model[i].usable ? both(l->model[i].on, wild) : l->model[i].on});
		answer = next(s, &c, fixed, zero, &open);
		clauses_free(&c);
		if (answer != CLAUSES_FOUND)
			break;
		good = test(s, &open, LATTICE_ELIMINATION, &at);
		if (good)
			hang(s, at);
	}
	good = good && answer != CLAUSES_GAVE_UP;
	for (size_t i = 0; good && i < s->p->n_observations; i++)
		if (who[i / 64] >> (i % 64) & 1)
			fset_put(&l->needs[i], feature, true);
	free(who);
	return good;
}

/* Is the feature on in some survivor? The largest legal set above a tested one is tested, since it may make an error. */
static bool
in_a_survivor(struct search *s, size_t feature)
{
	struct clauses c = {0};
	size_t n = s->l->n_models;
	bool found = false;

	for (size_t i = 0; i < n && !found && !s->stopped; i++) {
		struct fset fixed = either(s->l->model[i].on, minus(s->all, s->l->grows)), value = s->l->model[i].on, out;
		size_t at;

		if (!survives(&s->l->model[i]))
			continue;
		found = fset_has(&value, feature);
		if (fset_has(&fixed, feature))
			continue;
		fset_put(&fixed, feature, true);
		fset_put(&value, feature, true);
		while (!found && next(s, &c, fixed, value, &out) == CLAUSES_FOUND) {
			at = find_model(s->l, &out);
			if (at == s->l->n_models) {
				if (!test(s, &out, LATTICE_DISCOVERY, &at)) {
					s->l->complete = false;
					break;
				}
				hang(s, at);
			}
			found = survives(&s->l->model[at]);
			clauses_add(&c, (struct clause){.on = minus(s->all, out), .off = out});
		}
	}
	clauses_free(&c);
	return found;
}

/* What is tested here may show a feature to shrink; then what was concluded is looked at again. */
static void
find_all_needs(struct search *s)
{
	struct lattice *l = s->l;
	struct fset trusted;

	do {
		trusted = l->grows;
		memset(l->needs, 0, s->p->n_observations * sizeof *l->needs);
		for (size_t f = 0; f < s->p->n_features && l->complete; f++)
			l->complete = find_needs(s, f) && classify_rest(s);
		for (size_t f = 0; f < s->p->n_features && l->complete; f++)
			fset_put(&l->optional, f, in_a_survivor(s, f));
		l->complete = l->complete && classify_rest(s);
	} while (l->complete && !fset_equal(&trusted, &l->grows));
}

static void
find_minimal(struct lattice *l)
{
	l->minimal = mem_new_array(l->n_models, sizeof *l->minimal);
	for (size_t i = 0; i < l->n_models; i++) {
		bool least = survives(&l->model[i]);

		for (size_t k = 0; k < l->n_models && least; k++)
			least = k == i || !survives(&l->model[k]) || !none(minus(l->model[k].on, l->model[i].on));
		if (least)
			l->minimal[l->n_minimal++] = i;
	}
}

static bool
is_idle(const struct lattice *l, size_t feature)
{
	bool some = false;

	for (size_t i = 0; i < l->n_models; i++) {
		struct fset on = l->model[i].on;
		size_t k;

		if (fset_has(&on, feature))
			continue;
		fset_put(&on, feature, true);
		k = find_model(l, &on);
		if (k == l->n_models)
			continue;
		some = true;
		if (l->model[i].usable != l->model[k].usable || l->model[i].cone != l->model[k].cone
		    || memcmp(l->model[i].infeasible, l->model[k].infeasible, l->n_words * sizeof *on.w) != 0)
			return false;
	}
	return some;
}

static void
sum_up(struct search *s)
{
	struct lattice *l = s->l;
	bool some = false;

	find_minimal(l);
	for (size_t i = 0; i < l->n_models; i++)
		if (survives(&l->model[i])) {
			l->required = some ? both(l->required, l->model[i].on) : l->model[i].on;
			some = true;
		}
	for (size_t i = 0; i < l->n_models; i++)
		if (survives(&l->model[i]))
			l->optional = either(l->optional, l->model[i].on);
	l->optional = minus(l->optional, l->required);
	for (size_t f = 0; f < s->p->n_features; f++)
		fset_put(&l->idle, f, is_idle(l, f));
	for (size_t o = 0; o < s->p->n_observations; o++) {
		l->orphan[o] = true;
		for (size_t i = 0; i < l->n_models && l->orphan[o]; i++)
			l->orphan[o] = !l->model[i].usable || lattice_refutes(&l->model[i], o);
	}
	l->tested = l->n_models;
}

static void
count_sets(struct search *s)
{
	size_t nodes = LATTICE_NODES_MAX;
	struct clauses_query q = query(s, (struct fset){0}, (struct fset){0});

	q.nodes = &nodes;
	s->l->sets = clauses_count(&q, SETS_COUNTED);
}

struct lattice *
lattice_search(const struct lattice_problem *p)
{
	struct search s = {.p = p, .tests_max = p->tests_max ? p->tests_max : LATTICE_TESTS_MAX, .nodes = LATTICE_NODES_MAX};
	struct lattice *l = s.l = mem_new(sizeof *l);
	size_t at = 0;

	for (size_t i = 0; i < p->n_features; i++)
		fset_put(&s.all, i, true);
	l->n_words = (p->n_observations + 63) / 64;
	l->grows = both(p->grows, s.all);
	l->needs = mem_new_array(p->n_observations, sizeof *l->needs);
	l->orphan = mem_new_array(p->n_observations, sizeof *l->orphan);
	l->complete = discover(&s, &at) && (!survives(&l->model[at]) || eliminate(&s, at)) && classify_rest(&s);
	find_all_needs(&s);
	if (!s.stopped) {
		count_sets(&s);
		sum_up(&s);
	}
	clauses_free(&s.map);
	if (!s.stopped)
		return l;
	lattice_free(l);
	return NULL;
}

void
lattice_free(struct lattice *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n_models; i++)
		free(l->model[i].infeasible);
	free(l->model);
	free(l->edge);
	free(l->shrink);
	free(l->minimal);
	free(l->needs);
	free(l->orphan);
	free(l);
}
