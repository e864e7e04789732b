#include "explorer/state/state_columns.h"

#include <string.h>

#include "base/str.h"
#include "explorer/state/state_cursor.h"
#include "explorer/state/state_views.h"
#include "explorer/state/undo_steps.h"

static bool
column_of(const struct state *s, enum pane_id pane, size_t number, struct column_facts *out)
{
	return s->column && number < COLUMNS_MOST && s->column(pane, number, out);
}

static size_t
count_columns(const struct state *s, enum pane_id pane)
{
	struct column_facts column;
	size_t n = 0;

	while (column_of(s, pane, n, &column))
		n++;
	return n;
}

/* --- the user's order -------------------------------------------------------------------------------------------- */

static struct column_choice
column_choice_of(const struct state *s, enum pane_id pane)
{
	struct column_choice choice = s->view.columns.of[pane];

	if (choice.n)
		return choice;
	choice.n = count_columns(s, pane);
	for (size_t i = 0; i < choice.n; i++)
		choice.order[i] = (unsigned char)i;
	return choice;
}

/* What is as built is not kept, so that it follows a program that builds it otherwise. */
static void
keep_choice(struct state *s, enum pane_id pane, const struct column_choice *choice)
{
	bool built = true;

	for (size_t i = 0; i < choice->n; i++)
		built &= choice->order[i] == i && !choice->hidden[i];
	s->view.columns.of[pane] = built ? (struct column_choice){0} : *choice;
}

bool
state_column_is_hidden(const struct state *s, enum pane_id pane, size_t number)
{
	return number < COLUMNS_MOST && s->view.columns.of[pane].hidden[number];
}

size_t
state_listed_columns(const struct state *s, unsigned char out[COLUMNS_MOST])
{
	struct column_choice choice = column_choice_of(s, s->view.columns.pane);
	struct column_facts column;
	size_t n = 0;

	for (size_t i = 0; i < choice.n; i++)
		if (column_of(s, s->view.columns.pane, choice.order[i], &column) && column.name)
			out[n++] = choice.order[i];
	return n;
}

bool
state_columns_hold(const struct state *s)
{
	for (int pane = 0; pane < PANE_COUNT; pane++) {
		const struct column_choice *choice = &s->view.columns.of[pane];
		unsigned seen = 0;

		if (choice->n && choice->n != count_columns(s, (enum pane_id)pane))
			return false;
		for (size_t i = 0; i < choice->n; i++) {
			struct column_facts column;

			seen |= 1u << choice->order[i];
			if (!column_of(s, (enum pane_id)pane, i, &column) ||
				(choice->hidden[i] && (column.stays || !column.name)))
				return false;
		}
		if (seen != (1u << choice->n) - 1)
			return false;
	}
	return true;
}

/* --- the popup --------------------------------------------------------------------------------------------------- */

void
state_open_columns(struct state *s)
{
	const struct view_row *view = view_row(s->view.current);
	enum pane_id pane = state_pane(s);

	if (!count_columns(s, pane))
		for (pane = view->first; pane < view->end && !count_columns(s, pane);)
			pane++;
	if (pane < view->end)
		s->view.columns.pane = pane;
	state_open_about(s, POPUP_COLUMNS, pane < view->end);
}

/* The column under the cursor of the popup; false: another popup is open. */
static bool
chosen_column(const struct state *s, size_t *number, struct column_facts *out)
{
	unsigned char listed[COLUMNS_MOST];
	size_t n;

	if (s->view.popup.kind != POPUP_COLUMNS)
		return false;
	n = state_listed_columns(s, listed);
	if ((size_t)s->view.popup.cursor >= n)
		return false;
	*number = listed[s->view.popup.cursor];
	return column_of(s, s->view.columns.pane, *number, out);
}

void
state_hide_column(struct state *s)
{
	enum pane_id pane = s->view.columns.pane;
	struct column_choice choice = column_choice_of(s, pane);
	struct column_facts column;
	size_t number;

	if (!chosen_column(s, &number, &column))
		return;
	if (column.stays) {
		state_say(s, false, "column %s cannot be hidden: it names the rows", column.name);
		return;
	}
	choice.hidden[number] = !choice.hidden[number];
	keep_choice(s, pane, &choice);
}

