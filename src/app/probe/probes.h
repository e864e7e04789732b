/* Probes by name, and on which machines they run. */
#ifndef APP_PROBE_PROBES_H
#define APP_PROBE_PROBES_H

#include <stdbool.h>
#include <stddef.h>

struct curve;
struct diags;
struct err;
struct probe;

#define PROBE_FOLDERS "probes:models/probes"

/* Loads a probe by name or file. NULL, and *e or diagnostics. Free it with probe_free(). */
struct probe *probe_load(const char *name, struct diags *, struct err *e);
/* Names of installed probes, sorted, NULL-terminated; freed with str_split_free(). */
char **probe_names(void);

/* Runs a probe on a simulated machine with a pipeline: "core", or with features "core:move_elimination". `changes` are
 * items that replace those of its file, or NULL. `stop` is asked now and then; NULL: never. False and *e: no such
 * machine. A curve that was stopped has the points so far. */
bool probe_simulated(const char *machine, const char *changes, const struct probe *, bool (*stop)(void), struct curve *,
	struct err *e);

#endif
