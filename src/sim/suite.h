/* A suite: workloads that are simulated one after the other, listed in a text file (.suite).
 *
 *     # what they are for
 *     linear:footprint={250M,1G,600G},stride={8,64,-64},loads={1,0.5}
 *
 * Each line is a workload. A {…} stands for one of its alternatives, so a line gives as many workloads as there are
 * combinations; the last {…} changes fastest. An alternative may contain {…} itself, and may be empty. # begins a
 * comment, at the beginning of a line or after a blank. */
#ifndef SIM_SUITE_H
#define SIM_SUITE_H

#include <stdbool.h>
#include <stddef.h>

struct err;

#define SIM_SUITE_FILE_MAX ((size_t)1 << 20)
#define SIM_SUITE_MOST 20000u /* most workloads */
#define SIM_SUITE_NEST 8      /* nesting of {…} */

struct sim_suite {
	char **workload;
	int *line; /* line of each workload */
	size_t n, cap, cap_lines;
};

/* Appends the workloads of one text with {…}. False and *e: braces do not match, or too many workloads. */
bool sim_suite_add(struct sim_suite *, const char *text, int line, struct err *e);

/* Parses a whole file; `path` is for messages. False and *e with the place. Call sim_suite_free() in both cases. */
bool sim_suite_parse(struct sim_suite *, const char *path, const char *text, size_t len, struct err *e);
void sim_suite_free(struct sim_suite *);

#endif
