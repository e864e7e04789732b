#include "draw/stack_bars.h"

#include <math.h>

#include "core/stack/account.h"
#include "core/stack/stack.h"

bool
stack_has_parts(const struct stack *s, size_t part)
{
	for (size_t i = 0; i < s->n_parts && s->tree.sums[part]; i++)
		if (s->part[i].parent == part)
			return true;
	return false;
}

bool
stack_is_drawn(const struct stack *s, size_t part)
{
	for (size_t p = s->part[part].parent; p != STACK_TOP; p = s->part[p].parent)
		if (!s->tree.sums[p])
			return false;
	return !stack_has_parts(s, part);
}

bool
stack_shows(const struct stack *s, const struct stack_account *a, size_t part)
{
	return !s->part[part].implied || fabs(a->amount[part].value) > 0;
}

unsigned char
stack_fill(const struct stack *s, size_t part)
{
	unsigned n = 0;

	for (size_t i = 0; i < part; i++)
		n += stack_is_drawn(s, i);
	return n & 3;
}

enum role
stack_role(const struct stack *stack, size_t part)
{
	static const enum role hue[] = {ROLE_PATH1, ROLE_PATH2, ROLE_PATH3, ROLE_PATH4};
	size_t top = part, n = 0;

	while (stack->part[top].parent != STACK_TOP)
		top = stack->part[top].parent;
	if (stack->part[top].rest)
		return ROLE_DIM;
	for (size_t i = 0; i < top; i++)
		n += stack->part[i].parent == STACK_TOP && !stack->part[i].rest;
	return hue[n % 4];
}

char
stack_key(const struct stack *s, size_t part)
{
	const struct stack_part *p = &s->part[part];

	return p->implied && p->parent != STACK_TOP ? s->part[p->parent].key : p->key;
}

static double
amount_of(const struct stack_account *a, size_t part, bool figure)
{
	return figure ? a->amount[part].figure : a->amount[part].value;
}

size_t
stack_bar_parts(const struct stack *s, const struct stack_account *a, bool figure, struct draw_part *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_parts; i++)
		if (stack_is_drawn(s, i))
			out[n++] = (struct draw_part){
				amount_of(a, i, figure), stack_role(s, i), stack_fill(s, i), stack_key(s, i)};
	return n;
}

double
stack_bar_length(const struct stack *s, const struct stack_account *a, bool figure)
{
	double sum = 0, whole = figure ? a->figure : a->whole;

	if (!(a->whole > 0) || !(whole > 0))
		return 0;
	for (size_t i = 0; i < s->n_parts; i++)
		if (stack_is_drawn(s, i) && amount_of(a, i, figure) > 0)
			sum += amount_of(a, i, figure);
	return fmax(sum, whole);
}

double
stack_bar_below(const struct stack *s, const struct stack_account *a, bool figure)
{
	double sum = 0;

	for (size_t i = 0; a->whole > 0 && i < s->n_parts; i++)
		if (stack_is_drawn(s, i) && amount_of(a, i, figure) < 0)
			sum -= amount_of(a, i, figure);
	return sum;
}

void
stack_swatch(const struct pen *pen, int x, int y, const struct stack *stack, size_t part)
{
	struct draw_part one = {1, stack_role(stack, part), stack_fill(stack, part),
		stack_key(stack, part) ? stack_key(stack, part) : ' '};
	struct pen key = *pen;

	if (stack_is_drawn(stack, part)) {
		draw_stack(pen, x, y, 3, &one, 1, 1);
		return;
	}
	key.fg = stack_role(stack, part);
	key.attr |= CELL_BOLD;
	pen_hline(&key, x, y, 1, (unsigned char)one.key);
}
