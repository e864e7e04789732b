/* Queues and stalls compared with a plain implementation of their definitions: it computes each owner of each module
 * anew, in wider numbers, and prepares nothing. Queues are equal to the last bit, stalls to 1e-9, on random networks
 * and snapshots with unequal clocks and loads of pairs, with new and with reused buffers. On the same networks no
 * stall is lost, none is below 0, and no limit is exceeded. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/network/stall_rows.h"
#include "core/network/stalls.h"
#include "core/network/state.h"
#include "test.h"
#include "text/diag.h"

#define COUNTERS 60
#define PAIRED 3 /* scopes with counters of pairs: core, slice, channel */
#define PAIRS (PAIRED * PAIRED)
#define OWNERS 5 /* most of any scope */

static const size_t socket_of_core[] = {0, 0, 0, 1, 1}, socket_of_slice[] = {1, 0, 0}, socket_of_channel[] = {0, 1};
static const struct net_shape shape = {
	.n = {[SCOPE_CORE] = 5,
		[SCOPE_SLICE] = 3,
		[SCOPE_CHANNEL] = 2,
		[SCOPE_SOCKET] = 2,
		[SCOPE_DEVICE] = 2,
		[SCOPE_SYSTEM] = 1},
	.part_of =
		{[SCOPE_CORE] = socket_of_core, [SCOPE_SLICE] = socket_of_slice, [SCOPE_CHANNEL] = socket_of_channel},
};

static bool
may_meet(const struct net_state *s, size_t from, size_t a, size_t to, size_t b)
{
	const struct network *n = net_state_network(s);
	enum scope fine = n->module[from].per, coarse = n->module[to].per;

	if (scope_within(fine, coarse))
		return net_owner_within(net_state_shape(s), fine, a, coarse) == b;
	if (scope_within(coarse, fine))
		return net_owner_within(net_state_shape(s), coarse, b, fine) == a;
	return true;
}

/* Wider than what is tested, so that rounding here does not count. */
typedef long double real;

static double
known(double v)
{
	return isnan(v) ? 0 : v;
}

/* Both ways must give the same number, or both none. */
static void
same(double got, double want, const char *what)
{
	if (!(got <= want && got >= want) && !(isnan(got) && isnan(want)))
		test_check(false, __FILE__, __LINE__, "%s: %.17g, by the plain way %.17g", what, got, want);
}

#define ROUNDING 1e-14L /* of an amount that is divided */
#define SLIP 1e-12L     /* a smaller rest counts as none (stall_shares.c) */

static void
near(double got, real want, real slack, const char *what)
{
	if (!(fabsl(got - want) <= 1e-9L * fabsl(want) + slack) && !(isnan(got) && isnan(want)))
		test_check(false, __FILE__, __LINE__, "%s: %.17g, by the plain way %.21Lg", what, got, want);
}

#define ENDS 16

/* Numbers for each owner of each module and kind, indexed as by net_stalls_at(). */
struct plain {
	const struct net_state *s;
	const struct network *n;
	enum net_weight weight;
	size_t first[64], cells, end[ENDS], ends;
	double *before, *here; /* cumulative delays */
	real *requests, *ticks, *own_stall, *elsewhere;
	real *part[ENDS + 2], *late[ENDS + 2]; /* ends, then in between, then here */
	real *own[ENDS], *stall[ENDS], *hidden[ENDS], *kept[ENDS], *stuck[ENDS];
	real *from[ENDS]; /* cells × modules */
};

static size_t
cell(const struct plain *p, size_t m, size_t o, size_t k)
{
	return p->first[m] * p->n->n_kinds + k * (p->first[m + 1] - p->first[m]) + o;
}

static void
plain_each(struct plain *p, void (*f)(real **, size_t n))
{
	f(&p->requests, p->cells), f(&p->ticks, p->cells);
	f(&p->elsewhere, p->cells), f(&p->own_stall, p->cells);
	for (size_t d = 0; d < p->ends + 2; d++)
		f(&p->part[d], p->cells), f(&p->late[d], p->cells);
	for (size_t d = 0; d < p->ends; d++) {
		f(&p->own[d], p->cells), f(&p->stall[d], p->cells), f(&p->hidden[d], p->cells);
		f(&p->kept[d], p->cells), f(&p->stuck[d], p->cells), f(&p->from[d], p->cells * p->n->n_modules);
	}
}

