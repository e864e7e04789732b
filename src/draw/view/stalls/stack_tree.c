/* A tree in view 6: nodes that fold, with their limits; advice for a node, and its formula with numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/stack/account.h"
#include "core/stack/bounds.h"
#include "core/stack/stack.h"
#include "draw/stack_bars.h"
#include "draw/view/stalls/stalls.h"
#include "draw/view/view_list.h"
#include "draw/view/view_table.h"
#include "draw/view/view_timeline.h"
#include "explorer/state/state_nodes.h"
#include "explorer/state/state_stalls.h"
#include "work/timeline/stack_count.h"
#include "work/timeline/stack_notes.h"
#include "work/timeline/timeline.h"
#include "work/timeline/tree_notes.h"

enum { ADVICE_H = 18, NUMBERS_H = 1 << 10, WIDE = 100, POPUP_W = 92, TEXT_COLUMN = 9 };

static const struct stack *
tree_of(const struct state *s)
{
	return timeline_stack(s->data.timeline);
}

static struct stack_bar
bar_of(const struct state *s, const struct timeline_bar *b)
{
	return (struct stack_bar){.stack = tree_of(s), .counts = b->counts, .account = b->account};
}

enum { SWATCH, FLAG, NODE, SHARE, LIMIT, MEANING, COLUMNS };

/* `room`: all columns of the list. */
static const struct column stack_tree_columns[COLUMNS] = {
	[SWATCH] = {.gap = 1, .width = 3},
	[FLAG] = {.gap = 1, .width = 1},
	[NODE] = {.head = "node", .gap = 1},
	[SHARE] = {.head = "%", .width = 7, .right = true},
	[LIMIT] = {.head = "above", .width = 7, .room = 54, .right = true},
	[MEANING] = {.head = "what it is, and of what", .gap = 2, .width = 12, .rest = true},
};

/* Columns for the widest node, or as many as there is room for. */
static int
node_columns(const struct list *list, const struct pen *pen)
{
	int most = list->room >= WIDE ? 38 : list->room >= 60 ? 30 : list->room - 18, widest = 9;

	for (size_t i = 0; i < list->n; i++) {
		const struct stack_part *part = &tree_of(list->state)->part[list->order[i]];
		bool folded = state_nodes_below(list->state, list->order[i]) &&
			!state_node_is_open(list->state, list->order[i]);
		int w = 2 * (int)part->depth + pen_columns(pen, part->name) + (folded ? 5 : 0);

		widest = w > widest ? w : widest;
	}
	return widest < most ? widest : most;
}

/* "waits for the instruction cache, of cycles"; of an unknown node, why it is. */
static void
draw_meaning(struct list_row *row)
{
	const struct stack_bar *bar = row->list->of;
	const struct stack_part *part = &bar->stack->part[row->item];
	struct str words = {0};
	bool unknown;

	tree_add_why(bar, row->item, &words);
	unknown = words.n > 0;
	if (!unknown)
		str_addf(&words, "%s%s%s", part->advice ? part->advice->title : "",
			*part->text && part->advice ? ", " : "", part->text);
	list_text(row, MEANING, unknown ? ROLE_BORDERLINE : ROLE_DIM, str_text(&words));
	str_free(&words);
}

/* The name, and "▸ 3" if nodes below it are folded. */
static void
draw_node_name(struct list_row *row, const struct stack_part *node, bool flagged, size_t below)
{
	struct rect at;
	int w;

	row->pen.attr = flagged ? CELL_BOLD : 0;
	list_text(row, FLAG, ROLE_BORDERLINE, flagged ? "*" : "");
	list_cell(row, NODE, flagged ? ROLE_BORDERLINE : ROLE_TEXT, &at);
	at.x += 2 * (int)node->depth;
	at.w -= 2 * (int)node->depth;
	pen_fit(&row->pen, at.x, at.y, at.w, node->name);
	row->pen.attr = 0;
	w = pen_columns(&row->pen, node->name) + 1;
	row->pen.fg = ROLE_ACCENT;
	if (below && !state_node_is_open(row->list->state, row->item) && w + 4 <= at.w)
		pen_textf(&row->pen, at.x + w, at.y, "▸ %zu", below);
}

static void
draw_node(struct list_row *row)
{
	const struct stack_bar *bar = row->list->of;
	const struct stack_part *node = &bar->stack->part[row->item];
	const struct stack_amount *amount = &bar->account->amount[row->item];
	size_t below = state_nodes_below(row->list->state, row->item);
	bool wrong = amount->share < -1e-9 || amount->share > 1 + 1e-9;
	char number[NUMBER_TEXT];
	struct rect at;

	row->action = below ? ACTION_fold_node : ACTION_component;
	list_cell(row, SWATCH, ROLE_TEXT, &at);
	stack_swatch(&row->pen, at.x, at.y, bar->stack, row->item);
	draw_node_name(row, node, amount->flagged, below);
	list_text(row, SHARE, wrong ? ROLE_INFEASIBLE : amount->flagged ? ROLE_TEXT : ROLE_DIM,
		isnan(amount->share) ? "?" : number_share(number, amount->share));
	if (!isnan(node->limit.above))
		list_text(row, LIMIT, ROLE_DIM, number_digits(number, 100 * node->limit.above, 2, false));
	draw_meaning(row);
}

