/* What --spec FILE says, for the subcommands that count here and now (docs/profile-spec.md). */
#ifndef CLI_SPECIFIED_H
#define CLI_SPECIFIED_H

#include <stdbool.h>

#include "core/spec/spec.h"

struct json_writer;
struct options;
struct spec_run;
struct stack;
struct str;
struct work_live;

/* Parsed, with -I and --duration in the place of its own; diagnostics go to standard error. NULL: there is no --spec,
 * or (*good false) it has been said what is wrong with the file, or with options beside it. */
struct profile_spec *specified_load(const struct options *, bool *good);

/* False (said already) where the time of its programs' tasks is all that is told (`counts` false: nothing is counted
 * beside), and CPUs are to be watched. */
bool specified_fits(const struct profile_spec *, struct stack *const *, size_t n, bool counts, bool watches);

/* May this be opened for it (a model, a network, STACK,STACK, or a session file that brings its own)? False when it was
 * said that the file names another of the kind. */
bool specified_allows(const struct profile_spec *, const char *argument);
/* What the file names, as arguments of the explorer: a model; or a network and stacks. They stay the specification's,
 * the array is the caller's. NULL when it was said that it is too much. */
char **specified_open(const struct profile_spec *, size_t *n);

/* What is looked at: the argument, or what the file names; they may not differ. NULL when it has been said that there
 * is none. `what`: "network". */
const char *specified_choose(const char *argument, const char *named, const char *what);

/* … where it may be any of the three, for hecate record: what the file names, if that is one thing, or `asked`, which
 * no other of its kind may stand against. NULL when it has been said what is wrong. */
const char *specified_subject(const struct profile_spec *, const char *asked);

/* The file's stacks, "a,b"; NULL: it has none. The caller frees. */
char *specified_stacks(const struct profile_spec *);

/* How the profile went, what its limits came to, and which words of `report` are not told here (`told`: those that are;
 * NULL: nothing is reported): a paragraph, or the object "profile". */
void specified_tell(const struct profile_spec *, const struct spec_run *, const bool *told, struct str *out);
void specified_json(struct json_writer *, const struct profile_spec *, const struct spec_run *, const bool *told);

/* Was it asked for? All is where nothing was. */
bool specified_wants(const struct profile_spec *, enum spec_statistic);

#endif
