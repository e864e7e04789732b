/* What the engine answers, and the questions of the screen that go to it one at a time. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "explorer/control/control.h"
#include "explorer/control/control_parts.h"
#include "explorer/engine/engine.h"
#include "explorer/state/state.h"
#include "explorer/state/state_search.h"
#include "work/analysis/constraints.h"
#include "work/analysis/result.h"
#include "work/run/run.h"

#define REST_SECONDS 0.1 /* after which the cursor rests */

/* Seconds at which the n-th sample of the growing observation was read. */
static double
seconds_of_sample(const struct control *d, size_t n)
{
	const struct obs_table *t = run_table(d->s->data.leader);
	const struct obs *o = t && d->leader.index < t->n ? t->obs[d->leader.index] : NULL;

	return o && o->time && n <= o->n_rows ? o->time[n - 1] : (double)n * d->s->question.sampling.interval_ms * 1e-3;
}

/* Adds the verdict on the samples so far to the history. */
static void
note_verdict(struct control *control)
{
	struct state *state = control->s;
	const struct result *result = state->answers.result;

	for (size_t i = result->n_findings; i-- > 0 && control->leader.name;) {
		const struct finding *finding = &result->finding[i];
		struct verdict_point p = {.samples = finding->data.samples,
			.verdict = finding->verdict,
			.distance2 = finding->measure.distance2,
			.threshold2 = finding->measure.threshold2};

		/* "#2" may follow the name, if recorded data has an observation of that name */
		if (finding->data.exact || finding->data.samples == 0 ||
			!str_starts(finding->name, control->leader.name) ||
			!str_eq(finding->source, control->leader.source))
			continue;
		p.seconds = seconds_of_sample(control, finding->data.samples);
		if (!state->data.history.of)
			state->data.history.of = mem_str(finding->name);
		if (state->data.history.n == 0 ||
			p.samples != state->data.history.point[state->data.history.n - 1].samples)
			state_add_point(state, &p);
		return;
	}
}

/* The last graph of an abandoned search does not end the search that was requested since. */
static void
take_search(struct control *d, uint64_t request, struct search_graph *g)
{
	if (d->s->answers.search.task != SEARCH_NONE && request == d->search_request)
		state_take_search(d->s, g);
	else
		state_take_late_search(d->s, g);
}

bool
control_take_replies(struct control *control)
{
	struct state *state = control->s;
	struct engine_reply r;
	bool some = false;

	while (engine_next(control->engine, &r)) {
		some = true;
		switch (r.kind) {
		case ENGINE_PROGRESS:
			state_engine_progress(state, r.stage, r.done, r.of);
			break;
		case ENGINE_RESULT:
			state_take_result(state, r.result);
			r.result = NULL;
			note_verdict(control);
			break;
		case ENGINE_NEIGHBOURS:
			state_take_neighbours(state, r.neighbours);
			r.neighbours = NULL;
			break;
		case ENGINE_WITNESS:
			if (state->answers.asked.kind == DETAIL_WITNESS) {
				state_take_witness(state, state->answers.asked.index, r.text);
				r.text = NULL;
				break;
			}
			state_show_text(state, POPUP_WITNESS, "A µpath", r.text);
			break;
		case ENGINE_FLOW:
			state_show_text(state, POPUP_TEXT, "What went through a feature", r.text);
			break;
		case ENGINE_TOUCH:
			state_take_touch(state, r.touch);
			r.touch = NULL;
			break;
		case ENGINE_LOSS:
			state_take_loss(state, r.loss);
			r.loss = NULL;
			break;
		case ENGINE_GEOMETRY:
			state_take_geometry(state, r.geometry);
			r.geometry = NULL;
			break;
		case ENGINE_SEARCH:
			take_search(control, r.request, r.graph);
			r.graph = NULL;
			break;
		case ENGINE_RESTARTED:
		case ENGINE_FAILED:
			control->gave_up |= r.kind == ENGINE_FAILED;
			state_refuse(state, state->answers.asked);
			state_search_ended(state);
			state_say(state, true, "%s", r.text);
			state_engine_log(state, r.text);
			break;
		}
		engine_reply_clear(&r);
	}
	if (control->refreshing && !engine_busy(control->engine)) {
		control->took = clock_seconds() - control->asked_at;
		control->refreshing = false;
	}
	state_engine_busy(state, engine_busy(control->engine) && !control->refreshing);
	engine_read_log(control->engine, &state->answers.log);
	return some;
}

void
control_stop_engine(struct control *control)
{
	struct state *state = control->s;
	bool result = state->answers.progress.busy, search = state->answers.search.task != SEARCH_NONE;

	state_search_ended(state);
	engine_stop(control->engine);
	state_engine_busy(state, false);
	state_refuse(state, state->answers.asked);
	if (!result) {
		state_say(state, false, search ? "search stopped; what it has found stands" : "stopped");
		return;
	}
	state_revert(state);
	state_say(state, false, "stopped; what is shown belongs to the features as they stand");
}

/* Stops the work on a detail when another one is wanted instead. Whoever only leaves the view may come back: then the
 * work goes on. */
static void
stop_detail(struct control *control)
{
	struct state *state = control->s;
	struct detail asked = state->answers.asked, next;

	if (asked.kind == DETAIL_NONE || state_wants_answer(state, asked))
		return;
	next = state_next_detail(state);
	if (next.kind == DETAIL_NONE)
		return;
	engine_stop(control->engine);
	state_set_asked(state, (struct detail){0});
	control->resting = (struct resting_detail){next, state->view.frame.now + REST_SECONDS};
}

/* After a detail was stopped, the next one is asked for when the cursor rests: a detail takes 50 to 200 ms of processor
 * time, and keys come faster. */
static bool
is_at_rest(struct control *control, struct detail q)
{
	double now = control->s->view.frame.now;

	if (control->resting.at > now &&
		(q.kind != control->resting.what.kind || q.index != control->resting.what.index))
		control->resting = (struct resting_detail){q, now + REST_SECONDS};
	if (control->resting.at > now)
		return false;
	control->resting.at = 0;
	return true;
}

void
control_ask_more(struct control *control)
{
	struct state *state = control->s;
	struct detail q;

	stop_detail(control);
	if (state->answers.asked.kind != DETAIL_NONE || state->answers.search.task != SEARCH_NONE ||
		engine_busy(control->engine))
		return;
	q = state_next_detail(state);
	if (!is_at_rest(control, q))
		return;
	switch (q.kind) {
	case DETAIL_NONE:
		return;
	case DETAIL_TOUCH:
		engine_touch(control->engine, &state->answers.result->on, q.index,
			state->answers.constraints->row[q.index].c);
		break;
	case DETAIL_LOSS:
		engine_loss(control->engine, state->answers.result, q.index);
		break;
	case DETAIL_GEOMETRY:
		engine_geometry(control->engine, &state->answers.result->on, q.index);
		break;
	case DETAIL_WITNESS:
		engine_witness(control->engine, (uint32_t)q.index);
		break;
	}
	state_set_asked(state, q);
}
