/* Results as text for people and as JSON for scripts (docs/json.md). */
#ifndef CLI_PRINT_PRINT_H
#define CLI_PRINT_PRINT_H

#include <stdbool.h>

#include "work/analysis/result.h"

struct counting;
struct determinism;
struct diags;
struct drafts;
struct err;
struct explanations;
struct fset;
struct grid;
struct json_writer;
struct obs_table;
struct laws_told;
struct locate_result;
struct options;
struct phases;
struct report_files;
struct rob_study;
struct scenario;
struct skp;
struct stack_bar;
struct str;
struct suspects;
struct theme;
struct trust_judgement;
struct trust_runs;
struct udd_model;
struct writing;

/* Prints a failure on standard error ("hecate: …") and returns exit status 2. */
int print_failure(const struct err *);
bool print_failed(const struct err *); /* the same, but returns false, for functions that return success as a bool */
/* Prints diagnostics on standard error, without the warnings under --quiet. */
void print_diagnostics(const struct options *, const struct diags *);
/* Prints lines on standard error, one message each; nothing under --quiet. Frees the text. */
void print_remarks(const struct options *, struct str *);

/* True when the output is plain ASCII, because of --ascii or of a locale that is not UTF-8. */
bool print_ascii(const struct options *);

/* Appends a constraint's text, safe for terminals, with ≤ where the output can show it. */
void print_relation(struct str *out, const char *text, bool ascii);

/* Appends text; `ascii`: signs such as ≤ and µ become ASCII. */
void print_signs(struct str *out, const char *text, bool ascii);

/* Appends lines of a report without control characters, and with ASCII signs where the output needs it. */
void print_lines(struct str *out, const char *text, bool ascii);

/* Append text of files or data, made safe for terminals. Blanks fill it up to `width` columns: print_padded() puts them
 * after the text, print_right() before it. `ascii`: signs become ASCII. */
void print_padded(struct str *out, const char *text, size_t width, bool ascii);
void print_right(struct str *out, const char *text, size_t width, bool ascii);
/* Appends the text made safe in the same way, with signs as they are and without padding. */
void print_visible(struct str *out, const char *text);

/* Appends name number i, from 0, of a list of which three are shown: ", NAME"; and for n names " and 7 more". */
void print_listed(struct str *out, size_t i, const char *name);
void print_listed_more(struct str *out, size_t n);

/* Adds the rows of a grid without the blanks at their ends. */
void print_grid(const struct grid *, struct str *out);

/* Writes the non-empty lines of a text as an array. */
void print_json_lines(struct json_writer *, const char *key, const char *text);

/* Writes {"load.ret": 1, …} in the model's counter order, without zeros. */
void print_coefficients(
	struct json_writer *, const char *key, const struct udd_model *, const int64_t *coef, size_t n);

/* Writes the names of the features that are on as an array, in the model's order. */
void print_json_set(struct json_writer *, const char *key, const struct udd_model *, const struct fset *);
/* Begins a document on a model: "schema", "model", "file", "features". */
void print_json_head(struct json_writer *, const char *schema, const struct udd_model *, const struct fset *);
/* Adds the names of the features that are on, "a, b", or `none`. */
void print_feature_names(const struct udd_model *, const struct fset *, const char *none, struct str *out);
/* Appends a line that says how CounterPoint judges, if --counterpoint is given. */
void print_counterpoint(const struct options *, struct str *out);

void print_constraints_json(const struct udd_model *, const struct result *, struct json_writer *);
void print_constraints_text(const struct options *, const struct udd_model *, const struct result *, struct str *out);

/* Documents of `check`. Explanations, suspects and drafts are NULL unless the user asked for them. */
/* The members of struct result that the document contains. */
extern const struct shape print_check_shape;
struct check_json {
	const struct explanations *why;
	const struct suspects *suspects; /* these four: NULL: not asked for */
	const struct drafts *drafts;
	const struct laws_told *laws;
	struct obs_table *const *table; /* the data, for metrics of -M */
	size_t n_tables;
};
void print_check_json(const struct options *, const struct udd_model *, const struct result *,
	const struct counting *, const struct check_json *, struct json_writer *);
