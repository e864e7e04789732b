/* A stack's bars in view 6: where the time, the cycles or the slots of each observation went. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "draw/stack_bars.h"
#include "draw/view/stalls/stalls.h"
#include "draw/view/view_list.h"
#include "draw/view/view_timeline.h"
#include "draw/view/view_trust.h"
#include "explorer/state/state_stalls.h"
#include "work/timeline/stack_count.h"
#include "work/timeline/stack_notes.h"
#include "work/timeline/timeline.h"

enum { WIDE = 100, VERY_WIDE = 140 };

/* Do bars show the figure? Only if all observations have one; else they show the whole as counted. */
static bool
shows_figure(const struct state *s)
{
	const struct timeline_bars *b = s->answers.timeline.bars;
	bool all = timeline_stack(s->data.timeline)->figure && b && b->n;

	for (size_t i = 0; all && i < b->n; i++)
		all = b->bar[i].account->figure > 0;
	return all;
}

static struct amount
amount_of_whole(const struct state *s)
{
	return stack_bars_amount(timeline_stack(s->data.timeline), s->answers.timeline.bars);
}

bool
stack_does_not_fit(const struct stack_account *a)
{
	bool some = a->whole_negative;

	for (size_t i = 0; i < a->n_parts; i++)
		some |= a->amount[i].negative;
	return some;
}

/* The counter whose lack makes a value unknown; n_counters: none. Values are the parts, then the whole. */
static size_t
lacking(const struct stack *k, const struct stack_counts *c, size_t value)
{
	size_t i = 0;

	while (i < k->n_counters && !(stack_uses(k, value, i) && c->lack[i] != STACK_COUNTED))
		i++;
	return i;
}

void
add_stack_lack(const struct stack *k, const struct stack_counts *c, size_t value, struct str *out)
{
	size_t i = lacking(k, c, value);

	if (i == k->n_counters)
		str_add(out, "what it is divided by is 0");
	else
		str_addf(out, "no count of %s (%s)", k->counter[i].name, stack_lack_text(c->lack[i]));
}

const struct timeline_bar *
stack_bar_called(const struct timeline_bars *b, const char *name)
{
	for (size_t i = 0; b && i < b->n; i++)
		if (str_eq(b->bar[i].name, name))
			return &b->bar[i];
	return NULL;
}

/* The parts that bars consist of: those of the table that have no parts themselves. An unnamed remainder that is empty
 * in all bars is in neither. */
static size_t *
drawn_parts(const struct state *s, size_t *n)
{
	size_t all, *part = state_parts(s, &all);

	*n = 0;
	for (size_t i = 0; i < all; i++)
		if (stack_is_drawn(timeline_stack(s->data.timeline), part[i]))
			part[(*n)++] = part[i];
	return part;
}

/* Values that all bars of a chart share. */
struct bars {
	const struct state *s;
	const size_t *part; /* parts that are drawn */
	size_t n_parts;
	bool figure;
	struct amount unit;
	struct arena *arena;
};

static const double *
stack_parts_amounts(const struct bars *x, const struct stack_account *account)
{
	double *out = arena_alloc(x->arena, (x->n_parts + 1) * sizeof *out);

	for (size_t i = 0; i < x->n_parts; i++)
		out[i] = x->figure ? account->amount[x->part[i]].figure : account->amount[x->part[i]].value;
	return out;
}

