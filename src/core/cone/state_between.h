/* Rows of a table of states that lie half-way between two others of it. Private to core/cone. */
#ifndef CORE_CONE_STATE_BETWEEN_H
#define CORE_CONE_STATE_BETWEEN_H

struct state_table;
struct vectors;

/* Take out of a table that is not empty the rows whose signature lies half-way between those of two others with the
 * same context, where a step of one event, or of one event exchanged for another, shows it. Rows must have no µpaths.
 * No row can be found or added afterwards. */
void state_between_leave_out(struct state_table *, const struct vectors *signatures);

#endif
