/* Curves that other programs measured: comma-separated, with a header that names the columns in any order and case. If
 * the header contains no comma, the separator may be a semicolon or a tab, in the header and in the rows below it.
 *
 *   x                 or icount (robsize); or the first column, if no column has such a name
 *   mean              or avg, average, median, y, value; needed unless min or max is there
 *   min, max          minimum, maximum; of the repetitions at this x
 *
 * A table of two columns whose names are not known is x and mean. Other columns are left out. Lines that begin with #
 * are comments. */
#ifndef COLLECT_IMPORT_CURVE_CSV_H
#define COLLECT_IMPORT_CURVE_CSV_H

#include <stdbool.h>
#include <stddef.h>

struct curve;
struct err;

/* Reads a curve, sorted by x. Rows without a number (empty, NaN, infinite) are left out, and noted; rows that are out
 * of order or occur twice are put in order, and noted. On bad input returns false and sets *e, with the place. Call
 * curve_free() in either case. */
bool curve_csv_read(const char *name, const char *text, size_t n, struct curve *, struct err *e);

#endif
