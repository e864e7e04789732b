#include "cli/print/print_stack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "core/obs/obs.h"
#include "core/stack/errors.h"
#include "draw/cell.h"
#include "draw/stack_bars.h"

#define BAR_COLUMNS 60
#define NAME_COLUMNS 24 /* width for names of parts and methods; longer ones push their row to the right */

static void
add_figure(struct str *out, double v, bool ascii, size_t columns)
{
	char *text = isnan(v) ? mem_str("?") : str_format("%s%.4f", v < 0 ? "−" : "", fabs(v));

	print_right(out, text, columns, ascii);
	free(text);
}

static void
print_stack_add_number(struct str *out, double v, bool ascii, size_t columns)
{
	char number[NUMBER_TEXT];

	print_right(out, isnan(v) ? "?" : number_count(number, v, ascii), columns, ascii);
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
print_stack_legend(struct str *out, const struct stack *stack, size_t part, bool ascii)
{
	struct grid *grid = grid_new(3, 1, ascii);
	struct pen pen = pen_on(grid, (struct rect){0, 0, 3, 1}, ROLE_TEXT);
	struct str text = {0};

	stack_swatch(&pen, 0, 0, stack, part);
	grid_text(grid, &text);
	text.s[--text.n] = 0;
	str_addf(out, " %s ", str_text(&text));
	str_free(&text);
	grid_free(grid);
}

static void
add_part_name(struct str *out, const char *name, unsigned depth, bool ascii)
{
	for (unsigned d = 0; d < depth; d++)
		str_add(out, "  ");
	print_padded(out, name, NAME_COLUMNS - 2 * depth, ascii);
}

static void
print_stack_add_share(struct str *out, double share, bool ascii)
{
	char number[NUMBER_TEXT];

	print_right(out, isnan(share) ? "?" : number_share(number, share), 8, ascii);
}

static void
print_stack_add_table(struct str *out, const struct stack_bar *bar, bool ascii)
{
	const struct stack *stack = bar->stack;
	struct str unit = {0};

	unit_text(stack->whole->unit, &unit);
	str_addf(out, "     %-*s   share %% %12s", NAME_COLUMNS - 2, "part", str_text(&unit));
	if (stack->figure)
		print_right(out, stack->figure_text, 12, ascii);
	str_addc(out, '\n');
	for (size_t i = 0; i < stack->n_parts; i++) {
		const struct stack_amount *amount = &bar->account->amount[i];

		if (!stack_shows(stack, bar->account, i))
			continue;
		print_stack_legend(out, stack, i, ascii);
		add_part_name(out, stack->part[i].name, stack->part[i].depth, ascii);
		print_stack_add_share(out, amount->share, ascii);
		print_stack_add_number(out, amount->value, ascii, 13);
		if (stack->figure)
			add_figure(out, amount->figure, ascii, 12);
		if (*stack->part[i].text) {
			str_add(out, "  ");
			print_padded(out, stack->part[i].text, 0, ascii);
		}
		str_addc(out, '\n');
	}
	str_free(&unit);
}

static void
print_stack_add_whole(struct str *out, const struct stack_bar *bar, bool ascii)
{
	const struct stack *stack = bar->stack;
	struct str unit = {0};

	str_add(out, " ");
	print_padded(out, stack->name, 0, ascii);
	str_add(out, ": ");
	print_padded(out, stack->whole_name, 0, ascii);
	str_addc(out, ' ');
	print_stack_add_number(out, bar->account->whole, ascii, 0);
	unit_text(stack->whole->unit, &unit);
	if (!str_eq(str_text(&unit), stack->whole_name))
		str_addf(out, " %s", str_text(&unit));
	str_free(&unit);
	if (stack->figure) {
		str_add(out, ", ");
		print_padded(out, stack->figure_text, 0, ascii);
		str_addc(out, ' ');
		add_figure(out, bar->account->figure, ascii, 0);
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

static size_t
print_stack_column_of(const struct stack *s)
{
	size_t w = utf8_width(s->name) + 2;

	return w < 10 ? 10 : w;
}

/* The table of several methods for one observation. */
struct beside {
	const struct stack_report *r;
	const struct stack_observation *x;
	struct stack_errors **error; /* per stack; NULL: it is the reference, or there is none */
	size_t truth;                /* number of the reference; n_stacks: none */
	bool figures, ascii;
	struct str *out;
};

/* "0.3100", "31.0"; with a reference a mark or a blank follows. `part`: the part's number in the stack. */
static void
print_stack_add_cell(const struct beside *beside, size_t stack, size_t part)
{
	const struct stack_amount *amount = &beside->x->bar[stack].account->amount[part];
	const struct stack_errors *errors = beside->error[stack];
	char number[NUMBER_TEXT];
	struct str text = {0};

	if (isnan(beside->figures ? amount->figure : amount->share))
		str_addc(&text, '?');
	else if (beside->figures)
		str_addf(&text, "%s%.4f", amount->figure < 0 ? "−" : "", fabs(amount->figure));
	else
		str_add(&text, number_share(number, amount->share));
	if (beside->truth < beside->r->n_stacks)
		str_addc(&text, errors && fabs(errors->error[part]) > STACK_ERROR_MARKED ? '*' : ' ');
	print_right(beside->out, str_text(&text), print_stack_column_of(beside->r->stack[stack]), beside->ascii);
	str_free(&text);
}

static void
print_stack_add_row(const struct beside *beside, const struct row *row)
{
	str_add(beside->out, " ");
	add_part_name(beside->out, row->name, row->depth, beside->ascii);
	for (size_t k = 0; k < beside->r->n_stacks; k++) {
		const struct stack *stack = beside->r->stack[k];
		size_t at = find_row(stack, row);

		if (at == stack->n_parts)
			print_right(beside->out, beside->truth < beside->r->n_stacks ? "· " : "·",
				print_stack_column_of(stack), beside->ascii);
		else
			print_stack_add_cell(beside, k, at);
	}
	str_addc(beside->out, '\n');
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

	str_add(beside->out, " ");
	print_padded(beside->out, "worst error, %", NAME_COLUMNS, beside->ascii);
	for (size_t k = 0; k < beside->r->n_stacks; k++) {
		double worst = beside->error[k] ? stack_errors_worst(beside->error[k]) : NAN;
		char *text = str_format("%s ",
			!beside->error[k]      ? "·"
				: isnan(worst) ? "?"
					       : number_share(number, worst));

		print_right(beside->out, text, print_stack_column_of(beside->r->stack[k]), beside->ascii);
		free(text);
	}
	str_addf(beside->out, "\n * off by more than %.0f %% of the whole from ", 100 * STACK_ERROR_MARKED);
	print_padded(beside->out, beside->r->stack[beside->truth]->name, 0, beside->ascii);
	str_addc(beside->out, '\n');
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

static void
add_beside(const struct options *options, const struct stack_report *r, const struct stack_observation *observation,
	struct str *out)
{
	bool ascii = print_ascii(options);
	struct beside t = {r, observation, errors_new(r, observation), stack_reference(r->stack, r->n_stacks),
		one_figure(r), ascii, out};
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
	str_addc(out, ' ');
	print_padded(out, t.figures ? r->stack[0]->figure_text : "share %", NAME_COLUMNS, ascii);
	for (size_t k = 0; k < r->n_stacks; k++) {
		char *head = str_format("%s%s", r->stack[k]->name, t.truth < r->n_stacks ? " " : "");

		print_right(out, head, print_stack_column_of(r->stack[k]), ascii);
		free(head);
	}
	str_addc(out, '\n');
	print_stack_add_rows(&t, "", 0);
	if (t.truth < r->n_stacks) {
		add_worst(&t);
		add_gain(&t);
	}
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