static void
stack_tree_draw_notes(struct page *p, const struct stack_bar *b)
{
	char **note = stack_notes(b);

	for (size_t i = 0; note[i] && !page_full(p); i++)
		page_words(p, ROLE_BORDERLINE, note[i]);
	str_split_free(note);
}

int
draw_stack_tree(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *d)
{
	const struct timeline_bar *bar = state_bar(state);
	struct page p = {.s = state, .g = grid, .r = r};
	struct column column[COLUMNS];
	size_t n, *part = state_part_rows(state, &n);
	struct list l = {.state = state, .column = column, .n_columns = COLUMNS, .room = r.w, .order = part, .n = n,
		.cursor = (size_t)state->view.cursor[PANE_COMPONENTS], .draw = draw_node, .pane = PANE_COMPONENTS};
	struct stack_bar b;

	if (bar) {
		b = bar_of(state, bar);
		l.of = &b;
		memcpy(column, stack_tree_columns, sizeof column);
		column[NODE].width = node_columns(&l, &(struct pen){.grid = grid});
		p.row = list_draw(&l, grid, r, focus, d);
	} else {
		page_words(&p, ROLE_DIM, "No bar is chosen, so there are no nodes to show.");
	}
	if (bar && !page_full(&p)) {
		page_blank(&p);
		stack_tree_draw_notes(&p, &b);
	}
	free(part);
	return p.row;
}

/* "9 of 98 worth a look · CPI 2.22" */
void
title_tree(const struct state *state, const struct timeline_bar *bar, struct str *info)
{
	const struct stack *stack = tree_of(state);
	struct amount figure = amount_of_figure("");
	char number[NUMBER_TEXT];
	size_t n = 0;

	for (size_t i = 0; i < stack->n_parts; i++)
		n += bar->account->amount[i].flagged;
	str_addf(info, "%zu of %zu worth a look", n, stack->n_parts);
	if (stack->figure && !isnan(bar->account->figure))
		str_addf(info, " · %s %s", stack->figure_text, amount_text(number, &figure, bar->account->figure));
}

/* The way down the largest nodes that are worth a look; SIZE_MAX: none is. */
static size_t
worst_node(const struct stack *stack, const struct stack_account *account)
{
	size_t at = STACK_TOP, best = SIZE_MAX;

	for (bool deeper = true; deeper;) {
		size_t next = SIZE_MAX;

		for (size_t i = 0; i < stack->n_parts; i++)
			if (stack->part[i].parent == at && account->amount[i].flagged &&
				(next == SIZE_MAX || account->amount[i].share > account->amount[next].share))
				next = i;
		deeper = next != SIZE_MAX;
		if (deeper)
			best = at = next;
	}
	return best;
}

bool
tree_sentence(const struct state *state, struct line *line)
{
	const struct timeline_bar *b = state_shows_tree(state) ? state_bar(state) : NULL;
	size_t worst = b ? worst_node(tree_of(state), b->account) : SIZE_MAX;
	char number[NUMBER_TEXT];
	struct str path = {0};

	if (!b)
		return false;
	if (worst == SIZE_MAX) {
		line_add(line, ROLE_TEXT, 0, "%s: no node is above its limit", b->name);
		return true;
	}
	tree_add_path(tree_of(state), worst, &path);
	line_add(line, ROLE_TEXT, 0, "%s: ", b->name);
	line_add(line, ROLE_TEXT, CELL_BOLD, "%s", str_text(&path));
	line_add(line, ROLE_TEXT, 0, " %s %%", number_share(number, b->account->amount[worst].share));
	str_free(&path);
	return true;
}

/* --- popups about the node under the cursor ----------------------------------------------------------------------- */

/* The title is the way to the node; the info its value and limit. */
static void
begin_popup(const struct stack_bar *bar, size_t node, struct page *page, struct rect screen, int most_h)
{
	double share = bar->account->amount[node].share, above = bar->stack->part[node].limit.above;
	char number[NUMBER_TEXT], limit[NUMBER_TEXT];
	struct str title = {0}, info = {0};

	tree_add_path(bar->stack, node, &title);
	str_addf(&info, "%s %%", isnan(share) ? "?" : number_share(number, share));
	if (!isnan(above))
		str_addf(&info, " · above %s %%: worth a look", number_digits(limit, 100 * above, 2, false));
	page->r = draw_popup(page->g, screen, POPUP_W, screen.h - 6 < most_h ? screen.h - 6 : most_h, str_text(&title),
		str_text(&info));
	str_free(&title);
	str_free(&info);
}

static void
write_field(struct page *p, const char *word, const char *text)
{
	struct line l;

	if (!*text)
		return;
	l = page_line(p);
	line_add(&l, ROLE_DIM, 0, "%s", word);
	page_hanging(p, TEXT_COLUMN, ROLE_TEXT, text);
}

