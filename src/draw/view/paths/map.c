/* Where requests were served: how many of each kind at each place. A measured zero, a missing count, an undefined
 * number, and a number shared with another kind look different. */
#include "draw/view/paths/paths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/path_map.h"
#include "core/network/state.h"
#include "draw/view/view_page.h"
#include "explorer/state/state_paths.h"
#include "work/timeline/timeline.h"

#define PLACE_COLUMNS 25
#define CELL_COLUMNS 9
#define LYING_FROM 100 /* columns from which each place is a row; below, places are columns if all fit */
#define BAR_COLUMNS 17
#define LABEL_LEAST 6  /* columns of a kind's name, if places are columns */
#define PLACE_LEAST 6  /* columns of a number */

/* The number of places listed, and of those folded away. */
static size_t
count_places(const struct state *s, size_t *folded)
{
	size_t n;

	free(state_paths_places(s, &n, folded));
	return n;
}

static int
label_columns(const struct state *s, int w)
{
	const struct network *n = timeline_network(s->data.timeline);
	int columns = LABEL_LEAST;
	size_t folded, places = count_places(s, &folded);

	for (size_t k = 0; k < n->n_kinds; k++)
		columns = (int)strlen(n->kind[k].name) + 2 > columns ? (int)strlen(n->kind[k].name) + 2 : columns;
	return (w - columns) / (int)(places + 1) >= PLACE_LEAST
		? columns : LABEL_LEAST;
}

/* A place; if its name does not fit, its module, or what tells it from the module's first place: "written". */
static const char *
short_place(const struct network *n, const struct net_path_map *m, size_t row, int room)
{
	const char *place = m->row[row].place, *comma = strstr(place, ", ");

	if ((int)strlen(place) <= room)
		return place;
	if (row && m->row[row - 1].module == m->row[row].module)
		return comma && (int)strlen(comma + 2) <= room ? comma + 2 : place;
	return n->module[m->row[row].module].name;
}

/* Draws a place's name. Names that begin alike lose their middle, others their end. */
static void
draw_place_name(const struct pen *pen, int x, int y, int room, const char *name, const struct net_path_map *map)
{
	size_t alike = 0;

	for (size_t i = 0; i < map->n_rows && room > 1; i++)
		alike += strncmp(map->row[i].place, name, (size_t)room / 2) == 0;
	(alike > 1 ? pen_fit_middle : pen_fit)(pen, x, y, room, name);
}

/* Would many names be cut if places were columns? */
static bool
cuts_names(const struct state *s, int room)
{
	const struct network *n = timeline_network(s->data.timeline);
	size_t places, folded, *row = state_paths_places(s, &places, &folded), cut = 0;

	for (size_t i = 0; i < places; i++)
		cut += (int)strlen(short_place(n, state_timeline_shown(s).analysis->map, row[i], room)) > room;
	free(row);
	return cut * 4 > places;
}

/* Are places columns? Only where all fit; if that cuts many names, only where the height is too small for rows. */
static bool
is_upright(const struct state *s, int w, int h)
{
	size_t folded, places = count_places(s, &folded);
	int wide = (w - LABEL_LEAST) / (int)(places + 1);

	return w < LYING_FROM && state_timeline_shown(s).analysis && wide >= PLACE_LEAST &&
		!(h >= (int)places + (folded > 0) + 3 && cuts_names(s, wide - 1));
}

int
path_map_rows(const struct state *s, int w, int h)
{
	const struct network *n = s->data.timeline ? timeline_network(s->data.timeline) : NULL;
	size_t folded, places = count_places(s, &folded);

	if (!n || !state_timeline_shown(s).analysis)
		return 12; /* the pane next to it says what would be counted */
	return is_upright(s, w, h) ? (int)n->n_kinds + 1 : (int)places + (folded > 0) + 3;
}

int
path_map_columns(const struct state *s, int most)
{
	enum { LEAST = 40 };
	const struct network *n = s->data.timeline ? timeline_network(s->data.timeline) : NULL;
	const struct net_path_map *m = n && state_timeline_shown(s).analysis ? state_timeline_shown(s).analysis->map
										: NULL;
	int place = 14, wish;

	for (size_t i = 0; m && i < m->n_rows; i++)
		place = (int)strlen(m->row[i].place) + 3 > place ? (int)strlen(m->row[i].place) + 3 : place;
	wish = n ? (place < PLACE_COLUMNS ? place : PLACE_COLUMNS) + (int)n->n_kinds * CELL_COLUMNS + 1 : LEAST;
	return m && wish > LEAST ? wish < most ? wish : most : LEAST;
}