static void
make(real **a, size_t n)
{
	*a = mem_new_array(n, sizeof **a);
}

static void
drop(real **a, size_t n)
{
	(void)n;
	free(*a);
}

static void
plain_open(struct plain *p, const struct net_state *s, enum net_weight weight)
{
	*p = (struct plain){.s = s, .n = net_state_network(s), .weight = weight};
	for (size_t m = 0; m < p->n->n_modules; m++) {
		bool in = false, out = false;

		p->first[m + 1] = p->first[m] + net_state_owners(s, m);
		for (size_t l = 0; l < p->n->n_links; l++) {
			in |= p->n->link[l].to == m;
			out |= p->n->link[l].from == m;
		}
		if (in && !out)
			p->end[p->ends++] = m;
	}
	p->cells = p->first[p->n->n_modules] * p->n->n_kinds;
	p->before = mem_new_array(p->cells, sizeof *p->before);
	p->here = mem_new_array(p->cells, sizeof *p->here);
	plain_each(p, make);
}

static void
plain_close(struct plain *p)
{
	free(p->before);
	free(p->here);
	plain_each(p, drop);
}

static double
delay_before(const struct plain *p, size_t m, size_t o, size_t k)
{
	double sum = 0, weight = 0, plain = 0;
	size_t found = 0;

	for (size_t l = 0; l < p->n->n_links; l++)
		for (size_t a = 0, from = p->n->link[l].from; a < net_state_owners(p->s, from) && p->n->link[l].to == m;
			a++) {
			double delay = p->here[cell(p, from, a, k)], load = net_state_load(p->s, l, a, k);

			if (p->n->module[from].cell[k].state == NET_CELL_ABSENT || isnan(delay) ||
				!may_meet(p->s, from, a, m, o))
				continue;
			plain += delay;
			found++;
			sum += load > 0 ? load * delay : 0;
			weight += load > 0 ? load : 0;
		}
	return weight > 0 ? sum / weight : found ? plain / (double)found : 0;
}

static void
check_queue(const struct plain *p, const struct net_queue *q)
{
	const struct net_cell_values t = net_state_cell(p->s, q->module, q->owner, q->kind);
	double clock = net_state_clock(p->s, q->module, q->owner),
	       wait = t.field[NET_DELAY] - p->before[cell(p, q->module, q->owner, q->kind)];
	double rate = clock > 0 ? t.hits / clock : NAN, misses = 0, miss_wait = 0;
	enum net_model model = p->n->module[q->module].model;

	if (model != NET_QUEUE) {
		misses = clock > 0 ? t.misses / clock : NAN;
		miss_wait = t.field[model == NET_CACHE ? NET_TAG : NET_MISS_DELAY];
	}
	same(q->before, p->before[cell(p, q->module, q->owner, q->kind)], "the delay before");
	same(q->length, rate * (wait < 0 ? 0 : wait) + misses * miss_wait, "a queue");
	CHECK_INT(q->faster, wait < 0);
}

static void
find_delays(struct plain *p)
{
	for (size_t m = 0; m < p->n->n_modules; m++)
		for (size_t o = 0; o < net_state_owners(p->s, m); o++)
			for (size_t k = 0; k < p->n->n_kinds; k++) {
				double reported = net_state_cell(p->s, m, o, k).field[NET_DELAY];

				p->before[cell(p, m, o, k)] = delay_before(p, m, o, k);
				p->here[cell(p, m, o, k)] = isnan(reported) ? p->before[cell(p, m, o, k)] : reported;
			}
}

/* Equal queues are by module, owner and kind. */
static size_t
in_order(const struct plain *p, const struct net_queue *q)
{
	return (p->first[q->module] + q->owner) * p->n->n_kinds + q->kind;
}

