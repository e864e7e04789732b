/* What --spec FILE says, for the subcommands that count live (docs/profile-spec.md). */
#ifndef CLI_SPEC_ARGS_H
#define CLI_SPEC_ARGS_H

#include <stdbool.h>

#include "core/spec/spec.h"

struct json_writer;
struct options;
struct run;
struct str;

/* Parses the file. -I and --duration replace its own values; diagnostics go to standard error. NULL without --spec;
 * NULL and *good false after a diagnostic about the file or other options. */
struct profile_spec *spec_args_load(const struct options *, bool *good);

/* Prints a message and returns false if CPUs are watched (`watches`) although only the time of the programs' tasks is
 * wanted (`tasks`). True without a specification. */
bool spec_args_fit(const struct profile_spec *, bool tasks, bool watches);

/* True if this argument (a model, a network, STACK,STACK, or a session file) may be opened. If the specification names
 * a different one of the same kind, prints a message and returns false. */
bool spec_args_allow(const struct profile_spec *, const char *argument);
/* The file's model, or its network and stacks, as arguments of the explorer. The caller frees the array, not the names.
 * NULL after a message if the file names both. */
char **spec_args_open(const struct profile_spec *, size_t *n);

/* The subject: the argument, or the name in the file, which may not differ. If there is none, prints a message and
 * returns NULL. `what`: "network". */
const char *spec_args_choose(const char *argument, const char *named, const char *what);

/* The subject for hecate record, of any kind: `asked`, unless the file names a different one of the same kind; without
 * `asked`, the only name in the file. NULL after a message otherwise. */
const char *spec_args_subject(const struct profile_spec *, const char *asked);

/* The file's stacks, "a,b"; NULL: it has none. The caller frees. */
char *spec_args_stacks(const struct profile_spec *);

/* Report how the run of the programs went, whether its limits were kept, and which statistics of `report` are not
 * printed here: in a paragraph, or in the object "profile". `reported`: those that are printed; NULL: the paragraph
 * names none. */
void spec_args_report(const struct profile_spec *, struct run *, const bool *reported, struct str *out);
void spec_args_json(struct json_writer *, const struct profile_spec *, struct run *, const bool *reported);

/* True if the report is to have this statistic; a file without `report` wants all. */
bool spec_args_want(const struct profile_spec *, enum spec_statistic);

#endif
