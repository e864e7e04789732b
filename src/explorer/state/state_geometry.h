/* View 4: the axes of its plot. */
#ifndef EXPLORER_STATE_STATE_GEOMETRY_H
#define EXPLORER_STATE_STATE_GEOMETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explorer/state/action.h"

struct geometry;
struct state;

/* Two axes: n coefficients each, over the counters of the geometry. */
struct plane {
	int64_t *x, *y;
	size_t n;
	bool sides; /* each axis is one side of a constraint, a sum of counters */
};

/* The plane shown of state_geometry(). False: no geometry, or fewer than two counters. Free with plane_clear(). */
bool state_plane(const struct state *, struct plane *);
void plane_clear(struct plane *);

/* The geometry of the observation under the cursor; NULL: not yet known, or none. */
const struct geometry *state_geometry(const struct state *);

/* Index in geometry.pair of the pair that the plane shows; n_pairs: none. */
size_t plane_pair(const struct geometry *, const struct plane *);

void state_plot_act(struct state *, enum action); /* actions of view 4 alone */
void state_show_constraint(struct state *);       /* show view 2's constraint in view 4 */
void state_show_geometry(struct state *);         /* open view 4; Esc comes back */

#endif
