/* Traces as µops: what must come of made records. The numbers of the public traces of the branch prediction
 * championship are tested if $HECATE_CBP_TRACES names the folder with them. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "made_traces.h"
#include "test.h"

static void
add_number(struct str *out, uint8_t r)
{
	if (r == SIM_NO_REGISTER)
		str_add(out, "-");
	else
		str_addf(out, "%u", r);
}

/* "1000+4>1004 load =8 (7,-,-) @5000/8." */
static void
add_op_text(struct str *out, const struct sim_op *o)
{
	static const char *const kinds[] = {
#define X(id, name) name,
		SIM_OPS(X)
#undef X
	};
	static const char *const branches[SIM_N_BRANCHES] = {"", " conditional", " jump", " indirect", " call",
		" indirect-call", " return"};

	str_addf(out, "%llx+%u>%llx %s%s%s", (unsigned long long)o->pc, o->length, (unsigned long long)o->next,
		kinds[o->kind], branches[o->branch], o->flags & SIM_OP_TAKEN ? " taken" : "");
	if (o->dst != SIM_NO_REGISTER)
		str_addf(out, " =%u", o->dst);
	if (o->src[0] != SIM_NO_REGISTER || o->src[1] != SIM_NO_REGISTER || o->src[2] != SIM_NO_REGISTER) {
		str_add(out, " (");
		add_number(out, o->src[0]);
		str_add(out, ",");
		add_number(out, o->src[1]);
		str_add(out, ",");
		add_number(out, o->src[2]);
		str_add(out, ")");
	}
	if (o->size)
		str_addf(out, " @%llx/%u", (unsigned long long)o->at, o->size);
	str_add(out, o->flags & SIM_OP_LAST ? ".\n" : "\n");
}

static void
check_ops(const struct str *bytes, int format, const char *want)
{
	static const size_t cuts[] = {1, 2, 3, 250, 5000};

	for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
		struct made_result r = made_read(bytes, format, cuts[c]);
		struct str got = {0};

		for (size_t i = 0; i < r.n; i++)
			add_op_text(&got, &r.op[i]);
		CHECK_STR(r.e.what, "");
		CHECK_STR(str_text(&got), want);
		CHECK_INT(r.facts.bytes, bytes->n);
		str_free(&got);
		free(r.op);
	}
}

static const char champ_ops[] =
	"1000+3>1003 alu =10 (10,8,-).\n"
	"1003+2>1005 branch conditional (10,-,-).\n"
	"1005+3>1008 load =7 (7,-,-) @5000/8.\n"
	"1008+4>100c load =0 (7,-,-) @507c/4\n"
	"1008+4>100c alu =10 (0,10,7).\n"
	"100c+1>100d store (6,-,5) @7ff8/8.\n"
	"100d+1>100e load =5 (6,-,-) @7ff8/8.\n"
	"100e+3>1011 store (7,-,10) @6000/8.\n"
	"1011+3>1014 load =0 (7,-,-) @6000/8\n"
	"1011+3>1014 alu =25 (0,7,-)\n"
	"1011+3>1014 store (7,-,25) @6000/8.\n"
	"1014+4>1018 load =0 (7,-,-) @6100/8\n"
	"1014+4>1018 fadd =100 (0,100,7).\n"
	"1018+2>101a load =0 (3,4,-) @9000/8\n"
	"1018+2>101a alu =4 (0,3,4)\n"
	"1018+2>101a alu =3 (0,3,4)\n"
	"1018+2>101a store (3,-,4) @8000/8.\n"
	"101a+1>101b nop.\n"
	"101b+5>2000 store (6,-,-) @7ff8/8\n"
	"101b+5>2000 branch call taken (6,-,-).\n"
	"2000+1>1020 load =0 (6,-,-) @7ff8/8\n"
	"2000+1>1020 branch return taken (0,6,-).\n"
	"1020+2>1003 branch conditional taken (25,-,-).\n"
	"1003+2>101b branch conditional taken (25,-,-).\n"
	"101b+5>800000000040 store (6,-,-) @800000000010/8\n"
	"101b+5>800000000040 branch call taken (6,-,-).\n"
	"800000000040+4>800000000044 fadd =72 (100,72,25).\n";

