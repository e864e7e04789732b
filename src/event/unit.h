/* Units of counts, as perf prints them next to a number (sysfs: events/NAME.unit), and how they convert.
 *
 * Units of a family measure the same thing and convert exactly: KiB and MiB, but also MB. A unit that nobody knows is a
 * family of its own. */
#ifndef EVENT_UNIT_H
#define EVENT_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether units measure the same thing; "" is a plain count. Case does not matter in units that nobody knows.
 */
bool event_unit_alike(const char *a, const char *b);

/* What a unit measures: "bytes", "time", "energy"; "" if that is not known. */
const char *event_unit_family(const char *unit);

/* How many `base` parts of its family one unit has: bytes, nanoseconds, microjoules. 1 for others. */
int64_t event_unit_size(const char *unit);

/* Returns whether so many units can be a count: below 2^63 bytes or nanoseconds, below about 2^32 joules. More comes
 * from a counter that fell below 0 and was taken as a 64-bit number. */
bool event_unit_holds(const char *unit, double count);

#endif
