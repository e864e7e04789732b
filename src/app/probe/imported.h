/* Probe curves that were measured elsewhere. */
#ifndef APP_PROBE_IMPORTED_H
#define APP_PROBE_IMPORTED_H

#include <stdbool.h>

struct curve;
struct err;

/* Reads a curve from a file, as in collect/import/curve_csv.h; "-" is standard input. False and *e on bad input. Call
 * curve_free() in either case. */
bool probe_imported(const char *path, struct curve *, struct err *e);

#endif
