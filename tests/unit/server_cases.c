/* PathFinder's cases 1 to 7 (Li et al., SIGCOMM 2025, sections 5.2 to 5.8) on the simulated server, as the network
 * spr-cxl and the estimators see them: direction and order as the paper has them, over seeds, and next to the truth.
 * Each case prints in how many seeds it holds. ./check --slow has 20 seeds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/network/queues.h"
#include "core/network/state.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/server.h"
#include "work/timeline/column_owners.h"
#include "work/timeline/estimates.h"
#include "work/timeline/network_data.h"
#include "work/timeline/tiering.h"

/* A simulation, and a snapshot of it. */
struct seen {
	struct network *network;
	struct obs_table *table;
	struct network_data *data;
	struct net_state *state;
};

static bool
seen_begin(struct seen *s, const char *text, bool each_row)
{
	struct diags d = {0};
	struct err e = {0};
	char *path = NULL;

	*s = (struct seen){.network = network_load("spr-cxl", &path, &d, &e)};
	s->table = s->network ? server_simulation_read(text, &e) : NULL;
	free(path);
	diags_free(&d);
	if (!s->table)
		return test_check(false, __FILE__, __LINE__, "%s: %s", text, e.what);
	s->data = network_data_new(s->network, s->table, NULL, each_row);
	s->state = net_state_new(s->network, &s->data->owners->shape);
	if (s->data->n)
		network_data_take(s->data, 0, s->state);
	return CHECK(s->data->n > 0);
}

static void
seen_end(struct seen *s)
{
	net_state_free(s->state);
	network_data_free(s->data);
	obs_table_free(s->table);
	network_free(s->network);
}

/* The sum of all columns whose names begin so, over the snapshot. */
static double
column(const struct seen *s, size_t snapshot, const char *begins)
{
	const struct network_data_snapshot *at = &s->data->snapshot[snapshot];
	double sum = 0;

	for (size_t c = 0; c < s->table->n_columns; c++)
		if (str_starts(s->table->column[c], begins))
			sum += (double)obs_sum(s->table->obs[0], c, at->first_row, at->n_rows).sum;
	return sum;
}

static double
truth(const struct seen *s, const char *what, const char *place, const char *at)
{
	static const char *const kind[] = {"DRd", "RFO", "HWPF"};
	double sum = 0;

	for (size_t k = 0; k < 3; k++) {
		char *name = str_format("truth.%s.%s.%s%s%s", what, kind[k], place, *at ? "." : "", at);

		sum += column(s, 0, name);
		free(name);
	}
	return sum;
}

/* True cycles of a request of the kind beyond the CHA. */
static double
truth_delay(const struct seen *s, const char *kind, const char *place)
{
	char *stage[] = {str_format("truth.wait.%s.%s.controller", kind, place),
		str_format("truth.wait.%s.%s.memory", kind, place)},
	     *requests = str_format("truth.requests.%s.%s", kind, place);
	double delay = (column(s, 0, stage[0]) + column(s, 0, stage[1])) / column(s, 0, requests);

	free(stage[0]);
	free(stage[1]);
	free(requests);
	return delay;
}

/* Cycles of a read from CXL memory beyond the CHA's own time, and its time in the CHA's table. */
static double
flexbus(const struct seen *s)
{
	return (truth(s, "wait", "CXL", "controller") + truth(s, "wait", "CXL", "memory")) /
		truth(s, "requests", "CXL", "");
}

static double
cha(const struct seen *s)
{
	return column(s, 0, "unc_cha_tor_occupancy.ia_miss_cxl") / column(s, 0, "unc_cha_tor_inserts.ia_miss_cxl");
}

static void
report(const char *what, unsigned held, unsigned seeds)
{
	printf("# %s: %u of %u seeds\n", what, held, seeds);
	CHECK_INT(held, seeds);
}

/* Requests of a kind that a module serves, by the path map. */
static double
served(const struct seen *s, const char *module, size_t kind)
{
	double sum = 0;

	for (size_t m = 0; m < s->network->n_modules; m++)
		for (size_t i = 0; str_eq(s->network->module[m].name, module) && i < net_state_owners(s->state, m); i++)
			sum += fmax(net_state_cell(s->state, m, i, kind).hits, 0); /* NAN: 0 */
	return sum;
}

/* Case 1: a program whose data are in CXL memory asks by loads, but prefetches bring most lines; when stores join in a
 * second snapshot, reads for ownership of CXL memory rise most. The path map is the truth. */
