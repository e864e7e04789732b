#include "work/timeline/tree_choice.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "text/diag.h"
#include "work/files/files.h"
#include "work/files/texts.h"
#include "work/timeline/stack_count.h"
#include "work/timeline/tree_notes.h"

#define FOREIGN_LEAST 2 /* events of another tree's first two levels that make data those of two generations */

/* A tree, and what the data have of it. */
struct candidate {
	char *name;
	struct stack *stack;
	bool **has;        /* per table and column: one of its counters is counted there */
	bool **high;       /* likewise, a counter of its first two levels */
	size_t n_counters; /* counted ones */
	size_t root;       /* a counter of the whole that the data lack; n_counters of the stack: none */
};

static bool
is_of_family(const struct text *t, const char *family)
{
	char *item = str_format("\ntree %s", family);
	const char *at = memmem(t->text, t->n, item, strlen(item));
	size_t end = at ? (size_t)(at - t->text) + strlen(item) : 0;
	bool is = at && end < t->n && strchr(" ;\n", t->text[end]);

	free(item);
	return is;
}

char **
trees_of_family(const char *family)
{
	char **all = file_names(STACK_FOLDERS, ".stack");
	size_t n = 0;

	for (size_t i = 0; all[i]; i++) {
		struct text t;

		if (text_load(all[i], TEXT_STACK, &t, NULL) && is_of_family(&t, family))
			all[n++] = all[i];
		else
			free(all[i]);
		text_free(&t);
	}
	all[n] = NULL;
	return all;
}

/* NULL if the file cannot be read, or is no stack: it is no choice then. */
static struct stack *
tree_choice_load(const char *name)
{
	struct text t;
	struct diags d = {0};
	struct stack *s = text_load(name, TEXT_STACK, &t, NULL) ? text_stack(&t, &d) : NULL;

	text_free(&t);
	diags_free(&d);
	return s;
}

/* Whether a part of the first two levels, or the whole, needs the counter. */
static bool
is_high(const struct stack *s, size_t counter)
{
	bool high = stack_uses(s, s->n_parts, counter);

	for (size_t i = 0; i < s->n_parts && !high; i++)
		high = s->part[i].depth < 2 && stack_uses(s, i, counter);
	return high;
}

static void
tree_choice_look_at(struct candidate *c, struct obs_table *const *table, size_t n)
{
	const struct stack *s = c->stack;
	bool *counted = mem_new_array(s->n_counters, sizeof *counted);

	c->has = mem_new_array(n, sizeof *c->has);
	c->high = mem_new_array(n, sizeof *c->high);
	for (size_t t = 0; t < n; t++) {
		struct stack_columns *m = stack_columns_new(s, table[t]);

		c->has[t] = mem_new_array(table[t]->n_columns, sizeof **c->has);
		c->high[t] = mem_new_array(table[t]->n_columns, sizeof **c->high);
		for (size_t i = 0; i < s->n_counters; i++)
			for (size_t k = m->match->first[i]; k < m->match->first[i + 1]; k++) {
				counted[i] = true;
				c->has[t][m->match->column[k]] = true;
				c->high[t][m->match->column[k]] |= is_high(s, i);
			}
		stack_columns_free(m);
	}
	c->root = s->n_counters;
	for (size_t i = s->n_counters; i-- > 0;) {
		c->n_counters += counted[i];
		if (!counted[i] && stack_uses(s, s->n_parts, i))
			c->root = i;
	}
	free(counted);
}

/* How many columns are of a's first two levels and unknown to b; *first is one of them. */
static size_t
columns_of_one(const struct candidate *a, const struct candidate *b, struct obs_table *const *table, size_t n,
	const char **first)
{
	size_t some = 0;

	for (size_t t = 0; t < n; t++)
		for (size_t i = 0; i < table[t]->n_columns; i++)
			if (a->high[t][i] && !b->has[t][i] && !some++)
				*first = table[t]->column[i];
	return some;
}

/* What can be computed in some observation. */
struct known {
	bool root, node;
};

