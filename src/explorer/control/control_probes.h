/* Runs of probes, slices of programs, and their instructions. Private to explorer/control/. */
#ifndef EXPLORER_CONTROL_CONTROL_PROBES_H
#define EXPLORER_CONTROL_CONTROL_PROBES_H

#include <stdbool.h>
#include <stddef.h>

struct control;

/* Lists the probes, if they are not listed yet, and chooses the machines: that of the subject if it is a simulated one
 * with a pipeline, else this machine if probes run on it, else a simulated one. */
void control_list_probes(struct control *);
/* Starts a probe, or with "" all that have no whole curve; `where`: a sum of enum probe_where. */
void control_probe(struct control *, const char *name, size_t where);
void control_end_probes(struct control *);
bool control_follow_probes(struct control *); /* takes what has been measured; true: there is news */

/* Cuts what the session has into slices: rows with slots at once; else programs of the machine of view 9, or of the
 * simulated one beside it, in a process of its own. */
void control_slice(struct control *);
bool control_follow_slices(struct control *); /* takes what has come; ends what nobody looks at */

/* Simulates a program for the stacks of its instructions, in a process of its own, unless the latest were its. */
void control_simulate_instructions(struct control *, const char *simulation);
bool control_follow_instructions(struct control *); /* likewise */

#endif
