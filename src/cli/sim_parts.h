/* Parts of hecate sim. */
#ifndef CLI_SIM_PARTS_H
#define CLI_SIM_PARTS_H

#include <stdbool.h>

struct options;
struct simulated;
struct simulation;
struct text_list;

/* Returns the changes of a machine as one text, "rob 64; issue 4"; NULL: there are none. The caller frees it. */
char *sim_changes(const struct text_list *);

/* These return the exit status. */
int sim_reveal(const struct options *); /* --reveal FILE */
int sim_list(const struct options *);   /* --list */

/* --intervals: draws interval diagrams of all lessons, or of those that --program names. Returns the exit status. */
int sim_intervals(const struct options *, const struct simulation *);

/* With a simulated server as --machine. */
bool sim_is_server(const struct options *);
int sim_server(const struct options *);

/* Prints what was simulated on a pipeline, as text or with --json as a document. On failure prints a message and
 * returns false. */
bool sim_summary(const struct options *, const struct simulation *, const struct simulated *);

#endif
