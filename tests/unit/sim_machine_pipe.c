/* The items of a machine's pipeline: what the parser reads, which errors it reports, with what, where and what to do;
 * and changes to a file. */
#include <stdlib.h>
#include <string.h>

#include "machine_text.h"
#include "mutate.h"
#include "sim/machine.h"
#include "test.h"
#include "text/diag.h"

#define KINDS(...) (kinds_of((const int[]){__VA_ARGS__, -1}))
#define BIT(p) (1u << SIM_PLANT_##p)

/* The items. A row of errors replaces the item that begins with the same words. */
static const char *const item[] = {
	"machine t \"a test\";", "clock 2 GHz;", "width 4;", "rob 64;", "load_queue 16;", "store_queue 8;",
	"l1 32 KiB, 8 ways, 4 cycles;", "l2 256 KiB, 8 ways, 12 cycles;", "l3 4 MiB, 16 ways, 30 cycles, 128 bytes;",
	"memory 200 cycles;", "fill_buffers 10;", "counters 128;", "fixed 2;", "fetch 8;", "front_end 6 cycles;",
	"ports 4 alu, mul, div, fadd, fmul, fdiv, fma, branch, move, nop;", "ports 2 load, store, atomic;",
	"latency mul 3 cycles;", "latency div 20 cycles, blocking;", "predictor hybrid 4096 entries, history 12;",
	"l1i 32 KiB, 8 ways, 1 cycles;", "btb 512 entries, 4 ways;", "stride_prefetch 64 entries, ahead 2;",
	"window 100;", "int_registers 80;", "fp_registers 80;", "disambiguation wait;",
	"lookup at fetch; replacement fifo;", "banks 8;",
	"stacks truth, \"naive-retired\";", "itlb 64 entries, 4 ways;", "dtlb 4k 64 entries, 4 ways;", "walkers 1;",
	"mshrs 4;", "walk_start 5 cycles;", "rob_pack 6;", "has wrong_path;", "may rob_compression, merging;",
	NULL};

static struct sim_machine *
parse(const char *text, const char *changes)
{
	struct diags d = {0};
	struct sim_machine *m = sim_machine_parse("t.machine", text, strlen(text), changes, &d);

	test_check(m != NULL, __FILE__, __LINE__, "%s", d.n ? d.item[0].text : "?");
	diags_free(&d);
	return m;
}

static uint32_t
kinds_of(const int *kind)
{
	uint32_t set = 0;

	for (; *kind >= 0; kind++)
		set |= 1u << *kind;
	return set;
}

static void
items_are_read(void)
{
	char *text = machine_text(item, NULL, "");
	struct sim_machine *m = parse(text, NULL);

	if (m) {
		const struct sim_pipeline *p = &m->pipe;

		CHECK(p->there && p->translates && p->lookup_at_fetch && p->replacement == SIM_FIFO);
		CHECK_INT(p->fetch, 8);
		CHECK_INT(p->front_end, 6);
		CHECK_INT(p->n_ports, 2);
		CHECK_INT(p->ports[1].n, 2);
		CHECK_INT(p->ports[1].kinds, KINDS(SIM_OP_LOAD, SIM_OP_STORE, SIM_OP_ATOMIC));
		CHECK_INT(p->latency[SIM_OP_MUL], 3);
		CHECK_INT(p->latency[SIM_OP_DIV], 20);
		CHECK_INT(p->latency[SIM_OP_ALU], 1);
		CHECK_INT(p->blocking, KINDS(SIM_OP_DIV));
		CHECK_INT(p->predictor.kind, SIM_PREDICT_HYBRID);
		CHECK_INT(p->predictor.entries, 4096);
		CHECK_INT(p->predictor.history, 12);
		CHECK_INT(p->predictor.btb, 512);
		CHECK_INT(p->l1i.bytes, 32 << 10);
		CHECK_INT(m->l3.line, 128);
		CHECK_INT(p->window, 100);
		CHECK_INT(p->int_registers, 80);
		CHECK_INT(p->disambiguation, SIM_WAIT);
		CHECK_INT(p->banks, 8);
		CHECK_INT(p->itlb.entries, 64);
		CHECK_INT(p->stride_entries, 64);
		CHECK_INT(p->stride_ahead, 2);
		CHECK_INT(m->n_stacks, 2);
		CHECK_STR(m->stack[1], "naive-retired");
		CHECK_INT(m->has, BIT(WRONG_PATH));
		CHECK_INT(m->may, BIT(WRONG_PATH) | BIT(ROB_COMPRESSION) | BIT(MERGING));
		/* What was not given. */
		CHECK_INT(p->issue, 4);
		CHECK_INT(p->commit, 4);
		CHECK_INT(p->fetch_branches, 8);
		CHECK_INT(p->fetch_taken, 1);
		CHECK_INT(p->redirect, 3);
		CHECK_INT(p->scheduler, 64);
		CHECK_INT(p->branches, 64);
		CHECK_INT(p->forward, 1);
		sim_machine_free(m);
	}
	free(text);
}

