/* Probes by name, and probe curves that were measured elsewhere. */
#ifndef WORK_PROBE_PROBES_H
#define WORK_PROBE_PROBES_H

#include <stdbool.h>

struct curve;
struct diags;
struct err;
struct probe;

/* Loads a probe by name or file. On failure returns NULL, and sets *e or adds diagnostics. Free it with
 * probe_free(). */
struct probe *probe_load(const char *name, struct diags *, struct err *e);
/* The same for a name in a file, which is never taken as a path. NULL: no installed probe has the name; or *e says what
 * is wrong with the probe. */
struct probe *probe_load_installed(const char *name, struct err *e);
/* Names of installed probes, sorted, NULL-terminated; freed with str_split_free(). */
char **probe_names(void);

#define PROBE_IMPORT "import" /* name in a session file of the machine of curves that were read from files */

/* Reads a curve from a file, as in collect/import/curve_csv.h; "-" is standard input. False and *e on bad input. Call
 * curve_free() in either case. */
bool probe_imported(const char *path, struct curve *, struct err *e);

#endif