/* The contents of a cell. */
static enum role
cell_text(const struct state *state, const struct net_map_cell *cell, bool brief, char out[NUMBER_TEXT])
{
	const struct network *network = timeline_network(state->data.timeline);
	double hits = cell->hits / timeline_per(state);

	switch (cell->state) {
	case NET_CELL_ABSENT:
		snprintf(out, NUMBER_TEXT, "·");
		return ROLE_DIM;
	case NET_CELL_UNREPORTED:
		snprintf(out, NUMBER_TEXT, "?");
		return ROLE_UNDECIDED;
	case NET_CELL_WITH:
		snprintf(out, NUMBER_TEXT, brief ? "→" : "→ %.8s", network->kind[cell->with].name);
		return ROLE_DIM;
	case NET_CELL_REPORTED:
		break;
	}
	if (cell->unknown && !(cell->hits > 0)) {
		snprintf(out, NUMBER_TEXT, "?");
		return ROLE_UNDECIDED;
	}
	if (cell->unknown) { /* the true number is larger */
		char number[NUMBER_TEXT];

		snprintf(out, NUMBER_TEXT, ">%.24s",
			brief ? number_brief(number, hits) : number_count(number, hits, false));
	} else if (brief && state->view.timeline.rates && hits > 0 && hits < 9.95) {
		snprintf(out, NUMBER_TEXT, hits < 0.05 ? "<.1" : "%.1f", hits);
	} else if (brief) {
		number_brief(out, hits);
	} else {
		number_count(out, hits, false);
	}
	return ROLE_TEXT;
}

/* The first row after the blocks' stages: requests served from there on are the uncore's. */
static size_t
first_shared(const struct state *s, const struct network *n)
{
	enum scope block = n->module[n->stage[0].first].per;

	for (size_t i = 0; i < n->n_stages; i++)
		if (n->module[n->stage[i].first].per != block)
			return i ? net_path_map_beyond(state_timeline_shown(s).analysis->map, i - 1) : 0;
	return 0;
}

/* The name for the rows from `first` on: "beyond l2". */
static const char *
beyond_name(const struct network *n)
{
	enum scope block = n->module[n->stage[0].first].per;

	for (size_t i = 1; i < n->n_stages; i++)
		if (n->module[n->stage[i].first].per != block)
			return n->stage[i - 1].name;
	return NULL;
}

static double
map_sum_of(const struct net_path_map *m, size_t first)
{
	return net_path_map_sum(m, first, m->n_rows, m->n_kinds).hits;
}

/* --- a row for each place ---------------------------------------------------------------------------------------- */

static void
add_right(struct line *l, int end, enum role role, unsigned char attr, const char *text)
{
	l->pen.fg = role;
	l->pen.attr = attr;
	if (end <= l->end)
		pen_right(&l->pen, end, l->y, text);
}

/* Requests per second of a part of the map; NAN: the time is not known, there is a comparison instead, or all cells are
 * rates. */
static double
rate_of(const struct state *s, double hits)
{
	const struct timeline_shown shown = state_timeline_shown(s);
	double seconds = net_state_seconds(shown.analysis->state);

	return !shown.other && !s->view.timeline.rates && seconds > 0 ? hits / seconds : NAN;
}

/* Is there room for a column of rates? */
static bool
has_rates(const struct state *s, int place, int w)
{
	int kinds = (int)timeline_network(s->data.timeline)->n_kinds;

	return place + (kinds + 1) * CELL_COLUMNS < w && !isnan(rate_of(s, 0));
}

/* Values and changes next to each other, or only changes. */
static bool
has_both(const struct network *n, int place, int w)
{
	return place + (int)n->n_kinds * (CELL_COLUMNS + 6) <= w;
}

