/* The report on the comparison of A and B. Of a struct timeline_report it takes session, machine, program and when. */
#ifndef EXPLORER_REPORT_REPORT_DIFF_H
#define EXPLORER_REPORT_REPORT_DIFF_H

struct report_drawings;
struct str;
struct timeline_report;

/* `picture`: a file's name next to the report. */
void diff_report_markdown(const struct timeline_report *, const char *picture, struct str *out);
void diff_report_html(const struct timeline_report *, const struct report_drawings *, struct str *out);

#endif
