/* Queues and stalls on small machines, worked out by hand; weights, clocks and loads of pairs; and PathFinder's
 * algorithm 2 as it is printed. network_plain.c has random networks. */
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
 * are 1160, and go back by 100 : 300 : 100. To d0 go 240 requests, so 240 + 600 go back. The home has 5000 cycles in
 * the time in which the cores have 10000, 20000 and 10000. So core 1 gets 0.6 · 4 times both, 2784 and 2016, and its
 * counter shows 270 stall cycles for both together. */
static void
stalls_by_hand(void)
{
	struct machine m;
	struct net_stalls **all;
	size_t at, ends;

	if (!open_machine(&m, three_cores))
		return;
	take(&m);
	all = net_stalls_all(m.state, NET_BY_REQUESTS, &ends);
	if (!CHECK_INT(ends, 2))
		goto out;
	CHECK_INT(all[0]->destination, 2);
	at = net_stalls_at(all[1], 1, 0, 0);
	CHECK_NEAR(all[1]->own[at], 160, 1e-9);
	CHECK_NEAR(all[0]->own[at], 240, 1e-9);
	CHECK_NEAR(all[0]->elsewhere[at], 100, 1e-9); /* the home's own hits */
	CHECK_NEAR(all[1]->stall[at], 1160, 1e-9);
	CHECK_NEAR(net_stalls_ns(all[1], at, 1160), 1160 * 1e9 / 5000, 1e-3);
	CHECK_NEAR(net_stalls_from(all[1], 1, 0, 0, 3), 1000, 1e-9);
	at = net_stalls_at(all[1], 0, 0, 0);
	CHECK_NEAR(all[1]->stall[at], 232 * 2, 1e-9);
	CHECK_NEAR(net_stalls_from(all[1], 0, 0, 0, 1), 32 * 2, 1e-9);
	at = net_stalls_at(all[1], 0, 1, 0);
	CHECK_NEAR(all[0]->stall[at], 270 * 2016 / 4800., 1e-9);
	CHECK_NEAR(all[1]->stall[at], 270 * 2784 / 4800., 1e-9);
	CHECK_NEAR(all[1]->hidden[at], 2784 - 270 * 2784 / 4800., 1e-9);
	CHECK_NEAR(all[1]->kept[at], all[1]->stall[at], 0);
	CHECK_NEAR(all[1]->own[net_stalls_at(all[1], 2, 0, 0)], 0, 0); /* requests to the other DIMM are not d1's */
	/* Destination d0: stores have counts of their own, and no limit. */
	CHECK_NEAR(all[0]->stall[net_stalls_at(all[0], 0, 1, 1)], 500 * 4, 1e-9);
	CHECK_NEAR(all[0]->stall[net_stalls_at(all[0], 0, 0, 1)], 250 * 2, 1e-9);
	for (size_t l = 0; l < m.net->n_links; l++)
		CHECK(!net_stalls_unconverted(all, ends, l) && !net_stalls_spread(all, ends, l));
out:
	net_stalls_all_free(all, ends);
	close_machine(&m);
}

/* The home's own 500 cycles by delay: 240 requests that take 40 cycles longer than its hits, 160 that take 300 longer,
 * and none for its hits. */
static void
weights_by_delay(void)
{
	struct machine m;
	struct net_stalls **all;
	size_t at, ends;

	if (!open_machine(&m, three_cores))
		return;
	take(&m);
	all = net_stalls_all(m.state, NET_BY_DELAY, &ends);
	at = net_stalls_at(all[0], 1, 0, 0);
	CHECK_NEAR(all[0]->own[at], 500 * 9600 / 57600., 1e-9);
	CHECK_NEAR(all[1]->own[at], 500 * 48000 / 57600., 1e-9);
	CHECK_NEAR(all[0]->elsewhere[at], 0, 0);
	net_stalls_all_free(all, ends);
	close_machine(&m);
}

/* The numbers of stalls_by_hand() for both destinations, core by core, divided by where they arose: the home, d0,
 * d1, in ns because the clocks differ. */
