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
list_elsewhere(struct expander *x, struct place_in *in, const struct udd_case *k, struct choices *c)
{
	if (!x->off || !expand_holds_for(x, in, k->when, x->off))
		return;
	for (uint32_t i = 0; i < k->n_values; i++) {
		struct udd_word v;

		if (!expand_resolve(x, in, &k->value[i], WORD_VALUE, &v))
			return;
		mem_grow(&c->elsewhere, &c->cap_elsewhere, c->n_elsewhere + 1, sizeof *c->elsewhere);
		c->elsewhere[c->n_elsewhere++] = (uint32_t)names_add(&x->values, v.text, strlen(v.text));
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
list_choices(struct expander *x, struct place_in *in, const struct udd_stmt *s, uint32_t property)
{
	struct choices c = {0};

	for (const struct udd_case *k = s->cases; k; k = k->next) {
		bool mark;

		if (!expand_holds(x, in, k->when)) {
			list_elsewhere(x, in, k, &c);
			continue;
		}
		mark = x->off && !expand_holds_for(x, in, k->when, x->off);
		for (uint32_t i = 0; i < (k->n_values ? k->n_values : 1); i++) {
			struct udd_word v = {.text = "default"};
			struct choice *new;

			if (k->n_values && !expand_resolve(x, in, &k->value[i], WORD_VALUE, &v))
				return c;
			mem_grow(&c.item, &c.cap, c.n + 1, sizeof *c.item);
			new = &c.item[c.n++];
			*new = (struct choice){.of = k, .fallback = !k->n_values, .mark = mark};
			new->label = (uint32_t)names_add(&x->labels, v.text, strlen(v.text));
			if (k->n_values)
				new->value = (uint32_t)names_add(&x->values, v.text, strlen(v.text));
			if (property != UDD_NO_PROPERTY && k->n_values)
				mention(x, property, new->value);
			else if (property != UDD_NO_PROPERTY)
				x->has_other[property - x->first_property] = true;
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
check_twice(struct expander *x, struct place_in *in, const struct choices *c)
{
	struct choice *sorted = mem_copy(c->item, c->n * sizeof *sorted);

	qsort(sorted, c->n, sizeof *sorted, compare_choices);
	for (size_t i = 1; i < c->n; i++)
		if (compare_choices(&sorted[i - 1], &sorted[i]) == 0) {
			expand_complain(x, in, sorted[i].of->at, sorted[i].of->len,
				"a value appears twice in one decision for this choice of features");
			x->stopped = true;
			break;
		}
	free(sorted);
}

static uint32_t
find_property(struct expander *x, struct place_in *in, const struct udd_stmt *s)
{
	struct udd_diagram *g = x->g;
	struct udd_word w;
	size_t known = x->properties.n, i;

	if (s->kind != STMT_SWITCH || !expand_resolve(x, in, &s->word[0], WORD_NAME, &w))
		return UDD_NO_PROPERTY;
	i = names_add(&x->properties, w.text, strlen(w.text));
	if (i == known) {
		mem_grow(&g->property, &x->cap_property, g->n_properties + 1, sizeof *g->property);
		mem_grow(&x->has_other, &x->cap_other, i + 1, sizeof *x->has_other);
		g->property[g->n_properties++] = mem_str(w.text);
		x->has_other[i] = false;
	}
	return (uint32_t)(x->first_property + i);
}

/* Expand each case with its own open edges, and join those that come out of them. `first` is UDD_NONE if nothing
 * reaches the decision. */
static void
expand_cases(struct expander *x, struct place_in *in, const struct choices *c, uint32_t first)
{
	struct open_edges after = OPEN_EDGES_NONE;

	for (size_t i = 0; i < c->n && !x->stopped;) {
		const struct udd_case *k = c->item[i].of;

		x->open = OPEN_EDGES_NONE;
		for (; i < c->n && c->item[i].of == k; i++) {
			struct open_edges one;

			if (first == UDD_NONE)
				continue;
			x->g->edge[first + i] = (struct udd_edge){
				UDD_NONE, c->item[i].value, c->item[i].label, c->item[i].fallback, c->item[i].mark};
			if (c->item[i].fallback)
				expand_mark_values(x, c->elsewhere, c->n_elsewhere, first + (uint32_t)i);
			one = open_edges_of(x, first + (uint32_t)i);
			open_edges_join(x, &x->open, &one);
		}
		expand_block(x, in, k->body);
		open_edges_join(x, &after, &x->open);
	}
	x->open = after;
}

void
expand_decision(struct expander *x, struct place_in *in, const struct udd_stmt *s)
{
	uint32_t property = find_property(x, in, s), n;
	struct choices c = list_choices(x, in, s, property);

	if (c.n == 0) {
		expand_complain(
			x, in, s->at, s->len, s->cases ? "no case of this decision is on" : "a decision without cases");
		x->stopped = true;
	} else {
		check_twice(x, in, &c);
	}
	if (!x->stopped) {
		n = expand_node(x, in, s, UDD_DECISION, 0, (uint32_t)c.n);
		if (n != UDD_NONE) {
			x->g->node[n].property = property;
			expand_label(x, in, s, n);
		}
		expand_cases(x, in, &c, n == UDD_NONE ? UDD_NONE : x->g->node[n].first_edge);
	}
	free(c.item);
	free(c.elsewhere);
}
