#include "draw/view/view_relation.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"

#define LEAST_HEAD 5    /* columns of a name without its head: "…miss" */
#define COUNT_COLUMNS 4 /* " …12" at the end of a row */

/* A relation taken apart: terms before `split` stand on its left. */
struct parts {
	struct relation_term *term;
	size_t n, split;
	const char *relation;
};

char *
relation_pretty(const char *text)
{
	struct str out = {0};

	for (const char *p = text; *p; p++) {
		if (p[0] == '<' && p[1] == '=') {
			str_add(&out, "≤");
			p++;
		} else if (p[0] == '>' && p[1] == '=') {
			str_add(&out, "≥");
			p++;
		/* but not in an option: "--flows" */
		} else if (p[0] == '-' && (p == text || p[-1] == ' ') && p[1] == ' ') {
			str_add(&out, "−");
		} else {
			str_addc(&out, *p);
		}
	}
	return str_take(&out);
}

static bool
is_relation(const char *sign)
{
	return str_eq(sign, "≤") || str_eq(sign, "=") || str_eq(sign, "≥");
}

/* The sign between blanks at the beginning of `at`; NULL: none. */
static const char *
sign_at(const char *at)
{
	static const char *const sign[] = {"+", "−", "≤", "=", "≥"};

	for (size_t i = 0; at[0] == ' ' && i < sizeof sign / sizeof *sign; i++) {
		size_t n = strlen(sign[i]);

		if (strncmp(at + 1, sign[i], n) == 0 && at[1 + n] == ' ')
			return sign[i];
	}
	return NULL;
}

static void
free_parts(struct parts *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->term[i].word);
	free(p->term);
	*p = (struct parts){0};
}

/* Splits a text. False: it has no relation, or more than one. */
static bool
take_apart(const char *text, struct parts *out)
{
	const char *from = text, *sign = "", *next;
	size_t relations = 0;

	*out = (struct parts){0};
	for (const char *at = text;; at++) {
		next = sign_at(at);
		if (*at && !next)
			continue;
		out->term = mem_resize(out->term, out->n + 1, sizeof *out->term);
		out->term[out->n++] = (struct relation_term){
			.sign = sign, .word = mem_strn(from, (size_t)(at - from)), .value_sign = sign};
		if (!*at)
			break;
		sign = next;
		if (is_relation(sign)) {
			relations++;
			out->split = out->n;
			out->relation = sign;
		}
		at += 1 + strlen(sign);
		from = at + 1;
	}
	if (relations == 1)
		return true;
	free_parts(out);
	return false;
}

/* Adds the first `shown` of the terms from … end - 1, and how many more there are. */
static void
view_relation_add_side(struct str *out, const struct parts *p, size_t from, size_t end, size_t shown)
{
	for (size_t i = from; i < from + shown; i++) {
		if (i > from)
			str_addf(out, " %s ", p->term[i].sign);
		str_add(out, p->term[i].word);
	}
	if (shown < end - from)
		str_addf(out, "%s…%zu", shown ? " " : "", end - from - shown);
}

static char *
joined(const struct parts *p, size_t left, size_t right)
{
	struct str out = {0};

	view_relation_add_side(&out, p, 0, p->split, left);
	str_addf(&out, " %s ", p->relation);
	view_relation_add_side(&out, p, p->split, p->n, right);
	return str_take(&out);
}

static int
side_columns(const struct pen *pen, const struct parts *p, size_t from, size_t end, size_t shown)
{
	struct str side = {0};
	int columns;

	view_relation_add_side(&side, p, from, end, shown);
	columns = pen_columns(pen, str_text(&side));
	str_free(&side);
	return columns;
}

/* The end of a word after "…", in at most `columns`. Counters differ in their ends. */
static char *
without_head(const struct pen *pen, const char *word, int columns)
{
	const char *at = word;

	if (pen_columns(pen, word) <= columns)
		return mem_str(word);
	while (*at && pen_columns(pen, at) + pen_columns(pen, "…") > columns)
		do
			at++;
		while (((unsigned char)*at & 0xc0) == 0x80);
	return str_format("…%s", at);
}

