/* `x`: the cone without a counter. */
#include "draw/view/constraints/constraints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/udd/model.h"
#include "draw/view/view_list.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_table.h"
#include "work/analysis/loss.h"

static const struct counter_loss *
loss_of(const struct state *s, size_t counter)
{
	return s->answers.loss ? s->answers.loss[counter] : NULL;
}

void
page_loss(struct page *page, size_t counter, int columns)
{
	const struct counter_loss *loss = loss_of(page->s, counter);
	struct line line = page_line(page);

	line_gap(&line, 2);
	line_add(&line, ROLE_TEXT, 0, "%s", page->s->question.model->counter[counter].name);
	line_to(&line, 5 + columns);
	if (!loss || loss->failed) {
		line_add(&line, ROLE_DIM, 0, loss ? "unknown: stopped" : "looking …");
		return;
	}
	line_add(&line, ROLE_TEXT, 0, "%zu constraint%s", loss->n_gone, loss->n_gone == 1 ? " goes" : "s go");
	line_add(&line, ROLE_DIM, 0, ", %zu left", loss->equalities + loss->inequalities);
	if (loss->asked) {
		line_add(&line, ROLE_DIM, 0, " · ");
		if (loss->n_lost)
			line_add(&line, page_role(page, ROLE_INFEASIBLE), 0, "%zu of %zu no longer refuted",
				loss->n_lost, loss->asked);
		else
			line_add(&line, ROLE_DIM, 0, "all %zu still refuted", loss->asked);
	}
}

enum { COUNTER, GO, COME, LEFT, FREED, BAR, COLUMNS };

static const struct column loss_columns[COLUMNS] = {
	[COUNTER] = {.head = "counter", .gap = 1},
	[GO] = {.head = "go", .width = 6, .right = true},
	[COME] = {.head = "come", .width = 7, .right = true},
	[LEFT] = {.head = "left", .width = 7, .right = true},
	[FREED] = {.head = "freed", .width = 12, .right = true},
	[BAR] = {.gap = 2, .rest = true},
};

static void
draw_counter(struct list_row *row)
{
	const struct state *state = row->list->state;
	const struct counter_loss *loss = loss_of(state, row->item);
	struct rect at;
	char text[32];

	list_text(row, COUNTER, ROLE_TEXT, state->question.model->counter[row->item].name);
	if (!loss || loss->failed) {
		list_cell(row, GO, ROLE_DIM, &at);
		pen_text(&row->pen, at.x + 2, at.y,
			loss ? "stopped"
				: state->answers.asked.kind == DETAIL_LOSS && state->answers.asked.index == row->item
				? "looking …" : "…");
		return;
	}
	snprintf(text, sizeof text, "%zu", loss->n_gone);
	list_text(row, GO, loss->n_gone ? ROLE_TEXT : ROLE_DIM, text);
	snprintf(text, sizeof text, "%zu", loss->n_come);
	list_text(row, COME, ROLE_DIM, text);
	snprintf(text, sizeof text, "%zu", loss->equalities + loss->inequalities);
	list_text(row, LEFT, ROLE_DIM, text);
	snprintf(text, sizeof text, "%zu of %zu", loss->n_lost, loss->asked);
	list_text(row, FREED, loss->n_lost ? ROLE_INFEASIBLE : ROLE_DIM, loss->asked ? text : "·");
	if (loss->asked && list_cell(row, BAR, ROLE_INFEASIBLE, &at))
		draw_bar(&row->pen, at.x, at.y, at.w, (double)loss->n_lost / (double)loss->asked);
}

static void
list_constraints(struct page *page, const char *head, const struct constraint *constraint, size_t n)
{
	if (n == 0)
		return;
	page_head(page, head, "");
	for (size_t i = 0; i < n; i++) {
		char *text = relation_pretty(constraint[i].text);
		struct line l = page_line(page);

		l.pen.fg = ROLE_TEXT;
		pen_relation(&l.pen, l.x + 2, l.y, l.end - l.x - 3, text);
		free(text);
	}
}

/* Draws what the cone and the refutations lose with the counter under the cursor. */
static void
about_counter(const struct state *state, struct grid *grid, struct rect r, size_t counter)
{
	struct page p = {.s = state, .g = grid, .r = r};
	const struct counter_loss *loss = loss_of(state, counter);
	struct line line = page_line(&p);

	line_add(&line, ROLE_TEXT, CELL_BOLD, "without %s", state->question.model->counter[counter].name);
	line_gap(&line, 2);
	line_add(&line, ROLE_DIM, 0, "%s", state->question.model->counter[counter].text);
	if (!loss || loss->failed) {
		page_words(&p, ROLE_DIM,
			loss ? "Unknown: the computation was stopped." : "The cone without it is being computed …");
		return;
	}
	if (!loss->complete)
		page_words(&p, ROLE_BORDERLINE,
			"One of the two cones lacks facets (time limit), so some constraints that go may still hold.");
	if (loss->n_lost) {
		struct str names = {0};

		str_addf(&names, "no longer refuted (%zu of %zu): ", loss->n_lost, loss->asked);
		for (size_t i = 0; i < loss->n_lost && i < 24; i++)
			if (loss->lost[i] < state->answers.result->n_findings)
				str_addf(&names, "%s%s", i ? ", " : "",
					state->answers.result->finding[loss->lost[i]].name);
		if (loss->n_lost > 24)
			str_add(&names, ", …");
		page_words(&p, ROLE_INFEASIBLE, str_text(&names));
		str_free(&names);
	} else if (loss->asked) {
		page_words(&p, ROLE_FEASIBLE, "Every refutation stays: the other counters suffice.");
	}
	list_constraints(&p, "constraints that go", loss->gone, loss->n_gone);
	list_constraints(&p, "constraints that come instead", loss->come, loss->n_come);
	if (!loss->n_gone)
		page_words(&p, ROLE_DIM, "No constraint contains it: it tests nothing here.");
}

static void
draw_loss_popup(const struct state *s, struct grid *grid, struct rect screen, struct drawn *drawn)
{
	struct rect in =
		draw_popup(grid, screen, 120, screen.h - 4, "Lose a counter", "what the cone would be without it");
	size_t n;
	const size_t *counter = state_counters(s, &n);
	int names = 8, cursor = s->view.popup.cursor < (int)n ? s->view.popup.cursor : (int)n - 1,
	    rows = in.h / 2 - 1;
	struct pen p = pen_on(grid, in, ROLE_FRAME);
	struct column column[COLUMNS];
	struct list l = {.state = s, .column = column, .n_columns = COLUMNS, .order = counter, .n = n,
		.cursor = (size_t)cursor, .draw = draw_counter, .pane = -1};

	for (size_t i = 0; i < n; i++) {
		int w = pen_columns(&p, s->question.model->counter[counter[i]].name) + 1;

		names = w > names ? w : names;
	}
	names = names > 30 ? 30 : names;
	names = in.w >= 56 ? names : in.w - 36 > 8 ? in.w - 36 : 8;
	memcpy(column, loss_columns, sizeof column);
	column[COUNTER].width = names + 1;
	rows = (int)n < rows ? (int)n : rows;
	list_draw(&l, grid, (struct rect){in.x, in.y, in.w, rows + 1}, true, drawn);
	pen_hline(&p, in.x, in.y + rows + 1, in.w, 0x2500);
	if (cursor >= 0 && cursor < (int)n)
		about_counter(s, grid, (struct rect){in.x, in.y + rows + 2, in.w, in.h - rows - 2}, counter[cursor]);
}

const struct popup_draw popup_draw_loss = {.list = draw_loss_popup};
