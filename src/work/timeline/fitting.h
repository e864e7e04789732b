/* Which models, networks and stacks can show data: those that have some of their counters. */
#ifndef WORK_TIMELINE_FITTING_H
#define WORK_TIMELINE_FITTING_H

struct obs_table;
struct openables;

/* Adds those models, networks and stacks of `from` that the table has counters of, with "5 of 7 counters" in front of
 * their text. The one that has the greatest share comes first. Reads each. */
void fitting_models(const struct openables *from, const struct obs_table *, struct openables *out);

#endif
