#include "sim/parameter_table.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "text/word_list.h"

#define ROWS_MAX 64

void
sim_table_preset(const struct sim_table *t, int64_t *value)
{
	for (size_t i = 0; i < t->n; i++)
		value[i] = t->row[i].preset;
}

static void
print_value(const struct sim_table_row *r, int64_t v, struct str *out)
{
	if (r->form == NOTATION_WORD)
		str_add(out, r->words[v]);
	else
		notation_print(r->form, v, out);
}

void
sim_table_print(const struct sim_table *t, const int64_t *value, uint64_t set, struct str *out)
{
	const char *between = "";

	for (size_t i = 0; i < t->n; i++)
		if (set >> i & 1) {
			str_addf(out, "%s%s=", between, t->row[i].name);
			print_value(&t->row[i], value[i], out);
			between = ",";
		}
}

static bool
refuse_name(const struct sim_table *table, const char *whose, uint64_t may, const char *name, struct err *e)
{
	const char *known[ROWS_MAX];

	for (size_t i = 0; i < table->n; i++)
		known[i] = may >> i & 1 ? table->row[i].name : NULL;
	err_set(e, "%s has no parameter '%.40s'", whose, name);
	return word_list_hint(e, name, "it has", known, table->n, sizeof *known);
}

static bool
refuse_value(const struct sim_table_row *row, const char *whose, const char *text, struct err *e)
{
	struct str expected = {0};

	if (row->form == NOTATION_WORD)
		for (size_t i = 0; row->words[i]; i++)
			str_addf(&expected, "%s%s", i ? ", " : "one of ", row->words[i]);
	else
		notation_expected(row->form, row->least, row->most, &expected);
	err_set(e, "%s: %s cannot be '%.40s'", whose, row->name, text);
	err_hint(e, "expected: %s%s", str_text(&expected), row->note ? row->note : "");
	str_free(&expected);
	return false;
}

static bool
parameter_table_read_value(const struct sim_table_row *r, const char *text, int64_t *out)
{
	if (r->form != NOTATION_WORD)
		return notation_read(r->form, r->least, r->most, text, out);
	for (*out = 0; r->words[*out]; ++*out)
		if (str_eq(r->words[*out], text))
			return true;
	return false;
}

/* Parses name=value. */
static bool
parse_one(const struct sim_table *table, int64_t *value, uint64_t *given, const char *whose, uint64_t may,
	struct word_list *list, struct err *e)
{
	const char *after = word_list_cut(list, '='), *text = list->word;
	int64_t v = 0;
	size_t i = 0;

	if (!*text && !after) {
		err_set(e, "%s: a parameter is empty", whose);
		return err_hint(e, "write parameters as name=value, joined by ','");
	}
	while (i < table->n && !((may >> i & 1) && str_eq(table->row[i].name, text)))
		i++;
	if (i == table->n)
		return refuse_name(table, whose, may, text, e);
	if (*given >> i & 1) {
		err_set(e, "%s: %s is given twice", whose, text);
		return err_hint(e, "give it once");
	}
	if (after)
		word_list_blame_rest(list);
	if (!after || !parameter_table_read_value(&table->row[i], after, &v))
		return refuse_value(&table->row[i], whose, after ? after : "", e);
	value[i] = v;
	*given |= (uint64_t)1 << i;
	return true;
}

bool
sim_table_parse(const struct sim_table *t, int64_t *value, uint64_t *given, const char *whose, uint64_t may,
	const char *text, struct err *e)
{
	struct word_list list = word_list_of(text, ',');
	bool good = true;

	while (good && word_list_next(&list))
		good = parse_one(t, value, given, whose, may, &list, e);
	return word_list_end(&list, good, e);
}
