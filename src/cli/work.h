/* What the subcommands share: load a model, choose features, make an analysis, write where the user said. */
#ifndef CLI_WORK_H
#define CLI_WORK_H

#include <stdbool.h>
#include <stddef.h>

#include "app/analysis/analysis.h"
#include "app/files/files.h"
#include "app/run/counters_run.h"
#include "core/spec/spec.h"
#include "core/udd/fset.h"

struct diags;
struct err;
struct json_writer;
struct options;
struct obs_table;
struct str;
struct udd_model;

/* Say a failure on standard error ("hecate: …") and return exit status 2. */
int work_fail(const struct err *);
/* Say what a parser found, on standard error; warnings not under --quiet. */
void work_say_diagnostics(const struct options *, const struct diags *);

/* The model of the first argument; diagnostics go to standard error. NULL when there is none to work with (said
 * already). The bundle keeps the files. */
struct udd_model *work_load(const struct options *, struct bundle *);
/* Where DATA begins among the arguments: behind the model, or at once where a session file stands first, which brings
 * its own. */
size_t work_first_data(const struct options *);

/* A model by file or name, or that of a session file. */
struct udd_model *work_load_named(const struct options *, const char *name, struct bundle *);
bool work_choose(const struct options *, const struct udd_model *, struct fset *on);
/* Those of --fix join the set. False and *e: the model has no such feature. */
bool work_fixed(const struct options *, const struct udd_model *, struct fset *fixed, struct err *e);

/* The options of the analysis; false (said already) when --counters names an unknown counter. */
bool work_analysis_options(const struct options *, const struct udd_model *, struct analysis_options *);

/* What most commands begin with: the model, the features that are on, the options of an analysis. */
struct job {
	struct bundle bundle;
	struct udd_model *model;
	struct fset on;
	struct analysis_options how;
};

/* False when it has been said what is wrong. job_end() frees in either case. */
bool job_begin(struct job *, const struct options *);
void job_end(struct job *);

/* What is to be counted here and now. */
struct work_live {
	bool has_target;             /* -p, -t, -a or -C */
	struct source_target target; /* its ids are owned */
	unsigned interval_ms;        /* 0: no samples */
	size_t samples;              /* 0: no limit */
	double duration;             /* seconds; 0: no limit */
	enum rotation_how rotation;  /* as in struct source_spec */
	bool rotation_said;
	bool placed;                 /* --pin or --memory … */
	struct spec_program place;   /* … of the command, and nothing else of it; its numbers are owned */
};

/* False (said already) when the options do not fit together or name what cannot be. Free with work_live_free() in
 * either case. */
bool work_live(const struct options *, struct work_live *);
void work_live_free(struct work_live *);
const struct spec_program *work_live_setup(const struct work_live *); /* of the command; NULL: as hecate's */

/* Read one DATA argument. NULL when it cannot be read (said already). */
struct obs_table *work_read_data(const struct options *, const char *path);
/* The same for who gets at cells by core/obs/rows.h: those of a long session file stay in it. */
struct obs_table *work_open_data(const struct options *, const char *path);
/* Could all rows be read that were asked for? It was said if not. */
bool work_data_held(const struct obs_table *);

/* A whole file, in the place of one that is there, or nothing and *e; cli/work_target.h. */
bool work_write_file(const char *path, const struct str *, struct err *e);

/* Write to --output (whole or not at all) or standard output. False (said already) when it cannot be written. */
bool work_write(const struct options *, const struct str *);

/* Is there no place for other files beside it: standard output, a device, a FIFO? */
bool work_is_stream(const struct options *);

/* Empty the text onto standard output, for who reads along. False and *e when it cannot be written. */
bool work_flush(struct str *, struct err *e);

/* An array of the names of features that are on, in the model's order. */
void work_json_set(struct json_writer *, const char *key, const struct udd_model *, const struct fset *);

/* The names of the features that are on, as a JSON array or "a, b". */
struct json_writer;
void work_json_head(struct json_writer *, const char *schema, const struct udd_model *, const struct fset *);
void work_feature_names(const struct udd_model *, const struct fset *, const char *none, struct str *out);

#endif
