#include "collect/native/counters.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/world.h"
#include "core/curve/curve.h"

static bool
counters_open_event(const char *name, const struct perf_world *world, struct native_counter *counter, struct err *e)
{
	struct source_status why = {0};
	struct event_code code = {0};

	counter->fd = event_by_name(name, world, &code, &why) ? perf_open_event(&code, NULL, 0, OPEN_SELF, world, &why)
							      : -1;
	counter->user_only = why.user_only;
	if (counter->fd >= 0 && perf_enable(counter->fd, true))
		return true;
	if (counter->fd >= 0)
		close(counter->fd);
	err_set(e, "%s cannot be counted here: %s", name, *why.why ? why.why : "the kernel does not start it");
	if (*why.remedy)
		err_hint(e, "%s", why.remedy);
	return false;
}

bool
native_counters_open(struct native_counters *c, char *const *event, size_t n, struct err *e)
{
	struct perf_world w;

	*c = (struct native_counters){.item = mem_new_array(n, sizeof *c->item)};
	perf_world_probe(&w);
	while (c->n < n && counters_open_event(event[c->n], &w, &c->item[c->n], e))
		c->n++;
	return c->n == n;
}

void
native_counters_close(struct native_counters *c)
{
	for (size_t i = 0; i < c->n; i++)
		close(c->item[i].fd);
	free(c->item);
	*c = (struct native_counters){0};
}

void
native_counters_add(const struct native_counters *c, double sign, double *count)
{
	for (size_t i = 0; i < c->n; i++) {
		struct perf_reading r;

		count[i] = perf_read(c->item[i].fd, &r) ? count[i] + sign * (double)r.value : NAN;
	}
}

void
native_counters_note(const struct native_counters *counters, struct curve *curve)
{
	for (size_t i = 0; i < counters->n; i++) {
		struct perf_reading r;

		if (counters->item[i].user_only)
			curve_note(&curve[i], mem_str("the kernel side is not permitted: counted in user mode alone, "
				"where the passes run"));
		if (perf_read(counters->item[i].fd, &r) && r.running_ns < r.enabled_ns)
			curve_note(&curve[i], str_format("it had a hardware counter for only %.0f %% of the time, so "
				"its counts are wrong; name fewer events",
				100 * (double)r.running_ns / (double)r.enabled_ns));
	}
}
