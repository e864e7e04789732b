/* Names of a network: kinds, modules, fields. */
#include <string.h>

#include "core/network/parser.h"

size_t
net_find_kind(const struct network *n, const char *name)
{
	size_t i = 0;

	while (i < n->n_kinds && strcmp(n->kind[i].name, name) != 0)
		i++;
	return i;
}

size_t
net_find_module(const struct network *n, const char *name)
{
	size_t i = 0;

	while (i < n->n_modules && strcmp(n->module[i].name, name) != 0)
		i++;
	return i;
}

const char *
net_field_name(enum net_field f)
{
	switch (f) {
	case NET_MISS:
		return "miss";
	case NET_DELAY:
		return "delay";
	case NET_TAG:
		return "tag";
	case NET_MISS_DELAY:
		return "miss delay";
	case NET_STALL:
		return "stall";
	case NET_LIMIT:
		return "limit";
	case NET_OCCUPANCY:
		return "occupancy";
	case NET_BUSY:
		return "busy";
	case NET_BYTES:
		return "bytes";
	case NET_FIELDS:
		break;
	}
	return "";
}

bool
net_field_adds(enum net_field f)
{
	return f != NET_DELAY && f != NET_TAG && f != NET_MISS_DELAY;
}

const char *
net_load_name(enum net_load l)
{
	switch (l) {
	case NET_LIGHT:
		return "light load";
	case NET_OPTIMAL:
		return "optimal load";
	case NET_MODERATE:
		return "moderate overload";
	case NET_SEVERE:
		return "severe overload";
	case NET_LOADS:
		break;
	}
	return "";
}
