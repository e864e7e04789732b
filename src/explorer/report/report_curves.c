/* Curves of probes, in the HTML report. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/shell.h"
#include "base/str.h"
#include "base/xml.h"
#include "explorer/report/report.h"
#include "explorer/report/report_html.h"
#include "explorer/report/report_page.h"
#include "explorer/report/report_timeline.h"
#include "explorer/state/state.h"
#include "explorer/state/state_probes.h"
#include "work/probe/probe_book.h"

static const struct probe *
probe_of(const struct probe_book *book, const char *name)
{
	for (size_t i = 0; i < book->n; i++)
		if (str_eq(book->entry[i].name, name))
			return book->entry[i].probe;
	return NULL;
}

static void
curves_row(const struct probe_book *book, const struct probe_measured *measured, struct html_page *page)
{
	const struct probe *probe = probe_of(book, measured->probe);
	const struct probe_answer *answer = &measured->answer;
	char number[NUMBER_TEXT], other[NUMBER_TEXT], *range;

	html_row(page);
	html_cell(page, measured->probe);
	html_cell(page, measured->machine);
	html_number(page, answer->found ? number_digits(number, answer->value, 4, false) : "·");
	range = !answer->found ? str_format("·")
		: isinf(answer->high) ? str_format("%s or more", number_digits(number, answer->low, 4, false))
			: str_format("%s … %s", number_digits(number, answer->low, 4, false),
				number_digits(other, answer->high, 4, false));
	html_cell(page, range);
	free(range);
	html_cell(page, probe_trust_name(measured->trust));
	html_number(page, number_count(number, (double)measured->curve.n, false));
	html_cell(page, probe ? probe->text : "");
}

/* "rob: 224 entries of the reorder buffer; …": what the curves answer. */
static void
answers_words(const struct probe_book *book, struct str *out)
{
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < book->n_measured; i++) {
		const struct probe_measured *measured = book->measured[i];
		const struct probe *probe = probe_of(book, measured->probe);

		if (!measured->answer.found)
			continue;
		str_addf(out, "%s%s: %s%s", out->n ? "; " : "", measured->probe,
			number_digits(number, measured->answer.value, 4, false),
			probe_answer_at_least(&measured->answer) ? " or more" : "");
		if (probe)
			str_addf(out, " %s", probe->text);
	}
	if (!out->n)
		str_add(out, "No curve shows an answer");
}

void
report_curves(const struct state *state, const struct report_drawings *drawings, struct html_page *page)
{
	static const char *const column[] = {"probe", "machine", "#answer", "interval at 99 %",
		"how far to trust it", "#points", "what it measures"};
	const struct probe_book *book = state->data.probes;

	if (!state_has_curves(state))
		return;
	html_section(page, "Probes");
	html_table(page, "Answers of the curves", column, sizeof column / sizeof *column);
	for (size_t i = 0; i < book->n_measured; i++)
		curves_row(book, book->measured[i], page);
	html_table_end(page);
	for (size_t i = 0; i < drawings->n_curves; i++)
		html_drawing(page, &drawings->curve[i], "The curve and its knees: view 9 of the explorer.");
}

void
curves_report_html(const struct timeline_report *report, const struct report_drawings *drawings, struct str *out)
{
	const struct probe_book *book = report->session->data.probes;
	struct html_page page = {0};
	struct str notes = {0}, commands = {0}, answers = {0};
	char *title = str_format("%zu curve%s of probes", book->n_measured, plural_s(book->n_measured));

	answers_words(book, &answers);
	str_addf(&page.head, "<p class=\"kind\">Curves that isolate one feature of a machine</p>\n<h1>%s</h1>\n"
		"<div class=\"answer plain\">\n<p class=\"verdict\">", title);
	xml_add(&page.head, str_text(&answers));
	str_add(&page.head, "</p>\n</div>\n");
	report_curves(report->session, drawings, &page);
	report_notes(&report->session->question.remarks, &notes);
	html_markdown(&page, str_text(&notes));
	if (report->n_args) {
		str_add(&commands, "## How to see it again\n\n    hecate ");
		shell_add_file(&commands, report->args[0]);
		str_addc(&commands, '\n');
		html_markdown(&page, str_text(&commands));
	}
	html_end(&page, title, report->program, str_text(&drawings->colors), out);
	free(title);
	str_free(&notes);
	str_free(&commands);
	str_free(&answers);
}
