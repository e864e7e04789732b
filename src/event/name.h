/* The name of an event, which is the name of a column of counts: what is counted, by which PMU, in which mode and unit.
 *
 *     cycles:ukP                   a word with modifiers
 *     cpu_core/topdown-retiring/u  pmu/terms/modifiers, as perf writes it
 *     hsw::INST_RETIRED:ANY_P:u    table::EVENT, as libpfm4 writes it
 *     data_reads [uncore_imc_0]    as perf distinguishes PMUs that share a name
 *     uncore_imc/data_reads/ (MiB) with the unit that perf prints next to the number
 *
 * Two names are the same event when they count the same thing, whichever of its names each of them uses. PMU, mode and
 * unit belong to the identity; event_difference() says which of them differ. How the event is measured (:p, :W …) does
 * not. */
#ifndef EVENT_NAME_H
#define EVENT_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "event/modifiers.h"
#include "event/words.h"

struct str;

enum event_form {
	EVENT_FORM_PLAIN,   /* NAME:mods */
	EVENT_FORM_TERMS,   /* pmu/NAME/mods */
	EVENT_FORM_TABLE,   /* table::NAME:mods */
	EVENT_FORM_BRACKET, /* NAME:mods [pmu] */
};

struct event_name {
	enum event_form form;
	char *pmu;          /* as written; "" if there is none */
	char *base;         /* the name or the terms, as written */
	char *key;          /* `base` in normal form; equal for all names of one event */
	char *unit;         /* as written; "" for plain counts */
	struct event_modifiers modifiers;
	unsigned mode;      /* event_mode() of the modifiers; 0 for a clock, which is the same in every mode */
	enum event_word_kind word;
	bool two_lists;     /* modifiers stood in two lists, "x:u:k"; they are read as one */
	bool odd;           /* a word of perf with letters that are no modifiers; the letters stay in `base` */
};

void event_name_read(const char *text, struct event_name *out);
void event_name_free(struct event_name *);
/* Appends the name, in the form that was read. */
void event_name_print(const struct event_name *, struct str *out);

/* Appends what is odd about a name that was still understood, such as "x:u:k" or "x:uu". Returns false if nothing is
 * odd. */
bool event_name_flaw(const struct event_name *, const char *text, struct str *out);

/* What differs between two names; 0: they name the same counter. The order of the two names does not matter. */
enum event_difference {
	EVENT_OTHER_EVENT = 1 << 0,          /* another event */
	EVENT_OTHER_LETTERS = 1 << 1,  /* one of them has letters that are no modifiers */
	EVENT_OTHER_QUANTITY = 1 << 2, /* one of them is a latency (:R) */
	EVENT_OTHER_PMU = 1 << 3,
	EVENT_OTHER_MODE = 1 << 4,
	EVENT_OTHER_UNIT = 1 << 5,     /* units of different families; a name without a unit agrees with any unit */
};
unsigned event_difference(const struct event_name *, const struct event_name *);

/* Appends why `column` is not `wanted`, by their difference: "kernel mode", "of PMU cpu_atom". */
void event_difference_words(const struct event_name *column, const struct event_name *wanted, struct str *out);

/* Returns whether a PMU is a kind of core: cpu, cpu_core, cpu_atom, armv8_…, apple_…. An event without a PMU is a core
 * event. */
bool event_pmu_is_core(const char *pmu);
/* Returns the name that distinguishes kinds of cores: "" for "cpu", a table of libpfm4, or none. */
const char *event_core(const struct event_name *);

/* Returns whether `pmu` is one box of the PMU `all`, as uncore_imc_3 is of uncore_imc. The counts of the boxes add up
 * (perf-list(1)). */
bool event_pmu_is_box(const char *pmu, const char *all);

/* Returns whether a name is that of a hardware event: a word of perf, a raw code, pmu/…/, or a name in the style of
 * vendors, libpfm4 and perfmon (TABLE.UNIT, TABLE:UNIT). */
bool event_is_hardware(const char *name);

/* Returns whether a name has the form of a tracepoint, system:event. */
bool event_is_tracepoint(const char *name);

/* Appends the name in a form for comparison. The following have equal forms, whatever their case:
 * - INST_RETIRED:LOADS, inst_retired.loads, core::INST_RETIRED:LOADS and cpu/inst_retired.loads/;
 * - branch-instructions, branch_instructions and branches;
 * - r5001c0, r01c0 and cpu/event=0xc0,umask=1/: the x86 bits for the mode and for control (user, kernel, pin,
 *   interrupt, enable: 16, 17, 19, 20 and 22 of IA32_PERFEVTSELx, Intel SDM volume 3, 19.2.1.1) do not matter; edge,
 *   any, invert and the counter mask do;
 * - each of these names also with modifiers of perf after it (":u", ":ukhpp", "/u"). */
void event_name_form(const char *event, struct str *out);
/* The same for cpu/TERMS/, with a '=' and no '/' in the terms. */
void event_terms_form(const char *terms, struct str *out);
bool event_name_same(const char *a, const char *b);

/* Returns whether an event counts in the kernel, by the perf modifiers at the end of its name (perf-list(1)): with
 * ":k", ":uk" or "/k" it does, with ":u" it does not. Without modifiers the result is `unmarked`. */
bool event_name_counts_kernel(const char *event, bool unmarked);

#endif