/* A counter may be chosen by a condition, as the cycles of two threads: the root is known without it, too. */
static struct known
known_of(const struct candidate *c, struct obs_table *const *table, size_t n)
{
	const struct stack *s = c->stack;
	struct known known = {false, false};

	for (size_t t = 0; t < n && !known.node; t++) {
		struct stack_columns *m = stack_columns_new(s, table[t]);

		for (size_t i = 0; i < table[t]->n && !known.node; i++) {
			struct stack_counts *counts = stack_counts_new(s, m, table[t], i);

			known.root |= tree_lacks(s, counts, s->n_parts, NULL) == 0;
			for (size_t part = 0; part < s->n_parts && !known.node; part++)
				known.node = tree_lacks(s, counts, part, NULL) == 0;
			stack_counts_free(counts);
		}
		stack_columns_free(m);
	}
	return known;
}

static void
tree_choice_add_names(const struct candidate *c, size_t n, struct str *out)
{
	for (size_t i = 0; i < n; i++)
		str_addf(out, "%s%s", i ? ", " : "", c[i].name);
}

static bool
is_one_generation(const struct candidate *c, size_t n_trees, size_t best, struct obs_table *const *table, size_t n,
	struct err *e)
{
	const char *own = NULL, *foreign = NULL;
	size_t most = FOREIGN_LEAST - 1, other = n_trees;

	for (size_t i = 0; i < n_trees; i++) {
		const char *here, *there;
		size_t some = columns_of_one(&c[i], &c[best], table, n, &there);

		if (some > most && columns_of_one(&c[best], &c[i], table, n, &here)) {
			most = some;
			other = i;
			own = here;
			foreign = there;
		}
	}
	if (other == n_trees)
		return true;
	err_set(e, "the data have events of two generations: %s is of %s, %s of %s", own, c[best].name, foreign,
		c[other].name);
	err_hint(e, "give each its own file, or name the tree: hecate stack %s DATA, hecate stack %s DATA",
		c[best].name, c[other].name);
	return false;
}

static char *
tree_choice_choose(const char *family, const struct candidate *c, size_t n_trees, struct obs_table *const *table,
	size_t n, struct str *note, struct err *e)
{
	struct str names = {0};
	size_t best = 0;
	char *chosen = NULL;

	tree_choice_add_names(c, n_trees, &names);
	for (size_t i = 1; i < n_trees; i++)
		if (c[i].n_counters > c[best].n_counters)
			best = i;
	if (!c[best].n_counters) {
		err_set(e, "the data have no event of any tree of %s (%s)", family, str_text(&names));
		err_hint(e, "hecate stack %s --check lists the events of one", c[0].name);
	} else if (is_one_generation(c, n_trees, best, table, n, e)) {
		struct known known = known_of(&c[best], table, n);

		if (known.root && known.node) {
			chosen = mem_str(c[best].name);
		} else if (known.root) {
			err_set(e, "no node of any tree of %s has all its counters in the data (%s)", family,
				str_text(&names));
			err_hint(e, "hecate stack %s --check lists the counters of each node", family);
		} else {
			err_set(e, "%s fits best, but the data lack a counter of its root: %s", c[best].name,
				c[best].root < c[best].stack->n_counters ? tree_event(c[best].stack, c[best].root)
					: "it is not counted in any observation");
			err_hint(e, "count it too: no node is a share of anything without it");
		}
	}
	for (size_t i = 0; chosen && i < n_trees; i++)
		if (i != best && c[i].n_counters == c[best].n_counters)
			str_addf(note, "%s%s",
				note->n ? ", " : "the events fit these trees as well, so name the right one: ",
				c[i].name);
	str_free(&names);
	return chosen;
}

char *
tree_choose(const char *family, struct obs_table *const *table, size_t n, struct str *note, struct err *e)
{
	char **name = trees_of_family(family), *chosen = NULL;
	struct candidate *c;
	size_t n_trees = 0;

	while (name[n_trees])
		n_trees++;
	c = mem_new_array(n_trees, sizeof *c);
	n_trees = 0;
	for (size_t i = 0; name[i]; i++) {
		c[n_trees].stack = tree_choice_load(name[i]);
		if (!c[n_trees].stack)
			continue;
		c[n_trees].name = name[i];
		tree_choice_look_at(&c[n_trees++], table, n);
	}
	if (n_trees)
		chosen = tree_choice_choose(family, c, n_trees, table, n, note, e);
	else
		err_set(e, "no tree of %s is installed", family);
	for (size_t i = 0; i < n_trees; i++) {
		for (size_t t = 0; t < n; t++) {
			free(c[i].has[t]);
			free(c[i].high[t]);
		}
		free(c[i].has);
		free(c[i].high);
		stack_free(c[i].stack);
	}
	free(c);
	str_split_free(name);
	return chosen;
}
