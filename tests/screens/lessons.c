/* A lesson beside the views: a student who errs, goes back and forth, and comes back. The engine judges. */
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "explorer/state/lesson_play.h"
#include "explorer/state/state_start.h"
#include "stage.h"
#include "test.h"
#include "text/diag.h"
#include "work/analysis/result.h"
#include "work/lesson/lesson_files.h"

static struct lesson *
load(const char *name)
{
	char *path = str_format("%s/data/lessons/%s.lesson", getenv("HECATE_TESTS"), name);
	struct diags diags = {0};
	struct err e = {0};
	struct lesson *lesson = lesson_load(path, &diags, &e);

	CHECK(lesson && !diags.n);
	diags_free(&diags);
	free(path);
	return lesson;
}

static void
settle(struct state *s)
{
	state_lesson_look(s);
	stage_answer(s);
	state_lesson_look(s);
	stage_answer(s);
	if (s->answers.result)
		s->answers.result->seconds = 0.0021;
}

static void
begin(struct state *s)
{
	struct lesson *lesson = load("faults");
	char *path = lesson_answers_path(lesson->name, true);
	struct err e = {0};
	struct lesson_answers *answers = lesson_answers_read(lesson, path, &e);

	CHECK(answers != NULL);
	stage_open(s, "linux-page-faults", NULL, "../../../models/demo/page-faults.csv", true);
	stage_compute(s);
	state_lesson_begin(s, lesson, answers);
	settle(s);
	free(path);
}

static void
act(struct state *s, enum action a)
{
	state_act(s, a);
	settle(s);
}

static void
answer(struct state *s, const char *text)
{
	state_act(s, ACTION_lesson_answer);
	CHECK_INT(s->view.prompt.kind, PROMPT_ANSWER);
	for (; *text; text++)
		state_input(s, (unsigned char)*text);
	state_prompt_key(s, PROMPT_ENTER);
	settle(s);
}

static void
toggle(struct state *s, int feature)
{
	state_choose(s, PANE_FEATURES, feature);
	act(s, ACTION_toggle);
}

static void
own_folder(void)
{
	char folder[] = "/tmp/hecate-lesson-XXXXXX";

	CHECK(mkdtemp(folder) != NULL);
	setenv("XDG_STATE_HOME", folder, 1);
}

static const struct lesson_answer *
step(const struct state *s, size_t i)
{
	return &s->lesson->answers->step[i];
}

static void
a_student_errs(void)
{
	struct state s;

	own_folder();
	begin(&s);
	stage_compare(&s, "lesson-number", 120, 40, false);
	answer(&s, "4");
	CHECK_INT(step(&s, 0)->tries, 1);
	CHECK(!step(&s, 0)->done);
	answer(&s, "");
	CHECK_INT(step(&s, 0)->tries, 1); /* no answer is no wrong one */
	act(&s, ACTION_lesson_hint);
	act(&s, ACTION_lesson_hint);
	act(&s, ACTION_lesson_hint);
	CHECK_INT(step(&s, 0)->hints, 2);
	stage_compare(&s, "lesson-hints", 80, 24, false);
	answer(&s, "5");
	CHECK(step(&s, 0)->done);
	CHECK_STR(step(&s, 0)->given[0].features, "");

	act(&s, ACTION_lesson_next);
	toggle(&s, 2);
	CHECK_INT(step(&s, 1)->tries, 1);
	CHECK(s.lesson->said && str_starts(s.lesson->said, "C looks right"));
	toggle(&s, 2); /* off, and on again: wrong a second time */
	toggle(&s, 2);
	CHECK_INT(step(&s, 1)->tries, 2);
	stage_every_size(&s, "lesson-wrong");
	toggle(&s, 3);
	CHECK(step(&s, 1)->done);
	CHECK_STR(step(&s, 1)->given[0].features, "C D");
	stage_close(&s);
}

/* A choice that stands for a feature is switched on, and judged by the engine; a wrong one goes off again. */
static void
the_engine_judges_a_choice(void)
{
	struct state s;

	own_folder();
	begin(&s);
	act(&s, ACTION_lesson_next);
	act(&s, ACTION_lesson_next);
	CHECK_INT(s.lesson->answers->at, 2);
	answer(&s, "1");
	CHECK_INT(step(&s, 2)->tries, 1);
	CHECK(s.lesson->said && str_starts(s.lesson->said, "A was tried, and it does not free gcc."));
	CHECK_INT(fset_count(&s.question.on), 0);
	answer(&s, "9");
	CHECK_INT(step(&s, 2)->tries, 1);
	CHECK(s.view.message.bad);
	answer(&s, "2");
	CHECK(step(&s, 2)->done);
	CHECK_STR(step(&s, 2)->given[0].features, "D");
	CHECK(fset_has(&s.question.on, 3));
	stage_compare(&s, "lesson-choice", 120, 40, false);
	stage_compare(&s, "lesson-choice", 80, 24, true);
	stage_close(&s);
}

