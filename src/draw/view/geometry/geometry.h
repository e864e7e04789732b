/* The parts of view 4: the plot, and the words next to it and below. */
#ifndef DRAW_VIEW_GEOMETRY_GEOMETRY_H
#define DRAW_VIEW_GEOMETRY_GEOMETRY_H

#include "draw/plot_canvas.h"
#include "draw/view/view_parts.h"
#include "explorer/state/state_geometry.h"
#include "work/analysis/geometry.h"

/* The contents of a plot: geometry, axes, and their shadow. */
struct scene {
	const struct geometry *g;
	struct plane plane;
	struct geometry_shadow shadow;
};

/* The part of the plane that a plot shows, and its place on the canvas. */
struct window {
	double x0, x1, y0, y1;
	int columns, rows;
	bool whole; /* the plotted values are exact counts */
};

/* The place on the canvas of a value, in dots. */
double plot_dot_x(const struct window *, double x);
double plot_dot_y(const struct window *, double y);
double plot_sample_along(const struct geometry *, size_t row, const int64_t *coef); /* a sample's value on an axis */

/* The window that shows the whole cone; and that of the region and, if the observation breaks it, the edge. */
struct window plot_whole_window(const struct state *, const struct scene *, struct rect);
struct window plot_region_window(const struct state *, const struct scene *, struct rect);
/* The zoom that the user chose; else the whole cone if the region is large enough in it, and apart from the cone if it
 * misses it. */
enum plot_zoom plot_zoom_of(const struct state *, const struct scene *, struct rect);
/* The points of the edge at the mean's x and at its y: the ends of the gap. False: there are none. */
bool plot_edge_at_mean(const struct scene *, struct geometry_point *up, struct geometry_point *side);
/* The outline of the region that decides, or the ellipse if the cone itself is tested. */
const struct geometry_polygon *plot_deciding_region(const struct state *, const struct scene *);

bool scene_open(const struct state *, struct scene *); /* false: there is no picture */
void scene_close(struct scene *);
void scene_roles(const struct state *, enum role role[PLOT_LAYERS]);
bool scene_boxes(const struct state *, enum region_kind); /* is this region drawn? */

/* "MIN hp + MAJ", with the letters of trust. The caller frees. */
char *axis_name(const struct state *, const struct scene *, const int64_t *coef);
/* The edge with normal shadow.normal: "pde$_miss <= causes_walk". NULL if it only says that counts are not negative.
 * The caller frees. */
char *edge_text(const struct state *, const struct scene *);

/* Writes the plot's finding into the status line; false: there is none. */
bool geometry_sentence(const struct state *, struct line *);

void draw_legend(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

#endif
