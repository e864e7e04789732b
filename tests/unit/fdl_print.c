/* hecate print --fdl: models are written as FDL and read again, and have the same µpaths and signatures. These are
 * all variants of all installed models, and µDDs with everything that FDL has no words for. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "convert/fdl/print.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "fdl_files.h"
#include "models.h"
#include "test.h"
#include "work/files/files.h"

static struct udd_model *
installed(const char *name)
{
	struct bundle b = {0};
	struct udd_loader loader = bundle_disk_loader(&b);
	struct diags d = {0};
	struct err e = {0};
	char *path = file_find_model(name, &e);
	struct udd_model *m = path ? model_read(path, &loader, &d) : NULL;

	CHECK(m != NULL);
	CHECK_INT(d.n, 0);
	diags_free(&d);
	bundle_free(&b);
	free(path);
	return m;
}

/* Writes one choice of features as FDL and reads it. Counters keep their names; other things may get names that FDL
 * allows. */
static void
there_and_back(const struct udd_model *m, const char *variant)
{
	struct diags d = {0};
	struct signatures *s = fdl_signatures(m, variant, &d), *t;
	char *text = s ? fdl_written(m, variant) : NULL;
	struct udd_model *again = text ? fdl_load_text("again.fdl", text, strlen(text), &d) : NULL;
	struct str out = {0};

	diags_print(&d, "", &out);
	t = again ? fdl_signatures(again, NULL, &d) : NULL;
	if (test_check(s && t, __FILE__, __LINE__, "%s", str_text(&out)))
		fdl_same_signatures(again, t, m, s);
	CHECK_STR(str_text(&out), "");
	str_free(&out);
	free(text);
	udd_free(again);
	signatures_free(s);
	signatures_free(t);
	diags_free(&d);
}

static void
installed_models_come_back(void)
{
	char **name = file_names("models", MODEL_ENDINGS);
	size_t n = 0;

	for (; name[n]; n++) {
		struct udd_model *m = installed(name[n]);

		for (size_t v = 0; m && v < m->n_variants; v++) {
			test_label("%s, %s", name[n], m->variant[v].name);
			there_and_back(m, m->variant[v].name);
		}
		test_label("%s", name[n]);
		if (m)
			there_and_back(m, NULL);
		udd_free(m);
	}
	CHECK(n >= 3);
	str_split_free(name);
}

/* The corpus of the µDD language: both, before, default, repeat, choose, impossible, amounts. Its quoted counters
 * are first given names that FDL allows. */
static void
what_fdl_has_no_words_for_comes_back(void)
{
	size_t n, tried = 0;
	char **file = names_list("models/good", ".udd", &n);

	for (size_t i = 0; i < n; i++) {
		struct diags d = {0};
		struct udd_model *m = model_from_file("models/good", file[i], &d);
		bool plain = m != NULL;
		struct signatures *s;

		test_label("%s", file[i]);
		for (size_t c = 0; plain && c < m->n_counters; c++) {
			struct str word = {0};

			udd_counter_word(m->counter[c].name, &word);
			plain = word.n && word.s[0] != '"';
			str_free(&word);
		}
		s = plain ? fdl_signatures(m, NULL, &d) : NULL;
		if (s && s->n < 2000 && strlen(s->total) < 12) {
			there_and_back(m, NULL);
			tried++;
		}
		signatures_free(s);
		udd_free(m);
		diags_free(&d);
	}
	CHECK(tried >= 8);
	names_list_free(file);
}

static void
what_is_lost_is_reported(void)
{
	static const char text[] = "model lossy \"a text\";\n"
		"counter a = \"event:one\", \"two\";\ncounter \"page-faults:u\";\nfeature f;\nvariant v { f };\n"
		"path first { x: count a * 3; switch (incr) { case 4k: count \"page-faults:u\"; default: }"
		"	switch (next) { case pass: } before x, y; y: event e; }\n"
		"path second when f { both { count a; } and { event e; } choose { case A: case B: impossible; }"
		"	repeat (0..1) { count a; } }\n";
	static const char *const want[] = {"features: this is the model with f", "choose and repeat: 2 decisions",
		"default: there is a case", "paths: the property Request decides between 2",
		"impossible: ", "amounts: incr is repeated", "both: ", "before: 1 happens-before edge",
		"events: a counts event:one + two", "words: "};
	struct diags d = {0};
	struct udd_model *m = model_from_text(text, sizeof text - 1, &d);
	struct fset on = {{1}};
	struct fdl_lost lost = {0};
	struct str out = {0};
	struct err e = {0};
	struct udd_diagram *g;

	diags_print(&d, "", &out);
	CHECK_STR(str_text(&out), "");
	if (!CHECK(m != NULL))
		return;
	g = udd_expand(m, &on, &d);
	CHECK(g && fdl_write_diagram(g, &lost, &out, &e));
	CHECK_INT(lost.n, sizeof want / sizeof *want);
	for (size_t i = 0; i < sizeof want / sizeof *want && i < lost.n; i++) {
		char *line = str_format("\n# %s", want[i]);

		test_label("%s", want[i]);
		CHECK(str_starts(lost.text[i], want[i]));
		CHECK(strstr(str_text(&out), line) != NULL);
		free(line);
	}
	udd_diagram_free(g);
	udd_free(m);
	fdl_lost_free(&lost);
	str_free(&out);
	diags_free(&d);
}

/* An amount whose FDL text would fill a disk. */
static void
too_much_text_is_refused(void)
{
	static const char text[] = "model much;\npath p { count a * 2147483647; }\n";
	struct diags d = {0};
	struct udd_model *m = model_from_text(text, sizeof text - 1, &d);
	struct fset on = {0};
	struct udd_diagram *g = m ? udd_expand(m, &on, &d) : NULL;
	struct fdl_lost lost = {0};
	struct str out = {0};
	struct err e = {0};

	CHECK(g && !fdl_write_diagram(g, &lost, &out, &e));
	CHECK(strstr(e.what, "12 MB") != NULL);
	udd_diagram_free(g);
	udd_free(m);
	fdl_lost_free(&lost);
	str_free(&out);
	diags_free(&d);
}

TEST_MAIN(CASE(installed_models_come_back), CASE(what_fdl_has_no_words_for_comes_back), CASE(what_is_lost_is_reported),
	CASE(too_much_text_is_refused))