static struct chart_row
stack_parts_row_of(const struct bars *bars, const struct timeline_bar *bar)
{
	const struct stack *stack = timeline_stack(bars->s->data.timeline);
	const struct timeline_bar *other = stack_bar_called(bars->s->answers.timeline.other_bars, bar->name);
	struct str why = {0}, name = {0};
	char number[NUMBER_TEXT];
	struct chart_row row;

	str_add(&name, bar->name);
	if (bar->n > 1)
		str_addf(&name, " ×%zu", bar->n);
	if (isnan(bar->account->whole)) {
		str_addf(&why, "%s is not known: ", stack->whole_name);
		add_stack_lack(stack, bar->counts, stack->n_parts, &why);
	}
	row = (struct chart_row){
		.name = arena_str(bars->arena, str_text(&name)),
		.number = arena_str(bars->arena,
			amount_text(number, &bars->unit, bars->figure ? bar->account->figure : bar->account->whole)),
		.doubtful = stack_does_not_fit(bar->account), .amount = stack_parts_amounts(bars, bar->account),
		.length = stack_bar_length(stack, bar->account, bars->figure),
		.below = stack_bar_below(stack, bar->account, bars->figure),
		.whole = bars->figure ? bar->account->figure : bar->account->whole,
		.why = why.n ? arena_str(bars->arena, str_text(&why)) : NULL,
		.other = other ? stack_parts_amounts(bars, other->account) : NULL,
		.other_length = other ? stack_bar_length(stack, other->account, bars->figure) : 0,
		.other_below = other ? stack_bar_below(stack, other->account, bars->figure) : 0,
	};
	str_free(&why);
	str_free(&name);
	return row;
}

static struct chart_row
row_of_sleepers(const struct bars *bars)
{
	char *text = str_format("%zu tasks only slept; Enter %s", state_sleepers(bars->s),
		bars->s->view.timeline.sleepers ? "folds them" : "lists them");
	struct chart_row row = {
		.name = bars->s->view.timeline.sleepers ? "▾ sleepers" : "▸ sleepers", .number = "", .length = NAN,
		.amount = arena_alloc(bars->arena, (bars->n_parts + 1) * sizeof(double)),
		.why = arena_str(bars->arena, text)};

	free(text);
	return row;
}

static void
stack_parts_add_parts(const struct bars *x, struct chart *c)
{
	const struct stack *k = timeline_stack(x->s->data.timeline);

	c->n_parts = x->n_parts;
	c->part = arena_alloc(c->arena, (c->n_parts + 1) * sizeof *c->part);
	for (size_t i = 0; i < c->n_parts; i++)
		c->part[i] = (struct chart_part){k->part[x->part[i]].name, stack_role(k, x->part[i]),
			stack_fill(k, x->part[i]), stack_key(k, x->part[i])};
}

static struct chart
bars_of_one(const struct state *state, int pane)
{
	const struct stack *stack = timeline_stack(state->data.timeline);
	struct bars x = {.s = state, .figure = shows_figure(state), .arena = arena_new()};
	struct chart c = {.name_head = stack->per == SCOPE_TASK ? "task" : "observation",
		.normalised = state->view.timeline.normalised, .pane = pane, .arena = x.arena};
	const size_t *order = state_bars(state, &c.n);
	size_t *part = drawn_parts(state, &x.n_parts);
	struct str against = {0};

	x.part = part;
	x.unit = c.amount = x.figure ? amount_of_figure(stack->figure_text) : amount_of_whole(state);
	c.number_head = arena_str(c.arena, c.amount.unit);
	c.cursor = state->view.cursor[pane] < (int)c.n ? (size_t)state->view.cursor[pane] : c.n ? c.n - 1 : 0;
	if (state->answers.timeline.other_bars)
		timeline_add_compared(state, true, &against);
	c.other_name = arena_str(c.arena, str_text(&against));
	c.row = arena_alloc(c.arena, (c.n + 1) * sizeof *c.row);
	for (size_t i = 0; i < c.n; i++)
		c.row[i] = order[i] == BAR_SLEEPERS
			? row_of_sleepers(&x) : stack_parts_row_of(&x, &state->answers.timeline.bars->bar[order[i]]);
	stack_parts_add_parts(&x, &c);
	str_free(&against);
	free(part);
	return c;
}

struct chart
stack_bars_chart(const struct state *s, int pane)
{
	return state_compares_methods(s) ? stack_methods_chart(s, pane) : bars_of_one(s, pane);
}

enum { SWATCH, PART, SHARE, VALUE, FIGURE, BEFORE, MEANING, FORMULA, COLUMNS };

/* `room`: what is left beside part, share and value. */
static const struct column stack_parts_columns[COLUMNS] = {
	[SWATCH] = {.gap = 1, .width = 3},
	[PART] = {.head = "component", .gap = 1},
	[SHARE] = {.head = "share %", .width = 8, .right = true},
	[VALUE] = {.width = 10, .right = true},
	[FIGURE] = {.width = 9, .room = 11, .right = true},
	[BEFORE] = {.width = 10, .room = 11, .right = true},
	[MEANING] = {.head = "what it is", .gap = 2, .width = 12, .rest = true},
	[FORMULA] = {.head = "formula", .gap = 2},
};

