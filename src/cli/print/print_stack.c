#include "cli/print/print_stack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "core/obs/obs.h"
#include "core/stack/errors.h"
#include "draw/cell.h"
#include "draw/stack_bars.h"

#define BAR_COLUMNS 60
#define NAME_COLUMNS 24 /* width for names of parts and methods; longer ones push their row to the right */

static const char *
print_stack_figure(char out[NUMBER_TEXT], double v)
{
	if (isnan(v))
		return "?";
	snprintf(out, NUMBER_TEXT, "%s%.4f", v < 0 ? "−" : "", fabs(v));
	return out;
}

void
print_stack_bar(struct str *out, const struct stack_bar *b, const struct bar_axis *axis, int columns, bool ascii)
{
	struct draw_part *part = mem_new_array(b->stack->n_parts, sizeof *part);
	struct grid *grid = grid_new(columns, 1, ascii);
	struct pen pen = pen_on(grid, (struct rect){0, 0, columns, 1}, ROLE_TEXT);
	struct str text = {0};
	size_t n = stack_bar_parts(b->stack, b->account, false, part);

	draw_signed_stack(&pen, 0, 0, columns, part, n, axis, b->account->whole);
	grid_text(grid, &text);
	while (text.n && (text.s[text.n - 1] == '\n' || text.s[text.n - 1] == ' '))
		text.s[--text.n] = 0;
	str_add(out, str_text(&text));
	str_addc(out, '\n');
	str_free(&text);
	grid_free(grid);
	free(part);
}

static double
bar_length(const struct stack_bar *b)
{
	return stack_bar_length(b->stack, b->account, false);
}

static double
bar_below(const struct stack_bar *b)
{
	return stack_bar_below(b->stack, b->account, false);
}

static void
print_stack_add_notes(struct str *out, const struct stack_bar *b, const char *prefix, bool ascii)
{
	char **note = stack_notes(b);

	for (size_t i = 0; note[i]; i++) {
		str_add(out, " ! ");
		print_padded(out, prefix, 0, ascii);
		print_padded(out, note[i], 0, ascii);
		str_addc(out, '\n');
	}
	str_split_free(note);
}

void
print_stack_part(struct text_table *table, const struct stack *stack, size_t part, bool ascii)
{
	struct grid *grid = grid_new(3, 1, ascii);
	struct pen pen = pen_on(grid, (struct rect){0, 0, 3, 1}, ROLE_TEXT);
	struct str text = {0};

	stack_swatch(&pen, 0, 0, stack, part);
	grid_text(grid, &text);
	text.s[--text.n] = 0;
	text_table_row(table, " %s %*s%s", str_text(&text), 2 * (int)stack->part[part].depth, "",
		stack->part[part].name);
	str_free(&text);
	grid_free(grid);
}

static void
print_stack_add_table(struct str *out, const struct stack_bar *bar, bool ascii)
{
	const struct stack *stack = bar->stack;
	struct str unit = {0};
	struct text_column column[] = {{.title = "     part", .width = NAME_COLUMNS + 5},
		{.title = "share %", .right = true, .gap = TEXT_NO_GAP, .width = 8},
		{.right = true, .gap = 1, .width = 12},
		{.title = stack->figure_text, .right = true, .gap = TEXT_NO_GAP, .width = 12, .hidden = !stack->figure},
		{0}};
	struct text_table *table;
	char number[NUMBER_TEXT];

	unit_text(stack->whole->unit, &unit);
	column[2].title = str_text(&unit);
	table = text_table_new(column, sizeof column / sizeof *column, ascii);
	for (size_t i = 0; i < stack->n_parts; i++) {
		const struct stack_amount *amount = &bar->account->amount[i];

		if (!stack_shows(stack, bar->account, i))
			continue;
		print_stack_part(table, stack, i, ascii);
		text_table_add(table, isnan(amount->share) ? "?" : number_share(number, amount->share));
		text_table_add(table, isnan(amount->value) ? "?" : number_count(number, amount->value, ascii));
		text_table_add(table, print_stack_figure(number, amount->figure));
		text_table_add(table, stack->part[i].text);
	}
	text_table_end(table, out);
	str_free(&unit);
}

