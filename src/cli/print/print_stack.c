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
#include "draw/cell.h"
#include "draw/stack_bars.h"

#define BAR_COLUMNS 60
#define NAME_COLUMNS 24 /* width for names of parts and methods; longer ones push their row to the right */

static void
add_figure(struct str *out, double v, size_t columns)
{
	char *text = isnan(v) ? mem_str("?") : str_format("%.4f", v);

	print_right(out, text, columns, true);
	free(text);
}

static void
add_number(struct str *out, double v, bool ascii, size_t columns)
{
	char number[NUMBER_TEXT];

	print_right(out, isnan(v) ? "?" : number_count(number, v, ascii), columns, ascii);
}

void
print_stack_bar(struct str *out, const struct stack_bar *b, double scale, int columns, bool ascii)
{
	struct draw_part *part = mem_new_array(b->stack->n_parts, sizeof *part);
	struct grid *g = grid_new(columns, 1, ascii);
	struct pen pen = pen_on(g, (struct rect){0, 0, columns, 1}, ROLE_TEXT);
	struct str text = {0};
	size_t n = stack_bar_parts(b->stack, b->account, false, part);

	draw_stack(&pen, 0, 0, columns, part, n, scale);
	grid_text(g, &text);
	while (text.n && (text.s[text.n - 1] == '\n' || text.s[text.n - 1] == ' '))
		text.s[--text.n] = 0;
	str_add(out, str_text(&text));
	str_addc(out, '\n');
	str_free(&text);
	grid_free(g);
	free(part);
}

static double
bar_length(const struct stack_bar *b)
{
	return stack_bar_length(b->stack, b->account, false);
}

static void
add_notes(struct str *out, const struct stack_bar *b, const char *prefix, bool ascii)
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
print_stack_legend(struct str *out, const struct stack *s, size_t part, bool ascii)
{
	struct grid *g = grid_new(3, 1, ascii);
	struct pen pen = pen_on(g, (struct rect){0, 0, 3, 1}, ROLE_TEXT);
	struct str text = {0};

	stack_swatch(&pen, 0, 0, s, part);
	grid_text(g, &text);
	text.s[--text.n] = 0;
	str_addf(out, " %s ", str_text(&text));
	str_free(&text);
	grid_free(g);
}

static void
add_part_name(struct str *out, const char *name, unsigned depth, bool ascii)
{
	for (unsigned d = 0; d < depth; d++)
		str_add(out, "  ");
	print_padded(out, name, NAME_COLUMNS - 2 * depth, ascii);
}

static void
add_share(struct str *out, double share)
{
	char number[NUMBER_TEXT];

	print_right(out, isnan(share) ? "?" : number_share(number, share), 8, true);
}

static void
add_table(struct str *out, const struct stack_bar *b, bool ascii)
{
	const struct stack *s = b->stack;
	struct str unit = {0};

	unit_text(s->whole->unit, &unit);
	str_addf(out, "     %-*s   share %% %12s", NAME_COLUMNS - 2, "part", str_text(&unit));
	if (s->figure)
		print_right(out, s->figure_text, 12, ascii);
	str_addc(out, '\n');
	for (size_t i = 0; i < s->n_parts; i++) {
		const struct stack_amount *m = &b->account->amount[i];

		if (!stack_shows(s, b->account, i))
			continue;
		print_stack_legend(out, s, i, ascii);
		add_part_name(out, s->part[i].name, s->part[i].depth, ascii);
		add_share(out, m->share);
		add_number(out, m->value, ascii, 13);
		if (s->figure)
			add_figure(out, m->figure, 12);
		if (*s->part[i].text) {
			str_add(out, "  ");
			print_padded(out, s->part[i].text, 0, ascii);
		}
		str_addc(out, '\n');
	}
	str_free(&unit);
}

