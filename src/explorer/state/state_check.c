
#include "explorer/state/pane_ids.h"
#include "explorer/state/requests.h"
#include "explorer/state/screen_layout.h"

#ifdef HECATE_CHECKS

#include "base/panic.h"
#include "core/network/network.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_columns.h"
#include "work/probe/probe_book.h"
#include "work/timeline/timeline.h"
#include "work/trust/events.h"

#define MUST(invariant) \
	do \
		if (!(invariant)) \
			panic("the state is broken: %s", #invariant); \
	while (0)

static void
check_question(const struct question *q, const struct data *d)
{
	const struct subject *subject = &q->subject;

	MUST(!q->model || !d->timeline);
	MUST(!q->outline == !q->model);
	MUST(!q->model || udd_legal(q->model, &q->on, NULL) || q->model->n_features == 0);
	MUST(!subject->argv || subject->argv[0]);
	MUST(!subject->spec_file || subject->spec);
	MUST(!d->so_far.counted == !d->so_far.total);
}

static void
check_answers(const struct answers *a)
{
	MUST(!a->neighbours || a->result);
	MUST(!a->constraints || a->result);
	MUST(!a->touch == !a->constraints);
	MUST(!a->loss == !a->constraints);
	MUST(!a->result || (a->stamp.data > 0 && fset_equal(&a->stamp.on, &a->result->on)));
	MUST(a->asked.kind == DETAIL_NONE || a->constraints);
	MUST(a->search.task == SEARCH_NONE || a->result);
	MUST(!a->timeline.bars || a->timeline.by);
	MUST(!a->timeline.other_bars || a->timeline.other_by);
}

static void
check_view(const struct state *state)
{
	const struct view_state *view_state = &state->view;
	const struct answers *answers = &state->answers;
	const struct view_row *row = view_row(view_state->current);

	MUST(view_state->current < VIEW_COUNT);
	MUST(view_state->current == VIEW_START || (view_state->focus >= row->first && view_state->focus < row->end));
	MUST(view_state->current == VIEW_START || (state_pane(state) >= row->first && state_pane(state) < row->end));
	MUST(view_state->current == VIEW_START || state->question.model || state->data.timeline ||
		view_needs_nothing(view_state->current));
	MUST(view_state->events.chosen == 0 ||
		(state->data.events && view_state->events.chosen < state->data.events->n));
	MUST(view_state->probes.chosen == 0 ||
		(state->data.probes && view_state->probes.chosen < state->data.probes->n));
	for (int i = 0; i < PANE_COUNT; i++)
		MUST(view_state->cursor[i] >= 0);
	MUST(view_state->popup.cursor >= 0);
	MUST(state_columns_hold(state));
	MUST(view_state->tree.n == (state->question.outline ? state->question.outline->n : 0));
	MUST(view_state->selected == 0 || (answers->result && view_state->selected < answers->result->n_findings));
	MUST(view_state->constraint == 0 || (answers->constraints && view_state->constraint < answers->constraints->n));
	MUST(!answers->result || view_state->marks.n >= answers->result->n_findings);
	MUST(!view_state->timeline.unfolded || timeline_network(state->data.timeline));
	MUST(!view_state->timeline.flow || state->data.timeline);
}

static void
check_requests(const struct requests *q)
{
	MUST(q->n <= REQUEST_KINDS);
	for (size_t i = 0; i < q->n; i++) {
		MUST(q->item[i].kind < REQUEST_KINDS);
		MUST(requests_find(q, q->item[i].kind) == &q->item[i]);
		MUST(!q->item[i].text == (q->item[i].kind != REQUEST_OPEN && q->item[i].kind != REQUEST_KEEP &&
			q->item[i].kind != REQUEST_PROBE && q->item[i].kind != REQUEST_INSTRUCTIONS &&
				q->item[i].kind != REQUEST_LESSON));
	}
}

void
state_check(const struct state *s)
{
	check_question(&s->question, &s->data);
	check_answers(&s->answers);
	check_view(s);
	check_requests(&s->requests);
	MUST(state_shown_holds(s));
}

#endif