/* The bar that the rows are of. */
struct parts {
	const struct timeline_bar *bar, *other; /* other: of the snapshot to compare with, or NULL */
	struct amount unit;
};

static void
stack_parts_fit_columns(struct list *list, const struct pen *pen, int w)
{
	const struct stack *k = timeline_stack(list->state->data.timeline);
	struct column *column = list->column;
	int name_w = 9, most = w >= WIDE ? 28 : w >= 60 ? 18 : 12, text_w = 10;

	for (size_t i = 0; i < list->n; i++) {
		const struct stack_part *part = &k->part[list->order[i]];
		const struct parts *of = list->of;
		struct str lack = {0};
		int name = 2 * (int)part->depth + pen_columns(pen, part->name), text = pen_columns(pen, part->text);

		if (of->bar && isnan(of->bar->account->amount[list->order[i]].value) && !part->rest)
			add_stack_lack(k, of->bar->counts, list->order[i], &lack);
		text = pen_columns(pen, str_text(&lack)) > text ? pen_columns(pen, str_text(&lack)) : text;
		str_free(&lack);
		name_w = name > name_w ? name : name_w;
		text_w = text > text_w ? text : text_w;
	}
	column[PART].width = name_w < most ? name_w : most;
	list->room = w - 23 - column[PART].width;
	if (!list->state->answers.timeline.other_bars)
		column[BEFORE].width = 0;
	if (k->figure)
		column[BEFORE].room += column[FIGURE].width;
	else
		column[FIGURE].width = 0;
	if (w >= VERY_WIDE && column[FIGURE].width + column[BEFORE].width + text_w + 18 < list->room) {
		column[MEANING].width = text_w;
		column[MEANING].rest = false;
		column[FORMULA].rest = true;
	}
}

/* The text that the file has for a part, else its formula; for an unknown part, the reason. */
static void
draw_meaning(struct list_row *row)
{
	const struct stack *stack = timeline_stack(row->list->state->data.timeline);
	const struct stack_part *part = &stack->part[row->item];
	const struct parts *parts = row->list->of;
	bool unknown = isnan(parts->bar->account->amount[row->item].value) && !part->rest;
	struct str words = {0}, formula = {0};

	if (part->e)
		aexpr_print(part->e, &formula);
	else
		str_add(&formula, "what the others leave");
	if (unknown)
		add_stack_lack(stack, parts->bar->counts, row->item, &words);
	else if (*part->text || !row->list->column[FORMULA].rest)
		str_add(&words, *part->text ? part->text : str_text(&formula));
	list_text(row, MEANING, unknown ? ROLE_BORDERLINE : ROLE_DIM, str_text(&words));
	list_text(row, FORMULA, ROLE_DIM, str_text(&formula));
	str_free(&words);
	str_free(&formula);
}

static void
draw_part_row(struct list_row *row)
{
	const struct parts *of = row->list->of;
	const struct stack *stack = timeline_stack(row->list->state->data.timeline);
	const struct stack_amount *amount = &of->bar->account->amount[row->item];
	enum role role = fabs(amount->value) > 0 ? ROLE_TEXT : ROLE_DIM;
	struct amount figure = amount_of_figure("");
	char number[NUMBER_TEXT];
	int indent = 2 * (int)stack->part[row->item].depth;
	struct rect at;

	list_cell(row, SWATCH, ROLE_TEXT, &at);
	stack_swatch(&row->pen, at.x, at.y, stack, row->item);
	list_cell(row, PART, role, &at);
	pen_fit(&row->pen, at.x + indent, at.y, at.w - indent, stack->part[row->item].name);
	role = amount->negative ? ROLE_INFEASIBLE : role;
	list_text(row, SHARE, role, isnan(amount->share) ? "?" : number_share(number, amount->share));
	list_text(row, VALUE, role, amount_text(number, &of->unit, amount->value));
	list_text(row, FIGURE, role, amount_text(number, &figure, amount->figure));
	list_text(row, BEFORE, ROLE_DIM,
		of->other ? amount_text(number, &of->unit, of->other->account->amount[row->item].value) : "·");
	draw_meaning(row);
}