void print_check_text(const struct options *, const struct udd_model *, const struct result *,
	const struct counting *, struct str *out);

/* Parts of documents about data: how it was collected, its counters, and warnings about it. */
/* Writes "command" or "target", and "sampling"; or "profile". Writes nothing if nothing was counted. */
void print_counting_json(const struct counting *, struct json_writer *);
/* Writes the warnings of the runs as objects into the open array. */
void print_counting_json_warnings(const struct counting *, struct json_writer *);
/* One warning, as an object of the open array. */
void print_json_warning(struct json_writer *, const char *code, const char *text);
/* Opens "command" and writes "argv", "exit" and "signal"; the caller closes it. `code` is the exit status or signal. */
void print_json_command(struct json_writer *, char *const *argv, bool exited, bool signalled, int code);
void print_json_data(struct json_writer *, const struct options *, const struct udd_model *, const struct result *,
	const struct counting *);

/* The places where an event could be counted, as text and as JSON (docs/json.md). */

void print_locate_json(const struct options *, const struct udd_model *, const struct fset *on,
	const struct locate_result *, struct json_writer *);
void print_locate_text(const struct options *, const struct udd_model *, const struct fset *on,
	const struct locate_result *, struct str *out);

/* hecate report: where its files go, and the report on networks and stacks. For cmd_report.c. */

/* Splits the place that -o names into folder and name. `-o FOLDER` means SUBJECT-report in that folder, `-o FILE` that
 * name, with or without ".md" or ".html". The caller frees the folder, which ends in a slash, and the name. */
void print_place(const struct options *, const char *subject, char **folder, char **name);
void print_theme(struct theme *); /* a theme for paper: light */
bool print_is_html(const struct options *); /* by --format, or the ending of -o's file */
/* Writes the one file of an HTML report, and prints what went wrong. */
bool print_write_html(const struct options *, const char *subject, const struct str *);
/* Writes all files, the text last, so that it never refers to missing pictures. Frees the files. If one cannot be
 * written, prints a message and returns false. */
bool print_write(const struct options *, struct report_files *, const char *folder);

/* Is it on a session file that has curves of probes and nothing else? Then print_curves() writes the report, and
 * returns the exit status. */
bool print_is_curves(const struct options *);
int print_curves(const struct options *);
/* The report on networks and stacks. Returns the exit status. */
int print_profile(const struct options *);

/* Compression of the reorder buffer, as text and as JSON (docs/json.md). */

/* `machine`: the machine that the study ran on. */
void print_rob_study(const struct options *, const char *machine, const struct rob_study *, struct writing *);

/* Clusters of slices, their key points, and the probes to run next, as text and as JSON (docs/json.md). */

/* `on`: the simulated machine that the slices come from, or NULL. */
void print_slices_text(const struct options *, const struct skp *, const char *on, struct str *out);
void print_slices_json(const struct skp *, struct json_writer *);

/* Phases, as text and as JSON (docs/json.md): begin, one set after the other, end. */

struct phases_report {
	const struct options *options;
	const struct scenario *scenario; /* NULL: none */
	struct writing *out;
	size_t before, after; /* windows to be compared, from 1; 0: those at the largest change */
};

void print_phases_begin(struct phases_report *, size_t sets);
void print_phases(struct phases_report *, const struct phases *);
void print_phases_end(struct phases_report *);

/* A tree of nodes that are judged one by one, as text: which are worth a look, and what to do about them. */

/* Prints the first two levels, and below them the nodes whose parent is worth a look; with --verbose all nodes and
 * their formulas. Then prints the advice for the deepest nodes worth a look, and the notes. */
void print_tree_text(const struct options *, const struct stack_bar *, struct str *out);

/* What was measured of the workload, as text and as JSON (docs/json.md). */

/* Where the results were stored, or why not: one member is NULL. */
struct workload_stored {
	const char *path;
	const char *why; /* reason why they were not stored */
};

void print_workload_text(const struct options *, const struct determinism *, const char *machine,
	const struct trust_runs *, const struct trust_judgement *, struct str *out);
void print_workload_json(const struct determinism *, const struct trust_runs *, const struct trust_judgement *,
	const struct workload_stored *, struct json_writer *);

#endif
