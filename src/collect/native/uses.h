/* What the passes of a probe use of a processor: registers, and instructions that it may lack. */
#ifndef COLLECT_NATIVE_USES_H
#define COLLECT_NATIVE_USES_H

#include <stdbool.h>

#include "core/probe/probe.h"

struct err;

struct native_uses {
	bool chain[PROBE_CHAINS];
	bool far[PROBE_CHAINS];   /* per chain: it has only far lines, so its result is the address of the next one */
	bool chase, fresh, random, lines, fp, fma, div;
};

unsigned native_lacks(void); /* extensions that this machine's processor lacks: sum of NATIVE_LACKS_… (encode.h) */

struct native_uses native_uses_of(const struct probe_code *);
/* Returns false and sets *e if there is no code for a pass here, or if the processor lacks what the pass needs. `lacks`
 * is as from native_lacks(). */
bool native_uses_fit(const struct native_uses *, unsigned lacks, struct err *e);

#endif