static char **
notes_of(const struct state *s, const struct timeline_bar *b)
{
	struct stack_bar bar = {.stack = timeline_stack(s->data.timeline), .counts = b->counts, .account = b->account};

	return stack_notes(&bar);
}

/* Notes on parts that do not add up, as far as there is room; Enter shows all. */
static void
stack_parts_draw_notes(const struct state *s, struct page *p, const struct timeline_bar *b)
{
	char **note = notes_of(s, b);

	for (size_t i = 0; note[i] && !page_full(p); i++)
		page_words(p, ROLE_BORDERLINE, note[i]);
	str_split_free(note);
}

int
draw_stack_parts(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *d)
{
	struct parts of = {.bar = state_bar(state), .unit = amount_of_whole(state)};
	struct page p = {.s = state, .g = grid, .r = r};
	struct column column[COLUMNS];
	size_t n, *part = state_part_rows(state, &n), zeros = state->view.timeline.zeros ? 0 : state_zero_parts(state);
	struct list l = {.state = state, .of = &of, .column = column, .n_columns = COLUMNS, .order = part, .n = n,
		.cursor = (size_t)state->view.cursor[PANE_COMPONENTS], .draw = draw_part_row, .pane = PANE_COMPONENTS,
		.action = ACTION_component};
	struct str was = {0};

	memcpy(column, stack_parts_columns, sizeof column);
	column[VALUE].head = of.unit.unit;
	column[FIGURE].head = timeline_stack(state->data.timeline)->figure_text;
	if (state->answers.timeline.other_bars)
		timeline_add_compared(state, true, &was);
	column[BEFORE].head = str_text(&was);
	stack_parts_fit_columns(&l, &(struct pen){.grid = grid}, r.w);
	if (of.bar) {
		of.other = stack_bar_called(state->answers.timeline.other_bars, of.bar->name);
		p.row = list_draw(&l, grid, r, focus, d);
		if (zeros && !page_full(&p)) {
			struct line line = page_line(&p);

			line_to(&line, 5);
			line_add(&line, ROLE_DIM, 0, "%zu others: 0 in the whole run · * lists them", zeros);
		}
	} else {
		page_words(&p, ROLE_DIM, "No bar is chosen, so there are no parts to show.");
	}
	if (of.bar && !page_full(&p)) {
		page_blank(&p);
		stack_parts_draw_notes(state, &p, of.bar);
	}
	str_free(&was);
	free(part);
	return p.row;
}

void
title_stack_parts(const struct state *state, struct str *title, struct str *info)
{
	const struct timeline_bar *bar = state_bar(state);
	const struct stack *stack = timeline_stack(state->data.timeline);
	struct amount unit = amount_of_whole(state), figure = amount_of_figure("");
	char number[NUMBER_TEXT];

	str_add(title, bar ? bar->name : "Components");
	if (!bar || isnan(bar->account->whole))
		return;
	if (stack->tree.family) {
		title_tree(state, bar, info);
		return;
	}
	str_addf(info, "%s %s", stack->whole_name, amount_text(number, &unit, bar->account->whole));
	if (!str_eq(unit.unit, stack->whole_name))
		str_addf(info, " %s", unit.unit);
	if (stack->figure && !isnan(bar->account->figure))
		str_addf(info, " · %s %s", stack->figure_text, amount_text(number, &figure, bar->account->figure));
}

/* The largest part that is drawn; SIZE_MAX: no part has a share. */
static size_t
stack_parts_largest(const struct stack *k, const struct stack_account *a)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < k->n_parts; i++)
		if (stack_is_drawn(k, i) && a->amount[i].share > 0 &&
			(best == SIZE_MAX || a->amount[i].share > a->amount[best].share))
			best = i;
	return best;
}

