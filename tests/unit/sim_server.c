/* The simulated server: its parts against plain models, idle latencies and peaks against what the machine file says,
 * and laws that hold whatever runs: nothing is lost, Little's law, the truth adds up to all stalls. */
#include "sim/server/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "sim/server/counters.h"
#include "sim/server/load.h"
#include "sim/server/station.h"
#include "sim/server/wheel.h"
#include "test.h"
#include "text/diag.h"

#define SPR "../models/machines/spr-cxl.server"
#define EMR "../models/machines/emr-cxl.server"

static struct server *
load_server(const char *path, const char *from, const char *to)
{
	struct diags d = {0};
	unsigned long n;
	char *text = test_read(path, &n), *at = from ? strstr(text, from) : NULL;
	struct str changed = {0};
	struct server *s;

	if (at) {
		str_addn(&changed, text, (size_t)(at - text));
		str_addf(&changed, "%s%s", to, at + strlen(from));
	} else {
		CHECK(!from);
		str_add(&changed, text);
	}
	s = server_parse(path, str_text(&changed), changed.n, &d);
	if (!s)
		test_check(false, __FILE__, __LINE__, "%s", d.n ? d.item[0].text : "no server");
	diags_free(&d);
	str_free(&changed);
	free(text);
	return s;
}

/* --- parts ------------------------------------------------------------------------------------------------------- */

/* Events near and far come by time, and those of one tick in the order in which they were added. */
static void
events_come_in_order(void)
{
	enum { NODES = 500 };
	uint64_t random = 7, due[NODES], order[NODES], n = 0, taken = 0;
	struct wheel *w = wheel_new(NODES);

	for (uint32_t i = 0; i < NODES; i++) {
		due[i] = test_random(&random) % (i % 3 ? 1000 : 5 * WHEEL_SLOTS);
		order[i] = n++;
		wheel_add(w, due[i], i);
	}
	for (uint64_t last = 0, last_order = 0; taken < 20000; taken++) {
		uint32_t node = wheel_take(w, UINT64_MAX / 2);

		if (!CHECK(node != WHEEL_NONE && w->now == due[node] && w->now >= last))
			break;
		if (w->now == last && due[node] < WHEEL_SLOTS)
			CHECK(taken == 0 || order[node] > last_order || w->now != last);
		last = w->now;
		last_order = order[node];
		due[node] = w->now + test_random(&random) % (taken % 4 ? 300 : 3 * WHEEL_SLOTS);
		order[node] = n++;
		wheel_add(w, due[node], node);
	}
	wheel_free(w);
}

/* A station against a plain model of a queue that is looked at tick by tick. */
static void
stations_queue_like_a_plain_model(void)
{
	enum { REQUESTS = 300, QUEUE = 4, SERVICE = 7, TICKS = 10000 };

	for (unsigned seed = 1; seed <= 20; seed++) {
		struct station_server server = station_server_of(SERVICE, NULL);
		struct station s;
		struct station_times t[REQUESTS];
		uint64_t random = seed, arrival[REQUESTS], at = 0, not_empty = 0, full = 0, upstream = 0, occupancy = 0;

		station_init(&s, &server, QUEUE);
		for (size_t i = 0; i < REQUESTS; i++) {
			at += test_random(&random) % (2 * SERVICE + 1);
			arrival[i] = at;
			t[i] = station_pass(&s, at, 50);
			CHECK_INT(t[i].done, t[i].start + 50);
			CHECK(t[i].enter >= at && t[i].start >= t[i].enter);
			if (i)
				CHECK(t[i].start >= t[i - 1].start + SERVICE);
		}
		for (uint64_t tick = 0; tick < TICKS; tick++) {
			unsigned waiting = 0, served_now = 0, outside = 0;

			for (size_t i = 0; i < REQUESTS; i++) {
				uint64_t until = t[i].start > t[i].enter + SERVICE ? t[i].start : t[i].enter + SERVICE;

				waiting += t[i].enter <= tick && tick < t[i].start;
				served_now += t[i].enter <= tick && tick < until;
				outside += arrival[i] <= tick && tick < t[i].enter;
			}
			CHECK(waiting <= QUEUE);
			CHECK(!outside || waiting == QUEUE);
			not_empty += served_now > 0;
			full += waiting == QUEUE;
			upstream += outside;
			occupancy += served_now;
		}
		CHECK_INT(s.sums.not_empty, not_empty);
		CHECK_INT(s.sums.full, full);
		CHECK_INT(s.sums.upstream, upstream);
		CHECK_INT(s.sums.occupancy, occupancy);
		station_free(&s);
	}
}