static void
champsim_records_become_uops(void)
{
	struct str b = {0};

	made_trace(&b, SIM_CHAMPSIM);
	check_ops(&b, SIM_CHAMPSIM, champ_ops);
	check_ops(&b, MADE_GUESS, champ_ops);
	str_free(&b);
}

/* As ChampSim classifies branches: by what they read and write. */
static void
champsim_branches_are_classified(void)
{
	static const struct {
		struct made_champ c;
		enum sim_branch want;
		bool taken;
	} rows[] = {
		{{.dst = {26}}, SIM_JUMP, true},
		{{.dst = {26}, .src = {26}}, SIM_JUMP, true},
		{{.dst = {26}, .src = {10}}, SIM_INDIRECT, true},
		{{.dst = {26}, .src = {26, 25}}, SIM_CONDITIONAL, false},
		{{.taken = 1, .dst = {26}, .src = {26, 25}}, SIM_CONDITIONAL, true},
		{{.taken = 1, .dst = {26}, .src = {26, 10}}, SIM_CONDITIONAL, true},
		{{.dst = {26, 6}, .src = {26, 6}}, SIM_CALL, true},
		{{.dst = {26, 6}, .src = {26, 6, 10}}, SIM_INDIRECT_CALL, true},
		{{.dst = {6, 26}, .src = {6}}, SIM_RETURN, true},
		{{.dst = {26}, .src = {25}}, SIM_CONDITIONAL, false}, /* "other" */
		{{.dst = {10}, .src = {26}}, SIM_NO_BRANCH, false},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct made_champ c = rows[i].c;
		struct str b = {0};
		struct made_result r;

		test_label("row %zu", i);
		c.ip = 0x1000;
		c.branch = 1;
		made_add_champs(&b, &c, 1);
		r = made_read(&b, SIM_CHAMPSIM, 100);
		CHECK_STR(r.e.what, "");
		if (CHECK_INT(r.n, 1)) {
			CHECK_INT(r.op->branch, rows[i].want);
			CHECK_INT(r.op->flags & SIM_OP_TAKEN, rows[i].taken);
		}
		free(r.op);
		str_free(&b);
	}
}

/* A call whose length is seen from where it returns to. */
static void
champsim_learns_lengths_of_calls(void)
{
	static const struct made_champ call = {.ip = 0x1000, .branch = 1, .taken = 1, .dst = {26, 6},
		.src = {26, 6, 10},
		.store = {0x7ff8}}, back = {.ip = 0x2000, .branch = 1, .taken = 1, .dst = {26, 6}, .src = {6},
		.load = {0x7ff8}}, after = {.ip = 0x1007, .branch = 1, .taken = 1, .dst = {26}};
	struct str b = {0};

	for (int i = 0; i < 2; i++) {
		made_add_champs(&b, &call, 1);
		made_add_champs(&b, &back, 1);
		made_add_champs(&b, &after, 1);
	}
	check_ops(&b, SIM_CHAMPSIM,
		"1000+2>2000 store (6,-,-) @7ff8/8\n"
		"1000+2>2000 branch indirect-call taken (6,10,-).\n"
		"2000+1>1007 load =0 (6,-,-) @7ff8/8\n"
		"2000+1>1007 branch return taken (0,6,-).\n"
		"1007+2>1000 branch jump taken.\n"
		"1000+7>2000 store (6,-,-) @7ff8/8\n"
		"1000+7>2000 branch indirect-call taken (6,10,-).\n"
		"2000+1>1007 load =0 (6,-,-) @7ff8/8\n"
		"2000+1>1007 branch return taken (0,6,-).\n"
		"1007+2>1009 branch jump taken.\n");
	str_free(&b);
}

