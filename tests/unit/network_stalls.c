/* Queues and stalls on a small machine, worked out by hand, and one rule on random networks: no stall is lost on the
 * way back. */
#include "core/network/stalls.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/queues.h"
#include "core/network/stall_rows.h"
#include "core/network/state.h"
#include "parsed.h"
#include "test.h"

/* Three cores, one home per socket, two DIMMs; loads of cores 100, 300 and 100. */
static const char three_cores[] =
	"network t; kind ld; kind st;\n"
	"counter hit = \"a\" per core unit requests; counter miss = \"b\" per core unit requests;\n"
	"counter clk = \"c\" per core unit cycles; counter lat = \"d\" per core unit requests*cycles;\n"
	"counter near = \"e\" per socket unit requests; counter far = \"f\" per socket unit requests; counter home_hit "
	"= \"g\" per socket unit requests;\n"
	"counter uclk = \"h\" per socket unit cycles; counter lost0 = \"i\" per socket unit cycles; counter lost1 = "
	"\"j\" per socket unit cycles;\n"
	"counter wait = \"k\" per socket unit cycles; counter seen = \"l\" per core unit cycles; counter stm = \"m\" "
	"per core unit requests;\n"
	"stage c { module l1 per core { model cache; clock = clk; ld { hit = hit; miss = miss; delay = lat / hit; tag "
	"= 4 cycles; limit = seen; }"
	" st { miss = stm; } } }\n"
	"stage h { module home per socket { model home; clock = uclk; ld { hit = home_hit; miss = near + far; delay = "
	"50 cycles; miss delay = 120 cycles; stall = wait; }"
	" st { miss = stm; } } }\n"
	"stage m { module d0 per socket { clock = uclk; ld { hit = near; delay = 90 cycles; stall = lost0; } st { hit "
	"= stm; stall = lost1; } }\n"
	"module d1 per socket { clock = uclk; ld { hit = far; delay = 350 cycles; stall = lost1; } } }\n"
	"link l1 -> home; link home -> d0 { ld = near; st = stm; } link home -> d1 { ld = far; }\n";

static const size_t one_socket[] = {0, 0, 0};

struct machine {
	struct network *net;
	struct net_shape shape;
	struct net_state *state;
};

static bool
open_machine(struct machine *m, const char *text)
{
	*m = (struct machine){.shape = {.n = {[SCOPE_CORE] = 3, [SCOPE_SOCKET] = 1, [SCOPE_SYSTEM] = 1},
				      .part_of = {[SCOPE_CORE] = one_socket}}};
	m->net = parsed_network("t", text);
	if (m->net)
		m->state = net_state_new(m->net, &m->shape);
	return m->net != NULL;
}

static void
close_machine(struct machine *m)
{
	net_state_free(m->state);
	network_free(m->net);
}

static void
take(struct machine *m)
{
	static const double hit[] = {
		1000, 2000, 500}, miss[] = {100, 300, 100}, clk[] = {1e4, 2e4, 1e4}, lat[] = {5000, 12000, 2000},
		near[] = {240}, far[] = {160
	};
	static const double home_hit[] = {
		100}, uclk[] = {5000}, lost0[] = {600}, lost1[] = {1000}, wait[] = {500}, seen[] = {1e6, 270, 1e6},
		stm[] = {1, 2, 1
	};
	const double *count[] = {hit, miss, clk, lat, near, far, home_hit, uclk, lost0, lost1, wait, seen, stm};

	net_state_take(m->state, &(struct net_snapshot){.seconds = 1, .count = count});
}

