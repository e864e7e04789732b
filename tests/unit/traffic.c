/* Loads and shares of boxes and lanes, worked out by hand for two cores, four slices and two channels. */
#include "work/timeline/traffic.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/network/queues.h"
#include "core/network/state.h"
#include "core/obs/obs.h"
#include "parsed.h"
#include "test.h"
#include "work/timeline/timeline.h"

static const char text[] =
	"network n; kind rd; kind wr; kind none;\n"
	"counter miss = \"A\" per core unit requests; counter store = \"B\" per core unit requests; counter slice.hit "
	"= \"C\" per slice unit requests;\n"
	"counter waiting = \"D\" per slice unit requests*cycles; counter mem = \"E\" per channel unit requests; "
	"counter clk = \"F\" per socket unit cycles;\n"
	"counter lacking = \"G\" per core unit requests;\n"
	"stage a { module core per core { rd { miss = miss; } wr { miss = store; } none { miss = miss - miss; } } }\n"
	"stage b { module cache per socket { clock = clk; rd { hit = slice.hit; miss = mem; delay = waiting / "
	"slice.hit; occupancy = waiting; }"
	" wr { hit = store; } none { miss = miss - miss; } } }\n"
	"stage c { module dimm per channel { rd { hit = mem; } wr untold \"so\"; none untold \"so\"; } }\n"
	"link core -> cache; link cache -> dimm;\n";

static const char *const column[] = {"A@S0-C0", "A@S0-C1", "B@S0-C0", "B@S0-C1", "C@S0-slice0", "C@S0-slice1",
	"C@S0-slice2", "C@S0-slice3", "D@S0-slice0", "D@S0-slice1", "D@S0-slice2", "D@S0-slice3", "E@S0-channel0",
	"E@S0-channel1", "F@S0"};
#define COLUMNS (sizeof column / sizeof *column)

struct machine {
	struct obs_table *table;
	struct timeline *p;
	struct timeline_analysis *look;
	struct net_layout *layout;
	struct traffic *t;
};

static bool
open_machine(struct machine *m)
{
	static const int64_t count[COLUMNS] = {300, 100, 50, 0, 60, 60, 60, 120, 600, 600, 600, 1200, 75, 25, 1000};
	static const struct net_layout_width width[3] = {{8, 8, 8, 8}, {8, 8, 8, 8}, {8, 8, 8, 8}};
	struct network *n = parsed_network("n.net", text);
	struct net_layout_request ask = {.net = n, .width = width, .w = 80, .h = 20};
	const struct obs_table *all[1];

	*m = (struct machine){0};
	if (!n)
		return false;
	m->table = obs_table_new(column, COLUMNS);
	obs_add_row(obs_table_add(m->table, "run", "test"), count, NULL, 1);
	all[0] = m->table;
	m->p = timeline_new(n, NULL);
	timeline_take(m->p, all, 1);
	m->look = timeline_analysis(m->p, 0, NULL);
	if (!CHECK(m->look != NULL))
		return false;
	ask.shape = net_state_shape(m->look->state);
	m->layout = net_layout_new(&ask);
	m->t = traffic_new(n, m->look, m->layout);
	return true;
}

static void
close_machine(struct machine *m)
{
	traffic_free(m->t);
	net_layout_free(m->layout);
	timeline_analysis_free(m->look);
	timeline_free(m->p);
	obs_table_free(m->table);
}

/* The lane of a kind between the boxes of two owners. */
static size_t
lane_of(const struct machine *m, size_t from, size_t from_owner, size_t to, size_t to_owner, size_t kind)
{
	size_t a = net_layout_find(m->layout, from, from_owner), b = net_layout_find(m->layout, to, to_owner);

	for (size_t i = 0; i < m->layout->n_lanes; i++)
		if (m->layout->lane[i].from == a && m->layout->lane[i].to == b && m->layout->lane[i].kind == kind)
			return i;
	test_check(false, __FILE__, __LINE__, "no lane %zu.%zu -> %zu.%zu", from, from_owner, to, to_owner);
	return 0;
}

static void
loads(void)
{
	struct machine m;
	size_t sum = 0;

	if (!open_machine(&m))
		return;
	CHECK_NEAR(m.t->load[lane_of(&m, 0, 0, 1, 0, 0)], 300, 0);
	CHECK_NEAR(m.t->load[lane_of(&m, 0, 1, 1, 0, 0)], 100, 0);
	CHECK_NEAR(m.t->load[lane_of(&m, 0, 1, 1, 0, 1)], 0, 0);
	CHECK_NEAR(m.t->column_load[0], 450, 0);
	CHECK_NEAR(traffic_share(m.t, lane_of(&m, 0, 0, 1, 0, 0)), 300.0 / 450, 1e-12);
	/* A link to two boxes is divided by their counted inputs. */
	CHECK_NEAR(m.t->load[lane_of(&m, 1, 0, 2, 0, 0)], 75, 1e-9);
	CHECK_NEAR(m.t->load[lane_of(&m, 1, 0, 2, 1, 0)], 25, 1e-9);
	/* Writes without a counter are unknown. Where nothing is requested, nothing is unknown. */
	CHECK(isnan(m.t->load[lane_of(&m, 1, 0, 2, 0, 1)]));
	CHECK_NEAR(m.t->load[lane_of(&m, 1, 0, 2, 0, 2)], 0, 0);
	for (size_t i = 0; i < m.layout->n_lanes; i++)
		sum += !isnan(traffic_share(m.t, i)) && traffic_share(m.t, i) > 0;
	CHECK_INT(sum, 5);
	close_machine(&m);
}