static void
case_1_paths_are_told_apart(void)
{
	static const char *const kind[] = {"DRd", "RFO", "HWPF"}, *const place[] = {"DDR", "CXL"};
	enum { DRD, RFO, HWPF };
	unsigned seeds = test_rounds(3, 20), hot = 0, exact = 0, stores = 0;

	for (unsigned seed = 1; seed <= seeds; seed++) {
		char *text = str_format("sim:spr-cxl:stream,memory=cxl+mix,first=1,memory=local,stores=0,gap=40+"
					"gups,first=2,memory=cxl,stores=1,gap=30,from=300us:"
					"samples=2,sample=100us,seed=%u,owners",
			seed);
		double cxl[2][3], l1, core_rfo, core_hwpf, off = 0;
		struct seen s;

		if (!seen_begin(&s, text, true))
			return;
		l1 = served(&s, "L1D", DRD) + served(&s, "LFB", DRD);
		core_rfo = served(&s, "L2", RFO);
		core_hwpf = served(&s, "L2", HWPF);
		for (int snapshot = 0; snapshot < 2; snapshot++) {
			network_data_take(s.data, (size_t)snapshot, s.state);
			for (size_t k = 0; k < 3; k++) {
				cxl[snapshot][k] = served(&s, "CXL", k);
				for (size_t p = 0; p < 2; p++) {
					char *name = str_format("truth.requests.%s.%s", kind[k], place[p]);
					double is = column(&s, (size_t)snapshot, name);

					/* some 60 are under way when a snapshot begins or ends */
					off = fmax(off, (fabs(served(&s, place[p], k) - is) - 60) / (is + 1));
					free(name);
				}
			}
		}
		hot += l1 > core_rfo + core_hwpf && cxl[0][HWPF] > 0.5 * (cxl[0][DRD] + cxl[0][RFO] + cxl[0][HWPF]);
		exact += off <= 0.01;
		stores += cxl[1][RFO] > 10 * (cxl[0][RFO] + 1) && cxl[1][DRD] < 1.5 * cxl[0][DRD] + 10;
		seen_end(&s);
		free(text);
	}
	report("case 1, loads at the core, prefetches at CXL memory", hot, seeds);
	report("case 1, the path map is the truth within 1 %", exact, seeds);
	report("case 1, reads for ownership join", stores, seeds);
}

/* Case 2: every component has a part, and what CXL memory costs shrinks on the way into the core: a core waits for less
 * than its requests do. */
static void
case_2_stalls_break_down(void)
{
	unsigned seeds = test_rounds(3, 20), parts = 0, shrinks = 0, culprit = 0;

	for (unsigned seed = 1; seed <= seeds; seed++) {
		char *text = str_format(
			"sim:spr-cxl:stream,cores=2,memory=cxl,stores=0.2+zipf,first=2,cores=2,memory=cxl,"
			"footprint=8M,gap=1,chain=0.1:samples=1,seed=%u,owners",
			seed);
		static const char *const at[] = {"L1D", "L2", "CHA", "controller", "memory"};
		struct seen s;
		struct estimates e;
		struct estimate_error error;
		bool all = true;
		double before = INFINITY, level[3];

		if (!seen_begin(&s, text, false))
			break;
		for (size_t i = 0; i < 5; i++)
			all &= truth(&s, "wait", "CXL", at[i]) > 0;
		for (size_t i = 0; i < 3; i++) {
			static const char *const kind[] = {
				"truth.wait.DRd.CXL", "truth.wait.RFO.CXL", "truth.wait.HWPF.CXL"};

			all &= column(&s, 0, kind[i]) > 0;
		}
		/* fill buffers and store buffer, as the core counts them */
		parts += all && column(&s, 0, "l1d_pend_miss.pending") > 0 &&
			column(&s, 0, "mem_inst_retired.all_stores") > 0;
		level[0] = flexbus(&s) * truth(&s, "requests", "CXL", "");
		level[1] = truth(&s, "stall", "CXL", "controller") + truth(&s, "stall", "CXL", "memory");
		level[2] = truth(&s, "stall", "CXL", "L1D") + truth(&s, "stall", "CXL", "L2");
		all = true;
		for (size_t i = 0; i < 3; i++) {
			all &= level[i] < 0.6 * before;
			before = level[i];
		}
		shrinks += all;
		estimates_of(s.data, 0, s.state, &e);
		culprit += estimates_error(&e, ESTIMATOR_DELAY, &error) && error.culprit == ESTIMATE_CXL &&
			error.true_culprit == ESTIMATE_CXL;
		seen_end(&s);
		free(text);
	}
	report("case 2, components and kinds with a part", parts, seeds);
	report("case 2, shrinks inwards", shrinks, seeds);
	report("case 2, CXL memory is the culprit, estimated and true", culprit, seeds);
}