/* "CPI 1.24"; without a figure, the largest part. */
bool
stack_bars_finding(const struct state *state, struct str *out)
{
	const struct timeline_bar *b = state_bar(state);
	const struct stack *stack = timeline_stack(state->data.timeline);
	struct amount figure = amount_of_figure("");
	size_t best = b ? stack_parts_largest(stack, b->account) : SIZE_MAX;
	char number[NUMBER_TEXT];

	if (b && stack->figure && b->account->figure > 0)
		str_addf(out, "%s %s", stack->figure_text, amount_text(number, &figure, b->account->figure));
	else if (best != SIZE_MAX)
		str_addf(out, "%s %s %%", stack->part[best].name, number_share(number, b->account->amount[best].share));
	return out->n > 0;
}

static bool
bar_sentence(const struct state *state, struct line *line)
{
	const struct timeline_bar *bar = state_bar(state);
	const struct stack *stack = timeline_stack(state->data.timeline);
	const struct stack_account *a = bar ? bar->account : NULL;
	size_t best = bar ? stack_parts_largest(stack, a) : SIZE_MAX;
	char number[NUMBER_TEXT];

	if (best == SIZE_MAX)
		return false;
	line_add(line, ROLE_TEXT, 0, "%s: ", bar->name);
	line_add(line, ROLE_TEXT, CELL_BOLD, "%s %%", number_share(number, a->amount[best].share));
	line_add(line, ROLE_TEXT, 0, " %s; ", stack->part[best].name);
	if (a->fit[stack->n_parts].over > 0)
		line_add(line, ROLE_BORDERLINE, 0, "parts are %s %% over the whole",
			number_share(number, a->fit[stack->n_parts].over / a->whole));
	else if (a->fit[stack->n_parts].n_unknown)
		line_add(line, ROLE_BORDERLINE, 0, "%zu part%s unknown", a->fit[stack->n_parts].n_unknown,
			plural_s(a->fit[stack->n_parts].n_unknown));
	else
		line_add(line, ROLE_TEXT, 0, "parts add up to the whole");
	return true;
}

bool
stack_bars_sentence(const struct state *s, struct line *l)
{
	return method_gain_sentence(s, l) || tree_sentence(s, l) || bar_sentence(s, l);
}

static void
write_part(const struct state *state, struct page *page, const struct timeline_bar *bar, size_t part,
	const struct amount *unit)
{
	const struct stack *stack = timeline_stack(state->data.timeline);
	const struct stack_amount *amount = &bar->account->amount[part];
	char number[NUMBER_TEXT], share[NUMBER_TEXT];
	struct str formula = {0};
	struct line l = page_line(page);
	struct pen pen = l.pen;
	int indent = 7 + 2 * (int)stack->part[part].depth;

	if (state_compares_methods(state))
		method_swatch(state, &pen, page->r.x + 1, l.y, part);
	else
		stack_swatch(&pen, page->r.x + 1, l.y, stack, part);
	line_to(&l, 5 + 2 * (int)stack->part[part].depth);
	line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", stack->part[part].name);
	if (isnan(amount->value)) {
		line_add(&l, ROLE_BORDERLINE, 0, "  not known");
	} else {
		line_add(&l, ROLE_TEXT, 0, "  %s %s", amount_text(number, unit, amount->value), unit->unit);
		if (!isnan(amount->share))
			line_add(&l, amount->negative ? ROLE_INFEASIBLE : ROLE_TEXT, 0, ", %s %%",
				number_share(share, amount->share));
	}
	page_rest(page, &l, indent, ROLE_DIM, stack->part[part].text);
	str_add(&formula, "= ");
	if (stack->part[part].e)
		aexpr_print(stack->part[part].e, &formula);
	else
		str_add(&formula, "the rest that the other parts of its level leave");
	page_line(page);
	page_hanging(page, indent, ROLE_DIM, str_text(&formula));
	str_free(&formula);
}

/* Columns of the counters' letters (0: none has any), of why a count is missing, and the one after their amounts. */
struct counter_columns {
	int letters, lack, amount;
};

static struct counter_columns
counter_columns_of(const struct state *state, const struct pen *pen)
{
	const struct stack *k = timeline_stack(state->data.timeline);
	int names = 0, letters = items_letters_width(state, k->counter, k->n_counters, NULL);

	if (!letters)
		return (struct counter_columns){0, 26, 38};
	for (size_t i = 0; i < k->n_counters; i++) {
		int w = pen_columns(pen, k->counter[i].name);

		names = w > names ? w : names;
	}
	return (struct counter_columns){names + 3, names + 3 + letters, names + letters + 12};
}

