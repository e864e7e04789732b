/* Which models can judge data: those that have some of their counters. */
#ifndef WORK_FILES_FITTING_H
#define WORK_FILES_FITTING_H

struct obs_table;
struct openables;

/* Adds those models of `from`, installed ones, files and folders, that the table has counters of, with "5 of 7
 * counters" in front of their text. The one that has the greatest share comes first. Reads each model. */
void fitting_models(const struct openables *from, const struct obs_table *, struct openables *out);

#endif
