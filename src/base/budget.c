#include "base/budget.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"

#define POLLS 1024
#define LONGER ((double)((uint64_t)4 << 20)) /* bytes for which a long text gets a second more */
#define MEMORY_EVERY 0.005 /* seconds of processor time between two looks at the memory, each of which takes 10 µs */
/* Sanitizers slow a program down, and keep what was freed. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INSTRUMENTED 8
#else
#define INSTRUMENTED 1
#endif

static double
budget_limit(const char *name, double usual)
{
	const char *text = getenv(name);
	double v;

	return text && str_to_double(text, &v) && v > 0 ? v : usual;
}

bool
budget_allow(double seconds, double mb, struct err *e)
{
	static const char *const name[] = {BUDGET_SECONDS_ENV, BUDGET_MB_ENV};
	const double most[] = {seconds, mb};
	char text[40];

	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		snprintf(text, sizeof text, "%.17g", most[i]);
		if (most[i] > 0 ? setenv(name[i], text, 1) == 0 : !getenv(name[i]) || budget_limit(name[i], 0) > 0)
			continue;
		err_set(e, "$%s is no number above 0: '%s'", name[i], getenv(name[i]));
		return err_hint(
			e, "unset it, or set it to the %s that reading a file may take", i ? "megabytes" : "seconds");
	}
	return true;
}

bool
budget_examine(struct budget *b, uint64_t read)
{
	double now = clock_thread_seconds(), more = read > BUDGET_FREE ? (double)(read - BUDGET_FREE) / LONGER : 0;

	if (b->met)
		return true;
	if (!b->begun)
		*b = (struct budget){.polls = b->polls,
			.begun = true,
			.helped = b->helped,
			.seconds = budget_limit(BUDGET_SECONDS_ENV, BUDGET_SECONDS) * INSTRUMENTED,
			.bytes = budget_limit(BUDGET_MB_ENV, BUDGET_MB) * 0x1p20 * INSTRUMENTED,
			.began = now,
			.had = clock_process_memory(),
			.asked = now};
	b->met = now - b->began + b->helped > b->seconds + more;
	if (!b->met && now - b->asked >= MEMORY_EVERY) {
		b->asked = now;
		budget_is_full(b);
	}
	return b->met;
}

bool
budget_is_full(struct budget *b)
{
	if (b->begun && !b->met)
		b->met = b->memory = clock_process_memory() - b->had > b->bytes;
	return b->met;
}

bool
budget_poll(struct budget *b, uint64_t read)
{
	return b->met || (++b->polls % POLLS == 0 && budget_examine(b, read));
}

const char *
budget_what(const struct budget *b, char *out, size_t size)
{
	if (b->memory)
		snprintf(out, size, "reading it takes more than %.6g MB of memory (--read-mb allows more)",
			b->bytes / 0x1p20);
	else
		snprintf(out, size, "reading it takes more than %.6g s of processor time (--read-seconds allows more)",
			b->seconds);
	return out;
}

bool
budget_refuse(const struct budget *b, const char *file, struct err *e)
{
	char text[BUDGET_TEXT];

	err_set(e, "%s", budget_what(b, text, sizeof text));
	err_hint(e, BUDGET_HINT);
	return err_place(e, file, 0, 0);
}
