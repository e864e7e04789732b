/* Finds the errors of an event from runs whose counts are known exactly, each of a different program: what each
 * interrupt and each page fault adds, and which share of its own count the event counts too many. Programs differ in
 * all three, so one regression over the runs separates them. */
#ifndef CORE_TRUST_CALIBRATE_H
#define CORE_TRUST_CALIBRATE_H

#include <stddef.h>

struct trust_entry;

struct calibrate_run {
	double count, right;       /* what the event counted, and what it should have counted */
	double interrupts, faults; /* interrupts may be off by one */
};

/* Sets verdict, letters, terms and note of the entry; the caller frees the note. A term is a single number if that
 * explains every run, else a range. If no sum of causes explains the runs, the only term is a range of shares that
 * contains the errors of all runs, extended by half its length on either side. */
void calibrate_event(const struct calibrate_run *, size_t n, struct trust_entry *out);

#endif