static void
check_queues(struct plain *p, const struct net_queues *q)
{
	size_t n = 0;

	find_delays(p);
	for (size_t m = 0; m < p->n->n_modules; m++)
		for (size_t k = 0; k < p->n->n_kinds; k++)
			n += p->n->module[m].cell[k].field[NET_DELAY] ? net_state_owners(p->s, m) : 0;
	CHECK_INT(q->n, n);
	for (size_t i = 0; i < q->n; i++) {
		const struct net_queue *a = &q->queue[i], *b = i + 1 < q->n ? &q->queue[i + 1] : NULL;

		check_queue(p, a);
		CHECK_INT(i < q->known, !isnan(a->length));
		if (!b || i + 1 == q->known)
			continue;
		if (b->length > a->length ||
			(!(b->length < a->length) && in_order(p, a) >= in_order(p, b)))
			test_check(false, __FILE__, __LINE__, "queues %zu and %zu are in the wrong order: %g, %g", i,
				i + 1, a->length, b->length);
	}
}

/* Requests from owner a to owner b over a link; without pairs all that a sent. */
static real
sent(const struct plain *p, size_t link, size_t a, size_t b, size_t k)
{
	const struct net_link *l = &p->n->link[link];
	const double *pair = net_state_pairs(p->s, link, k);

	if (!may_meet(p->s, l->from, a, l->to, b))
		return 0;
	return pair ? pair[a * net_state_owners(p->s, l->to) + b] : fmaxl(0, known(net_state_load(p->s, link, a, k)));
}

/* The number of a module among the ends; p->ends if it is none. */
static size_t
end_of(const struct plain *p, size_t m)
{
	size_t d = 0;

	while (d < p->ends && p->end[d] != m)
		d++;
	return d;
}

/* Where the requests of one cell end, and with which delay. */
static void
find_parts(struct plain *p, size_t m, size_t o, size_t k)
{
	const struct net_cell_values t = net_state_cell(p->s, m, o, k);
	size_t at = cell(p, m, o, k), d = end_of(p, m);
	real all = known(t.hits);

	for (size_t l = 0; l < p->n->n_links; l++)
		all += p->n->link[l].from == m ? known(net_state_load(p->s, l, o, k)) : 0;
	p->requests[at] = all;
	if (d < p->ends) {
		p->part[d][at] = 1;
		p->late[d][at] = t.field[NET_DELAY];
		return;
	}
	for (size_t l = 0; l < p->n->n_links && all > 0; l++) {
		real load = p->n->link[l].from == m ? known(net_state_load(p->s, l, o, k)) : 0, weights = 0;
		size_t to = p->n->link[l].to;
		const double *pair = net_state_pairs(p->s, l, k);

		for (int pass = 0; pass < 2 && load > 0; pass++)
			for (size_t b = 0; b < net_state_owners(p->s, to); b++) {
				real weight = !may_meet(p->s, m, o, to, b) ? 0
					: pair                             ? pair[o * net_state_owners(p->s, to) + b]
									   : p->requests[cell(p, to, b, k)];

				if (pass == 0)
					weights += weight;
				for (d = 0; d < p->ends + 2 && pass && weight > 0; d++) {
					size_t place = d < p->ends ? d : p->ends;

					p->part[place][at] += load / all * weight / weights *
						p->part[d][cell(p, to, b, k)];
					p->late[place][at] += load / all * weight / weights *
						p->late[d][cell(p, to, b, k)];
				}
			}
	}
	if (known(t.hits) > 0) {
		p->part[p->ends + 1][at] = t.hits / all;
		p->late[p->ends + 1][at] = t.hits / all * t.field[NET_DELAY];
	}
}

/* A module without stalls and without a clock takes the cycles of the first owner after it whose clock is known. */
static void
find_ticks(struct plain *p, size_t m, size_t o, size_t k)
{
	const struct net_cell *c = &p->n->module[m].cell[k];
	real ticks = net_state_ticks(p->s, m, o);

	for (size_t l = 0; l < p->n->n_links && !c->field[NET_STALL] && !c->field[NET_LIMIT]; l++)
		for (size_t b = 0, to = p->n->link[l].to; b < net_state_owners(p->s, to) && isnan(ticks); b++)
			if (p->n->link[l].from == m && may_meet(p->s, m, o, to, b) && net_load_given(p->n, l, k))
				ticks = p->ticks[cell(p, to, b, k)];
	p->ticks[cell(p, m, o, k)] = ticks;
}

