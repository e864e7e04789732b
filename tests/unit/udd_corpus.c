/* The corpora: tests/models/good must load and print to a fixed point; tests/models/bad/NAME.udd must give the messages
 * in NAME.expect. HECATE_WRITE_EXPECT=1 writes the .expect files anew: read every change. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/outline.h"
#include "models.h"
#include "test.h"

static char *
printed(const struct udd_model *m)
{
	struct str t = {0};

	udd_print(m, &t);
	return str_take(&t);
}

/* The printed form of a text, and a failed check with the messages if it does not load. The caller frees. */
static char *
print_of_text(const char *text, const char *what)
{
	struct diags d = {0};
	struct str messages = {0};
	struct udd_model *m = model_from_text(text, strlen(text), &d);
	char *again = m ? printed(m) : NULL;

	for (size_t i = 0; i < d.n; i++)
		if (d.item[i].level == DIAG_ERROR)
			diag_print(&d.item[i], "# ", &messages);
	test_check(m != NULL, __FILE__, __LINE__, "%s does not load again:\n%s", what, str_text(&messages));
	str_free(&messages);
	udd_free(m);
	diags_free(&d);
	return again;
}

/* Rows of a tree: each subtree follows its row, and the last sibling is marked. */
static void
check_outline(const struct udd_model *m, const struct fset *on, size_t max_rows)
{
	struct udd_outline *o = udd_outline_new(m, on, max_rows);

	CHECK(o->n <= max_rows);
	for (size_t i = 0; i < o->n; i++) {
		const struct outline_row *r = &o->row[i];
		size_t end = i + 1 + r->below;

		CHECK(end <= o->n);
		for (size_t k = i + 1; k < end && k < o->n; k++)
			CHECK(o->row[k].depth > r->depth);
		CHECK(end >= o->n || o->row[end].depth <= r->depth);
		CHECK_INT(r->last, end == o->n || o->row[end].depth < r->depth);
	}
	udd_outline_free(o);
}

static void
check_features(const struct udd_model *m, const char *variant)
{
	struct diags d = {0};
	struct err e = {0};
	struct fset on;
	struct udd_diagram *g = NULL;
	struct signatures *s = NULL;
	struct str text = {0};

	if (CHECK(udd_choose(m, variant, NULL, NULL, &on, &e)))
		g = udd_expand(m, &on, &d);
	if (g)
		s = signatures_new(g, &d);
	diags_print(&d, "# ", &text);
	test_check(s != NULL, __FILE__, __LINE__, "variant %s: %s", variant ? variant : "(none)", str_text(&text));
	str_clear(&text);
	if (g)
		udd_dot(g, &text);
	check_outline(m, &on, 1000);
	check_outline(m, &on, 5);
	signatures_free(s);
	udd_diagram_free(g);
	diags_free(&d);
	str_free(&text);
}

static void
good_models_load_and_print_to_a_fixed_point(void)
{
	static const char *const dir = "models/good";
	size_t n;
	char **file = names_list(dir, ".udd", &n);

	CHECK(n >= 15);
	for (size_t i = 0; i < n; i++) {
		struct diags d = {0};
		struct udd_model *m = model_from_file(dir, file[i], &d);
		struct str messages = {0};
		char *once, *twice;

		test_label("%s", file[i]);
		diags_print(&d, "# ", &messages);
		CHECK_STR(str_text(&messages), "");
		if (m) {
			once = printed(m);
			twice = print_of_text(once, file[i]);
			CHECK_STR(twice ? twice : "", once);
			for (size_t v = 0; v < m->n_variants; v++)
				check_features(m, m->variant[v].name);
			check_features(m, NULL);
			free(once);
			free(twice);
		}
		udd_free(m);
		diags_free(&d);
		str_free(&messages);
	}
	names_list_free(file);
}

/* All messages on the way to signatures, with the features of the default variant. */
static char *
messages_of(const char *dir, const char *file)
{
	struct diags d = {0};
	struct err e = {0};
	struct fset on;
	struct str out = {0};
	struct udd_model *m = model_from_file(dir, file, &d);
	struct udd_diagram *g = NULL;

	if (m && !udd_choose(m, NULL, NULL, NULL, &on, &e))
		err_text(&e, &out);
	else if (m)
		g = udd_expand(m, &on, &d);
	if (g)
		signatures_free(signatures_new(g, &d));
	diags_print(&d, "hecate: ", &out);
	udd_diagram_free(g);
	udd_free(m);
	diags_free(&d);
	return str_take(&out);
}

static void
write_expect(const char *name, const char *text)
{
	char *full = str_format("%s/%s", getenv("HECATE_TESTS"), name);
	FILE *f = fopen(full, "wb");

	if (CHECK(f != NULL)) {
		fputs(text, f);
		fclose(f);
	}
	free(full);
}

static void
bad_models_give_their_messages(void)
{
	static const char *const dir = "models/bad";
	size_t n;
	char **file = names_list(dir, ".udd", &n);

	CHECK(n >= 60);
	for (size_t i = 0; i < n; i++) {
		char *name = str_format("%s/%.*s.expect", dir, (int)strlen(file[i]) - 4, file[i]);
		char *got = messages_of(dir, file[i]), *want;

		test_label("%s", file[i]);
		if (getenv("HECATE_WRITE_EXPECT"))
			write_expect(name, got);
		want = test_read(name, NULL);
		CHECK_STR(got, want ? want : "");
		CHECK(*got);
		free(name);
		free(got);
		free(want);
	}
	names_list_free(file);
}

TEST_MAIN(CASE(good_models_load_and_print_to_a_fixed_point), CASE(bad_models_give_their_messages))