static void
rows_by_hand(void)
{
	double fast = 1e9 / 2e4, slow = 1e9 / 1e4; /* ns of a cycle of core 1, and of the others */
	struct machine m;
	struct net_stalls **all;
	struct net_stall_rows *r;
	size_t ends;

	if (!open_machine(&m, three_cores))
		return;
	take(&m);
	all = net_stalls_all(m.state, NET_BY_REQUESTS, &ends);
	r = net_stall_rows_new(m.state, all, ends, false);
	CHECK(r->in_ns);
	if (CHECK_INT(r->n, 6)) { /* loads and stores of three cores */
		const struct net_stall_row *x = &r->row[2];

		CHECK_INT(x->per, SCOPE_CORE);
		CHECK_INT(x->owner, 1);
		CHECK_INT(x->kind, 0);
		CHECK_NEAR(x->stall, 270 * fast, 1e-3);
		CHECK_NEAR(x->hidden, (4800 - 270) * fast, 1e-3);
		/* 240 of 1200 arose in the home; cycles of the home's own hits go to no destination */
		CHECK_NEAR(x->from[1], 270 * fast * 240 / 1200., 1e-3);
		CHECK_NEAR(x->from[2], 270 * fast * 360 / 1200., 1e-3);
		CHECK_NEAR(x->from[3], 270 * fast * 600 / 1200., 1e-3);
		CHECK_NEAR(r->row[0].stall, 400 * 2 * slow, 1e-3);
		CHECK(net_stall_rows_find(r, x) == x);
	}
	CHECK_NEAR(r->own, (600 + 1000 + 400 + 1000) * 1e9 / 5000, 1e-3);
	CHECK_NEAR(r->elsewhere, 100 * 1e9 / 5000, 1e-3);
	CHECK_NEAR(r->stall + r->hidden + r->stuck, r->own, 1e-3);
	net_stall_rows_free(r);
	r = net_stall_rows_new(m.state, all, ends, true);
	if (CHECK_INT(r->n, 2)) {
		CHECK_NEAR(r->row[0].stall, 800 * 2 * slow + 270 * fast, 1e-3);
		CHECK_NEAR(r->row[1].stall, 1000 * 1e9 / 5000, 1e-3);
	}
	net_stall_rows_free(r);
	net_stalls_all_free(all, ends);
	close_machine(&m);
}

/* 50 loads from DDR at 200 cycles and 50 from CXL at 800, and 1000 stall cycles of the core. By number they would be
 * halves. A third memory without a delay keeps its part by number. */
static void
slow_memory_has_more(void)
{
	static const char text[] =
		"network t; kind ld; counter a = \"a\" per core unit requests; counter b = \"b\" per core unit "
		"requests; counter c = \"c\" per core unit requests; counter s = \"s\" per core unit cycles; counter k "
		"= \"k\" per system unit cycles;\n"
		"stage c { module core per core { ld { stall = s; } } }\n"
		"stage m { module ddr { clock = k; ld { hit = a; delay = 200 cycles; } } module cxl { clock = k; ld { "
		"hit = b; delay = 800 "
		"cycles; } } module other { ld { hit = c; } } }\n"
		"link core -> ddr { ld = a; } link core -> cxl { ld = b; } link core -> other { ld = c; }\n";
	static const struct {
		double other;
		enum net_weight weight;
		double own[3];
	} row[] = {
		{0, NET_BY_DELAY, {200, 800, 0}},
		{0, NET_BY_REQUESTS, {500, 500, 0}},
		{100, NET_BY_DELAY, {100, 400, 500}},
		{100, NET_BY_REQUESTS, {250, 250, 500}},
	};
	static const double fifty[] = {50}, stall[] = {1000};
	struct net_shape shape = {.n = {[SCOPE_CORE] = 1, [SCOPE_SOCKET] = 1, [SCOPE_SYSTEM] = 1},
		.part_of = {[SCOPE_CORE] = one_socket}};
	struct network *net = parsed_network("t", text);
	struct net_state *state = net ? net_state_new(net, &shape) : NULL;

	for (size_t i = 0; CHECK(state) && i < sizeof row / sizeof *row; i++) {
		const double *count[] = {fifty, fifty, &row[i].other, stall, fifty};
		struct net_stalls **all;
		size_t ends;

		net_state_take(state, &(struct net_snapshot){.seconds = 1, .count = count});
		all = net_stalls_all(state, row[i].weight, &ends);
		CHECK_INT(ends, 3);
		for (size_t d = 0; d < 3; d++)
			CHECK_NEAR(all[d]->own[net_stalls_at(all[d], 0, 0, 0)], row[i].own[d], 1e-9);
		/* nothing says how long a cycle of the core is */
		CHECK(isnan(net_stalls_ns(all[0], 0, 1)));
		net_stalls_all_free(all, ends);
	}
	net_state_free(state);
	network_free(net);
}