/* A name as wide as `like`, with "…" in its middle. */
static char *
without_middle(const struct pen *pen, const char *word, const char *like)
{
	int columns = pen_columns(pen, like), tail = (columns - 1) / 2;
	size_t head = utf8_fit(word, (size_t)(columns - pen_columns(pen, "…") - tail));
	char *end = without_head(pen, word + head, tail + pen_columns(pen, "…")), *out;

	out = str_format("%.*s%s", (int)head, word, end);
	free(end);
	return out;
}

/* One term on each side, their heads cut so that all fits `columns`; NULL: there is not enough room. */
static char *
headless(const struct pen *pen, const struct parts *parts, int columns)
{
	size_t first[2] = {0, parts->split};
	char *whole[2] = {parts->term[0].word, parts->term[parts->split].word}, *bare = joined(parts, 1, 1),
	     *out = NULL;
	int wide[2], room;
	bool alike;

	for (int i = 0; i < 2; i++)
		wide[i] = pen_columns(pen, whole[i]);
	room = columns - (pen_columns(pen, bare) - wide[0] - wide[1]);
	free(bare);
	if (room < 2 * LEAST_HEAD && room < wide[0] + wide[1])
		return NULL;
	parts->term[0].word = without_head(pen, whole[0], room - (wide[1] < room / 2 ? wide[1] : room / 2));
	parts->term[parts->split].word = without_head(pen, whole[1], room - pen_columns(pen, parts->term[0].word));
	alike = str_eq(parts->term[0].word, parts->term[parts->split].word);
	for (int i = 0; alike && i < 2; i++) {
		char *same = parts->term[first[i]].word;

		parts->term[first[i]].word = without_middle(pen, whole[i], same);
		free(same);
	}
	out = joined(parts, 1, 1);
	for (int i = 0; i < 2; i++) {
		free(parts->term[first[i]].word);
		parts->term[first[i]].word = whole[i];
	}
	return out;
}

/* One side as a number of terms, the other as far as there is room: preferably the left one. */
static char *
one_sided(const struct pen *pen, const struct parts *p, int columns)
{
	for (size_t i = p->n; i > 0; i--) { /* n … : terms of the left, then those of the right */
		size_t on_right = p->n - p->split, left = i > on_right ? i - on_right : 0, right = left ? 0 : i;
		char *out = joined(p, left, right);

		if (pen_columns(pen, out) <= columns)
			return out;
		free(out);
	}
	return joined(p, 0, 0);
}

static char *
fitted(const struct pen *pen, const struct parts *parts, int columns)
{
	size_t left = parts->split, right = parts->n - parts->split;
	char *out = joined(parts, left, right);

	while (pen_columns(pen, out) > columns && (left > 1 || right > 1)) {
		bool longer_left = side_columns(pen, parts, 0, parts->split, left) >
			side_columns(pen, parts, parts->split, parts->n, right);

		if (right <= 1 || (longer_left && left > 1))
			left--;
		else
			right--;
		free(out);
		out = joined(parts, left, right);
	}
	if (pen_columns(pen, out) <= columns)
		return out;
	free(out);
	out = headless(pen, parts, columns);
	if (!out)
		out = one_sided(pen, parts, columns);
	if (pen_columns(pen, out) <= columns)
		return out;
	free(out);
	return mem_str("…");
}

char *
relation_fit(const struct pen *pen, int columns, const char *text)
{
	struct parts p;
	char *out;

	if (pen_columns(pen, text) <= columns || !take_apart(text, &p))
		return mem_str(text);
	out = fitted(pen, &p, columns);
	free_parts(&p);
	return out;
}

int
pen_relation(const struct pen *pen, int x, int y, int columns, const char *text)
{
	char *shown = columns > 0 ? relation_fit(pen, columns, text) : NULL;
	int used = shown ? pen_fit(pen, x, y, columns, shown) : 0;

	free(shown);
	return used;
}

void
line_relation(struct line *l, enum role role, unsigned char attr, int spare, const char *text)
{
	l->pen.fg = role;
	l->pen.attr = attr;
	l->x += pen_relation(&l->pen, l->x, l->y, l->end - l->x - spare, text);
}