/* Case 3: one core shares its time between both memories. As more of its requests go to CXL memory, it stalls more,
 * but the FlexBus does not queue. */
static void
case_3_local_and_cxl_interfere_in_the_core(void)
{
	unsigned seeds = test_rounds(3, 20), stalls = 0, flat = 0;

	for (unsigned seed = 1; seed <= seeds; seed++) {
		double stall[2][3], bus[2];

		for (int loaded = 0; loaded < 2; loaded++) {
			char *text = str_format(
				"sim:spr-cxl:mix,memory=tiers,slow=%s:samples=2,seed=%u", loaded ? "1" : "0.2", seed);
			struct seen s;

			if (!seen_begin(&s, text, false))
				return;
			stall[loaded][0] = column(&s, 0, "memory_activity.stalls_l1d_miss");
			stall[loaded][1] = column(&s, 0, "memory_activity.stalls_l2_miss");
			stall[loaded][2] = column(&s, 0, "cycle_activity.stalls_l3_miss");
			for (int i = 0; i < 3; i++) /* per load: a slower core does less in the same time */
				stall[loaded][i] /= column(&s, 0, "mem_load_retired.l");
			bus[loaded] = flexbus(&s);
			seen_end(&s);
			free(text);
		}
		stalls += stall[1][0] >= 1.5 * stall[0][0] && stall[1][1] >= 1.5 * stall[0][1] &&
			stall[1][2] >= 1.5 * stall[0][2];
		flat += fabs(bus[1] / bus[0] - 1) <= 0.1;
	}
	report("case 3, in-core stalls rise 1.5 times or more", stalls, seeds);
	report("case 3, FlexBus within 10 %", flat, seeds);
}

/* Case 4: many cores. The FlexBus is the first to slow down, and the culprit moves there from L1D. */
static void
case_4_cxl_flows_contend(void)
{
	unsigned seeds = test_rounds(2, 20), first = 0, moves = 0, slows = 0;
	/* load of the others, from 20 to 100 % of what CXL memory can do */
	static const char *const gap[] = {"4000", "200", "60", "24", "8"};

	for (unsigned seed = 1; seed <= seeds; seed++) {
		double bus[5], table[5];
		const char *culprit[5];

		for (int i = 0; i < 5; i++) {
			char *text = str_format(
				"sim:spr-cxl:stream,footprint=16K,memory=cxl,gap=0+gups,first=1,cores=14,"
				"memory=cxl,footprint=1G,gap=%s+chase,first=16,memory=cxl,footprint=256M:"
				"samples=1,seed=%u,owners",
				gap[i], seed);
			struct seen s;
			struct net_queues *q;

			if (!seen_begin(&s, text, false))
				return;
			bus[i] = flexbus(&s);
			table[i] = cha(&s);
			q = net_queues_new(s.state);
			culprit[i] = s.network->module[q->queue[0].module].name[0] == 'L' ? "core" : "CXL";
			net_queues_free(q);
			seen_end(&s);
			free(text);
		}
		first += bus[4] / bus[0] > 1.25 && bus[4] / bus[0] > table[4] / table[0];
		slows += bus[0] <= bus[1] * 1.02 && bus[1] <= bus[2] * 1.02 && bus[2] <= bus[3] * 1.02 &&
			bus[3] <= bus[4] * 1.02;
		moves += str_eq(culprit[0], "core") && str_eq(culprit[4], "CXL");
	}
	report("case 4, the FlexBus slows down first", first, seeds);
	report("case 4, more with each step of the load", slows, seeds);
	report("case 4, the culprit moves to CXL memory", moves, seeds);
}

