#include "explorer/state/state_intervals.h"

#include "base/err.h"
#include "core/stack/stack.h"
#include "explorer/state/question.h"
#include "explorer/state/state_sim.h"
#include "work/files/intervals.h"
#include "work/files/simulation.h"
#include "work/timeline/timeline.h"

/* Finds the machine. False and *e: it is none, or none that is simulated cycle by cycle. Call simulation_free() in
 * either case. */
static bool
find_machine(const struct state *state, struct simulation *how, struct err *e)
{
	size_t n = 0;
	struct stack *const *stack = state->data.timeline ? timeline_stacks(state->data.timeline, &n) : NULL;

	*how = (struct simulation){0};
	if (state_is_simulated(state))
		return simulation_parse(state->question.subject.argv[0], how, e);
	if (n && stack[0]->n_machines) {
		if (simulation_load(stack[0]->machine[0], NULL, how, e))
			return true;
		simulation_free(how);
		*how = (struct simulation){0};
	}
	return err_set(e, "interval diagrams are of simulated pipelines, and these bars are of none");
}

void
state_intervals_forget(struct state *s)
{
	interval_free(s->view.popup.interval);
	s->view.popup.interval = NULL;
}

/* Simulates the first lesson from `lesson` on, in the direction `by`, whose event occurs. */
static void
show_lesson(struct state *state, int lesson, int by)
{
	struct simulation how;
	struct interval *interval = NULL;
	struct err e = {0};
	const char *name;

	if (find_machine(state, &how, &e))
		for (; !interval && lesson >= 0 && (name = interval_lesson((size_t)lesson)) != NULL; lesson += by) {
			interval = interval_new(&how, name, &e);
			if (interval)
				state->view.popup.lesson = lesson;
		}
	simulation_free(&how);
	if (interval) {
		state_intervals_forget(state);
		state->view.popup.interval = interval;
	} else if (!state->view.popup.interval) {
		state_say(state, false, "%s", e.what);
	}
}

void
state_intervals_open(struct state *s)
{
	state_intervals_forget(s);
	show_lesson(s, 0, 1);
	if (s->view.popup.interval)
		state_open_popup(s, POPUP_INTERVALS);
}

void
state_intervals_turn(struct state *s, int by)
{
	show_lesson(s, s->view.popup.lesson + by, by);
}
