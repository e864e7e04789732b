#include "explorer/state/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "core/obs/obs.h"
#include "core/spec/spec.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"
#include "explorer/state/question.h"
#include "explorer/state/requests.h"
#include "explorer/state/screen_layout.h"
#include "explorer/state/shown.h"
#include "explorer/state/state_answers.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_instructions.h"
#include "explorer/state/state_intervals.h"
#include "explorer/state/state_nodes.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_search.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_tree.h"
#include "work/run/run.h"
#include "work/search/search_graph.h"
#include "work/timeline/timeline.h"
#include "work/trust/known.h"
#include "work/trust/table.h"

void
state_init(struct state *s)
{
	*s = (struct state){.layout = &layout_initial,
		.shown = shown_new(),
		.view.frame.motion = true,
		.view.frame.program = program_version,
		.view.timeline.compared = TIMELINE_NONE};
}

void
state_forget_history(struct state *s)
{
	struct verdict_history *h = &s->data.history;

	h->n = 0;
	h->step = 0;
	free(h->of);
	h->of = NULL;
}

void
state_forget(struct state *s)
{
	struct plot_view *p = &s->view.plot;

	state_forget_events(s); /* they name the model's counters */
	state_forget_runs(s); /* before the network that flows use */
	state_timeline_forget(s);
	state_forget_answers(s);
	state_forget_search(s);
	s->question.pinned = (struct fset){0};
	free(s->answers.witness.text);
	s->answers.witness.text = NULL;
	for (size_t i = 0; i < s->data.n_tables; i++)
		obs_table_free(s->data.table[i]);
	free(s->data.table);
	s->data.table = NULL;
	s->data.n_tables = 0;
	udd_outline_free(s->question.outline);
	s->question.outline = NULL;
	udd_free(s->question.model);
	s->question.model = NULL;
	bundle_free(&s->question.bundle);
	analysis_options_free(&s->question.how);
	free(s->view.tree.folded);
	s->view.tree.folded = NULL;
	search_graph_free(s->answers.search.graph);
	s->answers.search.graph = NULL;
	free(s->data.so_far);
	free(s->data.counted);
	s->data.so_far = NULL;
	s->data.counted = NULL;
	s->view.tree.n = 0;
	state_forget_history(s);
	free(p->row);
	p->row = NULL;
	p->chosen = false;
	free(s->view.marks.on);
	s->view.marks.on = NULL;
	s->view.marks.n = 0;
	s->view.selected = s->view.constraint = 0;
	s->data.had_run = s->view.chose_constraint = false;
	memset(s->view.cursor, 0, sizeof s->view.cursor);
	state_shown_changed(s);
}

void
state_free(struct state *s)
{
	state_forget(s);
	state_forget_subject(s);
	state_set_probes(s, NULL);
	state_set_sliced(s, NULL);
	state_set_slicing(s, NULL);
	trust_table_free(s->data.repeated);
	trust_known_free(s->data.known);
	str_free(&s->data.output);
	str_free(&s->data.run_notes);
	free(s->data.history.point);
	free(s->data.history.of);
	str_free(&s->answers.log);
	str_free(&s->view.prompt.input);
	str_free(&s->view.popup.text);
	state_intervals_forget(s);
	state_set_instructions(s, NULL);
	remarks_free(&s->question.remarks);
	free(s->view.prompt.noting_what);
	free(s->data.saved.in);
	requests_clear(&s->requests);
	str_split_free(s->data.installed.name);
	str_split_free(s->data.installed.text);
	shown_free(s->shown);
	s->shown = NULL;
}

void
state_set_subject(struct state *s, const struct subject *x)
{
	subject_clear(&s->question.subject);
	s->question.subject = *x;
}

void
state_set_command(struct state *s, char **argv)
{
	str_split_free(s->question.subject.argv);
	s->question.subject.argv = argv;
}

void
state_set_sampling(struct state *s, const struct sampling *x)
{
	s->question.sampling = *x;
}