static void
parts_may_be_missing(void)
{
	static const char *const may_miss[] = {"l3", "window", "btb", "banks", "stacks", "lookup", "latency", "itlb",
		"stride_prefetch", "int_registers"};

	for (size_t i = 0; i < sizeof may_miss / sizeof *may_miss; i++) {
		char *text = machine_text(item, may_miss[i], "");

		test_label("%s", may_miss[i]);
		sim_machine_free(parse(text, NULL));
		free(text);
	}
}

static void
errors_are_reported(void)
{
	static const struct { const char *item, *with, *says, *hint; int line;
	} row[] = {
		/* what is missing */
		{"front_end", "", "a machine with a pipeline needs 'front_end'", "for instance: front_end 5 cycles;",
			1},
		{"l1i", "", "a machine with a pipeline needs 'l1i'", "l1i 32 KiB", 1},
		{"predictor", "", "a machine with a pipeline needs 'predictor'", "predictor hybrid 4096", 1},
		{"ports 2", "", "no port executes: load, store, atomic", "for instance: ports 2 load, atomic;", 1},
		{"ports 4", "ports 4 alu, mul, fadd, fmul, fma, branch, move, nop;", "no port executes: div, fdiv", "",
			1},
		{"walkers", "", "the file does not give: walkers", "every machine has them", 1},
		{"memory", "", "the file does not give: memory", "", 1},
		{"rob_pack", "", "the machine may have rob_compression, but no item says how many", "rob_pack 6;", 1},
		{"fetch", "", "'front_end' belongs to a pipeline, and this machine has none", "for instance: fetch 8;",
			15},
		/* sizes that do not fit */
		{"rob 64", "rob 3;", "the reorder buffer (3) is smaller than the width (4)", "enlarge the one", 4},
		{"window", "window 3;", "the window (3) is smaller than the width (4)", "enlarge the one", 24},
		{"int_registers", "int_registers 2;", "the number of registers (2) is smaller than the width (4)", "",
			25},
		{"fp_registers", "fp_registers 1;", "the number of registers (1) is smaller than the width (4)", "",
			26},
		{"l2", "l2 256 KiB, 8 ways, 4 cycles;", "L2 answers after 4 cycles, L1 after 4", "a deeper level", 8},
		{"memory", "memory 30 cycles;", "memory answers after 30 cycles, L3 after 30", "a deeper level", 10},
		{"l3", "l3 4 MiB, 16 ways, 12 cycles;", "L3 answers after 12 cycles, L2 after 12", "a deeper level", 9},
		{"banks", "banks 6;", "the banks of L1 must be a power of two", "for instance: banks 8;", 1},
		/* zero and too large */
		{"fetch", "fetch 0;", "the instructions fetched in a cycle: a whole number from 1 to 64", "", 14},
		{"fetch", "fetch 65;", "from 1 to 64 is expected, not '65'", "", 14},
		{"front_end", "front_end 0 cycles;", "the cycles from fetch to dispatch: a whole number from 1 to 200",
			"", 15},
		{"front_end", "front_end 5;", "'cycles' expected after the number, not ';'", "", 15},
		{"latency mul", "latency mul 0 cycles;", "the latency: a whole number from 1 to 1000", "", 18},
		{"l1 ", "l1 32 KiB, 8 ways, 0 cycles;", "the latency of L1: a whole number from 1 to 1000", "", 7},
		{"l1i", "l1i 32 KiB, 8 ways, 0 cycles;", "the latency of L1I: a whole number from 1", "", 21},
		{"memory", "memory 0 cycles;", "the latency of memory: a whole number from 1", "", 10},
		{"ports 2", "ports 0 load;", "the ports of a group: a whole number from 1 to 64", "", 17},
		{"rob_pack", "rob_pack 1;",
			"the µops that share an entry of the reorder buffer: a whole number from 2 to 16", "", 36},
		{NULL, "issue 0;", "the µops that begin execution in a cycle: a whole number from 1 to 256", "", 39},
		{NULL, "commit 0;", "the µops that commit in a cycle: a whole number from 1 to 4096", "", 39},
		{NULL, "scheduler 0;", "a whole number from 1 to 4096", "", 39},
		{NULL, "branches 5000;", "the branches in flight: a whole number from 1 to 4096", "", 39},
		{NULL, "forward 0 cycles;", "a whole number from 1 to 100", "", 39},
		{NULL, "redirect 0 cycles;", "a whole number from 1 to 200", "", 39},
		{NULL, "returns 0 entries;", "the entries of the return-address stack: a whole number from 1",
			"leave 'returns' out where all targets are known", 39},
		{NULL, "write_back 0;", "a whole number from 1 to 64", "leave 'write_back' out for no such limit", 39},
		{"btb", "btb 0 entries, 4 ways;",
			"the entries of the table of branch targets: a whole number from 1 to 1048576 is expected, "
			"not '0'",
			"leave 'btb' out where the targets of direct branches are known", 22},
		{"btb", "btb 512 entries, 0 ways;", "the ways of the table of branch targets: a whole number from 1",
			"", 22},
		{"counters", "counters 257;", "a whole number from 0 to 256", "", 12},
		/* no power of two */
		{"l1i", "l1i 33 KiB, 8 ways, 1 cycles;",
			"528 lines in sets of 8 ways: the number of sets is not a power of two",
			"possible sizes nearby: 32 and 64 KiB", 21},
		{"l3", "l3 4 MiB, 16 ways, 30 cycles, 100 bytes;", "the bytes of a line must be a power of two",
			"for instance: 64 bytes, or 128 bytes", 9},
		{"l3", "l3 4 MiB, 16 ways, 30 cycles, 32 bytes;",
			"the bytes of a line of L3: a whole number from 64 to 4096", "", 9},
		{"l3", "l3 3 MiB, 16 ways, 30 cycles, 128 bytes;",
			"24576 lines in sets of 16 ways: the number of sets is not a power of two",
			"possible sizes nearby: 2048 and 4096 KiB", 9},
		{"btb", "btb 500 entries, 4 ways;", "500 entries in sets of 4 ways",
			"possible numbers nearby: 256 and 512", 22},
		{"predictor", "predictor hybrid 4000 entries, history 12;",
			"the size of the predictor must be a power of two", "for instance: 4096", 20},
		{"predictor", "predictor tage 48 KiB, history 100;", "the size of the predictor must be a power of two",
			"", 20},
		/* words */
		{"ports 2", "ports 2 laod, store;", "there is no kind of µop 'laod'", "nearest: load", 17},
		{"latency mul", "latency multiply 3 cycles;", "there is no kind of µop 'multiply'", "", 18},
		{"latency div", "latency div 20 cycles, block;", "'blocking' expected after ','", "", 19},
		{"predictor", "predictor magic;", "perfect, bimodal, gshare, hybrid or tage expected after 'predictor'",
			"", 20},
		{"predictor", "predictor gshare 4096 entries;", "',' expected after the size", "", 20},
		{"predictor", "predictor gshare 4096 entries, 12;", "'history' expected after ','", "", 20},
		{"predictor", "predictor gshare 4096 entries, history 33;",
			"the branches in the history: a whole number from 1 to 32", "", 20},
		{"predictor", "predictor tage 64 KiB, history 3001;", "from 1 to 3000", "", 20},
		{"predictor", "predictor tage 64 entries, history 100;", "'KiB' expected after the number", "", 20},
		{"predictor", "predictor bimodal 4096 entries, history 3;", "';' expected after the predictor", "", 20},
		{"disambiguation", "disambiguation hope;", "oracle, wait or blind expected after 'disambiguation'", "",
			27},
		{"lookup", "lookup at once;", "'fetch' or 'execution' expected after 'at'", "", 28},
		{"lookup", "replacement lifo;", "lru, fifo or random expected after 'replacement'", "", 28},
		{"lookup", "lookup fetch;", "'at' expected after 'lookup'", "", 28},
		{"stride_prefetch", "stride_prefetch 64 entries;", "',' expected after the entries", "", 23},
		{"stride_prefetch", "stride_prefetch 64 entries, 2;", "'ahead' expected after ','", "", 23},
		{"stacks", "stacks;", "the name of a stack expected", "", 30},
		{"has", "has wrong_paths;", "there is no feature 'wrong_paths'", "nearest: wrong_path", 37},
		{NULL, "fetch 4;", "'fetch' is given twice", "the first one is in line 14", 39},
		{NULL, "l1i 32 KiB, 8 ways, 1 cycles;", "'l1i' is given twice", "line 21", 39},
		{NULL, "schedular 40;", "a part of a machine expected", "nearest: scheduler", 39},
		{NULL, "ports 1 alu; ports 1 alu; ports 1 alu; ports 1 alu; ports 1 alu; ports 1 alu; ports 1 alu;",
			"more than 8 groups of ports", "join ports that take the same kinds", 39},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		machine_text_refused(item, row[i].item, row[i].with, row[i].says, row[i].hint, row[i].line);
}

/* Items of a pipeline on a machine without `fetch`: all of them are refused, each at its place. */
static void
no_pipeline_without_fetch(void)
{
	char *text = machine_text(item, "fetch", "");
	struct diags d = {0};

	CHECK(!sim_machine_parse("t.machine", text, strlen(text), NULL, &d));
	for (size_t i = 0; i < d.n; i++) {
		test_label("%s", d.item[i].text);
		CHECK(strstr(d.item[i].text, "belongs to a pipeline") ||
			strstr(d.item[i].text, "does not give: branch_penalty"));
	}
	CHECK(d.n > 10);
	diags_free(&d);
	free(text);
}

static void
changes_replace_items(void)
{
	char *text = machine_text(item, NULL, "");
	struct sim_machine *m = parse(text, "rob 128; window 40; l1i 64 KiB, 4 ways, 2 cycles");

	if (m) {
		CHECK_INT(m->rob, 128);
		CHECK_INT(m->pipe.window, 40);
		CHECK_INT(m->pipe.l1i.bytes, 64 << 10);
		CHECK_INT(m->pipe.scheduler, 128); /* it follows the new reorder buffer */
		CHECK_INT(m->width, 4);
	}
	sim_machine_free(m);
	/* All groups of ports, sets of features and lists are replaced as a whole; the last change counts. */
	m = parse(text, "ports 3 alu, mul, div, fadd, fmul, fdiv, fma, branch, move, nop; ports 1 load, store, atomic;"
		"has move_elimination, merging; stacks fmt; rob 90; rob 91; latency div 7 cycles");
	if (m) {
		CHECK_INT(m->pipe.n_ports, 2);
		CHECK_INT(m->pipe.ports[0].n, 3);
		CHECK_INT(m->has, BIT(MOVE_ELIMINATION) | BIT(MERGING)); /* one that it may have, too */
		CHECK_INT(m->n_stacks, 1);
		CHECK_STR(m->stack[0], "fmt");
		CHECK_INT(m->rob, 91);
		CHECK_INT(m->pipe.latency[SIM_OP_DIV], 7);
		CHECK_INT(m->pipe.blocking, 0);
	}
	sim_machine_free(m);
	m = parse(text,
		"has wrong_path; stlb 4k 512 entries, 4 ways, 7 cycles; stlb 4k 2m 256 entries, 4 ways, 7 cycles");
	if (m) {
		CHECK_INT(m->has, BIT(WRONG_PATH));
		CHECK_INT(m->stlb.entries, 256);
	}
	sim_machine_free(m);
	free(text);
}

/* A wrong change is reported with its own line, behind those of the file. */
static void
wrong_changes_are_reported(void)
{
	static const struct { const char *changes, *says, *source; int col; } row[] = {
		{"rob 2", "the reorder buffer (2) is smaller than the width (4)", "rob 2;", 1},
		{"rob", "the entries of the reorder buffer: a whole number", "rob;", 4},
		{"width 4; rob 0", "a whole number from 1 to 4096 is expected, not '0'", "width 4; rob 0;", 14},
		{"robb 5", "a part of a machine expected, as rob, dtlb or l1, not 'robb'", "robb 5;", 1},
		{"rob 5 cycles", "';' expected after the number", "rob 5 cycles;", 7},
		{"l2 100 KiB, 8 ways, 12 cycles", "the number of sets is not a power of two",
			"l2 100 KiB, 8 ways, 12 cycles;", 4},
		{"ports 1 alu", "no port executes: mul", "", 0},
		{"rob 5 }", "';' expected after the number, not '}'", "rob 5 };", 7},
	};
	char *text = machine_text(item, NULL, "");

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct diags d = {0};

		test_label("%s", row[i].changes);
		CHECK(!sim_machine_parse("t.machine", text, strlen(text), row[i].changes, &d));
		if (CHECK(d.n)) {
			CHECK(strstr(d.item[0].text, row[i].says));
			if (row[i].col) {
				CHECK_STR(d.item[0].source, row[i].source);
				CHECK_INT(d.item[0].col, row[i].col);
			}
		}
		diags_free(&d);
	}
	free(text);
}

static void
mutated_machines_do_no_harm(void)
{
	static const char *const pieces[] = {"rob 5;", ";", "ports 2 alu;", "fetch", "latency", "0", "9999999999", ",",
		"\"", "entries", "cycles", "predictor tage 8 KiB,", "stacks", "//", "blocking"};
	char *text = machine_text(item, NULL, "");
	uint64_t seed = 11;
	unsigned good = 0;

	for (unsigned i = 0; i < test_rounds(2000, 50000); i++) {
		size_t n;
		char *mutant = mutate(text, strlen(text), pieces, sizeof pieces / sizeof *pieces, 30, &seed, &n);
		struct diags d = {0};
		struct sim_machine *m = sim_machine_parse("t.machine", mutant, n, NULL, &d);

		CHECK((m != NULL) == (d.errors == 0));
		good += m != NULL;
		sim_machine_free(m);
		diags_free(&d);
		free(mutant);
	}
	CHECK(good > 0);
	free(text);
}

TEST_MAIN(CASE(items_are_read), CASE(parts_may_be_missing), CASE(errors_are_reported), CASE(no_pipeline_without_fetch),
	CASE(changes_replace_items), CASE(wrong_changes_are_reported), CASE(mutated_machines_do_no_harm))
