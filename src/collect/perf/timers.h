/* The processor's clock, and whether the machine is virtual. */
#ifndef COLLECT_PERF_TIMERS_H
#define COLLECT_PERF_TIMERS_H

#include <stdbool.h>
#include <stddef.h>

struct timers {
	const char *counter; /* "TSC", "CNTVCT", "timer" */
	double hz;           /* Hz, measured over 2 ms or reported by the processor; 0: there is no counter to read */
	bool steady;         /* constant rate in every state of the processor */
};

void timers_probe(struct timers *);

/* Writes "KVM guest", "Hyper-V guest", or, on real hardware, the processor's model. */
void timers_machine_name(char *name, size_t size);
/* Writes "KVM guest". Returns false when no hypervisor is known. */
bool timers_hypervisor_name(char *name, size_t size);

#endif
