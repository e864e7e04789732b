/* Mutated bytes of good FDL files: nothing crashes, hangs or leaks (the sanitizers watch). A file that does not load
 * has a message. One that loads prints to a fixed point, and is the same model as µDD text and as FDL written from
 * its diagram. Deterministic. With HECATE_SLOW more rounds. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "convert/fdl/print.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/outline.h"
#include "fdl_files.h"
#include "mutate.h"
#include "test.h"

static const char *const pieces[] = {
	"FLOW { ", "ACTIONS { A; }", "COUNTER_GROUPS { a : b, c; }", "do A;", "incr c;", "next end;", "pass;", "done;",
	"switch P { ", "X => ", "};", "}", "{", ";", ":", "=>", "end:", "x: y: ", "# '", "`", "'", "ifdef(`EXTRA',`",
	"')", "ifdef(", "dnl", "4k", "\xff", "\0x",
	"\xe2\x86\x92", "next hit;", "hit:", "switch Tlb { Hit => pass; };",
};

static void
check_same(const struct udd_model *m, const struct signatures *s, const char *name, const char *text, bool fixed)
{
	struct diags d = {0};
	struct err e = {0};
	struct str out = {0};
	struct udd_model *again = fdl_load_text(name, text, strlen(text), &d);
	struct signatures *t = again ? fdl_signatures(again, NULL, &d) : NULL;

	diags_print(&d, "", &out);
	if (test_check(t != NULL, __FILE__, __LINE__, "%s: %s\n%s", name, str_text(&out), text)) {
		fdl_same_signatures(m, s, again, t);
		str_clear(&out);
		if (fixed && CHECK(model_print(again, &out, &e)))
			CHECK_STR(str_text(&out), text);
	}
	str_free(&out);
	signatures_free(t);
	udd_free(again);
	diags_free(&d);
}

static void
use(const struct udd_model *m)
{
	struct diags d = {0};
	struct fset on = {0};
	struct err e = {0};
	struct str own = {0}, udd = {0};
	struct signatures *s = fdl_signatures(m, NULL, &d);
	char *written = s ? fdl_written(m, NULL) : NULL;

	udd_outline_free(udd_outline_new(m, &on, 50));
	CHECK(model_print(m, &own, &e));
	model_print_udd(m, &udd);
	CHECK(s || d.errors);
	if (s) {
		check_same(m, s, "own.fdl", str_text(&own), true);
		check_same(m, s, "udd.udd", str_text(&udd), true);
		check_same(m, s, "written.fdl", written ? written : "", false);
	}
	free(written);
	str_free(&own);
	str_free(&udd);
	signatures_free(s);
	diags_free(&d);
}

static struct udd_model *
load_m4(const char *text, size_t n, struct diags *d)
{
	return fdl_load_text("m.fdlm4", text, n, d);
}

static struct udd_model *
load_plain(const char *text, size_t n, struct diags *d)
{
	return fdl_load_text("m.fdl", text, n, d);
}

static void
mutated_files_do_no_harm(void)
{
	static const struct {
		const char *name;
		struct udd_model *(*load)(const char *, size_t, struct diags *);
	} file[] = {
		{"fdl/good/tlb.fdlm4", load_m4}, {"fdl/good/three.fdl", load_plain}, {"fdl/good/chain.fdl", load_plain},
		{"fdl/good/back.fdl", load_plain}, {"fdl/gem5/core.fdl", load_plain},
	};
	unsigned long rounds = test_rounds(3000, 60000), models = 0;
	uint64_t seed = 46;

	for (size_t i = 0; i < sizeof file / sizeof *file; i++)
		models += mutate_model(file[i].name, &(struct model_mutation){.piece = pieces,
			.n_pieces = sizeof pieces / sizeof *pieces, .stretch = 24, .load = file[i].load, .use = use},
			rounds, &seed);
	CHECK(models > rounds / 4);
}

/* Mutated sidecars give a model that prints, or a message with a place. */
static void
mutated_sidecars_do_no_harm(void)
{
	static const char *const json[] = {"{", "}", "[", "]", "\"", ":", ",", "null", "\"name\": \"x\",",
		"\"features\": []", "\\u0000", "\\n", "\\\\", "\\\"", "<A>", "\u00e4", "1e9", "\"gem5_stat\"",
		"\"a\": {}"};
	static const struct model_mutation how = {.piece = json, .n_pieces = sizeof json / sizeof *json, .stretch = 24,
		.load = fdl_load_with_sidecar, .use = use};
	uint64_t seed = 47;

	mutate_model("fdl/good/tlb.json", &how, test_rounds(2000, 30000), &seed);
	mutate_model("fdl/gem5/core.json", &how, test_rounds(2000, 30000), &seed);
}

TEST_MAIN(CASE(mutated_files_do_no_harm), CASE(mutated_sidecars_do_no_harm))
