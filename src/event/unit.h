/* Units of counts, as perf prints them next to a number (sysfs: events/NAME.unit), and how they convert.
 *
 * Units of a family, such as KiB, MiB and MB, measure the same thing and convert exactly. An unknown unit is a family
 * of its own. */
#ifndef EVENT_UNIT_H
#define EVENT_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether two units measure the same thing; "" is a plain count. Case does not matter in unknown units. */
bool event_unit_alike(const char *a, const char *b);

/* Returns what a unit measures: "bytes", "time", "energy"; "" if that is not known. */
const char *event_unit_family(const char *unit);

/* Returns how many base parts of its family one unit has: bytes, nanoseconds or microjoules. Returns 1 for other
 * families. */
int64_t event_unit_size(const char *unit);

/* Returns whether `count` units are plausible: below 2^63 bytes or nanoseconds, or below about 2^32 joules. A larger
 * number comes from a counter that fell below 0 and was read as an unsigned 64-bit number. */
bool event_unit_holds(const char *unit, double count);

#endif
