/* What to do about an event's error, in sentences: by verdict, then by letter. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/str.h"
#include "core/trust/book.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "work/trust/events.h"

static const struct trust_part *
part_by(const struct trust_event *e, const char *by)
{
	for (size_t i = 0; e->judged && i < e->judged->n_parts; i++)
		if (str_eq(e->judged->part[i].by, by))
			return &e->judged->part[i];
	return NULL;
}

static void
interrupts(const struct trust_event *event, struct str *out)
{
	const struct trust_part *part = part_by(event, trust_cause_name(TRUST_PER_INTERRUPT));

	if (part && part->bound)
		str_add(out,
			"Pin the program to a quiet CPU: only the interrupts of all CPUs are known here, which is an "
			"upper bound of what to subtract.\n");
	else
		str_add(out,
			"Count received interrupts in the same group, and subtract them: an event such as "
			"hw_interrupts.received does that.\n");
}

static void
faults(struct str *out)
{
	str_add(out,
		"Subtract page faults: the software event page-faults counts them on any machine. Or touch all memory "
		"before counting begins.\n");
}

static void
letters(const struct trust_event *event, trust_letters l, struct str *out)
{
	if (l & TRUST_BIT(INTERRUPTS))
		interrupts(event, out);
	if (l & TRUST_BIT(FAULTS))
		faults(out);
	if (l & TRUST_BIT(EXCEPTIONS))
		str_add(out,
			"Mask floating-point exceptions, or subtract them: the program knows how many it raises.\n");
	if (l & TRUST_BIT(LAZY_FPU))
		str_add(out, "Do one floating-point operation before counting begins, and pin the program.\n");
	if (l & TRUST_BIT(OVERCOUNT))
		str_add(out,
			"Some instructions count more than once: compare only programs that have the same mix of "
			"them.\n");
	if (l & TRUST_BIT(MISSED))
		str_add(out, "Some instructions are missing: take the count as a lower bound.\n");
	if (l & TRUST_BIT(UOPS))
		str_add(out, "It counts micro-operations: for instructions use another event.\n");
}

static void
noise(const struct trust_event *e, struct str *out)
{
	char number[NUMBER_TEXT];

	str_add(out, "Do not use it for exact comparison");
	if (e->judged && e->judged->spread > 0)
		str_addf(out, ": leave a margin of %s counts",
			number_exact(number, llround(e->judged->spread), false, false));
	str_add(out, ". Measure again with HyperThreading off and the program pinned to one CPU.\n");
}

void
trust_event_advice(const struct trust_event *event, struct str *out)
{
	if (!event->judged && !event->entry) {
		str_add(out, "Measure it: hecate determinism runs programs whose counts are known.\n");
		return;
	}
	switch (trust_event_verdict(event)) {
	case TRUST_EXACT:
		str_add(out, "Use it as it is, also for exact comparison.\n");
		break;
	case TRUST_CONSTANT:
		str_add(out, "Subtract the constant, which belongs to this program: another one has another.\n");
		break;
	case TRUST_CORRECTABLE:
		break;
	case TRUST_NOISY:
		noise(event, out);
		break;
	case TRUST_ELSE:
		str_add(out, "Use another event: this one does not count what its name says.\n");
		break;
	case TRUST_REPEATABLE:
		str_add(out, "It repeats exactly. Whether it is right needs an expected count: --expected FILE.\n");
		break;
	case TRUST_UNKNOWN:
		str_add(out,
			event->group && event->group->n
				? "Run it at least ten times: less does not show how it varies.\n"
				: "There is no count to judge: look for another event.\n");
		break;
	case TRUST_N_VERDICTS:
		break;
	}
	letters(event, trust_event_letters(event), out);
}
