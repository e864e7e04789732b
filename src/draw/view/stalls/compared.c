#include "draw/view/stalls/compared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stack/account.h"
#include "core/stack/errors.h"
#include "core/stack/stack.h"
#include "draw/stack_bars.h"
#include "draw/view/stalls/stalls.h"
#include "explorer/state/state_stalls.h"
#include "work/timeline/timeline.h"

static bool
compared_is_taken(const struct chart_part *look, size_t n, char key)
{
	for (size_t i = 0; i < n; i++)
		if (look[i].key == key)
			return true;
	return false;
}

/* The part's own letter; if another part has it already, a free letter of the part's name, else of the alphabet. */
static char
free_key(const struct chart_part *look, size_t n, const char *name, char own)
{
	static const char any[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	if (!compared_is_taken(look, n, own))
		return own;
	for (const char *p = name; *p; p++)
		if (strchr(any, *p) && !compared_is_taken(look, n, *p))
			return *p;
	for (const char *p = any; *p; p++)
		if (!compared_is_taken(look, n, *p))
			return *p;
	return own;
}

/* The part before this one in a method's bar, among those with a look; METHOD_NONE: none. */
static size_t
neighbour(const struct compared *v, size_t part, size_t stack)
{
	for (size_t i = part; i-- > 0;) {
		size_t own = v->m->part[i].in[stack];

		if (own != METHOD_NONE && stack_is_drawn(v->stack[stack], own))
			return i;
	}
	return METHOD_NONE;
}

/* The first fill, in turn from `like` on, that no neighbour of the same hue has. */
static unsigned char
free_fill(const struct compared *compared, size_t part, size_t like)
{
	for (unsigned k = 0; k < 4; k++) {
		unsigned char fill = (unsigned char)((like + k) & 3);
		bool good = true;

		for (size_t x = 0; x < compared->n_stacks; x++) {
			size_t before = compared->m->part[part].in[x] == METHOD_NONE ? METHOD_NONE
										     : neighbour(compared, part, x);

			good = good &&
				(before == METHOD_NONE || compared->look[before].role != compared->look[part].role ||
					compared->look[before].fill != fill);
		}
		if (good)
			return fill;
	}
	return like & 3;
}

/* The part that an unnamed remainder belongs to; METHOD_NONE: it is another part, or belongs to the whole. */
static size_t
left_over_of(const struct compared *v, size_t part)
{
	const struct method_part *p = &v->m->part[part];
	const struct stack_part *own = &v->stack[p->stack]->part[p->part];
	size_t i = 0;

	if (!own->implied || own->parent == STACK_TOP)
		return METHOD_NONE;
	while (v->m->part[i].in[p->stack] != own->parent)
		i++;
	return i;
}

static void
make_looks(struct compared *compared)
{
	compared->look = arena_alloc(compared->arena, (compared->m->n + 1) * sizeof *compared->look);
	for (size_t i = 0; i < compared->m->n; i++) {
		const struct method_part *part = &compared->m->part[i];
		const struct stack *stack = compared->stack[part->stack];
		size_t whole = left_over_of(compared, i);

		compared->look[i] = (struct chart_part){.name = part->name, .role = stack_role(stack, part->part)};
		/* A remainder looks like its parent, which other methods may draw whole. */
		compared->look[i].key = whole != METHOD_NONE
			? compared->look[whole].key
			: free_key(compared->look, i, part->name, stack_key(stack, part->part));
		compared->look[i].fill = free_fill(compared, i, whole != METHOD_NONE ? compared->look[whole].fill : i);
	}
}

static enum compared_scale
compared_scale_of(const struct state *s, struct stack *const *stack, size_t n)
{
	const struct timeline_answers *a = &s->answers.timeline;
	bool all = methods_share_figure(stack, n);

	for (size_t x = 0; all && a->by && x < n; x++)
		for (size_t i = 0; all && i < a->by[x]->n; i++)
			all = isnan(a->by[x]->bar[i].account->whole) || a->by[x]->bar[i].account->figure > 0;
	return all ? BY_FIGURE : methods_share_unit(stack, n) ? BY_WHOLE : BY_SHARE;
}

struct amount
stack_bars_amount(const struct stack *k, const struct timeline_bars *b)
{
	double top = 0;

	for (size_t i = 0; b && i < b->n; i++)
		top = fmax(top, isnan(b->bar[i].account->whole) ? 0 : b->bar[i].account->whole);
	return amount_for(k->whole->unit, top);
}

struct amount
compared_unit_of_whole(const struct compared *v, size_t stack)
{
	struct timeline_bars **by = v->s->answers.timeline.by;

	return stack_bars_amount(v->stack[stack], by ? by[stack] : NULL);
}

/* The truth comes first, unless it is hidden; the others follow in their order. */
static void
order_methods(struct compared *v)
{
	size_t truth = state_truth(v->s);

	v->at = mem_new_array(v->n_stacks, sizeof *v->at);
	v->truth = truth < v->n_stacks && !v->s->view.timeline.hides_truth ? truth : METHOD_NONE;
	if (v->truth != METHOD_NONE)
		v->at[v->n++] = truth;
	for (size_t k = 0; k < v->n_stacks; k++)
		if (k != truth)
			v->at[v->n++] = k;
}

struct compared
compared_new(const struct state *state)
{
	struct compared v = {.s = state, .m = timeline_methods(state->data.timeline), .arena = arena_new()};

	v.stack = timeline_stacks(state->data.timeline, &v.n_stacks);
	order_methods(&v);
	v.row = state_method_parts(state, &v.n_rows);
	v.scale = compared_scale_of(state, v.stack, v.n_stacks);
	v.unit = v.scale == BY_FIGURE ? amount_of_figure(v.stack[0]->figure_text)
		: v.scale == BY_WHOLE ? compared_unit_of_whole(&v, 0) : amount_of_figure("%");
	make_looks(&v);
	return v;
}

void
compared_end(struct compared *v)
{
	free(v->at);
	free(v->row);
}

double
compared_value(const struct compared *v, size_t stack, const struct stack_account *a, size_t part)
{
	size_t own = v->m->part[part].in[stack];

	if (own == METHOD_NONE)
		return NAN;
	return v->scale == BY_FIGURE ? a->amount[own].figure
		: v->scale == BY_WHOLE ? a->amount[own].value : 100 * a->amount[own].share;
}

bool
compared_draws(const struct compared *v, size_t stack, size_t part)
{
	size_t own = v->m->part[part].in[stack];

	return own != METHOD_NONE && stack_is_drawn(v->stack[stack], own);
}

/* A bar's length, or how far it reaches below zero, on the scale of all. */
static double
on_scale(const struct compared *v, const struct stack_account *a, double length)
{
	return v->scale == BY_SHARE && length > 0 ? 100 * length / a->whole : length;
}

double
compared_length(const struct compared *v, size_t stack, const struct stack_account *a)
{
	return on_scale(v, a, stack_bar_length(v->stack[stack], a, v->scale == BY_FIGURE));
}

double
compared_below(const struct compared *v, size_t stack, const struct stack_account *a)
{
	return on_scale(v, a, stack_bar_below(v->stack[stack], a, v->scale == BY_FIGURE));
}

double
compared_whole(const struct compared *v, const struct stack_account *a)
{
	return on_scale(v, a, v->scale == BY_FIGURE ? a->figure : a->whole);
}

struct stack_errors *
compared_errors(const struct compared *v, size_t stack, const struct timeline_bar *b)
{
	const struct timeline_bar *true_bar = v->truth == METHOD_NONE ? NULL : state_bar_by(v->s, v->truth, b);

	if (!true_bar || stack == v->truth)
		return NULL;
	return stack_errors_new(v->stack[stack], b->account, v->stack[v->truth], true_bar->account);
}