/* Two cores, each of which uses a CHA of its own. Only the first CHA has stalls. */
static void
pairs_know_whose(void)
{
	static const char text[] =
		"network t; kind ld; counter n = \"n\" per core unit requests;\n"
		"counter p = \"p\" per core -> slice unit requests; counter s = \"s\" per slice unit cycles;\n"
		"stage c { module core per core { ld { miss = n; } } }\n"
		"stage m { module cha per slice { ld { hit = s * 1 requests / 1 cycles; stall = s; } } }\n"
		"link core -> cha { pairs ld = p; }\n";
	static const struct {
		double pair[4], core[2];
		bool known, fit;
	} row[] = {
		{{100, 0, 0, 100}, {1000, 0}, true, true},
		{{60, 40, 60, 40}, {500, 500}, true, true},
		{{75, 25, 25, 75}, {750, 250}, true, true},
		{{100, 0, 0, NAN}, {500, 500}, false, true}, /* not all pairs are known: as without */
		{{90, 0, 10, 100}, {900, 100}, true, false}, /* they do not add up to what each core sent */
		{{-1, 0, 0, 100}, {500, 500}, false, true},
	};
	static const double sent[] = {100, 100}, stall[] = {1000, 0};
	struct net_shape shape = {.n = {[SCOPE_CORE] = 2, [SCOPE_SLICE] = 2, [SCOPE_SOCKET] = 1, [SCOPE_SYSTEM] = 1},
		.part_of = {[SCOPE_CORE] = one_socket, [SCOPE_SLICE] = one_socket}};
	struct network *net = parsed_network("t", text);
	struct net_state *state = net ? net_state_new(net, &shape) : NULL;

	for (size_t i = 0; CHECK(state) && i <= sizeof row / sizeof *row; i++) {
		bool without = i == sizeof row / sizeof *row;
		const double *count[] = {sent, without ? NULL : row[i].pair, stall};
		bool fit = true;
		struct net_stalls **all;
		size_t ends;

		test_label("row %zu", i);
		net_state_take(state, &(struct net_snapshot){.seconds = 1, .count = count});
		all = net_stalls_all(state, NET_BY_DELAY, &ends);
		for (size_t o = 0; o < 2; o++) {
			double sum;

			CHECK_NEAR(all[0]->stall[net_stalls_at(all[0], 0, o, 0)], without ? 500 : row[i].core[o], 1e-9);
			fit &= net_state_pairs_fit(state, 0, o, 0, &sum);
			CHECK_INT(isnan(sum), without || !row[i].known);
		}
		CHECK_INT(fit, without || row[i].fit);
		CHECK_INT(net_stalls_spread(all, ends, 0), without || !row[i].known);
		CHECK(net_stalls_unconverted(all, ends, 0)); /* these modules have no clock */
		net_stalls_all_free(all, ends);
	}
	net_state_free(state);
	network_free(net);
}

/* PathFinder's algorithm 2 written down as it is printed, with the four corrections of stalls.h: for a DIMM, from root
 * complexes over uncores and CHAs to cores, each hop with its own stalls and a clock of its own. */
enum { CORES = 3, CHAS = 4, UNCORES = 2, RCS = 2, DIMMS = 2, KINDS = 2 };
static const size_t socket_of_core[] = {0, 1, 1}, socket_of_cha[] = {0, 0, 1, 1};

struct printed {
	double core2cha[KINDS][CORES][CHAS], cha_hit[KINDS][CHAS], cha2uncore[KINDS][CHAS];
	double uncore2rc[KINDS][UNCORES][RCS], rc2dimm[KINDS][DIMMS][RCS];
	double core_stall[KINDS][CORES], cha_stall[KINDS][CHAS], uncore_stall[KINDS][UNCORES], rc_stall[KINDS][RCS],
		dimm_stall[KINDS][DIMMS];
	double core_clock[CORES], cha_clock[CHAS], uncore_clock[UNCORES], rc_clock[RCS], dimm_clock;
	double core[KINDS][CORES], cha[KINDS][CHAS], uncore[KINDS][UNCORES], rc[KINDS][RCS]; /* results of one DIMM */
};

