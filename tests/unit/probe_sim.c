/* Probes on simulated cores whose parameters are drawn at random, all of them at once: the probes must find them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "probe_bed.h"
#include "test.h"

/* A number from `least` to `most`. */
static unsigned
draw(uint64_t *seed, unsigned least, unsigned most)
{
	return least + (unsigned)(test_random(seed) % (most - least + 1));
}

static void
check_near(const char *name, struct probe_answer a, double truth, double within)
{
	test_label("%s: %g (%g to %g), truth %g", name, a.value, a.low, a.high, truth);
	CHECK(a.found);
	CHECK_NEAR(a.value, truth, within);
	CHECK(a.low <= truth * (1 + 1e-9) + within && truth * (1 - 1e-9) - within <= a.high);
}

static void
check_answer(const char *name, const char *changes, double truth, double within)
{
	check_near(name, bed_answer(name, changes, 0), truth, within);
}

#define PLANT(p) ((sim_plants)1 << SIM_PLANT_##p)

struct drawn {
	unsigned rob, loads, stores, branches, ints, fps, width, commit, mul, fadd, fmul, fma, atomic, load, l1, l2, l3;
	unsigned memory, buffers, load_ports, store_ports, fadd_ports, fmul_ports, fma_ports, fp_dispatch, banks, back;
	unsigned forward, l1_bytes, l2_bytes, l3_bytes, ways, pages, entries, history, front_end, pack, blind;
	unsigned l2_ways, l3_ways, scheduler, walk_start, div, fdiv, mul_ports, blocks;
	sim_plants plants;
};

/* Queues hold a sixth of the reorder buffer at least, registers and branches are fewer than its entries where they
 * shall be full first. Memory is slow enough that the fill is dispatched meanwhile, or no knee would show. */
static void
draw_core(uint64_t *s, struct drawn *d)
{
	static const sim_plants plant[] = {PLANT(MOVE_ELIMINATION), PLANT(FMA_SPLIT), PLANT(STA_STD),
		PLANT(NUKE_REPLAY), PLANT(ROB_COMPRESSION)};

	*d = (struct drawn){
		.rob = draw(s, 140, 240), .loads = draw(s, 44, 80), .stores = draw(s, 44, 80), .branches = 200,
		.ints = draw(s, 64, 120), .fps = draw(s, 64, 120), .width = draw(s, 4, 8), .mul = draw(s, 2, 9),
		.fadd = draw(s, 2, 7), .fmul = draw(s, 2, 9), .fma = draw(s, 2, 9), .atomic = draw(s, 1, 20),
		.load = draw(s, 1, 2), .l1 = draw(s, 1, 5), .l2 = draw(s, 8, 20), .l3 = draw(s, 30, 60),
		.memory = draw(s, 350, 450), .buffers = draw(s, 6, 40), .load_ports = draw(s, 2, 4),
		.store_ports = draw(s, 1, 3), .fmul_ports = draw(s, 1, 3), .fp_dispatch = draw(s, 2, 4),
		.back = draw(s, 1, 4), .forward = draw(s, 2, 6), .banks = 1u << draw(s, 1, 5),
		.l1_bytes = 16u << draw(s, 0, 2), .l2_bytes = 256u << draw(s, 0, 2), .l3_bytes = 8u << draw(s, 0, 2),
		.ways = 4u << draw(s, 0, 1), .pages = 16u << draw(s, 0, 3), .entries = 1024u << draw(s, 0, 2),
		.history = draw(s, 7, 10), .front_end = draw(s, 10, 14), .pack = draw(s, 2, 8), .blind = draw(s, 0, 1),
		.l3_ways = 8u << draw(s, 0, 1), .scheduler = draw(s, 64, 84), .walk_start = draw(s, 0, 20),
		.div = draw(s, 5, 30), .fdiv = draw(s, 5, 30), .mul_ports = draw(s, 1, 3), .blocks = draw(s, 0, 1),
	};
	d->l2_ways = (d->l2_bytes == 1024 ? 8u : 4u) << draw(s, 0, d->l3_ways / 16);
	for (size_t i = 0; i < sizeof plant / sizeof *plant; i++)
		d->plants |= draw(s, 0, 1) ? plant[i] : 0;
}

