/* One HTML file without references to others: sections, tables that sort by a click, and drawings. Private to
 * explorer/report/.
 *
 * Sections that the Markdown report has are written as Markdown, and html_markdown() makes HTML of them, so that each
 * is written once. */
#ifndef EXPLORER_REPORT_REPORT_PAGE_H
#define EXPLORER_REPORT_REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* Zero-initialise it, add sections, then write it with html_end(), which frees it. */
struct html_page {
	struct str head, links, body;
	struct str title; /* of the open section, HTML; a table's caption */
	size_t n_sections;
	bool in_row, in_foot;
};

void html_section(struct html_page *, const char *title); /* plain text */
/* Begins a section whose title is HTML. */
void html_section_of(struct html_page *, const char *title);
/* Adds Markdown as report.h and report_table.h write it: headings (## begins a section), tables, lists, paragraphs,
 * command lines. Every escaped character stands for itself. */
void html_markdown(struct html_page *, const char *markdown);
/* Adds an SVG document as a figure; does nothing if it is empty. */
void html_drawing(struct html_page *, const struct str *svg, const char *caption);
/* Begins a table with a caption, which sorts by a click; a column whose name begins with '#' has numbers. */
void html_table(struct html_page *, const char *caption, const char *const *column, size_t n);
void html_cell(struct html_page *, const char *text);
void html_number(struct html_page *, const char *text); /* a cell of a column of numbers */
void html_row(struct html_page *); /* begins a row; html_table_end() ends the last one */
/* Begins a last row that does not sort; its first cell takes the place of n cells. */
void html_foot(struct html_page *, const char *text, size_t n);
void html_table_end(struct html_page *);
/* A part that is folded, or shown; html_fold_end() ends it. `note`: a few words after the title; NULL: none. */
void html_fold(struct html_page *, const char *title, const char *note, bool shown);
void html_fold_end(struct html_page *);
void html_paragraph(struct html_page *, const char *text);

/* Writes the file. `colors`: CSS that sets the roles' colours. */
void html_end(struct html_page *, const char *title, const char *program, const char *colors, struct str *out);

#endif