static void
queues_by_hand(void)
{
	struct machine m;
	struct net_queues *q;

	if (!open_machine(&m, three_cores))
		return;
	take(&m);
	q = net_queues_new(m.state);
	CHECK_INT(q->n, 6); /* three l1, home, two DIMMs; stores have no known delay */
	CHECK_INT(q->known, 6);
	for (size_t i = 0; i < q->n; i++) {
		const struct net_queue *x = &q->queue[i];

		if (x->module == 0 && x->owner == 1) { /* 2000/20000 · 6 + 300/20000 · 4 */
			CHECK_NEAR(x->length, 0.1 * 6 + 0.015 * 4, 1e-12);
			CHECK_NEAR(x->before, 0, 0);
		}
		if (x->module == 1) { /* before: (100·5 + 300·6 + 100·4) / 500 = 5.4 */
			CHECK_NEAR(x->before, 5.4, 1e-12);
			CHECK_NEAR(x->length, 0.02 * (50 - 5.4) + 0.08 * 120, 1e-12);
		}
		if (x->module == 3)
			CHECK_NEAR(x->length, 160 / 5000. * 300, 1e-12);
	}
	/* home 10.492, d1 9.6 */
	CHECK_INT(q->queue[0].module, 1);
	CHECK_INT(q->queue[1].module, 3);
	CHECK_NEAR(q->margin, 10.492 / 9.6, 1e-9);
	net_queues_free(q);
	close_machine(&m);
}

/* A module that only passes requests on, a kind that nobody waits for, and the length of the snapshot: in two seconds
 * 10 demand reads and 90 read-aheads, of 1 s each. */
static void
nobody_waits_for_the_background(void)
{
	static const char text[] =
		"network t; kind rd; kind ahead background;\n"
		"counter n = \"a\" per system unit requests; counter m = \"b\" per system unit requests; counter t = "
		"\"c\" per system unit requests*ns;\n"
		"stage a { module q { model home; rd { miss = n; delay = t / n; miss delay = t / n; } } }\n"
		"stage b { module d { rd { hit = n; delay = 3 * t / n; } ahead { hit = m; delay = 1 s; } } }\n"
		"link q -> d; ingress d ahead; total \"per second\" = n / elapsed;\n"
		"law \"equal\": n = m / 9; law \"not\": n = m / 10; law \"times\": t = 9 * t / 10;\n";
	static const double n[] = {10}, m[] = {90}, t[] = {1e9};
	const double *count[] = {n, m, t};
	struct net_queues *q;
	struct machine x;

	if (!open_machine(&x, text))
		return;
	net_state_take(x.state, &(struct net_snapshot){.seconds = 2, .count = count});
	CHECK_NEAR(net_state_total(x.state, 0), 10 / 2e9, 1e-20);
	q = net_queues_new(x.state);
	CHECK_INT(q->n, 3);
	CHECK_INT(q->known, 3);
	CHECK_INT(q->awaited, 2);
	CHECK_INT(q->queue[0].module, 1);              /* 10 / 2 s · (0.3 s - 0.1 s) */
	CHECK_NEAR(q->queue[0].length, 1, 1e-12);
	/* This module serves nothing: 10 / 2 s · 0.1 s for the requests that it passes on. */
	CHECK_NEAR(q->queue[1].length, 0.5, 1e-12);
	CHECK_NEAR(q->queue[1].arrivals, 0, 0);
	CHECK(q->queue[2].background);
	CHECK_NEAR(q->queue[2].length, 45, 1e-12);
	CHECK_NEAR(q->margin, 2, 1e-12);
	net_queues_free(q);
	CHECK(net_state_law_holds(x.state, 0));
	CHECK(!net_state_law_holds(x.state, 1));
	CHECK(!net_state_law_holds(x.state, 2));
	/* Read while one task runs: a law of requests may be off by 1, a law of times may not. */
	net_state_take(x.state, &(struct net_snapshot){.seconds = 2, .tear = 1, .count = count});
	CHECK(net_state_law_holds(x.state, 1));
	CHECK(!net_state_law_holds(x.state, 2));
	net_state_take(x.state, &(struct net_snapshot){.seconds = 2, .tear = 0.9, .count = count});
	CHECK(!net_state_law_holds(x.state, 1));
	close_machine(&x);
}

