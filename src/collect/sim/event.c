#include "collect/sim/event.h"

#include <string.h>

#include "base/str.h"

static const char *const name[SIM_N_COUNTS] = {
#define X(id, text) [SIM_##id] = text,
	SIM_EVENTS(X)
#undef X
#define X(id, text) [SIM_TRUE_##id] = text,
	SIM_TRUTHS(X)
#undef X
};

const char *
sim_event_name(enum sim_event e)
{
	return name[e];
}

bool
sim_event_find(const char *text, enum sim_event *out)
{
	size_t n = strcspn(text, ":");

	for (int i = 0; i < (int)SIM_N_EVENTS; i++)
		if (strlen(name[i]) == n && strncmp(name[i], text, n) == 0) {
			*out = (enum sim_event)i;
			return true;
		}
	return false;
}