static double
other_hits(const struct state *s, size_t row, size_t kind)
{
	const struct net_path_map *o = state_timeline_shown(s).other ? state_timeline_shown(s).other->map : NULL;

	return o && row < o->n_rows && o->row[row].cell[kind].state == NET_CELL_REPORTED &&
			!o->row[row].cell[kind].unknown ? o->row[row].cell[kind].hits : NAN;
}

/* "↑2.1×", "=" for about the same; a number that cannot be compared stays as it is. */
static enum role
change_text(const struct state *s, size_t row, size_t kind, char out[NUMBER_TEXT])
{
	const struct net_map_cell *c = &state_timeline_shown(s).analysis->map->row[row].cell[kind];
	double was = other_hits(s, row, kind);

	if (c->state != NET_CELL_REPORTED || c->unknown || isnan(was))
		return cell_text(s, c, true, out);
	if (!*number_change(out, c->hits, was))
		snprintf(out, NUMBER_TEXT, "=");
	return *out == '=' ? ROLE_DIM : c->hits > was ? ROLE_INFEASIBLE : ROLE_FEASIBLE;
}

static void
draw_place(
	const struct state *state, struct grid *grid, struct rect r, size_t row, int place, double beyond, double top)
{
	const struct timeline_shown shown = state_timeline_shown(state);
	const struct network *network = timeline_network(state->data.timeline);
	const struct net_path_map *map = shown.analysis->map;
	struct line l = line_on(grid, r, 0);
	int x = r.x + place;
	size_t most = 0;
	double sum = net_path_map_sum(map, row, row + 1, map->n_kinds).hits;
	char number[NUMBER_TEXT];

	l.pen.fg = ROLE_TEXT;
	draw_place_name(&l.pen, l.x, l.y, place - 2, map->row[row].place, map);
	for (size_t k = 0; k < network->n_kinds; k++) {
		const struct net_map_cell *cell = &map->row[row].cell[k];
		bool alone = shown.other && !has_both(network, place, r.w);
		enum role role = alone ? change_text(state, row, k, number) : cell_text(state, cell, false, number);
		char change[NUMBER_TEXT];

		if (cell->hits > map->row[row].cell[most].hits)
			most = k;
		x += CELL_COLUMNS;
		add_right(&l, x, role, 0, number);
		if (!shown.other || alone)
			continue;
		x += 6;
		number_change(change, cell->hits, other_hits(state, row, k));
		add_right(&l, x, *change && cell->hits > other_hits(state, row, k) ? ROLE_INFEASIBLE : ROLE_FEASIBLE, 0,
			change);
	}
	if (has_rates(state, place, r.w)) {
		x += CELL_COLUMNS;
		add_right(&l, x, ROLE_DIM, 0, sum > 0 ? number_count(number, rate_of(state, sum), false) : "");
	}
	if (isnan(beyond) || l.end - x < 10)
		return;
	add_right(&l, l.end - 1, ROLE_TEXT, 0, sum > 0 && beyond > 0 ? number_share(number, sum / beyond) : "");
	if (l.end - x >= BAR_COLUMNS && top > 0 && sum > 0) {
		l.pen.fg = path_kind_role(most);
		l.pen.attr = 0;
		draw_bar(&l.pen, x + 2, l.y, l.end - x - 9, sum / top);
	}
}

static void
draw_sums(const struct state *state, struct grid *grid, struct rect r, int place, size_t first, bool share)
{
	const struct network *network = timeline_network(state->data.timeline);
	const struct net_path_map *map = state_timeline_shown(state).analysis->map;
	struct line l = line_on(grid, r, 0);
	struct net_sum all = net_path_map_sum(map, first, map->n_rows, map->n_kinds);
	int x = r.x + place;
	char number[NUMBER_TEXT];

	if (share)
		line_add(&l, ROLE_DIM, 0, "share of that");
	else if (first)
		line_add(&l, ROLE_DIM, 0, "beyond %s", beyond_name(network));
	else
		line_add(&l, ROLE_DIM, 0, "together");
	for (size_t k = 0; k < network->n_kinds; k++) {
		struct net_sum one = net_path_map_sum(map, first, map->n_rows, k);
		double part = net_share_known(one, all);

		x += CELL_COLUMNS;
		if (share && !isnan(part)) {
			char *text = str_format("%s%s %%", one.unknown || all.unknown ? "~" : "",
				number_share(number, part));

			add_right(&l, x, path_kind_role(k), path_kind_attr(k), text);
			free(text);
		} else if (!share) {
			char *text = str_format("%s%s", one.unknown ? ">" : "",
				number_count(number, one.hits / timeline_per(state), false));

			add_right(&l, x, path_kind_role(k), path_kind_attr(k), text);
			free(text);
		}
		x += state_timeline_shown(state).other && has_both(network, place, r.w) ? 6 : 0;
	}
	if (!share && has_rates(state, place, r.w))
		add_right(&l, x + CELL_COLUMNS, ROLE_DIM, 0, number_count(number, rate_of(state, all.hits), false));
}

