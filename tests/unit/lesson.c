/* The language of lessons, of a teacher's cases, and of answers: what is read, errors with their words and places,
 * random damage. */
#include "core/lesson/lesson.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "test.h"
#include "text/diag.h"
#include "work/lesson/answers.h"

static const char whole[] =
	"lesson pde \"The PDE cache\" minutes 10 place 3; // a comment\n"
	"about \"Two\" \"strings.\";\n"
	"open \"haswell-mmu\" \"x.csv\" \"--exact\";\n"
	"features none;\n"
	"step \"One\" {\n"
	" text \"A paragraph\" \"goes on.\"; text \"Another.\";\n"
	" show view 3; show observe \"linear-4k\"; show features a, b-c;\n"
	" task feature early_psc off; task feature x on \"Switch it on.\"; task verdict \"linear-4k\" feasible "
	"with a, b;\n"
	" task infeasible 0; task action find; task probe rob run; task view 4; task select y;\n"
	" hint \"one\"; hint \"two\"; wrong feature tlb_pf \"No.\"; done \"Yes.\"; points 3;\n"
	"}\n"
	"step \"Two\" {\n"
	" text \"t\";\n"
	" task pick \"Which?\" { choice \"p\" feature p; choice \"q\" feature q; right verdict o feasible; }\n"
	" task pick \"What?\" { choice \"p\" right; choice \"q\" because \"why\" \"not\"; };\n"
	" task number \"How many?\" is infeasible; task number \"How much?\" is -6.25 within 2 %;\n"
	" task model \"m.udd\" accepts \"a.csv\" refutes \"b.csv\" solution \"s.udd\";\n"
	"}\n";

static struct lesson *
parse(const char *text, size_t n, struct diags *d)
{
	*d = (struct diags){0};
	return lesson_parse(mem_str("t.lesson"), mem_strn(text, n), n, d);
}

static void
lessons_are_read(void)
{
	struct diags d;
	struct lesson *lesson = parse(whole, strlen(whole), &d);
	const struct lesson_step *step;

	if (!lesson) {
		test_check(false, __FILE__, __LINE__, "%s", d.n ? d.item[0].text : "?");
		diags_free(&d);
		return;
	}
	CHECK_STR(lesson->name, "pde");
	CHECK_STR(lesson->about, "Two strings.");
	CHECK_INT(lesson->minutes, 10);
	CHECK_INT(lesson->place, 3);
	CHECK_INT(lesson->n_open, 3);
	CHECK_INT(lesson->begin.kind, LESSON_FEATURES);
	CHECK_INT(lesson->begin.n_list, 0);
	CHECK_INT(lesson_points(lesson), 4);
	CHECK_INT(lesson->n_steps, 2);
	step = &lesson->step[0];
	CHECK_INT(step->n_texts, 2);
	CHECK_STR(step->text[0], "A paragraph goes on.");
	CHECK_INT(step->n_shows, 3);
	CHECK_STR(step->show[2].list[1], "b-c");
	CHECK_INT(step->n_tasks, 8);
	CHECK(!step->task[0].rule.on && step->task[1].rule.on);
	CHECK_STR(step->task[1].question, "Switch it on.");
	CHECK(step->task[2].rule.with && step->task[2].rule.n_list == 2);
	CHECK_INT(step->task[3].rule.kind, LESSON_COUNT);
	CHECK_STR(step->task[4].rule.name, "find");
	CHECK_INT(step->task[7].rule.kind, LESSON_OBSERVE);
	CHECK_INT(step->n_hints, 2);
	CHECK_STR(step->wrong[0].text, "No.");
	step = &lesson->step[1];
	CHECK_INT(step->points, 1);
	CHECK_INT(step->task[0].rule.kind, LESSON_VERDICT);
	CHECK_STR(step->task[0].choice[1].feature, "q");
	CHECK(step->task[1].choice[0].right);
	CHECK_STR(step->task[1].choice[1].because, "why not");
	CHECK_INT(step->task[2].figure, LESSON_INFEASIBLE);
	CHECK_NEAR(step->task[3].number, -6.25, 0);
	CHECK_NEAR(step->task[3].within, 0.02, 1e-12);
	CHECK_STR(step->task[4].solution, "s.udd");
	CHECK(step->task[4].test[0].accepts && !step->task[4].test[1].accepts);
	lesson_free(lesson);
	diags_free(&d);
}

#define FRAME(x) "lesson a \"b\"; open \"m\"; step \"s\" { text \"t\"; " x " }"