static void
add_whole(struct str *out, const struct stack_bar *b, bool ascii)
{
	const struct stack *s = b->stack;
	struct str unit = {0};

	str_add(out, " ");
	print_padded(out, s->name, 0, ascii);
	str_add(out, ": ");
	print_padded(out, s->whole_name, 0, ascii);
	str_addc(out, ' ');
	add_number(out, b->account->whole, ascii, 0);
	unit_text(s->whole->unit, &unit);
	if (!str_eq(str_text(&unit), s->whole_name))
		str_addf(out, " %s", str_text(&unit));
	str_free(&unit);
	if (s->figure) {
		str_add(out, ", ");
		print_padded(out, s->figure_text, 0, ascii);
		str_addc(out, ' ');
		add_figure(out, b->account->figure, 0);
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
add_single(const struct options *o, const struct stack_bar *b, struct str *out)
{
	bool ascii = print_ascii(o);

	add_whole(out, b, ascii);
	if (bar_length(b) > 0) {
		str_addc(out, ' ');
		print_stack_bar(out, b, bar_length(b), BAR_COLUMNS, ascii);
	}
	add_table(out, b, ascii);
	if (!o->quiet)
		add_notes(out, b, "", ascii);
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

/* A row of the table of several methods: parts of one name at one depth, under parts of one name. */
struct row {
	const char *parent; /* "" for the whole, whatever its name */
	unsigned depth;
	const char *name;
};

/* Names are unique in a stack, except for remainders without a name, and those have no parts. */
static struct row
row_of(const struct stack *s, size_t part)
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
		struct row own = row_of(s, i);

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
column_of(const struct stack *s)
{
	size_t w = utf8_width(s->name) + 2;

	return w < 10 ? 10 : w;
}

static void
add_row(const struct stack_report *r, const struct stack_observation *x, const struct row *row, bool figures,
	bool ascii, struct str *out)
{
	char number[NUMBER_TEXT];

	str_add(out, " ");
	add_part_name(out, row->name, row->depth, ascii);
	for (size_t k = 0; k < r->n_stacks; k++) {
		const struct stack_bar *b = &x->bar[k];
		size_t at = find_row(b->stack, row), columns = column_of(b->stack);
		double v = at == b->stack->n_parts ? NAN
			: figures                  ? b->account->amount[at].figure
						   : b->account->amount[at].share;

		if (at == b->stack->n_parts)
			print_right(out, "·", columns, ascii);
		else if (figures || isnan(v))
			add_figure(out, v, columns);
		else
			print_right(out, number_share(number, v), columns, ascii);
	}
	str_addc(out, '\n');
}

/* The parts of a part follow it, in the order of the first stack that has it. */
static void
add_rows(const struct stack_report *r, const struct stack_observation *x, const char *parent, unsigned depth,
	bool figures, bool ascii, struct str *out)
{
	for (size_t k = 0; k < r->n_stacks; k++)
		for (size_t i = 0; i < r->stack[k]->n_parts; i++) {
			struct row row = row_of(r->stack[k], i);

			if (row.depth != depth || !str_eq(row.parent, parent) || is_in_earlier(r, k, &row) ||
				!is_in_some_bar(x, r->n_stacks, &row))
				continue;
			add_row(r, x, &row, figures, ascii, out);
			add_rows(r, x, row.name, depth + 1, figures, ascii, out);
		}
}

static void
add_beside(const struct options *o, const struct stack_report *r, const struct stack_observation *x, struct str *out)
{
	bool figures = one_figure(r), ascii = print_ascii(o);
	double longest = 1;

	/* All bars are drawn as shares of their whole, on the scale of the longest, so that bars of equal whole line
	 * up. */
	for (size_t k = 0; k < r->n_stacks; k++)
		if (bar_length(&x->bar[k]) > 0)
			longest = fmax(longest, bar_length(&x->bar[k]) / x->bar[k].account->whole);
	for (size_t k = 0; k < r->n_stacks; k++) {
		str_addc(out, ' ');
		print_padded(out, r->stack[k]->name, NAME_COLUMNS - 4, ascii);
		str_addc(out, ' ');
		if (bar_length(&x->bar[k]) > 0)
			print_stack_bar(out, &x->bar[k], longest * x->bar[k].account->whole, BAR_COLUMNS, ascii);
		else
			str_add(out, "?\n");
	}
	str_addc(out, ' ');
	print_padded(out, figures ? r->stack[0]->figure_text : "share %", NAME_COLUMNS, ascii);
	for (size_t k = 0; k < r->n_stacks; k++)
		print_right(out, r->stack[k]->name, column_of(r->stack[k]), ascii);
	str_addc(out, '\n');
	add_rows(r, x, "", 0, figures, ascii, out);
	for (size_t k = 0; k < r->n_stacks && !o->quiet; k++) {
		char *prefix = str_format("%s: ", r->stack[k]->name);

		add_notes(out, &x->bar[k], prefix, ascii);
		free(prefix);
	}
}

void
print_stack_text(const struct options *o, const struct stack_report *r, struct str *out)
{
	for (size_t i = 0; i < r->n_observations; i++) {
		if (i)
			str_addc(out, '\n');
		add_heading(out, &r->observation[i], print_ascii(o));
		if (r->n_stacks == 1)
			add_single(o, &r->observation[i].bar[0], out);
		else
			add_beside(o, r, &r->observation[i], out);
	}
}
