/* What a determinism run on this machine found, as entries of a book of trust (work/trust/facts.h stores them). */
#ifndef WORK_TRUST_MEASURED_H
#define WORK_TRUST_MEASURED_H

#include <stddef.h>

#include "core/trust/trust.h"

struct determinism;
struct determinism_event;
struct str;
struct trust_judged;
struct trust_judgement;
struct trust_page;
struct trust_runs;

/* The judgement of an event's runs with all parts; NULL: it has none. */
const struct trust_judged *measured_judged(
	const struct trust_runs *, const struct trust_judgement *, const char *event);
/* The letters of its totals, and those of the parts that were found. */
trust_letters measured_letters(const struct determinism_event *, const struct trust_judged *);

/* Appends what was found about a part, "cpuid: +1 (0.98 to 1.02) for each iteration". */
struct attribute_found;
void measured_found_text(const struct attribute_found *, struct str *out);

/* Makes a page with an entry for each event that was judged in `runs` runs of all parts: verdict, letters, what each
 * interrupt, page fault and exception adds, and the parts as a note. Events that show nothing are left out: multiplexed
 * events; events that count nothing or the kernel's side; events without an expectation that vary as cycles do; and
 * events whose parts were not searched to the end. `day` is "2026-11-23". Free with trust_page_free(). */
struct trust_page *measured_page(const struct determinism *, const struct trust_runs *,
	const struct trust_judgement *, size_t runs, const char *day);

#endif