/* Through the points, never down, and never beyond two neighbours. */
static void
curves_are_monotone(void)
{
	uint64_t random = 3;

	for (unsigned round = 0; round < 200; round++) {
		struct server_curve c = {.n = 2 + test_random(&random) % 8};
		double before = 0;

		for (size_t i = 0; i < c.n; i++) {
			c.use[i] = (double)i / (double)(c.n - 1);
			c.ns[i] = (i ? c.ns[i - 1] : 0) + (test_random(&random) % 3 ? 100 * test_uniform(&random) : 0);
		}
		for (size_t i = 0; i < c.n; i++)
			CHECK_NEAR(curve_ns(&c, c.use[i]), c.ns[i], 1e-9);
		for (int i = 0; i <= 1000; i++) {
			double ns = curve_ns(&c, i / 1000.0);

			CHECK(ns >= before - 1e-9);
			before = ns;
		}
		CHECK(before <= c.ns[c.n - 1] + 1e-9);
	}
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

static double
value(struct server_run *run, const struct server *s, const char *name)
{
	size_t counter;
	double sum = 0;

	if (!CHECK(server_counter_find(name, &counter)))
		return NAN;
	for (size_t i = 0; i < server_owners(s, server_counter_scope(counter)); i++)
		sum += server_counter_value(run, s, counter, i);
	return sum;
}

/* ns of an access of a chase through memory, after a warm-up. */
static double
chase_ns(const struct server *s, const char *program)
{
	struct err e = {0};
	struct server_run *run = server_run_new(s, program, 1, &e);
	uint64_t before;
	double ns;

	if (!run) {
		test_check(false, __FILE__, __LINE__, "%s", e.what);
		return NAN;
	}
	server_run_until(run, 100e3);
	before = server_run_accesses(run);
	server_run_until(run, 600e3);
	ns = 500e3 / (double)(server_run_accesses(run) - before);
	server_run_free(run);
	return ns;
}

static void
idle_latencies_are_those_of_the_file(void)
{
	static const char *const path[] = {SPR, EMR};
	static const char *const program[] = {
		"chase:footprint=1G", "chase:footprint=1G,memory=remote", "chase:footprint=1G,memory=cxl"};

	for (size_t i = 0; i < 2; i++) {
		struct server *s = load_server(path[i], NULL, NULL);

		for (int k = 0; k < SERVER_MEMORIES && s; k++) {
			test_label("%s %s", path[i], program[k]);
			CHECK_NEAR(chase_ns(s, program[k]), s->memory[k].ns, 1);
		}
		server_free(s);
	}
	test_label("%s", "");
}

static double
gb_per_s(const struct server *s, const char *program, const char *counter)
{
	struct server_run *run = server_run_new(s, program, 1, NULL);
	double before, bytes;

	server_run_until(run, 30e3);
	before = value(run, s, counter);
	server_run_until(run, 130e3);
	bytes = 64 * (value(run, s, counter) - before);
	server_run_free(run);
	return bytes / 100e3;
}

static void
peaks_are_those_of_the_file(void)
{
	struct server *s = load_server(SPR, NULL, NULL);

	CHECK_NEAR(gb_per_s(s, "stream:cores=32,stride=64", "unc_m_cas_count.rd"), 131.1, 0.03 * 131.1);
	CHECK_NEAR(gb_per_s(s, "stream:cores=32,stride=64,memory=remote", "ocr.hwpf_l2_drd.remote_dram") +
			gb_per_s(s, "stream:cores=32,stride=64,memory=remote", "ocr.hwpf_l1d.remote_dram") +
			gb_per_s(s, "stream:cores=32,stride=64,memory=remote", "ocr.demand_data_rd.remote_dram"),
		94.4, 0.03 * 94.4);
	CHECK_NEAR(gb_per_s(s, "stream:cores=16,stride=64,memory=cxl", "unc_cxlcm_txc_pack_buf_inserts.mem_req"), 17.6,
		0.03 * 17.6);
	server_free(s);
}

/* Ticks of core 0's reads of CXL memory from the CHA on. */
static double
beyond_cha(struct server_run *run)
{
	const uint64_t *waited = server_run_core(run, 0)->waited[SERVER_DRD][PLACE_CXL];

	return (double)(waited[STAGE_CONTROLLER] + waited[STAGE_MEMORY]);
}

/* With little traffic beside it, a chase sees the latency of the curve at the utilisation of the traffic. */
static void
latency_rises_with_load_as_the_curve_says(void)
{
	struct server *s = load_server(SPR, NULL, NULL);
	double last = 0;

	for (unsigned gap = 512; gap >= 16; gap /= 2) {
		char *program = str_format(
			"chase:footprint=1G,memory=cxl+gups:first=1,cores=4,memory=cxl,footprint=1G,gap=%u", gap);
		struct err e = {0};
		struct server_run *run = server_run_new(s, program, 1, &e);
		double reads, writes, use, waits, requests;

		CHECK(run != NULL);
		server_run_until(run, 100e3);
		reads = value(run, s, "unc_cxlcm_txc_pack_buf_inserts.mem_req");
		writes = value(run, s, "unc_cxlcm_txc_pack_buf_inserts.mem_data");
		requests = (double)server_run_core(run, 0)->requests[SERVER_DRD][PLACE_CXL];
		waits = beyond_cha(run);
		server_run_until(run, 600e3);
		use = (value(run, s, "unc_cxlcm_txc_pack_buf_inserts.mem_req") - reads +
			      value(run, s, "unc_cxlcm_txc_pack_buf_inserts.mem_data") - writes) *
			64 / 500e3 / 17.6;
		requests = (double)server_run_core(run, 0)->requests[SERVER_DRD][PLACE_CXL] - requests;
		waits = (beyond_cha(run) - waits) / requests / server_run_cycle_ticks() / 2; /* ns, at 2 GHz */
		test_label("gap %u: use %.2f, %.1f ns", gap, use, waits);
		CHECK(waits >= last - 1);
		if (use < 0.7)
			CHECK_NEAR(waits - (355.3 - 31), curve_ns(&s->memory[SERVER_CXL].curve, use), 4);
		last = waits;
		server_run_free(run);
		free(program);
	}
	test_label("%s", "");
	server_free(s);
}

static const char *const mixes[] = {
	"gups:cores=4,footprint=64M,memory=cxl+stream:first=4,cores=2,stores=0.3",
	"zipf:cores=8,memory=tiers,footprint=64M+chase:first=32,memory=remote",
	"mix:cores=3,memory=remote,footprint=16M+mix:first=40,cores=2,memory=cxl,footprint=32M",
	"stream:cores=6,memory=cxl,stores=0.5,stride=64+gups:first=8,cores=4,memory=tiers,slow=0.3,footprint=32M",
	"zipf:cores=4,shared=yes,footprint=4M,stores=0.2,gap=0+zipf:first=33,cores=2,shared=yes,footprint=1M",
};
#define N_MIXES (sizeof mixes / sizeof *mixes)

/* Each request is counted once at each place that it passes. What is under way may differ by the queues' size. */
static void
nothing_is_lost(void)
{
	struct server *s = load_server(SPR, NULL, NULL);

	for (size_t i = 0; i < N_MIXES; i++) {
		struct err e = {0};
		struct server_run *run = server_run_new(s, mixes[i], i, &e);
		double flight = 12 * 64, cores = 0, blocked = 0, stalled = 0;

		test_label("%s %s", mixes[i], e.what);
		if (!CHECK(run != NULL))
			continue;
		server_run_until(run, 150e3);
		CHECK_NEAR(value(run, s, "unc_cha_tor_inserts.ia"),
			value(run, s, "unc_cha_tor_inserts.ia_hit") + value(run, s, "unc_cha_tor_inserts.ia_miss"), 0);
		CHECK_NEAR(value(run, s, "unc_cha_tor_inserts.ia"), value(run, s, "offcore_requests.all_requests"),
			flight);
		CHECK_NEAR(
			value(run, s, "unc_cha_tor_inserts.ia_miss"), value(run, s, "longest_lat_cache.miss"), flight);
		CHECK_NEAR(value(run, s, "unc_cha_tor_inserts.ia_miss_cxl"),
			value(run, s, "unc_cxlcm_txc_pack_buf_inserts.mem_req"), flight);
		CHECK_NEAR(value(run, s, "unc_m2p_rxc_inserts.all"),
			value(run, s, "unc_m2p_txc_inserts.ak") + value(run, s, "unc_m2p_txc_inserts.bl"), 0);
		CHECK(value(run, s, "memory_activity.stalls_l2_miss") <=
			value(run, s, "memory_activity.stalls_l1d_miss"));
		CHECK(value(run, s, "cycle_activity.stalls_l3_miss") <=
			value(run, s, "memory_activity.stalls_l2_miss"));
		CHECK(value(run, s, "unc_cha_tor_threshold1.ia") <= value(run, s, "unc_cha_tor_occupancy.ia") + 1);
		CHECK(value(run, s, "unc_cha_tor_threshold1.ia") <=
			value(run, s, "unc_cha_clockticks") + flight * 5000);
		for (unsigned k = 0; k < 64; k++) {
			const struct server_core_counts *c = server_run_core(run, k);

			cores += (double)c->event[CORE_UNHALTED];
			blocked += (double)c->blocked;
			CHECK_INT(c->event[CORE_LOADS],
				c->event[CORE_L1_HIT] + c->event[CORE_L1_MISS] + c->event[CORE_FB_HIT]);
			for (int kind = 0; kind < SERVER_KINDS; kind++)
				for (int p = 0; p < SERVER_PLACES; p++)
					for (int at = 0; at < SERVER_STAGES; at++)
						stalled += (double)c->stalled[kind][p][at];
		}
		/* every stall that ended has exactly one cause */
		CHECK(stalled <= blocked && blocked <= cores);
		CHECK_NEAR(stalled, blocked, 12 * 40000);
		server_run_free(run);
	}
	test_label("%s", "");
	server_free(s);
}

/* The sum of the requests' times in the table is the sum over time of how many are in it (Little's law), as counted
 * by the cores and by the slices. */
static void
littles_law(void)
{
	struct server *s = load_server(SPR, NULL, NULL);

	for (size_t i = 0; i < N_MIXES; i++) {
		struct server_run *run = server_run_new(s, mixes[i], i, NULL);
		double table, waited = 0, outside = 0;

		server_run_until(run, 150e3);
		table = value(run, s, "unc_cha_tor_occupancy.ia"); /* both clocks are 2 GHz */
		for (unsigned k = 0; k < 64; k++) {
			const struct server_core_counts *c = server_run_core(run, k);

			for (int kind = 0; kind < SERVER_WRITE; kind++)
				for (int p = PLACE_LLC; p < SERVER_PLACES; p++) {
					for (int at = STAGE_CHA; at < SERVER_STAGES; at++)
						waited += (double)c->waited[kind][p][at] / server_run_cycle_ticks();
					outside += (double)c->requests[kind][p] * s->mesh_ns * 2;
				}
		}
		test_label("%s", mixes[i]);
		CHECK_NEAR((waited - outside) / table, 1, 0.01);
		/* the same from the core's side: reads under way are those in L2's queue */
		CHECK(value(run, s, "offcore_requests_outstanding.demand_data_rd") <=
			value(run, s, "offcore_requests_outstanding.data_rd"));
		server_run_free(run);
	}
	test_label("%s", "");
	server_free(s);
}

/* The same server, programs and seed: the same counts, however the time is cut. */
static void
runs_repeat(void)
{
	struct server *s = load_server(SPR, NULL, NULL);
	struct server_run *a = server_run_new(s, mixes[1], 5, NULL), *b = server_run_new(s, mixes[1], 5, NULL),
			  *c = server_run_new(s, mixes[1], 6, NULL);
	bool differs = false;

	server_run_until(a, 60e3);
	for (int i = 1; i <= 60; i++)
		server_run_until(b, i * 1e3);
	server_run_until(c, 60e3);
	for (size_t i = 0; i < server_counters(); i++) {
		char name[SERVER_COUNTER_NAME];

		server_counter_name(i, name);
		CHECK_NEAR(value(a, s, name), value(b, s, name), 0);
		differs |= value(a, s, name) != value(c, s, name);
	}
	CHECK(differs);
	server_run_free(a);
	server_run_free(b);
	server_run_free(c);
	server_free(s);
}

/* A sum of everything that a run counts, over all owners; lengths of queues are left out. */
static uint64_t
digest(struct server_run *run, const struct server *s)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < server_counters(); i++) {
		char name[SERVER_COUNTER_NAME];

		server_counter_name(i, name);
		for (size_t k = 0; !str_starts(name, SERVER_TRUTH "queue.") &&
			k < server_owners(s, server_counter_scope(i)); k++)
			sum = (sum ^ (uint64_t)llrint(server_counter_value(run, s, i, k))) * UINT64_C(0x100000001b3);
	}
	return sum;
}

