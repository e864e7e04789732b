/* Load classes of modules (qos): each threshold from both sides, signs without some class, what is certain when some
 * signs are unknown, owner by owner. The classes are worked out by hand. */
#include "core/network/qos.h"

#include <math.h>
#include <stdlib.h>

#include "core/network/state.h"
#include "parsed.h"
#include "test.h"

static const char text[] = "network t; kind r;\n"
			   "counter full = \"a\" per socket unit cycles; counter busy = \"b\" per socket unit cycles; "
			   "counter clk = \"c\" per socket unit cycles;\n"
			   "counter wait = \"d\" per channel unit ns; counter n = \"e\" per socket unit requests;\n"
			   "const tenth = 0.1; const quarter = 2.5 * 0.1 \"the file says so\";\n"
			   "stage s { module core { r { hit = n; } } }\n"
			   "stage d { module m per socket { clock = clk;\n"
			   "	qos \"full\" = full / clk { moderate = tenth; severe = quarter; } \"a book\"\n"
			   "	qos \"not empty\" = busy / clk { optimal = 0.5; }\n"
			   "	qos \"wait\" = wait { optimal = 1 us; moderate = 2 us; severe = 3 us; }\n"
			   "	r { hit = n; } } module plain { r { hit = n; } } }\n"
			   "link core -> m; link core -> plain;\n";

static const size_t socket_of_channel[] = {0, 0, 1};
static const struct net_shape shape = {
	.n = {[SCOPE_CHANNEL] = 3, [SCOPE_SOCKET] = 2, [SCOPE_SYSTEM] = 1},
	.part_of = {[SCOPE_CHANNEL] = socket_of_channel},
};

struct row {
	double full, busy, wait; /* NAN: not counted */
	enum net_load at_least, at_most;
	size_t decisive, unknown;
};

static const struct row rows[] = {
	{0, 0, 0, NET_LIGHT, NET_LIGHT, 3, 0},
	{0.099, 0.499, 999, NET_LIGHT, NET_LIGHT, 3, 0},
	{0, 0.5, 0, NET_OPTIMAL, NET_OPTIMAL, 1, 0},
	{0.1, 0, 0, NET_MODERATE, NET_MODERATE, 0, 0},
	{0.1, 1, 1000, NET_MODERATE, NET_MODERATE, 0, 0},
	{0.249, 1, 0, NET_MODERATE, NET_MODERATE, 0, 0},
	{0.25, 1, 0, NET_SEVERE, NET_SEVERE, 0, 0},
	{2, 1, 0, NET_SEVERE, NET_SEVERE, 0, 0}, /* a share above 1 makes no sense; its class is severe */
	{0, 1, 1000, NET_OPTIMAL, NET_OPTIMAL, 1, 0}, /* the first sign that is known */
	{0, 0, 1000, NET_OPTIMAL, NET_OPTIMAL, 2, 0},
	{0, 0, 2999, NET_MODERATE, NET_MODERATE, 2, 0},
	{0, 0, 3000, NET_SEVERE, NET_SEVERE, 2, 0},
	{NAN, NAN, NAN, NET_LIGHT, NET_SEVERE, 3, 3},
	{NAN, 1, 0, NET_OPTIMAL, NET_SEVERE, 1, 1},
	{0.3, NAN, NAN, NET_SEVERE, NET_SEVERE, 0, 2}, /* no class is worse */
	{0, NAN, 1500, NET_OPTIMAL, NET_OPTIMAL, 2, 1}, /* the unknown sign changes nothing */
	{0, NAN, 0, NET_LIGHT, NET_OPTIMAL, 3, 1},
	{0, 0, NAN, NET_LIGHT, NET_SEVERE, 3, 1},
};

static void
check_row(struct net_state *s, const struct row *a, const struct row *b)
{
	double full[] = {
		a->full * 1000, b->full * 1000}, busy[] = {a->busy * 1000, b->busy * 1000}, clk[] = {1000, 1000
	};
	double wait[] = {a->wait, 0, b->wait}, n[] = {1, 1};
	const double *count[] = {full, busy, clk, wait, n};
	const struct row *row[] = {a, b};

	net_state_take(s, &(struct net_snapshot){.seconds = 1, .count = count});
	for (size_t o = 0; o < 2; o++) {
		struct net_qos_class c = net_qos_class(s, 1, o);

		CHECK_INT(c.at_least, row[o]->at_least);
		CHECK_INT(c.at_most, row[o]->at_most);
		CHECK_INT(c.known, row[o]->at_least == row[o]->at_most);
		CHECK_INT(c.decisive, row[o]->decisive);
		CHECK_INT(c.unknown, row[o]->unknown);
	}
}

static void
classes(void)
{
	size_t n = sizeof rows / sizeof *rows;
	struct network *net = parsed_network("t", text);
	struct net_state *s;

	if (!net)
		return;
	s = net_state_new(net, &shape);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) { /* counts of the other socket change nothing */
			test_label("rows %zu and %zu", i, k);
			check_row(s, &rows[i], &rows[k]);
		}
	CHECK_INT(net->module[1].n_qos, 3);
	CHECK_INT(net->module[2].n_qos, 0);
	CHECK_STR(net->module[1].qos[0].source, "a book");
	CHECK_STR(net->module[1].qos[1].source, "");
	CHECK_NEAR(net->module[1].qos[0].at_least[NET_SEVERE], 0.25, 0);
	CHECK(isnan(net->module[1].qos[0].at_least[NET_OPTIMAL]));
	CHECK_INT(net_qos_heaviest(&net->module[1].qos[1]), NET_OPTIMAL);
	CHECK_INT(net_qos_heaviest(&net->module[1].qos[0]), NET_SEVERE);
	net_state_free(s);
	network_free(net);
}

/* Without a clock that runs, no class is known. */
static void
no_clock(void)
{
	double zero[] = {0, 0}, full[] = {5, 5}, wait[] = {0, 0, 0};
	const double *count[] = {full, full, zero, wait, zero};
	struct network *net = parsed_network("t", text);
	struct net_state *s;

	if (!net)
		return;
	s = net_state_new(net, &shape);
	net_state_take(s, &(struct net_snapshot){.seconds = 1, .count = count});
	CHECK(!net_qos_class(s, 1, 0).known);
	CHECK_INT(net_qos_class(s, 1, 0).unknown, 2);
	net_state_free(s);
	network_free(net);
}

TEST_MAIN(CASE(classes), CASE(no_clock))