static void
random_machine(struct printed *p, uint64_t *seed)
{
	double *field = (double *)p;

	for (size_t i = 0; i < sizeof *p / sizeof *field; i++)
		field[i] = (double)(1 + test_random(seed) % 100000);
	for (size_t k = 0; k < KINDS; k++) { /* what goes into a module goes on or is a hit */
		for (size_t c = 0; c < CHAS; c++)
			p->cha2uncore[k][c] = 0;
		for (size_t c = 0; c < CHAS; c++)
			for (size_t i = 0; i < CORES; i++)
				p->cha2uncore[k][c] += p->core2cha[k][i][c];
		for (size_t c = 0; c < CHAS; c++) {
			p->cha_hit[k][c] = floor(p->cha2uncore[k][c] / 3);
			p->cha2uncore[k][c] -= p->cha_hit[k][c];
		}
	}
}

/* Requests of an uncore to a root complex, and of a core to a CHA: by pairs, or in the ratio in which the other end
 * serves requests. */
static double
to_rc(const struct printed *p, bool pairs, size_t k, size_t u, size_t r)
{
	double sent = p->uncore2rc[k][u][0] + p->uncore2rc[k][u][1], all = 0, here = 0;

	for (size_t i = 0; i < RCS; i++)
		for (size_t d = 0; d < DIMMS; d++) {
			all += p->rc2dimm[k][d][i];
			here += i == r ? p->rc2dimm[k][d][i] : 0;
		}
	return pairs ? p->uncore2rc[k][u][r] : sent * here / all;
}

static double
to_cha(const struct printed *p, bool pairs, size_t k, size_t core, size_t c)
{
	double sent = 0, all = 0;

	for (size_t i = 0; i < CHAS; i++) {
		sent += p->core2cha[k][core][i];
		all += p->cha_hit[k][i] + p->cha2uncore[k][i];
	}
	return pairs ? p->core2cha[k][core][c] : sent * (p->cha_hit[k][c] + p->cha2uncore[k][c]) / all;
}

/* The load that a sender counts for a receiver: its own pair, or all that it sent. */
static double
load_to_rc(const struct printed *p, bool pairs, size_t k, size_t u, size_t r)
{
	return pairs ? p->uncore2rc[k][u][r] : p->uncore2rc[k][u][0] + p->uncore2rc[k][u][1];
}

static double
load_to_cha(const struct printed *p, bool pairs, size_t k, size_t core, size_t c)
{
	double sent = 0;

	for (size_t i = 0; i < CHAS; i++)
		sent += p->core2cha[k][core][i];
	return pairs ? p->core2cha[k][core][c] : sent;
}

