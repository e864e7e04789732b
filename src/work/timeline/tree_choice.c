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

#define TREE_OF_PERF "TopdownL6" /* all levels (work/metrics/metric_tree.h) */
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
tree_choice_look_at(struct candidate *candidate, struct obs_table *const *table, size_t n)
{
	const struct stack *stack = candidate->stack;
	bool *counted = mem_new_array(stack->n_counters, sizeof *counted);

	candidate->has = mem_new_array(n, sizeof *candidate->has);
	candidate->high = mem_new_array(n, sizeof *candidate->high);
	for (size_t t = 0; t < n; t++) {
		struct stack_columns *columns = stack_columns_new(stack, table[t]);

		candidate->has[t] = mem_new_array(table[t]->n_columns, sizeof **candidate->has);
		candidate->high[t] = mem_new_array(table[t]->n_columns, sizeof **candidate->high);
		for (size_t i = 0; i < stack->n_counters; i++)
			for (size_t k = columns->match->first[i]; k < columns->match->first[i + 1]; k++) {
				counted[i] = true;
				candidate->has[t][columns->match->column[k]] = true;
				candidate->high[t][columns->match->column[k]] |= is_high(stack, i);
			}
		stack_columns_free(columns);
	}
	candidate->root = stack->n_counters;
	for (size_t i = stack->n_counters; i-- > 0;) {
		candidate->n_counters += counted[i];
		if (!counted[i] && stack_uses(stack, stack->n_parts, i))
			candidate->root = i;
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

/* Whether some part of the first level has a value in some observation. */
static bool
knows_top(const struct stack *stack, const struct obs_table *table)
{
	struct stack_columns *columns = stack_columns_new(stack, table);
	bool knows = false;

	for (size_t i = 0; i < table->n && !knows; i++) {
		struct stack_counts *counts = stack_counts_new(stack, columns, table, i);

		for (size_t part = 0; part < stack->n_parts && !knows; part++)
			knows = !stack->part[part].depth && tree_lacks(stack, counts, part, NULL) == 0;
		stack_counts_free(counts);
	}
	stack_columns_free(columns);
	return knows;
}

/* For data that no installed tree fits: the name of the tree of perf's own metrics; NULL: it does not fit either. */
static char *
choose_of_perf(struct obs_table *const *table, size_t n)
{
	struct stack *stack = tree_choice_load(TREE_OF_PERF);
	bool knows = false;

	for (size_t i = 0; i < n && stack && !knows; i++)
		knows = knows_top(stack, table[i]);
	stack_free(stack);
	return knows ? mem_str(TREE_OF_PERF) : NULL;
}

/* A counter may be chosen by a condition, as the cycles of two threads: the root is known without it, too. */
static struct known
known_of(const struct candidate *candidate, struct obs_table *const *table, size_t n)
{
	const struct stack *stack = candidate->stack;
	struct known known = {false, false};

	for (size_t t = 0; t < n && !known.node; t++) {
		struct stack_columns *columns = stack_columns_new(stack, table[t]);

		for (size_t i = 0; i < table[t]->n && !known.node; i++) {
			struct stack_counts *counts = stack_counts_new(stack, columns, table[t], i);

			known.root |= tree_lacks(stack, counts, stack->n_parts, NULL) == 0;
			for (size_t part = 0; part < stack->n_parts && !known.node; part++)
				known.node = tree_lacks(stack, counts, part, NULL) == 0;
			stack_counts_free(counts);
		}
		stack_columns_free(columns);
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
is_one_generation(const struct candidate *candidate, size_t n_trees, size_t best, struct obs_table *const *table,
	size_t n, struct err *e)
{
	const char *own = NULL, *foreign = NULL;
	size_t most = FOREIGN_LEAST - 1, other = n_trees;

	for (size_t i = 0; i < n_trees; i++) {
		const char *here, *there;
		size_t some = columns_of_one(&candidate[i], &candidate[best], table, n, &there);

		if (some > most && columns_of_one(&candidate[best], &candidate[i], table, n, &here)) {
			most = some;
			other = i;
			own = here;
			foreign = there;
		}
	}
	if (other == n_trees)
		return true;
	err_set(e, "the data have events of two generations: %s is of %s, %s of %s", own, candidate[best].name, foreign,
		candidate[other].name);
	err_hint(e, "give each its own file, or name the tree: hecate stack %s DATA, hecate stack %s DATA",
		candidate[best].name, candidate[other].name);
	return false;
}

static char *
tree_choice_choose(const char *family, const struct candidate *candidate, size_t n_trees,
	struct obs_table *const *table, size_t n, struct str *note, struct err *e)
{
	struct str names = {0};
	size_t best = 0;
	char *chosen = NULL;

	tree_choice_add_names(candidate, n_trees, &names);
	for (size_t i = 1; i < n_trees; i++)
		if (candidate[i].n_counters > candidate[best].n_counters)
			best = i;
	if (!candidate[best].n_counters) {
		err_set(e, "the data have no event of any tree of %s (%s)", family, str_text(&names));
		err_hint(e, "hecate stack %s --check lists the events of one", candidate[0].name);
	} else if (is_one_generation(candidate, n_trees, best, table, n, e)) {
		struct known known = known_of(&candidate[best], table, n);

		if (known.root && known.node) {
			chosen = mem_str(candidate[best].name);
		} else if (known.root) {
			err_set(e, "no node of any tree of %s has all its counters in the data (%s)", family,
				str_text(&names));
			err_hint(e, "hecate stack %s --check lists the counters of each node", family);
		} else {
			err_set(e, "%s fits best, but the data lack a counter of its root: %s", candidate[best].name,
				candidate[best].root < candidate[best].stack->n_counters
					? tree_event(candidate[best].stack, candidate[best].root)
					: "it is not counted in any observation");
			err_hint(e, "count it too: no node is a share of anything without it");
		}
	}
	for (size_t i = 0; chosen && i < n_trees; i++)
		if (i != best && candidate[i].n_counters == candidate[best].n_counters)
			str_addf(note, "%s%s",
				note->n ? ", " : "the events fit these trees as well, so name the right one: ",
				candidate[i].name);
	str_free(&names);
	return chosen;
}

char *
tree_choose(const char *family, struct obs_table *const *table, size_t n, struct str *note, struct err *e)
{
	char **name = trees_of_family(family), *chosen = NULL;
	struct candidate *candidate;
	size_t n_trees = 0;

	while (name[n_trees])
		n_trees++;
	candidate = mem_new_array(n_trees, sizeof *candidate);
	n_trees = 0;
	for (size_t i = 0; name[i]; i++) {
		candidate[n_trees].stack = tree_choice_load(name[i]);
		if (!candidate[n_trees].stack)
			continue;
		candidate[n_trees].name = name[i];
		tree_choice_look_at(&candidate[n_trees++], table, n);
	}
	if (n_trees)
		chosen = tree_choice_choose(family, candidate, n_trees, table, n, note, e);
	else
		err_set(e, "no tree of %s is installed", family);
	if (!chosen && str_eq(family, "topdown")) {
		chosen = choose_of_perf(table, n);
		if (chosen)
			str_addf(note, "no tree of %s fits the data, but perf's metrics of the processor do", family);
	}
	for (size_t i = 0; i < n_trees; i++) {
		for (size_t t = 0; t < n; t++) {
			free(candidate[i].has[t]);
			free(candidate[i].high[t]);
		}
		free(candidate[i].has);
		free(candidate[i].high);
		stack_free(candidate[i].stack);
	}
	free(candidate);
	str_split_free(name);
	return chosen;
}
