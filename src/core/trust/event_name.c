#include "core/trust/event_name.h"

#include "base/str.h"
#include "event/name.h"

void
trust_event_form(const char *event, struct str *out)
{
	struct event_name e;

	event_name_read(event, &e);
	str_add(out, e.key);
	event_name_free(&e);
}

bool
trust_event_same(const char *a, const char *b)
{
	struct event_name x, y;
	bool same;

	event_name_read(a, &x);
	event_name_read(b, &y);
	same = str_eq(x.key, y.key);
	event_name_free(&x);
	event_name_free(&y);
	return same;
}

bool
trust_event_counts_kernel(const char *event, bool unmarked)
{
	const unsigned sides = EVENT_MOD_USER | EVENT_MOD_KERNEL | EVENT_MOD_HYPERVISOR;
	struct event_name e;
	unsigned side;

	event_name_read(event, &e);
	side = e.modifiers.set & sides;
	event_name_free(&e);
	return side ? (side & ~(unsigned)EVENT_MOD_USER) != 0 : unmarked;
}
