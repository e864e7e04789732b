/* Command-line options, from one table (options.def). */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct str;

enum {
	AT_EXPLORE,
#define SUBCOMMAND(id, name, most, size, defaults, usage, what) AT_##id,
#include "cli/subcommands.def"
#undef SUBCOMMAND
};

/* sets of subcommands: a bit for each, in the order of subcommands[], and sets with a name */
enum {
	C_EXPLORE = 1 << AT_EXPLORE,
#define SUBCOMMAND(id, name, most, size, defaults, usage, what) C_##id = 1 << AT_##id,
#include "cli/subcommands.def"
#undef SUBCOMMAND
	C_ASK = C_COMPARE | C_LOCATE,
	C_MODEL = C_EXPLORE | C_PATHS | C_CONSTRAINTS | C_CHECK | C_SWEEP | C_PRINT | C_SEARCH | C_LOCATE |
		C_WRITE_REPORT,
	C_CONE = C_EXPLORE | C_CONSTRAINTS | C_CHECK | C_SWEEP | C_SEARCH | C_WRITE_REPORT,
	C_DATA = C_EXPLORE | C_CHECK | C_SWEEP | C_SEARCH | C_WRITE_REPORT,
	C_LIVE = C_EXPLORE | C_CHECK | C_SEARCH | C_RECORD | C_NET | C_STACK,
	/* may open counters, of this machine or to time probes */
	C_COUNTS = C_LIVE | C_DOCTOR | C_DETERMINISM | C_DIFF | C_PROBE | C_CALIBRATE | C_SLICES,
	C_REPORT = C_PATHS | C_CONSTRAINTS | C_CHECK | C_SWEEP | C_DOCTOR | C_SEARCH | C_EXPORT | C_ASK | C_NET |
		C_STACK | C_DETERMINISM | C_PROBE | C_CALIBRATE | C_SLICES | C_PHASES | C_LAWS | C_EVENTS | C_FIT |
		C_DIFF,
	C_ALL = ~0
};

enum option_kind { FLAG, TEXT, LIST, MORE, PART, SECS, AMOUNT, COUNT, MSEC, MANY };

struct option_row {
	enum option_kind kind;
	char letter;        /* 0: none */
	const char *name;   /* long form, without dashes */
	const char *arg;    /* what help calls its value; NULL for a FLAG */
	/* the only values accepted: "ellipsoid box independent"; "@themes": a list for completion; NULL: any value */
	const char *values;
	int commands;
	const char *help;
	size_t offset; /* of the value, in struct options or in the subcommand's own struct */
	bool own;
};

/* Returns the table, which a NULL name ends. The manual page and completion use it too. */
const struct option_row *option_rows(void);

struct text_list {
	char **item;
	size_t n, cap;
};

/* Options that several subcommands share. Those of a single subcommand are in own_options.h. */
struct options {
	const struct subcommand *command;
	void *own; /* struct NAME_options of the subcommand; NULL: it has none */
	char *variant, *observations, *region, *output, *color, *model_name, *draft; /* NULL: not given */
	char *features, *without, *counters, *fix, *metrics; /* comma-separated, several uses joined; NULL */
	bool no_calibrate;
	char *detail;                              /* for stall-sources; or NULL */
	char *processor;                           /* for their events, as perf identifies it; NULL: this one */
	char *expected;                            /* for events; or NULL */
	char *spec;                                /* a file, or NULL */
	char *trace, *events, *seed, *rotation;    /* NULL: not given */
	char *pin, *memory;                        /* for the command: CPUs; policy and nodes; NULL: not given */
	char *pids, *tids, *cpus;                  /* lists of numbers; NULL: not given */
	struct text_list include_dirs, defines, programs, changes, suites;
	struct text_list trust; /* files that say what is known about events */
	double confidence, cone_seconds;
	double tolerance;         /* as in struct analysis_options */
	double duration;          /* seconds; 0: not given */
	double read_seconds, read_mb; /* 0: not given */
	size_t accesses;          /* 0: not given */
	size_t interval, samples; /* milliseconds; number of samples; 0: not given */
	size_t ring_kb;           /* for stall-sources; 0: not given */
	size_t runs, max_tests;   /* max_tests 0: not given; runs 0: of diff, not given */
	size_t stated_runs;       /* runs behind data with stated errors; 0: not given */
	bool totals, increments, exact, counterpoint, independent_rows, trust_zeros, family_wise, one_by_one, peek;
	bool list, check, flow, flows, tables, split_phases, watch, explain, all_cpus;
	bool csv, json, quiet, verbose, ascii, help, version;
	char **arg; /* positional arguments, not owned */
	size_t n_args;
	char **argv; /* the command after "--", NULL-terminated, not owned; NULL when there is none */
};

struct subcommand {
	const char *name;  /* "check"; "" for the explorer */
	int bit;           /* C_CHECK … */
	size_t max_args;   /* largest number of positional arguments */
	const char *usage; /* "MODEL DATA… | MODEL [-r RUNS] -- CMD …" */
	const char *what;  /* one line */
	/* Exit status: 0 done (check: none infeasible), 1 (check: some infeasible), 2 usage, input or environment
	 * error. NULL for the explorer, which main starts. */
	int (*run)(const struct options *);
	size_t own_size;          /* size of its own options (own_options.h); 0: it has none */
	const void *own_defaults; /* NULL: all zeros */
};

extern const struct subcommand subcommands[]; /* a NULL name ends it */

/* Parses the command line. Returns false and sets *e on an unknown option (naming the nearest one), a missing or bad
 * value, or an option that the subcommand does not take. */
bool options_parse(int argc, char **argv, struct options *out, struct err *e);
void options_free(struct options *);

#endif
