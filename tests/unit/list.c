/* Lists of views (draw/view/view_list.h): places of columns in any width, heads, cells, the cursor, regions for the
 * mouse. Expected rows are written by hand. */
#include "draw/view/view_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "test.h"

enum { MARK, NAME, COUNT, WHY, WHERE, COLUMNS };

static const struct column columns[COLUMNS] = {
	[MARK] = {.gap = 1, .width = 1},
	[NAME] = {.head = "name", .gap = 1, .width = 6, .name = "name", .stays = true},
	[COUNT] = {.head = "n", .gap = 1, .width = 4, .room = 20, .right = true, .name = "count"},
	[WHY] = {.head = "why", .gap = 2, .rest = true, .name = "why"},
	[WHERE] = {.head = "where", .gap = 1, .width = 5, .room = 30, .name = "where"},
};

static void
draw_row(struct list_row *row)
{
	static const char *const name[] = {"gcc", "libquantum", "mcf"}, *const count[] = {"7", "1234", "12"};
	struct line l = list_line(row, WHERE);

	list_text(row, MARK, ROLE_ACCENT, row->here ? "*" : "·");
	list_text(row, NAME, ROLE_HOT, name[row->item]);
	list_text(row, COUNT, ROLE_TEXT, count[row->item]);
	list_text(row, WHY, ROLE_TEXT, "because of it");
	line_add(&l, ROLE_TEXT, 0, "here and there");
}

static const size_t order[] = {2, 0, 1};

static struct list
list_in(struct column column[COLUMNS], int w)
{
	memcpy(column, columns, sizeof columns);
	return (struct list){.column = column, .n_columns = COLUMNS, .room = w, .order = order, .n = 3, .cursor = 1,
		.draw = draw_row, .pane = 5, .action = ACTION_details};
}

static void
columns_appear_as_there_is_room(void)
{
	static const struct { int w; const char *rows; } want[] = {
		{19, "   name    why     \n · mcf     becaus… \n▸* gcc     becaus… \n · libqu…  becaus… \n"},
		{20, "   name      n  why \n · mcf      12  be… \n▸* gcc       7  be… \n · libqu… 1234  be… \n"},
		{30, "   name      n  why     where \n · mcf      12  becaus… here… \n"
		     "▸* gcc       7  becaus… here… \n · libqu… 1234  becaus… here… \n"},
	};

	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct grid *g = grid_new(want[i].w, 4, false);
		struct column column[COLUMNS];
		struct list l = list_in(column, want[i].w);
		struct drawn d = {0};
		struct str text = {0};

		test_label("%d columns", want[i].w);
		list_draw(&l, g, (struct rect){0, 0, g->w, g->h}, true, &d);
		grid_text(g, &text);
		CHECK_STR(str_text(&text), want[i].rows);
		str_free(&text);
		grid_free(g);
	}
}

static void
rows_have_roles_and_regions(void)
{
	struct grid *g = grid_new(44, 5, false);
	struct column column[COLUMNS];
	struct list l = list_in(column, 40);
	struct drawn d = {0};

	/* two rows fit, and the cursor stays in sight */
	l.cursor = 2;
	list_draw(&l, g, (struct rect){2, 1, 40, 3}, true, &d);
	CHECK_INT(d.n_hits, 2);
	CHECK(d.hit[1].row == 2 && d.hit[1].pane == 5 && d.hit[1].action == ACTION_details && d.hit[1].r.x == 2 &&
		d.hit[1].r.y == 3 && d.hit[1].r.w == 40);
	CHECK_INT(grid_at(g, 5, 1)->fg, ROLE_DIM); /* the head */
	CHECK_INT(grid_at(g, 5, 2)->cp, 'g');
	CHECK_INT(grid_at(g, 5, 2)->fg, ROLE_HOT);
	CHECK_INT(grid_at(g, 5, 2)->bg, ROLE_BACKGROUND);
	CHECK_INT(grid_at(g, 5, 3)->bg, ROLE_SELECT);
	l.stale = true;
	list_draw(&l, g, (struct rect){2, 1, 40, 3}, false, &d);
	CHECK_INT(grid_at(g, 5, 2)->fg, ROLE_DIM);
	grid_free(g);
}

/* Without a column that gets the rest, all stand at the left; one of no width takes no room. */
static void
a_list_needs_no_rest(void)
{
	struct column column[] = {{.gap = 1, .width = 3}, {.gap = 4}, {.gap = 2, .width = 5}};
	struct list l = {.column = column, .n_columns = 3};

	list_place(&l, 12);
	CHECK_INT(column[0].x, 1);
	CHECK_INT(column[1].x, 0);
	CHECK_INT(column[2].x, 6);
	CHECK_INT(column[2].width, 5);
}