static void
algorithm_2(struct printed *p, bool pairs, size_t k, size_t id)
{
	double rc_part[RCS], uncore_part[UNCORES] = {0}, cha_part[CHAS], all = 0;

	for (size_t i = 0; i < RCS; i++) {
		rc_part[i] = p->rc2dimm[k][id][i] / (p->rc2dimm[k][0][i] + p->rc2dimm[k][1][i]);
		all += p->rc2dimm[k][id][i];
	}
	for (size_t j = 0; j < RCS; j++) /* DIMM → root complex; then what the root complex loses itself */
		p->rc[k][j] = p->rc2dimm[k][id][j] / all * p->dimm_stall[k][id] * p->rc_clock[j] / p->dimm_clock +
			p->rc_stall[k][j] * rc_part[j];
	for (size_t j = 0; j < UNCORES; j++) { /* root complex → uncore */
		p->uncore[k][j] = 0;
		for (size_t i = 0; i < RCS; i++) {
			double loads = load_to_rc(p, pairs, k, 0, i) + load_to_rc(p, pairs, k, 1, i);

			p->uncore[k][j] += load_to_rc(p, pairs, k, j, i) / loads * p->rc[k][i] * p->uncore_clock[j] /
				p->rc_clock[i];
			uncore_part[j] += to_rc(p, pairs, k, j, i) * rc_part[i];
		}
		uncore_part[j] /= p->uncore2rc[k][j][0] + p->uncore2rc[k][j][1];
		p->uncore[k][j] += p->uncore_stall[k][j] * uncore_part[j];
	}
	for (size_t j = 0; j < CHAS; j++) { /* uncore → CHA */
		size_t u = socket_of_cha[j];
		double loads = 0;

		for (size_t i = 0; i < CHAS; i++)
			loads += socket_of_cha[i] == u ? p->cha2uncore[k][i] : 0;
		cha_part[j] = p->cha2uncore[k][j] / (p->cha_hit[k][j] + p->cha2uncore[k][j]) * uncore_part[u];
		p->cha[k][j] = p->cha2uncore[k][j] / loads * p->uncore[k][u] * p->cha_clock[j] / p->uncore_clock[u] +
			p->cha_stall[k][j] * cha_part[j];
	}
	for (size_t j = 0; j < CORES; j++) { /* CHA → core */
		double part = 0, sent = 0;

		p->core[k][j] = 0;
		for (size_t i = 0; i < CHAS; i++) {
			double loads = 0;

			for (size_t c = 0; c < CORES; c++)
				loads += load_to_cha(p, pairs, k, c, i);
			p->core[k][j] += load_to_cha(p, pairs, k, j, i) / loads * p->cha[k][i] * p->core_clock[j] /
				p->cha_clock[i];
			part += to_cha(p, pairs, k, j, i) * cha_part[i];
			sent += p->core2cha[k][j][i];
		}
		p->core[k][j] += p->core_stall[k][j] * part / sent;
	}
}

static void
to_the_last_digit(double got, double want, const char *what, size_t owner)
{
	if (!(fabs(got - want) <= 2e-14 * want))
		test_check(false, __FILE__, __LINE__, "%s %zu: %.17g, by the printed algorithm %.17g", what, owner, got,
			want);
}