/* Case 5: four programs share a CXL device that is full. How often each asks gives its share of the bandwidth. */
static void
case_5_frequency_gives_bandwidth(void)
{
	unsigned seeds = test_rounds(3, 20), held = 0;

	for (unsigned seed = 1; seed <= seeds; seed++) {
		char *text = str_format("sim:spr-cxl:gups,cores=2,memory=cxl,footprint=1G,gap=0+"
					"gups,first=2,cores=2,memory=cxl,footprint=1G,gap=4+"
					"gups,first=4,cores=2,memory=cxl,footprint=1G,gap=10+"
					"stream,first=6,cores=2,memory=cxl,footprint=1G,stride=64,gap=20:"
					"samples=10,sample=30us,seed=%u,owners",
			seed);
		struct seen s;
		double x = 0, y = 0, xx = 0, yy = 0, xy = 0, n = 0, full;

		if (!seen_begin(&s, text, true))
			break;
		full = 64 * column(&s, 0, "unc_cxlcm_txc_pack_buf_inserts.mem_req") / 30e3 / 17.6;
		for (size_t row = 0; row < s.data->n; row++)
			for (int core = 0; core < 8; core++) {
				char *miss = str_format("truth.requests.DRd.CXL@S0-C%d", core),
				     *prefetch = str_format("truth.requests.HWPF.CXL@S0-C%d", core),
				     *asked[] = {str_format("ocr.demand_data_rd.cxl_dram@S0-C%d", core),
					     str_format("ocr.hwpf_l1d.cxl_dram@S0-C%d", core),
					     str_format("ocr.hwpf_l2_drd.cxl_dram@S0-C%d", core)};
				double frequency = 0, bandwidth = column(&s, row, miss) + column(&s, row, prefetch);

				for (int i = 0; i < 3; i++) {
					frequency += column(&s, row, asked[i]);
					free(asked[i]);
				}
				x += frequency, y += bandwidth, n++;
				xx += frequency * frequency, yy += bandwidth * bandwidth, xy += frequency * bandwidth;
				free(miss);
				free(prefetch);
			}
		held += full > 0.95 && (n * xy - x * y) / sqrt((n * xx - x * x) * (n * yy - y * y)) >= 0.99;
		seen_end(&s);
		free(text);
	}
	report("case 5, requests sent and lines received, r >= 0.99 on a full device", held, seeds);
}

/* Case 6: the delay of CXL memory shows when another program runs. */
static void
case_6_a_co_runner_is_found(void)
{
	unsigned seeds = test_rounds(3, 20), held = 0;
	enum { ROWS = 30, FROM = 10, TO = 20 };

	for (unsigned seed = 1; seed <= seeds; seed++) {
		char *text = str_format(
			"sim:spr-cxl:mix,memory=cxl,footprint=64M+gups,first=1,cores=14,memory=cxl,footprint=64M,"
			"gap=1,from=600us,to=1000us:samples=%d,sample=40us,seed=%u,owners",
			ROWS, seed);
		struct seen s;
		double delay[ROWS], least = INFINITY, most = 0, middle;
		int begin = -1, end = -1, wrong = 0;

		if (!seen_begin(&s, text, true))
			break;
		for (int i = 0; i < ROWS; i++) {
			delay[i] = column(&s, (size_t)i, "offcore_requests_outstanding.demand_data_rd@S0-C0") /
				column(&s, (size_t)i, "offcore_requests.demand_data_rd@S0-C0");
			least = fmin(least, delay[i]);
			most = fmax(most, delay[i]);
		}
		middle = (least + most) / 2;
		for (int i = 0; i < ROWS; i++) {
			if (delay[i] > middle && begin < 0)
				begin = i;
			if (delay[i] > middle)
				end = i + 1;
			wrong += (delay[i] > middle) != (i >= FROM && i < TO);
		}
		/* warm-up of 200 us: 600 us are row 10, 1000 us row 20 */
		held += abs(begin - FROM) <= 2 && abs(end - TO) <= 2 && wrong <= 2 && most > 1.3 * least;
		seen_end(&s);
		free(text);
	}
	report("case 6, the co-runner's phase within two rows", held, seeds);
}

/* Case 7: promotion helps programs that use some pages much more than others, and only costs where all are
 * alike, or used once. */
