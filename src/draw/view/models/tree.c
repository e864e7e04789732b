/* The µDD as a tree. Decisions fold, disabled parts are dim, counters show their counts in the selected observation. */
#include "draw/view/models/models.h"
#include "draw/view/view_counters.h"
#include "draw/view/view_list.h"
#include "draw/view/view_trust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"

enum { OUTLINE, COUNT, SHARE, COLUMNS };

static const struct column tree_columns[COLUMNS] = {
	[OUTLINE] = {.gap = 1, .rest = true},
	[COUNT] = {.head = "count", .width = 8, .right = true},
	[SHARE] = {.head = "%", .width = 7, .right = true},
};

/* Connectors to the left of a row: for each depth, whether another sibling follows. */
static void
draw_connectors(struct line *line, const struct udd_outline *outline, size_t i)
{
	uint32_t depth = outline->row[i].depth;
	struct pen p = line->pen;

	p.fg = ROLE_FRAME;
	for (uint32_t k = 1; k <= depth; k++) {
		const char *sign = "  ";
		bool more = !outline->row[i].last;

		if (k == depth) {
			sign = more ? "├ " : "└ ";
		} else {
			/* Does the ancestor at depth k have a later sibling? */
			for (size_t j = i + 1; j < outline->n && outline->row[j].depth >= k; j++)
				if (outline->row[j].depth == k) {
					sign = "│ ";
					break;
				}
		}
		if (line->x < line->end)
			line->x += pen_text(&p, line->x, line->y, sign);
	}
}

static void
draw_item(struct line *line, const struct outline_item *item, bool dim)
{
	enum role words = dim || item->off ? ROLE_DIM : ROLE_TEXT, sign = dim || item->off ? ROLE_DIM : ROLE_ACCENT;

	switch (item->kind) {
	case OUTLINE_COUNT:
		line_add(line, sign, 0, "■ ");
		line_add(line, words, 0, item->amount > 1 ? "%s ×%u" : "%s", item->text, item->amount);
		break;
	case OUTLINE_EVENT:
		line_add(line, ROLE_DIM, 0, "○ %s", item->text);
		break;
	case OUTLINE_DECISION:
		line_add(line, words, 0, *item->text ? "◇ %s" : "◇", item->text);
		break;
	case OUTLINE_DONE:
		line_add(line, words, 0, "●");
		break;
	case OUTLINE_RETURN:
		line_add(line, ROLE_DIM, 0, "return");
		break;
	case OUTLINE_IMPOSSIBLE:
		line_add(line, ROLE_DIM, 0, "impossible");
		break;
	case OUTLINE_FORK:
		line_add(line, words, 0, "◇ both");
		break;
	case OUTLINE_TARGET:
		line_add(line, sign, 0, "%s:", item->text);
		break;
	case OUTLINE_JUMP:
		line_add(line, ROLE_DIM, 0, "→ %s", item->text);
		break;
	case OUTLINE_CUT:
		line_add(line, ROLE_DIM, 0, "… %s", item->text);
		break;
	}
}

static const struct outline_item *
first_count(const struct outline_row *r)
{
	for (size_t k = 0; k < r->n_items; k++)
		if (r->item[k].kind == OUTLINE_COUNT && !r->item[k].off)
			return &r->item[k];
	return NULL;
}

/* The share of a row's counter among its siblings' counters. NAN if there is nothing to compare, or if a counter occurs
 * in several of them, so that its count cannot be divided. */
static double
tree_share_of(const struct udd_outline *outline, size_t i, const struct finding *finding)
{
	const struct outline_item *mine = first_count(&outline->row[i]);
	uint32_t depth = outline->row[i].depth;
	bool *seen = mem_new_array(finding->counter.n_values, sizeof *seen), apart = true;
	double sum = 0;
	size_t from = i, siblings = 0;

	while (from > 0 && outline->row[from - 1].depth >= depth)
		from--;
	for (size_t j = from; j < outline->n && outline->row[j].depth >= depth; j++) {
		const struct outline_item *item = outline->row[j].depth == depth ? first_count(&outline->row[j]) : NULL;

		if (!item || !isfinite(finding->counter.value[item->counter]))
			continue;
		apart &= !seen[item->counter];
		seen[item->counter] = true;
		sum += finding->counter.value[item->counter];
		siblings++;
	}
	free(seen);
	return apart && siblings > 1 && sum > 0 ? finding->counter.value[mine->counter] / sum : NAN;
}

/* The text of the column of counts: "off", "·" for what was not counted, "" without a counter. */
static const char *
tree_count(const struct list_row *row, char number[NUMBER_TEXT])
{
	const struct finding *finding = state_finding(row->list->state);
	const struct outline_row *of = &row->list->state->question.outline->row[row->item];
	const struct outline_item *item = first_count(of);

	if (of->off)
		return "off";
	if (!finding || !item)
		return "";
	if (!isfinite(finding->counter.value[item->counter]))
		return "·";
	return number_count(number, finding->counter.value[item->counter], false);
}

