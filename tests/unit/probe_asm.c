/* Probes as assembly: what is written whatever a probe is called, and what an instruction set cannot express. That the
 * code is right is shown by compilers and emulators: tests/cli/probe_export_isa.sh. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "core/probe/asm.h"
#include "core/probe/probe.h"
#include "probe_bed.h"
#include "test.h"
#include "text/diag.h"

static const char *const isas[] = {"riscv64", "aarch64", "x86_64"};

#define N_ISAS (sizeof isas / sizeof *isas)

static void
instruction_sets_are_known_by_name(void)
{
	struct err e = {0};

	for (size_t i = 0; i < N_ISAS; i++)
		if (CHECK(probe_asm_isa(isas[i], &e) != NULL))
			CHECK_STR(probe_asm_isa_name(probe_asm_isa(isas[i], &e)), isas[i]);
	CHECK(probe_asm_isa("riscv32", &e) == NULL);
	CHECK_STR(e.hint, "--isa is riscv64, aarch64 or x86_64");
}

/* The file of a probe for an instruction set; NULL, and *e. The caller frees it. */
static char *
written(const char *items, const char *isa, struct err *e)
{
	char *text = str_format("probe t \"test\" { %s }", items);
	struct diags d;
	struct probe *p = bed_parse(text, &d);
	struct str out = {0};
	bool good = CHECK(p != NULL) && probe_asm_write(probe_asm_isa(isa, e), p, &out, e);

	diags_free(&d);
	probe_free(p);
	free(text);
	if (good)
		return str_take(&out);
	str_free(&out);
	return NULL;
}

/* NULL: it can be expressed. */
static void
what_cannot_be_expressed_has_a_reason(void)
{
	static const struct { const char *items, *riscv, *arm, *intel; } row[] = {
		{"slope 4 .. 8 step 1; fill fload, fadd chained;", "it loads is an address", "it loads is an address",
			"it loads is an address"},
		{"rate 4 .. 8 step 1; fill atomic stride 64;", "take no offset", "take no offset", "take no offset"},
		{"rate 4 .. 8 step 1; fill atomic;", NULL, NULL, NULL},
		{"rate 4 .. 8 step 1; fill jump stride 6;", "a multiple of 4", "a multiple of 4", "a multiple of 4"},
		{"rate 1 .. 2 step 1; fill 300 jump, nop then 4000 mul then 1 mul stride 1k;", NULL, NULL, NULL},
		{"rate 1 .. 400 step 399; fill jump stride 8k;", "longer than its loop can jump", NULL, NULL},
		{"slope 6 .. 9 step 3; fill move, store, load chained late;", NULL, NULL,
			"copies in a chain leave no register"},
		{"knee 1 .. 64 doubling; fill prefetch, load together stride x;", NULL, NULL, NULL},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const char *const want[] = {row[i].riscv, row[i].arm, row[i].intel};

		for (size_t k = 0; k < N_ISAS; k++) {
			struct err e = {0};
			char *text = written(row[i].items, isas[k], &e);

			test_label("%s: %s", isas[k], row[i].items);
			CHECK((text != NULL) == (want[k] == NULL));
			test_check(want[k] == NULL || strstr(e.what, want[k]), __FILE__, __LINE__, "%s", e.what);
			free(text);
		}
	}
	test_label("%s", "");
}

/* Each line that does not belong to hecate's own text is in quotes, without anything that ends them. */
static void
texts_stay_in_their_quotes(void)
{
	static const char evil[] = "x\\\"\n\t.quad 1 */ \xc3\xa9 \x1b[31m%s";

	for (size_t i = 0; i < N_ISAS; i++) {
		struct diags d;
		struct probe *p = bed_parse("probe t \"test\" { slope 4 .. 8 step 1; fill add; }", &d);
		struct err e = {0};
		struct str out = {0};

		if (CHECK(p != NULL)) {
			p->text = p->name = evil;
			CHECK(probe_asm_write(probe_asm_isa(isas[i], &e), p, &out, &e));
			CHECK(strstr(str_text(&out),
				"\"x\\134\\042\\012\\011.quad 1 */ \\303\\251 \\033[31m%s\"") != NULL);
			CHECK(strstr(str_text(&out), "x\\\"") == NULL);
			for (size_t k = 0; k < out.n; k++)
				if (!CHECK(strchr("\n\t", out.s[k]) || (out.s[k] >= ' ' && out.s[k] <= '~')))
					break;
		}
		str_free(&out);
		probe_free(p);
		diags_free(&d);
	}
}

/* Hundreds of passes are a short file. */
static void
files_are_short(void)
{
	static const char *const items[] = {
		"knee 4 .. 400 step 1; block; fill load, fload;", "knee 16 .. 640 step 2; block; fill nop;",
		"knee 4 .. 400 step 1; block; fill 130 branch then add;",
		"rate 1 .. 4000 step 1; fill load, store stride 8;",
	};

	for (size_t k = 0; k < sizeof items / sizeof *items; k++)
		for (size_t i = 0; i < N_ISAS; i++) {
			struct err e = {0};
			char *text = written(items[k], isas[i], &e);

			test_label("%s: %s", isas[i], items[k]);
			CHECK(text && strlen(text) < 64 << 10);
			free(text);
		}
	test_label("%s", "");
}

TEST_MAIN(CASE(instruction_sets_are_known_by_name), CASE(what_cannot_be_expressed_has_a_reason),
	CASE(texts_stay_in_their_quotes), CASE(files_are_short))
