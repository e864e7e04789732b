/* One bar over time: its parts in every snapshot of a run, as view 6 draws them below the bars. The arrays are kept and
 * grow with the run; only snapshots that may have changed are computed again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "work/timeline/timeline_state.h"

#define MAY_CHANGE 2 /* snapshots at the end whose rows new rows may move to a later one */

void
timeline_forget_course(struct timeline *timeline)
{
	free(timeline->course_bar);
	free(timeline->course_amount);
	timeline->course_bar = NULL;
	timeline->course_amount = NULL;
	timeline->course = (struct timeline_course){0};
}

void
timeline_renew_course(struct timeline *timeline)
{
	struct timeline_course *c = &timeline->course;

	c->n = c->n > MAY_CHANGE ? c->n - MAY_CHANGE : 0;
}

/* Computes the bar in the next snapshot. */
static void
add_snapshot(struct timeline *timeline)
{
	struct timeline_course *c = &timeline->course;
	const struct stack *stack = timeline->stack[timeline->chosen];
	double *amount = timeline->course_amount + c->n * (c->n_parts + 1);
	struct timeline_bars *bars = timeline_bars_named(
		timeline, timeline->chosen, c->first + c->n, timeline->course_grouped, timeline->course_bar);
	const struct stack_account *a = bars->n ? bars->bar[0].account : NULL;

	for (size_t i = 0; i < c->n_parts; i++)
		amount[i] = !a ? NAN : stack->figure ? a->amount[i].figure : a->amount[i].share;
	amount[c->n_parts] = !a || isnan(a->whole) ? NAN : stack->figure ? a->figure : 1;
	timeline_bars_free(bars);
	c->n++;
}

/* The window of at most TIMELINE_HISTORY snapshots of a run that contains this one. */
static void
window_of(const struct timeline *timeline, size_t snapshot, size_t *first, size_t *end)
{
	struct timeline_snapshot m = timeline_snapshot(timeline, snapshot);

	*first = snapshot + 1 - m.number;
	*end = *first + m.of;
	if (m.of > TIMELINE_HISTORY) {
		size_t least = *first + TIMELINE_HISTORY;

		*end = snapshot + 1 > least ? snapshot + 1 : least;
		*first = *end - TIMELINE_HISTORY;
	}
}

const struct timeline_course *
timeline_course(struct timeline *timeline, const char *bar, bool grouped, size_t snapshot)
{
	struct timeline_course *c = &timeline->course;
	size_t first, end, stack = timeline->chosen;

	if (!timeline->n_stacks || !timeline->n)
		return NULL;
	window_of(timeline, snapshot < timeline->n ? snapshot : timeline->n - 1, &first, &end);
	if (!timeline->course_bar || !str_eq(timeline->course_bar, bar) || timeline->course_grouped != grouped ||
		timeline->course_stack != stack || timeline->course_generation != timeline_generation(timeline) ||
		first < c->first || first >= c->first + c->n) {
		timeline_forget_course(timeline);
		timeline->course_bar = mem_str(bar);
		timeline->course_grouped = grouped;
		timeline->course_stack = stack;
		timeline->course_generation = timeline_generation(timeline);
		c->first = first;
		c->n_parts = timeline->stack[stack]->n_parts;
		timeline->course_amount =
			mem_new_array(TIMELINE_HISTORY * (c->n_parts + 1), sizeof *timeline->course_amount);
		c->amount = timeline->course_amount;
	}
	if (first > c->first) {
		c->n -= first - c->first;
		memmove(timeline->course_amount, timeline->course_amount + (first - c->first) * (c->n_parts + 1),
			c->n * (c->n_parts + 1) * sizeof *timeline->course_amount);
		c->first = first;
	}
	while (c->first + c->n < end)
		add_snapshot(timeline);
	return c;
}
