#include "event/unit.h"

#include <string.h>
#include <strings.h>

/* RAPL counts in steps of 2^-32 J, so 2^64 of them are 2^32 J. */
#define MOST_ENERGY ((0x1p32 - 0x1p20) * 1e6)

static const struct unit {
	const char *name, *family;
	int64_t size;
} units[] = {
	{"Bytes", "bytes", 1},
	{"Byte", "bytes", 1},
	{"B", "bytes", 1},
	{"KiB", "bytes", INT64_C(1) << 10},
	{"MiB", "bytes", INT64_C(1) << 20},
	{"GiB", "bytes", INT64_C(1) << 30},
	{"TiB", "bytes", INT64_C(1) << 40},
	{"KB", "bytes", 1000},
	{"kB", "bytes", 1000},
	{"MB", "bytes", 1000000},
	{"GB", "bytes", 1000000000},
	{"TB", "bytes", INT64_C(1000000000000)},
	{"nsec", "time", 1},
	{"ns", "time", 1},
	{"usec", "time", 1000},
	{"us", "time", 1000},
	{"msec", "time", 1000000},
	{"ms", "time", 1000000},
	{"sec", "time", 1000000000},
	{"seconds", "time", 1000000000},
	{"s", "time", 1000000000},
	{"uJoules", "energy", 1},
	{"uJ", "energy", 1},
	{"mJoules", "energy", 1000},
	{"mJ", "energy", 1000},
	{"Joules", "energy", 1000000},
	{"J", "energy", 1000000},
};

/* Case matters where a letter is a factor (MB, mJ), not in words such as "bytes" or "Joules". */
static const struct unit *
unit_find(const char *name)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].name, name) == 0)
			return &units[i];
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strlen(name) > 3 && strcasecmp(units[i].name, name) == 0)
			return &units[i];
	return NULL;
}

bool
event_unit_alike(const char *a, const char *b)
{
	const struct unit *x = unit_find(a), *y = unit_find(b);

	return x && y ? strcmp(x->family, y->family) == 0 : !x && !y && strcasecmp(a, b) == 0;
}

const char *
event_unit_family(const char *unit)
{
	const struct unit *u = unit_find(unit);

	return u ? u->family : "";
}

int64_t
event_unit_size(const char *unit)
{
	const struct unit *u = unit_find(unit);

	return u ? u->size : 1;
}

bool
event_unit_holds(const char *unit, double count)
{
	const struct unit *u = unit_find(unit);
	double most = u && strcmp(u->family, "energy") == 0 ? MOST_ENERGY : 0x1p63;

	return count * (double)event_unit_size(unit) < most;
}
