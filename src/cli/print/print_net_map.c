/* Prints the path map as a table, the shares of the kinds beyond each stage, and where each kind is served. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/print/print.h"
#include "cli/print/print_net_page.h"
#include "core/network/path_map.h"

const char *
print_net_module_text(const struct network *n, size_t module)
{
	return *n->module[module].text ? n->module[module].text : n->module[module].name;
}

static size_t
place_width(const struct net_path_map *map, const struct network *network)
{
	size_t width = strlen("together");

	for (size_t r = 0; r < map->n_rows; r++)
		width = utf8_width(map->row[r].place) > width ? utf8_width(map->row[r].place) : width;
	for (size_t i = 0; i < network->n_stages; i++) {
		size_t w = strlen("beyond ") + utf8_width(network->stage[i].name);

		width = w > width ? w : width;
	}
	return width;
}

static size_t
kind_width(const struct network *n, size_t kind)
{
	size_t w = utf8_width(n->kind[kind].name);

	return w > NET_COLUMN ? w : NET_COLUMN;
}

/* "5.40 M"; "?" for an unknown value, "> 5" where only a part is known. */
static void
print_net_map_add_sum(struct print_net_page *p, struct net_sum sum, size_t width)
{
	char number[NUMBER_TEXT], *text;

	number_count(number, sum.hits, p->ascii);
	text = !sum.unknown ? mem_str(number) : sum.hits > 0 ? str_format(">%s", number) : mem_str("?");
	str_add(p->out, "  ");
	print_aligned(p->out, text, width, true);
	free(text);
}

/* "59.0 %"; "~59.0 %" of the known part, where something is unknown. */
static void
print_net_map_add_share(struct print_net_page *p, struct net_sum a, struct net_sum b, size_t width)
{
	char number[NUMBER_TEXT], *text;
	double share = net_share_known(a, b);

	text = isnan(share) ? mem_str("?")
			    : str_format("%s%s %%", isnan(net_share(a, b)) ? "~" : "", number_share(number, share));

	str_add(p->out, "  ");
	print_aligned(p->out, text, width, true);
	free(text);
}

static void
add_map_cell(struct print_net_page *page, const struct net_map_cell *cell, size_t width)
{
	const struct network *network = page->r->net;
	char *text = NULL;

	switch (cell->state) {
	case NET_CELL_REPORTED:
		print_net_map_add_sum(page, (struct net_sum){.hits = cell->hits, .unknown = cell->unknown}, width);
		return;
	case NET_CELL_ABSENT:
		text = mem_str(page->ascii ? "." : "·");
		break;
	case NET_CELL_UNREPORTED:
		text = mem_str("untold");
		break;
	case NET_CELL_WITH:
		text = str_format("%s %s", page->ascii ? "->" : "→", network->kind[cell->with].name);
		break;
	}
	str_add(page->out, "  ");
	print_aligned(page->out, text, width, true);
	free(text);
}

static void
print_net_map_add_sums(
	struct print_net_page *p, const struct net_path_map *m, const char *what, size_t first, size_t width)
{
	str_add(p->out, "  ");
	print_aligned(p->out, what, width, false);
	for (size_t k = 0; k < m->n_kinds; k++)
		print_net_map_add_sum(p, net_path_map_sum(m, first, m->n_rows, k), kind_width(p->r->net, k));
	print_net_map_add_sum(p, net_path_map_sum(m, first, m->n_rows, m->n_kinds), NET_COLUMN);
	str_addc(p->out, '\n');
}

/* The share of each kind in all that is served beyond a stage. */
static void
add_shares_beyond(struct print_net_page *p, const struct net_path_map *map, size_t stage, size_t width)
{
	size_t first = net_path_map_beyond(map, stage);
	struct net_sum all = net_path_map_sum(map, first, map->n_rows, map->n_kinds);
	char *what = str_format("beyond %s", p->r->net->stage[stage].name);

	str_add(p->out, "  ");
	print_aligned(p->out, what, width, false);
	for (size_t k = 0; k < map->n_kinds; k++)
		print_net_map_add_share(p, net_path_map_sum(map, first, map->n_rows, k), all, kind_width(p->r->net, k));
	print_net_map_add_sum(p, all, NET_COLUMN);
	str_addc(p->out, '\n');
	free(what);
}

static void
print_net_map_add_head(struct print_net_page *page, const char *what, const char *last, size_t width)
{
	const struct network *network = page->r->net;

	str_add(page->out, "  ");
	print_aligned(page->out, what, width, false);
	for (size_t k = 0; k < network->n_kinds; k++) {
		str_add(page->out, "  ");
		print_aligned(page->out, network->kind[k].name, kind_width(network, k), true);
	}
	str_add(page->out, "  ");
	print_aligned(page->out, last, NET_COLUMN, true);
	str_addc(page->out, '\n');
}

/* The share of each place in all requests of a kind that are served beyond the stage. */
static void
add_places_beyond(struct print_net_page *p, const struct net_path_map *map, size_t stage, size_t width)
{
	size_t first = net_path_map_beyond(map, stage);
	char *what = str_format("beyond %s", p->r->net->stage[stage].name);

	str_addf(p->out, "\nwhere each kind is served, of all that is served %s\n", what);
	print_net_map_add_head(p, "place", "together", width);
	for (size_t r = first; r < map->n_rows; r++) {
		str_add(p->out, "  ");
		print_aligned(p->out, map->row[r].place, width, false);
		for (size_t k = 0; k <= map->n_kinds; k++) {
			if (k < map->n_kinds && map->row[r].cell[k].state != NET_CELL_REPORTED)
				add_map_cell(p, &map->row[r].cell[k], kind_width(p->r->net, k));
			else
				print_net_map_add_share(p, net_path_map_sum(map, r, r + 1, k),
					net_path_map_sum(map, first, map->n_rows, k),
					k < map->n_kinds ? kind_width(p->r->net, k) : NET_COLUMN);
		}
		str_addc(p->out, '\n');
	}
	free(what);
}

void
print_net_add_map(struct print_net_page *page)
{
	const struct network *n = page->r->net;
	struct net_path_map *m = net_path_map_new(page->state);
	size_t width = place_width(m, n);
	bool some = false, whole = !net_path_map_sum(m, 0, m->n_rows, m->n_kinds).unknown;

	str_add(page->out, "\npath map: requests served at each place\n");
	print_net_map_add_head(page, "place", "together", width);
	for (size_t r = 0; r < m->n_rows; r++) {
		str_add(page->out, "  ");
		print_aligned(page->out, m->row[r].place, width, false);
		for (size_t k = 0; k < m->n_kinds; k++)
			add_map_cell(page, &m->row[r].cell[k], kind_width(n, k));
		print_net_map_add_sum(page, net_path_map_sum(m, r, r + 1, m->n_kinds), NET_COLUMN);
		str_addc(page->out, '\n');
	}
	print_net_map_add_sums(page, m, "together", 0, width);
	for (size_t i = 0; i < n->n_stages; i++) {
		size_t first = net_path_map_beyond(m, i);

		/* A stage that serves nothing is left out. */
		if (first == m->n_rows || (i > 0 && first == net_path_map_beyond(m, i - 1)))
			continue;
		if (!some)
			str_addf(page->out, "\nshares of the kinds in what is served%s\n",
				whole ? "" : " (~ of what is known)");
		some = true;
		add_shares_beyond(page, m, i, width);
	}
	if (page->r->beyond < n->n_stages)
		add_places_beyond(page, m, page->r->beyond, width);
	net_path_map_free(m);
}