/* A faster simulator counts the same. A change of what it simulates replaces these sums, and says why. */
static void
counts_stay_the_same(void)
{
	static const struct {
		const char *programs;
		uint64_t digest;
	} row[] = {
		{"chase:memory=cxl,footprint=64M", UINT64_C(0x8dde0951fba692bc)},
		{"stream:cores=3,memory=local,stores=0.3", UINT64_C(0xd53b91278e9c830b)},
		{"gups:cores=4,memory=remote,shared=yes,footprint=1M+zipf:first=32,cores=2,memory=remote",
			UINT64_C(0x48c823d1ea4a426b)},
		{"zipf:cores=4,memory=tiers,slow=0.8,footprint=4M,gap=2", UINT64_C(0x5a61328a51630f14)},
		{"mix:cores=6,memory=tiers,footprint=64M,period=20us,duty=0.7", UINT64_C(0x7e3b5d316c3e27ff)},
		{"stream:cores=8,memory=cxl,stride=64,gap=0+gups:first=8,cores=24,memory=cxl,gap=0",
			UINT64_C(0x5e39630171da2da2)},
		{NULL, UINT64_C(0x273fff5ae8a0ecf7)},
		{NULL, UINT64_C(0x26b96311a68728dc)},
		{NULL, UINT64_C(0x2e4c07195f9e09d5)},
		{NULL, UINT64_C(0x4165a90191ae0e4a)},
		{NULL, UINT64_C(0x7eb9d9d96a30b5f9)},
		{NULL, UINT64_C(0x9580728e40e3c8e1)},
	};
	struct server *s = load_server(SPR, "has l1_prefetch, l2_prefetch; ahead 12;\npromote_every 1000 us;",
				  "has promotion, l1_prefetch, l2_prefetch; ahead 12;\npromote_every 15 us;");

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *drawn = row[i].programs ? NULL : load_random(i);
		const char *programs = drawn ? drawn : row[i].programs;
		struct server_run *run = server_run_new(s, programs, i, NULL);
		uint64_t sum;

		server_run_until(run, 60000);
		sum = digest(run, s);
		test_check(sum == row[i].digest, __FILE__, __LINE__, "%s: 0x%016llx", programs,
			(unsigned long long)sum);
		server_run_free(run);
		free(drawn);
	}
	server_free(s);
}

