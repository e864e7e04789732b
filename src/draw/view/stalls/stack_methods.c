/* Several methods of accounting in view 6: a bar by each of them for every observation, and a table in which parts of
 * one name are one row.
 *
 *     observation method          CPI  0            0.5            1
 *    ▸core 0      topdown_l1_spr 1.35  R███████S▓F▒▒▒▒B░░░░░░░░░░░░░
 *                 naive_spr      1.35  B███b▓▓22▒▒▒▒▒▒D▓▓▓▓▓▓▓▓▓▓▓▓▓
 *
 * A part's name decides its colour, fill and letter, so that parts of one name look the same in every bar. Bars have
 * one scale if the methods have a figure or a unit in common; else they show shares. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/state/state_stalls.h"
#include "app/timeline/methods.h"
#include "app/timeline/stack_notes.h"
#include "app/timeline/timeline.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "draw/stack_bars.h"
#include "draw/view/stalls/stalls.h"

enum scale { BY_FIGURE, BY_WHOLE, BY_SHARE };

struct compared {
	const struct state *s;
	const struct methods *m;
	struct stack *const *stack;
	size_t n;                /* number of methods */
	size_t *row, n_rows;     /* parts that some bar shows: numbers of m->part */
	struct chart_part *look; /* per part of m */
	enum scale scale;
	struct amount unit;   /* unit of the scale */
	struct arena *arena;
};

static bool
is_taken(const struct chart_part *look, size_t n, char key)
{
	for (size_t i = 0; i < n; i++)
		if (look[i].key == key)
			return true;
	return false;
}

