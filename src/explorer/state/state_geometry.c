#include "explorer/state/state_geometry.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/udd/model.h"
#include "explorer/state/pane.h"
#include "explorer/state/state.h"
#include "explorer/state/state_lists.h"
#include "explorer/state/state_views.h"
#include "work/analysis/geometry.h"

#define MOST_TRIED 8 /* violated constraints that are tried for a plane that shows the violation */

const struct geometry *
state_geometry(const struct state *s)
{
	const struct geometry *g = s->answers.geometry;

	return g && !g->failed && state_finding(s) && g->finding == s->view.selected ? g : NULL;
}

void
plane_clear(struct plane *p)
{
	free(p->x);
	free(p->y);
	*p = (struct plane){0};
}

static size_t
state_geometry_place_of(const struct geometry *g, size_t counter)
{
	size_t i = 0;

	while (i < g->n && g->counter[i] != counter)
		i++;
	return i;
}

static size_t
terms(const int64_t *coef, size_t n)
{
	size_t some = 0;

	for (size_t i = 0; i < n; i++)
		some += coef[i] != 0;
	return some;
}

/* Puts the constraint's left side on y and its right side on x. False: one of its counters is missing, or a side is
 * empty. */
static bool
sides(const struct geometry *geometry, const int64_t *coef, size_t n, bool equality, struct plane *plane)
{
	size_t found = 0;
	int left = cone_row_left(coef, n, equality);

	for (size_t i = 0; i < geometry->n; i++) {
		int64_t c = coef[geometry->counter[i]];

		found += c != 0;
		if ((c > 0) == (left > 0))
			plane->y[i] = c < 0 ? -c : c;
		else
			plane->x[i] = c < 0 ? -c : c;
	}
	plane->sides = terms(plane->x, geometry->n) > 1 || terms(plane->y, geometry->n) > 1;
	if (found == terms(coef, n) && terms(plane->x, geometry->n) && terms(plane->y, geometry->n))
		return true;
	memset(plane->x, 0, geometry->n * sizeof *plane->x);
	memset(plane->y, 0, geometry->n * sizeof *plane->y);
	plane->sides = false;
	return false;
}

/* Does the observation lie apart from the cone in this plane? */
static bool
shows(const struct state *s, const struct geometry *g, const struct plane *p)
{
	struct geometry_shadow shadow;
	bool apart;

	geometry_shadow(g, p->x, p->y, (enum region_kind)s->question.how.decides, &shadow);
	apart = shadow.margin > 0;
	shadow_clear(&shadow);
	return apart;
}

/* Puts the two sides of the constraint that the observation breaks most on the axes: of the worst few that a plane
 * shows, else of the worst, or of the certificate. */
static bool
violated_sides(const struct state *state, const struct geometry *geometry, struct plane *plane)
{
	const struct finding *f = state_finding(state);
	size_t n = state->question.model->n_counters, violated = f->proof.n_violated;
	const struct constraint *worst = violated ? f->proof.violated : f->proof.certificate;

	if (f->verdict != VERDICT_INFEASIBLE || !worst)
		return false;
	for (size_t k = 0; k < violated && k < MOST_TRIED; k++) {
		const struct constraint *c = &f->proof.violated[k];

		if (sides(geometry, c->coef, n, c->equality, plane) && shows(state, geometry, plane))
			return true;
		memset(plane->x, 0, geometry->n * sizeof *plane->x);
		memset(plane->y, 0, geometry->n * sizeof *plane->y);
	}
	return geometry->showing == 0 && sides(geometry, worst->coef, n, worst->equality, plane);
}

/* What view 4 opens on: the violated constraint, or else the best pair of counters. */
static void
choose_best(const struct state *s, const struct geometry *g, struct plane *p)
{
	const struct geometry_pair *best = g->pair;

	if (violated_sides(s, g, p))
		return;
	p->sides = false;
	p->x[best->x] = p->y[best->y] = 1;
}

/* The sides of the constraint that view 2 showed here. */
static bool
chosen_sides(const struct state *s, const struct geometry *g, struct plane *p)
{
	const struct plot_view *view = &s->view.plot;

	return view->axis[0] == PLOT_SIDE &&
		(view->row ? sides(g, view->row, s->question.model->n_counters, view->equality, p)
			: violated_sides(s, g, p));
}

/* Replaces the counter of an axis that this observation lacks. */
static void
choose_pair(const struct state *s, const struct geometry *g, struct plane *p)
{
	size_t x = state_geometry_place_of(g, s->view.plot.axis[0]),
	       y = state_geometry_place_of(g, s->view.plot.axis[1]);

	if (x == g->n)
		x = y == 0 ? 1 : 0;
	if (y == g->n || y == x)
		y = x == 0 ? 1 : 0;
	p->x[x] = p->y[y] = 1;
}

static struct plane
plane_new(size_t n)
{
	return (struct plane){
		.x = mem_new_array(n, sizeof(int64_t)), .y = mem_new_array(n, sizeof(int64_t)), .n = n};
}

bool
state_plane(const struct state *state, struct plane *plane)
{
	const struct geometry *geometry = state_geometry(state);

	*plane = (struct plane){0};
	if (!geometry || geometry->n_pairs == 0)
		return false;
	*plane = plane_new(geometry->n);
	if (!state->view.plot.chosen)
		choose_best(state, geometry, plane);
	else if (!chosen_sides(state, geometry, plane))
		choose_pair(state, geometry, plane);
	return true;
}