static void
print_stack_add_whole(struct str *out, const struct stack_bar *bar, bool ascii)
{
	const struct stack *stack = bar->stack;
	char number[NUMBER_TEXT];
	struct str unit = {0};

	str_add(out, " ");
	print_padded(out, stack->name, 0, ascii);
	str_add(out, ": ");
	print_padded(out, stack->whole_name, 0, ascii);
	str_addc(out, ' ');
	str_add(out, isnan(bar->account->whole) ? "?" : number_count(number, bar->account->whole, ascii));
	unit_text(stack->whole->unit, &unit);
	if (!str_eq(str_text(&unit), stack->whole_name))
		str_addf(out, " %s", str_text(&unit));
	str_free(&unit);
	if (stack->figure) {
		str_add(out, ", ");
		print_padded(out, stack->figure_text, 0, ascii);
		str_addc(out, ' ');
		print_signs(out, print_stack_figure(number, bar->account->figure), ascii);
	}
	str_addc(out, '\n');
}

static void
add_heading(struct str *out, const struct stack_observation *x, bool ascii)
{
	const struct obs *o = x->obs;

	print_padded(out, x->name, 0, ascii);
	str_addf(out, "  %zu %s", o->n_rows, o->n_rows == 1 ? "row" : "rows");
	if (o->source && *o->source) {
		str_add(out, " of ");
		print_padded(out, o->source, 0, ascii);
	}
	str_addc(out, '\n');
}

static void
add_single(const struct options *options, const struct stack_bar *bar, struct str *out)
{
	bool ascii = print_ascii(options);

	print_stack_add_whole(out, bar, ascii);
	if (bar_length(bar) > 0) {
		str_addc(out, ' ');
		print_stack_bar(out, bar, &(struct bar_axis){bar_below(bar), bar_length(bar)}, BAR_COLUMNS, ascii);
	}
	print_stack_add_table(out, bar, ascii);
	if (!options->quiet)
		print_stack_add_notes(out, bar, "", ascii);
}

/* True when all methods have one figure in common. Otherwise the table shows shares. */
static bool
one_figure(const struct stack_report *r)
{
	for (size_t i = 0; i < r->n_stacks; i++)
		if (!r->stack[i]->figure || !str_eq(r->stack[i]->figure_text, r->stack[0]->figure_text))
			return false;
	return true;
}

/* Errors of an observation's bars against the reference, by stack; NULL for the reference itself. */
static struct stack_errors **
errors_new(const struct stack_report *r, const struct stack_observation *x)
{
	size_t truth = stack_reference(r->stack, r->n_stacks);
	struct stack_errors **e = mem_new_array(r->n_stacks, sizeof(struct stack_errors *));

	for (size_t k = 0; truth < r->n_stacks && k < r->n_stacks; k++)
		if (k != truth)
			e[k] = stack_errors_new(r->stack[k], x->bar[k].account, r->stack[truth],
				x->bar[truth].account);
	return e;
}

static void
errors_free(struct stack_errors **e, size_t n)
{
	for (size_t k = 0; k < n; k++)
		stack_errors_free(e[k]);
	free(e);
}

/* A row of the table of several methods: parts of one name at one depth, under parts of one name. */
struct row {
	const char *parent; /* "" for the whole, whatever its name */
	unsigned depth;
	const char *name;
};

/* Names are unique in a stack, except for remainders without a name, and those have no parts. */
static struct row
print_stack_row_of(const struct stack *s, size_t part)
{
	const struct stack_part *p = &s->part[part];

	return (struct row){p->parent == STACK_TOP ? "" : s->part[p->parent].name, p->depth, p->name};
}

/* n_parts when the stack has no such row. */
static size_t
find_row(const struct stack *s, const struct row *like)
{
	size_t i = 0;

	for (; i < s->n_parts; i++) {
		struct row own = print_stack_row_of(s, i);

		if (own.depth == like->depth && str_eq(own.name, like->name) && str_eq(own.parent, like->parent))
			break;
	}
	return i;
}

static bool
is_in_earlier(const struct stack_report *r, size_t stack, const struct row *row)
{
	for (size_t k = 0; k < stack; k++)
		if (find_row(r->stack[k], row) < r->stack[k]->n_parts)
			return true;
	return false;
}

static bool
is_in_some_bar(const struct stack_observation *x, size_t n_stacks, const struct row *row)
{
	for (size_t k = 0; k < n_stacks; k++) {
		size_t at = find_row(x->bar[k].stack, row);

		if (at < x->bar[k].stack->n_parts && stack_shows(x->bar[k].stack, x->bar[k].account, at))
			return true;
	}
	return false;
}

/* The table of several methods for one observation. */
struct beside {
	const struct stack_report *r;
	const struct stack_observation *x;
	struct stack_errors **error; /* per stack; NULL: it is the reference, or there is none */
	size_t truth;                /* number of the reference; n_stacks: none */
	bool figures, ascii;
	struct str *out;
	struct text_table *table;
};

