#include "explorer/report/report_page.h"

#include <string.h>

#include "base/str.h"
#include "base/xml.h"
#include "explorer/report/report_look.h"

void
html_section_of(struct html_page *page, const char *title)
{
	page->n_sections++;
	str_clear(&page->title);
	str_add(&page->title, title);
	str_addf(&page->links, "<li><a href=\"#s%zu\">%s</a></li>\n", page->n_sections, title);
	str_addf(&page->body, "%s<section id=\"s%zu\">\n<h2>%s</h2>\n", page->n_sections > 1 ? "</section>\n" : "",
		page->n_sections, title);
}

void
html_section(struct html_page *page, const char *title)
{
	struct str text = {0};

	xml_add(&text, title);
	html_section_of(page, str_text(&text));
	str_free(&text);
}

void
html_paragraph(struct html_page *page, const char *text)
{
	str_add(&page->body, "<p>");
	xml_add(&page->body, text);
	str_add(&page->body, "</p>\n");
}

void
html_drawing(struct html_page *page, const struct str *svg, const char *caption)
{
	if (!svg->n)
		return;
	str_add(&page->body, "<figure><div class=\"wide\">\n");
	str_addn(&page->body, svg->s, svg->n);
	str_add(&page->body, "</div><figcaption>");
	xml_add(&page->body, caption);
	str_add(&page->body, "</figcaption></figure>\n");
}

void
html_table(struct html_page *page, const char *caption, const char *const *column, size_t n)
{
	str_add(&page->body, "<div class=\"wide seen\"><table class=\"sorts\"><caption>");
	xml_add(&page->body, caption);
	str_add(&page->body, "</caption>\n<thead><tr>");
	for (size_t i = 0; i < n; i++) {
		bool number = *column[i] == '#';

		str_addf(&page->body, "<th scope=\"col\"%s>", number ? " class=\"n\"" : "");
		xml_add(&page->body, column[i] + number);
		str_add(&page->body, "</th>");
	}
	str_add(&page->body, "</tr></thead>\n<tbody>\n");
	page->in_row = page->in_foot = false;
}

void
html_row(struct html_page *page)
{
	str_add(&page->body, page->in_row ? "</tr>\n<tr>" : "<tr>");
	page->in_row = true;
}

void
html_cell(struct html_page *page, const char *text)
{
	str_add(&page->body, "<td>");
	xml_add(&page->body, text);
	str_add(&page->body, "</td>");
}

void
html_number(struct html_page *page, const char *text)
{
	str_add(&page->body, "<td class=\"n\">");
	xml_add(&page->body, text);
	str_add(&page->body, "</td>");
}

void
html_foot(struct html_page *page, const char *text, size_t n)
{
	str_addf(&page->body, "%s</tbody>\n<tfoot><tr><td colspan=\"%zu\">", page->in_row ? "</tr>\n" : "", n);
	xml_add(&page->body, text);
	str_add(&page->body, "</td>");
	page->in_row = page->in_foot = true;
}

void
html_table_end(struct html_page *page)
{
	str_addf(&page->body, "%s%s</table></div>\n", page->in_row ? "</tr>\n" : "",
		page->in_foot ? "</tfoot>" : "</tbody>");
	page->in_row = page->in_foot = false;
}

void
html_fold(struct html_page *page, const char *title, const char *note, bool shown)
{
	str_addf(&page->body, "<details%s><summary><span>", shown ? " open" : "");
	xml_add(&page->body, title);
	str_add(&page->body, "</span>");
	if (note) {
		str_add(&page->body, " <small>");
		xml_add(&page->body, note);
		str_add(&page->body, "</small>");
	}
	str_add(&page->body, "</summary>\n");
}

void
html_fold_end(struct html_page *page)
{
	str_add(&page->body, "</details>\n");
}

void
html_end(struct html_page *page, const char *title, const char *program, const char *colors, struct str *out)
{
	/* nothing is loaded, and no script runs but the one whose hash stands here */
	str_addf(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
		"script-src '%s'; base-uri 'none'; form-action 'none'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"",
		report_script_hash);
	xml_add(out, program);
	str_add(out, "\">\n<title>");
	xml_add(out, title);
	str_addf(out, "</title>\n<style>\n%s", colors);
	for (size_t i = 0; report_style[i]; i++)
		str_addf(out, "%s\n", report_style[i]);
	str_addf(out,
		"</style>\n</head>\n<body>\n<main>\n%s<nav aria-label=\"Contents\"><ul>\n%s</ul></nav>\n%s%s</main>\n",
		str_text(&page->head), str_text(&page->links), str_text(&page->body),
		page->n_sections ? "</section>\n" : "");
	str_add(out, "<script>");
	for (size_t i = 0; report_script[i]; i++)
		str_addf(out, "%s\n", report_script[i]);
	str_add(out, "</script>\n</body>\n</html>\n");
	str_free(&page->head);
	str_free(&page->links);
	str_free(&page->body);
	str_free(&page->title);
}