static void
write_doubts(struct page *page, const struct stack_bar *bar, size_t node)
{
	struct str words = {0};

	tree_add_why(bar, node, &words);
	if (!words.n)
		tree_add_contradiction(bar, node, &words);
	if (words.n) {
		page_blank(page);
		page_words(page, ROLE_BORDERLINE, str_text(&words));
	}
	str_clear(&words);
	if (tree_add_misfit(bar, node, &words)) {
		page_blank(page);
		page_words(page, ROLE_BORDERLINE, str_text(&words));
	}
	str_free(&words);
}

static int
tree_advice_popup(const struct state *state, struct grid *grid, struct rect screen, int first)
{
	const struct timeline_bar *bar = state_bar(state);
	size_t node = state_node(state);
	struct page p = {.s = state, .g = grid, .skip = first};
	const struct stack_part *part;
	struct stack_bar b;

	if (!bar || node == SIZE_MAX)
		return 0;
	b = bar_of(state, bar);
	part = &b.stack->part[node];
	begin_popup(&b, node, &p, screen, ADVICE_H);
	if (part->advice) {
		page_head(&p, part->advice->title, part->text);
		write_field(&p, "means", part->advice->means);
		write_field(&p, "next", part->advice->next);
		write_field(&p, "helps", part->advice->helps);
	} else {
		page_words(&p, ROLE_DIM, "The tree has no advice for this node.");
	}
	write_doubts(&p, &b, node);
	page_blank(&p);
	page_words(&p, ROLE_DIM, "Esc, then i: its formula and the numbers in it");
	return page_rows(&p);
}

const struct popup_draw popup_draw_advice = {.text = tree_advice_popup};

/* A number that a formula names: a counter with its event, or another node or value. */
struct number_writer {
	struct page *p;
	const struct stack_bar *b;
	const double *value;
	bool *seen; /* per number */
};

static void
write_number(void *ctx, const struct aexpr *name)
{
	struct number_writer *writer = ctx;
	const struct stack *stack = writer->b->stack;
	double v = writer->value[name->index];
	char number[NUMBER_TEXT];
	struct line l;

	if (writer->seen[name->index])
		return;
	writer->seen[name->index] = true;
	l = page_line(writer->p);
	line_add(&l, ROLE_TEXT, 0, "%s", name->name);
	line_to(&l, 44);
	if (isnan(v))
		line_add(&l, ROLE_BORDERLINE, 0, "%s", name->index < stack->n_counters ?
			stack_lack_text(writer->b->counts->lack[name->index]) : "not known");
	else
		line_add(&l, ROLE_TEXT, 0, "%s", number_full(number, v, false));
	if (name->index < stack->n_counters && strcasecmp(tree_event(stack, name->index), name->name) != 0) {
		line_gap(&l, 2);
		line_add(&l, ROLE_DIM, 0, "%s", tree_event(stack, name->index));
	} else if (name->index >= stack_value_of_item(stack, 0)) {
		struct str formula = {0};

		aexpr_print(stack->value[name->index - stack_value_of_item(stack, 0)].e, &formula);
		line_gap(&l, 2);
		line_add(&l, ROLE_DIM, 0, "= %s", str_text(&formula));
		str_free(&formula);
	}
}

static void
write_bounds(struct page *page, const struct stack_bar *bar, size_t node)
{
	struct stack_bounds *bounds = tree_bounds_new(bar);
	struct str words = {0};

	if (tree_add_bounds(bar, bounds, node, &words)) {
		page_blank(page);
		page_head(page, "Bounds", "");
		page_words(page, ROLE_TEXT, str_text(&words));
	}
	str_free(&words);
	free(bounds);
}

static int
tree_numbers_popup(const struct state *state, struct grid *grid, struct rect screen, int first)
{
	const struct timeline_bar *bar = state_bar(state);
	size_t node = state_node(state);
	struct page p = {.s = state, .g = grid, .skip = first};
	struct number_writer w = {.p = &p};
	struct str formula = {0};
	struct stack_bar b;
	double *value;

	if (!bar || node == SIZE_MAX)
		return 0;
	b = bar_of(state, bar);
	begin_popup(&b, node, &p, screen, NUMBERS_H);
	page_head(&p, "Formula", b.stack->part[node].text);
	if (b.stack->part[node].e)
		aexpr_print(b.stack->part[node].e, &formula);
	else
		str_add(&formula, "what the other nodes of its level leave");
	page_words(&p, ROLE_TEXT, str_text(&formula));
	page_blank(&p);
	page_head(&p, "Numbers", bar->name);
	value = stack_values_new(b.stack, b.counts->value, NULL);
	w.b = &b;
	w.value = value;
	w.seen = mem_new_array(b.stack->n_values, sizeof *w.seen);
	if (b.stack->part[node].e)
		aexpr_each_name(b.stack->part[node].e, write_number, &w);
	write_bounds(&p, &b, node);
	write_doubts(&p, &b, node);
	page_blank(&p);
	page_head(&p, "Source", "");
	page_words(&p, ROLE_DIM, b.stack->tree.source);
	free(w.seen);
	free(value);
	str_free(&formula);
	return page_rows(&p);
}

const struct popup_draw popup_draw_numbers = {.text = tree_numbers_popup};