/* "0.3100", "31.0"; with a reference a mark or a blank follows. `part`: the part's number in the stack. */
static void
print_stack_add_cell(const struct beside *beside, size_t stack, size_t part)
{
	const struct stack_amount *amount = &beside->x->bar[stack].account->amount[part];
	const struct stack_errors *errors = beside->error[stack];
	char number[NUMBER_TEXT];

	text_table_addf(beside->table, "%s%s",
		beside->figures              ? print_stack_figure(number, amount->figure)
			: isnan(amount->share) ? "?"
					       : number_share(number, amount->share),
		beside->truth == beside->r->n_stacks                                ? ""
			: errors && fabs(errors->error[part]) > STACK_ERROR_MARKED ? "*"
										    : " ");
}

static void
print_stack_add_row(const struct beside *beside, const struct row *row)
{
	text_table_row(beside->table, "%*s%s", 2 * (int)row->depth, "", row->name);
	for (size_t k = 0; k < beside->r->n_stacks; k++) {
		const struct stack *stack = beside->r->stack[k];
		size_t at = find_row(stack, row);

		if (at == stack->n_parts)
			text_table_add(beside->table, beside->truth < beside->r->n_stacks ? "· " : "·");
		else
			print_stack_add_cell(beside, k, at);
	}
}

/* The parts of a part follow it, in the order of the first stack that has it. */
static void
print_stack_add_rows(const struct beside *beside, const char *parent, unsigned depth)
{
	const struct stack_report *report = beside->r;

	for (size_t k = 0; k < report->n_stacks; k++)
		for (size_t i = 0; i < report->stack[k]->n_parts; i++) {
			struct row row = print_stack_row_of(report->stack[k], i);

			if (row.depth != depth || !str_eq(row.parent, parent) || is_in_earlier(report, k, &row) ||
				!is_in_some_bar(beside->x, report->n_stacks, &row))
				continue;
			print_stack_add_row(beside, &row);
			print_stack_add_rows(beside, row.name, depth + 1);
		}
}

/* The largest error of each method, and what the marks mean. */
static void
add_worst(const struct beside *beside)
{
	char number[NUMBER_TEXT];
	struct str *below;

	text_table_row(beside->table, "worst error, %%");
	for (size_t k = 0; k < beside->r->n_stacks; k++) {
		double worst = beside->error[k] ? stack_errors_worst(beside->error[k]) : NAN;

		text_table_addf(beside->table, "%s ",
			!beside->error[k]      ? "·"
				: isnan(worst) ? "?"
					       : number_share(number, worst));
	}
	below = text_table_below(beside->table);
	str_addf(below, " * off by more than %.0f %% of the whole from ", 100 * STACK_ERROR_MARKED);
	print_padded(below, beside->r->stack[beside->truth]->name, 0, beside->ascii);
	str_addc(below, '\n');
}

/* The largest part of the reference that has no parts and is no method's remainder; n_parts: none. */
static size_t
largest_part(const struct beside *t)
{
	const struct stack *s = t->r->stack[t->truth];
	const struct stack_amount *amount = t->x->bar[t->truth].account->amount;
	size_t best = s->n_parts;

	for (size_t i = 0; i < s->n_parts; i++)
		if (!stack_is_rest(t->r->stack, t->r->n_stacks, s->part[i].name) && !stack_has_parts(s, i) &&
			amount[i].share > 0 && (best == s->n_parts || amount[i].share > amount[best].share))
			best = i;
	return best;
}

/* The method that is farthest from the reference in the part of this name; n_stacks: none has it. */
static size_t
farthest(const struct beside *beside, const char *part)
{
	size_t best = beside->r->n_stacks;
	double most = -1;

	for (size_t k = 0; k < beside->r->n_stacks; k++) {
		size_t own = stack_part_called(beside->r->stack[k], part);

		if (beside->error[k] && own < beside->r->stack[k]->n_parts &&
			fabs(beside->error[k]->error[own]) > most) {
			most = fabs(beside->error[k]->error[own]);
			best = k;
		}
	}
	return best;
}

