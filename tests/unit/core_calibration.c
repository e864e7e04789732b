/* Calibration of simulated cores: what was hidden is named, and nothing else; a machine file says what was found. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "tests/lib/confusion.h"
#include "tests/lib/confusion_all.h"
#include "tests/lib/test.h"
#include "text/diag.h"
#include "work/calibrate/calibrate.h"
#include "work/calibrate/candidate.h"
#include "work/calibrate/knob.h"
#include "work/calibrate/machine_text.h"

static void
statements_are_replaced(void)
{
	static const struct { const char *text, *key, *with, *want; } row[] = {
		{"rob 1;\n", "rob", "rob 2", "rob 2;\n"},
		{"rob_pack 4;\nrob 1; // one\n", "rob", "rob 2", "rob_pack 4;\nrob 2; // one\n"},
		{"// rob 1;\nrob 1;", "rob", "rob 2", "// rob 1;\nrob 2;"},
		{"machine a \"rob 1; b\";\n", "rob", "rob 2", "machine a \"rob 1; b\";\nrob 2;\n"},
		{"ports 1 alu;\nports 2 mul;\nrob 1;\n", "ports", "ports 3 alu", "ports 3 alu;\nrob 1;\n"},
		{"latency mul 1 cycles;\nlatency  div 2 cycles;", "latency div", "latency div 3 cycles",
			"latency mul 1 cycles;\nlatency div 3 cycles;"},
		{"has a;\nmay b;\n", "has", "", "may b;\n"},
		{"", "rob", "rob 2", "rob 2;\n"},
		{"rob 1", "rob", "rob 2", "rob 2;"},
		{"rob // \"one; two\"\n 1;\nwidth 2;\n", "rob", "rob 2", "rob 2;\nwidth 2;\n"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct str s = {0};

		test_label("%s: %s", row[i].text, row[i].key);
		str_add(&s, row[i].text);
		machine_text_set(&s, row[i].key, row[i].with);
		CHECK_STR(str_text(&s), row[i].want);
		str_free(&s);
	}
}

/* Each knob turned to a value is that value when the machine is read again, in changes and as a file. */
static void
knobs_are_written(void)
{
	struct probe_list none = {0};
	struct err e = {0};
	struct candidate *core = candidate_new("sim:core:fma_split", "l3 8 MiB, 16 ways, 60 cycles", &none, &e);

	if (!CHECK(core != NULL))
		return;
	for (size_t i = 0; i < knob_count(); i++) {
		const struct knob *k = knob_at(i);
		double other[KNOB_OTHERS];
		double is = knob_get(k, candidate_machine(core));
		double wanted = knob_choices(k) ? fmod(is + 1, knob_choices(k)) : 2 * is + 6;
		double larger = knob_round(k, candidate_machine(core), wanted);
		double value = larger == is ? knob_round(k, candidate_machine(core), is / 2) : larger; /* all ways */
		bool could = is > 0 || knob_choices(k) || knob_others(k, candidate_machine(core), other) > 0;
		struct candidate *turned = could ? candidate_turn(core, k, value, &e) : NULL;
		char *file = turned ? candidate_file(turned, "// made by a test\n", &e) : NULL;

		test_label("%s %g: %s", knob_name(k), value, e.what);
		if (!could)
			continue; /* no such item, and none can be added */
		if (CHECK(turned != NULL))
			CHECK_NEAR(knob_get(k, candidate_machine(turned)), value, 0);
		CHECK(value != is);
		CHECK(file && strncmp(file, "// made by", 10) == 0);
		free(file);
		candidate_free(turned);
	}
	candidate_free(core);
}

/* Quickly, four differences and those probes that take no long; slowly, a sample with all probes. `make
 * bench-confusion` prints the matrix of many more. */
static void
what_is_hidden_is_named(void)
{
	static const char quick[] = "rob,int_registers,fp_registers,load_queue,store_queue,mul_latency,"
		"fmul_latency,fma_latency,fma_split,l1_latency,load_pipes,store_pipes,sta_std,rob_nops,"
		"move_elimination,move_latency,bank_conflict,banks,write_back";
	static const char *const hidden[] = {"rob", "int_registers", "ports load", "sta_std"};
	size_t slow = test_rounds(0, 20), n = 0;
	struct confusion m = {0};
	struct str why = {0};
	char **names = slow ? NULL : str_split(quick, ',', &n);

	for (size_t i = 0; i < (slow ? slow : sizeof hidden / sizeof *hidden); i++) {
		/* 13 has no divisor in common with their number, so each is another one */
		size_t kind = slow ? (5 + 13 * i) % confusion_kinds() : confusion_kind(hidden[i]);
		unsigned before = m.alone;

		str_clear(&why);
		if (!CHECK(confusion_add(&m, kind, 77 + i, names, n, &why)))
			test_label("%s", str_text(&why));
		if (m.alone == before)
			printf("# %s\n", str_text(&why));
	}
	str_clear(&why);
	confusion_print(&m, &why);
	test_label("%s", str_text(&why));
	CHECK_INT(m.n_hidden, m.cases);
	CHECK(m.right >= 0.95 * m.cases);
	CHECK(m.alone >= 0.95 * m.cases);
	CHECK(m.after < 0.05 * m.before);
	str_free(&why);
	str_split_free(names);
}