/* Pages that are used often come to local memory; without the feature, none do. */
static void
pages_are_promoted(void)
{
	static const char zipf[] = "zipf:cores=2,memory=tiers,slow=0.8,footprint=256M,gap=2";
	double in_cxl[2];

	for (int on = 0; on < 2; on++) {
		struct server *s = load_server(SPR, "has l1", on ? "has promotion, l1" : "has l1");
		struct server_run *run = server_run_new(s, zipf, 1, NULL);
		double before, all;

		server_run_until(run, 8e6);
		before = value(run, s, "unc_cha_tor_inserts.ia_miss_cxl");
		all = value(run, s, "unc_cha_tor_inserts.ia_miss");
		server_run_until(run, 9e6);
		in_cxl[on] = (value(run, s, "unc_cha_tor_inserts.ia_miss_cxl") - before) /
			(value(run, s, "unc_cha_tor_inserts.ia_miss") - all);
		CHECK((server_run_moved_pages(run) > 0) == on);
		server_run_free(run);
		server_free(s);
	}
	CHECK(in_cxl[1] < 0.9 * in_cxl[0]);
}

/* --- bad input --------------------------------------------------------------------------------------------------- */

static void
bad_servers_are_refused(void)
{
	static const struct {
		const char *from, *to, *says;
	} row[] = {
		{"l2_queue 48", "l2_queue 0", "the entries of L2's queue"},
		{"64 entries", "0 entries", "the entries of the queue"},
		{"ports 1", "ports 0", "the number of CXL devices"},
		{"memory local 103.2", "memory local 20", "is not more than the"},
		{"cores 32", "cores 0", "the cores of a socket"},
		{"48 entries", "0 entries", "the entries of the queue"},
		{"store_buffer 112", "store_buffer 0", "the entries of the store buffer"},
		{"fill_buffers 16", "fill_buffers 0", "the fill buffers of L1D"},
		{"memory cxl 355.3", "memory cxl 100", "is not more than the"},
		{"memory remote 163.6", "memory remote 103", "is not more than the"},
		{"memory local", "memory nowhere", "local, remote or cxl"},
		{"17.6 GB", "0 GB", "the peak"},
		{"0.35 6.6 ns", "0.35 0.6 ns", "must ascend"},
		{"0.35 6.6 ns", "0.05 6.6 ns", "must ascend"},
		{"sockets 2", "sockets 1", "has no remote memory"},
		{"ports 1;", "", "needs 'ports'"},
		{"has l1_prefetch", "has l9_prefetch", "there is no feature"},
		{"channels 8; ", "", "the server has no 'channels'"},
		{"l2 2048 KiB, 16", "l2 2048 KiB, 7", "do not fill the ways"},
		{"window 512;", "window 512; window 512;", "there may be one"},
	};
	unsigned long n;
	char *text = test_read(SPR, &n);

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct diags d = {0};
		struct str changed = {0};
		char *at = strstr(text, row[i].from);
		struct server *s;

		test_label("%s", row[i].to);
		if (!CHECK(at != NULL))
			continue;
		str_addn(&changed, text, (size_t)(at - text));
		str_addf(&changed, "%s%s", row[i].to, at + strlen(row[i].from));
		s = server_parse("x.server", str_text(&changed), changed.n, &d);
		CHECK(s == NULL);
		test_check(d.n && strstr(d.item[0].text, row[i].says), __FILE__, __LINE__, "'%s' has '%s'",
			d.n ? d.item[0].text : "", row[i].says);
		server_free(s);
		str_free(&changed);
		diags_free(&d);
	}
	free(text);
	test_label("%s", "");
}