static char *
text_of(const struct drawn *d)
{
	return str_format("rob %u; load_queue %u; store_queue %u; branches %u; int_registers %u; fp_registers %u; "
		"fetch %u; width %u; issue 16; commit %u; front_end %u cycles; fetch_buffer 32; latency mul %u cycles; "
		"latency fadd %u cycles; latency fmul %u cycles; latency fma %u cycles; latency atomic %u cycles; "
		"latency load %u cycles; memory %u cycles; fill_buffers %u; ports 8 alu, branch, move, nop; "
		"ports %u mul, div; ports 2 fadd; ports %u fmul; ports 2 fma, fdiv; ports %u load; "
		"ports %u store, atomic; "
		"fp_dispatch %u; banks %u; write_back %u; forward %u cycles; l1 %u KiB, %u ways, %u cycles; "
		"l2 %u KiB, %u ways, %u cycles; l3 %u MiB, %u ways, %u cycles; dtlb 4k %u entries, 4 ways; "
		"predictor hybrid %u entries, history %u; rob_pack %u; disambiguation %s; "
		"scheduler %u; walk_start %u cycles; latency div %u cycles%s; latency fdiv %u cycles%s", d->rob,
		d->loads, d->stores, d->branches,
		d->ints, d->fps, d->width, d->width, d->width, d->front_end, d->mul, d->fadd, d->fmul,
		d->fma, d->atomic, d->load, d->memory, d->buffers, d->mul_ports, d->fmul_ports, d->load_ports,
		d->store_ports,
		d->fp_dispatch, d->banks, d->back, d->forward, d->l1_bytes, d->ways, d->l1, d->l2_bytes, d->l2_ways,
		d->l2, d->l3_bytes, d->l3_ways, d->l3, d->pages, d->entries, d->history, d->pack,
		d->blind ? "blind" : "oracle", d->scheduler, d->walk_start, d->div, d->blocks ? ", blocking" : "",
		d->fdiv, d->blocks ? ", blocking" : "");
}

static void
check_capacities(const struct sim_machine *m, const struct drawn *d)
{
	const struct { const char *probe; double truth, within; } row[] = {
		{"rob", d->rob, 1}, {"load_queue", d->loads, 1}, {"store_queue", d->stores, 1},
		{"int_registers", d->ints, 1}, {"fp_registers", d->fps, 1}, {"fill_buffers", d->buffers, 1},
		{"banks", d->banks, 0}, {"l1_size", d->l1_bytes * 1024., 0}, {"l2_size", d->l2_bytes * 1024., 0},
		{"l3_size", d->l3_bytes * 1048576., 0}, {"dtlb_reach", d->pages * 4096., 0},
		{"scheduler", d->scheduler, 0}, {"l1_ways", d->ways, 0}, {"l2_ways", d->l2_ways, 0},
		{"l3_ways", d->l3_ways, 0}, {"history", d->history, 2}, {"predictor_size", d->entries, d->entries / 8.},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct probe *p = bed_probe(row[i].probe);

		if (p)
			check_near(row[i].probe, bed_answer_on(p, m, m->has | d->plants), row[i].truth, row[i].within);
		probe_free(p);
	}
}

static void
check_times(const struct sim_machine *m, const struct drawn *d)
{
	bool split = d->plants & PLANT(FMA_SPLIT), eliminated = d->plants & PLANT(MOVE_ELIMINATION);
	double mul_ports = fmin(d->mul_ports, d->width), fma = split ? d->fmul + d->fadd : d->fma;
	const struct { const char *probe; double truth; } row[] = {
		{"l1_latency", d->load + d->l1}, {"l2_latency", d->load + d->l2},
		{"memory_latency", d->load + d->memory},
		{"mul_latency", d->mul}, {"fmul_latency", d->fmul}, {"fma_latency", fma},
		{"atomic_latency", d->atomic + d->l1}, {"store_forwarding", d->load + d->forward},
		{"decode_width", d->width}, {"load_pipes", fmin(d->load_ports, d->width)},
		{"store_pipes", d->store_ports}, {"fmul_rate", fmin(d->fmul_ports, d->fp_dispatch)},
		{"fp_rate", fmin(d->fp_dispatch, 3 * d->fmul_ports)}, {"write_back", d->back}, {"bank_conflict", 1},
		{"fma_split", fma / (d->fmul + d->fadd) * 2},
		{"move_latency", 1}, {"walk_latency", d->walk_start + d->l1},
		{"div_latency", d->div}, {"fdiv_latency", d->fdiv}, {"mul_rate", mul_ports},
		{"div_rate", mul_ports / (d->blocks ? d->div : 1)}, {"fdiv_rate", 2.0 / (d->blocks ? d->fdiv : 1)},
		{"add_rate", d->width}, {"branch_rate", d->width}, {"move_rate", d->width}, {"fadd_rate", 2},
		{"fma_rate", 2},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct probe *p = bed_probe(row[i].probe);

		if (p && !(eliminated && str_eq(row[i].probe, "move_latency")))
			check_near(row[i].probe, bed_answer_on(p, m, m->has | d->plants), row[i].truth,
				0.01 * row[i].truth);
		probe_free(p);
	}
}

