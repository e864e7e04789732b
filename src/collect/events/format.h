/* Where a PMU keeps a term of its events: "config:0-7,32-35" in its sysfs format/ folder means that the term's bits,
 * lowest first, go to these bits of config (Documentation/ABI/testing/sysfs-bus-event_source-devices-format). */
#ifndef COLLECT_EVENTS_FORMAT_H
#define COLLECT_EVENTS_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#define FORMAT_FIELDS 4 /* config, config1, config2, config3 of perf_event_attr */

struct format {
	unsigned field;      /* index of the field */
	unsigned char bit[64]; /* the term's bit i goes to bit[i] */
	unsigned width;      /* number of bits; at most 64 */
};

/* Reads a format's text. Returns false if it is not understood: another field, a bit above 63, more than 64 bits. */
bool format_read(const char *text, struct format *);

/* Reads the format of a term of a PMU below a root of sysfs. The fields themselves are terms of every PMU. Returns 1; 0
 * if there is no such term; -1 if its text, which is written to `text`, is not understood. */
#define FORMAT_TEXT 256
int format_find(const char *sysfs, const char *pmu, const char *term, struct format *, char text[FORMAT_TEXT]);

/* Replaces the term's bits in the fields. Returns false if the value has more bits than the term. */
bool format_place(const struct format *, uint64_t value, uint64_t field[FORMAT_FIELDS]);
uint64_t format_take(const struct format *, const uint64_t field[FORMAT_FIELDS]);

#endif
