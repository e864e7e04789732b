/* FDL files. Those of tests/fdl/good give what the table says, and print in either language to the same model. Those
 * of tests/fdl/bad/NAME give the messages of NAME.expect. With HECATE_WRITE_EXPECT=1 the .expect files are written
 * anew: read every change. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "convert/fdl/print.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/outline.h"
#include "fdl_files.h"
#include "models.h"
#include "test.h"

/* Worked out by hand. `nodes` are those of the diagram: one for each statement except pass, next and labels, and one
 * for the end of FLOW if it is reached. */
static const struct row {
	const char *file, *define;
	const char *paths;
	size_t signatures, counters, nodes;
} row[] = {
	{"good/least.fdl", "", "1", 1, 1, 2},
	{"good/nothing.fdl", "", "1", 0, 0, 1},
	{"good/windows.fdl", "", "1", 1, 1, 2},
	{"good/chain.fdl", "", "4", 3, 1, 5},
	{"good/back.fdl", "", "3", 3, 4, 7},
	{"good/three.fdl", "", "5", 4, 5, 13},
	{"good/tlb.fdlm4", "", "9", 4, 5, 19},
	{"good/tlb.fdlm4", "EXTRA", "9", 4, 7, 21},
	{"good/tlb.fdlm4", "EXTRA=1 MORE=", "9", 4, 7, 21},
	{"gem5/core.fdl", "", "4", 4, 5, 10},
};

static char *
messages(const struct diags *d)
{
	struct str out = {0};

	diags_print(d, "", &out);
	return str_take(&out);
}

static void
check_quiet(const struct diags *d)
{
	char *text = messages(d);

	CHECK_STR(text, "");
	free(text);
}

/* The text gives a model with the same µpaths, and prints to the same text. */
static void
check_text(const struct udd_model *m, const struct signatures *s, const char *name, const char *text, bool fixed)
{
	struct diags d = {0};
	struct err e = {0};
	struct udd_model *again = fdl_load_text(name, text, strlen(text), &d);
	struct signatures *t = again ? fdl_signatures(again, NULL, &d) : NULL;
	struct str out = {0};

	check_quiet(&d);
	if (CHECK(t != NULL)) {
		fdl_same_signatures(m, s, again, t);
		CHECK(model_print(again, &out, &e));
		if (fixed)
			CHECK_STR(str_text(&out), text);
	}
	str_free(&out);
	signatures_free(t);
	udd_free(again);
	diags_free(&d);
}

static void
check_prints(const struct udd_model *m, const struct signatures *s)
{
	struct str own = {0}, udd = {0};
	struct err e = {0};
	char *written = fdl_written(m, NULL);

	CHECK(model_print(m, &own, &e));
	check_text(m, s, "own.fdl", str_text(&own), true);
	model_print_udd(m, &udd);
	check_text(m, s, "own.udd", str_text(&udd), true);
	if (written)
		check_text(m, s, "written.fdl", written, false);
	free(written);
	str_free(&own);
	str_free(&udd);
}

static void
check_diagram(const struct udd_model *m, const struct row *r)
{
	struct diags d = {0};
	struct fset on = {0};
	struct udd_diagram *g = udd_expand(m, &on, &d);
	struct udd_outline *o = udd_outline_new(m, &on, 1000);
	struct str dot = {0};

	if (CHECK(g != NULL)) {
		CHECK_INT(g->n_nodes, r->nodes);
		udd_dot(g, &dot);
		CHECK(dot.n > 0);
	}
	CHECK(o->n > 0);
	str_free(&dot);
	udd_outline_free(o);
	udd_diagram_free(g);
	diags_free(&d);
}

static void
good_files_mean_what_they_should(void)
{
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct diags d = {0};
		struct udd_model *m = fdl_load(row[i].file, row[i].define, &d);
		struct signatures *s = m ? fdl_signatures(m, NULL, &d) : NULL;

		test_label("%s %s", row[i].file, row[i].define);
		check_quiet(&d);
		if (CHECK(s != NULL)) {
			CHECK_STR(s->total, row[i].paths);
			CHECK_INT(s->n, row[i].signatures);
			CHECK_INT(m->n_counters, row[i].counters);
			CHECK_INT(m->n_features, 0);
			CHECK(m->form == UDD_FORM_FDL);
			check_diagram(m, &row[i]);
			check_prints(m, s);
		}
		signatures_free(s);
		udd_free(m);
		diags_free(&d);
	}
}

/* A name, a text of tags, and events, from three places: the file itself, fdl.counters, and the sidecar. */
static void
files_next_to_a_model_are_used(void)
{
	static const char text[] =
		"FLOW { incr page_walker_loads; incr mem_uops_retired.all_loads; incr other.event; done; }";
	struct diags d = {0};
	struct udd_model *m = fdl_load("good/tlb.fdlm4", "", &d);

	if (CHECK(m != NULL)) {
		CHECK_STR(m->name, "tlb");
		CHECK_STR(m->text, "TwoEntries, NoRetry");
		CHECK_STR(m->counter[0].event[0].name, "tlb.hit_4k");
		CHECK_INT(m->n_sums, 1);
	}
	udd_free(m);
	m = fdl_load("gem5/core.fdl", "", &d);
	if (CHECK(m != NULL)) {
		CHECK_STR(m->counter[0].name, "cycles");
		CHECK_STR(m->counter[0].event[0].name, "system.cpu.numCycles");
		CHECK_STR(m->text, "");
	}
	udd_free(m);
	m = fdl_load_text("loads.fdl", text, sizeof text - 1, &d);
	if (CHECK(m != NULL))
		CHECK_INT(m->counter[0].n_events, 1); /* no file next to it: it is an event like any other */
	udd_free(m);
	check_quiet(&d);
	diags_free(&d);
}