/* The only counter of an axis; n: the axis is a sum. */
static size_t
single(const int64_t *coef, size_t n)
{
	size_t at = 0;

	while (at < n && !coef[at])
		at++;
	return terms(coef, n) == 1 ? at : n;
}

size_t
plane_pair(const struct geometry *g, const struct plane *p)
{
	size_t x = single(p->x, p->n), y = single(p->y, p->n), k = 0;

	while (k < g->n_pairs && !(g->pair[k].x == x && g->pair[k].y == y) && !(g->pair[k].x == y && g->pair[k].y == x))
		k++;
	return k;
}

static void
put_axes(struct state *s, size_t x, size_t y)
{
	struct plot_view *p = &s->view.plot;

	p->axis[0] = x;
	p->axis[1] = y;
	p->chosen = true;
	p->zoom = ZOOM_AUTO;
}

/* Steps an axis: from a sum to its first counter, from a counter to the next one that the other axis does not show. */
static void
turn_axis(struct state *state, int axis, int by)
{
	const struct geometry *geometry = state_geometry(state);
	struct plane p;
	size_t at[2];

	if (!state_plane(state, &p))
		return;
	for (int k = 0; k < 2; k++) {
		const int64_t *coef = k ? p.y : p.x;

		at[k] = 0;
		while (!coef[at[k]])
			at[k]++;
	}
	if (single(axis ? p.y : p.x, geometry->n) < geometry->n || at[0] == at[1])
		do
			at[axis] = (at[axis] + geometry->n + (size_t)by) % geometry->n;
		while (at[axis] == at[!axis]);
	if (state->view.plot.chosen && state->view.plot.axis[0] == geometry->counter[at[0]] &&
		state->view.plot.axis[1] == geometry->counter[at[1]])
		state_say(state, false, "there are two counters, and both are on an axis");
	put_axes(state, geometry->counter[at[0]], geometry->counter[at[1]]);
	plane_clear(&p);
}

/* Shows the plane that view 4 opens on, then, one after the other, the pairs that show the violation. */
static void
find_best(struct state *state)
{
	const struct geometry *geometry = state_geometry(state);
	struct plane p, first;
	size_t at, showing, opening;

	if (!state_plane(state, &p))
		return;
	first = plane_new(geometry->n);
	choose_best(state, geometry, &first);
	opening = first.sides ? geometry->n_pairs : plane_pair(geometry, &first);
	plane_clear(&first);
	at = state->view.plot.chosen ? plane_pair(geometry, &p) + 1 : 0;
	at += at == opening;
	showing = geometry->showing < geometry->n_pairs ? geometry->showing : geometry->n_pairs;
	if (at < showing) {
		put_axes(state, geometry->counter[geometry->pair[at].x], geometry->counter[geometry->pair[at].y]);
		state_say(state, false, "pair %zu of %zu that show the violation", at + 1, geometry->showing);
	} else {
		if (!state->view.plot.chosen && !state->view.plot.row)
			state_say(state, false,
				showing ? "these axes show the violation"
					: "no pair of counters shows a violation; these axes are the best there are");
		state->view.plot.chosen = false;
		state->view.plot.zoom = ZOOM_AUTO;
		free(state->view.plot.row);
		state->view.plot.row = NULL;
	}
	plane_clear(&p);
}

void
state_plot_act(struct state *state, enum action a)
{
	struct plot_view *view = &state->view.plot;
	static const char *const boxes[PLOT_BOXES] = {
		"the independent box", "the independent and the rotated box", "no boxes"
	};

	state->view.message.text[0] = '\0';
	if (a == ACTION_axis_left || a == ACTION_axis_right)
		turn_axis(state, 0, a == ACTION_axis_left ? -1 : 1);
	else if (a == ACTION_axis_up || a == ACTION_axis_down)
		turn_axis(state, 1, a == ACTION_axis_up ? -1 : 1);
	else if (a == ACTION_best_pair)
		find_best(state);
	else if (a == ACTION_zoom)
		view->zoom = state->layout->zoom == ZOOM_WHOLE ? ZOOM_REGION : ZOOM_WHOLE;
	else if (a == ACTION_boxes) {
		view->boxes = (view->boxes + 1) % PLOT_BOXES;
		state_say(state, false, "%s", boxes[view->boxes]);
	}
}

void
state_show_geometry(struct state *s)
{
	enum view from = s->view.current;

	state_show_view(s, VIEW_GEOMETRY);
	if (s->view.current == VIEW_GEOMETRY && from != VIEW_GEOMETRY)
		s->view.came_from = from;
}

void
state_show_constraint(struct state *state)
{
	struct plot_view *view = &state->view.plot;
	const struct constraint_row *row = state_constraint(state);
	const int64_t *coef = row ? row->c->coef : NULL;
	size_t n = state->question.model->n_counters, only;

	if (!row) {
		state_say(state, false, "there is nothing to show yet");
		return;
	}
	if (row->n_breaches &&
		(state->view.selected >= state->answers.result->n_findings || !(row->slack[state->view.selected] < 0)))
		state->view.selected = row->breach->finding;
	free(view->row);
	view->row = mem_copy(coef, n * sizeof *coef);
	view->equality = row->c->equality;
	only = single(coef, n);
	/* a constraint on one counter has no other side: any second axis will do */
	if (only < n)
		put_axes(state, n, only);
	else
		put_axes(state, PLOT_SIDE, PLOT_SIDE);
	state_show_geometry(state);
}

static int
no_rows(const struct state *s)
{
	(void)s;
	return 0;
}

const struct pane_ops state_pane_plot = {.length = no_rows, .note = state_note_on_observation};
