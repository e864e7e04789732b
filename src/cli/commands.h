/* The subcommands: each loads, calls app, reports, and returns the exit status. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include <stdbool.h>

struct explore_start;
struct options;

/* What the explorer needs, from the command line. False after a message. The caller frees it in either case. */
bool cmd_explore_prepare(const struct options *, struct explore_start *);
int cmd_print(const struct options *);
int cmd_paths(const struct options *);
int cmd_constraints(const struct options *);
int cmd_check(const struct options *);
int cmd_compare(const struct options *);
int cmd_locate(const struct options *);
int cmd_search(const struct options *);
int cmd_record(const struct options *);
int cmd_sim(const struct options *);
int cmd_trace(const struct options *);
int cmd_import(const struct options *);
int cmd_export(const struct options *);
int cmd_report(const struct options *);
int cmd_net(const struct options *);
int cmd_stack(const struct options *);
int cmd_determinism(const struct options *);
int cmd_probe(const struct options *);
int cmd_calibrate(const struct options *);
int cmd_slices(const struct options *);
int cmd_doctor(const struct options *);

#endif
