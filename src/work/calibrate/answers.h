/* Answers of probes on a machine, which are run here, or read from a document that `hecate probe --json` wrote. */
#ifndef WORK_CALIBRATE_ANSWERS_H
#define WORK_CALIBRATE_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/probe/probe.h"

struct diags;
struct err;
struct probe_machine;

/* The probes that run on both machines. */
struct probe_list {
	struct probe **probe; /* n */
	size_t n;
};

/* Loads probes by name or file. `names` NULL: all installed probes that a simulated machine can run. On failure returns
 * false, and sets *e or adds diagnostics. Call probe_list_free() in either case. */
bool probe_list_load(struct probe_list *, char *const *names, size_t n, struct diags *, struct err *e);
void probe_list_free(struct probe_list *);

/* Decides how long to measure: go_on() is called often meanwhile, and false stops. */
struct patience {
	bool (*go_on)(void *ctx); /* NULL: never stop */
	void *ctx;
};
bool patience_goes_on(const struct patience *);

/* Runs a probe. A probe that looks for a knee ends some points after the first knee. False and *e: the machine cannot
 * run it; false without *e: it was stopped. */
bool answer_of_machine(
	struct probe_machine *, const struct probe *, const struct patience *, struct probe_answer *, struct err *e);

/* What is known about one probe on a machine. */
struct known_answer {
	bool known;
	struct probe_answer answer;
};

/* Sets an answer for each probe from a document of the schema hecate.probes/1. Names of probes that are not in the list
 * are added to `others`, unless NULL, with ", " between them. Returns false and sets *e if it is no such document. */
struct str;
bool answers_read(
	const char *path, const struct probe_list *, struct known_answer *, struct str *others, struct err *e);

/* The same from a curve, or from all files NAME.csv of a folder (work/probe/probes.h). A curve belongs to the probe
 * that a comment in it names, or the file's name; a single file, to the only probe in the list. */
bool answers_import(
	const char *path, const struct probe_list *, struct known_answer *, struct str *others, struct err *e);

/* True if two answers differ by more than both intervals, and by more than a probe's resolution. */
bool answers_differ(const struct probe *, const struct probe_answer *, const struct probe_answer *);
/* (a − truth) ÷ truth; +1 or −1 if only one of them shows the feature. */
double answers_error(const struct probe_answer *a, const struct probe_answer *truth);

#endif
