/* Probes by name, and probe curves that were measured elsewhere. */
#ifndef WORK_PROBE_PROBES_H
#define WORK_PROBE_PROBES_H

#include <stdbool.h>

struct curve;
struct diags;
struct err;
struct probe;

#define PROBE_FOLDERS "probes:models/probes"

/* Loads a probe by name or file. NULL, and *e or diagnostics. Free it with probe_free(). */
struct probe *probe_load(const char *name, struct diags *, struct err *e);
/* The same for a name that a file says: never a path. NULL: none that is installed has the name; or *e, which says what
 * is wrong with it. */
struct probe *probe_load_installed(const char *name, struct err *e);
/* Names of installed probes, sorted, NULL-terminated; freed with str_split_free(). */
char **probe_names(void);

#define PROBE_IMPORT "import" /* what curves from files were measured on, in a session file */

/* Reads a curve from a file, as in collect/import/curve_csv.h; "-" is standard input. False and *e on bad input. Call
 * curve_free() in either case. */
bool probe_imported(const char *path, struct curve *, struct err *e);

#endif