static void
algorithm_2_as_printed(void)
{
	static const char text[] =
		"network t; kind ld; kind st;\n"
		"counter core.ld = \"a\" per core unit requests; counter core.st = \"b\" per core unit requests;\n"
		"counter pair.ld = \"c\" per core -> slice unit requests; counter pair.st = \"d\" per core -> slice "
		"unit "
		"requests;\n"
		"counter hit.ld = \"e\" per slice unit requests; counter hit.st = \"f\" per slice unit requests;\n"
		"counter up.ld = \"g\" per slice unit requests; counter up.st = \"h\" per slice unit requests;\n"
		"counter rc.ld = \"i\" per socket unit requests; counter rc.st = \"j\" per socket unit requests;\n"
		"counter rcs.ld = \"k\" per socket -> device unit requests; counter rcs.st = \"l\" per socket -> "
		"device "
		"unit requests;\n"
		"counter d0.ld = \"m\" per device unit requests; counter d0.st = \"n\" per device unit requests;\n"
		"counter d1.ld = \"o\" per device unit requests; counter d1.st = \"p\" per device unit requests;\n"
		"counter core.ls = \"q\" per core unit cycles; counter core.ss = \"r\" per core unit cycles;\n"
		"counter cha.ls = \"s\" per slice unit cycles; counter cha.ss = \"t\" per slice unit cycles;\n"
		"counter un.ls = \"u\" per socket unit cycles; counter un.ss = \"v\" per socket unit cycles;\n"
		"counter rc.ls = \"w\" per device unit cycles; counter rc.ss = \"x\" per device unit cycles;\n"
		"counter dimm0.ls = \"y\" per system unit cycles; counter dimm0.ss = \"z\" per system unit cycles;\n"
		"counter dimm1.ls = \"A\" per system unit cycles; counter dimm1.ss = \"B\" per system unit cycles;\n"
		"counter core.clk = \"C\" per core unit cycles; counter cha.clk = \"D\" per slice unit cycles;\n"
		"counter un.clk = \"E\" per socket unit cycles; counter rc.clk = \"F\" per device unit cycles;\n"
		"counter dimm.clk = \"G\" per system unit cycles;\n"
		"stage s1 { module core per core { clock = core.clk; ld { miss = core.ld; stall = core.ls; } st { miss "
		"= "
		"core.st; stall = core.ss; } } }\n"
		"stage s2 { module cha per slice { clock = cha.clk; ld { hit = hit.ld; miss = up.ld; stall = cha.ls; } "
		"st "
		"{ hit = hit.st; miss = up.st; stall = cha.ss; } } }\n"
		"stage s3 { module uncore per socket { clock = un.clk; ld { miss = rc.ld; stall = un.ls; } st { miss = "
		"rc.st; stall = un.ss; } } }\n"
		"stage s4 { module rc per device { clock = rc.clk; ld { stall = rc.ls; } st { stall = rc.ss; } } }\n"
		"stage s5 { module dimm0 { clock = dimm.clk; ld { hit = d0.ld; stall = dimm0.ls; } st { hit = d0.st; "
		"stall = dimm0.ss; } }\n"
		"module dimm1 { clock = dimm.clk; ld { hit = d1.ld; stall = dimm1.ls; } st { hit = d1.st; stall = "
		"dimm1.ss; } } }\n"
		"link core -> cha { ld = core.ld; st = core.st; pairs ld = pair.ld; pairs st = pair.st; } link cha -> "
		"uncore;\n"
		"link uncore -> rc { ld = rc.ld; st = rc.st; pairs ld = rcs.ld; pairs st = rcs.st; }\n"
		"link rc -> dimm0 { ld = d0.ld; st = d0.st; } link rc -> dimm1 { ld = d1.ld; st = d1.st; }\n";
	const struct net_shape shape = {
		.n = {[SCOPE_CORE] = CORES,
			[SCOPE_SLICE] = CHAS,
			[SCOPE_SOCKET] = UNCORES,
			[SCOPE_DEVICE] = RCS,
			[SCOPE_SYSTEM] = 1},
		.part_of = {[SCOPE_CORE] = socket_of_core, [SCOPE_SLICE] = socket_of_cha},
	};
	unsigned rounds = test_rounds(400, 20000);
	struct network *net = parsed_network("t", text);
	struct net_state *state = net ? net_state_new(net, &shape) : NULL;
	uint64_t seed = 5;

	for (unsigned round = 0; CHECK(state) && round < rounds; round++) {
		bool pairs = round % 2;
		double core[KINDS][CORES] = {{0}}, rc[KINDS][UNCORES];
		struct net_stalls **all;
		struct printed p;
		size_t ends;

		random_machine(&p, &seed);
		for (size_t k = 0; k < KINDS; k++) {
			for (size_t i = 0; i < CORES * CHAS; i++)
				core[k][i / CHAS] += p.core2cha[k][i / CHAS][i % CHAS];
			for (size_t u = 0; u < UNCORES; u++)
				rc[k][u] = p.uncore2rc[k][u][0] + p.uncore2rc[k][u][1];
		}
		const double *count[] = {core[0], core[1], pairs ? p.core2cha[0][0] : NULL,
			pairs ? p.core2cha[1][0] : NULL, p.cha_hit[0], p.cha_hit[1], p.cha2uncore[0], p.cha2uncore[1],
			rc[0], rc[1], pairs ? p.uncore2rc[0][0] : NULL, pairs ? p.uncore2rc[1][0] : NULL,
			p.rc2dimm[0][0], p.rc2dimm[1][0], p.rc2dimm[0][1], p.rc2dimm[1][1], p.core_stall[0],
			p.core_stall[1], p.cha_stall[0], p.cha_stall[1], p.uncore_stall[0], p.uncore_stall[1],
			p.rc_stall[0], p.rc_stall[1], &p.dimm_stall[0][0], &p.dimm_stall[1][0], &p.dimm_stall[0][1],
			&p.dimm_stall[1][1], p.core_clock, p.cha_clock, p.uncore_clock, p.rc_clock, &p.dimm_clock};

		net_state_take(state, &(struct net_snapshot){.seconds = 1, .count = count});
		all = net_stalls_all(state, NET_BY_REQUESTS, &ends);
		CHECK_INT(ends, DIMMS);
		for (size_t id = 0; id < DIMMS; id++)
			for (size_t k = 0; k < KINDS; k++) {
				const struct {
					const char *what;
					const double *want;
					size_t n;
				} level[] = {
					{"core", p.core[k], CORES},
					{"CHA", p.cha[k], CHAS},
					{"uncore", p.uncore[k], UNCORES},
					{"root complex", p.rc[k], RCS},
				};

				test_label("machine %u, DIMM %zu, kind %zu", round, id, k);
				algorithm_2(&p, pairs, k, id);
				for (size_t m = 0; m < 4; m++)
					for (size_t o = 0; o < level[m].n; o++)
						to_the_last_digit(all[id]->stall[net_stalls_at(all[id], m, o, k)],
							level[m].want[o], level[m].what, o);
			}
		net_stalls_all_free(all, ends);
	}
	net_state_free(state);
	network_free(net);
}