void
state_move_column(struct state *s, int by)
{
	enum pane_id pane = s->view.columns.pane;
	struct column_choice choice = column_choice_of(s, pane);
	unsigned char listed[COLUMNS_MOST];
	struct column_facts column;
	size_t number, from = 0, to = 0;
	int at = s->view.popup.cursor + by;

	if (!chosen_column(s, &number, &column) || at < 0 || (size_t)at >= state_listed_columns(s, listed))
		return;
	while (choice.order[from] != number)
		from++;
	while (choice.order[to] != listed[at])
		to++;
	choice.order[from] = listed[at];
	choice.order[to] = (unsigned char)number;
	keep_choice(s, pane, &choice);
	state_point_popup(s, at);
}

void
state_reset_columns(struct state *s)
{
	if (!s->view.columns.of[s->view.columns.pane].n)
		state_say(s, false, "the columns are as they were at first");
	s->view.columns.of[s->view.columns.pane] = (struct column_choice){0};
}

void
state_forget_columns(struct state *s)
{
	memset(s->view.columns.of, 0, sizeof s->view.columns.of);
}

static void
sort_by_order(struct state *s, const struct column_facts *column)
{
	state_sort_by(s, column->order - 1);
	state_say(s, false, "sorted by %s%s", column->name, state_reversed_words(s));
}

void
state_sort_by_column(struct state *s)
{
	struct column_facts column;
	size_t number;

	if (!chosen_column(s, &number, &column))
		return;
	if (column.order)
		sort_by_order(s, &column);
	else
		state_say(s, false, "this list has no order by %s", column.name);
}

void
state_click_title(struct state *s, enum pane_id pane, size_t number)
{
	struct column_facts column;

	state_undo_begin(s);
	state_focus(s, pane);
	if (column_of(s, pane, number, &column) && column.order)
		sort_by_order(s, &column);
	state_undo_end(s);
}

/* --- as text ----------------------------------------------------------------------------------------------------- */

char *
state_columns_text(const struct state *s, enum pane_id pane)
{
	const struct column_choice *choice = &s->view.columns.of[pane];
	struct column_facts column;
	struct str text = {0};

	if (!choice->n)
		return NULL;
	str_add(&text, pane_name(pane));
	for (size_t i = 0; i < choice->n; i++)
		if (column_of(s, pane, choice->order[i], &column) && column.name)
			str_addf(&text, " %s%s", choice->hidden[choice->order[i]] ? "-" : "", column.name);
	return str_take(&text);
}

/* Puts a column behind its left neighbour in the table; the first one is the first. */
static void
insert_column(struct column_choice *choice, unsigned char number)
{
	size_t at = 0;

	if (number > 0)
		while (choice->order[at++] != number - 1)
			;
	memmove(&choice->order[at + 1], &choice->order[at], choice->n - at);
	choice->order[at] = number;
	choice->n++;
}

/* The number of the column with this name; `n` if there is none. */
static size_t
column_named(const struct state *s, enum pane_id pane, const char *name, size_t n)
{
	struct column_facts column;
	size_t i = 0;

	while (i < n && column_of(s, pane, i, &column) && !(column.name && str_eq(column.name, name)))
		i++;
	return i;
}

static void
arrange_columns(struct state *s, enum pane_id pane, char *const *word, void (*lost)(void *, const char *), void *to)
{
	struct column_choice choice = {0};
	struct column_facts column;
	size_t n = count_columns(s, pane);
	bool named[COLUMNS_MOST] = {false};

	for (; *word; word++) {
		bool hidden = **word == '-' && (*word)[1];
		size_t number = column_named(s, pane, *word + hidden, n);

		if (number == n && **word) {
			lost(to, *word + hidden);
		} else if (number < n && !named[number] && column_of(s, pane, number, &column)) {
			named[number] = true;
			choice.hidden[number] = hidden && !column.stays;
			choice.order[choice.n++] = (unsigned char)number;
		}
	}
	for (size_t i = 0; i < n; i++)
		if (!named[i])
			insert_column(&choice, (unsigned char)i);
	keep_choice(s, pane, &choice);
}

void
state_columns_read(struct state *s, const char *text, void (*lost)(void *, const char *name), void *to)
{
	char **word = str_split(text, ' ', NULL);
	enum pane_id pane = 0;

	while (word[0] && pane < PANE_COUNT && !str_eq(pane_name(pane), word[0]))
		pane++;
	if (word[0] && pane < PANE_COUNT && count_columns(s, pane))
		arrange_columns(s, pane, word + 1, lost, to);
	else if (word[0] && *word[0])
		lost(to, word[0]);
	str_split_free(word);
}
