#include "core/fit/holders.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COUNTERS 64

bool
holders_read(const char *text, uint64_t *counters)
{
	static const char fixed[] = "fixed counter ";
	bool in_fixed = false;

	*counters = 0;
	while (*text) {
		unsigned long v;
		char *end;

		if (strncasecmp(text, fixed, sizeof fixed - 1) == 0) {
			in_fixed = true;
			text += sizeof fixed - 1;
			continue;
		}
		if (!isdigit((unsigned char)*text)) {
			text++;
			continue;
		}
		v = strtoul(text, &end, 10) + (in_fixed ? HOLDERS_FIXED : 0);
		if (v < COUNTERS)
			*counters |= UINT64_C(1) << v;
		text = end;
	}
	return *counters != 0;
}

struct matching {
	const struct holder_event *event;
	const size_t *which;
	size_t holds[COUNTERS]; /* index into `which` + 1; 0: free */
	uint64_t tried;
};

/* Finds a counter for an event, if need be by moving others: an augmenting path. */
static bool
matching_place(struct matching *m, size_t i)
{
	for (uint64_t left = m->event[m->which[i]].counters & ~m->tried; left; left &= ~m->tried) {
		size_t c = (size_t)__builtin_ctzll(left);

		m->tried |= UINT64_C(1) << c;
		if (!m->holds[c] || matching_place(m, m->holds[c] - 1)) {
			m->holds[c] = i + 1;
			return true;
		}
	}
	return false;
}

static bool
pmu_holds(const struct holder_event *event, const size_t *which, size_t n, unsigned pmu)
{
	struct matching m = {.event = event, .which = which};
	size_t alone = 0;

	for (size_t i = 0; i < n; i++) {
		if (event[which[i]].pmu != pmu)
			continue;
		alone += event[which[i]].alone;
		m.tried = 0;
		if (alone > 1 || !matching_place(&m, i))
			return false;
	}
	return true;
}

bool
holders_fit(const struct holder_event *event, const size_t *which, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t first = 0;

		while (event[which[first]].pmu != event[which[i]].pmu)
			first++;
		if (first == i && !pmu_holds(event, which, n, event[which[i]].pmu))
			return false;
	}
	return true;
}
