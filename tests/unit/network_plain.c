/* Queues and stalls compared with a plain implementation of their definitions: it computes each owner of each module
 * anew and prepares nothing. Results are equal to the last bit, on random networks and snapshots, with new and with
 * reused buffers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/network/stalls.h"
#include "core/network/state.h"
#include "test.h"
#include "text/diag.h"

#define COUNTERS 60

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

/* Numbers for each owner of each module and kind, indexed as by net_stalls_at(). */
struct plain {
	const struct net_state *s;
	const struct network *n;
	size_t first[64], cells;
	double *before, *here;                           /* cumulative delays */
	double *requests, *part, *own, *stall, *hidden, *kept, *stuck; /* of one destination */
	double *from;                                    /* cells × modules */
};

static size_t
cell(const struct plain *p, size_t m, size_t o, size_t k)
{
	return (p->first[m] + o) * p->n->n_kinds + k;
}

static void
plain_open(struct plain *p, const struct net_state *s)
{
	double **all[] = {
		&p->before, &p->here, &p->requests, &p->part, &p->own, &p->stall, &p->hidden, &p->kept, &p->stuck
	};

	*p = (struct plain){.s = s, .n = net_state_network(s)};
	for (size_t m = 0; m < p->n->n_modules; m++)
		p->first[m + 1] = p->first[m] + net_state_owners(s, m);
	p->cells = p->first[p->n->n_modules] * p->n->n_kinds;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		*all[i] = mem_new_array(p->cells, sizeof **all[i]);
	p->from = mem_new_array(p->cells * p->n->n_modules, sizeof *p->from);
}