static void
bad_programs_are_refused(void)
{
	static const struct {
		const char *program, *says;
	} row[] = {
		{"gups:memory=cxl", "has no cxl memory"},
		{"", "has no program ''"},
		{"gupps", "has no program 'gupps'"},
		{"gups:cores=0", "cores"},
		{"gups:cores=65", "would run on core 64"},
		{"gups:cores=2+chase:first=1", "two programs on core 1"},
		{"gups:memory=here", "memory"},
		{"gups:size=1", "no parameter 'size'"},
	};
	struct server *s = load_server(SPR, "memory cxl 355.3 ns, 17.6 GB/s, 48 entries;", "");

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err e = {0};
		struct server_run *run = server_run_new(s, row[i].program, 1, &e);

		test_label("%s", row[i].program);
		CHECK(run == NULL);
		test_check(
			strstr(e.what, row[i].says) != NULL, __FILE__, __LINE__, "'%s' has '%s'", e.what, row[i].says);
		server_run_free(run);
	}
	test_label("%s", "");
	server_free(s);
}

/* docs/simulated-server.md has each program, parameter and feature. */
static void
the_page_is_complete(void)
{
	char *text = test_read("../docs/simulated-server.md", NULL);
	const char *about;

	for (int i = 0; i < LOAD_KINDS + LOAD_PARAMETERS + SERVER_N_FEATURES; i++) {
		char *word = str_format("`%s`",
			i < LOAD_KINDS ? load_kind_name((enum load_kind)i)
				: i < LOAD_KINDS + LOAD_PARAMETERS
				? load_parameter_name((enum load_parameter)(i - LOAD_KINDS), &about)
				: server_feature_name((enum server_feature)(i - LOAD_KINDS - LOAD_PARAMETERS)));

		test_label("%s", word);
		CHECK(strstr(text, word) != NULL);
		free(word);
	}
	test_label("%s", "");
	free(text);
}

TEST_MAIN(CASE(events_come_in_order), CASE(stations_queue_like_a_plain_model), CASE(curves_are_monotone),
	CASE(idle_latencies_are_those_of_the_file), CASE(peaks_are_those_of_the_file),
	CASE(latency_rises_with_load_as_the_curve_says), CASE(nothing_is_lost), CASE(littles_law), CASE(runs_repeat),
	CASE(counts_stay_the_same), CASE(pages_are_promoted), CASE(bad_servers_are_refused),
	CASE(bad_programs_are_refused), CASE(the_page_is_complete))