/* "if all l2d went away: CPI 0.8400, 1.48 x (naive: 2.82 x)", for the largest part of the reference */
static void
add_gain(const struct beside *beside)
{
	const struct stack_bar *bar = &beside->x->bar[beside->truth];
	const struct stack *stack = bar->stack;
	size_t part = largest_part(beside), k;
	struct str text = {0};
	char number[NUMBER_TEXT];
	double gain = part < stack->n_parts ? stack_gain(bar->account, part) : NAN;

	if (isnan(gain))
		return;
	str_addf(&text, " if all %s went away: ", stack->part[part].name);
	if (beside->figures)
		str_addf(&text, "%s %.4f, ", stack->figure_text, bar->account->figure / gain);
	str_addf(&text, "%s×", number_digits(number, gain, 3, beside->ascii));
	k = farthest(beside, stack->part[part].name);
	if (k < beside->r->n_stacks) {
		gain = stack_gain(
			beside->x->bar[k].account, stack_part_called(beside->r->stack[k], stack->part[part].name));
		if (isnan(gain))
			str_addf(&text, " (%s: nothing would be left)", beside->r->stack[k]->name);
		else
			str_addf(&text, " (%s: %s×)", beside->r->stack[k]->name,
				number_digits(number, gain, 3, beside->ascii));
	}
	print_padded(beside->out, str_text(&text), 0, beside->ascii);
	str_addc(beside->out, '\n');
	str_free(&text);
}

/* A column for the parts and one for each stack; where there is a reference, cells and titles end with a mark or a
 * blank. Adds the table to `out`. */
static void
print_stack_add_beside(struct beside *beside)
{
	const struct stack_report *report = beside->r;
	bool marked = beside->truth < report->n_stacks;
	struct text_column *column = mem_new_array(report->n_stacks + 1, sizeof *column);
	char **title = mem_new_array(report->n_stacks + 1, sizeof *title);

	column[0] = (struct text_column){.title = beside->figures ? report->stack[0]->figure_text : "share %",
		.gap = 1, .width = NAME_COLUMNS};
	for (size_t k = 0; k < report->n_stacks; k++) {
		size_t width = utf8_width(report->stack[k]->name) + 2;

		title[k] = str_format("%s%s", report->stack[k]->name, marked ? " " : "");
		column[k + 1] = (struct text_column){
			.title = title[k], .right = true, .gap = TEXT_NO_GAP, .width = width < 10 ? 10 : width};
	}
	beside->table = text_table_new(column, report->n_stacks + 1, beside->ascii);
	print_stack_add_rows(beside, "", 0);
	if (marked)
		add_worst(beside);
	text_table_end(beside->table, beside->out);
	str_split_free(title);
	free(column);
}

static void
add_beside(const struct options *options, const struct stack_report *r, const struct stack_observation *observation,
	struct str *out)
{
	bool ascii = print_ascii(options);
	struct beside t = {r, observation, errors_new(r, observation), stack_reference(r->stack, r->n_stacks),
		one_figure(r), ascii, out, NULL};
	struct bar_axis shares = {.top = 1};

	/* All bars are drawn as shares of their whole, on one scale, so that zero and bars of equal whole line up. */
	for (size_t k = 0; k < r->n_stacks; k++)
		if (bar_length(&observation->bar[k]) > 0) {
			shares.top = fmax(
				shares.top, bar_length(&observation->bar[k]) / observation->bar[k].account->whole);
			shares.below = fmax(
				shares.below, bar_below(&observation->bar[k]) / observation->bar[k].account->whole);
		}
	for (size_t k = 0; k < r->n_stacks; k++) {
		double whole = observation->bar[k].account->whole;

		str_addc(out, ' ');
		print_padded(out, r->stack[k]->name, NAME_COLUMNS - 4, ascii);
		str_addc(out, ' ');
		if (bar_length(&observation->bar[k]) > 0)
			print_stack_bar(out, &observation->bar[k],
				&(struct bar_axis){shares.below * whole, shares.top * whole}, BAR_COLUMNS, ascii);
		else
			str_add(out, "?\n");
	}
	print_stack_add_beside(&t);
	if (t.truth < r->n_stacks)
		add_gain(&t);
	errors_free(t.error, r->n_stacks);
	for (size_t k = 0; k < r->n_stacks && !options->quiet; k++) {
		char *prefix = str_format("%s: ", r->stack[k]->name);

		print_stack_add_notes(out, &observation->bar[k], prefix, ascii);
		free(prefix);
	}
}

void
print_stack_text(const struct options *options, const struct stack_report *report, struct str *out)
{
	for (size_t i = 0; i < report->n_observations; i++) {
		if (i)
			str_addc(out, '\n');
		add_heading(out, &report->observation[i], print_ascii(options));
		if (report->n_stacks == 1 && report->stack[0]->tree.family)
			print_tree_text(options, &report->observation[i].bar[0], out);
		else if (report->n_stacks == 1)
			add_single(options, &report->observation[i].bar[0], out);
		else
			add_beside(options, report, &report->observation[i], out);
	}
}
