/* Parts of hecate sim. */
#ifndef CLI_SIM_PARTS_H
#define CLI_SIM_PARTS_H

struct options;

/* Exit statuses, as a subcommand's. */
int sim_reveal(const struct options *); /* --reveal FILE */
int sim_list(const struct options *);   /* --list */

#endif
