/* Options that only one subcommand has, filled by the rows OWN of options.def. The subcommand finds its struct in the
 * member `own` of struct options. options_parse() sets the defaults of own_options.c, and options_free() frees the
 * struct. Unless a comment says otherwise, texts that were not given are NULL, lists empty, and numbers 0. */
#ifndef CLI_OWN_OPTIONS_H
#define CLI_OWN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/options.h"

struct explore_options {
	char *theme;
	bool no_motion, no_mouse, lesson;
};

struct print_options {
	bool dot, svg, fdl, udd;
};

struct check_options {
	bool propose;
};

struct sweep_options {
	char *keep; /* path of a session file */
	size_t jobs;
};

struct search_options {
	char *step;
	bool lose;
};

struct stack_options {
	char *by; /* what each bar shows: "instruction"; NULL: an observation */
};

struct report_options {
	char *format; /* "markdown" or "html"; NULL: as -o ends */
};

struct import_options {
	char *counts; /* names of columns, comma-separated */
};

struct net_options {
	char *beyond; /* name of a stage */
	char *weight; /* "delay" or "requests"; NULL: delay */
	char *by;     /* core, kind, destination */
	bool each_row, compare, estimators, tiering;
};

struct events_options {
	char *pmu, *code; /* NULL: not given */
	bool try;
};

struct phases_options {
	char *scenario, *network, *windows; /* NULL: not given */
	struct text_list series;            /* expressions over counters */
};

struct laws_options {
	char *laws; /* a file or name; NULL: all installed */
};

struct export_options {
	bool line_protocol, prometheus, follow;
};

struct sim_options {
	char *machine, *plants, *warm_up, *reveal, *calibrate;
	char *perfect, *truth; /* for machines with a pipeline */
	struct text_list workloads, lies;
	size_t slice; /* ns */
	bool secret, intervals;
};

struct determinism_options {
	char *parts, *write_expected, *stop_at, *sort;
	double scale;
	bool list_parts, no_save, facts, overflow;
};

struct diff_options {
	char *prepare, *cwd_a, *cwd_b, *threshold, *until, *budget, *for_time, *columns, *stack;
	size_t warmup;
	char *build;
	bool markdown, any_status, git, interactive, same_environment;
};

struct probe_options {
	char *on; /* the machine that runs the probes */
	char *export_folder, *isa;
};

struct calibrate_options {
	char *gain;
};

struct slices_options {
	double eps; /* below 0: not given */
	double minor;
	size_t min_points;
	char *heat_map; /* path of a file */
};

struct grade_options {
	char *cases; /* path of a file */
};

#endif