static const char cbp_ops[] =
	"1000+4>1004 alu =3 (1,2,-).\n"
	"1004+4>1008 alu =3 (1,-,-)\n"
	"1004+4>1008 alu =32 (1,-,-).\n"
	"1008+4>100c mul =0 (1,2,3).\n"
	"100c+4>1010 fadd =66 (64,65,-).\n"
	"1010+4>1014 fadd =66 (64,65,-)\n"
	"1010+4>1014 fadd =66 (64,65,-).\n"
	"1014+4>1018 load =2 (1,-,-) @5000/8.\n"
	"1018+4>101c load =1 (3,-,-) @5000/8\n"
	"1018+4>101c load =2 (3,-,-) @5008/8\n"
	"1018+4>101c alu =3 (3,-,-).\n"
	"101c+4>1020 load =64 (1,-,-) @5000/10\n"
	"101c+4>1020 load =65 (1,-,-) @500a/10\n"
	"101c+4>1020 load =65 (1,-,-) @5014/10.\n"
	"1020+4>1024 load =64 (1,-,-) @5003/1\n"
	"1020+4>1024 load =64 (1,-,-) @5004/1.\n"
	"1024+4>1028 store (1,-,2) @6000/8.\n"
	"1028+4>102c store (31,-,1) @6000/8\n"
	"1028+4>102c store (31,-,2) @6008/8\n"
	"1028+4>102c alu =31 (31,-,-).\n"
	"102c+4>1030 store (1,2,3) @800000006000/4.\n"
	"1030+4>1034 store (1,-,-) @6000/64.\n"
	"1034+4>1038 branch conditional (32,-,-).\n"
	"1038+4>1040 branch conditional taken (1,-,-).\n"
	"1040+4>2000 branch jump taken.\n"
	"2000+4>2010 branch indirect taken (1,-,-).\n"
	"2010+4>3000 branch call taken =30.\n"
	"3000+4>4000 branch indirect-call taken =30 (1,-,-).\n"
	"4000+4>3004 branch return taken (30,-,-).\n"
	"3004+4>3008 alu.\n";

static void
cbp_records_become_uops(void)
{
	struct str b = {0};

	made_trace(&b, SIM_CBP);
	check_ops(&b, SIM_CBP, cbp_ops);
	check_ops(&b, MADE_GUESS, cbp_ops);
	str_free(&b);
}

static const char lackey_uops[] =
	"1000+3>1003 load =0 @1fff000700/8.\n"
	"1003+5>2000 store @1fff0006f8/8\n"
	"1003+5>2000 branch call taken.\n"
	"2000+3>2003 alu.\n"
	"2003+2>2005 alu.\n"
	"2005+4>2009 load =0 @403a2c8/4\n"
	"2005+4>2009 alu =0 (0,-,-)\n"
	"2005+4>2009 store (-,-,0) @403a2c8/4.\n"
	"2009+2>2003 branch conditional taken.\n"
	"2003+2>2010 branch conditional taken.\n"
	"2010+1>1008 load =0 @1fff0006f8/8\n"
	"2010+1>1008 branch return taken (0,-,-).\n"
	"1008+3>1008 load =0 @5000/8\n"
	"1008+3>1008 store (-,-,0) @6000/8.\n"
	"1008+3>100b load =0 @5008/8\n"
	"1008+3>100b store (-,-,0) @6008/8.\n"
	"100b+6>2009 load =0 @4000010/8\n"
	"100b+6>2009 branch indirect taken (0,-,-).\n"
	"2009+2>200b branch conditional.\n"
	"200b+3>3000 load =0 @4000010/8\n"
	"200b+3>3000 store (-,-,0) @1fff0006f8/8\n"
	"200b+3>3000 branch indirect-call taken (0,-,-).\n"
	"3000+5>2009 branch jump taken.\n"
	"2009+2>2003 branch conditional taken.\n"
	"2003+2>2005 branch conditional.\n"
	"2005+3>ffffff600000 branch indirect taken.\n"
	"ffffff600000+7>ffffff600007 alu.\n";

static void
lackey_lines_become_uops(void)
{
	struct str b = {0};

	made_trace(&b, SIM_LACKEY);
	check_ops(&b, SIM_LACKEY, lackey_uops);
	check_ops(&b, MADE_GUESS, lackey_uops);
	str_free(&b);
}

