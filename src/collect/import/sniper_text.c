#include "collect/import/sniper_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "collect/import/feed.h"
#include "collect/import/import.h"
#include "core/obs/obs.h"

#define NAMES_SHOWN 3
#define NUMBER_LONGEST 63 /* characters of a number; Python prints at most 24 of a float, and integers have 20 */

static const char *const fault_text[SNIPER_FAULTS] = {
	[SNIPER_FAULT_NEGATIVE] = "below zero",
	[SNIPER_FAULT_NO_COUNT] = "not a count but a fraction, a text, nan, or beyond 63 bits",
	[SNIPER_FAULT_NOT_CORES] = "of the whole system, not of a core",
};

struct sniper_text *
sniper_text_new(const char *name, const char *text, size_t n, struct err *e)
{
	struct sniper_text *sniper_text;
	int line = 1;
	size_t bad;

	if (!utf8_valid(text, n, &bad)) {
		for (size_t i = 0; i < bad; i++)
			line += text[i] == '\n';
		err_set(e, "this is not text: a NUL or a byte that is not UTF-8");
		err_hint(e, "was the file damaged?");
		err_place(e, name, line, 0);
		return NULL;
	}
	sniper_text = mem_new(sizeof *sniper_text);
	sniper_text->name = name;
	sniper_text->p = text;
	sniper_text->end = text + n;
	sniper_text->e = e;
	return sniper_text;
}

void
sniper_text_free(struct sniper_text *t)
{
	if (!t)
		return;
	names_free(&t->columns);
	names_free(&t->cores);
	free(t->column);
	free(t->cell);
	free(t);
}

static bool
sniper_text_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void
cut_line(struct sniper_text *text, const char *end)
{
	text->n_words = 0;
	text->cut = false;
	for (const char *p = text->line_start; p < end;) {
		const char *from;

		while (p < end && sniper_text_is_blank(*p))
			p++;
		for (from = p; p < end && !sniper_text_is_blank(*p);)
			p++;
		text->cut = p > from && text->n_words == SNIPER_WORDS;
		if (text->cut)
			return;
		if (p > from)
			text->word[text->n_words++] = (struct sniper_word){from, (size_t)(p - from)};
	}
}

bool
sniper_text_next(struct sniper_text *text)
{
	while (text->p < text->end) {
		const char *end = memchr(text->p, '\n', (size_t)(text->end - text->p));

		text->line_start = text->p;
		text->line++;
		text->p = end ? end + 1 : text->end;
		cut_line(text, end ? end : text->end);
		if (text->n_words)
			return true;
	}
	return false;
}

bool
sniper_word_is(const struct sniper_text *t, size_t i, const char *s)
{
	return i < t->n_words && t->word[i].n == strlen(s) && memcmp(t->word[i].s, s, t->word[i].n) == 0;
}

bool
sniper_word_number(const struct sniper_word *w, int64_t *out)
{
	char digits[NUMBER_LONGEST + 1];

	if (!w->n || w->n > NUMBER_LONGEST)
		return false;
	memcpy(digits, w->s, w->n);
	digits[w->n] = '\0';
	return strspn(digits, "0123456789") == w->n && str_to_i64(digits, out);
}

bool
sniper_text_fail(struct sniper_text *t, size_t i, const char *what, const char *hint)
{
	err_set(t->e, "%s", what);
	err_hint(t->e, "%s", hint);
	return err_place(t->e, t->name, t->line, i < t->n_words ? (int)(t->word[i].s - t->line_start) + 1 : 0);
}

size_t
sniper_column(struct sniper_text *text, const char *prefix, const char *s, size_t n)
{
	struct str name = {0};
	size_t i;

	str_add(&name, prefix);
	str_addn(&name, s, n);
	i = names_add(&text->columns, str_text(&name), name.n);
	if (i >= text->cap_columns || !text->column) {
		size_t had = text->cap_columns;

		mem_grow(&text->column, &text->cap_columns, i + 1, sizeof *text->column);
		memset(text->column + had, 0, (text->cap_columns - had) * sizeof *text->column);
	}
	str_free(&name);
	return i;
}

void
sniper_column_blame(struct sniper_text *t, size_t column, enum sniper_fault fault)
{
	struct sniper_column *c = &t->column[column];

	c->dropped |= fault != SNIPER_FAULT_NEGATIVE;
	if (c->fault)
		return;
	c->fault = fault;
	c->line = t->line;
}

void
sniper_cell_add(struct sniper_text *t, size_t column, size_t core, struct decimal value)
{
	mem_grow(&t->cell, &t->cap_cells, t->n_cells + 1, sizeof *t->cell);
	t->cell[t->n_cells++] = (struct sniper_cell){column, core, false, value};
}

void
sniper_cell_add_unknown(struct sniper_text *t, size_t column, size_t core)
{
	sniper_cell_add(t, column, core, (struct decimal){0});
	t->cell[t->n_cells - 1].unknown = true;
}

enum sniper_fault
sniper_value(struct sniper_text *text, const char *s, size_t n, size_t column, struct decimal *value)
{
	enum sniper_fault fault = SNIPER_FAULT_NO_COUNT;
	char number[NUMBER_LONGEST + 1];

	if (n && n <= NUMBER_LONGEST) {
		memcpy(number, s, n);
		number[n] = '\0';
		switch (decimal_parse(number, value)) {
		case DECIMAL_GOOD:
			return SNIPER_FAULT_NONE;
		case DECIMAL_NEGATIVE:
			fault = SNIPER_FAULT_NEGATIVE;
			break;
		case DECIMAL_NOT_A_NUMBER:
		case DECIMAL_NAN:
		case DECIMAL_TOO_LARGE:
			break;
		}
	}
	sniper_column_blame(text, column, fault);
	return fault;
}

