/* A model whose text has changed (explorer/state/state_reload.h): what stays, by name, and what goes. */
#include "explorer/state/state_reload.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/undo_steps.h"
#include "open_session.h"
#include "parsed.h"
#include "test.h"

static const char before[] =
	"model m; feature a \"first\"; feature b \"second\" requires a; feature c \"third\";\n"
	"path p { count x; switch (K) { case One: count one; case Two: switch (L) { case Deep: count deep; case "
	"Shallow: } } }\n"
	"path q when b { count y; }\n";

/* Feature c comes first, d is new; counter new comes before the others. */
static const char moved[] =
	"model m; feature c \"third\"; feature d \"new\"; feature a \"first\"; feature b \"second\" requires a;\n"
	"path n { count new; }\n"
	"path p { count x; switch (K) { case One: count one; case Two: switch (L) { case Deep: count deep; case "
	"Shallow: } } }\n"
	"path q when b { count y; }\n";

static void
reload(struct state *s, const char *text, struct reload_cursors *kept, struct str *gone)
{
	struct bundle none = {0};

	str_clear(gone);
	requests_clear(&s->requests);
	state_reload_model(s, &none, parsed_model(text), kept, gone);
	state_check(s);
}

static size_t
number_of(const struct state *s, const char *feature)
{
	size_t i = 0;

	while (i < s->question.model->n_features && !str_eq(s->question.model->feature[i].name, feature))
		i++;
	return i;
}

static bool
is_on(const struct state *s, const char *feature)
{
	return fset_has(&s->question.on, number_of(s, feature));
}

/* a and b are on, b is pinned, and the cursor is on it. */
static void
open_session(struct state *s)
{
	open_session_with(s, before);
	state_act(s, ACTION_toggle);
	state_act(s, ACTION_down);
	state_act(s, ACTION_toggle);
	state_act(s, ACTION_pin);
	CHECK(is_on(s, "a") && is_on(s, "b") && fset_count(&s->question.pinned) == 1);
}

static void
features_stay_by_name(void)
{
	struct state s;
	struct reload_cursors kept = {0};
	struct str gone = {0};

	open_session(&s);
	reload(&s, moved, &kept, &gone);
	CHECK_STR(str_text(&gone), "");
	CHECK(is_on(&s, "a") && is_on(&s, "b") && !is_on(&s, "c") && !is_on(&s, "d"));
	CHECK(fset_has(&s.question.pinned, number_of(&s, "b")) && fset_count(&s.question.pinned) == 1);
	CHECK_INT(s.view.cursor[PANE_FEATURES], number_of(&s, "b"));
	CHECK(requests_find(&s.requests, REQUEST_LOAD) && requests_find(&s.requests, REQUEST_RESULT));
	reload_cursors_free(&kept);
	str_free(&gone);
	state_free(&s);
}

static void
what_is_gone_is_said(void)
{
	struct state s;
	struct reload_cursors kept = {0};
	struct str gone = {0};

	open_session(&s);
	remarks_put(&s.question.remarks, REMARK_SESSION, "", "a note");
	reload(&s, "model m; feature a \"first\"; path p { count x; }\npath q when a { count y; }\n", &kept, &gone);
	CHECK_STR(str_text(&gone), "features b, c are gone, counters one, deep are gone, 1 note kept");
	CHECK(is_on(&s, "a") && fset_count(&s.question.on) == 1);
	CHECK_INT(fset_count(&s.question.pinned), 0);
	CHECK_INT(s.question.remarks.n, 1);
	/* a rule that the features break: those of the model itself are on */
	reload(&s, "model m; feature a; feature e; variant default { e }; path p when a { count x; }\n", &kept, &gone);
	CHECK(is_on(&s, "a") && !is_on(&s, "e"));
	reload(&s, "model m; feature a requires e; feature e; path p when a { count x; }\n", &kept, &gone);
	CHECK(!is_on(&s, "a"));
	CHECK(strstr(str_text(&gone), "break its rules"));
	reload_cursors_free(&kept);
	str_free(&gone);
	state_free(&s);
}