/* Any items of a machine file, whether a probe was made for them or not, and changes that no item can express: what is
 * named is hidden, or tied with it, or in doubt. `bench/confusion all` counts more of them. */
static void
nothing_is_given_to_a_wrong_item(void)
{
	static const struct { size_t hidden; unsigned quick, slow; } row[] = {{1, 1, 20}, {2, 0, 3}, {0, 0, 5}};
	unsigned wrong = 0;

	for (size_t r = 0; r < sizeof row / sizeof *row; r++)
		for (unsigned i = 0; i < test_rounds(row[r].quick, row[r].slow); i++) {
			enum confusion_outcome outcome = CONFUSION_WRONG;
			struct str what = {0};

			CHECK(confusion_judge(1 + i, row[r].hidden, &outcome, &what));
			if (outcome == CONFUSION_WRONG)
				printf("# %s\n", str_text(&what));
			wrong += outcome == CONFUSION_WRONG;
			str_free(&what);
		}
	CHECK_INT(wrong, 0);
}

/* What is taken over from one machine to the next is what probes would answer there. */
static void
answers_are_taken_over_where_they_may(void)
{
	size_t n;
	char **names = str_split("mul_latency,l1_latency,decode_width,fmul_rate,bank_conflict,rob", ',', &n);
	struct probe_list l = {0};
	struct diags d = {0};
	struct err e = {0};
	struct candidate *core = NULL, *fresh = NULL;

	if (CHECK(probe_list_load(&l, names, n, &d, &e))) {
		core = candidate_new("sim:core", NULL, &l, &e); /* answers nothing, so nothing is taken over */
		fresh = candidate_new("sim:core", NULL, &l, &e);
	}
	for (size_t k = 0; k < knob_count() && CHECK(core != NULL); k++) {
		double other[KNOB_OTHERS];
		size_t others = knob_others(knob_at(k), candidate_machine(core), other);
		struct candidate *m = others ? candidate_turn(core, knob_at(k), other[0], &(struct err){0}) : NULL;

		for (size_t i = 0; i < l.n && m; i++) {
			struct probe_answer was, is;

			if (knob_may_show(knob_at(k), l.probe[i]))
				continue;
			test_label("%s, %s", knob_name(knob_at(k)), l.probe[i]->name);
			CHECK(candidate_answer(m, i, NULL, &is, &e) && candidate_answer(fresh, i, NULL, &was, &e));
			CHECK(was.found == is.found && was.low == is.low && was.high == is.high);
		}
		candidate_free(m);
	}
	candidate_free(core);
	candidate_free(fresh);
	str_split_free(names);
	probe_list_free(&l);
	diags_free(&d);
}

static void
answers_differ_beyond_intervals(void)
{
	static const struct probe knee = {.value = PROBE_KNEE}, rate = {.value = PROBE_RATE};
	static const struct {
		const struct probe *probe;
		struct probe_answer a, b;
		bool differ;
		double error;
	} row[] = {
		{&knee, {true, 128, 128, 131, NULL, false}, {true, 130, 130, 132, NULL, false}, false, -2 / 130.0},
		/* 130 did not fit */
		{&knee, {true, 128, 128, 130, NULL, false}, {true, 130, 130, 132, NULL, false}, true, -2 / 130.0},
		{&knee, {true, 188, 188, INFINITY, NULL, false}, {true, 328, 328, 330, NULL, false}, false,
			-140 / 328.0},
		{&knee, {true, 188, 188, INFINITY, NULL, false}, {true, 128, 128, 130, NULL, false}, true, 60 / 128.0},
		{&knee, {true, 130, 130, 132, NULL, false}, {true, 128, 128, 130, NULL, false}, true, 2 / 128.0},
		{&knee, {true, 128, 128, 129, NULL, false}, {true, 130, 130, 132, NULL, false}, true, -2 / 130.0},
		{&rate, {true, 2, 2, 2, NULL, false}, {true, 2.01, 2.01, 2.01, NULL, false}, false, -0.01 / 2.01},
		{&rate, {true, 2, 2, 2, NULL, false}, {true, 2.1, 2.1, 2.1, NULL, false}, true, -0.1 / 2.1},
		{&rate, {true, 0, 0, 0, NULL, false}, {true, 0, 0, 0, NULL, false}, false, 0},
		{&knee, {true, 8, 8, 8, NULL, false}, {false, 0, 0, 0, NULL, false}, true, 1},
		{&knee, {false, 0, 0, 0, NULL, false}, {true, 8, 8, 8, NULL, false}, true, -1},
		{&knee, {false, 0, 0, 0, NULL, false}, {false, 0, 0, 0, NULL, false}, false, 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("row %zu", i);
		CHECK(answers_differ(row[i].probe, &row[i].a, &row[i].b) == row[i].differ);
		CHECK_NEAR(answers_error(&row[i].a, &row[i].b), row[i].error, 1e-12);
	}
}

TEST_MAIN(CASE(statements_are_replaced), CASE(knobs_are_written), CASE(answers_differ_beyond_intervals),
	CASE(answers_are_taken_over_where_they_may), CASE(nothing_is_given_to_a_wrong_item),
	CASE(what_is_hidden_is_named))
