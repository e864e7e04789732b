/* Knobs of a simulated machine, which change the answers of probes: the items of its file, and its features.
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

/* How well a probe of this name, or of this parameter, shows the knob's value: 1 best, then 2 …; 0: not at all. */
unsigned knob_rank(const struct knob *, const char *probe, const char *parameter);
/* The knob's value on the machine; for a feature 1 if it is on; 0: the machine has no such item. */
double knob_get(const struct knob *, const struct knob_machine *);
/* Returns what knob_set() makes of a value: a whole number within limits; for caches and tables, a power of two. */
double knob_round(const struct knob *, const struct knob_machine *, double value);
/* The value that stands for "no limit"; 0: there is none. */
double knob_unlimited(const struct knob *);
/* The number of values of a knob whose values are words, so that no probe can ask for one; 0: it is a number. */
unsigned knob_choices(const struct knob *);
/* By how much the answers of its probes rise when the knob's value rises by one. */
double knob_scale(const struct knob *);
/* Turns the knob to a value. False: a machine file cannot express that. */
bool knob_set(const struct knob *, struct knob_machine *, double value);
#define KNOB_OTHERS 4
/* Writes at most KNOB_OTHERS values other than the present one: half and twice, or all other words. Returns how
 * many. */
size_t knob_others(const struct knob *, const struct knob_machine *, double *out);
/* False if the item cannot change the probe's answer, whatever its value. For example, the probe has no µop of the
 * kinds that the item is about. Code of probes always hits, and only probes of small pages translate addresses. */
struct probe;
bool knob_may_show(const struct knob *, const struct probe *);
/* Edits the text of a machine file, or of changes to one, so that the item has the machine's value. */
void knob_write(const struct knob *, const struct knob_machine *, struct str *text);
/* Appends the knob's value for people: "96", "2 cycles", "on". */
void knob_text(const struct knob *, const struct knob_machine *, struct str *out);

#endif
