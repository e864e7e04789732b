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
#include "cli/print/text_table.h"
#include "core/network/path_map.h"

/* A column for the place, one for each kind, and one for all kinds together. The caller frees. */
static struct text_column *
map_columns(const struct net_path_map *map, const struct network *network)
{
	struct text_column *column = mem_new_array(map->n_kinds + 2, sizeof *column);
	size_t width = strlen("together");

	for (size_t r = 0; r < map->n_rows; r++)
		width = utf8_width(map->row[r].place) > width ? utf8_width(map->row[r].place) : width;
	for (size_t i = 0; i < network->n_stages; i++) {
		size_t w = strlen("beyond ") + utf8_width(network->stage[i].name);

		width = w > width ? w : width;
	}
	column[0] = (struct text_column){.title = "place", .gap = 2, .width = width};
	for (size_t k = 0; k <= map->n_kinds; k++) {
		const char *title = k < map->n_kinds ? network->kind[k].name : "together";

		column[k + 1] = (struct text_column){.title = title, .right = true,
			.width = utf8_width(title) > NET_COLUMN ? utf8_width(title) : NET_COLUMN};
	}
	return column;
}

/* "5.40 M"; "?" for an unknown value, "> 5" where only a part is known. */
static void
print_net_map_add_sum(const struct print_net_page *page, struct text_table *table, struct net_sum sum)
{
	char number[NUMBER_TEXT];

	if (sum.unknown && !(sum.hits > 0))
		text_table_add(table, "?");
	else
		text_table_addf(table, "%s%s", sum.unknown ? ">" : "", number_count(number, sum.hits, page->ascii));
}

/* "59.0 %"; "~59.0 %" of the known part, where something is unknown. */
static void
print_net_map_add_share(struct text_table *table, struct net_sum a, struct net_sum b)
{
	char number[NUMBER_TEXT];
	double share = net_share_known(a, b);

	if (isnan(share))
		text_table_add(table, "?");
	else
		text_table_addf(table, "%s%s %%", isnan(net_share(a, b)) ? "~" : "", number_share(number, share));
}

static void
add_map_cell(const struct print_net_page *page, struct text_table *table, const struct net_map_cell *cell)
{
	switch (cell->state) {
	case NET_CELL_REPORTED:
		print_net_map_add_sum(page, table, (struct net_sum){.hits = cell->hits, .unknown = cell->unknown});
		break;
	case NET_CELL_ABSENT:
		text_table_add(table, page->ascii ? "." : "·");
		break;
	case NET_CELL_UNREPORTED:
		text_table_add(table, "untold");
		break;
	case NET_CELL_WITH:
		text_table_addf(table, "%s %s", page->ascii ? "->" : "→", page->r->net->kind[cell->with].name);
		break;
	}
}

/* The share of each kind in all that is served beyond a stage. */
static void
add_shares_beyond(
	const struct print_net_page *page, struct text_table *table, const struct net_path_map *map, size_t stage)
{
	size_t first = net_path_map_beyond(map, stage);
	struct net_sum all = net_path_map_sum(map, first, map->n_rows, map->n_kinds);

	text_table_row(table, "beyond %s", page->r->net->stage[stage].name);
	for (size_t k = 0; k < map->n_kinds; k++)
		print_net_map_add_share(table, net_path_map_sum(map, first, map->n_rows, k), all);
	print_net_map_add_sum(page, table, all);
}

/* The share of each place in all requests of a kind that are served beyond the stage. */
static void
add_places_beyond(const struct print_net_page *page, const struct net_path_map *map, const struct text_column *column)
{
	size_t stage = page->r->beyond, first = net_path_map_beyond(map, stage);
	struct text_table *table = text_table_new(column, map->n_kinds + 2, page->ascii);

	for (size_t r = first; r < map->n_rows; r++) {
		text_table_row(table, "%s", map->row[r].place);
		for (size_t k = 0; k <= map->n_kinds; k++)
			if (k < map->n_kinds && map->row[r].cell[k].state != NET_CELL_REPORTED)
				add_map_cell(page, table, &map->row[r].cell[k]);
			else
				print_net_map_add_share(table, net_path_map_sum(map, r, r + 1, k),
					net_path_map_sum(map, first, map->n_rows, k));
	}
	str_addf(page->out, "\nwhere each kind is served, of all that is served beyond %s\n",
		page->r->net->stage[stage].name);
	text_table_end(table, page->out);
}

void
print_net_add_map(struct print_net_page *page)
{
	const struct network *n = page->r->net;
	struct net_path_map *m = net_path_map_new(page->state);
	struct text_column *column = map_columns(m, n);
	struct text_table *table = text_table_new(column, m->n_kinds + 2, page->ascii);
	bool some = false, whole = !net_path_map_sum(m, 0, m->n_rows, m->n_kinds).unknown;

	for (size_t r = 0; r < m->n_rows; r++) {
		text_table_row(table, "%s", m->row[r].place);
		for (size_t k = 0; k < m->n_kinds; k++)
			add_map_cell(page, table, &m->row[r].cell[k]);
		print_net_map_add_sum(page, table, net_path_map_sum(m, r, r + 1, m->n_kinds));
	}
	text_table_row(table, "together");
	for (size_t k = 0; k <= m->n_kinds; k++)
		print_net_map_add_sum(page, table, net_path_map_sum(m, 0, m->n_rows, k));
	for (size_t i = 0; i < n->n_stages; i++) {
		size_t first = net_path_map_beyond(m, i);

		/* A stage that serves nothing is left out. */
		if (first == m->n_rows || (i > 0 && first == net_path_map_beyond(m, i - 1)))
			continue;
		if (!some)
			str_addf(text_table_below(table), "\nshares of the kinds in what is served%s\n",
				whole ? "" : " (~ of what is known)");
		some = true;
		add_shares_beyond(page, table, m, i);
	}
	str_add(page->out, "\npath map: requests served at each place\n");
	text_table_end(table, page->out);
	if (page->r->beyond < n->n_stages)
		add_places_beyond(page, m, column);
	free(column);
	net_path_map_free(m);
}