/* The part's own letter; if another part has it already, a free letter of the part's name, else of the alphabet. */
static char
free_key(const struct chart_part *look, size_t n, const char *name, char own)
{
	static const char any[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	if (!is_taken(look, n, own))
		return own;
	for (const char *p = name; *p; p++)
		if (strchr(any, *p) && !is_taken(look, n, *p))
			return *p;
	for (const char *p = any; *p; p++)
		if (!is_taken(look, n, *p))
			return *p;
	return own;
}

/* The part before this one in a method's bar, among those with a look; METHOD_NONE: none. */
static size_t
neighbour(const struct compared *v, size_t part, size_t stack)
{
	for (size_t i = part; i-- > 0;) {
		size_t own = v->m->part[i].in[stack];

		if (own != METHOD_NONE && !stack_has_parts(v->stack[stack], own))
			return i;
	}
	return METHOD_NONE;
}

/* The first fill, in turn from `like` on, that no neighbour of the same hue has. */
static unsigned char
free_fill(const struct compared *v, size_t part, size_t like)
{
	for (unsigned k = 0; k < 4; k++) {
		unsigned char fill = (unsigned char)((like + k) & 3);
		bool good = true;

		for (size_t x = 0; x < v->n; x++) {
			size_t before = v->m->part[part].in[x] == METHOD_NONE ? METHOD_NONE : neighbour(v, part, x);

			good = good &&
				(before == METHOD_NONE || v->look[before].role != v->look[part].role ||
					v->look[before].fill != fill);
		}
		if (good)
			return fill;
	}
	return like & 3;
}

/* The part that an unnamed remainder belongs to; METHOD_NONE: it is another part, or belongs to the whole. */
static size_t
left_over_of(const struct compared *v, size_t part)
{
	const struct method_part *p = &v->m->part[part];
	const struct stack_part *own = &v->stack[p->stack]->part[p->part];
	size_t i = 0;

	if (!own->implied || own->parent == STACK_TOP)
		return METHOD_NONE;
	while (v->m->part[i].in[p->stack] != own->parent)
		i++;
	return i;
}

static void
make_looks(struct compared *v)
{
	v->look = arena_alloc(v->arena, (v->m->n + 1) * sizeof *v->look);
	for (size_t i = 0; i < v->m->n; i++) {
		const struct method_part *p = &v->m->part[i];
		const struct stack *k = v->stack[p->stack];
		size_t whole = left_over_of(v, i);

		v->look[i] = (struct chart_part){.name = p->name, .role = stack_role(k, p->part)};
		/* A remainder looks like its parent, which other methods may draw whole. */
		v->look[i].key = whole != METHOD_NONE
			? v->look[whole].key : free_key(v->look, i, p->name, stack_key(k, p->part));
		v->look[i].fill = free_fill(v, i, whole != METHOD_NONE ? v->look[whole].fill : i);
	}
}

static enum scale
scale_of(const struct state *s, struct stack *const *stack, size_t n)
{
	const struct timeline_answers *a = &s->answers.timeline;
	bool all = methods_share_figure(stack, n);

	for (size_t x = 0; all && a->by && x < n; x++)
		for (size_t i = 0; all && i < a->by[x]->n; i++)
			all = isnan(a->by[x]->bar[i].account->whole) || a->by[x]->bar[i].account->figure > 0;
	return all ? BY_FIGURE : methods_share_unit(stack, n) ? BY_WHOLE : BY_SHARE;
}

static struct amount
unit_of_whole(const struct state *s, const struct stack *k, size_t stack)
{
	return stack_bars_amount(k, s->answers.timeline.by ? s->answers.timeline.by[stack] : NULL);
}

static struct compared
compared_new(const struct state *s)
{
	struct compared v = {.s = s, .m = timeline_methods(s->data.timeline), .arena = arena_new()};

	v.stack = timeline_stacks(s->data.timeline, &v.n);
	v.row = state_method_parts(s, &v.n_rows);
	v.scale = scale_of(s, v.stack, v.n);
	v.unit = v.scale == BY_FIGURE ? amount_of_figure(v.stack[0]->figure_text)
		: v.scale == BY_WHOLE ? unit_of_whole(s, v.stack[0], 0) : amount_of_figure("%");
	make_looks(&v);
	return v;
}

/* Frees all but the arena, which the chart owns. */
static void
compared_end(struct compared *v)
{
	free(v->row);
}

/* NAN: unknown, or the method has no such part. */
static double
value_of(const struct compared *v, size_t stack, const struct stack_account *a, size_t part)
{
	size_t own = v->m->part[part].in[stack];

	if (own == METHOD_NONE)
		return NAN;
	return v->scale == BY_FIGURE ? a->amount[own].figure
		: v->scale == BY_WHOLE ? a->amount[own].value : 100 * a->amount[own].share;
}

static bool
is_drawn(const struct compared *v, size_t stack, size_t part)
{
	size_t own = v->m->part[part].in[stack];

	return own != METHOD_NONE && !stack_has_parts(v->stack[stack], own);
}

static double
length_of(const struct compared *v, size_t stack, const struct stack_account *a)
{
	double length = stack_bar_length(v->stack[stack], a, v->scale == BY_FIGURE);

	return v->scale == BY_SHARE && length > 0 ? 100 * length / a->whole : length;
}

static const double *
amounts(const struct compared *v, size_t stack, const struct stack_account *a)
{
	double *out = arena_alloc(v->arena, (v->n_rows + 1) * sizeof *out);

	for (size_t i = 0; i < v->n_rows; i++)
		out[i] = is_drawn(v, stack, v->row[i]) ? value_of(v, stack, a, v->row[i]) : 0;
	return out;
}

static const char *
number_of(const struct compared *v, size_t stack, const struct stack_account *a)
{
	struct amount own = unit_of_whole(v->s, v->stack[stack], stack);
	char number[NUMBER_TEXT];
	struct str out = {0};
	const char *text;

	str_add(&out, amount_text(number, v->scale == BY_SHARE ? &own : &v->unit,
		v->scale == BY_FIGURE ? a->figure : a->whole));
	if (v->scale == BY_SHARE && !isnan(a->whole))
		str_addf(&out, " %s", own.unit);
	text = arena_str(v->arena, str_text(&out));
	str_free(&out);
	return text;
}

static struct chart_row
row_of(const struct compared *v, size_t stack, const struct timeline_bar *b)
{
	const struct stack *k = v->stack[stack];
	struct timeline_bars **others = v->s->answers.timeline.other_by;
	const struct timeline_bar *other = others ? stack_bar_called(others[stack], b->name) : NULL;
	bool chosen = stack == timeline_chosen(v->s->data.timeline);
	struct str why = {0}, name = {0};
	struct chart_row row;

	if (!stack)
		str_add(&name, b->name);
	if (!stack && b->n > 1)
		str_addf(&name, " ×%zu", b->n);
	if (isnan(b->account->whole)) {
		str_addf(&why, "%s is not known: ", k->whole_name);
		add_stack_lack(k, b->counts, k->n_parts, &why);
	}
	row = (struct chart_row){
		.name = arena_str(v->arena, str_text(&name)), .kind = k->name,
		.kind_role = chosen ? ROLE_TEXT : ROLE_DIM, .kind_attr = chosen ? CELL_BOLD : 0,
		.number = number_of(v, stack, b->account), .doubtful = stack_does_not_fit(b->account),
		.amount = amounts(v, stack, b->account),
		.length = length_of(v, stack, b->account), .why = why.n ? arena_str(v->arena, str_text(&why)) : NULL,
		.other = other ? amounts(v, stack, other->account) : NULL,
		.other_length = other ? length_of(v, stack, other->account) : 0,
	};
	str_free(&why);
	str_free(&name);
	return row;
}

struct chart
stack_methods_chart(const struct state *s, int pane)
{
	struct compared v = compared_new(s);
	struct chart c = {
		.name_head = "observation", .kind_head = "method", .kind_most = 14,
		.normalised = s->view.timeline.normalised,
		.pane = pane, .arena = v.arena, .amount = v.unit, .group = v.n,
	};
	size_t bars, *order = state_bars(s, &bars),
		     at = s->view.cursor[pane] < (int)bars ? (size_t)s->view.cursor[pane]
		: bars ? bars - 1 : 0;
	struct str against = {0};

	if (s->answers.timeline.other_by)
		timeline_add_compared(s, true, &against);
	c.other_name = arena_str(c.arena, str_text(&against));
	c.number_head = arena_str(c.arena, v.scale == BY_SHARE ? "" : v.unit.unit);
	c.row = arena_alloc(c.arena, (bars * v.n + 1) * sizeof *c.row);
	for (size_t i = 0; i < bars; i++)
		for (size_t x = 0; x < v.n; x++)
			c.row[c.n++] = row_of(&v, x, state_bar_by(s, x, &s->answers.timeline.bars->bar[order[i]]));
	c.cursor = at * v.n + timeline_chosen(s->data.timeline);
	c.part = arena_alloc(c.arena, (v.n_rows + 1) * sizeof *c.part);
	for (; c.n_parts < v.n_rows; c.n_parts++)
		c.part[c.n_parts] = v.look[v.row[c.n_parts]];
	str_free(&against);
	free(order);
	compared_end(&v);
	return c;
}

void
method_swatch(const struct state *s, const struct pen *pen, int x, int y, size_t part)
{
	struct compared v = compared_new(s);
	size_t chosen = timeline_chosen(s->data.timeline), i = 0;

	while (v.m->part[i].in[chosen] != part)
		i++;
	if (is_drawn(&v, chosen, i))
		draw_stack(pen, x, y, 3, &(struct draw_part){1, v.look[i].role, v.look[i].fill, v.look[i].key}, 1, 1);
	arena_free(v.arena);
	compared_end(&v);
}

/* Columns of the table; numbers end before theirs. Shows as many methods as fit, from `from` on. */
struct columns {
	int name_w, first, w, text;
	size_t from, n;
};

static struct columns
columns_of(const struct compared *v, const struct pen *p, int w)
{
	struct columns c = {.name_w = 9, .w = 6};
	int most = w >= 60 ? 18 : 10, head = w >= 60 ? 14 : 8, room;
	size_t chosen = timeline_chosen(v->s->data.timeline);

	for (size_t i = 0; i < v->n_rows; i++)
		c.name_w = pen_columns(p, v->m->part[v->row[i]].name) > c.name_w
			? pen_columns(p, v->m->part[v->row[i]].name) : c.name_w;
	for (size_t x = 0; x < v->n; x++)
		c.w = pen_columns(p, v->stack[x]->name) > c.w ? pen_columns(p, v->stack[x]->name) : c.w;
	c.name_w = c.name_w < most ? c.name_w : most;
	c.w = (c.w < head ? c.w : head) + 2;
	c.first = 5 + c.name_w;
	room = w - c.first - 1;
	c.n = room >= c.w ? (size_t)(room / c.w) : 0;
	c.n = c.n < v->n ? c.n : v->n;
	c.from = chosen >= c.n && c.n ? chosen - c.n + 1 : 0;
	if (c.first + (int)c.n * c.w + 16 < w)
		c.text = c.first + (int)c.n * c.w + 2;
	return c;
}

static void
draw_heads(const struct compared *v, struct page *p, const struct columns *c)
{
	struct line l = page_line(p);
	struct pen pen = l.pen;

	pen.fg = ROLE_DIM;
	pen_fit(&pen, p->r.x + 5, l.y, c->name_w, "component");
	for (size_t i = 0; i < c->n; i++) {
		const char *name = v->stack[c->from + i]->name;
		int x = p->r.x + c->first + (int)i * c->w;

		pen.fg = c->from + i == timeline_chosen(v->s->data.timeline) ? ROLE_TEXT : ROLE_DIM;
		pen.attr = c->from + i == timeline_chosen(v->s->data.timeline) ? CELL_BOLD : 0;
		if (pen_columns(&pen, name) <= c->w - 2)
			pen_right(&pen, x + c->w, l.y, name);
		else
			pen_fit(&pen, x + 2, l.y, c->w - 2, name);
	}
	pen.fg = ROLE_DIM;
	pen.attr = 0;
	if (c->text)
		pen_fit(&pen, p->r.x + c->text, l.y, p->r.w - 1 - c->text, "how they differ");
}

/* The least and the largest of some values, and how many are known. */
struct spread {
	double least, most;
	size_t n;
};

static void
spread_add(struct spread *x, double value)
{
	if (isnan(value))
		return;
	x->least = x->n && x->least < value ? x->least : value;
	x->most = x->n && x->most > value ? x->most : value;
	x->n++;
}

static bool
looks_same(const struct compared *v, const struct spread *x)
{
	char least[NUMBER_TEXT], most[NUMBER_TEXT];

	return str_eq(amount_text(least, &v->unit, x->least), amount_text(most, &v->unit, x->most));
}

/* The longest bar of an observation. */
static double
whole_of(const struct compared *v, const struct timeline_bar *b)
{
	double top = 0;

	for (size_t x = 0; x < v->n; x++)
		top = fmax(top, length_of(v, x, state_bar_by(v->s, x, b)->account));
	return top;
}

/* A difference of more than a tenth of the bar is marked: methods should agree on what has one name. */
static void
draw_difference(const struct compared *v, const struct pen *pen, struct rect r, int y, const struct timeline_bar *b,
	size_t part, const struct columns *c)
{
	const struct method_part *m = &v->m->part[part];
	struct spread x = {0};
	struct pen p = *pen;
	struct str words = {0};
	char number[NUMBER_TEXT];
	size_t have = 0;

	for (size_t k = 0; k < v->n; k++) {
		have += m->in[k] != METHOD_NONE;
		spread_add(&x, value_of(v, k, state_bar_by(v->s, k, b)->account, part));
	}
	p.fg = ROLE_DIM;
	if (have < 2) {
		str_add(&words, v->stack[m->stack]->part[m->part].text);
	} else if (x.n < 2) {
		str_add(&words, "known to one at most");
	} else if (looks_same(v, &x)) {
		str_add(&words, "the same");
	} else {
		p.fg = x.most - x.least > 0.1 * whole_of(v, b) ? ROLE_BORDERLINE : ROLE_TEXT;
		str_addf(&words, "%s %s apart", amount_text(number, &v->unit, x.most - x.least), v->unit.unit);
	}
	pen_fit(&p, r.x + c->text, y, r.w - 1 - c->text, str_text(&words));
	str_free(&words);
}

static void
draw_part_row(const struct compared *v, struct page *p, const struct timeline_bar *b, size_t part,
	const struct columns *c)
{
	const struct method_part *m = &v->m->part[part];
	const struct chart_part *look = &v->look[part];
	struct line l = page_line(p);
	struct pen pen = l.pen;
	int depth = (int)v->stack[m->stack]->part[m->part].depth;
	char number[NUMBER_TEXT];
	bool leaf = false;

	for (size_t k = 0; k < v->n; k++)
		leaf |= is_drawn(v, k, part);
	if (leaf)
		draw_stack(&pen, p->r.x + 1, l.y, 3, &(struct draw_part){1, look->role, look->fill, look->key}, 1, 1);
	pen.fg = ROLE_TEXT;
	pen_fit(&pen, p->r.x + 5 + 2 * depth, l.y, c->name_w - 2 * depth, m->name);
	for (size_t i = 0; i < c->n; i++) {
		size_t k = c->from + i;
		const struct stack_account *a = state_bar_by(v->s, k, b)->account;
		double value = value_of(v, k, a, part);

		pen.fg = m->in[k] == METHOD_NONE || !(value > 0) ? ROLE_DIM
			: a->amount[m->in[k]].negative ? ROLE_BORDERLINE : ROLE_TEXT;
		pen_right(&pen, p->r.x + c->first + (int)(i + 1) * c->w, l.y,
			m->in[k] == METHOD_NONE ? "·" : amount_text(number, &v->unit, value));
	}
	if (c->text)
		draw_difference(v, &pen, p->r, l.y, b, part, c);
}

/* The sum of the parts that a method draws; NAN: no part is known. */
static double
sum_of(const struct compared *v, size_t stack, const struct timeline_bar *b)
{
	const struct stack_account *a = state_bar_by(v->s, stack, b)->account;
	double sum = 0;

	for (size_t i = 0; i < v->m->n; i++)
		if (is_drawn(v, stack, i) && value_of(v, stack, a, i) > 0)
			sum += value_of(v, stack, a, i);
	return isnan(a->whole) ? NAN : sum;
}

/* "all sum to 1.24 CPI", "sums 1.24 … 1.31 CPI" */
static void
add_sums(const struct compared *v, const struct timeline_bar *b, struct str *out)
{
	struct spread x = {0};
	char least[NUMBER_TEXT], most[NUMBER_TEXT];

	for (size_t k = 0; k < v->n; k++)
		spread_add(&x, sum_of(v, k, b));
	amount_text(least, &v->unit, x.least);
	amount_text(most, &v->unit, x.most);
	if (!x.n)
		str_add(out, "no sum is known");
	else if (x.n < v->n)
		str_addf(out, "%zu of %zu are known", x.n, v->n);
	else if (looks_same(v, &x))
		str_addf(out, "all sum to %s %s", least, v->unit.unit);
	else
		str_addf(out, "sums %s to %s %s", least, most, v->unit.unit);
}

static void
draw_sums(const struct compared *v, struct page *p, const struct timeline_bar *b, const struct columns *c)
{
	struct line l = page_line(p);
	struct pen pen = l.pen;
	char number[NUMBER_TEXT];
	struct str words = {0};

	pen.attr = CELL_BOLD;
	pen_text(&pen, p->r.x + 5, l.y, "sum");
	pen.attr = 0;
	for (size_t i = 0; i < c->n; i++) {
		pen.fg = stack_does_not_fit(state_bar_by(v->s, c->from + i, b)->account) ? ROLE_BORDERLINE : ROLE_TEXT;
		pen_right(&pen, p->r.x + c->first + (int)(i + 1) * c->w, l.y,
			amount_text(number, &v->unit, sum_of(v, c->from + i, b)));
	}
	pen.fg = ROLE_DIM;
	if (v->scale == BY_SHARE)
		str_add(&words, "shares of each method's whole");
	else
		add_sums(v, b, &words);
	if (c->text)
		pen_fit(&pen, p->r.x + c->text, l.y, p->r.w - 1 - c->text, str_text(&words));
	str_free(&words);
}

static void
draw_notes(const struct compared *v, struct page *p, const struct timeline_bar *b)
{
	for (size_t k = 0; k < v->n; k++) {
		const struct timeline_bar *by = state_bar_by(v->s, k, b);
		struct stack_bar bar = {.stack = v->stack[k], .counts = by->counts, .account = by->account};
		char **note = stack_notes(&bar);

		for (size_t i = 0; note[i] && !page_full(p); i++) {
			char *words = str_format("%s: %s", v->stack[k]->name, note[i]);

			page_words(p, ROLE_BORDERLINE, words);
			free(words);
		}
		str_split_free(note);
	}
}

void
draw_method_parts(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	const struct timeline_bar *b = state_bar(s);
	struct page p = {.s = s, .g = g, .r = r};
	struct pen pen = pen_on(g, r, ROLE_TEXT);
	struct compared v = compared_new(s);
	struct columns c = columns_of(&v, &pen, r.w);
	int n = (int)v.n_rows, cursor = s->view.cursor[PANE_COMPONENTS] < n ? s->view.cursor[PANE_COMPONENTS] : n - 1,
	    rows = r.h - 2 > 0 ? r.h - 2 : 0;

	if (b)
		draw_heads(&v, &p, &c);
	else
		page_words(&p, ROLE_DIM, "No bar is chosen, so there are no parts to show.");
	for (int i = list_scroll(0, d ? cursor : 0, n, rows), shown = 0; b && i < n && shown < rows; i++, shown++) {
		struct rect at = {r.x, r.y + p.row, r.w, 1};

		draw_part_row(&v, &p, b, v.row[i], &c);
		if (d && i == cursor)
			draw_cursor(g, at, focus);
		if (d)
			hit_add(d, at, HIT_ROW, PANE_COMPONENTS, i, ACTION_component);
	}
	if (b && !page_full(&p))
		draw_sums(&v, &p, b, &c);
	if (b && !page_full(&p)) {
		page_blank(&p);
		draw_notes(&v, &p, b);
	}
	arena_free(v.arena);
	compared_end(&v);
}

void
title_methods(const struct state *s, struct str *title)
{
	size_t n;
	struct stack *const *stack = timeline_stacks(s->data.timeline, &n);

	if (methods_share_figure(stack, n))
		str_addf(title, "%s stacks, one bar per method", stack[0]->figure_text);
	else
		str_add(title, "One bar per method");
}

void
title_method_parts(const struct state *s, struct str *title, struct str *info)
{
	const struct timeline_bar *b = state_bar(s);
	struct compared v = compared_new(s);

	str_add(title, b ? b->name : "Components");
	if (b && v.scale == BY_SHARE)
		str_add(info, "shares: no unit in common");
	else if (b)
		add_sums(&v, b, info);
	arena_free(v.arena);
	compared_end(&v);
}
