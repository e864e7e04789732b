/* The report on a session as Markdown: the question, the verdicts with reasons, results of searches, notes, and how to
 * repeat it. Its own words are ASCII. Text from outside is escaped, so that it can neither format the report nor hide
 * in it. */
#ifndef EXPLORER_REPORT_REPORT_H
#define EXPLORER_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

struct analysis_options;
struct bundle;
struct fset;
struct obs_table;
struct remarks;
struct result;
struct search_graph;
struct str;
struct udd_model;

struct report {
	const struct udd_model *model;
	const struct analysis_options *how;
	const struct result *result;      /* a result without an error */
	const struct search_graph *graph; /* NULL: no search was made */
	const struct remarks *remarks;    /* notes; NULL: none */
	const char *model_arg;            /* the model as on a command line; NULL: it comes with the data */
	char *const *data;                /* data files as on a command line */
	size_t n_data;
	const char *machine;              /* "KVM guest, 2 vCPUs"; NULL: unknown */
	const char *program;              /* name and version, "hecate 0.1.0" */
	const char *when;                 /* time of writing, "2026-01-31T12:00:00Z"; NULL: not written */
	const struct bundle *bundle;      /* the model's text; NULL: not written */
	struct obs_table *const *table;   /* the data, for how they were counted */
	size_t n_tables;
	const char *search_picture, *model_picture; /* file names next to the report; NULL: no such picture */
	const char *no_search_picture, *no_model_picture; /* reasons why there is no picture */
};

void report_markdown(const struct report *, struct str *out);

/* Adds text from outside. Every character stands for itself; characters beyond ASCII become numeric entities. */
void report_add_text(struct str *out, const char *text);

/* Parts of both reports, this one and report_timeline.h's: rows of the table at the top; a link to a picture, or why
 * there is none (NULL: nothing is written); all notes. */
void report_field(struct str *out, const char *name, const char *value);
void report_add_machines(struct obs_table *const *table, size_t n, struct str *out); /* what the data were counted on */
void report_picture(struct str *out, const char *title, const char *file, const char *why_not);
void report_notes(const struct remarks *, struct str *out);

/* Sections of the report: the question as a table; all observations, without a heading; in how many each counter was
 * live, dead and missing; the command lines that repeat it. */
void report_question(const struct report *, struct str *out);
void report_verdicts(const struct report *, struct str *out);
void report_counters(const struct report *, struct str *out);
/* The laws that the data break or strain, with a heading; nothing if no law has its events in the data. */
void report_laws_told(const struct report *, struct str *out);
void report_repeat(const struct report *, struct str *out);
/* Writes the part on searches; in report_graph.c. */
void report_searches(const struct report *, struct str *out);
/* Adds "a, b", escaped; `none` for the empty set. */
void report_set(const struct udd_model *, const struct fset *, const char *none, struct str *out);

#endif
