/* The language of simulated machines, and features by name: what the parser reads, which errors it reports, and that no
 * bytes crash it. */
#include "sim/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "machine_text.h"
#include "mutate.h"
#include "test.h"
#include "text/diag.h"

#define BIT(p) (1u << SIM_PLANT_##p)

static struct sim_machine *
load(const char *name)
{
	char *path = str_format("../models/machines/%s.machine", name);
	unsigned long n;
	char *text = test_read(path, &n);
	struct diags d = {0};
	struct sim_machine *m = text ? sim_machine_parse(path, text, n, NULL, &d) : NULL;

	test_check(m && d.n == 0, __FILE__, __LINE__, "%s: %s", path, d.n ? d.item[0].text : "not read");
	diags_free(&d);
	free(text);
	free(path);
	return m;
}

/* Numbers from the tables of Intel's optimization manual for Haswell, and those that the file says it chose. */
static void
haswell_is_as_documented(void)
{
	struct sim_machine *m = load("haswell");

	if (!m)
		return;
	CHECK_STR(m->name, "haswell");
	CHECK_NEAR(m->ghz, 3.4, 1e-12);
	CHECK_INT(m->width, 4);
	CHECK_INT(m->rob, 192);
	CHECK_INT(m->load_queue, 72);
	CHECK_INT(m->store_queue, 42);
	CHECK_INT(m->dtlb[SIM_4K].entries, 64);
	CHECK_INT(m->dtlb[SIM_4K].ways, 4);
	CHECK_INT(m->dtlb[SIM_2M].entries, 32);
	CHECK_INT(m->dtlb[SIM_1G].entries, 4);
	CHECK_INT(m->stlb.entries, 1024);
	CHECK_INT(m->stlb.ways, 8);
	CHECK(m->stlb_holds[SIM_4K] && m->stlb_holds[SIM_2M] && !m->stlb_holds[SIM_1G]);
	CHECK_INT(m->walkers, 1);
	CHECK_INT(m->l1.bytes, 32 << 10);
	CHECK_INT(m->l2.bytes, 256 << 10);
	CHECK_INT(m->l3.bytes, 8 << 20);
	CHECK_INT(m->data_mlp, 10);
	CHECK_INT(m->counters, 4);
	CHECK_INT(m->line_up[0], 51);
	CHECK_INT(m->line_up[1], 52);
	CHECK_INT(m->line_down[0], 8);
	CHECK_INT(m->line_down[1], 7);
	CHECK_INT(m->has, BIT(TLB_PF) | BIT(EARLY_PSC) | BIT(MERGING) | BIT(PML4E) | BIT(BYPASS));
	CHECK_INT(m->may, BIT(WRONG_PATH) - 1); /* those of the MMU */
	sim_machine_free(m);
}

static void
small_has_nothing_planted(void)
{
	struct sim_machine *m = load("small");

	if (!m)
		return;
	CHECK_STR(m->name, "small");
	CHECK_INT(m->has, 0);
	CHECK_INT(m->may, BIT(WRONG_PATH) - 1);
	CHECK_INT(m->l1.bytes, 1024);
	CHECK_INT(m->timer_hz, 1000);
	CHECK_INT(m->fault_cycles, 500);
	sim_machine_free(m);
}

/* Relative errors before calibration, in percent, of table 3 of "Benchmarking for Single Feature Attribution with
 * Microarchitecture Cliffs"; our copy has lost the absolute values. All else is the same in both files. */