/* Own stalls for each destination. */
static void
divide(struct plain *p, size_t m, size_t o, size_t k)
{
	real stall = known(net_state_cell(p->s, m, o, k).field[NET_STALL]), weight[ENDS + 1], all = 0, measured;
	size_t at = cell(p, m, o, k);

	measured = p->part[p->ends + 1][at];
	for (size_t d = 0; d <= p->ends; d++) {
		weight[d] = p->late[d][at] - p->part[d][at] * p->here[at];
		if (fabsl(weight[d]) < SLIP * p->late[d][at]) /* equal but for rounding */
			weight[d] = 0;
		measured += isnan(weight[d]) ? 0 : p->part[d][at];
		all += weight[d] > 0 ? weight[d] : 0;
	}
	p->elsewhere[at] = p->own_stall[at] = stall;
	for (size_t d = 0; d < p->ends; d++) {
		bool by_number = p->weight == NET_BY_REQUESTS || isnan(weight[d]) || !(all > 0);

		p->own[d][at] = end_of(p, m) == d ? stall
			: by_number               ? stall * p->part[d][at]
						  : measured * stall * fmaxl(0, weight[d]) / all;
		p->elsewhere[at] -= p->own[d][at];
	}
}

static void
pass_back(struct plain *p, size_t d, size_t m, size_t o, size_t k)
{
	size_t at = cell(p, m, o, k), modules = p->n->n_modules;
	real all = 0, begun = 0;
	bool first = true;

	for (size_t l = 0; l < p->n->n_links; l++)
		for (size_t a = 0; a < net_state_owners(p->s, p->n->link[l].from) && p->n->link[l].to == m; a++) {
			first = false;
			all += sent(p, l, a, o, k);
		}
	begun = first || p->n->module[m].cell[k].ingress ? fmaxl(0, p->requests[at] - all) : 0;
	all += begun;
	if (first)
		p->kept[d][at] = p->stall[d][at];
	else if (all > 0)
		p->kept[d][at] = p->stall[d][at] * begun / all;
	else
		p->stuck[d][at] = p->stall[d][at];
	for (size_t l = 0; l < p->n->n_links && !first && all > 0; l++)
		for (size_t a = 0; a < net_state_owners(p->s, p->n->link[l].from) && p->n->link[l].to == m; a++)
			for (size_t i = 0; i < modules; i++) {
				size_t to = cell(p, p->n->link[l].from, a, k);
				real ratio = p->ticks[to] / p->ticks[at];

				p->from[d][to * modules + i] += sent(p, l, a, o, k) / all *
					p->from[d][at * modules + i] * (isnan(ratio) ? 1 : ratio);
			}
}

static void
take_all(struct plain *p, size_t m, size_t o, size_t k)
{
	size_t at = cell(p, m, o, k), modules = p->n->n_modules;
	real limit = net_state_cell(p->s, m, o, k).field[NET_LIMIT], sum = 0, factor;

	divide(p, m, o, k);
	for (size_t d = 0; d < p->ends; d++) {
		p->from[d][at * modules + m] += p->own[d][at];
		for (size_t i = 0; i < modules; i++)
			p->stall[d][at] += p->from[d][at * modules + i];
		sum += p->stall[d][at];
	}
	factor = sum > limit ? limit / sum : 1;
	for (size_t d = 0; d < p->ends; d++) {
		p->hidden[d][at] = p->stall[d][at] * (1 - factor);
		p->stall[d][at] *= factor;
		for (size_t i = 0; i < modules; i++)
			p->from[d][at * modules + i] *= factor;
		if (p->stall[d][at] > 0)
			pass_back(p, d, m, o, k);
	}
}

/* No stall is lost: as times, and as numbers where no clock is known. Returns whether there was something to lose. */
static bool
check_kept(const struct net_stalls *s)
{
	double in = 0, out = 0;
	bool clocks = true;

	for (size_t at = 0; at < s->n_owners * s->n_kinds; at++)
		clocks &= !isnan(s->ticks[at]) || !(s->own[at] + s->stall[at] + s->hidden[at] > 0);
	for (size_t at = 0; at < s->n_owners * s->n_kinds && clocks; at++)
		if (s->own[at] + s->stall[at] + s->hidden[at] > 0) {
			in += s->own[at] / s->ticks[at];
			out += (s->kept[at] + s->hidden[at] + s->stuck[at]) / s->ticks[at];
		}
	near(out, in, 0, "what is kept, hidden or stuck, of all that arose");
	return clocks && in > 0;
}

