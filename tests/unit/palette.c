/* The palette: what is found by a few letters, in which order, and what Enter does with it. */
#include "explorer/state/state_palette.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "open_session.h"
#include "test.h"

static const char model_text[] =
	"model m; feature alpha \"first\"; feature beta \"second\" requires alpha; variant two { alpha, beta };\n"
	"path p { count x; } path q when beta { count y; }\n";

static void
type(struct state *s, const char *text)
{
	state_act(s, ACTION_palette);
	CHECK_INT(s->view.popup.kind, POPUP_PALETTE);
	CHECK_INT(state_scope(s), 0);
	for (; *text; text++)
		state_input(s, (unsigned char)*text);
}

/* The i-th row, or an empty item. */
static const struct palette_item *
row_at(const struct state *s, size_t i)
{
	static char empty[1];
	static const struct palette_item none = {.name = empty, .text = empty};
	size_t n;
	const size_t *row = state_palette_rows(s, &n);

	return CHECK(i < n) ? &s->view.popup.palette->item[row[i]] : &none;
}

static void
best_first(void)
{
	static const struct { const char *letters, *name; } want[] = {
		{"sort", "sort"}, {"SORT", "sort"}, {"toggle", "toggle"}, {"view 3", "view 3, observations"},
		{"vi geom", "view 4, geometry"}, {"conf95", "confidence 95 %"}, {"feat be", "feature beta"},
		{"var two", "variant two"}, {"C", "columns"}, {"int1s", "interval 1 s"}, {"obo", "one by one"},
	};
	struct state s;
	size_t n;

	open_session_with(&s, model_text);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		test_label("%s", want[i].letters);
		type(&s, want[i].letters);
		CHECK_STR(row_at(&s, 0)->name, want[i].name);
		state_prompt_key(&s, PROMPT_ESCAPE);
		CHECK_INT(s.view.popup.kind, POPUP_NONE);
	}
	type(&s, "");
	state_palette_rows(&s, &n);
	CHECK(n > 80);
	CHECK_STR(row_at(&s, 0)->name, "toggle"); /* what can be done where the cursor is */
	CHECK(!row_at(&s, 0)->why && row_at(&s, n - 1)->why);
	type(&s, "qqqqq");
	state_palette_rows(&s, &n);
	CHECK_INT(n, 0);
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK(strstr(s.view.message.text, "nothing has such a name") != NULL);
	state_free(&s);
}

/* What users of other programs type finds the action that does it, on the first letters, too. */
static void
words_of_others(void)
{
	static const struct { const char *typed; enum action means; } want[] = {
		{"export", ACTION_write}, {"exp", ACTION_write}, {"screenshot", ACTION_write}, {"exit", ACTION_quit},
		{"colour", ACTION_theme}, {"COLOR", ACTION_theme}, {"kill", ACTION_stop}, {"search", ACTION_find},
		{"refresh", ACTION_redraw}, {"repeat", ACTION_run}, {"manual", ACTION_help},
	};
	struct state s;

	open_session_with(&s, model_text);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		size_t n, at = 0;
		const size_t *row;

		test_label("%s", want[i].typed);
		type(&s, want[i].typed);
		row = state_palette_rows(&s, &n);
		while (at < n && s.view.popup.palette->item[row[at]].number != (int)want[i].means)
			at++;
		CHECK(at < n && at < 3);
		state_prompt_key(&s, PROMPT_ESCAPE);
	}
	state_free(&s);
}

static void
enter_does_it(void)
{
	struct state s;
	char theme[THEME_NAME];
	const struct request *r;

	open_session_with(&s, model_text);
	type(&s, "toggle");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK(fset_has(&s.question.on, 0) && requests_find(&s.requests, REQUEST_RESULT));
	type(&s, "feature beta");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK(fset_has(&s.question.on, 1));
	requests_clear(&s.requests);
	type(&s, "confidence 95");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_NEAR(s.question.how.confidence, 0.95, 0);
	CHECK(requests_find(&s.requests, REQUEST_LOAD) && requests_find(&s.requests, REQUEST_RESULT));
	type(&s, "confidence 95");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_STR(s.view.message.text, "confidence 95 % is set already");
	type(&s, "region indep");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_INT(s.question.how.decides, REGION_INDEPENDENT);
	type(&s, "one by one");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK(s.question.how.one_by_one);
	type(&s, "interval 1 s");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_INT(s.question.sampling.interval_ms, 1000);
	type(&s, "theme light");
	state_prompt_key(&s, PROMPT_ENTER);
	state_theme(&s, theme);
	CHECK_STR(theme, "light");
	type(&s, "view 0");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_INT(s.view.current, VIEW_EVENTS);
	type(&s, "watch core"); /* a line of the start screen, from everywhere */
	state_prompt_key(&s, PROMPT_ENTER);
	r = requests_find(&s.requests, REQUEST_OPEN);
	if (CHECK(r != NULL))
		CHECK_STR(r->text, "core");
	state_free(&s);
}