static void
kmh_before_has_the_errors_of_the_paper(void)
{
	struct sim_machine *kmh = load("kmh"), *before = load("kmh-before");

	if (kmh && before) {
		const struct sim_pipeline *p = &kmh->pipe, *b = &before->pipe;
		unsigned atomic = b->latency[SIM_OP_ATOMIC];
		const struct { const char *what; unsigned truth, before; double percent, apart; } row[] = {
			{"rob", kmh->rob, before->rob, 100, 0.01},
			{"load_queue", kmh->load_queue, before->load_queue, 77.78, 0.01},
			{"store_queue", kmh->store_queue, before->store_queue, 71.43, 0.01},
			{"l2", kmh->l2.latency, before->l2.latency, 68.51, 0.1},
			{"memory", kmh->memory_latency, before->memory_latency, 9.51, 0.2},
			{"fp_dispatch", p->fp_dispatch, b->fp_dispatch, 32.66, 1},
			{"write_back", p->write_back, b->write_back, 166, 1},
			{"atomic", p->latency[SIM_OP_ATOMIC], atomic, -60.35, 4}, /* probes add some cycles */
		};

		for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
			test_label("%s", row[i].what);
			CHECK_NEAR(100 * ((double)row[i].before / row[i].truth - 1), row[i].percent, row[i].apart);
		}
		CHECK_INT(p->banks, 8);
		CHECK_INT(b->banks, 0);
		CHECK(b->predictor.history > p->predictor.history);
		CHECK_INT(kmh->has & ~before->has,
			BIT(ROB_COMPRESSION) | BIT(FMA_SPLIT) | BIT(STA_STD) | BIT(NUKE_REPLAY));
		CHECK_INT(before->has & ~kmh->has, 0);
		test_label("what the paper does not name is the same");
		CHECK_INT(before->width, kmh->width);
		CHECK_INT(b->int_registers, p->int_registers);
		CHECK_INT(b->fp_registers, p->fp_registers);
		CHECK_INT(before->l1.bytes, kmh->l1.bytes);
		CHECK_INT(before->l1.latency, kmh->l1.latency);
		CHECK_INT(before->l2.bytes, kmh->l2.bytes);
		CHECK_INT(before->data_mlp, kmh->data_mlp);
		CHECK_INT(b->disambiguation, p->disambiguation);
		CHECK(b->n_ports == p->n_ports && memcmp(b->ports, p->ports, sizeof p->ports) == 0);
		for (int k = 0; k < SIM_N_OP_KINDS; k++)
			CHECK(k == SIM_OP_ATOMIC || b->latency[k] == p->latency[k]);
	}
	sim_machine_free(kmh);
	sim_machine_free(before);
}

/* The items of a machine. A row of errors replaces the item that begins with the same words. */
static const char *const item[] = {
	"machine t \"a test\";",
	"clock 2 GHz;",
	"width 4;",
	"rob 64;",
	"load_queue 16;",
	"store_queue 8;",
	"branch_penalty 9 cycles;",
	"dtlb 4k 16 entries, 4 ways;",
	"stlb 4k 2m 64 entries, 8 ways, 7 cycles;",
	"pde 8 entries, 4 ways;",
	"pdpte 4 entries, 4 ways;",
	"pml4e 2 entries, 2 ways;",
	"walkers 2;",
	"mshrs 8;",
	"walk_start 5 cycles;",
	"prefetch up 51 52, down 8 7;",
	"l1 32 KiB, 8 ways, 4 cycles;",
	"l2 256 KiB, 8 ways, 12 cycles;",
	"l3 4 MiB, 16 ways, 30 cycles;",
	"memory 200 cycles;",
	"fill_buffers 10;",
	"counters 4;",
	"fixed 2;",
	"has merging;",
	"may pml4e, tlb_pf;",
	NULL,
};