static void
case_7_promotion(void)
{
	static const struct {
		const char *program;
		int direction;
	} row[] = {
		{"zipf,cores=2,memory=tiers,slow=0.8,gap=2", 1},
		{"gups,cores=2,memory=tiers,slow=0.8", -1},
		{"stream,memory=tiers,slow=0.8,stride=64,gap=60", -1},
	};
	unsigned seeds = test_rounds(1, 20), held[3] = {0};

	for (unsigned seed = 1; seed <= seeds; seed++)
		for (size_t i = 0; i < 3; i++) {
			double loads[2];

			for (int on = 0; on < 2; on++) {
				char *text = str_format("sim:spr-cxl:%sl1_prefetch,l2_prefetch:%s:samples=1,sample=1ms,"
							"warm-up=7ms,seed=%u",
					on ? "promotion," : "", row[i].program, seed);
				struct seen s;

				if (!seen_begin(&s, text, false))
					return;
				loads[on] = column(&s, 0, "mem_load_retired.l1_") +
					column(&s, 0, "mem_load_retired.fb_hit");
				seen_end(&s);
				free(text);
			}
			held[i] += row[i].direction > 0 ? loads[1] > 1.01 * loads[0] : loads[1] < loads[0];
		}
	report("case 7, zipf gains", held[0], seeds);
	report("case 7, GUPS pays", held[1], seeds);
	report("case 7, stream pays", held[2], seeds);
}

/* Loads and stores that retired. */
static double
retired(const struct seen *s)
{
	return column(s, 0, "mem_load_retired.l1_") + column(s, 0, "mem_load_retired.fb_hit") +
		column(s, 0, "mem_inst_retired.all_stores");
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Case 7, the adviser. Local memory is full, so that balanced tiering leaves some of the used pages in CXL memory. By
 * demand reads it sees that only where there are some; by the kind that misses most it always does. It then goes to and
 * fro in some 4 ms, so the gain is that of 6 ms. */
static void
case_7_an_adviser_for_tiering(void)
{
	static const struct {
		const char *program, *time;
		enum tiering_kind kind;
		double least; /* gain over balance by demand reads */
	} row[] = {
		{"gups,cores=8,memory=tiers,footprint=8M,hot=0.125,gap=0,stores=1", "warm-up=6ms,sample=6ms",
			TIERING_RFO, 1.03},
		{"gups,cores=8,memory=tiers,footprint=8M,hot=0.125,gap=0", "warm-up=2ms,sample=1ms", TIERING_DRD, 1},
		{"stream,cores=8,memory=tiers,footprint=8M,stride=64,gap=0", "warm-up=2ms,sample=1ms", TIERING_HWPF,
			0.97},
	};
	unsigned seeds = test_rounds(1, 20), picked[3] = {0}, gains[3] = {0}, truly = 0;
	double gain[3][20];

	for (unsigned seed = 1; seed <= seeds; seed++)
		for (size_t i = 0; i < 3; i++) {
			double did[2];
			struct tiering t = {0};

			for (int advised = 0; advised < 2; advised++) {
				char *text = str_format(
					"sim:%s/networks/tiering.server:promotion,balance,%sl1_prefetch,"
					"l2_prefetch:%s:samples=1,%s,seed=%u",
					getenv("HECATE_TESTS"), advised ? "advised," : "", row[i].program, row[i].time,
					seed);
				struct seen s;

				if (!seen_begin(&s, text, false))
					return;
				did[advised] = retired(&s);
				if (!advised)
					picked[i] += tiering_of(s.data, &t) && t.by == row[i].kind;
				if (!advised && i == 0) /* the true delay of the kind is longer in local memory */
					truly += t.move == TIERING_TO_CXL && t.fixed == TIERING_UNKNOWN &&
						truth_delay(&s, "RFO", "DDR") > truth_delay(&s, "RFO", "CXL");
				seen_end(&s);
				free(text);
			}
			gain[i][seed - 1] = did[1] / did[0];
			gains[i] += did[1] >= row[i].least * did[0];
		}
	for (size_t i = 0; i < 3; i++) {
		qsort(gain[i], seeds, sizeof *gain[i], by_value);
		printf("# adviser, %s: %.3f times as much as by demand reads, from %.3f to %.3f\n",
			tiering_kind_name(row[i].kind), gain[i][seeds / 2], gain[i][0], gain[i][seeds - 1]);
		report("case 7, the adviser picks the kind that misses most", picked[i], seeds);
		report("case 7, its gain", gains[i], seeds);
	}
	report("case 7, where it says CXL memory, that is truly faster", truly, seeds);
}

TEST_MAIN(CASE(case_1_paths_are_told_apart), CASE(case_2_stalls_break_down),
	CASE(case_3_local_and_cxl_interfere_in_the_core),
	CASE(case_4_cxl_flows_contend), CASE(case_5_frequency_gives_bandwidth), CASE(case_6_a_co_runner_is_found),
	CASE(case_7_promotion), CASE(case_7_an_adviser_for_tiering))
