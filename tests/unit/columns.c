/* Columns as the user arranges them (explorer/state/state_columns.h): hidden, moved, as text, and what the list is
 * sorted by. The list has five columns, of which the first has no name and the second one stays. */
#include "explorer/state/state_columns.h"

#include <stdlib.h>

#include "base/str.h"
#include "explorer/state/shown.h"
#include "explorer/state/state_cursor.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_views.h"
#include "test.h"

static bool
column_of_list(enum pane_id pane, size_t number, struct column_facts *out)
{
	static const struct column_facts column[] = {{NULL, NULL, false, 0},
		{"name", "name", true, 1 + EVENT_BY_NAME}, {"size", "n", false, 1 + EVENT_BY_OFFSET},
		{"p", NULL, false, 0}, {"why", "reason", false, 0}};

	if (pane != PANE_EVENTS || number >= sizeof column / sizeof *column)
		return false;
	*out = column[number];
	return true;
}

static void
open_list(struct state *s)
{
	state_init(s);
	s->column = column_of_list;
	s->view.current = VIEW_EVENTS;
	s->view.focus = PANE_RUNS; /* it has no columns: the view's list is meant */
	state_open_columns(s);
	CHECK_INT(s->view.popup.kind, POPUP_COLUMNS);
	CHECK_INT(s->view.columns.pane, PANE_EVENTS);
}

static void
check_columns(const struct state *s, const char *want)
{
	char *text = state_columns_text(s, PANE_EVENTS);

	CHECK_STR(text ? text : "as built", want);
	CHECK(state_columns_hold(s));
	free(text);
}

static void
hidden_and_moved(void)
{
	static const struct { int cursor; enum action action; const char *want; int after; } step[] = {
		{0, ACTION_column_hide, "as built", 0}, /* it stays */
		{1, ACTION_column_hide, "events name -size p why", 1},
		{1, ACTION_column_right, "events name p -size why", 2},
		{2, ACTION_column_right, "events name p why -size", 3},
		{3, ACTION_column_right, "events name p why -size", 3},
		{0, ACTION_column_left, "events name p why -size", 0},
		{1, ACTION_column_left, "events p name why -size", 0},
		{3, ACTION_column_hide, "events p name why size", 3},
		{0, ACTION_column_right, "events name p why size", 1},
		{3, ACTION_column_left, "events name p size why", 2},
		{2, ACTION_column_left, "as built", 1},
		{3, ACTION_column_hide, "events name size p -why", 3},
		{0, ACTION_column_reset, "as built", 0},
	};
	struct state s;

	open_list(&s);
	CHECK_INT(state_listed_columns(&s, (unsigned char[COLUMNS_MOST]){0}), 4);
	for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
		test_label("step %zu", i);
		state_point_popup(&s, step[i].cursor);
		state_act(&s, step[i].action);
		check_columns(&s, step[i].want);
		CHECK_INT(s.view.popup.cursor, step[i].after);
	}
	state_close_popup(&s);
	state_act(&s, ACTION_column_hide); /* keys of another popup */
	check_columns(&s, "as built");
	state_free(&s);
}

static void
note_lost(void *lost, const char *name)
{
	str_addf(lost, "%s;", name);
}

static void
read_from_text(void)
{
	static const struct { const char *text, *want, *lost; } row[] = {
		{"events name -size p why", "events name -size p why", ""},
		{"events why -p size name", "events why -p size name", ""},
		{"events name size p why", "as built", ""},
		{"events", "as built", ""},
		{"events -name size p why", "as built", ""},        /* it stays */
		{"events why name", "events why name size p", ""},    /* each behind its neighbour */
		{"events p -p why -why", "as built", ""}, /* the first word counts */
		{"events -why sighs name - size", "events -why name size p", "sighs;-;"},
		{"tree a b", "as built", "tree;"},                /* it has no columns */
		{"heap a", "as built", "heap;"},
		{"", "as built", ""},
		{"events  -p", "events name size -p why", ""},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct state s;
		struct str lost = {0};

		test_label("%s", row[i].text);
		open_list(&s);
		state_columns_read(&s, row[i].text, note_lost, &lost);
		check_columns(&s, row[i].want);
		CHECK_STR(str_text(&lost), row[i].lost);
		str_free(&lost);
		state_free(&s);
	}
}

static void
sorted_by_a_column(void)
{
	struct state s;

	open_list(&s);
	state_click_title(&s, PANE_EVENTS, 2);
	CHECK_INT(s.view.events.sort, EVENT_BY_OFFSET);
	CHECK_INT(s.view.focus, PANE_EVENTS);
	CHECK(!state_is_reversed(&s));
	CHECK_STR(s.view.message.text, "sorted by size");
	state_click_title(&s, PANE_EVENTS, 2);
	CHECK(state_is_reversed(&s));
	CHECK_STR(s.view.message.text, "sorted by size, reversed");
	state_click_title(&s, PANE_EVENTS, 2);
	CHECK(!state_is_reversed(&s));
	state_point_popup(&s, 0);
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_INT(s.view.events.sort, EVENT_BY_NAME);
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK(state_is_reversed(&s));
	state_point_popup(&s, 2);
	state_prompt_key(&s, PROMPT_ENTER);
	CHECK_STR(s.view.message.text, "this list has no order by p");
	CHECK(state_is_reversed(&s));
	state_act(&s, ACTION_sort); /* the next order begins at its beginning */
	CHECK(!state_is_reversed(&s));
	state_free(&s);
}

/* A list in reverse is the list turned round, and each view has its own direction. */
static void
reversed(void)
{
	struct state s;
	size_t n;

	open_list(&s);
	state_sort_by(&s, EVENT_AS_READ); /* as it is */
	CHECK(state_is_reversed(&s));
	CHECK(state_events(&s, &n) != NULL && n == 0);
	CHECK(state_shown_holds(&s));
	s.view.current = VIEW_PROBES;
	CHECK(!state_is_reversed(&s));
	state_free(&s);
}

TEST_MAIN(CASE(hidden_and_moved), CASE(read_from_text), CASE(sorted_by_a_column), CASE(reversed))
