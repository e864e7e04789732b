/* Columns of lists on cells: the popup that arranges them, lists as the user arranged them, and titles that sort. */
#include <stdlib.h>

#include "base/str.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "draw/view/view_table.h"
#include "explorer/state/shown.h"
#include "explorer/state/state_columns.h"
#include "explorer/state/state_cursor.h"
#include "explorer/state/state_views.h"
#include "stage.h"
#include "test.h"
#include "ui/input.h"
#include "ui/term.h"

/* Keys in the popup of columns with the cursor at `row`. */
static void
press_at(struct state *s, int row, enum action action, int times)
{
	state_point_popup(s, row);
	stage_press(s, action, times);
}

static void
the_popup(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", NULL, "walks.csv", false);
	stage_compute(&s);
	state_act(&s, ACTION_observations);
	stage_answer(&s);
	stage_show(&s, 80, 24);
	stage_compare(&s, "columns-as-built", 80, 24, false);
	state_act(&s, ACTION_columns);
	stage_compare(&s, "columns", 80, 24, false);
	press_at(&s, 1, ACTION_column_hide, 1);
	press_at(&s, 4, ACTION_column_left, 3);
	CHECK_INT(s.view.popup.cursor, 1);
	stage_compare(&s, "columns-changed", 80, 24, false);
	stage_compare(&s, "columns-changed", 80, 24, true);
	stage_compare(&s, "columns-changed", 120, 40, false);
	stage_compare(&s, "columns-changed", 40, 10, false);
	press_at(&s, 0, ACTION_column_hide, 1);
	CHECK_STR(s.view.message.text, "column name cannot be hidden: it names the rows");
	state_close_popup(&s);
	state_say_nothing(&s);
	stage_compare(&s, "columns-observations", 80, 24, false);
	stage_compare(&s, "columns-observations", 120, 40, false);
	stage_compare(&s, "columns-observations", 200, 60, false);
	stage_compare(&s, "columns-observations", 40, 10, false);
	state_act(&s, ACTION_columns);
	state_act(&s, ACTION_column_reset);
	state_close_popup(&s);
	stage_compare(&s, "columns-as-built", 80, 24, false); /* as it was */
	stage_close(&s);
}

/* Clicks into the title of the column with this order. False: there is none. */
static bool
click_title(struct state *s, unsigned order)
{
	struct grid *grid = grid_new(120, 40, false);
	static struct drawn drawn; /* the state keeps its layout */
	const struct hit *title = NULL;

	stage_look(s, grid, &drawn);
	for (int i = 0; i < drawn.n_hits && !title; i++) {
		struct column_facts column;

		if (drawn.hit[i].kind == HIT_TITLE &&
			CHECK(view_column((enum pane_id)drawn.hit[i].pane, (size_t)drawn.hit[i].row, &column)) &&
			column.order == order)
			title = &drawn.hit[i];
	}
	if (title) {
		CHECK(grid_at(grid, title->r.x + title->r.w - 1, title->r.y)->cp != ' ' ||
			grid_at(grid, title->r.x, title->r.y)->cp != ' ');
		input_take(s, &drawn,
			&(struct term_event){
				.key = TK_MOUSE, .x = title->r.x, .y = title->r.y, .button = MOUSE_PRESS});
	}
	grid_free(grid);
	return title != NULL;
}

static void
titles_sort(void)
{
	struct state s;
	size_t n, first;

	stage_open(&s, "haswell-mmu", NULL, "walks.csv", false);
	stage_compute(&s);
	state_act(&s, ACTION_observations);
	stage_answer(&s);
	CHECK(click_title(&s, 1 + OBSERVATIONS_BY_NAME));
	CHECK_INT(s.view.sort.observations, OBSERVATIONS_BY_NAME);
	CHECK_STR(s.view.message.text, "sorted by name");
	first = state_observations(&s, &n)[0];
	CHECK(click_title(&s, 1 + OBSERVATIONS_BY_NAME));
	CHECK_INT(state_observations(&s, &n)[n - 1], first);
	state_say_nothing(&s);
	stage_compare(&s, "columns-reversed", 120, 40, false);
	stage_compare(&s, "columns-reversed", 80, 24, true);
	CHECK(click_title(&s, 1 + OBSERVATIONS_AS_GIVEN));
	CHECK_INT(s.view.sort.observations, OBSERVATIONS_AS_GIVEN);
	CHECK(!state_is_reversed(&s));
	state_act(&s, ACTION_constraints);
	s.view.focus = PANE_TOUCHED;
	CHECK(click_title(&s, 1 + CONSTRAINTS_BY_FORM));
	CHECK_INT(s.view.focus, PANE_CONSTRAINTS);
	CHECK_INT(s.view.sort.constraints, CONSTRAINTS_BY_FORM);
	CHECK(click_title(&s, 1 + CONSTRAINTS_BY_VIOLATION));
	CHECK_STR(s.view.message.text, "sorted by breaks");
	CHECK(click_title(&s, 1 + CONSTRAINTS_BY_FORM));
	CHECK(!click_title(&s, 1 + CONSTRAINTS_BY_COUNTERS)); /* no column is this order's */
	state_act(&s, ACTION_columns);
	CHECK(!click_title(&s, 1 + CONSTRAINTS_BY_VIOLATION)); /* a popup covers it */
	CHECK_INT(s.view.sort.constraints, CONSTRAINTS_BY_FORM);
	stage_close(&s);
}

static void
arranged_constraints(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	state_act(&s, ACTION_constraints);
	stage_answer(&s);
	stage_arrange(&s, "constraints constraint worst -histogram breaks nearest");
	stage_compare(&s, "columns-constraints", 80, 24, false);
	stage_compare(&s, "columns-constraints", 40, 10, false);
	stage_compare(&s, "columns-constraints", 120, 40, false);
	state_act(&s, ACTION_observations);
	stage_answer(&s);
	stage_arrange(&s, "list distance name worst -excess relaxed");
	stage_compare(&s, "columns-exact", 80, 24, false);
	stage_arrange(&s, "list relaxed name -worst");
	stage_compare(&s, "columns-exact-no-rest", 80, 24, false);
	stage_close(&s);
}

/* The title says once what all names begin with. */
static void
names_share_their_beginning(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", NULL, "walks.csv", false);
	stage_compute(&s);
	state_act(&s, ACTION_observations);
	stage_answer(&s);
	for (size_t i = 0; i < s.answers.result->n_findings; i++) {
		struct finding *f = &s.answers.result->finding[i];
		char *longer = str_format("linear:footprint=%s-of-many", f->name);

		free(f->name);
		f->name = longer;
	}
	stage_compare(&s, "shared-beginning", 120, 40, false);
	stage_compare(&s, "shared-beginning", 80, 24, false);
	stage_close(&s);
}

TEST_MAIN(CASE(the_popup), CASE(titles_sort), CASE(arranged_constraints), CASE(names_share_their_beginning))
