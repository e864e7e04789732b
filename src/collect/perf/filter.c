#include "collect/perf/filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "collect/perf/fault_probe.h"
#include "collect/perf/names.h"
#include "collect/source.h"

static void
cannot_probe(struct filter_constant *c, const char *remedy, const char *why)
{
	c->value = -1;
	snprintf(c->why, sizeof c->why, "%s", why);
	snprintf(c->remedy, sizeof c->remedy, "%s", remedy);
}

/* Writes "0 and 23", "0, 7 and 23", "0, 7, 23, 40 and 2 more". */
static void
write_items(const struct fault_item *f, char *out, size_t size)
{
	size_t shown = f->n < FAULT_SEVERAL ? f->n : FAULT_SEVERAL, n = 0;

	for (size_t i = 0; i < shown && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%d",
			i == 0                               ? ""
				: i + 1 == shown && f->n == shown ? " and "
								   : ", ",
			f->item[i]);
	if (f->n > shown && n < size)
		snprintf(out + n, size - n, " and %zu more", f->n - shown);
}

void
filter_take_pgfault(struct filter_constant *c, const struct fault_item *f, const struct source_status *refused)
{
	char items[64] = "", why[256];

	*c = (struct filter_constant){.known = true, .value = -1};
	switch (f->finding) {
	case FAULT_ITEM_FOUND:
		c->value = f->item[0];
		return;
	case FAULT_ITEM_NONE:
		cannot_probe(c, "", "no item of memcg:count_memcg_events follows page faults here (is the memory "
			"controller off: cgroup_disable=memory?)");
		return;
	case FAULT_ITEM_SEVERAL:
		write_items(f, items, sizeof items);
		snprintf(why, sizeof why, "several items of memcg:count_memcg_events follow page faults here: %s; "
			"no access tells them apart", items);
		cannot_probe(c, "", why);
		return;
	case FAULT_ITEM_DISTURBED:
		snprintf(why, sizeof why, "the probe of memcg:count_memcg_events was disturbed: other page faults came "
			"between in %zu of %zu tries", f->disturbed, f->tries);
		cannot_probe(c, "run it again", why);
		c->known = false;
		return;
	case FAULT_ITEM_REFUSED:
		cannot_probe(c, refused->remedy, refused->why);
		return;
	}
}

void
filter_probe_pgfault(const struct perf_world *w, struct filter_constant *c)
{
	struct source_status why = {0};
	struct event_code code;
	struct fault_probe probe;
	struct fault_item found = {.finding = FAULT_ITEM_REFUSED};
	struct fault_kernel kernel;

	if (event_by_name("memcg:count_memcg_events", w, &code, &why)) {
		kernel = fault_probe_kernel(&probe, &code, w, &why);
		found = fault_item_find(&kernel);
	}
	filter_take_pgfault(c, &found, &why);
}

bool
filter_expand(const char *filter, struct filter_constants *constants, const struct perf_world *w, char *out,
	size_t size, struct source_status *why)
{
	size_t n = 0;

	for (const char *p = filter; *p;) {
		char value[16] = {*p, '\0'};
		size_t len = 1, m;

		if (*p == '$') {
			while (isalnum((unsigned char)p[len]) || p[len] == '_')
				len++;
			if (len != 8 || strncmp(p, "$PGFAULT", 8) != 0)
				return source_status_refuse(why, EINVAL, NULL, "unknown constant %.*s in the filter "
					"\"%s\"; known: $PGFAULT", (int)len, p, filter);
			if (!constants->pgfault.known)
				filter_probe_pgfault(w, &constants->pgfault);
			if (constants->pgfault.value < 0)
				return source_status_refuse(why, ENOTSUP, constants->pgfault.remedy,
					"$PGFAULT cannot be probed: %s", constants->pgfault.why);
			snprintf(value, sizeof value, "%d", constants->pgfault.value);
		}
		m = strlen(value);
		if (n + m >= size)
			return source_status_refuse(
				why, EINVAL, NULL, "the filter is longer than %zu bytes: %.60s…", size - 1, filter);
		memcpy(out + n, value, m);
		n += m;
		p += len;
	}
	out[n] = '\0';
	return true;
}
