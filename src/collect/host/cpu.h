/* Which processor this machine has. */
#ifndef COLLECT_HOST_CPU_H
#define COLLECT_HOST_CPU_H

#include <stdbool.h>

#include "core/trust/cpuinfo.h"

/* Reads /proc/cpuinfo (below $HECATE_PROC in tests). False, and an id that fits nothing, when that says nothing. */
bool host_cpu(struct trust_cpuid *);
/* The same as trust_cpuid_text() writes it; NULL: not known. The caller frees. */
char *host_cpu_text(void);

#endif