void
state_add_recorded(struct state *s, struct obs_table *t)
{
	struct data *d = &s->data;

	d->table = mem_resize(d->table, d->n_tables + 1, sizeof *d->table);
	d->table[d->n_tables++] = t;
}

void
state_set_recorded(struct state *s, struct obs_table **table, size_t n, char *name)
{
	s->data.table = table;
	s->data.n_tables = n;
	s->data.name = name;
}

void
state_add_point(struct state *s, const struct verdict_point *p)
{
	struct verdict_history *h = &s->data.history;
	size_t n = h->n;

	if (n >= 2 && p->seconds - h->point[n - 2].seconds < h->step) {
		h->point[n - 1] = *p; /* the newest verdict is always kept */
		return;
	}
	if (n >= VERDICT_POINTS_MOST) {
		h->step = (h->point[n - 1].seconds - h->point[0].seconds) / (VERDICT_POINTS_MOST / 2);
		for (size_t i = 0; i < n / 2; i++)
			h->point[i] = h->point[2 * i];
		h->n /= 2;
	}
	mem_grow(&h->point, &h->cap, h->n + 1, sizeof *h->point);
	h->point[h->n++] = *p;
}

void
state_set_model(struct state *s, struct bundle *b, struct udd_model *m, const struct analysis_options *how,
	const struct fset *on)
{
	state_forget(s);
	s->question.bundle = *b;
	*b = (struct bundle){0};
	s->question.model = m;
	s->question.how = *how;
	s->question.on = *on;
	s->view.current = VIEW_MODELS;
	s->view.came_from = VIEW_START;
	s->view.focus = PANE_FEATURES;
	s->view.popup.kind = POPUP_NONE;
	state_make_outline(s);
	state_request(s, REQUEST_LOAD);
	state_request(s, REQUEST_RESULT);
}

uint64_t
state_scope(const struct state *s)
{
	if (s->view.popup.kind == POPUP_PROMPT)
		return 0;
	if (s->view.popup.kind == POPUP_HELP)
		return IN_HELP;
	if (s->view.popup.kind != POPUP_NONE)
		return IN_POPUP;
	if (s->view.current == VIEW_START)
		return IN_START;
	return PANE_BIT(state_pane(s));
}

void
state_forget_subject(struct state *s)
{
	subject_clear(&s->question.subject);
	free(s->data.name);
	s->data.name = NULL;
	str_clear(&s->data.output);
	s->data.output_total = 0;
	str_clear(&s->data.run_notes);
	s->question.sampling.samples = 0;
	s->question.sampling.duration = 0;
	free(s->view.find);
	s->view.find = NULL;
	for (int v = 0; v < VIEW_COUNT; v++) {
		free(s->view.filter[v]);
		s->view.filter[v] = NULL;
	}
	free(s->view.leaving.for_what);
	s->view.leaving.for_what = NULL;
	s->view.message.text[0] = '\0';
}

static bool
network_tells_stalls(const struct network *net)
{
	bool some = false;

	for (size_t m = 0; m < net->n_modules; m++)
		for (size_t k = 0; k < net->n_kinds; k++)
			some |= net->module[m].cell[k].field[NET_STALL] != NULL;
	return some;
}

void
state_open_timeline(struct state *s, struct network *net, struct text *net_text, struct stack *stack,
	struct text *stack_text)
{
	struct timeline_view *v = &s->view.timeline;

	state_forget(s);
	s->question.network_text = *net_text;
	*net_text = (struct text){0};
	s->data.timeline = timeline_new(net, NULL);
	if (stack)
		state_add_stack(s, stack, stack_text);
	v->normalised = net && network_tells_stalls(net); /* a network's bars are shares, a stack's are amounts */
	if (net)
		v->unfolded = mem_new_array(net->n_modules, sizeof *v->unfolded);
	s->view.current = net ? VIEW_PATHS : VIEW_STALLS;
	s->view.came_from = VIEW_START;
	s->view.focus = net ? PANE_NETWORK : PANE_BARS;
	if (stack)
		state_look_at_tree(s);
	s->view.popup.kind = POPUP_NONE;
}
