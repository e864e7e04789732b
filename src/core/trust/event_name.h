/* Names of events as perf, libpfm4 and raw codes write them, in one form that can be compared. */
#ifndef CORE_TRUST_EVENT_NAME_H
#define CORE_TRUST_EVENT_NAME_H

#include <stdbool.h>

struct str;

/* Appends the form for comparison. Equal are, in any case:
 * - INST_RETIRED:LOADS, inst_retired.loads, core::INST_RETIRED:LOADS and cpu/inst_retired.loads/;
 * - branch-instructions, branch_instructions and branches;
 * - r5001c0, r01c0 and cpu/event=0xc0,umask=1/: the bits of x86 that say who counts, and when (user, kernel, pin,
 *   interrupt, enable: 16, 17, 19, 20 and 22 of IA32_PERFEVTSELx, Intel SDM volume 3, 19.2.1.1), do not matter;
 *   edge, any, invert and the counter mask do;
 * - each of them with modifiers of perf after it (":u", ":ukhpp", "/u"). */
void trust_event_form(const char *event, struct str *out);
bool trust_event_same(const char *a, const char *b);

/* Whether an event counts in the kernel, by the modifiers of perf at its name's end (perf-list(1)): ":k", ":uk" or
 * "/k" do, ":u" does not. Without them: `unmarked`. */
bool trust_event_counts_kernel(const char *event, bool unmarked);

#endif
