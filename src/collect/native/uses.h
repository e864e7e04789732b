/* What the passes of a probe use of a processor: registers, and instructions that it may lack. */
#ifndef COLLECT_NATIVE_USES_H
#define COLLECT_NATIVE_USES_H

#include <stdbool.h>

#include "core/probe/probe.h"

struct err;

struct native_uses {
	bool chain[PROBE_CHAINS];
	bool far[PROBE_CHAINS];   /* of far lines alone: its result is the address of the next one */
	bool chase, fresh, random, lines, fp, fma, div;
};

unsigned native_lacks(void); /* what the processor here lacks: NATIVE_LACKS_…, added up (encode.h) */

struct native_uses native_uses_of(const struct probe_code *);
/* False and *e: there is no code for it here, or the processor lacks what it needs; `lacks` as of native_lacks(). */
bool native_uses_fit(const struct native_uses *, unsigned lacks, struct err *e);

#endif
