/* The report on the comparison of A and B, as Markdown and as one HTML page. */
#include "explorer/report/report_diff.h"

#include <stdlib.h>

#include "base/str.h"
#include "base/xml.h"
#include "explorer/report/report.h"
#include "explorer/report/report_html.h"
#include "explorer/report/report_page.h"
#include "explorer/report/report_timeline.h"
#include "explorer/state/state.h"
#include "work/diff/contest.h"
#include "work/diff/diff_words.h"

/* What was compared, where, and when; then the answer. */
static void
diff_report_body(const struct timeline_report *report, const char *picture, struct str *out)
{
	const struct contest *c = report->session->data.contest;

	str_add(out, "| | |\n| --- | --- |\n");
	for (int side = 0; side < 2; side++)
		report_field(out, side ? "B" : "A", c->of.side[side]);
	if (report->machine)
		report_field(out, "machine", report->machine);
	report_field(out, "program", report->program);
	if (report->when)
		report_field(out, "written", report->when);
	str_add(out, "\n## The answer\n\n");
	c->report(c, out);
	str_add(out, "\n");
	if (picture)
		report_picture(out, "the quantities, the runs in order, and how they spread", picture, NULL);
	report_notes(&report->session->question.remarks, out);
}

void
diff_report_markdown(const struct timeline_report *report, const char *picture, struct str *out)
{
	str_add(out, "# B against A\n\n");
	diff_report_body(report, picture, out);
}

void
diff_report_html(const struct timeline_report *report, const struct report_drawings *drawings, struct str *out)
{
	const struct contest *c = report->session->data.contest;
	struct html_page page = {0};
	struct str body = {0}, lead = {0};

	diff_add_lead(&lead, &c->of.measured, &c->rule, c->recorded, false);
	str_add(&page.head, "<p class=\"kind\">Is this difference real?</p>\n<h1>B against A</h1>\n"
		"<div class=\"answer plain\">\n<p class=\"verdict\">");
	xml_add(&page.head, str_text(&lead));
	str_add(&page.head, "</p>\n</div>\n");
	diff_report_body(report, NULL, &body);
	html_markdown(&page, str_text(&body));
	report_add_drawing(&page, drawings, DRAWING_DIFF, "The view of differences of the explorer.");
	html_end(&page, "B against A", report->program, str_text(&drawings->colors), out);
	str_free(&body);
	str_free(&lead);
}
