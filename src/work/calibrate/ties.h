/* Faults that may not be what they seem: knobs that explain as much in their place, with the probe that tells both
 * apart, and probes that depend on the knob and still differ. And probes that contradict each other. Used by
 * calibrate.c alone; struct calibration holds the result. */
#ifndef WORK_CALIBRATE_TIES_H
#define WORK_CALIBRATE_TIES_H

#include <stddef.h>

#include "core/probe/probe.h"

struct calibration_fault;
struct knob;
struct probe_list;
struct search;

/* Another knob that explains what a fault explains. */
struct calibration_tie {
	const struct knob *knob;
	char *after;                       /* for people */
	const struct probe *probe;         /* an installed one that answers otherwise with it; NULL: none does */
	struct probe_answer fault, tie;    /* what it answers with the fault's knob turned, and with this one */
};

/* Finds the ties of each fault and probes of the list that tell them apart, and what puts a fault in doubt. */
void ties_find(struct search *, const struct probe_list *installed);
/* Finds probes that remain because others agree: what makes the one agree makes the other one differ. */
void contradictions_find(struct search *);
void ties_free(struct calibration_fault *);

#endif