/* Columns of the places' names: fewer where that makes room for rates, and still fewer for the kinds. */
static int
fit_place(const struct state *state, int place, int w)
{
	enum { LEAST = 10, WITH_RATES = 15 };
	int kinds = (int)timeline_network(state->data.timeline)->n_kinds * CELL_COLUMNS, rest = w - kinds;

	if (rest - CELL_COLUMNS - 1 >= WITH_RATES && !isnan(rate_of(state, 0)))
		rest -= CELL_COLUMNS + 1;
	return place < rest ? place : rest > LEAST ? rest : LEAST;
}

static void
draw_lying(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct timeline_shown shown = state_timeline_shown(state);
	const struct network *network = timeline_network(state->data.timeline);
	const struct net_path_map *map = shown.analysis->map;
	size_t rows, folded, *row = state_paths_places(state, &rows, &folded), first = first_shared(state, network);
	int cursor = state->view.cursor[PANE_PATH_MAP] < (int)rows ? state->view.cursor[PANE_PATH_MAP] : (int)rows - 1,
	    place = 14, room = r.h - 1, from, used;
	struct line l = line_on(grid, r, 0);
	double beyond = first ? map_sum_of(map, first) : map_sum_of(map, 0), top = 0;

	for (size_t i = 0; i < rows; i++)
		place = (int)strlen(map->row[row[i]].place) + 2 > place ? (int)strlen(map->row[row[i]].place) + 2
									: place;
	place = place > PLACE_COLUMNS ? PLACE_COLUMNS : place;
	place = fit_place(state, place, r.w);
	line_add(&l, ROLE_DIM, 0, "place");
	for (size_t k = 0, x = (size_t)(r.x + place); k < network->n_kinds; k++) {
		x += CELL_COLUMNS;
		add_right(&l, (int)x, path_kind_role(k), path_kind_attr(k), network->kind[k].name);
		x += shown.other && has_both(network, place, r.w) ? 6 : 0;
	}
	if (has_rates(state, place, r.w))
		add_right(&l, r.x + place + ((int)network->n_kinds + 1) * CELL_COLUMNS, ROLE_DIM, 0, "per s");
	if (r.w - place - ((int)network->n_kinds + has_rates(state, place, r.w)) * CELL_COLUMNS >= BAR_COLUMNS &&
		!shown.other)
		add_right(&l, l.end - 1, ROLE_DIM, 0, first ? "% of beyond" : "%");
	for (size_t i = 0; i < rows; i++)
		top = row[i] >= first && net_path_map_sum(map, row[i], row[i] + 1, map->n_kinds).hits > top
			? net_path_map_sum(map, row[i], row[i] + 1, map->n_kinds).hits : top;
	room -= folded && room >= (int)rows + 3 ? 3
		: room >= (int)rows + 2 ? 2 : room >= (int)rows + 1 || room > 4 ? 1 : 0;
	r = (struct rect){r.x, r.y + 1, r.w, r.h - 1};
	from = draw_list_rows(
		(struct rect){r.x, r.y, r.w, room}, cursor, (int)rows, PANE_PATH_MAP, ACTION_place, drawn);
	for (used = 0; used < room && from + used < (int)rows; used++) {
		struct rect line = {r.x, r.y + used, r.w, 1};

		draw_place(state, grid, line, row[from + used], place, row[from + used] >= first ? beyond : NAN, top);
		if (from + used == cursor)
			draw_cursor(grid, line, focus);
	}
	if (folded && r.h > used + 2) {
		struct pen p = pen_on(grid, (struct rect){r.x, r.y + used, r.w, 1}, ROLE_DIM);

		pen_textf(&p, r.x + 1, r.y + used, "%zu places without requests · * lists them", folded);
		used++;
	}
	if (r.h > used)
		draw_sums(state, grid, (struct rect){r.x, r.y + used, r.w, 1}, place, first, false);
	if (r.h > used + 1)
		draw_sums(state, grid, (struct rect){r.x, r.y + used + 1, r.w, 1}, place, first, true);
	free(row);
}