static void
note_faults(const struct sniper_text *text, struct obs_table *to)
{
	for (int f = SNIPER_FAULT_NONE + 1; f < (int)SNIPER_FAULTS; f++) {
		struct str names = {0};
		size_t n = 0;

		for (size_t i = 0; i < text->columns.n; i++)
			if (text->column[i].fault == (enum sniper_fault)f && n++ < NAMES_SHOWN) {
				str_addf(&names, "%s%s", n > 1 ? ", " : "", text->columns.name[i]);
				if (text->column[i].line)
					str_addf(&names, " (line %d)", text->column[i].line);
			}
		if (n)
			obs_table_note(to, OBS_NOTE_NO_COUNT,
				str_format("%s: values of %zu statistic%s left out (%s): %s%s", text->name, n,
				plural_s(n), fault_text[f], str_text(&names), n > NAMES_SHOWN ? ", …" : ""));
		str_free(&names);
	}
}

/* Returns each column's number in the table; NAMES_NONE: the column has no cell. The caller frees the array. */
static size_t *
sniper_text_place_columns(const struct sniper_text *text, const char **name, size_t *n)
{
	size_t *at = mem_new_array(text->columns.n, sizeof *at);
	bool *has = mem_new_array(text->columns.n, sizeof *has);

	for (size_t i = 0; i < text->n_cells; i++)
		has[text->cell[i].column] |= !text->cell[i].unknown && !text->column[text->cell[i].column].dropped;
	*n = 0;
	for (size_t i = 0; i < text->columns.n; i++) {
		at[i] = has[i] ? *n : NAMES_NONE;
		if (has[i])
			name[(*n)++] = text->columns.name[i];
	}
	free(has);
	return at;
}

static int
by_core(const void *a, const void *b)
{
	const struct sniper_cell *x = a, *y = b;

	return x->core < y->core ? -1 : x->core > y->core;
}

static size_t
object_length(const char *column)
{
	return strcspn(column, ".");
}

/* The cells [first, last) are of one core. Marks the columns of the objects that it has: a missing cell there is 0. */
static void
mark_known(
	const struct sniper_text *text, const struct obs_table *to, size_t first, size_t last, unsigned char *counted)
{
	struct names objects = {0};

	for (size_t i = first; i < last; i++) {
		const char *name = text->columns.name[text->cell[i].column];

		names_add(&objects, name, object_length(name));
	}
	for (size_t c = 0; c < to->n_columns; c++)
		counted[c] = text->all_zeros ||
			names_find(&objects, to->column[c], object_length(to->column[c])) != NAMES_NONE;
	names_free(&objects);
}

static bool
fail_scale(struct sniper_text *t, const char *column, const char *core, int decimals)
{
	err_set(t->e, "%s of %s is too large next to values with %d decimals", column, *core ? core : "the core",
		decimals);
	err_hint(t->e, "was the file damaged?");
	return err_place(t->e, t->name, 0, 0);
}

/* Adds the observation of the cells [first, last), which are of one core. */
static bool
add_core(struct sniper_text *text, struct obs_table *to, const size_t *at, size_t first, size_t last, bool exact)
{
	const char *name = text->cores.name[text->cell[first].core], *slash = strchr(name, '/'),
		   *core = slash ? slash + 1 : name;
	int64_t *count = mem_new_array(to->n_columns, sizeof *count);
	unsigned char *counted = mem_new_array(to->n_columns, 1);
	char *file = feed_own_name(text->name), *own = *core ? str_format("%s:%s", file, core) : mem_str(file);
	struct obs *obs = obs_table_add(to, own, text->name);
	bool good = true;

	for (size_t i = first; i < last; i++)
		if (at[text->cell[i].column] != NAMES_NONE && text->cell[i].value.decimals > obs->decimals)
			obs->decimals = text->cell[i].value.decimals;
	mark_known(text, to, first, last, counted);
	for (size_t i = first; i < last && good; i++) {
		size_t c = at[text->cell[i].column];

		if (c == NAMES_NONE)
			continue;
		counted[c] = !text->cell[i].unknown;
		if (!decimal_scale(&text->cell[i].value, obs->decimals, &count[c]))
			good = fail_scale(text, to->column[c], core, obs->decimals);
	}
	obs->exact = exact;
	obs->silent_zeros = true;
	obs_add_row(obs, count, counted, NAN);
	free(count);
	free(counted);
	free(file);
	free(own);
	return good;
}

struct obs_table *
sniper_table_new(struct sniper_text *text, bool exact)
{
	const char **name = mem_new_array(text->columns.n, sizeof *name);
	struct obs_table *to = NULL;
	bool good = true;
	size_t *at, n, last;

	at = sniper_text_place_columns(text, name, &n);
	if (!n || text->cores.n > IMPORT_CELLS_MAX / n) {
		err_set(text->e, n ? "the file has too many statistics and cores to be kept in memory" :
			"the file has no value of a core that is a count");
		err_hint(text->e, "import the text of tools/cpistack.py or tools/dumpstats.py as it was printed");
		err_place(text->e, text->name, 0, 0);
		goto out;
	}
	to = obs_table_new(name, n);
	qsort(text->cell, text->n_cells, sizeof *text->cell, by_core);
	for (size_t first = 0; first < text->n_cells && good; first = last) {
		for (last = first; last < text->n_cells && text->cell[last].core == text->cell[first].core;)
			last++;
		for (size_t i = first; i < last; i++)
			if (at[text->cell[i].column] != NAMES_NONE && !text->cell[i].unknown) {
				good = add_core(text, to, at, first, last, exact);
				break;
			}
	}
	if (good) {
		note_faults(text, to);
	} else {
		obs_table_free(to);
		to = NULL;
	}
out:
	free(name);
	free(at);
	return to;
}
