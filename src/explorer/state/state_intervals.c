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
find_machine(const struct state *s, struct simulation *how, struct err *e)
{
	size_t n = 0;
	struct stack *const *stack = s->data.timeline ? timeline_stacks(s->data.timeline, &n) : NULL;

	*how = (struct simulation){0};
	if (state_is_simulated(s))
		return simulation_parse(s->question.subject.argv[0], how, e);
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
show_lesson(struct state *s, int lesson, int by)
{
	struct simulation how;
	struct interval *v = NULL;
	struct err e = {0};
	const char *name;

	if (find_machine(s, &how, &e))
		for (; !v && lesson >= 0 && (name = interval_lesson((size_t)lesson)) != NULL; lesson += by) {
			v = interval_new(&how, name, &e);
			if (v)
				s->view.popup.lesson = lesson;
		}
	simulation_free(&how);
	if (v) {
		state_intervals_forget(s);
		s->view.popup.interval = v;
	} else if (!s->view.popup.interval) {
		state_say(s, false, "%s", e.what);
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
