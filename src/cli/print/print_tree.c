#include "cli/print/print_tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "work/timeline/stack_notes.h"
#include "work/timeline/tree_notes.h"

#define LEVELS_SHOWN 2

/* Marks the nodes that are shown: the first levels, what is worth a look with its parts, and what they are parts of.
 * The caller frees. */
static bool *
shown_nodes(const struct options *o, const struct stack_bar *b)
{
	const struct stack *s = b->stack;
	bool *shown = mem_new_array(s->n_parts, sizeof *shown);

	for (size_t i = s->n_parts; i-- > 0;) {
		const struct stack_part *p = &s->part[i];
		bool is_part = p->parent != STACK_TOP;

		shown[i] |= o->verbose || p->depth < LEVELS_SHOWN || b->account->amount[i].flagged ||
			(is_part && b->account->amount[p->parent].flagged);
		if (is_part)
			shown[p->parent] |= shown[i];
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
add_nodes(const struct options *o, const struct stack_bar *b, struct str *out)
{
	struct text_table_column column[] = {{.title = "   node"}, {.title = "%", .right = true},
		{.title = "above", .right = true}, {.title = "what it is, and of what"}};
	const struct stack *s = b->stack;
	struct text_table *t = text_table_new(column, sizeof column / sizeof *column, print_ascii(o));
	size_t *part = mem_new_array(s->n_parts, sizeof *part), n = 0;
	bool *shown = shown_nodes(o, b);

	for (size_t i = 0; i < s->n_parts; i++)
		if (shown[i]) {
			const struct stack_amount *m = &b->account->amount[i];
			const struct stack_limit *l = &s->part[i].limit;
			char number[NUMBER_TEXT];
			struct str what = {0};

			text_table_add(t);
			text_table_set(t, n, 0, " %c %*s%s", m->flagged ? '*' : ' ', 2 * (int)s->part[i].depth, "",
				s->part[i].name);
			text_table_set(t, n, 1, "%s%s", m->share < 0 ? "−" : "",
				isnan(m->share) ? "?" : number_share(number, fabs(m->share)));
			if (!isnan(l->above))
				text_table_set(t, n, 2, "%g", 100 * l->above);
			add_what(b, i, &what);
			text_table_set(t, n, 3, "%s", str_text(&what));
			str_free(&what);
			part[n++] = i;
		}
	text_table_head(t, out);
	for (size_t k = 0; k < n; k++) {
		text_table_row(t, k, out);
		if (o->verbose) {
			struct str formula = {0};

			str_add(&formula, "= ");
			if (s->part[part[k]].e)
				aexpr_print(s->part[part[k]].e, &formula);
			else
				str_add(&formula, "what the other nodes of its level leave");
			print_wrapped(out, str_text(&formula), 7 + 2 * s->part[part[k]].depth, 2, print_width(o),
				print_ascii(o));
			str_free(&formula);
		}
	}
	free(shown);
	free(part);
	text_table_free(t);
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
add_advice(const struct options *o, const struct stack_bar *b, size_t part, struct str *out)
{
	const struct stack_advice *a = b->stack->part[part].advice;
	char number[NUMBER_TEXT];
	struct str path = {0};

	tree_add_path(b->stack, part, &path);
	str_addf(&path, " %s %%", number_share(number, b->account->amount[part].share));
	str_addc(out, ' ');
	print_padded(out, str_text(&path), 0, print_ascii(o));
	str_addc(out, '\n');
	str_free(&path);
	if (!a)
		return;
	add_field(o, "means", a->means, out);
	add_field(o, "next", a->next, out);
	add_field(o, "helps", a->helps, out);
}

void
print_tree_text(const struct options *o, const struct stack_bar *b, struct str *out)
{
	char **note = stack_notes(b);
	bool some = false;

	print_tree_add_head(b, out);
	add_nodes(o, b, out);
	for (size_t i = 0; i < b->stack->n_parts; i++)
		if (is_deepest(b, i)) {
			if (!some)
				str_add(out, "\n * worth a look: above its limit, and so is what it is part of\n");
			some = true;
			add_advice(o, b, i, out);
		}
	if (!some)
		str_add(out, "\n no node is above its limit\n");
	if (o->verbose && *b->stack->tree.source) {
		str_add(out, " formulas: ");
		print_padded(out, b->stack->tree.source, 0, print_ascii(o));
		str_addc(out, '\n');
	}
	for (size_t i = 0; note[i] && !o->quiet; i++) {
		struct str line = {0};

		str_addf(&line, "! %s", note[i]);
		print_wrapped(out, str_text(&line), 1, 2, print_width(o), print_ascii(o));
		str_free(&line);
	}
	str_split_free(note);
}
