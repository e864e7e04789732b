/* Command-line options, from one table (options.def). */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct str;

enum {
	C_EXPLORE = 1,
	C_PRINT = 2,
	C_PATHS = 4,
	C_CONSTRAINTS = 8,
	C_CHECK = 16,
	C_DOCTOR = 32,
	C_SEARCH = 64,
	C_RECORD = 128,
	C_IMPORT = 256,
	C_EXPORT = 512,
	C_COMPARE = 1024,
	C_LOCATE = 2048,
	C_WRITE_REPORT = 65536,
	C_NET = 1 << 20,
	C_STACK = 1 << 21,
	C_SIM = 1 << 24,
	C_TRACE = 1 << 25,
	C_DETERMINISM = 1 << 26,
	C_PROBE = 1 << 27,
	C_CALIBRATE = 1 << 28,
	C_SLICES = 1 << 29,
	C_ASK = C_COMPARE | C_LOCATE,
	C_MODEL = C_EXPLORE | C_PATHS | C_CONSTRAINTS | C_CHECK | C_PRINT | C_SEARCH | C_LOCATE | C_WRITE_REPORT,
	C_CONE = C_EXPLORE | C_CONSTRAINTS | C_CHECK | C_SEARCH | C_WRITE_REPORT,
	C_DATA = C_EXPLORE | C_CHECK | C_SEARCH | C_WRITE_REPORT,
	C_LIVE = C_EXPLORE | C_CHECK | C_SEARCH | C_RECORD | C_NET | C_STACK,
	/* may open counters, of this machine or to time probes */
	C_COUNTS = C_LIVE | C_DOCTOR | C_DETERMINISM | C_PROBE | C_CALIBRATE | C_SLICES,
	C_REPORT = C_PATHS | C_CONSTRAINTS | C_CHECK | C_DOCTOR | C_SEARCH | C_EXPORT | C_ASK | C_NET | C_STACK |
		C_DETERMINISM | C_PROBE | C_CALIBRATE | C_SLICES,
	C_ALL = ~0
};

enum option_kind { FLAG, TEXT, LIST, MORE, PART, SECS, AMOUNT, COUNT, MSEC, MANY };

struct option_row {
	enum option_kind kind;
	char letter;        /* 0: none */
	const char *name;   /* long form, without dashes */
	const char *arg;    /* what help calls its value; NULL for a FLAG */
	/* "ellipsoid box independent": nothing else is taken; "@themes": a list that the shells complete from; NULL */
	const char *values;
	int commands;
	const char *help;
};

/* the table, ended by a NULL name; for the manual page and completion too */
const struct option_row *option_rows(void);

struct text_list {
	char **item;
	size_t n, cap;
};

/* Returns the items, with "; " between them; NULL: there are none. The caller frees it. */
char *text_list_joined(const struct text_list *);

struct options {
	const struct subcommand *command;
	char *variant, *observations, *region, *output, *color, *theme, *model_name, *draft; /* NULL: not given */
	char *detail;                                                   /* of stall-sources; NULL */
	char *beyond;                                                   /* a stage; NULL */
	char *calibrate;                                                /* of sim; NULL */
	char *write_expected;                                           /* of determinism; NULL */
	char *stop_at;                                                  /* of determinism; NULL */
	char *expected, *sort;                                          /* of determinism; NULL */
	double eps, minor;                                              /* of slices; below 0, and 0: not given */
	size_t min_points;                                              /* of slices; 0: not given */
	char *heat_map;                                                 /* of slices: a file; NULL */
	char *on;                                                       /* where probes run; NULL */
	char *gain;                                                     /* of calibrate; NULL */
	char *export_folder, *isa;                                      /* of probe; NULL: not given */
	char *parts;                                                    /* of its workload; NULL */
	double scale;                                                   /* of its workload; 0: not given */
	char *spec;                                                     /* a file; NULL */
	char *machine, *plants, *trace, *events, *warm_up, *seed, *reveal; /* of sim; NULL: not given */
	struct text_list workloads, programs, changes, suites, lies;
	struct text_list trust;                                         /* files of what is known of events */
	char *perfect, *truth;                                          /* of a pipeline; NULL: not given */
	size_t accesses;                                                /* 0: not given */
	char *rotation;                                                 /* NULL: not given */
	size_t slice;                                                   /* of sim, ns; 0: not given */
	/* of the command: numbers; how and numbers; NULL */
	char *pin, *memory;
	char *features, *without, *counters;                            /* comma-separated, several uses joined; NULL */
	struct text_list include_dirs, defines;
	char *counts;                                                   /* of an import; NULL */
	char *step, *fix;                                               /* of a search; NULL: not given */
	double confidence, cone_seconds;
	double tolerance;                                               /* as of struct analysis_options */
	char *pids, *tids, *cpus;                                       /* lists of numbers; NULL */
	double duration;                                                /* seconds; 0: not given */
	size_t interval, samples;                                       /* milliseconds, and how many; 0: not given */
	size_t ring_kb;                                                 /* of stall-sources; 0: not given */
	size_t runs, max_tests;                                         /* max_tests 0: not given */
	size_t stated_runs;                                             /* of data with stated errors; 0: not given */
	bool totals, increments;
	const char *by; /* what bars are of: "instruction"; NULL: observations */
	bool counterpoint, independent_rows, trust_zeros, secret, list, intervals, list_parts, no_save, facts, check,
		each_row, all_cpus, overflow,
		family_wise, one_by_one, exact, flow, flows, split_phases, peek, watch, lose, explain, propose, dot,
		svg, fdl, udd, csv, json, quiet, verbose, ascii, no_motion, no_mouse, help, version;
	char **arg;    /* positional arguments, not owned */
	size_t n_args;
	char **argv;   /* the command after "--", NULL-terminated, not owned; NULL when there is none */
};

struct subcommand {
	const char *name;  /* "check"; "" for the explorer */
	int bit;           /* C_CHECK … */
	size_t max_args;   /* positional arguments that it takes */
	const char *usage; /* "MODEL DATA… | MODEL [-r RUNS] -- CMD …" */
	const char *what;  /* one line */
	/* Exit status: 0 done (check: none infeasible), 1 (check: some infeasible), 2 usage, input or environment
	 * error. NULL for the explorer, which main starts. */
	int (*run)(const struct options *);
};

extern const struct subcommand subcommands[]; /* ended by a NULL name */

/* False and *e on an unknown option (nearest named), a missing or bad value, or an option the subcommand does not take.
 */
bool options_parse(int argc, char **argv, struct options *out, struct err *e);
void options_free(struct options *);

/* The help text of one subcommand, or of the whole program (NULL). */
void options_help(const struct subcommand *, struct str *out);

#endif
