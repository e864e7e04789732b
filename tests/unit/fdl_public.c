/* The public models of CounterPoint's authors and of a fork for gem5. docs/fdl-language.md says where they are;
 * $HECATE_FDL names a folder with haswell/ and gem5/, else all is skipped. Tested are the numbers of that page, and
 * that the 38 official models equal the variants of haswell-study. These files are never a part of this repository. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "convert/fdl/fdl.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/files.h"

#define REFERENCES "page_walker_loads"

/* µpaths, signatures that are not zero, and for some models the diagram's nodes; NULL and 0: no source gives the
 * number. */
static const struct row {
	const char *file;
	const char *paths;
	size_t signatures;
} row[] = {
	{"haswell/m0.fdlm4", "58", 44}, {"haswell/m1.fdlm4", "76", 48}, {"haswell/m2.fdlm4", "100", 54},
	{"haswell/m3.fdlm4", "132", 66}, {"haswell/m4.fdlm4", "207", 86}, {"haswell/m5.fdlm4", "156", 82},
	{"haswell/m6.fdlm4", "183", 82},
	{"haswell/m7.fdlm4", "175", 80},
	{"haswell/t0.fdlm4", "630", 160}, {"haswell/t9.fdlm4", "335", 119}, {"haswell/t16.fdlm4", "460", 148},
	{"haswell/a0.fdlm4", "448", 142}, {"haswell/a3.fdlm4", "490", 142},
	{"haswell/r0.fdlm4", "1127", 251}, {"haswell/r1.fdlm4", "791", 212}, {"haswell/r2.fdlm4", "322", 134},
	{"haswell/r3.fdlm4", "826", 244},
	{"gem5/backend_core.fdl", "18", 18}, {"gem5/frontend_stall.fdl", "10", 10}, {"gem5/commit_core.fdl", "40", 40},
};

/* Reads a file as the program does. Warnings are counted; errors are a failed check. */
static struct udd_model *
read_model(const char *path, const char *define, size_t *warnings)
{
	char *defines[] = {define ? mem_str(define) : NULL};
	struct bundle b = {.define = {defines, define ? 1 : 0}};
	struct udd_loader loader = bundle_disk_loader(&b);
	struct diags d = {0};
	struct str out = {0};
	struct udd_model *m = model_read(path, &loader, &d);

	diags_print(&d, "", &out);
	test_check(m != NULL, __FILE__, __LINE__, "%s", str_text(&out));
	if (warnings)
		*warnings = d.warnings;
	b.define = (struct udd_defines){0};
	free(defines[0]);
	str_free(&out);
	diags_free(&d);
	bundle_free(&b);
	return m;
}

static struct udd_model *
public_model(const char *file, const char *define, size_t *warnings)
{
	char *path = str_format("%s/%s", getenv("HECATE_FDL"), file);
	struct udd_model *m = read_model(path, define, warnings);

	free(path);
	return m;
}

static bool
is_there(void)
{
	if (getenv("HECATE_FDL"))
		return true;
	test_skip("HECATE_FDL names no folder with the public FDL models");
	return false;
}

static struct signatures *
signatures_of(const struct udd_model *m, const char *variant)
{
	struct diags d = {0};
	struct err e = {0};
	struct fset on;
	struct udd_diagram *g = CHECK(udd_choose(m, variant, NULL, NULL, &on, &e)) ? udd_expand(m, &on, &d) : NULL;
	struct signatures *s = g ? signatures_new(g, &d) : NULL;

	CHECK(s != NULL);
	udd_diagram_free(g);
	diags_free(&d);
	return s;
}

static void
numbers_are_those_of_the_page(void)
{
	if (!is_there())
		return;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct udd_model *m = public_model(row[i].file, NULL, NULL);
		struct signatures *s = m ? signatures_of(m, NULL) : NULL;

		test_label("%s", row[i].file);
		if (s) {
			CHECK_STR(s->total, row[i].paths);
			CHECK_INT(s->n, row[i].signatures);
		}
		signatures_free(s);
		udd_free(m);
	}
}

/* If the labels of r0 were copied where they are called, there would be 20561 nodes. */
static void
labels_are_shared(void)
{
	struct udd_model *m;
	struct udd_diagram *g;
	struct diags d = {0};
	struct fset on = {0};

	if (!is_there())
		return;
	m = public_model("haswell/r0.fdlm4", NULL, NULL);
	g = m ? udd_expand(m, &on, &d) : NULL;
	if (CHECK(g != NULL))
		CHECK(g->n_nodes < 150);
	udd_diagram_free(g);
	udd_free(m);
	diags_free(&d);
}

static struct cone *
cone_of(const char *file, const char *define)
{
	struct udd_model *m = public_model(file, define, NULL);
	struct signatures *s = m ? signatures_of(m, NULL) : NULL;
	struct cone *c = s ? cone_new(s->n_counters, s->n, s->coef, &(struct cone_limits){.seconds = 60}) : NULL;

	CHECK(c && c->complete);
	signatures_free(s);
	udd_free(m);
	return c;
}