static void
errors_are_reported(void)
{
	static const struct { const char *item, *with, *says, *hint; } row[] = {
		{"machine", "", "the file does not give: machine", "every machine has them"},
		{"l1 ", "", "the file does not give: l1", ""},
		{"dtlb", "", "the file does not give: dtlb", ""},
		{"rob", "", "the file does not give: rob", ""},
		{NULL, "machine u;", "'machine' is given twice", "the first one is in line 1"},
		{NULL, "rob 64;", "'rob' is given twice", "the first one is in line 4"},
		{NULL, "dtlb 4k 16 entries, 4 ways;", "'dtlb' is given twice", "line 8"},
		{NULL, "robs 64;", "a part of a machine expected, as rob, dtlb or l1, not 'robs'", "nearest: rob"},
		{NULL, "colour red;", "a part of a machine expected", ""},
		{NULL, "\"rob\" 3;", "a part of a machine expected", ""},
		{NULL, "}", "a part of a machine expected", ""},
		{"rob", "rob 0;",
			"the entries of the reorder buffer: a whole number from 1 to 4096 is expected, not '0'", ""},
		{"rob", "rob 4097;", "a whole number from 1 to 4096 is expected, not '4097'", ""},
		{"rob", "rob 99999999999999999999;", "a whole number from 1 to 4096 is expected", ""},
		{"rob", "rob -4;", "a whole number from 1 to 4096 is expected, not '-'", ""},
		{"rob", "rob four;", "a whole number from 1 to 4096 is expected, not 'four'", ""},
		{"rob", "rob ;", "the entries of the reorder buffer: a whole number from 1 to 4096 is expected", ""},
		{"rob", "rob 1.5;", "';' expected after the number, not '.'", ""},
		{"rob", "rob 64", "';' expected after the number, not 'load_queue'", ""},
		{"rob", "rob 64 cycles;", "';' expected after the number, not 'cycles'", ""},
		{"branch_penalty", "branch_penalty 9;", "'cycles' expected after the number, not ';'", ""},
		{"branch_penalty", "branch_penalty 9 ns;", "'cycles' expected after the number, not 'ns'", ""},
		{"memory", "memory 0 cycles;", "a whole number from 1 to 100000", ""},
		{"walkers", "walkers 17;", "from 1 to 16", ""},
		{"counters", "counters 257;", "from 0 to 256", ""},
		{"clock", "clock 0 GHz;", "a number from 0.001 to 100 is expected", "clock 3.4 GHz"},
		{"clock", "clock 1e3 GHz;", "a number from 0.001 to 100", ""},
		{"clock", "clock 2.0.0 GHz;", "a number from 0.001 to 100", ""},
		{"clock", "clock GHz;", "a number from 0.001 to 100", ""},
		{"clock", "clock;", "a number from 0.001 to 100", ""},
		{"clock", "clock 2000 MHz;", "a number from 0.001 to 100", ""},
		{"clock", "clock 20 MHz;", "'GHz' expected after the number, not 'MHz'", ""},
		{"dtlb", "dtlb 16 entries, 4 ways;",
			"the size of its pages, 4k, 2m or 1g, expected after 'dtlb', not '16'", ""},
		{"dtlb", "dtlb 4k 16 entries, 3 ways;",
			"16 entries in sets of 3 ways: the number of sets is not a power of two",
			"possible numbers nearby: 12 and 24"},
		{"dtlb", "dtlb 4k 48 entries, 4 ways;", "48 entries in sets of 4 ways",
			"possible numbers nearby: 32 and 64"},
		{"dtlb", "dtlb 4k 4 entries, 8 ways;", "more ways than entries: 8 ways, 4 entries",
			"for a fully associative one write 4 ways"},
		{"dtlb", "dtlb 4k 16 entries, 0 ways;",
			"the ways of the first-level TLB of 4k pages: a whole number from 1 to 64", ""},
		{"dtlb", "dtlb 4k 0 entries, 1 ways;",
			"the entries of the first-level TLB of 4k pages: a whole number from 1", ""},
		{"dtlb", "dtlb 4k 16, 4 ways;", "'entries' expected after the number", ""},
		{"dtlb", "dtlb 4k 16 entries 4 ways;", "',' expected after the entries", ""},
		{"stlb", "stlb 64 entries, 8 ways, 7 cycles;",
			"the sizes of its pages, as 4k 2m, expected after 'stlb', not '64'", ""},
		{"stlb", "stlb 4k 4k 64 entries, 8 ways, 7 cycles;", "'4k' is named twice", ""},
		{"stlb", "stlb 4k 64 entries, 8 ways;", "',' expected after the ways", ""},
		{"l1", "l1 32 KB, 8 ways, 4 cycles;", "KiB, MiB or GiB expected after the size, not 'KB'", ""},
		{"l1", "l1 33 KiB, 8 ways, 4 cycles;",
			"528 lines in sets of 8 ways: the number of sets is not a power of two",
			"possible sizes nearby: 32 and 64 KiB"},
		{"l1", "l1 1 KiB, 64 ways, 4 cycles;", "more ways than lines: 64 ways, 16 lines", ""},
		{"l1", "l1 32 KiB, 8 ways;", "',' expected after the ways", ""},
		{"l1", "l1 32 KiB, 8 ways, 4 ns;", "'cycles' expected after the number, not 'ns'", ""},
		{"l3", "l3 5 GiB, 16 ways, 30 cycles;", "the size of L3 is at most 4 GiB", ""},
		{"l2", "l2 256 KiB, 8 ways, 4 cycles;", "L2 answers after 4 cycles, L1 after 4",
			"a deeper level takes longer"},
		{"memory", "memory 30 cycles;", "memory answers after 30 cycles, L3 after 30", ""},
		{"prefetch", "prefetch up 51 53, down 8 7;", "the second line must be the one after the first",
			"up 51 52"},
		{"prefetch", "prefetch up 63 64, down 8 7;", "a whole number from 0 to 63", ""},
		{"prefetch", "prefetch up 51 52, down 7 8;", "the second line must be the one before the first",
			"down 8 7"},
		{"prefetch", "prefetch 51 52;", "up expected in 'prefetch', not '51'", ""},
		{"prefetch", "", "the machine may have tlb_pf, but no item says which lines",
			"prefetch up 51 52, down 8 7;"},
		{"pml4e", "", "the machine may have pml4e, but no item says how large that cache is",
			"pml4e 4 entries, 4 ways;"},
		{"has", "has mergin;", "there is no feature 'mergin'", "nearest: merging"},
		{"has", "has merging, merging;", "the feature 'merging' is named twice", ""},
		{"has", "has tlb_pf;", "the feature 'tlb_pf' is named twice",
			"a feature that a machine has must also be among those that it may have"},
		{"has", "has;", "a feature's name expected, not ';'", ""},
		{"has", "has merging,;", "a feature's name expected, not ';'", ""},
		{"machine", "machine \"\";", "there is nothing between the quotes", ""},
		{"machine", "machine 7up;", "'7up' is not a name", ""},
		{"machine", "machine \"t;", "this string does not end", ""},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		machine_text_refused(item, row[i].item, row[i].with, row[i].says, row[i].hint, 0);
}

static void
all_errors_are_reported_at_once(void)
{
	static const char text[] = "machine t;\nrob 0;\n\ndtlb 4k 3 entries, 2 ways;\nhas what;\n";
	struct diags d = {0};

	CHECK(!sim_machine_parse("t.machine", text, sizeof text - 1, NULL, &d));
	if (CHECK_INT(d.errors, 3)) {
		CHECK_INT(d.item[0].line, 2);
		CHECK_INT(d.item[0].col, 5);
		CHECK_INT(d.item[1].line, 4);
		CHECK_INT(d.item[2].line, 5);
	}
	diags_free(&d);
	CHECK(!sim_machine_parse("t.machine", "", 0, NULL, &d));
	if (CHECK_INT(d.errors, 1))
		CHECK(strstr(d.item[0].text, "machine, clock, width, rob, load_queue"));
	diags_free(&d);
}

static void
parts_may_be_missing(void)
{
	static const char *const may_miss[] = {"stlb", "pde", "pdpte", "fault", "timer"};

	for (size_t i = 0; i < sizeof may_miss / sizeof *may_miss; i++) {
		char *text = machine_text(item, may_miss[i], "");
		struct diags d = {0};
		struct sim_machine *m = sim_machine_parse("t.machine", text, strlen(text), NULL, &d);

		test_label("%s", may_miss[i]);
		if (CHECK(m)) {
			CHECK_INT(m->pde.entries, str_eq(may_miss[i], "pde") ? 0 : 8);
			CHECK_INT(m->stlb.entries, str_eq(may_miss[i], "stlb") ? 0 : 64);
			CHECK_INT(m->may, BIT(MERGING) | BIT(PML4E) | BIT(TLB_PF));
			CHECK_STR(m->text, "a test");
		}
		sim_machine_free(m);
		diags_free(&d);
		free(text);
	}
}

static void
features_are_read(void)
{
	static const struct { const char *text; sim_plants set; } good[] = {
		{"none", 0}, {"all", BIT(MERGING) | BIT(PML4E) | BIT(TLB_PF)}, {"pml4e", BIT(PML4E)},
			{"pml4e,merging", BIT(MERGING) | BIT(PML4E)},
		{" pml4e , tlb_pf ", BIT(PML4E) | BIT(TLB_PF)}, {"-merging", 0}, {"+pml4e",
			BIT(MERGING) | BIT(PML4E)}, {"+pml4e,-merging", BIT(PML4E)},
		{"all,-pml4e", BIT(MERGING) | BIT(TLB_PF)}, {"none,tlb_pf", BIT(TLB_PF)}, {"none,+tlb_pf",
			BIT(TLB_PF)}, {"-bypass", BIT(MERGING)},
	};
	static const struct { const char *text, *says, *hint; } bad[] = {
		{"", "one name is empty", "'none'"}, {"pml4e,", "one name is empty", ""}, {"+",
			"one name is empty", ""}, {",pml4e", "one name is empty", ""},
		{"mergin", "there is no feature 'mergin' to plant", "nearest: merging"}, {"-mergin",
			"no feature 'mergin'", "nearest: merging"},
		{"bypass", "the machine t cannot have bypass", "it may have tlb_pf,merging,pml4e"}, {"+bypass",
			"cannot have bypass", ""},
		{"pml4e,pml4e", "the feature pml4e is named twice", ""}, {"+pml4e,-pml4e", "named twice", ""},
		{"pml4e,all", "'all' among the features to plant is not the first", "all,-tlb_pf"},
			{"pml4e,none", "'none' among", ""}, {"ALL", "no feature 'ALL'", ""},
	};
	char *text = machine_text(item, "no such item", "");
	struct diags d = {0};
	struct sim_machine *m = sim_machine_parse("t.machine", text, strlen(text), NULL, &d);

	for (size_t i = 0; CHECK(m) && i < sizeof good / sizeof *good; i++) {
		sim_plants set = 99, again = 99;
		struct err e = {0};
		char *back;

		test_label("%s", good[i].text);
		CHECK(sim_plants_parse(m, good[i].text, &set, &e));
		CHECK_INT(set, good[i].set);
		back = sim_plants_text(set);
		CHECK(sim_plants_parse(m, back, &again, &e));
		CHECK_INT(again, set);
		free(back);
	}
	for (size_t i = 0; m && i < sizeof bad / sizeof *bad; i++) {
		sim_plants set = 99;
		struct err e = {0};

		test_label("%s", bad[i].text);
		CHECK(!sim_plants_parse(m, bad[i].text, &set, &e));
		CHECK_INT(set, 99);
		test_check(strstr(e.what, bad[i].says) && strstr(e.hint, bad[i].hint), __FILE__, __LINE__,
			"the message is: %s (%s)", e.what, e.hint);
	}
	sim_machine_free(m);
	diags_free(&d);
	free(text);
}

/* The machine in docs/simulated-machine.md can be read. Every feature is explained there and named in
 * hecate-machines(5). */
static void
documents_are_true(void)
{
	static const char begin[] = "```machine\n";
	char *text = test_read("../docs/simulated-machine.md", NULL),
	     *man = test_read("../man/hecate-machines.5", NULL), *from = text ? strstr(text, begin) : NULL;

	if (CHECK(from && man)) {
		struct diags d = {0};
		struct sim_machine *m;

		from += sizeof begin - 1;
		m = sim_machine_parse("docs.machine", from, (size_t)(strstr(from, "```\n") - from), NULL, &d);
		test_check(m, __FILE__, __LINE__, "the machine of the page: %s", d.n ? d.item[0].text : "");
		for (int i = 0; i < SIM_N_PLANTS; i++) {
			char *row = str_format("| `%s` | ", sim_plant_name((enum sim_plant)i));

			test_label("%s", row);
			CHECK(strstr(text, row));
			CHECK(strstr(man, sim_plant_name((enum sim_plant)i)));
			CHECK(*sim_plant_text((enum sim_plant)i));
			free(row);
		}
		sim_machine_free(m);
		diags_free(&d);
	}
	free(text);
	free(man);
}

static void
mutated_machines_do_no_harm(void)
{
	static const char *const pieces[] = {
		"rob 5;",
		";",
		",",
		"\"",
		"/*",
		"//",
		"{",
		"}",
		"entries",
		"ways",
		"4k",
		"1g",
		"KiB",
		"99999999999",
		"0",
		"\xff",
		"GHz",
		"has ",
		"may ",
		".",
		"up",
		"-1",
		"pml4e 2 entries, 2 ways;",
		"l1 1 GiB, 1 ways, 1 cycles;",
	};
	unsigned long rounds = test_rounds(3000, 100000), read = 0, n;
	uint64_t seed = 6;
	char *text = test_read("../models/machines/small.machine", &n);

	for (unsigned long k = 0; text && k < rounds; k++) {
		struct diags d = {0};
		size_t m_n;
		char *bytes = mutate(text, n, pieces, sizeof pieces / sizeof *pieces, 30, &seed, &m_n);
		struct sim_machine *m = sim_machine_parse("t.machine", bytes, m_n, NULL, &d);

		test_label("round %lu", k);
		CHECK((m != NULL) == (d.errors == 0));
		if (m)
			CHECK(m->l1.bytes && m->l3.ways && m->width && m->dtlb[SIM_4K].entries &&
				(m->has & ~m->may) == 0 && m->ghz > 0);
		read += m != NULL;
		sim_machine_free(m);
		diags_free(&d);
		free(bytes);
	}
	CHECK(read > rounds / 50);
	CHECK(read < rounds);
	free(text);
}

TEST_MAIN(CASE(haswell_is_as_documented), CASE(small_has_nothing_planted),
	CASE(kmh_before_has_the_errors_of_the_paper), CASE(errors_are_reported),
	CASE(all_errors_are_reported_at_once), CASE(parts_may_be_missing), CASE(features_are_read),
	CASE(documents_are_true), CASE(mutated_machines_do_no_harm))
