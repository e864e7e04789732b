/* Several methods of accounting in view 6: a bar by each of them for every observation.
 *
 *     observation method        worst  0            0.5            1
 *    ▸core 0      truth                │B████████b▓▓▓▓▓▓2▒▒▒▒D▓▓▓▓▓▓▓▓
 *                 fmt          0.6 %   │B████████b▓▓▓▓▓▓2▒▒▒▒D▓▓▓▓▓▓▓▓
 *                 naive         41 %  B│b▓▓▓2▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒D▓▓▓▓▓▓▓▓▓┃▓
 */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/stack/account.h"
#include "core/stack/errors.h"
#include "core/stack/stack.h"
#include "draw/view/stalls/compared.h"
#include "draw/view/stalls/stalls.h"
#include "explorer/state/state_stalls.h"
#include "work/timeline/stack_notes.h"
#include "work/timeline/timeline.h"

static const double *
stack_methods_amounts(const struct compared *v, size_t stack, const struct stack_account *a)
{
	double *out = arena_alloc(v->arena, (v->n_rows + 1) * sizeof *out);

	for (size_t i = 0; i < v->n_rows; i++)
		out[i] = compared_draws(v, stack, v->row[i]) ? compared_value(v, stack, a, v->row[i]) : 0;
	return out;
}

static const char *
stack_methods_number_of(const struct compared *compared, size_t stack, const struct stack_account *account)
{
	struct amount own = compared_unit_of_whole(compared, stack);
	char number[NUMBER_TEXT];
	struct str out = {0};
	const char *text;

	str_add(&out, amount_text(number, compared->scale == BY_SHARE ? &own : &compared->unit,
		compared->scale == BY_FIGURE ? account->figure : account->whole));
	if (compared->scale == BY_SHARE && !isnan(account->whole))
		str_addf(&out, " %s", own.unit);
	text = arena_str(compared->arena, str_text(&out));
	str_free(&out);
	return text;
}

/* The largest error against the truth, in per cent of the whole. */
static void
add_worst(const struct compared *compared, size_t stack, const struct timeline_bar *bar, struct chart_row *row)
{
	struct stack_errors *errors = compared_errors(compared, stack, bar);
	char number[NUMBER_TEXT];
	struct str out = {0};
	double worst = errors ? stack_errors_worst(errors) : NAN;

	if (!isnan(worst))
		str_addf(&out, "%s %%", number_share(number, worst));
	row->score = arena_str(compared->arena, errors && isnan(worst) ? "?" : str_text(&out));
	row->score_role = worst > STACK_ERROR_MARKED ? ROLE_BORDERLINE : ROLE_TEXT;
	str_free(&out);
	stack_errors_free(errors);
}

/* `first`: the row has the bar's name. */
static struct chart_row
stack_methods_row_of(const struct compared *compared, size_t stack, const struct timeline_bar *bar, bool first)
{
	const struct stack *k = compared->stack[stack];
	struct timeline_bars **others = compared->s->answers.timeline.other_by;
	const struct timeline_bar *other = others ? stack_bar_called(others[stack], bar->name) : NULL;
	bool chosen = stack == timeline_chosen(compared->s->data.timeline);
	struct str why = {0}, name = {0};
	struct chart_row row;

	if (first)
		str_add(&name, bar->name);
	if (first && bar->n > 1)
		str_addf(&name, " ×%zu", bar->n);
	if (isnan(bar->account->whole)) {
		str_addf(&why, "%s is not known: ", k->whole_name);
		add_stack_lack(k, bar->counts, k->n_parts, &why);
	}
	row = (struct chart_row){
		.name = arena_str(compared->arena, str_text(&name)),
		.kind = k->name,
		.kind_role = chosen ? ROLE_TEXT : ROLE_DIM,
		.kind_attr = chosen ? CELL_BOLD : 0,
		.number = stack_methods_number_of(compared, stack, bar->account),
		.doubtful = stack_does_not_fit(bar->account),
		.amount = stack_methods_amounts(compared, stack, bar->account),
		.length = compared_length(compared, stack, bar->account),
		.below = compared_below(compared, stack, bar->account),
		.whole = compared_whole(compared, bar->account),
		.why = why.n ? arena_str(compared->arena, str_text(&why)) : NULL,
		.other = other ? stack_methods_amounts(compared, stack, other->account) : NULL,
		.other_length = other ? compared_length(compared, stack, other->account) : 0,
		.other_below = other ? compared_below(compared, stack, other->account) : 0,
	};
	if (compared->truth != METHOD_NONE)
		add_worst(compared, stack, bar, &row);
	str_free(&why);
	str_free(&name);
	return row;
}

struct chart
stack_methods_chart(const struct state *state, int pane)
{
	struct compared v = compared_new(state);
	struct chart c = {
		.name_head = "observation", .kind_head = "method", .kind_most = 14,
		.normalised = state->view.timeline.normalised,
		.pane = pane, .arena = v.arena, .amount = v.unit, .group = v.n,
	};
	size_t bars;
	const size_t *order = state_bars(state, &bars);
	size_t at = state->view.cursor[pane] < (int)bars ? (size_t)state->view.cursor[pane] : bars ? bars - 1 : 0;
	struct str against = {0};

	if (state->answers.timeline.other_by)
		timeline_add_compared(state, true, &against);
	c.other_name = arena_str(c.arena, str_text(&against));
	c.number_head = arena_str(c.arena, v.scale == BY_SHARE ? "" : v.unit.unit);
	c.row = arena_alloc(c.arena, (bars * v.n + 1) * sizeof *c.row);
	c.score_head = v.truth == METHOD_NONE ? NULL : "worst";
	for (size_t i = 0; i < bars; i++)
		for (size_t x = 0; x < v.n; x++) {
			const struct timeline_bar *bar =
				state_bar_by(state, v.at[x], &state->answers.timeline.bars->bar[order[i]]);

			if (i == at && v.at[x] == timeline_chosen(state->data.timeline))
				c.cursor = c.n;
			c.row[c.n++] = stack_methods_row_of(&v, v.at[x], bar, x == 0);
		}
	c.part = arena_alloc(c.arena, (v.n_rows + 1) * sizeof *c.part);
	for (; c.n_parts < v.n_rows; c.n_parts++)
		c.part[c.n_parts] = v.look[v.row[c.n_parts]];
	str_free(&against);
	compared_end(&v);
	return c;
}

void
method_swatch(const struct state *s, const struct pen *pen, int x, int y, size_t part)
{
	struct compared v = compared_new(s);
	size_t chosen = timeline_chosen(s->data.timeline), i = 0;

	while (v.m->part[i].in[chosen] != part)
		i++;
	if (compared_draws(&v, chosen, i))
		draw_stack(pen, x, y, 3, &(struct draw_part){1, v.look[i].role, v.look[i].fill, v.look[i].key}, 1, 1);
	arena_free(v.arena);
	compared_end(&v);
}

void
title_methods(const struct state *s, struct str *title)
{
	size_t n;
	struct stack *const *stack = timeline_stacks(s->data.timeline, &n);

	if (methods_share_figure(stack, n))
		str_addf(title, "%s stacks, one bar per method", stack[0]->figure_text);
	else
		str_add(title, "One bar per method");
}
