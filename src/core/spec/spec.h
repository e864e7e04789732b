/* The specification of a profile: programs with their cores and memory nodes, how often to sample and at what cost, and
 * the contents of the report. It is the parsed and checked contents of a .spec file (docs/profile-spec.md). PathFinder
 * (Li et al., SIGCOMM 2025), section 4.1 and figure 5a, lists what a specification holds. */
#ifndef CORE_SPEC_SPEC_H
#define CORE_SPEC_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diags;
struct err;

#define SPEC_FILE_MAX ((size_t)1 << 20)
#define SPEC_PROGRAMS_MAX 256       /* a program counts `times` times */
#define SPEC_WORDS_MAX 1024         /* words of one command; variables of one environment */
#define SPEC_NUMBER_MAX 65535       /* highest number of a core or memory node */
#define SPEC_GRANULARITY_LEAST 1e-3 /* seconds */
#define SPEC_GRANULARITY_MOST 3600.0

/* Numbers of cores or memory nodes, ascending, each number once; n = 0: any. */
struct spec_numbers {
	int *at;
	size_t n;
};

/* Memory policy of a program: set_mempolicy(2). */
enum spec_memory { SPEC_MEMORY_ANY, SPEC_MEMORY_BIND, SPEC_MEMORY_PREFER, SPEC_MEMORY_INTERLEAVE };
const char *spec_memory_name(enum spec_memory); /* "bind" */

struct spec_setting {
	const char *name, *value;
};

struct spec_program {
	const char *name, *text;
	const char **argv;              /* n_args, followed by NULL */
	size_t n_args;
	const char *folder;                  /* NULL: hecate's working directory */
	const char *input, *output, *errors; /* files; NULL: /dev/null for the input, hecate's own for the others */
	struct spec_setting *set;
	size_t n_set;
	struct spec_numbers cores;
	enum spec_memory memory;
	struct spec_numbers nodes;
	double delay;                   /* seconds after the beginning of the profile */
	unsigned times;                 /* number of copies that start together */
	bool background;                /* the profile does not wait for the program's end, but ends it */
	uint32_t at, len;               /* place of its name in the file */
};

enum spec_mode { SPEC_CONTINUOUS, SPEC_AGGREGATED };

/* Statistics that a report may contain. */
enum spec_statistic {
	/* of a network */
	SPEC_PATHS, SPEC_SHARES, SPEC_QUEUES, SPEC_STALLS, SPEC_LOAD, SPEC_FLOWS, SPEC_FIGURES, SPEC_LAWS,
	/* of stacks */
	SPEC_ACCOUNTS,
	/* of a model */
	SPEC_VERDICT,
	SPEC_STATISTICS
};
const char *spec_statistic_name(enum spec_statistic); /* "paths" */

struct profile_spec {
	const char *name, *text;
	struct spec_program *program;
	size_t n_programs;
	const char *network, *model;    /* name or file; NULL */
	const char **stack;
	size_t n_stacks;
	enum spec_mode mode;
	double granularity;             /* seconds, for a continuous profile */
	bool at_switches;               /* close a snapshot when a task is switched, too */
	double duration;                /* seconds; 0: until the programs have ended */
	double processor;               /* limit of hecate's own use, as a part of one CPU; 0: no limit */
	double memory;                  /* limit of hecate's own memory in bytes; 0: no limit */
	bool report[SPEC_STATISTICS];
	/* the file lists the statistics; if false, `report` is all that can be computed from the network, stacks and
	 * model */
	bool report_given;
	struct arena *arena;
};

/* Parse and check a .spec file. Takes ownership of name and text (heap). Returns NULL if there are errors in the
 * diagnostics; there may be warnings even if a specification is returned. */
struct profile_spec *spec_parse(char *name, char *text, size_t n, struct diags *);
unsigned spec_interval_ms(const struct profile_spec *); /* the granularity in ms; at least 1 */
void spec_free(struct profile_spec *);

/* Returns true if the machine has all cores and memory nodes that programs request. Otherwise *e names the program, the
 * number, and what the machine has. */
bool spec_fits(
	const struct profile_spec *, const struct spec_numbers *cores, const struct spec_numbers *nodes, struct err *e);

/* The interval between samples of a profile. If sampling takes more of the processor than allowed, the interval
 * grows. */
struct spec_pace {
	double least;    /* seconds between two samples, as requested */
	double most;     /* longest interval; if even that does not keep the limit, `kept` is false */
	double part;     /* part of one CPU's time that sampling may take; 0: no limit */
	double interval; /* current interval, seconds */
	double cost;     /* seconds of processor time of a sample, smoothed; 0: no sample yet */
	bool kept;       /* the current interval keeps the limit */
};

/* least and most in seconds, 0 < least ≤ most; part from 0 to 1. */
struct spec_pace spec_pace_begin(double least, double most, double part);

/* Takes the processor time of the last sample in seconds, and returns how long to wait until the next sample. The
 * interval grows at once to what the limit requires, and shrinks by a tenth at a time. */
double spec_pace_next(struct spec_pace *, double cost);

#endif
