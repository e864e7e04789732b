/* The machine code of probes: its bytes against a table from the manual, and what small passes leave behind when they
 * run. Nothing here is timed. */
#include "collect/native/encode.h"
#include "collect/native/memory.h"
#include "collect/native/uses.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/probe/probe.h"
#include "test.h"
#include "text/diag.h"
#include "work/probe/native_expect.h"

#define FILL 3
#define LINES 64
#define NEAR_WORDS 4096

/* What a pass of some instructions is, between the aligned beginning of the body and the end of the loop. */
static char *
bytes_of_all(struct probe_insn *insn, size_t n, bool moves_as_nops, unsigned lacks)
{
	struct probe_code c = {.insn = insn, .n = n};
	struct native_style style = {.unroll = 1, .moves_as_nops = moves_as_nops, .lacks = lacks};
	struct native_lines lines;
	struct native_text t = {0};
	struct str out = {0};
	struct err e;
	size_t begin = 0, end;

	if (!native_encode(&t, &c, &style, &lines, &e)) {
		free(t.byte);
		return str_format("%s", e.what);
	}
	for (size_t i = 0; i + 9 < t.n; i++) /* the jump back, 0f 85, has its distance: it ends where the body begins */
		if (t.byte[i] == 0x48 && t.byte[i + 1] == 0xff && t.byte[i + 2] == 0xc9 && t.byte[i + 3] == 0x0f) {
			int32_t distance;

			memcpy(&distance, t.byte + i + 5, sizeof distance);
			begin = (size_t)((int64_t)i + 9 + distance);
			end = i;
			CHECK_INT(begin % 64, 0);
			for (size_t k = begin; k < end; k++)
				str_addf(&out, "%s%02x", k > begin ? " " : "", t.byte[k]);
		}
	free(t.byte);
	return str_take(&out);
}

static char *
bytes_of(const struct probe_insn *insn, bool moves_as_nops, unsigned lacks)
{
	struct probe_insn copy = *insn;

	return bytes_of_all(&copy, 1, moves_as_nops, lacks);
}

