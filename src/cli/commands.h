/* The subcommands: each loads, calls work, reports, and returns the exit status. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include <stdbool.h>

struct explore_start;
struct options;

/* What the explorer needs, from the command line. False after a message. The caller frees it in either case. */
bool cmd_explore_prepare(const struct options *, struct explore_start *);

#define SUBCOMMAND(id, name, most, size, defaults, usage, what) int cmd_##name(const struct options *);
#include "cli/subcommands.def"
#undef SUBCOMMAND

#endif
