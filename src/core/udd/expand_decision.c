/* Expands decisions: which cases are on, their edges, the properties that they decide on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/udd/expander.h"
#include "core/udd/model.h"
#include "core/udd/word.h"

/* One edge out of a decision. */
struct choice {
	uint32_t value, label;
	const struct udd_case *of; /* the case that it belongs to */
	bool fallback, mark;
};

struct choices {
	struct choice *item;
	size_t n, cap;
	/* values that have a case only while the features in question are off */
	uint32_t *elsewhere;
	size_t n_elsewhere, cap_elsewhere;
};

/* List the values of a case that exists only without the features in question. */
static void
list_elsewhere(struct expander *expander, struct place_in *in, const struct udd_case *udd_case, struct choices *choices)
{
	if (!expander->off || !expand_holds_for(expander, in, udd_case->when, expander->off))
		return;
	for (uint32_t i = 0; i < udd_case->n_values; i++) {
		struct udd_word v;

		if (!expand_resolve(expander, in, &udd_case->value[i], WORD_VALUE, &v))
			return;
		mem_grow(&choices->elsewhere, &choices->cap_elsewhere, choices->n_elsewhere + 1,
			sizeof *choices->elsewhere);
		choices->elsewhere[choices->n_elsewhere++] = (uint32_t)names_add(
			&expander->values, v.text, strlen(v.text));
	}
}

static void
mention(struct expander *x, uint32_t property, uint32_t value)
{
	char key[32];
	int n = snprintf(key, sizeof key, "%u %u", property, value);
	size_t known = x->mentions.n, i = names_add(&x->mentions, key, (size_t)n);

	if (i < known)
		return;
	mem_grow(&x->mention, &x->cap_mention, i + 1, sizeof *x->mention);
	x->mention[i].property = property;
	x->mention[i].value = value;
}

/* List the edges of all cases that are on, in order. */
static struct choices
list_choices(struct expander *expander, struct place_in *in, const struct udd_stmt *stmt, uint32_t property)
{
	struct choices c = {0};

	for (const struct udd_case *udd_case = stmt->cases; udd_case; udd_case = udd_case->next) {
		bool mark;

		if (!expand_holds(expander, in, udd_case->when)) {
			list_elsewhere(expander, in, udd_case, &c);
			continue;
		}
		mark = expander->off && !expand_holds_for(expander, in, udd_case->when, expander->off);
		for (uint32_t i = 0; i < (udd_case->n_values ? udd_case->n_values : 1); i++) {
			struct udd_word v = {.text = "default"};
			struct choice *new;

			if (udd_case->n_values && !expand_resolve(expander, in, &udd_case->value[i], WORD_VALUE, &v))
				return c;
			mem_grow(&c.item, &c.cap, c.n + 1, sizeof *c.item);
			new = &c.item[c.n++];
			*new = (struct choice){.of = udd_case, .fallback = !udd_case->n_values, .mark = mark};
			new->label = (uint32_t)names_add(&expander->labels, v.text, strlen(v.text));
			if (udd_case->n_values)
				new->value = (uint32_t)names_add(&expander->values, v.text, strlen(v.text));
			if (property != UDD_NO_PROPERTY && udd_case->n_values)
				mention(expander, property, new->value);
			else if (property != UDD_NO_PROPERTY)
				expander->has_other[property - expander->first_property] = true;
		}
	}
	return c;
}

static int
compare_choices(const void *a, const void *b)
{
	const struct choice *x = a, *y = b;

	if (x->fallback != y->fallback)
		return x->fallback - y->fallback;
	return x->value < y->value ? -1 : x->value > y->value;
}

/* Reports a value that has two edges. Most such values are found when the model is read. This check is for cases whose
 * features are too hard to analyse then. */
static void
check_twice(struct expander *expander, struct place_in *in, const struct choices *choices)
{
	struct choice *sorted = mem_copy(choices->item, choices->n * sizeof *sorted);

	qsort(sorted, choices->n, sizeof *sorted, compare_choices);
	for (size_t i = 1; i < choices->n; i++)
		if (compare_choices(&sorted[i - 1], &sorted[i]) == 0) {
			expand_complain(expander, in, sorted[i].of->at, sorted[i].of->len,
				"a value appears twice in one decision for this choice of features");
			expander->stopped = true;
			break;
		}
	free(sorted);
}

static uint32_t
find_property(struct expander *expander, struct place_in *in, const struct udd_stmt *stmt)
{
	struct udd_diagram *diagram = expander->g;
	struct udd_word w;
	size_t known = expander->properties.n, i;

	if (stmt->kind != STMT_SWITCH || !expand_resolve(expander, in, &stmt->word[0], WORD_NAME, &w))
		return UDD_NO_PROPERTY;
	i = names_add(&expander->properties, w.text, strlen(w.text));
	if (i == known) {
		mem_grow(&diagram->property, &expander->cap_property, diagram->n_properties + 1,
			sizeof *diagram->property);
		mem_grow(&expander->has_other, &expander->cap_other, i + 1, sizeof *expander->has_other);
		diagram->property[diagram->n_properties++] = mem_str(w.text);
		expander->has_other[i] = false;
	}
	return (uint32_t)(expander->first_property + i);
}

/* Expand each case with its own open edges, and join those that come out of them. `first` is UDD_NONE if nothing
 * reaches the decision. */
static void
expand_cases(struct expander *expander, struct place_in *in, const struct choices *choices, uint32_t first)
{
	struct open_edges after = OPEN_EDGES_NONE;

	for (size_t i = 0; i < choices->n && !expander->stopped;) {
		const struct udd_case *udd_case = choices->item[i].of;

		expander->open = OPEN_EDGES_NONE;
		for (; i < choices->n && choices->item[i].of == udd_case; i++) {
			struct open_edges one;

			if (first == UDD_NONE)
				continue;
			expander->g->edge[first + i] = (struct udd_edge){UDD_NONE, choices->item[i].value,
				choices->item[i].label, choices->item[i].fallback, choices->item[i].mark};
			if (choices->item[i].fallback)
				expand_mark_values(
					expander, choices->elsewhere, choices->n_elsewhere, first + (uint32_t)i);
			one = open_edges_of(expander, first + (uint32_t)i);
			open_edges_join(expander, &expander->open, &one);
		}
		expand_block(expander, in, udd_case->body);
		open_edges_join(expander, &after, &expander->open);
	}
	expander->open = after;
}

void
expand_decision(struct expander *expander, struct place_in *in, const struct udd_stmt *s)
{
	uint32_t property = find_property(expander, in, s), n;
	struct choices c = list_choices(expander, in, s, property);

	if (c.n == 0) {
		expand_complain(expander, in, s->at, s->len,
			s->cases ? "no case of this decision is on" : "a decision without cases");
		expander->stopped = true;
	} else {
		check_twice(expander, in, &c);
	}
	if (!expander->stopped) {
		n = expand_node(expander, in, s, UDD_DECISION, 0, (uint32_t)c.n);
		if (n != UDD_NONE) {
			expander->g->node[n].property = property;
			expand_label(expander, in, s, n);
		}
		expand_cases(expander, in, &c, n == UDD_NONE ? UDD_NONE : expander->g->node[n].first_edge);
	}
	free(c.item);
	free(c.elsewhere);
}
