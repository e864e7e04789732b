/* The installed networks: each counter that is opened is used, and what spr-cxl and emr-cxl make of a core's stalls. */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/network/state.h"
#include "test.h"
#include "text/diag.h"

static struct network *
parse_installed(const char *name)
{
	char *path = str_format("../models/networks/%s.net", name);
	unsigned long size;
	char *text = test_read(path, &size);
	struct diags d = {0};
	struct network *n = text ? network_parse(path, text, size, &d) : NULL;

	if (!text)
		free(path);
	CHECK(n != NULL && d.n == 0);
	diags_free(&d);
	return n;
}

static void
count_use(void *ctx, const char *what)
{
	(void)what;
	++*(size_t *)ctx;
}

/* A counter in no formula takes one of the few counters of a core or box from those that are needed. */
static void
opened_counters_are_used(void)
{
	static const char *const name[] = {"spr-cxl", "emr-cxl", "haswell", "generic", "linux-vm", "zen2", "zen",
		"grace", "neoverse"};

	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		struct network *n = parse_installed(name[i]);
		size_t idle = 0;

		if (!n)
			return;
		for (size_t c = 0; c < n->n_counters; c++) {
			size_t uses = 0;

			net_each_use(n, c, count_use, &uses);
			if (uses || n->counter[c].unresolved)
				continue;
			idle++;
			test_check(false, __FILE__, __LINE__, "%s: no formula has %s", name[i], n->counter[c].name);
		}
		CHECK_INT(idle, 0);
		network_free(n);
	}
}

enum { CORES = 2 };

/* Counts of two cores, all others unknown. */
struct counts {
	struct network *net;
	struct net_state *state;
	const double **count;
};

static struct counts
counts_new(const char *name)
{
	static const size_t whole[CORES], of_thread[CORES] = {0, 1};
	static const struct net_shape shape = {
		.n = {1, CORES, CORES, 1, 1, 1, 1, 1},
		.part_of = {[SCOPE_THREAD] = of_thread, [SCOPE_CORE] = whole, [SCOPE_SLICE] = whole,
			[SCOPE_CHANNEL] = whole}};
	struct counts c = {.net = parse_installed(name)};

	if (!c.net)
		return c;
	c.state = net_state_new(c.net, &shape);
	c.count = mem_new_array(c.net->n_counters, sizeof *c.count);
	return c;
}

static void
counts_free(struct counts *c)
{
	net_state_free(c->state);
	network_free(c->net);
	free(c->count);
}

static void
put(struct counts *c, const char *name, const double *count)
{
	for (size_t i = 0; i < c->net->n_counters; i++)
		if (str_eq(c->net->counter[i].name, name)) {
			c->count[i] = count;
			return;
		}
	test_check(false, __FILE__, __LINE__, "no counter %s", name);
}

static double
field(const struct counts *c, const char *module, const char *kind, size_t owner, enum net_field field)
{
	for (size_t m = 0; m < c->net->n_modules; m++)
		for (size_t k = 0; k < c->net->n_kinds; k++)
			if (str_eq(c->net->module[m].name, module) && str_eq(c->net->kind[k].name, kind))
				return net_state_cell(c->state, m, owner, k).field[field];
	test_check(false, __FILE__, __LINE__, "no %s at %s", kind, module);
	return NAN;
}

/* What a core loses to loads at L1D, LFB, L2 and LLC adds up to its stalls on L1D misses, whatever the fill buffers
 * count; stores have the store buffer's cycles, and nothing of the loads'. 200 random snapshots of two cores. */