static void
what_lacks_says_why(void)
{
	struct state s;

	open_session_with(&s, model_text);
	type(&s, "sort");
	CHECK(row_at(&s, 0)->why && str_starts(row_at(&s, 0)->why, "s works in views 2, 3"));
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK(str_starts(s.view.message.text, "s works in views 2, 3"));
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	state_free(&s);
	state_init(&s);
	type(&s, "constraints");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_INT(s.view.current, VIEW_START);
	CHECK(*s.view.message.text);
	type(&s, "confidence 95");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_STR(s.view.message.text, "no model is open that could judge; S opens one");
	CHECK(!s.requests.n);
	type(&s, "!ls");
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK(strstr(s.view.message.text, "no model is open that could judge a command") != NULL);
	state_free(&s);
}

static void
a_command_runs(void)
{
	struct state s;
	size_t n;

	open_session_with(&s, model_text);
	type(&s, "ls");
	CHECK(!requests_find(&s.requests, REQUEST_FIT));
	state_prompt_key(&s, PROMPT_ESCAPE);
	type(&s, "!");
	CHECK(requests_find(&s.requests, REQUEST_FIT));
	requests_clear(&s.requests);
	state_input(&s, 'x');
	CHECK(!requests_find(&s.requests, REQUEST_FIT)); /* once */
	state_prompt_key(&s, PROMPT_ESCAPE);
	type(&s, "!ls -l");
	state_palette_rows(&s, &n);
	CHECK_INT(n, 1);
	CHECK_INT(row_at(&s, 0)->kind, PALETTE_COMMAND);
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK(requests_find(&s.requests, REQUEST_RUN));
	CHECK_STR(s.question.subject.argv[0], "ls");
	CHECK_STR(s.question.subject.argv[1], "-l");
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	requests_clear(&s.requests);
	type(&s, "!"); /* no command */
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK(!requests_find(&s.requests, REQUEST_RUN) && s.view.message.bad);
	state_free(&s);
}

static void
the_last_used_come_first(void)
{
	static const char *const used[] = {
		"motion", "theme", "doctor", "one by one", "help", "write", "view 9", "view 0", "motion"};
	struct state s;
	size_t n;

	open_session_with(&s, model_text);
	for (size_t i = 0; i < sizeof used / sizeof *used; i++) {
		type(&s, used[i]);
		CHECK_STR(used[i][0] == 'v' ? "" : row_at(&s, 0)->name, used[i][0] == 'v' ? "" : used[i]);
		state_prompt_key(&s, PROMPT_ENTER);
		state_close_popup(&s);
	}
	type(&s, "");
	CHECK_STR(row_at(&s, 0)->name, "motion");
	CHECK_STR(row_at(&s, 1)->name, "view 0, events");
	CHECK_STR(row_at(&s, 2)->name, "view 9, probes");
	CHECK_STR(row_at(&s, 3)->name, "write");
	CHECK_STR(row_at(&s, 6)->name, "doctor");
	state_palette_rows(&s, &n);
	CHECK(n > 80);
	for (int row = 0; row < 7; row++) { /* the rows that the palette had are no longer those that it would have */
		type(&s, "");
		state_palette_rows(&s, &n);
		test_label("%s", row_at(&s, (size_t)row)->name);
		s.view.popup.cursor = row;
		state_prompt_key(&s, PROMPT_ENTER);
		CHECK(state_shown_holds(&s));
		state_close_popup(&s);
	}
	state_free(&s);
}

static void
moves_and_large_pastes(void)
{
	struct state s;
	size_t n;

	open_session_with(&s, model_text);
	type(&s, "");
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_down);
	CHECK_INT(s.view.popup.cursor, 2);
	state_input(&s, 0xb5); /* typing begins at the top again */
	CHECK_INT(s.view.popup.cursor, 0);
	CHECK(strstr(row_at(&s, 0)->name, "µ") || strstr(row_at(&s, 0)->text, "µ"));
	state_prompt_key(&s, PROMPT_ERASE);
	state_act(&s, ACTION_page_up);
	CHECK_INT(s.view.popup.cursor, 0);
	state_act(&s, ACTION_page_down);
	CHECK(s.view.popup.cursor > 0);
	for (size_t i = 0; i < 1 << 20; i++)
		state_input(&s, i % 3 ? 'a' : 0x20ac);
	CHECK(s.view.prompt.input.n <= PALETTE_LINE_MOST + 4);
	state_palette_rows(&s, &n);
	CHECK_INT(n, 0);
	state_act(&s, ACTION_down);
	state_prompt_key(&s, PROMPT_CLEAR);
	state_palette_rows(&s, &n);
	CHECK(n > 80);
	state_free(&s);
}

TEST_MAIN(CASE(best_first), CASE(words_of_others), CASE(enter_does_it), CASE(what_lacks_says_why), CASE(a_command_runs),
	CASE(the_last_used_come_first), CASE(moves_and_large_pastes))