static void
boxes(void)
{
	struct machine m;
	const struct net_layout_box *cache;
	struct traffic_cell x;
	enum scope scope;
	double *parts;
	size_t n;

	if (!open_machine(&m))
		return;
	cache = &m.layout->box[net_layout_find(m.layout, 1, 0)];
	x = traffic_cell(m.t, cache, 1, 0);
	CHECK_NEAR(x.hits, 300, 0);
	CHECK_NEAR(x.misses, 100, 0);
	CHECK_NEAR(x.field[NET_DELAY], 10, 1e-12);
	CHECK_NEAR(x.queue, 300.0 / 1000 * 10, 1e-12);
	CHECK(x.longest && traffic_longest(m.t, cache) == x.longest);
	CHECK_NEAR(traffic_owner_queue(m.t, cache, 0), 3, 1e-12);
	CHECK_NEAR(traffic_arrivals(m.t, cache, 1, 0), 400, 0);
	CHECK(isnan(traffic_arrivals(m.t, &m.layout->box[net_layout_find(m.layout, 2, 0)], 2, 1)));
	parts = traffic_parts(m.t, cache, 1, &scope, &n);
	if (CHECK(parts && n == 4 && scope == SCOPE_SLICE)) {
		CHECK_NEAR(parts[0], 600, 0);
		CHECK_NEAR(parts[3], 1200, 0);
	}
	free(parts);
	CHECK(traffic_parts(m.t, &m.layout->box[net_layout_find(m.layout, 0, 0)], 0, &scope, &n) == NULL);
	close_machine(&m);
}

static void
counters(void)
{
	struct machine m;

	if (!open_machine(&m))
		return;
	CHECK_NEAR(traffic_counter(m.look, 0, SCOPE_CORE, 1), 100, 0);
	CHECK_NEAR(traffic_counter(m.look, 0, SCOPE_SOCKET, 0), 400, 0);  /* the sum of its parts */
	CHECK_NEAR(traffic_counter(m.look, 2, SCOPE_SOCKET, 0), 300, 0);
	/* slices are not parts of a core: all of them */
	CHECK_NEAR(traffic_counter(m.look, 2, SCOPE_CORE, 1), 300, 0);
	CHECK(isnan(traffic_counter(m.look, 6, SCOPE_CORE, 0)));
	close_machine(&m);
}

/* Before the first data everything is unknown, and nothing is zero. */
static void
no_data(void)
{
	struct machine m;
	struct traffic *t;

	if (!open_machine(&m))
		return;
	t = traffic_new(timeline_network(m.p), NULL, m.layout);
	for (size_t i = 0; i < m.layout->n_lanes; i++)
		CHECK(isnan(t->load[i]) && isnan(traffic_share(t, i)));
	CHECK(isnan(traffic_cell(t, &m.layout->box[0], 0, 0).hits));
	CHECK(isnan(traffic_arrivals(t, &m.layout->box[0], 0, 0)));
	CHECK(!traffic_longest(t, &m.layout->box[0]));
	traffic_free(t);
	close_machine(&m);
}

/* Thousandths of the stage, the highest so far: owners of modules, then kinds. */
static void
shares(void)
{
	struct machine m;
	unsigned short share[2 + 1 + 2 + 3] = {0};

	if (!open_machine(&m))
		return;
	share[1] = 400;
	CHECK(traffic_add_shares(m.look, share));
	CHECK_INT(share[0], 778); /* 350 of 450 */
	CHECK_INT(share[1], 400); /* 222 now, and more before */
	CHECK_INT(share[2], 1000);
	CHECK_INT(share[3], 750);
	CHECK_INT(share[4], 250);
	CHECK_INT(share[5], 1000); /* the channels serve reads only */
	CHECK_INT(share[6], 111);  /* 50 of 450; and 50 of 450 in the cache */
	CHECK_INT(share[7], 0);
	close_machine(&m);
}

/* A module is used if it has requests, or if no counter tells; one whose counts are all zero is not. */
static void
used(void)
{
	bool used[3] = {false, false, false};
	static const int64_t count[COLUMNS] = {0};
	struct machine m;
	struct timeline_analysis *nothing;

	if (!open_machine(&m))
		return;
	traffic_add_used(m.look, used);
	CHECK(used[0] && used[1] && used[2]);
	obs_add_row(m.table->obs[0], count, NULL, 2);
	timeline_take(m.p, (const struct obs_table *[]){m.table}, 1);
	nothing = timeline_analysis(m.p, 1, NULL);
	used[0] = used[1] = used[2] = false;
	if (CHECK(nothing))
		traffic_add_used(nothing, used);
	CHECK(!used[0] && !used[1] && used[2]); /* nothing reports the channels' writes */
	timeline_analysis_free(nothing);
	close_machine(&m);
}

TEST_MAIN(CASE(loads), CASE(boxes), CASE(counters), CASE(no_data), CASE(shares), CASE(used))
