/* A suite: workloads that are simulated one after the other, as a text file says them (.suite).
 *
 *     # what they are for
 *     linear:footprint={250M,1G,600G},stride={8,64,-64},loads={1,0.5}
 *
 * A line is a workload; each {…} stands for one of its alternatives, so that a line is as many workloads as there are
 * choices: the last {…} changes first. An alternative may hold {…} itself, and may be empty. # begins a comment, at the
 * beginning of a line or behind a blank. */
#ifndef COLLECT_SIM_SUITE_H
#define COLLECT_SIM_SUITE_H

#include <stdbool.h>
#include <stddef.h>

struct err;

#define SIM_SUITE_FILE_MAX ((size_t)1 << 20)
#define SIM_SUITE_MOST 20000u /* workloads */
#define SIM_SUITE_NEST 8      /* {…} in {…} */

struct sim_suite {
	char **workload;
	int *line; /* that each comes from */
	size_t n, cap, cap_lines;
};

/* The workloads of one text with {…}, appended. False and *e: braces that do not match, too many workloads. */
bool sim_suite_add(struct sim_suite *, const char *text, int line, struct err *e);

/* A whole file; `path` is for messages. False and *e with the place; then, too, sim_suite_free(). */
bool sim_suite_parse(struct sim_suite *, const char *path, const char *text, size_t len, struct err *e);
void sim_suite_free(struct sim_suite *);

#endif
