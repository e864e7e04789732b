/* The files of a report: Markdown and the pictures that it shows. */
#ifndef DRAW_REPORT_FILES_H
#define DRAW_REPORT_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "explorer/report/report.h"
#include "explorer/report/report_timeline.h"
#include "explorer/state/pane_ids.h"

struct err;
struct geometry;
struct state;
struct theme;

enum report_file {
	REPORT_TEXT, REPORT_SEARCH, REPORT_MODEL, REPORT_PATHS, REPORT_STALLS, REPORT_QUEUES, REPORT_DIFF, REPORT_FILES
};

struct report_files {
	/* "NAME.md", "NAME-search.svg", "NAME-model.svg", "NAME-paths.svg" …, without a folder; NULL: no such file */
	char *name[REPORT_FILES];
	struct str text[REPORT_FILES];
};

/* Makes the files and writes the pictures' names into the report. `name`: the Markdown file's, without its ending. */
void report_files_make(struct report_files *, struct report *, const struct theme *, const char *name);
/* Makes the files of a report on a network or stacks, with pictures of views 5 to 7. */
void report_files_make_timeline(struct report_files *, struct timeline_report *, const struct theme *,
	const char *name);
/* Makes the files of a report on A and B, with a picture of their view. */
void report_files_make_diff(struct report_files *, const struct timeline_report *, const struct theme *,
	const char *name);
/* Draws the diagram of the features that are on. If it is too large for a picture, sets *e and draws nothing. */
void report_files_model(const struct report *, const struct theme *, struct str *out, struct err *e);
/* Draws one view of the session, whatever the screen shows. `still`: without what only keys need, and without rows of
 * blanks that follow another. */
void report_files_view(
	const struct state *, enum view, enum pane_id, bool still, const struct theme *, struct str *out);
void report_files_free(struct report_files *);

/* The HTML report with its drawings; in report_html_file.c. `geometry`: of the observation that the report shows; NULL:
 * none. The reader's system chooses between light and dark. */
void report_html_file(const struct report *, const struct geometry *, const struct theme *light,
	const struct theme *dark, struct str *out);
/* On a network, stacks, or curves of probes alone. */
void report_html_file_timeline(const struct timeline_report *, const struct theme *light, const struct theme *dark,
	struct str *out);
/* On A and B. */
void report_html_file_diff(const struct timeline_report *, const struct theme *light, const struct theme *dark,
	struct str *out);

#endif
