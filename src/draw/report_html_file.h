/* The HTML report with its drawings. */
#ifndef DRAW_REPORT_HTML_FILE_H
#define DRAW_REPORT_HTML_FILE_H

struct geometry;
struct report;
struct str;
struct theme;
struct timeline_report;

/* `geometry`: of the observation that the report shows; NULL: none. The reader's system chooses between light and
 * dark. */
void report_html_file(const struct report *, const struct geometry *, const struct theme *light,
	const struct theme *dark, struct str *out);
/* On a network, stacks, or curves of probes alone. */
void report_html_file_timeline(const struct timeline_report *, const struct theme *light, const struct theme *dark,
	struct str *out);

#endif
