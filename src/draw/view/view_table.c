#include "draw/view/view_table.h"

#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "draw/view/view_list.h"
#include "explorer/state/state_answers.h"
#include "explorer/state/state_columns.h"

#define VIEW_WISHES 64 /* most wishes of a view's panes */

static const struct view_draw *const views[] = {
	[VIEW_START] = &view_draw_start,
#define VIEW(id, name, key, tab, brief, about, help) [VIEW_##id] = &view_draw_##name,
#define VIEW_END(id)
#define PANE(id, name, ops, draw)
#include "explorer/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE
};
static_assert(sizeof views / sizeof *views == VIEW_COUNT, "a row for each view");

static const struct pane_draw *const panes[] = {
#define VIEW(id, name, key, tab, brief, about, help)
#define VIEW_END(id)
#define PANE(id, name, ops, draw) [PANE_##id] = &pane_draw_##draw,
#include "explorer/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE
};
static_assert(sizeof panes / sizeof *panes == PANE_COUNT, "a row for each pane");

const struct view_draw *
view_draw_row(enum view v)
{
	return views[v];
}

bool
view_column(enum pane_id pane, size_t number, struct column_facts *out)
{
	const struct pane_draw *draw = panes[pane];
	const struct column *column = number < draw->n_columns ? &draw->column[number] : NULL;

	if (column)
		*out = (struct column_facts){column->name, column->head, column->stays, column->order};
	return column != NULL;
}

const char *
view_lacks(const struct state *s)
{
	const struct view_draw *v = views[s->view.current];

	return v->lacks ? v->lacks(s) : NULL;
}

/* Sorts by `order`; equal ones stay as they are. */
static void
sort_wishes(struct pane_spec *wish, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && wish[k].order < wish[k - 1].order; k--) {
			struct pane_spec other = wish[k];

			wish[k] = wish[k - 1];
			wish[k - 1] = other;
		}
}

/* Collects the wishes of the current view's panes for panes_lay(). Returns how many. */
static size_t
collect_wishes(const struct state *state, struct rect body, struct pane_spec out[VIEW_WISHES])
{
	const struct view_row *row = view_row(state->view.current);
	size_t n = 0;

	for (enum pane_id id = row->first; id < row->end; id++) {
		const struct pane_draw *draw = panes[id];
		size_t from = n;

		for (size_t i = 0; i < draw->n_wishes && n < VIEW_WISHES; i++) {
			out[n] = draw->wish[i];
			out[n].share = state->view.panes.share[id];
			out[n++].id = (int)id;
		}
		if (draw->fit && !draw->fit(state, body, out + from))
			n = from;
	}
	sort_wishes(out, n);
	return n;
}

/* The separator to the right of a pane, and its title rule if another pane is above, can be dragged. */
static void
add_borders(struct rect area, const struct pane *pane, struct drawn *drawn)
{
	struct rect r = pane->r;

	if (r.x + r.w < area.x + area.w)
		hit_add(drawn, (struct rect){r.x + r.w, r.y, 1, r.h}, HIT_EDGE, pane->id, 0, ACTION_none);
	if (r.y > area.y)
		hit_add(drawn, (struct rect){r.x, r.y, r.w, 1}, HIT_EDGE, pane->id, 1, ACTION_none);
}

/* A click on the info of a list's title, which names its order, sorts. */
static void
add_info(struct grid *grid, const struct pane *pane, const char *title, const char *info, struct drawn *drawn)
{
	struct rect r = title_info(grid, pane->r, title, info);

	hit_add(drawn, r, HIT_ACTION, pane->id, 0, ACTION_sort);
}

static uint32_t
small(uint32_t cp)
{
	return cp >= 'A' && cp <= 'Z' ? cp + 'a' - 'A' : cp;
}

/* Underlines what is searched for where it stands in the pane. */
static void
mark_matches(const struct state *state, struct grid *grid, struct rect r)
{
	const char *words = state->view.prompt.kind == PROMPT_ANSWER && state_prompt_is_line(state) ? NULL
		: state_prompt_is_line(state) ? str_text(&state->view.prompt.input) : state->view.find;
	uint32_t sign[64];
	int n = 0;

	for (size_t i = 0, left = words ? strlen(words) : 0, used; left > 0 && n < 64; i += used, left -= used)
		used = utf8_decode(words + i, left, &sign[n++]);
	for (int y = r.y; y < r.y + r.h && n; y++)
		for (int x = r.x; x + n <= r.x + r.w; x++) {
			int k = 0;

			while (k < n && grid_at(grid, x + k, y) && small(grid_at(grid, x + k, y)->cp) == small(sign[k]))
				k++;
			for (int i = 0; i < k && k == n; i++)
				grid_at(grid, x + i, y)->attr |= CELL_UNDERLINE | CELL_BOLD;
		}
}

