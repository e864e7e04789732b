/* The files of a report: Markdown, and beside it the pictures that it shows. */
#ifndef DRAW_REPORT_FILES_H
#define DRAW_REPORT_FILES_H

#include <stddef.h>

#include "app/report/report.h"
#include "app/report/report_timeline.h"
#include "base/str.h"

struct theme;

enum report_file { REPORT_TEXT, REPORT_SEARCH, REPORT_MODEL, REPORT_PATHS, REPORT_STALLS, REPORT_QUEUES, REPORT_FILES };

struct report_files {
	/* "NAME.md", "NAME-search.svg", "NAME-model.svg", "NAME-paths.svg" …, without a folder; NULL: there is no such
	 * file */
	char *name[REPORT_FILES];
	struct str text[REPORT_FILES];
};

/* `name`: of the Markdown file, without its ending. The pictures' names in the report are filled in here. */
void report_files_make(struct report_files *, struct report *, const struct theme *, const char *name);
/* The same of a network or a stack: views 5 to 7 as they stand, as pictures. */
void report_files_make_timeline(
	struct report_files *, struct timeline_report *, const struct theme *, const char *name);
void report_files_free(struct report_files *);

#endif
