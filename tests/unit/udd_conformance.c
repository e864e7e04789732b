/* Every model of tests/models/conformance, compared with the results of an independent brute-force reading of the
 * language. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "models.h"
#include "test.h"

static const char *const dir = "models/conformance";

/* Compares the features in a variant's record with those that the model gives the variant. */
static struct fset
features_of(const struct udd_model *m, const struct json *want, const char *variant)
{
	struct fset on = {0}, named = {0};
	bool known = false;

	for (const struct json *f = want->first; f; f = f->next)
		for (size_t i = 0; i < m->n_features; i++)
			if (str_eq(m->feature[i].name, f->text))
				fset_put(&named, i, true);
	CHECK_INT(fset_count(&named), want->n);
	for (size_t i = 0; i < m->n_variants; i++)
		if (str_eq(m->variant[i].name, variant)) {
			on = m->variant[i].on;
			known = true;
		}
	CHECK(!known || fset_equal(&on, &named));
	CHECK(known || str_eq(variant, "none"));
	return named;
}

static bool
same_row(const struct signatures *s, const struct udd_model *m, size_t k, const struct json *want)
{
	size_t same = 0;

	for (size_t i = 0; i < s->n_counters; i++) {
		const struct json *c = json_get(json_get(want, "coef"), m->counter[i].name);
		double v = c ? json_number(c) : 0;

		if ((double)s->coef[k * s->n_counters + i] != v)
			return false;
		same += c != NULL;
	}
	return same == json_get(want, "coef")->n && json_number(json_get(want, "paths")) == strtod(s->paths[k], NULL);
}

static void
compare(const struct signatures *s, const struct udd_model *m, const struct json *want)
{
	const struct json *counters = json_get(want, "counters"), *rows = json_get(want, "signatures");
	size_t i = 0;

	CHECK_INT(m->n_counters, counters->n);
	for (const struct json *c = counters->first; c && i < m->n_counters; c = c->next, i++)
		CHECK_STR(m->counter[i].name, c->text);
	CHECK_STR(s->total, json_get(want, "paths")->text);
	CHECK_INT(s->n, rows->n);
	for (const struct json *r = rows->first; r; r = r->next) {
		bool found = false;

		for (size_t k = 0; k < s->n && !found; k++)
			found = same_row(s, m, k, r);
		test_check(found, __FILE__, __LINE__, "an expected signature is missing");
	}
}

/* Follows a witness: its counts are its signature. */
static void
check_witness(const struct signatures *s, const struct udd_diagram *g, size_t k)
{
	struct signature_witness *w = signatures_witness(s, g, k);
	int64_t *sum = mem_new_array(s->n_counters, sizeof *sum);

	for (size_t i = 0; i < w->n; i++)
		if (w->step[i].kind == STEP_COUNT)
			sum[g->node[w->step[i].node].name] += w->step[i].amount;
	CHECK(memcmp(sum, s->coef + k * s->n_counters, s->n_counters * sizeof *sum) == 0);
	CHECK_INT(w->step[0].kind, STEP_ROOT);
	CHECK_INT(w->step[w->n - 1].kind, STEP_DONE);
	free(sum);
	signature_witness_free(w);
}

static void
check_variant(const struct udd_model *m, const struct json *want)
{
	struct fset on = features_of(m, json_get(want, "features"), want->key);
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, &on, &d);
	struct signatures *s = g ? signatures_new(g, &d) : NULL;
	struct str text = {0};

	diags_print(&d, "", &text);
	CHECK_STR(str_text(&text), "");
	if (CHECK(s != NULL)) {
		compare(s, m, want);
		for (size_t k = 0; k < s->n; k++)
			check_witness(s, g, k);
	}
	str_free(&text);
	signatures_free(s);
	udd_diagram_free(g);
	diags_free(&d);
}

/* Printed text parses and prints to itself, and means the same. */
static void
check_print(const struct udd_model *m, const struct json *variants, const char *file)
{
	struct diags d = {0};
	struct str once = {0}, twice = {0};
	struct udd_model *again;

	udd_print(m, &once);
	again = model_from_text(str_text(&once), once.n, &d);
	if (CHECK(again != NULL)) {
		udd_print(again, &twice);
		CHECK_STR(str_text(&twice), str_text(&once));
		for (const struct json *v = variants->first; v; v = v->next) {
			test_label("%s printed, %s", file, v->key);
			check_variant(again, v);
		}
	}
	udd_free(again);
	diags_free(&d);
	str_free(&once);
	str_free(&twice);
}

static void
check_model(const char *file)
{
	char *json_name = str_format("%s/%.*s.json", dir, (int)strlen(file) - 4, file);
	unsigned long n;
	char *text = test_read(json_name, &n);
	struct json *want = text ? json_parse(text, n, NULL) : NULL;
	struct diags d = {0};
	struct udd_model *m = model_from_file(dir, file, &d);
	struct str messages = {0};

	diags_print(&d, "# ", &messages);
	if (!m)
		CHECK_STR(str_text(&messages), "");
	str_free(&messages);
	if (CHECK(want != NULL) && CHECK(m != NULL)) {
		CHECK_INT(d.errors, 0);
		CHECK_STR(m->name, json_get(want, "model")->text);
		for (const struct json *v = json_get(want, "variants")->first; v; v = v->next) {
			test_label("%s %s", file, v->key);
			check_variant(m, v);
		}
		check_print(m, json_get(want, "variants"), file);
	}
	udd_free(m);
	diags_free(&d);
	json_free(want);
	free(text);
	free(json_name);
}

static void
models_mean_what_the_language_says(void)
{
	size_t n;
	char **file = names_list(dir, ".udd", &n);

	CHECK_INT(n, 18);
	for (size_t i = 0; i < n; i++) {
		test_label("%s", file[i]);
		check_model(file[i]);
	}
	names_list_free(file);
}

TEST_MAIN(CASE(models_mean_what_the_language_says))
