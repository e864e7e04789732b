/* Snapshots of small.net on a machine of 2 sockets, 4 cores of 2 threads, 2 channels a socket. Values are worked out by
 * hand. */
#include "core/network/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "parsed.h"
#include "test.h"
#include "text/diag.h"

static const size_t core_of_thread[] = {
	0, 0, 1, 1, 2, 2, 3, 3}, socket_of_core[] = {0, 0, 1, 1}, socket_of_channel[] = {0, 0, 1, 1
};
static const struct net_shape shape = {
	.n = {[SCOPE_THREAD] = 8, [SCOPE_CORE] = 4, [SCOPE_CHANNEL] = 4, [SCOPE_SOCKET] = 2, [SCOPE_SYSTEM] = 1},
	.part_of =
		{[SCOPE_THREAD] = core_of_thread, [SCOPE_CORE] = socket_of_core, [SCOPE_CHANNEL] = socket_of_channel},
};

/* In the order of the file. */
static const double loads[] = {100, 10, 200, 20, 300, 30, 400, 40};
static const double l2_hit[] = {20, 40, 60, 80}, l2_miss[] = {10, 30, 50, 500};
static const double llc_hit[] = {25, 600}, llc_occ[] = {1000, 6000}, dimm_rd[] = {5, 6, 7, 8};
static const double core_clk[] = {1e6, 1e6, 1e6, 2e6}, uncore[] = {1e5, 2e5};

enum { LOADS, L2_HIT, L2_MISS, LLC_HIT, LLC_FAR, LLC_OCC, DIMM_RD, CORE_CLK, UNCORE, COUNTERS };

static struct network *
small(void)
{
	unsigned long size;
	char *text = test_read("networks/small.net", &size);
	struct diags d = {0};
	struct network *n = text ? network_parse(mem_str("small.net"), text, size, &d) : NULL;

	CHECK(n && n->n_counters == COUNTERS);
	diags_free(&d);
	return n;
}

static void
values_by_hand(void)
{
	const double *count[COUNTERS] = {loads, l2_hit, l2_miss, llc_hit, NULL, llc_occ, dimm_rd, core_clk, uncore};
	struct net_snapshot x = {.seconds = 2, .count = count};
	struct network *n = small();
	struct net_state *s;
	struct net_cell_values t;
	double left, right;

	if (!n)
		return;
	CHECK(net_shape_is_sound(&shape));
	s = net_state_new(n, &shape);
	for (int again = 0; again < 2; again++) { /* nothing of the first snapshot remains */
		net_state_take(s, &x);
		CHECK_INT(net_state_owners(s, 0), 4);
		t = net_state_cell(s, 0, 1, 0); /* core 1: threads 2 and 3 */
		CHECK_NEAR(t.hits, 220 - 40 - 30, 0);
		CHECK_NEAR(t.misses, 70, 0);
		t = net_state_cell(s, 0, 3, 0); /* 440 - 80 - 500 is below zero */
		CHECK_NEAR(t.hits, 0, 0);
		CHECK_INT(net_state_below_zero(s), 1);
		t = net_state_cell(s, 1, 2, 0);
		CHECK_NEAR(t.field[NET_TAG], 4, 0);
		CHECK_NEAR(net_state_clock(s, 1, 3), 2e6, 0);
		CHECK_NEAR(net_state_clock(s, 3, 0), 1e5, 0);
		CHECK_NEAR(net_state_clock(s, 0, 0), 2e9, 0);
		t = net_state_cell(s, 2, 0, 0); /* socket 0: cores 0 and 1 */
		CHECK_NEAR(t.place[0], 25, 0);
		CHECK(isnan(t.place[1]) && isnan(t.hits)); /* an unresolved counter */
		CHECK_NEAR(t.misses, 40 - 25, 0);
		CHECK_NEAR(t.field[NET_DELAY], 1000 / 25., 1e-12);
		CHECK_NEAR(t.field[NET_MISS_DELAY], 2 * 1000 / 40., 1e-12);
		CHECK_NEAR(t.field[NET_STALL], 5e4, 0);
		t = net_state_cell(s, 3, 1, 0); /* channels 2 and 3 */
		CHECK_NEAR(t.hits, 15, 0);
		CHECK(isnan(t.field[NET_BYTES])); /* it uses an unknown counter */
		t = net_state_cell(s, 3, 1, 1);
		CHECK_NEAR(t.hits, 15, 0);
		CHECK_NEAR(net_state_load(s, 0, 1, 0), 70, 0);
		CHECK_NEAR(net_state_load(s, 2, 1, 0), 15, 0);
		CHECK(isnan(net_state_load(s, 2, 1, 1)));
		CHECK_NEAR(net_state_total(s, 0), 1100, 0);
		net_state_law(s, 0, &left, &right);
		CHECK(isnan(left));
		CHECK_NEAR(right, 590, 0);
	}
	/* Without a counter, what needs it is unknown, and nothing else is. */
	count[L2_MISS] = NULL;
	net_state_take(s, &x);
	CHECK(isnan(net_state_cell(s, 0, 0, 0).hits));
	CHECK_NEAR(net_state_cell(s, 2, 0, 0).place[0], 25, 0);
	CHECK(isnan(net_state_cell(s, 2, 0, 0).misses));
	net_state_free(s);
	network_free(n);
}