/* Destination d1: of the home's 500 requests 160 go there, so 0.32 of its own 500 cycles are d1's. With d1's 1000 they
 * are 1160, and go back by 100 : 300 : 100. Core 1 gets 696, and its counter shows 270 stall cycles. To d0 go 240
 * requests, so 840 cycles go back, 504 of them to core 1. Both destinations together may have 270. */
static void
stalls_by_hand(void)
{
	struct machine m;
	struct net_stalls *s;
	struct net_stalls **all;
	size_t at, ends;

	if (!open_machine(&m, three_cores))
		return;
	take(&m);
	s = net_stalls_new(m.state, 3);
	at = net_stalls_at(s, 1, 0, 0);
	CHECK_NEAR(s->part[at], 0.32, 1e-12);
	CHECK_NEAR(s->own[at], 160, 1e-9);
	CHECK_NEAR(s->stall[at], 1160, 1e-9);
	CHECK_NEAR(s->from[at * s->n_modules + 3], 1000, 1e-9);
	CHECK_NEAR(s->stall[net_stalls_at(s, 0, 0, 0)], 232, 1e-9);
	CHECK_NEAR(s->from[net_stalls_at(s, 0, 0, 0) * s->n_modules + 1], 32, 1e-9);
	at = net_stalls_at(s, 0, 1, 0);
	CHECK_NEAR(s->part[at], 300 * 0.32 / 2300, 1e-12);
	CHECK_NEAR(s->stall[at], 270, 1e-9);
	CHECK_NEAR(s->hidden[at], 696 - 270, 1e-9);
	CHECK_NEAR(s->kept[at], 270, 1e-9);
	CHECK_NEAR(s->own[net_stalls_at(s, 2, 0, 0)], 0, 0); /* requests to the other DIMM are not d1's */
	net_stalls_free(s);
	/* Destination d0: stores have counts of their own. */
	s = net_stalls_new(m.state, 2);
	CHECK_NEAR(s->stall[net_stalls_at(s, 0, 1, 1)], 500, 1e-9);
	CHECK_NEAR(s->stall[net_stalls_at(s, 0, 0, 1)], 250, 1e-9);
	net_stalls_free(s);
	all = net_stalls_all(m.state, &ends);
	if (CHECK_INT(ends, 2)) {
		CHECK_INT(all[0]->destination, 2);
		CHECK_NEAR(all[0]->stall[at], 270 * 504 / 1200., 1e-9);
		CHECK_NEAR(all[1]->stall[at], 270 * 696 / 1200., 1e-9);
		CHECK_NEAR(all[1]->hidden[at], 696 - 270 * 696 / 1200., 1e-9);
		CHECK_NEAR(all[0]->stall[net_stalls_at(all[0], 0, 1, 1)], 500, 1e-9); /* stores have no limit */
	}
	net_stalls_all_free(all, ends);
	close_machine(&m);
}

/* The numbers of stalls_by_hand() for both destinations, core by core, divided by where they arose: the home, d0,
 * d1. */
static void
rows_by_hand(void)
{
	struct machine m;
	struct net_stalls **all;
	struct net_stall_rows *r;
	size_t ends;

	if (!open_machine(&m, three_cores))
		return;
	take(&m);
	all = net_stalls_all(m.state, &ends);
	r = net_stall_rows_new(m.state, all, ends, false);
	if (CHECK_INT(r->n, 6)) { /* loads and stores of three cores */
		const struct net_stall_row *x = &r->row[2];

		CHECK_INT(x->per, SCOPE_CORE);
		CHECK_INT(x->owner, 1);
		CHECK_INT(x->kind, 0);
		CHECK_NEAR(x->stall, 270, 1e-9);
		CHECK_NEAR(x->hidden, 1200 - 270, 1e-9);
		/* 240 of its 1200 arose in the home; cycles of the home's own hits go to no destination */
		CHECK_NEAR(x->from[1], 270 * 240 / 1200., 1e-9);
		CHECK_NEAR(x->from[2], 270 * 360 / 1200., 1e-9);
		CHECK_NEAR(x->from[3], 270 * 600 / 1200., 1e-9);
		CHECK_NEAR(r->row[0].stall, 400, 1e-9);
		CHECK(net_stall_rows_find(r, x) == x);
	}
	CHECK_NEAR(r->own, 600 + 1000 + 400 + 1000, 1e-9);
	CHECK_NEAR(r->stall + r->hidden + r->stuck, r->own, 1e-9);
	net_stall_rows_free(r);
	r = net_stall_rows_new(m.state, all, ends, true);
	if (CHECK_INT(r->n, 2)) {
		CHECK_NEAR(r->row[0].stall, 400 + 270 + 400, 1e-9);
		CHECK_NEAR(r->row[1].stall, 1000, 1e-9);
	}
	net_stall_rows_free(r);
	net_stalls_all_free(all, ends);
	close_machine(&m);
}

