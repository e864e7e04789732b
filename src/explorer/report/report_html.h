/* The report as one HTML file that needs no other: the answer first, then what is violated with certificates, all
 * observations, the search, notes, trust, and how to repeat it. Drawings are in it. It has no time of writing, so that
 * the same session gives the same bytes. */
#ifndef EXPLORER_REPORT_REPORT_HTML_H
#define EXPLORER_REPORT_REPORT_HTML_H

#include <stddef.h>

#include "base/str.h"

struct html_page;
struct report;
struct state;
struct timeline_report;

enum report_drawing {
	DRAWING_VERDICTS, DRAWING_GEOMETRY, DRAWING_MODEL, DRAWING_SEARCH,
	DRAWING_PATHS, DRAWING_QUEUES, DRAWING_STALLS, DRAWING_DIFF,
	DRAWINGS
};

/* SVG documents whose colours are the roles of the style, "var(--text)". */
struct report_drawings {
	struct str svg[DRAWINGS];          /* empty: there is none */
	struct str lacks[DRAWINGS];        /* why there is none; empty: nothing to show */
	struct str *curve;                 /* n_curves: of probes, as view 9 shows them */
	size_t n_curves;
	struct str colors;                 /* CSS that sets the roles' colours, light and dark */
};

void report_html(const struct report *, const struct report_drawings *, struct str *out);
void timeline_report_html(const struct timeline_report *, const struct report_drawings *, struct str *out);

/* The report on a session that has curves of probes and nothing else. */
void curves_report_html(const struct timeline_report *, const struct report_drawings *, struct str *out);

/* Parts of both, private to explorer/report/. report_add_drawing() adds the figure, or why there is none;
 * report_add_source() a text in a folded part. */
void report_add_drawing(struct html_page *, const struct report_drawings *, enum report_drawing, const char *caption);
void report_add_source(struct html_page *, const char *name, const char *text);
/* Adds the section on the session's curves; nothing if it has none. In report_curves.c. */
void report_curves(const struct state *, const struct report_drawings *, struct html_page *);
/* Write the violated constraints with their certificates, and flows that give what is feasible; in report_proof.c. */
void report_proofs(const struct report *, struct html_page *);
void report_flows(const struct report *, struct html_page *);

#endif