/* --- a column for each place ------------------------------------------------------------------------------------- */

static void
draw_standing(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct network *n = timeline_network(state->data.timeline);
	const struct net_path_map *m = state_timeline_shown(state).analysis->map;
	size_t places, folded, *row = state_paths_places(state, &places, &folded);
	int label = label_columns(state, r.w), wide = (r.w - label) / (int)(places + 1),
	    cursor = state->view.cursor[PANE_PATH_MAP];
	size_t first = first_shared(state, n);
	struct net_sum all = net_path_map_sum(m, first, m->n_rows, m->n_kinds);
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < places; i++) {
		struct pen p = pen_on(grid, r, (int)i == cursor && focus ? ROLE_ACCENT : ROLE_DIM);
		const char *place = short_place(n, m, row[i], wide - 1);
		int x = r.x + label + (int)i * wide,
		    columns = pen_columns(&p, place) < wide - 1 ? pen_columns(&p, place) : wide - 1;

		draw_place_name(&p, x + wide - columns, r.y, columns, place, m);
		hit_add(drawn, (struct rect){x, r.y, wide, r.h}, HIT_ROW, PANE_PATH_MAP, (int)i, ACTION_place);
		for (size_t k = 0; k < n->n_kinds && (int)k + 1 < r.h; k++) {
			p.fg = state_timeline_shown(state).other
				? change_text(state, row[i], k, number)
				: cell_text(state, &m->row[row[i]].cell[k], true, number);
			pen_right(&p, x + wide, r.y + 1 + (int)k, number);
		}
		if ((int)i == cursor && focus)
			grid_tint(grid, (struct rect){x + 1, r.y, wide, (int)n->n_kinds + 1}, ROLE_SELECT);
	}
	for (size_t k = 0; k < n->n_kinds && (int)k + 1 < r.h; k++) {
		struct pen p = pen_on(grid, r, path_kind_role(k));
		struct net_sum one = net_path_map_sum(m, first, m->n_rows, k);
		double share = net_share_known(one, all);

		p.attr = path_kind_attr(k);
		pen_fit(&p, r.x + 1, r.y + 1 + (int)k, label - 1, n->kind[k].name);
		p.attr = 0;
		if (!isnan(share)) {
			char *text = str_format("%s%s%s", one.unknown || all.unknown ? "~" : "",
				number_share(number, share), k ? "" : " %");

			pen_right(&p, r.x + r.w - (k ? 2 : 0), r.y + 1 + (int)k, text);
			free(text);
		}
	}
	{
		struct pen p = pen_on(grid, r, ROLE_DIM);
		const char *name = beyond_name(n);
		char *text = str_format("%s%s", first ? ">" : "", first && name ? name : "share");

		pen_right(&p, r.x + r.w, r.y, text);
		free(text);
	}
	free(row);
}

void
draw_path_map(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct page p = {.s = state, .g = grid, .r = r};

	if (state_timeline_shown(state).analysis && state_timeline_shown(state).analysis->map->n_rows) {
		if (is_upright(state, r.w, r.h))
			draw_standing(state, grid, r, focus, drawn);
		else
			draw_lying(state, grid, r, focus, drawn);
		return;
	}
	if (!state->data.timeline || !timeline_network(state->data.timeline))
		page_words(&p, ROLE_DIM, "This pane shows where requests are served. It needs a network.");
	else if (!state_timeline_shown(state).analysis)
		page_words(&p, ROLE_DIM,
			"No snapshot has the counters yet. One that has them will show here where requests of each "
			"kind were served. hecate net NAME --check lists the counters.");
	else
		page_words(&p, ROLE_DIM, "This network defines no places where requests are served.");
}