/* The rows have everything that the cells have. */
static void
rows_have_all(const struct machine *m)
{
	size_t ends;
	struct net_stalls **all = net_stalls_all(m->state, &ends);

	for (int together = 0; together < 2; together++) {
		struct net_stall_rows *r = net_stall_rows_new(m->state, all, ends, together);
		double sum = 0;

		CHECK_NEAR(r->stall + r->hidden + r->stuck, r->own, 1e-9 * (1 + r->own));
		for (size_t i = 0; i < r->n; i++) {
			double parts = 0;

			for (size_t k = 0; k < r->n_modules; k++)
				parts += r->row[i].from[k];
			if (fabs(parts - r->row[i].stall) > 1e-9 * (1 + parts))
				test_check(false, __FILE__, __LINE__, "row %zu: parts %g of %g", i, parts,
					r->row[i].stall);
			sum += r->row[i].stall;
		}
		CHECK_NEAR(sum, r->stall, 1e-9 * (1 + sum));
		net_stall_rows_free(r);
	}
	net_stalls_all_free(all, ends);
}

/* A network of stages with random links and counts, some of them unknown. */
static char *
random_network(uint64_t *seed, size_t *n_counters)
{
	size_t stages = 2 + test_random(seed) % 4, wide[6], module = 0;
	struct str t = {0}, links = {0};

	*n_counters = 0;
	str_add(&t, "network r; kind a; kind b;\n");
	for (size_t i = 0; i < 80; i++, ++*n_counters)
		str_addf(&t, "counter c%zu = \"e\" per %s unit %s;\n", i, i % 2 ? "core" : "socket",
			i % 4 < 2 ? "requests" : "cycles");
	for (size_t s = 0; s < stages; s++) {
		wide[s] = 1 + test_random(seed) % 3;
		str_addf(&t, "stage s%zu {", s);
		for (size_t i = 0; i < wide[s]; i++, module++) {
			bool core = s == 0 || test_random(seed) % 3 == 0;

			str_addf(&t, "module m%zu per %s {", module, core ? "core" : "socket");
			for (int k = 0; k < 2; k++) {
				size_t odd = core ? 1 : 0;

				str_addf(&t, "%c { hit = c%zu; miss = c%zu; stall = c%zu; ", 'a' + k,
					4 * (test_random(seed) % 20) + odd, 4 * (test_random(seed) % 20) + odd,
					4 * (test_random(seed) % 20) + 2 + odd);
				if (test_random(seed) % 3 == 0)
					str_addf(&t, "limit = c%zu; ", 4 * (test_random(seed) % 20) + 2 + odd);
				str_add(&t, "}");
			}
			str_add(&t, "}\n");
			for (size_t from = module - i - (s ? wide[s - 1] : 0); s && from < module - i; from++)
				if (from == module - i - 1 || test_random(seed) % 2)
					str_addf(&links,
						"link m%zu -> m%zu { a = m%zu.a.miss; b = m%zu.b.miss * 0.5; }\n", from,
						module, from, from);
			if (test_random(seed) % 4 == 0)
				str_addf(&links, "ingress m%zu a;\n", module);
		}
		str_add(&t, "}\n");
	}
	str_add(&t, str_text(&links));
	str_free(&links);
	return str_take(&t);
}

