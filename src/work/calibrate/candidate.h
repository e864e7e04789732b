/* A simulated machine that may be the one that fits: changes to a machine file, and the answers of probes on it. Probes
 * run when they are asked for, each once. */
#ifndef WORK_CALIBRATE_CANDIDATE_H
#define WORK_CALIBRATE_CANDIDATE_H

#include <stdbool.h>

#include "work/calibrate/answers.h"
#include "work/calibrate/knob.h"

struct candidate;
struct err;
struct simulation;

/* `on` is "sim:MACHINE" or "sim:MACHINE:FEATURES"; changes as of probe_machine_new(), or NULL. The list must outlive
 * it. NULL and *e: no such machine, or one without a pipeline. */
struct candidate *candidate_new(const char *on, const char *changes, const struct probe_list *, struct err *e);
/* Returns the same machine with a knob turned to a value. NULL and *e: a machine file cannot express that. */
struct candidate *candidate_turn(const struct candidate *, const struct knob *, double value, struct err *e);
void candidate_free(struct candidate *);

/* Sets what probe i of the list answers on the machine. False: it was stopped, or failed with *e. */
bool candidate_answer(struct candidate *, size_t i, const struct patience *, struct probe_answer *, struct err *e);
/* Returns the same machine with a feature on or off, or with an item such as "store_sets 1024" or (off) without it.
 * NULL and *e: no such feature or item. */
struct candidate *candidate_with(const struct candidate *, const char *item, bool on, struct err *e);

/* These are valid as long as the candidate. */
const struct simulation *candidate_simulation(const struct candidate *);
const struct knob_machine *candidate_machine(const struct candidate *);
/* "sim:MACHINE:FEATURES" and changes that give the same machine. */
const char *candidate_on(const struct candidate *);
const char *candidate_changes(const struct candidate *);
/* The text of its machine file, with `heading` above it; the caller frees it. NULL and *e: the file is gone, or the
 * result cannot be read. */
char *candidate_file(const struct candidate *, const char *heading, struct err *e);

#endif
