/* The popup of a simulated machine: its rows, and what Enter does on each. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/view/view.h"
#include "explorer/state/state_sim.h"
#include "open_session.h"
#include "stage.h"
#include "test.h"
#include "work/files/intervals.h"

static const char model_text[] = "model m; counter x; counter y; path p { count x; } path q { count y; }\n";

static void
run_machine(struct state *s, const char *text)
{
	str_split_free(s->question.subject.argv);
	s->question.subject.argv = mem_new_array(2, sizeof *s->question.subject.argv);
	s->question.subject.argv[0] = mem_str(text);
}

static void
go_to(struct state *s, const char *name)
{
	struct state_sim_row row = {.name = ""};

	state_act(s, ACTION_first);
	for (size_t i = 0; i < state_sim_rows(s) && strcmp(row.name, name) != 0; i++) {
		state_sim_row(s, i, &row);
		if (strcmp(row.name, name) != 0)
			state_act(s, ACTION_down);
	}
	CHECK_STR(row.name, name);
}

/* The action opens no popup, and its message contains these words. */
static void
refused(struct state *s, enum action action, const char *says)
{
	state_act(s, action);
	CHECK_INT(s->view.popup.kind, POPUP_NONE);
	CHECK(strstr(s->view.message.text, says));
}

static void
rows_switch(void)
{
	struct state s;
	struct state_sim_row row;

	open_session_with(&s, model_text);
	refused(&s, ACTION_simulated, "no simulated machine runs");
	run_machine(&s, "sim:small:merging:chase:endless");
	state_act(&s, ACTION_simulated);
	CHECK_INT(s.view.popup.kind, POPUP_SIMULATED);
	go_to(&s, "bypass");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_STR(s.question.subject.argv[0], "sim:small:merging,bypass:chase:endless");
	CHECK(requests_find(&s.requests, REQUEST_RERUN));
	CHECK_INT(s.view.popup.kind, POPUP_SIMULATED); /* it stays open for the next choice */
	go_to(&s, "merging");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_STR(s.question.subject.argv[0], "sim:small:bypass:chase:endless");
	go_to(&s, "random");
	state_sim_row(&s, (size_t)s.view.popup.cursor, &row);
	CHECK(!row.plant && !row.on);
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_STR(s.question.subject.argv[0], "sim:small:bypass:random:endless");
	state_sim_row(&s, (size_t)s.view.popup.cursor, &row);
	CHECK(row.on);
	state_prompt_key(&s, PROMPT_ESCAPE);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	run_machine(&s, "sim:small:nothing=1");
	refused(&s, ACTION_simulated, "nothing=1: unknown word in how to measure");
	CHECK(s.view.message.bad);
	stage_close(&s);
}

static void
every_size(void)
{
	struct state s;

	open_session_with(&s, model_text);
	run_machine(&s, "sim:small:merging,early_psc:linear,footprint=1G,stride=64+random,turn=100:endless,seed=7");
	state_act(&s, ACTION_simulated);
	go_to(&s, "pml4e");
	stage_compare(&s, "simulated", 120, 40, false);
	stage_compare(&s, "simulated", 80, 24, true);
	go_to(&s, "code");
	stage_compare(&s, "simulated-below", 80, 24, false);
	stage_compare(&s, "simulated", 40, 10, false);
	stage_close(&s);
}

static void
interval_diagrams(void)
{
	struct state s;

	open_session_with(&s, model_text);
	refused(&s, ACTION_intervals, "interval diagrams are of simulated pipelines");
	run_machine(&s, "sim:small");
	refused(&s, ACTION_intervals, "small has no pipeline");
	run_machine(&s, "sim:core");
	state_act(&s, ACTION_intervals);
	CHECK_INT(s.view.popup.kind, POPUP_INTERVALS);
	state_act(&s, ACTION_left); /* there is none before the first */
	stage_compare(&s, "intervals", 80, 24, false);
	state_act(&s, ACTION_right);
	stage_compare(&s, "intervals-branch", 120, 40, false);
	state_act(&s, ACTION_right);
	state_act(&s, ACTION_right);
	stage_compare(&s, "intervals-overlap", 80, 24, true);
	stage_compare(&s, "intervals-overlap", 40, 10, false);
	stage_press(&s, ACTION_right, 3); /* the last one stays */
	CHECK_STR(s.view.popup.interval->lesson, "two-dependent-misses");
	state_act(&s, ACTION_back);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	stage_close(&s);
}

TEST_MAIN(CASE(rows_switch), CASE(every_size), CASE(interval_diagrams))
