/* Tables: widths, gaps, cells that are too wide, hidden columns, lines below a row, blanks at the end, ASCII. */
#include "cli/print/text_table.h"

#include "base/str.h"
#include "test.h"

static struct text_table *
two_rows(const struct text_column *column, size_t n, bool ascii)
{
	struct text_table *table = text_table_new(column, n, ascii);

	text_table_row(table, "load.ret");
	text_table_addf(table, "%d", 12345);
	text_table_add(table, "≤");
	str_add(text_table_below(table), "below\n");
	text_table_row(table, "%s", "µ");
	text_table_add(table, "<=");
	return table;
}

static void
text_is(struct text_table *table, const char *want)
{
	struct str out = {0};

	text_table_end(table, &out);
	CHECK_STR(str_text(&out), want);
	str_free(&out);
}

static void
columns_are_as_wide_as_their_cells(void)
{
	const struct text_column column[] = {{.title = "name"}, {.title = "n", .right = true}, {.title = "sign"}};
	struct text_table *table = two_rows(column, 3, false);

	CHECK_INT(text_table_width(table), 8 + 2 + 5 + 2 + 4);
	text_table_row(table, "x");
	text_table_skip(table, 1);
	text_table_add(table, "=");
	text_is(table, "name          n  sign\nload.ret  12345  ≤\nbelow\nµ            <=\nx                =\n");
	text_is(two_rows(column, 3, true), "name          n  sign\nload.ret  12345  <=\nbelow\nu            <=\n");
}

static void
given_widths_stay(void)
{
	const struct text_column column[] = {{.gap = 1, .width = 10, .title = "name"},
		{.right = true, .gap = TEXT_NO_GAP, .width = 3, .title = "number"}, {.gap = 1}};

	text_is(two_rows(column, 3, false), " name      number\n load.ret  12345 ≤\nbelow\n µ          <=\n");
}

static void
a_wide_name_has_its_own_line(void)
{
	const struct text_column column[] = {{.title = "name", .limit = 6}, {.title = "n", .right = true},
		{.title = "sign", .hidden = true}};
	struct text_table *table = two_rows(column, 3, false);

	CHECK_INT(text_table_width(table), 4 + 2 + 5);
	text_is(table, "name      n\nload.ret\n      12345\nbelow\nµ        <=\n");
}

static void
an_empty_table_is_its_titles(void)
{
	const struct text_column column[] = {{.title = "name"}, {.title = "≤", .right = true, .width = 4}};

	text_is(text_table_new(column, 2, false), "name     ≤\n");
	text_table_free(NULL);
}

TEST_MAIN(CASE(columns_are_as_wide_as_their_cells), CASE(given_widths_stay), CASE(a_wide_name_has_its_own_line),
	CASE(an_empty_table_is_its_titles))