/* Pairs tell whether a feature is there. A clear fetches again what follows; a replay repeats the load. */
static void
check_features(const struct sim_machine *m, const struct drawn *d)
{
	const struct { const char *probe; bool has; double most, least; } row[] = {
		{"move_elimination", d->plants & PLANT(MOVE_ELIMINATION), 0.51, 0.99},
		{"sta_std", d->plants & PLANT(STA_STD), 1.1, 1.8},
		{"nuke_replay", !d->blind || d->plants & PLANT(NUKE_REPLAY), 5, d->front_end + 2. - d->forward},
		{"rob_nops", !(d->plants & PLANT(ROB_COMPRESSION)), d->rob + 4., 1.5 * d->rob},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct probe *p = bed_probe(row[i].probe);
		struct probe_answer a = {0};

		if (p)
			a = bed_answer_on(p, m, m->has | d->plants);
		test_label("%s: %g", row[i].probe, a.value);
		if (!a.found) /* more nops share entries than can be dispatched while the load is under way */
			a.value = INFINITY;
		CHECK(row[i].has ? a.value <= row[i].most : a.value >= row[i].least);
		probe_free(p);
	}
}

static void
finds_what_was_drawn(void)
{
	unsigned rounds = test_rounds(1, 24);
	uint64_t seed = 5;

	for (unsigned i = 0; i < rounds; i++) {
		struct drawn d;
		struct sim_machine *m;
		char *text;

		draw_core(&seed, &d);
		text = text_of(&d);
		m = bed_core(text);
		if (m) {
			check_capacities(m, &d);
			check_times(m, &d);
			check_features(m, &d);
		}
		sim_machine_free(m);
		free(text);
	}
}

/* Kinds of operations in groups that are drawn, two ports each, on a core that is wide enough for two groups. */
static void
says_which_kinds_share_ports(void)
{
	static const char *const kind[] = {"div", "fdiv", "mul", "fma", "fmul", "fadd", "store", "load", "branch",
		"move", "add"};
	enum { KINDS = sizeof kind / sizeof *kind, GROUPS = 7 };
	uint64_t seed = 9;

	for (unsigned round = 0, rounds = test_rounds(1, 24); round < rounds; round++) {
		struct str text = {0};
		unsigned group[KINDS];
		struct sim_machine *m;

		str_add(&text, "fetch 8; width 8; issue 16; commit 8; latency div 3 cycles; latency fdiv 3 cycles; "
			"store_queue 96; load_queue 96; branches 96; ports 1 atomic, nop");
		for (size_t i = 0; i < KINDS; i++)
			group[i] = draw(&seed, 0, GROUPS - 1);
		for (unsigned g = 0; g < GROUPS; g++) {
			const char *before = "; ports 2 ";

			for (size_t i = 0; i < KINDS; i++)
				if (group[i] == g) {
					str_addf(&text, "%s%s", before, str_eq(kind[i], "add") ? "alu" : kind[i]);
					before = ", ";
				}
		}
		m = bed_core(str_text(&text));
		for (size_t i = 0; i < KINDS && m; i++)
			for (size_t k = i + 1; k < KINDS; k++) {
				char *name = str_format("ports_%s_%s", kind[i], kind[k]);
				struct probe *p = bed_probe(name);

				if (p)
					check_near(name, bed_answer_on(p, m, m->has), group[i] == group[k] ? 1 : 0.5,
						0.05); /* the jump at a pass's end takes a cycle of fetch */
				probe_free(p);
				free(name);
			}
		sim_machine_free(m);
		str_free(&text);
	}
}

/* The hot line stays with LRU: half of the loads miss all caches. Otherwise it goes at times. */
static void
knows_replacement(void)
{
	double lru = bed_answer("replacement", NULL, 0).value;
	double fifo = bed_answer("replacement", "replacement fifo", 0).value;
	double any = bed_answer("replacement", "replacement random", 0).value;

	CHECK_NEAR(lru, (261 + 2) / 2. / 261, 0.003);
	CHECK(fifo > any + 0.01);
	CHECK(any > lru + 0.03);
}