/* The rows have everything that the cells have. */
static void
check_rows(const struct net_state *s, struct net_stalls *const *all, size_t ends, bool conserved)
{
	for (int together = 0; together < 2; together++) {
		struct net_stall_rows *r = net_stall_rows_new(s, all, ends, together);
		double sum = 0;

		if (conserved)
			near(r->stall + r->hidden + r->stuck, r->own, 0, "the rows' stalls");
		for (size_t i = 0; i < r->n; i++) {
			double parts = 0;

			for (size_t k = 0; k < r->n_modules; k++)
				parts += r->row[i].from[k];
			near(parts, r->row[i].stall, 0, "the parts of a row");
			sum += r->row[i].stall;
		}
		near(sum, r->stall, 0, "the sum of rows");
		net_stall_rows_free(r);
	}
}

static size_t conserved, with_pairs, converted; /* cases that the random networks had */

static void
check_stalls(const struct net_state *s, enum net_weight weight, struct net_stalls *const *got, size_t ends)
{
	bool kept = true;
	struct plain p;

	plain_open(&p, s, weight);
	find_delays(&p);
	CHECK_INT(ends, p.ends);
	for (size_t step = 0; step < 3; step++)
		for (size_t m = p.n->n_modules; m-- > 0;)
			for (size_t o = 0; o < net_state_owners(s, m); o++)
				for (size_t k = 0; k < p.n->n_kinds; k++)
					(step == 0 ? find_parts : step == 1 ? find_ticks : take_all)(&p, m, o, k);
	for (size_t d = 0; d < ends; d++) {
		real most = 0, slack;

		for (size_t at = 0; at < p.cells; at++)
			most = fmaxl(most, fmaxl(p.own[d][at], p.stall[d][at] + p.hidden[d][at]));
		slack = ROUNDING * most;
		for (size_t at = 0; at < p.cells; at++) {
			CHECK(got[d]->stall[at] >= 0 && got[d]->hidden[at] >= 0 && got[d]->own[at] >= 0);
			near(got[d]->own[at], p.own[d][at], slack, "own stalls");
			near(got[d]->stall[at], p.stall[d][at], slack, "stalls");
			near(got[d]->hidden[at], p.hidden[d][at], slack, "hidden stalls");
			near(got[d]->kept[at], p.kept[d][at], slack, "kept stalls");
			near(got[d]->stuck[at], p.stuck[d][at], slack, "stuck stalls");
			near(got[d]->elsewhere[at], p.elsewhere[at], 2 * SLIP * p.own_stall[at], "stalls elsewhere");
		}
		for (size_t m = 0; m < p.n->n_modules; m++)
			for (size_t o = 0; o < net_state_owners(s, m); o++)
				for (size_t k = 0; k < p.n->n_kinds; k++)
					for (size_t i = 0; i < p.n->n_modules; i++)
						near(net_stalls_from(got[d], m, o, k, i),
							p.from[d][cell(&p, m, o, k) * p.n->n_modules + i], slack,
							"whence");
		kept &= check_kept(got[d]);
		conserved += kept;
	}
	check_rows(s, got, ends, kept);
	for (size_t m = 0; m < p.n->n_modules && ends; m++)
		for (size_t o = 0; o < net_state_owners(s, m); o++)
			for (size_t k = 0; k < p.n->n_kinds; k++) {
				double limit = net_state_cell(s, m, o, k).field[NET_LIMIT], sum = 0;

				for (size_t d = 0; d < ends; d++)
					sum += got[d]->stall[cell(&p, m, o, k)];
				CHECK(!(sum > limit * (1 + 1e-12)));
			}
	for (size_t l = 0; l < p.n->n_links; l++) {
		for (size_t k = 0; k < p.n->n_kinds; k++)
			with_pairs += net_state_pairs(s, l, k) != NULL;
		converted += !net_stalls_unconverted(got, ends, l);
	}
	plain_close(&p);
}

static const char *const scopes[] = {"core", "slice", "channel", "socket", "system"};

