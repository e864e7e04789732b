/* The report on a session as Markdown: what was asked, the verdicts, why, what the searches found, notes, and how to do
 * it again. Its own words are ASCII; text from outside is escaped, so that it can neither format the report nor hide in
 * it. */
#ifndef APP_REPORT_REPORT_H
#define APP_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

struct analysis_options;
struct fset;
struct remarks;
struct result;
struct search_graph;
struct str;
struct udd_model;

struct report {
	const struct udd_model *model;
	const struct analysis_options *how;
	const struct result *result;      /* without an error */
	const struct search_graph *graph; /* NULL: nothing was searched */
	const struct remarks *remarks;    /* NULL: none */
	const char *model_arg;            /* as a command line names the model; NULL: the data brings it */
	char *const *data;                /* files, as a command line names them */
	size_t n_data;
	const char *machine;              /* "KVM guest, 2 vCPUs"; NULL */
	const char *program;              /* "hecate 0.1.0" */
	const char *when;                 /* "2026-01-31T12:00:00Z" */
	const char *search_picture, *model_picture; /* file names beside the report; NULL: no such picture … */
	const char *no_search_picture, *no_model_picture; /* … for this reason */
};

void report_markdown(const struct report *, struct str *out);

/* Text from outside as Markdown text: no character in it means anything, all that is not ASCII is a numeric entity. */
void markdown_add(struct str *out, const char *text);

/* What both reports are made of, this one and app/report/report_timeline.h's: a row of the table in front; a link to a
 * picture, or why there is none (NULL: nothing is said); all notes. */
void report_field(struct str *out, const char *name, const char *value);
void report_picture(struct str *out, const char *title, const char *file, const char *why_not);
void report_notes(const struct remarks *, struct str *out);

/* report_graph.c, the part on searches. */
void report_searches(const struct report *, struct str *out);
/* "a, b" or, for the empty set, `none`; escaped. */
void report_set(const struct udd_model *, const struct fset *, const char *none, struct str *out);

#endif
