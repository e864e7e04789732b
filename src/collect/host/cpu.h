/* Which processor this machine has. */
#ifndef COLLECT_HOST_CPU_H
#define COLLECT_HOST_CPU_H

#include <stdbool.h>

#include "core/trust/cpuinfo.h"

/* Reads /proc/cpuinfo (below $HECATE_PROC in tests). If that does not identify a processor, returns false and an id
 * that matches nothing. */
bool host_cpu(struct trust_cpuid *);
/* Returns the processor as trust_cpuid_text() writes it; NULL: not known. The caller frees the text. */
char *host_cpu_text(void);

#endif
