/* Refutations as sentences: by hand for a few, and for every constraint of every model here. */
#include "work/analysis/sentence.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/obs/obs.h"
#include "models.h"
#include "test.h"
#include "work/analysis/analysis.h"
#include "work/analysis/result.h"

#define MODEL \
	"model m;\n" \
	"counter P \"page faults handled, for any task\";\ncounter A \"minor faults\";\ncounter B \"major faults\";\n" \
	"counter bare;\nfeature f;\n" \
	"path p { count P; count A; count bare; }\npath q { count P; count B; }\n"

static struct udd_model *
model_of(const char *text)
{
	struct str copy = {0};

	str_add(&copy, text);
	return model_from_made(&copy);
}

/* A constraint, and an observation. */
struct sentence_case {
	int64_t coef[4];
	bool equality, noisy;
	double value[4], margin;
	const char *want;
};

static void
worked_sentences(void)
{
	static const struct sentence_case row[] = {
		{{-1, 1, 1, 0}, true, false, {49957, 49700, 56, 0}, 0,
			"Page faults handled, for any task (P) exceed the sum of minor faults (A) and major faults (B) "
			"by 201 (0.40 %), which no µpath of this model allows."},
		{{-1, 1, 1, 0}, true, false, {10, 12, 1, 0}, 0,
			"The sum of minor faults (A) and major faults (B) exceeds page faults handled, for any "
			"task (P) by 3 (30.0 %), which no µpath of this model allows."},
		{{0, 2, 0, -1}, false, false, {0, 10, 0, 21}, 0,
			"bare exceeds twice minor faults (A) by 1 (5.0 %), which no µpath of this model allows."},
		{{0, 1, -3, 0}, false, false, {0, 0, 4, 0}, 0,
			"3 times major faults (B) exceed minor faults (A) by 12, which no µpath of this model allows."},
		{{0, 1, 0, -1}, false, false, {0, 2, 0, 9}, 0,
			"bare exceeds minor faults (A) by 7 (4.5 times as much), which no µpath of this model allows."},
		{{0, 0, -1, 0}, false, false, {0, 0, 4, 0}, 0,
			"Major faults (B) were counted 4 times, which no µpath of this model allows."},
		{{0, 0, 1, 0}, false, false, {0, 0, -4, 0}, 0,
			"Major faults (B) are −4, which no µpath of this model allows."},
		{{0, 1, -1, 0}, false, true, {0, 200000, 300000, 0}, 0.1,
			"Major faults (B) exceed minor faults (A) by 100 k (50.0 %; at least 50 000 at 99 % "
			"confidence), which no µpath of this model allows."},
		{{0, 1, -1, 0}, false, true, {0, 200000, 300000, 0}, 0,
			"Major faults (B) exceed minor faults (A) by 100 k (50.0 %), "
			"which no µpath of this model allows."},
		{{0, 1, -1, 0}, false, false, {0, NAN, 3, 0}, 0, ""},
	};
	struct udd_model *m = model_of(MODEL);

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct constraint c = {.equality = row[i].equality, .coef = (int64_t *)(uintptr_t)row[i].coef, .n = 4,
			.margin = row[i].margin};
		struct finding f = {.data.exact = !row[i].noisy,
			.counter = {.value = (double *)(uintptr_t)row[i].value, .n_values = 4}};
		struct str out = {0};

		sentence_refutation(m, &c, &f, 0.99, &out);
		CHECK_STR(str_text(&out), row[i].want);
		str_free(&out);
	}
	udd_free(m);
}

/* Long sums are counted, the longer one first; no text is cut in a word. */
static void
long_sums_are_folded(void)
{
	enum { N = 9 };
	struct str text = {0}, out = {0};
	struct udd_model *m;
	int64_t coef[N];
	double value[N];
	struct constraint c = {.coef = coef, .n = N};
	struct finding f = {.data.exact = true, .counter = {.value = value, .n_values = N}};

	str_add(&text, "model m;\n");
	for (int i = 0; i < N; i++)
		str_addf(&text, "counter c%d \"completed walks of kind %d, for pages of one size only\";\n", i, i);
	str_add(&text, "path p { count c0; }\n");
	m = model_from_made(&text);
	for (int i = 0; i < N; i++) {
		coef[i] = i < 2 ? -1 : 1;
		value[i] = i < 2 ? 10 : 1;
	}
	sentence_refutation(m, &c, &f, 0.99, &out);
	CHECK_STR(str_text(&out),
		"The sum of completed walks of kind 0 (c0) and completed walks of kind 1 (c1) exceeds the sum of 7 "
		"counters (c2, …) by 13 (185.7 %), which no µpath of this model allows.");
	str_free(&out);
	udd_free(m);
}

