/* Mutated bytes of the good corpus: nothing crashes, hangs or leaks (sanitizers would notice), what does not load has a
 * message, and what loads prints to a fixed point. Deterministic. With HECATE_SLOW more rounds. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
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
	unsigned long rounds = test_rounds(60, 1500), loaded = 0;
	uint64_t seed = 2026;
	size_t n_files;
	char **file = names_list("models/good", ".udd", &n_files);

	for (size_t i = 0; i < n_files; i++) {
		char *name = str_format("models/good/%s", file[i]);
		unsigned long n;
		char *text = test_read(name, &n);

		for (unsigned long k = 0; text && k < rounds; k++) {
			struct diags d = {0};
			struct str out = {0};
			size_t m_n;
			char *bytes = mutate(text, n, pieces, sizeof pieces / sizeof *pieces, 12, &seed, &m_n);
			struct udd_model *m = model_from_text(bytes, m_n, &d);

			test_label("%s round %lu", file[i], k);
			CHECK((m != NULL) == (d.errors == 0));
			CHECK(d.n <= 2 * DIAGS_MAX);
			diags_print(&d, "", &out);
			if (m)
				use(m);
			loaded += m != NULL;
			udd_free(m);
			diags_free(&d);
			str_free(&out);
			free(bytes);
		}
		free(text);
		free(name);
	}
	CHECK(loaded > 0);
	names_list_free(file);
}

TEST_MAIN(CASE(mutated_models_do_no_harm))
