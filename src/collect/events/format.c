#include "collect/events/format.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "collect/proc/files.h"

/* The index of "config", "config1" …; -1 for other words. */
static int
field_of(const char *name, size_t n)
{
	if (n < 6 || n > 7 || strncmp(name, "config", 6) != 0)
		return -1;
	return n == 6 ? 0 : name[6] >= '1' && name[6] <= '3' ? name[6] - '0' : -1;
}

bool
format_read(const char *text, struct format *format)
{
	const char *colon = strchr(text, ':'), *p = colon ? colon + 1 : "";
	int field = field_of(text, colon ? (size_t)(colon - text) : strlen(text));

	*format = (struct format){.field = (unsigned)(field > 0 ? field : 0)};
	if (field < 0 || !isdigit((unsigned char)*p))
		return false;
	while (*p) {
		char *end;
		unsigned long from = strtoul(p, &end, 10), to = from;

		if (*end == '-' && isdigit((unsigned char)end[1]))
			to = strtoul(end + 1, &end, 10);
		if (to < from || to > 63 || format->width + (to - from) >= 64)
			return false;
		for (; from <= to; from++)
			format->bit[format->width++] = (unsigned char)from;
		if (*end && (*end != ',' || !isdigit((unsigned char)end[1])))
			return false;
		p = *end ? end + 1 : end;
	}
	return true;
}

int
format_find(const char *sysfs, const char *pmu, const char *term, struct format *format, char text[FORMAT_TEXT])
{
	int field = field_of(term, strlen(term));
	char path[1024];

	if (field >= 0)
		return snprintf(text, FORMAT_TEXT, "%s:0-63", term) > 0 && format_read(text, format) ? 1 : -1;
	snprintf(path, sizeof path, "%s/bus/event_source/devices/%s/format/%s", sysfs, pmu, term);
	if (!*term || strchr(term, '/') || *term == '.' || !proc_text_read(path, text, FORMAT_TEXT))
		return 0;
	return format_read(text, format) ? 1 : -1;
}

bool
format_place(const struct format *format, uint64_t value, uint64_t field[FORMAT_FIELDS])
{
	uint64_t *to = &field[format->field];

	if (format->width < 64 && value >> format->width)
		return false;
	for (unsigned i = 0; i < format->width; i++)
		*to = (*to & ~(UINT64_C(1) << format->bit[i])) | (value >> i & 1) << format->bit[i];
	return true;
}

uint64_t
format_take(const struct format *format, const uint64_t field[FORMAT_FIELDS])
{
	uint64_t value = 0;

	for (unsigned i = 0; i < format->width; i++)
		value |= (field[format->field] >> format->bit[i] & 1) << i;
	return value;
}
