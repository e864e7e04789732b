#include "work/timeline/methods.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/stack/stack.h"

static bool
methods_is_equal(const struct stack *a, size_t x, const struct stack *b, size_t y)
{
	const struct stack_part *p = &a->part[x], *q = &b->part[y];

	if (p->implied != q->implied)
		return false;
	if (!p->implied)
		return str_eq(p->name, q->name);
	if (p->parent == STACK_TOP || q->parent == STACK_TOP)
		return p->parent == q->parent;
	return methods_is_equal(a, p->parent, b, q->parent);
}

static size_t
methods_find(const struct methods *m, struct stack *const *s, const struct stack *of, size_t part)
{
	for (size_t i = 0; i < m->n; i++)
		if (methods_is_equal(s[m->part[i].stack], m->part[i].part, of, part))
			return i;
	return METHOD_NONE;
}

static void
methods_insert(struct methods *methods, size_t at, struct stack *const *s, size_t stack, size_t part)
{
	struct method_part *method_part;

	methods->part = mem_resize(methods->part, methods->n + 1, sizeof *methods->part);
	memmove(&methods->part[at + 1], &methods->part[at], (methods->n - at) * sizeof *methods->part);
	methods->n++;
	method_part = &methods->part[at];
	*method_part = (struct method_part){.name = s[stack]->part[part].name, .stack = stack, .part = part,
		.in = mem_new_array(methods->n_stacks, sizeof *method_part->in)};
	for (size_t k = 0; k < methods->n_stacks; k++)
		method_part->in[k] = METHOD_NONE;
}

/* Returns the row for the parts at the beginning of a method that no earlier method has: before the first part that is
 * already there, or else at the end. */
static size_t
begin_of(const struct methods *m, struct stack *const *s, size_t stack)
{
	for (size_t i = 0; i < s[stack]->n_parts; i++) {
		size_t at = methods_find(m, s, s[stack], i);

		if (at != METHOD_NONE)
			return at;
	}
	return m->n;
}

struct methods *
methods_new(struct stack *const *s, size_t n)
{
	struct methods *methods = mem_new(sizeof *methods);

	methods->n_stacks = n;
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0, behind = begin_of(methods, s, k); i < s[k]->n_parts; i++) {
			size_t at = methods_find(methods, s, s[k], i);

			if (at == METHOD_NONE)
				methods_insert(methods, at = behind, s, k, i);
			methods->part[at].in[k] = i;
			behind = at + 1;
		}
	return methods;
}

void
methods_free(struct methods *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n; i++)
		free(m->part[i].in);
	free(m->part);
	free(m);
}

bool
methods_share_figure(struct stack *const *s, size_t n)
{
	bool all = n && s[0]->figure;

	for (size_t k = 1; k < n; k++)
		all = all && s[k]->figure && str_eq(s[k]->figure_text, s[0]->figure_text);
	return all;
}

bool
methods_share_unit(struct stack *const *s, size_t n)
{
	bool all = n;

	for (size_t k = 1; k < n; k++)
		all = all && unit_equal(s[k]->whole->unit, s[0]->whole->unit);
	return all;
}