/* A row of terms that is being written; with values, also the row below it. */
struct terms_row {
	struct line word, value;
	bool values, begun; /* it has a term */
};

static struct terms_row
begin_row(struct page *page, bool values, int indent)
{
	struct terms_row row = {.values = values};

	row.word = page_line(page);
	line_gap(&row.word, indent);
	row.word.end -= COUNT_COLUMNS;
	if (values) {
		row.value = page_line(page);
		line_gap(&row.value, indent);
		row.value.end = row.word.end;
	}
	return row;
}

static void
keep_abreast(struct terms_row *row)
{
	if (!row->values)
		return;
	row->word.x = row->word.x > row->value.x ? row->word.x : row->value.x;
	row->value.x = row->word.x;
}

static int
term_columns(const struct terms_row *row, const struct relation_term *t)
{
	const struct pen *pen = &row->word.pen;
	int word = pen_columns(pen, t->word), value = t->value ? pen_columns(pen, t->value) : 0;

	return (word > value ? word : value) + (*t->sign ? 3 : 0);
}

/* A name wider than a row goes over several: "load.walk_do…", "…ne_2m". */
static void
add_word(struct page *page, struct terms_row *row, const char *word, enum role role, int indent)
{
	while (pen_columns(&row->word.pen, word) > row->word.end - row->word.x) {
		int room = row->word.end - row->word.x - 1;
		size_t n = room > 0 ? utf8_fit(word, (size_t)room) : 0;

		if (n == 0)
			break;
		line_add(&row->word, role, 0, "%.*s…", (int)n, word);
		word += n;
		*row = begin_row(page, row->values, indent);
		line_add(&row->word, role, 0, "…");
	}
	line_add(&row->word, role, 0, "%s", word);
}

static void
view_relation_add_sign(struct line *l, enum role role, const char *sign, bool begun)
{
	if (*sign)
		line_add(l, role, is_relation(sign) ? CELL_BOLD : 0, begun ? " %s " : "%s ", sign);
}

void
page_terms(struct page *page, const struct relation_term *term, size_t n, enum role role, enum role strong, int indent,
	const char *right)
{
	bool values = n && term[0].value;
	struct terms_row row = begin_row(page, values, indent);
	struct pen end = row.word.pen;
	int aside = *right ? pen_columns(&end, right) + 3 : 0;

	if (aside) {
		end.fg = strong;
		end.attr = CELL_BOLD;
		pen_right(&end, page->r.x + page->r.w - 1, row.word.y, right);
		row.word.end = row.word.end - aside + COUNT_COLUMNS;
	}
	for (size_t i = 0; i < n; i++) {
		const struct relation_term *relation_term = &term[i];
		bool weak = !is_relation(relation_term->sign);

		if (row.begun && row.word.x + term_columns(&row, relation_term) > row.word.end) {
			if (page->row - page->skip >= page->r.h) /* nothing below this row is in sight */
				line_add(&row.word, ROLE_DIM, 0, " …%zu", n - i);
			row = begin_row(page, values, indent + 2);
		}
		view_relation_add_sign(&row.word, weak ? ROLE_DIM : strong, relation_term->sign, row.begun);
		if (values)
			view_relation_add_sign(
				&row.value, weak ? ROLE_DIM : strong, relation_term->value_sign, row.begun);
		keep_abreast(&row);
		add_word(page, &row, relation_term->word, role, indent + 2);
		if (values)
			line_add(&row.value, ROLE_DIM, 0, "%s", relation_term->value);
		keep_abreast(&row);
		row.begun = true;
	}
}

void
page_relation(struct page *page, enum role role, unsigned char attr, int indent, const char *text)
{
	struct parts parts;
	struct line l;

	if (!take_apart(text, &parts)) {
		l = page_line(page);
		line_gap(&l, indent);
		line_add(&l, role, attr, "%s", text);
		return;
	}
	page_terms(page, parts.term, parts.n, role, role, indent, "");
	free_parts(&parts);
}