/* What is in front of the window, and the widths, all of them at once. */
struct front {
	unsigned fetch, width, issue, commit, front_end, returns, l1i_bytes, l1i_ways, pages, page_ways;
};

static void
check_front(const struct sim_machine *m, const struct front *f)
{
	double narrowest = fmin(f->width, f->commit), groups = 0;

	for (unsigned n = 1; n <= 8; n++)
		groups += (n + f->fetch - 1) / f->fetch;

	const struct { const char *probe; double truth, within; } row[] = {
		{"l1i_size", f->l1i_bytes * 1024., 0},
		{"l1i_ways", f->l1i_ways, 0},
		{"itlb_entries", f->pages, 0},
		{"itlb_ways", f->page_ways, 0},
		{"returns", f->returns, 0},
		{"misprediction", f->front_end + 2., 1e-9}, /* and the cycles of dispatch and of the branch */
		{"decode_width", fmin(narrowest, f->fetch), 0.01 * narrowest},
		{"commit_width", f->commit, 0.01 * f->commit},
		{"issue_width", f->issue, 0.02 * f->issue},
		{"fetch_width", 36 / fmax(groups, 36 / narrowest), 0.01 * narrowest},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct probe *p = bed_probe(row[i].probe);

		if (p)
			check_near(row[i].probe, bed_answer_on(p, m, m->has), row[i].truth, row[i].within);
		probe_free(p);
	}
}

static void
finds_the_front_that_was_drawn(void)
{
	unsigned rounds = test_rounds(3, 24);
	uint64_t seed = 7, *s = &seed;

	for (unsigned i = 0; i < rounds; i++) {
		struct front f = {
			.fetch = draw(s, 2, 8), .width = draw(s, 3, 7), .issue = draw(s, 4, 8), .commit = draw(s, 3, 8),
			.front_end = draw(s, 3, 16), .returns = 4 * draw(s, 2, 8), .l1i_bytes = 8u << draw(s, 0, 3),
			.l1i_ways = 1u << draw(s, 0, 4), .pages = 16u << draw(s, 0, 4),
				.page_ways = 1u << draw(s, 0, 3),
		};
		char *text = str_format(
			"fetch %u; width %u; issue %u; commit %u; front_end %u cycles; returns %u entries; "
			"l1i %u KiB, %u ways, 1 cycles; itlb %u entries, %u ways",
			f.fetch, f.width, f.issue, f.commit, f.front_end, f.returns, f.l1i_bytes, f.l1i_ways, f.pages,
			f.page_ways);
		struct sim_machine *m = bed_core(text);

		if (m)
			check_front(m, &f);
		sim_machine_free(m);
		free(text);
	}
}

/* A BOOM-like core, whose load and store queue have 24 entries each (section 5.6). */
static void
both_queues_of_boom(void)
{
	static const char boom[] = "rob 96; load_queue 24; store_queue 24; fetch 4; width 3";

	check_answer("load_queue", boom, 24, 0);
	check_answer("store_queue", boom, 24, 0);
}

/* A core without what some pairs look for. */
static void
says_that_nothing_is_there(void)
{
	CHECK(!bed_answer("banks", NULL, 0).found);
	CHECK(!bed_answer("write_back", NULL, 0).found);
	CHECK(!bed_answer("l3_size", NULL, 0).found);
	CHECK(!bed_answer("returns", "returns 512 entries", 0).found);
	CHECK_NEAR(bed_answer("bank_conflict", NULL, 0).value, 0, 0.01);
	CHECK_NEAR(bed_answer("move_elimination", NULL, 0).value, 1, 0.01);
	CHECK_NEAR(bed_answer("fma_split", NULL, 0).value, 1, 0.01);
	CHECK(!bed_answer("history", "predictor bimodal 4096 entries", 0).found);
}

/* The history of TAGE, and a table that only addresses select. */
static void
knows_other_predictors(void)
{
	CHECK_NEAR(bed_answer("history", "predictor gshare 4096 entries, history 9", 0).value, 9, 2);
	if (test_rounds(0, 1))
		CHECK_NEAR(bed_answer("history", "predictor tage 64 KiB, history 40", 0).value, 40, 2);
	CHECK_NEAR(bed_answer("predictor_size", "predictor bimodal 2048 entries", 0).value, 2048, 0);
}

TEST_MAIN(CASE(finds_what_was_drawn), CASE(says_which_kinds_share_ports), CASE(knows_replacement),
	CASE(finds_the_front_that_was_drawn), CASE(both_queues_of_boom), CASE(says_that_nothing_is_there),
	CASE(knows_other_predictors))