static void
stack_parts_write_counter(const struct state *state, struct page *page, const struct timeline_bar *bar, size_t counter,
	const struct counter_columns *at)
{
	const struct stack *stack = timeline_stack(state->data.timeline);
	const struct counter_item *item = &stack->counter[counter];
	enum stack_lack lack = bar->counts->lack[counter];
	struct amount unit = amount_for(item->unit, bar->counts->value[counter]);
	struct line l = page_line(page);
	struct pen pen = l.pen;
	char number[NUMBER_TEXT], share[NUMBER_TEXT], letters[LETTERS_TEXT];

	line_add(&l, lack == STACK_COUNTED ? ROLE_TEXT : ROLE_DIM, 0, "%s", item->name);
	if (at->letters) {
		line_to(&l, at->letters);
		line_add(&l, ROLE_BORDERLINE, 0, "%s", item_letters(state, item, letters));
	}
	line_to(&l, at->lack);
	if (lack == STACK_COUNTED) {
		pen.fg = ROLE_TEXT;
		pen_right(&pen, page->r.x + at->amount, l.y, amount_text(number, &unit, bar->counts->value[counter]));
		line_to(&l, at->amount + 1);
		line_add(&l, ROLE_DIM, 0, "%s", unit.unit);
		if (bar->counts->running[counter] < 1)
			line_add(&l, ROLE_BORDERLINE, 0, "  counted %s %% of the time",
				number_share(share, bar->counts->running[counter]));
	} else {
		line_add(&l, ROLE_BORDERLINE, 0, "%s", stack_lack_text(lack));
		if (item->unresolved)
			line_add(&l, ROLE_DIM, 0, ": %s", item->unresolved);
	}
	line_gap(&l, 2);
	for (size_t i = 0; item->n_choices && i < item->choice[0].n; i++)
		line_add(&l, ROLE_DIM, 0, "%s%s", i ? " + " : "", item->choice[0].event[i].name);
}

int
stack_bar_popup(const struct state *state, struct grid *grid, struct rect screen, int first)
{
	const struct timeline_bar *b = state_bar(state);
	const struct stack *stack = timeline_stack(state->data.timeline);
	struct amount unit = amount_of_whole(state);
	size_t n, *part = state_parts(state, &n),
		  chosen = state->view.focus == PANE_COMPONENTS ? state_part_at_cursor(state) : SIZE_MAX;
	struct str title = {0}, info = {0};
	struct page p = {.s = state, .g = grid, .skip = first};
	char **note = b ? notes_of(state, b) : NULL;
	struct counter_columns at;

	title_stack_parts(state, &title, &info);
	if (state_compares_methods(state))
		str_addf(&title, " · %s", stack->name);
	p.r = draw_popup(grid, screen, 110, screen.h - 6, str_text(&title), str_text(&info));
	if (b && chosen < stack->n_parts) { /* first what Enter was pressed on, then all */
		write_part(state, &p, b, chosen, &unit);
		page_blank(&p);
		page_head(&p, "All parts", "");
	}
	for (size_t i = 0; b && i < n; i++)
		write_part(state, &p, b, part[i], &unit);
	page_blank(&p);
	page_head(&p, "Counters", "");
	at = counter_columns_of(state, &(struct pen){.grid = grid});
	for (size_t i = 0; b && i < stack->n_counters; i++)
		stack_parts_write_counter(state, &p, b, i, &at);
	if (note && note[0]) {
		page_blank(&p);
		page_head(&p, "How far it can be trusted", "");
	}
	for (size_t i = 0; note && note[i]; i++)
		page_words(&p, ROLE_BORDERLINE, note[i]);
	if (b)
		page_items_trust(&p, "How far the counters can be trusted", stack->counter, stack->n_counters, NULL);
	if (note)
		str_split_free(note);
	free(part);
	str_free(&title);
	str_free(&info);
	return page_rows(&p);
}
