#include "draw/view/view_page.h"

#include "base/str.h"

#define NOWHERE 4096
#define REST_LEAST 24 /* columns in which words can be broken into lines */

bool
page_full(const struct page *p)
{
	return p->row - p->skip >= p->r.h;
}

struct line
page_line(struct page *p)
{
	return line_on(p->g, p->r, p->row++ - p->skip);
}

void
page_blank(struct page *p)
{
	if (p->r.h > 9)
		p->row++;
}

/* Draws words from a row and column of the page on. Returns the rows that they take, including those out of sight. */
static int
wrap(const struct page *p, int row, int indent, enum role role, const char *text)
{
	struct pen pen = pen_on(p->g, p->r, role), nowhere = pen;
	int columns = p->r.w - 2 - indent;

	/* Rows cut off at the bottom count, too: counts them in an endless clip without cells. */
	nowhere.clip = (struct rect){-1, -NOWHERE, 1, NOWHERE};
	draw_wrapped(&pen, p->r.x + 1 + indent, p->r.y + row - p->skip, columns, text);
	return draw_wrapped(&nowhere, -1, -NOWHERE, columns, text);
}

void
page_words(struct page *p, enum role role, const char *text)
{
	char **line = str_split(text, '\n', NULL);

	for (size_t i = 0; line[i] && (*line[i] || line[i + 1]); i++) {
		int rows = wrap(p, p->row, 0, role, line[i]);

		p->row += rows > 0 ? rows : 1;
	}
	str_split_free(line);
}

void
page_hanging(struct page *p, int indent, enum role role, const char *text)
{
	int rows = wrap(p, p->row - 1, indent - 1, role, text);

	p->row += rows > 1 ? rows - 1 : 0;
}

void
page_rest(struct page *p, struct line *l, int indent, enum role role, const char *text)
{
	line_gap(l, 2);
	if (l->end - l->x >= REST_LEAST) {
		page_hanging(p, l->x - p->r.x, role, text);
	} else if (!line_add_whole(l, role, "%s", text)) {
		page_line(p);
		page_hanging(p, indent, role, text);
	}
}

void
page_head(struct page *p, const char *text, const char *more)
{
	struct line l = page_line(p);

	line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", text);
	line_gap(&l, 2);
	line_add(&l, ROLE_DIM, 0, "%s", more);
}

enum role
page_role(const struct page *p, enum role role)
{
	return state_stale(p->s) ? ROLE_DIM : role;
}

int
page_rows(const struct page *p)
{
	return scroll_rows(p->skip, p->row - p->skip, p->r.h);
}