/* X tries the choices until one stands. What hecate did is marked, and earns nothing. */
static void
hecate_shows_all(void)
{
	struct state s;

	own_folder();
	begin(&s);
	for (size_t i = 0; i < s.lesson->lesson->n_steps; i++) {
		for (size_t k = 0; k < 3 * LESSON_TASKS_MAX && !step(&s, i)->done; k++)
			act(&s, ACTION_lesson_show);
		CHECK(step(&s, i)->done == (s.lesson->lesson->step[i].n_tasks > 0));
		CHECK(step(&s, i)->shown == (s.lesson->lesson->step[i].n_tasks > 0));
		act(&s, ACTION_lesson_next);
	}
	CHECK_STR(step(&s, 2)->given[0].answer, "2");
	CHECK_STR(step(&s, 3)->given[1].answer, "bash");
	CHECK(str_starts(s.view.message.text, "this was the last step, and all are done"));
	stage_close(&s);
}

static void
it_goes_on_where_it_was_left(void)
{
	struct state s;

	own_folder();
	begin(&s);
	act(&s, ACTION_lesson_back);
	CHECK_STR(s.view.message.text, "this is the first step");
	answer(&s, "5");
	act(&s, ACTION_lesson_next);
	act(&s, ACTION_lesson_next);
	answer(&s, "3");
	act(&s, ACTION_lesson_back);
	stage_close(&s);

	begin(&s);
	CHECK_INT(s.lesson->answers->at, 1);
	CHECK(step(&s, 0)->done);
	CHECK_STR(step(&s, 0)->given[0].answer, "5");
	CHECK_INT(step(&s, 2)->tries, 1);
	CHECK(!step(&s, 1)->done);
	act(&s, ACTION_lesson_fold);
	stage_compare(&s, "lesson-folded", 80, 24, false);
	act(&s, ACTION_stop);
	CHECK(!s.lesson);
	CHECK(str_starts(s.view.message.text, "the lesson is left at step 2 of 6"));
	act(&s, ACTION_lesson_next);
	CHECK(str_starts(s.view.message.text, "no lesson is open"));
	stage_close(&s);
}

/* Tasks that are done by looking, in any order, and a key. */
static void
tasks_of_the_screen(void)
{
	struct state s;

	own_folder();
	begin(&s);
	for (int i = 0; i < 3; i++)
		act(&s, ACTION_lesson_next);
	act(&s, ACTION_observations);
	CHECK(step(&s, 3)->given[0].answer && !step(&s, 3)->done);
	for (int i = 0; i < 8 && !step(&s, 3)->done; i++)
		act(&s, ACTION_observe_next);
	CHECK(step(&s, 3)->done);
	act(&s, ACTION_lesson_next);
	act(&s, ACTION_find);
	state_prompt_key(&s, PROMPT_ESCAPE);
	settle(&s);
	CHECK(step(&s, 4)->given[1].answer && !step(&s, 4)->done);
	answer(&s, "1");
	CHECK(s.lesson->said && str_starts(s.lesson->said, "Counters may be exact"));
	answer(&s, "2");
	CHECK(step(&s, 4)->done);
	stage_close(&s);
}

/* Enter on a lesson of the start screen asks for it. */
static void
home_opens_a_lesson(void)
{
	const struct request *request;
	struct state s;

	own_folder();
	state_init(&s);
	stage_machine(&s.data.machine);
	state_list_home(&s);
	state_open_listed(&s, &s.data.home.of.item[state_home_rows(&s) - 1]); /* lessons are last */
	state_check(&s);
	request = requests_find(&s.requests, REQUEST_LESSON);
	if (CHECK(request != NULL))
		CHECK(str_starts(request->text, "path-map"));
	state_free(&s);
}

TEST_MAIN(CASE(home_opens_a_lesson), CASE(a_student_errs), CASE(the_engine_judges_a_choice), CASE(hecate_shows_all),
	CASE(it_goes_on_where_it_was_left), CASE(tasks_of_the_screen))
