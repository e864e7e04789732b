/* What is to be profiled and how: programs with their cores and memory nodes, how often and at what price it is looked,
 * and what the report has. What a .spec file says, parsed and checked (docs/profile-spec.md).
 *
 * Source of what a specification holds: PathFinder (Li et al., SIGCOMM 2025), section 4.1 and figure 5a. */
#ifndef CORE_SPEC_SPEC_H
#define CORE_SPEC_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diags;
struct err;

#define SPEC_FILE_MAX ((size_t)1 << 20)
#define SPEC_PROGRAMS_MAX 256 /* each as often as it says */
#define SPEC_WORDS_MAX 1024   /* of one command; settings of one environment */
#define SPEC_NUMBER_MAX 65535 /* of a core, of a memory node */
#define SPEC_GRANULARITY_LEAST 1e-3 /* seconds */
#define SPEC_GRANULARITY_MOST 3600.0

/* Ascending, each once; n 0: any. */
struct spec_numbers {
	int *at;
	size_t n;
};

/* Where a program's memory comes from: set_mempolicy(2). */
enum spec_memory { SPEC_MEMORY_ANY, SPEC_MEMORY_BIND, SPEC_MEMORY_PREFER, SPEC_MEMORY_INTERLEAVE };
const char *spec_memory_name(enum spec_memory); /* "bind" */

struct spec_setting {
	const char *name, *value;
};

struct spec_program {
	const char *name, *text;
	const char **argv;              /* n_args, and NULL behind */
	size_t n_args;
	const char *folder;             /* NULL: where hecate is */
	const char *input, *output, *errors; /* files; NULL: /dev/null, and hecate's own */
	struct spec_setting *set;
	size_t n_set;
	struct spec_numbers cores;
	enum spec_memory memory;
	struct spec_numbers nodes;
	double delay;                   /* seconds, from the beginning of the profile */
	unsigned times;                 /* so many of it at once */
	bool background;                /* the profile does not wait for it, and ends it */
	uint32_t at, len;               /* its name in the file */
};

enum spec_mode { SPEC_CONTINUOUS, SPEC_AGGREGATED };

/* What a report may have. */
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
	const char *network, *model;    /* by name or file; NULL */
	const char **stack;
	size_t n_stacks;
	enum spec_mode mode;
	double granularity;             /* seconds; of a continuous profile */
	bool at_switches;               /* a snapshot is closed when a task is switched, too */
	double duration;                /* seconds; 0: until its programs have ended */
	double processor;               /* hecate's own, at most this part of one CPU; 0: no limit */
	double memory;                  /* bytes, its own; 0: no limit */
	bool report[SPEC_STATISTICS];
	bool report_given;              /* … by name; false: it is all that can be told of what is named */
	struct arena *arena;
};

/* Takes name and text (heap). NULL after diagnostics; warnings may stand there beside a specification. */
struct profile_spec *spec_parse(char *name, char *text, size_t n, struct diags *);
void spec_free(struct profile_spec *);

/* Are the cores and memory nodes that programs ask for those of a machine? False and *e: which program, which number,
 * what there is. */
bool spec_fits(
	const struct profile_spec *, const struct spec_numbers *cores, const struct spec_numbers *nodes, struct err *e);

/* How often a profile looks, so that it costs no more than it may: where looking takes too much of the processor, it is
 * slowed down. */
struct pace {
	double least;    /* seconds between two looks, as asked for */
	double most;     /* … and at most; limits that cannot be kept with it are not kept, and that is told */
	double part;     /* of one CPU's time that looking may take; 0: no limit */
	double interval; /* now */
	double cost;     /* seconds of the processor that a look takes, smoothed; 0: none was taken */
	bool kept;       /* the last interval's cost was within the limit, or is made so */
};

/* part 0 to 1; least above 0, not above most. */
struct pace pace_begin(double least, double most, double part);

/* A look took so many seconds of the processor: how long to wait until the next. It grows at once to what the limit
 * asks for, and comes back by a tenth at a time. */
double pace_next(struct pace *, double cost);

#endif
