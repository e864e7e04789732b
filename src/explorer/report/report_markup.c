/* The report's Markdown as HTML. It knows the forms that the report is written in, and no others: each block begins at
 * its line's start, and in the text a backslash, an entity, ** and ` alone have a meaning. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/xml.h"
#include "explorer/report/report_page.h"

#define COLUMNS_MOST 64
#define ROWS_SHOWN 40 /* longer tables are folded */

/* Adds n bytes of text as HTML. */
static void
markup_text(const char *text, size_t n, struct str *out)
{
	bool strong = false, code = false;

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\\' && i + 1 < n) {
			str_addc(out, text[++i]);
		} else if (text[i] == '*' && i + 1 < n && text[i + 1] == '*') {
			strong = !strong;
			str_add(out, strong ? "<strong>" : "</strong>");
			i++;
		} else if (text[i] == '`') {
			code = !code;
			str_add(out, code ? "<code>" : "</code>");
		} else if (text[i] == '<' || text[i] == '>') { /* of a number: "<1e-9" */
			str_add(out, text[i] == '<' ? "&lt;" : "&gt;");
		} else {
			str_addc(out, text[i]);
		}
	}
	if (strong)
		str_add(out, "</strong>");
	if (code)
		str_add(out, "</code>");
}

/* Splits "| a | b |" into its cells; returns their number. */
static size_t
markup_cells(const char *line, const char *cell[COLUMNS_MOST], size_t length[COLUMNS_MOST])
{
	size_t n = 0;
	const char *from = line + 1;

	for (const char *c = from; *c && n < COLUMNS_MOST; c++) {
		if (*c == '\\' && c[1]) {
			c++;
		} else if (*c == '|') {
			const char *end = c;

			while (from < end && *from == ' ')
				from++;
			while (end > from && end[-1] == ' ')
				end--;
			cell[n] = from;
			length[n++] = (size_t)(end - from);
			from = c + 1;
		}
	}
	return n;
}

/* Adds a row; `numbers`: per column, whether it is of numbers; NULL: the row is a table's head. */
static void
markup_row(struct html_page *page, const char *line, const bool *numbers, bool first_is_name)
{
	const char *cell[COLUMNS_MOST];
	size_t length[COLUMNS_MOST], n = markup_cells(line, cell, length);

	str_add(&page->body, "<tr>");
	for (size_t i = 0; i < n; i++) {
		bool name = i == 0 && first_is_name;

		str_add(&page->body, name ? "<th scope=\"row\">" : numbers[i] ? "<td class=\"n\">" : "<td>");
		markup_text(cell[i], length[i], &page->body);
		str_add(&page->body, name ? "</th>" : "</td>");
	}
	str_add(&page->body, "</tr>\n");
}

static void
markup_head(struct html_page *page, const char *line, const bool *numbers)
{
	const char *cell[COLUMNS_MOST];
	size_t length[COLUMNS_MOST], n = markup_cells(line, cell, length);

	str_add(&page->body, "<thead><tr>");
	for (size_t i = 0; i < n; i++) {
		str_addf(&page->body, "<th scope=\"col\"%s>", numbers[i] ? " class=\"n\"" : "");
		markup_text(cell[i], length[i], &page->body);
		str_add(&page->body, "</th>");
	}
	str_add(&page->body, "</tr></thead>\n");
}

/* Adds the table that begins at this line; returns the line after it. A table without heads is a list of facts. */
static char **
markup_table(struct html_page *page, char **line)
{
	const char *cell[COLUMNS_MOST];
	size_t length[COLUMNS_MOST], heads = markup_cells(line[0], cell, length), n;
	bool numbers[COLUMNS_MOST] = {false}, facts = true;
	size_t rows = 0;

	for (size_t i = 0; i < heads; i++)
		facts &= length[i] == 0;
	n = markup_cells(line[1], cell, length);
	for (size_t i = 0; i < n; i++)
		numbers[i] = length[i] && cell[i][length[i] - 1] == ':';
	while (line[2 + rows] && *line[2 + rows] == '|')
		rows++;
	if (rows > ROWS_SHOWN) {
		char *text = str_format("%zu rows", rows);

		html_fold(page, text, NULL, false);
		free(text);
	}
	str_addf(&page->body, "<div class=\"wide\"><table class=\"%s\"><caption>%s</caption>\n",
		facts ? "facts" : "sorts", str_text(&page->title));
	if (!facts)
		markup_head(page, line[0], numbers);
	str_add(&page->body, "<tbody>\n");
	for (size_t i = 0; i < rows; i++)
		markup_row(page, line[2 + i], numbers, facts);
	str_add(&page->body, "</tbody></table></div>\n");
	if (rows > ROWS_SHOWN)
		html_fold_end(page);
	return line + 2 + rows;
}

static char **
markup_list(struct html_page *page, char **line)
{
	str_add(&page->body, "<ul>\n");
	for (; strncmp(*line, "- ", 2) == 0; line++) {
		str_add(&page->body, "<li>");
		markup_text(*line + 2, strlen(*line) - 2, &page->body);
		str_add(&page->body, "</li>\n");
	}
	str_add(&page->body, "</ul>\n");
	return line;
}

/* Lines for a shell stand for themselves. */
static char **
markup_code(struct html_page *page, char **line)
{
	str_add(&page->body, "<pre class=\"shell\"><code>");
	for (; strncmp(*line, "    ", 4) == 0; line++) {
		xml_add(&page->body, *line + 4);
		str_addc(&page->body, '\n');
	}
	str_add(&page->body, "</code></pre>\n");
	return line;
}

static char **
markup_paragraph(struct html_page *page, char **line)
{
	str_add(&page->body, "<p>");
	for (bool first = true; *line && **line && **line != '|' && strncmp(*line, "- ", 2) != 0; line++) {
		str_add(&page->body, first ? "" : "\n");
		markup_text(*line, strlen(*line), &page->body);
		first = false;
	}
	str_add(&page->body, "</p>\n");
	return line;
}

static void
markup_heading(struct html_page *page, const char *line)
{
	size_t level = strspn(line, "#");
	struct str text = {0};

	markup_text(line + level + 1, strlen(line) - level - 1, &text);
	if (level <= 2)
		html_section_of(page, str_text(&text));
	else
		str_addf(&page->body, "<h3>%s</h3>\n", str_text(&text));
	str_free(&text);
}

void
html_markdown(struct html_page *page, const char *markdown)
{
	char **all = str_split(markdown, '\n', NULL), **line = all;

	while (*line)
		if (!**line)
			line++;
		else if (**line == '#')
			markup_heading(page, *line++);
		else if (**line == '|' && line[1])
			line = markup_table(page, line);
		else if (strncmp(*line, "- ", 2) == 0)
			line = markup_list(page, line);
		else if (strncmp(*line, "    ", 4) == 0)
			line = markup_code(page, line);
		else
			line = markup_paragraph(page, line);
	str_split_free(all);
}