static void
plain_close(struct plain *p)
{
	double *all[] = {
		p->before, p->here, p->requests, p->part, p->own, p->stall, p->hidden, p->kept, p->stuck, p->from
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
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
check_queues(struct plain *p, const struct net_queues *q)
{
	size_t n = 0;

	for (size_t m = 0; m < p->n->n_modules; m++)
		for (size_t o = 0; o < net_state_owners(p->s, m); o++)
			for (size_t k = 0; k < p->n->n_kinds; k++) {
				double reported = net_state_cell(p->s, m, o, k).field[NET_DELAY];

				p->before[cell(p, m, o, k)] = delay_before(p, m, o, k);
				p->here[cell(p, m, o, k)] = isnan(reported) ? p->before[cell(p, m, o, k)] : reported;
				n += p->n->module[m].cell[k].field[NET_DELAY] != NULL;
			}
	CHECK_INT(q->n, n);
	for (size_t i = 0; i < q->n; i++) {
		const struct net_queue *a = &q->queue[i], *b = i + 1 < q->n ? &q->queue[i + 1] : NULL;

		check_queue(p, a);
		CHECK_INT(i < q->known, !isnan(a->length));
		if (!b || i + 1 == q->known)
			continue;
		if (b->length > a->length ||
			(!(b->length < a->length) &&
				cell(p, a->module, a->owner, a->kind) >= cell(p, b->module, b->owner, b->kind)))
			test_check(false, __FILE__, __LINE__, "queues %zu and %zu are in the wrong order: %g, %g", i,
				i + 1, a->length, b->length);
	}
}

static double
part_at(const struct plain *p, size_t destination, size_t m, size_t o, size_t k)
{
	double all = p->requests[cell(p, m, o, k)], sum = 0;

	for (size_t l = 0; l < p->n->n_links; l++) {
		double to = 0, weight = 0;

		for (size_t b = 0, m2 = p->n->link[l].to; b < net_state_owners(p->s, m2) && p->n->link[l].from == m;
			b++)
			if (may_meet(p->s, m, o, m2, b)) {
				to += p->part[cell(p, m2, b, k)] * p->requests[cell(p, m2, b, k)];
				weight += p->requests[cell(p, m2, b, k)];
			}
		if (p->n->link[l].from == m)
			sum += known(net_state_load(p->s, l, o, k)) * (weight > 0 ? to / weight : 0);
	}
	return m == destination ? 1 : all > 0 ? fmin(sum / all, 1) : 0;
}

static double
sent(const struct plain *p, size_t link, size_t a, size_t m, size_t o, size_t k)
{
	return p->n->link[link].to == m && may_meet(p->s, p->n->link[link].from, a, m, o)
		? fmax(0, known(net_state_load(p->s, link, a, k)))
		: 0;
}

static void
pass_back(struct plain *p, size_t m, size_t o, size_t k)
{
	size_t at = cell(p, m, o, k), modules = p->n->n_modules;
	double all = 0, begun = 0;
	bool first = true;

	for (size_t l = 0; l < p->n->n_links; l++)
		for (size_t a = 0; a < net_state_owners(p->s, p->n->link[l].from); a++) {
			first &= p->n->link[l].to != m;
			all += sent(p, l, a, m, o, k);
		}
	begun = first || p->n->module[m].cell[k].ingress ? fmax(0, p->requests[at] - all) : 0;
	all += begun;
	if (first)
		p->kept[at] = p->stall[at];
	else if (all > 0)
		p->kept[at] = p->stall[at] * begun / all;
	else
		p->stuck[at] = p->stall[at];
	for (size_t l = 0; l < p->n->n_links && !first && all > 0; l++)
		for (size_t a = 0; a < net_state_owners(p->s, p->n->link[l].from); a++)
			for (size_t i = 0; i < modules; i++)
				p->from[cell(p, p->n->link[l].from, a, k) * modules + i] +=
					sent(p, l, a, m, o, k) / all * p->from[at * modules + i];
}

static void
take_all(struct plain *p, size_t m, size_t o, size_t k)
{
	const struct net_cell_values t = net_state_cell(p->s, m, o, k);
	size_t at = cell(p, m, o, k), modules = p->n->n_modules;
	double factor = 1;

	p->own[at] = known(t.field[NET_STALL]) * p->part[at];
	p->from[at * modules + m] += p->own[at];
	for (size_t i = 0; i < modules; i++)
		p->stall[at] += p->from[at * modules + i];
	if (p->stall[at] > t.field[NET_LIMIT])
		factor = t.field[NET_LIMIT] / p->stall[at];
	p->hidden[at] = p->stall[at] * (1 - factor);
	p->stall[at] *= factor;
	for (size_t i = 0; i < modules; i++)
		p->from[at * modules + i] *= factor;
	if (p->stall[at] > 0)
		pass_back(p, m, o, k);
}

/* One destination, limited by its own limits only. */
static void
check_stalls(const struct net_state *s, const struct net_stalls *got)
{
	struct plain p;

	plain_open(&p, s);
	for (int round = 0; round < 3; round++)
		for (size_t m = p.n->n_modules; m-- > 0;)
			for (size_t o = 0; o < net_state_owners(s, m); o++)
				for (size_t k = 0; k < p.n->n_kinds; k++) {
					double *requests = &p.requests[cell(&p, m, o, k)];

					if (round == 0)
						*requests = known(net_state_cell(s, m, o, k).hits);
					for (size_t l = 0; l < p.n->n_links && round == 0; l++)
						*requests +=
							p.n->link[l].from == m ? known(net_state_load(s, l, o, k)) : 0;
					if (round == 1)
						p.part[cell(&p, m, o, k)] = part_at(&p, got->destination, m, o, k);
					if (round == 2)
						take_all(&p, m, o, k);
				}
	for (size_t at = 0; at < p.cells; at++) {
		same(got->part[at], p.part[at], "a part");
		same(got->own[at], p.own[at], "own stalls");
		same(got->stall[at], p.stall[at], "stalls");
		same(got->hidden[at], p.hidden[at], "hidden stalls");
		same(got->kept[at], p.kept[at], "kept stalls");
		same(got->stuck[at], p.stuck[at], "stuck stalls");
		for (size_t i = 0; i < p.n->n_modules; i++)
			same(got->from[at * p.n->n_modules + i], p.from[at * p.n->n_modules + i], "whence");
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
	static const struct { const char *name; bool cycles; unsigned one_in; } field[] = {
		{"hit", false, 1}, {"miss", false, 1}, {"delay", true, 2}, {"tag", true, 2}, {"miss delay", true,
			2}, {"stall", true, 2}, {"limit", true, 4},
	};

	str_addf(t, "%c { ", kind);
	for (size_t i = 0; i < sizeof field / sizeof *field; i++)
		if (test_random(seed) % field[i].one_in == 0)
			str_addf(t, "%s = c%zu; ", field[i].name, some_counter(seed, scope, field[i].cycles));
	str_add(t, "}");
}

static void
add_link(struct str *t, uint64_t *seed, size_t from, size_t to, size_t scope)
{
	str_addf(t, "link m%zu -> m%zu", from, to);
	if (test_random(seed) % 4 == 0)
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
	for (size_t s = 0; s < stages; s++) {
		size_t wide = 1 + test_random(seed) % 3, first = module;

		str_addf(&t, "stage s%zu {", s);
		for (size_t i = 0; i < wide; i++, module++) {
			scope[module] = test_random(seed) % 5;
			str_addf(&t, "module m%zu per %s { model %s; clock = c%zu; ", module, scopes[scope[module]],
				(const char *[]){"cache", "home", "queue"}[test_random(seed) % 3],
				some_counter(seed, scope[module], true));
			add_cell(&t, seed, scope[module], 'a');
			add_cell(&t, seed, scope[module], 'b');
			str_add(&t, "}\n");
			for (size_t from = before; from < first; from++)
				if (from == first - 1 || test_random(seed) % 2)
					add_link(&links, seed, from, module, scope[from]);
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

/* Counts with zeros, with gaps and, now and then, of very different sizes. */
static void
random_counts(uint64_t *seed, double *value, const double **count)
{
	for (size_t i = 0; i < COUNTERS; i++) {
		for (size_t k = 0; k < 5; k++) {
			value[5 * i + k] = test_random(seed) % 4
				? (double)(test_random(seed) % 1000) * (test_random(seed) % 10 ? 1 : 1e9)
				: 0;
			if (test_random(seed) % 30 == 0)
				value[5 * i + k] = NAN;
		}
		count[i] = test_random(seed) % 20 ? value + 5 * i : NULL;
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
	double value[5 * COUNTERS];
	const double *count[COUNTERS];
	struct net_state *s = net_state_new(n, &shape);
	struct net_stalls **all, **one = mem_new_array(n->n_modules, sizeof *one);
	struct net_queues *q;
	struct net_path_map *map;
	size_t ends;

	random_counts(seed, value, count);
	net_state_take(s, &(struct net_snapshot){.seconds = 1, .count = count});
	q = net_queues_new(s);
	map = net_path_map_new(s);
	all = net_stalls_all(s, &ends);
	for (size_t d = 0; d < n->n_modules; d++)
		one[d] = net_stalls_new(s, d);
	for (int again = 0; again < 3; again++) {
		struct net_stalls **fresh;
		struct plain p;

		plain_open(&p, s);
		check_queues(&p, q);
		plain_close(&p);
		check_map(s, map);
		for (size_t d = 0; d < n->n_modules; d++)
			check_stalls(s, one[d]);
		fresh = net_stalls_all(s, &ends);
		for (size_t d = 0; d < ends; d++)
			for (size_t at = 0; at < all[d]->n_owners * n->n_kinds; at++) {
				same(all[d]->stall[at], fresh[d]->stall[at], "stalls of all, again");
				same(all[d]->hidden[at], fresh[d]->hidden[at], "hidden of all, again");
				same(all[d]->stuck[at], fresh[d]->stuck[at], "stuck of all, again");
			}
		net_stalls_all_free(fresh, ends);
		random_counts(seed, value, count);
		net_state_take(s, &(struct net_snapshot){.seconds = 1, .count = count});
		net_queues_update(q, s);
		net_path_map_update(map, s);
		net_stalls_update(all, ends, s);
		for (size_t d = 0; d < n->n_modules; d++)
			net_stalls_update(&one[d], 1, s);
	}
	for (size_t d = 0; d < n->n_modules; d++)
		net_stalls_free(one[d]);
	free(one);
	net_stalls_all_free(all, ends);
	net_queues_free(q);
	net_path_map_free(map);
	net_state_free(s);
}

static void
queues_and_stalls_equal_their_definitions(void)
{
	unsigned rounds = test_rounds(60, 3000), done = 0;
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
}

TEST_MAIN(CASE(queues_and_stalls_equal_their_definitions))
