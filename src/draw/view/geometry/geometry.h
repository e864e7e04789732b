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