static void
a_folder_is_a_family(void)
{
	static const struct { const char *name, *tags; size_t signatures; } variant[] = {{"large", "More", 4},
		{"large2", "More, Early", 4}, {"small", "", 2}};
	struct diags d = {0};
	struct udd_model *m = fdl_load("family/", "", &d), *again;
	struct str text = {0}, own = {0};
	struct err e = {0};

	check_quiet(&d);
	if (!CHECK(m != NULL))
		return;
	CHECK_STR(m->name, "family");
	CHECK(m->form == UDD_FORM_FDL_FOLDER);
	CHECK_INT(m->n_variants, 3);
	CHECK(!model_print(m, &own, &e) && strstr(e.hint, "--udd"));
	model_print_udd(m, &text);
	again = fdl_load_text("family.udd", str_text(&text), text.n, &d);
	check_quiet(&d);
	for (size_t i = 0; i < 3 && CHECK(again != NULL); i++) {
		struct signatures *s = fdl_signatures(m, variant[i].name, &d);
		struct signatures *t = fdl_signatures(again, variant[i].name, &d);

		test_label("%s", variant[i].name);
		CHECK_STR(m->variant[i].name, variant[i].name);
		CHECK_STR(m->variant[i].text, variant[i].tags);
		if (CHECK(s && t)) {
			CHECK_INT(s->n, variant[i].signatures);
			fdl_same_signatures(m, s, again, t);
		}
		signatures_free(s);
		signatures_free(t);
	}
	udd_free(again);
	udd_free(m);
	str_free(&text);
	diags_free(&d);
}

/* All messages from reading the file to its signatures. The caller frees. */
static char *
messages_of(const char *path)
{
	struct diags d = {0};
	struct udd_model *m = fdl_load(path, NULL, &d);
	char *text;

	if (m && m->form == UDD_FORM_FDL)
		signatures_free(fdl_signatures(m, NULL, &d));
	udd_free(m);
	text = messages(&d);
	diags_free(&d);
	return text;
}

static void
check_messages(const char *path, const char *name)
{
	char *expect = str_format("fdl/bad/%s.expect", name), *got = messages_of(path), *want;
	char *full = str_format("%s/%s", getenv("HECATE_TESTS"), expect);
	FILE *f = getenv("HECATE_WRITE_EXPECT") ? fopen(full, "wb") : NULL;

	test_label("%s", path);
	if (f) {
		fputs(got, f);
		fclose(f);
	}
	want = test_read(expect, NULL);
	CHECK_STR(got, want ? want : "");
	CHECK(*got);
	free(want);
	free(got);
	free(full);
	free(expect);
}

static void
bad_files_give_their_messages(void)
{
	static const char *const special[] = {"folder-empty/", "folder-twice/", "folder-bound/", "folder-broken/",
		"counters-broken/x.fdl"};
	static const char *const ending[] = {".fdl", ".fdlm4"};
	size_t n = 0, all = 0;

	for (size_t k = 0; k < 2; k++) {
		char **file = names_list("fdl/bad", ending[k], &n);

		for (size_t i = 0; i < n; i++) {
			char *path = str_format("bad/%s", file[i]);
			char *name = mem_strn(file[i], strlen(file[i]) - strlen(ending[k]));

			check_messages(path, name);
			free(path);
			free(name);
		}
		all += n;
		names_list_free(file);
	}
	CHECK(all >= 50);
	for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
		char *path = str_format("bad/%s", special[i]), *name = mem_strn(special[i], strcspn(special[i], "/"));

		check_messages(path, name);
		free(path);
		free(name);
	}
}

/* Switches nested as deep as is allowed, and one deeper; the same for calls of ifdef. */
static void
depth_has_a_limit(void)
{
	for (int k = 0; k < 4; k++) {
		static const int depth[] = {256, 257, 256, 300};
		bool m4 = k >= 2;
		struct str t = {0};
		struct diags d = {0};
		struct udd_model *m;

		str_add(&t, "FLOW {");
		for (int i = 0; i < depth[k]; i++)
			str_addf(&t, m4 ? "ifdef(`X%d',`'," : "switch P%d { X => ", i);
		for (int i = 0; i < depth[k] && m4; i++)
			str_add(&t, "`");
		str_add(&t, m4 ? "incr a;" : "pass;");
		for (int i = 0; i < depth[k]; i++)
			str_add(&t, m4 ? "')" : " };");
		str_add(&t, "done; }");
		test_label("%d of %s", depth[k], m4 ? "ifdef" : "switch");
		m = fdl_load_text(m4 ? "deep.fdlm4" : "deep.fdl", str_text(&t), t.n, &d);
		if (!m4)
			CHECK_INT(m != NULL, depth[k] <= 256);
		CHECK_INT(m != NULL, d.errors == 0);
		udd_free(m);
		str_free(&t);
		diags_free(&d);
	}
}

TEST_MAIN(CASE(good_files_mean_what_they_should), CASE(files_next_to_a_model_are_used), CASE(a_folder_is_a_family),
	CASE(bad_files_give_their_messages),
	CASE(depth_has_a_limit))