/* A counter of this scope (number i % 5) and unit: requests, cycles or a limit of them. */
static size_t
some_counter(uint64_t *seed, size_t scope, bool cycles)
{
	return (test_random(seed) % (COUNTERS / 10) * 2 + cycles) * 5 + scope;
}

static void
add_cell(struct str *t, uint64_t *seed, size_t scope, char kind)
{
	static const struct {
		const char *name;
		bool cycles;
		unsigned one_in;
	} field[] = {
		{"hit", false, 1},
		{"miss", false, 1},
		{"delay", true, 2},
		{"tag", true, 2},
		{"miss delay", true, 2},
		{"stall", true, 2},
		{"limit", true, 4},
	};

	str_addf(t, "%c { ", kind);
	for (size_t i = 0; i < sizeof field / sizeof *field; i++)
		if (test_random(seed) % field[i].one_in == 0)
			str_addf(t, "%s = c%zu; ", field[i].name, some_counter(seed, scope, field[i].cycles));
	str_add(t, "}");
}

static void
add_link(struct str *t, uint64_t *seed, size_t from, size_t to, size_t scope, size_t to_scope)
{
	str_addf(t, "link m%zu -> m%zu", from, to);
	if (scope < PAIRED && to_scope < PAIRED && test_random(seed) % 2)
		str_addf(t, " { a = c%zu; pairs a = p%zu; b = m%zu.b.hit; }\n", some_counter(seed, scope, false),
			scope * PAIRED + to_scope, from);
	else if (test_random(seed) % 4 == 0)
		str_add(t, ";\n");
	else if (test_random(seed) % 3 == 0)
		str_addf(t, " { a = c%zu; }\n", some_counter(seed, scope, false));
	else
		str_addf(t, " { a = m%zu.a.hit; b = m%zu.b.miss * 0.5; }\n", from, from);
}

/* Modules of any scope in up to 6 stages. Some loads are counted, some follow from misses, some are unknown. */
static char *
random_network(uint64_t *seed)
{
	size_t stages = 2 + test_random(seed) % 5, module = 0, before = 0, scope[32];
	struct str t = {0}, links = {0};

	str_add(&t, "network r; kind a; kind b;\n");
	for (size_t i = 0; i < COUNTERS; i++)
		str_addf(&t, "counter c%zu = \"e\" per %s unit %s;\n", i, scopes[i % 5],
			i / 5 % 2 ? "cycles" : "requests");
	for (size_t i = 0; i < PAIRS; i++)
		str_addf(&t, "counter p%zu = \"e\" per %s -> %s unit requests;\n", i, scopes[i / PAIRED],
			scopes[i % PAIRED]);
	for (size_t s = 0; s < stages; s++) {
		size_t wide = 1 + test_random(seed) % 3, first = module;

		str_addf(&t, "stage s%zu {", s);
		for (size_t i = 0; i < wide; i++, module++) {
			scope[module] = test_random(seed) % 5;
			str_addf(&t, "module m%zu per %s { model %s; clock = c%zu; ", module, scopes[scope[module]],
				(const char *[]){"cache", "home", "queue"}[test_random(seed) % 3],
				some_counter(seed, scope[module], true));
			if (test_random(seed) % 2)
				str_addf(&t, "frequency = %u cycles / 4 ns; ", (unsigned)(1 + test_random(seed) % 20));
			add_cell(&t, seed, scope[module], 'a');
			add_cell(&t, seed, scope[module], 'b');
			str_add(&t, "}\n");
			for (size_t from = before; from < first; from++)
				if (from == first - 1 || test_random(seed) % 2)
					add_link(&links, seed, from, module, scope[from], scope[module]);
			if (test_random(seed) % 4 == 0)
				str_addf(&links, "ingress m%zu a;\n", module);
		}
		before = first;
		str_add(&t, "}\n");
	}
	str_add(&t, str_text(&links));
	str_free(&links);
	return str_take(&t);
}

/* Counts with zeros, with gaps and, in one snapshot of four, of very different sizes. */
static double
random_count(uint64_t *seed, bool wide)
{
	double v = test_random(seed) % 4 ? (double)(test_random(seed) % 1000) : 0;

	v *= wide && test_random(seed) % 10 == 0 ? 1e9 : 1;

	return test_random(seed) % 30 == 0 ? NAN : v;
}

