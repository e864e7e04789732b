/* Several methods of accounting in view 6: the table, in which parts of one name are one row and each method has a
 * column. What is off by much from the truth is marked. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/stack/account.h"
#include "core/stack/errors.h"
#include "core/stack/stack.h"
#include "draw/view/stalls/compared.h"
#include "draw/view/stalls/stalls.h"
#include "explorer/state/state_stalls.h"
#include "work/timeline/methods.h"
#include "work/timeline/stack_notes.h"
#include "work/timeline/timeline.h"

/* Columns of the table; numbers end before theirs. Shows as many methods as fit, from `from` on. */
struct columns {
	int name_w, first, w, text;
	size_t from, n;
	struct stack_errors **error; /* per method shown, of the bar; NULL: it is the truth, or there is none */
};

enum { LEAST_COLUMN = 8 };

/* The place of a method among those shown; 0 for one that is not. */
static size_t
position_of(const struct compared *v, size_t stack)
{
	for (size_t x = 0; x < v->n; x++)
		if (v->at[x] == stack)
			return x;
	return 0;
}

static const char *
method_parts_name_of(const struct compared *v, size_t x)
{
	return v->stack[v->at[x]]->name;
}

static const struct stack_account *
account_of(const struct compared *v, size_t x, const struct timeline_bar *b)
{
	return state_bar_by(v->s, v->at[x], b)->account;
}

static struct columns
method_parts_columns_of(const struct compared *compared, const struct pen *pen, int w)
{
	struct columns c = {.name_w = 9, .w = 6};
	int most = w >= 60 ? 18 : 10, head = w >= 60 ? 14 : 8, room;
	size_t chosen = position_of(compared, timeline_chosen(compared->s->data.timeline));

	for (size_t i = 0; i < compared->n_rows; i++)
		c.name_w = pen_columns(pen, compared->m->part[compared->row[i]].name) > c.name_w
			? pen_columns(pen, compared->m->part[compared->row[i]].name) : c.name_w;
	for (size_t x = 0; x < compared->n; x++)
		c.w = pen_columns(pen, method_parts_name_of(compared, x)) > c.w
			? pen_columns(pen, method_parts_name_of(compared, x))
			: c.w;
	c.name_w = c.name_w < most ? c.name_w : most;
	c.w = (c.w < head ? c.w : head) + 2;
	c.first = 5 + c.name_w;
	room = w - c.first - 1;
	if (compared->truth != METHOD_NONE && c.w * (int)compared->n > room) /* cut names rather than columns */
		c.w = room / (int)compared->n > LEAST_COLUMN ? room / (int)compared->n : LEAST_COLUMN;
	c.n = room >= c.w ? (size_t)(room / c.w) : 0;
	c.n = c.n < compared->n ? c.n : compared->n;
	c.from = chosen >= c.n && c.n ? chosen - c.n + 1 : 0;
	if (c.first + (int)c.n * c.w + 16 < w)
		c.text = c.first + (int)c.n * c.w + 2;
	return c;
}

/* Columns to the right of a head that the next head leaves blank. */
static int
head_slack(const struct compared *compared, const struct columns *c, size_t i, const struct pen *pen, int w)
{
	int slack = i + 1 < c->n
		? c->w - 1 - pen_columns(pen, method_parts_name_of(compared, c->from + i + 1))
		: c->text ? 0 : w - 1 - c->first - (int)c->n * c->w;

	return slack > 0 ? slack : 0;
}