/* Bytes as GNU as writes them for the instruction beside. */
static void
encodings(void)
{
	static const struct {
		struct probe_insn insn;
		bool moves_as_nops;
		const char *bytes;
	} row[] = {
		{{.op = PROBE_NOP}, false, "66 90"},
		{{.op = PROBE_NOP}, true, "49 89 da"},                                       /* mov %rbx,%r10 */
		{{.op = PROBE_ADD}, false, "4c 8d 14 2b"},                                   /* lea (%rbx,%rbp),%r10 */
		{{.op = PROBE_ADD, .from = FILL, .chain = FILL}, false, "48 01 ea"},         /* add %rbp,%rdx */
		{{.op = PROBE_ADD, .from = FILL, .chain = 4}, false, "4c 8d 64 15 00"},      /* lea 0(%rbp,%rdx),%r12 */
		{{.op = PROBE_MUL, .from = FILL, .chain = FILL}, false, "48 69 d2 01 00 00 00"}, /* imul $1,%rdx,%rdx */
		{{.op = PROBE_MOVE}, false, "49 89 da"},
		{{.op = PROBE_FADD, .from = FILL, .chain = FILL}, false, "c4 c1 7b 58 c6"},  /* vaddsd %xmm14,%xmm0 */
		{{.op = PROBE_FMUL, .from = FILL, .chain = FILL}, false, "c4 c1 7b 59 c7"},  /* vmulsd %xmm15,%xmm0 */
		{{.op = PROBE_FDIV, .from = FILL, .chain = FILL}, false, "c4 c1 7b 5e c7"},  /* vdivsd %xmm15,%xmm0 */
		{{.op = PROBE_FADD}, false, "c4 c1 03 58 d6"},                               /* vaddsd …,%xmm2 */
		/* vfmadd213sd %xmm14,%xmm15,%xmm0 */
		{{.op = PROBE_FMA, .from = FILL, .chain = FILL}, false, "c4 c2 81 a9 c6"},
		/* mov 8(%rbx),%r10 */
		{{.op = PROBE_LOAD, .place = PROBE_NEAR, .offset = 8}, false, "4c 8b 93 08 00 00 00"},
		/* mov 0(%rdx),%rdx; an offset within a word is none */
		{{.op = PROBE_LOAD, .place = PROBE_NEAR, .from = FILL, .chain = FILL, .offset = 7}, false,
			"48 8b 92 00 00 00 00"},
		/* vmovsd 16(%rbx),%xmm2 */
		{{.op = PROBE_FLOAD, .place = PROBE_NEAR, .offset = 16}, false, "c4 e1 7b 10 93 10 00 00 00"},
		{{.op = PROBE_STORE, .place = PROBE_NEAR}, false, "48 89 9b 00 00 00 00"},   /* mov %rbx,0(%rbx) */
		/* mov %rdx,0(%r12) */
		{{.op = PROBE_STORE, .place = PROBE_NEAR, .from = FILL, .after = 4}, false, "49 89 94 24 00 00 00 00"},
		{{.op = PROBE_ATOMIC, .place = PROBE_NEAR}, false, "4c 87 93 00 00 00 00"},  /* xchg %r10,0(%rbx) */
		{{.op = PROBE_BRANCH}, false, "72 00"},                                      /* jc .+2 */
		{{.op = PROBE_JUMP, .offset = 3}, false, "e9 03 00 00 00 90 90 90"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *bytes = bytes_of(&row[i].insn, row[i].moves_as_nops, 0);

		test_label("row %zu, %s", i, probe_op_name(row[i].insn.op));
		CHECK_STR(bytes, row[i].bytes);
		free(bytes);
	}
}

/* After a copy the chain is in the other register of its pair, %rax for the first one, and back at the end. */
static void
the_other_register(void)
{
	struct probe_insn insn[] = {
		{.op = PROBE_MOVE, .from = 1, .chain = 1},
		{.op = PROBE_ADD, .from = 1, .chain = 4},
	};
	char *bytes = bytes_of_all(insn, 2, false, 0);

	/* mov %rdi,%rax; lea 0(%rbp,%rax),%r12; mov %rax,%rdi */
	CHECK_STR(bytes, "48 89 f8 4c 8d 64 05 00 48 89 c7");
	free(bytes);
}

/* On a processor without AVX or FMA only what needs it is refused. */
static void
lacking_processors(void)
{
	static const struct {
		enum probe_op op;
		unsigned lacks;
		const char *error; /* NULL: none */
	} row[] = {
		{PROBE_FADD, NATIVE_LACKS_AVX, "this processor has no AVX, which the probe needs"},
		{PROBE_FLOAD, NATIVE_LACKS_AVX | NATIVE_LACKS_FMA, "this processor has no AVX, which the probe needs"},
		{PROBE_FMA, NATIVE_LACKS_FMA, "this processor has no fused multiply-add, which the probe needs"},
		{PROBE_FMUL, NATIVE_LACKS_FMA, NULL},
		{PROBE_MUL, NATIVE_LACKS_AVX | NATIVE_LACKS_FMA, NULL},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *bytes = bytes_of(&(struct probe_insn){.op = row[i].op}, false, row[i].lacks);

		test_label("%s, lacks %u", probe_op_name(row[i].op), row[i].lacks);
		if (row[i].error)
			CHECK_STR(bytes, row[i].error);
		else
			CHECK(strlen(bytes) % 3 == 2 && !strstr(bytes, "processor"));
		free(bytes);
	}
}

/* A far chain, a footprint and near memory. */
struct world {
	void *near[NEAR_WORDS];
	void *room[3][LINES * 8];
	struct native_chain chain[2];
	void *fresh[LINES];
	struct native_frame frame;
};

static struct world *
world_new(void)
{
	struct world *w = mem_new(sizeof *w);

	for (size_t i = 0; i < NEAR_WORDS; i++)
		w->near[i] = w->near;
	for (size_t k = 0; k < 3; k++)
		for (size_t i = 0; i < sizeof w->room[k] / sizeof *w->room[k]; i++)
			w->room[k][i] = w->near;
	for (size_t k = 0; k < 2; k++)
		native_chain_make(&w->chain[k], w->room[k], LINES, 64, false, false, k + 1);
	for (size_t i = 0; i < LINES; i++)
		w->fresh[i] = &w->room[2][8 * i];
	w->frame = (struct native_frame){.near = w->near, .far = {w->chain[0].line[0], w->chain[1].line[0],
		w->chain[0].line[0]}, .chase = w->chain[1].line[0], .fresh = (const void *const *)w->fresh, .random = 7,
		.one = 1};
	return w;
}

static void
world_free(struct world *w)
{
	for (size_t k = 0; k < 2; k++)
		native_chain_free(&w->chain[k]);
	free(w);
}

/* Runs the probe's fill at x for so many rounds of two passes. False: this machine cannot run it. */
static bool
run(struct world *w, const char *text, uint64_t x, uint64_t rounds, struct native_lines *lines)
{
	struct diags d = {0};
	struct probe *p = probe_parse(mem_str("t.probe"), mem_str(text), strlen(text), &d);
	struct native_style style = {.unroll = 2, .sites = 5, .lacks = native_lacks()};
	struct native_text t = {0};
	struct native_map m = {0};
	struct probe_code c = {0};
	struct err e = {0};
	bool good;

	if (!test_check(p != NULL, __FILE__, __LINE__, "%s: %s", text, d.n ? d.item[0].text : ""))
		return false;
	probe_code_write(&c, p, &p->fill, x);
	good = native_encode(&t, &c, &style, lines, &e) && native_map_code(&m, t.byte, t.n, &e);
#ifdef __x86_64__
	w->frame.rounds = rounds;
	if (good)
		native_map_function(&m, 0)(&w->frame);
#else
	(void)w, (void)rounds;
	good = false;
#endif
	if (!good)
		test_skip("machine code made at run time cannot run here: %s", e.what);
	native_unmap(&m);
	free(t.byte);
	probe_code_free(&c);
	probe_free(p);
	diags_free(&d);
	return good;
}

/* Each chain moves by the lines that its loads have read, and everything in near memory is as before. */
static void
chains_advance(void)
{
	static const struct {
		const char *text;
		uint64_t x;
		size_t far[2], fresh; /* lines of a round of two passes */
	} row[] = {
		{"probe t \"\" { knee 4 .. 40 step 1; block; fill add, fadd, load, store; }", 9, {2, 2}, 0},
		{"probe t \"\" { knee 4 .. 40 step 1; block; fill mul, move, branch chained; }", 7, {2, 2}, 0},
		{"probe t \"\" { knee 4 .. 40 step 1; fill fresh load waves; }", 5, {0, 0}, 10},
		{"probe t \"\" { knee 4 .. 40 step 1; fill fresh prefetch then same load waves; }", 4, {0, 0}, 2},
		/* a far load whose chain others write, too, takes a fresh line */
		{"probe t \"\" { ratio 3 .. 9 step 3; fill far load, fresh store, same load chained; "
			"against nop; }", 3, {0, 0}, 4},
		{"probe t \"\" { knee 4 .. 40 step 1; fill add, store, load chained late; }", 9, {0, 0}, 0},
		{"probe t \"\" { knee 4 .. 40 step 1; fill atomic, load, move chained stride 8; }", 30, {0, 0}, 0},
		{"probe t \"\" { knee 4 .. 40 step 1; fill coin then site, jump then echo; }", 6, {0, 0}, 0},
		{"probe t \"\" { knee 4 .. 40 step 1; fill fload, load stride 24; }", 40, {0, 0}, 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct world *w = world_new();
		struct native_lines lines = {{0}, 0};
		uint64_t rounds = 3;
		size_t changed = 0;

		test_label("%s", row[i].text);
		if (run(w, row[i].text, row[i].x, rounds, &lines)) {
			for (size_t k = 0; k < 2; k++) {
				CHECK_INT(lines.far[k], row[i].far[k]);
				CHECK(w->frame.far[k] == w->chain[k].line[rounds * row[i].far[k] % LINES]);
			}
			CHECK_INT(lines.fresh, row[i].fresh);
			CHECK(w->frame.fresh == (const void *const *)w->fresh + rounds * row[i].fresh);
			for (size_t k = 0; k < NEAR_WORDS; k++)
				changed += w->near[k] != (void *)w->near;
			CHECK_INT(changed, 0);
		}
		world_free(w);
	}
}

static void
footprint_is_walked(void)
{
	struct world *w = world_new();
	struct native_lines lines;

	if (run(w, "probe t \"\" { knee 1k .. 4k step 64; footprint; }", 1024, 5, &lines))
		CHECK(w->frame.chase == w->chain[1].line[10]);
	world_free(w);
}

/* A chain of far loads alone is a walk, too, here in the registers of the fill. */
static void
far_chain_of_the_fill(void)
{
	struct world *w = world_new();
	struct native_lines lines;

	if (run(w, "probe t \"\" { slope 4 .. 40 step 1; fill far load chained; }", 5, 3, &lines)) {
		CHECK_INT(lines.far[2], 10);
		CHECK(w->frame.far[2] == w->chain[0].line[30]);
	}
	world_free(w);
}

/* Each coin takes a step of the generator. */
static void
coins_are_drawn(void)
{
	struct world *w = world_new();
	struct native_lines lines;
	uint64_t state = w->frame.random;

	if (run(w, "probe t \"\" { slope 1 .. 40 step 1; fill coin; }", 3, 4, &lines)) {
		for (int i = 0; i < 2 * 3 * 4; i++)
			state = state * 0x5851f42d + 0x3c6ef35d;
		CHECK(w->frame.random == state);
	}
	world_free(w);
}

/* Every line is visited once, by any order, and no two are the same. */
static void
chains_are_circles(void)
{
	static const struct { size_t n, stride; bool spread, sequential; } row[] = {
		{1, 64, false, false}, {2, 64, false, false}, {100, 128, false, false}, {50, 4096, true, false},
		{50, 192, false, true},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		unsigned char *room = aligned_alloc(4096, row[i].n * 4096 + 4096);
		struct native_chain c = {0};
		void *at;
		size_t seen = 0, in_order = 0;

		test_label("%zu lines of %zu bytes", row[i].n, row[i].stride);
		native_chain_make(&c, room, row[i].n, row[i].stride, row[i].spread, row[i].sequential, 3);
		at = c.line[0];
		do {
			size_t place = (size_t)((unsigned char *)at - room) / row[i].stride;

			CHECK(place < row[i].n);
			CHECK_INT((size_t)((unsigned char *)at - room) % row[i].stride,
				row[i].spread ? place % 64 * 64 : 0);
			in_order += *(void **)at == (unsigned char *)at + row[i].stride;
			at = *(void **)at;
			seen++;
		} while (at != c.line[0] && seen <= row[i].n);
		CHECK_INT(seen, row[i].n);
		if (row[i].sequential)
			CHECK_INT(in_order, row[i].n - 1);
		native_chain_flush(&c, 0, c.n);
		native_chain_free(&c);
		free(room);
	}
}

static bool
agrees(const struct expected *e, bool found, double value, double low, double high)
{
	return expected_agrees(e,
		&(struct probe_answer){.found = found, .value = value, .low = low, .high = high});
}

static void
expectations(void)
{
	static const char text[] = "expect t \"a core\" { cpu vendor \"V\" family 6 model 3, 10 .. 12; rob 320 \"a\"; "
		"doubtful move_latency 0.25 .. 0.5 \"b\"; l1_size 32k \"c\"; }";
	struct diags d = {0};
	struct expectation *x = expectation_parse(mem_str("t.expect"), mem_str(text), strlen(text), &d);
	const struct expected *rob, *move;

	if (!CHECK(x != NULL))
		return;
	rob = expectation_of(x, "rob");
	move = expectation_of(x, "move_latency");
	CHECK(expectation_fits(x, "V", 6, 3) && expectation_fits(x, "V", 6, 11));
	CHECK(!expectation_fits(x, "V", 6, 9) && !expectation_fits(x, "W", 6, 3) && !expectation_fits(x, "V", 7, 3));
	if (CHECK(rob && move)) {
		CHECK_NEAR(rob->low, 320, 0);
		CHECK(!rob->doubtful && move->doubtful);
		CHECK_NEAR(move->low, 0.25, 1e-12);
		CHECK_NEAR(move->high, 0.5, 1e-12);
		CHECK_STR(move->source, "b");
		CHECK(agrees(rob, true, 312, 311, 313));
		CHECK(agrees(rob, true, 300, 290, 321));
		CHECK(!agrees(rob, true, 309, 305, 313));
		CHECK(!agrees(rob, false, 320, 320, 320));
		CHECK(agrees(rob, true, 188, 188, INFINITY));
		CHECK(!agrees(rob, true, 340, 340, INFINITY));
		CHECK(agrees(move, true, 0.4, 0.39, 0.41));
	}
	CHECK_NEAR(expectation_of(x, "l1_size")->high, 32768, 0);
	CHECK(expectation_of(x, "none") == NULL && expectation_of(NULL, "rob") == NULL);
	expectation_free(x);
	diags_free(&d);
}

/* All installed files are read, and none describes a processor that another one does. */
static void
installed_expectations(void)
{
	static const struct { int family, model; const char *name; } row[] = {
		{25, 17, "zen4"}, {26, 2, "zen5"}, {26, 68, "zen5"}, {26, 112, "zen5"}, {26, 80, NULL}, {26, 144, NULL},
	};
	const char *tests = getenv("HECATE_TESTS");
	char *pattern = str_format("%s/../models/expect/*.expect", tests ? tests : "tests");
	glob_t files;
	bool some = glob(pattern, 0, NULL, &files) == 0;

	free(pattern);
	if (!CHECK(some))
		return;
	CHECK(files.gl_pathc >= 9);
	for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
		const char *found = NULL;

		for (size_t i = 0; i < files.gl_pathc; i++) {
			unsigned long n;
			char *name = str_format("../models/expect/%s", strrchr(files.gl_pathv[i], '/') + 1);
			char *text = test_read(name, &n);
			struct diags d = {0};
			struct expectation *x = expectation_parse(name, text, n, &d);

			test_label("%s: %s", files.gl_pathv[i], d.n ? d.item[0].text : "");
			if (CHECK(x != NULL) && expectation_fits(x, "AuthenticAMD", row[r].family, row[r].model)) {
				CHECK(row[r].name && str_eq(x->name, row[r].name));
				CHECK(!found);
				found = row[r].name;
			}
			expectation_free(x);
			diags_free(&d);
		}
		test_label("model %d", row[r].model);
		CHECK((found != NULL) == (row[r].name != NULL));
	}
	globfree(&files);
}

static void
bad_expectations(void)
{
	static const struct { const char *text, *error; } row[] = {
		{"rob 3;", "'expect' expected"},
		{"expect t \"x\" { rob 320 \"a\"; }", "which processors it describes"},
		{"expect t \"x\" { cpu vendor \"V\" family 6 model 3; rob 320; }", "the source, in quotes"},
		{"expect t \"x\" { cpu vendor \"V\" family 6 model 3; rob 320 \"\"; }", "'rob' has no source"},
		{"expect t \"x\" { cpu vendor \"V\" family 6 model 3; rob many \"a\"; }",
			"what it finds: a whole number, as 5 or 100K,"},
		{"expect t \"x\" { cpu vendor \"V\" family 6 model 9 .. 3; rob 1 \"a\"; }", "below the first"},
		{"expect t \"x\" { cpu vendor \"V\" family 9999999999 model 3; rob 1 \"a\"; }",
			"a whole number from 0 to 65535"},
		{"expect t \"x\" { cpu vendor \"V\" family 6 model 3 .. 9999999999; rob 1 \"a\"; }", "whole numbers"},
		{"expect t \"x\" { cpu vendor \"V\" family 6 model 3.5; rob 1 \"a\"; }", "whole numbers"},
		{"expect t \"x\" { cpu family 6 model 9; rob 1 \"a\"; }", "'vendor'"},
		{"expect t \"x\" { cpu vendor \"V\" family 99999999999 model 3; rob 1 \"a\"; }",
			"the family: a whole number from 0 to 65535 is expected, not '99999999999'"},
		{"expect t \"x\" { cpu vendor \"V\" family 6 model 1e999; rob 1 \"a\"; }",
			"a model: a whole number, as 5 or 100K,"},
		{"expect t \"x\" { cpu vendor \"V\" family 6 model 3 .. 4.5; rob 1 \"a\"; }", "whole numbers"},
		{"expect t \"x\" { cpu vendor \"V\" family 6 model 3; rob 0x20 \"a\"; }", "what it finds: a whole"},
		{"expect t \"x\" { cpu vendor \"V\" family 6 model 3; rob 0.5k \"a\"; }",
			"what it finds: a number from 0 on is expected, not '0.5k'"},
		{"expect t \"x\" { cpu vendor \"V\" family 6 model 3; rob 1 \"a\"; rob 2 \"b\"; }",
			"'rob' is given twice"},
		{"expect t \"x\" { cpu vendor \"V\" family 6 model 3; cpu vendor \"W\" family 6 model 4; }",
			"a second 'cpu'"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct diags d = {0};
		struct expectation *x = expectation_parse(mem_str("t.expect"), mem_str(row[i].text),
			strlen(row[i].text), &d);

		test_label("%s: %s", row[i].text, d.n ? d.item[0].text : "no error");
		CHECK(x == NULL && d.n && strstr(d.item[0].text, row[i].error));
		expectation_free(x);
		diags_free(&d);
	}
}

TEST_MAIN(CASE(encodings), CASE(the_other_register), CASE(lacking_processors), CASE(chains_advance),
	CASE(footprint_is_walked), CASE(far_chain_of_the_fill),
	CASE(coins_are_drawn), CASE(chains_are_circles), CASE(expectations), CASE(installed_expectations),
	CASE(bad_expectations))
