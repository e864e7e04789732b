/* What can be turned on a simulated machine so that a probe answers otherwise: the items of its file, and its features.
 * Calibration turns them one at a time, and names those that it had to turn. */
#ifndef WORK_CALIBRATE_KNOB_H
#define WORK_CALIBRATE_KNOB_H

#include <stdbool.h>
#include <stddef.h>

struct str;
struct knob_machine; /* work/calibrate/knob_machine.h */

enum knob_kind { KNOB_PARAMETER, KNOB_FEATURE };

struct knob;

size_t knob_count(void);
const struct knob *knob_at(size_t i);
/* "rob", "latency mul", "ports load", "fma_split"; as a machine file has it. */
const char *knob_name(const struct knob *);
enum knob_kind knob_kind_of(const struct knob *);
/* "parameter" or "feature". */
const char *knob_kind_name(enum knob_kind);

/* How well a probe of this name, or of this parameter, shows what the knob is: 1 best, then 2 …; 0: not at all. */
unsigned knob_rank(const struct knob *, const char *probe, const char *parameter);
/* What it is now; of a feature 1 if it is on; 0: no such item. */
double knob_get(const struct knob *, const struct knob_machine *);
/* Returns what knob_set() makes of a value: a whole number within limits, of caches and tables a power of two. */
double knob_round(const struct knob *, const struct knob_machine *, double value);
/* The value that stands for "no limit"; 0: there is none. */
double knob_unlimited(const struct knob *);
/* The number of its values where they are words, so that no probe can ask for one of them; 0: it is a number. */
unsigned knob_choices(const struct knob *);
/* By how much its probes answer more when it is one more. */
double knob_scale(const struct knob *);
/* Turns it. False: a machine file cannot say so. */
bool knob_set(const struct knob *, struct knob_machine *, double value);
#define KNOB_OTHERS 4
/* Writes values besides the present one, KNOB_OTHERS at most: half and twice, or all other words. Returns how many. */
size_t knob_others(const struct knob *, const struct knob_machine *, double *out);
/* False if the item cannot change the probe's answer, whatever its value: the probe has no µop of the kinds that it is
 * about, code of probes always hits, and only those of small pages translate addresses. */
struct probe;
bool knob_may_show(const struct knob *, const struct probe *);
/* Edits the text of a machine file, or of changes to one, so that it says what the machine has. */
void knob_write(const struct knob *, const struct knob_machine *, struct str *text);
/* Appends what it is now, for people: "96", "2 cycles", "on". */
void knob_text(const struct knob *, const struct knob_machine *, struct str *out);

#endif
