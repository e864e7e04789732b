/* Shared by the subcommands: loading a model, choosing features, making an analysis, writing output. */
#ifndef CLI_WORK_H
#define CLI_WORK_H

#include <stdbool.h>
#include <stddef.h>

#include "app/analysis/analysis.h"
#include "app/files/files.h"
#include "core/udd/fset.h"

struct diags;
struct err;
struct json_writer;
struct options;
struct obs_table;
struct str;
struct udd_model;

/* Prints a failure on standard error ("hecate: …") and returns exit status 2. */
int work_fail(const struct err *);
/* Prints diagnostics on standard error; under --quiet without warnings. */
void work_say_diagnostics(const struct options *, const struct diags *);

/* Reports lines on standard error, one message each; nothing under --quiet. Frees the text. */
void work_say_lines(const struct options *, struct str *);

/* The model of the first argument. NULL when it cannot be used, which was reported on standard error. The bundle keeps
 * the files. */
struct udd_model *work_load(const struct options *, struct bundle *);
/* Index of the first DATA argument: after the model, or 0 if the first argument is a session file with its model. */
size_t work_first_data(const struct options *);

/* A model by file or name, or that of a session file. */
struct udd_model *work_load_named(const struct options *, const char *name, struct bundle *);
bool work_choose(const struct options *, const struct udd_model *, struct fset *on);
/* Adds the features of --fix to the set. False and *e: the model has no such feature. */
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

/* False when it failed and reported why. job_end() in either case. */
bool job_begin(struct job *, const struct options *);
void job_end(struct job *);

/* Read one DATA argument. NULL when it cannot be read (said already). */
struct obs_table *work_read_data(const struct options *, const char *path);
/* The same for callers that read cells by core/obs/rows.h: those of a long session file stay in the file. */
struct obs_table *work_open_data(const struct options *, const char *path);
/* False, and a message, when wanted rows could not be read. */
bool work_data_held(const struct obs_table *);

/* A whole file, in the place of one that is there, or nothing and *e; cli/work_target.h. */
bool work_write_file(const char *path, const struct str *, struct err *e);

/* Write to --output (whole or not at all) or standard output. False (said already) when it cannot be written. */
bool work_write(const struct options *, const struct str *);

/* True when no other file can be written next to it: standard output, a device, a FIFO. */
bool work_is_stream(const struct options *);

/* Writes the text to standard output at once, and empties it. False and *e on failure. */
bool work_flush(struct str *, struct err *e);

/* An array of the names of features that are on, in the model's order. */
void work_json_set(struct json_writer *, const char *key, const struct udd_model *, const struct fset *);

/* The names of the features that are on, as a JSON array or "a, b". */
struct json_writer;
void work_json_head(struct json_writer *, const char *schema, const struct udd_model *, const struct fset *);
void work_feature_names(const struct udd_model *, const struct fset *, const char *none, struct str *out);

#endif