/* Draws panes by these wishes; with `lacks` a single one, which says why the view is empty. */
static void
draw_panes(const struct state *state, struct grid *grid, struct rect body, const struct pane_spec *wish, size_t n,
	const char *lacks, struct drawn *drawn)
{
	const struct view_row *row = view_row(state->view.current);
	int first = (int)row->first, all = (int)row->end - first, focus;
	struct panes p;
	struct str title[PANES_MAX] = {0}, info[PANES_MAX] = {0};
	const char *titles[PANES_MAX] = {0}, *infos[PANES_MAX] = {0};

	panes_lay(wish, n, body, (int)state->view.focus, &p);
	focus = panes_focus(wish, n, &p, (int)state->view.focus);
	drawn->layout.focus = (enum pane_id)focus;
	drawn->layout.visible = 0;
	for (size_t i = 0; i < p.n; i++) {
		if (lacks) {
			str_add(&title[i], row->tab);
			str_add(&info[i], lacks);
		} else {
			panes[p.pane[i].id]->title(state, &title[i], &info[i]);
			if (panes[p.pane[i].id]->info)
				panes[p.pane[i].id]->info(state, pane_body(&p.pane[i]), &info[i]);
			if (p.n == 1 && all > 1)
				str_addf(&info[i], "%s%d/%d panes, Tab", info[i].n ? " · " : "",
					p.pane[i].id - first + 1, all);
		}
		titles[i] = str_text(&title[i]);
		infos[i] = str_text(&info[i]);
		drawn->layout.visible |= PANE_BIT(p.pane[i].id);
	}
	panes_draw(grid, &p, titles, infos, focus);
	drawn->panes = p;
	for (size_t i = 0; i < p.n; i++) {
		struct rect r = pane_body(&p.pane[i]);
		bool here = p.pane[i].id == focus;

		if (here)
			drawn->layout.page = r.h > 1 ? r.h - 1 : 1;
		hit_add(drawn, p.pane[i].r, HIT_PANE, p.pane[i].id, 0, ACTION_none);
		add_borders(body, &p.pane[i], drawn);
		if (p.pane[i].id == first && action_row(ACTION_sort)->scopes & PANE_BIT(first) && !lacks)
			add_info(grid, &p.pane[i], titles[i], infos[i], drawn);
		if (lacks)
			views[state->view.current]->nothing(&(struct page){.s = state, .g = grid, .r = r});
		else
			panes[p.pane[i].id]->draw(state, grid, r, here, drawn);
		if (here && !lacks)
			mark_matches(state, grid, r);
		if (!lacks && state_pane_is_old(state, (enum pane_id)p.pane[i].id))
			grid_age(grid, r);
	}
	for (size_t i = 0; i < p.n; i++) {
		str_free(&title[i]);
		str_free(&info[i]);
	}
}

static void
draw_all_panes(const struct state *state, struct grid *grid, struct rect body, struct drawn *drawn)
{
	const struct view_draw *draw = views[state->view.current];
	struct pane_spec wish[VIEW_WISHES];

	draw_panes(state, grid, body, wish, collect_wishes(state, body, wish), NULL, drawn);
	if (draw->after)
		draw->after(state, drawn);
}

void
view_draw(const struct state *state, struct grid *grid, struct rect body, struct drawn *drawn)
{
	const struct view_draw *draw = views[state->view.current];
	const char *lacks = view_lacks(state);
	const struct pane_spec whole = {
		.id = (int)view_row(state->view.current)->first, .min_w = 20, .min_h = 5, .weight_w = 1, .weight_h = 1};

	if (lacks)
		draw_panes(state, grid, body, &whole, 1, lacks, drawn);
	else if (draw->draw)
		draw->draw(state, grid, body, drawn);
	else
		draw_all_panes(state, grid, body, drawn);
}

static const struct popup_draw no_popup = {0};
static const struct popup_draw *const popups[] = {
	[POPUP_NONE] = &no_popup,
#define POPUP(id, name) [POPUP_##id] = &popup_draw_##name,
#include "explorer/state/popups.def"
#undef POPUP
};

void
draw_popups(const struct state *s, struct grid *g, struct rect screen, struct drawn *drawn)
{
	const struct popup_draw *draw = popups[s->view.popup.kind];
	int rows = draw->text ? draw->text(s, g, screen, s->view.popup.cursor) : 0;

	/* on a larger screen a text may have fewer scroll positions than before */
	if (rows > 0 && s->view.popup.cursor >= rows)
		rows = draw->text(s, g, screen, rows - 1);
	if (draw->text)
		drawn->layout.popup_rows = rows;
	else if (draw->list)
		draw->list(s, g, screen, drawn);
}
