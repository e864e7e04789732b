/* The popup of slices: which parts of a core matter for its programs, a heat map for each round of Cliff-SKP, and the
 * probes to run next. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "core/stack/stack.h"
#include "draw/heat_map.h"
#include "draw/view/probes/probes.h"
#include "draw/view/view_table.h"
#include "explorer/state/state_probes.h"
#include "work/slices/sliced.h"

enum { WIDEST = 110, HEAD_ROWS = 2, ROWS_LEAST = 3, WAITING_ROWS = 10, SHARE_END = 28, PROBES_X = 30 };

static void
draw_waiting(const struct state *state, struct grid *grid, struct rect r)
{
	struct page p = {.s = state, .g = grid, .r = r};
	size_t done = state->data.slicing ? slicing_programs(state->data.slicing) : 0;
	struct line l = page_line(&p);

	line_add(&l, ROLE_ACCENT, 0, "%s ",
		glyph_spinner(state->view.frame.motion ? (unsigned)(state->view.frame.now * 10) : 0, grid->ascii));
	line_add(&l, ROLE_TEXT, 0, "%zu program%s simulated", done, plural_s(done));
	page_blank(&p);
	page_words(&p, ROLE_DIM,
		"Programs are run on the simulated core and cut into slices. What takes the slots of slices that are "
		"alike says which probes to run next. Esc ends it.");
}

/* Draws the map from its row `first` on: where the legend leaves no room for rows, it scrolls with them. */
static void
draw_part(const struct heat_map *m, struct grid *g, struct rect r, int first)
{
	struct grid *all = grid_new(r.w, heat_map_height(m, r.w), g->ascii);

	heat_map_draw(m, all, (struct rect){0, 0, all->w, all->h}, 0);
	for (int y = 0; y < r.h && first + y < all->h; y++)
		for (int x = 0; x < r.w; x++)
			*grid_at(g, r.x + x, r.y + y) = *grid_at(all, x, first + y);
	grid_free(all);
}

/* A round: what it is made of, and its map. Returns its scroll positions. */
static int
draw_round(const struct state *state, struct grid *grid, struct rect r, int first, const struct skp_round *of,
	const struct heat_map *map)
{
	struct line l = line_on(grid, r, 0);
	struct rect body = {r.x + 1, r.y + HEAD_ROWS, r.w - 2, r.h - HEAD_ROWS};
	int height = heat_map_height(map, body.w), rows = body.h - (height - (int)map->n_rows);
	int positions = height > body.h ? height - body.h + 1 : 1;

	first = first < positions ? first : positions - 1;
	line_add(&l, ROLE_TEXT, CELL_BOLD, "Round %d: %s", state->view.popup.round ? 2 : 1, map->title);
	line_gap(&l, 2);
	line_add(&l, ROLE_DIM, 0, "%zu slices, %zu cluster%s", of->n, of->n_clusters, plural_s(of->n_clusters));
	if (rows >= ROWS_LEAST)
		heat_map_draw(map, grid, body, (size_t)first);
	else if (body.h > 0)
		draw_part(map, grid, body, first);
	return positions;
}

static int
draw_next(const struct state *state, struct grid *grid, struct rect r, int first, const struct skp *skp)
{
	struct page p = {.s = state, .g = grid, .r = r, .skip = first};
	size_t n;
	struct skp_weight *weight = skp_weights(skp, &n);

	page_head(&p, "Probes to run next", "part, % of all slots, and what measures it");
	page_blank(&p);
	for (size_t i = 0; i < n; i++) {
		const char *name = skp->slices->stack->part[weight[i].part].name, *probes = skp_probes(name);
		char *share = str_format("%.1f", 100 * weight[i].share);
		struct line l = page_line(&p);

		line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", name);
		line_to(&l, SHARE_END - (int)strlen(share));
		line_add(&l, ROLE_TEXT, 0, "%s", share);
		page_hanging(&p, PROBES_X, probes ? ROLE_TEXT : ROLE_DIM, probes ? probes : "no probe so far");
		free(share);
	}
	if (n == 0)
		page_words(&p, ROLE_TEXT, "No part takes enough slots to be worth a probe.");
	free(weight);
	return page_rows(&p);
}

static int
draw_slices_popup(const struct state *state, struct grid *grid, struct rect screen, int first)
{
	const struct sliced *sliced = state->data.sliced;
	const struct skp *skp = sliced ? sliced->skp : NULL;
	size_t round = state->view.popup.round;
	struct heat_map *map = skp && round <= skp->n_second ? heat_map_of_skp(skp, round, true) : NULL;
	int w = screen.w - 8 < WIDEST ? screen.w - 8 : WIDEST, positions = 1;
	int h = map ? HEAD_ROWS + heat_map_height(map, w - 4) + 3 : skp ? screen.h - 6 : WAITING_ROWS;
	const char *of = sliced ? sliced->of : state->data.slicing ? slicing_of(state->data.slicing) : NULL;
	char *title = str_format("Slices%s%s", of ? " of " : "", of ? of : "");
	char *info = skp ? str_format("%zu of %zu · left, right: others", round + 1, 2 + skp->n_second) : NULL;
	struct rect in = draw_popup(grid, screen, w, h, title, info);

	if (map)
		positions = draw_round(state, grid, in, first, round ? &skp->second[round - 1] : &skp->first, map);
	else if (skp)
		positions = draw_next(state, grid, in, first, skp);
	else
		draw_waiting(state, grid, in);
	heat_map_free(map);
	free(title);
	free(info);
	return positions;
}

const struct popup_draw popup_draw_slices = {.text = draw_slices_popup};
