/* The parts of view 4: the plot, and the words beside and below it. */
#ifndef DRAW_VIEW_GEOMETRY_GEOMETRY_H
#define DRAW_VIEW_GEOMETRY_GEOMETRY_H

#include "app/analysis/geometry.h"
#include "app/state/state_geometry.h"
#include "draw/plot_canvas.h"
#include "draw/view/view_parts.h"

/* What is drawn: geometry, axes, and their shadow. */
struct scene {
	const struct geometry *g;
	struct plane plane;
	struct shadow shadow;
};

bool scene_open(const struct state *, struct scene *); /* false: there is no picture */
void scene_close(struct scene *);
void scene_roles(const struct state *, enum role role[PLOT_LAYERS]);
bool scene_boxes(const struct state *, enum region_kind); /* is this region drawn? */

/* "MIN + MAJ"; brief: without what counters' names have in front of the last dot. The caller frees. */
char *axis_name(const struct state *, const struct scene *, const int64_t *coef, bool brief);
/* The edge that shadow.normal is of: "pde$_miss <= causes_walk", NULL where it says no more than that counts are not
 * negative. The caller frees. */
char *edge_text(const struct state *, const struct scene *);

/* What the plot shows, in the status line; false: there is nothing to say. */
bool geometry_sentence(const struct state *, struct line *);

void draw_legend(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

#endif