/* 1000 cycles of a memory at 1 GHz go to cores at 4 GHz, one of which halted three quarters of the time: its clock
 * alone would say 1 GHz, its frequency says 4. */
static void
clocks_convert(void)
{
	static const char text[] =
		"network t; kind ld; counter n = \"n\" per core unit requests; counter c = \"c\" per core unit "
		"cycles;\n"
		"counter m = \"m\" per socket unit cycles; counter s = \"s\" per socket unit cycles; counter f = \"f\" "
		"per core "
		"unit cycles; counter all = \"g\" per socket unit requests;\n"
		"stage a { module core per core { clock = c; frequency = f / elapsed; ld { miss = n; } } }\n"
		"stage b { module way per socket { ld { miss = all; } } }\n"
		"stage d { module mem per socket { clock = m; ld { hit = all; stall = s; } } }\n"
		"link core -> way; link way -> mem;\n";
	static const double n[] = {100, 100, 200}, halted[] = {4e9, 4e9, 1e9}, full[] = {4e9, 4e9, 4e9}, m[] = {1e9},
			    fast[] = {1.1e10}, s[] = {1000}, sum[] = {400};
	static const struct {
		const double *frequency, *memory;
		double core, ns; /* of core 2; ns of the memory's stalls */
		bool converted;
	} row[] = {
		{full, m, 2000, 1000, true},
		{halted, m, 500, 1000, true},
		{NULL, m, 500, 1000, true},    /* the clock is taken: 1 GHz */
		{full, fast, 500, NAN, false}, /* 11 GHz: the clocks of several owners */
		{full, NULL, 500, NAN, false},
	};
	struct net_shape shape = {.n = {[SCOPE_CORE] = 3, [SCOPE_SOCKET] = 1, [SCOPE_SYSTEM] = 1},
		.part_of = {[SCOPE_CORE] = one_socket}};
	struct network *net = parsed_network("t", text);
	struct net_state *state = net ? net_state_new(net, &shape) : NULL;

	for (size_t i = 0; CHECK(state) && i < sizeof row / sizeof *row; i++) {
		const double *count[] = {n, halted, row[i].memory, s, row[i].frequency, sum};
		struct net_stalls **all;
		size_t ends, at;
		double ns;

		test_label("row %zu", i);
		net_state_take(state, &(struct net_snapshot){.seconds = 1, .count = count});
		all = net_stalls_all(state, NET_BY_DELAY, &ends);
		at = net_stalls_at(all[0], 0, 2, 0);
		CHECK_NEAR(all[0]->stall[at], row[i].core, 1e-9);
		CHECK_INT(net_stalls_unconverted(all, ends, 0) || net_stalls_unconverted(all, ends, 1),
			!row[i].converted);
		/* what has no clock of its own counts as the memory does */
		CHECK_NEAR(all[0]->stall[net_stalls_at(all[0], 1, 0, 0)], 1000, 1e-9);
		ns = net_stalls_ns(all[0], net_stalls_at(all[0], 2, 0, 0), 1000);
		CHECK(isnan(row[i].ns) ? isnan(ns) : fabs(ns - row[i].ns) < 1e-9);
		if (row[i].converted)
			CHECK_NEAR(net_stalls_ns(all[0], at, all[0]->stall[at]), 500, 1e-9);
		net_stalls_all_free(all, ends);
	}
	net_state_free(state);
	network_free(net);
}

TEST_MAIN(CASE(queues_by_hand), CASE(nobody_waits_for_the_background), CASE(stalls_by_hand), CASE(weights_by_delay),
	CASE(rows_by_hand), CASE(slow_memory_has_more), CASE(pairs_know_whose), CASE(algorithm_2_as_printed),
	CASE(clocks_convert))