/* The same columns with names, as the user arranged them. */
static void
columns_as_the_user_has_them(void)
{
	static const struct { int w, room; struct column_choice choice; const char *rows; } want[] = {
		/* what is hidden leaves its room: `where` comes at 25 columns */
		{25, 25, {COLUMNS, {0, 1, 2, 3, 4}, {[COUNT] = true}},
			"   name    why     where \n · mcf     becaus… here… \n▸* gcc     becaus… here… \n"},
		{24, 24, {COLUMNS, {0, 1, 2, 3, 4}, {[COUNT] = true}},
			"   name    why          \n · mcf     because of … \n▸* gcc     because of … \n"},
		/* what follows the one with the rest is at the right edge */
		{30, 30, {COLUMNS, {0, 3, 1, 4, 2}, {false}},
			"    why     name   where    n \n ·  becaus… mcf    here…   12 \n"
			"▸*  becaus… gcc    here…    7 \n"},
		/* without the rest all are at the left */
		{24, 24, {COLUMNS, {0, 2, 1, 3, 4}, {[WHY] = true}},
			"      n name            \n ·   12 mcf             \n▸*    7 gcc             \n"},
		/* too wide for the screen: the one that needs most room gives way */
		{22, 60, {COLUMNS, {0, 1, 4, 2, 3}, {[MARK] = false}},
			"   name      n  why   \n · mcf      12  beca… \n▸* gcc       7  beca… \n"},
	};

	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct grid *g = grid_new(want[i].w, 3, false);
		struct state *s = mem_new(sizeof *s);
		struct column column[COLUMNS];
		struct list l = list_in(column, want[i].w);
		struct drawn d = {0};
		struct str text = {0};

		test_label("arranged %zu", i);
		s->view.columns.of[l.pane] = want[i].choice;
		l.state = s;
		l.room = want[i].room;
		list_draw(&l, g, (struct rect){0, 0, g->w, g->h}, true, &d);
		grid_text(g, &text);
		CHECK_STR(str_text(&text), want[i].rows);
		str_free(&text);
		grid_free(g);
		free(s);
	}
}

/* What gets the rest has a least width: without it, it goes. */
static void
the_rest_may_be_too_little(void)
{
	struct column column[] = {{.gap = 1, .width = 3}, {.gap = 2, .width = 5, .rest = true}};
	struct list l = {.column = column, .n_columns = 2};

	list_place(&l, 12);
	CHECK_INT(column[1].x, 6);
	CHECK_INT(column[1].width, 5);
	list_place(&l, 11);
	CHECK_INT(column[1].x, 0);
}

static void
draw_item(struct list_row *row)
{
	list_text(row, NAME, ROLE_TEXT, row->here ? "here" : "there");
	row->action = row->item == 0 ? ACTION_fold_node : row->action;
}

/* A list that only shows: from its first row on, without cursor and regions. A row may have an action of its own. */
static void
a_list_without_regions(void)
{
	struct grid *g = grid_new(19, 4, false);
	struct column column[COLUMNS];
	struct list l = list_in(column, 19);
	struct rect r = {0, 0, g->w, g->h};
	struct drawn d = {0};
	struct str text = {0};

	l.cursor = 9; /* beyond the end: the last */
	l.draw = draw_item;
	CHECK_INT(list_draw(&l, g, r, true, NULL), 4);
	grid_text(g, &text);
	CHECK_STR(str_text(&text),
		"   name    why     \n   there           \n   there           \n   there           \n");
	CHECK_INT(list_draw(&l, g, (struct rect){0, 0, g->w, 9}, true, &d), 4);
	CHECK_INT(grid_at(g, 0, 2)->cp, ' ');
	CHECK_INT(grid_at(g, 3, 3)->cp, 'h');
	CHECK_INT(d.n_hits, 3);
	CHECK_INT(d.hit[0].action, ACTION_details);
	CHECK_INT(d.hit[1].action, ACTION_fold_node);
	str_free(&text);
	grid_free(g);
}

TEST_MAIN(CASE(columns_appear_as_there_is_room), CASE(rows_have_roles_and_regions), CASE(a_list_needs_no_rest),
	CASE(columns_as_the_user_has_them), CASE(the_rest_may_be_too_little), CASE(a_list_without_regions))
