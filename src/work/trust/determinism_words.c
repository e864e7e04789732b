/* How the parts of the workload are named, and what a slope of one of them means. */
#include "work/trust/determinism.h"

#include "base/str.h"
#include "collect/workload/workload.h"

const char *
determinism_occasion(size_t part, double *per)
{
	static const struct {
		enum workload_kind kind;
		const char *word;
	} occasions[] = {{WORKLOAD_FAULTS, "page fault"}, {WORKLOAD_EXCEPTIONS, "exception"},
		{WORKLOAD_NUMERIC, "masked exception"}, {WORKLOAD_SYSCALLS, "system call"},
		{WORKLOAD_ELEMENTS, "element"}};
	for (size_t k = 0; k < sizeof occasions / sizeof occasions[0]; k++) {
		int64_t n = workload_parts[part].iteration.n[occasions[k].kind];
		if (n > 0) {
			*per = (double)n;
			return occasions[k].word;
		}
	}
	*per = 1.0;
	return "iteration";
}

struct determinism_words
determinism_part(size_t part)
{
	const struct workload_part *p = &workload_parts[part];
	return (struct determinism_words){.name = p->name, .class = p->class, .about = p->about};
}

trust_letters
determinism_letter(size_t part, double slope)
{
	const struct workload_counts *each = &workload_parts[part].iteration;
	if (slope < 0.0)
		return TRUST_BIT(MISSED);
	if (each->n[WORKLOAD_FAULTS] > 0)
		return TRUST_BIT(FAULTS);
	if (each->n[WORKLOAD_EXCEPTIONS] > 0 || each->n[WORKLOAD_NUMERIC] > 0)
		return TRUST_BIT(EXCEPTIONS);
	return each->n[WORKLOAD_ELEMENTS] > 0 ? TRUST_BIT(UOPS) : TRUST_BIT(OVERCOUNT);
}

void
determinism_list_parts(struct str *out)
{
	str_addf(out, "%-22s %-10s %10s %12s  %s\n", "part", "class", "iterations", "instructions", "about");
	for (size_t k = 0; k < workload_n_parts; k++) {
		const struct workload_part *part = &workload_parts[k];
		struct str missing = {0};
		str_addf(out, "%-22s %-10s %10u %12lld  %s", part->name, part->class, part->loops,
			(long long)part->iteration.n[WORKLOAD_INSTRUCTIONS], part->about);
		if (!workload_cpu_has(part->needs, &missing))
			str_addf(out, " (this CPU has no %s)", str_text(&missing));
		str_addc(out, '\n');
		str_free(&missing);
	}
}