/* A counter that went back has an unknown count. Counts of other owners stay, and the next snapshot is whole again. */
static void
bad_counts(void)
{
	static const double bad[] = {-1, -1e300, INFINITY, -INFINITY};
	double miss[4];
	const double *count[COUNTERS] = {loads, l2_hit, miss, llc_hit, NULL, llc_occ, dimm_rd, core_clk, uncore};
	struct net_snapshot x = {.seconds = 2, .count = count};
	struct network *n = small();
	struct net_state *s = n ? net_state_new(n, &shape) : NULL;

	for (size_t i = 0; s && i < sizeof bad / sizeof *bad; i++) {
		memcpy(miss, l2_miss, sizeof miss);
		miss[1] = bad[i];
		net_state_take(s, &x);
		CHECK_INT(net_state_wrong(s, L2_MISS), 1);
		CHECK_INT(net_state_wrong(s, L2_HIT), 0);
		CHECK(isnan(net_state_cell(s, 0, 1, 0).hits));
		CHECK_NEAR(net_state_cell(s, 0, 0, 0).hits, 110 - 20 - 10, 0);
		CHECK(isnan(net_state_cell(s, 2, 0, 0).misses)); /* the socket that the core is part of */
		CHECK(!isnan(net_state_cell(s, 2, 1, 0).misses));
		CHECK(!net_state_gone(s, SCOPE_CORE, 1)); /* it has other counts */
		memcpy(miss, l2_miss, sizeof miss);
		net_state_take(s, &x);
		CHECK_INT(net_state_wrong(s, L2_MISS), 0);
		CHECK_NEAR(net_state_cell(s, 0, 1, 0).hits, 220 - 40 - 30, 0);
	}
	net_state_free(s);
	network_free(n);
}

/* A wrap that its writer did not undo: 2.8e14 hits in 1000 cycles, with and without the length of the snapshot. Counts
 * that are merely large stay. */
