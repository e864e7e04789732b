
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "core/stack/account.h"
#include "core/stack/bounds.h"
#include "core/stack/stack.h"
#include "work/timeline/stack_notes.h"
#include "work/timeline/tree_notes.h"

#define LEVELS_SHOWN 2

/* Marks the nodes that are shown: the first levels, what is worth a look with its parts, and what they are parts of.
 * The caller frees. */
static bool *
shown_nodes(const struct options *options, const struct stack_bar *bar)
{
	const struct stack *stack = bar->stack;
	bool *shown = mem_new_array(stack->n_parts, sizeof *shown);

	for (size_t i = stack->n_parts; i-- > 0;) {
		const struct stack_part *part = &stack->part[i];
		bool is_part = part->parent != STACK_TOP;

		shown[i] |= options->verbose || part->depth < LEVELS_SHOWN || bar->account->amount[i].flagged ||
			(is_part && bar->account->amount[part->parent].flagged);
		if (is_part)
			shown[part->parent] |= shown[i];
	}
	return shown;
}

static bool
is_deepest(const struct stack_bar *b, size_t part)
{
	bool deepest = b->account->amount[part].flagged;

	for (size_t i = part + 1; deepest && i < b->stack->n_parts; i++)
		deepest = b->stack->part[i].parent != part || !b->account->amount[i].flagged;
	return deepest;
}

static void
print_tree_add_head(const struct stack_bar *b, struct str *out)
{
	const struct stack *s = b->stack;

	str_addf(out, " %s: %s", s->name, s->text);
	if (s->figure && !isnan(b->account->figure))
		str_addf(out, ", %s %.4f", s->figure_text, b->account->figure);
	str_addc(out, '\n');
}

/* "waits for the instruction cache, of cycles" */
static void
add_what(const struct stack_bar *b, size_t part, struct str *out)
{
	const struct stack_part *p = &b->stack->part[part];

	tree_add_why(b, part, out);
	if (out->n)
		return;
	str_addf(out, "%s%s%s", p->advice ? p->advice->title : "",
		*p->text && p->advice && *p->advice->title ? ", " : "", p->text);
}

static void
add_formula(const struct options *options, const struct stack_part *part, struct str *out)
{
	struct str formula = {0};

	str_add(&formula, "= ");
	if (part->e)
		aexpr_print(part->e, &formula);
	else
		str_add(&formula, "what the other nodes of its level leave");
	print_wrapped(out, str_text(&formula), 7 + 2 * part->depth, 2, print_width(options), print_ascii(options));
	str_free(&formula);
}

static void
print_bounds(const struct options *options, const struct stack_bar *bar, const struct stack_bounds *bounds, size_t part,
	struct str *out)
{
	struct str text = {0};

	if (tree_add_bounds(bar, bounds, part, &text))
		print_wrapped(out, str_text(&text), 7 + 2 * bar->stack->part[part].depth, 2, print_width(options),
			print_ascii(options));
	str_free(&text);
}

static void
add_nodes(const struct options *options, const struct stack_bar *b, struct str *out)
{
	struct text_column column[] = {{.title = "   node"}, {.title = "%", .right = true},
		{.title = "above", .right = true}, {.title = "what it is, and of what"}};
	const struct stack *stack = b->stack;
	struct text_table *table = text_table_new(column, sizeof column / sizeof *column, print_ascii(options));
	struct stack_bounds *bounds = options->verbose ? tree_bounds_new(b) : NULL;
	bool *shown = shown_nodes(options, b);

	for (size_t i = 0; i < stack->n_parts; i++)
		if (shown[i]) {
			const struct stack_amount *amount = &b->account->amount[i];
			const struct stack_limit *limit = &stack->part[i].limit;
			char number[NUMBER_TEXT];
			struct str what = {0};

			text_table_row(table, " %c %*s%s", amount->flagged ? '*' : ' ',
				2 * (int)stack->part[i].depth, "", stack->part[i].name);
			text_table_addf(table, "%s%s", amount->share < 0 ? "−" : "",
				isnan(amount->share) ? "?" : number_share(number, fabs(amount->share)));
			if (isnan(limit->above))
				text_table_skip(table, 1);
			else
				text_table_addf(table, "%g", 100 * limit->above);
			add_what(b, i, &what);
			text_table_add(table, str_text(&what));
			str_free(&what);
			if (options->verbose) {
				add_formula(options, &stack->part[i], text_table_below(table));
				print_bounds(options, b, bounds, i, text_table_below(table));
			}
		}
	text_table_end(table, out);
	free(bounds);
	free(shown);
}

static void
add_field(const struct options *o, const char *word, const char *text, struct str *out)
{
	struct str line = {0};

	if (!*text)
		return;
	str_addf(&line, "%s: %s", word, text);
	print_wrapped(out, str_text(&line), 4, 2, print_width(o), print_ascii(o));
	str_free(&line);
}

static void
add_advice(const struct options *options, const struct stack_bar *bar, size_t part, struct str *out)
{
	const struct stack_advice *advice = bar->stack->part[part].advice;
	char number[NUMBER_TEXT];
	struct str path = {0};

	tree_add_path(bar->stack, part, &path);
	str_addf(&path, " %s %%", number_share(number, bar->account->amount[part].share));
	str_addc(out, ' ');
	print_padded(out, str_text(&path), 0, print_ascii(options));
	str_addc(out, '\n');
	str_free(&path);
	if (!advice)
		return;
	add_field(options, "means", advice->means, out);
	add_field(options, "next", advice->next, out);
	add_field(options, "helps", advice->helps, out);
}

void
print_tree_text(const struct options *options, const struct stack_bar *bar, struct str *out)
{
	char **note = stack_notes(bar);
	bool some = false;

	print_tree_add_head(bar, out);
	add_nodes(options, bar, out);
	for (size_t i = 0; i < bar->stack->n_parts; i++)
		if (is_deepest(bar, i)) {
			if (!some)
				str_add(out, "\n * worth a look: above its limit, and so is what it is part of\n");
			some = true;
			add_advice(options, bar, i, out);
		}
	if (!some)
		str_add(out, "\n no node is above its limit\n");
	if (options->verbose && *bar->stack->tree.source) {
		str_add(out, " formulas: ");
		print_padded(out, bar->stack->tree.source, 0, print_ascii(options));
		str_addc(out, '\n');
	}
	for (size_t i = 0; note[i] && !options->quiet; i++) {
		struct str line = {0};

		str_addf(&line, "! %s", note[i]);
		print_wrapped(out, str_text(&line), 1, 2, print_width(options), print_ascii(options));
		str_free(&line);
	}
	str_split_free(note);
}
