/* A heat map: rows in groups, columns, and a shade in each cell.
 *
 *               1 2 M T          1 LoadL1Bound   2 LoadL2Bound
 *     2-0           █ ░  mcf-like_1
 *                   █ ░  mcf-like_2
 *     2-1       ▒ ░ ░    gzip-like_1
 *
 * The same map is printed, drawn in the explorer, and written as SVG. */
#ifndef DRAW_HEAT_MAP_H
#define DRAW_HEAT_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "draw/cell.h"

struct skp;
struct str;
struct theme;

struct heat_row {
	char *name;        /* "mcf-like_1"; "mcf-like_1 to 8" for several slices, whose mean the row shows */
	size_t group;      /* index of its group; rows of a group stand together */
	double *value;     /* n_columns shares, 0 … 1 */
};

struct heat_column {
	const char *name;  /* not owned */
	char key;
	bool minor;        /* is drawn dim */
};

struct heat_map {
	const char *title; /* not owned */
	struct heat_row *row;
	size_t n_rows;
	struct heat_column *column;
	size_t n_columns;
	char **group;      /* n_groups names */
	size_t n_groups;
};

/* Makes the map of a round of Cliff-SKP: 0 is the first one, 1 … n_second the second ones. With `fold`, slices that
 * follow each other in their program and are in the same cluster share a row. The result keeps references to `skp`
 * and its slices. Free with heat_map_free(). */
struct heat_map *heat_map_of_skp(const struct skp *, size_t round, bool fold);
void heat_map_free(struct heat_map *);

/* Number of rows that the whole map takes at a width of `w` columns. */
int heat_map_height(const struct heat_map *, int w);
/* Draws into the rectangle, from 30 columns on: the legend, and the rows from `first` on that fit. */
void heat_map_draw(const struct heat_map *, struct grid *, struct rect, size_t first);
/* Appends a picture of the maps of all rounds. */
void heat_map_svg_of_skp(const struct skp *, bool fold, const struct theme *, struct str *);

#endif
