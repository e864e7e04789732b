#include "collect/native/counters.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/world.h"

static int
open_event(const char *name, const struct perf_world *w, struct err *e)
{
	struct source_status why = {0};
	struct event_code code = {0};
	int fd = event_by_name(name, w, &code, &why) ? perf_open_event(&code, NULL, 0, OPEN_SELF, w, &why) : -1;

	if (fd >= 0 && perf_enable(fd, true))
		return fd;
	if (fd >= 0)
		close(fd);
	err_set(e, "%s cannot be counted here: %s", name, *why.why ? why.why : "the kernel does not start it");
	if (*why.remedy)
		err_hint(e, "%s", why.remedy);
	return -1;
}

bool
native_counters_open(struct native_counters *c, char *const *event, size_t n, struct err *e)
{
	struct perf_world w;

	*c = (struct native_counters){.fd = mem_new_array(n, sizeof *c->fd)};
	perf_world_probe(&w);
	while (c->n < n) {
		int fd = open_event(event[c->n], &w, e);

		if (fd < 0)
			return false;
		c->fd[c->n++] = fd;
	}
	return true;
}

void
native_counters_close(struct native_counters *c)
{
	for (size_t i = 0; i < c->n; i++)
		close(c->fd[i]);
	free(c->fd);
	*c = (struct native_counters){0};
}

void
native_counters_add(const struct native_counters *c, double sign, double *count)
{
	for (size_t i = 0; i < c->n; i++) {
		struct perf_reading r;

		if (perf_read(c->fd[i], &r))
			count[i] += sign * (double)r.value;
	}
}