/* All destinations together keep each limit, and none loses a stall. */
static void
limits_are_shared(const struct machine *m)
{
	size_t ends;
	struct net_stalls **all = net_stalls_all(m->state, &ends);

	for (size_t d = 0; d < ends; d++) {
		double in = 0, out = 0;

		for (size_t at = 0; at < all[d]->n_owners * all[d]->n_kinds; at++) {
			in += all[d]->own[at];
			out += all[d]->kept[at] + all[d]->hidden[at] + all[d]->stuck[at];
		}
		CHECK_NEAR(in, out, 1e-9 * (1 + in));
	}
	for (size_t o = 0; o < m->net->n_modules && ends; o++)
		for (size_t k = 0; k < net_state_owners(m->state, o); k++)
			for (size_t kind = 0; kind < 2; kind++) {
				size_t at = net_stalls_at(all[0], o, k, kind);
				double limit = net_state_cell(m->state, o, k, kind).field[NET_LIMIT], sum = 0;

				for (size_t d = 0; d < ends; d++)
					sum += all[d]->stall[at];
				CHECK(isnan(limit) || sum <= limit * (1 + 1e-12));
			}
	net_stalls_all_free(all, ends);
}

static void
nothing_is_lost_on_the_way_back(void)
{
	unsigned rounds = test_rounds(300, 20000), networks = 0;
	uint64_t seed = 41;

	for (unsigned round = 0; round < rounds; round++) {
		size_t n;
		char *text = random_network(&seed, &n);
		const double **count = mem_new_array(n, sizeof *count);
		double *values = mem_new_array(n * 3, sizeof *values);
		struct machine m;

		if (!open_machine(&m, text))
			return;
		for (size_t i = 0; i < n; i++) {
			for (size_t k = 0; k < 3; k++)
				values[3 * i + k] = test_random(&seed) % 4 ? (double)(test_random(&seed) % 1000) : 0;
			count[i] = test_random(&seed) % 20 ? values + 3 * i : NULL;
		}
		net_state_take(m.state, &(struct net_snapshot){.seconds = 1, .count = count});
		for (size_t d = 0; d < m.net->n_modules; d++) {
			struct net_stalls *s = net_stalls_new(m.state, d);
			double in = 0, out = 0;

			networks++;
			for (size_t at = 0; at < s->n_owners * s->n_kinds; at++) {
				double parts = 0;

				in += s->own[at];
				out += s->kept[at] + s->hidden[at] + s->stuck[at];
				for (size_t i = 0; i < s->n_modules; i++)
					parts += s->from[at * s->n_modules + i];
				if (fabs(parts - s->stall[at]) > 1e-9 * (1 + s->stall[at]) || s->part[at] < 0 ||
					s->part[at] > 1 || s->stall[at] < 0)
					test_check(false, __FILE__, __LINE__, "round %u: parts %g of %g", round, parts,
						s->stall[at]);
			}
			if (fabs(in - out) > 1e-9 * (1 + in))
				test_check(false, __FILE__, __LINE__, "round %u, destination %zu: %g in, %g out\n%s",
					round, d, in, out, text);
			for (size_t o = 0; o < m.net->n_modules; o++)
				for (size_t k = 0; k < net_state_owners(m.state, o); k++)
					for (size_t kind = 0; kind < 2; kind++) {
						size_t at = net_stalls_at(s, o, k, kind);
						double limit = net_state_cell(m.state, o, k, kind).field[NET_LIMIT];

						CHECK(isnan(limit) || s->stall[at] <= limit * (1 + 1e-12));
					}
			net_stalls_free(s);
		}
		limits_are_shared(&m);
		rows_have_all(&m);
		close_machine(&m);
		free(values);
		free(count);
		free(text);
	}
	CHECK(networks > rounds);
}

TEST_MAIN(CASE(queues_by_hand), CASE(nobody_waits_for_the_background), CASE(stalls_by_hand), CASE(rows_by_hand),
	CASE(nothing_is_lost_on_the_way_back))