static void
the_same_meaning_changes_nothing(void)
{
	struct state s;
	struct reload_cursors kept = {0};
	struct str gone = {0}, text = {0};
	const struct udd_model *model;

	open_session(&s);
	model = s.question.model;
	str_addf(&text, "// a comment\n%s\n", before);
	reload(&s, str_text(&text), &kept, &gone);
	CHECK(s.question.model == model);
	CHECK_INT(s.requests.n, 0);
	CHECK_STR(str_text(&gone), "");
	CHECK(!state_undo_reason(&s)); /* undo goes on */
	str_free(&text);
	str_free(&gone);
	state_free(&s);
}

static void
undo_ends_at_another_meaning(void)
{
	struct state s;
	struct reload_cursors kept = {0};
	struct str gone = {0};

	open_session(&s);
	CHECK(!state_undo_reason(&s));
	reload(&s, moved, &kept, &gone);
	CHECK(state_undo_reason(&s));
	state_act(&s, ACTION_undo);
	CHECK(is_on(&s, "a") && is_on(&s, "b"));
	reload_cursors_free(&kept);
	str_free(&gone);
	state_free(&s);
}

/* The row whose text is `text`; the number of rows: none. */
static size_t
row_of(const struct state *s, const char *text)
{
	size_t i = 0;

	while (i < s->question.outline->n &&
		!(s->question.outline->row[i].text && str_eq(s->question.outline->row[i].text, text)))
		i++;
	return i;
}

static void
folds_stay_by_name(void)
{
	struct state s;
	struct reload_cursors kept = {0};
	struct str gone = {0};

	open_session(&s);
	s.view.tree.folded[row_of(&s, "Two")] = true;
	state_shown_changed(&s);
	reload(&s, moved, &kept, &gone);
	CHECK(row_of(&s, "Two") < s.view.tree.n && s.view.tree.folded[row_of(&s, "Two")]);
	CHECK(!s.view.tree.folded[row_of(&s, "p")] && !s.view.tree.folded[row_of(&s, "n")]);
	reload_cursors_free(&kept);
	str_free(&gone);
	state_free(&s);
}

static void
counters_stay_by_name(void)
{
	struct state s;
	struct reload_cursors kept = {0};
	struct str gone = {0};
	struct plot_view *plot = &s.view.plot;

	open_session(&s);
	plot->chosen = true;
	plot->axis[0] = 1; /* one */
	plot->axis[1] = 0; /* x */
	CHECK_STR(s.question.model->counter[1].name, "one");
	s.data.so_far.total = calloc(4, sizeof *s.data.so_far.total);
	s.data.so_far.counted = calloc(4, sizeof *s.data.so_far.counted);
	reload(&s, moved, &kept, &gone);
	CHECK(plot->chosen && str_eq(s.question.model->counter[plot->axis[0]].name, "one"));
	CHECK_STR(s.question.model->counter[plot->axis[1]].name, "x");
	CHECK(!s.data.so_far.total && !s.data.so_far.counted); /* they were numbered by the old text */
	reload(&s, "model m; feature a; feature b requires a; path p { count x; }\n", &kept, &gone);
	CHECK(!plot->chosen);
	reload_cursors_free(&kept);
	str_free(&gone);
	state_free(&s);
}

static void
only_a_model_is_edited(void)
{
	struct state s;

	open_session(&s);
	requests_clear(&s.requests);
	state_act(&s, ACTION_edit);
	CHECK(requests_find(&s.requests, REQUEST_EDIT));
	state_free(&s);
	state_init(&s);
	state_act(&s, ACTION_edit);
	CHECK(!requests_find(&s.requests, REQUEST_EDIT));
	CHECK(strstr(s.view.message.text, "no model is open"));
	state_free(&s);
}

TEST_MAIN(CASE(features_stay_by_name), CASE(what_is_gone_is_said), CASE(the_same_meaning_changes_nothing),
	CASE(undo_ends_at_another_meaning), CASE(folds_stay_by_name), CASE(counters_stay_by_name),
	CASE(only_a_model_is_edited))
