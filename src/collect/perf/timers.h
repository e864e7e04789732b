/* The processor's own clock, and what the processor says about the machine around it. */
#ifndef COLLECT_PERF_TIMERS_H
#define COLLECT_PERF_TIMERS_H

#include <stdbool.h>
#include <stddef.h>

struct timers {
	const char *counter; /* "TSC", "CNTVCT", "timer" */
	double hz;           /* measured over 2 ms, or told by the processor; 0 when there is no counter to read */
	bool steady;         /* runs at one rate in every state of the processor */
};

void timers_look(struct timers *);

/* "KVM guest", "Hyper-V guest", or the processor's model where nothing is virtual. */
void timers_machine_name(char *name, size_t size);

#endif
