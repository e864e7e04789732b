#include "explorer/state/undo_steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/search/search_graph.h"
#include "explorer/state/state.h"

/* --- the list ----------------------------------------------------------------------------------------------------- */

struct undo *
undo_new(void)
{
	return mem_new(sizeof(struct undo));
}

static void
step_free(struct step *step)
{
	for (int i = 0; step && i < UNDO_PARTS; i++) {
		str_free(&step->before[i]);
		str_free(&step->after[i]);
	}
	if (step)
		wire_free(&step->graph.bytes);
	free(step);
}

size_t
undo_step_bytes(const struct step *step)
{
	size_t n = sizeof *step + step->graph.bytes.cap;

	for (int i = 0; i < UNDO_PARTS; i++)
		n += step->before[i].cap + step->after[i].cap;
	return n;
}

/* Forgets the steps from `from` up to the one before `to`. */
static void
forget_steps(struct undo *undo, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		undo->bytes -= undo_step_bytes(undo->step[i]);
		step_free(undo->step[i]);
	}
	memmove(undo->step + from, undo->step + to, (undo->n - to) * sizeof(struct step *));
	undo->n -= to - from;
	undo->done = undo->done < from ? undo->done : undo->done < to ? from : undo->done - (to - from);
}

void
undo_free(struct undo *undo)
{
	if (!undo)
		return;
	forget_steps(undo, 0, undo->n);
	step_free(undo->now);
	free(undo);
}

/* Takes the step over. */
static void
push_step(struct undo *undo, struct step *step)
{
	forget_steps(undo, undo->done, undo->n);
	if (undo->n == UNDO_STEPS)
		forget_steps(undo, 0, 1);
	undo->step[undo->n++] = step;
	undo->done = undo->n;
	undo->bytes += undo_step_bytes(step);
	while (undo->bytes > UNDO_BYTES && undo->n > 1)
		forget_steps(undo, 0, 1);
}

void
state_undo_forget(struct state *s)
{
	forget_steps(s->undo, 0, s->undo->n);
	s->undo->quiet = s->undo->depth > 0;
	s->undo->waits = false;
	step_free(s->undo->now);
	s->undo->now = NULL;
}

static size_t
count_models(const struct state *s)
{
	return s->answers.search.graph ? s->answers.search.graph->n_models : 0;
}

static struct step *
step_new(const struct state *s)
{
	struct step *step = mem_new(sizeof *step);

	step->models = count_models(s);
	return step;
}

void
state_undo_begin(struct state *s)
{
	struct undo *undo = s->undo;

	if (undo->depth++ || undo->waits)
		return;
	step_free(undo->now);
	undo->now = step_new(s);
	for (int i = 0; i < UNDO_PARTS; i++)
		undo_parts[i].read(s, &undo->now->before[i]);
}

/* Reads the parts after the action, and keeps those that differ. False: none does. */
static bool
finish_step(const struct state *s, struct step *step)
{
	bool some = step->graph.kept;

	for (int i = 0; i < UNDO_PARTS; i++) {
		struct str *before = &step->before[i], *after = &step->after[i];

		undo_parts[i].read(s, after);
		step->changed[i] = before->n != after->n || (after->n && memcmp(before->s, after->s, after->n) != 0);
		some |= step->changed[i];
		if (!step->changed[i]) {
			str_free(before);
			str_free(after);
		}
	}
	return some;
}

void
state_undo_end(struct state *s)
{
	struct undo *undo = s->undo;

	if (--undo->depth)
		return;
	undo->waits = undo->now && s->view.popup.kind == POPUP_PROMPT;
	if (undo->now && !undo->waits && !undo->quiet && finish_step(s, undo->now)) {
		push_step(undo, undo->now);
		undo->now = NULL;
	}
	undo->quiet = false;
}

void
undo_write_graph(const struct state *s, struct kept_graph *kept)
{
	const struct search_answers *found = &s->answers.search;

	*kept = (struct kept_graph){.kept = true, .data = found->data, .proposed_for = found->proposed_for};
	if (found->graph)
		search_graph_wire(&kept->bytes, found->graph);
}

void
state_undo_keep_graph(struct state *s)
{
	struct undo *undo = s->undo;
	struct step *step;

	s->answers.search.undone = false;
	if (undo->depth) {
		if (undo->now && !undo->now->graph.kept)
			undo_write_graph(s, &undo->now->graph);
		return;
	}
	step = step_new(s);
	undo_write_graph(s, &step->graph);
	push_step(undo, step);
}

static const char nothing_done[] = "nothing to undo: no feature, filter, order, mark, note or search has changed here";
static const char nothing_undone[] = "nothing to redo: U undoes a change first";

const char *
state_undo_reason(const struct state *s)
{
	return s->undo->done ? NULL : nothing_done;
}

const char *
state_redo_reason(const struct state *s)
{
	return s->undo->done < s->undo->n ? NULL : nothing_undone;
}
