/* The subcommands: each loads, calls app, reports, and returns the exit status. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

struct options;

int cmd_explore(const struct options *);
int cmd_print(const struct options *);
int cmd_paths(const struct options *);
int cmd_constraints(const struct options *);
int cmd_check(const struct options *);
int cmd_doctor(const struct options *);

#endif
