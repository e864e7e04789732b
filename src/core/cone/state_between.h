/* Finds rows of a table of states that lie half-way between two other rows. Private to core/cone. */
#ifndef CORE_CONE_STATE_BETWEEN_H
#define CORE_CONE_STATE_BETWEEN_H

struct state_table;
struct vectors;

/* Removes from a table, which must not be empty, the rows whose signature lies half-way between those of two other rows
 * with the same context. It finds those for which a step of one event, or of one event exchanged for another, shows it.
 * Rows must have no µpaths. Afterwards rows can neither be found nor added. */
void state_between_leave_out(struct state_table *, const struct vectors *signatures);

#endif