/* What every sentence must be. `names` are of the model's counters. */
static void
check_sentence(const char *file, const struct udd_model *m, const struct constraint *c, const struct finding *f)
{
	struct str out = {0};
	char by[NUMBER_TEXT + 8], number[NUMBER_TEXT];
	double sum = 0;
	int left = 0, right = 0;
	const char *text;

	for (size_t i = 0; i < c->n; i++) {
		sum += c->coef[i] ? (double)c->coef[i] * f->counter.value[i] : 0;
		left += c->coef[i] < 0;
		right += c->coef[i] > 0;
	}
	sentence_refutation(m, c, f, 0.99, &out);
	text = str_text(&out);
	snprintf(by, sizeof by, " by %s", number_full(number, fabs(sum), false));
	test_check(out.n > 0 && text[out.n - 1] == '.' && !strchr(text, '\n') && !strstr(text, "  "), __FILE__,
		__LINE__, "%s, %s: \"%s\"", file, c->text, text);
	test_check(utf8_width(text) <= SENTENCE_MOST, __FILE__, __LINE__, "%s, %s: %zu columns: %s", file,
		c->text, utf8_width(text), text);
	if (f->data.exact && left && right)
		test_check(strstr(text, by) != NULL, __FILE__, __LINE__, "%s, %s: \"%s\" lacks \"%s\"", file, c->text,
			text, by);
	str_free(&out);
}

/* Breaks each constraint of a choice of features: the side that must not be greater gets greater counts. */
static void
break_all(const char *file, const struct udd_model *m, const struct fset *on, size_t *constraints)
{
	const struct analysis_options how = {.confidence = 0.99, .exact = true};
	struct analysis *a = analysis_new(m, &how);
	const char **column = mem_new_array(m->n_counters + 1, sizeof *column);
	int64_t *count = mem_new_array(m->n_counters + 1, sizeof *count);
	double *value = mem_new_array(m->n_counters + 1, sizeof *value);
	struct obs_table *table;
	struct result *r;

	for (size_t i = 0; i < m->n_counters; i++)
		column[i] = m->counter[i].name;
	table = obs_table_new(column, m->n_counters);
	obs_add_row(obs_table_add(table, "o", "test"), count, NULL, NAN);
	analysis_set_table(a, 0, table);
	r = analysis_run(a, on, NULL);
	for (size_t k = 0; r && k < r->n_constraints; k++) {
		struct constraint *c = &r->constraint[k];
		struct finding f = {.data.exact = k % 2, .counter = {.value = value, .n_values = m->n_counters}};

		for (size_t i = 0; i < m->n_counters; i++)
			value[i] = c->coef[i] < 0 ? 123456789 + (double)i : 7;
		c->margin = 0.1;
		check_sentence(file, m, c, &f);
		(*constraints)++;
	}
	result_free(r);
	analysis_free(a);
	free(value);
	free(count);
	free(column);
}

static void
every_constraint_of_the_fixtures(void)
{
	static const char *const folder[] = {"models/good", "models/conformance", "../models"};
	size_t constraints = 0;

	for (size_t d = 0; d < sizeof folder / sizeof *folder; d++) {
		size_t n;
		char **name = names_list(folder[d], ".udd", &n);

		for (size_t i = 0; i < n; i++) {
			struct diags diags = {0};
			struct udd_model *m = model_from_file(folder[d], name[i], &diags);
			struct fset on = {0};

			if (m && !strstr(name[i], "haswell-study"))
				break_all(name[i], m, &on, &constraints);
			udd_free(m);
			diags_free(&diags);
		}
		names_list_free(name);
	}
	test_check(constraints > 200, __FILE__, __LINE__, "only %zu constraints", constraints);
}

static void
every_installed_counter_has_a_text(void)
{
	size_t n, counters = 0;
	char **name = names_list("../models", ".udd", &n);

	CHECK(n >= 4);
	for (size_t i = 0; i < n; i++) {
		struct diags diags = {0};
		struct udd_model *m = model_from_file("../models", name[i], &diags);

		for (size_t k = 0; m && k < m->n_counters; k++, counters++)
			test_check(strlen(m->counter[k].text) > 4 && !str_eq(m->counter[k].text, m->counter[k].name),
				__FILE__, __LINE__, "%s: %s has no text", name[i], m->counter[k].name);
		udd_free(m);
		diags_free(&diags);
	}
	CHECK(counters > 60);
	names_list_free(name);
}

TEST_MAIN(CASE(worked_sentences), CASE(long_sums_are_folded),
	CASE(every_constraint_of_the_fixtures), CASE(every_installed_counter_has_a_text))
