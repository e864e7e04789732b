#include "explorer/state/state_queues.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/network/queues.h"
#include "core/network/state.h"
#include "core/series/mean.h"
#include "explorer/state/pane.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_flows.h"
#include "work/timeline/timeline.h"

size_t
state_queue_owners(const struct state *s, const struct net_queue *q, size_t *first)
{
	const struct network *n = timeline_network(s->data.timeline);
	size_t owners = net_state_owners(state_timeline_shown(s).analysis->state, q->module);
	enum scope per = n->module[q->module].per;
	bool apart = s->view.timeline.unfolded[q->module] ||
		(owners <= QUEUES_APART && per != SCOPE_SLICE && per != SCOPE_CHANNEL);

	*first = apart ? q->owner : 0;
	return apart ? 1 : owners;
}

static bool
is_same_line(const struct state *s, const struct net_queue *a, const struct net_queue *b)
{
	size_t first;

	return a->module == b->module && a->kind == b->kind &&
		(a->owner == b->owner || state_queue_owners(s, a, &first) > 1);
}

/* The longest queue of each line, in the network's order: longest first, unknown lengths last. */
static size_t *
lines(const struct state *state, size_t *n)
{
	const struct timeline_analysis *analysis = state_timeline_shown(state).analysis;
	const struct net_queues *queues = analysis ? analysis->queues : NULL;
	size_t known = queues ? queues->known : 0, *out = mem_new_array(known, sizeof *out);
	size_t kinds = queues ? timeline_network(state->data.timeline)->n_kinds : 0,
	       modules = queues ? timeline_network(state->data.timeline)->n_modules : 0;
	bool *seen = mem_new_array(kinds * modules, sizeof *seen); /* of the queues on one line */

	*n = 0;
	for (size_t i = 0; i < known; i++) {
		size_t first, at = queues->queue[i].module * kinds + queues->queue[i].kind;
		bool shared = state_queue_owners(state, &queues->queue[i], &first) > 1;

		if (shared && seen[at])
			continue;
		seen[at] |= shared;
		out[(*n)++] = i;
	}
	free(seen);
	return out;
}

/* Does the name of its module, kind or owner contain the words? */
static bool
state_queues_has_words(const struct state *s, const struct net_queue *q, const char *words)
{
	const struct network *n = timeline_network(s->data.timeline);

	return strstr(n->module[q->module].name, words) || strstr(n->module[q->module].text, words) ||
		strstr(n->kind[q->kind].name, words) ||
		strstr(timeline_owner(s->data.timeline, n->module[q->module].per, q->owner), words);
}

void
state_queue_series(const struct state *state, const struct net_queue *q, double *out)
{
	const struct timeline_history *history = state_timeline_shown(state).history;
	size_t first, owners = state_queue_owners(state, q, &first);

	for (size_t i = 0; history && i < history->n; i++) {
		out[i] = NAN;
		for (size_t o = first; o < first + owners; o++) {
			double v = (double)history->length[i * history->n_cells +
				timeline_cell(history, q->module, o, q->kind)];

			if (!isnan(v) && !(v <= out[i]))
				out[i] = v;
		}
	}
}

/* Was anything ever in the queue, in the snapshots so far? */
static bool
had_length(const struct state *s, const struct net_queue *q)
{
	size_t n = state_timeline_shown(s).history ? state_timeline_shown(s).history->n : 0;
	double *v = mem_new_array(n, sizeof *v);
	bool had = q->length > 0;

	state_queue_series(s, q, v);
	for (size_t i = 0; i < n; i++)
		had |= v[i] > 0;
	free(v);
	return had;
}

static size_t
listed(const struct state *s, size_t *line, size_t n)
{
	const struct net_queue *q = n ? state_timeline_shown(s).analysis->queues->queue : NULL;
	const char *words = s->view.filter[VIEW_QUEUES];
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (words ? state_queues_has_words(s, &q[line[i]], words)
			  : i == 0 || q[line[i]].length >= QUEUES_SHORT ||
				(i < QUEUES_ALWAYS && had_length(s, &q[line[i]])))
			line[kept++] = line[i];
	return kept;
}

static struct series_trend
state_queue_trend(const struct state *s, const struct net_queue *q)
{
	size_t n = state_timeline_shown(s).history ? state_timeline_shown(s).history->n : 0;
	double *v = mem_new_array(n, sizeof *v);
	struct series_trend t;

	state_queue_series(s, q, v);
	t = series_trend(v, n);
	free(v);
	return t;
}

struct sorted {
	size_t at;
	double by;
};

/* Lines arrive longest first; equal ones keep their order. */
static int
state_queues_compare(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	return x->by > y->by ? -1 : x->by < y->by ? 1 : (x->at > y->at) - (x->at < y->at);
}

static double
sort_key(const struct state *state, const struct net_queue *queue)
{
	size_t kinds = timeline_network(state->data.timeline)->n_kinds;
	struct series_trend trend;

	switch (state->view.timeline.queue_sort) {
	case QUEUE_BY_TREND:
		trend = state_queue_trend(state, queue);
		/* growth from zero counts as largest */
		return trend.direction == 0 ? 1 : isnan(trend.ratio) ? INFINITY : trend.ratio;
	case QUEUE_BY_PLACE:
		return -(((double)queue->module * 65536 + (double)queue->owner) * (double)kinds + (double)queue->kind);
	case QUEUE_BY_LENGTH:
	case QUEUE_SORTS:
		break;
	}
	/* those that no task waits for come last */
	return queue->background ? -1 / (1 + queue->length) : queue->length;
}

