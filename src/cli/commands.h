/* The subcommands: each loads, calls work, reports, and returns the exit status. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include <stdbool.h>

struct explore_lesson;
struct explore_start;
struct options;

/* Sets what the explorer needs, from the command line, or to open the lesson that is next. On failure prints a message
 * and returns false. The caller frees the members in either case. */
bool cmd_explore_prepare(const struct options *, struct explore_lesson *, struct explore_start *);

/* hecate diff -i: shown by the explorer. */
bool cmd_diff_is_shown(const struct options *);
bool cmd_diff_prepare(const struct options *, struct explore_start *); /* false after a message */

/* hecate --lesson without a name: lists the lessons. */
bool cmd_lessons_wanted(const struct options *);
int cmd_lessons(const struct options *); /* returns the exit status */

#define SUBCOMMAND(id, name, most, size, defaults, usage, what) int cmd_##name(const struct options *);
#include "cli/subcommands.def"
#undef SUBCOMMAND

/* hecate determinism without data: counts events of the workload on this machine. */

/* Measures and prints. Returns the exit status. */
int determinism_here(const struct options *);

/* hecate determinism --overflow: skid, and stopping a command at an exact count. */

/* Measures and prints. Returns the exit status. */
int determinism_overflow(const struct options *);

/* hecate probe for machines elsewhere: programs for them (--export), and the curves that came back (--on import:FILE).
 */

/* Writes the named probes, or all, into the folder of --export. Returns the exit status. */
int probe_elsewhere_export(const struct options *);
/* Prints a curve of a file. Its probe, which the command line or the file itself names, says what the curve means.
 * Returns the exit status. */
int probe_elsewhere_import(const struct options *, const char *path);

/* hecate stack --by instruction. */

/* Prints the time-proportional stack of each instruction of a program or a trace. Returns the exit status. */
int stack_instructions(const struct options *);

#endif
