/* Mutated bytes of the good corpus: nothing crashes, hangs or leaks (sanitizers would notice), what does not load has a
 * message, and what loads prints to a fixed point. Deterministic. With HECATE_SLOW more rounds. */
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/outline.h"
#include "models.h"
#include "mutate.h"
#include "test.h"

static const char *const pieces[] = {
	"choose { ",
	"switch (P) { ",
	"case A: ",
	"default: ",
	" when a",
	"}",
	"{",
	"(",
	")",
	";",
	"both { ",
	"} and { ",
	"done;",
	"return;",
	"impossible;",
	"<T>",
	"\"",
	"/*",
	"//",
	"repeat (1..3) { ",
	"repeat (64) { ",
	"before A, B;",
	"A: ",
	"\xff",
	"\0x",
	"!",
	"&&",
	"||",
	"else ",
	"def x(T) { ",
	"path z { ",
	"count c * 2147483647;",
	"include \"inc/left.udd\";",
	"..",
	"99999999999",
	"variant default = base;",
	"break;",
	"event <T>_x;",
};

static void
use(const struct udd_model *m)
{
	struct diags d = {0};
	struct fset on;
	struct err e = {0};
	struct str once = {0}, twice = {0};
	struct udd_model *again;
	struct udd_diagram *g;
	struct signatures *s;

	udd_print(m, &once);
	again = model_from_text(str_text(&once), once.n, &d);
	if (CHECK(again != NULL)) {
		udd_print(again, &twice);
		CHECK_STR(str_text(&twice), str_text(&once));
	}
	diags_free(&d);
	if (udd_choose(m, NULL, NULL, NULL, &on, &e)) {
		udd_outline_free(udd_outline_new(m, &on, 50));
		g = udd_expand(m, &on, &d);
		s = g && g->n_nodes < 20000 ? signatures_new(g, &d) : NULL;
		if (s && s->n)
			signature_witness_free(signatures_witness(s, g, s->n - 1));
		CHECK(g || d.errors);
		signatures_free(s);
		udd_diagram_free(g);
		diags_free(&d);
	}
	udd_free(again);
	str_free(&once);
	str_free(&twice);
}

static void
mutated_models_do_no_harm(void)
{
	static const struct model_mutation how = {.piece = pieces, .n_pieces = sizeof pieces / sizeof *pieces,
		.stretch = 12, .load = model_from_text, .use = use};
	unsigned long models = 0;
	uint64_t seed = 2026;
	size_t n_files;
	char **file = names_list("models/good", ".udd", &n_files);

	for (size_t i = 0; i < n_files; i++) {
		char *name = str_format("models/good/%s", file[i]);

		models += mutate_model(name, &how, test_rounds(60, 1500), &seed);
		free(name);
	}
	CHECK(models > 0);
	names_list_free(file);
}

TEST_MAIN(CASE(mutated_models_do_no_harm))