/* What looked like a branch once, because a signal or another thread came after it, is none. */
static void
lackey_forgets_what_falls_through(void)
{
	struct str b = {0};

	str_add(&b, "I  1000,5\nI  9000,3\nI  1000,5\nI  1005,3\n"      /* mov eax, 1; a signal; again */
		    "I  5000,1\nI  1000,5\nI  9000,1\n"                 /* and a jump again */
		    " L 7000,8\nI  3000,2\nI  2000,2\nI  9000,4\n");
	check_ops(&b, SIM_LACKEY,
		"1000+5>9000 branch jump taken.\n"
		"9000+3>1000 branch indirect taken.\n"
		"1000+5>1005 alu.\n"
		"1005+3>5000 branch indirect taken.\n"
		"5000+1>1000 alu.\n"
		"1000+5>9000 alu.\n"
		"9000+1>3000 load =0 @7000/8\n"
		"9000+1>3000 branch return taken (0,-,-).\n"
		"3000+2>2000 branch indirect taken.\n"
		"2000+2>9000 branch indirect taken.\n"
		"9000+4>9004 alu.\n");
	str_free(&b);
}

/* A short loop branch stays conditional when threads switch after it; a jump table's jump becomes indirect. */
static void
lackey_votes_for_targets(void)
{
	struct str b = {0};
	struct made_result r;

	for (int i = 0; i < 100; i++)
		str_addf(&b, "I  1000,3\nI  1003,2\n%s", i == 50 ? "I  7000,4\nI  1003,2\n" : "");
	r = made_read(&b, SIM_LACKEY, 1000);
	CHECK_INT(r.n, 202);
	for (size_t i = 0; i + 1 < r.n; i++)
		if (r.op[i].pc == 0x1003)
			CHECK_INT(r.op[i].branch, SIM_CONDITIONAL);
	free(r.op);
	str_clear(&b);
	for (int i = 0; i < 10; i++)
		str_addf(&b, "I  1000,2\nI  %x,5\n", 0x1010 + 16 * (i % 3));
	r = made_read(&b, SIM_LACKEY, 1000);
	CHECK_INT(r.n, 20);
	CHECK_INT(r.op[0].branch, SIM_CONDITIONAL);
	for (size_t i = 4; i < r.n; i += 2)
		CHECK_INT(r.op[i].branch, SIM_INDIRECT);
	free(r.op);
	str_free(&b);
}

static const struct {
	const char *file;
	uint64_t instructions, uops, loads, conditional, accesses;
} championship[] = {
	/* as ./cbp of cbp2025 reports them */
	{"int/sample_int_trace.gz", 997301, 1138403, 325732, 128874, 536590},
	{"fp/sample_fp_trace.gz", 997741, 1313295, 417260, 111265, 582033},
};

static void
championship_traces_count_the_same(void)
{
	const char *folder = getenv("HECATE_CBP_TRACES");

	if (!folder) {
		test_skip("HECATE_CBP_TRACES names no folder with the sample traces of cbp2025");
		return;
	}
	for (size_t i = 0; i < sizeof championship / sizeof *championship; i++) {
		char *path = str_format("%s/%s", folder, championship[i].file);
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		struct err e = {0};
		struct sim_stream *s = sim_op_trace_open(fd, &e);
		static struct sim_op op[4096];
		uint64_t uops = 0, loads = 0, conditional = 0, accesses = 0;
		size_t got = 0;

		test_label("%s", path);
		while (CHECK(s) && (got = sim_stream_fill(s, op, 4096, &e)) && got != SIZE_MAX)
			for (size_t k = 0; k < got; k++) {
				uops++;
				loads += op[k].kind == SIM_OP_LOAD;
				accesses += op[k].kind == SIM_OP_LOAD || op[k].kind == SIM_OP_STORE;
				conditional += op[k].branch == SIM_CONDITIONAL;
			}
		CHECK_INT(got, 0);
		CHECK_STR(e.what, "");
		if (s)
			CHECK_INT(sim_op_trace_facts(s).instructions, championship[i].instructions);
		CHECK_INT(uops, championship[i].uops);
		CHECK_INT(loads, championship[i].loads);
		CHECK_INT(conditional, championship[i].conditional);
		CHECK_INT(accesses, championship[i].accesses);
		sim_stream_free(s);
		close(fd);
		free(path);
	}
}

TEST_MAIN(CASE(champsim_records_become_uops), CASE(champsim_branches_are_classified),
	CASE(champsim_learns_lengths_of_calls),
	CASE(cbp_records_become_uops), CASE(lackey_lines_become_uops), CASE(lackey_forgets_what_falls_through),
	CASE(lackey_votes_for_targets), CASE(championship_traces_count_the_same))