static void
errors_say_what_and_where(void)
{
	static const struct {
		const char *text;
		int line, col;
		const char *says, *hint;
	} bad[] = {
		{"lesson a \"b\";\nopen \"m\";", 1, 1, "the lesson has no steps", "step \"TITLE\" { text \"…\"; }"},
		{"lesson a \"b\"; step \"s\" { text \"t\"; }", 1, 1, "nothing says what the lesson opens", ""},
		{"open \"m\"; step \"s\" { text \"t\"; }", 1, 1, "the file names no lesson", ""},
		{FRAME("task veiw 3;"), 1, 51, "what the student does expected, not 'veiw'", "nearest: view"},
		{FRAME("task pick \"q\" { choice \"a\" right; }"), 1, 51, "a question needs two choices", ""},
		{FRAME("task pick \"q\" { choice \"a\" right; choice \"b\" right; }"), 1, 51,
			"one choice is right, and 2 say so", ""},
		{FRAME("task pick \"q\" { choice \"a\"; choice \"b\"; right infeasible 0; }"), 1, 51,
			"what is right is computed, so each choice needs its feature, and none says "
			"that it is right", ""},
		{FRAME("hint \"h\";"), 1, 30, "a step without a task has no hint, no wrong and no done", ""},
		{FRAME("task verdict x maybe;"), 1, 61,
			"feasible, infeasible, borderline or undecided expected after the observation's name, not "
			"'maybe'",
			""},
		{FRAME("show key find;"), 1, 51, "a step can show a view, an observation or features", ""},
		{FRAME("task model \"m.udd\";"), 1, 64,
			"accepts \"FILE\" or refutes \"FILE\" expected after the model's file, not ';'", ""},
		{FRAME("task number \"q\" is many;"), 1, 65, "the number: a number is expected, not 'many'", ""},
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct diags d;
		struct lesson *lesson = parse(bad[i].text, strlen(bad[i].text), &d);

		test_label("%s", bad[i].text);
		CHECK(!lesson);
		if (CHECK(d.n > 0)) {
			CHECK_STR(d.item[0].text, bad[i].says);
			CHECK_INT(d.item[0].line, bad[i].line);
			CHECK_INT(d.item[0].col, bad[i].col);
			if (*bad[i].hint)
				CHECK_STR(d.item[0].hint, bad[i].hint);
		}
		lesson_free(lesson);
		diags_free(&d);
	}
}

static void
cases_are_read(void)
{
	static const char good[] = "cases pde { case \"hidden\" data \"x.csv\" accepts points 2; case \"b\" data "
				   "\"y.csv\" refutes; }",
			  bad[] = "cases pde { case \"hidden\" data \"x.csv\"; }";
	struct diags d = {0};
	struct lesson_cases *cases = lesson_cases_parse(mem_str("c"), mem_str(good), strlen(good), &d);

	if (CHECK(cases && !d.n)) {
		CHECK_STR(cases->lesson, "pde");
		CHECK_INT(cases->n, 2);
		CHECK_INT(cases->item[0].points, 2);
		CHECK(cases->item[0].accepts && !cases->item[1].accepts);
	}
	lesson_cases_free(cases);
	diags_free(&d);
	d = (struct diags){0};
	CHECK(!lesson_cases_parse(mem_str("c"), mem_str(bad), strlen(bad), &d));
	if (CHECK_INT(d.n, 1))
		CHECK_STR(d.item[0].text, "accepts or refutes expected after the data: what a right model does with "
			"them, not ';'");
	diags_free(&d);
}

/* What is written is read again, to the byte. */
static void
answers_come_back(void)
{
	struct diags d;
	struct lesson *lesson = parse(whole, strlen(whole), &d);
	struct lesson_answers *answers = lesson_answers_new(lesson), *again;
	struct str text = {0}, more = {0};

	answers->at = 1;
	answers->step[0] = (struct lesson_answer){.done = true, .tries = 2, .hints = 1};
	answers->step[0].given[3].answer = mem_str("a \"quoted\" \\ name");
	answers->step[0].given[3].features = mem_str("a b-c");
	answers->step[1].shown = true;
	lesson_answers_print(answers, &text);
	again = lesson_answers_parse(mem_str("a"), mem_str(str_text(&text)), text.n, &d);
	if (CHECK(again != NULL)) {
		CHECK_INT(again->at, 1);
		CHECK_STR(again->step[0].given[3].answer, "a \"quoted\" \\ name");
		CHECK_STR(again->step[0].given[3].features, "a b-c");
		CHECK_INT(again->step[0].tries, 2);
		CHECK(again->step[1].shown && !again->step[1].done);
		lesson_answers_print(again, &more);
		CHECK_STR(str_text(&more), str_text(&text));
	}
	lesson_answers_free(again);
	lesson_answers_free(answers);
	lesson_free(lesson);
	diags_free(&d);
	str_free(&text);
	str_free(&more);
}

static void
damage_is_refused_or_read(void)
{
	static const char kept[] = "answers \"pde\" steps 2 at 1; step 1 { answer 1 \"3\" features \"a\"; tries 1; "
				   "hints 2; shown; done; }";
	uint64_t seed = 7;

	for (unsigned i = 0; i < test_rounds(2000, 40000); i++) {
		const char *from = i % 2 ? kept : whole;
		size_t n = strlen(from);
		char *text = mem_strn(from, n);
		struct diags d = {0};

		for (unsigned k = 0; k < 1 + i % 4; k++) {
			size_t at = (size_t)(test_random(&seed) % n);

			if (k % 2)
				memmove(text + at, text + at + 1, n - at), n--;
			else
				text[at] = (char)(32 + test_random(&seed) % 95);
		}
		if (i % 2)
			lesson_answers_free(lesson_answers_parse(mem_str("a"), text, n, &d));
		else
			lesson_free(lesson_parse(mem_str("t"), text, n, &d));
		for (size_t k = 0; k < d.n; k++)
			CHECK(*d.item[k].text && d.item[k].line >= 0);
		diags_free(&d);
	}
}

TEST_MAIN(CASE(lessons_are_read), CASE(errors_say_what_and_where), CASE(cases_are_read), CASE(answers_come_back),
	CASE(damage_is_refused_or_read))
