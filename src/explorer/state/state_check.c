#include "explorer/state/state_check.h"

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
	MUST(!d->counted == !d->so_far);
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
check_view(const struct state *s)
{
	const struct view_state *v = &s->view;
	const struct answers *a = &s->answers;
	const struct view_row *row = view_row(v->current);

	MUST(v->current < VIEW_COUNT);
	MUST(v->current == VIEW_START || (v->focus >= row->first && v->focus < row->end));
	MUST(v->current == VIEW_START || (state_pane(s) >= row->first && state_pane(s) < row->end));
	MUST(v->current == VIEW_START || s->question.model || s->data.timeline || view_needs_nothing(v->current));
	MUST(v->events.chosen == 0 || (s->data.events && v->events.chosen < s->data.events->n));
	MUST(v->probes.chosen == 0 || (s->data.probes && v->probes.chosen < s->data.probes->n));
	for (int i = 0; i < PANE_COUNT; i++)
		MUST(v->cursor[i] >= 0);
	MUST(v->popup.cursor >= 0);
	MUST(v->tree.n == (s->question.outline ? s->question.outline->n : 0));
	MUST(v->selected == 0 || (a->result && v->selected < a->result->n_findings));
	MUST(v->constraint == 0 || (a->constraints && v->constraint < a->constraints->n));
	MUST(!a->result || v->marks.n >= a->result->n_findings);
	MUST(!v->timeline.unfolded || timeline_network(s->data.timeline));
	MUST(!v->timeline.flow || s->data.timeline);
}

static void
check_requests(const struct requests *q)
{
	MUST(q->n <= REQUEST_KINDS);
	for (size_t i = 0; i < q->n; i++) {
		MUST(q->item[i].kind < REQUEST_KINDS);
		MUST(requests_find(q, q->item[i].kind) == &q->item[i]);
		MUST(!q->item[i].text == (q->item[i].kind != REQUEST_OPEN && q->item[i].kind != REQUEST_KEEP &&
			q->item[i].kind != REQUEST_PROBE && q->item[i].kind != REQUEST_INSTRUCTIONS));
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