static void
method_parts_draw_heads(const struct compared *compared, struct page *page, const struct columns *c)
{
	struct line l = page_line(page);
	struct pen pen = l.pen;

	pen.fg = ROLE_DIM;
	pen_fit(&pen, page->r.x + 5, l.y, c->name_w, "component");
	for (size_t i = 0; i < c->n; i++) {
		const char *name = method_parts_name_of(compared, c->from + i);
		int x = page->r.x + c->first + (int)i * c->w;
		bool chosen = compared->at[c->from + i] == timeline_chosen(compared->s->data.timeline);

		pen.fg = chosen ? ROLE_TEXT : ROLE_DIM;
		pen.attr = chosen ? CELL_BOLD : 0;
		if (pen_columns(&pen, name) <= c->w - 2)
			pen_right(&pen, x + c->w, l.y, name);
		else
			pen_fit(&pen, x + 2, l.y, c->w - 2 + head_slack(compared, c, i, &pen, page->r.w), name);
	}
	pen.fg = ROLE_DIM;
	pen.attr = 0;
	if (c->text)
		pen_fit(&pen, page->r.x + c->text, l.y, page->r.w - 1 - c->text, "how they differ");
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
method_parts_whole_of(const struct compared *v, const struct timeline_bar *b)
{
	double top = 0;

	for (size_t x = 0; x < v->n; x++)
		top = fmax(top, compared_length(v, v->at[x], account_of(v, x, b)));
	return top;
}

/* The method that is farthest from the truth in this part; n: no error is known. */
static size_t
farthest(const struct compared *compared, const struct columns *columns, size_t part)
{
	size_t best = compared->n;
	double most = -1;

	for (size_t x = 0; x < compared->n; x++) {
		size_t own = compared->m->part[part].in[compared->at[x]];

		if (columns->error[x] && own != METHOD_NONE && fabs(columns->error[x]->error[own]) > most) {
			most = fabs(columns->error[x]->error[own]);
			best = x;
		}
	}
	return best;
}

/* "naive: +0.29 CPI", "the same"; false: no method has an error here. */
static bool
add_farthest(const struct compared *compared, const struct columns *c, const struct timeline_bar *bar, size_t part,
	struct str *out)
{
	size_t x = farthest(compared, c, part);
	char number[NUMBER_TEXT];
	double off;

	if (x == compared->n)
		return false;
	off = compared_value(compared, compared->at[x], account_of(compared, x, bar), part) -
		compared_value(
			compared, compared->truth, state_bar_by(compared->s, compared->truth, bar)->account, part);
	if (!strpbrk(amount_text(number, &compared->unit, off), "123456789")) { /* no digit of it can be shown */
		str_add(out, "the same");
		return true;
	}
	str_addf(
		out, "%s: %s%s %s", method_parts_name_of(compared, x), off > 0 ? "+" : "", number, compared->unit.unit);
	return true;
}

/* The method that is farthest from the truth. Without one, a difference of more than a tenth of the bar is marked:
 * methods should agree on what has one name. */
static void
draw_difference(const struct compared *compared, const struct pen *pen, struct rect r, int y,
	const struct timeline_bar *bar, size_t part, const struct columns *columns)
{
	const struct method_part *method_part = &compared->m->part[part];
	struct spread x = {0};
	struct pen p = *pen;
	struct str words = {0};
	char number[NUMBER_TEXT];
	size_t have = 0;

	for (size_t k = 0; k < compared->n; k++) {
		have += method_part->in[compared->at[k]] != METHOD_NONE;
		spread_add(&x, compared_value(compared, compared->at[k], account_of(compared, k, bar), part));
	}
	p.fg = ROLE_DIM;
	if (compared->truth != METHOD_NONE && have > 1 && add_farthest(compared, columns, bar, part, &words)) {
		p.fg = ROLE_TEXT;
	} else if (have < 2) {
		str_add(&words, compared->stack[method_part->stack]->part[method_part->part].text);
	} else if (x.n < 2) {
		str_add(&words, "known to one at most");
	} else if (looks_same(compared, &x)) {
		str_add(&words, "the same");
	} else {
		p.fg = x.most - x.least > 0.1 * method_parts_whole_of(compared, bar) ? ROLE_BORDERLINE : ROLE_TEXT;
		str_addf(&words, "%s %s apart", amount_text(number, &compared->unit, x.most - x.least),
			compared->unit.unit);
	}
	pen_fit(&p, r.x + columns->text, y, r.w - 1 - columns->text, str_text(&words));
	str_free(&words);
}

/* `own`: the part's number in the method, or METHOD_NONE. */
static enum role
value_role(const struct stack_errors *e, const struct stack_account *a, size_t own, double value)
{
	if (own == METHOD_NONE)
		return ROLE_DIM;
	if (a->amount[own].negative)
		return ROLE_INFEASIBLE;
	if (e && fabs(e->error[own]) > STACK_ERROR_MARKED)
		return ROLE_BORDERLINE;
	return fabs(value) > 0 ? ROLE_TEXT : ROLE_DIM;
}

static void
draw_part_row(const struct compared *v, struct page *page, const struct timeline_bar *bar, size_t part,
	const struct columns *columns)
{
	const struct method_part *method_part = &v->m->part[part];
	const struct chart_part *look = &v->look[part];
	struct line l = page_line(page);
	struct pen pen = l.pen;
	int depth = (int)v->stack[method_part->stack]->part[method_part->part].depth;
	char number[NUMBER_TEXT];
	bool leaf = false;

	for (size_t k = 0; k < v->n; k++)
		leaf |= compared_draws(v, v->at[k], part);
	if (leaf)
		draw_stack(
			&pen, page->r.x + 1, l.y, 3, &(struct draw_part){1, look->role, look->fill, look->key}, 1, 1);
	pen.fg = ROLE_TEXT;
	pen_fit(&pen, page->r.x + 5 + 2 * depth, l.y, columns->name_w - 2 * depth, method_part->name);
	for (size_t i = 0; i < columns->n; i++) {
		size_t x = columns->from + i, own = method_part->in[v->at[x]];
		double value = compared_value(v, v->at[x], account_of(v, x, bar), part);

		pen.fg = value_role(columns->error[x], account_of(v, x, bar), own, value);
		pen_right(&pen, page->r.x + columns->first + (int)(i + 1) * columns->w, l.y,
			own == METHOD_NONE ? "·" : amount_text(number, &v->unit, value));
	}
	if (columns->text)
		draw_difference(v, &pen, page->r, l.y, bar, part, columns);
}

/* The sum of the parts that a method draws; NAN: no part is known. */
static double
method_parts_sum_of(const struct compared *v, size_t stack, const struct timeline_bar *b)
{
	const struct stack_account *a = state_bar_by(v->s, stack, b)->account;
	double sum = 0;

	for (size_t i = 0; i < v->m->n; i++)
		if (compared_draws(v, stack, i) && !isnan(compared_value(v, stack, a, i)))
			sum += compared_value(v, stack, a, i);
	return isnan(a->whole) ? NAN : sum;
}

/* "all sum to 1.24 CPI", "sums 1.24 … 1.31 CPI" */
static void
method_parts_add_sums(const struct compared *compared, const struct timeline_bar *bar, struct str *out)
{
	struct spread x = {0};
	char least[NUMBER_TEXT], most[NUMBER_TEXT];

	for (size_t k = 0; k < compared->n; k++)
		spread_add(&x, method_parts_sum_of(compared, compared->at[k], bar));
	amount_text(least, &compared->unit, x.least);
	amount_text(most, &compared->unit, x.most);
	if (!x.n)
		str_add(out, "no sum is known");
	else if (x.n < compared->n)
		str_addf(out, "%zu of %zu are known", x.n, compared->n);
	else if (looks_same(compared, &x))
		str_addf(out, "all sum to %s %s", least, compared->unit.unit);
	else
		str_addf(out, "sums %s to %s %s", least, most, compared->unit.unit);
}

static void
draw_sums(const struct compared *compared, struct page *page, const struct timeline_bar *bar,
	const struct columns *columns)
{
	struct line l = page_line(page);
	struct pen pen = l.pen;
	char number[NUMBER_TEXT];
	struct str words = {0};

	pen.attr = CELL_BOLD;
	pen_text(&pen, page->r.x + 5, l.y, "sum");
	pen.attr = 0;
	for (size_t i = 0; i < columns->n; i++) {
		pen.fg = stack_does_not_fit(account_of(compared, columns->from + i, bar)) ? ROLE_BORDERLINE : ROLE_TEXT;
		pen_right(&pen, page->r.x + columns->first + (int)(i + 1) * columns->w, l.y,
			amount_text(number, &compared->unit,
				method_parts_sum_of(compared, compared->at[columns->from + i], bar)));
	}
	pen.fg = ROLE_DIM;
	if (compared->scale == BY_SHARE)
		str_add(&words, "shares of each method's whole");
	else
		method_parts_add_sums(compared, bar, &words);
	if (columns->text)
		pen_fit(&pen, page->r.x + columns->text, l.y, page->r.w - 1 - columns->text, str_text(&words));
	str_free(&words);
}

/* What the marks mean: "marked: off by more than 0.09 CPI (7 % of the whole) from truth". */
static void
draw_key(const struct compared *compared, struct page *page, const struct timeline_bar *bar)
{
	double whole = compared_whole(compared, state_bar_by(compared->s, compared->truth, bar)->account);
	char number[NUMBER_TEXT];
	struct line l;

	if (isnan(whole))
		return;
	l = page_line(page);
	line_to(&l, 5);
	line_add(&l, ROLE_BORDERLINE, 0, "marked");
	line_add(&l, ROLE_DIM, 0, ": off by more than %s %s from %s; worst: the largest error, %% of the whole",
		amount_text(number, &compared->unit, STACK_ERROR_MARKED * whole), compared->unit.unit,
		compared->stack[compared->truth]->name);
}

static void
method_parts_draw_notes(const struct compared *compared, struct page *page, const struct timeline_bar *timeline_bar)
{
	for (size_t x = 0; x < compared->n; x++) {
		const struct timeline_bar *by = state_bar_by(compared->s, compared->at[x], timeline_bar);
		struct stack_bar bar = {
			.stack = compared->stack[compared->at[x]], .counts = by->counts, .account = by->account};
		char **note = stack_notes(&bar);

		for (size_t i = 0; note[i] && !page_full(page); i++) {
			char *words = str_format("%s: %s", method_parts_name_of(compared, x), note[i]);

			page_words(page, ROLE_BORDERLINE, words);
			free(words);
		}
		str_split_free(note);
	}
}

/* The arrays are in the arena; the caller frees the errors. */
static struct stack_errors **
errors_of(const struct compared *v, const struct timeline_bar *b)
{
	struct stack_errors **e = arena_alloc(v->arena, (v->n + 1) * sizeof *e);

	for (size_t x = 0; x < v->n; x++)
		e[x] = b ? compared_errors(v, v->at[x], state_bar_by(v->s, v->at[x], b)) : NULL;
	return e;
}

int
draw_method_parts(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *d)
{
	const struct timeline_bar *bar = state_bar(state);
	struct page p = {.s = state, .g = grid, .r = r};
	struct pen pen = pen_on(grid, r, ROLE_TEXT);
	struct compared v = compared_new(state);
	struct columns c = method_parts_columns_of(&v, &pen, r.w);
	int n = (int)v.n_rows,
	    cursor = state->view.cursor[PANE_COMPONENTS] < n ? state->view.cursor[PANE_COMPONENTS] : n - 1,
	    rows = r.h - 2 > 0 ? r.h - 2 : 0;

	c.error = errors_of(&v, bar);
	if (bar)
		method_parts_draw_heads(&v, &p, &c);
	else
		page_words(&p, ROLE_DIM, "No bar is chosen, so there are no parts to show.");
	for (int i = list_scroll(0, d ? cursor : 0, n, rows), shown = 0; bar && i < n && shown < rows; i++, shown++) {
		struct rect at = {r.x, r.y + p.row, r.w, 1};

		draw_part_row(&v, &p, bar, v.row[i], &c);
		if (d && i == cursor)
			draw_cursor(grid, at, focus);
		if (d)
			hit_add(d, at, HIT_ROW, PANE_COMPONENTS, i, ACTION_component);
	}
	if (bar && !page_full(&p))
		draw_sums(&v, &p, bar, &c);
	if (bar && v.truth != METHOD_NONE && !page_full(&p))
		draw_key(&v, &p, bar);
	if (bar && !page_full(&p)) {
		page_blank(&p);
		method_parts_draw_notes(&v, &p, bar);
	}
	for (size_t x = 0; x < v.n; x++)
		stack_errors_free(c.error[x]);
	arena_free(v.arena);
	compared_end(&v);
	return p.row;
}

void
title_method_parts(const struct state *state, struct str *title, struct str *info)
{
	const struct timeline_bar *bar = state_bar(state);
	struct compared v = compared_new(state);

	str_add(title, bar ? bar->name : "Components");
	if (bar && v.scale == BY_SHARE)
		str_add(info, "shares: no unit in common");
	else if (bar)
		method_parts_add_sums(&v, bar, info);
	arena_free(v.arena);
	compared_end(&v);
}

/* The gain if a method's part went away; NAN: not known, or it has no such part. */
static double
gain_of(const struct compared *v, size_t stack, const struct timeline_bar *b, size_t part)
{
	size_t own = v->m->part[part].in[stack];

	return own == METHOD_NONE ? NAN : stack_gain(state_bar_by(v->s, stack, b)->account, own);
}

/* "if all l2d went away: CPI 0.82, 1.51× (naive: 2.34×)" */
static void
write_gain(const struct compared *v, const struct timeline_bar *bar, size_t part, struct line *line)
{
	const struct stack_account *account = state_bar_by(v->s, v->truth, bar)->account;
	struct columns c = {.error = errors_of(v, bar)};
	double gain = gain_of(v, v->truth, bar, part), of_other;
	size_t worst = farthest(v, &c, part);
	char number[NUMBER_TEXT];

	line_add(line, ROLE_TEXT, 0, "if all %s went away: ", v->m->part[part].name);
	line_add(line, ROLE_TEXT, CELL_BOLD, "%s %s",
		v->scale == BY_FIGURE ? v->unit.unit : v->stack[v->truth]->whole_name,
		amount_text(number, &v->unit, compared_whole(v, account) / gain));
	line_add(line, ROLE_TEXT, 0, ", %s×", number_digits(number, gain, 3, false));
	of_other = worst < v->n ? gain_of(v, v->at[worst], bar, part) : NAN;
	if (worst < v->n && isnan(of_other))
		line_add(line, ROLE_TEXT, 0, " (%s: nothing would be left)", method_parts_name_of(v, worst));
	else if (worst < v->n)
		line_add(line, ROLE_TEXT, 0, " (%s: %s×)", method_parts_name_of(v, worst),
			number_digits(number, of_other, 3, false));
	for (size_t x = 0; x < v->n; x++)
		stack_errors_free(c.error[x]);
}

bool
method_gain_sentence(const struct state *state, struct line *line)
{
	const struct timeline_bar *bar = state_compares_methods(state) ? state_bar(state) : NULL;
	struct compared v;
	int at = state->view.cursor[PANE_COMPONENTS];
	bool good = false;

	if (!bar)
		return false;
	v = compared_new(state);
	if (v.truth != METHOD_NONE && v.n_rows && v.scale != BY_SHARE) {
		size_t part = v.row[(size_t)at < v.n_rows ? (size_t)at : v.n_rows - 1];

		good = !stack_is_rest(v.stack, v.n_stacks, v.m->part[part].name) &&
			!isnan(gain_of(&v, v.truth, bar, part));
		if (good)
			write_gain(&v, bar, part, line);
	}
	arena_free(v.arena);
	compared_end(&v);
	return good;
}