static void
constraints_are_those_of_the_page(void)
{
	static const struct { const char *file, *define; size_t equalities, inequalities; } cone[] = {
		{"haswell/m0.fdlm4", NULL, 4, 27}, {"haswell/m4.fdlm4", "PSC_COUNTERS=1", 6, 29},
		{"haswell/t0.fdlm4", "PSC_COUNTERS=1", 4, 33},
	};

	if (!is_there())
		return;
	for (size_t i = 0; i < sizeof cone / sizeof *cone; i++) {
		struct cone *c = cone_of(cone[i].file, cone[i].define);

		test_label("%s %s", cone[i].file, cone[i].define ? cone[i].define : "");
		if (c) {
			CHECK_INT(c->n_equalities, cone[i].equalities);
			CHECK_INT(c->n_inequalities, cone[i].inequalities);
		}
		cone_free(c);
	}
}

/* Lint reports places that a reader would ask about: actions that are never done, caches that are decided without a
 * lookup, an abort that cannot happen. */
static void
lint_finds_the_odd_places(void)
{
	size_t all = 0;
	char *path;
	struct udd_model *m;

	if (!is_there())
		return;
	path = str_format("%s/haswell/", getenv("HECATE_FDL"));
	m = read_model(path, NULL, &all);
	if (m) {
		CHECK_INT(m->n_variants, 38);
		CHECK_INT(all, 20); /* the first 20 of 26 are kept */
	}
	udd_free(m);
	free(path);
	for (size_t i = 0; i < 38; i++) {
		static const char *const prefix[] = {"m", "t", "a", "r"};
		static const size_t count[] = {12, 18, 4, 4}, warnings[] = {0, 1, 1, 1};
		size_t k = 0, at = i, found = 0;
		char *file;

		while (at >= count[k])
			at -= count[k++];
		file = str_format("haswell/%s%zu.fdlm4", prefix[k], at);
		m = public_model(file, NULL, &found);
		test_label("%s", file);
		CHECK_INT(found, warnings[k]);
		udd_free(m);
		free(file);
	}
}

/* ---- equal to haswell-study ------------------------------------------------------------------------------------ */

/* Adds a signature as a text: events in the order of the official model, page_walker_loads the sum of four counters. */
static void
add_vector(const struct udd_model *of, const struct udd_model *order, const int64_t *v, struct names *set)
{
	int64_t *sum = mem_new_array(order->n_counters, sizeof *sum);
	struct str key = {0};

	for (size_t i = 0; i < of->n_counters; i++) {
		const char *event = of->counter[i].event[0].name;
		const char *name = str_starts(event, REFERENCES ".") ? REFERENCES : event;
		size_t k = 0;

		while (k < order->n_counters && !str_eq(order->counter[k].name, name))
			k++;
		if (test_check(k < order->n_counters, __FILE__, __LINE__, "%s", name))
			sum[k] += v[i];
	}
	for (size_t k = 0; k < order->n_counters; k++)
		str_addf(&key, "%lld ", (long long)sum[k]);
	names_add(set, str_text(&key), key.n);
	str_free(&key);
	free(sum);
}

static struct names
vectors(const struct udd_model *of, const struct udd_model *order, const struct signatures *s)
{
	struct names set = {0};

	for (size_t k = 0; s && k < s->n; k++)
		add_vector(of, order, s->coef + k * s->n_counters, &set);
	return set;
}

static void
every_variant_of_haswell_study_is_its_file(void)
{
	struct err e = {0};
	char *path;
	struct udd_model *study;
	size_t equal = 0;

	if (!is_there())
		return;
	path = file_find_model("haswell-study", &e);
	study = path ? read_model(path, NULL, NULL) : NULL;
	for (size_t i = 0; study && i < study->n_variants; i++) {
		char *file = str_format("haswell/%s.fdlm4", study->variant[i].name);
		char *full = str_format("%s/%s", getenv("HECATE_FDL"), file);
		struct udd_model *m = access(full, F_OK) == 0 ? public_model(file, NULL, NULL) : NULL;
		struct signatures *s = m ? signatures_of(m, NULL) : NULL;
		struct signatures *t = m ? signatures_of(study, study->variant[i].name) : NULL;
		struct names a = m ? vectors(m, m, s) : (struct names){0};
		struct names b = m ? vectors(study, m, t) : (struct names){0};
		bool same = m && a.n == b.n;

		test_label("%s", study->variant[i].name);
		for (size_t k = 0; k < a.n; k++)
			same &= names_find(&b, a.name[k], strlen(a.name[k])) != NAMES_NONE;
		if (m)
			CHECK(same);
		equal += same;
		names_free(&a);
		names_free(&b);
		signatures_free(s);
		signatures_free(t);
		udd_free(m);
		free(file);
		free(full);
	}
	CHECK_INT(equal, 38);
	udd_free(study);
	free(path);
}

TEST_MAIN(CASE(numbers_are_those_of_the_page), CASE(labels_are_shared), CASE(constraints_are_those_of_the_page),
	CASE(lint_finds_the_odd_places),
	CASE(every_variant_of_haswell_study_is_its_file))