/* Returns where the numbers begin: what is left of them may be taken by what the row says. */
static int
tree_draw_numbers(struct list_row *row)
{
	const struct finding *finding = state_finding(row->list->state);
	const struct udd_outline *outline = row->list->state->question.outline;
	const struct outline_row *of = &outline->row[row->item];
	char number[NUMBER_TEXT];
	const char *count = tree_count(row, number);
	bool counted = *count >= '0' && *count <= '9';
	struct rect at = {0};
	double share;

	if (!list_cell(row, COUNT, ROLE_DIM, &at))
		return 0;
	list_text(row, COUNT, counted ? ROLE_TEXT : ROLE_DIM, count);
	at.x += at.w - pen_columns(&row->pen, count) - 2;
	share = counted && of->kind == OUTLINE_CASE ? tree_share_of(outline, row->item, finding) : NAN;
	if (isfinite(share))
		list_text(row, SHARE, ROLE_TEXT, number_share(number, share));
	return at.x;
}

static void
draw_tree_row(struct list_row *row)
{
	const struct state *state = row->list->state;
	const struct outline_row *outline_row = &state->question.outline->row[row->item];
	struct line l = list_line(row, OUTLINE);
	enum role words = outline_row->off ? ROLE_DIM : ROLE_TEXT;
	bool some = false;
	char letters[LETTERS_TEXT];
	int numbers = tree_draw_numbers(row);

	l.end = numbers > l.end ? numbers : l.end;
	if (!state_finding(state) && !outline_row->off) /* there are no numbers */
		l.end = row->pen.clip.x + row->pen.clip.w - 1;
	draw_connectors(&l, state->question.outline, row->item);
	if (outline_row->text && *outline_row->text) {
		line_add(&l, words, outline_row->kind == OUTLINE_PATH ? CELL_BOLD : 0, "%s", outline_row->text);
		some = true;
	}
	if (outline_row->guard)
		line_add(&l, ROLE_DIM, 0, " when %s", outline_row->guard);
	for (size_t k = 0; k < outline_row->n_items; k++) {
		if (some || k)
			line_add(&l, ROLE_FRAME, 0, " ── ");
		draw_item(&l, &outline_row->item[k], outline_row->off);
		if (outline_row->item[k].kind == OUTLINE_COUNT &&
			*counter_letters(state, outline_row->item[k].counter, letters))
			line_add(&l, ROLE_BORDERLINE, 0, " %s", letters);
	}
	if (state->view.tree.folded[row->item] && outline_row->below)
		line_add(&l, ROLE_ACCENT, 0, " ▸ %u folded", outline_row->below);
}

/* At the bottom: what the counters of the row under the cursor are, and then of the rows below it. */
static void
tree_add_texts(const struct state *state, struct grid *grid, struct rect r, const size_t *shown, size_t n)
{
	struct page page = {.s = state, .g = grid, .r = r};
	size_t n_counters = state->question.model->n_counters;
	bool *has = mem_new_array(n_counters, sizeof *has), *had = mem_new_array(n_counters, sizeof *had);

	for (size_t i = (size_t)state->view.cursor[PANE_TREE]; i < n && !page_full(&page); i++) {
		const struct outline_row *row = &state->question.outline->row[shown[i]];

		memset(has, 0, n_counters * sizeof *has);
		for (size_t k = 0; k < row->n_items; k++)
			if (row->item[k].kind == OUTLINE_COUNT && !had[row->item[k].counter])
				has[row->item[k].counter] = had[row->item[k].counter] = true;
		page_counter_texts(&page, has);
	}
	free(has);
	free(had);
}

void
draw_tree(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct column column[COLUMNS];
	size_t n;
	const size_t *shown = state_tree_rows(state, &n);
	struct list l = {.state = state, .column = column, .n_columns = COLUMNS, .order = shown, .n = n,
		.cursor = (size_t)state->view.cursor[PANE_TREE], .draw = draw_tree_row, .pane = PANE_TREE,
		.action = ACTION_fold};
	int head = state_finding(state) && r.h > 4, texts = r.h >= 20 ? 3 : r.h >= 10 ? 2 : r.h >= 7;

	memcpy(column, tree_columns, sizeof column);
	list_place(&l, r.w);
	if (head)
		list_heads(&l, grid, r);
	list_rows(&l, grid, (struct rect){r.x, r.y + head, r.w, r.h - head - texts}, focus, drawn);
	tree_add_texts(state, grid, (struct rect){r.x, r.y + r.h - texts, r.w, texts}, shown, n);
}