static void
impossible_counts(void)
{
	static const double slow[] = {1000, 1000, 1000, 1000}, none[] = {NAN, NAN};
	static const struct {
		double seconds, hits;
		bool good;
	} row[] = {
		{2, 2.8e14, false},
		{NAN, 2.8e14, false},
		{NAN, 6.5e7, true},
		{2, 1e12, true},
		{2, 1.3e12, false},
		{1e-6, 6e5, true},
		{1e-6, 7e5, false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		double hit[] = {20, row[i].hits, 60, 80};
		const double *count[COUNTERS] = {loads, hit, l2_miss, llc_hit, NULL, NULL, dimm_rd, slow, none};
		struct network *n = small();
		struct net_state *s = n ? net_state_new(n, &shape) : NULL;

		test_label("row %zu", i);
		if (!CHECK(s))
			return;
		net_state_take(s, &(struct net_snapshot){.seconds = row[i].seconds, .count = count});
		CHECK_INT(net_state_impossible(s, L2_HIT), !row[i].good);
		CHECK_INT(net_state_wrong(s, L2_HIT), 0);
		CHECK_INT(isnan(net_state_cell(s, 1, 1, 0).hits), !row[i].good);
		CHECK(!isnan(net_state_cell(s, 1, 0, 0).hits));
		net_state_free(s);
		network_free(n);
	}
}

/* Core 2 goes offline: all that it counted is unknown from then on, and so are sums over it. */
static void
an_owner_is_gone(void)
{
	double value[3][4];
	const double *count[COUNTERS] = {loads, value[0], value[1], llc_hit, NULL, llc_occ, dimm_rd, value[2], uncore};
	const double *whole[] = {l2_hit, l2_miss, core_clk};
	struct network *n = small();
	struct net_state *s = n ? net_state_new(n, &shape) : NULL;

	for (int gone = 0; s && gone < 3; gone++) { /* 1: the core is offline; 2: it is back */
		for (size_t i = 0; i < 3; i++)
			for (size_t k = 0; k < 4; k++)
				value[i][k] = gone == 1 && k == 2 ? NAN : whole[i][k];
		net_state_take(s, &(struct net_snapshot){.seconds = 2, .count = count});
		for (size_t k = 0; k < 4; k++)
			CHECK_INT(net_state_gone(s, SCOPE_CORE, k), gone == 1 && k == 2);
		CHECK(!net_state_gone(s, SCOPE_SOCKET, 1));
		CHECK_INT(isnan(net_state_cell(s, 0, 2, 0).hits), gone == 1);
		CHECK_INT(isnan(net_state_cell(s, 2, 1, 0).misses), gone == 1);
		CHECK_NEAR(net_state_cell(s, 2, 0, 0).misses, 40 - 25, 0);
		CHECK_INT(net_state_wrong(s, L2_HIT), 0);
	}
	for (size_t i = 0; s && i < COUNTERS; i++)
		count[i] = NULL; /* Without any counts no owner is missing. */
	if (s)
		net_state_take(s, &(struct net_snapshot){.seconds = 2, .count = count});
	CHECK(s && !net_state_gone(s, SCOPE_CORE, 2));
	net_state_free(s);
	network_free(n);
}

/* Sockets of 3 slices and of 1: each expression uses the number of its own owner. */
static void
owners_are_counted(void)
{
	static const char text[] =
		"network t; kind r; counter c = \"e\" per core unit requests; counter t = \"f\" per socket unit "
		"cycles;\n"
		"counter d = \"g\" per slice unit requests; const slices = 32;\n"
		"stage a { module A per core { r { hit = c * owners(slice) * owners(socket); } } }\n"
		"stage b { module B per socket { clock = t / owners(slice); r { hit = A.r.hit / owners(core); } } }\n"
		"stage x { module C per slice { r { hit = d * owners(slice) * owners(channel); } } }\n"
		"stage y { module D { r { hit = c * owners(core); } } }\n"
		"link A -> B; link B -> C; link C -> D;\n"
		"total \"slices\" = owners(slice); total \"old\" = slices; total \"one\" = owners(system);\n"
		"total \"tasks\" = if(counted(owners(task)), 1, 2); total \"devices\" = owners(device);\n";
	static const size_t of_slice[] = {0, 1, 0, 0}, of_core[] = {0, 1, 1}, of_channel[] = {1, 1};
	static const double c[] = {1, 10, 100}, t[] = {300, 100}, d[] = {1, 2, 3, 4};
	const double *count[] = {c, t, d};
	const struct net_shape uneven = {
		.n = {[SCOPE_TASK] = 1,
			[SCOPE_CORE] = 3,
			[SCOPE_SLICE] = 4,
			[SCOPE_CHANNEL] = 2,
			[SCOPE_SOCKET] = 2,
			[SCOPE_DEVICE] = 2,
			[SCOPE_SYSTEM] = 1},
		.unknown = {[SCOPE_TASK] = true},
		.part_of = {[SCOPE_CORE] = of_core, [SCOPE_SLICE] = of_slice, [SCOPE_CHANNEL] = of_channel},
	};
	static const double at_core[] = {3, 10, 100}, at_socket[] = {3, 55}, clock[] = {100, 100},
			    at_slice[] = {0, 4, 0, 0}, total[] = {4, 32, 1, 2, 2};
	struct network *n = parsed_network("t", text);
	struct net_state *s = n ? net_state_new(n, &uneven) : NULL;

	if (!CHECK(s))
		return;
	net_state_take(s, &(struct net_snapshot){.seconds = 1, .count = count});
	for (size_t i = 0; i < 3; i++)
		CHECK_NEAR(net_state_cell(s, 0, i, 0).hits, at_core[i], 0);
	for (size_t i = 0; i < 2; i++) {
		CHECK_NEAR(net_state_cell(s, 1, i, 0).hits, at_socket[i], 0);
		CHECK_NEAR(net_state_clock(s, 1, i), clock[i], 0);
	}
	for (size_t i = 0; i < 4; i++)
		CHECK_NEAR(net_state_cell(s, 2, i, 0).hits, at_slice[i], 0);
	for (size_t i = 0; i < sizeof total / sizeof *total; i++)
		CHECK_NEAR(net_state_total(s, i), total[i], 0);
	net_state_free(s);
	network_free(n);
}

static void
shapes_are_checked(void)
{
	static const size_t wrong[] = {0, 0, 1, 2};
	struct net_shape bad = shape;

	bad.part_of[SCOPE_CORE] = wrong;
	CHECK(!net_shape_is_sound(&bad));
	bad = shape;
	bad.part_of[SCOPE_CHANNEL] = NULL;
	CHECK(!net_shape_is_sound(&bad));
	bad = shape;
	bad.n[SCOPE_SYSTEM] = 2;
	CHECK(!net_shape_is_sound(&bad));
	CHECK_INT(net_owner_within(&shape, SCOPE_THREAD, 5, SCOPE_SOCKET), 1);
	CHECK_INT(net_owner_within(&shape, SCOPE_CORE, 1, SCOPE_SOCKET), 0);
	CHECK_INT(net_owner_within(&shape, SCOPE_DEVICE, 7, SCOPE_SYSTEM), 0);
}

TEST_MAIN(CASE(values_by_hand), CASE(bad_counts), CASE(impossible_counts), CASE(an_owner_is_gone),
	CASE(owners_are_counted), CASE(shapes_are_checked))