static void *
make_queues(const struct state *state, size_t *n)
{
	size_t all, *line = lines(state, &all);
	struct sorted *sorted;

	*n = listed(state, line, all);
	sorted = mem_new_array(*n, sizeof *sorted);
	for (size_t i = 0; i < *n; i++)
		sorted[i] = (struct sorted){
			line[i], sort_key(state, &state_timeline_shown(state).analysis->queues->queue[line[i]])};
	if (*n)
		qsort(sorted, *n, sizeof *sorted, state_queues_compare);
	for (size_t i = 0; i < *n; i++)
		line[i] = sorted[i].at;
	free(sorted);
	return line;
}

static void
stamp_queues(const struct state *s, uint64_t *stamp)
{
	const struct network *n = s->data.timeline ? timeline_network(s->data.timeline) : NULL;

	for (size_t i = 0; n && i < n->n_modules; i++)
		shown_add(stamp, s->view.timeline.unfolded[i]);
	/* the analysis of one flow is another list */
	shown_add(stamp, state_timeline_shown(s).analysis == s->answers.timeline.flow_analysis);
}

/* Owners that share a line are one thing. */
static uint64_t
queue_thing(const struct state *s, const void *row)
{
	const struct net_queue *q = &state_timeline_shown(s).analysis->queues->queue[*(const size_t *)row];
	size_t first;
	bool shared = state_queue_owners(s, q, &first) > 1;

	return thing_number(thing_number(thing_number(0, q->module), q->kind), shared ? SIZE_MAX : q->owner);
}

const struct shown_ops shown_queues = {.kind = SHOWN_QUEUES, .make = make_queues, .stamp = stamp_queues,
	.thing = queue_thing,
	.size = sizeof(size_t), .filter = VIEW_QUEUES, .sort = offsetof(struct state, view.timeline.queue_sort)};

const size_t *
state_queues(const struct state *s, size_t *n)
{
	return state_shown(s, &shown_queues, n);
}

const struct net_queue *
state_queue(const struct state *s)
{
	size_t n, at = (size_t)s->view.cursor[PANE_QUEUES];
	const size_t *order = state_queues(s, &n);

	return n ? &state_timeline_shown(s).analysis->queues->queue[order[at < n ? at : n - 1]] : NULL;
}

struct queue_counts
state_queue_counts(const struct state *state)
{
	const struct timeline_answers *answers = &state->answers.timeline;
	struct queue_counts c = {0};
	size_t *line = lines(state, &c.lines);

	if (answers->analysis)
		c.unknown = answers->analysis->queues->n - answers->analysis->queues->known;
	if (!state->view.filter[VIEW_QUEUES])
		c.hidden = c.lines - listed(state, line, c.lines);
	free(line);
	return c;
}

static int
more_often(const void *a, const void *b)
{
	const struct queue_culprit *x = a, *y = b;

	if (x->snapshots != y->snapshots)
		return x->snapshots > y->snapshots ? -1 : 1;
	return x->module != y->module
		? (x->module > y->module) - (x->module < y->module) : (x->kind > y->kind) - (x->kind < y->kind);
}

struct queue_culprit *
state_queue_culprits(const struct state *state, size_t *n)
{
	const struct timeline_history *history = state_timeline_shown(state).history;
	const struct network *net = history ? timeline_network(state->data.timeline) : NULL;
	size_t cells = net ? net->n_modules * net->n_kinds : 0, some = 0;
	struct queue_culprit *out = mem_new_array(cells, sizeof *out);

	for (size_t i = 0; i < cells; i++)
		out[i] = (struct queue_culprit){.module = i / net->n_kinds, .kind = i % net->n_kinds};
	for (size_t i = 0; history && i < history->n; i++) {
		size_t module = 0;

		if (history->culprit[i] == SIZE_MAX)
			continue;
		while (history->culprit[i] / history->n_kinds >= history->module_first[module + 1])
			module++;
		out[module * history->n_kinds + history->culprit[i] % history->n_kinds].snapshots++;
	}
	for (size_t i = 0; i < cells; i++)
		if (out[i].snapshots)
			out[some++] = out[i];
	if (some)
		qsort(out, some, sizeof *out, more_often);
	*n = some;
	return out;
}

void
state_choose_queue(struct state *s, int row)
{
	struct timeline_view *v = &s->view.timeline;
	const struct net_queue *q;

	s->view.cursor[PANE_QUEUES] = row;
	q = state_queue(s);
	v->chose_queue = q && state_timeline_shown(s).history;
	if (v->chose_queue)
		v->queue_cell = timeline_cell(state_timeline_shown(s).history, q->module, q->owner, q->kind);
}

void
state_follow_queue(struct state *state)
{
	const struct timeline_view *view = &state->view.timeline;
	const struct timeline_history *history = state_timeline_shown(state).history;
	struct net_queue chosen = {0};
	const size_t *order;
	size_t n;

	if (!view->chose_queue || !history || view->queue_cell >= history->n_cells)
		return;
	while (view->queue_cell / history->n_kinds >= history->module_first[chosen.module + 1])
		chosen.module++;
	chosen.owner = view->queue_cell / history->n_kinds - history->module_first[chosen.module];
	chosen.kind = view->queue_cell % history->n_kinds;
	order = state_queues(state, &n);
	for (size_t i = 0; i < n; i++)
		if (is_same_line(state, &state_timeline_shown(state).analysis->queues->queue[order[i]], &chosen))
			state->view.cursor[PANE_QUEUES] = (int)i;
}