static void
stalls_of_a_core_add_up(void)
{
	static const char *const name[] = {"spr-cxl", "emr-cxl"};
	uint64_t seed = 26;

	for (size_t f = 0; f < 2; f++) {
		struct counts c = counts_new(name[f]);
		double l1d[CORES], l2[CORES], l3[CORES], full[CORES], bound[CORES], sb[CORES];

		if (!c.net)
			return;
		put(&c, "memory_activity.stalls_l1d_miss", l1d);
		put(&c, "memory_activity.stalls_l2_miss", l2);
		put(&c, "cycle_activity.stalls_l3_miss", l3);
		put(&c, "l1d_pend_miss.fb_full", full);
		put(&c, "exe_activity.bound_on_stores", bound);
		put(&c, "resource_stalls.sb", sb);
		for (int round = 0; round < 200; round++) {
			for (size_t i = 0; i < CORES; i++) {
				l3[i] = (double)(test_random(&seed) % 1000);
				l2[i] = l3[i] + (double)(test_random(&seed) % 1000);
				l1d[i] = l2[i] + (double)(test_random(&seed) % 1000);
				full[i] = (double)(test_random(&seed) % 2000);
				bound[i] = (double)(test_random(&seed) % 1000);
				sb[i] = bound[i] + (double)(test_random(&seed) % 1000);
			}
			net_state_take(c.state, &(struct net_snapshot){.seconds = 1, .count = c.count});
			for (size_t i = 0; i < CORES; i++) {
				double at_l1d = field(&c, "L1D", "DRd", i, NET_STALL),
				       at_lfb = field(&c, "LFB", "DRd", i, NET_STALL),
				       at_l2 = field(&c, "L2", "DRd", i, NET_STALL),
				       at_llc = field(&c, "LLC", "DRd", i, NET_STALL);

				CHECK_NEAR(at_l1d + at_lfb + at_l2 + at_llc, l1d[i], 1e-9);
				CHECK_NEAR(at_l1d + at_lfb, l1d[i] - l2[i], 1e-9);
				CHECK_NEAR(at_lfb, fmin(full[i], l1d[i] - l2[i]), 1e-9);
				CHECK_NEAR(at_llc, l3[i], 1e-9);
				CHECK_NEAR(field(&c, "L1D", "DRd", i, NET_LIMIT), l1d[i], 1e-9);
				CHECK_NEAR(field(&c, "SB", "DWr", i, NET_STALL), bound[i], 1e-9);
				CHECK_NEAR(field(&c, "SB", "DWr", i, NET_LIMIT) +
						field(&c, "SB", "RFO", i, NET_LIMIT), sb[i], 1e-9);
			}
			CHECK_INT(net_state_below_zero(c.state), 0);
		}
		/* without the others, the fill buffers' cycles are their own */
		put(&c, "memory_activity.stalls_l1d_miss", NULL);
		net_state_take(c.state, &(struct net_snapshot){.seconds = 1, .count = c.count});
		CHECK_NEAR(field(&c, "LFB", "DRd", 1, NET_STALL), full[1], 1e-9);
		CHECK(isnan(field(&c, "L1D", "DRd", 1, NET_STALL)));
		counts_free(&c);
	}
}

/* The same on a Haswell, where L2 has all that is lost beyond it. */
static void
stalls_of_a_haswell_add_up(void)
{
	static const double l1d[CORES] = {1000, 500}, l2[CORES] = {700, 500}, full[CORES] = {100, 40},
			    sb[CORES] = {80, 0};
	struct counts c = counts_new("haswell");

	if (!c.net)
		return;
	put(&c, "cycle_activity.stalls_l1d", l1d);
	put(&c, "cycle_activity.stalls_l2", l2);
	put(&c, "l1d_pend_miss.fb_full", full);
	put(&c, "resource_stalls.sb", sb);
	net_state_take(c.state, &(struct net_snapshot){.seconds = 1, .count = c.count});
	CHECK_NEAR(field(&c, "L1D", "DRd", 0, NET_STALL), 200, 1e-9);
	CHECK_NEAR(field(&c, "LFB", "DRd", 0, NET_STALL), 100, 1e-9);
	CHECK_NEAR(field(&c, "L2", "DRd", 0, NET_STALL), 700, 1e-9);
	CHECK_NEAR(field(&c, "L1D", "DRd", 1, NET_STALL) + field(&c, "LFB", "DRd", 1, NET_STALL), 0, 1e-9);
	CHECK_NEAR(field(&c, "L2", "DRd", 1, NET_STALL), 500, 1e-9);
	CHECK_NEAR(field(&c, "SB", "DWr", 0, NET_STALL), 80, 1e-9);
	counts_free(&c);
}

TEST_MAIN(CASE(opened_counters_are_used), CASE(stalls_of_a_core_add_up), CASE(stalls_of_a_haswell_add_up))
