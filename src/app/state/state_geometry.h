/* What view 4 does with the session: which axes its plot has. */
#ifndef APP_STATE_STATE_GEOMETRY_H
#define APP_STATE_STATE_GEOMETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/state/action.h"

struct geometry;
struct state;

/* Two axes: n coefficients each, over the counters of the geometry. */
struct plane {
	int64_t *x, *y;
	size_t n;
	bool sides; /* an axis is a sum: a side of a constraint */
};

/* Of the geometry that is there for the observation under the cursor; false: there is none, or none of two counters.
 * Free with plane_clear(). */
bool state_plane(const struct state *, struct plane *);
void plane_clear(struct plane *);

/* That geometry; NULL: not told yet, or there is none. */
const struct geometry *state_geometry(const struct state *);

/* Place in geometry.pair of the pair that the plane shows; n_pairs: none. */
size_t plane_pair(const struct geometry *, const struct plane *);

void state_plot_act(struct state *, enum action); /* the actions of view 4 only */
void state_show_constraint(struct state *);       /* that of view 2, in view 4 */
void state_show_geometry(struct state *);         /* view 4; Esc comes back */

#endif
