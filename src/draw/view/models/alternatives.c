/* Pane "Features" of a folder of models: a list of alternatives with their verdicts, of which one is shown. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "core/udd/model.h"
#include "draw/view/models/models.h"
#include "draw/view/view_list.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_table.h"

enum { SWITCH, NAME, TAGS, PATHS, ANSWER, COLUMNS };

/* `room`: columns of the pane. */
static const struct column alternative_columns[COLUMNS] = {
	[SWITCH] = {.gap = 1, .width = 4},
	[NAME] = {.head = "model"},
	[TAGS] = {.head = "tags", .gap = 1, .width = 4, .rest = true},
	[PATHS] = {.head = "µpaths", .gap = 1, .width = 6, .room = 36, .right = true},
	[ANSWER] = {.head = "verdict", .gap = 1, .width = 11},
};

/* How an alternative answers the data. */
struct answer {
	const char *paths;                 /* NULL: unknown */
	size_t infeasible, undecided, all; /* observations; all 0: unknown, or no data */
	bool makes_error;
};

static struct answer
answer_of(const struct state *state, size_t i)
{
	const struct result *result = state_stale(state) ? NULL : state->answers.result;
	const struct neighbours *others = state->answers.neighbours;
	const struct neighbour *other = result && others && i < others->n ? &others->feature[i] : NULL;

	if (!result)
		return (struct answer){0};
	if (fset_has(&result->on, i))
		return (struct answer){result->paths, result->count[VERDICT_INFEASIBLE],
			result->count[VERDICT_UNDECIDED], result->n_findings, result->error != NULL};
	if (!other)
		return (struct answer){0};
	return (struct answer){other->paths, other->infeasible, other->undecided,
		other->legal ? result->n_findings : 0, !other->legal};
}

static void
draw_answer(struct list_row *row, const struct answer *a)
{
	char text[64];

	if (a->makes_error) {
		list_text(row, ANSWER, ROLE_INFEASIBLE, "no model");
	} else if (!a->all) {
		return;
	} else if (a->infeasible) {
		snprintf(text, sizeof text, "✗ %zu of %zu", a->infeasible, a->all);
		list_text(row, ANSWER, ROLE_INFEASIBLE, text);
	} else if (a->undecided == a->all) {
		list_text(row, ANSWER, ROLE_UNDECIDED, "? undecided");
	} else {
		snprintf(text, sizeof text, "✓ survives");
		list_text(row, ANSWER, ROLE_FEASIBLE, text);
	}
}

static void
draw_alternative(struct list_row *row)
{
	const struct state *state = row->list->state;
	const struct udd_feature *model = &state->question.model->feature[row->item];
	struct answer answer = answer_of(state, row->item);
	bool on = fset_has(&state->question.on, row->item);
	struct line l = list_line(row, NAME);

	list_text(row, SWITCH, on ? ROLE_ACCENT : ROLE_DIM, on ? "(x)" : "( )");
	line_add(&l, ROLE_TEXT, on ? CELL_BOLD : 0, "%s", model->name);
	list_text(row, TAGS, ROLE_DIM, model->text);
	if (answer.paths)
		list_text(row, PATHS, ROLE_TEXT, answer.paths);
	draw_answer(row, &answer);
}

/* The whole of what the row under the cursor has too little room for. */
static void
describe(const struct state *state, struct grid *grid, struct rect r)
{
	size_t i = (size_t)state->view.cursor[PANE_FEATURES];
	const struct udd_model *model = state->question.model;
	struct pen text = pen_on(grid, r, ROLE_TEXT);
	struct line l = line_on(grid, r, 0);
	int row = 1;

	line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", model->feature[i].name);
	if (*model->feature[i].text)
		row += draw_wrapped(&text, r.x + 1, r.y + row, r.w - 2, model->feature[i].text);
	text.fg = ROLE_DIM;
	draw_wrapped(&text, r.x + 1, r.y + row, r.w - 2,
		fset_has(&state->question.on, i)
			? "It is the one that all views show." : "Enter shows it in all views.");
}

void
draw_alternatives(const struct state *s, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	int n = (int)s->question.model->n_features, head = r.h > 4, rows,
	    about = r.h > n + head + 3 ? r.h - n - head - 1 : 0, names = 5;
	struct column column[COLUMNS];
	struct list l = {.state = s, .column = column, .n_columns = COLUMNS, .room = r.w, .n = (size_t)n,
		.cursor = (size_t)s->view.cursor[PANE_FEATURES], .stale = state_stale(s), .draw = draw_alternative,
		.pane = PANE_FEATURES, .action = ACTION_take};
	bool judged = s->answers.result && s->answers.result->n_findings;

	memcpy(column, alternative_columns, sizeof column);
	for (int i = 0; i < n; i++) {
		struct pen p = pen_on(grid, r, ROLE_TEXT);
		int w = pen_columns(&p, s->question.model->feature[i].name);

		names = w > names ? w : names;
	}
	if (!judged)
		column[ANSWER].width = 0;
	column[NAME].width = r.w - 6 - (judged ? 12 : 0) - (r.w >= 36 ? 7 : 0);
	column[NAME].width = names < column[NAME].width ? names : column[NAME].width;
	list_place(&l, r.w);
	if (head)
		list_heads(&l, grid, r);
	rows = r.h - head < n ? r.h - head : n;
	list_rows(&l, grid, (struct rect){r.x, r.y + head, r.w, rows}, focus, drawn);
	if (about)
		describe(s, grid, (struct rect){r.x, r.y + head + rows + 1, r.w, about - 1});
}

void
title_alternatives(const struct state *state, struct str *title, struct str *info)
{
	size_t n = state->question.model->n_features, judged = 0, survive = 0;

	str_add(title, "Models");
	for (size_t i = 0; i < n; i++) {
		struct answer a = answer_of(state, i);

		judged += a.all > 0 || a.makes_error;
		survive += a.all && !a.infeasible && a.undecided < a.all;
	}
	if (judged == n)
		str_addf(info, "%zu of %zu survive", survive, n);
	else
		str_addf(info, "%zu alternatives", n);
}