/* Counters of pairs are whole in half of the snapshots. */
static void
random_counts(uint64_t *seed, double value[][OWNERS * OWNERS], const double **count)
{
	bool whole = test_random(seed) % 2, wide = test_random(seed) % 4 == 0;

	for (size_t i = 0; i < COUNTERS + PAIRS; i++) {
		for (size_t k = 0; k < (i < COUNTERS ? OWNERS : OWNERS * OWNERS); k++) {
			value[i][k] = random_count(seed, wide);
			if (i >= COUNTERS && whole && isnan(value[i][k]))
				value[i][k] = 0;
		}
		count[i] = test_random(seed) % 20 ? value[i] : NULL;
	}
}

static void
check_map(const struct net_state *s, const struct net_path_map *m)
{
	struct net_path_map *fresh = net_path_map_new(s);

	CHECK_INT(m->n_rows, fresh->n_rows);
	for (size_t r = 0; r < m->n_rows; r++)
		for (size_t k = 0; k < m->n_kinds; k++) {
			double sum = 0;

			for (size_t o = 0; o < net_state_owners(s, m->row[r].module); o++)
				sum += known(net_state_cell(s, m->row[r].module, o, k).hits);
			same(m->row[r].cell[k].hits, sum, "a place's hits");
			CHECK_INT(m->row[r].cell[k].unknown, fresh->row[r].cell[k].unknown);
			CHECK_INT(m->row[r].cell[k].state, fresh->row[r].cell[k].state);
		}
	net_path_map_free(fresh);
}

static void
one_network(uint64_t *seed, const struct network *n)
{
	static double value[COUNTERS + PAIRS][OWNERS * OWNERS];
	static const enum net_weight weight[] = {NET_BY_DELAY, NET_BY_REQUESTS};
	const double *count[COUNTERS + PAIRS];
	struct net_state *s = net_state_new(n, &shape);
	struct net_stalls **all[2];
	struct net_queues *q;
	struct net_path_map *map;
	size_t ends;

	random_counts(seed, value, count);
	net_state_take(s, &(struct net_snapshot){.seconds = 1000, .count = count});
	q = net_queues_new(s);
	map = net_path_map_new(s);
	for (size_t w = 0; w < 2; w++)
		all[w] = net_stalls_all(s, weight[w], &ends);
	for (int again = 0; again < 3; again++) {
		struct plain p;

		plain_open(&p, s, NET_BY_DELAY);
		check_queues(&p, q);
		plain_close(&p);
		check_map(s, map);
		for (size_t w = 0; w < 2; w++)
			check_stalls(s, weight[w], all[w], ends);
		random_counts(seed, value, count);
		net_state_take(s, &(struct net_snapshot){.seconds = 1000, .count = count});
		net_queues_update(q, s);
		net_path_map_update(map, s);
		for (size_t w = 0; w < 2; w++)
			net_stalls_update(all[w], ends, s);
	}
	for (size_t w = 0; w < 2; w++)
		net_stalls_all_free(all[w], ends);
	net_queues_free(q);
	net_path_map_free(map);
	net_state_free(s);
}

static void
queues_and_stalls_equal_their_definitions(void)
{
	unsigned rounds = test_rounds(1000, 30000), done = 0;
	uint64_t seed = 17;

	for (unsigned i = 0; i < rounds; i++) {
		char *text = random_network(&seed);
		struct diags d = {0};
		struct network *n;

		test_label("network %u", i);
		n = network_parse(mem_str("r"), mem_str(text), strlen(text), &d);
		if (!n)
			test_check(false, __FILE__, __LINE__, "%s\n%s", d.n ? d.item[0].text : "?", text);
		else
			one_network(&seed, n);
		done += n != NULL;
		network_free(n);
		diags_free(&d);
		free(text);
	}
	CHECK_INT(done, rounds);
	CHECK(conserved > rounds && with_pairs > rounds && converted > rounds);
	printf("# %u networks: %zu destinations with all clocks known and stalls, %zu loads of pairs, %zu links "
	       "whose clocks are known\n",
		done, conserved, with_pairs, converted);
}

TEST_MAIN(CASE(queues_and_stalls_equal_their_definitions))
